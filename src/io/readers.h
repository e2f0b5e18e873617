/* Readers of datasets that are folders of texts. io/formats.c has the table of all readers. */
#ifndef GPRI_READERS_H
#define GPRI_READERS_H

#include "data/dataset.h"

/* prefix: the common beginning of the names of Planetoid's files, ".../ind.cora". folder: of Geom-GCN,
   with its two texts. */
gpr_status gpri_read_planetoid(gpr_ctx *ctx, gpr_dataset **out, const char *prefix) GPRI_MUST_CHECK;
gpr_status gpri_read_geomgcn(gpr_ctx *ctx, gpr_dataset **out, const char *folder) GPRI_MUST_CHECK;

#endif
