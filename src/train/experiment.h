/* What all runs of a training share, and one run of them. */
#ifndef GPRI_EXPERIMENT_H
#define GPRI_EXPERIMENT_H

#include "base/thread.h"
#include "train/epochs.h"
#include "train/preparation/preparation.h"
#include "train/saved.h"
#include "train/stack.h"
#include "train/training.h"

typedef struct gpri_experiment {
    gpr_ctx *ctx;
    const gpr_dataset *data;
    gpri_preparation *prepared; /* of the data; borrowed. Its `past` is guarded by lock */
    const gpr_params *params; /* after the preparation: those of the result */
    gpr_train_options options;
    bool again;       /* the data and the splits were warned of before */
    gpri_saved saved; /* the training that goes on; no runs: a new one */
    uint64_t seed;              /* of run 0 */
    int64_t first; /* the place of run 0 among all runs of its setting: by it a file of many splits chooses one */
    int64_t runs, epochs;
    int64_t limit; /* runs from here on are not trained: a candidate of a choice has its first one alone */
    bool refits;   /* a training on all labelled nodes follows */
    int threads_per_run;
    double started; /* the time */
    double before;  /* seconds of the calls before it */
    gpr_result *result;
    gpri_gathered *gathered; /* what is known so far; becomes the result's */
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

/* A split of the data as the trainer takes it: *own, to be freed, is set where that is another one. */
gpr_status gpri_experiment_split(const gpri_experiment *experiment, gpr_split **own, const gpr_split **out,
                                 const gpr_split *split) GPRI_MUST_CHECK;

/* Seconds of the whole training so far. */
double gpri_experiment_seconds(const gpri_experiment *experiment);
/* Whether the run began in the training that goes on now. */
bool gpri_experiment_began(const gpri_experiment *experiment, int64_t run);

/* A run while it is trained. */
typedef struct gpri_running {
    gpri_experiment *experiment;
    int64_t run;
    gpri_trainer *trainer;
    const gpr_split *split; /* of its trainer */
    const gpr_split *given; /* the same, of the data */
    gpr_split *own_split;   /* that of its trainer, where it is not that of the data; or NULL */
    int64_t epochs_most;    /* epochs at most */
    const char *stage;
    bool refit;       /* on all labelled nodes */
    double last_save; /* the time */
    gpri_stacking stack;    /* of a stack */
    gpri_features features; /* with it: those of the trainer, which has the scores of the networks */
    bool halted;            /* it was stopped while these were trained: there is nothing else of the run */
    gpri_epoch_hooks network_hooks;
    gpri_epoch_hooks hooks;
    gpri_epochs epochs;
} gpri_running;

/* Prepares a run, up to its first epoch. go_on: false for a run that began before and only keeps its place. *run must
   stay where it is until the end. */
gpr_status gpri_running_begin(gpri_running *run, gpri_experiment *experiment, int64_t number,
                              bool go_on) GPRI_MUST_CHECK;
/* After its last epoch: fills in result->runs[number]. */
gpr_status gpri_running_finish(gpri_running *run) GPRI_MUST_CHECK;
/* Frees what it has, finished or not. */
void gpri_running_end(gpri_running *run);

/* The weights of the best step so far, with all that a model needs. */
gpr_status gpri_running_model(const gpri_running *running, gpr_model **out) GPRI_MUST_CHECK;
/* The filter's weights of such a model, and those before the training, into *out. */
gpr_status gpri_running_gamma(gpri_run *out, const gpri_trainer *trainer, const gpr_model *model) GPRI_MUST_CHECK;

/* Checks that the device, or the machine, has memory for a run; *at_once: runs that it has memory for at a time, 1 or
 * more. */
gpr_status gpri_experiment_need(gpri_experiment *experiment, int64_t *at_once) GPRI_MUST_CHECK;

/* Trains the runs that nobody has taken yet, `lanes` of them at a time, until none is left. Called by several threads
   at once. What became of each run is in all->statuses and all->messages. */
void gpri_experiment_team(gpri_experiment *experiment, int64_t lanes);

/* ---- the predictions of a run (train/outcome.c) ---- */

/* After gpri_train_epochs, whose last forward pass was with the weights of out->model: fills in out->metrics. Training
   nodes have none where their labels are an input. smoothed: (nodes x ld) the scores after smoothing, or NULL. *made:
   the predictions, in process 0. Free it in any case. */
gpr_status gpri_run_judge(gpri_run *out, const gpri_trainer *trainer, const gpr_split *split, const gpri_real *smoothed,
                          gpri_outcome *made) GPRI_MUST_CHECK;
/* Those of a finished run become the result's if it is the best so far. *made: what a hook is told, or empty. */
void gpri_outcome_keep(gpri_experiment *experiment, int64_t run, gpri_outcome *made);
/* After a refit: nodes without a label take the predictions of the new model. */
gpr_status gpri_outcome_refit(gpri_experiment *experiment, const gpri_trainer *trainer,
                              const gpr_model *model) GPRI_MUST_CHECK;
/* The best run is known: of another one nothing is kept. */
void gpri_outcome_settle(gpri_experiment *experiment);

/* Fills in model->worth, if the model, that of the best run, uses labels: one forward pass. */
gpr_status gpri_experiment_worth(gpri_experiment *experiment, gpr_model *model) GPRI_MUST_CHECK;
/* Trains the best run once more, on all labelled nodes that it has a part for and as long as its best epoch, and puts
   the new model in place of *model. A stop by the caller leaves *model as it is, and sets all->stopped. */
gpr_status gpri_experiment_refit(gpri_experiment *experiment, gpr_model **model) GPRI_MUST_CHECK;

#endif
