/* One training on a preparation: one or many runs, each with its own split and initial weights. Runs are independent:
 * several runs use one core each, a single run uses all. */
#include "train/training.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/params.h"
#include "data/defaults.h"
#include "data/describe.h"
#include "graph/order/order.h"
#include "io/split.h"
#include "model/model.h"
#include "train/processes/processes.h"

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Runs that one thread trains at a time, if `teams` threads share them. at_once: that there is memory for. */
static int64_t lanes_of(const gpri_experiment *experiment, int64_t teams, int64_t at_once) {
    const int64_t most = least(experiment->ctx->job.device->lanes, at_once / teams),
                  each = gpri_chunk_count(experiment->limit, teams);
    return most > 1 && each > 1 ? least(each, most) : 1;
}

static void train_team(void *arg, int64_t number, int slot) {
    gpri_experiment *experiment = arg;
    (void)number, (void)slot;
    gpri_experiment_team(experiment, experiment->lanes);
}

/* Built again from its parts: it may come from other data, with other labels. */
static gpr_status copy_split(gpri_experiment *experiment, gpr_split **out, int64_t run) {
    const gpr_split *given = experiment->options.splits[run];
    if (!given) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_train_splits: splits[%lld] is NULL", (long long)run);
    gpr_status status = gpri_split_of_parts(experiment->ctx, out, experiment->data, given->part, given->nodes,
                                            run == 0 && !experiment->again);
    return status < 0 && experiment->runs > 1 ? gpri_fail_prefix(status, "run %lld", (long long)run) : status;
}

/* Sets the options `runs` and `split` of a training on given splits. */
static gpr_status note_splits(gpr_params *params, int64_t runs) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)runs);
    gpr_status status = gpri_params_set_from(params, GPRI_FROM_FLAG, "runs", text);
    return status == GPR_OK ? gpri_params_set_from(params, GPRI_FROM_FLAG, "split", "given") : status;
}

static gpr_status draw_split(const gpri_experiment *experiment, gpr_split **out, int64_t run) {
    const unsigned care = gpri_split_care(experiment->params, experiment->data);
    return gpri_split_make(experiment->ctx, out, experiment->data,
                           gpri_params_text(experiment->params, GPRI_PARAM_SPLIT),
                           experiment->seed - (uint64_t)experiment->first, experiment->first + run,
                           care | (run == 0 && !experiment->again ? GPRI_SPLIT_WARN : 0));
}

/* Splits are drawn before the runs begin, with warnings for the first one only. */
static gpr_status find_splits(gpri_experiment *experiment) {
    const char *spec = gpri_params_text(experiment->params, GPRI_PARAM_SPLIT);
    if (experiment->runs > 1 && !experiment->again && !experiment->result->given && gpri_split_is_fixed(spec))
        gpri_log(experiment->ctx, GPR_LOG_WARNING,
                 "split: all %lld runs have the same split (%s): they differ in their seeds only, and so their spread "
                 "does not tell how much the choice of the nodes matters",
                 (long long)experiment->runs, spec);
    for (int64_t run = 0; run < experiment->runs; run++) {
        gpr_split **split = &experiment->prepared->splits[run];
        experiment->result->runs[run].number = run;
        if (!*split && experiment->saved.runs) NEED(gpri_saved_split(&experiment->saved, split, experiment->data, run));
        if (!*split && experiment->saved.given && !experiment->options.splits)
            return gpri_fail(GPR_ERROR_MISMATCH,
                             "the state lacks the split of run %lld, which was given: give the splits again",
                             (long long)run);
        if (!*split)
            NEED(experiment->options.splits ? copy_split(experiment, split, run) : draw_split(experiment, split, run));
        experiment->result->runs[run].split = gpri_split_share(*split);
        experiment->result->splits_hash = experiment->result->splits_hash * 0x100000001b3u ^ gpri_split_hash(*split);
    }
    return GPR_OK;
}

/* That the metric of the validation nodes is a number in every run. */
static gpr_status check_metric(const gpri_experiment *experiment) {
    const gpri_measure metric = gpri_params_metric(experiment->params);
    if (!gpri_measure_is(metric, GPRI_RANKS)) return GPR_OK;
    for (int64_t run = 0; run < experiment->runs; run++) {
        const gpr_split *split = experiment->result->runs[run].split;
        int64_t present = 0;
        for (int64_t c = 0; c < experiment->data->target.classes; c++)
            present += gpr_split_count(split, GPR_VAL, c) > 0;
        if (present == 1)
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "`metric` is %s, and all validation nodes of run %lld are of one class: take another "
                             "`split`, or another metric",
                             gpri_measure_word(metric), (long long)run);
    }
    return GPR_OK;
}

