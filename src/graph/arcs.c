/* Sorting and merging the arcs of one row. */
#include "graph/arcs.h"

#include "graph/graph.h"

enum { SHORT = 32 };    /* most arcs of a row that is sorted by rank */
#define NONE UINT32_MAX /* no arc */

/* Sorts short rows by rank: an arc's place is the number of arcs that are less than it. No branch depends on the
   numbers, and the compiler makes vectors of the loop over j. Keys are ordered as signed numbers, which CPUs compare
   faster, and padded with the largest one. */
static void sort_by_rank(uint32_t *column, int64_t count) {
    enum { LANES = 8 };
    int32_t key[SHORT + LANES];
    const int64_t padded = (count + LANES - 1) / LANES * LANES;
    for (int64_t k = 0; k < padded; k++) key[k] = k < count ? (int32_t)(column[k] ^ 0x80000000u) : INT32_MAX;
    for (int64_t k = 0; k < count; k++) column[k] = NONE;
    for (int64_t k = 0; k < count; k++) {
        int32_t less = 0;
        for (int64_t j = 0; j < padded; j++) less += key[j] < key[k];
        column[less] = (uint32_t)key[k] ^ 0x80000000u;
    }
    for (int64_t k = 1; k < count; k++) /* equal ones went to the same place */
        if (column[k] == NONE) column[k] = column[k - 1];
}

static void sort_by_insertion(uint32_t *column, float *weight, int64_t count) {
    for (int64_t k = 1; k < count; k++) {
        const uint32_t c = column[k];
        const float w = weight[k];
        int64_t at = k;
        for (; at > 0 && column[at - 1] > c; at--) {
            column[at] = column[at - 1];
            weight[at] = weight[at - 1];
        }
        column[at] = c;
        weight[at] = w;
    }
}

/* Radix exchange sort, from the given bit down: arcs without the bit go to the front, those with it to the back. At
   most 32 levels deep, for any row. */
static void sort_row(uint32_t *column, float *weight, int64_t count, uint32_t bit) {
    while (count > SHORT && bit > 0) {
        int64_t low = 0, high = count;
        while (low < high) {
            if (!(column[low] & bit)) {
                low++;
                continue;
            }
            high--;
            const uint32_t c = column[low];
            column[low] = column[high];
            column[high] = c;
            if (!weight) continue;
            const float w = weight[low];
            weight[low] = weight[high];
            weight[high] = w;
        }
        bit >>= 1;
        sort_row(column, weight, low, bit);
        column += low;
        if (weight) weight += low;
        count -= low;
    }
    if (bit == 0) return; /* all equal */
    if (weight) sort_by_insertion(column, weight, count);
    else sort_by_rank(column, count);
}

void gpri_arcs_sort(uint32_t *column, float *weight, int64_t count, int64_t nodes) {
    uint32_t bit = 1;
    while (bit < 0x80000000u && bit <= (uint32_t)nodes) bit <<= 1; /* the highest of nodes * 2 - 1, or above it */
    sort_row(column, weight, count, bit);
}

int64_t gpri_arcs_merge(gpri_arcs to, const uint32_t *from, const float *weight, int64_t count,
                        gpri_arcs_found *found) {
    int64_t end = 0;
    for (int64_t k = 0; k < count;) {
        const uint32_t c = from[k] / 2;
        float largest = weight ? weight[k] : 1, along = 0;
        int64_t given = 0, all = 0; /* how often the input holds this ordered pair; the pair, in any order */
        for (; k < count && from[k] / 2 == c; k++) {
            given += !(from[k] & 1);
            all++;
            if (weight && weight[k] > largest) largest = weight[k];
            if (weight && !(from[k] & 1) && weight[k] > along) along = weight[k];
        }
        if (given > 1) found->duplicates += given - 1;
        found->mutual += given > 0 && given < all;
        to.column[end] = c;
        if (to.weight) to.weight[end] = largest;
        if (to.sides) {
            to.sides[end] = (uint8_t)((given > 0 ? GPRI_ALONG : 0) | (given < all ? GPRI_AGAINST : 0));
            if (to.along) to.along[end] = along;
            found->one_sided += given == 0 || given == all || (weight && along < largest);
        }
        end++;
    }
    return end;
}
