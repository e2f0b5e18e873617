/* gpr_train, gpr_train_splits, gpr_train_resume: one or many runs, each with its own split and initial weights. Runs are
 * independent: several runs use one core each, a single run uses all. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/struct.h"
#include "data/describe.h"
#include "file/checksum.h"
#include "io/split.h"
#include "model/model.h"
#include "tensor/prepare.h"
#include "train/choice/choose.h"
#include "train/experiment.h"
#include "train/processes/processes.h"
#include "train/weigh.h"

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Runs that one thread trains at a time, if `teams` threads share them. at_once: that there is memory for. */
static int64_t lanes_of(const gpri_experiment *all, int64_t teams, int64_t at_once) {
    const int64_t most = least(all->ctx->device->lanes, at_once / teams), each = gpri_chunk_count(all->runs, teams);
    return most > 1 && each > 1 ? least(each, most) : 1;
}

static void train_team(void *arg, int64_t number, int slot) {
    gpri_experiment *all = arg;
    (void)number, (void)slot;
    gpri_experiment_team(all, all->lanes);
}

/* Built again from its parts: it may come from other data, with other labels. */
static gpr_status copy_split(gpri_experiment *all, gpr_split **out, int64_t run) {
    const gpr_split *given = all->options.splits[run];
    if (!given) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_train_splits: splits[%lld] is NULL", (long long)run);
    gpr_status status =
        gpri_split_of_parts(all->ctx, out, all->data, given->part, given->nodes, run == 0 && !all->again);
    return status < 0 && all->runs > 1 ? gpri_fail_prefix(status, "run %lld", (long long)run) : status;
}

/* Sets the options `runs` and `split` of a training on given splits. */
static gpr_status note_splits(gpr_params *params, int64_t runs) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)runs);
    gpr_status status = gpri_params_set_from(params, GPRI_FROM_FLAG, "runs", text);
    return status == GPR_OK ? gpri_params_set_from(params, GPRI_FROM_FLAG, "split", "given") : status;
}

/* Splits are drawn before the runs begin, with warnings for the first one only. */
static gpr_status draw_splits(gpri_experiment *all) {
    gpr_ctx *ctx = all->ctx;
    const char *spec = gpri_params_text(all->params, GPRI_PARAM_SPLIT);
    const unsigned care = gpri_split_care(all->params, all->data);
    gpr_status status = GPR_OK;
    if (all->runs > 1 && !all->result->given && gpri_split_is_fixed(spec))
        gpri_log(ctx, GPR_LOG_WARNING,
                 "split: all %lld runs have the same split (%s): they differ in their seeds only, and so their spread "
                 "does not tell how much the choice of the nodes matters",
                 (long long)all->runs, spec);
    for (int64_t run = 0; run < all->runs; run++) {
        gpr_split **split = &all->result->runs[run].split;
        all->result->runs[run].number = run;
        if (all->saved.runs) TRY(gpri_saved_split(&all->saved, split, all->data, run));
        if (*split) { /* the state has it */
        } else if (all->options.splits) {
            TRY(copy_split(all, split, run));
        } else if (all->saved.given) {
            THROW(GPR_ERROR_MISMATCH, "the state lacks the split of run %lld, which was given: give the splits again",
                  (long long)run);
        } else {
            TRY(gpri_split_make(ctx, split, all->data, spec, all->seed - (uint64_t)all->first, all->first + run,
                                care | (run == 0 && !all->again ? GPRI_SPLIT_WARN : 0)));
        }
        all->result->splits_hash = all->result->splits_hash * 0x100000001b3u ^ gpri_split_hash(*split);
    }
done:
    return status;
}

/* That the metric of the validation nodes is a number in every run. */
static gpr_status check_metric(const gpri_experiment *all) {
    const gpri_goal metric = gpri_params_metric(all->params);
    if (metric != GPRI_GOAL_ROC_AUC && metric != GPRI_GOAL_AVERAGE_PRECISION) return GPR_OK;
    for (int64_t run = 0; run < all->runs; run++) {
        const gpr_split *split = all->result->runs[run].split;
        int64_t present = 0;
        for (int64_t c = 0; c < all->data->classes; c++) present += gpr_split_count(split, GPR_VAL, c) > 0;
        if (present == 1)
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "`metric` is %s, and all validation nodes of run %lld are of one class: take another "
                             "`split`, or another metric",
                             gpri_metric_word(metric), (long long)run);
    }
    return GPR_OK;
}

