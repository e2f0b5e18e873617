/* The model of a run: its best weights, and all else that a prediction needs to know of the training. */
#include <stdio.h>
#include <string.h>

#include "model/known.h"
#include "model/trained/trained.h"
#include "train/experiment.h"
#include "train/rates.h"

/* What a prediction must know of the labels of the training. */
static gpr_status take_labels(const gpri_running *running, gpr_model *model) {
    gpri_experiment *experiment = running->experiment;
    const gpr_dataset *data = experiment->data;
    gpr_status status = GPR_OK;
    int64_t *sizes = NULL; /* (classes) */
    model->unit = running->trainer->unit;
    if (gpri_target_is_number(&data->target)) return GPR_OK; /* no known number is an input */
    TRY(gpri_alloc(experiment->ctx, &sizes, data->target.classes, sizeof *sizes, "classes"));
    TRY(gpri_alloc(experiment->ctx, &model->class_nodes, data->target.classes, sizeof *model->class_nodes, "classes"));
    gpri_class_sizes(sizes, data->target.labels, data->graph.nodes, data->target.classes);
    for (int64_t c = 0; c < data->target.classes; c++) model->class_nodes[c] = (float)sizes[c];
    if (!gpri_model_uses_labels(model)) goto done;
    TRY(gpri_known_nodes_text(experiment->ctx, &model->known_nodes, running->given->part, running->given->nodes));
    gpri_acquire(&experiment->lock);
    if (!experiment->prepared->past) status = gpri_past_new(experiment->ctx, &experiment->prepared->past, data);
    model->past = gpri_past_share(experiment->prepared->past);
    gpri_release(&experiment->lock);
done:
    gpri_free(experiment->ctx, sizes);
    return status;
}

/* The weights of the best step so far, with all that a model needs. */
gpr_status gpri_running_model(const gpri_running *running, gpr_model **out) {
    const gpri_experiment *experiment = running->experiment;
    gpr_ctx *ctx = experiment->ctx;
    gpr_model *model = NULL;
    gpr_status status = GPR_OK;
    char seed[32]; /* training with the model's options gives this model again */
    TRY(gpri_model_take(ctx, &model, running->trainer->net, running->trainer->state.best, experiment->params,
                        experiment->data->features.cols, gpri_target_scores(&experiment->data->target)));
    TRY(gpri_strdup(ctx, &model->dataset, experiment->data->name));
    TRY(gpri_names_clone(ctx, &model->class_names, &experiment->data->target.names));
    TRY(gpri_names_clone(ctx, &model->feature_names, &experiment->data->feature_names));
    memcpy(model->made, experiment->data->made, sizeof model->made);
    memcpy(model->made_from, experiment->data->made_from, sizeof model->made_from);
    TRY(gpri_plan_clone(ctx, &model->plan, experiment->data->plan));
    memcpy(model->fingerprint, experiment->result->fingerprint, sizeof model->fingerprint);
    model->normalize = experiment->prepared->normalize;
    TRY(gpri_scaling_clone(ctx, &model->scaling, &experiment->prepared->scaling));
    snprintf(seed, sizeof seed, "%llu",
             (unsigned long long)(experiment->seed + (uint64_t)experiment->result->runs[running->run].number));
    TRY(gpri_params_set_from(model->params, GPRI_FROM_FLAG, "seed", seed));
    TRY(gpri_params_set_from(model->params, GPRI_FROM_FLAG, "runs", "1"));
    const double temperature = experiment->result->runs[running->run].info.temperature;
    if (temperature > 0) model->temperature = temperature;
    model->smoothing = experiment->result->runs[running->run].smoothing.how;
    TRY(take_labels(running, model));
    TRY(gpri_rates_of_run(running, model));
    model->split_hash = gpri_split_hash(experiment->result->runs[running->run].split);
    *out = model;
    model = NULL;
done:
    gpr_model_free(model);
    return status;
}

gpr_status gpri_running_gamma(gpri_run *out, const gpri_trainer *trainer, const gpr_model *model) {
    gpr_ctx *ctx = trainer->ctx;
    gpri_trained filter;
    int64_t count;
    const float *gamma = gpr_model_gamma(model, &count);
    NEED(gpri_trained_of(&filter, model));
    if (!gamma && filter.form.count > 0) {
        count = gpri_form_rows(&filter.form) * filter.columns;
        NEED(gpri_alloc(ctx, &out->initial, count, sizeof *out->initial, "gamma"));
        for (int64_t k = 0; k < count; k++) out->initial[k] = (float)trainer->gamma[k];
    }
    if (!gamma) return GPR_OK;
    NEED(gpri_alloc(ctx, &out->gamma, count, sizeof *gamma, "gamma"));
    NEED(gpri_alloc(ctx, &out->gamma_initial, count, sizeof *gamma, "gamma"));
    memcpy(out->gamma, gamma, (size_t)count * sizeof *gamma);
    for (int64_t k = 0; k < count; k++) out->gamma_initial[k] = (float)trainer->gamma[k];
    out->info.gamma = out->gamma;
    out->info.gamma_count = count;
    return GPR_OK;
}
