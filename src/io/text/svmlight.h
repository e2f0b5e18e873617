/* Features as svmlight writes them. */
#ifndef GPRI_SVMLIGHT_H
#define GPRI_SVMLIGHT_H

#include "data/raw_features.h"
#include "io/text/label_texts.h"

/* `label index:value ...` per row; the text may be packed with gzip. Labels go to `labels` if it is not NULL; *labelled
   says whether there were any. columns: there are at least so many; 0: as the largest index says. On failure *out is
   zeroed. */
gpr_status gpri_read_svmlight(gpr_ctx *ctx, gpri_raw_features *out, gpri_label_texts *labels, bool *labelled,
                              const char *path, int64_t columns) GPRI_MUST_CHECK;

#endif
