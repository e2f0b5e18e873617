/* One step of a random walk from seeds: over few nodes by scattering, over all by gathering on all threads. */
#include <string.h>

#include "base/thread.h"
#include "spectral/rank.h"

enum {
    NODES = 1 << 12,  /* in a chunk */
    DENSE_SHARE = 32, /* nodes with more than 1 / 32 of all arcs: gathering is faster */
};

static int64_t arcs_of(const gpri_graph *graph, int64_t node) { return graph->rowptr[node + 1] - graph->rowptr[node]; }

static void add_degrees(void *arg, int64_t chunk, int slot) {
    const gpri_walk *walk = arg;
    const gpri_graph *graph = walk->graph;
    const gpri_range range = gpri_chunk_of(chunk, NODES, graph->nodes);
    (void)slot;
    for (int64_t i = range.first; i < range.end; i++) {
        double degree = (double)arcs_of(graph, i);
        if (graph->weight && degree > 0) {
            degree = 0;
            for (int64_t k = graph->rowptr[i]; k < graph->rowptr[i + 1]; k++) degree += (double)graph->weight[k];
        }
        walk->degree[i] = degree > 0 ? degree : 1;
    }
}

gpr_status gpri_walk_begin(gpr_ctx *ctx, gpri_walk *walk, const gpri_graph *graph, const int64_t *seeds,
                           int64_t seed_count) {
    const int64_t N = graph->nodes, chunks = gpri_chunk_count(N, NODES);
    *walk = (gpri_walk){.ctx = ctx, .graph = graph, .seeds = seeds, .seed_count = seed_count};
    NEED(gpri_alloc(ctx, &walk->degree, N, sizeof *walk->degree, "degrees"));
    NEED(gpri_calloc(ctx, &walk->z, N, sizeof *walk->z, "densities"));
    NEED(gpri_calloc(ctx, &walk->next, N, sizeof *walk->next, "densities"));
    NEED(gpri_alloc(ctx, &walk->list, N, sizeof *walk->list, "nodes of the walk"));
    NEED(gpri_alloc(ctx, &walk->spare, N, sizeof *walk->spare, "nodes of the walk"));
    NEED(gpri_alloc(ctx, &walk->chunks, chunks, sizeof *walk->chunks, "parts of the walk"));
    gpri_parallel(ctx, ctx->threads, chunks, add_degrees, walk);
    for (int64_t i = 0; i < N; i++)
        if (arcs_of(graph, i) > 0) walk->volume += walk->degree[i];
    for (int64_t i = 0; i < seed_count; i++) {
        walk->z[seeds[i]] = 1 / (double)seed_count / walk->degree[seeds[i]];
        walk->list[walk->count++] = (int32_t)seeds[i];
        walk->list_arcs += arcs_of(graph, seeds[i]);
    }
    return GPR_OK;
}

void gpri_walk_free(gpri_walk *walk) {
    gpri_free_all(walk->ctx, walk->degree, walk->z, walk->next, walk->list, walk->spare, walk->chunks);
    *walk = (gpri_walk){0};
}

/* From each node to its neighbours. The mass `loose` comes back to the seeds. A sum in `next` is above 0 from its first
   term on, so that no node is listed twice. */
static void scatter(gpri_walk *walk, double loose) {
    const gpri_graph *graph = walk->graph;
    double *z = walk->z, *next = walk->next;
    int64_t found = 0;
    for (int64_t i = 0; loose > 0 && i < walk->seed_count; i++) {
        const int64_t seed = walk->seeds[i];
        next[seed] = loose / (double)walk->seed_count;
        walk->spare[found++] = (int32_t)seed;
    }
    for (int64_t i = 0; i < walk->count; i++) {
        const int32_t node = walk->list[i];
        const double density = z[node];
        z[node] = 0;
        for (int64_t k = graph->rowptr[node]; k < graph->rowptr[node + 1]; k++) {
            const double part = graph->weight ? density * (double)graph->weight[k] : density;
            const int32_t to = graph->column[k];
            if (!(part > 0)) continue;
            if (next[to] == 0) walk->spare[found++] = to;
            next[to] += part;
        }
    }
    walk->count = found;
    for (int64_t i = 0; i < found; i++) next[walk->spare[i]] /= walk->degree[walk->spare[i]];
}

