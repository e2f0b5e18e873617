/* The weight of an edge that is given more than once. */
#ifndef GPRI_DUPLICATES_H
#define GPRI_DUPLICATES_H

#include "base/params.h"
#include "graph/graph.h"

/* All edges of one kind between two nodes are the same one, in either direction. GPRI_DUPLICATES_MAX: the largest of
   their weights, which is what building a graph does; SUM: their sum; FIRST: that of the first one; COUNT: how many
   they are, and their weights play no part. */
typedef gpri_data_value gpri_duplicates;

/* Gives all edges between two nodes the weight that the rule says, so that the largest is that one; and those of
   directed edges from one node to another the weight that it says of these alone, in edges->along. Weights that are all
   1 are gone afterwards. It takes 16 bytes per edge and 8 per node for a while. */
gpr_status gpri_duplicates_settle(gpr_ctx *ctx, gpri_edges *edges, gpri_duplicates rule) GPRI_MUST_CHECK;

#endif
