/* Edges to CSR: count the arcs of every row, put each arc into its row, then sort the rows and merge equal arcs
 * (graph/rows.h).
 *
 * Rows are grouped into buckets that fit the cache. The edges are cut into slabs, and those of a slab are ordered by
 * their source's bucket, in place; then a thread fills a bucket from its share of every slab. The same is done by
 * destination for the second arcs. So memory holds little more than the edges and the result, writes stay close
 * together, and no two threads write the same row. The rows are sorted in the end, so the result does not depend on the
 * order of work. */
#include <math.h>
#include <string.h>

#include "base/thread.h"
#include "graph/rows.h"

enum {
    SLAB = 1 << 16,       /* edges that are checked, or ordered, together: they and a copy of them fit the cache */
    CACHED = 1 << 18,     /* edges whose arcs fit the cache: they need no buckets */
    MOST_BUCKETS = 64,    /* of rows */
    MOST_GROUPS = 1 << 12 /* of 2^shift rows, of which buckets are made */
};

/* What a chunk found. */
typedef struct finding {
    int64_t bad;        /* its first bad edge, or -1 */
    int64_t self_loops; /* how many */
} finding;

/* The edges as the caller has them. */
typedef struct edge_list {
    int64_t nodes, edges;
    bool wide;             /* int64_t, else int32_t */
    bool directed;         /* its directions are kept */
    const void *src, *dst; /* (edges) */
    const float *weights;  /* (edges), or NULL */
} edge_list;

typedef struct builder {
    gpr_ctx *ctx;
    int threads;
    const edge_list *list;
    gpri_edges *edges; /* our own copy, which is reordered */
    gpri_graph *graph;
    finding *findings; /* (chunks) */
    int64_t shares;    /* of the edges, each counted on its own */
    uint32_t *counts;  /* (shares x nodes) */
    gpri_arcs at;      /* (arcs before merging) */

    int buckets, shift;
    uint8_t bucket_of[MOST_GROUPS]; /* of node >> shift */
    int64_t slabs;
    int32_t *starts; /* (slabs x (buckets + 1)) where in its slab each bucket begins */
    int32_t *copies; /* (threads x 3 x SLAB) */
    bool backward;   /* the second arcs: by destination */
} builder;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* ---- The edges ------------------------------------------------------------------------------------ */

static int64_t id_at(const edge_list *list, const void *ids, int64_t e) {
    return list->wide ? ((const int64_t *)ids)[e] : ((const int32_t *)ids)[e];
}

static gpr_status check_sizes(const edge_list *list) {
    if (list->nodes < 1 || list->nodes >= INT32_MAX)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the graph has %lld nodes: it must have from 1 to %d",
                         (long long)list->nodes, INT32_MAX - 1);
    if (list->edges < 0 || list->edges > INT64_MAX / 16)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "the graph has %lld edges: expected a number from 0 on that fits in memory",
                         (long long)list->edges);
    if (list->edges > 0 && (!list->src || !list->dst))
        return gpri_fail(GPR_ERROR_ARGUMENT, "%lld edges are announced, but src or dst is NULL",
                         (long long)list->edges);
    return GPR_OK;
}

static bool bad_weight(float weight) { return !(weight > 0 && weight < INFINITY); }

