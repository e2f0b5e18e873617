/* Kept runs as lines of JSON, and the key that tells which runs belong together. */
#include "search/kept_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/print.h"
#include "data/defaults.h"
#include "data/describe.h"
#include "file/file.h"
#include "file/path.h"
#include "file/sha256.h"
#include "io/split.h"
#include "io/text/split_lists.h"

/* ---- the key ---- */

/* Options of later versions count only where they are set: their defaults keep old results, and old runs stay valid. */
static bool is_original(gpri_param id) { return gpri_param_row_of(id)->written == GPRI_WRITTEN_ALWAYS; }

static bool counts(const gpr_params *params, gpri_param id) {
    return gpri_param_is_identity(id) && gpri_params_applies(params, id) &&
           (is_original(id) || !gpri_params_is_default(params, id));
}

/* The file that the value of an option names; NULL: none. */
static const char *file_of(gpri_param id, const char *value) {
    if (id == GPRI_PARAM_INIT) return strncmp(value, "file:", 5) == 0 ? value + 5 : NULL;
    if (id == GPRI_PARAM_SPLIT) return strstr(value, ".npz") || !gpri_split_names_rule(value) ? value : NULL;
    return strstr(gpri_param_row_of(id)->range, "|FILE") && gpri_value_of(id, value) == GPRI_OTHER ? value : NULL;
}

/* The files of a split, in the order in which they are read. */
static gpr_status add_folder(gpri_text *out, const char *folder) {
    static const char *const names[] = {"train", "valid", "test"}; /* whatever the files are called */
    gpr_status status = GPR_OK;
    gpri_text path = {.ctx = out->ctx};
    char hex[GPRI_SHA256_HEX];
    for (int i = 0; i < 3; i++) {
        TRY(gpri_split_part_file(&path, folder, (gpr_part)(GPR_TRAIN + i), NULL));
        TRY(gpri_sha256_path(hex, path.bytes));
        gpri_text_add(out, "%s%s:%s", i ? "," : "", names[i], hex);
    }
    status = gpri_text_status(out);
done:
    gpri_text_free(&path);
    return status;
}

/* Its content counts, and not where it lies. */
static gpr_status add_file(gpri_text *out, gpri_param id, const char *path) {
    char hex[GPRI_SHA256_HEX];
    if (id == GPRI_PARAM_SPLIT && gpri_is_folder(path)) return add_folder(out, path);
    if (access(path, R_OK) != 0 || gpri_sha256_path(hex, path) != GPR_OK) gpri_text_add(out, "%s", path);
    else gpri_text_add(out, "sha256:%s", hex);
    return gpri_text_status(out);
}

static gpr_status add_option(gpri_text *out, const gpr_dataset *data, const gpr_params *params, gpri_param id) {
    const gpri_param_row *row = gpri_param_row_of(id);
    const char *text = gpri_params_text(params, id);
    if (id == GPRI_PARAM_SPLIT && data) text = gpri_split_meaning(data, text);
    const char *path = file_of(id, text);
    gpri_text_add(out, "\n%s=", row->word);
    if (path) return add_file(out, id, path);
    if (row->type == GPRI_TYPE_INT) {
        gpri_text_add(out, "%lld", (long long)gpri_params_int(params, id));
    } else if (row->type == GPRI_TYPE_REAL) {
        char number[64];
        gpri_print(number, sizeof number, "%.12g", gpri_params_real(params, id));
        gpri_text_add(out, "%s", number);
    } else {
        gpri_text_add(out, "%s", text);
    }
    return gpri_text_status(out);
}

/* A file may hold many splits: a run takes the one of its place, which its seed tells only with the first seed. */
static void add_split_row(gpri_text *out, const gpr_params *params) {
    const char *split = gpri_params_text(params, GPRI_PARAM_SPLIT);
    const size_t size = strlen(split);
    if (size > 4 && strcmp(split + size - 4, ".npz") == 0)
        gpri_text_add(out, "\nsplit-row=seed-%lld", (long long)gpri_params_int(params, GPRI_PARAM_SEED));
}

/* What `auto` means by the data, where that is not what it meant when runs were first kept: rows divided by their sums,
   or nothing; and the outcome not smoothed. */
