/* A study: cells, each a dataset with options, and the file of kept runs that they share. */
#ifndef GPRI_STUDY_H
#define GPRI_STUDY_H

#include "search/kept_file.h"

typedef struct gpri_cell {
    const gpr_dataset *data; /* borrowed until its runs are done; not touched when nothing is left to train; NULL: it is
                                not at hand, and kept runs are all there is */
    char *dataset;           /* its name */
    char fingerprint[GPRI_FINGERPRINT_SIZE];
    char key[GPRI_KEY_SIZE];
    gpr_params *params; /* a copy */
    uint64_t seed;      /* of the first run */
    int64_t runs;
    int measures;
} gpri_cell;

struct gpr_study {
    gpr_ctx *ctx;
    gpri_kept_file kept;
    gpri_cell *cells; /* (count) */
    int64_t count, capacity;
};

/* The kept run; NULL: it is missing, or lacks a number that the cell wants. */
const gpri_kept_run *gpri_study_find(const gpr_study *study, const gpri_cell *cell, int64_t run);

#endif
