/* Is a file the one in the catalogue? */
#ifndef GPRI_FETCHED_FILE_H
#define GPRI_FETCHED_FILE_H

#include "io/catalogue.h"

enum { GPRI_WHY = 512 };

/* *state: what lies at `path`. why: the reason of GPR_FETCH_OTHER and GPR_FETCH_DAMAGED, "" else. */
gpr_status gpri_fetched_file(gpr_ctx *ctx, gpr_fetch_state *state, char why[GPRI_WHY], const gpri_catalogue_entry *set,
                             const gpri_catalogue_file *file, const char *path) GPRI_MUST_CHECK;

#endif
