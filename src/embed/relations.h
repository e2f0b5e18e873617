/* Geom-GCN's structural neighbourhoods: for every node the nodes that it takes from (aggregates), in nine divisions.
 *
 *     0 .. 3   neighbours in the graph, by where they lie: upper left, upper right, lower left, lower right
 *     4 .. 7   neighbours in the latent space, in the same order
 *     8        the node itself
 *
 * As in the authors' program an ordered pair of nodes is in one division: a neighbour in both spaces counts in the
 * latent one only. Immutable once built, shared by all runs. */
#ifndef GPRI_RELATIONS_H
#define GPRI_RELATIONS_H

#include "embed/embedding.h"

enum {
    GPRI_DIRECTIONS = 4,
    GPRI_LATENT = 4, /* the first division of the latent space */
    GPRI_ITSELF = 8,
    GPRI_DIVISIONS = 9
};

/* Statistics of the neighbourhoods. */
typedef struct gpri_neighbourhood {
    double radius;      /* rho of the paper; NaN: not known */
    double graph_mean;  /* neighbours of a node in the graph */
    double latent_mean; /* in the latent space */
    int64_t both;       /* ordered pairs that are neighbours in both */
    double seconds;     /* time to find them */
} gpri_neighbourhood;

typedef struct gpri_relations {
    int64_t nodes;
    /* As CSR: row v of the first has the nodes that v takes from, row u of the second those that take from u. Without
       weights; columns ascending. The last division, which is the same in every graph, has none. */
    gpri_graph from[GPRI_DIVISIONS], to[GPRI_DIVISIONS];
    double *scale; /* (nodes) 1 / sqrt(1 + nodes that it takes from, in all divisions) */
    gpri_neighbourhood found;
} gpri_relations;

/* A list of pairs: `to[k]` takes from `from[k]`, in division[k]. */
typedef struct gpri_pairs {
    int64_t count;
    int32_t *from, *to; /* (count) */
    uint8_t *division;  /* (count) below GPRI_ITSELF */
} gpri_pairs;

/* With room for `most` pairs. After a failure, free it as usual. */
gpr_status gpri_pairs_new(gpr_ctx *ctx, gpri_pairs *pairs, int64_t most) GPRI_MUST_CHECK;
void gpri_pairs_add(gpri_pairs *pairs, int64_t from, int64_t to, int division);
void gpri_pairs_free(gpr_ctx *ctx, gpri_pairs *pairs);

/* No pair may come twice. On failure *out is zeroed. */
gpr_status gpri_relations_build(gpr_ctx *ctx, gpri_relations *out, int64_t nodes,
                                const gpri_pairs *pairs) GPRI_MUST_CHECK;
void gpri_relations_free(gpr_ctx *ctx, gpri_relations *relations);

/* Where u lies as seen from v: 0 .. 3 (Table 1 of the paper; on a boundary: right, and upper). */
int gpri_direction(gpri_point v, gpri_point u);

/* From the places of an embedding: two nodes are neighbours in the latent space if they are nearer than the radius: the
   largest with at most as many such pairs as the graph has edges. On failure *out is zeroed. */
gpr_status gpri_relations_embed(gpr_ctx *ctx, gpri_relations *out, const gpri_graph *graph,
                                const gpri_embedding *embedding) GPRI_MUST_CHECK;

#endif