static gpr_status add_meanings(gpri_text *out, const gpr_dataset *data, const gpr_params *params) {
    const gpri_range rows = {0, data->features.rows};
    gpri_feature_scale scale = GPRI_SCALE_NONE;
    gpr_status status = gpri_defaults_look(out->ctx, data);
    if (status == GPR_OK && gpri_params_is(params, GPRI_NORMALIZE_AUTO) &&
        gpri_scale_may_be_columns(data, GPRI_NORMALIZE_AUTO))
        status = gpri_scale_of(out->ctx, &scale, data, GPRI_NORMALIZE_AUTO, rows, NULL);
    if (status != GPR_OK) return status;
    if (scale == GPRI_SCALE_NORMAL) gpri_text_add(out, "\nnormal_columns");
    if (!data->from_table && !gpri_is_published(data) && gpri_params_applies(params, GPRI_PARAM_SMOOTH) &&
        gpri_params_is(params, GPRI_SMOOTH_AUTO))
        gpri_text_add(out, "\nsmoothed");
    return GPR_OK;
}

gpr_status gpri_run_key(gpr_ctx *ctx, char key[GPRI_KEY_SIZE], const char *fingerprint, const gpr_dataset *data,
                        const gpr_params *params) {
    gpr_status status = GPR_OK;
    gpri_text text = {.ctx = ctx};
    gpri_sha256 hash;
    char hex[GPRI_SHA256_HEX];
    gpri_text_add(&text, "%s", fingerprint);
    for (int i = 0; i < GPRI_PARAM_COUNT; i++)
        if (counts(params, (gpri_param)i)) TRY(add_option(&text, data, params, (gpri_param)i));
    add_split_row(&text, params);
    if (data && data->own_split.part &&
        strcmp(gpri_split_meaning(data, gpri_params_text(params, GPRI_PARAM_SPLIT)), "column") == 0)
        gpri_text_add(&text, "\nsplit-column=%016llx",
                      (unsigned long long)gpri_parts_hash(data->own_split.part, data->graph.nodes));
    if (data && data->own_split.time)
        gpri_text_add(&text, "\ntime=%016llx",
                      (unsigned long long)gpri_parts_hash((const uint8_t *)data->own_split.time,
                                                          data->graph.nodes * (int64_t)sizeof(double)));
    if (data) TRY(add_meanings(&text, data, params));
    if (data && gpri_params_applies(params, GPRI_PARAM_DIRECTION) &&
        !gpri_params_is_default(params, GPRI_PARAM_DIRECTION))
        gpri_text_add(&text, "\ndirections=%016llx", (unsigned long long)gpri_directions_hash(&data->graph));
    TRY(gpri_text_status(&text));
    gpri_sha256_begin(&hash);
    gpri_sha256_add(&hash, text.bytes, (size_t)text.size);
    gpri_sha256_end(&hash, hex);
    memcpy(key, hex, GPRI_KEY_SIZE - 1);
    key[GPRI_KEY_SIZE - 1] = 0;
done:
    gpri_text_free(&text);
    return status;
}

/* ---- the content ---- */

/* The value of an option: of params, or of the settings of a line; NULL: it is not there. */
typedef const char *value_fn(const void *from, gpri_param id);

static const char *value_of_params(const void *from, gpri_param id) {
    return gpri_params_applies(from, id) ? gpri_params_text(from, id) : NULL;
}

static const char *value_of_settings(const void *from, gpri_param id) {
    return json_string_value(json_object_get(from, gpri_param_word(id)));
}

static void add_value(gpri_sha256 *hash, gpri_param id, const char *text) {
    const char *word = gpri_param_word(id);
    char number[64];
    double value;
    if (gpri_param_is_number(id) && gpri_parse_real(text, &value)) {
        gpri_print(number, sizeof number, "%.12g", value);
        text = number;
    }
    gpri_sha256_add(hash, word, strlen(word) + 1);
    gpri_sha256_add(hash, text, strlen(text) + 1);
}

/* Keys leave out the default of an option that is not original. Runs were kept while that of `calibrate` was still no:
   their lines say so, and their keys do not. */
