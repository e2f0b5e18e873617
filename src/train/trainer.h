/* One model in training: forward, loss, backward, Adam. Knows layers, never models. */
#ifndef GPRI_TRAINER_H
#define GPRI_TRAINER_H

#include "layer/net.h"
#include "model/known.h"
#include "train/filter_first/batches.h"
#include "train/gamma_history.h"
#include "train/result.h"
#include "train/trees/boosting.h"

/* The whole state of a training, in the device's memory. With it a training can go on elsewhere: train/state.h. */
typedef struct gpri_state {
    uint32_t *step;      /* steps done, or epochs of batches; the net's own */
    gpri_real *values;   /* (weights) the weights; the net's own */
    gpri_real *m, *v;    /* (weights) Adam's moments */
    gpri_real *best;     /* (weights) the best weights so far */
    gpri_epoch *history; /* (epochs + 1): from the initial weights on */
    float *gamma;        /* (rows x count) of train/gamma_history.h; NULL: no filter is learned */
    gpri_record *record; /* best step, whether to stop, Adam's corrections */
    int64_t weights;     /* padded numbers */
    int64_t epochs;      /* at most */
} gpri_state;

typedef struct gpri_trainer {
    gpr_ctx *ctx;
    const gpr_dataset *data;       /* the host's, as given */
    const gpri_features *features; /* the same */
    const gpr_dataset *whole;      /* where data has some of its nodes alone, or in another order. NULL: data has all */
    const int64_t *nodes;          /* with it: (nodes of data) which they are, or */
    const int32_t *order;          /* (nodes of data) the same */
    gpri_net *net;
    gpri_boosting *boosting; /* that rounds of trees come from, in place of steps of Adam; net then evaluates only */
    gpri_batches *batches; /* that are learned from, one after the other; net then evaluates only. NULL: net learns */
    gpri_state state;
    gpri_rule rule;
    gpri_gamma_plan plan;
    const gpri_weight *filter; /* (1 x plan.count) learned; NULL: there is none */
    double *gamma;             /* initial filter weights; the host's */
    gpri_targets targets;      /* of the loss */
    gpri_targets judged;       /* of the evaluation stream: the same, unless labels are an input */
    gpri_metric_plan metric;   /* of the validation nodes; no nodes: the rule looks at the loss */
    gpri_real *factor;         /* (nodes) of targets; the host's */
    gpri_real *numbers;        /* (nodes) of a target that is a number, in the unit; the host's. NULL: it is a class */
    gpri_unit unit;
    int64_t *val_nodes;        /* of metric; the host's */
    gpri_knowledge knowledge;  /* labels of the training nodes, where they are used; the host's */
    uint8_t *parts; /* (2 x nodes) the split's training nodes alone; those of validation and test alone. NULL: labels
                       are no input */
    gpri_real decay, shrink;
    gpri_scores *scores;     /* (chunks), or (2 x chunks): of the training stream behind them */
    gpri_scores *all_scores; /* the same of all processes; NULL: there are no others */
    double *losses;          /* (chunks) */
    int64_t steps;           /* that the device was asked for */
    gpri_recording *epoch;   /* a step and a look, where the device records them */
} gpri_trainer;

/* The rule that the option `stopping` names. */
gpri_stopping gpri_stopping_of(const gpr_params *params);

/* data, features and split must outlive it. Everything is allocated here; no call below allocates. plan does all but
   the first operations, which set the initial weights. */
gpr_status gpri_trainer_plan(gpr_ctx *ctx, gpri_trainer **out, const gpri_device *device, const gpr_dataset *data,
                             const gpri_features *features, const gpr_split *split, const gpr_params *params,
                             int threads, uint64_t seed) GPRI_MUST_CHECK;
gpr_status gpri_trainer_new(gpr_ctx *ctx, gpri_trainer **out, const gpr_dataset *data, const gpri_features *features,
                            const gpr_split *split, const gpr_params *params, int threads,
                            uint64_t seed) GPRI_MUST_CHECK;
void gpri_trainer_free(gpri_trainer *trainer);

/* A forward pass, and the judgement of the weights: history, best weights, whether to stop. */
void gpri_trainer_look(gpri_trainer *trainer);
/* After a look: loss, gradients, one step of Adam. */
void gpri_trainer_learn(gpri_trainer *trainer);
/* learn and look, for `count` trainers of one device (at most GPRI_MOST_LANES): side by side where the device can. Each
   computes the bits that it computes alone. */
gpr_status gpri_trainers_epoch(gpri_trainer *const *trainers, int64_t count) GPRI_MUST_CHECK;

/* What the host sees of it. fetch: the record, and evaluations [first, first + count), when gpri_device_check returns.
 */
void gpri_trainer_fetch(const gpri_trainer *trainer, gpri_record *record, gpri_epoch *out, int64_t first,
                        int64_t count);
gpri_record gpri_trainer_record(const gpri_trainer *trainer);

/* Gamma up to the step judged last, as in train/gamma_history.h; *out stays as it is where no filter is learned. Free
   with gpri_free. */
gpr_status gpri_trainer_gamma(const gpri_trainer *trainer, float **out) GPRI_MUST_CHECK;

/* ---- the parts of a step, for tests ---- */

/* After a forward pass with the evaluation stream: judges it, and gives the evaluation back. */
void gpri_trainer_evaluate(gpri_trainer *trainer, gpri_epoch *out);
/* After a forward pass with the training stream: turns the output into its gradient. */
void gpri_trainer_loss(gpri_trainer *trainer);
/* After the loss: gradients of all weights. */
void gpri_trainer_backward(gpri_trainer *trainer);
/* One step of Adam; counts the step. */
void gpri_trainer_update(gpri_trainer *trainer);

#endif
