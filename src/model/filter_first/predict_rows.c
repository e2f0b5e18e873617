/* Z = f(S): the network on blocks of rows of the filtered features. */
#include "model/filter_first/predict_rows.h"

#include <string.h>

#include "model/cause.h"
#include "model/filter_first/filtered.h"
#include "model/input.h"

enum { ROWS = 1 << 16 }; /* that the network sees at a time */

struct gpri_first {
    gpr_ctx *ctx;
    const gpr_model *model;
    const gpr_dataset *data;
    gpri_filtered filtered;
    gpri_real *buffer;      /* (rows x ld) of them, where they are not in memory one after another; or NULL */
    gpri_features features; /* (rows) that the net sees */
    gpri_graph none;        /* (rows) of the net, without edges */
    gpri_net *net;
    int64_t at;       /* first node of the block that was computed last; -1: none */
    int32_t *classes; /* (rows) of that block; NULL: nobody asked yet */
    float *proba;     /* (rows x classes) */
};

void gpri_first_free(gpri_first *of) {
    if (!of) return;
    gpri_net_free(of->net);
    gpri_filtered_free(&of->filtered);
    gpri_free(of->ctx, of->none.rowptr);
    gpri_free(of->ctx, of->buffer);
    gpri_free(of->ctx, of->classes);
    gpri_free(of->ctx, of->proba);
    gpri_free(of->ctx, of);
}

gpr_status gpri_first_new(gpr_ctx *ctx, gpri_first **out, const gpr_model *model, const gpr_dataset *data,
                          const char *scratch) {
    const int64_t nodes = data->graph.nodes, rows = nodes < ROWS ? nodes : ROWS, ld = gpri_padded(model->features);
    const gpri_recipe recipe = gpri_recipe_of(model->params, model->classes);
    gpr_status status = GPR_OK;
    gpri_first *of = NULL;
    *out = NULL;
    if (ctx->device != ctx->cpu)
        THROW(GPR_ERROR_ARGUMENT, "`order` filter-first is computed on the CPU: give `device` cpu");
    TRY(gpri_calloc(ctx, &of, 1, sizeof *of, "prediction"));
    of->ctx = ctx;
    of->model = model;
    of->data = data;
    of->none.nodes = rows;
    of->at = -1;
    of->filtered = (gpri_filtered){.ctx = ctx, .file = {.fd = -1}};
    TRY(gpri_filtered_new(ctx, &of->filtered, model, data, scratch));
    if (!of->filtered.dense || data->order)
        TRY(gpri_alloc(ctx, &of->buffer, rows * ld, sizeof *of->buffer, "filtered features"));
    of->features = (gpri_features){.rows = rows, .cols = model->features, .ld = ld};
    of->features.dense = of->buffer ? of->buffer : of->filtered.dense;
    TRY(gpri_calloc(ctx, &of->none.rowptr, rows + 1, sizeof *of->none.rowptr, "graph"));
    TRY(gpri_model_net(ctx, &of->net, model->params, &recipe, &of->none, &of->features, ctx->threads, 0, false));
    TRY(gpri_model_put(model, of->net));
    *out = of;
    of = NULL;
done:
    gpri_first_free(of);
    return status;
}

int64_t gpri_first_block(const gpri_first *of) { return of->none.nodes; }

/* Blocks are [0, rows), [rows, 2 rows) and so on; the last one begins as far before the end as needed. */
static int64_t block_at(const gpri_first *of, int64_t node) {
    const int64_t rows = of->none.nodes, last = of->data->graph.nodes - rows, at = node / rows * rows;
    return at < last ? at : last;
}

/* The network on the block that begins at `at`. */
static gpr_status run_block(gpri_first *of, int64_t at, const int32_t *place) {
    const gpri_suspects suspects = {
        .data = of->data, .features = &of->features, .params = of->model->params, .model = of->model};
    gpr_status status = GPR_OK;
    TRY(gpri_filtered_rows(&of->filtered, &of->features.dense, of->buffer, at, of->none.nodes, place));
    of->net->features_view.dense = of->features.dense;
    gpri_net_forward(of->net, GPRI_EVAL_STREAM);
    TRY(gpri_check_scores(of->net, &suspects, at, place));
done:
    return status;
}

/* Rows up to `end` are done. */
static gpr_status tell(const gpri_first *of, int64_t end) {
    const gpr_ctx *ctx = of->ctx;
    const gpr_progress report = {
        .struct_size = sizeof report, .stage = "predicting", .share = (double)end / (double)of->data->graph.nodes};
    if (ctx->progress && ctx->progress(ctx->user, &report))
        return gpri_fail(GPR_ERROR_STOPPED, "stopped by the caller, before all nodes were predicted");
    return GPR_OK;
}

static gpr_status keep_block(gpri_first *of, int64_t at, const int32_t *place) {
    const int64_t rows = of->none.nodes;
    gpr_status status = GPR_OK;
    if (at == of->at) return GPR_OK;
    if (!of->classes) TRY(gpri_alloc(of->ctx, &of->classes, rows, sizeof *of->classes, "predicted classes"));
    if (!of->proba) TRY(gpri_alloc(of->ctx, &of->proba, rows * of->model->classes, sizeof *of->proba, "probabilities"));
    of->at = -1;
    TRY(run_block(of, at, place));
    TRY(gpri_read_scores(of->net, of->model, of->classes, of->proba, NULL));
    of->at = at;
    TRY(tell(of, at + rows));
done:
    return status;
}

gpr_status gpri_first_rows(gpri_first *of, int64_t first, int64_t count, const int32_t *place, int32_t *classes,
                           float *proba) {
    const int64_t rows = of->none.nodes, C = of->model->classes;
    gpr_status status = GPR_OK;
    while (count > 0) {
        const int64_t at = block_at(of, first), skip = first - at, some = count < rows - skip ? count : rows - skip;
        TRY(keep_block(of, at, place));
        if (classes) memcpy(classes, of->classes + skip, (size_t)some * sizeof *classes);
        if (proba) memcpy(proba, of->proba + skip * C, (size_t)(some * C) * sizeof *proba);
        first += some;
        count -= some;
        if (classes) classes += some;
        if (proba) proba += some * C;
    }
done:
    return status;
}

gpr_status gpri_first_predict(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, const char *scratch,
                              int32_t *classes, float *proba, float *logits) {
    const int64_t C = model->classes;
    gpri_first *of = NULL;
    gpr_status status = GPR_OK;
    TRY(gpri_first_new(ctx, &of, model, data, scratch));
    for (int64_t first = 0; first < data->graph.nodes; first += gpri_first_block(of)) {
        const int64_t at = block_at(of, first);
        TRY(run_block(of, at, NULL));
        TRY(gpri_read_scores(of->net, model, classes ? classes + at : NULL, proba ? proba + at * C : NULL,
                             logits ? logits + at * C : NULL));
        TRY(tell(of, at + gpri_first_block(of)));
    }
done:
    gpri_first_free(of);
    return status;
}
