/* A training that is not finished as bytes: gpr_result_state, and the state of one run while others go on. saved.h says
 * what is in them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/checksum.h"
#include "model/file/metadata.h"
#include "model/model.h"
#include "train/saved.h"
#include "train/saved_choice.h"

enum { RUNS, SECONDS, SPLITS, HISTORY, GAMMA, BEST, NUMBERS, ADAM, STACKS, KEPT, CHECKSUM, ARRAYS };

/* The arrays, and how many rows the runs have in each so far. */
typedef struct {
    gpr_ctx *ctx;
    gpri_stored_array arrays[ARRAYS];
    void *blocks[ARRAYS];
    gpri_gamma_plan plan;
    int64_t begun, stopped, rows, gamma_rows; /* runs; those of them that can go on; rows of history and gamma */
} run_bundle;

static json_t *metadata_of(const gpr_result *result) {
    gpri_object meta = gpri_object_new();
    gpri_put_text(&meta, "format", GPRI_SAVED_FORMAT);
    gpri_put_text(&meta, "format_version", GPRI_SAVED_VERSION);
    gpri_put_text(&meta, "program_version", gpr_version());
    gpri_put_text(&meta, "dataset", result->dataset);
    gpri_put_text(&meta, "fingerprint", result->fingerprint);
    gpri_put_text(&meta, "features", result->features);
    gpri_put_text(&meta, "kernels", result->kernels);
    gpri_put_print(&meta, "runs", "%lld", (long long)result->all);
    gpri_put_print(&meta, "splits_hash", "%016llx", (unsigned long long)result->splits_hash);
    gpri_put_print(&meta, "inputs_hash", "%016llx", (unsigned long long)result->inputs_hash);
    gpri_put_text(&meta, "splits", result->given ? GPRI_SAVED_GIVEN : GPRI_SAVED_DRAWN);
    for (int i = 0; i < GPRI_PARAM_COUNT; i++)
        if (gpri_saved_param(result->params, (gpri_param)i, result->given))
            gpri_put_param(&meta, result->params, (gpri_param)i);
    gpri_choice_write(&meta, result);
    return gpri_object_done(&meta);
}

/* A zeroed array of 8 bytes a number, or of gpri_real. */
static gpr_status add_array(run_bundle *bundle, int place, const char *name, const char *dtype, int64_t rows,
                            int64_t cols) {
    size_t each = strcmp(dtype, "F32") == 0 ? sizeof(float) : sizeof(double);
    bundle->arrays[place] = (gpri_stored_array){.name = name, .dtype = dtype, .axes = 2, .shape = {rows, cols}};
    gpr_status status = gpri_calloc(bundle->ctx, &bundle->blocks[place], rows * cols, each, "state");
    bundle->arrays[place].values = bundle->blocks[place];
    return status;
}

/* Where a row of an array begins. */
static void *row_of(const run_bundle *bundle, int place, int64_t row) {
    const gpri_stored_array *array = &bundle->arrays[place];
    int64_t each = strcmp(array->dtype, "F32") == 0 ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
    return (char *)bundle->blocks[place] + row * array->shape[1] * each;
}

static int64_t weights_of(const gpr_model *model) {
    int64_t count = 0;
    for (int i = 0; i < model->tensor_count; i++) count += model->tensors[i].rows * model->tensors[i].cols;
    return count;
}

static bool began(const gpri_run *run) { return run->model != NULL; }

