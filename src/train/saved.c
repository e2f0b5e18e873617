/* Reads a stopped training. The checksum finds damage; and nothing is believed even where it is right: all sizes and
 * numbers that lead to memory are compared with each other, with the options and with the data. */
#include "train/saved.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "file/checksum.h"
#include "model/file/metadata.h"

/* What messages call a block. */
static const char *name_of(const gpr_state *block) { return block->name ? block->name : "the state"; }

typedef struct {
    const char *where; /* for messages */
    /* values NULL: not there */
    gpri_stored_array runs, seconds, splits, history, gamma, best, numbers, adam, stacks, kept, checksum;
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

/* given: the splits are the caller's. */
static gpr_status match_params(const char *where, bool given, const json_t *meta, const gpr_params *params,
                               gpri_saved_as as) {
    char key[64];
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) {
        const char *word = gpri_param_word((gpri_param)i), *text = gpri_params_text(params, (gpri_param)i);
        if (!gpri_saved_param(params, (gpri_param)i, given) || (as == GPRI_SAVED_LONGER && i == GPRI_PARAM_EPOCHS))
            continue;
        snprintf(key, sizeof key, "param.%s", word);
        const char *kept = json_string_value(json_object_get(meta, key));
        if (i == GPRI_PARAM_STATE || (!kept && gpri_params_left_out(params, (gpri_param)i))) continue;
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

/* The first block says how many runs there are; the others must agree. */
static gpr_status read_metadata(gpri_saved *saved, const gpri_safetensors *file, const gpr_params *params,
                                gpri_saved_as as) {
    const json_t *meta = gpri_safetensors_metadata(file);
    const char *where = file->path;
    const char *format = json_string_value(json_object_get(meta, "format"));
    const char *version = json_string_value(json_object_get(meta, "format_version"));
    const char *splits = json_string_value(json_object_get(meta, "splits"));
    const char *runs = json_string_value(json_object_get(meta, "runs"));
    int64_t count;
    if (!format || strcmp(format, GPRI_SAVED_FORMAT) != 0)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: these are not the bytes of a stopped training", where);
    if (!version || (strcmp(version, GPRI_SAVED_VERSION) != 0 && strcmp(version, GPRI_SAVED_OLD_VERSION) != 0))
        return gpri_fail(GPR_ERROR_FORMAT, "%s: format version %s: this program reads versions %s and %s", where,
                         version ? version : "unknown", GPRI_SAVED_OLD_VERSION, GPRI_SAVED_VERSION);
    if (!splits || (strcmp(splits, GPRI_SAVED_GIVEN) != 0 && strcmp(splits, GPRI_SAVED_DRAWN) != 0))
        return gpri_fail(GPR_ERROR_FORMAT, "%s: its metadata does not say whose the splits are", where);
    if (!runs || !gpri_parse_int(runs, &count) || count < 1 || count > GPRI_SAVED_MOST_RUNS)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: its metadata does not say how many runs there are", where);
    const bool given = strcmp(splits, GPRI_SAVED_GIVEN) == 0;
    NEED(match_params(file->path, given, meta, params, as));
    if (!given && count != gpri_params_int(params, GPRI_PARAM_RUNS))
        return gpri_fail(GPR_ERROR_FORMAT, "%s: it says %lld runs, and its options say another number: it is damaged",
                         where, (long long)count);
    if (saved->count && (saved->count != count || saved->given != given))
        return gpri_fail(GPR_ERROR_MISMATCH, "the states are of different trainings");
    saved->given = given;
    saved->count = count;
    return GPR_OK;
}

/* ---- arrays ---- */

static gpr_status read_arrays(contents *out, const gpri_safetensors *file) {
    const char *where = out->where = file->path;
    const struct {
        const char *name, *dtype;
        int64_t cols; /* 0: any */
        gpri_stored_array *to;
    } known[] = {{"runs", "I64", GPRI_SAVED_PROGRESS, &out->runs},
                 {"seconds", "F64", 1, &out->seconds},
                 {"splits", "I64", 0, &out->splits},
                 {"history", "F64", GPRI_SAVED_CURVES, &out->history},
                 {"gamma", "F32", 0, &out->gamma},
                 {"best", "F32", 0, &out->best},
                 {"numbers", gpri_saved_real(), 0, &out->numbers},
                 {"adam", gpri_saved_real(), GPRI_SAVED_ADAM, &out->adam},
                 {"stacks", "U8", 0, &out->stacks},
                 {"kept", "U8", 0, &out->kept},
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
    if (!out->runs.values || !out->seconds.values || !out->splits.values || !out->checksum.values ||
        !out->history.values != !out->best.values)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: arrays are missing", where);
    return GPR_OK;
}

/* Row r of an array with numbers of so many bytes. */
static const char *row_of(const gpri_stored_array *array, int64_t row, size_t each) {
    return (const char *)array->values + row * array->shape[1] * (int64_t)each;
}

/* Where the runs have their rows. */
typedef struct {
    int64_t began, stopped, rows, gamma_rows;
} tally;

/* The run of row `row`. plan: the gamma that it should have. */
static gpr_status read_run(gpri_saved *saved, const contents *in, int64_t row, int64_t epochs, gpri_gamma_plan plan,
                           gpri_saved_as as, tally *so_far) {
    const char *where = in->where;
    int64_t progress[GPRI_SAVED_PROGRESS];
    memcpy(progress, row_of(&in->runs, row, sizeof *progress), sizeof progress);
    const int64_t run = progress[0], kind = progress[1], steps = progress[2], best = progress[3];
    if (run < 0 || run >= saved->count)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: there is no run %lld: it is damaged", where, (long long)run);
    gpri_saved_run *out = &saved->runs[run];
    if (out->kind != GPRI_RUN_WAITING && kind == GPRI_RUN_WAITING) return GPR_OK; /* another block has more of it */
    if (out->kind != GPRI_RUN_WAITING || (out->split && kind == GPRI_RUN_WAITING))
        return gpri_fail(GPR_ERROR_FORMAT, "%s: run %lld is there twice", where, (long long)run);
    out->split = row_of(&in->splits, row, sizeof(uint64_t));
    memcpy(&out->seconds, row_of(&in->seconds, row, sizeof out->seconds), sizeof out->seconds);
    if (kind == GPRI_RUN_WAITING) return GPR_OK;
    if ((kind != GPRI_RUN_STOPPED && kind != GPRI_RUN_FINISHED) || steps < 1 || best < 1 || best > steps ||
        steps > epochs - (kind == GPRI_RUN_STOPPED && as == GPRI_SAVED_RUN))
        return gpri_fail(GPR_ERROR_FORMAT, "%s: run %lld is at step %lld of %lld, its best is %lld: it is damaged",
                         where, (long long)run, (long long)steps, (long long)epochs, (long long)best);
    const int64_t gamma_rows = plan.count ? gpri_gamma_rows(plan, steps) : 0;
    if (!in->history.values || in->history.shape[0] - so_far->rows < steps + 1 || so_far->began >= in->best.shape[0] ||
        (gamma_rows && (!in->gamma.values || in->gamma.shape[0] - so_far->gamma_rows < gamma_rows)) ||
        (kind == GPRI_RUN_STOPPED && (!in->numbers.values || !in->adam.values ||
                                      so_far->stopped >= in->numbers.shape[0] || so_far->stopped >= in->adam.shape[0])))
        return gpri_fail(GPR_ERROR_FORMAT, "%s: run %lld lacks numbers: it is damaged", where, (long long)run);
    out->kind = (gpri_run_kind)kind;
    out->restart = (gpri_restart){.steps = steps,
                                  .best = best,
                                  .history = row_of(&in->history, so_far->rows, sizeof(double)),
                                  .weights = row_of(&in->best, so_far->began, sizeof(float)),
                                  .weight_count = in->best.shape[1]};
    if (gamma_rows) out->restart.gamma = row_of(&in->gamma, so_far->gamma_rows, sizeof(float));
    so_far->rows += steps + 1;
    so_far->gamma_rows += gamma_rows;
    so_far->began++;
    if (kind == GPRI_RUN_FINISHED) return GPR_OK;
    out->restart.numbers = row_of(&in->numbers, so_far->stopped, sizeof(gpri_real));
    out->restart.number_count = in->numbers.shape[1];
    out->restart.adam = row_of(&in->adam, so_far->stopped, sizeof(gpri_real));
    so_far->stopped++;
    return GPR_OK;
}

/* The networks of the runs of a block. */
static gpr_status read_stacks(gpri_saved *saved, const contents *in) {
    const char *at = in->stacks.values;
    int64_t left = at ? in->stacks.shape[0] * in->stacks.shape[1] : 0, size, run, kind;
    const int64_t word = (int64_t)sizeof size;
    for (int64_t row = 0; at && row < in->runs.shape[0]; row++) {
        memcpy(&run, row_of(&in->runs, row, sizeof run), sizeof run);
        memcpy(&kind, row_of(&in->runs, row, sizeof run) + sizeof run, sizeof kind);
        if (left >= word) memcpy(&size, at, sizeof size);
        if (left < word || size < 0 || size > left - word || (size + word - 1) / word * word > left - word)
            return gpri_fail(GPR_ERROR_FORMAT, "%s: the networks of run %lld are cut off: it is damaged", in->where,
                             (long long)run);
        gpri_saved_run *out = &saved->runs[run];
        if (size && (!out->stack || kind != GPRI_RUN_WAITING)) { /* else another block has more of it */
            out->stack = at + word;
            out->stack_size = size;
        }
        at += word + (size + word - 1) / word * word;
        left -= word + (size + word - 1) / word * word;
    }
    if (left) return gpri_fail(GPR_ERROR_FORMAT, "%s: it has more networks than runs: it is damaged", in->where);
    return GPR_OK;
}

/* Of one block. */
static gpr_status read_runs(gpri_saved *saved, const contents *in, const gpr_params *params, gpri_saved_as as) {
    tally so_far = {.began = 0};
    const gpri_gamma_plan plan = gpri_gamma_plan_of(params);
    double seconds;
    const char *where = in->where;
    const int64_t epochs = gpri_params_int(params, GPRI_PARAM_EPOCHS), count = in->runs.shape[0];
    if (count < 1 || count > saved->count || in->seconds.shape[0] != count + 1 || in->splits.shape[0] != count)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: its arrays are of different numbers of runs: it is damaged", where);
    if (saved->words && saved->words != in->splits.shape[1])
        return gpri_fail(GPR_ERROR_MISMATCH, "the states are of different trainings");
    if (in->gamma.values && in->gamma.shape[1] != plan.count)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: array 'gamma' has another shape than it should", where);
    memcpy(&seconds, row_of(&in->seconds, count, sizeof seconds), sizeof seconds);
    if (seconds > saved->seconds) saved->seconds = seconds; /* that of the block that was written last */
    saved->words = in->splits.shape[1];
    for (int64_t row = 0; row < count; row++) NEED(read_run(saved, in, row, epochs, plan, as, &so_far));
    NEED(read_stacks(saved, in));
    if (so_far.began != (in->best.values ? in->best.shape[0] : 0) ||
        so_far.rows != (in->history.values ? in->history.shape[0] : 0) ||
        so_far.gamma_rows != (in->gamma.values ? in->gamma.shape[0] : 0) ||
        so_far.stopped != (in->numbers.values ? in->numbers.shape[0] : 0) ||
        so_far.stopped != (in->adam.values ? in->adam.shape[0] : 0))
        return gpri_fail(GPR_ERROR_FORMAT, "%s: it has more numbers than its runs need: it is damaged", where);
    return GPR_OK;
}

static gpr_status check_sum(const gpr_state *block) {
    const char *bytes = block->bytes, *where = name_of(block);
    const size_t size = block->size;
    int64_t sum;
    if (size < sizeof sum || size > INT64_MAX / 4)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: %zu bytes are not a stopped training", where, size);
    memcpy(&sum, bytes + size - sizeof sum, sizeof sum);
    if (sum == (int64_t)gpri_checksum(0, bytes, (int64_t)(size - sizeof sum))) return GPR_OK;
    return gpri_fail(GPR_ERROR_FORMAT, "%s: its checksum is wrong: it is truncated or damaged, or no stopped training",
                     where);
}

gpr_status gpri_saved_header(gpri_safetensors *out, const gpr_state *state) {
    *out = (gpri_safetensors){.header = NULL};
    if (!state->bytes) return gpri_fail(GPR_ERROR_ARGUMENT, "%s: its bytes are NULL", name_of(state));
    NEED(check_sum(state));
    return gpri_safetensors_open(out, state->bytes, (int64_t)state->size, name_of(state), "stopped training", "array");
}

gpr_status gpri_saved_option(gpr_ctx *ctx, char **text, const gpr_state *state, gpri_param option) {
    gpr_status status = GPR_OK;
    gpri_safetensors file;
    char key[64];
    *text = NULL;
    TRY(gpri_saved_header(&file, state));
    snprintf(key, sizeof key, "param.%s", gpri_param_word(option));
    const char *kept = json_string_value(json_object_get(gpri_safetensors_metadata(&file), key));
    if (kept) TRY(gpri_strdup(ctx, text, kept));
done:
    gpri_safetensors_close(&file);
    return status;
}

static gpr_status read_block(gpri_saved *saved, gpri_safetensors *file, const gpr_state *block,
                             const gpr_params *params, gpri_saved_as as) {
    contents in = {.where = NULL};
    NEED(gpri_saved_header(file, block));
    NEED(read_metadata(saved, file, params, as));
    if (!saved->runs) NEED(gpri_calloc(saved->ctx, &saved->runs, saved->count, sizeof *saved->runs, "state"));
    NEED(read_arrays(&in, file));
    return read_runs(saved, &in, params, as);
}

gpr_status gpri_saved_open(gpr_ctx *ctx, gpri_saved *out, const gpr_state *states, int64_t count,
                           const gpr_params *params, gpri_saved_as as) {
    gpr_status status = GPR_OK;
    *out = (gpri_saved){.ctx = ctx};
    TRY(gpri_calloc(ctx, &out->files, count, sizeof *out->files, "state"));
    for (; out->file_count < count; out->file_count++)
        TRY(read_block(out, &out->files[out->file_count], &states[out->file_count], params, as));
done:
    if (status != GPR_OK && out->files) out->file_count++; /* the one that failed may be open */
    return status;
}

void gpri_saved_close(gpri_saved *saved) {
    if (!saved->ctx) return;
    for (int64_t i = 0; i < saved->file_count; i++) gpri_safetensors_close(&saved->files[i]);
    gpri_free_all(saved->ctx, saved->files, saved->runs);
    *saved = (gpri_saved){.ctx = NULL};
}

/* ---- with the data ---- */

/* A text of a block's metadata, or "unknown". */
static const char *said(const gpri_saved *saved, int64_t block, const char *key) {
    const char *text = json_string_value(json_object_get(gpri_safetensors_metadata(&saved->files[block]), key));
    return text ? text : "unknown";
}

gpr_status gpri_saved_match(const gpri_saved *saved, const gpr_dataset *data, const char *fingerprint) {
    const char *kernels = saved->ctx->job.device->ops->name;
    for (int64_t i = 0; i < saved->file_count; i++) {
        if (strcmp(said(saved, i, "fingerprint"), fingerprint) != 0)
            return gpri_fail(GPR_ERROR_MISMATCH,
                             "%s is of a training on other data (%s): %s has the fingerprint %s, not %s",
                             saved->files[i].path, said(saved, i, "dataset"), data->name, fingerprint,
                             said(saved, i, "fingerprint"));
        if (strcmp(said(saved, i, "kernels"), kernels) != 0)
            gpri_log(saved->ctx, GPR_LOG_WARNING,
                     "the training began with the kernels %s and goes on with %s: its numbers may differ a little from "
                     "those of a training that was never stopped",
                     said(saved, i, "kernels"), kernels);
    }
    if (strcmp(said(saved, 0, "program_version"), gpr_version()) != 0)
        gpri_log(saved->ctx, GPR_LOG_WARNING,
                 "the training began with version %s and goes on with %s: its numbers may differ from those of a "
                 "training that was never stopped",
                 said(saved, 0, "program_version"), gpr_version());
    if (strcmp(said(saved, 0, "param.state"), "bfloat16") == 0)
        gpri_log(saved->ctx, GPR_LOG_WARNING,
                 "the training began with `state` bfloat16 and goes on in float32: its numbers may differ from those "
                 "of a training that was never stopped");
    if (saved->words != (data->graph.nodes + GPRI_NODES_PER_WORD - 1) / GPRI_NODES_PER_WORD)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: its splits are not of %lld nodes: it is damaged", saved->files[0].path,
                         (long long)data->graph.nodes);
    return GPR_OK;
}

static gpr_status match_hash(const gpri_saved *saved, const char *key, uint64_t hash, const char *what) {
    char now[32];
    snprintf(now, sizeof now, "%016llx", (unsigned long long)hash);
    for (int64_t i = 0; i < saved->file_count; i++)
        if (strcmp(said(saved, i, key), now) != 0)
            return gpri_fail(GPR_ERROR_MISMATCH, "%s is of a training on other %s changed", saved->files[i].path, what);
    return GPR_OK;
}

gpr_status gpri_saved_match_inputs(const gpri_saved *saved, const gpr_result *result) {
    gpr_status status =
        match_hash(saved, "splits_hash", result->splits_hash, "splits: the splits, or the file of `split`,");
    if (status != GPR_OK) return status;
    return match_hash(
        saved, "inputs_hash", result->inputs_hash,
        "inputs: the file of `embedding`, `init` or `class-weight`, the column of `sample-weight`, or the "
        "directions of the edges");
}

gpr_status gpri_saved_match_features(const gpri_saved *saved, bool rows, const gpri_scaling *columns) {
    const char *now = gpri_saved_features(rows, columns);
    for (int64_t i = 0; i < saved->file_count; i++)
        if (strcmp(said(saved, i, "features"), now) != 0)
            return gpri_fail(GPR_ERROR_MISMATCH,
                             "%s is of a training on features that were made ready otherwise (%s, now %s)",
                             saved->files[i].path, said(saved, i, "features"), now);
    return GPR_OK;
}

gpr_status gpri_saved_split(const gpri_saved *saved, gpr_split **out, const gpr_dataset *data, int64_t run) {
    const int64_t nodes = data->graph.nodes;
    const char *words = saved->runs[run].split;
    uint8_t *parts;
    if (!words) return GPR_OK;
    NEED(gpri_alloc(saved->ctx, &parts, nodes, sizeof *parts, "split"));
    for (int64_t i = 0; i < nodes; i++) {
        uint64_t word;
        memcpy(&word, words + i / GPRI_NODES_PER_WORD * (int64_t)sizeof word, sizeof word);
        parts[i] = (uint8_t)(word >> (2 * (i % GPRI_NODES_PER_WORD)) & 3);
    }
    gpr_status status = gpri_split_of_parts(saved->ctx, out, data, parts, nodes, run == 0);
    gpri_free(saved->ctx, parts);
    return status;
}

/* A loss or a gamma that is not finite ends a run: a state has none. */
static gpr_status check_finite(const gpri_saved *saved, const gpri_trainer *trainer, int64_t run) {
    const gpri_restart *restart = &saved->runs[run].restart;
    gpri_epoch at;
    float gamma;
    for (int64_t t = 0; t <= restart->steps; t++) {
        memcpy(&at, (const char *)restart->history + t * (int64_t)sizeof at, sizeof at);
        if (!isfinite(at.train_loss) || isinf(at.val_loss) || isinf(at.test_loss))
            return gpri_fail(GPR_ERROR_FORMAT, "the state of run %lld has a loss that is not finite: it is damaged",
                             (long long)run);
    }
    const int64_t numbers = restart->gamma ? gpri_gamma_rows(trainer->plan, restart->steps) * trainer->plan.count : 0;
    for (int64_t i = 0; i < numbers; i++) {
        memcpy(&gamma, (const char *)restart->gamma + i * (int64_t)sizeof gamma, sizeof gamma);
        if (!isfinite(gamma))
            return gpri_fail(GPR_ERROR_FORMAT, "the state of run %lld has a gamma that is not finite: it is damaged",
                             (long long)run);
    }
    return GPR_OK;
}

gpr_status gpri_saved_restore(const gpri_saved *saved, gpri_trainer *trainer, gpri_run *out) {
    const gpri_saved_run *from = &saved->runs[out->number];
    const gpri_restart *restart = &from->restart;
    NEED(gpri_state_load(trainer, restart));
    NEED(gpri_alloc(saved->ctx, &out->history, trainer->rule.epochs + 1, sizeof *out->history, "history"));
    memcpy(out->history, restart->history, (size_t)(restart->steps + 1) * sizeof *out->history);
    NEED(check_finite(saved, trainer, out->number));
    out->info.epochs = restart->steps;
    out->info.best_epoch = restart->best;
    out->info.seconds = from->seconds;
    return GPR_OK;
}
