/* The summary that `gprgnn train` prints. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "gprgnn.h"

/* Prints data, split, settings and results. info: of data; NULL: just the results. model: the one of the best run: its
   options say which split was used. classes: also the metrics of each class, and the confusion matrix. seconds: that
   the command took beside the training. */
void print_summary(FILE *out, gpr_ctx *ctx, const gpr_dataset *data, const gpr_dataset_info *info,
                   const gpr_params *params, const gpr_model *model, const gpr_result *result, bool classes,
                   double seconds);

#endif
