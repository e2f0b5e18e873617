/* What the task of the data means for the options and for the targets of a training. */
#ifndef GPRI_TRAIN_TASK_H
#define GPRI_TRAIN_TASK_H

#include "base/params.h"
#include "data/split.h"
#include "task/number.h"

/* (*out) the options for this data: of a number `loss` is not auto, and what is `auto` and has no meaning for it is
   off. Fails, with a remedy, where an option that was asked for does not fit the target. */
gpr_status gpri_task_settle(gpr_ctx *ctx, gpr_params **out, const gpr_dataset *data,
                            const gpr_params *params) GPRI_MUST_CHECK;

/* Of a target that is a number: (*out) (nodes) in the unit of the training nodes, 0 where it is not known, and that
   unit. NULL, and a unit of scale 0: it is a class. */
gpr_status gpri_numbers_in_unit(gpr_ctx *ctx, gpri_real **out, gpri_unit *unit, const gpr_dataset *data,
                                const gpr_split *split) GPRI_MUST_CHECK;

#endif
