/* Hops of the features over the graph that are made once, outside of a training: X_k = A~^k X.
 *
 * The columns are independent. A panel of at most 16 goes through all hops before the next one, so a hop reads and
 * writes two buffers of (nodes x panel). The graph and the features are only read, in the order of the rows: they may
 * lie in a file that is larger than the memory. The bits depend neither on the threads nor on the width of a panel. */
#ifndef GPRI_POWERS_H
#define GPRI_POWERS_H

#include "base/real.h"
#include "data/scale/scaling.h"

typedef struct gpri_powers_source {
    const gpri_graph *graph;
    const gpri_feature_matrix *table; /* X */
    bool normalize;                   /* its rows are divided by their sums, ... */
    const gpri_scaling *scaling;      /* ... or its columns are scaled when they are read; NULL: neither */
    int64_t hops;                     /* K */
    int64_t panel;                    /* columns: 4, 8 or 16 */
} gpri_powers_source;

/* Bytes of memory that the hops over so many nodes take, beside the graph, the features and the result. buffers: of
   (nodes x panel), 2, or 3 for gpri_powers_panels. */
double gpri_powers_memory(int64_t nodes, int64_t panel, int64_t buffers);
/* The widest panel whose hops take at most so many bytes; 0: not even the narrowest does. */
int64_t gpri_powers_panel(int64_t nodes, int64_t cols, int64_t buffers, double bytes);

/* Called after each panel: columns [0, done) of all X_k are there. */
typedef gpr_status (*gpri_powers_fn)(void *arg, int64_t done);

/* out: (count x ld) row r gets X_0 .. X_K of nodes[r] side by side, gpri_padded(cols) columns each, padding 0. first:
   columns that are there already; a multiple of 16. */
gpr_status gpri_powers_table(gpr_ctx *ctx, gpri_real *out, int64_t ld, const gpri_powers_source *source,
                             const int64_t *nodes, int64_t count, int64_t first, gpri_powers_fn done,
                             void *arg) GPRI_MUST_CHECK;
/* out: (nodes x gpri_padded(cols)) sum_k gamma_k X_k. gamma: (K + 1). */
gpr_status gpri_powers_sum(gpr_ctx *ctx, gpri_real *out, const gpri_powers_source *source,
                           const float *gamma) GPRI_MUST_CHECK;
/* The same sums, the same bits, and no memory for all columns: each panel is handed over when it is done, in the order
   of the columns. sum: (nodes x width) packed, the columns from `column` on. */
typedef gpr_status (*gpri_panel_fn)(void *arg, int64_t column, int64_t width, const gpri_real *sum);
gpr_status gpri_powers_panels(gpr_ctx *ctx, const gpri_powers_source *source, const float *gamma, gpri_panel_fn take,
                              void *arg) GPRI_MUST_CHECK;

#endif
