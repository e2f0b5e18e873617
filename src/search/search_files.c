/* What a search tells: each setting, JSON, CSV and presets. None of it has a time, so that a search that was killed and
 * went on writes the same bytes. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/print.h"
#include "base/struct.h"
#include "file/file.h"
#include "search/search.h"

/* How the files begin: by this a later search knows that it may replace them. */
static const char preset_mark[] = "# A preset of gprgnn search.";
static const char json_mark[] = "{\n  \"made_by\": \"gprgnn search\"";
static const char csv_mark[] = "rank,model,settings,runs,failed,";

/* ---- one setting ---- */

int64_t gpr_search_count(const gpr_search *search) { return search ? search->count : 0; }

static const gpri_setting *setting_of(const gpr_search *search, int64_t index, const char *call) {
    if (search && index >= 0 && index < search->count) return &search->settings[index];
    gpri_fail(GPR_ERROR_ARGUMENT, "%s: search is NULL, or has no setting %lld", call, (long long)index);
    return NULL;
}

gpr_status gpr_search_setting(const gpr_search *search, int64_t index, gpr_setting_info *out) {
    const gpri_setting *setting = setting_of(search, index, "gpr_search_setting");
    if (!setting) return GPR_ERROR_ARGUMENT;
    const gpr_setting_info info = {.struct_size = sizeof info,
                                   .model = search->models[setting->model],
                                   .text = setting->text,
                                   .runs = setting->runs,
                                   .failed = setting->failed,
                                   .val_accuracy = setting->runs ? setting->val_accuracy.mean : NAN,
                                   .val_accuracy_ci95 = setting->val_accuracy.ci95,
                                   .val_loss = setting->runs ? setting->val_loss.mean : NAN,
                                   .val_loss_ci95 = setting->val_loss.ci95,
                                   .val_metric = setting->runs ? setting->val_metric.mean : NAN,
                                   .val_metric_ci95 = setting->val_metric.ci95,
                                   .best = setting->chosen,
                                   .test_accuracy = setting->chosen ? setting->test_accuracy.mean : NAN,
                                   .test_accuracy_ci95 = setting->chosen ? setting->test_accuracy.ci95 : NAN};
    return gpri_finish(GPRI_STRUCT_OUT(out, gpr_setting_info, "gpr_search_setting", &info));
}

const char *gpr_search_param(const gpr_search *search, int64_t index, const char *name) {
    const gpri_setting *setting = setting_of(search, index, "gpr_search_param");
    return setting ? gpr_params_get(setting->params, name) : NULL;
}

/* Whether the trainings go by another number than the loss. */
static bool has_metric(const gpr_search *search) { return !gpri_is_loss(gpri_params_metric(search->params)); }

static gpr_status unfinished(const char *call) {
    return gpri_fail(GPR_ERROR_ARGUMENT, "%s: the search is not finished: call gpr_search_run first", call);
}

/* ---- presets ---- */

/* The name of a dataset may hold anything; here it stays on its line. */
static void add_comment(gpri_text *out, const char *before, const char *text) {
    char shown[512];
    gpr_text_printable(shown, sizeof shown, text);
    gpri_text_add(out, "# %s%s\n", before, shown);
}

static void add_mean(gpri_text *out, const char *before, const gpr_statistics_info *mean, const char *unit) {
    char text[128];
    if (mean->count < 2) gpri_print(text, sizeof text, "%.4g%s in one run", mean->mean, unit);
    else
        gpri_print(text, sizeof text, "%.4g +- %.2g%s over %lld runs", mean->mean, mean->ci95, unit,
                   (long long)mean->count);
    add_comment(out, before, text);
}

