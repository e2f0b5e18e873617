/* Edges to CSR: count the arcs of every row, put each arc into its row, then sort the rows and merge what is equal.
 *
 * Each edge (s, d) enters as the arcs s -> d and d -> s. Within its row an arc is column * 2, and one more if it is the
 * second arc of its edge: so that the merge can tell "given in both directions" (fine) from "given twice" (a
 * duplicate). Ids are below 2^31 - 1: the bit is free.
 *
 * Threads share the rows out, and each looks at all edges for those of its rows: no two write the same place, and
 * nothing large beside the edges and the result is in memory. The rows are sorted, so that the result does not depend
 * on who did what. */
#include <math.h>
#include <string.h>

#include "base/thread.h"
#include "graph/graph.h"

enum {
    BATCH = 1024,      /* edges that are looked at together */
    CHECKED = 1 << 16, /* edges of a chunk that is checked */
    SORTED = 1 << 13,  /* rows of a chunk that is sorted */
    MOST_RANGES = 32,  /* of rows, a thread each */
    SMALL = 1 << 15,   /* edges below which threads do not pay */
    SHORT = 32         /* arcs of a row that is sorted at once */
};
#define NONE UINT32_MAX /* no arc */

typedef struct edge_list {
    int64_t nodes, edges;
    bool wide;             /* int64_t, else int32_t */
    const void *src, *dst; /* (edges) */
    const float *weights;  /* (edges), or NULL */
} edge_list;

typedef struct builder {
    gpr_ctx *ctx;
    int threads;
    const edge_list *list;
    gpri_graph *graph;
    int64_t shares;   /* of the edges, each counted alone */
    uint32_t *counts; /* (shares x nodes) */
    uint32_t *column; /* (arcs before merging) */
    float *weight;    /* the same, or NULL */
    int ranges;
    int64_t first_row[MOST_RANGES + 1]; /* of each range */
    struct part *parts;                 /* (chunks of rows, or of edges) */
} builder;

/* What a chunk found. */
typedef struct part {
    int64_t bad;                              /* its first bad edge, or -1 */
    int64_t begin, arcs;                      /* where its rows begin before merging; what is left of them */
    int64_t self_loops, duplicates, isolated; /* how many */
} part;

static int64_t chunks_of(int64_t count, int64_t size) { return (count + size - 1) / size; }

/* ---- The edges ------------------------------------------------------------------------------------ */

static int64_t id_at(const edge_list *list, const void *ids, int64_t e) {
    return list->wide ? ((const int64_t *)ids)[e] : ((const int32_t *)ids)[e];
}

/* ids[first ..] as 32-bit numbers: as they are, or narrowed into scratch. They have been checked. */
static const int32_t *narrow(const edge_list *list, const void *ids, int64_t first, int64_t count, int32_t *scratch) {
    if (!list->wide) return (const int32_t *)ids + first;
    const int64_t *from = (const int64_t *)ids + first;
    for (int64_t k = 0; k < count; k++) scratch[k] = (int32_t)from[k];
    return scratch;
}

static gpr_status check_sizes(const edge_list *list) {
    if (list->nodes < 1 || list->nodes >= INT32_MAX)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the graph has %lld nodes: it must have from 1 to %d",
                         (long long)list->nodes, INT32_MAX - 1);
    if (list->edges < 0 || list->edges > INT64_MAX / 16)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "the graph has %lld edges: a count from 0 on that fits the memory was expected",
                         (long long)list->edges);
    if (list->edges > 0 && (!list->src || !list->dst))
        return gpri_fail(GPR_ERROR_ARGUMENT, "%lld edges are announced, but src or dst is NULL",
                         (long long)list->edges);
    return GPR_OK;
}

static bool bad_weight(float weight) { return !(weight > 0 && weight < INFINITY); }

