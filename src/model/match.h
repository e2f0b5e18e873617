/* Matches the features and classes of other data to those of a model, by name. */
#ifndef GPRI_MATCH_H
#define GPRI_MATCH_H

#include "model/model.h"

/* The data's features in the model's columns. *out is a table that the caller frees, or has no rows: the data's own
   features fit. If both have names, columns are matched by name. A column that the model does not know is left out with
   a warning; a value "column=value" that never occurs in the data is 0; any other missing column is an error. */
gpr_status gpri_match_features(gpr_ctx *ctx, gpri_feature_matrix *out, const gpr_model *model,
                               const gpr_dataset *data) GPRI_MUST_CHECK;
/* place: (nodes of the data) the node of the training that has the same id, or -1. What the model remembers has ids, or
   its plan says that they are numbers; so do the data. */
gpr_status gpri_match_ids(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data,
                          int64_t *place) GPRI_MUST_CHECK;
/* gpr_model_labels, with its warning or without. data is ready. */
gpr_status gpri_match_labels(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *labels,
                             bool warns) GPRI_MUST_CHECK;

#endif
