/* Reads a stopped training. The checksum finds damage; and nothing is believed even where it is right: all sizes and
 * numbers that lead to memory are compared with each other, with the options and with the data. */
#include "train/saved.h"

#include <stdio.h>
#include <string.h>

#include "file/checksum.h"
#include "model/metadata.h"

/* What messages call it. */
static const char where[] = "the state";

typedef struct {
    gpri_stored_array runs, seconds, splits, history, best, numbers, adam, checksum; /* values NULL: not there */
} contents;

/* ---- options ---- */

/* "0.010" is 0.01. */
static bool same_value(const char *a, const char *b) {
    int64_t i, j;
    double x, y;
    if (strcmp(a, b) == 0) return true;
    if (gpri_parse_int(a, &i) && gpri_parse_int(b, &j)) return i == j;
    return gpri_parse_real(a, &x) && gpri_parse_real(b, &y) && x == y;
}

static gpr_status match_params(const gpri_saved *saved, const json_t *meta, const gpr_params *params) {
    char key[64];
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) {
        const char *word = gpri_param_word((gpri_param)i), *text = gpri_params_text(params, (gpri_param)i);
        if (!gpri_saved_param(params, (gpri_param)i, saved->given)) continue;
        snprintf(key, sizeof key, "param.%s", word);
        const char *kept = json_string_value(json_object_get(meta, key));
        json_t *asked = gpri_json_string(text); /* as it is in JSON: UTF-8 */
        if (!asked) return gpri_fail(GPR_ERROR_MEMORY, "out of memory: the options of %s", where);
        const bool same = kept && same_value(kept, json_string_value(asked));
        json_decref(asked);
        if (!same)
            return gpri_fail(GPR_ERROR_MISMATCH,
                             "%s is of a training with %s %s, and `%s` is %s: it goes on with the same options only",
                             where, word, kept ? kept : "unknown", word, text);
    }
    return GPR_OK;
}

static gpr_status read_metadata(gpri_saved *saved, const gpr_params *params) {
    const json_t *meta = gpri_safetensors_metadata(&saved->file);
    const char *format = json_string_value(json_object_get(meta, "format"));
    const char *version = json_string_value(json_object_get(meta, "format_version"));
    const char *splits = json_string_value(json_object_get(meta, "splits"));
    if (!format || strcmp(format, GPRI_SAVED_FORMAT) != 0)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: these are not the bytes of a stopped training", where);
    if (!version || strcmp(version, GPRI_SAVED_VERSION) != 0)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: format version %s: this program reads version %s", where,
                         version ? version : "unknown", GPRI_SAVED_VERSION);
    if (!splits || (strcmp(splits, GPRI_SAVED_GIVEN) != 0 && strcmp(splits, GPRI_SAVED_DRAWN) != 0))
        return gpri_fail(GPR_ERROR_FORMAT, "%s: its metadata does not say whose the splits are", where);
    saved->given = strcmp(splits, GPRI_SAVED_GIVEN) == 0;
    return match_params(saved, meta, params);
}

/* ---- arrays ---- */

static gpr_status read_arrays(contents *out, const gpri_safetensors *file) {
    const struct {
        const char *name, *dtype;
        int64_t cols; /* 0: any */
        gpri_stored_array *to;
    } known[] = {{"runs", "I64", 3, &out->runs},
                 {"seconds", "F64", 1, &out->seconds},
                 {"splits", "I64", 0, &out->splits},
                 {"history", "F64", GPRI_SAVED_CURVES, &out->history},
                 {"best", "F32", 0, &out->best},
                 {"numbers", gpri_saved_real(), 0, &out->numbers},
                 {"adam", gpri_saved_real(), GPRI_SAVED_ADAM, &out->adam},
                 {"checksum", "I64", 1, &out->checksum}};
    enum { KNOWN = sizeof known / sizeof *known };
    gpri_stored_array array;
    for (void *at = NULL;;) {
        gpr_status status = gpri_safetensors_next(file, &at, &array, NULL);
        if (status != GPR_OK) return status;
        if (!at) break;
        int i = 0;
        while (i < KNOWN && strcmp(known[i].name, array.name) != 0) i++;
        if (i == KNOWN) return gpri_fail(GPR_ERROR_FORMAT, "%s: an unknown array '%s'", where, array.name);
        if (strcmp(array.dtype, known[i].dtype) != 0 || (known[i].cols && array.shape[1] != known[i].cols))
            return gpri_fail(GPR_ERROR_FORMAT, "%s: array '%s' has another type or shape than it should", where,
                             array.name);
        *known[i].to = array;
    }
    if (!out->runs.values || !out->seconds.values || !out->splits.values || !out->history.values || !out->best.values)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: arrays are missing", where);
    return GPR_OK;
}

