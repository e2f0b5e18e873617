/* What all processes that train together do at once (dist/group.h), in the words of those who ask for it: whether all
 * are well, the sum over all, which of them writes files. All of them make the same call.
 *
 * ctx: the context that joined them. A context that is alone is one process of one, and gets its own back. NULL: what
 * is asked is this process's affair, such as rows that it has all of, and nobody else is asked. */
#ifndef GPRI_ALL_H
#define GPRI_ALL_H

#include "base/context.h"

/* What is dealt out to the processes. */
typedef enum gpri_spread {
    GPRI_SPREAD_NONE, /* nothing: this process is alone */
    GPRI_SPREAD_AUTO,
    GPRI_SPREAD_RUNS,    /* whole runs */
    GPRI_SPREAD_COLUMNS, /* rows of a net; and in its filter the columns of all nodes */
    GPRI_SPREAD_ROWS     /* rows of a net; before a step over the graph the rows of neighbours are fetched */
} gpri_spread;

/* ---- who this is ---- */

int64_t gpri_process_count(const gpr_ctx *ctx);
/* From 0 on. Process 0 writes files, judges predictions and has the clock. */
int64_t gpri_process_number(const gpr_ctx *ctx);
bool gpri_is_first_process(const gpr_ctx *ctx);

/* ---- what is dealt out ---- */

/* By the caller's wish; GPRI_SPREAD_NONE: this process is alone. */
gpri_spread gpri_spread_wanted(const gpr_ctx *ctx);
/* Whether it may be the rows of nets, for one run. */
bool gpri_spread_may_be_rows(const gpr_ctx *ctx);
/* In the present training; nothing between two. */
gpri_spread gpri_dealt_out(const gpr_ctx *ctx);
/* Whether the rows of nets are, in the present training. */
bool gpri_spreads_rows(const gpr_ctx *ctx);
/* Begins a training, and with GPRI_SPREAD_NONE ends it. */
void gpri_deal_out(gpr_ctx *ctx, gpri_spread spread);
/* Whether somebody keeps the states of the present training in process 0. */
bool gpri_first_saves(const gpr_ctx *ctx);
void gpri_let_first_save(gpr_ctx *ctx, bool saves);

/* ---- what all know ---- */

/* Whether all have come here without an error. The status of the first that failed, with its message, in all. */
gpr_status gpri_all_well(const gpr_ctx *ctx, gpr_status own) GPRI_MUST_CHECK;
/* Compares a short text, such as a fingerprint, with that of process 0. Fails in all processes if one has another:
   GPR_ERROR_MISMATCH, "process 2 of 4 has other data (b), not (a) as process 0"; what: "other data". */
gpr_status gpri_all_same(const gpr_ctx *ctx, const char *text, const char *what, const char *remedy) GPRI_MUST_CHECK;
/* The largest value of all. */
int64_t gpri_all_most(const gpr_ctx *ctx, int64_t value);
/* All get the bytes that process `from` has. */
void gpri_all_hear(const gpr_ctx *ctx, void *at, int64_t bytes, int64_t from);
/* All get the bytes of the process with the largest size, 0 or more; of several, the first. */
void gpri_all_hear_largest(const gpr_ctx *ctx, int64_t size, void *at, int64_t bytes);
/* All get what each has: out: (processes x bytes). */
void gpri_all_gather(const gpr_ctx *ctx, void *out, const void *own, int64_t bytes);
/* All get the sums of all counts. */
void gpri_all_sum(const gpr_ctx *ctx, int64_t *counts, int64_t count);

/* ---- what process 0 gets ---- */

/* Process p has the bytes [begin[p], begin[p + 1]) of a whole: own; process 0 gets all of it. begin: (count + 1). */
void gpri_first_gets(const gpr_ctx *ctx, void *whole, const void *own, const int64_t *begin);
/* Process 0 calls fn(arg, first, some, count) for the numbers of each other process, some of them at a time. own:
   (count) of `size` bytes each. */
typedef void (*gpri_merge_fn)(void *arg, int64_t first, const void *some, int64_t count);
void gpri_first_merges(const gpr_ctx *ctx, const void *own, int64_t count, int64_t size, gpri_merge_fn fn, void *arg);

/* ---- one after the other: sums whose order matters ---- */

/* What the processes before this one have made of it; the first keeps its own. Then pass it to the next. At the end all
   get what the last has. */
void gpri_turn_take(const gpr_ctx *ctx, void *at, int64_t bytes);
void gpri_turn_pass(const gpr_ctx *ctx, const void *at, int64_t bytes);
void gpri_turn_end(const gpr_ctx *ctx, void *at, int64_t bytes);

#endif
