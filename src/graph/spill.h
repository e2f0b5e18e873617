/* Edges to CSR in bounded memory: like gpri_graph_build, for graphs that do not fit in memory.
 *
 *     gpri_spill *spill;
 *     TRY(gpri_spill_new(ctx, &spill, &options));
 *     while (...) TRY(gpri_spill_put(spill, src, dst, weights, count));
 *     TRY(gpri_spill_build(spill, &graph, nodes, take_arcs, user));    // arcs go to take_arcs, row after row
 *     done: gpri_spill_free(spill);
 *
 * Edges are first written to an unnamed file. Then the arcs of every node are counted, and the rows are cut into ranges
 * whose arcs fit in memory. The edges are copied to a second file, each to the place of its range or ranges. Then each
 * range is read back, sorted and merged. So every edge is written and read about three times. The memory is what was
 * asked for plus some bytes per node, for any number of edges. */
#ifndef GPRI_SPILL_H
#define GPRI_SPILL_H

#include "base/context.h"
#include "graph/arcs.h"
#include "graph/graph.h"

typedef struct gpri_spill gpri_spill;

typedef struct gpri_spill_options {
    const char *path; /* the files are in its folder; borrowed */
    int64_t memory;   /* bytes, in addition to those per node */
    bool weighted;    /* every edge has a weight */
    bool directed;    /* keep the directions */
    gpri_tick tick;   /* of gpri_spill_build */
} gpri_spill_options;

/* The arcs of the next rows: columns, weights (NULL: none), and what is kept of the directions. */
typedef gpr_status (*gpri_arcs_fn)(void *user, const gpri_arcs *arcs, int64_t count);

gpr_status gpri_spill_new(gpr_ctx *ctx, gpri_spill **out, const gpri_spill_options *options) GPRI_MUST_CHECK;
/* src, dst: (count) from 0 on; weights: (count), positive and finite, or NULL if they are not weighted. */
gpr_status gpri_spill_put(gpri_spill *spill, const int32_t *src, const int32_t *dst, const float *weights,
                          int64_t count) GPRI_MUST_CHECK;
int64_t gpri_spill_edges(const gpri_spill *spill); /* put so far */
bool gpri_spill_weighted(const gpri_spill *spill); /* a weight is not 1 */
/* Gives nodes other ids: rename is called for the source and the destination of every edge put so far, in order. */
typedef gpr_status (*gpri_rename_fn)(void *user, int32_t *id);
gpr_status gpri_spill_rename(gpri_spill *spill, gpri_rename_fn rename, void *user) GPRI_MUST_CHECK;
bool gpri_spill_directed(const gpri_spill *spill); /* after gpri_spill_build: the two directions of an edge differ */
/* graph: all but its arcs; free it with gpri_graph_free. If all weights are 1, it has none. nodes: above all ids. Can
   be called once. */
gpr_status gpri_spill_build(gpri_spill *spill, gpri_graph *graph, int64_t nodes, gpri_arcs_fn take,
                            void *user) GPRI_MUST_CHECK;
void gpri_spill_free(gpri_spill *spill); /* NULL is fine */

/* Where a reader puts edges that should not stay in memory. */
typedef struct gpri_edge_sink {
    gpri_spill_options options; /* the reader sets `weighted`; it calls `tick` while it reads */
    gpri_spill *spill;          /* made by the reader; NULL if it read no text of edges. The caller's to free, also if
                                   reading failed */
} gpri_edge_sink;

#endif
