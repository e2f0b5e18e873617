/* Features as a file of their own gives them, before a dataset takes them. */
#ifndef GPRI_RAW_FEATURES_H
#define GPRI_RAW_FEATURES_H

#include "data/label_texts.h"
#include "io/text/delimited.h"

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

/* A reader per form; the file may be packed with gzip if it is a text. On failure *out is zeroed.
   svmlight: `label index:value ...` per row. Labels go to `labels` where it is not NULL; *labelled tells whether there
   were any. columns: there are at least so many; 0: as many as the largest index says.
   table: numbers between commas, tabs or blanks; its header, if it has one, gives the names. */
gpr_status gpri_read_svmlight(gpr_ctx *ctx, gpri_raw_features *out, gpri_label_texts *labels, bool *labelled,
                              const char *path, int64_t columns) GPRI_MUST_CHECK;
gpr_status gpri_read_number_table(gpr_ctx *ctx, gpri_raw_features *out, const char *path,
                                  gpri_header header) GPRI_MUST_CHECK;
gpr_status gpri_read_npy_matrix(gpr_ctx *ctx, gpri_raw_features *out, const char *path) GPRI_MUST_CHECK;
gpr_status gpri_read_npz_matrix(gpr_ctx *ctx, gpri_raw_features *out, const char *path) GPRI_MUST_CHECK;

/* As the file's first bytes and its name tell. */
gpr_status gpri_read_features(gpr_ctx *ctx, gpri_raw_features *out, gpri_label_texts *labels, bool *labelled,
                              const char *path, int64_t columns) GPRI_MUST_CHECK;

#endif
