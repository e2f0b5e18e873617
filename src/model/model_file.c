/* How a model is stored in a safetensors container (safetensors.h), so that other programs can read it. Weights have
 * the names and shapes of the authors' PyTorch program: a linear layer is (out x in), gamma a vector. The header's
 * metadata has everything else that prediction needs, such as the options. It does not say how the model was computed
 * (threads, device): the bytes depend on neither.
 *
 * Since format version 2 a digest (safetensors.h) makes every byte count. Files of version 1 have none. In version 3
 * there are arrays that are no weights: what the model remembers of its training (past/past.h). Version 4 has an option
 * of its filter or its network, or curves of skewed columns, that earlier programs do not know, and would pass over:
 * they refuse it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/print.h"
#include "data/made_features.h"
#include "file/file.h"
#include "model/file/metadata.h"
#include "model/file/safetensors.h"
#include "model/known.h"
#include "model/model.h"
#include "task/measures.h"

#define FORMAT_NAME "gprgnn"
#define FORMAT_VERSION "4"
#define WITH_PAST "3"      /* what a model is written as that earlier programs understand, with known labels */
#define WITHOUT_PAST "2"   /* and without: gprgnn 0.2.0 reads both */
#define WITHOUT_DIGEST "1" /* the version of gprgnn 0.1.0 */

bool gpri_model_has_param(const gpr_model *model, gpri_param id) {
    return !gpri_param_is_way(id) && gpri_params_applies(model->params, id);
}

/* ---- writing ---- */

static const char *version_of(const gpr_model *model) {
    static const gpri_param later[] = {GPRI_PARAM_LAYERS, GPRI_PARAM_RELATIONS, GPRI_PARAM_DIRECTION,
                                       GPRI_PARAM_BASIS,  GPRI_PARAM_GAMMA,     GPRI_PARAM_LOOPS};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        if (gpri_model_has_param(model, later[i]) && !gpri_params_is_default(model->params, later[i]))
            return FORMAT_VERSION;
    if (*model->smoothing.relation || model->scaling.curves.first || gpri_model_tells_number(model))
        return FORMAT_VERSION;
    return model->past ? WITH_PAST : WITHOUT_PAST;
}

static void put_curves(gpri_object *meta, gpr_ctx *ctx, const gpri_curves *curves) {
    if (!curves->first) return;
    json_t *list = json_array();
    for (int64_t j = 0; list && j < curves->cols; j++)
        list = gpri_append(list, json_integer((json_int_t)(curves->first[j + 1] - curves->first[j])));
    gpri_put_list(meta, ctx, "column_knots", list);
    gpri_put_reals(meta, ctx, "knots_from", curves->from, curves->first[curves->cols]);
    gpri_put_reals(meta, ctx, "knots_to", curves->to, curves->first[curves->cols]);
}