/* What `order` filter-first trains on. table: the features, not scaled. */
static gpr_status make_rows(gpri_experiment *all, const gpri_feature_matrix *table) {
    const gpri_labelled_source source = {.data = all->data,
                                         .table = table,
                                         .scaling = &all->scaling,
                                         .normalize = all->normalize,
                                         .params = all->params};
    const gpr_split **splits = NULL;
    gpr_status status = gpri_alloc(all->ctx, &splits, all->runs, sizeof(gpr_split *), "splits");
    for (int64_t run = 0; status == GPR_OK && run < all->runs; run++) splits[run] = all->result->runs[run].split;
    if (status == GPR_OK) status = gpri_labelled_new(all->ctx, &all->rows, &source, splits, all->runs);
    gpri_free(all->ctx, splits);
    return status;
}

/* The data in the order that the option `reorder` asks for. The splits are drawn before, so they have the same nodes.
 */
static gpr_status reorder(gpri_experiment *all) {
    gpr_status status = GPR_OK;
    gpri_order_wish wish;
    TRY(gpri_order_parse(&wish, gpri_params_text(all->params, GPRI_PARAM_REORDER)));
    if (wish.method == GPRI_ORDER_NONE) goto done;
    if (gpri_spreads_rows(all->ctx) || gpri_model_filter_first(all->params)) {
        if (wish.method == GPRI_ORDER_AUTO) goto done;
        THROW(GPR_ERROR_ARGUMENT,
              "`reorder` takes a copy of the data, which %s shall not need: convert the data to a .gpr file with "
              "`reorder`, and train on that",
              gpri_spreads_rows(all->ctx) ? "a process of several" : "`order` filter-first");
    }
    TRY(gpri_order_find(all->ctx, &all->order, &all->data->graph, wish));
    if (all->order) TRY(gpri_dataset_reorder_numbers(all->ctx, &all->ordered, all->data, all->order));
done:
    return status;
}

/* Divides rows by their sums, standardises columns, or does neither. */
static gpr_status prepare_features(gpri_experiment *all) {
    gpr_status status = GPR_OK;
    const char *rule = gpri_params_text(all->params, GPRI_PARAM_NORMALIZE);
    const gpri_feature_matrix *table = &gpri_experiment_data(all)->features;
    if (strcmp(rule, "column") == 0 || (strcmp(rule, "auto") == 0 && all->data->mixed_columns)) {
        gpri_log(all->ctx, GPR_LOG_INFO, "features: columns scaled to mean 0 and standard deviation 1");
        if (gpri_processes_has_part(all) && table->dense) {
            TRY(gpri_scaling_together(all->ctx, &all->scaling, &all->scaled, table, gpri_processes_rows(all)));
        } else {
            TRY(gpri_scaling_measure(all->ctx, &all->scaling, table));
            if (!gpri_model_filter_first(all->params)) /* which scales what it reads, and needs no copy */
                TRY(gpri_scaling_apply(all->ctx, &all->scaled, table, &all->scaling));
        }
        if (!gpri_model_filter_first(all->params)) table = &all->scaled;
    } else {
        const bool own = gpri_features_normalized_by(table, rule, gpri_processes_rows(all));
        TRY(gpri_group_all_well(all->ctx->group, GPR_OK)); /* a process that has failed is there */
        all->normalize = gpri_group_most(all->ctx->group, !own) == 0;
        gpri_log(all->ctx, GPR_LOG_INFO, "features: rows %s",
                 all->normalize ? "divided by their sums" : "left as they are");
    }
    all->result->features = gpri_saved_features(all->normalize, &all->scaling);
    if (gpri_model_filter_first(all->params)) return make_rows(all, table);
    TRY(gpri_features_prepare_rows(all->ctx, &all->features, table, gpri_processes_rows(all), all->normalize, true));
done:
    return status;
}

