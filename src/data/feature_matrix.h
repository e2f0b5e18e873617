/* Node features: from the caller's arrays to a checked matrix (the struct is in data/dataset.h). */
#ifndef GPRI_FEATURE_MATRIX_H
#define GPRI_FEATURE_MATRIX_H

#include "data/dataset.h"

/* dense: (rows x cols). Fails with row and column of the first number that is not finite. Becomes CSR when less
   than a fifth is non-zero. On failure *matrix is zeroed. */
gpr_status gpri_feature_matrix_from_dense(gpr_ctx *ctx, gpri_feature_matrix *matrix, int64_t rows, int64_t cols,
                                          const float *dense) GPRI_MUST_CHECK;
/* indptr: (rows + 1), indices, values: (indptr[rows]); values may be NULL: all 1. Columns of a row may come in any
   order; entries of the same place are added up, zeros dropped. On failure *matrix is zeroed. */
gpr_status gpri_feature_matrix_from_csr(gpr_ctx *ctx, gpri_feature_matrix *matrix, int64_t rows, int64_t cols,
                                        const int64_t *indptr, const int32_t *indices,
                                        const float *values) GPRI_MUST_CHECK;
/* No features: CSR of 0 columns, without an entry. */
gpr_status gpri_feature_matrix_none(gpr_ctx *ctx, gpri_feature_matrix *matrix, int64_t rows) GPRI_MUST_CHECK;
/* The row pointers of CSR (or the column pointers of CSC): do they go from 0 to `entries` and never decrease?
   wide: of 64 bits, else of 32. pointers: how many there are; it must be count + 1. entries: -1: any number. prefix: of
   the array's name in the message, such as "adj_". wrong: the status of a fault. */
gpr_status gpri_check_indptr(gpr_status wrong, const char *prefix, const void *indptr, bool wide, int64_t pointers,
                             int64_t count, int64_t entries) GPRI_MUST_CHECK;
void gpri_feature_matrix_free(gpr_ctx *ctx, gpri_feature_matrix *matrix);

#endif
