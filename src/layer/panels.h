/* Columns that walk over the graph together. The columns of a step are independent. While the rows of all columns fit a
 * cache they go together, and a neighbour's row is loaded once. Beyond that a filter does all its hops on a panel of
 * one cache line, then on the next one: a hop then reads and writes two small buffers, and the memory falls too.
 *
 * Decided by sizes alone (gpr_ctx.large), never by the machine or by timing, so that bits repeat. */
#ifndef GPRI_PANELS_H
#define GPRI_PANELS_H

#include "layer/net.h"

#define GPRI_PANEL 16                    /* columns: a cache line of floats */
#define GPRI_HALF_PANEL (2 * GPRI_PANEL) /* the same of bfloat16, in which a filter's states may be (tensor/half.h) */

/* The cut of a matrix whose streams lie side by side, of `width` columns each, `cols` of them real. */
typedef struct gpri_panels {
    int64_t cols, width;
    int64_t each; /* panels of a stream; 0: all columns go together */
    int64_t most; /* columns of a panel */
} gpri_panels;

/* For a device that deals rows out; streams: 1 or 2. */
gpri_panels gpri_panels_of(const gpri_net *net, int64_t cols, int64_t width, int64_t streams);
/* For states in bfloat16, which always go by panels. */
gpri_panels gpri_panels_half(int64_t cols, int64_t width);
/* How many columns go together, for people: of a cut, and of the filter of a net, NULL if it has none. Returns out. */
#define GPRI_PANELS_TEXT 96
const char *gpri_filter_text(char out[GPRI_PANELS_TEXT], const gpri_net *net);
const char *gpri_panels_text(char out[GPRI_PANELS_TEXT], const gpri_panels *panels, bool half, bool pairs, bool far);
/* Whether steps on states of so many columns should fetch neighbours ahead. */
bool gpri_panels_far(const gpri_net *net, int64_t columns);

/* Panel number `panel` of a matrix of one stream or more; there are gpri_panel_count. */
int64_t gpri_panel_count(const gpri_panels *panels, gpri_matrix x);
gpri_matrix gpri_panel(const gpri_panels *panels, gpri_matrix x, int64_t panel);
/* Sets the columns that no panel has, which are padding, to 0. */
void gpri_panels_pad(const gpri_panels *panels, gpri_net *net, gpri_matrix x);

#endif
