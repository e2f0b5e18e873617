/* Correcting and smoothing the outcome of a model over the graph (Huang et al., "Combining label propagation and simple
 * models outperforms graph neural networks", ICLR 2021). Both steps are generalised PageRank:
 *
 *     spread(G, alpha) = sum_k w_k A~^k G,   w_k = alpha (1 - alpha)^k for k < K,   w_K = (1 - alpha)^K
 *
 * Correct: the errors Y - P of the nodes with known labels are spread, scaled and added to P. Smooth: known labels Y,
 * and the corrected probabilities of all other nodes, are spread. A node whose label is known keeps the probabilities
 * of the model: its own label never decides its own outcome. */
#ifndef GPRI_SPREAD_H
#define GPRI_SPREAD_H

#include "walk/walker.h"

/* Which steps, and how. Zeroed: none. */
typedef struct gpri_smoothing {
    float correct; /* alpha, 0 to 1; 0: no such step */
    float scale;   /* of the spread errors; 0: every node's as large as the mean error of the known ones */
    float smooth;  /* alpha, 0 to 1; 0: no such step */
    char relation[GPRI_RELATION_NAME + 1]; /* the kind of edges that it goes over; "": all */
} gpri_smoothing;

static inline bool gpri_smooths(const gpri_smoothing *how) { return how->correct > 0 || how->smooth > 0; }

enum { GPRI_SMOOTH_STEPS = 20 }; /* K */

/* The graph and what is known, with room to compute. Probabilities are (nodes x ld), padded with zeros. */
typedef struct gpri_spreader {
    gpr_ctx *ctx;
    gpri_walker walker;
    const int32_t *known; /* (nodes) labels; less than 0: not known. The caller's */
    int64_t nodes, classes, ld;
    const gpri_real *scale;  /* (nodes) D^-1/2 */
    gpri_real *from;         /* (nodes x ld) what is spread */
    gpri_real *to[2];        /* (nodes x ld) each */
    const gpri_real *spread; /* the result: one of these */
    double error;            /* mean over known nodes of sum_c |Y - P| */
} gpri_spreader;

/* graph and known must outlive it. Free it in any case. */
gpr_status gpri_spreader_new(gpr_ctx *ctx, gpri_spreader *out, const gpri_graph *graph, const int32_t *known,
                             int64_t classes, int threads) GPRI_MUST_CHECK;
void gpri_spreader_free(gpri_spreader *spreader);

/* The score of a class that has this probability; finite for 0, too. */
gpri_real gpri_score_of_share(gpri_real share);
/* In place, (nodes x ld): probabilities from scores; scores that have these probabilities. */
void gpri_spreader_softmax(const gpri_spreader *spreader, gpri_real *z);
void gpri_spreader_log(const gpri_spreader *spreader, gpri_real *p);

/* The parts, so that a choice among many needs few passes: spreads the errors of p; p corrected by what was spread
   last; q smoothed. In out, nodes with known labels have the rows of p, or of `base`. out may be p, or q and base. */
void gpri_spreader_spread_errors(gpri_spreader *spreader, const gpri_real *p, double alpha);
void gpri_spreader_correct(const gpri_spreader *spreader, gpri_real *out, const gpri_real *p, double scale);
void gpri_spreader_smooth(gpri_spreader *spreader, gpri_real *out, const gpri_real *q, const gpri_real *base,
                          double alpha);
/* All of it, in place. */
void gpri_spreader_apply(gpri_spreader *spreader, gpri_real *p, const gpri_smoothing *how);

#endif
