/* Results as JSON. Keys keep the order below; numbers have 15 digits, NaN is null. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/json.h"
#include "baseline/baselines.h"
#include "model/trained/trained.h"
#include "report/report.h"
#include "train/candidates/candidates.h"

/* Times beyond the microsecond are noise. */
static json_t *duration(double value) { return gpri_json_real(round(value * 1e6) / 1e6); }

static json_t *unsigned_integer(uint64_t value) {
    return value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value);
}

static json_t *config_tree(const gpr_params *params) {
    gpri_object config = gpri_object_new();
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) {
        const gpri_param id = (gpri_param)i;
        const gpri_param_row *row = gpri_param_row_of(id);
        if (!gpri_params_applies(params, id)) continue;
        gpri_put(&config, row->word,
                 row->type == GPRI_TYPE_INT    ? json_integer((json_int_t)gpri_params_int(params, id))
                 : row->type == GPRI_TYPE_REAL ? gpri_json_real(gpri_params_real(params, id))
                                               : gpri_json_string(gpri_params_text(params, id)));
    }
    return gpri_object_done(&config);
}

gpr_status gpri_config_json(gpri_text *out, const gpr_params *params, const gpr_dataset *data) {
    gpri_object config = {config_tree(params), true};
    if (data->origin.count > 0) gpri_put(&config, "data", gpri_pairs_json(&data->origin));
    return gpri_json_page(out, gpri_object_done(&config));
}

/* One gamma for all classes: a list; else a list for each k. */
static json_t *gammas_of(const gpri_trained *filter, int term) {
    json_t *list = json_array();
    for (int64_t k = 0; list && k <= filter->form.hops; k++) {
        json_t *each = filter->columns > 1 ? json_array() : list;
        for (int64_t c = 0; each && c < filter->columns; c++)
            each =
                gpri_append(each, gpri_json_real(gpri_shortest_decimal((float)gpri_trained_gamma(filter, term, k, c))));
        list = filter->columns > 1 ? gpri_append(list, each) : each;
    }
    return list;
}

/* Filters that `gamma` does not tell; those of blocks, which are many numbers, of the best run alone. */
static void put_filters(gpri_object *to, const gpri_run *run, bool best) {
    gpri_trained filter, initial;
    char name[GPRI_RELATION_NAME + 1];
    int t;
    if (!run || !run->model || !(run->initial || (best && gpri_trained_blocks(run->model) > 0))) return;
    const int64_t count = gpr_model_filter_count(run->model);
    json_t *list = json_array();
    for (int64_t i = 0; list && i < count && gpri_trained_part(&filter, &t, run->model, i) == GPR_OK; i++) {
        gpri_object part = gpri_object_new();
        initial = filter;
        initial.gamma = run->initial;
        gpri_trained_relation(name, run->model->params, &filter, t);
        if (filter.block > 0) gpri_put_whole(&part, "block", filter.block);
        gpri_put_text(&part, "relation", *name ? name : NULL);
        gpri_put_text(&part, "direction", gpri_trained_direction(&filter, t));
        gpri_put_text(&part, "basis", filter.basis);
        gpri_put(&part, "gamma", gammas_of(&filter, t));
        if (run->initial) gpri_put(&part, "gamma_initial", gammas_of(&initial, t));
        list = gpri_append(list, gpri_object_done(&part));
    }
    gpri_put(to, "filters", list);
}

/* How many nodes of each class a part holds. */
static json_t *count_list(const gpr_split *split, gpr_part part) {
    json_t *list = json_array();
    for (int64_t c = 0; list && c < split->classes; c++)
        list = gpri_append(list, json_integer((json_int_t)gpr_split_count(split, part, c)));
    return list;
}

/* null when the model has no latent space. */
static json_t *embedding_tree(const gpr_result *result) {
    if (!result->relates) return json_null();
    gpri_object tree = gpri_object_new();
    gpri_put_text(&tree, "name", gpri_params_text(result->params, GPRI_PARAM_EMBEDDING));
    gpri_put(&tree, "seconds", duration(result->found.seconds));
    gpri_put_real(&tree, "rho", result->found.radius);
    gpri_put_real(&tree, "latent_neighbours", result->found.latent_mean);
    gpri_put_real(&tree, "graph_neighbours", result->found.graph_mean);
    return gpri_object_done(&tree);
}

