/* The eigenvalues of A~ one by one: all of them for a small graph, the outermost for any. */
#ifndef GPRI_SPECTRUM_H
#define GPRI_SPECTRUM_H

#include "walk/exact.h"

/* Are all eigenvalues computed in about a second? The sizes of the components alone decide. */
bool gpri_spectrum_is_small(const gpri_components *components);

/* values: (nodes) all eigenvalues, the largest first; those of the components' own vectors pi, which are 1 without
   rounding, are exactly 1. *found: false if LAPACK is not installed. */
gpr_status gpri_spectrum_all(gpr_ctx *ctx, double *values, const gpri_exact *walk, const gpri_components *components,
                             bool *found) GPRI_MUST_CHECK;

/* The largest eigenvalue beside those of the components' vectors pi, and the smallest, with ARPACK, to about 1e-6. NaN,
   both, if no other eigenvalue exists: every component is a single node. Errors: GPR_ERROR_IO if ARPACK is not
   installed, GPR_ERROR_NUMERIC if it does not find them in a few seconds, as in large graphs. */
gpr_status gpri_spectrum_ends(gpr_ctx *ctx, double *second, double *smallest, const gpri_exact *walk,
                              const gpri_components *components) GPRI_MUST_CHECK;

#endif
