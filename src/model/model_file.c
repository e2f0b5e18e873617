/* The model file: safetensors (8 bytes of header length, a JSON header, raw little-endian float32), so that others can
 * read it. Weights have the names and shapes of the authors' PyTorch program: a linear layer is (out x in), gamma a
 * vector. What is needed to predict, the options among it, is in the header's metadata. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "model/metadata.h"
#include "model/model.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "model files are little-endian: this machine needs byte swaps here"
#endif

#define FORMAT_NAME "gprgnn"
#define FORMAT_VERSION "1"
enum { HEADER_MOST = 100000000 }; /* as safetensors has it */

/* ---- writing ---- */

static json_t *metadata_of(gpr_ctx *ctx, const gpr_model *model) {
    json_t *meta = json_object();
    char text[64], key[64];
    int bad = gpri_meta_set_text(meta, "format", FORMAT_NAME) |
              gpri_meta_set_text(meta, "format_version", FORMAT_VERSION) |
              gpri_meta_set_text(meta, "program_version", gpr_version()) |
              gpri_meta_set_text(meta, "dataset", model->dataset ? model->dataset : "");
    snprintf(text, sizeof text, "%" PRId64, model->features);
    bad |= gpri_meta_set_text(meta, "features", text);
    snprintf(text, sizeof text, "%" PRId64, model->classes);
    bad |= gpri_meta_set_text(meta, "classes", text);
    bad |= gpri_meta_set_text(meta, "feature_rows", model->normalize ? "sum to 1" : "as they are");
    snprintf(text, sizeof text, "%016" PRIx64, model->split_hash);
    bad |= gpri_meta_set_text(meta, "split_hash", text);
    if (model->fingerprint[0]) bad |= gpri_meta_set_text(meta, "fingerprint", model->fingerprint);
    bad |= gpri_meta_set_names(meta, ctx, "class_names", &model->class_names);
    bad |= gpri_meta_set_names(meta, ctx, "feature_names", &model->feature_names);
    bad |= gpri_meta_set_reals(meta, ctx, "column_means", model->scaling.mean, model->scaling.cols);
    bad |= gpri_meta_set_reals(meta, ctx, "column_factors", model->scaling.factor, model->scaling.cols);
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) {
        if (!gpri_params_applies(model->params, (gpri_param)i)) continue;
        snprintf(key, sizeof key, "param.%s", gpri_param_word((gpri_param)i));
        bad |= gpri_meta_set_text(meta, key, gpri_params_text(model->params, (gpri_param)i));
    }
    if (bad) {
        json_decref(meta);
        return NULL;
    }
    return meta;
}

/* A matrix is written transposed, a vector as it is. What has one row is a vector, but the matrix of a layer with one
 * input. */
static json_t *entry_of(const gpri_tensor *tensor, int64_t *offset) {
    const char *part = strrchr(tensor->name, '.');
    bool matrix = tensor->rows != 1 || (part && strcmp(part, ".weight") == 0);
    int64_t begin = *offset;
    *offset += tensor->rows * tensor->cols * (int64_t)sizeof(float);
    json_t *shape = matrix ? json_pack("[II]", (json_int_t)tensor->cols, (json_int_t)tensor->rows)
                           : json_pack("[I]", (json_int_t)tensor->cols);
    return json_pack("{s:s, s:o, s:[II]}", "dtype", "F32", "shape", shape, "data_offsets", (json_int_t)begin,
                     (json_int_t)*offset);
}

static gpr_status header_of(gpri_text *out, const gpr_model *model) {
    json_t *header = json_object();
    int64_t offset = 0;
    int bad = json_object_set_new(header, "__metadata__", metadata_of(out->ctx, model));
    for (int i = 0; i < model->tensor_count; i++)
        bad |= json_object_set_new(header, model->tensors[i].name, entry_of(&model->tensors[i], &offset));
    if (bad) {
        json_decref(header);
        header = NULL;
    }
    return gpri_json_write(out, header, JSON_COMPACT);
}

static gpr_status write_tensor(gpr_ctx *ctx, gpri_output *out, const gpri_tensor *tensor) {
    float *turned = NULL;
    gpr_status status = GPR_OK;
    int64_t rows = tensor->rows, cols = tensor->cols;
    TRY(gpri_alloc(ctx, &turned, rows * cols, sizeof *turned, "weights"));
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++) turned[c * rows + r] = tensor->values[r * cols + c];
    TRY(gpri_output_write(out, turned, (size_t)(rows * cols) * sizeof *turned));
done:
    gpri_free(ctx, turned);
    return status;
}