static void check_chunk(void *arg, int64_t chunk, int slot) {
    const builder *b = arg;
    const edge_list *list = b->list;
    const uint64_t nodes = (uint64_t)list->nodes;
    const int64_t first = chunk * CHECKED, last = first + CHECKED < list->edges ? first + CHECKED : list->edges;
    part *found = &b->parts[chunk];
    (void)slot;
    *found = (part){.bad = -1};
    for (int64_t e = first; e < last; e++) {
        const int64_t s = id_at(list, list->src, e), d = id_at(list, list->dst, e);
        found->self_loops += s == d;
        if ((uint64_t)s < nodes && (uint64_t)d < nodes && !(list->weights && bad_weight(list->weights[e]))) continue;
        found->bad = e; /* negative ids are huge as unsigned */
        return;
    }
}

/* Every edge; counts the loops. */
static gpr_status check_edges(builder *b) {
    const edge_list *list = b->list;
    const int64_t chunks = chunks_of(list->edges, CHECKED);
    gpr_status status = gpri_alloc(b->ctx, &b->parts, chunks, sizeof *b->parts, "graph edges");
    if (status != GPR_OK) return status;
    gpri_parallel(b->ctx, b->threads, chunks, check_chunk, b);
    for (int64_t chunk = 0; chunk < chunks && status == GPR_OK; chunk++) {
        const int64_t e = b->parts[chunk].bad;
        b->graph->self_loops += b->parts[chunk].self_loops;
        if (e < 0) continue;
        const int64_t s = id_at(list, list->src, e), d = id_at(list, list->dst, e);
        if (s < 0 || s >= list->nodes || d < 0 || d >= list->nodes)
            status =
                gpri_fail(GPR_ERROR_ARGUMENT, "edge %lld goes from node %lld to node %lld: ids must be in [0, %lld)",
                          (long long)e, (long long)s, (long long)d, (long long)list->nodes);
        else
            status = gpri_fail(GPR_ERROR_ARGUMENT,
                               "edge %lld (%lld to %lld) has weight %g: weights must be positive and finite",
                               (long long)e, (long long)s, (long long)d, (double)list->weights[e]);
    }
    gpri_free(b->ctx, b->parts);
    b->parts = NULL;
    return status;
}

/* ---- Arcs into their rows ------------------------------------------------------------------------- */

/* counts[chunk]: (nodes) the arcs of every row in one share of the edges. */
static void count_share(void *arg, int64_t chunk, int slot) {
    const builder *b = arg;
    const edge_list *list = b->list;
    uint32_t *count = b->counts + chunk * list->nodes;
    const int64_t end = list->edges / b->shares * (chunk + 1) + (chunk + 1 == b->shares ? list->edges % b->shares : 0);
    int32_t scratch[2][BATCH];
    (void)slot;
    memset(count, 0, (size_t)list->nodes * sizeof *count);
    for (int64_t first = list->edges / b->shares * chunk; first < end; first += BATCH) {
        const int64_t size = end - first < BATCH ? end - first : BATCH;
        const int32_t *src = narrow(list, list->src, first, size, scratch[0]);
        const int32_t *dst = narrow(list, list->dst, first, size, scratch[1]);
        for (int64_t k = 0; k < size; k++) {
            const uint32_t one = src[k] != dst[k];
            count[src[k]] += one;
            count[dst[k]] += one;
        }
    }
}

/* rowptr becomes where each row begins, before merging. As many counts as threads, but no more memory than the result
   will take; a count of a share is below 2^32. */
static gpr_status count_rows(builder *b) {
    const int64_t nodes = b->list->nodes, edges = b->list->edges;
    int64_t *rowptr = b->graph->rowptr;
    b->shares = edges / nodes < b->threads ? edges / nodes + 1 : b->threads;
    if (b->shares < edges >> 30) b->shares = edges >> 30;
    int64_t places;
    gpr_status status = gpri_mul_size(nodes, b->shares, &places)
                            ? gpri_alloc(b->ctx, &b->counts, places, sizeof *b->counts, "graph rows")
                            : gpri_fail(GPR_ERROR_MEMORY, "the graph is too large");
    if (status != GPR_OK) return status;
    gpri_parallel(b->ctx, b->threads, b->shares, count_share, b);
    rowptr[0] = 0;
    for (int64_t i = 0; i < nodes; i++) {
        int64_t sum = 0;
        for (int64_t share = 0; share < b->shares; share++) sum += b->counts[share * nodes + i];
        rowptr[i + 1] = rowptr[i] + sum;
    }
    gpri_free(b->ctx, b->counts);
    b->counts = NULL;
    return GPR_OK;
}