static gpr_status make_room(run_bundle *bundle, const gpri_run *runs, int64_t count) {
    int64_t begun = 0, stopped = 0, rows = 0, gamma_rows = 0;
    int64_t weights = 0, numbers = 0; /* the same for all runs */
    const int64_t nodes = runs[0].split->nodes;
    for (int64_t i = 0; i < count; i++) {
        const gpri_run *run = &runs[i];
        if (!began(run)) continue;
        begun++;
        rows += run->info.epochs + 1;
        gamma_rows += gpri_gamma_rows(bundle->plan, run->info.epochs);
        weights = weights_of(run->model);
        stopped += run->pause.numbers != NULL;
        if (run->pause.numbers) numbers = 3 * run->pause.weights;
    }
    NEED(add_array(bundle, RUNS, "runs", "I64", count, GPRI_SAVED_PROGRESS));
    NEED(add_array(bundle, SECONDS, "seconds", "F64", count + 1, 1));
    NEED(add_array(bundle, SPLITS, "splits", "I64", count, (nodes + GPRI_NODES_PER_WORD - 1) / GPRI_NODES_PER_WORD));
    if (begun) {
        NEED(add_array(bundle, HISTORY, "history", "F64", rows, GPRI_SAVED_CURVES));
        if (bundle->plan.count) NEED(add_array(bundle, GAMMA, "gamma", "F32", gamma_rows, bundle->plan.count));
        NEED(add_array(bundle, BEST, "best", "F32", begun, weights));
    }
    if (stopped) {
        NEED(add_array(bundle, NUMBERS, "numbers", gpri_saved_real(), stopped, numbers));
        NEED(add_array(bundle, ADAM, "adam", gpri_saved_real(), stopped, GPRI_SAVED_ADAM));
    }
    return add_array(bundle, CHECKSUM, "checksum", "I64", 1, 1);
}

/* The networks of stacks: sizes and bytes. */
static gpr_status add_stacks(run_bundle *bundle, const gpri_run *runs, int64_t count) {
    enum { WORD = sizeof(int64_t) };
    int64_t words = 0, at = 0;
    bool some = false;
    for (int64_t i = 0; i < count; i++) {
        some |= runs[i].stack != NULL;
        words += 1 + (runs[i].stack_size + WORD - 1) / WORD;
    }
    if (!some) return GPR_OK;
    char *bytes;
    NEED(gpri_calloc(bundle->ctx, &bytes, words, WORD, "state"));
    bundle->blocks[STACKS] = bytes;
    bundle->arrays[STACKS] =
        (gpri_stored_array){.name = "stacks", .dtype = "U8", .axes = 2, .shape = {1, words * WORD}, .values = bytes};
    for (int64_t i = 0; i < count; i++) {
        memcpy(bytes + at, &runs[i].stack_size, WORD);
        if (runs[i].stack) memcpy(bytes + at + WORD, runs[i].stack, (size_t)runs[i].stack_size);
        at += (1 + (runs[i].stack_size + WORD - 1) / WORD) * WORD;
    }
    return GPR_OK;
}

static void add_split(run_bundle *bundle, const gpr_split *split, int64_t place) {
    uint64_t *words = row_of(bundle, SPLITS, place);
    for (int64_t i = 0; i < split->nodes; i++)
        words[i / GPRI_NODES_PER_WORD] |= (uint64_t)split->part[i] << (2 * (i % GPRI_NODES_PER_WORD));
}

static void add_run(run_bundle *bundle, const gpri_run *run, int64_t place) {
    const bool finished = began(run) && !run->pause.numbers;
    const gpri_run_kind kind = finished ? GPRI_RUN_FINISHED : began(run) ? GPRI_RUN_STOPPED : GPRI_RUN_WAITING;
    const int64_t progress[GPRI_SAVED_PROGRESS] = {run->number, kind, run->info.epochs, run->info.best_epoch};
    memcpy(row_of(bundle, RUNS, place), progress, sizeof progress);
    add_split(bundle, run->split, place);
    if (!began(run)) return;
    memcpy(row_of(bundle, SECONDS, place), &run->info.seconds, sizeof run->info.seconds);
    memcpy(row_of(bundle, HISTORY, bundle->rows), run->history, (size_t)(run->info.epochs + 1) * sizeof *run->history);
    bundle->rows += run->info.epochs + 1;
    if (bundle->plan.count) {
        const int64_t kept = gpri_gamma_rows(bundle->plan, run->info.epochs);
        memcpy(row_of(bundle, GAMMA, bundle->gamma_rows), run->gamma_rows,
               (size_t)(kept * bundle->plan.count) * sizeof *run->gamma_rows);
        bundle->gamma_rows += kept;
    }
    float *best = row_of(bundle, BEST, bundle->begun++);
    for (int i = 0; i < run->model->tensor_count; i++) {
        const gpri_tensor *tensor = &run->model->tensors[i];
        memcpy(best, tensor->values, (size_t)(tensor->rows * tensor->cols) * sizeof *best);
        best += tensor->rows * tensor->cols;
    }
    if (finished) return;
    memcpy(row_of(bundle, NUMBERS, bundle->stopped), run->pause.numbers,
           (size_t)(3 * run->pause.weights) * sizeof *run->pause.numbers);
    memcpy(row_of(bundle, ADAM, bundle->stopped), &run->pause.adam, sizeof run->pause.adam);
    bundle->stopped++;
}

