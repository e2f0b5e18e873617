/* States of a graph filter in bfloat16: the upper half of a float. Half the bytes, and so twice the columns in a cache
 * line; 8 digits of the binary fraction, one of them implied. What is added up is float, and rounded when it is stored.
 *
 * A matrix of halves is a gpri_matrix whose rows hold `width` of them, 2, 4, 8, 16 or 32; the distance of rows is
 * counted in gpri_real, as everywhere. Word k of a row has column k in its lower half, and column k + width / 2 in its
 * upper one: so a vector of words becomes two vectors of neighbouring columns by a shift and a mask. */
#ifndef GPRI_HALF_H
#define GPRI_HALF_H

#include <string.h>

#include "tensor/matrix.h"

/* To the nearest, of two to the even one; NaN stays NaN. */
static inline uint16_t gpri_half_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7fffffff) > 0x7f800000) return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static inline float gpri_half_value(uint16_t half) {
    const uint32_t bits = (uint32_t)half << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Numbers that a row of so many halves takes. */
static inline int64_t gpri_half_numbers(int64_t width) {
    return (width * (int64_t)sizeof(uint16_t) + (int64_t)sizeof(gpri_real) - 1) / (int64_t)sizeof(gpri_real);
}

/* (rows x width) halves without gaps. */
static inline gpri_matrix gpri_half_packed(gpri_real *at, int64_t rows, int64_t width) {
    gpri_matrix x = {at, rows, width, width, gpri_half_numbers(width)};
    return x;
}

/* The words of row i; and its column c. */
static inline uint32_t *gpri_half_row(gpri_matrix x, int64_t i) { return (uint32_t *)(void *)(x.at + i * x.ld); }

static inline float gpri_half_get(gpri_matrix x, int64_t i, int64_t c) {
    const uint32_t *row = gpri_half_row(x, i);
    return gpri_half_value((uint16_t)(c < x.width / 2 ? row[c] & 0xffff : row[c - x.width / 2] >> 16));
}

static inline void gpri_half_put(gpri_matrix x, int64_t i, int64_t c, float value) {
    uint32_t *word = gpri_half_row(x, i) + c % (x.width / 2);
    const uint32_t half = gpri_half_of(value);
    *word = c < x.width / 2 ? (*word & 0xffff0000u) | half : (*word & 0xffff) | half << 16;
}

struct gpri_step; /* tensor/ops.h */

/* The operations of a filter on such states; the rules are those of tensor/ops.h. `out` and `in` are halves, all others
   are not. A step has b = c = 0. Sums and dots take what is not rounded yet. */
typedef struct gpri_half_ops {
    /* out = theta S h. */
    void (*begin)(gpri_matrix out, gpri_matrix h, const gpri_real *scale, const gpri_real *theta, int64_t first);
    /* out = a M in + theta S h. */
    void (*propagate)(gpri_matrix out, gpri_matrix in, gpri_matrix h, const struct gpri_step *step,
                      const gpri_real *theta, int64_t first);
    /* The same, and z is not rounded: the last step. */
    void (*last)(gpri_matrix z, gpri_matrix in, gpri_matrix h, const struct gpri_step *step, const gpri_real *theta,
                 int64_t first);
    /* For the gradients: out = S dz, sum = theta out, *dot = <h, dz>. sum may be dz. */
    void (*begin_dot)(gpri_matrix out, gpri_matrix sum, double *dot, gpri_matrix dz, gpri_matrix h,
                      const gpri_real *scale, const gpri_real *theta, int64_t first);
    /* out = a M in, sum += theta out, *dot = <S^-1 h, out>. */
    void (*propagate_dot)(gpri_matrix out, gpri_matrix sum, double *dot, gpri_matrix in, gpri_matrix h,
                          const struct gpri_step *step, const gpri_real *theta, int64_t first);
} gpri_half_ops;

#endif
