/* The parts of struc2vec (Ribeiro, Saverese and Figueiredo, KDD 2017), which places nodes near each other if their
 * surroundings are similar, near in the graph or not:
 *
 *     degree_rings.c  the degrees of the nodes that are 0, 1, 2, ... steps from a node
 *     similarity.c    how much the rings of two nodes differ, for pairs of nodes of about the same degree
 *     layer_walk.c    random walks from node to node: the more similar, the more likely the step
 *     skipgram.c      places from walks
 *     struc2vec.c     the whole embedding
 *
 * From similarity.c on, a node is identified by its place in the order of degrees. */
#ifndef GPRI_STRUC2VEC_H
#define GPRI_STRUC2VEC_H

#include "base/random.h"
#include "embed/embedding.h"

/* Layers of their random numbers, after those of the other embeddings. */
enum { GPRI_STRUC2VEC_BEGIN = 6, GPRI_STRUC2VEC_SHUFFLE = 7, GPRI_STRUC2VEC_WALK = 8, GPRI_STRUC2VEC_DRAW = 9 };

/* ---- Rings ---------------------------------------------------------------------------------------- */

/* Some nodes of a ring. */
typedef struct gpri_degree_tally {
    float degree; /* plus one, so that an isolated node can be compared */
    float count;
} gpri_degree_tally;

/* Degrees that differ by less than 1/16 are one class with their mean degree. This keeps rings short: at most a few
   hundred tallies, for any number of nodes. Below 16 every degree is a class of its own. */
typedef struct gpri_degree_classes {
    int64_t count;
    int32_t *of;   /* (nodes) ascending with the degree */
    float *degree; /* (count) plus one */
} gpri_degree_classes;

gpr_status gpri_degree_classes_new(gpr_ctx *ctx, gpri_degree_classes *out, const gpri_graph *graph) GPRI_MUST_CHECK;
void gpri_degree_classes_free(gpr_ctx *ctx, gpri_degree_classes *classes);

/* Scratch memory of a search for rings; one per thread. */
typedef struct gpri_degree_ring_search {
    const gpri_graph *graph;
    const gpri_degree_classes *classes;
    int32_t *distance, *queue; /* (nodes) */
    int32_t *count;            /* (classes) */
} gpri_degree_ring_search;

/* Both must outlive it. After a failure, free it as usual. */
gpr_status gpri_degree_ring_search_new(gpr_ctx *ctx, gpri_degree_ring_search *out, const gpri_graph *graph,
                                       const gpri_degree_classes *classes) GPRI_MUST_CHECK;
void gpri_degree_ring_search_free(gpr_ctx *ctx, gpri_degree_ring_search *search);

/* Rings 0 to `rings` - 1 around a node: the tallies of each by ascending degree, and their number, which is 0 from the
   first empty ring on. tallies: (rings x classes); lengths: (rings). */
void gpri_degree_rings_around(gpri_degree_ring_search *search, gpri_degree_tally *tallies, int32_t *lengths,
                              int32_t node, int rings);

/* ---- Differences ---------------------------------------------------------------------------------- */

/* Dynamic time warping: the least sum of costs over all ways to go through both rings at once, where tallies of degrees
   x >= y together cost (x / y - 1) times the larger count. Symmetric to the last bit. row: (length of b). */
float gpri_degree_ring_distance(const gpri_degree_tally *a, int64_t a_length, const gpri_degree_tally *b,
                                int64_t b_length, float *row);

/* Share of the time of an embedding, roughly. */
#define GPRI_SIMILARITY_SHARE 0.7

/* Layer k has an edge between two nodes that are compared and both have a ring k. */
typedef struct gpri_similarity {
    int64_t nodes;
    int64_t band; /* each place is compared with so many before and after it: log2 of the nodes */
    int layers;
    int32_t *order; /* (nodes) which node has the place: by degree, then by walks of 2 and of 3 steps, then by number */
    double *rank;   /* (nodes) the place, or the mean place of nodes that differ only in their number */
    float *distance; /* (nodes x layers x band) from place p to p + 1 + j: rings 0 to k; infinite: no edge */
} gpri_similarity;

/* For two or more nodes. Has as many layers, 2 to 6, as most_work allows. Work is counted in arcs of searches and cells
   of warpings. On failure *out is zeroed. */
gpr_status gpri_similarity_new(gpr_ctx *ctx, gpri_similarity *out, const gpri_graph *graph,
                               double most_work) GPRI_MUST_CHECK;
void gpri_similarity_free(gpr_ctx *ctx, gpri_similarity *similarity);

/* ---- Walks ---------------------------------------------------------------------------------------- */

typedef struct gpri_layer_walker {
    int64_t nodes, band;
    int layers;
    float *share; /* (nodes x layers x 2 band) cumulative probability of a step to each place of the band before, then
                     after it */
    float *up;    /* (nodes x layers) probability that a change of layer goes to the next one */
} gpri_layer_walker;

/* On failure *out is zeroed. */
gpr_status gpri_layer_walker_new(gpr_ctx *ctx, gpri_layer_walker *out,
                                 const gpri_similarity *similarity) GPRI_MUST_CHECK;
void gpri_layer_walker_free(gpr_ctx *ctx, gpri_layer_walker *walker);

/* One walk from every place, in random order. walks: (nodes x length) places. */
void gpri_walk_round(gpr_ctx *ctx, const gpri_layer_walker *walker, int32_t *walks, int64_t length, uint32_t round);

/* ---- Skip-gram ------------------------------------------------------------------------------------ */

typedef struct gpri_skipgram {
    gpri_point *own;     /* (nodes) where a node lies */
    gpri_point *context; /* (nodes) its vector as a context of others */
} gpri_skipgram;

/* Gradient descent over all pairs of the walks; the rate falls from `first` to `last`. */
void gpri_skipgram_round(gpri_skipgram *model, const int32_t *walks, int64_t count, int64_t length, uint32_t round,
                         double first, double last);

#endif