gpr_status gpr_model_save(gpr_ctx *ctx, const gpr_model *model, const char *path) {
    gpri_output out = {.fd = -1};
    gpr_status status = GPR_OK;
    if (!ctx || !model || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_model_save: a NULL argument");
    gpri_text header = {.ctx = ctx};
    TRY(header_of(&header, model));
    gpri_text_add(&header, "%*s", (int)(-header.size & 7), ""); /* so that the numbers are aligned */
    TRY(gpri_text_status(&header));
    uint64_t size = (uint64_t)header.size;
    TRY(gpri_output_open(ctx, &out, path));
    TRY(gpri_output_write(&out, &size, sizeof size));
    TRY(gpri_output_write(&out, header.bytes, (size_t)size));
    for (int i = 0; i < model->tensor_count; i++) TRY(write_tensor(ctx, &out, &model->tensors[i]));
    status = gpri_output_commit(ctx, &out);
done:
    gpri_output_abandon(ctx, &out);
    gpri_text_free(&header);
    return gpri_finish(status);
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
    gpr_status status = meta_text(meta, key, &text, path);
    if (status != GPR_OK) return status;
    if (!gpri_parse_int(text, out) || *out < 1 || *out > INT32_MAX)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: metadata '%s' is '%s': a whole number above 0 was expected", path, key,
                         text);
    return GPR_OK;
}

/* Both lists or neither. */
static gpr_status read_scaling(gpr_model *model, const json_t *meta, const char *path) {
    gpr_status status = GPR_OK;
    gpri_scaling *scaling = &model->scaling;
    TRY(gpri_meta_reals(model->ctx, meta, "column_means", &scaling->mean, model->features, path));
    TRY(gpri_meta_reals(model->ctx, meta, "column_factors", &scaling->factor, model->features, path));
    if (!scaling->mean != !scaling->factor)
        THROW(GPR_ERROR_FORMAT, "%s: its metadata has only one of 'column_means' and 'column_factors'", path);
    scaling->cols = scaling->mean ? model->features : 0;
done:
    return status;
}

static gpr_status read_metadata(gpr_model *model, const json_t *meta, const char *path) {
    gpr_status status = GPR_OK;
    const char *text;
    char key[64];
    text = json_string_value(json_object_get(meta, "format"));
    if (!text || strcmp(text, FORMAT_NAME) != 0)
        THROW(GPR_ERROR_FORMAT,
              "%s: a safetensors file, but not a model of gprgnn (its metadata lacks format 'gprgnn')", path);
    TRY(meta_text(meta, "format_version", &text, path));
    if (strcmp(text, FORMAT_VERSION) != 0)
        THROW(GPR_ERROR_FORMAT, "%s: format version %s: this program reads version %s; a newer gprgnn may read it",
              path, text, FORMAT_VERSION);
    TRY(meta_count(meta, "features", &model->features, path));
    TRY(meta_count(meta, "classes", &model->classes, path));
    TRY(meta_text(meta, "feature_rows", &text, path));
    model->normalize = strcmp(text, "sum to 1") == 0;
    TRY(meta_text(meta, "split_hash", &text, path));
    model->split_hash = strtoull(text, NULL, 16);
    TRY(meta_text(meta, "dataset", &text, path));
    TRY(gpri_strdup(model->ctx, &model->dataset, text));
    text = json_string_value(json_object_get(meta, "fingerprint"));
    if (text && strlen(text) < sizeof model->fingerprint) memcpy(model->fingerprint, text, strlen(text) + 1);
    TRY(gpri_meta_names(model->ctx, meta, "class_names", &model->class_names, model->classes, path));
    TRY(gpri_meta_names(model->ctx, meta, "feature_names", &model->feature_names, model->features, path));
    TRY(read_scaling(model, meta, path));
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) {
        snprintf(key, sizeof key, "param.%s", gpri_param_word((gpri_param)i));
        text = json_string_value(json_object_get(meta, key));
        if (!text) continue; /* an option that is younger than the file: its default */
        status = gpri_params_set_from(model->params, GPRI_FROM_FLAG, gpri_param_word((gpri_param)i), text);
        if (status != GPR_OK) {
            gpri_fail_prefix(status, "%s: metadata", path);
            if (status == GPR_ERROR_ARGUMENT) status = GPR_ERROR_FORMAT;
            goto done;
        }
    }
done:
    return status;
}

