/* The run folder: all results of a training, replaced as one, and the states of its runs while it is not finished. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/path.h"
#include "file/run_folder.h"
#include "file/sha256.h"
#include "model/trained/trained.h"
#include "report/report.h"
#include "report/run_page/run_page.h"
#include "train/gamma_history.h"

/* dir/name, valid until the next call with the same buffer. */
static gpr_status join(gpr_ctx *ctx, gpri_text *path, const char *dir, const char *name) {
    gpri_text_free(path);
    path->ctx = ctx;
    gpri_text_add(path, "%s/%s", dir, name);
    return gpri_text_status(path);
}

static gpr_status save_config(gpr_ctx *ctx, const gpr_result *result, const gpr_dataset *data, const char *path) {
    gpri_text text = {.ctx = ctx};
    gpr_status status = GPR_OK;
    TRY(gpri_config_json(&text, result->params, data));
    TRY(gpri_write_whole(path, text.bytes, (size_t)text.size));
done:
    gpri_text_free(&text);
    return status;
}

/* One row per run and epoch, from the initial weights (epoch 0) on. */
static gpr_status save_history(gpr_ctx *ctx, const gpr_result *result, const char *path) {
    gpri_csv csv;
    gpri_csv_open(&csv, ctx, path);
    const gpri_measure metric = gpri_params_metric(result->params);
    gpri_csv_add(&csv, "run,epoch,train_loss,val_loss,test_loss,train_accuracy,val_accuracy,test_accuracy");
    if (!gpri_is_loss(metric)) gpri_csv_add(&csv, ",val_metric");
    gpri_csv_add(&csv, "\n");
    for (int64_t r = 0; r < result->count; r++) {
        const gpri_run *run = &result->runs[r];
        for (int64_t epoch = 0; run->history && epoch <= run->info.epochs; epoch++) {
            const gpri_epoch *row = &run->history[epoch];
            gpri_csv_add(&csv, "%lld,%lld", (long long)run->number, (long long)epoch);
            gpri_csv_real(&csv, row->train_loss);
            gpri_csv_real(&csv, row->val_loss);
            gpri_csv_real(&csv, row->test_loss);
            gpri_csv_real(&csv, row->train_accuracy);
            gpri_csv_real(&csv, row->val_accuracy);
            gpri_csv_real(&csv, row->test_accuracy);
            if (!gpri_is_loss(metric)) gpri_csv_real(&csv, row->val_metric);
            gpri_csv_add(&csv, "\n");
        }
    }
    return gpri_csv_close(&csv);
}

/* The rows of a run whose filter has several relations, directions or columns. */
static void add_filters(gpri_csv *csv, const gpri_run *run) {
    gpri_trained filter, initial;
    char name[GPRI_RELATION_NAME + 1];
    if (!run->initial || gpri_trained_of(&filter, run->model) != GPR_OK) return;
    initial = filter;
    initial.gamma = run->initial;
    for (int t = 0; t < filter.form.count; t++)
        for (int64_t c = 0; c < filter.columns; c++)
            for (int64_t k = 0; k <= filter.form.hops; k++) {
                gpri_trained_relation(name, run->model->params, &filter, t);
                gpri_csv_add(csv, "%lld,%s,%s,", (long long)run->number, name, gpri_trained_direction(&filter, t));
                if (filter.columns > 1) gpri_csv_add(csv, "%lld", (long long)c);
                gpri_csv_add(csv, ",%lld", (long long)k);
                gpri_csv_real(csv, gpri_shortest_decimal((float)gpri_trained_gamma(&initial, t, k, c)));
                gpri_csv_real(csv, gpri_shortest_decimal((float)gpri_trained_gamma(&filter, t, k, c)));
                gpri_csv_add(csv, "\n");
            }
}

static gpr_status save_gamma(gpr_ctx *ctx, const gpr_result *result, const char *path) {
    gpri_csv csv;
    gpri_csv_open(&csv, ctx, path);
    gpri_csv_add(&csv, "%s",
                 gpri_filter_is_single(result->params) ? "run,k,initial,gamma\n"
                                                       : "run,relation,direction,class,k,initial,gamma\n");
    for (int64_t r = 0; r < result->count; r++) {
        const gpri_run *run = &result->runs[r];
        add_filters(&csv, run);
        for (int64_t k = 0; run->gamma && run->gamma_initial && k < run->info.gamma_count; k++) {
            gpri_csv_add(&csv, "%lld,%lld", (long long)run->number, (long long)k);
            gpri_csv_real(&csv, gpri_shortest_decimal(run->gamma_initial[k]));
            gpri_csv_real(&csv, gpri_shortest_decimal(run->gamma[k]));
            gpri_csv_add(&csv, "\n");
        }
    }
    return gpri_csv_close(&csv);
}

