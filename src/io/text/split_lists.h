/* Splits that are texts: folders of lists of nodes, and tables of ids. */
#ifndef GPRI_SPLIT_LISTS_H
#define GPRI_SPLIT_LISTS_H

#include "base/text.h"
#include "data/split.h"

/* part: (nodes) a gpr_part each, from a folder with train, valid and test as .csv or .csv.gz, one node per line. */
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

#endif
