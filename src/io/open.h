/* Opening a dataset: by a name or path (open.c), from several files (assemble.c), or from tables (edge_table.c). */
#ifndef GPRI_OPEN_H
#define GPRI_OPEN_H

#include "data/dataset.h"
#include "graph/spill.h"

/* What gpr_dataset_open_as and gpr_dataset_open_with do, without the budget of memory. The first uses data, data_dir,
   format and no_map of the options. sink: NULL, or where the edges go if they come from a text; the graph of the
   dataset then has no edge. The caller frees sink->spill, also on failure. */
gpr_status gpri_dataset_open(gpr_ctx *ctx, gpr_dataset **out, const gpr_open_options *options,
                             gpri_edge_sink *sink) GPRI_MUST_CHECK;
gpr_status gpri_dataset_open_with(gpr_ctx *ctx, gpr_dataset **out, const gpr_open_options *options,
                                  gpri_edge_sink *sink) GPRI_MUST_CHECK;
/* The graph of options->edges, with the features and labels of options->nodes if that is given. rows: of the features
   that will complete it, or 0: then as many nodes as the edges show. */
gpr_status gpri_read_edge_table(gpr_ctx *ctx, gpr_dataset **out, const gpr_open_options *options, int64_t rows,
                                gpri_edge_sink *sink) GPRI_MUST_CHECK;

#endif
