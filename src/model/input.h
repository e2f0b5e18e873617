/* The features of a dataset as a trained model takes them. */
#ifndef GPRI_MODEL_INPUT_H
#define GPRI_MODEL_INPUT_H

#include "data/feature_matrix.h"
#include "model/model.h"
#include "task/outcome.h"

typedef struct gpri_model_input {
    gpri_feature_matrix moved, scaled; /* tables of its own, where the data's does not fit as it is */
    gpri_features features;
} gpri_model_input;

/* Matched by name, scaled and normalised as in the training. data must outlive it, and is ready. trains: a backward
   pass will follow. Free it in any case. Errors: GPR_ERROR_MISMATCH where the data lacks features. */
gpr_status gpri_model_input_new(gpr_ctx *ctx, gpri_model_input *out, const gpr_model *model, const gpr_dataset *data,
                                bool trains) GPRI_MUST_CHECK;
/* The first part of it: matched, and not scaled. *table is the data's, or one of out. */
gpr_status gpri_model_table(gpr_ctx *ctx, gpri_model_input *out, const gpri_feature_matrix **table,
                            const gpr_model *model, const gpr_dataset *data) GPRI_MUST_CHECK;
void gpri_model_input_free(gpr_ctx *ctx, gpri_model_input *input);

/* Fails if a loaded model asks for an embedding from a file: a model from elsewhere must not choose which files of this
   machine are opened. */
gpr_status gpri_refuse_foreign_file(const gpr_model *model) GPRI_MUST_CHECK;
/* The scores of the last forward pass, row by row; probabilities with the model's temperature. out: (nodes). */
gpr_status gpri_read_scores(const gpri_net *net, const gpr_model *model, const gpri_outcome *out) GPRI_MUST_CHECK;
/* One row of out, from row i of the scores z: (.. x ld) in the host's memory. */
void gpri_read_outcome(const gpri_real *z, int64_t ld, int64_t i, const gpr_model *model, const gpri_outcome *out,
                       int64_t row);

#endif
