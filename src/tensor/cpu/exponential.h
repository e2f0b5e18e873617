/* exp and what is made of it, as polynomials without branches, so that the compiler can turn loops over them into
 * vectors. NaN stays NaN. */
#ifndef GPRI_EXPONENTIAL_H
#define GPRI_EXPONENTIAL_H

#include <stdint.h>
#include <string.h>

#include "base/compiler.h"

/* exp(x) = power (1 + rest) for x <= 0, power of 2; below -87: as at -87. */
GPRI_INLINE float exp_parts(float x, float *power) {
    x = x < -87.0f ? -87.0f : x;
    float n = x * 1.44269504f;
    n = (n + 12582912.0f) - 12582912.0f; /* nearest whole number */
    float r = x - n * 0.693359375f + n * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    int32_t bits = ((int32_t)(n > -127.0f ? n : -127.0f) + 127) << 23; /* NaN has no int: it stays in p */
    memcpy(power, &bits, sizeof *power);
    return p * r * r + r;
}

/* exp(x) for x <= 0, relative error below 2e-7; below -87 about 1e-38. */
GPRI_INLINE float exp_negative(float x) {
    float power, rest = exp_parts(x, &power);
    return (rest + 1.0f) * power;
}

/* exp(x) - 1 for x <= 0, relative error below 3e-7: near 0 too, where power is 1. */
GPRI_INLINE float expm1_negative(float x) {
    float power, rest = exp_parts(x, &power);
    return rest * power + (power - 1.0f);
}

/* 1 / (1 + exp(-x)) */
GPRI_INLINE float sigmoid(float x) {
    float t = exp_negative(x < 0 ? x : -x), s = 1.0f / (1.0f + t);
    return x < 0 ? t * s : s;
}

/* (1 - exp(-2x)) / (1 + exp(-2x)) */
GPRI_INLINE float hyperbolic_tangent(float x) {
    float t = expm1_negative(x < 0 ? 2.0f * x : -2.0f * x), s = t / (2.0f + t);
    return x < 0 ? s : -s;
}

#endif