/* Checks the entry against the file's size before anything is believed. */
static gpr_status read_tensor(gpr_model *model, const char *name, const json_t *entry, const char *data,
                              int64_t data_size, const char *path) {
    const json_t *shape = json_object_get(entry, "shape"), *offsets = json_object_get(entry, "data_offsets");
    const char *dtype = json_string_value(json_object_get(entry, "dtype"));
    size_t axes = json_array_size(shape);
    int64_t size[2] = {1, 1}, count;
    if (!dtype || strcmp(dtype, "F32") != 0)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: weight %s has type %s: F32 was expected", path, name,
                         dtype ? dtype : "none");
    if (!json_is_array(shape) || axes < 1 || axes > 2 || json_array_size(offsets) != 2)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s: weight %s: a shape of one or two axes and two data_offsets were expected", path, name);
    for (size_t i = 0; i < axes; i++) {
        const json_t *axis = json_array_get(shape, i);
        size[i] = json_integer_value(axis);
        if (!json_is_integer(axis) || size[i] < 1)
            return gpri_fail(GPR_ERROR_FORMAT, "%s: weight %s: axis %zu of its shape is not a whole number above 0",
                             path, name, i);
    }
    int64_t begin = json_integer_value(json_array_get(offsets, 0)),
            end = json_integer_value(json_array_get(offsets, 1));
    if (!gpri_mul_size(size[0], size[1], &count) || count > INT64_MAX / 4 || begin < 0 || end > data_size ||
        end < begin || end - begin != count * 4)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s: weight %s lies at bytes %lld to %lld of %lld: the file is truncated or damaged", path,
                         name, (long long)begin, (long long)end, (long long)data_size);
    if (model->tensor_count == GPRI_MOST_WEIGHTS || strlen(name) >= sizeof model->tensors[0].name)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: weight %s: too many weights, or too long a name", path, name);
    gpri_tensor *tensor = &model->tensors[model->tensor_count];
    gpr_status status = gpri_alloc(model->ctx, &tensor->values, count, sizeof(float), "weights");
    if (status != GPR_OK) return status;
    model->tensor_count++;
    snprintf(tensor->name, sizeof tensor->name, "%s", name);
    tensor->rows = axes == 1 ? 1 : size[1];
    tensor->cols = size[0];
    for (int64_t r = 0; r < tensor->rows; r++)
        for (int64_t c = 0; c < tensor->cols; c++)
            memcpy(&tensor->values[r * tensor->cols + c], data + begin + 4 * (c * tensor->rows + r), 4);
    return GPR_OK;
}

static gpr_status read_model(gpr_model *model, const char *bytes, int64_t size, const char *path) {
    gpr_status status = GPR_OK;
    json_t *header = NULL;
    json_error_t error;
    uint64_t length;
    if (size < 8) THROW(GPR_ERROR_FORMAT, "%s has %lld bytes: not a model file (safetensors)", path, (long long)size);
    memcpy(&length, bytes, sizeof length);
    if (length > HEADER_MOST || bytes[8] != '{')
        THROW(GPR_ERROR_FORMAT, "%s: not a model file: it does not begin like safetensors", path);
    if ((int64_t)length > size - 8)
        THROW(GPR_ERROR_FORMAT, "%s: its header of %llu bytes goes beyond the end of the file: it is truncated", path,
              (unsigned long long)length);
    header = json_loadb(bytes + 8, (size_t)length, JSON_REJECT_DUPLICATES, &error);
    if (!header && gpri_json_no_memory(&error, (size_t)length))
        THROW(GPR_ERROR_MEMORY, "out of memory: the header of %s", path);
    if (!header)
        THROW(GPR_ERROR_FORMAT, "%s: the header is not JSON: %s at byte %d", path, error.text, error.position + 8);
    TRY(read_metadata(model, json_object_get(header, "__metadata__"), path));
    const char *name;
    json_t *entry;
    json_object_foreach(header, name, entry) if (strcmp(name, "__metadata__") != 0)
        TRY(read_tensor(model, name, entry, bytes + 8 + length, size - 8 - (int64_t)length, path));
    status = gpri_model_check(model);
    if (status < 0) gpri_fail_prefix(status, "%s", path);
done:
    json_decref(header);
    return status;
}

gpr_status gpr_model_load(gpr_ctx *ctx, gpr_model **out, const char *path) {
    gpr_status status = GPR_OK;
    char *bytes = NULL;
    int64_t size;
    if (out) *out = NULL;
    if (!ctx || !out || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_model_load: a NULL argument");
    TRY(gpri_read_whole(ctx, &bytes, &size, path, INT64_MAX / 4));
    TRY(gpri_calloc(ctx, out, 1, sizeof **out, "model"));
    (*out)->ctx = ctx;
    TRY(gpr_params_new(ctx, &(*out)->params));
    TRY(read_model(*out, bytes, size, path));
done:
    gpri_free(ctx, bytes);
    if (status < 0 && *out) {
        gpr_model_free(*out);
        *out = NULL;
    }
    return gpri_finish(status);
}
