/* Which values of a category, or words of a column of lists, become features. */
#include <stdlib.h>
#include <string.h>

#include "io/nodes/feature_columns.h"

gpr_status gpri_count_values(gpr_ctx *ctx, int64_t **out, const gpri_ids *values, const int32_t *code, int64_t rows,
                             int64_t stride) {
    NEED(gpri_calloc(ctx, out, gpri_ids_count(values) + 1, sizeof **out, "values"));
    for (int64_t i = 0; i < rows; i++)
        if (code[i * stride] >= 0) (*out)[code[i * stride]]++;
    return GPR_OK;
}

typedef struct counted {
    const char *text;
    int64_t number, count;
} counted;

static int by_text(const void *a, const void *b) {
    return strcmp(((const counted *)a)->text, ((const counted *)b)->text);
}

static int by_count(const void *a, const void *b) {
    const counted *left = a, *right = b;
    if (left->count != right->count) return left->count > right->count ? -1 : 1;
    return by_text(a, b);
}

gpr_status gpri_choose_values(const gpri_feature_columns *set, gpri_feature_column *c, const int64_t *counts,
                              int64_t most, int64_t least) {
    gpr_status status = GPR_OK;
    gpri_column *column = &set->plan->columns[c->place];
    const int64_t all = gpri_ids_count(&c->values);
    int64_t worthy = 0;
    counted *values = NULL;    /* (all) */
    const char **texts = NULL; /* (kept) */
    for (int64_t i = 0; i < all; i++) worthy += counts[i] >= least;
    const int64_t kept = worthy < most ? worthy : most;
    TRY(gpri_alloc(set->ctx, &values, all, sizeof *values, "values"));
    TRY(gpri_alloc(set->ctx, &texts, kept, sizeof *texts, "values"));
    TRY(gpri_alloc(set->ctx, &c->feature, all + 1, sizeof *c->feature, "values"));
    for (int64_t i = 0; i < all; i++) values[i] = (counted){gpri_ids_text(&c->values, i), i, counts[i]};
    if (kept < all) qsort(values, (size_t)all, sizeof *values, by_count);
    qsort(values, (size_t)kept, sizeof *values, by_text);
    for (int64_t i = 0; i < all; i++) c->feature[values[i].number] = (int32_t)(i < kept ? i : kept);
    for (int64_t i = 0; i < kept; i++) texts[i] = values[i].text;
    TRY(gpri_names_copy(set->ctx, &column->values, texts, kept));
    gpri_names_make_utf8(&column->values);
done:
    gpri_free_all(set->ctx, values, texts);
    return status;
}
