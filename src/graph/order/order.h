/* Orders of the nodes in which neighbours have near numbers: what a step over the graph reads is then still in the
 * cache, and blocks of rows need few rows of other blocks.
 *
 * An order lists old numbers: order[new] = old. The same graph and method give the same order, for any number of
 * threads. */
#ifndef GPRI_ORDER_H
#define GPRI_ORDER_H

#include "graph/graph.h"

typedef enum gpri_order_method {
    GPRI_ORDER_NONE,
    GPRI_ORDER_AUTO,
    GPRI_ORDER_RCM,
    GPRI_ORDER_METIS,
    GPRI_ORDER_COMMUNITIES
} gpri_order_method;

/* The option `reorder`. */
typedef struct gpri_order_wish {
    gpri_order_method method;
    int64_t parts; /* of METIS; 0: by the number of nodes */
} gpri_order_wish;

#define GPRI_ORDER_FORM "auto, none, rcm, metis, metis:PARTS or communities"
/* text: NULL: none. Fails where it is none of GPRI_ORDER_FORM. */
gpr_status gpri_order_parse(gpri_order_wish *out, const char *text) GPRI_MUST_CHECK;

/* Neighbours are near if their numbers differ by less than this: a panel of so many rows (512 KB) fits the second cache
   of a core. */
#define GPRI_NEAR 8192
/* The share of near neighbours, 0 to 1, of a fixed sample of the rows; 1 without edges. place: (nodes) the new number
   of each, or NULL: as it is. */
double gpri_order_near(const gpri_graph *graph, const int32_t *place);

/* *order: (nodes), or NULL: the nodes stay where they are, by the wish or because another order would gain nothing.
   Says in the log what was done. */
gpr_status gpri_order_find(gpr_ctx *ctx, int32_t **order, const gpri_graph *graph,
                           gpri_order_wish wish) GPRI_MUST_CHECK;

/* place[order[i]] = i; both (nodes). */
void gpri_order_invert(int32_t *place, const int32_t *order, int64_t nodes);
/* The same graph with its nodes in that order. On failure *out is zeroed. */
gpr_status gpri_order_graph(gpr_ctx *ctx, gpri_graph *out, const gpri_graph *graph,
                            const int32_t *order) GPRI_MUST_CHECK;

/* ---- The methods. order: (nodes), filled in ---- */

/* Reverse Cuthill-McKee, component by component. */
gpr_status gpri_order_rcm(gpr_ctx *ctx, int32_t *order, const gpri_graph *graph) GPRI_MUST_CHECK;
/* Communities within communities, found by merging. */
gpr_status gpri_order_communities(gpr_ctx *ctx, int32_t *order, const gpri_graph *graph) GPRI_MUST_CHECK;
/* Parts of equal size, one after the other; within a part as communities have them. */
gpr_status gpri_order_metis(gpr_ctx *ctx, int32_t *order, const gpri_graph *graph, int64_t parts) GPRI_MUST_CHECK;

/* order: (nodes) all nodes by ascending degree, equal ones by their numbers. */
gpr_status gpri_order_by_degree(gpr_ctx *ctx, int32_t *order, const gpri_graph *graph) GPRI_MUST_CHECK;

#endif
