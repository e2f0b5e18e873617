/* Random bits for dropout; shared by all tables of the CPU, so that their masks are the same. */
#include <math.h>

#include "tensor/dropout.h"

enum { DIGITS = 16 };

gpri_dropout_rate gpri_dropout_rate_of(double probability) {
    uint32_t drop = (uint32_t)lrint(probability * (1 << DIGITS));
    if (drop >= 1u << DIGITS) drop = (1u << DIGITS) - 1; /* a probability just below 1 must not drop all */
    gpri_dropout_rate rate = {0, drop, (gpri_real)(1.0 / (1.0 - drop / 65536.0))};
    if (drop == 0) return rate;
    rate.digits = DIGITS;
    while (!(rate.threshold & 1)) {
        rate.threshold >>= 1;
        rate.digits--;
    }
    return rate;
}

/* Compares 128 random numbers with the threshold at once, digit by digit: `below` holds those decided as smaller,
   `equal` those still undecided. */
void gpri_keep_bits(uint64_t *bits, int64_t g0, int64_t g1, gpri_random random, gpri_dropout_rate rate) {
    for (int64_t g = g0; g < g1; g++) {
        uint64_t below[2] = {0, 0}, equal[2] = {~(uint64_t)0, ~(uint64_t)0};
        for (int digit = 0; digit < rate.digits; digit++) {
            philox4x32_ctr_t block = gpri_random_block(random, (uint64_t)g * DIGITS + (uint64_t)digit);
            uint64_t want = (rate.threshold >> (rate.digits - 1 - digit) & 1) ? ~(uint64_t)0 : 0;
            for (int half = 0; half < 2; half++) {
                uint64_t word = (uint64_t)block.v[2 * half + 1] << 32 | block.v[2 * half];
                below[half] |= equal[half] & ~word & want;
                equal[half] &= ~(word ^ want);
            }
        }
        bits[2 * (g - g0)] = ~below[0];
        bits[2 * (g - g0) + 1] = ~below[1];
    }
}
