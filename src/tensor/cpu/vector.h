/* Vectors of floats as the compiler knows them; `vec` is the widest that this variant's CPU has. */
#ifndef GPRI_VECTOR_H
#define GPRI_VECTOR_H

#include <stdint.h>
#include <string.h>

#include "base/compiler.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

typedef float vec4 __attribute__((vector_size(16)));
typedef float vec8 __attribute__((vector_size(32)));
typedef float vec16 __attribute__((vector_size(64)));

#if defined(__AVX512F__)
typedef vec16 vec;
#define LANES 16
#define BLOCK 4        /* vectors of one row that are worked on at a time: what the registers hold for four rows */
#define SPARSE_BLOCK 8 /* the same where there is one row */
#elif defined(__AVX2__)
typedef vec8 vec;
#define LANES 8
#define BLOCK 2
#define SPARSE_BLOCK 8
#else
typedef vec4 vec;
#define LANES 4
#define BLOCK 2
#define SPARSE_BLOCK 8
#endif

#define ALL_LANES ((1u << LANES) - 1)

typedef int32_t ivec __attribute__((vector_size(4 * LANES)));

GPRI_INLINE vec vec_load(const float *from) {
    vec value;
    memcpy(&value, from, sizeof value);
    return value;
}

GPRI_INLINE void vec_store(float *to, vec value) { memcpy(to, &value, sizeof value); }

GPRI_INLINE vec vec_all(float x) { return x - (vec){0}; }

/* The vector is rounded here: the compiler cannot fuse the product that made it with a sum. Of two products in one sum
   it would else fuse either, as it likes, and the bits would depend on that. */
#if defined(__AVX512F__)
#define ROUNDED(value) __asm__("" : "+v"(value))
#elif defined(__x86_64__) || defined(__i386__)
#define ROUNDED(value) __asm__("" : "+x"(value))
#elif defined(__aarch64__)
#define ROUNDED(value) __asm__("" : "+w"(value))
#else
#define ROUNDED(value) __asm__("" : "+m"(value))
#endif

/* x where the bit is set, 0 elsewhere. */
GPRI_INLINE vec vec_keep(vec x, uint32_t bits) {
#if defined(__AVX512F__)
    return (vec)_mm512_maskz_mov_ps((__mmask16)bits, (__m512)x);
#else
    ivec lane;
    for (int i = 0; i < LANES; i++) lane[i] = 1 << i;
    ivec set = ((int32_t)bits - (ivec){0}) & lane;
    return (vec)((ivec)x & (set == lane));
#endif
}

#endif
