/* Reads trainings to compare. Each source is one function: a run folder, or a file with the JSON of one training. The
 * files may come from anywhere and are not trusted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/print.h"
#include "file/path.h"
#include "file/run_folder.h"
#include "report/compare/compare.h"
#include "task/measures.h"

enum { LONGEST = 1 << 28, MOST_RUNS = 1000000 };

/* ---- The JSON of a training ------------------------------------------------------------------------- */

static gpr_status take_text(gpr_ctx *ctx, char **out, const json_t *from, const char *key, const char *path) {
    const char *text = json_string_value(json_object_get(from, key));
    if (!text)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: it has no text '%s': this is not the JSON of a training", path, key);
    return gpri_strdup(ctx, out, text);
}

static gpr_status take_run(gpri_compared *to, gpri_compared_run *out, const json_t *from, const char *path,
                           const gpri_run_metric *metric) {
    const json_t *seed = json_object_get(from, "seed"), *value = json_object_get(from, metric->word);
    const json_t *hash = json_object_get(from, "split_hash");
    const long long number = (long long)(out - to->runs) + 1;
    if (!json_is_number(seed))
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s: run %lld in per_run has no number 'seed': this is not the JSON of a "
                         "training",
                         path, number);
    out->seed = json_is_integer(seed) ? (uint64_t)json_integer_value(seed)
                                      : (uint64_t)fmin(1.8e19, fmax(0, json_real_value(seed)));
    out->value = json_is_number(value) ? json_number_value(value) : NAN;
    if (!isfinite(out->value))
        return gpri_fail(GPR_ERROR_MISMATCH,
                         "%s: run %lld (seed %llu) has no %s: a run on a split without such nodes has none; compare "
                         "another number with `metric`",
                         path, number, (unsigned long long)out->seed, metric->word);
    if (json_is_integer(hash)) gpri_print(out->split, sizeof out->split, "%lld", (long long)json_integer_value(hash));
    else if (json_is_string(hash) && *json_string_value(hash) && json_string_length(hash) < sizeof out->split)
        memcpy(out->split, json_string_value(hash), json_string_length(hash) + 1);
    else to->hashed = false;
    return GPR_OK;
}

static int by_split(const void *a, const void *b) {
    const gpri_compared_run *x = a, *y = b;
    const int order = strcmp(x->split, y->split);
    if (order) return order;
    return (x->seed > y->seed) - (x->seed < y->seed);
}

void gpri_compared_sort(gpri_compared *training) {
    qsort(training->runs, (size_t)training->count, sizeof *training->runs, by_split);
}

static gpr_status take_runs(gpr_ctx *ctx, gpri_compared *out, const json_t *root, const char *path,
                            const gpri_run_metric *metric) {
    const json_t *list = json_object_get(root, "per_run");
    if (!json_is_array(list))
        return gpri_fail(GPR_ERROR_FORMAT, "%s: it has no list 'per_run': this is not the JSON of a training", path);
    out->count = (int64_t)json_array_size(list);
    if (out->count > MOST_RUNS) return gpri_fail(GPR_ERROR_FORMAT, "%s: more than %d runs", path, MOST_RUNS);
    if (out->count < 2)
        return gpri_fail(
            GPR_ERROR_MISMATCH,
            "%s has %s: there is nothing to pair, and no spread to judge a difference by; train with `runs` 10 or more",
            path, out->count ? "one run only" : "no run");
    out->hashed = true;
    NEED(gpri_calloc(ctx, &out->runs, out->count, sizeof *out->runs, "runs"));
    for (int64_t r = 0; r < out->count; r++)
        NEED(take_run(out, &out->runs[r], json_array_get(list, (size_t)r), path, metric));
    for (int64_t r = 0; r < out->count && !out->hashed; r++) /* seeds as texts that are ordered as numbers */
        gpri_print(out->runs[r].split, sizeof out->runs[r].split, "%020llu", (unsigned long long)out->runs[r].seed);
    gpri_compared_sort(out);
    out->one_split = out->hashed && strcmp(out->runs[0].split, out->runs[out->count - 1].split) == 0;
    return GPR_OK;
}

/* What the training has for its headline; results without one have the accuracy. */
static const gpri_run_metric *headline_of(const json_t *root) {
    const json_t *name = json_object_get(json_object_get(root, "headline"), "metric");
    char word[64] = "test_accuracy";
    if (json_is_string(name)) snprintf(word, sizeof word, "test_%s", json_string_value(name));
    const gpri_run_metric *found = gpri_run_metric_find(word);
    return found ? found : gpri_run_metric_find("test_accuracy");
}

static gpr_status take_training(gpr_ctx *ctx, gpri_compared *out, const json_t *root, const char *path,
                                const gpri_run_metric **metric) {
    if (!json_is_object(root)) return gpri_fail(GPR_ERROR_FORMAT, "%s: this is not the JSON of a training", path);
    NEED(take_text(ctx, &out->model, root, "model", path));
    NEED(take_text(ctx, &out->dataset, root, "dataset", path));
    NEED(take_text(ctx, &out->rule, json_object_get(root, "split"), "spec", path));
    if (json_is_string(json_object_get(root, "fingerprint")))
        NEED(take_text(ctx, &out->fingerprint, root, "fingerprint", path));
    if (json_is_true(json_object_get(root, "stopped")))
        return gpri_fail(
            GPR_ERROR_MISMATCH,
            "%s: this training was stopped before its end: its last runs are not comparable; finish it with `resume` "
            "and its folder",
            path);
    if (!*metric) *metric = headline_of(root);
    NEED(take_runs(ctx, out, root, path, *metric));
    const int64_t failed = (int64_t)json_array_size(json_object_get(root, "failures"));
    if (failed > 0)
        gpri_log(
            ctx, GPR_LOG_WARNING,
            "%s: %lld of its %lld runs failed and are left out: what is compared is the rest, which may look better",
            path, (long long)failed, (long long)(failed + out->count));
    return GPR_OK;
}

