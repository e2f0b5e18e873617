/* Lists in the metadata of a model file: writing them as JSON in a text, and reading them. */
#include "model/file/metadata.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ["Theory","Case_Based"] or [1,0.5]. */
void gpri_put_list(gpri_object *to, gpr_ctx *ctx, const char *key, json_t *list) {
    gpri_text text = {.ctx = ctx};
    if (gpri_json_write(&text, list, JSON_COMPACT | JSON_REAL_PRECISION(9)) != GPR_OK) to->good = false;
    else gpri_put_text(to, key, text.bytes);
    gpri_text_free(&text);
}

void gpri_put_names(gpri_object *to, gpr_ctx *ctx, const char *key, const gpri_names *names) {
    if (names->count > 0) gpri_put_list(to, ctx, key, gpri_names_json(names));
}

void gpri_put_reals(gpri_object *to, gpr_ctx *ctx, const char *key, const float *values, int64_t count) {
    json_t *list = json_array();
    for (int64_t i = 0; list && i < count; i++) list = gpri_append(list, json_real((double)values[i]));
    if (count > 0) gpri_put_list(to, ctx, key, list);
    else json_decref(list);
}

void gpri_put_param(gpri_object *to, const gpr_params *params, gpri_param id) {
    char key[64];
    snprintf(key, sizeof key, "param.%s", gpri_param_word(id));
    if (!gpri_params_left_out(params, id)) gpri_put_text(to, key, gpri_params_text(params, id));
}

/* *list: NULL where the key is missing; the caller's. */
static gpr_status read_list(json_t **list, const json_t *meta, const char *key, int64_t count, const char *path) {
    const json_t *member = json_object_get(meta, key);
    const char *text = json_string_value(member);
    json_error_t error;
    *list = text ? json_loads(text, JSON_REJECT_DUPLICATES, &error) : NULL;
    if (!member) return GPR_OK;
    if (text && !*list && gpri_json_no_memory(&error, strlen(text)))
        return gpri_fail(GPR_ERROR_MEMORY, "out of memory: the header of %s", path);
    if (json_is_array(*list) && (int64_t)json_array_size(*list) == count) return GPR_OK;
    json_decref(*list);
    *list = NULL;
    return gpri_fail(GPR_ERROR_FORMAT, "%s: metadata '%s' is not a list of %lld entries", path, key, (long long)count);
}

gpr_status gpri_meta_names(gpr_ctx *ctx, const json_t *meta, const char *key, gpri_names *out, int64_t count,
                           const char *path) {
    gpr_status status = GPR_OK;
    const char **texts = NULL; /* (count) */
    json_t *list = NULL;
    TRY(read_list(&list, meta, key, count, path));
    if (!list) goto done;
    TRY(gpri_alloc(ctx, &texts, count, sizeof *texts, "names"));
    for (int64_t i = 0; i < count; i++) {
        texts[i] = json_string_value(json_array_get(list, (size_t)i));
        if (!texts[i]) THROW(GPR_ERROR_FORMAT, "%s: metadata '%s': entry %lld is not a text", path, key, (long long)i);
    }
    TRY(gpri_names_copy(ctx, out, texts, count));
done:
    gpri_free(ctx, texts);
    json_decref(list);
    return status;
}

gpr_status gpri_meta_reals(gpr_ctx *ctx, const json_t *meta, const char *key, float **out, int64_t count,
                           const char *path) {
    gpr_status status = GPR_OK;
    json_t *list = NULL;
    TRY(read_list(&list, meta, key, count, path));
    if (!list) goto done;
    TRY(gpri_alloc(ctx, out, count, sizeof **out, key));
    for (int64_t i = 0; i < count; i++) {
        const json_t *entry = json_array_get(list, (size_t)i);
        (*out)[i] = (float)json_number_value(entry);
        if (!json_is_number(entry) || !isfinite((*out)[i]))
            THROW(GPR_ERROR_FORMAT, "%s: metadata '%s': entry %lld is not a finite number", path, key, (long long)i);
    }
done:
    json_decref(list);
    return status;
}
