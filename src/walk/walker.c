/* Dealing rows out to threads, while others' rows are fetched. */
#include "walk/walker.h"

#include "base/thread.h"

gpri_walker gpri_walker_of(gpr_ctx *ctx, const gpri_device *device, const gpri_graph *graph, int threads) {
    return (gpri_walker){.ctx = ctx,
                         .device = device,
                         .threads = device->tile ? threads : 1,
                         .rows = gpri_partition_of(graph->nodes, device->tile),
                         .graph = graph,
                         .near = graph,
                         .view = *graph,
                         .local = graph->nodes,
                         .held = {ctx, device, NULL}};
}

gpr_status gpri_walker_spread(gpri_walker *walker) {
    if (!gpri_spreads_rows(walker->ctx)) return GPR_OK;
    if (!walker->device->ops->features_add)
        return gpri_fail(GPR_ERROR_ARGUMENT, "`distribute`: rows are distributed on the CPU only: use `device` cpu, or "
                                             "distribute runs");
    NEED(gpri_share_new(walker->ctx, &walker->share, walker->graph, walker->rows));
    const gpri_halo *halo = walker->share->halo;
    walker->rows = walker->share->rows;
    walker->origin = walker->rows.first - (halo ? halo->below : 0);
    walker->local = halo ? gpri_halo_nodes(halo) : walker->rows.count;
    if (halo) walker->near = &halo->graph;
    walker->view = *walker->near;
    return GPR_OK;
}

void gpri_walker_free(gpri_walker *walker) {
    gpri_held_free(&walker->held);
    gpri_share_free(walker->share);
    walker->share = NULL;
}

int gpri_walker_threads(const gpri_walker *walker, int64_t work) {
    int64_t worth = 1 + work / 40000; /* about ten microseconds per thread, more than it costs to wake it */
    return worth < walker->threads ? (int)worth : walker->threads;
}

typedef struct {
    const gpri_partition *rows;
    gpri_chunk_rows_fn fn;
    void *arg;
} dealing;

static void deal_chunk(void *arg, int64_t chunk, int slot) {
    const dealing *d = arg;
    (void)slot;
    d->fn(d->arg, gpri_chunk_rows(d->rows, chunk));
}

static void deal(const gpri_walker *walker, const gpri_partition *rows, int64_t work_per_row, gpri_chunk_rows_fn fn,
                 void *arg) {
    dealing d = {rows, fn, arg};
    gpri_parallel(walker->ctx, gpri_walker_threads(walker, rows->count * work_per_row), gpri_own_chunks(rows),
                  deal_chunk, &d);
}

void gpri_walker_rows(const gpri_walker *walker, int64_t work_per_row, gpri_chunk_rows_fn fn, void *arg) {
    deal(walker, &walker->rows, work_per_row, fn, arg);
}

void gpri_walker_all_rows(const gpri_walker *walker, int64_t work_per_row, gpri_chunk_rows_fn fn, void *arg) {
    const gpri_partition whole = gpri_partition_blocks(walker->rows, 0, walker->rows.blocks);
    deal(walker, &whole, work_per_row, fn, arg);
}

void gpri_walker_step(const gpri_walker *walker, gpri_matrix in, int64_t work_per_row, gpri_chunk_rows_fn fn,
                      void *arg) {
    dealing d = {&walker->rows, fn, arg};
    gpri_walker_overlap(walker, &in, 1, walker->share ? walker->share->outer_chunks : NULL,
                        gpri_walker_threads(walker, walker->rows.count * work_per_row), gpri_own_chunks(&walker->rows),
                        deal_chunk, &d);
}

gpri_range gpri_walker_ahead(const gpri_walker *walker, int64_t chunk) {
    enum { SOME = 128, FAR = 2 }; /* chunks, and how many times that ahead */
    const int64_t chunks = gpri_own_chunks(&walker->rows), first = chunk + SOME * FAR, last = first + SOME - 1;
    if (chunk % SOME != 0 || first >= chunks) return (gpri_range){0, 0};
    const gpri_chunk from = gpri_chunk_rows(&walker->rows, first),
                     to = gpri_chunk_rows(&walker->rows, last < chunks ? last : chunks - 1);
    return (gpri_range){from.first, to.first + to.count};
}

/* Those that need the halo, or those that do not. */
typedef struct {
    gpri_group *group;
    const char *outer;
    char which;
    gpri_chunk_fn fn;
    void *arg;
} some_chunks;

static void run_some(void *arg, int64_t chunk, int slot) {
    const some_chunks *some = arg;
    if (slot == 0) some->group->exchange_poke(some->group);
    if (some->outer[chunk] == some->which) some->fn(some->arg, chunk, slot);
}

void gpri_walker_overlap(const gpri_walker *walker, const gpri_matrix *reads, int reads_count, const char *outer,
                         int threads, int64_t count, gpri_chunk_fn fn, void *arg) {
    gpri_halo *halo = walker->share && reads_count > 0 ? walker->share->halo : NULL;
    if (!halo) {
        gpri_parallel(walker->ctx, threads, count, fn, arg);
        return;
    }
    some_chunks some = {halo->group, outer, 0, fn, arg};
    gpri_halo_begin(halo, reads, reads_count);
    gpri_parallel(walker->ctx, threads, count, run_some, &some);
    gpri_halo_end(halo);
    some.which = 1;
    gpri_parallel(walker->ctx, threads, count, run_some, &some);
}
