/* Predictions of some nodes at a time. Only the order filter-first can do without the rest of the graph; what other
 * models predict is kept. */
#include "model/predict/predictor.h"
#include "base/struct.h"
#include "model/shares.h"

enum { ROWS = 4096 };

void gpr_predictor_free(gpr_predictor *predictor) {
    if (!predictor) return;
    gpri_first_free(predictor->first);
    gpri_free_all(predictor->ctx, predictor->scratch, predictor->counts);
    gpri_outcome_free(predictor->ctx, &predictor->outcome);
    gpri_free(predictor->ctx, predictor);
}

static gpr_status make(gpr_predictor *predictor, const gpr_dataset *data, const gpr_predict_options *options,
                       bool with_proba) {
    gpr_ctx *ctx = predictor->ctx;
    const gpr_model *model = predictor->model;
    if (!gpri_model_is(model->params, GPRI_MODEL_BY_ROWS)) {
        NEED(gpri_outcome_new(ctx, &predictor->outcome, predictor->nodes, model->classes, with_proba));
        return gpr_predict_with(ctx, model, data, predictor->outcome.classes, predictor->outcome.proba, NULL, options);
    }
    /* what it cannot use is refused as it is there, with nothing to fill in and so nothing to compute */
    if (options->embedding || options->known_labels)
        NEED(gpr_predict_with(ctx, model, data, NULL, NULL, NULL, options));
    NEED(gpri_dataset_ready(ctx, data));
    if (options->scratch) NEED(gpri_strdup(ctx, &predictor->scratch, options->scratch));
    NEED(gpri_calloc(ctx, &predictor->counts, model->classes, sizeof *predictor->counts, "classes"));
    NEED(gpri_first_new(ctx, &predictor->first, model, data, predictor->scratch));
    NEED(gpri_dataset_unchanged(ctx, data, true)); /* the network does not read it */
    return GPR_OK;
}

gpr_status gpri_predictor_new(gpr_ctx *ctx, gpr_predictor **out, const gpr_model *model, const gpr_dataset *data,
                              const gpr_predict_options *options, bool with_proba) {
    gpr_predictor *predictor = NULL;
    gpr_status status = GPR_OK;
    *out = NULL;
    TRY(gpri_calloc(ctx, &predictor, 1, sizeof *predictor, "predictor"));
    predictor->ctx = ctx;
    predictor->model = model;
    predictor->data = data;
    predictor->nodes = data->graph.nodes;
    TRY(make(predictor, data, options, with_proba));
    *out = predictor;
    predictor = NULL;
done:
    gpr_predictor_free(predictor);
    return status;
}

gpr_status gpr_predictor_new(gpr_ctx *ctx, gpr_predictor **out, const gpr_model *model, const gpr_dataset *data,
                             const gpr_predict_options *options) {
    gpr_predict_options own = {0};
    if (out) *out = NULL;
    if (!ctx || !out || !model || !data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predictor_new: a NULL argument");
    if (options) NEED(GPRI_STRUCT_IN(&own, options, gpr_predict_options, "gpr_predictor_new", "options"));
    own.struct_size = sizeof own;
    NEED(gpri_predictor_new(ctx, out, model, data, &own, true));
    return gpri_finish(GPR_OK);
}

int64_t gpri_predictor_block(const gpr_predictor *predictor) {
    if (predictor->first) return gpri_first_block(predictor->first);
    return predictor->nodes < ROWS ? predictor->nodes : ROWS;
}

gpr_status gpri_predictor_rows(const gpr_predictor *predictor, int64_t first, int64_t count, const int32_t *place,
                               const gpri_outcome *out) {
    const int64_t C = predictor->model->classes;
    if (predictor->first) return gpri_first_rows(predictor->first, first, count, place, out);
    const gpri_outcome *from = predictor->made ? predictor->made : &predictor->outcome;
    for (int64_t i = 0; i < count; i++) {
        gpri_outcome_copy(out, i, from, place ? place[first + i] : first + i, 1, C);
    }
    return GPR_OK;
}

/* The rows of filter-first are looked at when all have come in their order. */
static void look_at_rows(gpr_predictor *predictor, int64_t first, int64_t count, const gpri_outcome *rows) {
    if (!predictor->first || first != predictor->counted || count == 0 || (!rows->classes && !rows->proba)) return;
    gpri_shares_count(predictor->counts, predictor->model, count, rows);
    predictor->counted += count;
    if (predictor->counted == predictor->nodes)
        gpri_shares_warn(predictor->ctx, predictor->counts, predictor->model, predictor->data);
}

gpr_status gpr_predictor_rows(gpr_predictor *predictor, int64_t first, int64_t count, int32_t *classes, float *proba) {
    const gpri_outcome rows = {classes, proba, NULL};
    if (!predictor) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predictor_rows: predictor is NULL");
    if (first < 0 || count < 0 || first > predictor->nodes || count > predictor->nodes - first)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predictor_rows: %lld nodes from %lld on, and there are %lld",
                         (long long)count, (long long)first, (long long)predictor->nodes);
    gpr_status status = gpri_predictor_rows(predictor, first, count, NULL, &rows);
    if (status == GPR_OK) look_at_rows(predictor, first, count, &rows);
    return gpri_finish(status);
}
