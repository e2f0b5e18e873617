/* Generalised PageRank from seed nodes (gpr_rank, docs/ranking.md):
 *
 *     score = sum_k w_k P^k s,   P = A D^-1
 *
 * s is 1 / (number of seeds) at each seed. A walk at a node without edges starts again at the seeds.
 *
 * All vectors are kept as densities, z = D^-1 x: a step is then the mean over neighbours, which never raises the
 * largest density and never lowers the smallest one. So mass that is left out where the density is below epsilon lowers
 * no later score by more than epsilon x degree; and where all densities of a component are nearly equal, they stay so,
 * and the rest of the sum is known. A node without edges counts with degree 1, and its mass is never left out. */
#ifndef GPRI_RANK_H
#define GPRI_RANK_H

#include <math.h>

#include "base/thread.h"
#include "graph/graph.h"

/* The weights of the steps. An infinite sum ends where the rest is below GPRI_RANK_REST. */
#define GPRI_RANK_REST 1e-11
typedef struct gpri_rank_weights {
    double alpha;   /* of ppr without a last step; 0: any other weights */
    int64_t count;  /* steps 0 .. count - 1 */
    double *values; /* (count) */
    double *rest;   /* (count + 1) rest[k]: the sum of |w_j| over j >= k, with those that were left out at the end */
} gpri_rank_weights;

/* text: "ppr:0.1", "heat:5", "ipr:0.9:10", numbers, or the path of a file with numbers. last: K, 0: none given. On
 *failure weights is zeroed. */
gpr_status gpri_rank_weights_parse(gpr_ctx *ctx, gpri_rank_weights *weights, const char *text,
                                   int64_t last) GPRI_MUST_CHECK;
/* The caller's own. values: (count). */
gpr_status gpri_rank_weights_copy(gpr_ctx *ctx, gpri_rank_weights *weights, const double *values,
                                  int64_t count) GPRI_MUST_CHECK;
void gpri_rank_weights_free(gpr_ctx *ctx, gpri_rank_weights *weights);

/* A walk over the graph from the seeds. Where few nodes have a density, only they are looked at; else all nodes are, on
   all threads. Which of the two depends on the graph and the walk alone, and so do the bits. */
typedef struct gpri_walk {
    gpr_ctx *ctx;
    const gpri_graph *graph;
    const int64_t *seeds; /* (seed_count) ascending, each once; borrowed */
    int64_t seed_count;
    double *degree;       /* (nodes) sum of the weights of the edges; 1 where there are none */
    double volume;        /* sum of all degrees, without those of nodes that have no edges */
    double *z;            /* (nodes) density */
    double *next;         /* (nodes) that of the next step; all 0 between steps, unless dense */
    bool dense;           /* z may be anywhere; else only at: */
    int32_t *list;        /* (nodes) */
    int32_t *spare;       /* (nodes) */
    int64_t count;        /* of list */
    int64_t list_arcs;    /* how many arcs these nodes have */
    int64_t arcs_visited; /* by all steps so far */
    struct gpri_walk_chunk *chunks;
} gpri_walk;

/* What a chunk of nodes, or all nodes, add up to. */
typedef struct gpri_walk_chunk {
    double largest, smallest; /* density above 0, of nodes that have edges; 0 and infinite if there is none */
    double mass, volume;      /* of those nodes: sum of density x degree, of degrees */
    int64_t arcs;             /* of nodes that are above the threshold */
    bool closed;              /* all neighbours of those nodes are such nodes too */
} gpri_walk_chunk;
#define GPRI_WALK_NOTHING ((gpri_walk_chunk){.smallest = INFINITY, .closed = true})

/* At the seeds: z = D^-1 s. Free it with gpri_walk_free, also on failure. */
gpr_status gpri_walk_begin(gpr_ctx *ctx, gpri_walk *walk, const gpri_graph *graph, const int64_t *seeds,
                           int64_t seed_count) GPRI_MUST_CHECK;
void gpri_walk_free(gpri_walk *walk);
/* One step: z = D^-1 A z. The caller has set list_arcs. */
void gpri_walk_step(gpri_walk *walk);
/* Do nodes with so many arcs make a step dense? */
bool gpri_walk_is_wide(const gpri_walk *walk, int64_t arcs);
/* The mass at seeds without edges. */
double gpri_walk_loose(const gpri_walk *walk);
/* Calls fn(arg, chunk, slot) for every chunk of nodes, on all threads; which nodes a chunk has; and what all entries of
   `chunks` add up to. */
void gpri_walk_each(gpri_walk *walk, gpri_chunk_fn fn, void *arg);
gpri_range gpri_walk_nodes(const gpri_walk *walk, int64_t chunk);
gpri_walk_chunk gpri_walk_total(const gpri_walk *walk);
/* Adds a node with this density to what a chunk adds up to, all but arcs and closed. */
static inline void gpri_walk_count(gpri_walk_chunk *sum, const gpri_walk *walk, int64_t node, double density) {
    if (!(density > 0) || walk->graph->rowptr[node] == walk->graph->rowptr[node + 1]) return;
    if (density > sum->largest) sum->largest = density;
    if (density < sum->smallest) sum->smallest = density;
    sum->mass += density * walk->degree[node];
    sum->volume += walk->degree[node];
}
/* Do the nodes with a density above 0 have no other neighbours than such nodes? They are whole components then. */
bool gpri_walk_closed(gpri_walk *walk, const double *density);
/* Not dense any more, with an empty list: the caller lists the nodes where z is not 0. */
void gpri_walk_narrow(gpri_walk *walk);

/* Scores by densities: q (nodes), zeroed by the caller, becomes D^-1 score. epsilon: no density becomes wrong by more;
   0: *error is at most 1e-10. *error: the sum of all errors of scores is at most this; *steps: how many were made. */
void gpri_rank_hops(gpri_walk *walk, const gpri_rank_weights *weights, double epsilon, double *q, double *error,
                    int64_t *steps);
/* The same for ppr, by pushing residuals (Andersen, Chung and Lang 2006); the scores add up to 1. residual: (nodes)
 * zeroed. epsilon > 0. */
void gpri_rank_push(gpri_walk *walk, double alpha, double epsilon, double *q, double *residual, double *error,
                    int64_t *steps);

/* The first `size` nodes of a sweep, by descending density, that are the best cut. */
typedef struct gpri_cluster {
    int64_t size;       /* 0: there is none */
    int64_t *nodes;     /* (size) */
    double volume, cut; /* sum of their degrees; weight of the edges that leave them */
    double conductance; /* cut / volume; NaN: there is no cluster */
} gpri_cluster;

/* Takes the prefix with the lowest conductance among those with at most half of the graph's volume, and at most `most`
   nodes (0: any number). q: (nodes) density, only those above 0 count. nodes: freed by the caller. */
gpr_status gpri_rank_sweep(gpr_ctx *ctx, gpri_cluster *out, const gpri_walk *walk, const double *q,
                           int64_t most) GPRI_MUST_CHECK;

/* A node and what it is ordered by. */
typedef struct gpri_ranked {
    double value;
    int64_t node;
} gpri_ranked;

/* Moves the first `most` by descending value, equal ones by node, to the front, sorted; returns how many they are. */
int64_t gpri_rank_first(gpri_ranked *entries, int64_t count, int64_t most);

#endif