/* Row r of an array with numbers of so many bytes. */
static const char *row_of(const gpri_stored_array *array, int64_t row, size_t each) {
    return (const char *)array->values + row * array->shape[1] * (int64_t)each;
}

/* Where the runs have their rows. */
typedef struct {
    int64_t began, stopped, rows;
} tally;

static gpr_status read_run(gpri_saved *saved, const contents *in, int64_t run, int64_t epochs, tally *so_far) {
    gpri_saved_run *out = &saved->runs[run];
    int64_t progress[3];
    memcpy(progress, row_of(&in->runs, run, sizeof *progress), sizeof progress);
    memcpy(&out->seconds, row_of(&in->seconds, run, sizeof out->seconds), sizeof out->seconds);
    const int64_t kind = progress[0], steps = progress[1], best = progress[2];
    if (kind == GPRI_RUN_WAITING) return GPR_OK;
    if ((kind != GPRI_RUN_STOPPED && kind != GPRI_RUN_FINISHED) || steps < 1 || best < 1 || best > steps ||
        steps > epochs - (kind == GPRI_RUN_STOPPED))
        return gpri_fail(GPR_ERROR_FORMAT, "%s: run %lld is at step %lld of %lld, its best is %lld: it is damaged",
                         where, (long long)run, (long long)steps, (long long)epochs, (long long)best);
    if (in->history.shape[0] - so_far->rows < steps + 1 || so_far->began >= in->best.shape[0] ||
        (kind == GPRI_RUN_STOPPED && (!in->numbers.values || !in->adam.values ||
                                      so_far->stopped >= in->numbers.shape[0] || so_far->stopped >= in->adam.shape[0])))
        return gpri_fail(GPR_ERROR_FORMAT, "%s: run %lld lacks numbers: it is damaged", where, (long long)run);
    out->kind = (gpri_run_kind)kind;
    out->restart = (gpri_restart){.steps = steps,
                                  .best = best,
                                  .history = row_of(&in->history, so_far->rows, sizeof(double)),
                                  .weights = row_of(&in->best, so_far->began, sizeof(float)),
                                  .weight_count = in->best.shape[1]};
    so_far->rows += steps + 1;
    so_far->began++;
    if (kind == GPRI_RUN_FINISHED) return GPR_OK;
    out->restart.numbers = row_of(&in->numbers, so_far->stopped, sizeof(gpri_real));
    out->restart.number_count = in->numbers.shape[1];
    out->restart.adam = row_of(&in->adam, so_far->stopped, sizeof(gpri_real));
    so_far->stopped++;
    return GPR_OK;
}

static gpr_status read_runs(gpri_saved *saved, const contents *in, const gpr_params *params) {
    gpr_status status = GPR_OK;
    tally so_far = {0, 0, 0};
    const int64_t epochs = gpri_params_int(params, GPRI_PARAM_EPOCHS);
    const int64_t asked = saved->given ? in->runs.shape[0] : gpri_params_int(params, GPRI_PARAM_RUNS);
    saved->count = in->runs.shape[0];
    if (saved->count != asked || in->seconds.shape[0] != saved->count + 1 || in->splits.shape[0] != saved->count)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: its arrays are of different numbers of runs: it is damaged", where);
    memcpy(&saved->seconds, row_of(&in->seconds, saved->count, sizeof saved->seconds), sizeof saved->seconds);
    saved->splits = in->splits.values;
    saved->words = in->splits.shape[1];
    TRY(gpri_calloc(saved->ctx, &saved->runs, saved->count, sizeof *saved->runs, "state"));
    for (int64_t run = 0; run < saved->count; run++) TRY(read_run(saved, in, run, epochs, &so_far));
    if (so_far.began != in->best.shape[0] || so_far.rows != in->history.shape[0] ||
        so_far.stopped != (in->numbers.values ? in->numbers.shape[0] : 0) ||
        so_far.stopped != (in->adam.values ? in->adam.shape[0] : 0))
        THROW(GPR_ERROR_FORMAT, "%s: it has more numbers than its runs need: it is damaged", where);
done:
    return status;
}

