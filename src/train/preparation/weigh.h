/* How much each training node counts in the loss: the options `class-weight` and `sample-weight`. */
#ifndef GPRI_WEIGH_H
#define GPRI_WEIGH_H

#include "base/params.h"
#include "base/real.h"
#include "data/split.h"

/* (classes) the weight of each class by the file of `class-weight`, or NULL: the option names no file. Lines
   `class,weight`, one for each class of the data, in any order; a header is skipped. Free with gpri_free. */
gpr_status gpri_class_weight_file(gpr_ctx *ctx, double **out, const gpr_dataset *data,
                                  const gpr_params *params) GPRI_MUST_CHECK;

/* *out (nodes): factors of the training nodes with a mean of 1, and 0 for all other nodes; NULL where neither option is
   set. balanced: n / (classes * count of the class), over the training nodes and the classes that they have. Free with
   gpri_free. */
gpr_status gpri_weigh_nodes(gpr_ctx *ctx, gpri_real **out, const gpr_dataset *data, const gpr_split *split,
                            const gpr_params *params) GPRI_MUST_CHECK;

#endif
