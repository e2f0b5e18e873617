/* The result of a training. Filled by train/, rendered by report/. */
#ifndef GPRI_RESULT_H
#define GPRI_RESULT_H

#include "base/params.h"
#include "base/thread.h"
#include "data/describe.h"
#include "data/split.h"
#include "embed/relations.h"
#include "tensor/record.h"
#include "tensor/spread.h"
#include "train/judge/measures.h"

/* What a run that was stopped before its end needs to go on, beside its history and its best weights. */
typedef struct gpri_pause {
    int64_t weights;    /* padded numbers of the net */
    gpri_real *numbers; /* (3 x weights) the weights and Adam's two moments; NULL: the run is finished */
    gpri_adam adam;     /* for the next step */
} gpri_pause;

/* Simple means to compare with (report/baselines.c). */
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
    float *gamma_rows; /* (rows x gamma_count) after each stride of steps (train/gamma_history.h); NULL: not learned */
    gpr_split *split;
    gpr_model *model; /* of its best epoch */
    double *curves;   /* (7 x (info.epochs + 1)) the history, one line per field of gpri_epoch */
    const char *uncalibrated; /* why the option `calibrate` did nothing: a constant; NULL: it did, or is not set */
    gpri_smoothing_outcome smoothing;
    gpri_pause pause;
    gpr_metrics *metrics[4];                /* by gpr_part, of `model`; NULL: no such nodes */
    gpr_metrics *baselines[GPRI_BASELINES]; /* on the test nodes; NULL: not computed */
    char *warning; /* about its losses, for the log, which the thread of the call writes; NULL: none */
} gpri_run;

/* What a run folder says of all nodes, where several processes had them: kept in process 0 while they were together, as
   none of them has all rows of the data (train/processes/about.c). */
typedef struct gpri_about {
    gpr_dataset_info info; /* of the data, without its name */
    uint8_t *kinds;        /* (nodes) of their neighbourhoods: gpri_homophily_kinds */
    int32_t *column;       /* (arcs) all of the graph where it is small and this process has not all rows; or NULL */
    float *weight;         /* (arcs) with it, where the graph has weights; or NULL */
    int64_t run;           /* that the predictions are of, from 0 */
    int32_t *classes;      /* (nodes) predicted; NULL: they were not asked for */
    float *proba;          /* (nodes x classes) */
    uint32_t weights;      /* checksum of those of the model that was returned */
} gpri_about;

/* Larger graphs have no figure of their spectrum: nodes and arcs. */
#define GPRI_SPECTRUM_MOST 10000000

/* A run that came to no result. */
typedef struct gpri_failure {
    int64_t run; /* of all runs, from 0 */
    uint64_t seed;
    char message[1024];
} gpri_failure;

/* What was chosen by the validation nodes among the program's own methods (train/choice/choose.h). */
enum { GPRI_MOST_CANDIDATES = 8 };
typedef struct gpri_choice {
    int count, taken;    /* candidates; 0: there was no choice */
    const char *measure; /* of the validation nodes: a constant */
    char names[GPRI_MOST_CANDIDATES][64];
    double scores[GPRI_MOST_CANDIDATES]; /* NaN: it failed, or there are no validation nodes */
    char text[512];                      /* all of it in one line */
} gpri_choice;

/* What a training is told that is one of several. */
typedef struct gpri_attempt {
    bool again; /* the data and the splits were warned of before */
    /* Whether the result, without a refit, is kept so far; else there is no refit. NULL: it is. */
    bool (*keeps)(void *arg, const gpr_result *result);
    void *arg;
} gpri_attempt;

struct gpr_result {
    gpr_ctx *ctx;
    gpri_choice choice;
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
    double seconds; /* of the whole training */
    gpri_about *about;                 /* NULL: one process has all */
    int64_t refit_epochs, refit_nodes; /* of the model that was returned, by the option `refit`; 0: there is none */
    bool relates;                      /* the model has structural neighbourhoods: */
    gpri_neighbourhood found;
    int threads;
    bool stopped; /* by the progress callback */
    gpri_lock lock; /* of json and cautions */
    char *json;     /* made on demand */
    char **cautions; /* (caution_count) made on demand (report/cautions.c) */
    int64_t caution_count;
};

/* The option `metric`. */
gpri_goal gpri_params_metric(const gpr_params *params);
/* Fills in curves, from the history. */
gpr_status gpri_run_keep_curves(gpr_ctx *ctx, gpri_run *run) GPRI_MUST_CHECK;
/* What was made on demand is to be made again. */
void gpri_result_forget_texts(gpr_result *result);
void gpri_run_free(gpr_ctx *ctx, gpri_run *run); /* what it holds; leaves it zeroed */
void gpri_about_free(gpr_ctx *ctx, gpri_about *about); /* NULL is fine */
/* Whether a run is the better one. By validation loss or by `metric`; NaN (a run without validation nodes) is worse
   than any number. */
bool gpri_run_better(const gpr_run_info *a, const gpr_run_info *b, gpri_goal metric);

#endif