static json_t *metadata_of(gpr_ctx *ctx, const gpr_model *model) {
    gpri_object meta = gpri_object_new();
    gpri_put_text(&meta, "format", FORMAT_NAME);
    gpri_put_text(&meta, "format_version", version_of(model));
    gpri_put_text(&meta, GPRI_DIGEST_KEY, "");
    gpri_put_text(&meta, "program_version", gpr_version());
    gpri_put_text(&meta, "dataset", model->dataset ? model->dataset : "");
    gpri_put_print(&meta, "features", "%" PRId64, model->features);
    gpri_put_print(&meta, "classes", "%" PRId64, model->classes);
    if (gpri_model_tells_number(model)) {
        gpri_put_print(&meta, "target_mean", "%.17g", model->unit.mean);
        gpri_put_print(&meta, "target_scale", "%.17g", model->unit.scale);
    }
    gpri_put_text(&meta, "feature_rows", model->normalize ? "sum to 1" : "as they are");
    gpri_put_print(&meta, "split_hash", "%016" PRIx64, model->split_hash);
    if (model->fingerprint[0]) gpri_put_text(&meta, "fingerprint", model->fingerprint);
    if (model->made[0]) {
        gpri_put_text(&meta, "made_features", model->made);
        gpri_put_text(&meta, "made_from", model->made_from);
    }
    if (model->known_nodes) gpri_put_text(&meta, "known_nodes", model->known_nodes);
    if (model->past) gpri_put_text(&meta, "known_data", model->past->data);
    if (model->worth.measure[0]) {
        const float list[] = {(float)model->worth.with, (float)model->worth.without};
        gpri_put_text(&meta, "known_measure", model->worth.measure);
        gpri_put_reals(&meta, ctx, "known_worth", list, 2);
    }
    if (model->class_nodes) gpri_put_reals(&meta, ctx, "class_nodes", model->class_nodes, model->classes);
    if (model->rates) gpri_put_reals(&meta, ctx, "class_rates", model->rates, GPRI_RATES_ROWS * model->classes);
    gpri_put_names(&meta, ctx, "class_names", &model->class_names);
    gpri_put_names(&meta, ctx, "feature_names", &model->feature_names);
    if (model->plan) gpri_put_list(&meta, ctx, "columns", gpri_plan_json(model->plan, true));
    gpri_put_reals(&meta, ctx, "column_means", model->scaling.mean, model->scaling.cols);
    gpri_put_reals(&meta, ctx, "column_factors", model->scaling.factor, model->scaling.cols);
    put_curves(&meta, ctx, &model->scaling.curves);
    if (model->temperature > 0) gpri_put_print(&meta, "temperature", "%.17g", model->temperature);
    if (model->refit_epochs > 0) {
        gpri_put_print(&meta, "refit_epochs", "%" PRId64, model->refit_epochs);
        gpri_put_print(&meta, "refit_nodes", "%" PRId64, model->refit_nodes);
    }
    if (gpri_smooths(&model->smoothing)) {
        const float list[] = {model->smoothing.correct, model->smoothing.scale, model->smoothing.smooth};
        gpri_put_reals(&meta, ctx, "smoothing", list, 3);
        if (*model->smoothing.relation) gpri_put_text(&meta, "smoothing_relation", model->smoothing.relation);
    }
    for (int i = 0; i < GPRI_PARAM_COUNT; i++)
        if (gpri_model_has_param(model, (gpri_param)i)) gpri_put_param(&meta, model->params, (gpri_param)i);
    return gpri_object_done(&meta);
}

/* The weights as the file has them: a matrix is written transposed, a vector as it is. A tensor with one row is a
   vector, except the matrix of a layer with one input. */
typedef struct {
    gpri_stored_array arrays[GPRI_MOST_WEIGHTS + GPRI_PAST_ARRAYS];
    int count;
    float *turned[GPRI_MOST_WEIGHTS]; /* NULL: the model's own values are used */
} file_weights;

static gpr_status turn_weight(gpr_ctx *ctx, float **out, const gpri_tensor *tensor) {
    const int64_t rows = tensor->rows, cols = tensor->cols;
    NEED(gpri_alloc(ctx, out, rows * cols, sizeof **out, "weights"));
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++) (*out)[c * rows + r] = tensor->values[r * cols + c];
    return GPR_OK;
}

static gpr_status turn_weights(gpr_ctx *ctx, file_weights *out, const gpr_model *model) {
    for (int i = 0; i < model->tensor_count; i++) {
        const gpri_tensor *tensor = &model->tensors[i];
        if (tensor->rows > 1 && tensor->cols > 1) NEED(turn_weight(ctx, &out->turned[i], tensor));
        out->arrays[i] = (gpri_stored_array){.name = tensor->name,
                                             .dtype = "F32",
                                             .axes = gpri_tensor_axes(tensor),
                                             .shape = {tensor->cols, tensor->rows},
                                             .values = out->turned[i] ? out->turned[i] : tensor->values};
    }
    out->count = gpri_past_arrays(model->past, out->arrays, model->tensor_count);
    return GPR_OK;
}

