/* The largest eigenvalues of a symmetric matrix that is known only by its products, with ARPACK's restarted Lanczos
 * method. It costs a few dozen products; LAPACK would take time cubic in the size. */
#ifndef GPRI_EIGEN_H
#define GPRI_EIGEN_H

#include "base/context.h"

/* y = A x; x, y: (size). Called on the calling thread. */
typedef void (*gpri_product)(void *arg, double *y, const double *x);

/* The `count` largest eigenvalues, the largest first, and their vectors (count x size) of length 1. In each vector, the
   first entry that is not near 0 is positive. Negative eigenvalues may be returned as 0 with a vector of zeros, because
   a small matrix is padded with rows of zeros. 1 <= count <= 4. The bits do not depend on the number of threads. */
gpr_status gpri_eigen_largest(gpr_ctx *ctx, double *values, double *vectors, int64_t size, int count,
                              gpri_product multiply, void *arg) GPRI_MUST_CHECK;
/* The same to a relative error of the eigenvalues of `tolerance`, where gpri_eigen_largest takes 1e-10: it costs fewer
   products if others lie near. After `restarts` of about 30 products each without success: GPR_ERROR_NUMERIC. */
gpr_status gpri_eigen_near(gpr_ctx *ctx, double *values, double *vectors, int64_t size, int count,
                           gpri_product multiply, void *arg, double tolerance, int restarts) GPRI_MUST_CHECK;

#endif
