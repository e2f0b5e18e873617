/* Files of features: .npy, .npz, svmlight, or a table of numbers. */
#ifndef GPRI_FEATURE_FILE_H
#define GPRI_FEATURE_FILE_H

#include "data/raw_features.h"
#include "io/text/delimited.h"
#include "io/text/label_texts.h"

/* One reader per form. A text may be packed with gzip. On failure *out is zeroed. table: numbers between commas, tabs
   or blanks; its header, if it has one, gives the names. */
gpr_status gpri_read_number_table(gpr_ctx *ctx, gpri_raw_features *out, const char *path,
                                  gpri_header header) GPRI_MUST_CHECK;

/* Chooses the reader by the file's first bytes and its name. labels, labelled, columns: as for gpri_read_svmlight. */
gpr_status gpri_read_features(gpr_ctx *ctx, gpri_raw_features *out, gpri_label_texts *labels, bool *labelled,
                              const char *path, int64_t columns) GPRI_MUST_CHECK;

#endif
