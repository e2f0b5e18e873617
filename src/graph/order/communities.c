/* Communities within communities, in one pass over the edges, after Arai et al., Rabbit Order (IPDPS 2016).
 *
 * Nodes are taken by ascending degree. Each is merged into that neighbour, or into the community that it is now part
 * of, whose merging adds most to the modularity: w - d_v d_u / (2 m) is largest and above 0, with w the edges between
 * both and d the sums of their degrees. So a tree of merges grows. The order is a walk through the trees from their
 * roots: what was merged lies together, at all sizes.
 *
 * The arcs of a community are those of its members. They are gathered when the community is taken itself, with those of
 * one target added up, and go back to the places where they came from. So no more memory is needed than one copy of the
 * arcs: 8 bytes for each, and 44 for each node. Weights of edges play no part: what counts is which rows are read. */
#include <string.h>

#include "graph/order/order.h"

typedef struct merging {
    const gpri_graph *graph;
    double total;     /* arcs of the graph: 2 m */
    int32_t *into;    /* (nodes) where it was merged to; itself: nowhere. Paths get shorter with use */
    int32_t *child;   /* (nodes) the last that was merged into it, or -1 */
    int32_t *sibling; /* (nodes) the one that was merged before it into the same, or -1 */
    int32_t *next;    /* (nodes) the next place with arcs of the same community, or -1. A place is named by its node */
    int32_t *last;    /* (nodes) the last of these places */
    int64_t *filled;  /* (nodes) arcs in that place */
    int32_t *column;  /* (arcs) */
    float *weight;    /* (arcs) edges that were added up */
    double *degree;   /* (nodes) of the community that has it as its root */
    float *sum;       /* (nodes) edges to each root: 0 but while a node is taken */
    int32_t *targets; /* (nodes) those with a sum */
} merging;

static int32_t root_of(int32_t *into, int32_t node) {
    while (into[node] != node) {
        into[node] = into[into[node]];
        node = into[node];
    }
    return node;
}

/* Adds up the arcs of `node` by the roots of their targets. Returns how many roots there are, other than itself. */
static int64_t gather(merging *m, int32_t node) {
    int64_t count = 0;
    for (int32_t place = node; place >= 0; place = m->next[place]) {
        const int64_t begin = m->graph->rowptr[place];
        for (int64_t k = begin; k < begin + m->filled[place]; k++) {
            const int32_t root = root_of(m->into, m->column[k]);
            if (root == node) continue;
            if (m->sum[root] == 0) m->targets[count++] = root;
            m->sum[root] += m->weight[k];
        }
    }
    return count;
}

/* Puts the sums in place of the arcs that they come from. */
static void put_back(merging *m, int32_t node, int64_t count) {
    int64_t done = 0;
    int32_t place = node;
    for (;; place = m->next[place]) {
        const int64_t begin = m->graph->rowptr[place], room = m->graph->rowptr[place + 1] - begin;
        m->filled[place] = count - done < room ? count - done : room;
        for (int64_t k = 0; k < m->filled[place]; k++, done++) {
            m->column[begin + k] = m->targets[done];
            m->weight[begin + k] = m->sum[m->targets[done]];
        }
        if (done == count) break;
    }
    m->next[place] = -1;
    m->last[node] = place;
}

/* The root that gains most, of equal ones the first; -1: none gains. */
static int32_t choose(const merging *m, int32_t node, int64_t count) {
    int32_t best = -1;
    double most = 0;
    for (int64_t k = 0; k < count; k++) {
        const int32_t root = m->targets[k];
        const double gain = (double)m->sum[root] - m->degree[node] * m->degree[root] / m->total;
        if (gain > most) most = gain, best = root;
    }
    return best;
}

static void merge(merging *m, int32_t node, int32_t root) {
    m->into[node] = root;
    m->sibling[node] = m->child[root];
    m->child[root] = node;
    m->degree[root] += m->degree[node];
    m->next[m->last[root]] = node;
    m->last[root] = m->last[node];
}

static void take(merging *m, int32_t node) {
    const int64_t count = gather(m, node);
    const int32_t root = choose(m, node, count);
    put_back(m, node, count);
    for (int64_t k = 0; k < count; k++) m->sum[m->targets[k]] = 0;
    if (root >= 0) merge(m, node, root);
}

/* A node, then what was merged into it, the first first; stack: (nodes). */
static void walk(const merging *m, int32_t *order, int32_t *stack) {
    int64_t done = 0;
    for (int64_t i = 0; i < m->graph->nodes; i++) {
        int64_t depth = 0;
        if (m->into[i] != i) continue;
        stack[depth++] = (int32_t)i;
        while (depth > 0) {
            const int32_t node = stack[--depth];
            order[done++] = node;
            for (int32_t c = m->child[node]; c >= 0; c = m->sibling[c]) stack[depth++] = c;
        }
    }
}

static gpr_status begin(gpr_ctx *ctx, merging *m, const gpri_graph *graph) {
    static const char what[] = "communities of nodes";
    const int64_t nodes = graph->nodes;
    *m = (merging){.graph = graph, .total = (double)graph->arcs};
    NEED(gpri_alloc(ctx, &m->into, nodes, sizeof *m->into, what));
    NEED(gpri_alloc(ctx, &m->child, nodes, sizeof *m->child, what));
    NEED(gpri_alloc(ctx, &m->sibling, nodes, sizeof *m->sibling, what));
    NEED(gpri_alloc(ctx, &m->next, nodes, sizeof *m->next, what));
    NEED(gpri_alloc(ctx, &m->last, nodes, sizeof *m->last, what));
    NEED(gpri_alloc(ctx, &m->filled, nodes, sizeof *m->filled, what));
    NEED(gpri_alloc(ctx, &m->degree, nodes, sizeof *m->degree, what));
    NEED(gpri_calloc(ctx, &m->sum, nodes, sizeof *m->sum, what));
    NEED(gpri_alloc(ctx, &m->targets, nodes, sizeof *m->targets, what));
    NEED(gpri_copy(ctx, &m->column, graph->column, graph->arcs, sizeof *m->column, what));
    NEED(gpri_alloc(ctx, &m->weight, graph->arcs, sizeof *m->weight, what));
    for (int64_t k = 0; k < graph->arcs; k++) m->weight[k] = 1;
    for (int64_t i = 0; i < nodes; i++) {
        m->into[i] = m->last[i] = (int32_t)i;
        m->child[i] = m->sibling[i] = m->next[i] = -1;
        m->filled[i] = graph->rowptr[i + 1] - graph->rowptr[i];
        m->degree[i] = (double)m->filled[i];
    }
    return GPR_OK;
}

gpr_status gpri_order_communities(gpr_ctx *ctx, int32_t *order, const gpri_graph *graph) {
    merging m;
    gpr_status status = GPR_OK;
    TRY(begin(ctx, &m, graph));
    TRY(gpri_order_by_degree(ctx, order, graph));
    for (int64_t i = 0; i < graph->nodes; i++) take(&m, order[i]);
    walk(&m, order, m.targets);
done:
    gpri_free_all(ctx, m.into, m.child, m.sibling, m.next, m.last, m.filled, m.degree, m.sum, m.targets, m.column,
                  m.weight);
    return status;
}
