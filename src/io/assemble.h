/* A dataset from several files. */
#ifndef GPRI_ASSEMBLE_H
#define GPRI_ASSEMBLE_H

#include "data/classes.h"
#include "graph/spill.h"

/* Labels of options->labels for the nodes of `data`. The other options used: label, id (without nodes), delimiter,
   header. */
gpr_status gpri_read_labels(gpr_ctx *ctx, gpri_classes *out, const gpr_open_options *options,
                            const gpr_dataset *data) GPRI_MUST_CHECK;

/* The graph of options->edges, with the features and labels of options->nodes if that is given. rows: of the features
   that will complete it, or 0: then as many nodes as the edges show. sink: where the edges go; NULL: they stay in
   memory. */
gpr_status gpri_read_edge_table(gpr_ctx *ctx, gpr_dataset **out, const gpr_open_options *options, int64_t rows,
                                gpri_edge_sink *sink) GPRI_MUST_CHECK;

#endif
