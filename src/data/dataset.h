/* A dataset: graph, features, labels. Immutable once built and shared by all runs. */
#ifndef GPRI_DATASET_H
#define GPRI_DATASET_H

#include "base/text.h"
#include "data/names.h"
#include "graph/graph.h"

/* More classes than this is a mistake in the labels (such as node ids), and would cost memory for each class. */
#define GPRI_MOST_CLASSES 1000000

/* Node features, dense rows or CSR. Values as in the input, not normalised. */
typedef struct gpri_feature_matrix {
    int64_t rows, cols; /* cols: 0 where there are no features; then CSR without an entry */
    int64_t nnz;        /* CSR: stored entries (no explicit zeros); dense: non-zeros */
    float *dense;       /* (rows x cols), or NULL when CSR */
    int64_t *rowptr;    /* (rows + 1) */
    int32_t *column;    /* (nnz) ascending within a row */
    float *value;       /* (nnz) */
} gpri_feature_matrix;

struct gpr_dataset {
    gpr_ctx *ctx;
    char *name;
    gpri_graph graph;
    gpri_feature_matrix features;
    int32_t *labels;          /* (nodes) 0 .. classes - 1, or -1 */
    int64_t classes;          /* 0: no labels */
    gpri_names class_names;   /* (classes), or none: numbers */
    gpri_names node_ids;      /* (nodes), or none: numbers */
    gpri_names feature_names; /* (features.cols), or none: numbers */
    bool mixed_columns;       /* features are columns of a table, each of its own size */
    double phi;               /* of a cSBM; NaN for any other */

    struct gpri_mapped *file; /* NULL, or the mapped file (io/mapped/mapped.h) that all arrays above lie in, but for */
    bool own_features, own_labels; /* those, with their names, where something else was put in their place */
};

/* Frees the features and their names, or the labels and the names of the classes, for others to be put there. What lies
   in a mapped file stays there. */
void gpri_dataset_drop_features(gpr_dataset *data);
void gpri_dataset_drop_labels(gpr_dataset *data);

/* Every public function calls it before it looks at the arrays of a dataset: a mapped file is looked through here, once
   and by one thread at a time, so that a damaged one gives an error and never a crash. */
gpr_status gpri_dataset_check_file(gpr_ctx *ctx, int threads, const gpr_dataset *data) GPRI_MUST_CHECK;
GPRI_MUST_CHECK static inline gpr_status gpri_dataset_ready(gpr_ctx *ctx, const gpr_dataset *data) {
    return data->file ? gpri_dataset_check_file(ctx, ctx->threads, data) : GPR_OK;
}

/* Checks everything (ids, finite features, labels), builds the graph, drops explicit zeros, and turns dense features
   of which less than a fifth is non-zero into CSR. Used by gpr_dataset_new and by every reader. */
gpr_status gpri_dataset_build(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset_desc *desc) GPRI_MUST_CHECK;

/* The same with the edges, their nodes, and the ids of the nodes that a reader has collected, in place of those of
   desc. Both are taken over, whatever happens: the edges are freed as soon as can be. node_ids: NULL: numbers. */
gpr_status gpri_dataset_take(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset_desc *desc, gpri_edges *edges,
                             gpri_names *node_ids) GPRI_MUST_CHECK;

/* Weights that are all 1 are none. values: (count); NULL, with count 0, is all ones. */
bool gpri_all_ones(const float *values, int64_t count);

/* text: what follows "csbm", empty or ":phi=-0.5,n=5000". */
gpr_status gpri_csbm_from_text(gpr_ctx *ctx, gpr_dataset **out, const char *text) GPRI_MUST_CHECK;

/* A reader per format (the table of them is in formats.c). path: the file. prefix: what the names of Planetoid's files
   have in common, ".../ind.cora". folder: of Geom-GCN, with its two texts. */
gpr_status gpri_read_npz(gpr_ctx *ctx, gpr_dataset **out, const char *path) GPRI_MUST_CHECK;
gpr_status gpri_read_planetoid(gpr_ctx *ctx, gpr_dataset **out, const char *prefix) GPRI_MUST_CHECK;
gpr_status gpri_read_geomgcn(gpr_ctx *ctx, gpr_dataset **out, const char *folder) GPRI_MUST_CHECK;
gpr_status gpri_read_mapped(gpr_ctx *ctx, gpr_dataset **out, const char *path) GPRI_MUST_CHECK;

/* The writers; of a dataset that is ready. The same data gives the same bytes. */
gpr_status gpri_write_npz(gpr_ctx *ctx, const gpr_dataset *data, const char *path) GPRI_MUST_CHECK;
gpr_status gpri_write_mapped(gpr_ctx *ctx, const gpr_dataset *data, const char *path) GPRI_MUST_CHECK;

/* The user's cache folder, where datasets are looked up last and fetched to; empty if there is none. */
void gpri_cache_folder(gpri_text *out);

/* Parts of gpri_read_npz: a file in the convention of heterophilous-graphs; and a graph alone, a scipy matrix of pairs.
 */
struct gpri_npz;
gpr_status gpri_npz_read_nodes(gpr_ctx *ctx, gpr_dataset **out, struct gpri_npz *npz, const char *name) GPRI_MUST_CHECK;
gpr_status gpri_npz_read_pairs(gpr_ctx *ctx, gpr_dataset **out, struct gpri_npz *npz, const char *name) GPRI_MUST_CHECK;

#endif