static gpr_status check_sum(const char *bytes, size_t size) {
    int64_t sum;
    if (size < sizeof sum || size > INT64_MAX / 4)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: %zu bytes are not a stopped training", where, size);
    memcpy(&sum, bytes + size - sizeof sum, sizeof sum);
    if (sum == (int64_t)gpri_checksum(0, bytes, (int64_t)(size - sizeof sum))) return GPR_OK;
    return gpri_fail(GPR_ERROR_FORMAT, "%s: its checksum is wrong: it is truncated or damaged, or no stopped training",
                     where);
}

gpr_status gpri_saved_open(gpr_ctx *ctx, gpri_saved *out, const void *bytes, size_t size, const gpr_params *params) {
    gpr_status status = GPR_OK;
    contents in = {.runs = {.name = NULL}};
    *out = (gpri_saved){.ctx = ctx};
    TRY(check_sum(bytes, size));
    TRY(gpri_safetensors_open(&out->file, bytes, (int64_t)size, where, "stopped training", "array"));
    TRY(read_metadata(out, params));
    TRY(read_arrays(&in, &out->file));
    TRY(read_runs(out, &in, params));
done:
    return status;
}

void gpri_saved_close(gpri_saved *saved) {
    gpri_safetensors_close(&saved->file);
    if (saved->ctx) gpri_free(saved->ctx, saved->runs);
    saved->runs = NULL;
}

/* ---- with the data ---- */

gpr_status gpri_saved_match(const gpri_saved *saved, const gpr_dataset *data, const char *fingerprint) {
    const json_t *meta = gpri_safetensors_metadata(&saved->file);
    const char *kept = json_string_value(json_object_get(meta, "fingerprint"));
    const char *name = json_string_value(json_object_get(meta, "dataset"));
    if (!kept || strcmp(kept, fingerprint) != 0)
        return gpri_fail(GPR_ERROR_MISMATCH,
                         "%s is of a training on other data (%s): %s has the fingerprint %s, not %s", where,
                         name ? name : "unknown", data->name, fingerprint, kept ? kept : "unknown");
    if (saved->words != (data->graph.nodes + GPRI_NODES_PER_WORD - 1) / GPRI_NODES_PER_WORD)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: its splits are not of %lld nodes: it is damaged", where,
                         (long long)data->graph.nodes);
    return GPR_OK;
}

gpr_status gpri_saved_match_features(const gpri_saved *saved, bool rows, const gpri_scaling *columns) {
    const char *now = gpri_saved_features(rows, columns);
    const char *kept = json_string_value(json_object_get(gpri_safetensors_metadata(&saved->file), "features"));
    if (kept && strcmp(kept, now) == 0) return GPR_OK;
    return gpri_fail(GPR_ERROR_MISMATCH, "%s is of a training on features that were made ready otherwise (%s, now %s)",
                     where, kept ? kept : "unknown", now);
}

gpr_status gpri_saved_split(const gpri_saved *saved, gpr_split **out, const gpr_dataset *data, int64_t run) {
    const int64_t nodes = data->graph.nodes;
    const char *words = saved->splits + run * saved->words * (int64_t)sizeof(uint64_t);
    uint8_t *parts;
    gpr_status status = gpri_alloc(saved->ctx, &parts, nodes, sizeof *parts, "split");
    if (status != GPR_OK) return status;
    for (int64_t i = 0; i < nodes; i++) {
        uint64_t word;
        memcpy(&word, words + i / GPRI_NODES_PER_WORD * (int64_t)sizeof word, sizeof word);
        parts[i] = (uint8_t)(word >> (2 * (i % GPRI_NODES_PER_WORD)) & 3);
    }
    status = gpri_split_of_parts(saved->ctx, out, data, parts, nodes, run == 0);
    gpri_free(saved->ctx, parts);
    return status;
}

gpr_status gpri_saved_restore(const gpri_saved *saved, gpri_trainer *trainer, gpri_run *out) {
    const gpri_saved_run *from = &saved->runs[out->number];
    const gpri_restart *restart = &from->restart;
    gpr_status status = GPR_OK;
    TRY(gpri_state_load(trainer, restart));
    TRY(gpri_alloc(saved->ctx, &out->history, trainer->rule.epochs + 1, sizeof *out->history, "history"));
    memcpy(out->history, restart->history, (size_t)(restart->steps + 1) * sizeof *out->history);
    out->info.epochs = restart->steps;
    out->info.best_epoch = restart->best;
    out->info.seconds = from->seconds;
done:
    return status;
}