gpr_status gpri_state_bytes(gpr_ctx *ctx, char **bytes, int64_t *size, const gpr_result *result, const gpri_run *runs,
                            int64_t count) {
    gpr_status status = GPR_OK;
    run_bundle bundle = {.ctx = ctx, .plan = gpri_gamma_plan_of(result->params)};
    gpri_stored_array arrays[ARRAYS];
    int filled = 0;
    TRY(make_room(&bundle, runs, count));
    TRY(add_stacks(&bundle, runs, count));
    for (int64_t i = 0; i < count; i++) add_run(&bundle, &runs[i], i);
    memcpy(row_of(&bundle, SECONDS, count), &result->seconds, sizeof result->seconds);
    if (result->trial && result->trial->kept)
        bundle.arrays[KEPT] = (gpri_stored_array){.name = "kept",
                                                  .dtype = "U8",
                                                  .axes = 2,
                                                  .shape = {1, result->trial->kept_size},
                                                  .values = result->trial->kept};
    for (int i = 0; i < ARRAYS; i++)
        if (bundle.arrays[i].name) arrays[filled++] = bundle.arrays[i];
    TRY(gpri_safetensors_bytes(ctx, bytes, size, metadata_of(result), arrays, filled));
    const int64_t rest = *size - (int64_t)sizeof(int64_t), sum = gpri_checksum(0, *bytes, rest);
    memcpy(*bytes + rest, &sum, sizeof sum);
done:
    for (int i = 0; i < ARRAYS; i++) gpri_free(ctx, bundle.blocks[i]);
    return status;
}

static int by_number(const void *a, const void *b) {
    const gpri_run *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

gpr_status gpri_state_of_all(gpr_ctx *ctx, char **bytes, int64_t *size, const gpr_result *result) {
    gpr_status status = GPR_OK;
    gpri_run *runs = NULL; /* borrows what they hold */
    TRY(gpri_copy(ctx, &runs, result->runs, result->all, sizeof *runs, "runs"));
    qsort(runs, (size_t)result->all, sizeof *runs, by_number);
    TRY(gpri_state_bytes(ctx, bytes, size, result, runs, result->all));
done:
    gpri_free(ctx, runs);
    return status;
}

gpr_status gpr_result_state(gpr_ctx *ctx, const gpr_result *result, void **bytes, size_t *size) {
    char *made = NULL;
    int64_t length = 0;
    if (bytes) *bytes = NULL;
    if (size) *size = 0;
    if (!ctx || !result || !bytes || !size) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_result_state: a NULL argument");
    if (!result->stopped)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the training was not stopped: there is nothing left to go on with");
    gpr_status status = result->state ? gpri_alloc(ctx, &made, result->state_size, 1, "state")
                                      : gpri_state_of_all(ctx, &made, &length, result);
    if (status == GPR_OK && result->state) {
        memcpy(made, result->state, (size_t)result->state_size);
        length = result->state_size;
    }
    if (status != GPR_OK) return gpri_finish(status);
    *bytes = made;
    *size = (size_t)length;
    return gpri_finish(GPR_OK);
}
