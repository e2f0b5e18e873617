/* The weight of an edge that is given more than once. */
#ifndef GPRI_DUPLICATES_H
#define GPRI_DUPLICATES_H

#include "graph/graph.h"

/* All edges between two nodes are the same one, in either direction. */
typedef enum gpri_duplicates {
    GPRI_DUPLICATES_MAX,   /* the largest of their weights: what building a graph does */
    GPRI_DUPLICATES_SUM,   /* their sum */
    GPRI_DUPLICATES_FIRST, /* that of the first one */
    GPRI_DUPLICATES_COUNT  /* how many they are; their weights play no part */
} gpri_duplicates;

/* "max", "sum", "first", "count"; NULL: max. */
gpr_status gpri_duplicates_named(gpri_duplicates *out, const char *word) GPRI_MUST_CHECK;
/* Gives all edges between two nodes the weight that the rule says, so that the largest is that one. Weights that are
   all 1 are gone afterwards. It takes 16 bytes per edge and 8 per node for a while. */
gpr_status gpri_duplicates_settle(gpr_ctx *ctx, gpri_edges *edges, gpri_duplicates rule) GPRI_MUST_CHECK;

#endif
