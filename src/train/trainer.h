/* One model in training: forward, loss, backward, Adam. Knows layers, never models. */
#ifndef GPRI_TRAINER_H
#define GPRI_TRAINER_H

#include "layer/net.h"
#include "model/model.h"
#include "train/result.h"

typedef struct gpri_trainer {
    gpr_ctx *ctx;
    gpri_net *net;
    double *gamma; /* initial filter weights */
    const int32_t *labels;
    const uint8_t *part;
    int64_t classes;
    int64_t part_count[4]; /* nodes in each part */
    double lr, decay;
    gpri_real *best;     /* (weight_total) the best weights so far */
    gpri_scores *scores; /* one for each chunk of rows */
    double *losses;
} gpri_trainer;

/* data, features and split must outlive it. Everything is allocated here; no call below allocates. */
gpr_status gpri_trainer_new(gpr_ctx *ctx, gpri_trainer **out, const gpr_dataset *data, const gpri_features *features,
                            const gpr_split *split, const gpr_params *params, int threads,
                            uint64_t seed) GPRI_MUST_CHECK;
void gpri_trainer_free(gpri_trainer *trainer);

/* The scores of the present weights, after a forward pass with the evaluation stream. */
void gpri_trainer_evaluate(gpri_trainer *trainer, gpri_epoch *out);
/* After a forward pass with the training stream: turns the output into its gradient; returns the mean loss. */
double gpri_trainer_loss(gpri_trainer *trainer);
/* After the loss: gradients of all weights. */
void gpri_trainer_backward(gpri_trainer *trainer);
/* One step of Adam; counts the epoch on. */
void gpri_trainer_update(gpri_trainer *trainer);

#endif
