/* Classes, probabilities and scores from a trained model, on any graph with its features. The model is only read: all
 * memory comes from the context of the call. */
#include "base/struct.h"
#include "model/first/first.h"
#include "model/input.h"
#include "model/known.h"
#include "tensor/counter.h"

/* The model's options with another embedding; *out is to be freed. */
static gpr_status with_embedding(gpr_ctx *ctx, gpr_params **out, const gpr_model *model, const char *embedding) {
    if (!gpri_model_has_param(model, GPRI_PARAM_EMBEDDING))
        return gpri_fail(GPR_ERROR_ARGUMENT, "the model %s has no option 'embedding'", gpr_model_name(model));
    gpr_status status = gpri_params_copy(ctx, out, model->params);
    return status == GPR_OK ? gpri_params_set_from(*out, GPRI_FROM_FLAG, "embedding", embedding) : status;
}

typedef struct {
    gpr_ctx *ctx;
    const gpr_model *model;
    const gpr_dataset *data;
    const gpr_params *params;
    gpri_model_input input;
    gpri_knowledge knowledge;
    bool all; /* the known labels are all that the data has */
    int32_t *classes;
    float *proba, *logits;
} prediction;

/* The labels that the caller gives, or those of the data. */
static gpr_status know_labels(prediction *of, const int32_t *given) {
    gpr_status status = GPR_OK;
    const int64_t nodes = of->data->graph.nodes;
    int32_t **known = &of->knowledge.known;
    if (!gpri_model_uses_labels(of->model)) {
        if (given)
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "gpr_predict_with: known_labels for a model that uses no labels: `label-input`, "
                             "`label-counts` or `smooth` make one that does");
        return GPR_OK;
    }
    TRY(gpri_alloc(of->ctx, known, nodes, sizeof **known, "known labels"));
    if (!given) return gpri_model_known(of->ctx, of->model, of->data, false, *known, &of->all);
    of->all = true;
    for (int64_t i = 0; i < nodes; i++) {
        if (given[i] < GPR_UNKNOWN_CLASS || given[i] >= of->model->classes)
            THROW(GPR_ERROR_ARGUMENT, "gpr_predict_with: known_labels[%lld] is %d: the model has %lld classes",
                  (long long)i, (int)given[i], (long long)of->model->classes);
        (*known)[i] = given[i] < 0 ? -1 : given[i];
    }
done:
    return status;
}

/* z: (nodes x ld) scores become logarithms of the corrected and smoothed probabilities. */
static gpr_status smooth(const prediction *of, gpri_real *z) {
    gpri_spreader spreader;
    gpr_status status = gpri_spreader_new(of->ctx, &spreader, &of->data->graph, of->knowledge.known, of->model->classes,
                                          of->ctx->threads);
    if (status == GPR_OK) {
        gpri_spreader_softmax(&spreader, z);
        gpri_spreader_apply(&spreader, z, &of->model->smoothing);
        gpri_spreader_log(&spreader, z);
    }
    gpri_spreader_free(&spreader);
    return status;
}

/* Whether the device has memory for it, before anything is taken. */
static gpr_status check_room(const prediction *of, const gpri_recipe *recipe) {
    gpr_ctx *ctx = of->ctx;
    gpri_counter counter;
    gpri_net *net = NULL;
    if (!ctx->device->room) return GPR_OK;
    gpri_counter_begin(&counter, ctx);
    gpr_status status =
        gpri_model_net(ctx, &net, of->params, recipe, &of->data->graph, &of->input.features, ctx->threads, 0, false);
    gpri_net_free(net);
    gpri_counter_end(&counter, ctx);
    return status == GPR_OK ? gpri_counter_fits(&counter, "the prediction") : status;
}

