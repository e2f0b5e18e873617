/* What the known labels of other nodes say about a node, as numbers: with n_ic = sum over the neighbours j of i whose
 * label is c of w_ij, and d_i the sum of all w_ij, for each class
 *
 *     log(1 + n_ic),   n_ic / d_i,
 *     log(1 + sum_j w_ij / d_j n'_jc),   log(1 + sum_j w_ij n'_jc),     n'_jc = n_jc without i's own label,
 *
 * and log(1 + d_i) for the node. No number of a node depends on its own label, so a model that adds something learned
 * of them to its scores, after all steps over the graph, may be trained on nodes whose labels they count.
 *
 * Of several kinds of edges each has its own numbers, side by side. */
#ifndef GPRI_LABEL_COUNTS_H
#define GPRI_LABEL_COUNTS_H

#include "graph/graph.h"
#include "tensor/matrix.h"

int64_t gpri_label_count_columns(int64_t classes, int64_t graphs);

/* graphs: (count) of the same nodes. known: (nodes) labels; less than 0: not known. factor: of n, where more or fewer
   nodes are known than in the training. (*out) (nodes x ld), ld: the columns, padded with zeros. Free with gpri_free.
 */
gpr_status gpri_label_counts(gpr_ctx *ctx, gpri_real **out, const gpri_graph *const *graphs, int64_t count,
                             const int32_t *known, int64_t classes, double factor, int threads) GPRI_MUST_CHECK;

#endif
