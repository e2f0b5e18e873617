/* What a training with `order` filter-first sees of the data: one row per node that a split uses, with the hops of its
 * features, its label and its weight. The graph is not needed after that. Rows are in the order of the nodes. */
#ifndef GPRI_LABELLED_H
#define GPRI_LABELLED_H

#include "base/params.h"
#include "data/scale/scaling.h"
#include "data/split.h"
#include "file/table.h"
#include "tensor/features.h"

typedef struct gpri_labelled {
    gpr_ctx *ctx;
    int64_t count;
    int64_t *nodes;         /* (count) the node of each row */
    gpr_dataset data;       /* (count) nodes without edges; what is not a number per node is borrowed */
    gpri_features features; /* the powers A~^k X, in memory or in the table */
    gpri_table table;
} gpri_labelled;

/* Whether the options, and the device, fit the order that they name. */
gpr_status gpri_labelled_check(gpr_ctx *ctx, const gpr_params *params) GPRI_MUST_CHECK;

/* What the hops are of. All of it is borrowed. */
typedef struct gpri_labelled_source {
    const gpr_dataset *data;
    const gpri_feature_matrix *table; /* its features */
    const gpri_scaling *scaling;      /* how their columns are scaled when they are read; zeroed: not at all */
    bool normalize;                   /* rows are divided by their sums */
    const gpr_params *params;
} gpri_labelled_source;

/* Says what it needs, and computes the hops, or takes those of the file of `hops-file`. splits: (count) the nodes of
   all of them become rows; source->data must outlive it. */
gpr_status gpri_labelled_new(gpr_ctx *ctx, gpri_labelled **out, const gpri_labelled_source *source,
                             const gpr_split *const *splits, int64_t count) GPRI_MUST_CHECK;
/* The split of the rows. */
gpr_status gpri_labelled_split(const gpri_labelled *rows, gpr_split **out, const gpr_split *split) GPRI_MUST_CHECK;
void gpri_labelled_free(gpri_labelled *rows); /* NULL is fine */

#endif
