/* The input features as the first layer needs them: rows already normalised, dense or sparse (CSR by node, and CSC by
   column for the gradient). Read-only, shared by all runs. */
#ifndef GPRI_FEATURES_H
#define GPRI_FEATURES_H

#include <stdbool.h>

#include "embed/relations.h"
#include "tensor/real.h"

typedef struct gpri_features {
    int64_t rows, cols;
    gpri_real *dense; /* (rows x ld), or NULL: sparse */
    int64_t ld;
    int64_t hops;    /* X is A~^hops times the dataset's features: 0, unless a model has it computed beforehand */
    bool borrowed;   /* dense belongs to the dataset; rowptr and column always do */
    int64_t *rowptr; /* (rows + 1) */
    int32_t *column; /* (nnz) */
    gpri_real *value;
    int64_t *colptr;           /* (cols + 1); NULL when made for prediction only */
    int32_t *row;              /* (nnz) */
    int32_t *offset;           /* (nnz) the entry's place within its row: its CSR position is rowptr[row] + offset */
    gpri_real *column_value;   /* (nnz) its value */
    gpri_relations *relations; /* structural neighbourhoods of the nodes; NULL if the model has none */
} gpri_features;

/* The number of stored values. Dropout may drop each of them; value e uses random number e. */
static inline int64_t gpri_features_count(const gpri_features *x) {
    return x->dense ? x->rows * x->cols : x->rowptr[x->rows];
}

#endif
