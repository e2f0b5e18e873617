/* Columns of a table, and features in which one column is dealt out anew among the rows. */
#include <string.h>

#include "explain/importance.h"

typedef struct {
    const char *name;
    size_t size; /* of what two features must have in common */
} prefix;

static prefix prefix_of(const char *name) {
    const char *equals = name ? strchr(name, '=') : NULL;
    return (prefix){name, equals ? (size_t)(equals - name) : 0};
}

gpr_status gpri_columns_find(gpr_ctx *ctx, gpri_columns *out, const gpri_names *names, int64_t features) {
    prefix before = {NULL, 0};
    *out = (gpri_columns){.features = features};
    NEED(gpri_alloc(ctx, &out->column_of, features, sizeof *out->column_of, "columns"));
    NEED(gpri_alloc(ctx, &out->first, features, sizeof *out->first, "columns"));
    NEED(gpri_alloc(ctx, &out->size, features, sizeof *out->size, "columns"));
    for (int64_t f = 0; f < features; f++) { /* the values of a text column follow each other */
        const prefix now = prefix_of(gpri_name(names, f));
        const bool same = now.size > 0 && now.size == before.size && memcmp(now.name, before.name, now.size) == 0;
        if (!same) {
            out->first[out->count] = f;
            out->size[out->count++] = 0;
        }
        out->column_of[f] = (int32_t)(out->count - 1);
        out->size[out->count - 1]++;
        before = now;
    }
    return GPR_OK;
}

void gpri_columns_free(gpr_ctx *ctx, gpri_columns *columns) {
    gpri_free_all(ctx, columns->column_of, columns->first, columns->size);
    *columns = (gpri_columns){.count = 0};
}

gpr_status gpri_columns_name(gpr_ctx *ctx, char **out, const gpri_columns *columns, const gpri_names *names,
                             int64_t column) {
    const char *name = gpri_name(names, columns->first[column]);
    *out = NULL;
    if (!name) return GPR_OK;
    gpr_status status = gpri_strdup(ctx, out, name);
    if (status == GPR_OK && columns->size[column] > 1) (*out)[prefix_of(name).size] = 0;
    return status;
}

static void permute_dense(gpri_features *to, const gpri_features *from, int64_t first, int64_t size,
                          const int32_t *order) {
    for (int64_t i = 0; i < from->rows; i++)
        memcpy(to->dense + i * from->ld + first, from->dense + order[i] * from->ld + first,
               (size_t)size * sizeof *to->dense);
}

/* The features of a column follow each other: those before it, the other row's, and those behind it stay ordered. */
static void permute_sparse(gpri_features *to, const gpri_features *from, int64_t first, int64_t size,
                           const int32_t *order) {
    int64_t end = 0;
    to->rowptr[0] = 0;
    for (int64_t i = 0; i < from->rows; i++) {
        int64_t k = from->rowptr[i];
        for (; k < from->rowptr[i + 1] && from->column[k] < first; k++, end++)
            to->column[end] = from->column[k], to->value[end] = from->value[k];
        for (int64_t o = from->rowptr[order[i]]; o < from->rowptr[order[i] + 1]; o++)
            if (from->column[o] >= first && from->column[o] < first + size) {
                to->column[end] = from->column[o];
                to->value[end++] = from->value[o];
            }
        for (; k < from->rowptr[i + 1]; k++)
            if (from->column[k] >= first + size) {
                to->column[end] = from->column[k];
                to->value[end++] = from->value[k];
            }
        to->rowptr[i + 1] = end;
    }
}

void gpri_permute_column(gpri_features *to, const gpri_features *from, const gpri_columns *columns, int64_t column,
                         const int32_t *order) {
    if (from->dense) permute_dense(to, from, columns->first[column], columns->size[column], order);
    else permute_sparse(to, from, columns->first[column], columns->size[column], order);
}
