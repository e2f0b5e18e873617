/* Passes of a trained model on data, without dropout: the one way from both to scores. A prediction reads the scores;
 * an explanation or an inspection looks into the network, too: there the training stream is the evaluation, so
 * gradients are those of the scores. */
#ifndef GPRI_PASS_H
#define GPRI_PASS_H

#include "model/input.h"
#include "model/known.h"

typedef struct gpri_pass {
    gpr_ctx *ctx;
    const gpr_model *model; /* borrowed, as what follows */
    const gpr_dataset *data;
    const gpr_params *params; /* the model's, or with another embedding */
    bool looks;               /* into the network, which then gets the features themselves, and all known labels */
    bool trains;              /* gradients will be asked for */
    bool filter;              /* those of the filter's weights, too, also of a model that does not learn them */
    gpri_model_input input;
    gpri_features features; /* what the net reads: input.features, a copy of its values to change, or the caller's */
    bool copied;
    gpri_features columns;    /* of trees whose features are copied: what the net reads in their place, made of them */
    const gpri_features *raw; /* of a stack: what its network reads; NULL: it reads the data itself */
    gpri_knowledge knowledge; /* labels that are used */
    gpri_net *net;
    double *z; /* (nodes x classes) scores of gpri_pass_new and gpri_pass_run_again */
} gpri_pass;

/* ---- predictions: begin with a pass that has ctx, model, data, params, and zeroes else ---- */

/* Fills in the features. data is ready. Errors: as gpr_predict. */
gpr_status gpri_pass_read_features(gpri_pass *pass) GPRI_MUST_CHECK;
/* One forward pass with pass->knowledge.known; the net is made by the first. */
gpr_status gpri_pass_run(gpri_pass *pass) GPRI_MUST_CHECK;
/* knowledge.known has other labels now. True: so have the scores, and the pass must run again. */
bool gpri_pass_forget(gpri_pass *pass);
/* Fails if a score is not finite; the message names a node and the cause. */
gpr_status gpri_pass_check(const gpri_pass *pass) GPRI_MUST_CHECK;
/* *z: (nodes x gpri_padded(classes)) the scores, or where the model smooths its outcome, the logarithms of its
   probabilities. Free with gpri_free, also on failure. */
gpr_status gpri_pass_outcome(const gpri_pass *pass, gpri_real **z) GPRI_MUST_CHECK;
/* Leaves it zeroed, of zeroes too. */
void gpri_pass_free(gpri_pass *pass);

/* ---- looks into the network ---- */

enum {
    GPRI_PASS_BACKWARD = 1, /* gradients will be asked for */
    GPRI_PASS_FILTER = 2,   /* those of the filter's weights, too, also of a model that does not learn them */
    GPRI_PASS_COPIES = 4,   /* the caller changes the features */
    GPRI_PASS_EVERY = 8     /* where labels are an input, all are (model/known.h) */
};
/* Builds the net and runs it once. Free it in any case. Errors: as gpr_predict. Scores are those before smoothing. */
gpr_status gpri_pass_new(gpr_ctx *ctx, gpri_pass *pass, const gpr_model *model, const gpr_dataset *data,
                         unsigned how) GPRI_MUST_CHECK;
/* Runs it again; z as well. */
gpr_status gpri_pass_run_again(gpri_pass *pass) GPRI_MUST_CHECK;
/* Gradients of the mean loss of `count` nodes, those whose part is GPR_TRAIN, in place of the scores. labels, part:
   (nodes), which must outlive the pass. *loss: that mean; or NULL. */
gpr_status gpri_pass_learn(gpri_pass *pass, const int32_t *labels, const uint8_t *part, int64_t count,
                           double *loss) GPRI_MUST_CHECK;
/* The values of the features have been changed: the device gets them. */
gpr_status gpri_pass_put_features(gpri_pass *pass) GPRI_MUST_CHECK;
/* out: (rows x cols) the device's matrix as doubles. */
gpr_status gpri_pass_read(const gpri_pass *pass, double *out, gpri_matrix from) GPRI_MUST_CHECK;

#endif
