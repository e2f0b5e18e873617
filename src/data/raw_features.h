/* Features as a file of their own gives them, and how a dataset takes them. */
#ifndef GPRI_RAW_FEATURES_H
#define GPRI_RAW_FEATURES_H

#include "data/dataset.h"

/* Dense, or CSR; checked when it becomes a gpri_feature_matrix. */
typedef struct gpri_raw_features {
    int64_t rows, cols;
    float *dense;     /* (rows x cols), or NULL and */
    int64_t *indptr;  /* (rows + 1) */
    int32_t *indices; /* (indptr[rows]) */
    float *values;    /* (indptr[rows]); NULL: all 1 */
    gpri_names names; /* (cols), or none */
    bool mixed;       /* columns of a table, each of its own size */
} gpri_raw_features;

void gpri_raw_features_free(gpr_ctx *ctx, gpri_raw_features *matrix);

/* Puts the features into the dataset, in place of those it has. *matrix is moved: it is empty afterwards, also on
   failure. path: the file, for messages. */
gpr_status gpri_dataset_set_features(gpr_dataset *data, gpri_raw_features *matrix, const char *path) GPRI_MUST_CHECK;
/* The same behind those that it has. Where only some have names, the others are called "column 1", ..., and "features
   1", ... Two columns of one name are an error. */
gpr_status gpri_dataset_add_features(gpr_dataset *data, gpri_raw_features *matrix, const char *path) GPRI_MUST_CHECK;

#endif
