/* A dataset from several files. */
#ifndef GPRI_ASSEMBLE_H
#define GPRI_ASSEMBLE_H

#include "data/classes.h"
#include "graph/spill.h"

/* The graph of options->edges, with the features and labels of options->nodes if that is given. rows: of the features
   that will complete it, or 0: then as many nodes as the edges show. sink: where the edges go; NULL: they stay in
   memory. */
gpr_status gpri_read_edge_table(gpr_ctx *ctx, gpr_dataset **out, const gpr_open_options *options, int64_t rows,
                                gpri_edge_sink *sink) GPRI_MUST_CHECK;

#endif
