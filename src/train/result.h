/* The result of a training. Filled by train/, rendered by report/. */
#ifndef GPRI_RESULT_H
#define GPRI_RESULT_H

#include "base/params.h"
#include "base/thread.h"
#include "data/describe.h"
#include "data/split.h"
#include "embed/relations.h"
#include "model/predict/predictor.h"
#include "task/metrics/metrics.h"
#include "tensor/record.h"
#include "walk/spread.h"

/* What a run that was stopped before its end needs to go on, beside its history and its best weights. */
typedef struct gpri_pause {
    int64_t weights;    /* padded numbers of the net */
    gpri_real *numbers; /* (3 x weights) the weights and Adam's two moments; NULL: the run is finished */
    gpri_adam adam;     /* for the next step */
} gpri_pause;

/* Simple means to compare with (baseline/baselines.c). */
typedef enum gpri_baseline { GPRI_MAJORITY, GPRI_FEATURES_ONLY, GPRI_NEIGHBOURS, GPRI_BASELINES } gpri_baseline;

/* What the option `smooth` came to. */
typedef struct gpri_smoothing_outcome {
    bool asked; /* else all is zeroed */
    gpri_smoothing how;
    const char *goal;                             /* what decided, of the validation nodes: a constant */
    double before, after;                         /* that figure, 0 to 1 */
    double val_loss, val_accuracy, test_accuracy; /* before */
} gpri_smoothing_outcome;

typedef struct gpri_run {
    int64_t number;       /* of all runs, from 0 */
    gpr_run_info info;    /* info.gamma points to gamma below */
    gpri_epoch *history;  /* (info.epochs + 1): from the initial weights on */
    float *gamma;         /* (gamma_count) learned, or NULL */
    float *gamma_initial; /* (gamma_count), or NULL */
    float *initial;    /* of a filter that has other weights than gamma: those before the training, in the order of the
                          model's (layer/filter_form.h); or NULL */
    float *gamma_rows; /* (rows x gamma_count) after each stride of steps (train/gamma_history.h); NULL: not learned */
    gpr_split *split;
    gpr_model *model;         /* of its best epoch */
    double *curves;           /* (7 x (info.epochs + 1)) the history, one line per field of gpri_epoch */
    const char *uncalibrated; /* why the option `calibrate` did nothing: a constant; NULL: it did, or is not set */
    gpri_smoothing_outcome smoothing;
    gpri_pause pause;
    char *stack; /* (stack_size) of a stack: its networks, as bytes of train/stack.h; or NULL */
    int64_t stack_size;
    gpr_metrics *metrics[4];                /* by gpr_part, of `model`; NULL: no such nodes */
    gpr_metrics *baselines[GPRI_BASELINES]; /* on the test nodes; NULL: not computed */
    char *warning; /* about its losses, for the log, which the thread of the call writes; NULL: none */
} gpri_run;

/* What a run folder says of all nodes, where several processes had them: kept in process 0 while they were together, as
   none of them has all rows of the data (train/processes/gather_results.c). */
typedef struct gpri_gathered {
    gpr_dataset_info info; /* of the data, without its name */
    uint8_t *kinds;        /* (nodes) of their neighbourhoods: gpri_homophily_kinds */
    int32_t *column;       /* (arcs) all of the graph where it is small and this process has not all rows; or NULL */
    float *weight;         /* (arcs) with it, where the graph has weights; or NULL */
} gpri_gathered;

/* Larger graphs have no figure of their spectrum: nodes and arcs. */
#define GPRI_SPECTRUM_MOST 10000000

/* A run that came to no result. */
typedef struct gpri_failure {
    int64_t run; /* of all runs, from 0 */
    uint64_t seed;
    char message[1024];
} gpri_failure;

/* What was chosen by the validation nodes among the program's own methods (train/candidates/choose.h). */
enum { GPRI_MOST_CANDIDATES = 16, GPRI_CANDIDATE_NAME = 96, GPRI_RUNGS = 3 };
/* What is planned before it. Epochs are those of networks: a model whose default of `epochs` is another gets the same
   share of its own. */
typedef struct gpri_choice_plan {
    bool models;                        /* the model is chosen: names are words of base/models.def. Else one rung */
    int rungs, places[GPRI_RUNGS];      /* how many candidates are trained in each; the best go on */
    int64_t until[GPRI_RUNGS];          /* epochs that they have then, at most; of the last rung: what is sure */
    int64_t asked;                      /* without a budget */
    bool refits;                        /* a training on all labelled nodes follows */
    double units[GPRI_MOST_CANDIDATES]; /* what an epoch costs, by the places of the list; less than 0 where all epochs
                                           are in the first rung */
    double budget, seconds;             /* what was asked for, 0: nothing; what all takes at most, by the sizes */
    int left_out[GPRI_MOST_CANDIDATES], left_out_count; /* for want of budget: in gpri_candidates */
} gpri_choice_plan;