enum { MOST_GAMMA_ROWS = 100 };

/* The rows of a run: every 1st, 2nd, 4th, ... of those that were kept, so that there are at most MOST_GAMMA_ROWS; and
   the last one. */
static void add_gamma_rows(gpri_csv *csv, const gpri_run *run, gpri_gamma_plan plan) {
    const int64_t rows = gpri_gamma_rows(plan, run->info.epochs);
    int64_t each = 1;
    while ((rows - 1) / each >= MOST_GAMMA_ROWS) each *= 2;
    for (int64_t row = 0; row < rows; row++) {
        if (row % each != 0 && row != rows - 1) continue;
        gpri_csv_add(csv, "%lld,%lld", (long long)run->number, (long long)(row * plan.stride));
        for (int64_t k = 0; k < plan.count; k++)
            gpri_csv_real(csv, gpri_shortest_decimal(run->gamma_rows[row * plan.count + k]));
        gpri_csv_add(csv, "\n");
    }
}

/* Only for a model that learns its filter. */
static gpr_status save_gamma_history(gpr_ctx *ctx, const gpr_result *result, const char *path) {
    const gpri_gamma_plan plan = gpri_gamma_plan_of(result->params);
    gpri_csv csv;
    gpri_csv_open(&csv, ctx, path);
    gpri_csv_add(&csv, "run,epoch");
    for (int64_t k = 0; k < plan.count; k++) gpri_csv_add(&csv, ",gamma_%lld", (long long)k);
    gpri_csv_add(&csv, "\n");
    for (int64_t r = 0; r < result->count; r++)
        if (result->runs[r].gamma_rows) add_gamma_rows(&csv, &result->runs[r], plan);
    return gpri_csv_close(&csv);
}

struct gpr_run_folder {
    gpr_ctx *ctx;
    gpri_locked_folder locked;
    gpr_state *states; /* (count) read from the files */
    int64_t count;
};

/* ---- results ---- */

/* One line per file, as sha256sum(1) writes and checks them. */
static gpr_status save_manifest(gpr_ctx *ctx, gpri_text *path, const char *dir) {
    gpr_status status = GPR_OK;
    gpri_text lines = {.ctx = ctx};
    char hex[GPRI_SHA256_HEX];
    for (const char *const *name = gpri_run_files; *name; name++) {
        TRY(join(ctx, path, dir, *name));
        if (!gpri_is_file(path->bytes)) continue;
        TRY(gpri_sha256_path(hex, path->bytes));
        gpri_text_add(&lines, "%s  %s\n", hex, *name);
    }
    TRY(gpri_text_status(&lines));
    TRY(join(ctx, path, dir, GPRI_RUN_MANIFEST));
    TRY(gpri_write_whole(path->bytes, lines.bytes, (size_t)lines.size));
done:
    gpri_text_free(&lines);
    return status;
}

/* A refitted model has seen every label, also those of the test nodes. So nodes with a label keep the predictions of
   the model that the figures are of. *out and *numbers: (nodes) the classes, or the numbers, unless they are in `made`.
 */
static gpr_status save_predictions(gpr_ctx *ctx, int32_t **out, float **numbers, const gpr_result *result,
                                   const gpr_model *model, const gpr_dataset *data, const gpri_outcome *made,
                                   const char *path) {
    const bool refitted = gpr_model_refit_nodes(model) > 0 && result->count > 0;
    gpri_predictions what = {
        .model = model, .data = data, .made = made, .split = gpr_result_split(result), .with_proba = true};
    if (!made) NEED(gpri_alloc(ctx, out, data->graph.nodes, sizeof **out, "predicted classes"));
    if (!made && refitted) what.judged = result->runs[result->best].model;
    if (!made && gpri_model_tells_number(model))
        NEED(gpri_alloc(ctx, numbers, data->graph.nodes, sizeof **numbers, "predicted numbers"));
    what.classes = *out;
    what.numbers = *numbers;
    return gpri_predictions_write(ctx, path, &what);
}

/* What the training has left of all rows, if it is of this model and this data: the predictions; all else where several
   processes had them. */
