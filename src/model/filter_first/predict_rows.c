/* Z = f(S): the network on blocks of rows of the filtered features. */
#include "model/filter_first/predict_rows.h"

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
    int64_t at;        /* first node of the block that was computed last; -1: none */
    gpri_outcome rows; /* of that block; classes NULL: nobody asked yet */
};

void gpri_first_free(gpri_first *predictor) {
    if (!predictor) return;
    gpri_net_free(predictor->net);
    gpri_filtered_free(&predictor->filtered);
    gpri_free_all(predictor->ctx, predictor->none.rowptr, predictor->buffer);
    gpri_outcome_free(predictor->ctx, &predictor->rows);
    gpri_free(predictor->ctx, predictor);
}

gpr_status gpri_first_new(gpr_ctx *ctx, gpri_first **out, const gpr_model *model, const gpr_dataset *data,
                          const char *scratch) {
    const int64_t nodes = data->graph.nodes, rows = nodes < ROWS ? nodes : ROWS, ld = gpri_padded(model->features);
    const gpri_recipe recipe = gpri_recipe_of(model->params, model->classes, model);
    gpr_status status = GPR_OK;
    gpri_first *predictor = NULL;
    *out = NULL;
    if (ctx->job.device != ctx->job.cpu)
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
    if (ctx->job.progress && ctx->job.progress(ctx->job.user, &report))
        return gpri_fail(GPR_ERROR_STOPPED, "stopped by the caller, before all nodes were predicted");
    return GPR_OK;
}

static gpr_status keep_block(gpri_first *predictor, int64_t at, const int32_t *place) {
    const int64_t rows = predictor->none.nodes;
    if (at == predictor->at) return GPR_OK;
    if (!predictor->rows.proba) {
        gpri_outcome_free(predictor->ctx, &predictor->rows); /* of a call that ran out of memory */
        NEED(gpri_outcome_new(predictor->ctx, &predictor->rows, rows, predictor->model->classes, true));
    }
    predictor->at = -1;
    NEED(run_block(predictor, at, place));
    NEED(gpri_read_scores(predictor->net, predictor->model, &predictor->rows));
    predictor->at = at;
    return tell(predictor, at + rows);
}

gpr_status gpri_first_rows(gpri_first *predictor, int64_t first, int64_t count, const int32_t *place,
                           const gpri_outcome *out) {
    const int64_t rows = predictor->none.nodes;
    for (int64_t done = 0; done < count;) {
        const int64_t at = block_at(predictor, first + done), skip = first + done - at;
        const int64_t some = count - done < rows - skip ? count - done : rows - skip;
        NEED(keep_block(predictor, at, place));
        gpri_outcome_copy(out, done, &predictor->rows, skip, some, predictor->model->classes);
        done += some;
    }
    return GPR_OK;
}

gpr_status gpri_first_predict(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, const char *scratch,
                              const gpri_outcome *out) {
    gpri_first *predictor = NULL;
    gpr_status status = GPR_OK;
    TRY(gpri_first_new(ctx, &predictor, model, data, scratch));
    for (int64_t first = 0; first < data->graph.nodes; first += gpri_first_block(predictor)) {
        const int64_t at = block_at(predictor, first);
        TRY(run_block(predictor, at, NULL));
        const gpri_outcome block = gpri_outcome_from(out, at, model->classes);
        TRY(gpri_read_scores(predictor->net, model, &block));
        TRY(tell(predictor, at + gpri_first_block(predictor)));
    }
done:
    gpri_first_free(predictor);
    return status;
}
