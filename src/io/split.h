/* Splits by a rule or from files: masks in an .npz file, or a folder of lists of nodes. */
#ifndef GPRI_IO_SPLIT_H
#define GPRI_IO_SPLIT_H

#include "base/params.h"
#include "data/split.h"

/* part: (nodes) a gpr_part each, from train_mask, val_mask, test_mask (nodes) or (runs x nodes), or the same names with
   an s. Of several runs row run % rows is taken. A node in two masks, a wrong length or an empty train mask is an
   error. */
gpr_status gpri_split_read(gpr_ctx *ctx, uint8_t *part, int64_t nodes, const char *path, int64_t run) GPRI_MUST_CHECK;
/* The same from a folder with train, valid and test as .csv or .csv.gz, one node per line. */
gpr_status gpri_split_read_folder(gpr_ctx *ctx, uint8_t *part, int64_t nodes, const char *folder) GPRI_MUST_CHECK;

/* part: (nodes of data) from a table with the columns id and part, or two columns without a header. Nodes are known by
   their ids, or by their numbers where they have none. A node that is not in it is GPR_UNUSED. Errors name the line. */
gpr_status gpri_split_read_ids(gpr_ctx *ctx, uint8_t *part, const gpr_dataset *data, const char *path) GPRI_MUST_CHECK;
/* The same from a folder with train, val and test as .txt (or .csv), one id per line. */
gpr_status gpri_split_read_id_lists(gpr_ctx *ctx, uint8_t *part, const gpr_dataset *data,
                                    const char *folder) GPRI_MUST_CHECK;
/* The file of a part in such a folder, or in one of OGB: the first there is of .csv.gz, .csv, .txt.gz, .txt.
   listed: NULL, or set to whether it is a .txt. */
gpr_status gpri_split_part_file(gpri_text *path, const char *folder, gpr_part part, bool *listed) GPRI_MUST_CHECK;
/* The part that a word means, in any case of its letters: train, training; val, valid, validation, dev; test, testing;
   unused, none or nothing. false: none of these. */
bool gpri_part_of_word(const char *text, int64_t size, gpr_part *out);

/* What gpr_split_new does. care: GPRI_SPLIT_WARN and the like. */
gpr_status gpri_split_make(gpr_ctx *ctx, gpr_split **out, const gpr_dataset *data, const char *spec, uint64_t seed,
                           int64_t run, unsigned care) GPRI_MUST_CHECK;
/* What "auto" stands for with this data takes its place in the option `split`: so the model and the reports say what
   was used. */
gpr_status gpri_split_settle(gpr_params *params, const gpr_dataset *data) GPRI_MUST_CHECK;
/* How careful a training with these (settled) options must be: tables get a split that covers every class, unless one
   is asked for by name. */
unsigned gpri_split_care(const gpr_params *params, const gpr_dataset *data);
/* Whether all runs have the same split, and differ in seeds only. */
bool gpri_split_is_fixed(const char *spec);
/* Is the text a right one, and is the file or folder there that it names? For an early error: the data is not needed.
 */
gpr_status gpri_split_check(const char *spec) GPRI_MUST_CHECK;

#endif