static bool is_left_out(gpri_param id, const char *text, const char *model) {
    const char *fallback = gpr_param_default((int)id, model);
    if (is_original(id) || !fallback) return false;
    return strcmp(text, fallback) == 0 || (id == GPRI_PARAM_CALIBRATE && strcmp(text, "no") == 0);
}

static uint64_t content_of(const char *fingerprint, value_fn *value, const void *from) {
    const char *model = value(from, GPRI_PARAM_MODEL);
    gpri_sha256 hash;
    char hex[GPRI_SHA256_HEX];
    unsigned long long content = 0;
    if (!fingerprint || !model) return 0;
    gpri_sha256_begin(&hash);
    gpri_sha256_add(&hash, fingerprint, strlen(fingerprint) + 1);
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) {
        const gpri_param id = (gpri_param)i;
        const char *text = value(from, id);
        if (!text || !gpri_param_is_identity(id) || id == GPRI_PARAM_SPLIT || file_of(id, text)) continue;
        if (!is_left_out(id, text, model)) add_value(&hash, id, text);
    }
    gpri_sha256_end(&hash, hex);
    hex[16] = 0;
    (void)sscanf(hex, "%llx", &content);
    return content | 1;
}

uint64_t gpri_run_content(const char *fingerprint, const gpr_params *params) {
    return content_of(fingerprint, value_of_params, params);
}

/* ---- the line ---- */

static const char *number_word(int number) {
    return number == GPRI_KEPT_TOP_SHARE ? "top_share" : gpri_run_field_word((gpri_run_field)number);
}

int gpri_kept_number(const char *word) {
    for (int i = 0; i < GPRI_KEPT_NUMBERS; i++)
        if (strcmp(number_word(i), word) == 0) return i;
    return -1;
}

static json_t *settings_of(const gpr_params *params) {
    gpri_object tree = gpri_object_new();
    for (int i = 0; i < GPRI_PARAM_COUNT; i++)
        if (gpri_param_is_identity((gpri_param)i) && gpri_params_applies(params, (gpri_param)i))
            gpri_put_text(&tree, gpri_param_word((gpri_param)i), gpri_params_text(params, (gpri_param)i));
    return gpri_object_done(&tree);
}

static bool is_count(int number) {
    return number == GPRI_FIELD_SEED || number == GPRI_FIELD_EPOCHS || number == GPRI_FIELD_BEST_EPOCH;
}

static void put_numbers(gpri_object *to, const gpri_kept_run *run) {
    for (int i = 0; i < GPRI_KEPT_NUMBERS; i++) {
        if (i == GPRI_FIELD_SEED || !isfinite(run->numbers[i])) continue; /* the seed has its place in the line */
        if (is_count(i)) gpri_put_whole(to, number_word(i), (int64_t)run->numbers[i]);
        else gpri_put_real(to, number_word(i), run->numbers[i]);
    }
    if (run->gamma) gpri_put(to, "gamma", gpri_json_floats(run->gamma, run->gamma_count));
    if (!run->history) return;
    gpri_put_whole(to, "gamma_stride", run->stride);
    gpri_put(to, "gamma_history", gpri_json_floats(run->history, run->rows * run->gamma_count));
}

gpr_status gpri_kept_run_write(gpri_text *out, const gpri_kept_run *run, const gpri_run_origin *origin) {
    char hash[32];
    gpri_object tree = gpri_object_new();
    gpri_put_text(&tree, "key", run->key);
    gpri_put_text(&tree, "dataset", origin->dataset);
    gpri_put_text(&tree, "model", gpri_params_text(origin->params, GPRI_PARAM_MODEL));
    gpri_put_whole(&tree, "seed", (int64_t)run->seed);
    if (origin->failure) gpri_put_text(&tree, "failure", origin->failure);
    put_numbers(&tree, run);
    gpri_put(&tree, "settings", settings_of(origin->params));
    gpri_put_text(&tree, "fingerprint", origin->fingerprint);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)origin->split_hash);
    gpri_put_text(&tree, "split_hash", hash);
    gpri_put_text(&tree, "device", origin->device);
    gpri_put_text(&tree, "kernels", origin->kernels);
    gpri_put_whole(&tree, "threads", origin->threads);
    gpri_put_text(&tree, "version", gpr_version());
    NEED(gpri_json_write(out, gpri_object_done(&tree), JSON_COMPACT | JSON_REAL_PRECISION(17)));
    gpri_text_add(out, "\n");
    return gpri_text_status(out);
}

