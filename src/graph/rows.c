#include "graph/rows.h"

#include <string.h>

#include "base/thread.h"

enum {
    SORTED = 1 << 13, /* rows of a chunk */
    SHORT = 32        /* arcs of a row that is sorted at once */
};
#define NONE UINT32_MAX /* no arc */

/* A chunk of rows. */
typedef struct part {
    int64_t begin, arcs;          /* where its rows begin before merging; what is left of them */
    int64_t duplicates, isolated; /* how many */
} part;

typedef struct merging {
    const gpri_rows *rows;
    part *parts; /* (chunks) */
} merging;

/* Short rows by rank: an arc goes where as many are before it as are less than it. No branch depends on the numbers,
   and the loop over j is one of vectors. */
static void sort_by_rank(uint32_t *column, int64_t count) {
    enum { LANES = 8 };
    int32_t
        key[SHORT + LANES]; /* in the order of signed numbers, which CPUs compare faster; filled up with the largest */
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

/* Radix exchange, from the given bit down: those without the bit to the front, those with it to the back. At most 32
   levels deep, whatever the row. */
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

/* Merges equal columns of a sorted row and drops the lowest bit; from and to may be the same. Returns what is left. */
static int64_t merge_row(uint32_t *to, float *to_weight, const uint32_t *from, const float *from_weight, int64_t count,
                         int64_t *duplicates) {
    int64_t end = 0;
    for (int64_t k = 0; k < count;) {
        const uint32_t c = from[k] / 2;
        float largest = from_weight ? from_weight[k] : 1;
        int64_t given = 0; /* how often the input holds this ordered pair */
        for (; k < count && from[k] / 2 == c; k++) {
            given += !(from[k] & 1);
            if (from_weight && from_weight[k] > largest) largest = from_weight[k];
        }
        if (given > 1) *duplicates += given - 1;
        to[end] = c;
        if (to_weight) to_weight[end] = largest;
        end++;
    }
    return end;
}

/* Sorts and merges some rows, and moves them together to where the first of them begins. */
static void merge_chunk(void *arg, int64_t chunk, int slot) {
    const merging *all = arg;
    const gpri_rows *rows = all->rows;
    part *own = &all->parts[chunk];
    const int64_t first = chunk * SORTED, last = first + SORTED < rows->rows ? first + SORTED : rows->rows;
    int64_t from = own->begin, to = own->begin;
    uint32_t bit = 1;
    (void)slot;
    while (bit < 0x80000000u && bit <= (uint32_t)rows->nodes) bit <<= 1; /* above the largest column * 2 + 1 */
    for (int64_t i = first; i < last; i++) {
        const int64_t count = rows->rowptr[i + 1] - from;
        uint32_t *row = rows->column + from;
        float *weight = rows->weight ? rows->weight + from : NULL;
        sort_row(row, weight, count, bit);
        const int64_t left =
            merge_row(rows->column + to, weight ? rows->weight + to : NULL, row, weight, count, &own->duplicates);
        own->isolated += left == 0;
        from += count;
        to += left;
        rows->rowptr[i + 1] = to;
    }
    own->arcs = to - own->begin;
}

gpr_status gpri_rows_merge(gpr_ctx *ctx, int threads, gpri_rows *rows) {
    const int64_t chunks = (rows->rows + SORTED - 1) / SORTED;
    merging all = {.rows = rows};
    gpr_status status = gpri_calloc(ctx, &all.parts, chunks, sizeof *all.parts, "graph rows");
    if (status != GPR_OK) return status;
    for (int64_t chunk = 0; chunk < chunks; chunk++) all.parts[chunk].begin = rows->rowptr[chunk * SORTED];
    gpri_parallel(ctx, threads, chunks, merge_chunk, &all);
    rows->arcs = rows->duplicates = rows->isolated = 0;
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        const part *own = &all.parts[chunk];
        const int64_t first = chunk * SORTED, last = first + SORTED < rows->rows ? first + SORTED : rows->rows;
        const int64_t gap = own->begin - rows->arcs;
        if (gap > 0) {
            memmove(rows->column + rows->arcs, rows->column + own->begin, (size_t)own->arcs * sizeof *rows->column);
            if (rows->weight)
                memmove(rows->weight + rows->arcs, rows->weight + own->begin, (size_t)own->arcs * sizeof *rows->weight);
            for (int64_t i = first; i < last; i++) rows->rowptr[i + 1] -= gap;
        }
        rows->arcs += own->arcs;
        rows->duplicates += own->duplicates;
        rows->isolated += own->isolated;
    }
    gpri_free(ctx, all.parts);
    return GPR_OK;
}
