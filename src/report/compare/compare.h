/* Comparison of trainings: what is read of each, which of their runs belong together, and what is said about them. */
#ifndef GPRI_COMPARE_H
#define GPRI_COMPARE_H

#include "base/text.h"
#include "statistics/statistics.h"

/* ---- What is compared ---- */

typedef struct gpri_run_metric {
    const char *word;   /* the key in per_run of result.json */
    const char *better; /* "A is better than B": the words between; said of the one with the better number */
    const char *unit;   /* after a difference */
    bool lower;         /* the smaller number is the better one */
} gpri_run_metric;

/* NULL: no run has such a number. */
const gpri_run_metric *gpri_run_metric_find(const char *word);
gpr_status gpri_run_metric_unknown(const char *word) GPRI_MUST_CHECK; /* an error that names the nearest one */

/* One run of a training. */
typedef struct gpri_compared_run {
    char split[40]; /* runs with equal texts have equal splits; see gpri_compared.hashed */
    uint64_t seed;
    double value; /* of the metric */
} gpri_compared_run;

/* A training with all its runs, from whatever source. */
typedef struct gpri_compared {
    char *path;                   /* as the caller gave it */
    char *name;                   /* its last part, or `path` where two have the same */
    char *model, *dataset, *rule; /* rule: the option `split` */
    char *fingerprint;            /* of the data; NULL: unknown */
    const char *label;            /* how sentences call it: model, name or path, the first in which all differ */
    gpri_compared_run *runs;      /* (count) ordered by split, then by seed */
    int64_t count;
    bool one_split; /* all runs are known to have the same split */
    bool hashed; /* `split` is a hash of the split itself; else it is the seed, which means something only if the data
                 and the rule are the same */
    gpri_mean mean;
    gpri_interval normal, bootstrap;
} gpri_compared;

/* Reads the training at `path`, a run folder or the JSON of one. *metric NULL becomes that of its headline. Logs a
   warning if some of its runs failed. On failure there is nothing to free. */
gpr_status gpri_compared_read(gpr_ctx *ctx, gpri_compared *out, const char *path,
                              const gpri_run_metric **metric) GPRI_MUST_CHECK;
/* Orders the runs by `split`, then by seed. */
void gpri_compared_sort(gpri_compared *training);
void gpri_compared_free(gpr_ctx *ctx, gpri_compared *training); /* what it holds */

/* ---- The comparison ---- */

typedef struct gpri_compared_pair {
    int64_t first, second;
    int64_t pairs; /* of runs; 0: they are not paired */
    gpri_difference difference;
    double holm;
    char *sentence;
} gpri_compared_pair;

struct gpr_comparison {
    gpr_ctx *ctx;
    const gpri_run_metric *metric;
    bool unpaired;
    gpri_compared *results; /* (count) */
    int64_t count;
    gpri_compared_pair *pairs; /* (pair_count) */
    int64_t pair_count;
    char *json;
};

#define GPRI_VISIBLE 0.05 /* a corrected p below it is called a difference */

/* The text about one pair; free with gpri_free. */
gpr_status gpri_compare_sentence(const gpr_comparison *comparison, gpri_compared_pair *pair) GPRI_MUST_CHECK;
/* All as JSON. */
gpr_status gpri_compare_json(const gpr_comparison *comparison, gpri_text *out) GPRI_MUST_CHECK;

#endif