/* (count) numbers; *why is set where they are none. */
static gpr_status read_floats(gpr_ctx *ctx, float **out, int64_t *count, const json_t *list, const char **why) {
    *count = (int64_t)json_array_size(list);
    if (*count == 0) {
        *why = "gamma is not a list of numbers";
        return GPR_OK;
    }
    gpr_status status = gpri_alloc(ctx, out, *count, sizeof **out, "gamma");
    for (int64_t i = 0; status == GPR_OK && i < *count; i++) {
        const json_t *value = json_array_get(list, (size_t)i);
        if (!json_is_number(value)) *why = "gamma is not a list of numbers";
        (*out)[i] = (float)json_number_value(value);
    }
    return status;
}

static gpr_status read_gamma(gpr_ctx *ctx, gpri_kept_run *out, const json_t *tree, const char **why) {
    const json_t *gamma = json_object_get(tree, "gamma"), *history = json_object_get(tree, "gamma_history");
    int64_t total = 0;
    if (gamma) NEED(read_floats(ctx, &out->gamma, &out->gamma_count, gamma, why));
    if (!history || *why) return GPR_OK;
    NEED(read_floats(ctx, &out->history, &total, history, why));
    out->stride = json_integer_value(json_object_get(tree, "gamma_stride"));
    if (*why || out->gamma_count == 0 || total % out->gamma_count != 0 || out->stride < 1)
        *why = "gamma_history does not fit gamma";
    else out->rows = total / out->gamma_count;
    return GPR_OK;
}

static bool is_key(const char *text) {
    return text && strlen(text) == GPRI_KEY_SIZE - 1 && strspn(text, "0123456789abcdef") == GPRI_KEY_SIZE - 1;
}

gpr_status gpri_kept_run_read(gpr_ctx *ctx, gpri_kept_run *out, const char *line, int64_t size, const char **why) {
    gpr_status status = GPR_OK;
    *out = (gpri_kept_run){.failed = false};
    *why = NULL;
    json_t *tree = json_loadb(line, (size_t)size, 0, NULL);
    const char *key = json_string_value(json_object_get(tree, "key"));
    const json_t *seed = json_object_get(tree, "seed");
    if (!tree) *why = "it is cut or damaged";
    else if (!is_key(key) || !json_is_integer(seed)) *why = "it is not a finished run";
    if (*why) goto done;
    memcpy(out->key, key, GPRI_KEY_SIZE);
    out->seed = (uint64_t)json_integer_value(seed);
    out->failed = json_object_get(tree, "failure") != NULL;
    out->content = content_of(json_string_value(json_object_get(tree, "fingerprint")), value_of_settings,
                              json_object_get(tree, "settings"));
    for (int i = 0; i < GPRI_KEPT_NUMBERS; i++) {
        const json_t *number = json_object_get(tree, number_word(i));
        out->numbers[i] = json_is_number(number) ? json_number_value(number) : NAN;
    }
    if (!out->failed && isnan(out->numbers[GPRI_FIELD_VAL_LOSS]) && isnan(out->numbers[GPRI_FIELD_TRAIN_LOSS]))
        *why = "it has no losses";
    TRY(read_gamma(ctx, out, tree, why));
done:
    json_decref(tree);
    if (status != GPR_OK || *why) gpri_kept_run_free(ctx, out);
    return status;
}

bool gpri_kept_run_has(const gpri_kept_run *run, int measures) {
    if (run->failed) return true;
    if (measures & GPR_MEASURE_TOP_SHARE && isnan(run->numbers[GPRI_KEPT_TOP_SHARE])) return false;
    return !(measures & GPR_MEASURE_GAMMA_HISTORY) || run->history;
}

void gpri_kept_run_free(gpr_ctx *ctx, gpri_kept_run *run) {
    gpri_free_all(ctx, run->gamma, run->history);
    *run = (gpri_kept_run){.failed = false};
}
