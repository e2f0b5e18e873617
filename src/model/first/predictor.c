/* Predictions of some nodes at a time. Only the order filter-first can do without the rest of the graph; what other
 * models predict is kept. */
#include <string.h>

#include "base/struct.h"
#include "model/first/first.h"

struct gpr_predictor {
    gpr_ctx *ctx;
    const gpr_model *model;
    int64_t nodes;
    char *scratch; /* or NULL */
    gpri_first *first;
    /* of all other models: */
    int32_t *classes; /* (nodes) */
    float *proba;     /* (nodes x classes) */
};

void gpr_predictor_free(gpr_predictor *of) {
    if (!of) return;
    gpri_first_free(of->first);
    gpri_free(of->ctx, of->scratch);
    gpri_free(of->ctx, of->classes);
    gpri_free(of->ctx, of->proba);
    gpri_free(of->ctx, of);
}

static gpr_status predict_all(gpr_predictor *of, const gpr_dataset *data, const gpr_predict_options *options) {
    gpr_status status = GPR_OK;
    int64_t cells;
    if (!gpri_mul_size(of->nodes, of->model->classes, &cells))
        THROW(GPR_ERROR_MEMORY, "the probabilities do not fit in memory");
    TRY(gpri_alloc(of->ctx, &of->classes, of->nodes, sizeof *of->classes, "predicted classes"));
    TRY(gpri_alloc(of->ctx, &of->proba, cells, sizeof *of->proba, "probabilities"));
    TRY(gpr_predict_with(of->ctx, of->model, data, of->classes, of->proba, NULL, options));
done:
    return status;
}

static gpr_status make(gpr_predictor *of, const gpr_dataset *data, const gpr_predict_options *options) {
    gpr_status status = GPR_OK;
    if (!gpri_model_filter_first(of->model->params)) return predict_all(of, data, options);
    /* what it cannot use is refused as it is there, with nothing to fill in and so nothing to compute */
    if (options->embedding || options->known_labels)
        TRY(gpr_predict_with(of->ctx, of->model, data, NULL, NULL, NULL, options));
    TRY(gpri_dataset_ready(of->ctx, data));
    if (options->scratch) TRY(gpri_strdup(of->ctx, &of->scratch, options->scratch));
    TRY(gpri_first_new(of->ctx, &of->first, of->model, data, of->scratch));
    TRY(gpri_dataset_unchanged(of->ctx, data, true)); /* the network does not read it */
done:
    return status;
}

gpr_status gpr_predictor_new(gpr_ctx *ctx, gpr_predictor **out, const gpr_model *model, const gpr_dataset *data,
                             const gpr_predict_options *options) {
    gpr_status status = GPR_OK;
    gpr_predict_options own = {.struct_size = sizeof own};
    gpr_predictor *of = NULL;
    if (out) *out = NULL;
    if (!ctx || !out || !model || !data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predictor_new: a NULL argument");
    if (options) TRY(GPRI_STRUCT_IN(&own, options, gpr_predict_options, "gpr_predictor_new", "options"));
    own.struct_size = sizeof own;
    TRY(gpri_calloc(ctx, &of, 1, sizeof *of, "predictor"));
    of->ctx = ctx;
    of->model = model;
    of->nodes = data->graph.nodes;
    TRY(make(of, data, &own));
    *out = of;
    of = NULL;
done:
    gpr_predictor_free(of);
    return gpri_finish(status);
}

gpr_status gpr_predictor_rows(gpr_predictor *of, int64_t first, int64_t count, int32_t *classes, float *proba) {
    if (!of) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predictor_rows: predictor is NULL");
    if (first < 0 || count < 0 || first > of->nodes || count > of->nodes - first)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predictor_rows: %lld nodes from %lld on, and there are %lld",
                         (long long)count, (long long)first, (long long)of->nodes);
    if (of->first) return gpri_finish(gpri_first_rows(of->first, first, count, NULL, classes, proba));
    const int64_t C = of->model->classes;
    if (classes) memcpy(classes, of->classes + first, (size_t)count * sizeof *classes);
    if (proba) memcpy(proba, of->proba + first * C, (size_t)(count * C) * sizeof *proba);
    return gpri_finish(GPR_OK);
}