/* Of what files of options may give: the initial filter, the neighbours in the latent space, weights of the loss. */
static gpr_status hash_inputs(gpri_experiment *all) {
    const int64_t hops = gpri_params_int(all->params, GPRI_PARAM_K) + 1;
    const gpri_relations *relations = all->features.relations;
    double *gamma = NULL, *weights = NULL;
    uint32_t sum = 0;
    const char *filter = gpri_model_filter(all->params);
    gpr_status status = GPR_OK;
    if (filter && strncmp(filter, "file:", 5) == 0)
        status = gpri_gamma_initial(all->ctx, &gamma, all->params, all->seed);
    if (gamma) sum = gpri_checksum(sum, gamma, hops * (int64_t)sizeof *gamma);
    gpri_free(all->ctx, gamma);
    if (status == GPR_OK) status = gpri_class_weight_file(all->ctx, &weights, all->data, all->params);
    if (weights) sum = gpri_checksum(sum, weights, all->data->classes * (int64_t)sizeof *weights);
    gpri_free(all->ctx, weights);
    if (all->data->node_weights && strcmp(gpri_params_text(all->params, GPRI_PARAM_SAMPLE_WEIGHT), "none") != 0)
        sum = gpri_checksum(sum, all->data->node_weights,
                            all->data->graph.nodes * (int64_t)sizeof *all->data->node_weights);
    for (int i = 0; relations && i < GPRI_DIVISIONS; i++) {
        const gpri_graph *from = &relations->from[i];
        if (from->rowptr) sum = gpri_checksum(sum, from->rowptr, (from->nodes + 1) * (int64_t)sizeof *from->rowptr);
        if (from->column) sum = gpri_checksum(sum, from->column, from->arcs * (int64_t)sizeof *from->column);
    }
    all->result->inputs_hash = sum;
    return status;
}

static gpr_status prepare(gpri_experiment *all) {
    gpr_ctx *ctx = all->ctx;
    const gpr_dataset *data = all->data;
    gpr_status status = GPR_OK;
    gpr_result *result;
    TRY(gpri_processes_read(all));
    TRY(gpri_dataset_needs_labels(data)); /* before the features, which can be made from the graph */
    if (data->features.cols == 0)
        THROW(GPR_ERROR_ARGUMENT,
              "%s has no features: a model learns from them; give `features` with a file, or with identity, degree or "
              "spectral:N to make them from the graph",
              data->name);
    if (data->classes < 2)
        THROW(GPR_ERROR_ARGUMENT, "%s has only one class: there is nothing to tell apart", data->name);
    TRY(gpri_model_fits(ctx, all->params, data, all->runs < ctx->threads ? all->runs : ctx->threads, all->runs));
    if (!all->again) TRY(gpri_dataset_warn(ctx, data));
    TRY(gpri_calloc(ctx, &all->result, 1, sizeof *all->result, "result"));
    result = all->result;
    result->ctx = ctx;
    result->lock = (gpri_lock)GPRI_LOCK_READY;
    TRY(gpri_params_copy(ctx, &result->params, all->params));
    result->given = all->options.splits || all->saved.given;
    if (result->given) TRY(note_splits(result->params, all->runs));
    all->params = result->params;
    TRY(gpri_strdup(ctx, &result->dataset, data->name));
    gpri_fingerprint(result->fingerprint, data);
    TRY(gpri_processes_match_input(all));
    if (all->saved.runs) TRY(gpri_saved_match(&all->saved, data, result->fingerprint));
    TRY(gpri_names_clone(ctx, &result->class_names, &data->class_names));
    TRY(gpri_plan_clone(ctx, &result->plan, data->plan));
    TRY(gpri_calloc(ctx, &result->runs, all->runs, sizeof *result->runs, "runs"));
    result->count = result->all = all->runs;
    result->threads = ctx->threads;
    result->kernels = ctx->device->ops->name;
    TRY(gpri_calloc(ctx, &all->statuses, all->runs, sizeof *all->statuses, "runs"));
    TRY(gpri_calloc(ctx, &all->messages, all->runs, sizeof *all->messages, "runs"));
    TRY(gpri_calloc(ctx, &all->back, all->runs, sizeof *all->back, "runs"));
    TRY(draw_splits(all));
    TRY(check_metric(all));
    TRY(reorder(all));
    TRY(prepare_features(all));
    if (all->saved.runs) TRY(gpri_saved_match_features(&all->saved, all->normalize, &all->scaling));
    if (!all->rows) TRY(gpri_model_prepare(ctx, &all->features, all->params, &gpri_experiment_data(all)->graph));
    TRY(hash_inputs(all));
    if (all->saved.runs) TRY(gpri_saved_match_inputs(&all->saved, result));
    result->relates = all->features.relations != NULL;
    if (result->relates) result->found = all->features.relations->found;
done:
    return status;
}

