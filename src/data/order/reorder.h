/* A dataset with its nodes in another order (graph/order/order.h). */
#ifndef GPRI_REORDER_H
#define GPRI_REORDER_H

#include "data/dataset.h"
#include "data/split.h"
#include "graph/order/order.h"

/* All of a dataset that belongs to nodes, in that order: graph, features, labels, ids, weights. It has its own arrays.
   Nodes without ids get their numbers as ids, and (*out)->order says which number each had for the user. order:
   (nodes). data is ready. */
gpr_status gpri_dataset_reorder(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset *data,
                                const int32_t *order) GPRI_MUST_CHECK;
/* What a training needs of it alone: without ids, order and the names of features. */
gpr_status gpri_dataset_reorder_numbers(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset *data,
                                        const int32_t *order) GPRI_MUST_CHECK;
/* The user's order again, of a dataset that has another one; ids that are but their numbers are left out. */
gpr_status gpri_dataset_restore(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset *data) GPRI_MUST_CHECK;

/* part: (nodes) in the user's order, becomes that of data. Does nothing where both are the same. */
gpr_status gpri_order_parts(gpr_ctx *ctx, uint8_t *part, const gpr_dataset *data) GPRI_MUST_CHECK;

/* A split of the nodes of data as one of the same nodes, in that order. */
gpr_status gpri_order_split(gpr_ctx *ctx, gpr_split **out, const gpr_split *split,
                            const int32_t *order) GPRI_MUST_CHECK;

#endif
