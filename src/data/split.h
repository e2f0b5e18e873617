/* Which nodes train, validate and test. */
#ifndef GPRI_SPLIT_H
#define GPRI_SPLIT_H

#include "data/dataset.h"

struct gpr_split {
    gpr_ctx *ctx;
    int64_t nodes, classes;
    uint8_t *part;   /* (nodes) gpr_part */
    int64_t *counts; /* (4 x classes) nodes of each part and class */
};

/* Only checks the form of spec, for an early error. */
gpr_status gpri_split_check(const char *spec) GPRI_MUST_CHECK;

#endif
