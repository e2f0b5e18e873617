/* A dataset: graph, features, labels. Immutable once built and shared by all runs. */
#ifndef GPRI_DATASET_H
#define GPRI_DATASET_H

#include "base/text.h"
#include "base/thread.h"
#include "data/plan.h"
#include "graph/duplicates.h"
#include "graph/graph.h"
#include "task/target.h"

/* Node features, dense rows or CSR. Values as in the input, not normalised. */
typedef struct gpri_feature_matrix {
    int64_t rows, cols; /* cols: 0 where there are no features; then CSR without an entry */
    int64_t nnz;        /* CSR: stored entries (no explicit zeros); dense: non-zeros */
    float *dense;       /* (rows x cols), or NULL when CSR */
    int64_t *rowptr;    /* (rows + 1) */
    int32_t *column;    /* (nnz) ascending within a row */
    float *value;       /* (nnz) */
} gpri_feature_matrix;

/* A file that the arrays of a dataset lie in. The dataset knows nothing of its format. Zeroed: there is none, and the
   arrays are the dataset's own. */
typedef struct gpri_backing {
    void *file;
    /* Looks through the file before its first use. Later calls return at once; any thread may call it. together: the
       processes of this context call it together, each for a part of the file; NULL: this one looks at all of it. */
    gpr_status (*ready)(gpr_ctx *ctx, int threads, const gpr_ctx *together, void *file);
    bool (*seen)(const void *file); /* whether that was done */
    /* Opens the rows [first, end) of a file that is cut into several; NULL: it is one. `ready` opens all, unless
       several look through the file together: then those stay closed that were not opened before. */
    gpr_status (*rows)(gpr_ctx *ctx, void *file, int64_t first, int64_t end);
    bool (*whole)(const void *file);  /* whether all rows are open */
    bool (*partly)(const void *file); /* whether some are, and were looked through with all that is not rows */
    /* Fails if the file is no longer as it was when it was opened; see gpri_dataset_unchanged. */
    gpr_status (*unchanged)(gpr_ctx *ctx, void *file, bool deep);
    void (*release)(gpr_ctx *ctx, void *file);
    const uint64_t *stated;      /* (2) that the file says it has; 0: it says none */
    const uint64_t *fingerprint; /* (2) of what lies in the file; set once it is ready */
} gpri_backing;

/* What was found out about a dataset, kept from the first time that somebody asked for it. */
typedef struct gpri_fingerprint_memo {
    gpri_lock lock; /* datasets are shared between threads */
    bool known, unlabelled_known;
    uint64_t halves[2], unlabelled[2]; /* fingerprints: of all; of all but the labels */
    int published, scale;              /* data/defaults.c; 0: nobody asked */
} gpri_fingerprint_memo;

/* A split that came with the data, from a column of the table of nodes. Zeroed: there is none. */
typedef struct gpri_own_split {
    uint8_t *part; /* (nodes) gpr_part; NULL: there is none */
    double *time;  /* (nodes) by which shares are taken, NaN: unknown; NULL: there is none */
    char *column;  /* as the user named it */
    bool timed;    /* as that of the times, with bounds or without */
} gpri_own_split;

struct gpr_dataset {
    gpr_ctx *ctx;
    char *name;
    gpri_graph graph;
    gpri_feature_matrix features;
    gpri_target target;
    gpri_names node_ids;        /* (nodes), or none: numbers */
    gpri_names feature_names;   /* (features.cols), or none: numbers */
    int32_t *order;             /* (nodes) the number that each has for the user; NULL: as they come */
    float *node_weights;        /* (nodes) how much each counts in a training, 0 or more; NULL: there are none */
    bool mixed_columns;         /* features are columns of a table, each of its own size */
    bool from_table;            /* its edges are a table of the user (`edges`), no published dataset */
    bool duplicates_asked;      /* the option `duplicates` was given, and said */
    gpri_duplicates duplicates; /* which weight edges have that a table of this call gives several times */
    gpri_own_split own_split;   /* never part of a mapped file */
    char made[32];      /* the kind of the features if they were made from the graph (data/made_features.h); or "" */
    char made_from[33]; /* with it: the fingerprint of that graph */
    double phi;         /* of a cSBM; NaN for any other */
    bool generated;     /* drawn by gpr_powerlaw_save */
    gpri_plan *plan;    /* of the columns of its tables; NULL: it has none */
    gpri_names origin;  /* how it was opened: word, value, word, value, ...; none: unknown */

    gpri_backing backing;          /* the file that all arrays above lie in, but for */
    bool own_features, own_labels; /* those, with their names, where something else was put in their place */
    bool own_graph, own_ids;       /* the same of the graph and of the ids of its nodes (gpr_dataset_derive) */
    gpri_fingerprint_memo *memo;
    int64_t memory; /* the budget that it was read with; 0: the usual one */
};

void gpri_own_split_free(gpr_ctx *ctx, gpri_own_split *split);

/* A dataset without anything in it. Free it with gpr_dataset_free. */
gpr_status gpri_dataset_new_empty(gpr_ctx *ctx, gpr_dataset **out) GPRI_MUST_CHECK;

/* Frees the features and their names, so that others can take their place. What lies in a mapped file stays there. */
void gpri_dataset_drop_features(gpr_dataset *data);
/* Puts labels that were read into the dataset, in place of those it has. *target is moved: it is empty afterwards, also
   on failure. path: the file, for messages. */
gpr_status gpri_dataset_set_labels(gpr_dataset *data, gpri_target *target, const char *path) GPRI_MUST_CHECK;

/* Every public function calls it before it looks at the arrays of a dataset: a mapped file is looked through here, once
   and by one thread at a time, so that a damaged one gives an error and never a crash. It opens all rows; in a training
   whose rows are dealt out to processes, in which each has opened some, it is an error. */
gpr_status gpri_dataset_ready(gpr_ctx *ctx, const gpr_dataset *data) GPRI_MUST_CHECK;
/* The same for who looks at labels, names and row pointers alone: they are there with any rows. */
gpr_status gpri_dataset_ready_nodes(gpr_ctx *ctx, const gpr_dataset *data) GPRI_MUST_CHECK;

/* Every public function whose result comes from the arrays of a dataset calls it before it gives that result: the file
   of a mapped dataset may have changed in the meantime. GPR_ERROR_IO then. deep: also by its checksums, which takes one
   read of the whole file; else by its size and times only. */
GPRI_MUST_CHECK static inline gpr_status gpri_dataset_unchanged(gpr_ctx *ctx, const gpr_dataset *data, bool deep) {
    return data->backing.file ? data->backing.unchanged(ctx, data->backing.file, deep) : GPR_OK;
}

/* Checks everything (ids, finite features, labels), builds the graph, drops explicit zeros, and turns dense features
   of which less than a fifth is non-zero into CSR. Used by gpr_dataset_new and by every reader. directed: the direction
   of an edge of desc means something. */
gpr_status gpri_dataset_build(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset_desc *desc,
                              bool directed) GPRI_MUST_CHECK;

/* The same with the edges and the ids of the nodes that a reader has collected, in place of those of desc. Both are
   moved, also on failure: the edges are freed as soon as possible. node_ids: NULL: numbers. */
gpr_status gpri_dataset_take(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset_desc *desc, gpri_edges *edges,
                             gpri_names *node_ids) GPRI_MUST_CHECK;

#endif
