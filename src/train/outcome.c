/* What comes of the predictions of a run: its metrics, what known labels are worth to its model, and the predictions of
 * all nodes that a result keeps: those of the best run, so that a run folder and a study do not make them again. */
#include <math.h>
#include <stdio.h>

#include "dist/all.h"
#include "model/predict/pass.h"
#include "train/experiment.h"
#include "train/processes/processes.h"

/* ---- metrics ---- */

gpr_status gpri_experiment_split(const gpri_experiment *experiment, gpr_split **own, const gpr_split **out,
                                 const gpr_split *split) {
    gpr_status status = GPR_OK;
    *own = NULL;
    if (experiment->prepared->rows) status = gpri_labelled_split(experiment->prepared->rows, own, split);
    else if (experiment->prepared->ordered)
        status = gpri_order_split(experiment->ctx, own, split, experiment->prepared->order);
    *out = *own ? *own : split;
    return status;
}

/* The predictions of the trainer's model for all nodes, in process 0. */
static gpr_status read_outcome(gpri_outcome *out, const gpri_trainer *trainer, const gpr_model *model) {
    gpri_matrix none;
    *out = (gpri_outcome){0};
    if (!gpri_is_first_process(gpri_walker_together(&trainer->net->walk)))
        return gpri_net_root_scores(trainer->net, &none);
    NEED(gpri_outcome_new(trainer->ctx, out, trainer->data->graph.nodes, gpri_target_scores(&trainer->data->target),
                          true));
    return gpri_read_scores(trainer->net, model, out);
}

/* The same from scores z: (nodes x ld). */
static gpr_status outcome_of_scores(gpri_outcome *out, gpr_ctx *ctx, const gpr_model *model, const gpri_real *z,
                                    int64_t nodes) {
    gpr_status status = gpri_outcome_new(ctx, out, nodes, model->classes, true);
    for (int64_t i = 0; status == GPR_OK && i < nodes; i++)
        gpri_read_outcome(z, gpri_padded(model->classes), i, model, out, i);
    return status;
}

gpr_status gpri_run_judge(gpri_run *out, const gpri_trainer *trainer, const gpr_split *split, const gpri_real *smoothed,
                          gpri_outcome *made) {
    gpr_ctx *ctx = trainer->ctx;
    const gpr_dataset *data = trainer->data;
    int64_t count[4] = {0};
    *made = (gpri_outcome){0};
    if (!smoothed) NEED(read_outcome(made, trainer, out->model));
    if (!gpri_is_first_process(gpri_walker_together(&trainer->net->walk))) return GPR_OK;
    if (smoothed) NEED(outcome_of_scores(made, ctx, out->model, smoothed, data->graph.nodes));
    for (int64_t i = 0; i < split->nodes; i++) count[split->part[i]]++;
    if (gpri_model_takes_labels(out->model->params)) count[GPR_TRAIN] = 0; /* each has seen its own label */
    for (int part = GPR_TRAIN; part <= GPR_TEST; part++)
        if (count[part]) NEED(gpri_metrics_of_part(ctx, &out->metrics[part], data, split, (gpr_part)part, made));
    return GPR_OK;
}

/* ---- what known labels are worth ---- */

/* (nodes x ld) the outcome of a pass in which no label is known; the caller's to free. */
static gpr_status scores_without(const gpri_experiment *experiment, const gpr_model *model, gpri_real **z) {
    gpri_pass pass = {.ctx = experiment->ctx,
                      .model = model,
                      .data = gpri_prepared_data(experiment->prepared),
                      .params = experiment->params,
                      .trains = gpri_spreads_rows(experiment->ctx), /* such nets alone are spread over processes */
                      .features = experiment->prepared->features,
                      .raw = experiment->prepared->network ? &experiment->prepared->network->features : NULL};
    const int64_t nodes = pass.data->graph.nodes;
    int32_t **known = &pass.knowledge.known;
    gpr_status status = GPR_OK;
    TRY(gpri_alloc(experiment->ctx, known, nodes, sizeof **known, "known labels"));
    for (int64_t i = 0; i < nodes; i++) (*known)[i] = -1;
    TRY(gpri_pass_run(&pass));
    TRY(gpri_pass_outcome(&pass, z));
done:
    gpri_pass_free(&pass);
    return status;
}

