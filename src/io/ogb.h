/* Folders of OGB's node datasets (Hu et al., Open Graph Benchmark, 2020). */
#ifndef GPRI_OGB_H
#define GPRI_OGB_H

#include "base/text.h"
#include "data/dataset.h"
#include "graph/spill.h"

bool gpri_is_ogb(const char *path);
/* sink: where the edges go; NULL: they stay in memory. */
gpr_status gpri_read_ogb(gpr_ctx *ctx, gpr_dataset **out, const char *folder, gpri_edge_sink *sink) GPRI_MUST_CHECK;

#endif
