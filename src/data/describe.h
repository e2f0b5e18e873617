/* What is told about a dataset: shared by gprgnn info, training and model files. */
#ifndef GPRI_DESCRIBE_H
#define GPRI_DESCRIBE_H

#include "data/dataset.h"

enum { GPRI_FINGERPRINT_SIZE = 33 }; /* 32 hex digits and the NUL */

/* Equal for equal graphs, weights, features and labels, whatever file, order or storage they came in. */
void gpri_fingerprint(char text[GPRI_FINGERPRINT_SIZE], const gpr_dataset *data);
/* The same as numbers, from the arrays themselves: a mapped file has it in its header. */
void gpri_fingerprint_arrays(uint64_t out[2], const gpr_dataset *data);

/* Logs warnings about the data, but for those that a split gives itself. */
gpr_status gpri_dataset_warn(gpr_ctx *ctx, const gpr_dataset *data) GPRI_MUST_CHECK;

#endif
