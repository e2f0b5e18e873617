/* How much memory reading data may take. The context counts the bytes of all its blocks (base/memory.c), so a limit
 * holds for every reader, without the reader's help.
 *
 *     const gpri_budget before = gpri_budget_begin(ctx, gpri_budget_of(memory), memory > 0);
 *     ... read ...
 *     gpri_budget_end(ctx, before);
 *
 * What a file declares (nodes, columns) costs memory before anything of it is seen. Each reader passes such counts to
 * gpri_budget_declared before it allocates. */
#ifndef GPRI_BUDGET_H
#define GPRI_BUDGET_H

#include "base/context.h"

#define GPRI_LEAST_MEMORY ((int64_t)1 << 20) /* that a caller may set */

/* A file may declare this many of anything, or so many for each of its bytes. */
#define GPRI_DECLARED_FREE 1000000
#define GPRI_DECLARED_PER_BYTE 16

/* What a node and a column take at least, once they are read. */
#define GPRI_NODE_BYTES 24
#define GPRI_COLUMN_BYTES 8

/* The memory that this process may use: that of the machine, or less where its control group has a limit. 0: not
   known. */
int64_t gpri_machine_memory(void);
/* memory, or where that is 0 the usual budget: three quarters of the machine's memory. */
int64_t gpri_budget_of(int64_t memory);
/* Is this a budget that a caller may set? 0: the usual one. */
gpr_status gpri_budget_check(int64_t memory) GPRI_MUST_CHECK;

/* From now on ctx may take `bytes` more. given: the caller has set it, and so answers for what files declare. Returns
   what held before, for gpri_budget_end. */
gpri_budget gpri_budget_begin(gpr_ctx *ctx, int64_t bytes, bool given);
void gpri_budget_end(gpr_ctx *ctx, gpri_budget before);

/* Checks that `count` of something, each of which takes `each` bytes, can be meant by an input of `bytes` bytes
   (packed, if it is; -1: not known) and fits the budget. what: "nodes"; path: for the message, NULL: the caller adds
   it. */
gpr_status gpri_budget_declared(gpr_ctx *ctx, const char *path, const char *what, int64_t count, int64_t each,
                                int64_t bytes) GPRI_MUST_CHECK;

#endif