static json_t *split_tree(const gpr_result *result, const gpri_run *best) {
    gpri_object split = gpri_object_new();
    gpri_put_text(&split, "spec", gpri_params_text(result->params, GPRI_PARAM_SPLIT));
    if (best && best->split) {
        gpri_put(&split, "train", count_list(best->split, GPR_TRAIN));
        gpri_put(&split, "val", count_list(best->split, GPR_VAL));
        gpri_put(&split, "test", count_list(best->split, GPR_TEST));
    }
    return gpri_object_done(&split);
}

/* As a model file has it. */
static json_t *hash_text(const gpr_split *split) {
    char text[32];
    if (!split) return json_null();
    snprintf(text, sizeof text, "%016" PRIx64, gpri_split_hash(split));
    return json_string(text);
}

static bool of_numbers(const gpr_result *result) { return gpri_params_tell_number(result->params); }

/* All but the accuracy, which is among the other numbers in percent. */
static void put_measures(gpri_object *to, const gpri_run *run, bool number) {
    char key[64];
    for (int part = GPR_TRAIN; part <= GPR_TEST; part++)
        for (int m = GPRI_ACCURACY + 1; m < GPRI_MEASURES; m++) {
            if (!gpri_measure_suits((gpri_measure)m, number)) continue;
            snprintf(key, sizeof key, "%s_%s", gpri_part_word(part), gpri_measure_word((gpri_measure)m));
            gpri_put_real(to, key, run->metrics[part] ? run->metrics[part]->values[m] : NAN);
        }
}

/* NaN: the step was not taken. */
static double strength(double value) { return value > 0 ? gpri_shortest_decimal((float)value) : NAN; }

/* null: not asked for. */
static json_t *smoothing_tree(const gpri_run *run) {
    if (!run || !run->smoothing.asked) return json_null();
    const gpri_smoothing_outcome *found = &run->smoothing;
    gpri_object tree = gpri_object_new();
    gpri_put_real(&tree, "correct", strength(found->how.correct));
    gpri_put_real(&tree, "scale", strength(found->how.scale));
    gpri_put_real(&tree, "smooth", strength(found->how.smooth));
    if (*found->how.relation) gpri_put_text(&tree, "relation", found->how.relation);
    gpri_put_text(&tree, "by", found->goal);
    gpri_put_real(&tree, "before", found->before);
    gpri_put_real(&tree, "after", found->after);
    gpri_put_real(&tree, "val_loss_before", found->val_loss);
    gpri_put_real(&tree, "val_accuracy_before", found->val_accuracy);
    gpri_put_real(&tree, "test_accuracy_before", found->test_accuracy);
    return gpri_object_done(&tree);
}

/* Those of the epochs, which a number has not. */
static void put_accuracies(gpri_object *to, const gpr_run_info *info) {
    gpri_put_real(to, "train_accuracy", info->train_accuracy);
    gpri_put_real(to, "val_accuracy", info->val_accuracy);
    gpri_put_real(to, "test_accuracy", info->test_accuracy);
    gpri_put_real(to, "initial_accuracy", info->initial_accuracy);
}

static json_t *run_tree(const gpri_run *run, bool number) {
    const gpr_run_info *info = &run->info;
    gpri_object tree = gpri_object_new();
    gpri_put(&tree, "seed", unsigned_integer(info->seed));
    gpri_put_whole(&tree, "epochs", info->epochs);
    gpri_put_whole(&tree, "best_epoch", info->best_epoch);
    if (!number) put_accuracies(&tree, info);
    gpri_put_real(&tree, "train_loss", info->train_loss);
    gpri_put_real(&tree, "val_loss", info->val_loss);
    gpri_put_real(&tree, "val_metric", info->val_metric);
    gpri_put_real(&tree, "temperature", info->temperature);
    gpri_put_real(&tree, "calibrated_val_loss", info->calibrated_loss);
    gpri_put(&tree, "ms_per_epoch", duration(info->ms_per_epoch));
    gpri_put(&tree, "seconds", duration(info->seconds));
    gpri_put(&tree, "gamma", gpri_json_floats(run->gamma, info->gamma_count));
    put_filters(&tree, run, false);
    put_measures(&tree, run, number);
    gpri_put(&tree, "smoothing", smoothing_tree(run));
    gpri_put(&tree, "split_hash", hash_text(run->split));
    return gpri_object_done(&tree);
}

