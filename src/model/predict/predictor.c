/* Predictions of some nodes at a time. Only the order filter-first can do without the rest of the graph; what other
 * models predict is kept. */
#include "model/predict/predictor.h"

#include <string.h>

#include "base/struct.h"
#include "model/shares.h"

enum { ROWS = 4096 };

void gpr_predictor_free(gpr_predictor *predictor) {
    if (!predictor) return;
    gpri_first_free(predictor->first);
    gpri_rates_free(&predictor->rates);
    gpri_free_all(predictor->ctx, predictor->scratch, predictor->sums);
    gpri_outcome_free(predictor->ctx, &predictor->outcome);
    gpri_free(predictor->ctx, predictor);
}

/* The rates of all rows of filter-first, which are made for them once, and again when they are asked for: what takes
   long, the hops, they share. */
static gpr_status find_rates(gpr_predictor *predictor) {
    gpr_ctx *ctx = predictor->ctx;
    const int64_t C = predictor->model->classes, nodes = predictor->nodes;
    const int64_t block = gpri_first_block(predictor->first);
    gpr_status status = GPR_OK;
    uint8_t *counted = NULL;
    float *some = NULL;
    gpri_outcome rows = {0};
    TRY(gpri_rates_new(ctx, &predictor->rates, predictor->model));
    TRY(gpri_rates_nodes(ctx, &counted, predictor->model, predictor->data, NULL));
    gpri_rates_sample sample = gpri_rates_sample_of(counted, nodes);
    TRY(gpri_alloc(ctx, &some, gpri_rates_sample_size(&sample) * C, sizeof *some, "probabilities"));
    TRY(gpri_alloc(ctx, &rows.proba, block * C, sizeof *rows.proba, "probabilities"));
    const gpri_outcome to = {.proba = some};
    for (int64_t first = 0; first < nodes; first += block) {
        const int64_t count = nodes - first < block ? nodes - first : block;
        TRY(gpri_first_rows(predictor->first, first, count, NULL, &rows));
        for (int64_t i = 0, at; i < count; i++)
            if ((at = gpri_rates_take(&sample, first + i)) >= 0) gpri_outcome_copy(&to, at, &rows, i, 1, C);
    }
    gpri_rates_find(&predictor->rates, some, sample.taken, predictor->model, predictor->data);
done:
    gpri_free_all(ctx, counted, some, rows.proba);
    return status;
}

static gpr_status make(gpr_predictor *predictor, const gpr_dataset *data, const gpr_predict_options *options,
                       bool with_proba) {
    gpr_ctx *ctx = predictor->ctx;
    const gpr_model *model = predictor->model;
    if (options->adapt_prior && gpri_model_tells_number(model))
        NEED(gpri_predict(ctx, model, data, &(gpri_outcome){.proba = NULL}, options,
                          &predictor->rates)); /* refused there */
    if (!gpri_model_is(model->params, GPRI_MODEL_BY_ROWS)) {
        NEED(gpri_outcome_new(ctx, &predictor->outcome, predictor->nodes, model->classes,
                              with_proba || gpri_model_tells_number(model)));
        return gpri_predict(ctx, model, data, &predictor->outcome, options, &predictor->rates);
    }
    /* what it cannot use is refused as it is there, with nothing to fill in and so nothing to compute */
    if (options->embedding || options->known_labels)
        NEED(gpr_predict_with(ctx, model, data, NULL, NULL, NULL, options));
    NEED(gpri_dataset_ready(ctx, data));
    if (options->scratch) NEED(gpri_strdup(ctx, &predictor->scratch, options->scratch));
    NEED(gpri_calloc(ctx, &predictor->sums, 2 * model->classes, sizeof *predictor->sums, "classes"));
    NEED(gpri_first_new(ctx, &predictor->first, model, data, predictor->scratch));
    if (options->adapt_prior) NEED(find_rates(predictor));
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

/* Rows of filter-first as the base rates want them. Without probabilities they cannot be corrected: these are made. */
static gpr_status adapted_rows(const gpr_predictor *predictor, int64_t first, int64_t count, const int32_t *place,
                               const gpri_outcome *out) {
    const int64_t C = predictor->model->classes;
    gpri_outcome rows = *out;
    gpr_status status = GPR_OK;
    float *own = NULL;
    if (!out->proba) {
        TRY(gpri_alloc(predictor->ctx, &own, count * C, sizeof *own, "probabilities"));
        rows.proba = own;
    }
    TRY(gpri_first_rows(predictor->first, first, count, place, &rows));
    gpri_rates_adapt(&predictor->rates, predictor->model, &rows, count);
done:
    gpri_free(predictor->ctx, own);
    return status;
}

gpr_status gpri_predictor_rows(const gpr_predictor *predictor, int64_t first, int64_t count, const int32_t *place,
                               const gpri_outcome *out) {
    const int64_t C = predictor->model->classes;
    if (predictor->first && predictor->rates.trained) return adapted_rows(predictor, first, count, place, out);
    if (predictor->first) return gpri_first_rows(predictor->first, first, count, place, out);
    const gpri_outcome *from = predictor->made ? predictor->made : &predictor->outcome;
    for (int64_t i = 0; i < count; i++) {
        gpri_outcome_copy(out, i, from, place ? place[first + i] : first + i, 1, C);
    }
    return GPR_OK;
}

gpr_status gpr_predictor_rates(const gpr_predictor *predictor, double *training, double *data) {
    if (!predictor || !training || !data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predictor_rates: a NULL argument");
    const gpri_rates *rates = &predictor->rates;
    if (!rates->trained)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predictor_rates: the predictor was made without adapt_prior");
    for (int64_t c = 0; c < rates->classes; c++) training[c] = rates->trained[c], data[c] = rates->found[c];
    return gpri_finish(GPR_OK);
}

/* The rows of filter-first are looked at when all have come in their order. */
static void look_at_rows(gpr_predictor *predictor, int64_t first, int64_t count, const gpri_outcome *rows) {
    if (!predictor->first || first != predictor->counted || count == 0 || (!rows->classes && !rows->proba)) return;
    gpri_shares_count(predictor->sums, predictor->model, count, rows);
    predictor->counted += count;
    if (predictor->counted == predictor->nodes)
        gpri_shares_warn(predictor->ctx, predictor->sums, predictor->model, predictor->data,
                         predictor->rates.trained != NULL);
}

gpr_status gpr_predictor_rows(gpr_predictor *predictor, int64_t first, int64_t count, int32_t *classes, float *proba) {
    const gpri_outcome rows = {classes, proba, NULL};
    if (predictor && classes) NEED(gpri_tells_classes(predictor->model, "gpr_predictor_rows"));
    if (!predictor) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predictor_rows: predictor is NULL");
    if (first < 0 || count < 0 || first > predictor->nodes || count > predictor->nodes - first)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predictor_rows: %lld nodes from %lld on, and there are %lld",
                         (long long)count, (long long)first, (long long)predictor->nodes);
    gpr_status status = gpri_predictor_rows(predictor, first, count, NULL, &rows);
    if (status == GPR_OK) look_at_rows(predictor, first, count, &rows);
    return gpri_finish(status);
}
