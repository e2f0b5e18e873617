/* Labels that are an input of a prediction, and the training nodes as a model remembers them. */
#ifndef GPRI_KNOWN_H
#define GPRI_KNOWN_H

#include "model/model.h"

/* The nodes whose label is known (not -1) as text for the model and its file. Free with gpri_free. */
gpr_status gpri_known_nodes_text(gpr_ctx *ctx, char **out, const int32_t *known, int64_t nodes) GPRI_MUST_CHECK;
bool gpri_known_nodes_valid(const char *text);

/* known: (nodes) the labels that are an input by default, as classes of the model; else -1. All -1 for a model that
   takes none. data is ready. */
gpr_status gpri_model_known(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data,
                            int32_t *known) GPRI_MUST_CHECK;

#endif
