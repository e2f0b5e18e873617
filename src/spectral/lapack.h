/* All eigenvalues of a symmetric matrix, with LAPACK, which is loaded when it is first needed. */
#ifndef GPRI_LAPACK_H
#define GPRI_LAPACK_H

#include "base/context.h"

/* values: (size) ascending. matrix: (size x size) both halves; it is overwritten. *found: false if LAPACK is not
   installed, and nothing is done then. Takes time proportional to the cube of the size. */
gpr_status gpri_symmetric_eigenvalues(gpr_ctx *ctx, double *values, double *matrix, int size,
                                      bool *found) GPRI_MUST_CHECK;

#endif