static gpr_status read_json(gpr_ctx *ctx, gpri_compared *out, const char *path, const gpri_run_metric **metric) {
    gpr_status status = GPR_OK;
    char *text = NULL;
    int64_t size;
    json_t *root = NULL;
    json_error_t error;
    TRY(gpri_read_whole(ctx, &text, &size, path, LONGEST));
    root = json_loadb(text, (size_t)size, JSON_REJECT_DUPLICATES, &error);
    if (!root && json_error_code(&error) == json_error_out_of_memory)
        THROW(GPR_ERROR_MEMORY, "%s: out of memory: JSON", path);
    if (!root)
        THROW(GPR_ERROR_FORMAT, "%s:%d: this is not JSON, or it is damaged: %s; `verify PATH` checks a run folder",
              path, error.line, error.text);
    TRY(take_training(ctx, out, root, path, metric));
done:
    json_decref(root);
    gpri_free(ctx, text);
    return status;
}

/* ---- The sources ---------------------------------------------------------------------------------- */

static gpr_status read_folder(gpr_ctx *ctx, gpri_compared *out, const char *path, const gpri_run_metric **metric) {
    char file[GPRI_LONGEST_PATH];
    NEED(gpri_path_in(file, path, "result.json"));
    if (gpri_is_run_folder(path)) NEED(gpri_run_repair(path));
    if (gpri_is_file(file)) return read_json(ctx, out, file, metric);
    if (gpri_is_run_folder(path))
        return gpri_fail(GPR_ERROR_MISMATCH,
                         "%s: this training has no result yet: finish it with `resume` and this folder", path);
    return gpri_fail(GPR_ERROR_FORMAT,
                     "%s is not a run folder: it has no result.json; a training with `out` writes such folders", path);
    return GPR_OK;
}

/* The first that fits reads the training. */
static const struct {
    bool (*fits)(const char *path);
    gpr_status (*read)(gpr_ctx *ctx, gpri_compared *out, const char *path, const gpri_run_metric **metric);
} sources[] = {{gpri_is_folder, read_folder}, {gpri_is_file, read_json}};

gpr_status gpri_compared_read(gpr_ctx *ctx, gpri_compared *out, const char *path, const gpri_run_metric **metric) {
    gpr_status status = GPR_OK;
    *out = (gpri_compared){0};
    TRY(gpri_strdup(ctx, &out->path, path));
    TRY(gpri_path_name(ctx, &out->name, path));
    TRY(gpri_may_look(path));
    size_t i = 0;
    while (i < sizeof sources / sizeof *sources && !sources[i].fits(path)) i++;
    if (i == sizeof sources / sizeof *sources)
        THROW(GPR_ERROR_NOT_FOUND, "there is no run folder %s; a training with `out` writes such folders", path);
    TRY(sources[i].read(ctx, out, path, metric));
done:
    if (status != GPR_OK) gpri_compared_free(ctx, out);
    return status;
}

void gpri_compared_free(gpr_ctx *ctx, gpri_compared *training) {
    void *const blocks[] = {training->path, training->name,        training->model, training->dataset,
                            training->rule, training->fingerprint, training->runs};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) gpri_free(ctx, blocks[i]);
    *training = (gpri_compared){0};
}

/* The numbers of runs that can be compared, and how a sentence speaks of them. */

static const gpri_run_metric metrics[] = {
    {"test_accuracy", "is better than", " points", false},
    {"val_accuracy", "is better (in validation) than", " points", false},
#define MEASURE(ID, word, name, heading, choice, traits)                                                           \
    {"test_" word, (traits)&GPRI_LOWER ? "has a lower test_" word " than" : "has a higher test_" word " than", "", \
     ((traits)&GPRI_LOWER) != 0},
#include "task/measures.def"
    {"train_accuracy", "is better (in training) than", " points", false},
    {"initial_accuracy", "is better (before training) than", " points", false},
    {"val_loss", "has a lower val_loss than", "", true},
    {"train_loss", "has a lower train_loss than", "", true},
    {"epochs", "trains for fewer epochs than", " epochs", true},
    {"best_epoch", "has its best epoch earlier than", " epochs", true},
    {"ms_per_epoch", "is faster than", " ms per epoch", true},
    {"seconds", "is faster than", " s", true},
};
enum { METRICS = sizeof metrics / sizeof *metrics };

const gpri_run_metric *gpri_run_metric_find(const char *word) {
    for (int i = 0; i < METRICS; i++)
        if (strcmp(metrics[i].word, word) == 0) return &metrics[i];
    return NULL;
}

gpr_status gpri_run_metric_unknown(const char *word) {
    static const char measures[] =
#define MEASURE(ID, word, ...) ", test_" word
#include "task/measures.def"
        ;
    const char *words[METRICS];
    for (int i = 0; i < METRICS; i++) words[i] = metrics[i].word;
    const char *near = gpr_nearest_word(word, words, METRICS);
    return gpri_fail(
        GPR_ERROR_ARGUMENT,
        "`metric` is '%s': no number of a run has that name; %s%s%s: test_accuracy, val_accuracy, "
        "train_accuracy, initial_accuracy, val_loss, train_loss%s, epochs, best_epoch, ms_per_epoch, seconds",
        word, near ? "did you mean '" : "there are", near ? near : "", near ? "'? There are" : "",
        &measures[strlen(", test_accuracy")]);
}