static json_t *per_run_list(const gpr_result *result) {
    json_t *list = json_array();
    for (int64_t r = 0; list && r < result->count; r++)
        list = gpri_append(list, run_tree(&result->runs[r], of_numbers(result)));
    return list;
}

/* Of the best run. null: not asked for. */
static json_t *calibration_tree(const gpri_run *best) {
    if (!best || (!best->uncalibrated && !(best->info.temperature > 0))) return json_null();
    gpri_object tree = gpri_object_new();
    gpri_put_real(&tree, "temperature", best->info.temperature);
    gpri_put_real(&tree, "val_loss_before", best->info.val_loss);
    gpri_put_real(&tree, "val_loss_after", best->info.calibrated_loss);
    gpri_put_text(&tree, "skipped", best->uncalibrated);
    return gpri_object_done(&tree);
}

/* null: the model is that of the best run. */
static json_t *refit_tree(const gpr_result *result) {
    if (result->refit_epochs == 0) return json_null();
    gpri_object tree = gpri_object_new();
    gpri_put_whole(&tree, "epochs", result->refit_epochs);
    gpri_put_whole(&tree, "nodes", result->refit_nodes);
    gpri_put_text(&tree, "figures", "of the first training: the refitted model has seen all labelled nodes");
    return gpri_object_done(&tree);
}

/* The runs that came to no result. */
static json_t *failure_list(const gpr_result *result) {
    json_t *list = json_array();
    for (int64_t i = 0; list && i < result->failed; i++) {
        const gpri_failure *failure = &result->failures[i];
        gpri_object tree = gpri_object_new();
        gpri_put_whole(&tree, "run", failure->run);
        gpri_put_whole(&tree, "seed", failure->seed);
        gpri_put_text(&tree, "message", failure->message);
        list = gpri_append(list, gpri_object_done(&tree));
    }
    return list;
}

static void put_mean(gpri_object *to, const char *key, const gpr_result *result, gpri_run_field field) {
    gpri_put_real(to, key, gpri_result_mean(result, field).mean);
}

static json_t *class_list(const gpr_metrics *metrics) {
    json_t *list = json_array();
    for (int64_t c = 0; list && c < metrics->classes; c++) {
        const gpri_class_measures *measures = &metrics->of_class[c];
        gpri_object tree = gpri_object_new();
        gpri_put_whole(&tree, "nodes", measures->nodes);
        gpri_put_whole(&tree, "predicted", measures->predicted);
        gpri_put_real(&tree, "precision", measures->precision);
        gpri_put_real(&tree, "recall", measures->recall);
        gpri_put_real(&tree, "f1", measures->f1);
        gpri_put_real(&tree, "roc_auc", measures->roc_auc);
        gpri_put_real(&tree, "average_precision", measures->average_precision);
        list = gpri_append(list, gpri_object_done(&tree));
    }
    return list;
}

/* One list per true class; null when there are too many classes. */
static json_t *confusion_list(const gpr_metrics *metrics) {
    if (!metrics->confusion) return json_null();
    json_t *list = json_array();
    for (int64_t i = 0; list && i < metrics->classes; i++) {
        json_t *row = json_array();
        for (int64_t j = 0; row && j < metrics->classes; j++)
            row = gpri_append(row, json_integer((json_int_t)metrics->confusion[i * metrics->classes + j]));
        list = gpri_append(list, row);
    }
    return list;
}

/* On one part: means over the runs, and the classes of the best run. null when it has no nodes. */
static json_t *part_tree(const gpr_result *result, gpr_part part) {
    const gpr_metrics *best = result->count > 0 ? result->runs[result->best].metrics[part] : NULL;
    if (!best) return json_null();
    gpri_object tree = gpri_object_new(), ci95 = gpri_object_new();
    gpri_put_whole(&tree, "nodes", best->nodes);
    if (!of_numbers(result))
        gpri_put(&tree, "positive_class", best->positive < 0 ? json_null() : json_integer((json_int_t)best->positive));
    for (int m = 0; m < GPRI_MEASURES; m++) {
        if (!gpri_measure_suits((gpri_measure)m, of_numbers(result))) continue;
        const gpri_mean found = gpri_measure_mean(result, part, (gpri_measure)m);
        gpri_put_real(&tree, gpri_measure_word((gpri_measure)m), found.mean);
        gpri_put_real(&ci95, gpri_measure_word((gpri_measure)m), found.ci95);
    }
    gpri_put(&tree, "ci95", gpri_object_done(&ci95));
    if (!of_numbers(result)) {
        gpri_put(&tree, "per_class", class_list(best));
        gpri_put(&tree, "confusion", confusion_list(best));
    }
    return gpri_object_done(&tree);
}