static void free_weights(gpr_ctx *ctx, file_weights *weights) {
    for (int i = 0; i < GPRI_MOST_WEIGHTS; i++) gpri_free(ctx, weights->turned[i]);
}

int gpri_tensor_axes(const gpri_tensor *tensor) {
    const char *part = strrchr(tensor->name, '.');
    return tensor->rows != 1 || (part && strcmp(part, ".weight") == 0) ? 2 : 1;
}

gpr_status gpr_model_save(gpr_ctx *ctx, const gpr_model *model, const char *path) {
    gpr_status status = GPR_OK;
    file_weights weights = {.turned = {NULL}};
    if (!ctx || !model || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_model_save: a NULL argument");
    TRY(turn_weights(ctx, &weights, model));
    TRY(gpri_safetensors_save(ctx, path, metadata_of(ctx, model), weights.arrays, weights.count));
done:
    free_weights(ctx, &weights);
    return gpri_finish(status);
}

gpr_status gpr_model_to_bytes(gpr_ctx *ctx, void **bytes, size_t *size, const gpr_model *model) {
    gpr_status status = GPR_OK;
    file_weights weights = {.turned = {NULL}};
    char *made = NULL;
    int64_t length = 0;
    if (bytes) *bytes = NULL;
    if (size) *size = 0;
    if (!ctx || !bytes || !size || !model) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_model_to_bytes: a NULL argument");
    TRY(turn_weights(ctx, &weights, model));
    TRY(gpri_safetensors_bytes(ctx, &made, &length, metadata_of(ctx, model), weights.arrays, weights.count));
    *bytes = made;
    *size = (size_t)length;
done:
    free_weights(ctx, &weights);
    return gpri_finish(status);
}

void gpr_bytes_free(gpr_ctx *ctx, void *bytes) {
    if (ctx) gpri_free(ctx, bytes);
}

/* ---- reading ---- */

static gpr_status meta_text(const json_t *meta, const char *key, const char **out, const char *path) {
    *out = json_string_value(json_object_get(meta, key));
    if (*out) return GPR_OK;
    return gpri_fail(GPR_ERROR_FORMAT, "%s: its metadata lacks '%s': not a model that this program can read", path,
                     key);
}

static gpr_status meta_count(const json_t *meta, const char *key, int64_t *out, const char *path) {
    const char *text;
    NEED(meta_text(meta, key, &text, path));
    if (!gpri_parse_int(text, out) || *out < 1 || *out > INT32_MAX)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: metadata '%s' is '%s': a whole number above 0 was expected", path, key,
                         text);
    return GPR_OK;
}

/* All three lists or none; with means alone. */
static gpr_status read_curves(gpr_model *model, const json_t *meta, const char *path) {
    gpri_curves *curves = &model->scaling.curves;
    gpr_status status = GPR_OK;
    float *counts = NULL; /* (features) of knots */
    int64_t knots = 0;
    TRY(gpri_meta_reals(model->ctx, meta, "column_knots", &counts, model->features, path));
    if (!counts && !json_object_get(meta, "knots_from") && !json_object_get(meta, "knots_to")) goto done;
    bool right = counts && model->scaling.cols > 0;
    for (int64_t j = 0; right && j < model->features; j++) {
        right = counts[j] >= 0 && counts[j] <= GPRI_MOST_KNOTS && counts[j] == floorf(counts[j]);
        knots += right ? (int64_t)counts[j] : 0;
    }
    if (right) {
        TRY(gpri_alloc(model->ctx, &curves->first, model->features + 1, sizeof *curves->first, "column_knots"));
        curves->cols = model->features;
        curves->first[0] = 0;
        for (int64_t j = 0; j < model->features; j++) curves->first[j + 1] = curves->first[j] + (int64_t)counts[j];
        TRY(gpri_meta_reals(model->ctx, meta, "knots_from", &curves->from, knots, path));
        TRY(gpri_meta_reals(model->ctx, meta, "knots_to", &curves->to, knots, path));
    }
    if (!right || !curves->from || !curves->to || !gpri_curves_are_right(curves))
        THROW(GPR_ERROR_FORMAT,
              "%s: metadata 'column_knots', 'knots_from' and 'knots_to' are not the curves of its columns", path);
done:
    gpri_free(model->ctx, counts);
    return status;
}

