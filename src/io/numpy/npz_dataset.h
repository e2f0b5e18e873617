/* Datasets in an .npz file: the conventions that io/numpy/npz_dataset.c leaves to others. */
#ifndef GPRI_NPZ_DATASET_H
#define GPRI_NPZ_DATASET_H

#include "data/dataset.h"
#include "io/numpy/npz.h"

/* Used by gpri_read_npz: a file in the convention of heterophilous-graphs; and a graph alone, a scipy matrix of pairs.
 */
gpr_status gpri_npz_read_nodes(gpr_ctx *ctx, gpr_dataset **out, gpri_npz *npz, const char *name) GPRI_MUST_CHECK;
gpr_status gpri_npz_read_pairs(gpr_ctx *ctx, gpr_dataset **out, gpri_npz *npz, const char *name) GPRI_MUST_CHECK;

#endif
