/* Wilcoxon's signed-rank test: do positive and negative differences balance, by the ranks of their sizes?
 *
 * W is the sum of the ranks of the positive differences. Equal sizes share the mean of their ranks, so twice a rank is
 * a whole number, and the distribution of 2 W under random signs can be counted exactly, with ties too. */
#include <math.h>
#include <stdlib.h>

#include "statistics/statistics.h"

enum { MOST_EXACT = 50 };

typedef struct signed_size {
    double size;
    bool positive;
    int64_t twice; /* the rank, from 1, times two */
} signed_size;

static int by_size(const void *a, const void *b) {
    const double x = ((const signed_size *)a)->size, y = ((const signed_size *)b)->size;
    return (x > y) - (x < y);
}

/* Gives ranks to the sorted sizes. Returns the sum of t^3 - t over the groups of t equal ones. */
static double rank(signed_size *sizes, int64_t count) {
    double ties = 0;
    for (int64_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && sizes[end].size <= sizes[begin].size * (1 + 1e-9); end++) {
        }
        for (int64_t i = begin; i < end; i++) sizes[i].twice = begin + end + 1;
        const double t = (double)(end - begin);
        ties += t * t * t - t;
    }
    return ties;
}

/* chance: (sum of all `twice` + 1), zeroed; entry s becomes the number of choices of signs with 2 W = s. */
static double exact(double *chance, const signed_size *sizes, int64_t count, int64_t twice) {
    int64_t total = 0;
    chance[0] = 1;
    for (int64_t i = 0; i < count; i++) {
        for (int64_t s = total; s >= 0; s--) chance[s + sizes[i].twice] += chance[s];
        total += sizes[i].twice;
    }
    double below = 0, above = 0;
    for (int64_t s = 0; s <= total; s++) {
        if (s <= twice) below += chance[s];
        if (s >= twice) above += chance[s];
    }
    return fmin(1, 2 * fmin(below, above) / ldexp(1, (int)count));
}

gpr_status gpri_wilcoxon(gpr_ctx *ctx, double *p, const double *differences, int64_t count) {
    gpr_status status = GPR_OK;
    signed_size *sizes = NULL;
    double *chance = NULL;
    int64_t found = 0, twice = 0;
    *p = 1;
    TRY(gpri_alloc(ctx, &sizes, count, sizeof *sizes, "ranks"));
    for (int64_t i = 0; i < count; i++)
        if (differences[i] != 0) sizes[found++] = (signed_size){fabs(differences[i]), differences[i] > 0, 0};
    if (found == 0) goto done;
    qsort(sizes, (size_t)found, sizeof *sizes, by_size);
    const double ties = rank(sizes, found), n = (double)found;
    for (int64_t i = 0; i < found; i++) twice += sizes[i].positive ? sizes[i].twice : 0;
    if (found <= MOST_EXACT) {
        TRY(gpri_calloc(ctx, &chance, found * (found + 1) + 1, sizeof *chance, "distribution of ranks"));
        *p = exact(chance, sizes, found, twice);
    } else {
        const double mean = n * (n + 1) / 4, variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48;
        *p = variance > 0 ? gpri_normal_p(((double)twice / 2 - mean) / sqrt(variance)) : 1;
    }
done:
    gpri_free_all(ctx, sizes, chance);
    return status;
}
