/* The input features as the first layer needs them: rows already normalised, dense or sparse (CSR by node, and CSC by
   column for the gradient). Read-only, shared by all runs. */
#ifndef GPRI_FEATURES_H
#define GPRI_FEATURES_H

#include <stdbool.h>

#include "base/real.h"
#include "embed/relations.h"

typedef struct gpri_features {
    int64_t rows, cols;
    int64_t first, end; /* the rows that this process has: others must not be read. end 0: all */
    gpri_real *dense;   /* (rows x ld), or NULL: sparse */
    int64_t ld;
    int64_t hops;    /* X is A~^hops times the dataset's features: 0, unless a model has it computed beforehand */
    int64_t powers;  /* dense is [X | A~ X | ...], so many of them side by side, gpri_padded(cols) columns each; 0: X
                        alone */
    int64_t given;   /* columns of the data, where cols are what a model made of them (trees/columns.h); 0: the same */
    int32_t *kept;   /* with it: the columns of the data that are used; else NULL */
    const gpri_real *scores; /* with it, of a stack: (rows x columns) of its network, borrowed; or NULL */
    bool borrowed;   /* dense belongs to the dataset; rowptr and column always do */
    int64_t *rowptr; /* (rows + 1) */
    int32_t *column; /* (nnz) */
    gpri_real *value;
    int64_t *colptr;           /* (cols + 1); NULL when made for prediction only */
    int32_t *row;              /* (nnz) */
    int32_t *offset;           /* (nnz) the entry's place within its row: its CSR position is rowptr[row] + offset */
    gpri_real *column_value;   /* (nnz) its value */
    int64_t entries;           /* nnz */
    int64_t piece, pieces;     /* the entries by column, cut into pieces of that many */
    int32_t *piece_column;     /* (pieces) the column of a piece's first entry */
    struct gpri_sides *sides;  /* directed arcs of the graph (graph/sides.h); NULL if the model has none */
    gpri_relations *relations; /* structural neighbourhoods of the nodes; NULL if the model has none */
} gpri_features;

static inline int64_t gpri_features_end(const gpri_features *x) { return x->end ? x->end : x->rows; }

/* The number of stored values. Dropout may drop each of them; value e uses random number e. */
static inline int64_t gpri_features_count(const gpri_features *x) {
    return x->dense ? x->rows * x->cols : x->rowptr[x->rows];
}

/* Entries of a piece: small, so that a device with many processors has something for all of them, and a power of 2. */
static inline int64_t gpri_features_piece(int64_t entries) {
    int64_t piece = 32;
    while (piece < 256 && piece * 16384 < entries) piece *= 2;
    return piece;
}
static inline int64_t gpri_features_pieces(int64_t entries) {
    return (entries + gpri_features_piece(entries) - 1) / gpri_features_piece(entries);
}
static inline void gpri_features_cut(int32_t *piece_column, const int64_t *colptr, int64_t cols) {
    const int64_t piece = gpri_features_piece(colptr[cols]);
    for (int64_t j = 0; j < cols; j++)
        for (int64_t k = (colptr[j] + piece - 1) / piece; k * piece < colptr[j + 1]; k++) piece_column[k] = (int32_t)j;
}

#endif