typedef struct gpri_choice {
    gpri_choice_plan plan;
    bool cut;            /* the clock ended the choice before all candidates were tried */
    int count, taken;    /* candidates; 0: there was no choice */
    const char *measure; /* of the validation nodes: a constant */
    char names[GPRI_MOST_CANDIDATES][GPRI_CANDIDATE_NAME];
    double scores[GPRI_MOST_CANDIDATES]; /* NaN: it failed, or there are no validation nodes */
    double losses[GPRI_MOST_CANDIDATES]; /* of the validation nodes: they decide between equal scores */
    bool failed[GPRI_MOST_CANDIDATES];   /* it diverged, or memory was short */
    int rungs[GPRI_MOST_CANDIDATES];     /* that it was in */
    int64_t until[GPRI_MOST_CANDIDATES]; /* epochs that it might have in the last of them */
    int64_t epochs[GPRI_MOST_CANDIDATES]; /* that it had */
    bool done[GPRI_MOST_CANDIDATES];      /* it ended before */
    char text[1024];                     /* all of it in one line */
} gpri_choice;

/* A candidate of a choice while it is trained, and what its states say of the others. All is borrowed. */
typedef struct gpri_trial {
    const char *name;          /* its settings */
    int number, count;         /* its place among the trainings of all candidates, from 0 */
    bool pauses;               /* what it needs to go on is kept */
    bool longer;               /* its state may be of fewer `epochs` */
    const gpri_choice *so_far; /* those that are finished */
    const char *kept;          /* (kept_size) the state of the best of them; NULL: none */
    int64_t kept_size;
} gpri_trial;

/* What explain/importance.c found, for the report. */
typedef struct gpri_kept_importance {
    gpr_importance_info info;      /* all zeroed: nobody asked */
    gpr_important_column *columns; /* (info.tried) with names of their own */
} gpri_kept_importance;

struct gpr_result {
    gpr_ctx *ctx;
    gpri_kept_importance importance;
    gpri_choice choice;
    const gpri_trial *trial; /* of a candidate that is trained; NULL: the choice is made, or there is none */
    char *state;             /* (state_size) a state to go on from that is not of these runs; NULL: it is */
    int64_t state_size;
    gpr_params *params;                      /* resolved, a copy */
    char *dataset;                           /* its name */
    char fingerprint[GPRI_FINGERPRINT_SIZE]; /* of the dataset; "" if unknown */
    gpri_names class_names;                  /* (classes), or none: numbers */
    gpri_plan *plan;                         /* of the columns of its tables; NULL: none */
    int64_t count;                           /* number of runs */
    int64_t all;                             /* runs that were asked for */
    int64_t best;                            /* the one with the lowest validation loss */
    gpri_run *runs;                          /* (all) those from `count` on have a split alone: they never began, or
                                                failed */
    bool given;                              /* the splits are the caller's */
    uint64_t splits_hash;                    /* of all splits */
    uint64_t inputs_hash;                    /* of the latent space and the initial filter, which files may give */
    const char *features;                    /* what was done to them: a constant */
    const char *kernels;                     /* the name of the device's table: a constant */
    gpri_failure *failures;                  /* (failed) runs that diverged */
    int64_t failed;
    double seconds;          /* of the whole training */
    gpri_gathered *gathered; /* NULL: one process has all */
    gpri_outcome outcome;    /* of all nodes, for the run folder: of the best run, or after a refit of that where nodes
                                have no label; empty: it is made again (train/outcome.c) */
    int64_t outcome_run;     /* its number */
    uint32_t weights;        /* checksum of those of the model that was returned */
    int64_t refit_epochs, refit_nodes; /* of the model that was returned, by the option `refit`; 0: there is none */
    bool relates;                      /* the model has structural neighbourhoods: */
    gpri_neighbourhood found;
    int threads;
    bool stopped;    /* by the progress callback */
    gpri_lock lock;  /* of json and cautions */
    char *json;      /* made on demand */
    char **cautions; /* (caution_count) made on demand (report/cautions.c) */
    int64_t caution_count;
};

/* Fills in curves, from the history. */
gpr_status gpri_run_keep_curves(gpr_ctx *ctx, gpri_run *run) GPRI_MUST_CHECK;
/* Logs what its runs warn of. */
void gpri_result_warn(const gpr_result *result);
/* What was made on demand is to be made again. */
void gpri_result_forget_texts(gpr_result *result);
void gpri_run_free(gpr_ctx *ctx, gpri_run *run);                /* what it holds; leaves it zeroed */
void gpri_gathered_free(gpr_ctx *ctx, gpri_gathered *gathered); /* NULL is fine */
/* Whether a run is the better one. By validation loss or by `metric`; NaN (a run without validation nodes) is worse
   than any number. */
bool gpri_run_better(const gpr_run_info *a, const gpr_run_info *b, gpri_measure metric);

/* Frees what is kept of an importance, and leaves it zeroed. */
void gpri_importance_forget(gpr_ctx *ctx, gpri_kept_importance *kept);

#endif
