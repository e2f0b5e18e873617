/* Dropout: which elements are dropped. A mask is a function of seed, layer, step and element; it has no state. */
#ifndef GPRI_DROPOUT_H
#define GPRI_DROPOUT_H

#include "base/random.h"
#include "tensor/real.h"

/* A probability of n / 65536; a kept value is multiplied by `scale`. Elements are numbered row after row (in CSR: in
   the order of storage). Element e is dropped when the binary number of `digits` random bits is below `threshold`. The
   bits are bit e % 128 of the Philox blocks 16 (e / 128) + 0, 1, ..., the first the most significant. So a probability
   of 1/2 takes one random bit per element. */
typedef struct gpri_dropout_rate {
    int digits; /* 0: nothing is dropped */
    uint32_t threshold;
    gpri_real scale;
} gpri_dropout_rate;

gpri_dropout_rate gpri_dropout_rate_of(double probability);

/* The masks of one layer, one for each step. */
typedef struct gpri_mask {
    gpri_dropout_rate rate;
    uint64_t seed;
    uint32_t layer;
    const uint32_t *step; /* steps done, in the device's memory: it changes between epochs */
    gpri_purpose purpose; /* of its random numbers; 0: dropout */
} gpri_mask;

/* For the operations of devices whose memory the host can read. */
static inline gpri_random gpri_mask_random(const gpri_mask *mask) {
    return gpri_random_of(mask->seed, mask->purpose ? mask->purpose : GPRI_RANDOM_DROPOUT, *mask->step, mask->layer);
}

/* Bit set: kept. For the elements of groups [g0, g1) of 128; two words per group. */
void gpri_keep_bits(uint64_t *bits, int64_t g0, int64_t g1, gpri_random random, gpri_dropout_rate rate);
/* Groups of 128 that `count` elements take, and words of their bits, with one to spare for gpri_kept_64. */
static inline int64_t gpri_keep_groups(int64_t count) { return (count + 127) / 128; }
static inline int64_t gpri_keep_words(int64_t count) { return gpri_keep_groups(count) * 2 + 1; }
/* Bit `at`: 1: kept. */
static inline int gpri_kept(const uint64_t *bits, int64_t at) { return (int)(bits[at >> 6] >> (at & 63) & 1); }
/* 64 bits from bit `at` on. */
static inline uint64_t gpri_kept_64(const uint64_t *bits, int64_t at) {
    int shift = (int)(at & 63);
    uint64_t low = bits[at >> 6] >> shift;
    return shift ? low | bits[(at >> 6) + 1] << (64 - shift) : low;
}

#endif