static json_t *metrics_tree(const gpr_result *result) {
    gpri_object tree = gpri_object_new();
    for (int part = GPR_TRAIN; part <= GPR_TEST; part++)
        gpri_put(&tree, gpri_part_word(part), part_tree(result, (gpr_part)part));
    return gpri_object_done(&tree);
}

/* On the test nodes, means over the runs; null when they were not computed. */
static json_t *importance_tree(const gpri_kept_importance *found) {
    gpri_object tree = gpri_object_new();
    json_t *list = json_array();
    gpri_put_whole(&tree, "nodes", found->info.nodes);
    gpri_put_real(&tree, "accuracy", found->info.accuracy);
    gpri_put_real(&tree, "log_loss", found->info.loss);
    gpri_put_whole(&tree, "repeats", found->info.repeats);
    for (int64_t i = 0; list && i < found->info.tried; i++) {
        const gpr_important_column *column = &found->columns[i];
        gpri_object each = gpri_object_new();
        gpri_put(&each, "column", column->name ? gpri_json_string(column->name) : json_null());
        gpri_put_whole(&each, "feature", column->feature);
        gpri_put_real(&each, "accuracy_drop", column->accuracy_drop);
        gpri_put_real(&each, "accuracy_drop_ci95", column->accuracy_drop_ci95);
        gpri_put_real(&each, "loss_rise", column->loss_rise);
        gpri_put_real(&each, "loss_rise_ci95", column->loss_rise_ci95);
        list = gpri_append(list, gpri_object_done(&each));
    }
    gpri_put(&tree, "columns", list);
    return gpri_object_done(&tree);
}

static json_t *baselines_tree(const gpr_result *result) {
    if (result->count == 0 || !result->runs[0].baselines[GPRI_MAJORITY]) return json_null();
    gpri_object tree = gpri_object_new();
    for (int b = 0; b < GPRI_BASELINES; b++) {
        gpri_object entry = gpri_object_new();
        for (int m = 0; m < GPRI_MEASURES; m++)
            if (gpri_measure_suits((gpri_measure)m, of_numbers(result)))
                gpri_put_real(&entry, gpri_measure_word((gpri_measure)m),
                              gpri_baseline_mean(result, b, (gpri_measure)m).mean);
        const bool mean = of_numbers(result) && b == GPRI_MAJORITY;
        gpri_put(&tree, mean ? "mean" : gpr_baseline_word(b), gpri_object_done(&entry));
    }
    return gpri_object_done(&tree);
}

static json_t *caution_list(const gpr_result *result) {
    json_t *list = json_array();
    for (int64_t i = 0; list && i < result->caution_count; i++)
        list = gpri_append(list, gpri_json_string(result->cautions[i]));
    return list;
}

/* A whole number for one run, the mean for several. */
static json_t *epoch_number(const gpr_result *result, gpri_run_field field) {
    double value = gpri_result_mean(result, field).mean;
    return result->count == 1 ? json_integer((json_int_t)value) : gpri_json_real(value);
}

/* [low, high]; null for fewer than two runs. */
static json_t *interval(gpri_interval range) {
    if (isnan(range.low) || isnan(range.high)) return json_null();
    return gpri_reals((const double[]){range.low, range.high}, 2);
}

/* The intervals of the test accuracy, beside Student's. */
typedef struct {
    gpri_interval normal, bootstrap;
} intervals;

static gpr_status find_intervals(intervals *out, const gpr_result *result) {
    gpr_status status = GPR_OK;
    double *values = NULL;
    int64_t count;
    TRY(gpri_result_values(result->ctx, &values, &count, result, GPRI_FIELD_TEST));
    const gpri_mean mean = gpri_mean_of(values, count);
    out->normal = gpri_normal_interval(&mean, count);
    TRY(gpri_bootstrap(result->ctx, &out->bootstrap, values, count));
done:
    gpri_free(result->ctx, values);
    return status;
}

