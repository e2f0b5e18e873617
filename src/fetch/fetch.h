/* Downloads of the datasets in the catalogue. */
#ifndef GPRI_FETCH_H
#define GPRI_FETCH_H

#include "io/catalogue.h"

/* gpr_fetch for one entry of any catalogue. The folder is made if it is missing. */
gpr_status gpri_fetch_load(gpr_ctx *ctx, gpr_fetch_result *result, const gpri_catalogue_entry *set, const char *folder,
                           const gpr_fetch_options *options) GPRI_MUST_CHECK;

#endif