static gpr_status prepare(gpri_experiment *experiment, const gpri_attempt *attempt) {
    gpr_ctx *ctx = experiment->ctx;
    gpri_preparation *prepared = experiment->prepared;
    const gpr_dataset *data = experiment->data;
    const gpr_params *settled = experiment->params;
    gpr_result *result;
    NEED(gpri_processes_read(experiment));
    NEED(gpri_dataset_needs_labels(data)); /* before the features, which can be made from the graph */
    if (data->features.cols == 0)
        return gpri_fail(
            GPR_ERROR_ARGUMENT,
            "%s has no features: a model learns from them; give `features` with a file, or with identity, degree or "
            "spectral:N to make them from the graph",
            data->name);
    NEED(gpri_target_tells(&data->target, data->graph.nodes, data->name));
    NEED(gpri_model_fits(ctx, experiment->params, data,
                         experiment->runs < ctx->threads ? experiment->runs : ctx->threads, experiment->runs));
    if (!experiment->again) NEED(gpri_dataset_warn(ctx, NULL, data));
    if (!experiment->again && !attempt->directions && gpri_params_is(settled, GPRI_DIRECTION_UNDIRECTED))
        gpri_dataset_say_directions(ctx, data, gpri_params_applies(settled, GPRI_PARAM_DIRECTION));
    NEED(gpri_calloc(ctx, &experiment->result, 1, sizeof *experiment->result, "result"));
    result = experiment->result;
    result->ctx = ctx;
    result->lock = (gpri_lock)GPRI_LOCK_READY;
    result->trial = attempt->trial;
    if (attempt->made) result->choice = *attempt->made;
    NEED(gpri_params_copy(ctx, &result->params, experiment->params));
    result->given = experiment->options.splits || experiment->saved.given;
    if (result->given) NEED(note_splits(result->params, experiment->runs));
    experiment->params = result->params;
    NEED(gpri_strdup(ctx, &result->dataset, data->name));
    gpri_fingerprint(result->fingerprint, data);
    NEED(gpri_processes_match_input(experiment));
    if (experiment->saved.runs) NEED(gpri_saved_match(&experiment->saved, data, result->fingerprint));
    NEED(gpri_names_clone(ctx, &result->class_names, &data->target.names));
    NEED(gpri_plan_clone(ctx, &result->plan, data->plan));
    NEED(gpri_calloc(ctx, &result->runs, experiment->runs, sizeof *result->runs, "runs"));
    result->count = result->all = experiment->runs;
    result->threads = ctx->threads;
    result->kernels = ctx->job.device->ops->name;
    NEED(gpri_calloc(ctx, &experiment->statuses, experiment->runs, sizeof *experiment->statuses, "runs"));
    NEED(gpri_calloc(ctx, &experiment->messages, experiment->runs, sizeof *experiment->messages, "runs"));
    NEED(gpri_calloc(ctx, &experiment->back, experiment->runs, sizeof *experiment->back, "runs"));
    NEED(gpri_preparation_suit(prepared, settled, experiment->runs, gpri_processes_dealt(experiment)));
    NEED(find_splits(experiment));
    NEED(check_metric(experiment));
    NEED(gpri_preparation_make(prepared));
    result->features = gpri_saved_features(prepared->normalize, &prepared->scaling);
    result->inputs_hash = prepared->inputs_hash;
    if (experiment->saved.runs)
        NEED(gpri_saved_match_features(&experiment->saved, prepared->normalize, &prepared->scaling));
    if (experiment->saved.runs) NEED(gpri_saved_match_inputs(&experiment->saved, result));
    result->relates = prepared->features.relations != NULL;
    if (result->relates) result->found = prepared->features.relations->found;
    return GPR_OK;
}