/* What was planned, and whether the clock ended it. */
static void put_plan(gpri_object *tree, const gpri_choice *choice) {
    const gpri_choice_plan *plan = &choice->plan;
    json_t *left_out = json_array();
    gpri_put_whole(tree, "epochs", choice->until[choice->taken]);
    gpri_put(tree, "budget", plan->budget > 0 ? gpri_json_real(plan->budget) : json_null());
    gpri_put(tree, "estimated_seconds", duration(plan->seconds));
    for (int i = 0; i < plan->left_out_count; i++)
        left_out = gpri_append(left_out, gpri_json_string(gpri_candidates[plan->left_out[i]].word));
    gpri_put(tree, "left_out", left_out);
    gpri_put(tree, "budget_cut", json_boolean(choice->cut));
}

static json_t *choice_tree(const gpri_choice *choice) {
    gpri_object tree = gpri_object_new();
    json_t *list = json_array();
    gpri_put_text(&tree, "chosen", choice->names[choice->taken]);
    gpri_put_text(&tree, "measure", choice->measure);
    for (int i = 0; i < choice->count; i++) {
        gpri_object entry = gpri_object_new();
        gpri_put_text(&entry, "candidate", choice->names[i]);
        if (choice->plan.models) gpri_put_text(&entry, "model", gpri_candidate_model(choice->names[i]));
        gpri_put_real(&entry, "validation", choice->scores[i]);
        if (choice->plan.models) gpri_put_whole(&entry, "epochs", choice->epochs[i]);
        list = gpri_append(list, gpri_object_done(&entry));
    }
    gpri_put(&tree, "candidates", list);
    if (choice->plan.models) put_plan(&tree, choice);
    return gpri_object_done(&tree);
}

/* The metric to judge the result by, on the test nodes, as a share: mean over the runs. */
static json_t *headline_tree(const gpr_result *result) {
    const gpri_measure which = gpri_headline_measure(result);
    const gpri_mean found = gpri_measure_mean(result, GPR_TEST, which);
    gpri_object tree = gpri_object_new();
    gpri_put_text(&tree, "metric", gpri_measure_word(which));
    gpri_put_real(&tree, "value", found.mean);
    gpri_put_real(&tree, "ci95", found.ci95);
    if (!of_numbers(result)) gpri_put_real(&tree, "largest_class", gpri_largest_class(result));
    return gpri_object_done(&tree);
}

/* In percent. */
static void put_mean_accuracies(gpri_object *to, const gpr_result *result, const intervals *of_test) {
    const gpri_mean test = gpri_result_mean(result, GPRI_FIELD_TEST);
    put_mean(to, "train_accuracy", result, GPRI_FIELD_TRAIN);
    put_mean(to, "val_accuracy", result, GPRI_FIELD_VAL);
    gpri_put_real(to, "test_accuracy", test.mean);
    gpri_put_real(to, "ci95", test.ci95);
    gpri_put_real(to, "sd", test.sd);
    gpri_put(to, "ci95_normal", interval(of_test->normal));
    gpri_put(to, "ci95_bootstrap", interval(of_test->bootstrap));
    put_mean(to, "initial_accuracy", result, GPRI_FIELD_INITIAL);
}

/* Of the test nodes: r2, rmse and mae; and the interval of the first. */
static void put_errors(gpri_object *to, const gpr_result *result) {
    const gpri_mean r2 = gpri_measure_mean(result, GPR_TEST, GPRI_R2);
    gpri_put_text(to, "task", "number");
    gpri_put_real(to, "r2", r2.mean);
    gpri_put_real(to, "rmse", gpri_measure_mean(result, GPR_TEST, GPRI_RMSE).mean);
    gpri_put_real(to, "mae", gpri_measure_mean(result, GPR_TEST, GPRI_MAE).mean);
    gpri_put_real(to, "ci95", r2.ci95);
    gpri_put_real(to, "sd", r2.sd);
}

