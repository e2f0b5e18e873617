/* Contextual stochastic block models by their name. */
#ifndef GPRI_CSBM_H
#define GPRI_CSBM_H

#include "data/dataset.h"

/* text: what follows "csbm", empty or ":phi=-0.5,n=5000". */
gpr_status gpri_csbm_from_text(gpr_ctx *ctx, gpr_dataset **out, const char *text) GPRI_MUST_CHECK;

#endif
