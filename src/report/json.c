/* Results as JSON. Keys keep the order below; numbers have 15 digits, NaN is null. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "baseline/baselines.h"
#include "model/trained/trained.h"
#include "report/report.h"

/* tree NULL: jansson ran out of memory. Frees the tree. */
static gpr_status dump(gpri_text *out, json_t *tree) {
    gpr_status status = gpri_json_write(out, tree, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    gpri_text_add(out, "\n");
    return status == GPR_OK ? gpri_text_status(out) : status;
}

/* A member that jansson could not store (no memory, not UTF-8) clears `good`, which is checked once at the end. */
typedef struct {
    json_t *tree;
    bool good;
} object;

static void put(object *to, const char *key, json_t *value) {
    if (json_object_set_new(to->tree, key, value) != 0) to->good = false;
}

static json_t *real(double value) { return isfinite(value) ? json_real(value) : json_null(); }

/* Times beyond the microsecond are noise. */
static json_t *duration(double value) { return real(round(value * 1e6) / 1e6); }

static json_t *unsigned_integer(uint64_t value) {
    return value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value);
}

static json_t *finish(object *made) {
    if (made->good && made->tree) return made->tree;
    json_decref(made->tree);
    return NULL;
}

static json_t *config_tree(const gpr_params *params) {
    object config = {json_object(), true};
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) {
        const gpri_param id = (gpri_param)i;
        const gpri_param_row *row = gpri_param_row_of(id);
        if (!gpri_params_applies(params, id)) continue;
        put(&config, row->word,
            row->type == GPRI_TYPE_INT    ? json_integer((json_int_t)gpri_params_int(params, id))
            : row->type == GPRI_TYPE_REAL ? real(gpri_params_real(params, id))
                                          : gpri_json_string(gpri_params_text(params, id)));
    }
    return finish(&config);
}

/* Words and values. */
static json_t *origin_tree(const gpri_names *origin) {
    object tree = {json_object(), true};
    for (int64_t i = 0; i + 1 < origin->count; i += 2)
        put(&tree, gpri_name(origin, i), gpri_json_string(gpri_name(origin, i + 1)));
    return finish(&tree);
}

gpr_status gpri_config_json(gpri_text *out, const gpr_params *params, const gpr_dataset *data) {
    object config = {config_tree(params), true};
    if (data->origin.count > 0) put(&config, "data", origin_tree(&data->origin));
    return dump(out, finish(&config));
}

