/* A dataset: graph, features, labels. Immutable once built and shared by all runs. */
#ifndef GPRI_DATASET_H
#define GPRI_DATASET_H

#include "graph/graph.h"

/* Node features, dense rows or CSR. Values as in the input, not normalised. */
typedef struct gpri_table {
    int64_t rows, cols;
    int64_t nnz;     /* CSR: stored entries (no explicit zeros); dense: non-zeros */
    float *dense;    /* (rows x cols), or NULL when CSR */
    int64_t *rowptr; /* (rows + 1) */
    int32_t *column; /* (nnz) ascending within a row */
    float *value;    /* (nnz) */
} gpri_table;

struct gpr_dataset {
    gpr_ctx *ctx;
    char *name;
    gpri_graph graph;
    gpri_table features;
    int32_t *labels; /* (nodes) 0 .. classes - 1, or -1 */
    int64_t classes;
    double phi; /* of a cSBM; NaN for any other */
};

/* Checks everything (ids, finite features, labels), builds the graph, drops explicit zeros, and turns dense features
   of which less than a fifth is non-zero into CSR. Used by gpr_dataset_new and by every reader. */
gpr_status gpri_dataset_build(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset_desc *desc) GPRI_MUST_CHECK;

/* A reader per format. `path` is the file. */
gpr_status gpri_read_npz(gpr_ctx *ctx, gpr_dataset **out, const char *path) GPRI_MUST_CHECK;
gpr_status gpri_write_npz(gpr_ctx *ctx, const gpr_dataset *data, const char *path) GPRI_MUST_CHECK;

#endif