static gpr_status find_kept(gpr_ctx *ctx, const gpri_gathered **gathered, const gpri_outcome **made,
                            const gpr_result *result, const gpr_model *model, const gpr_dataset *data) {
    const gpri_backing *backing = &data->backing;
    char fingerprint[GPRI_FINGERPRINT_SIZE];
    const bool asked = gpri_params_is(result->params, GPRI_PREDICTIONS_ALL);
    *gathered = NULL;
    *made = NULL;
    if (!backing->file || !backing->partly(backing->file)) NEED(gpri_dataset_ready(ctx, data));
    if (result->gathered || result->outcome.classes) {
        gpri_fingerprint(fingerprint, data);
        const bool same =
            strcmp(fingerprint, result->fingerprint) == 0 && gpri_model_checksum(model) == result->weights;
        if (same && asked && result->outcome.classes) *made = &result->outcome;
        if (same && (*made || !asked)) *gathered = result->gathered;
    }
    if (!*gathered) NEED(gpri_dataset_ready(ctx, data)); /* all of it */
    if (*gathered || *made) NEED(gpri_dataset_unchanged(ctx, data, !*gathered));
    return GPR_OK;
}

static gpr_status save_files(gpr_ctx *ctx, const gpr_result *result, const gpr_model *model, const gpr_dataset *data,
                             const gpri_gathered *gathered, const gpri_outcome *made, const char *dir) {
    gpr_status status = GPR_OK;
    gpri_text path = {.ctx = ctx};
    int32_t *classes = NULL; /* (nodes) predicted */
    float *numbers = NULL;   /* (nodes) the same */
    const char *json;
    TRY(join(ctx, &path, dir, "model.safetensors"));
    TRY(gpr_model_save(ctx, model, path.bytes));
    TRY(join(ctx, &path, dir, "config.json"));
    TRY(save_config(ctx, result, data, path.bytes));
    if (result->count > 0) {
        TRY(join(ctx, &path, dir, "split.npz"));
        TRY(gpr_split_save(ctx, result->runs[result->best].split, path.bytes));
    }
    TRY(join(ctx, &path, dir, "history.csv"));
    TRY(save_history(ctx, result, path.bytes));
    TRY(join(ctx, &path, dir, "gamma.csv"));
    TRY(save_gamma(ctx, result, path.bytes));
    if (result->count > 0 && result->runs[result->best].gamma_rows) {
        TRY(join(ctx, &path, dir, GPRI_RUN_GAMMA_HISTORY));
        TRY(save_gamma_history(ctx, result, path.bytes));
    }
    TRY(join(ctx, &path, dir, GPRI_RUN_METRICS));
    TRY(gpri_metrics_csv(ctx, path.bytes, result));
    TRY(join(ctx, &path, dir, GPRI_RUN_CLASS_METRICS));
    TRY(gpri_class_metrics_csv(ctx, path.bytes, result));
    TRY(join(ctx, &path, dir, "predictions.csv"));
    if (gpri_params_is(result->params, GPRI_PREDICTIONS_ALL))
        TRY(save_predictions(ctx, &classes, &numbers, result, model, data, made, path.bytes));
    TRY(join(ctx, &path, dir, "result.json"));
    TRY(gpr_result_json(ctx, result, &json));
    TRY(gpri_write_whole(path.bytes, json, strlen(json)));
    TRY(join(ctx, &path, dir, "report.html"));
    TRY(gpri_run_page_save(ctx, path.bytes, result, data, made ? made->classes : classes, made ? made->proba : numbers,
                           gathered));
    TRY(save_manifest(ctx, &path, dir));
done:
    gpri_free_all(ctx, classes, numbers);
    gpri_text_free(&path);
    return status;
}

gpr_status gpr_run_folder_save(gpr_run_folder *folder, const gpr_result *result, const gpr_model *model,
                               const gpr_dataset *data) {
    char staged[GPRI_LONGEST_PATH];
    if (!folder || !result || !model || !data)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_run_folder_save: a NULL argument");
    gpr_status status = GPR_OK;
    const gpri_gathered *gathered;
    const gpri_outcome *made;
    TRY(find_kept(folder->ctx, &gathered, &made, result, model, data));
    TRY(gpri_run_stage(&folder->locked, staged));
    TRY(save_files(folder->ctx, result, model, data, gathered, made, staged));
    TRY(gpri_run_commit(&folder->locked, !result->stopped));
done:
    if (status != GPR_OK) gpri_run_abandon(&folder->locked);
    return gpri_finish(status);
}

gpr_status gpr_result_save(gpr_ctx *ctx, const gpr_result *result, const gpr_model *model, const gpr_dataset *data,
                           const char *dir) {
    if (!ctx || !result || !model || !data || !dir)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_result_save: a NULL argument");
    gpr_status status = GPR_OK;
    gpr_run_folder *folder = NULL;
    TRY(gpr_run_folder_open(ctx, &folder, dir));
    TRY(gpr_run_folder_save(folder, result, model, data));
done:
    gpr_run_folder_close(folder);
    return gpri_finish(status);
}

/* ---- the folder ---- */