/* The arcs that go into a range of rows, from all edges. rowptr[i], where row i begins, moves on with every arc to
   where it ends. */
static void fill_range(void *arg, int64_t range, int slot) {
    const builder *b = arg;
    const edge_list *list = b->list;
    const int64_t low = b->first_row[range];
    const uint32_t width = (uint32_t)(b->first_row[range + 1] - low), base = (uint32_t)low;
    int64_t *next = b->graph->rowptr + low;
    int32_t scratch[2][BATCH];
    uint32_t row[2 * BATCH + 1], arc[2 * BATCH + 1], edge[2 * BATCH + 1]; /* of a batch, those of the range */
    (void)slot;
    for (int64_t first = 0; first < list->edges; first += BATCH) {
        const int64_t size = list->edges - first < BATCH ? list->edges - first : BATCH;
        const int32_t *src = narrow(list, list->src, first, size, scratch[0]);
        const int32_t *dst = narrow(list, list->dst, first, size, scratch[1]);
        int64_t count = 0; /* moves on or not: a branch would be mispredicted for every other arc */
        for (int64_t k = 0; k < size; k++) {
            const uint32_t s = (uint32_t)src[k], d = (uint32_t)dst[k];
            row[count] = s - base;
            arc[count] = d * 2;
            edge[count] = (uint32_t)k;
            count += (s - base < width) & (s != d);
            row[count] = d - base;
            arc[count] = s * 2 + 1;
            edge[count] = (uint32_t)k;
            count += (d - base < width) & (s != d);
        }
        for (int64_t k = 0; k < count; k++) {
            const int64_t place = next[row[k]]++;
            b->column[place] = arc[k];
            if (b->weight) b->weight[place] = list->weights[first + edge[k]];
        }
    }
}

/* Ranges with as many arcs each as can be. */
static void even_ranges(builder *b) {
    const int64_t *rowptr = b->graph->rowptr, nodes = b->graph->nodes;
    b->ranges = b->threads < MOST_RANGES ? b->threads : MOST_RANGES;
    b->first_row[0] = 0;
    b->first_row[b->ranges] = nodes;
    for (int r = 1; r < b->ranges; r++) {
        const int64_t goal = rowptr[nodes] / b->ranges * r;
        int64_t low = b->first_row[r - 1], high = nodes;
        while (low < high) {
            const int64_t middle = (low + high) / 2;
            if (rowptr[middle] < goal) low = middle + 1;
            else high = middle;
        }
        b->first_row[r] = low;
    }
}

static gpr_status fill_rows(builder *b) {
    gpr_status status = GPR_OK;
    gpri_graph *graph = b->graph;
    const int64_t nodes = graph->nodes, arcs = graph->rowptr[nodes];
    TRY(gpri_alloc(b->ctx, &b->column, arcs, sizeof *b->column, "graph edges"));
    if (b->list->weights) TRY(gpri_alloc(b->ctx, &b->weight, arcs, sizeof *b->weight, "edge weights"));
    even_ranges(b);
    gpri_parallel(b->ctx, b->threads, b->ranges, fill_range, b);
    memmove(graph->rowptr + 1, graph->rowptr, (size_t)nodes * sizeof *graph->rowptr);
    graph->rowptr[0] = 0;
done:
    return status;
}

/* ---- Sorted rows ---------------------------------------------------------------------------------- */

/* Short rows by rank: an arc goes where as many are before it as are less than it. No branch depends on the numbers,
   and the loop over j is one of vectors. */
static void sort_by_rank(uint32_t *column, int64_t count) {
    enum { LANES = 8 };
    int32_t
        key[SHORT + LANES]; /* in the order of signed numbers, which CPUs compare faster; filled up with the largest */
    const int64_t padded = (count + LANES - 1) / LANES * LANES;
    for (int64_t k = 0; k < padded; k++) key[k] = k < count ? (int32_t)(column[k] ^ 0x80000000u) : INT32_MAX;
    for (int64_t k = 0; k < count; k++) column[k] = NONE;
    for (int64_t k = 0; k < count; k++) {
        int32_t less = 0;
        for (int64_t j = 0; j < padded; j++) less += key[j] < key[k];
        column[less] = (uint32_t)key[k] ^ 0x80000000u;
    }
    for (int64_t k = 1; k < count; k++) /* equal ones went to the same place */
        if (column[k] == NONE) column[k] = column[k - 1];
}

