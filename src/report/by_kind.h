/* How many predictions are right, by kind of node. */
#ifndef GPRI_BY_KIND_H
#define GPRI_BY_KIND_H

#include "data/split.h"

/* Predictions to judge: those of the nodes of one part. */
typedef struct gpri_judged {
    const gpri_graph *graph;
    const uint8_t *kinds;     /* (nodes) of their neighbourhoods: gpri_homophily_kinds */
    const int32_t *labels;    /* (nodes) */
    const int32_t *predicted; /* (nodes) */
    const uint8_t *parts;     /* (nodes) gpr_part */
    gpr_part part;
    int64_t classes;
} gpri_judged;

/* Nodes of one kind. */
typedef struct gpri_bin {
    int64_t nodes, right;
} gpri_bin;

/* The interval of a share, `right` of `nodes`, that holds the true one with 95 % (Wilson); 0 to 1. */
void gpri_share_interval(const gpri_bin *bin, double *low, double *high);

/* By number of neighbours: bin 0 has none, bin b has 2^(b-1) to 2^b - 1. */
enum { GPRI_DEGREE_BINS = 40 };
void gpri_score_by_degree(gpri_bin bins[GPRI_DEGREE_BINS], const gpri_judged *judged);
/* By the share of labelled neighbours that have the node's own class: fifths, then nodes without labelled neighbours.
 */
void gpri_score_by_homophily(gpri_bin bins[GPRI_HOMOPHILY_BINS], const gpri_judged *judged);

#endif
