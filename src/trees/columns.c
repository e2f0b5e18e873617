/* Makes the columns: rows are cut by their number alone, and each is written by one thread. */
#include "trees/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "tensor/prepare.h"
#include "trees/structure.h"

enum { ROWS = 256, MEAN = 0, MAXIMUM = 1, MINIMUM = 2 };

gpri_tree_plan gpri_tree_plan_of(int64_t features, int64_t most, int64_t relations) {
    return (gpri_tree_plan){.features = features,
                            .own = features < most ? features : most,
                            .relations = relations,
                            .kinds = features <= GPRI_TREE_EXTREMES && features <= most ? 3 : 1};
}

int64_t gpri_tree_plan_columns(const gpri_tree_plan *plan) {
    return plan->own * (1 + plan->relations * plan->kinds) + plan->relations + 2;
}

gpri_tree_column gpri_tree_column_of(const gpri_tree_plan *plan, int64_t column) {
    static const char *const kinds[] = {"mean", "maximum", "minimum"};
    const int64_t own = plan->own, each = own * plan->kinds, neighbours = plan->relations * each;
    if (column < own) return (gpri_tree_column){"own", column, -1};
    column -= own;
    if (column < neighbours) return (gpri_tree_column){kinds[column % each / own], column % own, column / each};
    column -= neighbours;
    if (column < plan->relations) return (gpri_tree_column){"degree", -1, column};
    return (gpri_tree_column){column == plan->relations ? "PageRank" : "core", -1, -1};
}

gpr_status gpri_tree_plan_check(const gpri_tree_plan *plan, const float *kept) {
    for (int64_t k = 0; k < plan->own; k++)
        if (!(kept[k] >= (k ? kept[k - 1] + 1 : 0) && kept[k] < (float)plan->features) || kept[k] != floorf(kept[k]))
            return gpri_fail(GPR_ERROR_FORMAT, "trees.columns: number %lld is %g: not the next of %lld columns",
                             (long long)k, (double)kept[k], (long long)plan->features);
    return GPR_OK;
}

/* ---- which columns of the data ---- */

typedef struct {
    int64_t nodes;
    int32_t column;
} occurrence;

/* The most frequent first; of equal ones that on the left. */
static int by_frequency(const void *a, const void *b) {
    const occurrence *x = a, *y = b;
    if (x->nodes != y->nodes) return x->nodes > y->nodes ? -1 : 1;
    return x->column < y->column ? -1 : 1;
}

