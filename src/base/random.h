/* Counter-based random numbers: Philox4x32-10 of Random123.
 *
 * A number is a pure function of (seed, purpose, epoch, layer, element): no state, no order of drawing. Masks
 * need no storage, and nothing depends on the number of threads. One call gives 128 bits. */
#ifndef GPRI_RANDOM_H
#define GPRI_RANDOM_H

/* Philox on integers needs no vectors. Their headers would be half of the time that the compiler takes for a file. */
#ifndef R123_USE_SSE
#define R123_USE_SSE 0
#endif
#ifndef R123_USE_X86INTRIN_H
#define R123_USE_X86INTRIN_H 0
#endif
#include <Random123/philox.h>
#include <math.h>
#include <stdint.h>

#include "base/compiler.h"

typedef enum gpri_purpose {
    GPRI_RANDOM_WEIGHTS = 1,
    GPRI_RANDOM_GAMMA = 2,
    GPRI_RANDOM_DROPOUT = 3,
    GPRI_RANDOM_SPLIT = 4,
    GPRI_RANDOM_CSBM_EDGES = 5,
    GPRI_RANDOM_CSBM_FEATURES = 6,
    GPRI_RANDOM_CSBM_MEAN = 7,
    GPRI_RANDOM_EMBEDDING = 8,  /* seed 0 */
    GPRI_RANDOM_SEARCH = 9,     /* settings that a search draws */
    GPRI_RANDOM_BOOTSTRAP = 10, /* seed 0 */
    GPRI_RANDOM_TRACE = 11,     /* seed 0 */
    GPRI_RANDOM_LABELS = 12,    /* training nodes whose label is an input in a step */
    GPRI_RANDOM_IMPORTANCE = 16,
    GPRI_RANDOM_POWERLAW_EDGES = 20,
    GPRI_RANDOM_POWERLAW_FEATURES = 21,
    GPRI_RANDOM_POWERLAW_MEAN = 22,
    GPRI_RANDOM_POWERLAW_LABELS = 23,
    GPRI_RANDOM_BATCHES = 24, /* order of the training nodes in an epoch of batches */
    GPRI_RANDOM_FOLDS = 25,   /* of the training nodes of a stack */
    GPRI_RANDOM_TEST = 100
} gpri_purpose;

/* A sequence of random numbers; number i of it is a function of i alone. */
typedef struct gpri_random {
    uint64_t seed;
    uint32_t epoch;
    uint32_t place; /* purpose and layer */
} gpri_random;

GPRI_INLINE gpri_random gpri_random_of(uint64_t seed, gpri_purpose purpose, uint32_t epoch, uint32_t layer) {
    gpri_random random = {seed, epoch, (uint32_t)purpose << 16 | (layer & 0xffff)};
    return random;
}

/* 128 bits for block `index` of the sequence. */
GPRI_INLINE philox4x32_ctr_t gpri_random_block(gpri_random random, uint64_t index) {
    philox4x32_ctr_t counter = {{(uint32_t)index, (uint32_t)(index >> 32), random.epoch, random.place}};
    philox4x32_key_t key = {{(uint32_t)random.seed, (uint32_t)(random.seed >> 32)}};
    return philox4x32(counter, key);
}

/* Uniform in [0, 1) from 53 bits: number 0 or 1 of a block. */
GPRI_INLINE double gpri_block_uniform(philox4x32_ctr_t block, int number) {
    uint64_t bits = (uint64_t)block.v[2 * number] << 32 | block.v[2 * number + 1];
    return (double)(bits >> 11) * 0x1.0p-53;
}

/* Uniform in [0, 1), number `index` of the sequence. */
GPRI_INLINE double gpri_uniform(gpri_random random, uint64_t index) {
    return gpri_block_uniform(gpri_random_block(random, index >> 1), (int)(index & 1));
}

/* Two independent standard normals from block `index` (Box-Muller). */
GPRI_INLINE void gpri_normal_pair(gpri_random random, uint64_t index, double *first, double *second) {
    philox4x32_ctr_t block = gpri_random_block(random, index);
    double radius = sqrt(-2.0 * log(1.0 - gpri_block_uniform(block, 0)));
    double angle = 6.283185307179586 * gpri_block_uniform(block, 1);
    *first = radius * cos(angle);
    *second = radius * sin(angle);
}

/* Uniform integer in [0, bound), bound > 0. The bias of at most bound / 2^64 is below what any test can see. */
GPRI_INLINE uint64_t gpri_uniform_below(gpri_random random, uint64_t index, uint64_t bound) {
    philox4x32_ctr_t block = gpri_random_block(random, index >> 1);
    int half = (int)(index & 1);
    uint64_t bits = (uint64_t)block.v[2 * half] << 32 | block.v[2 * half + 1];
    /* high 64 bits of bits * bound, in 32-bit pieces */
    uint64_t a = bits >> 32, b = bits & 0xffffffffu, c = bound >> 32, d = bound & 0xffffffffu;
    uint64_t middle = a * d + (b * d >> 32);
    uint64_t low = b * c + (middle & 0xffffffffu);
    return a * c + (middle >> 32) + (low >> 32);
}

#endif
