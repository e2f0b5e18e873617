/* What all runs of a training share, and one run of them. */
#ifndef GPRI_EXPERIMENT_H
#define GPRI_EXPERIMENT_H

#include "base/thread.h"
#include "data/feature_matrix.h"
#include "data/order/reorder.h"
#include "tensor/features.h"
#include "train/epochs.h"
#include "train/first/labelled.h"
#include "train/saved.h"

/* Told of every run when it is finished, by the thread that trained it; several may be told at once. */
typedef struct gpri_run_hook {
    void (*finished)(void *arg, const gpr_result *result, const gpri_run *run);
    void *arg;
} gpri_run_hook;

typedef struct gpri_experiment {
    gpr_ctx *ctx;
    const gpr_dataset *data;
    const gpr_params *params; /* after the preparation: those of the result */
    gpr_train_options options;
    bool again;       /* the data and the splits were warned of before */
    gpri_saved saved; /* the training that goes on; no runs: a new one */
    int32_t *order;   /* (nodes) that it is trained in, by the option `reorder`; NULL: that of the data */
    gpr_dataset *ordered; /* the data in that order, or NULL. Splits, results and models keep the order of the data */
    gpri_features features;
    bool normalize;             /* rows */
    gpri_scaling scaling;       /* columns */
    gpri_feature_matrix scaled; /* the scaled features */
    gpri_labelled *rows; /* what is trained on with `order` filter-first, in place of data and features; or NULL */
    uint64_t seed;              /* of run 0 */
    int64_t first; /* the place of run 0 among all runs of its setting: by it a file of many splits chooses one */
    int64_t runs, epochs;
    int threads_per_run;
    double started; /* the time */
    gpr_result *result;
    gpri_about *about;     /* what is known so far; becomes the result's */
    gpr_status *statuses;  /* (runs) */
    char (*messages)[1024]; /* (runs) of failed runs: each thread has its own last error */
    gpri_lock lock;
    bool stop; /* asked for by the progress callback, or by a failed run; guarded by lock, as what follows */
    bool stopped;
    int64_t lanes;    /* runs that a thread trains at a time */
    int64_t next;     /* the first run that nobody has taken */
    int64_t *back;    /* (runs) those that were taken and given back: there was no room for them yet */
    int64_t backs;    /* how many */
    int64_t active;   /* runs that have begun and not ended */
    gpri_lock saving; /* the caller's function is called by one thread at a time */
    int64_t notes_ended;       /* processes that have no more states for this one, process 0 */
    const gpri_run_hook *hook; /* may be NULL */
} gpri_experiment;

/* What is trained on: the data, in the order of the training. */
static inline const gpr_dataset *gpri_experiment_data(const gpri_experiment *all) {
    return all->ordered ? all->ordered : all->data;
}
/* A split of the data as the trainer takes it: *own, to be freed, is set where that is another one. */
gpr_status gpri_experiment_split(const gpri_experiment *all, gpr_split **own, const gpr_split **out,
                                 const gpr_split *split) GPRI_MUST_CHECK;

/* Seconds of the whole training so far. */
double gpri_experiment_seconds(const gpri_experiment *all);
/* Whether the run began in the training that goes on now. */
bool gpri_experiment_began(const gpri_experiment *all, int64_t run);

/* A run while it is trained. */
typedef struct gpri_running {
    gpri_experiment *all;
    int64_t run;
    gpri_trainer *trainer;
    const gpr_split *split; /* of its trainer */
    const gpr_split *given; /* the same, of the data */
    gpr_split *own_split;   /* that of its trainer, where it is not that of the data; or NULL */
    int64_t epochs_most;    /* epochs at most */
    const char *stage;
    double last_save; /* the time */
    gpri_epoch_hooks hooks;
    gpri_epochs epochs;
} gpri_running;

/* Prepares a run, up to its first epoch. go_on: false for a run that began before and only keeps its place. *run must
   stay where it is until the end. */
gpr_status gpri_running_begin(gpri_running *run, gpri_experiment *all, int64_t number, bool go_on) GPRI_MUST_CHECK;
/* After its last epoch: fills in result->runs[number]. */
gpr_status gpri_running_finish(gpri_running *run) GPRI_MUST_CHECK;
/* Frees what it has, finished or not. */
void gpri_running_end(gpri_running *run);

/* Checks that the device, or the machine, has memory for a run; *at_once: runs that it has memory for at a time, 1 or
 * more. */
gpr_status gpri_experiment_need(gpri_experiment *all, int64_t *at_once) GPRI_MUST_CHECK;

/* Trains the runs that nobody has taken yet, `lanes` of them at a time, until none is left. Called by several threads
   at once. What became of each run is in all->statuses and all->messages. */
void gpri_experiment_team(gpri_experiment *all, int64_t lanes);

/* Trains the best run once more, on all labelled nodes that it has a part for and as long as its best epoch, and puts
   the new model in place of *model. A stop by the caller leaves *model as it is, and sets all->stopped. */
gpr_status gpri_experiment_refit(gpri_experiment *all, gpr_model **model) GPRI_MUST_CHECK;

/* gpr_train, with a hook. It trains some runs of a larger training: its run 0, with the seed of params, is run `first`
   of that one, and gets the same split. */
gpr_status gpri_train_watched(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                              const gpr_params *params, int64_t first, const gpri_run_hook *hook) GPRI_MUST_CHECK;

#endif
