/* Datasets and matrices in an .npz file. */
#ifndef GPRI_NPZ_DATASET_H
#define GPRI_NPZ_DATASET_H

#include <stdio.h>

#include "data/raw_features.h"
#include "io/numpy/npz.h"

gpr_status gpri_read_npz(gpr_ctx *ctx, gpr_dataset **out, const char *path) GPRI_MUST_CHECK;
/* The dataset must be ready. The same data gives the same bytes. */
gpr_status gpri_write_npz(gpr_ctx *ctx, const gpr_dataset *data, const char *path) GPRI_MUST_CHECK;
/* A file of features. On failure *out is zeroed. */
gpr_status gpri_read_npz_matrix(gpr_ctx *ctx, gpri_raw_features *out, const char *path) GPRI_MUST_CHECK;

/* A list of numbers, the member "prefixname". */
static inline gpr_status gpri_npz_read_part(gpri_npz *npz, gpri_array *out, const char *prefix, const char *name,
                                            gpri_number type) {
    char full[64];
    snprintf(full, sizeof full, "%s%s", prefix, name);
    return gpri_npz_read(npz, out, full, type, 1);
}

/* Used by gpri_read_npz: a file in the convention of heterophilous-graphs; and a graph alone, a scipy matrix of pairs.
 */
gpr_status gpri_npz_read_nodes(gpr_ctx *ctx, gpr_dataset **out, gpri_npz *npz, const char *name) GPRI_MUST_CHECK;
gpr_status gpri_npz_read_pairs(gpr_ctx *ctx, gpr_dataset **out, gpri_npz *npz, const char *name) GPRI_MUST_CHECK;

#endif
