/* The summary that `gprgnn train` prints. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include <stdio.h>

#include "gprgnn.h"

/* Prints data, split, settings and results. info: of data; NULL: just the results. model: the one
   of the best run: its options say which split was used. */
void print_summary(FILE *out, const gpr_dataset *data, const gpr_dataset_info *info, const gpr_params *params,
                   const gpr_model *model, const gpr_result *result);

#endif