static void sort_by_insertion(uint32_t *column, float *weight, int64_t count) {
    for (int64_t k = 1; k < count; k++) {
        const uint32_t c = column[k];
        const float w = weight[k];
        int64_t at = k;
        for (; at > 0 && column[at - 1] > c; at--) {
            column[at] = column[at - 1];
            weight[at] = weight[at - 1];
        }
        column[at] = c;
        weight[at] = w;
    }
}

/* Radix exchange, from the given bit down: those without the bit to the front, those with it to the back. At most 32
   levels deep, whatever the row. */
static void sort_row(uint32_t *column, float *weight, int64_t count, uint32_t bit) {
    while (count > SHORT && bit > 0) {
        int64_t low = 0, high = count;
        while (low < high) {
            if (!(column[low] & bit)) {
                low++;
                continue;
            }
            high--;
            const uint32_t c = column[low];
            column[low] = column[high];
            column[high] = c;
            if (!weight) continue;
            const float w = weight[low];
            weight[low] = weight[high];
            weight[high] = w;
        }
        bit >>= 1;
        sort_row(column, weight, low, bit);
        column += low;
        if (weight) weight += low;
        count -= low;
    }
    if (bit == 0) return; /* all equal */
    if (weight) sort_by_insertion(column, weight, count);
    else sort_by_rank(column, count);
}

/* Merges equal columns of a sorted row and drops the lowest bit; from and to may be the same. Returns what is left. */
static int64_t merge_row(uint32_t *to, float *to_weight, const uint32_t *from, const float *from_weight, int64_t count,
                         int64_t *duplicates) {
    int64_t end = 0;
    for (int64_t k = 0; k < count;) {
        const uint32_t c = from[k] / 2;
        float largest = from_weight ? from_weight[k] : 1;
        int64_t given = 0; /* how often the input holds this ordered pair */
        for (; k < count && from[k] / 2 == c; k++) {
            given += !(from[k] & 1);
            if (from_weight && from_weight[k] > largest) largest = from_weight[k];
        }
        if (given > 1) *duplicates += given - 1;
        to[end] = c;
        if (to_weight) to_weight[end] = largest;
        end++;
    }
    return end;
}

/* Sorts and merges some rows, and moves them together to where the first of them begins. */
static void finish_chunk(void *arg, int64_t chunk, int slot) {
    const builder *b = arg;
    const gpri_graph *graph = b->graph;
    part *own = &b->parts[chunk];
    const int64_t first = chunk * SORTED, last = first + SORTED < graph->nodes ? first + SORTED : graph->nodes;
    int64_t from = own->begin, to = own->begin;
    uint32_t bit = 1;
    (void)slot;
    while (bit < 0x80000000u && bit <= (uint32_t)graph->nodes) bit <<= 1; /* above the largest column * 2 + 1 */
    for (int64_t i = first; i < last; i++) {
        const int64_t count = graph->rowptr[i + 1] - from;
        uint32_t *row = b->column + from;
        float *weight = b->weight ? b->weight + from : NULL;
        sort_row(row, weight, count, bit);
        const int64_t left =
            merge_row(b->column + to, weight ? b->weight + to : NULL, row, weight, count, &own->duplicates);
        own->isolated += left == 0;
        from += count;
        to += left;
        graph->rowptr[i + 1] = to;
    }
    own->arcs = to - own->begin;
}

