/* Permutation importance: which columns of the features a model needs. */
#ifndef GPRI_IMPORTANCE_H
#define GPRI_IMPORTANCE_H

#include "base/thread.h"
#include "data/split.h"
#include "explain/explanation.h"

/* Features that are one column of the caller's table. */
typedef struct gpri_columns {
    int64_t features, count;
    int32_t *column_of; /* (features) */
    int64_t *first;     /* (count) its first feature */
    int64_t *size;      /* (count) how many features it has */
} gpri_columns;

/* Features "name=value" with the same name are one column. names: none: each feature is a column. Free it in any case.
 */
gpr_status gpri_columns_find(gpr_ctx *ctx, gpri_columns *out, const gpri_names *names,
                             int64_t features) GPRI_MUST_CHECK;
void gpri_columns_free(gpr_ctx *ctx, gpri_columns *columns);
/* The name of the column: that of its only feature, or what stands before the '='. NULL: there are no names. */
gpr_status gpri_columns_name(gpr_ctx *ctx, char **out, const gpri_columns *columns, const gpri_names *names,
                             int64_t column) GPRI_MUST_CHECK;

/* The features of one column of `from` come from row order[i] in row i of `to`, all others from row i. Both have the
   same shape and number of values. */
void gpri_permute_column(gpri_features *to, const gpri_features *from, const gpri_columns *columns, int64_t column,
                         const int32_t *order);

struct gpr_importance {
    gpr_ctx *ctx;
    char *model, *dataset;
    gpr_importance_info info;
    gpr_important_column *columns; /* (info.tried); their names are its own */
    int64_t named;                 /* columns with a name that is to be freed */
    gpri_lock lock;                /* of json */
    char *json;
};

#endif