/* Both lists or neither. */
static gpr_status read_scaling(gpr_model *model, const json_t *meta, const char *path) {
    gpri_scaling *scaling = &model->scaling;
    NEED(gpri_meta_reals(model->ctx, meta, "column_means", &scaling->mean, model->features, path));
    NEED(gpri_meta_reals(model->ctx, meta, "column_factors", &scaling->factor, model->features, path));
    if (!scaling->mean != !scaling->factor)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: its metadata has only one of 'column_means' and 'column_factors'",
                         path);
    scaling->cols = scaling->mean ? model->features : 0;
    return read_curves(model, meta, path);
}

/* Both texts or neither. */
static gpr_status read_made(gpr_model *model, const json_t *meta, const char *path) {
    const char *kind = json_string_value(json_object_get(meta, "made_features"));
    const char *from = json_string_value(json_object_get(meta, "made_from"));
    if (!json_object_get(meta, "made_features") && !json_object_get(meta, "made_from")) return GPR_OK;
    if (!kind || !from || !gpri_makes_features(kind) || strlen(kind) >= sizeof model->made ||
        strlen(from) >= sizeof model->made_from)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s: metadata 'made_features' and 'made_from' are not both what they must be", path);
    snprintf(model->made, sizeof model->made, "%s", kind);
    snprintf(model->made_from, sizeof model->made_from, "%s", from);
    return GPR_OK;
}

/* Where features come from the columns of a table, they are those of the plan. */
static gpr_status read_plan(gpr_model *model, const json_t *meta, const char *path) {
    const json_t *member = json_object_get(meta, "columns");
    if (!member) return GPR_OK; /* an older file, or no table */
    const char *text = json_string_value(member);
    if (!text) return gpri_fail(GPR_ERROR_FORMAT, "%s: metadata 'columns' is not a text", path);
    NEED(gpri_plan_read(model->ctx, &model->plan, text, path));
    const int64_t of_columns = gpri_plan_features(model->plan), features = of_columns + model->plan->added;
    if (of_columns > 0 && features != model->features)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: metadata 'columns' has %lld features, and the model %lld", path,
                         (long long)features, (long long)model->features);
    return GPR_OK;
}

/* What the options `smooth`, `calibrate` and `refit` left; all may be missing. */
static gpr_status read_afterwards(gpr_model *model, const json_t *meta, const char *path) {
    gpr_status status = GPR_OK;
    float *list = NULL;
    TRY(gpri_meta_reals(model->ctx, meta, "smoothing", &list, 3, path));
    if (list) model->smoothing = (gpri_smoothing){.correct = list[0], .scale = list[1], .smooth = list[2]};
    if (list && !(list[0] >= 0 && list[0] <= 1 && list[1] >= 0 && list[2] >= 0 && list[2] <= 1))
        THROW(GPR_ERROR_FORMAT, "%s: metadata 'smoothing' is out of bounds", path);
    const char *relation = json_string_value(json_object_get(meta, "smoothing_relation"));
    if (relation && !gpri_is_relation_name(relation, (int64_t)strlen(relation)))
        THROW(GPR_ERROR_FORMAT, "%s: metadata 'smoothing_relation' is no name of a relation", path);
    if (relation) snprintf(model->smoothing.relation, sizeof model->smoothing.relation, "%s", relation);
    const char *text = json_string_value(json_object_get(meta, "temperature"));
    if (json_object_get(meta, "temperature") && (!text || !gpri_parse_real(text, &model->temperature) ||
                                                 !isfinite(model->temperature) || model->temperature <= 0))
        THROW(GPR_ERROR_FORMAT, "%s: metadata 'temperature' is not a number above 0", path);
    if (json_object_get(meta, "refit_epochs")) {
        TRY(meta_count(meta, "refit_epochs", &model->refit_epochs, path));
        TRY(meta_count(meta, "refit_nodes", &model->refit_nodes, path));
    }
done:
    gpri_free(model->ctx, list);
    return status;
}

