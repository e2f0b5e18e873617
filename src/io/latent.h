/* The structural neighbourhoods of Geom-GCN by the option `embedding`: computed, or from a file. */
#ifndef GPRI_LATENT_H
#define GPRI_LATENT_H

#include "embed/relations.h"

/* embedding: isomap, poincare, struc2vec, or the path of a file: points of the plane, or the relations themselves,
   which is seen from its content. Logs what it found and what that cost. What is wrong with the file is
   GPR_ERROR_ARGUMENT: the option does not fit the data. */
gpr_status gpri_latent_open(gpr_ctx *ctx, gpri_relations *out, const gpri_graph *graph,
                            const char *embedding) GPRI_MUST_CHECK;
/* Whether the option names a file. */
bool gpri_latent_is_file(const char *embedding);

#endif