/* Keeps what is known of the runs that diverged. */
static gpr_status note_failures(gpri_experiment *all) {
    gpr_result *result = all->result;
    gpr_status status = GPR_OK;
    int64_t count = 0, first = -1;
    for (int64_t run = 0; run < all->runs; run++) {
        if (all->statuses[run] == GPR_OK) continue;
        if (first < 0 || all->statuses[first] == GPR_ERROR_NUMERIC) first = run; /* another error is told before */
        count++;
    }
    if (count == 0) return GPR_OK;
    if (all->statuses[first] != GPR_ERROR_NUMERIC || count == all->runs) {
        gpri_fail(all->statuses[first], "%s", all->messages[first]);
        return all->runs > 1 ? gpri_fail_prefix(all->statuses[first], "run %lld", (long long)first)
                             : all->statuses[first];
    }
    TRY(gpri_calloc(all->ctx, &result->failures, count, sizeof *result->failures, "runs"));
    for (int64_t run = 0; run < all->runs; run++) {
        if (all->statuses[run] == GPR_OK) continue;
        gpri_failure *failure = &result->failures[result->failed++];
        failure->run = run;
        failure->seed = all->seed + (uint64_t)run;
        memcpy(failure->message, all->messages[run], sizeof failure->message);
        gpri_log(all->ctx, GPR_LOG_WARNING, "run %lld (seed %llu) is left out: %s", (long long)run,
                 (unsigned long long)failure->seed, failure->message);
    }
done:
    return status;
}

/* Moves runs that never began (after a stop) or failed behind the others, finds the best, copies its model; the result
   keeps all models. */
static gpr_status gather(gpri_experiment *all, gpr_model **model) {
    gpr_result *result = all->result;
    const gpri_goal metric = gpri_params_metric(all->params);
    int64_t kept = 0;
    gpr_status status = note_failures(all);
    if (status != GPR_OK) return status;
    for (int64_t run = 0; run < all->runs; run++) {
        if (!result->runs[run].model) continue;
        const gpri_run waiting = result->runs[kept];
        result->runs[kept] = result->runs[run];
        if (kept != run) result->runs[run] = waiting;
        if (result->runs[kept].warning)
            gpri_log(all->ctx, GPR_LOG_WARNING, "run %lld: %s", (long long)run, result->runs[kept].warning);
        if (result->runs[kept].uncalibrated)
            gpri_log(all->ctx, GPR_LOG_WARNING, "run %lld: `calibrate` did nothing: %s", (long long)run,
                     result->runs[kept].uncalibrated);
        if (kept > 0 && gpri_run_better(&result->runs[kept].info, &result->runs[result->best].info, metric))
            result->best = kept;
        kept++;
    }
    result->count = kept;
    if (kept == 0) return gpri_fail(GPR_ERROR_STOPPED, "stopped before a run had a result");
    return gpri_model_clone(all->ctx, model, result->runs[result->best].model);
}

/* By the option `refit`. auto: for tables with nodes without a label, which are there to be predicted. */
static bool refits(const gpr_params *params, const gpr_dataset *data) {
    const char *word = gpri_params_text(params, GPRI_PARAM_REFIT);
    if (strcmp(word, "auto") != 0) return strcmp(word, "yes") == 0;
    for (int64_t i = 0; data->from_table && i < data->graph.nodes; i++)
        if (data->labels[i] < 0) return true;
    return false;
}