gpr_status gpri_experiment_worth(gpri_experiment *experiment, gpr_model *model) {
    gpr_ctx *ctx = experiment->ctx;
    const gpr_dataset *data = gpri_prepared_data(experiment->prepared);
    const gpri_run *best = &experiment->result->runs[experiment->result->best];
    const gpri_measure measure = gpri_fitting_metric(experiment->params, best->split, GPR_VAL);
    const gpr_metrics *known = best->metrics[GPR_VAL];
    double with = known ? known->values[measure] : NAN;
    gpri_outcome made = {0};
    gpr_metrics *without = NULL;
    gpri_real *z = NULL;
    gpr_split *own = NULL;
    const gpr_split *split;
    gpr_status status = GPR_OK;
    if (!gpri_model_uses_labels(model)) return GPR_OK;
    gpri_all_hear(ctx, &with, sizeof with, 0); /* process 0 has the metrics */
    if (!isfinite(with)) return GPR_OK;        /* no validation nodes */
    TRY(gpri_experiment_split(experiment, &own, &split, best->split));
    TRY(scores_without(experiment, model, &z));
    TRY(outcome_of_scores(&made, ctx, model, z, data->graph.nodes));
    TRY(gpri_metrics_of_part(ctx, &without, data, split, GPR_VAL, &(gpri_outcome){.proba = made.proba}));
    if (!isfinite(without->values[measure])) goto done;
    model->worth = (gpri_worth){.with = with, .without = without->values[measure]};
    snprintf(model->worth.measure, sizeof model->worth.measure, "%s", gpri_measure_word(measure));
done:
    gpr_metrics_free(without);
    gpri_outcome_free(ctx, &made);
    gpri_free(ctx, z);
    gpr_split_free(own);
    return status;
}

/* ---- what is kept ---- */

/* Larger ones are made again where they are needed, some rows at a time where the model can. */
enum { MOST_BYTES = 64 << 20 };

/* Whether what the trainer sees is what a prediction sees. Where labels are used, nodes without one are predicted in a
   pass of their own; in another order of the nodes sums are rounded differently. */
static bool is_prediction(const gpri_experiment *experiment, const gpr_model *model) {
    return !experiment->prepared->rows && !experiment->prepared->ordered && !gpri_model_uses_labels(model);
}

/* Whether they are of use to others: the same in all processes. */
static bool is_wanted(const gpri_experiment *experiment, const gpr_model *model) {
    if (!is_prediction(experiment, model) || experiment->hook)
        return is_prediction(experiment, model) && !gpri_spreads_rows(experiment->ctx);
    if (!gpri_params_is(experiment->params, GPRI_PREDICTIONS_ALL)) return false;
    if (gpri_spreads_rows(experiment->ctx)) return gpri_gather_wanted(experiment);
    const double row = (double)sizeof(int32_t) + (double)model->classes * (double)sizeof(float);
    return (double)experiment->data->graph.nodes * row <= MOST_BYTES;
}

/* Of equal runs the first one is the best, whichever ended first. */
static bool is_better(const gpri_experiment *experiment, int64_t run, int64_t other) {
    const gpri_run *runs = experiment->result->runs;
    const gpri_measure metric = gpri_params_metric(experiment->params);
    if (gpri_run_better(&runs[run].info, &runs[other].info, metric)) return true;
    return run < other && !gpri_run_better(&runs[other].info, &runs[run].info, metric);
}

void gpri_outcome_keep(gpri_experiment *experiment, int64_t run, gpri_outcome *made) {
    gpr_result *result = experiment->result;
    if (!is_wanted(experiment, result->runs[run].model)) gpri_outcome_free(experiment->ctx, made);
    gpri_acquire(&experiment->lock);
    if (!experiment->hook && made->classes &&
        (!result->outcome.classes || is_better(experiment, run, result->outcome_run))) {
        const gpri_outcome old = result->outcome;
        result->outcome = *made;
        result->outcome_run = run;
        *made = old;
    }
    gpri_release(&experiment->lock);
}

gpr_status gpri_outcome_refit(gpri_experiment *experiment, const gpri_trainer *trainer, const gpr_model *model) {
    const gpri_outcome *kept = &experiment->result->outcome;
    gpri_outcome made;
    if (!is_wanted(experiment, model)) return GPR_OK;
    gpri_net_keep_scores(trainer->net);
    gpr_status status = read_outcome(&made, trainer, model);
    for (int64_t i = 0; status == GPR_OK && kept->classes && made.classes && i < experiment->data->graph.nodes; i++)
        if (!gpri_target_known(&experiment->data->target, i))
            gpri_outcome_copy(kept, i, &made, i, 1, gpri_target_scores(&experiment->data->target));
    gpri_outcome_free(experiment->ctx, &made);
    return status;
}

void gpri_outcome_settle(gpri_experiment *experiment) {
    gpr_result *result = experiment->result;
    if (result->runs[result->best].number != result->outcome_run) gpri_outcome_free(experiment->ctx, &result->outcome);
}
