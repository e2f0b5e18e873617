/* Files of features: .npy, .npz, svmlight, or a table of numbers. */
#ifndef GPRI_FEATURE_FILE_H
#define GPRI_FEATURE_FILE_H

#include "data/raw_features.h"
#include "io/text/delimited.h"
#include "io/text/label_texts.h"

/* A reader per form; the file may be packed with gzip if it is a text. On failure *out is zeroed.
   svmlight: `label index:value ...` per row. Labels go to `labels` where it is not NULL; *labelled tells whether there
   were any. columns: there are at least so many; 0: as many as the largest index says.
   table: numbers between commas, tabs or blanks; its header, if it has one, gives the names. */
gpr_status gpri_read_svmlight(gpr_ctx *ctx, gpri_raw_features *out, gpri_label_texts *labels, bool *labelled,
                              const char *path, int64_t columns) GPRI_MUST_CHECK;
gpr_status gpri_read_number_table(gpr_ctx *ctx, gpri_raw_features *out, const char *path,
                                  gpri_header header) GPRI_MUST_CHECK;
gpr_status gpri_read_npy_matrix(gpr_ctx *ctx, gpri_raw_features *out, const char *path) GPRI_MUST_CHECK;
gpr_status gpri_read_npz_matrix(gpr_ctx *ctx, gpri_raw_features *out, const char *path) GPRI_MUST_CHECK;

/* As the file's first bytes and its name tell. */
gpr_status gpri_read_features(gpr_ctx *ctx, gpri_raw_features *out, gpri_label_texts *labels, bool *labelled,
                              const char *path, int64_t columns) GPRI_MUST_CHECK;

#endif
