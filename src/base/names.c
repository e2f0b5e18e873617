/* Lists of texts by number, in one block of memory. */
#include "base/names.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

gpr_status gpri_names_copy(gpr_ctx *ctx, gpri_names *names, const char *const *texts, int64_t count) {
    gpr_status status = GPR_OK;
    int64_t end = 0;
    *names = (gpri_names){.count = count};
    TRY(gpri_alloc(ctx, &names->start, count + 1, sizeof *names->start, "names"));
    for (int64_t i = 0; i < count; i++) {
        names->start[i] = end;
        end += (int64_t)strlen(texts[i]) + 1;
    }
    names->start[count] = end;
    TRY(gpri_alloc(ctx, &names->bytes, end, 1, "names"));
    for (int64_t i = 0; i < count; i++)
        memcpy(names->bytes + names->start[i], texts[i], (size_t)(names->start[i + 1] - names->start[i]));
done:
    if (status != GPR_OK) gpri_names_free(ctx, names);
    return status;
}

gpr_status gpri_names_take(gpr_ctx *ctx, gpri_names *names, const char *const *texts, int64_t count, const char *what) {
    for (int64_t i = 0; texts && i < count; i++)
        if (!texts[i]) return gpri_fail(GPR_ERROR_ARGUMENT, "%s %lld is NULL", what, (long long)i);
    return texts ? gpri_names_copy(ctx, names, texts, count) : GPR_OK;
}

gpr_status gpri_names_clone(gpr_ctx *ctx, gpri_names *names, const gpri_names *from) {
    gpr_status status = GPR_OK;
    *names = (gpri_names){.count = from->count};
    if (from->count == 0) return GPR_OK;
    TRY(gpri_copy(ctx, &names->start, from->start, from->count + 1, sizeof *names->start, "names"));
    TRY(gpri_copy(ctx, &names->bytes, from->bytes, from->start[from->count], 1, "names"));
done:
    if (status != GPR_OK) gpri_names_free(ctx, names);
    return status;
}

void gpri_names_make_utf8(gpri_names *names) {
    for (int64_t i = 0; i < names->count; i++) gpri_make_utf8(names->bytes + names->start[i]);
}

bool gpri_names_equal(const gpri_names *a, const gpri_names *b) {
    if (a->count != b->count) return false;
    for (int64_t i = 0; i < a->count; i++)
        if (strcmp(gpri_name(a, i), gpri_name(b, i)) != 0) return false;
    return true;
}

const char *gpri_name(const gpri_names *names, int64_t number) {
    return number >= 0 && number < names->count ? names->bytes + names->start[number] : NULL;
}

const char *gpri_name_or_number(const gpri_names *names, int64_t number, char text[24]) {
    const char *name = gpri_name(names, number);
    if (name) return name;
    snprintf(text, 24, "%lld", (long long)number);
    return text;
}

json_t *gpri_names_json(const gpri_names *names) {
    json_t *list = json_array();
    for (int64_t i = 0; list && i < names->count; i++) list = gpri_append(list, gpri_json_string(gpri_name(names, i)));
    return list;
}

json_t *gpri_pairs_json(const gpri_names *pairs) {
    gpri_object tree = gpri_object_new();
    for (int64_t i = 0; i + 1 < pairs->count; i += 2)
        gpri_put_text(&tree, gpri_name(pairs, i), gpri_name(pairs, i + 1));
    return gpri_object_done(&tree);
}

void gpri_names_free(gpr_ctx *ctx, gpri_names *names) {
    gpri_free_all(ctx, names->start, names->bytes);
    *names = (gpri_names){0};
}