/* Keeps what is known of the runs that diverged. */
static gpr_status note_failures(gpri_experiment *experiment) {
    gpr_result *result = experiment->result;
    int64_t count = 0, first = -1;
    for (int64_t run = 0; run < experiment->runs; run++) {
        if (experiment->statuses[run] == GPR_OK) continue;
        if (first < 0 || experiment->statuses[first] == GPR_ERROR_NUMERIC)
            first = run; /* another error is told before */
        count++;
    }
    if (count == 0) return GPR_OK;
    if (experiment->statuses[first] != GPR_ERROR_NUMERIC || count == experiment->limit) {
        gpri_fail(experiment->statuses[first], "%s", experiment->messages[first]);
        return experiment->runs > 1 ? gpri_fail_prefix(experiment->statuses[first], "run %lld", (long long)first)
                                    : experiment->statuses[first];
    }
    NEED(gpri_calloc(experiment->ctx, &result->failures, count, sizeof *result->failures, "runs"));
    for (int64_t run = 0; run < experiment->runs; run++) {
        if (experiment->statuses[run] == GPR_OK) continue;
        gpri_failure *failure = &result->failures[result->failed++];
        failure->run = run;
        failure->seed = experiment->seed + (uint64_t)run;
        memcpy(failure->message, experiment->messages[run], sizeof failure->message);
        gpri_log(experiment->ctx, GPR_LOG_WARNING, "run %lld (seed %llu) is left out: %s", (long long)run,
                 (unsigned long long)failure->seed, failure->message);
    }
    return GPR_OK;
}

/* Moves runs that never began (after a stop) or failed behind the others, finds the best, copies its model; the result
   keeps all models. */
static gpr_status gather(gpri_experiment *experiment, gpr_model **model) {
    gpr_result *result = experiment->result;
    const gpri_measure metric = gpri_params_metric(experiment->params);
    int64_t kept = 0;
    NEED(note_failures(experiment));
    for (int64_t run = 0; run < experiment->runs; run++) {
        if (!result->runs[run].model) continue;
        const gpri_run waiting = result->runs[kept];
        result->runs[kept] = result->runs[run];
        if (kept != run) result->runs[run] = waiting;
        if (kept > 0 && gpri_run_better(&result->runs[kept].info, &result->runs[result->best].info, metric))
            result->best = kept;
        kept++;
    }
    result->count = kept;
    if (kept == 0) return gpri_fail(GPR_ERROR_STOPPED, "stopped before a run had a result");
    gpri_outcome_settle(experiment);
    return gpri_model_clone(experiment->ctx, model, result->runs[result->best].model);
}

/* auto: where nodes have no label, which are there to be predicted; but not published data. */
bool gpri_training_refits(const gpr_params *params, const gpr_dataset *data) {
    if (!gpri_params_is(params, GPRI_REFIT_AUTO)) return gpri_params_is(params, GPRI_REFIT_YES);
    if (gpri_is_published(data)) return false;
    return gpri_target_count(&data->target, data->graph.nodes) < data->graph.nodes;
}

/* All that comes before the runs. *settled: the options, the caller's to free. */
static gpr_status make_ready(gpri_experiment *experiment, gpr_params **settled, int64_t asked, int64_t *at_once,
                             const gpri_attempt *attempt) {
    gpr_ctx *ctx = experiment->ctx;
    const gpr_train_options *options = &experiment->options;
    NEED(gpri_params_copy(ctx, settled, experiment->params));
    if (!options->splits || !experiment->data->own_split.timed) NEED(gpri_split_settle(*settled, experiment->data));
    experiment->params = *settled;
    /* `split` plays no part where splits are given */
    NEED(options->splits ? gpri_params_check_model(experiment->params) : gpr_params_check(experiment->params));
    if (options->state_count > 0) {
        NEED(gpri_saved_open(ctx, &experiment->saved, options->states, options->state_count, experiment->params,
                             attempt->trial && attempt->trial->longer ? GPRI_SAVED_LONGER
                             : attempt->trial || attempt->made        ? GPRI_SAVED_CANDIDATE
                                                                      : GPRI_SAVED_RUN));
        if (options->splits && (experiment->saved.count != asked || !experiment->saved.given))
            return gpri_fail(GPR_ERROR_MISMATCH, "the state is of %lld runs on %s splits, and %lld splits are given",
                             (long long)experiment->saved.count, experiment->saved.given ? "given" : "drawn",
                             (long long)asked);
        experiment->runs = experiment->saved.count;
    }
    experiment->limit = attempt->trial ? 1 : experiment->runs;
    experiment->before = attempt->started > 0 ? attempt->before : experiment->saved.seconds;
    NEED(gpri_labelled_check(ctx, experiment->params));
    NEED(gpri_boosting_check(ctx, experiment->params));
    NEED(gpri_processes_begin(experiment));
    experiment->threads_per_run = gpri_processes_runs(experiment) > 1 ? 1 : ctx->threads;
    NEED(prepare(experiment, attempt));
    NEED(gpri_gather_begin(experiment));
    NEED(gpri_experiment_need(experiment, at_once));
    *at_once = least(*at_once, gpri_processes_runs(experiment));
    return GPR_OK;
}