static json_t *result_tree(const gpr_result *result, const intervals *of_test) {
    const gpri_run *best = result->count > 0 ? &result->runs[result->best] : NULL;
    gpri_object tree = gpri_object_new();
    gpri_put_text(&tree, "model", gpri_params_text(result->params, GPRI_PARAM_MODEL));
    gpri_put_text(&tree, "dataset", result->dataset);
    gpri_put(&tree, "fingerprint", result->fingerprint[0] ? gpri_json_string(result->fingerprint) : json_null());
    gpri_put_whole(&tree, "seed", gpri_params_int(result->params, GPRI_PARAM_SEED));
    gpri_put_whole(&tree, "runs", result->count);
    gpri_put_whole(&tree, "best_run", result->best);
    gpri_put(&tree, "headline", headline_tree(result));
    gpri_put(&tree, "epochs", epoch_number(result, GPRI_FIELD_EPOCHS));
    gpri_put(&tree, "best_epoch", epoch_number(result, GPRI_FIELD_BEST_EPOCH));
    if (of_numbers(result)) put_errors(&tree, result);
    else put_mean_accuracies(&tree, result, of_test);
    put_mean(&tree, "train_loss", result, GPRI_FIELD_TRAIN_LOSS);
    put_mean(&tree, "val_loss", result, GPRI_FIELD_VAL_LOSS);
    gpri_put_text(&tree, "metric", gpri_measure_choice(gpri_params_metric(result->params)));
    put_mean(&tree, "val_metric", result, GPRI_FIELD_VAL_METRIC);
    gpri_put(&tree, "calibration", calibration_tree(best));
    gpri_put(&tree, "refit", refit_tree(result));
    gpri_put(&tree, "ms_per_epoch", duration(gpri_result_mean(result, GPRI_FIELD_MS_PER_EPOCH).mean));
    gpri_put(&tree, "seconds", duration(result->seconds));
    gpri_put_whole(&tree, "peak_memory_bytes", gpr_peak_memory());
    gpri_put_whole(&tree, "threads", result->threads);
    gpri_put(&tree, "stopped", json_boolean(result->stopped));
    gpri_put(&tree, "failures", failure_list(result));
    gpri_put(&tree, "gamma", gpri_json_floats(best ? best->gamma : NULL, best ? best->info.gamma_count : 0));
    gpri_put(&tree, "gamma_initial",
             gpri_json_floats(best ? best->gamma_initial : NULL, best ? best->info.gamma_count : 0));
    put_filters(&tree, best, true);
    gpri_put(&tree, "class_names", result->class_names.count > 0 ? gpri_names_json(&result->class_names) : json_null());
    if (result->plan && result->plan->count > 0) gpri_put(&tree, "columns", gpri_plan_json(result->plan, false));
    gpri_put(&tree, "embedding", embedding_tree(result));
    gpri_put(&tree, "smoothing", smoothing_tree(best));
    gpri_put(&tree, "split", split_tree(result, best));
    gpri_put(&tree, "metrics", metrics_tree(result));
    gpri_put(&tree, "baselines", baselines_tree(result));
    if (result->importance.info.tried > 0) gpri_put(&tree, "importance", importance_tree(&result->importance));
    gpri_put(&tree, "cautions", caution_list(result));
    if (result->choice.count > 0) gpri_put(&tree, "choice", choice_tree(&result->choice));
    gpri_put(&tree, "config", config_tree(result->params));
    gpri_put_text(&tree, "version", gpr_version());
    gpri_put(&tree, "per_run", per_run_list(result));
    return gpri_object_done(&tree);
}

static gpr_status write_text(gpri_text *out, const void *handle) {
    gpr_result *result = (gpr_result *)(uintptr_t)handle; /* its lock guards what is changed */
    intervals of_test;
    NEED(find_intervals(&of_test, result));
    NEED(gpri_result_find_cautions(result));
    return gpri_json_page(out, result_tree(result, &of_test));
}

gpr_status gpr_result_json(gpr_ctx *ctx, const gpr_result *result, const char **json) {
    if (json) *json = NULL;
    if (!ctx || !result || !json) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_result_json: a NULL argument");
    gpr_result *keeper = (gpr_result *)(uintptr_t)result;
    return gpri_finish(gpri_text_keep(keeper->ctx, &keeper->lock, &keeper->json, write_text, keeper, json));
}
