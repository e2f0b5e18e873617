/* A training in several processes (dist/all.h): what is dealt out to them; runs that are dealt out. */
#ifndef GPRI_PROCESSES_H
#define GPRI_PROCESSES_H

#include "dist/all.h"
#include "train/experiment.h"

/* That all processes were asked for the same: options, splits, data of the same sizes. The first thing that they do
   together: what differs is named, and none waits for another. */
gpr_status gpri_processes_same(gpr_ctx *ctx, const gpr_dataset *data, const gpr_params *params,
                               const gpr_train_options *options) GPRI_MUST_CHECK;
/* Gives all processes the options of process 0: the states to go on from, and whether and how often states are saved;
   and settles what is the same for all. *out: options, with states that belong to *out; free them with
   gpri_processes_free. Alone: a plain copy. */
typedef struct gpri_given {
    gpr_train_options options;
    gpr_state *states; /* (state_count) owned, or NULL */
    char *bytes;       /* what they hold */
} gpri_given;
gpr_status gpri_processes_options(gpr_ctx *ctx, gpri_given *out, const gpr_train_options *options) GPRI_MUST_CHECK;
void gpri_processes_free(gpr_ctx *ctx, gpri_given *given);

/* What is dealt out in this training, set in the context; back to nothing with gpri_processes_end. Says it. Fails where
   what was asked for is not possible. */
gpr_status gpri_processes_begin(gpri_experiment *experiment) GPRI_MUST_CHECK;
void gpri_processes_end(gpri_experiment *experiment);
/* Makes the data ready; where rows are dealt out each process looks through a part of the file, and opens the shards of
   its own rows if these are enough. */
gpr_status gpri_processes_read(gpri_experiment *experiment) GPRI_MUST_CHECK;
/* Whether a process that has some rows looks at no others with these options, if none is an `auto` that asks for it. */
bool gpri_processes_own_rows_do(const gpr_params *params);
/* Before processes prepare anything together: that all have the same data. */
gpr_status gpri_processes_match_input(gpri_experiment *experiment) GPRI_MUST_CHECK;
/* After the preparation: that all have the same splits and kernels. */
gpr_status gpri_processes_match(gpri_experiment *experiment) GPRI_MUST_CHECK;

/* The rows of the features that this process needs: its own where rows are dealt out. All of them else, and where it
   has columns of all nodes and the model makes steps over the graph before its first layer. */
gpri_range gpri_processes_rows(const gpri_experiment *experiment);
/* The same, whether others have the others, and what is dealt out. */
gpri_dealt gpri_processes_dealt(const gpri_experiment *experiment);
/* Where rows are dealt out: the first one of a process. */
int64_t gpri_processes_cut(const gpri_experiment *experiment, int64_t process);

/* ---- what a run folder needs of all rows ---- */

/* Before the first run. */
gpr_status gpri_gather_begin(gpri_experiment *experiment) GPRI_MUST_CHECK;
/* Whether somebody keeps the results in process 0: the same in all processes. */
bool gpri_gather_wanted(const gpri_experiment *experiment);
/* At the end, with all processes: the rest of result->gathered, in process 0, where one is wanted. */
gpr_status gpri_gather_make(gpri_experiment *experiment) GPRI_MUST_CHECK;

/* ---- runs ---- */

/* Runs that this process may train side by side: its own; one where all processes train it together. */
int64_t gpri_processes_runs(const gpri_experiment *experiment);
/* Whether this process trains the run. */
bool gpri_processes_own_run(const gpri_experiment *experiment, int64_t run);
/* Whether the states of this process's runs go to process 0, which keeps them. */
bool gpri_processes_posts(const gpri_experiment *experiment);
void gpri_processes_post(gpri_experiment *experiment, const gpr_save_info *info);
/* In process 0: keeps the states that have come. */
void gpri_processes_look(gpri_experiment *experiment);
/* After this process's own runs: process 0 waits until no more states come. */
void gpri_processes_end_notes(gpri_experiment *experiment);
/* After this process's own runs: waits for the others, and takes over what became of their runs. */
gpr_status gpri_processes_collect(gpri_experiment *experiment) GPRI_MUST_CHECK;

#endif
