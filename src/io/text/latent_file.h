/* Files that the option `embedding` may name; gpri_latent_open tells them apart. */
#ifndef GPRI_LATENT_FILE_H
#define GPRI_LATENT_FILE_H

#include "embed/relations.h"
#include "io/text/delimited.h"

/* The authors' own files: lines "from,to <tab> space <tab> relation", the space graph or latent_space, the relation 0
   to 3; plain or gzip. They must have all edges of the graph in both directions, and no other pair in its space. */
bool gpri_holds_relations(const gpri_delimited *table);
gpr_status gpri_read_relations(gpr_ctx *ctx, gpri_relations *out, const gpri_graph *graph,
                               gpri_delimited *table) GPRI_MUST_CHECK;

/* A point for every node: an .npy array (nodes x 2), or two columns of text. */
gpr_status gpri_read_points_npy(gpr_ctx *ctx, gpri_embedding *out, int64_t nodes, const char *path) GPRI_MUST_CHECK;
gpr_status gpri_read_points(gpr_ctx *ctx, gpri_embedding *out, int64_t nodes, gpri_delimited *table) GPRI_MUST_CHECK;

#endif
