/* How a polynomial in a matrix of the graph is walked. The columns of a step are independent. While the rows of all
 * columns fit a cache they go together, and a neighbour's row is loaded once. Beyond that all hops are done on a panel
 * of one cache line, then on the next one: a hop then reads and writes two small buffers, and the memory falls too.
 *
 * Decided here alone, by sizes (gpr_ctx.large), never by the machine or by timing, so that bits repeat. */
#ifndef GPRI_WAY_H
#define GPRI_WAY_H

#include "walk/walker.h"

#define GPRI_PANEL 16 /* columns: a cache line of floats */

/* The cut of a matrix whose streams lie side by side, of `width` columns each, `cols` of them real. */
typedef struct gpri_panels {
    int64_t cols, width;
    int64_t each; /* panels of a stream; 0: all columns go together */
} gpri_panels;

typedef enum gpri_way_kind {
    GPRI_WAY_CALL,   /* the device does all hops in one call */
    GPRI_WAY_WHOLE,  /* all columns together */
    GPRI_WAY_PANELS, /* one panel after the other */
    GPRI_WAY_PAIRS,  /* two columns, copied without their padding (walk/pairs.c) */
    GPRI_WAY_COLUMNS /* whole or panels, dealt out to processes (walk/columns.c) */
} gpri_way_kind;

typedef struct gpri_way {
    gpri_way_kind kind;
    bool far; /* steps fetch neighbours ahead */
    gpri_panels panels;
} gpri_way;

/* streams: 1 or 2. single: it is one polynomial, with one number for all columns; plain: it is one in powers, too. */
gpri_way gpri_way_of(const gpri_walker *walker, int64_t cols, int64_t width, int64_t streams, bool single, bool plain);
/* Whether steps on states of so many columns should fetch neighbours ahead. */
bool gpri_way_far(const gpri_walker *walker, int64_t columns);
/* For people; returns out. */
#define GPRI_WAY_TEXT 96
const char *gpri_way_text(char out[GPRI_WAY_TEXT], const gpri_way *way);

/* Panel number `panel` of a matrix of one stream or more; there are gpri_panel_count, at least 1. */
int64_t gpri_panel_count(const gpri_panels *panels, gpri_matrix x);
gpri_matrix gpri_panel(const gpri_panels *panels, gpri_matrix x, int64_t panel);
/* Sets the columns that no panel has, which are padding, to 0. */
void gpri_panels_pad(const gpri_panels *panels, const gpri_walker *walker, gpri_matrix x);

#endif
