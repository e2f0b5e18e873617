/* Splits by a rule or from files: masks in an .npz file, or a folder of lists of nodes. */
#ifndef GPRI_IO_SPLIT_H
#define GPRI_IO_SPLIT_H

#include "data/split.h"

/* part: (nodes) a gpr_part each, from train_mask, val_mask, test_mask (nodes) or (runs x nodes), or the same names with
   an s. Of several runs row run % rows is taken. A node in two masks, a wrong length or an empty train mask is an
   error. */
gpr_status gpri_split_read(gpr_ctx *ctx, uint8_t *part, int64_t nodes, const char *path, int64_t run) GPRI_MUST_CHECK;
/* The same from a folder with train, valid and test as .csv or .csv.gz, one node per line. */
gpr_status gpri_split_read_folder(gpr_ctx *ctx, uint8_t *part, int64_t nodes, const char *folder) GPRI_MUST_CHECK;

/* What gpr_split_new does. warn: log what a user should know about the split. */
gpr_status gpri_split_make(gpr_ctx *ctx, gpr_split **out, const gpr_dataset *data, const char *spec, uint64_t seed,
                           int64_t run, bool warn) GPRI_MUST_CHECK;
/* Is the text a right one, and is the file or folder there that it names? For an early error: the data is not needed.
 */
gpr_status gpri_split_check(const char *spec) GPRI_MUST_CHECK;

#endif
