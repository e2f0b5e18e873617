/* Downloads of the datasets in the catalogue. */
#ifndef GPRI_FETCH_H
#define GPRI_FETCH_H

#include "io/catalogue.h"

/* gpr_fetch for one entry of any catalogue. The folder is made if it is missing. */
gpr_status gpri_fetch_load(gpr_ctx *ctx, gpr_fetch_result *result, const gpri_catalogue_entry *set, const char *folder,
                           const gpr_fetch_options *options) GPRI_MUST_CHECK;

enum { GPRI_WHY = 512 };

/* Is a file the one in the catalogue? *state: what lies at `path`. why: the reason of GPR_FETCH_OTHER and
   GPR_FETCH_DAMAGED, "" else. */
gpr_status gpri_fetched_file(gpr_ctx *ctx, gpr_fetch_state *state, char why[GPRI_WHY], const gpri_catalogue_entry *set,
                             const gpri_catalogue_file *file, const char *path) GPRI_MUST_CHECK;

#endif
