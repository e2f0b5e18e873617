/* The number type of all computing: float; double in the library that the gradient checks use. */
#ifndef GPRI_REAL_H
#define GPRI_REAL_H

#include <stdint.h>

#ifdef GPRI_DOUBLE
typedef double gpri_real;
#else
typedef float gpri_real;
#endif

/* Rows of matrices are padded with zeros to 4, 8 or a multiple of 16 numbers, so that kernels have no remainders. The
   padding of weights, and so of activations and gradients, stays zero all through training. */
static inline int64_t gpri_padded(int64_t cols) { return cols <= 4 ? 4 : cols <= 8 ? 8 : (cols + 15) / 16 * 16; }

#endif
