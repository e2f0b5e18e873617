/* The training of trees: a round of boosting takes the place of a step of Adam. */
#ifndef GPRI_BOOSTING_H
#define GPRI_BOOSTING_H

#include "base/params.h"
#include "layer/forest/forest.h"

typedef struct gpri_boosting gpri_boosting;

/* What the rounds learn from: all is borrowed. */
typedef struct gpri_boosting_source {
    gpri_net *net;           /* of a forest, whose features are ready */
    const int32_t *labels;   /* (nodes) */
    const uint8_t *part;     /* (nodes) */
    const gpri_real *factor; /* (nodes) in the loss, or NULL */
    int64_t classes;
} gpri_boosting_source;

/* Before a training prepares anything: refuses what trees cannot do, and asks for XGBoost. */
gpr_status gpri_boosting_check(gpr_ctx *ctx, const gpr_params *params) GPRI_MUST_CHECK;

gpr_status gpri_boosting_new(gpr_ctx *ctx, gpri_boosting **out, const gpri_boosting_source *from,
                             const gpr_params *params, uint64_t seed) GPRI_MUST_CHECK;
void gpri_boosting_free(gpri_boosting *boosting);
/* Round number `round`, counted from 0: its trees are put into the net's weights, and added to the scores of its last
   evaluation. The first round asked for may be a later one: those before it, whose trees the net has, are made again
   for XGBoost alone. */
gpr_status gpri_boosting_round(gpri_boosting *boosting, int64_t round) GPRI_MUST_CHECK;

#endif
