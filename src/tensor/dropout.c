/* Probabilities of dropout as they are drawn, and the random bits for the tables of the CPU. */
#include <math.h>

#include "tensor/dropout.h"

gpri_dropout_rate gpri_dropout_rate_of(double probability) {
    uint32_t drop = (uint32_t)lrint(probability * (1 << GPRI_DROPOUT_DIGITS));
    if (drop >= 1u << GPRI_DROPOUT_DIGITS)
        drop = (1u << GPRI_DROPOUT_DIGITS) - 1; /* a probability just below 1 must not drop all */
    gpri_dropout_rate rate = {0, drop, (gpri_real)(1.0 / (1.0 - drop / 65536.0))};
    if (drop == 0) return rate;
    rate.digits = GPRI_DROPOUT_DIGITS;
    while (!(rate.threshold & 1)) {
        rate.threshold >>= 1;
        rate.digits--;
    }
    return rate;
}

void gpri_keep_bits(uint64_t *bits, int64_t g0, int64_t g1, gpri_random random, gpri_dropout_rate rate) {
    for (int64_t g = g0; g < g1; g++) gpri_keep_group(bits + 2 * (g - g0), g, random, rate);
}
