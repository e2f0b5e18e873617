/* One class against the rest: the area under the ROC curve and the average precision, from one sort by radix. */
#include <math.h>
#include <string.h>

#include "train/judge/measures.h"

enum { DIGIT = 11, VALUES = 1 << DIGIT, PASSES = 3 }; /* 33 bits: a float and the mark of the class */

/* The bits of a float in the order of its value; -0 counts as 0. */
static uint64_t ordered_bits(float value) {
    uint32_t bits;
    if (value == 0) value = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? (uint32_t)~bits : bits | 0x80000000u;
}

/* Ascending by the low 33 bits; the result is in *keys. */
static void sort_keys(uint64_t **keys, uint64_t **spare, int64_t count) {
    int64_t at[PASSES][VALUES];
    memset(at, 0, sizeof at);
    for (int64_t i = 0; i < count; i++)
        for (int pass = 0; pass < PASSES; pass++) at[pass][((*keys)[i] >> (pass * DIGIT)) % VALUES]++;
    for (int pass = 0; pass < PASSES; pass++) {
        int64_t first = 0;
        for (int v = 0; v < VALUES; v++) {
            const int64_t here = at[pass][v];
            at[pass][v] = first;
            first += here;
        }
        uint64_t *from = *keys, *to = *spare;
        for (int64_t i = 0; i < count; i++) to[at[pass][(from[i] >> (pass * DIGIT)) % VALUES]++] = from[i];
        *keys = to;
        *spare = from;
    }
}

/* keys: ascending. Nodes with the same probability come together: half of their pairs count for the area, and they make
   one step of the curve of precision. */
static gpri_ranking_score read_off(const uint64_t *keys, int64_t count, int64_t positives) {
    const int64_t negatives = count - positives;
    double pairs = 0, precision = 0;
    int64_t above = 0, right = 0; /* nodes, and positive ones, with a larger probability */
    for (int64_t i = count - 1, next; i >= 0; i = next) {
        int64_t hits = 0;
        for (next = i; next >= 0 && keys[next] >> 1 == keys[i] >> 1; next--) hits += (int64_t)(keys[next] & 1);
        const int64_t misses = i - next - hits;
        pairs += (double)misses * ((double)right + 0.5 * (double)hits);
        right += hits;
        above += i - next;
        if (hits) precision += (double)hits * ((double)right / (double)above);
    }
    return (gpri_ranking_score){.roc_auc =
                                    positives && negatives ? pairs / ((double)positives * (double)negatives) : NAN,
                                .average_precision = positives ? precision / (double)positives : NAN};
}

gpri_ranking_score gpri_rank_class(const gpri_scored *of, int64_t class_id, gpri_measure_space *space) {
    int64_t count = 0, positives = 0;
    for (int64_t i = 0; i < of->rows; i++) {
        if (of->labels[i] < 0 || (of->parts && of->parts[i] != of->part)) continue;
        const bool positive = of->labels[i] == class_id;
        space->keys[count++] = ordered_bits(of->proba[i * of->classes + class_id]) << 1 | positive;
        positives += positive;
    }
    if (positives == 0) return (gpri_ranking_score){NAN, NAN};
    sort_keys(&space->keys, &space->spare, count);
    return read_off(space->keys, count, positives);
}
