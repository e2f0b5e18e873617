/* Other data by the names that a model knows: its features and its classes. */
#ifndef GPRI_MATCH_H
#define GPRI_MATCH_H

#include "model/model.h"

/* The data's features in the model's columns. *out is a table to be freed, or has no rows: the data's own fit as they
   are. Where both have names, a column goes by its name; one that the model does not know is left out with a warning,
   and a value "column=value" that the data never has is 0. Any other that is missing is an error. */
gpr_status gpri_match_features(gpr_ctx *ctx, gpri_feature_matrix *out, const gpr_model *model,
                               const gpr_dataset *data) GPRI_MUST_CHECK;

#endif
