/* The readers, one per format, and the writers. io/formats.c has the table of them. */
#ifndef GPRI_READERS_H
#define GPRI_READERS_H

#include "data/dataset.h"

/* path: the file. prefix: the common beginning of the names of Planetoid's files, ".../ind.cora". folder: of Geom-GCN,
   with its two texts. */
gpr_status gpri_read_npz(gpr_ctx *ctx, gpr_dataset **out, const char *path) GPRI_MUST_CHECK;
gpr_status gpri_read_planetoid(gpr_ctx *ctx, gpr_dataset **out, const char *prefix) GPRI_MUST_CHECK;
gpr_status gpri_read_geomgcn(gpr_ctx *ctx, gpr_dataset **out, const char *folder) GPRI_MUST_CHECK;
gpr_status gpri_read_mapped(gpr_ctx *ctx, gpr_dataset **out, const char *path) GPRI_MUST_CHECK;
/* The same with the file in memory: what happens to it later does not matter. */
gpr_status gpri_read_mapped_copy(gpr_ctx *ctx, gpr_dataset **out, const char *path) GPRI_MUST_CHECK;

/* The writers. The dataset must be ready. The same data gives the same bytes. */
gpr_status gpri_write_npz(gpr_ctx *ctx, const gpr_dataset *data, const char *path) GPRI_MUST_CHECK;
gpr_status gpri_write_mapped(gpr_ctx *ctx, const gpr_dataset *data, const char *path) GPRI_MUST_CHECK;

#endif
