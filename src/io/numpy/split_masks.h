/* Splits that are masks in an .npz file. */
#ifndef GPRI_SPLIT_MASKS_H
#define GPRI_SPLIT_MASKS_H

#include "data/split.h"

/* part: (nodes) a gpr_part each, from train_mask, val_mask, test_mask (nodes) or (runs x nodes), or the same names with
   an s. Of several runs row run % rows is taken. A node in two masks, a wrong length or an empty train mask is an
   error. */
gpr_status gpri_split_read(gpr_ctx *ctx, uint8_t *part, int64_t nodes, const char *path, int64_t run) GPRI_MUST_CHECK;

#endif
