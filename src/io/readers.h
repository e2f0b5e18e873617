/* Readers of datasets that are folders of texts. io/formats.c has the table of all readers. */
#ifndef GPRI_READERS_H
#define GPRI_READERS_H

#include "data/dataset.h"
#include "graph/spill.h"

/* prefix: the common beginning of the names of Planetoid's files, ".../ind.cora". folder: of Geom-GCN,
   with its two texts. */
gpr_status gpri_read_planetoid(gpr_ctx *ctx, gpr_dataset **out, const char *prefix) GPRI_MUST_CHECK;
gpr_status gpri_read_geomgcn(gpr_ctx *ctx, gpr_dataset **out, const char *folder) GPRI_MUST_CHECK;

/* Folders of OGB's node datasets (Hu et al., Open Graph Benchmark, 2020). sink: where the edges go; NULL: they stay in
   memory. */
bool gpri_is_ogb(const char *path);
gpr_status gpri_read_ogb(gpr_ctx *ctx, gpr_dataset **out, const char *folder, gpri_edge_sink *sink) GPRI_MUST_CHECK;

#endif
