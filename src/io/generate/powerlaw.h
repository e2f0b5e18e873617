/* Random graphs with power-law degrees, communities and the features of a cSBM, drawn row by row: no part of the graph
 * needs another part to be drawn, so a graph of any size takes little memory.
 *
 * The nodes are cut into parts of at most GPRI_POWERLAW_PART that follow each other and lie within a community each.
 * Every two parts have a stream of random numbers for the edges between them, from which either of them can draw. */
#ifndef GPRI_POWERLAW_H
#define GPRI_POWERLAW_H

#include "base/random.h"
#include "data/dataset.h"

#define GPRI_POWERLAW_PART 65536

typedef struct gpri_powerlaw_part {
    int64_t first, count; /* nodes */
    int64_t community;
    double reach; /* (count + 1)^(1 - a) - 1: of the inverse of its distribution of degrees */
} gpri_powerlaw_part;

typedef struct gpri_powerlaw {
    gpr_powerlaw_options options;
    int64_t parts;
    gpri_powerlaw_part *part; /* (parts) */
    double *mean;             /* (classes x features) of the classes */
    double power;             /* 1 / (1 - a), a = 1 / (exponent - 1) */
    int64_t whole_power;      /* the same where it is a small whole number, else 0 */
} gpri_powerlaw;

gpr_status gpri_powerlaw_new(gpr_ctx *ctx, gpri_powerlaw *out, const gpr_powerlaw_options *options) GPRI_MUST_CHECK;
void gpri_powerlaw_free(gpr_ctx *ctx, gpri_powerlaw *graph);

/* Edges drawn between two parts; a part may meet itself. Some of them may be equal, or loops. */
int64_t gpri_powerlaw_count(const gpri_powerlaw *graph, int64_t a, int64_t b);
/* Their ends in part a, counted from its first node, and their ends in part b as nodes: (count) each. Of a part with
   itself: two arcs for each edge, (2 x count). */
void gpri_powerlaw_draw(const gpri_powerlaw *graph, int64_t a, int64_t b, int64_t count, int32_t *from, int32_t *to);

/* The label of a node, -1: it has none. */
int32_t gpri_powerlaw_label(const gpri_powerlaw *graph, const gpri_powerlaw_part *part, int64_t node);
/* row: (features) */
void gpri_powerlaw_features(const gpri_powerlaw *graph, const gpri_powerlaw_part *part, int64_t node, float *row);

#endif