/* One forward pass with the known labels. labelled: nodes with a label are read, too. */
static gpr_status run(prediction *of, bool labelled) {
    gpr_status status = GPR_OK;
    gpr_ctx *ctx = of->ctx;
    gpri_net *net = NULL;
    gpri_real *z = NULL; /* (nodes x ld) */
    const int64_t ld = gpri_padded(of->model->classes);
    gpri_recipe recipe = gpri_recipe_of(of->params, of->model->classes);
    if (of->knowledge.known)
        TRY(gpri_know(ctx, &recipe, &of->knowledge, of->params, &of->data->graph, gpri_model_known_share(of->model),
                      ctx->threads));
    TRY(check_room(of, &recipe));
    TRY(gpri_model_net(ctx, &net, of->params, &recipe, &of->data->graph, &of->input.features, ctx->threads, 0, false));
    TRY(gpri_model_put(of->model, net));
    gpri_net_forward(net, GPRI_EVAL_STREAM);
    TRY(gpri_device_check(ctx));
    TRY(gpri_check_scores(net, of->model, of->data, &of->input.features, of->params));
    const bool smooths = gpri_smooths(&of->model->smoothing);
    if (labelled && !smooths) {
        TRY(gpri_read_scores(net, of->model, of->classes, of->proba, of->logits));
        goto done;
    }
    TRY(gpri_calloc(ctx, &z, of->data->graph.nodes * ld, sizeof *z, "scores"));
    TRY(gpri_net_scores(net, z, ld));
    if (smooths) TRY(smooth(of, z));
    for (int64_t i = 0; i < of->data->graph.nodes; i++)
        if (labelled || of->data->labels[i] < 0)
            gpri_read_outcome(z, ld, of->model, i, of->classes, of->proba, of->logits);
done:
    gpri_free(ctx, z);
    gpri_net_free(net);
    return status;
}

static bool has_unlabelled(const gpr_dataset *data) {
    for (int64_t i = 0; i < data->graph.nodes; i++)
        if (data->labels[i] < 0) return true;
    return false;
}

gpr_status gpr_predict_with(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *classes,
                            float *proba, float *logits, const gpr_predict_options *options) {
    gpr_status status = GPR_OK;
    gpr_predict_options own = {0};
    gpr_params *changed = NULL;
    prediction of = {.ctx = ctx,
                     .model = model,
                     .data = data,
                     .input = {.features = {.rows = 0}},
                     .classes = classes,
                     .proba = proba,
                     .logits = logits};
    if (!ctx || !model || !data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predict: a NULL argument");
    if (options) TRY(GPRI_STRUCT_IN(&own, options, gpr_predict_options, "gpr_predict_with", "options"));
    if (own.embedding) TRY(with_embedding(ctx, &changed, model, own.embedding));
    else TRY(gpri_refuse_foreign_file(model));
    of.params = changed ? changed : model->params;
    TRY(gpri_dataset_ready(ctx, data));
    if (gpri_model_filter_first(of.params)) {
        TRY(know_labels(&of, own.known_labels)); /* it has none */
        TRY(gpri_first_predict(ctx, model, data, own.scratch, classes, proba, logits));
        TRY(gpri_dataset_unchanged(ctx, data, true));
        goto done;
    }
    TRY(gpri_model_input_new(ctx, &of.input, model, data, false));
    TRY(gpri_model_prepare(ctx, &of.input.features, of.params, &data->graph));
    TRY(know_labels(&of, own.known_labels));
    TRY(run(&of, true));
    if (of.knowledge.known && !of.all && has_unlabelled(data)) { /* nodes without a label may use all labels */
        TRY(gpri_model_known(ctx, model, data, true, of.knowledge.known, &of.all));
        TRY(run(&of, false));
    }
    TRY(gpri_dataset_unchanged(ctx, data, true));
done:
    gpri_knowledge_free(ctx, &of.knowledge);
    gpri_model_input_free(ctx, &of.input);
    gpr_params_free(changed);
    return gpri_finish(status);
}

gpr_status gpr_predict(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *classes, float *proba) {
    return gpr_predict_with(ctx, model, data, classes, proba, NULL, NULL);
}

gpr_status gpr_predict_logits(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, float *logits) {
    if (!logits) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predict_logits: a NULL argument");
    return gpr_predict_with(ctx, model, data, NULL, NULL, logits, NULL);
}
