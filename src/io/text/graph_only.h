/* A graph alone, without features and labels: what a text of edges becomes when it is all the data there is. */
#ifndef GPRI_GRAPH_ONLY_H
#define GPRI_GRAPH_ONLY_H

#include "data/dataset.h"
#include "io/text/edge_list.h"

/* Moves the list, also on failure. path: of the edges; nodes: of the table of nodes, or NULL. The dataset has the name
   that they give (gpri_path_data_name). */
gpr_status gpri_graph_only(gpr_ctx *ctx, gpr_dataset **out, gpri_edge_list *list, const char *path,
                           const char *nodes) GPRI_MUST_CHECK;

/* Formats of files (formats.c): a text of edges (io/text/edge_list.h), and Matrix Market (io/text/matrix_market.c).
   sink: where the edges go; NULL: they stay in memory. */
gpr_status gpri_read_edges(gpr_ctx *ctx, gpr_dataset **out, const char *path, gpri_edge_sink *sink) GPRI_MUST_CHECK;
gpr_status gpri_read_matrix_market(gpr_ctx *ctx, gpr_dataset **out, const char *path,
                                   gpri_edge_sink *sink) GPRI_MUST_CHECK;
/* Do the first lines look like it? A text of edges: a header that names both ends; or two or three columns that begin
   with two whole numbers; or its name ends in .edges or .edgelist, also with .gz. A pipe cannot be looked at: it is
   taken for one. Fails only if there is no memory. */
gpr_status gpri_fits_edges(gpr_ctx *ctx, bool *fits, gpri_head *head) GPRI_MUST_CHECK;
gpr_status gpri_fits_matrix_market(gpr_ctx *ctx, bool *fits, gpri_head *head) GPRI_MUST_CHECK;

#endif