gpr_status gpr_search_preset(gpr_search *search, int64_t index, const char **text) {
    char fingerprint[GPRI_FINGERPRINT_SIZE];
    if (text) *text = NULL;
    const gpri_setting *setting = setting_of(search, index, "gpr_search_preset");
    if (!setting || !text)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_search_preset: text is NULL, or there is no such setting");
    gpri_text *out = &search->preset;
    gpri_text_free(out);
    *out = (gpri_text){.ctx = search->ctx};
    gpri_fingerprint(fingerprint, search->data);
    gpri_text_add(out, "%s\n", preset_mark);
    add_comment(out, "dataset: ", search->data->name);
    add_comment(out, "fingerprint: ", fingerprint);
    add_comment(out, "chosen by: ", search->metric);
    if (setting->runs > 0) add_mean(out, "val_accuracy: ", &setting->val_accuracy, " %");
    if (setting->runs > 0) add_mean(out, "val_loss: ", &setting->val_loss, "");
    if (setting->runs > 0 && has_metric(search)) add_mean(out, "val_metric: ", &setting->val_metric, "");
    for (int i = 0; i < GPRI_PARAM_COUNT; i++)
        if (i == GPRI_PARAM_SPLIT || gpri_search_keeps(setting->params, (gpri_param)i))
            gpri_text_add(out, "%s = %s\n", gpri_param_word((gpri_param)i),
                          gpri_params_text(setting->params, (gpri_param)i));
    gpr_status status = gpri_text_status(out);
    if (status == GPR_OK) *text = out->bytes;
    return gpri_finish(status);
}

/* ---- JSON ---- */

static json_t *mean_tree(const gpr_statistics_info *statistics) {
    gpri_object tree = gpri_object_new();
    gpri_put_real(&tree, "mean", statistics->mean);
    gpri_put_real(&tree, "sd", statistics->sd);
    gpri_put_real(&tree, "ci95", statistics->ci95);
    return gpri_object_done(&tree);
}

/* What a preset has. */
static json_t *options_tree(const gpri_setting *setting) {
    gpri_object tree = gpri_object_new();
    for (int i = 0; i < GPRI_PARAM_COUNT; i++)
        if (i == GPRI_PARAM_SPLIT || gpri_search_keeps(setting->params, (gpri_param)i))
            gpri_put_text(&tree, gpri_param_word((gpri_param)i), gpri_params_text(setting->params, (gpri_param)i));
    return gpri_object_done(&tree);
}

static json_t *setting_tree(const gpr_search *search, const gpri_setting *setting) {
    gpri_object tree = gpri_object_new();
    gpri_put_text(&tree, "model", search->models[setting->model]);
    if (search->candidates[setting->model]) gpri_put_text(&tree, "candidate", search->candidates[setting->model]->word);
    gpri_put(&tree, "settings", options_tree(setting));
    gpri_put_text(&tree, "key", setting->key);
    gpri_put_whole(&tree, "runs", setting->runs);
    gpri_put_whole(&tree, "failed", setting->failed);
    gpri_put(&tree, "val_accuracy", mean_tree(&setting->val_accuracy));
    gpri_put(&tree, "val_loss", mean_tree(&setting->val_loss));
    if (has_metric(search)) gpri_put(&tree, "val_metric", mean_tree(&setting->val_metric));
    gpri_put(&tree, "best_of_model", json_boolean(setting->chosen));
    if (setting->chosen) gpri_put(&tree, "test_accuracy", mean_tree(&setting->test_accuracy));
    return gpri_object_done(&tree);
}