/* All that comes before the runs. *settled: the options, the caller's to free. */
static gpr_status make_ready(gpri_experiment *all, gpr_params **settled, int64_t asked, int64_t *at_once) {
    gpr_ctx *ctx = all->ctx;
    const gpr_train_options *options = &all->options;
    gpr_status status = GPR_OK;
    TRY(gpri_params_copy(ctx, settled, all->params));
    TRY(gpri_split_settle(*settled, all->data));
    all->params = *settled;
    /* `split` plays no part where splits are given */
    TRY(options->splits ? gpri_params_check_model(all->params) : gpr_params_check(all->params));
    if (options->state_count > 0) {
        TRY(gpri_saved_open(ctx, &all->saved, options->states, options->state_count, all->params));
        if (options->splits && (all->saved.count != asked || !all->saved.given))
            THROW(GPR_ERROR_MISMATCH, "the state is of %lld runs on %s splits, and %lld splits are given",
                  (long long)all->saved.count, all->saved.given ? "given" : "drawn", (long long)asked);
        all->runs = all->saved.count;
    }
    TRY(gpri_labelled_check(ctx, all->params));
    TRY(gpri_model_check_state(ctx, all->params));
    TRY(gpri_processes_begin(all));
    all->threads_per_run = gpri_processes_runs(all) > 1 ? 1 : ctx->threads;
    TRY(prepare(all));
    TRY(gpri_about_begin(all));
    TRY(gpri_experiment_need(all, at_once));
    *at_once = least(*at_once, gpri_processes_runs(all));
done:
    return status;
}

static gpr_status train(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                        const gpr_params *params, const gpr_train_options *options, int64_t first,
                        const gpri_run_hook *hook, const gpri_attempt *attempt) {
    gpr_status status = GPR_OK;
    gpr_params *settled = NULL;
    int64_t at_once;
    const int64_t asked = options->splits ? options->split_count : gpri_params_int(params, GPRI_PARAM_RUNS);
    gpri_experiment all = {.ctx = ctx,
                           .data = data,
                           .params = params,
                           .options = *options,
                           .again = attempt->again,
                           .seed = (uint64_t)gpri_params_int(params, GPRI_PARAM_SEED),
                           .first = first,
                           .runs = asked,
                           .epochs = gpri_params_int(params, GPRI_PARAM_EPOCHS),
                           .started = gpri_seconds_now(),
                           .lock = GPRI_LOCK_READY,
                           .saving = GPRI_LOCK_READY,
                           .hook = hook};
    TRY(gpri_group_all_well(ctx->group, make_ready(&all, &settled, asked, &at_once)));
    TRY(gpri_processes_match(&all));
    const int teams = (int)least(at_once, ctx->threads);
    all.lanes = lanes_of(&all, teams, at_once);
    gpri_parallel(ctx, teams, teams, train_team, &all);
    TRY(gpri_processes_collect(&all));
    TRY(gpri_dataset_unchanged(ctx, data, true)); /* what a run failed from, too */
    TRY(gather(&all, model));
    const bool kept = !attempt->keeps || all.stopped || attempt->keeps(attempt->arg, all.result);
    if (kept && !hook && !all.stopped && refits(all.params, data)) TRY(gpri_experiment_refit(&all, model));
    TRY(gpri_about_make(&all, *model));
    all.result->seconds = gpri_experiment_seconds(&all);
    all.result->stopped = all.stopped;
    if (all.stopped) status = gpri_fail(GPR_STOPPED, "stopped by the caller");
    else if (all.result->failed)
        status =
            gpri_fail(GPR_PARTIAL, "%lld of %lld runs failed; the first, run %lld: %s", (long long)all.result->failed,
                      (long long)all.runs, (long long)all.result->failures[0].run, all.result->failures[0].message);
    *result = all.result;
    all.result = NULL;
done:
    gpri_processes_end(&all);
    gpr_params_free(settled);
    gpri_features_free(ctx, &all.features);
    gpri_labelled_free(all.rows);
    gpri_scaling_free(ctx, &all.scaling);
    gpri_feature_matrix_free(ctx, &all.scaled);
    gpri_free(ctx, all.statuses);
    gpri_free(ctx, all.messages);
    gpri_free(ctx, all.back);
    gpri_saved_close(&all.saved);
    gpri_free(ctx, all.order);
    gpr_dataset_free(all.ordered);
    gpri_about_free(ctx, all.about);
    gpr_result_free(all.result);
    if (status < 0) {
        gpr_model_free(*model);
        *model = NULL;
    }
    return status;
}

