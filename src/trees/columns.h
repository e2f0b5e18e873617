/* The columns that trees ask about, one row per node, side by side:
 *
 *     the data's own columns, at most so many: of more, those that differ from 0 in the most nodes;
 *     for each kind of edges the means of the neighbours' own columns, weighted by the edges, and of few columns their
 *     maxima and minima; NaN, which trees take as missing, for a node without neighbours;
 *     log(1 + number of neighbours) for each kind of edges; the logarithm of PageRank, and log(1 + core number), of the
 *     whole graph.
 *
 * Counts of known labels come in a table of their own (tensor/label_counts.h), as they change with the labels. */
#ifndef GPRI_TREE_COLUMNS_H
#define GPRI_TREE_COLUMNS_H

#include "graph/graph.h"
#include "tensor/features.h"

/* Of so many columns or fewer there are maxima and minima, too. */
enum { GPRI_TREE_EXTREMES = 128 };

typedef struct gpri_tree_plan {
    int64_t features;  /* of the data */
    int64_t own;       /* of them that are used */
    int64_t relations; /* kinds of edges */
    int64_t kinds;     /* of numbers of the neighbours: 1: means; 3: maxima and minima, too */
} gpri_tree_plan;

gpri_tree_plan gpri_tree_plan_of(int64_t features, int64_t most, int64_t relations);
int64_t gpri_tree_plan_columns(const gpri_tree_plan *plan);

/* Of columns from elsewhere, kept: (plan->own): that they are of the data, ascending. */
gpr_status gpri_tree_plan_check(const gpri_tree_plan *plan, const float *kept) GPRI_MUST_CHECK;

/* What a column is. */
typedef struct gpri_tree_column {
    const char *kind; /* "own", "mean", "maximum", "minimum", "degree", "PageRank", "core" */
    int64_t own;      /* of the first four: a place among the own columns; else -1 */
    int64_t relation; /* -1: the node itself, or the whole graph */
} gpri_tree_column;
gpri_tree_column gpri_tree_column_of(const gpri_tree_plan *plan, int64_t column);

/* (*out) these columns of X, dense. graphs: (plan->relations); whole: all edges. kept: (plan->own) which columns of X
   are used, ascending; NULL: it is found out. out->kept tells them; out->given is plan->features. */
gpr_status gpri_tree_columns(gpr_ctx *ctx, gpri_features *out, const gpri_features *x, const gpri_tree_plan *plan,
                             const gpri_graph *const *graphs, const gpri_graph *whole,
                             const int32_t *kept) GPRI_MUST_CHECK;

#endif