/* To each node from its neighbours. */
static void gather(void *arg, int64_t chunk, int slot) {
    const gpri_walk *walk = arg;
    const gpri_graph *graph = walk->graph;
    const gpri_range range = gpri_chunk_of(chunk, NODES, graph->nodes);
    const double *z = walk->z;
    (void)slot;
    for (int64_t i = range.first; i < range.end; i++) {
        double sum = 0;
        if (graph->weight)
            for (int64_t k = graph->rowptr[i]; k < graph->rowptr[i + 1]; k++)
                sum += z[graph->column[k]] * (double)graph->weight[k];
        else
            for (int64_t k = graph->rowptr[i]; k < graph->rowptr[i + 1]; k++) sum += z[graph->column[k]];
        walk->next[i] = sum / walk->degree[i];
    }
}

static void gather_all(gpri_walk *walk, double loose) {
    gpri_parallel(walk->ctx, walk->ctx->threads, gpri_chunk_count(walk->graph->nodes, NODES), gather, walk);
    for (int64_t i = 0; loose > 0 && i < walk->seed_count; i++)
        walk->next[walk->seeds[i]] += loose / (double)walk->seed_count / walk->degree[walk->seeds[i]];
}

bool gpri_walk_is_wide(const gpri_walk *walk, int64_t arcs) { return arcs > walk->graph->arcs / DENSE_SHARE; }

double gpri_walk_loose(const gpri_walk *walk) {
    double loose = 0;
    for (int64_t i = 0; i < walk->seed_count; i++)
        if (arcs_of(walk->graph, walk->seeds[i]) == 0) loose += walk->z[walk->seeds[i]];
    return loose;
}

void gpri_walk_step(gpri_walk *walk) {
    const double loose = gpri_walk_loose(walk);
    if (!walk->dense && gpri_walk_is_wide(walk, walk->list_arcs)) walk->dense = true;
    walk->arcs_visited += walk->dense ? walk->graph->arcs : walk->list_arcs;
    if (walk->dense) gather_all(walk, loose);
    else scatter(walk, loose);
    double *z = walk->z;
    walk->z = walk->next;
    walk->next = z;
    int32_t *list = walk->list;
    walk->list = walk->spare;
    walk->spare = list;
}

void gpri_walk_each(gpri_walk *walk, gpri_chunk_fn fn, void *arg) {
    gpri_parallel(walk->ctx, walk->ctx->threads, gpri_chunk_count(walk->graph->nodes, NODES), fn, arg);
}

gpri_range gpri_walk_nodes(const gpri_walk *walk, int64_t chunk) {
    return gpri_chunk_of(chunk, NODES, walk->graph->nodes);
}

gpri_walk_chunk gpri_walk_total(const gpri_walk *walk) {
    gpri_walk_chunk total = GPRI_WALK_NOTHING;
    for (int64_t c = 0; c < gpri_chunk_count(walk->graph->nodes, NODES); c++) {
        const gpri_walk_chunk *part = &walk->chunks[c];
        if (part->largest > total.largest) total.largest = part->largest;
        if (part->smallest < total.smallest) total.smallest = part->smallest;
        total.mass += part->mass;
        total.volume += part->volume;
        total.arcs += part->arcs;
        total.closed = total.closed && part->closed;
    }
    return total;
}

typedef struct closing {
    gpri_walk *walk;
    const double *density;
} closing;

static void look_outside(void *arg, int64_t chunk, int slot) {
    const closing *c = arg;
    const gpri_graph *graph = c->walk->graph;
    const gpri_range range = gpri_walk_nodes(c->walk, chunk);
    gpri_walk_chunk *out = &c->walk->chunks[chunk];
    *out = GPRI_WALK_NOTHING;
    (void)slot;
    for (int64_t i = range.first; i < range.end && out->closed; i++)
        for (int64_t k = graph->rowptr[i]; c->density[i] > 0 && k < graph->rowptr[i + 1]; k++)
            if (!(c->density[graph->column[k]] > 0)) {
                out->closed = false;
                break;
            }
}

bool gpri_walk_closed(gpri_walk *walk, const double *density) {
    closing all = {walk, density};
    gpri_walk_each(walk, look_outside, &all);
    return gpri_walk_total(walk).closed;
}

void gpri_walk_narrow(gpri_walk *walk) {
    walk->dense = false;
    walk->count = walk->list_arcs = 0;
    memset(walk->next, 0, (size_t)walk->graph->nodes * sizeof *walk->next);
}