/* null when the model has no filter. */
static json_t *gamma_list(const float *gamma, int64_t count) {
    if (!gamma) return json_null();
    json_t *list = json_array();
    for (int64_t k = 0; list && k < count; k++)
        if (json_array_append_new(list, real(gpri_shortest_decimal(gamma[k]))) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

/* One gamma for all classes: a list; else a list for each k. */
static json_t *gammas_of(const gpri_trained *filter, int term) {
    json_t *list = json_array();
    for (int64_t k = 0; list && k <= filter->form.hops; k++) {
        json_t *each = filter->columns > 1 ? json_array() : NULL;
        for (int64_t c = 0; c < filter->columns; c++) {
            json_t *value = real(gpri_shortest_decimal((float)gpri_trained_gamma(filter, term, k, c)));
            if (json_array_append_new(each ? each : list, value) != 0)
                return json_decref(each), json_decref(list), NULL;
        }
        if (each && json_array_append_new(list, each) != 0) return json_decref(list), NULL;
    }
    return list;
}

/* Filters that `gamma` does not tell; those of blocks, which are many numbers, of the best run alone. */
static void put_filters(object *to, const gpri_run *run, bool best) {
    gpri_trained filter, initial;
    char name[GPRI_RELATION_NAME + 1];
    int t;
    if (!run || !run->model || !(run->initial || (best && gpri_trained_blocks(run->model) > 0))) return;
    const int64_t count = gpr_model_filter_count(run->model);
    json_t *list = json_array();
    for (int64_t i = 0; list && i < count && gpri_trained_part(&filter, &t, run->model, i) == GPR_OK; i++) {
        object part = {json_object(), true};
        initial = filter;
        initial.gamma = run->initial;
        gpri_trained_relation(name, run->model->params, &filter, t);
        if (filter.block > 0) put(&part, "block", json_integer((json_int_t)filter.block));
        put(&part, "relation", *name ? json_string(name) : json_null());
        put(&part, "direction", json_string(gpri_trained_direction(&filter, t)));
        put(&part, "basis", gpri_json_string(filter.basis));
        put(&part, "gamma", gammas_of(&filter, t));
        if (run->initial) put(&part, "gamma_initial", gammas_of(&initial, t));
        if (json_array_append_new(list, finish(&part)) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    put(to, "filters", list);
}

/* null when they are numbers. */
static json_t *name_list(const gpri_names *names) {
    if (names->count == 0) return json_null();
    json_t *list = json_array();
    for (int64_t i = 0; list && i < names->count; i++)
        if (json_array_append_new(list, gpri_json_string(gpri_name(names, i))) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

/* How many nodes of each class a part holds. */
static json_t *count_list(const gpr_split *split, gpr_part part) {
    json_t *list = json_array();
    for (int64_t c = 0; list && c < split->classes; c++)
        if (json_array_append_new(list, json_integer((json_int_t)gpr_split_count(split, part, c))) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

/* null when the model has no latent space. */
static json_t *embedding_tree(const gpr_result *result) {
    if (!result->relates) return json_null();
    object tree = {json_object(), true};
    put(&tree, "name", gpri_json_string(gpri_params_text(result->params, GPRI_PARAM_EMBEDDING)));
    put(&tree, "seconds", duration(result->found.seconds));
    put(&tree, "rho", real(result->found.radius));
    put(&tree, "latent_neighbours", real(result->found.latent_mean));
    put(&tree, "graph_neighbours", real(result->found.graph_mean));
    return finish(&tree);
}

static json_t *split_tree(const gpr_result *result, const gpri_run *best) {
    object split = {json_object(), true};
    put(&split, "spec", gpri_json_string(gpri_params_text(result->params, GPRI_PARAM_SPLIT)));
    if (best && best->split) {
        put(&split, "train", count_list(best->split, GPR_TRAIN));
        put(&split, "val", count_list(best->split, GPR_VAL));
        put(&split, "test", count_list(best->split, GPR_TEST));
    }
    return finish(&split);
}

/* As a model file has it. */
static json_t *hash_text(const gpr_split *split) {
    char text[32];
    if (!split) return json_null();
    snprintf(text, sizeof text, "%016" PRIx64, gpri_split_hash(split));
    return json_string(text);
}

/* All but the accuracy, which is among the other numbers in percent. */
static void put_measures(object *to, const gpri_run *run) {
    char key[64];
    for (int part = GPR_TRAIN; part <= GPR_TEST; part++)
        for (int m = GPRI_ACCURACY + 1; m < GPRI_MEASURES; m++) {
            snprintf(key, sizeof key, "%s_%s", gpri_part_word(part), gpri_measure_word((gpri_measure)m));
            put(to, key, real(run->metrics[part] ? run->metrics[part]->values[m] : NAN));
        }
}

/* null: not asked for. */
static json_t *smoothing_tree(const gpri_run *run) {
    if (!run || !run->smoothing.asked) return json_null();
    const gpri_smoothing_outcome *found = &run->smoothing;
    object tree = {json_object(), true};
    put(&tree, "correct", found->how.correct > 0 ? real(gpri_shortest_decimal(found->how.correct)) : json_null());
    put(&tree, "scale", found->how.scale > 0 ? real(gpri_shortest_decimal(found->how.scale)) : json_null());
    put(&tree, "smooth", found->how.smooth > 0 ? real(gpri_shortest_decimal(found->how.smooth)) : json_null());
    if (*found->how.relation) put(&tree, "relation", json_string(found->how.relation));
    put(&tree, "by", json_string(found->goal));
    put(&tree, "before", real(found->before));
    put(&tree, "after", real(found->after));
    put(&tree, "val_loss_before", real(found->val_loss));
    put(&tree, "val_accuracy_before", real(found->val_accuracy));
    put(&tree, "test_accuracy_before", real(found->test_accuracy));
    return finish(&tree);
}

static json_t *run_tree(const gpri_run *run) {
    const gpr_run_info *info = &run->info;
    object tree = {json_object(), true};
    put(&tree, "seed", unsigned_integer(info->seed));
    put(&tree, "epochs", json_integer((json_int_t)info->epochs));
    put(&tree, "best_epoch", json_integer((json_int_t)info->best_epoch));
    put(&tree, "train_accuracy", real(info->train_accuracy));
    put(&tree, "val_accuracy", real(info->val_accuracy));
    put(&tree, "test_accuracy", real(info->test_accuracy));
    put(&tree, "initial_accuracy", real(info->initial_accuracy));
    put(&tree, "train_loss", real(info->train_loss));
    put(&tree, "val_loss", real(info->val_loss));
    put(&tree, "val_metric", real(info->val_metric));
    put(&tree, "temperature", real(info->temperature));
    put(&tree, "calibrated_val_loss", real(info->calibrated_loss));
    put(&tree, "ms_per_epoch", duration(info->ms_per_epoch));
    put(&tree, "seconds", duration(info->seconds));
    put(&tree, "gamma", gamma_list(run->gamma, info->gamma_count));
    put_filters(&tree, run, false);
    put_measures(&tree, run);
    put(&tree, "smoothing", smoothing_tree(run));
    put(&tree, "split_hash", hash_text(run->split));
    return finish(&tree);
}

static json_t *per_run_list(const gpr_result *result) {
    json_t *list = json_array();
    for (int64_t r = 0; list && r < result->count; r++)
        if (json_array_append_new(list, run_tree(&result->runs[r])) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

/* Of the best run. null: not asked for. */
static json_t *calibration_tree(const gpri_run *best) {
    if (!best || (!best->uncalibrated && !(best->info.temperature > 0))) return json_null();
    object tree = {json_object(), true};
    put(&tree, "temperature", real(best->info.temperature));
    put(&tree, "val_loss_before", real(best->info.val_loss));
    put(&tree, "val_loss_after", real(best->info.calibrated_loss));
    put(&tree, "skipped", best->uncalibrated ? json_string(best->uncalibrated) : json_null());
    return finish(&tree);
}

/* null: the model is that of the best run. */
static json_t *refit_tree(const gpr_result *result) {
    if (result->refit_epochs == 0) return json_null();
    object tree = {json_object(), true};
    put(&tree, "epochs", json_integer((json_int_t)result->refit_epochs));
    put(&tree, "nodes", json_integer((json_int_t)result->refit_nodes));
    put(&tree, "figures", json_string("of the first training: the refitted model has seen all labelled nodes"));
    return finish(&tree);
}

/* The runs that came to no result. */
static json_t *failure_list(const gpr_result *result) {
    json_t *list = json_array();
    for (int64_t i = 0; list && i < result->failed; i++) {
        const gpri_failure *failure = &result->failures[i];
        object tree = {json_object(), true};
        put(&tree, "run", json_integer((json_int_t)failure->run));
        put(&tree, "seed", json_integer((json_int_t)failure->seed));
        put(&tree, "message", gpri_json_string(failure->message));
        if (json_array_append_new(list, finish(&tree)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *mean(const gpr_result *result, gpri_run_field field) {
    return real(gpri_result_mean(result, field).mean);
}

static json_t *class_list(const gpr_metrics *metrics) {
    json_t *list = json_array();
    for (int64_t c = 0; list && c < metrics->classes; c++) {
        const gpri_class_measures *measures = &metrics->of_class[c];
        object tree = {json_object(), true};
        put(&tree, "nodes", json_integer((json_int_t)measures->nodes));
        put(&tree, "predicted", json_integer((json_int_t)measures->predicted));
        put(&tree, "precision", real(measures->precision));
        put(&tree, "recall", real(measures->recall));
        put(&tree, "f1", real(measures->f1));
        put(&tree, "roc_auc", real(measures->roc_auc));
        put(&tree, "average_precision", real(measures->average_precision));
        if (json_array_append_new(list, finish(&tree)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* One list per true class; null when there are too many classes. */
static json_t *confusion_list(const gpr_metrics *metrics) {
    if (!metrics->confusion) return json_null();
    json_t *list = json_array();
    for (int64_t i = 0; list && i < metrics->classes; i++) {
        json_t *row = json_array();
        bool good = json_array_append_new(list, row) == 0;
        for (int64_t j = 0; good && j < metrics->classes; j++)
            good =
                json_array_append_new(row, json_integer((json_int_t)metrics->confusion[i * metrics->classes + j])) == 0;
        if (good) continue;
        json_decref(list);
        return NULL;
    }
    return list;
}

/* On one part: means over the runs, and the classes of the best run. null when it has no nodes. */
static json_t *part_tree(const gpr_result *result, gpr_part part) {
    const gpr_metrics *best = result->count > 0 ? result->runs[result->best].metrics[part] : NULL;
    if (!best) return json_null();
    object tree = {json_object(), true}, ci95 = {json_object(), true};
    put(&tree, "nodes", json_integer((json_int_t)best->nodes));
    put(&tree, "positive_class", best->positive < 0 ? json_null() : json_integer((json_int_t)best->positive));
    for (int m = 0; m < GPRI_MEASURES; m++) {
        const gpri_mean found = gpri_measure_mean(result, part, (gpri_measure)m);
        put(&tree, gpri_measure_word((gpri_measure)m), real(found.mean));
        put(&ci95, gpri_measure_word((gpri_measure)m), real(found.ci95));
    }
    put(&tree, "ci95", finish(&ci95));
    put(&tree, "per_class", class_list(best));
    put(&tree, "confusion", confusion_list(best));
    return finish(&tree);
}

static json_t *metrics_tree(const gpr_result *result) {
    object tree = {json_object(), true};
    for (int part = GPR_TRAIN; part <= GPR_TEST; part++)
        put(&tree, gpri_part_word(part), part_tree(result, (gpr_part)part));
    return finish(&tree);
}

/* On the test nodes, means over the runs; null when they were not computed. */
static json_t *baselines_tree(const gpr_result *result) {
    if (result->count == 0 || !result->runs[0].baselines[GPRI_MAJORITY]) return json_null();
    object tree = {json_object(), true};
    for (int b = 0; b < GPRI_BASELINES; b++) {
        object entry = {json_object(), true};
        for (int m = 0; m < GPRI_MEASURES; m++)
            put(&entry, gpri_measure_word((gpri_measure)m), real(gpri_baseline_mean(result, b, (gpri_measure)m).mean));
        put(&tree, gpr_baseline_word(b), finish(&entry));
    }
    return finish(&tree);
}

static json_t *caution_list(const gpr_result *result) {
    json_t *list = json_array();
    for (int64_t i = 0; list && i < result->caution_count; i++)
        if (json_array_append_new(list, gpri_json_string(result->cautions[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

/* A whole number for one run, the mean for several. */
static json_t *epoch_number(const gpr_result *result, gpri_run_field field) {
    double value = gpri_result_mean(result, field).mean;
    return result->count == 1 ? json_integer((json_int_t)value) : real(value);
}

/* [low, high]; null for fewer than two runs. */
static json_t *interval(gpri_interval range) {
    if (isnan(range.low) || isnan(range.high)) return json_null();
    json_t *list = json_array();
    if (list && json_array_append_new(list, real(range.low)) == 0 && json_array_append_new(list, real(range.high)) == 0)
        return list;
    json_decref(list);
    return NULL;
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

static json_t *choice_tree(const gpri_choice *choice) {
    object tree = {json_object(), true};
    json_t *list = json_array();
    put(&tree, "chosen", gpri_json_string(choice->names[choice->taken]));
    put(&tree, "measure", json_string(choice->measure));
    for (int i = 0; i < choice->count; i++) {
        object entry = {json_object(), true};
        put(&entry, "candidate", gpri_json_string(choice->names[i]));
        put(&entry, "validation", real(choice->scores[i]));
        if (json_array_append_new(list, finish(&entry)) != 0) tree.good = false;
    }
    put(&tree, "candidates", list);
    return finish(&tree);
}

/* The metric to judge the result by, on the test nodes, as a share: mean over the runs. */
static json_t *headline_tree(const gpr_result *result) {
    const gpri_measure which = gpri_headline_measure(result);
    const gpri_mean found = gpri_measure_mean(result, GPR_TEST, which);
    object tree = {json_object(), true};
    put(&tree, "metric", json_string(gpri_measure_word(which)));
    put(&tree, "value", real(found.mean));
    put(&tree, "ci95", real(found.ci95));
    put(&tree, "largest_class", real(gpri_largest_class(result)));
    return finish(&tree);
}

static json_t *result_tree(const gpr_result *result, const intervals *of_test) {
    const gpri_run *best = result->count > 0 ? &result->runs[result->best] : NULL;
    const gpri_mean test = gpri_result_mean(result, GPRI_FIELD_TEST);
    object tree = {json_object(), true};
    put(&tree, "model", gpri_json_string(gpri_params_text(result->params, GPRI_PARAM_MODEL)));
    put(&tree, "dataset", gpri_json_string(result->dataset));
    put(&tree, "fingerprint", result->fingerprint[0] ? gpri_json_string(result->fingerprint) : json_null());
    put(&tree, "seed", json_integer((json_int_t)gpri_params_int(result->params, GPRI_PARAM_SEED)));
    put(&tree, "runs", json_integer((json_int_t)result->count));
    put(&tree, "best_run", json_integer((json_int_t)result->best));
    put(&tree, "headline", headline_tree(result));
    put(&tree, "epochs", epoch_number(result, GPRI_FIELD_EPOCHS));
    put(&tree, "best_epoch", epoch_number(result, GPRI_FIELD_BEST_EPOCH));
    put(&tree, "train_accuracy", mean(result, GPRI_FIELD_TRAIN));
    put(&tree, "val_accuracy", mean(result, GPRI_FIELD_VAL));
    put(&tree, "test_accuracy", real(test.mean));
    put(&tree, "ci95", real(test.ci95));
    put(&tree, "sd", real(test.sd));
    put(&tree, "ci95_normal", interval(of_test->normal));
    put(&tree, "ci95_bootstrap", interval(of_test->bootstrap));
    put(&tree, "initial_accuracy", mean(result, GPRI_FIELD_INITIAL));
    put(&tree, "train_loss", mean(result, GPRI_FIELD_TRAIN_LOSS));
    put(&tree, "val_loss", mean(result, GPRI_FIELD_VAL_LOSS));
    put(&tree, "metric", json_string(gpri_measure_choice(gpri_params_metric(result->params))));
    put(&tree, "val_metric", mean(result, GPRI_FIELD_VAL_METRIC));
    put(&tree, "calibration", calibration_tree(best));
    put(&tree, "refit", refit_tree(result));
    put(&tree, "ms_per_epoch", duration(gpri_result_mean(result, GPRI_FIELD_MS_PER_EPOCH).mean));
    put(&tree, "seconds", duration(result->seconds));
    put(&tree, "peak_memory_bytes", json_integer((json_int_t)gpr_peak_memory()));
    put(&tree, "threads", json_integer(result->threads));
    put(&tree, "stopped", json_boolean(result->stopped));
    put(&tree, "failures", failure_list(result));
    put(&tree, "gamma", gamma_list(best ? best->gamma : NULL, best ? best->info.gamma_count : 0));
    put(&tree, "gamma_initial", gamma_list(best ? best->gamma_initial : NULL, best ? best->info.gamma_count : 0));
    put_filters(&tree, best, true);
    put(&tree, "class_names", name_list(&result->class_names));
    if (result->plan && result->plan->count > 0) put(&tree, "columns", gpri_plan_json(result->plan, false));
    put(&tree, "embedding", embedding_tree(result));
    put(&tree, "smoothing", smoothing_tree(best));
    put(&tree, "split", split_tree(result, best));
    put(&tree, "metrics", metrics_tree(result));
    put(&tree, "baselines", baselines_tree(result));
    put(&tree, "cautions", caution_list(result));
    if (result->choice.count > 0) put(&tree, "choice", choice_tree(&result->choice));
    put(&tree, "config", config_tree(result->params));
    put(&tree, "version", json_string(gpr_version()));
    put(&tree, "per_run", per_run_list(result));
    return finish(&tree);
}

gpr_status gpr_result_json(gpr_ctx *ctx, const gpr_result *result, const char **json) {
    if (json) *json = NULL;
    if (!ctx || !result || !json) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_result_json: a NULL argument");
    gpr_status status = GPR_OK;
    gpr_result *keeper = (gpr_result *)(uintptr_t)result; /* its lock guards what is changed */
    gpri_text text = {.ctx = result->ctx};                /* the result frees it with its own context */
    gpri_acquire(&keeper->lock);
    if (!keeper->json) {
        intervals of_test;
        TRY(find_intervals(&of_test, result));
        TRY(gpri_result_find_cautions(keeper));
        TRY(dump(&text, result_tree(result, &of_test)));
        keeper->json = text.bytes;
        text = (gpri_text){.ctx = result->ctx};
    }
    *json = keeper->json;
done:
    gpri_release(&keeper->lock);
    gpri_text_free(&text);
    return gpri_finish(status);
}
