/* A matrix as operations and layers see it. */
#ifndef GPRI_MATRIX_H
#define GPRI_MATRIX_H

#include "base/real.h"

/* Row-major, in the device's memory. `at` is the matrix's own first row: element (i, c) is at[i * ld + c]. The same
   convention holds in all operations; which node the first row belongs to is an argument of its own. */
typedef struct gpri_matrix {
    gpri_real *at; /* NULL: there is no such matrix */
    int64_t rows;
    int64_t cols;  /* real columns */
    int64_t width; /* columns with their padding: what operations go over */
    int64_t ld;    /* distance of rows */
} gpri_matrix;

static const gpri_matrix gpri_no_matrix = {0, 0, 0, 0, 0};

/* Rows [first, first + rows). */
static inline gpri_matrix gpri_rows_of(gpri_matrix x, int64_t first, int64_t rows) {
    x.at += first * x.ld;
    x.rows = rows;
    return x;
}

/* Columns [first, first + width): all of them count as real. */
static inline gpri_matrix gpri_columns_of(gpri_matrix x, int64_t first, int64_t width) {
    x.at += first;
    x.cols = x.width = width;
    return x;
}

/* (rows x width) numbers without gaps. */
static inline gpri_matrix gpri_packed(gpri_real *at, int64_t rows, int64_t width) {
    gpri_matrix x = {at, rows, width, width, width};
    return x;
}

/* Rows without gaps between them are one long row. */
static inline gpri_matrix gpri_as_row(gpri_matrix x) {
    if (x.ld == x.width) {
        x.cols = x.width = x.ld = x.rows * x.width;
        x.rows = 1;
    }
    return x;
}

#endif
