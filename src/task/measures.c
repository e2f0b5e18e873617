/* The table of measures, and their arithmetic. The nodes are sorted by digits: no comparison, so the same on any
 * machine. */
#include "task/measures.h"

#include <math.h>
#include <string.h>

#include "base/print.h"

static const struct {
    const char *word, *name, *heading, *choice;
    int traits;
} table[GPRI_MEASURES] = {
#define MEASURE(ID, ...) {__VA_ARGS__},
#include "task/measures.def"
};

static bool same_word(const char *word, const char *known) {
    for (; *word && *known; word++, known++)
        if (*word != *known && !(*word == '-' && *known == '_')) return false;
    return *word == *known;
}

gpri_measure gpri_measure_find(const char *word) {
    for (int i = 0; i < GPRI_MEASURES; i++)
        if (same_word(word, table[i].word)) return (gpri_measure)i;
    return GPRI_MEASURES;
}

gpri_measure gpri_measure_chosen(const char *choice) {
    if (strcmp(choice, "auc") == 0) return GPRI_ROC_AUC;
    for (int i = 0; i < GPRI_MEASURES; i++)
        if (table[i].choice && strcmp(table[i].choice, choice) == 0) return (gpri_measure)i;
    return GPRI_MEASURES;
}

gpr_status gpri_measure_unknown(const char *word) {
    const char *words[GPRI_MEASURES];
    for (int i = 0; i < GPRI_MEASURES; i++) words[i] = table[i].word;
    const char *near = gpr_nearest_word(word, words, GPRI_MEASURES), *all =
#define MEASURE(ID, word, ...) ", " word
#include "task/measures.def"
        ;
    return gpri_fail(GPR_ERROR_ARGUMENT, "there is no metric '%s'%s%s%s: there are %s", word,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "", all + strlen(", "));
}

const char *gpri_measure_word(gpri_measure which) { return table[which].word; }
const char *gpri_measure_name(gpri_measure which) { return table[which].name; }
const char *gpri_measure_heading(gpri_measure which) { return table[which].heading; }
const char *gpri_measure_choice(gpri_measure which) { return table[which].choice; }
bool gpri_measure_is(gpri_measure which, int trait) { return table[which].traits & trait; }
bool gpri_measure_suits(gpri_measure which, bool numbers) { return gpri_measure_is(which, GPRI_OF_NUMBERS) == numbers; }
bool gpri_measure_each_step(gpri_measure which) { return table[which].choice && !gpri_is_loss(which); }

void gpri_measure_print(char out[GPRI_VALUE_SIZE], gpri_measure which, double value) {
    if (isnan(value)) strcpy(out, "-");
    else if (gpri_measure_is(which, GPRI_PERCENT)) gpri_print(out, GPRI_VALUE_SIZE, "%.2f %%", 100 * value);
    else if (gpri_measure_is(which, GPRI_IN_UNIT)) gpri_print(out, GPRI_VALUE_SIZE, "%.4g", value);
    else gpri_print(out, GPRI_VALUE_SIZE, "%.3f", value);
}

int64_t gpri_positive_class(const int32_t *labels, int64_t rows, int64_t classes) {
    int64_t count[2] = {0, 0};
    if (classes != 2) return -1;
    for (int64_t i = 0; i < rows; i++)
        if (labels[i] == 0 || labels[i] == 1) count[labels[i]]++;
    return count[0] < count[1] ? 0 : 1;
}

bool gpri_is_rare(int64_t positive_nodes, int64_t nodes) { return 5 * positive_nodes < nodes; }

/* ---- by the predicted class ---- */

double gpri_measure_of_counts(gpri_measure which, const int64_t *counts, int64_t classes) {
    const int64_t *nodes = counts, *predicted = counts + classes, *right = counts + 2 * classes;
    int64_t all = 0, hits = 0, present = 0;
    double sum = 0;
    for (int64_t c = 0; c < classes; c++) {
        const bool balanced = which == GPRI_BALANCED_ACCURACY;
        all += nodes[c];
        hits += right[c];
        if (nodes[c] == 0 && (balanced || predicted[c] == 0)) continue;
        sum +=
            balanced ? (double)right[c] / (double)nodes[c] : 2 * (double)right[c] / (double)(nodes[c] + predicted[c]);
        present++;
    }
    if (all == 0) return NAN;
    return which == GPRI_ACCURACY ? (double)hits / (double)all : sum / (double)present;
}

/* ---- by the order of the scores ---- */

/* 32 bits that sort as the score does, then one bit: the node is of the class. */
uint64_t gpri_ranking_key(float score, bool positive) {
    const float value = score + 0.0f; /* -0 becomes 0 */
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << 1 | positive;
}

/* By the 32 bits, ascending; 3 passes of 11 bits. Returns the half of keys (2 x count) that holds the outcome. */
static const uint64_t *sort_keys(uint64_t *keys, int64_t count) {
    enum { BITS = 11, SIZE = 1 << BITS };
    uint64_t *from = keys, *to = keys + count;
    for (int shift = 1; shift < 33; shift += BITS) {
        int64_t place[SIZE + 1] = {0};
        for (int64_t i = 0; i < count; i++) place[(from[i] >> shift & (SIZE - 1)) + 1]++;
        for (int digit = 1; digit <= SIZE; digit++) place[digit] += place[digit - 1];
        for (int64_t i = 0; i < count; i++) to[place[from[i] >> shift & (SIZE - 1)]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* From the highest score down, one threshold for each score that occurs: half of the pairs with equal scores count for
   the area. */
gpri_ranking gpri_ranking_of(uint64_t *keys, int64_t count) {
    const uint64_t *sorted = sort_keys(keys, count);
    int64_t found = 0, seen = 0;
    double pairs = 0, precision = 0;
    for (int64_t end = count; end > 0;) {
        int64_t begin = end, hits = 0;
        while (begin > 0 && sorted[begin - 1] >> 1 == sorted[end - 1] >> 1) hits += (int64_t)(sorted[--begin] & 1);
        pairs += (double)(end - begin - hits) * ((double)found + (double)hits / 2);
        found += hits;
        seen += end - begin;
        precision += (double)hits * (double)found / (double)seen;
        end = begin;
    }
    return (gpri_ranking){.roc_auc = found && found < count ? pairs / ((double)found * (double)(count - found)) : NAN,
                          .average_precision = found ? precision / (double)found : NAN};
}
