/* The summary that `gprgnn train` prints. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "gprgnn.h"

/* Prints data, split, settings and results; with `results_only` only the results. info: of data; json: of
   gpr_result_json. */
void print_summary(FILE *out, const gpr_dataset *data, const gpr_dataset_info *info, const gpr_params *params,
                   const gpr_result *result, const char *json, bool results_only);

#endif
