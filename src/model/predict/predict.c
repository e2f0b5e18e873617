/* Classes, probabilities and scores from a trained model, on any graph with its features. The model is only read: all
 * memory comes from the context of the call. */
#include "base/struct.h"
#include "model/filter_first/predict_rows.h"
#include "model/predict/pass.h"
#include "model/predict/predictor.h"
#include "model/predict/rates.h"
#include "model/shares.h"

/* The model's options with another embedding; *out is to be freed. */
static gpr_status with_embedding(gpr_ctx *ctx, gpr_params **out, const gpr_model *model, const char *embedding) {
    if (!gpri_model_has_param(model, GPRI_PARAM_EMBEDDING))
        return gpri_fail(GPR_ERROR_ARGUMENT, "the model %s has no option 'embedding'", gpr_model_name(model));
    gpr_status status = gpri_params_copy(ctx, out, model->params);
    return status == GPR_OK ? gpri_params_set_from(*out, GPRI_FROM_FLAG, "embedding", embedding) : status;
}

typedef struct {
    gpri_pass pass;
    gpri_labels labels; /* none where the caller gives what is known */
    gpri_outcome out;   /* the caller's */
    gpri_rates *rates;  /* that are to be found out; NULL: nobody asked */
    uint8_t *counted;   /* (nodes) for them; or NULL */
} prediction_call;

/* The labels that the caller gives, or those of the data. */
static gpr_status know_labels(prediction_call *prediction, const int32_t *given) {
    gpr_ctx *ctx = prediction->pass.ctx;
    const gpr_model *model = prediction->pass.model;
    const gpr_dataset *data = prediction->pass.data;
    int32_t **known = &prediction->pass.knowledge.known;
    if (!gpri_model_uses_labels(model)) {
        if (given)
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "gpr_predict_with: known_labels for a model that uses no labels: `label-input`, "
                             "`label-counts` or `smooth` make one that does");
        return GPR_OK;
    }
    if (!given) return gpri_know_of_model(ctx, &prediction->pass.knowledge, &prediction->labels, model, data, false);
    NEED(gpri_alloc(ctx, known, data->graph.nodes, sizeof **known, "known labels"));
    for (int64_t i = 0; i < data->graph.nodes; i++) {
        if (given[i] < GPR_UNKNOWN_CLASS || given[i] >= model->classes)
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "gpr_predict_with: known_labels[%lld] is %d: the model has %lld classes", (long long)i,
                             (int)given[i], (long long)model->classes);
        (*known)[i] = given[i] < 0 ? -1 : given[i];
    }
    return GPR_OK;
}

/* The predictions of nodes without a label; labelled: and of those with one. */
static gpr_status read_nodes(const prediction_call *prediction, bool labelled) {
    const gpri_pass *pass = &prediction->pass;
    const gpr_model *model = pass->model;
    gpri_real *z = NULL; /* (nodes x ld) */
    gpr_status status = GPR_OK;
    if (labelled && !gpri_smooths(&model->smoothing)) return gpri_read_scores(pass->net, model, &prediction->out);
    TRY(gpri_pass_outcome(pass, &z));
    for (int64_t i = 0; i < pass->data->graph.nodes; i++)
        if (labelled || prediction->labels.labels[i] == -1)
            gpri_read_outcome(z, gpri_padded(model->classes), i, model, &prediction->out, i);
done:
    gpri_free(pass->ctx, z);
    return status;
}

static gpr_status predict_nodes(prediction_call *prediction, const int32_t *given) {
    gpri_pass *pass = &prediction->pass;
    NEED(gpri_pass_read_features(pass));
    NEED(know_labels(prediction, given));
    if (prediction->rates)
        NEED(gpri_rates_nodes(pass->ctx, &prediction->counted, pass->model, pass->data, pass->knowledge.known));
    NEED(gpri_pass_run(pass));
    NEED(gpri_pass_check(pass));
    NEED(read_nodes(prediction, true));
    if (!prediction->labels.hides || !gpri_labels_lack(&prediction->labels)) return GPR_OK;
    gpri_labels_known(pass->knowledge.known, &prediction->labels, true); /* nodes without a label may use all labels */
    if (gpri_pass_forget(pass)) {
        NEED(gpri_pass_run(pass));
        NEED(gpri_pass_check(pass));
    }
    NEED(read_nodes(prediction, false));
    return GPR_OK;
}

/* Of all nodes together. */
static gpr_status look_at_shares(const prediction_call *prediction) {
    const gpri_pass *pass = &prediction->pass;
    double *sums = NULL; /* (2 x classes) */
    NEED(gpri_calloc(pass->ctx, &sums, 2 * pass->model->classes, sizeof *sums, "classes"));
    gpri_shares_count(sums, pass->model, pass->data->graph.nodes, &prediction->out);
    gpri_shares_warn(pass->ctx, sums, pass->model, pass->data, prediction->rates != NULL);
    gpri_free(pass->ctx, sums);
    return GPR_OK;
}