static json_t *search_tree(const gpr_search *search) {
    char fingerprint[GPRI_FINGERPRINT_SIZE];
    gpri_object tree = gpri_object_new();
    json_t *all = json_array();
    gpri_fingerprint(fingerprint, search->data);
    gpri_put_text(&tree, "made_by", "gprgnn search");
    gpri_put_text(&tree, "version", gpr_version());
    gpri_put_text(&tree, "dataset", search->data->name);
    gpri_put_text(&tree, "fingerprint", fingerprint);
    gpri_put_text(&tree, "metric", search->metric);
    gpri_put(&tree, "grid",
             search->grid_text ? gpri_json_string(search->grid_text) : json_string(search->asked ? "auto" : "small"));
    gpri_put_whole(&tree, "draws", search->draws);
    gpri_put_whole(&tree, "seed", gpri_params_int(search->params, GPRI_PARAM_SEED));
    gpri_put_whole(&tree, "runs", search->runs);
    gpri_put(&tree, "halving", json_boolean(search->halving));
    if (search->budget > 0) {
        gpri_put_real(&tree, "budget", search->budget);
        gpri_put_real(&tree, "planned_seconds", search->planned);
        gpri_put_real(&tree, "seconds_of_all", search->whole);
        gpri_put_whole(&tree, "left_out", search->left_out);
    }
    gpri_put(&tree, "best", setting_tree(search, &search->settings[0]));
    for (int64_t i = 0; all && i < search->count; i++)
        all = gpri_append(all, setting_tree(search, &search->settings[i]));
    gpri_put(&tree, "tried", all);
    return gpri_object_done(&tree);
}

gpr_status gpr_search_json(gpr_search *search, const char **json) {
    if (json) *json = NULL;
    if (!search || !json) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_search_json: a NULL argument");
    if (!search->finished) return unfinished("gpr_search_json");
    gpri_text_free(&search->json);
    search->json = (gpri_text){.ctx = search->ctx};
    gpr_status status = gpri_json_page(&search->json, search_tree(search));
    if (status == GPR_OK) *json = search->json.bytes;
    return gpri_finish(status);
}

/* ---- the folder ---- */

/* What a model is called in the names of files. */
static const char *file_word(const gpr_search *search, int model) {
    return search->candidates[model] ? search->candidates[model]->word : search->models[model];
}

static gpr_status path_in(char *out, const char *dir, const char *before, const char *model, const char *after) {
    const int size = snprintf(out, GPRI_LONGEST_PATH, "%s/%s%s%s", dir, before, model, after);
    if (size < GPRI_LONGEST_PATH) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT, "%s: the name of the folder is too long", dir);
}

/* *found: 1 if a file is there and begins so, -1 if it begins otherwise, 0 if there is none. */
static gpr_status find_mark(gpr_ctx *ctx, int *found, const char *path, const char *mark) {
    char *bytes = NULL;
    int64_t size = 0;
    gpr_status status = gpri_read_whole(ctx, &bytes, &size, path, 1 << 30);
    *found = 0;
    if (status == GPR_OK) *found = strncmp(bytes, mark, strlen(mark)) == 0 ? 1 : -1;
    gpri_free(ctx, bytes);
    return status == GPR_ERROR_NOT_FOUND ? GPR_OK : status;
}

/* GPR_OK also if there is no file. */
static gpr_status check_ours(gpr_ctx *ctx, const char *path, const char *mark) {
    int found;
    gpr_status status = find_mark(ctx, &found, path, mark);
    if (status == GPR_OK && found < 0)
        status = gpri_fail(GPR_ERROR_MISMATCH,
                           "%s is there already, and was not written by a search: it stays as it is; move it, or take "
                           "another folder",
                           path);
    return status;
}

gpr_status gpr_search_check_dir(const gpr_search *search, const char *dir) {
    char path[GPRI_LONGEST_PATH];
    if (!search || !dir) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_search_check_dir: a NULL argument");
    NEED(gpr_check_output_dir(dir));
    NEED(path_in(path, dir, "search.json", "", ""));
    NEED(check_ours(search->ctx, path, json_mark));
    NEED(path_in(path, dir, "search.csv", "", ""));
    NEED(check_ours(search->ctx, path, csv_mark));
    NEED(path_in(path, dir, "preset.conf", "", ""));
    NEED(check_ours(search->ctx, path, preset_mark));
    for (int m = 0; search->model_count > 1 && m < search->model_count; m++) {
        NEED(path_in(path, dir, "preset-", file_word(search, m), ".conf"));
        NEED(check_ours(search->ctx, path, preset_mark));
    }
    return gpri_finish(GPR_OK);
}