gpr_status gpr_run_folder_open(gpr_ctx *ctx, gpr_run_folder **out, const char *dir) {
    gpr_status status = GPR_OK;
    gpr_run_folder *folder = NULL;
    if (out) *out = NULL;
    if (!ctx || !out || !dir) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_run_folder_open: a NULL argument");
    TRY(gpri_calloc(ctx, &folder, 1, sizeof *folder, "run folder"));
    folder->ctx = ctx;
    folder->locked.fd = -1;
    TRY(gpri_locked_folder_open(&folder->locked, dir));
    *out = folder;
    folder = NULL;
done:
    gpr_run_folder_close(folder);
    return gpri_finish(status);
}

static void free_states(gpr_run_folder *folder) {
    for (int64_t i = 0; i < folder->count; i++) {
        gpri_free_all(folder->ctx, (void *)folder->states[i].bytes, (void *)folder->states[i].name);
    }
    gpri_free(folder->ctx, folder->states);
    folder->states = NULL;
    folder->count = 0;
}

void gpr_run_folder_close(gpr_run_folder *folder) {
    if (!folder) return;
    free_states(folder);
    gpri_locked_folder_close(&folder->locked);
    gpri_free(folder->ctx, folder);
}

gpr_status gpr_run_folder_repair(const char *dir) {
    if (!dir) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_run_folder_repair: dir is NULL");
    return gpri_finish(gpri_run_repair(dir));
}

/* ---- states ---- */

int gpr_run_folder_keep(void *folder, const gpr_save_info *info) {
    const gpr_run_folder *to = folder;
    char dir[GPRI_LONGEST_PATH], path[GPRI_LONGEST_PATH], name[64];
    gpr_status status = GPR_OK;
    if (!to || !info) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_run_folder_keep: a NULL argument");
    NEED(gpri_locked_folder_check(&to->locked));
    snprintf(name, sizeof name, GPRI_RUN_STATE, (long long)info->run);
    NEED(gpri_path_in(dir, to->locked.path, GPRI_RUN_STATES));
    NEED(gpri_path_in(path, dir, name));
    NEED(gpri_make_folder(dir));
    status = gpri_write_whole(path, info->bytes, info->size);
    if (status != GPR_OK) (void)rmdir(dir); /* fails where it has other states */
    return gpri_finish(status);
}

gpr_status gpr_run_folder_discard(gpr_run_folder *folder) {
    if (!folder) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_run_folder_discard: folder is NULL");
    free_states(folder);
    return gpri_finish(gpri_run_forget(&folder->locked));
}

static int by_name(const void *a, const void *b) {
    const gpr_state *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static gpr_status read_state(gpr_run_folder *folder, const char *dir, const char *name, int64_t *room) {
    gpr_status status = GPR_OK;
    char path[GPRI_LONGEST_PATH], *bytes = NULL, *copy = NULL;
    int64_t size;
    TRY(gpri_path_in(path, dir, name));
    TRY(gpri_read_whole(folder->ctx, &bytes, &size, path, INT64_MAX / 4));
    TRY(gpri_strdup(folder->ctx, &copy, path));
    TRY(gpri_grow(folder->ctx, &folder->states, room, folder->count + 1, sizeof *folder->states, "states"));
    folder->states[folder->count++] = (gpr_state){.bytes = bytes, .size = (size_t)size, .name = copy};
    bytes = copy = NULL;
done:
    gpri_free_all(folder->ctx, bytes, copy);
    return status;
}

static gpr_status read_states(gpr_run_folder *folder) {
    gpr_status status = GPR_OK;
    char dir[GPRI_LONGEST_PATH];
    int64_t room = 0;
    DIR *entries = NULL;
    free_states(folder);
    TRY(gpri_path_in(dir, folder->locked.path, GPRI_RUN_STATES));
    entries = opendir(dir);
    if (!entries && errno != ENOENT) {
        status = gpri_fail_errno("read the folder", dir);
        goto done;
    }
    for (const struct dirent *entry; entries && (entry = readdir(entries));) {
        int64_t run;
        if (gpri_is_state_name(entry->d_name, &run)) TRY(read_state(folder, dir, entry->d_name, &room));
    }
    if (folder->count) qsort(folder->states, (size_t)folder->count, sizeof *folder->states, by_name);
done:
    if (entries) closedir(entries);
    return status;
}

gpr_status gpr_run_folder_states(gpr_run_folder *folder, const gpr_state **states, int64_t *count) {
    if (states) *states = NULL;
    if (count) *count = 0;
    if (!folder || !states || !count) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_run_folder_states: a NULL argument");
    gpr_status status = read_states(folder);
    if (status != GPR_OK) return gpri_finish(status);
    *states = folder->states;
    *count = folder->count;
    return gpri_finish(GPR_OK);
}
