/* Options from a file of `word = value` lines. */
#ifndef GPRI_PARAMS_FILE_H
#define GPRI_PARAMS_FILE_H

#include "base/params.h"

/* gpr_params_load, with the rank of its values. */
gpr_status gpri_params_read(gpr_params *params, gpri_set_by source, const char *path) GPRI_MUST_CHECK;

#endif
