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

void gpri_first_free(gpri_first *predictor) {
    if (!predictor) return;
    gpri_net_free(predictor->net);
    gpri_filtered_free(&predictor->filtered);
    gpri_free(predictor->ctx, predictor->none.rowptr);
    gpri_free(predictor->ctx, predictor->buffer);
    gpri_free(predictor->ctx, predictor->classes);
    gpri_free(predictor->ctx, predictor->proba);
    gpri_free(predictor->ctx, predictor);
}

gpr_status gpri_first_new(gpr_ctx *ctx, gpri_first **out, const gpr_model *model, const gpr_dataset *data,
                          const char *scratch) {
    const int64_t nodes = data->graph.nodes, rows = nodes < ROWS ? nodes : ROWS, ld = gpri_padded(model->features);
    const gpri_recipe recipe = gpri_recipe_of(model->params, model->classes);
    gpr_status status = GPR_OK;
    gpri_first *predictor = NULL;
    *out = NULL;
    if (ctx->device != ctx->cpu)
        THROW(GPR_ERROR_ARGUMENT, "`order` filter-first is computed on the CPU: give `device` cpu");
    TRY(gpri_calloc(ctx, &predictor, 1, sizeof *predictor, "prediction"));
    predictor->ctx = ctx;
    predictor->model = model;
    predictor->data = data;
    predictor->none.nodes = rows;
    predictor->at = -1;
    predictor->filtered = (gpri_filtered){.ctx = ctx, .file = {.fd = -1}};
    TRY(gpri_filtered_new(ctx, &predictor->filtered, model, data, scratch));
    if (!predictor->filtered.dense || data->order)
        TRY(gpri_alloc(ctx, &predictor->buffer, rows * ld, sizeof *predictor->buffer, "filtered features"));
    predictor->features = (gpri_features){.rows = rows, .cols = model->features, .ld = ld};
    predictor->features.dense = predictor->buffer ? predictor->buffer : predictor->filtered.dense;
    TRY(gpri_calloc(ctx, &predictor->none.rowptr, rows + 1, sizeof *predictor->none.rowptr, "graph"));
    TRY(gpri_model_net(ctx, &predictor->net, model->params, &recipe, &predictor->none, &predictor->features,
                       ctx->threads, 0, false));
    TRY(gpri_model_put(model, predictor->net));
    *out = predictor;
    predictor = NULL;
done:
    gpri_first_free(predictor);
    return status;
}

int64_t gpri_first_block(const gpri_first *predictor) { return predictor->none.nodes; }

/* Blocks are [0, rows), [rows, 2 rows) and so on; the last one begins as far before the end as needed. */
static int64_t block_at(const gpri_first *predictor, int64_t node) {
    const int64_t rows = predictor->none.nodes, last = predictor->data->graph.nodes - rows, at = node / rows * rows;
    return at < last ? at : last;
}

/* The network on the block that begins at `at`. */
static gpr_status run_block(gpri_first *predictor, int64_t at, const int32_t *place) {
    const gpri_suspects suspects = {.data = predictor->data,
                                    .features = &predictor->features,
                                    .params = predictor->model->params,
                                    .model = predictor->model};
    NEED(gpri_filtered_rows(&predictor->filtered, &predictor->features.dense, predictor->buffer, at,
                            predictor->none.nodes, place));
    predictor->net->features_view.dense = predictor->features.dense;
    gpri_net_forward(predictor->net, GPRI_EVAL_STREAM);
    return gpri_check_scores(predictor->net, &suspects, at, place);
}

/* Rows up to `end` are done. */
static gpr_status tell(const gpri_first *predictor, int64_t end) {
    const gpr_ctx *ctx = predictor->ctx;
    const gpr_progress report = {.struct_size = sizeof report,
                                 .stage = "predicting",
                                 .share = (double)end / (double)predictor->data->graph.nodes};
    if (ctx->progress && ctx->progress(ctx->user, &report))
        return gpri_fail(GPR_ERROR_STOPPED, "stopped by the caller, before all nodes were predicted");
    return GPR_OK;
}

static gpr_status keep_block(gpri_first *predictor, int64_t at, const int32_t *place) {
    const int64_t rows = predictor->none.nodes;
    if (at == predictor->at) return GPR_OK;
    if (!predictor->classes)
        NEED(gpri_alloc(predictor->ctx, &predictor->classes, rows, sizeof *predictor->classes, "predicted classes"));
    if (!predictor->proba)
        NEED(gpri_alloc(predictor->ctx, &predictor->proba, rows * predictor->model->classes, sizeof *predictor->proba,
                        "probabilities"));
    predictor->at = -1;
    NEED(run_block(predictor, at, place));
    NEED(gpri_read_scores(predictor->net, predictor->model, predictor->classes, predictor->proba, NULL));
    predictor->at = at;
    return tell(predictor, at + rows);
}

gpr_status gpri_first_rows(gpri_first *predictor, int64_t first, int64_t count, const int32_t *place, int32_t *classes,
                           float *proba) {
    const int64_t rows = predictor->none.nodes, C = predictor->model->classes;
    while (count > 0) {
        const int64_t at = block_at(predictor, first), skip = first - at,
                      some = count < rows - skip ? count : rows - skip;
        NEED(keep_block(predictor, at, place));
        if (classes) memcpy(classes, predictor->classes + skip, (size_t)some * sizeof *classes);
        if (proba) memcpy(proba, predictor->proba + skip * C, (size_t)(some * C) * sizeof *proba);
        first += some;
        count -= some;
        if (classes) classes += some;
        if (proba) proba += some * C;
    }
    return GPR_OK;
}

gpr_status gpri_first_predict(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, const char *scratch,
                              int32_t *classes, float *proba, float *logits) {
    const int64_t C = model->classes;
    gpri_first *predictor = NULL;
    gpr_status status = GPR_OK;
    TRY(gpri_first_new(ctx, &predictor, model, data, scratch));
    for (int64_t first = 0; first < data->graph.nodes; first += gpri_first_block(predictor)) {
        const int64_t at = block_at(predictor, first);
        TRY(run_block(predictor, at, NULL));
        TRY(gpri_read_scores(predictor->net, model, classes ? classes + at : NULL, proba ? proba + at * C : NULL,
                             logits ? logits + at * C : NULL));
        TRY(tell(predictor, at + gpri_first_block(predictor)));
    }
done:
    gpri_first_free(predictor);
    return status;
}