static int by_column(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

/* kept: (own), ascending. */
static gpr_status choose(gpr_ctx *ctx, int32_t *kept, const gpri_features *x, int64_t own) {
    occurrence *all;
    NEED(gpri_alloc(ctx, &all, x->cols, sizeof *all, "columns"));
    for (int64_t c = 0; c < x->cols; c++) all[c] = (occurrence){0, (int32_t)c};
    for (int64_t i = 0; i < x->rows; i++) {
        for (int64_t at = x->dense ? 0 : x->rowptr[i]; !x->dense && at < x->rowptr[i + 1]; at++)
            all[x->column[at]].nodes += x->value[at] != 0;
        for (int64_t c = 0; x->dense && own < x->cols && c < x->cols; c++) all[c].nodes += x->dense[i * x->ld + c] != 0;
    }
    if (own < x->cols) qsort(all, (size_t)x->cols, sizeof *all, by_frequency);
    for (int64_t k = 0; k < own; k++) kept[k] = all[k].column;
    qsort(kept, (size_t)own, sizeof *kept, by_column);
    gpri_free(ctx, all);
    return GPR_OK;
}

/* ---- numbers ---- */

typedef struct {
    const gpri_features *x;
    const gpri_tree_plan *plan;
    const gpri_graph *const *graphs;
    const int32_t *kept, *place; /* (features) of a column among the kept ones, or -1 */
    const double *rank;
    const int32_t *core;
    gpri_real *out; /* (nodes x ld) */
    int64_t ld;
    double *sums; /* (threads x own) */
} making;

static void own_rows(void *arg, int64_t chunk, int slot) {
    const making *work = arg;
    const gpri_features *x = work->x;
    const gpri_range range = gpri_chunk_of(chunk, ROWS, x->rows);
    (void)slot;
    for (int64_t i = range.first; i < range.end; i++) {
        gpri_real *to = work->out + i * work->ld;
        for (int64_t k = 0; x->dense && k < work->plan->own; k++) to[k] = x->dense[i * x->ld + work->kept[k]];
        for (int64_t at = x->dense ? 0 : x->rowptr[i]; !x->dense && at < x->rowptr[i + 1]; at++)
            if (work->place[x->column[at]] >= 0) to[work->place[x->column[at]]] = x->value[at];
    }
}

/* The numbers of a node's neighbours of one kind of edges. */
static void look_around(const making *work, const gpri_graph *graph, int64_t node, gpri_real *to, double *sum) {
    const int64_t own = work->plan->own, first = graph->rowptr[node], end = graph->rowptr[node + 1];
    const bool extremes = work->plan->kinds == 3;
    double weights = 0;
    for (int64_t k = 0; k < own * work->plan->kinds; k++) to[k] = (gpri_real)NAN;
    if (first == end) return;
    memset(sum, 0, (size_t)own * sizeof *sum);
    for (int64_t arc = first; arc < end; arc++) {
        const gpri_real *from = work->out + graph->column[arc] * work->ld;
        const double weight = graph->weight ? (double)graph->weight[arc] : 1;
        weights += weight;
        for (int64_t k = 0; k < own; k++) sum[k] += weight * (double)from[k];
        for (int64_t k = 0; extremes && k < own; k++) {
            gpri_real *most = to + MAXIMUM * own + k, *least = to + MINIMUM * own + k;
            if (arc == first || from[k] > *most) *most = from[k];
            if (arc == first || from[k] < *least) *least = from[k];
        }
    }
    for (int64_t k = 0; k < own; k++) to[MEAN * own + k] = (gpri_real)(sum[k] / weights);
}

static void neighbour_rows(void *arg, int64_t chunk, int slot) {
    const making *work = arg;
    const gpri_tree_plan *plan = work->plan;
    const gpri_range range = gpri_chunk_of(chunk, ROWS, work->x->rows);
    double *sum = work->sums + slot * plan->own;
    for (int64_t i = range.first; i < range.end; i++) {
        gpri_real *to = work->out + i * work->ld + plan->own;
        for (int64_t r = 0; r < plan->relations; r++, to += plan->own * plan->kinds)
            look_around(work, work->graphs[r], i, to, sum);
        for (int64_t r = 0; r < plan->relations; r++) *to++ = (gpri_real)log1p((double)gpri_degree(work->graphs[r], i));
        to[0] = (gpri_real)log(work->rank[i]);
        to[1] = (gpri_real)log1p((double)work->core[i]);
    }
}

gpr_status gpri_tree_columns(gpr_ctx *ctx, gpri_features *out, const gpri_features *x, const gpri_tree_plan *plan,
                             const gpri_graph *const *graphs, const gpri_graph *whole, const int32_t *kept) {
    const int64_t nodes = x->rows, columns = gpri_tree_plan_columns(plan), ld = gpri_padded(columns);
    const int64_t chunks = gpri_chunk_count(nodes, ROWS);
    making work = {.x = x, .plan = plan, .graphs = graphs, .ld = ld};
    int32_t *own = NULL, *place = NULL, *core = NULL;
    double *rank = NULL;
    int64_t cells;
    gpr_status status = GPR_OK;
    TRY(gpri_alloc(ctx, &own, plan->own, sizeof *own, "columns"));
    if (kept) memcpy(own, kept, (size_t)plan->own * sizeof *own);
    else TRY(choose(ctx, own, x, plan->own));
    TRY(gpri_alloc(ctx, &place, plan->features, sizeof *place, "columns"));
    for (int64_t c = 0; c < plan->features; c++) place[c] = -1;
    for (int64_t k = 0; k < plan->own; k++) place[own[k]] = (int32_t)k;
    if (!gpri_mul_size(nodes, ld, &cells)) THROW(GPR_ERROR_MEMORY, "the columns of trees do not fit in memory");
    TRY(gpri_calloc(ctx, &work.out, cells, sizeof *work.out, "columns of trees"));
    TRY(gpri_alloc(ctx, &rank, nodes, sizeof *rank, "PageRank"));
    TRY(gpri_alloc(ctx, &core, nodes, sizeof *core, "core numbers"));
    TRY(gpri_alloc(ctx, &work.sums, ctx->threads * plan->own, sizeof *work.sums, "columns of trees"));
    TRY(gpri_page_rank(ctx, rank, whole, ctx->threads));
    TRY(gpri_core_numbers(ctx, core, whole));
    work.kept = own;
    work.place = place;
    work.rank = rank;
    work.core = core;
    gpri_parallel(ctx, ctx->threads, chunks, own_rows, &work);
    gpri_parallel(ctx, ctx->threads, chunks, neighbour_rows, &work);
    *out = (gpri_features){.rows = nodes,
                           .cols = columns,
                           .first = x->first,
                           .end = x->end,
                           .dense = work.out,
                           .ld = ld,
                           .given = plan->features,
                           .kept = own};
    work.out = NULL;
    own = NULL;
done:
    gpri_free_all(ctx, own, place, rank, core, work.out, work.sums);
    return status;
}