static void check_chunk(void *arg, int64_t chunk, GPRI_UNUSED int slot) {
    const builder *b = arg;
    const edge_list *list = b->list;
    const uint64_t nodes = (uint64_t)list->nodes;
    const gpri_range range = gpri_chunk_of(chunk, SLAB, list->edges);
    finding *found = &b->findings[chunk];
    *found = (finding){.bad = -1};
    for (int64_t e = range.first; e < range.end; e++) {
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
    const int64_t chunks = gpri_chunk_count(list->edges, SLAB);
    gpr_status status = gpri_alloc(b->ctx, &b->findings, chunks, sizeof *b->findings, "graph edges");
    if (status != GPR_OK) return status;
    gpri_parallel(b->ctx, b->threads, chunks, check_chunk, b);
    for (int64_t chunk = 0; chunk < chunks && status == GPR_OK; chunk++) {
        const int64_t e = b->findings[chunk].bad;
        b->graph->self_loops += b->findings[chunk].self_loops;
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
    gpri_free(b->ctx, b->findings);
    b->findings = NULL;
    return status;
}

/* Our own copy, of ids that have been checked. */
static gpr_status copy_edges(gpr_ctx *ctx, gpri_edges *to, const edge_list *list) {
    *to = (gpri_edges){.nodes = list->nodes, .count = list->edges};
    NEED(gpri_alloc(ctx, &to->src, list->edges, sizeof *to->src, "graph edges"));
    NEED(gpri_alloc(ctx, &to->dst, list->edges, sizeof *to->dst, "graph edges"));
    for (int64_t e = 0; e < list->edges; e++) {
        to->src[e] = (int32_t)id_at(list, list->src, e);
        to->dst[e] = (int32_t)id_at(list, list->dst, e);
    }
    if (!list->weights) return GPR_OK;
    NEED(gpri_copy(ctx, &to->weights, list->weights, list->edges, sizeof *to->weights, "edge weights"));
    return GPR_OK;
}

/* ---- Arcs into their rows ------------------------------------------------------------------------- */

/* counts[share]: (nodes) the arcs of every row in one share of the edges. */
static void count_share(void *arg, int64_t share, GPRI_UNUSED int slot) {
    const builder *b = arg;
    const gpri_edges *edges = b->edges;
    uint32_t *count = b->counts + share * edges->nodes;
    const gpri_range range = gpri_chunk_of(share, edges->count / b->shares + 1, edges->count);
    memset(count, 0, (size_t)edges->nodes * sizeof *count);
    for (int64_t e = range.first; e < range.end; e++) {
        const uint32_t degree = edges->src[e] != edges->dst[e];
        count[edges->src[e]] += degree;
        count[edges->dst[e]] += degree;
    }
}

/* Sets rowptr to where each row begins before merging. There is one count per thread, but they take no more memory than
   the result, and no share is so large that a count overflows. */
static gpr_status count_rows(builder *b) {
    gpr_status status = GPR_OK;
    const int64_t nodes = b->edges->nodes, edges = b->edges->count;
    int64_t *rowptr = b->graph->rowptr;
    b->shares = least(b->threads, edges / nodes + 1);
    if (b->shares < edges >> 30) b->shares = edges >> 30;
    TRY(gpri_alloc(b->ctx, &b->counts, nodes * b->shares, sizeof *b->counts, "graph rows"));
    gpri_parallel(b->ctx, b->threads, b->shares, count_share, b);
    rowptr[0] = 0;
    for (int64_t i = 0; i < nodes; i++) {
        rowptr[i + 1] = rowptr[i];
        for (int64_t share = 0; share < b->shares; share++) rowptr[i + 1] += b->counts[share * nodes + i];
    }
done:
    gpri_free(b->ctx, b->counts);
    b->counts = NULL;
    return status;
}

/* Makes buckets with about equally many arcs, as far as groups of rows allow. */
static void make_buckets(builder *b) {
    const int64_t *rowptr = b->graph->rowptr, nodes = b->graph->nodes, arcs = rowptr[nodes];
    b->buckets = b->edges->count > CACHED ? MOST_BUCKETS : 1;
    while ((nodes - 1) >> b->shift >= MOST_GROUPS) b->shift++;
    for (int64_t group = 0; group <= (nodes - 1) >> b->shift; group++) {
        const double before = (double)rowptr[group << b->shift] / (double)(arcs + 1);
        b->bucket_of[group] = (uint8_t)(before * b->buckets);
    }
}

/* Orders the edges of a slab by the bucket of one of their ends. */
static void order_slab(void *arg, int64_t slab, int slot) {
    const builder *b = arg;
    const gpri_edges *edges = b->edges;
    const gpri_range range = gpri_chunk_of(slab, SLAB, edges->count);
    const int64_t first = range.first, count = range.end - range.first;
    int32_t *src = edges->src + first, *dst = edges->dst + first;
    float *weights = edges->weights ? edges->weights + first : NULL;
    const int32_t *end = b->backward ? dst : src;
    int32_t *start = b->starts + slab * (b->buckets + 1), next[MOST_BUCKETS];
    memset(start, 0, (size_t)(b->buckets + 1) * sizeof *start);
    for (int64_t k = 0; k < count; k++) start[b->bucket_of[end[k] >> b->shift] + 1]++;
    for (int bucket = 0; bucket < b->buckets; bucket++) start[bucket + 1] += start[bucket];
    if (b->buckets == 1) return;
    int32_t *from_src = b->copies + (int64_t)slot * 3 * SLAB, *from_dst = from_src + SLAB;
    float *from_weights = (float *)(from_dst + SLAB);
    memcpy(next, start, (size_t)b->buckets * sizeof *next);
    memcpy(from_src, src, (size_t)count * sizeof *src);
    memcpy(from_dst, dst, (size_t)count * sizeof *dst);
    if (weights) memcpy(from_weights, weights, (size_t)count * sizeof *weights);
    end = b->backward ? from_dst : from_src;
    for (int64_t k = 0; k < count; k++) {
        const int32_t place = next[b->bucket_of[end[k] >> b->shift]]++;
        src[place] = from_src[k];
        dst[place] = from_dst[k];
        if (weights) weights[place] = from_weights[k];
    }
}

/* The arcs of a bucket's rows, from all slabs. rowptr[i], where row i begins, moves on with every arc. */
static void fill_bucket(void *arg, int64_t bucket, GPRI_UNUSED int slot) {
    const builder *b = arg;
    const gpri_edges *edges = b->edges;
    const int32_t *from = b->backward ? edges->dst : edges->src, *to = b->backward ? edges->src : edges->dst;
    const uint32_t tag = b->backward;
    int64_t *next = b->graph->rowptr;
    for (int64_t slab = 0; slab < b->slabs; slab++) {
        const int32_t *start = b->starts + slab * (b->buckets + 1) + bucket;
        for (int64_t e = slab * SLAB + start[0]; e < slab * SLAB + start[1]; e++) {
            if (from[e] == to[e]) continue;
            const int64_t place = next[from[e]]++;
            b->at.column[place] = (uint32_t)to[e] * 2 + tag;
            if (b->at.weight) b->at.weight[place] = edges->weights[e];
        }
    }
}

static gpr_status fill_rows(builder *b) {
    gpr_status status = GPR_OK;
    gpri_graph *graph = b->graph;
    const int64_t nodes = graph->nodes, arcs = graph->rowptr[nodes];
    make_buckets(b);
    b->slabs = gpri_chunk_count(b->edges->count, SLAB);
    TRY(gpri_alloc(b->ctx, &b->starts, b->slabs * (b->buckets + 1), sizeof *b->starts, "graph edges"));
    if (b->buckets > 1)
        TRY(gpri_alloc(b->ctx, &b->copies, (int64_t)b->threads * 3 * SLAB, sizeof *b->copies, "graph edges"));
    TRY(gpri_arcs_alloc(b->ctx, &b->at, arcs, b->edges->weights));
    for (int pass = 0; pass < 2; pass++) {
        b->backward = pass;
        gpri_parallel(b->ctx, b->threads, b->slabs, order_slab, b);
        gpri_parallel(b->ctx, b->threads, b->buckets, fill_bucket, b);
    }
    memmove(graph->rowptr + 1, graph->rowptr, (size_t)nodes * sizeof *graph->rowptr);
    graph->rowptr[0] = 0;
done:
    gpri_free_all(b->ctx, b->starts, b->copies);
    b->starts = b->copies = NULL;
    return status;
}

/* Gives back the memory that merging has freed, if that is worth a copy: edges given in both directions shrink to half.
   block: a pointer to it, which may be NULL. */
static gpr_status shrink(gpr_ctx *ctx, void *block, int64_t before, int64_t after, size_t size) {
    void *old, *fresh;
    memcpy(&old, block, sizeof old);
    if (!old || after >= before - before / 8) return GPR_OK;
    NEED(gpri_alloc(ctx, &fresh, after, size, "graph edges"));
    memcpy(fresh, old, (size_t)after * size);
    memcpy(block, &fresh, sizeof fresh);
    gpri_free(ctx, old);
    return GPR_OK;
}

/* Merges the rows, which become the graph's. */
static gpr_status finish(gpr_ctx *ctx, int threads, gpri_graph *graph, gpri_arcs *at, bool directed) {
    const int64_t before = graph->rowptr[graph->nodes];
    gpri_rows rows = {.rows = graph->nodes, .nodes = graph->nodes, .rowptr = graph->rowptr};
    if (directed) NEED(gpri_arcs_alloc_sides(ctx, at, before));
    rows.at = *at;
    NEED(gpri_rows_merge(ctx, threads, &rows));
    graph->arcs = rows.arcs;
    graph->duplicates = rows.found.duplicates;
    graph->isolated = rows.isolated;
    graph->mutual = rows.found.mutual / 2;
    if (rows.found.one_sided == 0) { /* the same in both directions */
        gpri_free_all(ctx, at->sides, at->along);
        at->sides = NULL;
        at->along = NULL;
    }
    NEED(shrink(ctx, &at->column, before, graph->arcs, sizeof *at->column));
    NEED(shrink(ctx, &at->weight, before, graph->arcs, sizeof *at->weight));
    NEED(shrink(ctx, &at->sides, before, graph->arcs, sizeof *at->sides));
    NEED(shrink(ctx, &at->along, before, graph->arcs, sizeof *at->along));
    graph->column = (int32_t *)at->column; /* the two types differ in sign only */
    graph->weight = at->weight;
    graph->sides = at->sides;
    graph->along = at->along;
    *at = (gpri_arcs){0};
    return GPR_OK;
}

/* ---- The whole ------------------------------------------------------------------------------------ */

/* edges: ours, freed as soon as possible. Without src, a copy of the list is made. */
static gpr_status build(gpr_ctx *ctx, gpri_graph *graph, const edge_list *list, gpri_edges *edges) {
    gpr_status status = GPR_OK;
    builder b = {
        .ctx = ctx, .threads = list->edges < SLAB ? 1 : ctx->threads, .list = list, .edges = edges, .graph = graph};
    *graph = (gpri_graph){0};
    TRY(check_sizes(list));
    graph->nodes = list->nodes;
    TRY(check_edges(&b));
    if (!edges->src) TRY(copy_edges(ctx, edges, list));
    TRY(gpri_alloc(ctx, &graph->rowptr, list->nodes + 1, sizeof *graph->rowptr, "graph rows"));
    TRY(count_rows(&b));
    TRY(fill_rows(&b));
    gpri_edges_free(ctx, edges);
    TRY(finish(ctx, b.threads, graph, &b.at, list->directed));
done:
    gpri_edges_free(ctx, edges);
    gpri_arcs_free(ctx, &b.at);
    gpri_free(ctx, b.findings);
    if (status != GPR_OK) gpri_graph_free(ctx, graph);
    return status;
}

gpr_status gpri_graph_build(gpr_ctx *ctx, gpri_graph *graph, int64_t nodes, int64_t edges, const int64_t *src,
                            const int64_t *dst, const float *weights) {
    const edge_list list = {nodes, edges, true, false, src, dst, weights};
    gpri_edges copy = {0};
    return build(ctx, graph, &list, &copy);
}

gpr_status gpri_graph_build_directed(gpr_ctx *ctx, gpri_graph *graph, int64_t nodes, int64_t edges, const int64_t *src,
                                     const int64_t *dst, const float *weights) {
    const edge_list list = {nodes, edges, true, true, src, dst, weights};
    gpri_edges copy = {0};
    return build(ctx, graph, &list, &copy);
}

/* Weights along that say nothing: they are the edges' own. */
static void drop_along(gpr_ctx *ctx, gpri_edges *edges) {
    for (int64_t e = 0; edges->along && e < edges->count; e++)
        if (edges->along[e] != (edges->weights ? edges->weights[e] : 1)) return;
    gpri_free(ctx, edges->along);
    edges->along = NULL;
}

/* The graph of the edges whose weights count within a direction gives what is kept of directions. */
static gpr_status take_one(gpr_ctx *ctx, gpri_graph *graph, gpri_edges *edges) {
    gpr_status status = GPR_OK;
    drop_along(ctx, edges);
    const bool apart = edges->directed && edges->along;
    edge_list list = {edges->nodes, edges->count, false, edges->directed, edges->src, edges->dst, edges->along};
    gpri_graph sided = {0};
    gpri_edges copy = {0};
    if (apart) TRY(build(ctx, &sided, &list, &copy));
    list.weights = edges->weights;
    list.directed = edges->directed && !apart;
    TRY(build(ctx, graph, &list, edges));
    if (!apart) goto done;
    graph->sides = sided.sides;
    graph->along = sided.along;
    sided.sides = NULL;
    sided.along = NULL;
done:
    gpri_graph_free(ctx, &sided);
    return status;
}

/* Weights that say nothing: also those that are all 1. */
static void drop_ordinary(gpr_ctx *ctx, gpri_edges *edges) {
    drop_along(ctx, edges);
    if (!edges->along && edges->weights && gpri_all_ones(edges->weights, edges->count)) {
        gpri_free(ctx, edges->weights);
        edges->weights = NULL;
    }
}

/* The edges of one kind. */
static gpr_status pick(gpr_ctx *ctx, gpri_edges *to, const gpri_edges *from, int64_t relation) {
    *to = (gpri_edges){.nodes = from->nodes, .directed = from->directed};
    for (int64_t e = 0; e < from->count; e++) to->count += from->relation[e] == relation;
    NEED(gpri_alloc(ctx, &to->src, to->count, sizeof *to->src, "graph edges"));
    NEED(gpri_alloc(ctx, &to->dst, to->count, sizeof *to->dst, "graph edges"));
    if (from->weights) NEED(gpri_alloc(ctx, &to->weights, to->count, sizeof *to->weights, "edge weights"));
    if (from->along) NEED(gpri_alloc(ctx, &to->along, to->count, sizeof *to->along, "edge weights"));
    for (int64_t e = 0, k = 0; e < from->count; e++) {
        if (from->relation[e] != relation) continue;
        to->src[k] = from->src[e];
        to->dst[k] = from->dst[e];
        if (to->weights) to->weights[k] = from->weights[e];
        if (to->along) to->along[k] = from->along[e];
        k++;
    }
    drop_ordinary(ctx, to);
    return GPR_OK;
}

gpr_status gpri_graph_take(gpr_ctx *ctx, gpri_graph *graph, gpri_edges *edges) {
    gpr_status status = GPR_OK;
    gpri_edges part = {0};
    *graph = (gpri_graph){0};
    for (int64_t r = 0; edges->relation && r < edges->relation_count; r++) {
        TRY(pick(ctx, &part, edges, r));
        TRY(take_one(ctx, &edges->relations[r].graph, &part));
    }
    if (edges->relation_count > 0) {
        status = gpri_graph_unite(ctx, graph, edges->relations, edges->relation_count);
        edges->relations = NULL;
        edges->relation_count = 0;
    } else {
        status = take_one(ctx, graph, edges);
    }
done:
    gpri_edges_free(ctx, &part);
    gpri_edges_free(ctx, edges);
    return status;
}

void gpri_edges_free(gpr_ctx *ctx, gpri_edges *edges) {
    gpri_graph_relations_free(ctx, edges->relations, edges->relation_count);
    gpri_free_all(ctx, edges->src, edges->dst, edges->weights, edges->along, edges->relation);
    *edges = (gpri_edges){0};
}
