/* A trained model on its data, ready for passes: its network, and the scores as doubles. */
#ifndef GPRI_PASS_H
#define GPRI_PASS_H

#include "model/input.h"
#include "model/known.h"

typedef struct gpri_pass {
    gpr_ctx *ctx;
    const gpr_model *model; /* borrowed, as data */
    const gpr_dataset *data;
    gpri_model_input input;
    gpri_features features; /* what the net reads: input.features, or a copy of its values to change */
    bool copied;
    gpri_net *net;
    gpri_knowledge knowledge;
    double *z; /* (nodes x classes) */
} gpri_pass;

/* Builds the net and runs it once. backward: gradients will be asked for. copies: the caller changes the features.
   every: where labels are an input, all are (model/known.h). Free it in any case. Errors: as gpr_predict. Scores are
   those before smoothing. */
gpr_status gpri_pass_new(gpr_ctx *ctx, gpri_pass *pass, const gpr_model *model, const gpr_dataset *data, bool backward,
                         bool copies, bool every) GPRI_MUST_CHECK;
void gpri_pass_free(gpri_pass *pass);
/* Says that scores are those before smoothing, if the model has it. */
void gpri_pass_warn(gpr_ctx *ctx, const gpr_model *model);
/* Runs it again; z as well. */
gpr_status gpri_pass_run(gpri_pass *pass) GPRI_MUST_CHECK;
/* The values of the features have been changed: the device gets them. */
void gpri_pass_put_features(gpri_pass *pass);
/* out: (rows x cols) the device's matrix as doubles. */
gpr_status gpri_pass_read(const gpri_pass *pass, double *out, gpri_matrix from) GPRI_MUST_CHECK;

/* The first largest score of a node, as a prediction takes it. besides: a class that does not count, or -1. */
int64_t gpri_pass_best(const gpri_pass *pass, int64_t node, int64_t besides);
/* Softmax, in double; and its logarithm. */
double gpri_pass_log_probability(const gpri_pass *pass, int64_t node, int64_t class_id);

#endif
