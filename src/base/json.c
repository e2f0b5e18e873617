/* JSON text from jansson trees, also when a name is not UTF-8 or memory is short. */
#include "base/json.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/print.h"

json_t *gpri_json_string(const char *text) {
    json_t *value = json_string(text);
    char *copy = value ? NULL : strdup(text);
    if (!copy) return value;
    gpri_make_utf8(copy);
    value = json_string(copy);
    free(copy);
    return value;
}

static int append(const char *bytes, size_t size, void *text) {
    gpri_text_add(text, "%.*s", (int)size, bytes);
    return gpri_text_status(text) == GPR_OK ? 0 : -1;
}

/* jansson writes letters beyond ASCII as they are. Some of them must not reach a terminal: they become \\u202e. */
static gpr_status spell_hidden(gpri_text *text, int64_t from) {
    unsigned code;
    const char *at = text->bytes + from;
    while (*at && !gpri_hidden_letter(at, &code)) at++;
    if (!*at) return GPR_OK; /* nearly always */
    gpri_text spelled = {.ctx = text->ctx};
    int64_t plain = 0; /* from here to i the text stays as it is */
    for (int64_t i = from; i <= text->size; i++) {
        const int length = i < text->size ? gpri_hidden_letter(text->bytes + i, &code) : 0;
        if (length == 0 && i < text->size) continue;
        gpri_text_add(&spelled, "%.*s", (int)(i - plain), text->bytes + plain);
        if (length > 0) gpri_text_add(&spelled, "\\u%04x", code);
        plain = i + length;
        if (length > 0) i += length - 1;
    }
    gpri_text_free(text);
    *text = spelled;
    return gpri_text_status(text);
}

gpr_status gpri_json_write(gpri_text *out, json_t *tree, size_t flags) {
    const int64_t from = out->size;
    int bad = !tree || json_dump_callback(tree, append, out, flags) != 0;
    json_decref(tree);
    if (gpri_text_status(out) == GPR_OK && bad) return gpri_fail(GPR_ERROR_MEMORY, "out of memory: JSON");
    return gpri_text_status(out) == GPR_OK && out->bytes ? spell_hidden(out, from) : gpri_text_status(out);
}

gpr_status gpri_json_page(gpri_text *out, json_t *tree) {
    NEED(gpri_json_write(out, tree, JSON_INDENT(2) | JSON_REAL_PRECISION(15)));
    gpri_text_add(out, "\n");
    return gpri_text_status(out);
}

gpr_status gpri_text_keep(gpr_ctx *ctx, gpri_lock *lock, char **kept, gpr_status (*make)(gpri_text *, const void *),
                          const void *handle, const char **out) {
    gpri_text text = {.ctx = ctx};
    gpr_status status = GPR_OK;
    gpri_acquire(lock);
    if (!*kept) {
        TRY(make(&text, handle));
        *kept = text.bytes;
        text = (gpri_text){.ctx = ctx};
    }
    *out = *kept;
done:
    gpri_release(lock);
    gpri_text_free(&text);
    return status;
}

void gpri_put_print(gpri_object *to, const char *key, const char *format, ...) {
    char text[64];
    va_list args;
    va_start(args, format);
    gpri_vprint(text, sizeof text, format, args);
    va_end(args);
    gpri_put_text(to, key, text);
}

json_t *gpri_object_done(gpri_object *object) {
    if (object->good && object->tree) return object->tree;
    json_decref(object->tree);
    return NULL;
}

json_t *gpri_append(json_t *list, json_t *tree) {
    if (list && tree && json_array_append_new(list, tree) == 0) return list;
    if (!list) json_decref(tree);
    json_decref(list);
    return NULL;
}

json_t *gpri_reals(const double *values, int64_t count) {
    json_t *list = values ? json_array() : json_null();
    for (int64_t i = 0; values && list && i < count; i++) list = gpri_append(list, gpri_json_real(values[i]));
    return list;
}

json_t *gpri_json_floats(const float *values, int64_t count) {
    json_t *list = values ? json_array() : json_null();
    for (int64_t i = 0; values && list && i < count; i++)
        list = gpri_append(list, gpri_json_real(gpri_shortest_decimal(values[i])));
    return list;
}

/* After json_loadb failed: jansson 2.14 then reports no error, or a syntax error; so try to allocate again. */
bool gpri_json_no_memory(const json_error_t *error, size_t size) {
    json_malloc_t take;
    json_free_t release;
    json_get_alloc_funcs(&take, &release);
    void *block = take(size);
    if (block) release(block);
    return !block || !error->text[0];
}