static gpr_status finish_rows(builder *b) {
    gpri_graph *graph = b->graph;
    const int64_t chunks = chunks_of(graph->nodes, SORTED);
    gpr_status status = gpri_calloc(b->ctx, &b->parts, chunks, sizeof *b->parts, "graph rows");
    if (status != GPR_OK) return status;
    for (int64_t chunk = 0; chunk < chunks; chunk++) b->parts[chunk].begin = graph->rowptr[chunk * SORTED];
    gpri_parallel(b->ctx, b->threads, chunks, finish_chunk, b);
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        const part *own = &b->parts[chunk];
        const int64_t first = chunk * SORTED, last = first + SORTED < graph->nodes ? first + SORTED : graph->nodes;
        const int64_t gap = own->begin - graph->arcs;
        if (gap > 0) {
            memmove(b->column + graph->arcs, b->column + own->begin, (size_t)own->arcs * sizeof *b->column);
            if (b->weight)
                memmove(b->weight + graph->arcs, b->weight + own->begin, (size_t)own->arcs * sizeof *b->weight);
            for (int64_t i = first; i < last; i++) graph->rowptr[i + 1] -= gap;
        }
        graph->arcs += own->arcs;
        graph->duplicates += own->duplicates;
        graph->isolated += own->isolated;
    }
    return GPR_OK;
}

/* Gives back what merging has freed, if it is worth a copy: both directions of each edge shrink to half. */
static gpr_status shrink(gpr_ctx *ctx, void *block, int64_t before, int64_t after, size_t size) {
    void *old, *fresh;
    if (after >= before - before / 8) return GPR_OK;
    gpr_status status = gpri_alloc(ctx, &fresh, after, size, "graph edges");
    if (status != GPR_OK) return status;
    memcpy(&old, block, sizeof old);
    memcpy(fresh, old, (size_t)after * size);
    memcpy(block, &fresh, sizeof fresh);
    gpri_free(ctx, old);
    return GPR_OK;
}

/* ---- The whole ------------------------------------------------------------------------------------ */

/* taken: the list's own arrays, which are freed as soon as can be; or NULL. */
static gpr_status build(gpr_ctx *ctx, gpri_graph *graph, const edge_list *list, gpri_edges *taken) {
    gpr_status status = GPR_OK;
    builder b = {.ctx = ctx, .threads = list->edges < SMALL ? 1 : ctx->threads, .list = list, .graph = graph};
    *graph = (gpri_graph){0};
    TRY(check_sizes(list));
    graph->nodes = list->nodes;
    TRY(check_edges(&b));
    TRY(gpri_alloc(ctx, &graph->rowptr, list->nodes + 1, sizeof *graph->rowptr, "graph rows"));
    TRY(count_rows(&b));
    TRY(fill_rows(&b));
    if (taken) gpri_edges_free(ctx, taken);
    const int64_t before = graph->rowptr[graph->nodes];
    TRY(finish_rows(&b));
    TRY(shrink(ctx, &b.column, before, graph->arcs, sizeof *b.column));
    if (b.weight) TRY(shrink(ctx, &b.weight, before, graph->arcs, sizeof *b.weight));
    graph->column = (int32_t *)b.column; /* the two differ in sign only: C allows it */
    graph->weight = b.weight;
    b.column = NULL;
    b.weight = NULL;
done:
    gpri_free(ctx, b.parts);
    gpri_free(ctx, b.column);
    gpri_free(ctx, b.weight);
    if (status != GPR_OK) gpri_graph_free(ctx, graph);
    return status;
}

gpr_status gpri_graph_build(gpr_ctx *ctx, gpri_graph *graph, int64_t nodes, int64_t edges, const int64_t *src,
                            const int64_t *dst, const float *weights) {
    const edge_list list = {nodes, edges, true, src, dst, weights};
    return build(ctx, graph, &list, NULL);
}

gpr_status gpri_graph_take(gpr_ctx *ctx, gpri_graph *graph, gpri_edges *edges) {
    const edge_list list = {edges->nodes, edges->count, false, edges->src, edges->dst, edges->weights};
    gpr_status status = build(ctx, graph, &list, edges);
    gpri_edges_free(ctx, edges);
    return status;
}

void gpri_edges_free(gpr_ctx *ctx, gpri_edges *edges) {
    gpri_free(ctx, edges->src);
    gpri_free(ctx, edges->dst);
    gpri_free(ctx, edges->weights);
    *edges = (gpri_edges){0};
}
