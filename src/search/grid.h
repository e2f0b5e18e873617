/* The grid of a search: which options it tries, and their values. */
#ifndef GPRI_GRID_H
#define GPRI_GRID_H

#include "base/params.h"

/* The values of one option: a list, or all numbers between two bounds. */
typedef struct gpri_grid_axis {
    gpri_param id;
    const char **values; /* (count) texts; those of a range are its bounds */
    int64_t count, capacity;
    bool range;
} gpri_grid_axis;

typedef struct gpri_grid {
    gpr_ctx *ctx;
    char *bytes; /* what the values point into */
    gpri_grid_axis axes[GPRI_PARAM_COUNT];
    int count;
    bool given; /* by the caller, and not one of the library's own */
} gpri_grid;

/* text: NULL: a small grid; "paper": that of the paper; "lr=0.01,0.05 hidden=16..256"; else the name of a file with
   lines `word = a, b, c`. All words and values are checked. */
gpr_status gpri_grid_read(gpr_ctx *ctx, gpri_grid *out, const char *text) GPRI_MUST_CHECK;
void gpri_grid_free(gpri_grid *grid); /* safe on a zeroed one */

/* A number drawn within the bounds of a range: on a log scale for `lr` and `weight-decay`. uniform is in [0, 1). */
void gpri_grid_draw(const gpri_grid_axis *axis, double uniform, char *out, size_t size);

#endif
