/* The halo of a process: the nodes of other processes that are neighbours of its own. Before a step over the graph
 * their rows are fetched; then the step needs nothing else.
 *
 * A process has the nodes [first, first + count), and numbers them and its halo in the order of all nodes: `below`
 * nodes of the halo, its own, `above` nodes of the halo. So the neighbours of a row keep their order, and its sum its
 * bits. */
#ifndef GPRI_HALO_H
#define GPRI_HALO_H

#include "dist/group.h"
#include "graph/graph.h"
#include "tensor/matrix.h"

typedef struct gpri_halo {
    gpr_ctx *ctx;
    gpri_group *group;
    int64_t first, count, below, above;
    gpri_graph graph;     /* its own rows, in its own numbers; those of the halo are empty. weight: the whole graph's */
    int64_t *in_begin;    /* (size + 1) places in the halo of the nodes that each process has */
    int64_t *out_begin;   /* (size + 1) places in out_rows of what each process needs */
    int32_t *out_rows;    /* own numbers of nodes */
    gpri_parcel *parcels; /* (2 x size) */
    char *out, *in;       /* (rows x most columns) what is under way */
    int64_t most;         /* columns */
    gpri_matrix parts[2]; /* of the exchange under way */
    int part_count;
    int64_t exchanges, sent, counted; /* so far: how many; bytes by the formula, and as the group has counted them */
} gpri_halo;

/* cuts: (size + 1) the first node of each process. All processes must call it; all fail if one does. */
gpr_status gpri_halo_new(gpr_ctx *ctx, gpri_halo **out, const gpri_graph *graph, const int64_t *cuts) GPRI_MUST_CHECK;
/* How many nodes the halo of the nodes [first, end) has. */
gpr_status gpri_halo_count(gpr_ctx *ctx, int64_t *out, const gpri_graph *graph, int64_t first,
                           int64_t end) GPRI_MUST_CHECK;
void gpri_halo_free(gpri_halo *halo);
/* Makes room for exchanges of so many columns. */
gpr_status gpri_halo_reserve(gpri_halo *halo, int64_t columns) GPRI_MUST_CHECK;

/* Fetches the rows of the halo of one or two matrices, which have a row for every node in the process's own numbers;
   meanwhile the process's own rows may be read. */
void gpri_halo_begin(gpri_halo *halo, const gpri_matrix *parts, int count);
void gpri_halo_end(gpri_halo *halo);
static inline void gpri_halo_fetch(gpri_halo *halo, gpri_matrix part) {
    gpri_halo_begin(halo, &part, 1);
    gpri_halo_end(halo);
}

static inline int64_t gpri_halo_nodes(const gpri_halo *halo) { return halo->below + halo->count + halo->above; }

#endif