static gpr_status train_all(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                            const gpr_params *params, const gpr_train_options *options, const gpri_attempt *attempt) {
    return train(ctx, model, result, data, params, options, 0, NULL, attempt);
}

/* With nothing left to choose. */
static gpr_status train_settled(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                                const gpr_params *params, const gpr_train_options *options, int64_t first,
                                const gpri_run_hook *hook) {
    gpr_params *settled;
    gpr_status status = gpri_choice_settle(ctx, &settled, data, params, options);
    if (status != GPR_OK) return status;
    status = train(ctx, model, result, data, settled, options, first, hook, &(gpri_attempt){.again = false});
    gpr_params_free(settled);
    return status;
}

static gpr_status check_options(const gpr_train_options *options) {
    if (options->splits && options->split_count < 1)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_train: %lld splits: there must be at least one",
                         (long long)options->split_count);
    if (options->state_count < 0 || (options->state_count > 0 && !options->states))
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_train: states are NULL, or less than 0");
    if (!(options->save_every >= 0))
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_train: save_every is %g: it must be 0 or more", options->save_every);
    return GPR_OK;
}

/* Of all public functions: checks the arguments of `call`. */
static gpr_status begin(const char *call, gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                        const gpr_params *params, const gpr_train_options *options) {
    if (model) *model = NULL;
    if (result) *result = NULL;
    if (!ctx || !model || !result || !data || !params)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s: a NULL argument", call);
    gpri_given given;
    gpr_status status = check_options(options);
    if (status != GPR_OK) return gpri_finish(status);
    status = gpri_processes_options(ctx, &given, options);
    options = &given.options;
    if (status == GPR_OK)
        status = gpri_choice_open(data, params, options)
                     ? gpri_choose_and_train(ctx, model, result, data, params, options, train_all)
                     : train_settled(ctx, model, result, data, params, options, 0, NULL);
    gpri_processes_free(ctx, &given);
    return gpri_finish(status);
}

gpr_status gpr_train(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                     const gpr_params *params) {
    return gpri_finish(begin("gpr_train", ctx, model, result, data, params, &(gpr_train_options){.struct_size = 0}));
}

gpr_status gpr_train_splits(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                            const gpr_params *params, const gpr_split *const *splits, int64_t count) {
    const gpr_train_options options = {.splits = splits, .split_count = count};
    return gpri_finish(begin("gpr_train_splits", splits ? ctx : NULL, model, result, data, params, &options));
}

gpr_status gpr_train_resume(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                            const gpr_params *params, const void *state, size_t size) {
    const gpr_state whole = {.bytes = state, .size = size};
    const gpr_train_options options = {.states = &whole, .state_count = 1};
    return gpri_finish(begin("gpr_train_resume", state ? ctx : NULL, model, result, data, params, &options));
}

gpr_status gpr_train_with(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                          const gpr_params *params, const gpr_train_options *options) {
    gpr_train_options given = {.struct_size = sizeof given};
    if (model) *model = NULL;
    if (result) *result = NULL;
    gpr_status status =
        options ? GPRI_STRUCT_IN(&given, options, gpr_train_options, "gpr_train_with", "options") : GPR_OK;
    if (status != GPR_OK) return gpri_finish(status);
    return gpri_finish(begin("gpr_train_with", ctx, model, result, data, params, &given));
}

gpr_status gpri_train_watched(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                              const gpr_params *params, int64_t first, const gpri_run_hook *hook) {
    *model = NULL;
    *result = NULL;
    return train_settled(ctx, model, result, data, params, &(gpr_train_options){.struct_size = 0}, first, hook);
}
