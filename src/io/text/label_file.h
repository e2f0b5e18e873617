/* Files of labels. */
#ifndef GPRI_LABEL_FILE_H
#define GPRI_LABEL_FILE_H

#include "data/dataset.h"

/* Labels of options->labels for the nodes of `data`. The other options used: label, id (without nodes), delimiter,
   header. */
gpr_status gpri_read_labels(gpr_ctx *ctx, gpri_target *out, const gpr_open_options *options,
                            const gpr_dataset *data) GPRI_MUST_CHECK;

#endif