/* What was chosen for the data of a user, everyone should see once; and nothing before it is sure that it can begin. */
static void say_chosen(const gpri_experiment *experiment, const char *choice) {
    const bool named = !gpri_params_is(experiment->params, GPRI_NORMALIZE_AUTO);
    const bool plain = named || experiment->again || experiment->hook || gpri_is_published(experiment->data);
    if (choice && !experiment->again) gpri_log(experiment->ctx, GPR_LOG_NOTICE, "%s", choice);
    gpri_log(experiment->ctx, plain ? GPR_LOG_INFO : GPR_LOG_NOTICE, "features: %s%s", experiment->prepared->scale,
             named ? "" : " (`normalize` auto)");
}

gpr_status gpri_training(gpri_preparation *prepared, gpr_model **model, gpr_result **result, const gpr_params *params,
                         const gpr_train_options *options, const gpri_attempt *attempt) {
    gpr_ctx *ctx = prepared->ctx;
    const gpr_dataset *data = prepared->data;
    gpr_status status = GPR_OK;
    gpr_params *settled = NULL;
    int64_t at_once;
    const int64_t asked = options->splits ? options->split_count : gpri_params_int(params, GPRI_PARAM_RUNS);
    gpri_experiment experiment = {.ctx = ctx,
                                  .data = data,
                                  .prepared = prepared,
                                  .params = params,
                                  .options = *options,
                                  .again = attempt->again,
                                  .seed = (uint64_t)gpri_params_int(params, GPRI_PARAM_SEED),
                                  .first = attempt->first,
                                  .runs = asked,
                                  .epochs = gpri_params_int(params, GPRI_PARAM_EPOCHS),
                                  .started = attempt->started > 0 ? attempt->started : gpri_seconds_now(),
                                  .lock = GPRI_LOCK_READY,
                                  .saving = GPRI_LOCK_READY,
                                  .hook = attempt->hook};
    TRY(gpri_all_well(ctx, make_ready(&experiment, &settled, asked, &at_once, attempt)));
    TRY(gpri_processes_match(&experiment));
    experiment.refits = !attempt->hook && gpri_training_refits(experiment.params, data);
    say_chosen(&experiment, attempt->notice);
    const int teams = (int)least(at_once, ctx->threads);
    experiment.lanes = lanes_of(&experiment, teams, at_once);
    gpri_parallel(ctx, teams, teams, train_team, &experiment);
    TRY(gpri_processes_collect(&experiment));
    TRY(gpri_dataset_unchanged(ctx, data, true)); /* what a run failed from, too */
    TRY(gather(&experiment, model));
    if (!attempt->trial) gpri_result_warn(experiment.result);
    if (!attempt->hook && !experiment.stopped)
        TRY(gpri_experiment_worth(&experiment, *model)); /* a trial may be the result */
    if (experiment.refits && !attempt->trial && !experiment.stopped) TRY(gpri_experiment_refit(&experiment, model));
    experiment.result->weights = gpri_model_checksum(*model);
    TRY(gpri_gather_make(&experiment));
    experiment.result->seconds = gpri_experiment_seconds(&experiment);
    experiment.result->stopped = experiment.stopped;
    if (experiment.stopped) status = gpri_fail(GPR_STOPPED, "stopped by the caller");
    else if (experiment.result->failed)
        status = gpri_fail(GPR_PARTIAL, "%lld of %lld runs failed; the first, run %lld: %s",
                           (long long)experiment.result->failed, (long long)experiment.runs,
                           (long long)experiment.result->failures[0].run, experiment.result->failures[0].message);
    *result = experiment.result;
    experiment.result = NULL;
done:
    gpri_processes_end(&experiment);
    gpr_params_free(settled);
    gpri_free_all(ctx, experiment.statuses, experiment.messages, experiment.back);
    gpri_saved_close(&experiment.saved);
    gpri_gathered_free(ctx, experiment.gathered);
    gpr_result_free(experiment.result);
    if (status < 0) {
        gpr_model_free(*model);
        *model = NULL;
    }
    return status;
}

/* What can be said of options without the data. */
gpr_status gpr_params_check(const gpr_params *params) {
    if (!params) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_params_check: a NULL argument");
    gpr_status status = gpri_params_check_model(params);
    if (status == GPR_OK) status = gpri_split_check(gpri_params_text(params, GPRI_PARAM_SPLIT));
    gpri_order_wish wish;
    if (status == GPR_OK) status = gpri_order_parse(&wish, gpri_params_text(params, GPRI_PARAM_REORDER));
    return gpri_finish(status);
}