static gpr_status write_csv(const gpr_search *search, const char *path) {
    gpri_csv csv;
    gpri_csv_open(&csv, search->ctx, path);
    gpri_csv_add(&csv, "%sval_accuracy,val_accuracy_ci95,val_loss,val_loss_ci95,%sbest_of_model\n", csv_mark,
                 has_metric(search) ? "val_metric,val_metric_ci95," : "");
    for (int64_t i = 0; i < search->count; i++) {
        const gpri_setting *setting = &search->settings[i];
        gpri_csv_add(&csv, "%lld,%s,", (long long)i + 1, search->models[setting->model]);
        gpri_csv_name(&csv, setting->text);
        gpri_csv_add(&csv, ",%lld,%lld", (long long)setting->runs, (long long)setting->failed);
        gpri_csv_real(&csv, setting->val_accuracy.mean);
        gpri_csv_real(&csv, setting->val_accuracy.ci95);
        gpri_csv_real(&csv, setting->val_loss.mean);
        gpri_csv_real(&csv, setting->val_loss.ci95);
        if (has_metric(search)) {
            gpri_csv_real(&csv, setting->val_metric.mean);
            gpri_csv_real(&csv, setting->val_metric.ci95);
        }
        gpri_csv_add(&csv, ",%d\n", setting->chosen);
    }
    return gpri_csv_close(&csv);
}

static gpr_status write_preset(gpr_search *search, int64_t index, const char *path) {
    const char *text;
    gpr_status status = gpr_search_preset(search, index, &text);
    return status == GPR_OK ? gpri_write_whole(path, text, strlen(text)) : status;
}

static bool has_preset(const gpr_search *search, const char *model) {
    for (int64_t i = 0; search->model_count > 1 && i < search->count; i++)
        if (search->settings[i].chosen && strcmp(file_word(search, search->settings[i].model), model) == 0) return true;
    return false;
}

/* Presets of an earlier search in this folder, of models that this one has none for. */
static gpr_status remove_old(const gpr_search *search, const char *dir) {
    gpr_status status = GPR_OK;
    char path[GPRI_LONGEST_PATH];
    for (int i = 0; status == GPR_OK && i < GPRI_MODEL_COUNT + gpri_candidate_count; i++) {
        const char *model =
            i < GPRI_MODEL_COUNT ? gpri_value_word((gpri_value)i) : gpri_candidates[i - GPRI_MODEL_COUNT].word;
        int found;
        if (!model || has_preset(search, model)) continue;
        NEED(path_in(path, dir, "preset-", model, ".conf"));
        if (find_mark(search->ctx, &found, path, preset_mark) != GPR_OK || found != 1) continue; /* not ours */
        if (unlink(path) != 0) status = gpri_fail_errno("remove", path);
    }
    return status;
}

/* search.json comes last: where it is, the others are of the same search. */
gpr_status gpr_search_save(gpr_search *search, const char *dir) {
    const char *json;
    char path[GPRI_LONGEST_PATH];
    if (!search || !dir) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_search_save: a NULL argument");
    if (!search->finished) return unfinished("gpr_search_save");
    NEED(gpr_search_check_dir(search, dir));
    NEED(path_in(path, dir, "search.csv", "", ""));
    NEED(write_csv(search, path));
    for (int64_t i = 0; search->model_count > 1 && i < search->count; i++) {
        if (!search->settings[i].chosen) continue;
        NEED(path_in(path, dir, "preset-", file_word(search, search->settings[i].model), ".conf"));
        NEED(write_preset(search, i, path));
    }
    NEED(path_in(path, dir, "preset.conf", "", ""));
    NEED(write_preset(search, 0, path));
    NEED(remove_old(search, dir));
    NEED(gpr_search_json(search, &json));
    NEED(path_in(path, dir, "search.json", "", ""));
    NEED(gpri_write_whole(path, json, strlen(json)));
    return gpri_finish(GPR_OK);
}