/* That it is a model, of a version that is known, and undamaged. */
static gpr_status check_format(gpr_ctx *ctx, const gpri_safetensors *file) {
    const json_t *meta = gpri_safetensors_metadata(file);
    const char *text = json_string_value(json_object_get(meta, "format"));
    bool sealed;
    if (!text || strcmp(text, FORMAT_NAME) != 0)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s: a safetensors file, but not a model of gprgnn (its metadata lacks format 'gprgnn')",
                         file->path);
    NEED(meta_text(meta, "format_version", &text, file->path));
    if (strlen(text) != 1 || *text < *WITHOUT_DIGEST || *text > *FORMAT_VERSION)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s: format version %s: this program reads versions " WITHOUT_DIGEST " to " FORMAT_VERSION
                         "; a newer gprgnn may read it",
                         file->path, text);
    NEED(gpri_safetensors_verify(file, &sealed)); /* in a file of version 1, too: the version may be what is damaged */
    if (!sealed && strcmp(text, WITHOUT_DIGEST) != 0)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: format version %s without a digest (%s): the file is damaged",
                         file->path, text, GPRI_DIGEST_KEY);
    if (!sealed)
        gpri_log(ctx, GPR_LOG_INFO, "%s: of format version %s, without a digest: damage may go unnoticed", file->path,
                 text);
    return GPR_OK;
}

/* A list of numbers of 0 or more, or none. */
static gpr_status read_amounts(gpr_model *model, float **out, int64_t count, const json_t *meta, const char *key,
                               const char *path) {
    gpr_status status = gpri_meta_reals(model->ctx, meta, key, out, count, path);
    for (int64_t i = 0; status == GPR_OK && *out && i < count; i++)
        if (!((*out)[i] >= 0))
            status = gpri_fail(GPR_ERROR_FORMAT, "%s: metadata '%s' has a number below 0", path, key);
    return status;
}

/* Both or neither. */
static gpr_status read_worth(gpr_model *model, const json_t *meta, const char *path) {
    gpr_status status = GPR_OK;
    gpri_worth *worth = &model->worth;
    float *list = NULL;
    const char *measure = json_string_value(json_object_get(meta, "known_measure"));
    TRY(gpri_meta_reals(model->ctx, meta, "known_worth", &list, 2, path));
    if (!list != !json_object_get(meta, "known_measure") ||
        (list && (!measure || gpri_measure_chosen(measure) == GPRI_MEASURES)))
        THROW(GPR_ERROR_FORMAT, "%s: metadata 'known_worth' and 'known_measure' are not both what they must be", path);
    if (list) snprintf(worth->measure, sizeof worth->measure, "%s", measure);
    if (list) worth->with = (double)list[0], worth->without = (double)list[1];
done:
    gpri_free(model->ctx, list);
    return status;
}

/* Only a model whose predictions use labels has it, and each does. */
static gpr_status read_known_nodes(gpr_model *model, const json_t *meta, const char *path) {
    const char *text = json_string_value(json_object_get(meta, "known_nodes"));
    if (!gpri_model_uses_labels(model)) return GPR_OK;
    NEED(read_worth(model, meta, path));
    if (!text || !gpri_known_nodes_valid(text))
        return gpri_fail(GPR_ERROR_FORMAT, "%s: its metadata lacks 'known_nodes', or it is not in hexadecimal digits",
                         path);
    return gpri_strdup(model->ctx, &model->known_nodes, text);
}

