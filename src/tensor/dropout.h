/* Dropout: which elements are dropped. A mask is a function of seed, layer, step and element; it has no state. */
#ifndef GPRI_DROPOUT_H
#define GPRI_DROPOUT_H

#include "base/random.h"
#include "base/real.h"

/* A probability of n / 65536; a kept value is multiplied by `scale`. Elements are numbered row after row (in CSR: in
   the order of storage). Element e is dropped when the binary number of `digits` random bits is below `threshold`. The
   bits are bit e % 128 of the Philox blocks 16 (e / 128) + 0, 1, ..., the first the most significant. So a probability
   of 1/2 takes one random bit per element. */
#define GPRI_DROPOUT_DIGITS 16
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

/* For the operations; to be called where the device's memory can be read. */
GPRI_INLINE gpri_random gpri_mask_random(const gpri_mask *mask) {
    return gpri_random_of(mask->seed, mask->purpose ? mask->purpose : GPRI_RANDOM_DROPOUT, *mask->step, mask->layer);
}

/* Bit set: kept. For the 128 elements of group g: two words. Compares 128 random numbers with the threshold at once,
   digit by digit: `below` holds those decided as smaller, `equal` those still undecided. All tables of all devices use
   it, so that their masks are the same. */
GPRI_INLINE void gpri_keep_group(uint64_t *bits, int64_t g, gpri_random random, gpri_dropout_rate rate) {
    uint64_t below[2] = {0, 0}, equal[2] = {~(uint64_t)0, ~(uint64_t)0};
    for (int digit = 0; digit < rate.digits; digit++) {
        philox4x32_ctr_t block = gpri_random_block(random, (uint64_t)g * GPRI_DROPOUT_DIGITS + (uint64_t)digit);
        uint64_t want = (rate.threshold >> (rate.digits - 1 - digit) & 1) ? ~(uint64_t)0 : 0;
        for (int half = 0; half < 2; half++) {
            uint64_t word = (uint64_t)block.v[2 * half + 1] << 32 | block.v[2 * half];
            below[half] |= equal[half] & ~word & want;
            equal[half] &= ~(word ^ want);
        }
    }
    bits[0] = ~below[0];
    bits[1] = ~below[1];
}

/* The same for the elements of groups [g0, g1) of 128; two words per group. */
void gpri_keep_bits(uint64_t *bits, int64_t g0, int64_t g1, gpri_random random, gpri_dropout_rate rate);
/* Groups of 128 that `count` elements take, and words of their bits, with one to spare for gpri_kept_64. */
GPRI_INLINE int64_t gpri_keep_groups(int64_t count) { return (count + 127) / 128; }
GPRI_INLINE int64_t gpri_keep_words(int64_t count) { return gpri_keep_groups(count) * 2 + 1; }
/* Bit `at`: 1: kept. */
GPRI_INLINE int gpri_kept(const uint64_t *bits, int64_t at) { return (int)(bits[at >> 6] >> (at & 63) & 1); }
/* 64 bits from bit `at` on. */
GPRI_INLINE uint64_t gpri_kept_64(const uint64_t *bits, int64_t at) {
    int shift = (int)(at & 63);
    uint64_t low = bits[at >> 6] >> shift;
    return shift ? low | bits[(at >> 6) + 1] << (64 - shift) : low;
}

#endif
