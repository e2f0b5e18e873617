/* The largest eigenvalues of a symmetric matrix that is known by its products only, by ARPACK's restarted Lanczos
 * method: time and memory of a few dozen products, where LAPACK would need the cube of the size. */
#ifndef GPRI_EIGEN_H
#define GPRI_EIGEN_H

#include "base/context.h"

/* y = A x; x, y: (size). Called on the calling thread. */
typedef void (*gpri_product)(void *arg, double *y, const double *x);

/* The `count` largest eigenvalues, the largest first, and their vectors (count x size) of length 1, each with the sign
   that makes its first entry positive, but for entries near 0. Those below 0 may come as 0 with a vector of zeros: rows
   of zeros are added to a small matrix. 1 <= count <= 4. The same bits whatever the number of threads. */
gpr_status gpri_eigen_largest(gpr_ctx *ctx, double *values, double *vectors, int64_t size, int count,
                              gpri_product multiply, void *arg) GPRI_MUST_CHECK;

#endif