/* Both or neither, as the option `task` says. */
static gpr_status read_unit(gpr_model *model, const json_t *meta, const char *path) {
    const char *mean = json_string_value(json_object_get(meta, "target_mean")),
               *scale = json_string_value(json_object_get(meta, "target_scale"));
    gpri_unit *unit = &model->unit;
    if (!mean && !scale && gpri_params_is(model->params, GPRI_LOSS_AUTO)) return GPR_OK;
    if (!mean || !scale || model->classes != 1 || gpri_params_is(model->params, GPRI_LOSS_AUTO) ||
        !gpri_parse_real(mean, &unit->mean) || !gpri_parse_real(scale, &unit->scale) || !isfinite(unit->mean) ||
        !isfinite(unit->scale) || !(unit->scale > 0))
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s: metadata 'target_mean', 'target_scale', 'classes' and 'param.loss' are not those of a "
                         "model that tells a number",
                         path);
    return GPR_OK;
}

static gpr_status read_metadata(gpr_model *model, const json_t *meta, const char *path) {
    gpr_status status = GPR_OK;
    const char *text;
    char key[64];
    NEED(meta_count(meta, "features", &model->features, path));
    NEED(meta_count(meta, "classes", &model->classes, path));
    NEED(meta_text(meta, "feature_rows", &text, path));
    model->normalize = strcmp(text, "sum to 1") == 0;
    NEED(meta_text(meta, "split_hash", &text, path));
    model->split_hash = strtoull(text, NULL, 16);
    NEED(meta_text(meta, "dataset", &text, path));
    NEED(gpri_strdup(model->ctx, &model->dataset, text));
    text = json_string_value(json_object_get(meta, "fingerprint"));
    if (text && strlen(text) < sizeof model->fingerprint) memcpy(model->fingerprint, text, strlen(text) + 1);
    NEED(read_made(model, meta, path));
    NEED(gpri_meta_names(model->ctx, meta, "class_names", &model->class_names, model->classes, path));
    NEED(gpri_meta_names(model->ctx, meta, "feature_names", &model->feature_names, model->features, path));
    NEED(read_amounts(model, &model->class_nodes, model->classes, meta, "class_nodes", path));
    NEED(read_amounts(model, &model->rates, GPRI_RATES_ROWS * model->classes, meta, "class_rates", path));
    NEED(read_scaling(model, meta, path));
    NEED(read_plan(model, meta, path));
    NEED(read_afterwards(model, meta, path));
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) {
        snprintf(key, sizeof key, "param.%s", gpri_param_word((gpri_param)i));
        text = json_string_value(json_object_get(meta, key));
        if (!text) continue;                            /* an option newer than the file: its default */
        if (gpri_param_is_way((gpri_param)i)) continue; /* in files of 0.1.0; now the context's */
        status = gpri_params_set_from(model->params, GPRI_FROM_FLAG, gpri_param_word((gpri_param)i), text);
        if (status != GPR_OK) {
            gpri_fail_prefix(status, "%s: metadata", path);
            if (status == GPR_ERROR_ARGUMENT) status = GPR_ERROR_FORMAT;
            return status;
        }
    }
    NEED(read_known_nodes(model, meta, path));
    NEED(read_unit(model, meta, path));
    return status;
}

static gpr_status read_tensor(gpr_model *model, const gpri_stored_array *array, const char *path) {
    if (model->tensor_count == GPRI_MOST_WEIGHTS || strlen(array->name) >= sizeof((gpri_tensor *)0)->name)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: weight %s: too many weights, or too long a name", path, array->name);
    const int64_t rows = array->shape[1], cols = array->shape[0];
    gpri_tensor *tensor;
    NEED(gpri_model_add_tensor(&tensor, model, array->name, rows, cols));
    const char *values = array->values;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++) {
            float *value = &tensor->values[r * cols + c];
            memcpy(value, values + (int64_t)sizeof *value * (c * rows + r), sizeof *value);
            if (!isfinite(*value))
                return gpri_fail(GPR_ERROR_FORMAT, "%s: weight %s: number %lld, counted from 0, is %s, not finite",
                                 path, array->name, (long long)(c * rows + r), isnan(*value) ? "NaN" : "infinite");
        }
    return GPR_OK;
}