/* Finds the base rates from the probabilities, all of which are there, and corrects these. */
static gpr_status adapt(const prediction_call *prediction) {
    const gpri_pass *pass = &prediction->pass;
    const int64_t nodes = pass->data->graph.nodes, C = pass->model->classes;
    gpri_rates_sample sample = gpri_rates_sample_of(prediction->counted, nodes);
    float *some; /* (sample x classes) */
    NEED(gpri_alloc(pass->ctx, &some, gpri_rates_sample_size(&sample) * C, sizeof *some, "probabilities"));
    const gpri_outcome to = {.proba = some}, from = {.proba = prediction->out.proba};
    for (int64_t i = 0, at; i < nodes; i++)
        if ((at = gpri_rates_take(&sample, i)) >= 0) gpri_outcome_copy(&to, at, &from, i, 1, C);
    gpri_rates_find(prediction->rates, some, sample.taken, pass->model, pass->data);
    gpri_rates_adapt(prediction->rates, pass->model, &prediction->out, nodes);
    gpri_free(pass->ctx, some);
    return GPR_OK;
}

static gpr_status predict_all(prediction_call *prediction, const gpr_predict_options *options) {
    const gpri_pass *pass = &prediction->pass;
    if (!gpri_model_is(pass->params, GPRI_MODEL_BY_ROWS)) return predict_nodes(prediction, options->known_labels);
    NEED(know_labels(prediction, options->known_labels)); /* it has none */
    if (prediction->rates) NEED(gpri_rates_nodes(pass->ctx, &prediction->counted, pass->model, pass->data, NULL));
    return gpri_first_predict(pass->ctx, pass->model, pass->data, options->scratch, &prediction->out);
}

gpr_status gpri_predict(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, const gpri_outcome *out,
                        const gpr_predict_options *options, gpri_rates *rates) {
    gpr_status status = GPR_OK;
    gpr_params *changed = NULL;
    float *own = NULL; /* (nodes x classes) probabilities that only we need */
    int64_t cells;
    prediction_call prediction = {
        .pass = {.ctx = ctx, .model = model, .data = data}, .out = *out, .rates = options->adapt_prior ? rates : NULL};
    const bool asked = out->classes || out->proba || out->logits; /* else options alone are checked */
    if (options->embedding) TRY(with_embedding(ctx, &changed, model, options->embedding));
    else TRY(gpri_refuse_foreign_file(model));
    prediction.pass.params = changed ? changed : model->params;
    TRY(gpri_dataset_ready(ctx, data));
    if (prediction.rates && gpri_model_tells_number(model))
        THROW(GPR_ERROR_ARGUMENT,
              "`adapt-prior` is about shares of classes, and the model tells a number: leave it out");
    if (prediction.rates) TRY(gpri_rates_new(ctx, rates, model));
    if (prediction.rates && asked && !out->proba) {
        if (!gpri_mul_size(data->graph.nodes, model->classes, &cells))
            THROW(GPR_ERROR_MEMORY, "the probabilities do not fit in memory");
        TRY(gpri_alloc(ctx, &own, cells, sizeof *own, "probabilities"));
        prediction.out.proba = own;
    }
    TRY(predict_all(&prediction, options));
    if (prediction.rates && asked) TRY(adapt(&prediction));
    TRY(gpri_dataset_unchanged(ctx, data, true));
    TRY(look_at_shares(&prediction));
done:
    gpri_free_all(ctx, own, prediction.counted);
    gpri_labels_free(ctx, &prediction.labels);
    gpri_pass_free(&prediction.pass);
    gpr_params_free(changed);
    return status;
}

gpr_status gpr_predict_with(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *classes,
                            float *proba, float *logits, const gpr_predict_options *options) {
    gpr_predict_options own = {0};
    gpri_rates rates = {0};
    if (!ctx || !model || !data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predict: a NULL argument");
    if (options) NEED(GPRI_STRUCT_IN(&own, options, gpr_predict_options, "gpr_predict_with", "options"));
    if (classes) NEED(gpri_tells_classes(model, "gpr_predict"));
    const gpr_status status = gpri_predict(ctx, model, data, &(gpri_outcome){classes, proba, logits}, &own, &rates);
    gpri_rates_free(&rates);
    return gpri_finish(status);
}

gpr_status gpr_predict(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *classes, float *proba) {
    return gpr_predict_with(ctx, model, data, classes, proba, NULL, NULL);
}

gpr_status gpr_predict_logits(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, float *logits) {
    if (!logits) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predict_logits: a NULL argument");
    return gpr_predict_with(ctx, model, data, NULL, NULL, logits, NULL);
}
