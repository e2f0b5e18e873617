/* What a training has come to, in the device's memory. The device itself judges every step: it writes the history,
 * keeps the best weights and sees when the rule says stop. So the host may look late and still finds what it would have
 * found by looking at once. */
#ifndef GPRI_RECORD_H
#define GPRI_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "tensor/metric.h"

/* The evaluation of the weights after some steps, on the whole graph and without dropout. */
typedef struct gpri_epoch {
    /* Mean negative log-likelihoods, or costs of residuals, that of training weighted; NaN: empty part. */
    double train_loss, val_loss, test_loss;
    double train_accuracy, val_accuracy, test_accuracy; /* percent; NaN: empty part, or targets are numbers */
    double val_metric;                                  /* the rule's metric; NaN where it is the loss */
} gpri_epoch;

/* Of some rows, by part (gpr_part) of the split. */
typedef struct gpri_scores {
    double loss[4];
    int64_t correct[4];
} gpri_scores;

/* Adam's numbers for the next step. */
typedef struct gpri_adam {
    gpri_real rate; /* lr / (1 - beta1^t) */
    gpri_real beta1, beta2, epsilon;
    gpri_real new1, new2;   /* 1 - beta1, 1 - beta2; 1 - .999f would be off by 1e-5 of itself */
    gpri_real second_scale; /* 1 / sqrt(1 - beta2^t) */
} gpri_adam;

typedef struct gpri_record {
    int64_t judged;    /* steps whose evaluation is in the history: 0 .. judged; -1: none */
    int64_t best_step; /* the best by gpri_epoch_better; the last one without validation nodes; 0: none so far */
    int32_t improved;  /* the step judged last is the best so far: keep its weights */
    int32_t stopped; /* the rule said stop: nothing of this record, the history or the best weights changes any more */
    gpri_adam adam;
    double metric; /* of the validation nodes, found last; not used where the rule looks at the loss */
} gpri_record;

typedef enum gpri_stopping { GPRI_STOP_PROGRAM, GPRI_STOP_PAPER, GPRI_STOP_NEVER } gpri_stopping;

/* What a device needs to know to judge. Never changes during a training. */
typedef struct gpri_rule {
    gpri_stopping stopping;
    gpri_measure metric; /* what the best step and stopping look at */
    bool numbers;        /* targets are numbers: there is no accuracy */
    int64_t patience, epochs;
    int64_t part_count[4]; /* nodes in each part of the split */
    int64_t gamma_stride;  /* gamma is kept after every so many steps; where nothing is kept: any */
    double lr;
    const gpri_real *train_factor; /* of the sums over the training nodes, in the device's memory, where a loss leaves
                                      some of them out; NULL: 1 */
} gpri_rule;

/* Whether a has the lower cost, which is the validation loss, or the metric times -1; of equal ones, which metrics that
 * count nodes often are, the lower validation loss. */
bool gpri_epoch_better(const gpri_epoch *a, const gpri_epoch *b, gpri_measure metric);

/* history[1 .. step]: the evaluations after each step. Whether to stop after this one.
   program: once more than `patience` steps lie before it, when its cost is above the mean of the last `patience`.
   paper: past half of the epochs, when it is not below that mean. */
bool gpri_should_stop(const gpri_rule *rule, const gpri_epoch *history, int64_t step);

/* The meaning of the operations judge and advance (tensor/ops.h), for devices whose memory the host can read. */
void gpri_judge(gpri_record *record, gpri_epoch *history, const gpri_scores *scores, int64_t chunks,
                const uint32_t *step, const gpri_rule *rule);
void gpri_advance(gpri_record *record, uint32_t *step, const gpri_rule *rule);
/* The meaning of keep_gamma, the same. */
void gpri_keep_gamma(float *rows, const gpri_real *gamma, int64_t count, const uint32_t *step,
                     const gpri_record *record, const gpri_rule *rule);
/* A record before the first step. */
gpri_record gpri_record_start(const gpri_rule *rule);

#endif