/* What the arrays that are no weights tell, and the metadata with them. */
static gpr_status check_past(gpr_model *model, const json_t *meta, const char *path) {
    gpri_past *past = model->past;
    if (!past) return GPR_OK;
    const char *data = json_string_value(json_object_get(meta, "known_data"));
    if (!model->known_nodes || !data || strlen(data) >= sizeof past->data)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: it has labels of its training, and %s", path,
                         model->known_nodes ? "metadata 'known_data' is missing or too long" : "uses none");
    memcpy(past->data, data, strlen(data) + 1);
    return gpri_past_check(past, model->classes, (int64_t)strlen(model->known_nodes), path);
}

/* path: of the file, or a word for the bytes. */
static gpr_status read_model(gpr_ctx *ctx, gpr_model **out, const char *bytes, int64_t size, const char *path) {
    gpr_status status = GPR_OK;
    gpri_safetensors file = {.header = NULL};
    gpr_model *model = NULL;
    gpri_stored_array arrays[GPRI_MOST_WEIGHTS + GPRI_PAST_ARRAYS];
    const char *name;
    int count = 0;
    TRY(gpri_calloc(ctx, &model, 1, sizeof *model, "model"));
    model->ctx = ctx;
    model->foreign = true;
    TRY(gpr_params_new(ctx, &model->params));
    TRY(gpri_safetensors_open(&file, bytes, size, path, "model file", "weight"));
    TRY(check_format(ctx, &file));
    TRY(read_metadata(model, gpri_safetensors_metadata(&file), path));
    for (void *at = NULL; (name = gpri_safetensors_name(&file, &at)); count++) {
        const char *type = gpri_past_type(name);
        gpri_stored_array array;
        TRY(gpri_safetensors_read(&file, at, &array, type ? type : "F32"));
        TRY(type ? gpri_past_read(ctx, &model->past, &array, path) : read_tensor(model, &array, path));
        arrays[count] = array;
    }
    TRY(check_past(model, gpri_safetensors_metadata(&file), path));
    status = gpri_model_check(model);
    if (status < 0) {
        gpri_fail_prefix(status, "%s", path);
        goto done;
    }
    TRY(gpri_safetensors_cover(&file, arrays, count));
    *out = model;
    model = NULL;
done:
    if (status == GPR_ERROR_ARGUMENT) status = gpri_fail(GPR_ERROR_FORMAT, "%s", gpr_last_error()); /* the file's */
    gpri_safetensors_close(&file);
    gpr_model_free(model);
    return status;
}

gpr_status gpr_model_load(gpr_ctx *ctx, gpr_model **out, const char *path) {
    gpr_status status = GPR_OK;
    char *bytes = NULL;
    int64_t size;
    if (out) *out = NULL;
    if (!ctx || !out || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_model_load: a NULL argument");
    TRY(gpri_read_whole(ctx, &bytes, &size, path, INT64_MAX / 4));
    TRY(read_model(ctx, out, bytes, size, path));
done:
    gpri_free(ctx, bytes);
    return gpri_finish(status);
}

gpr_status gpr_model_from_bytes(gpr_ctx *ctx, gpr_model **out, const void *bytes, size_t size) {
    if (out) *out = NULL;
    if (!ctx || !out || !bytes) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_model_from_bytes: a NULL argument");
    if (size > INT64_MAX / 4) return gpri_fail(GPR_ERROR_FORMAT, "the model: %zu bytes are too many", size);
    return gpri_finish(read_model(ctx, out, bytes, (int64_t)size, "the model"));
}
