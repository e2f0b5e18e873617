/* A finished run as it is kept: what it was, and its numbers. One line of JSON in a file. */
#ifndef GPRI_KEPT_RUN_H
#define GPRI_KEPT_RUN_H

#include "base/text.h"
#include "report/report.h"

enum { GPRI_KEY_SIZE = 33 }; /* 32 hex digits and the NUL */

/* Numbers that only some runs have, after those of gpri_run_field. */
enum {
    GPRI_KEPT_TOP_SHARE = GPRI_FIELDS, /* percent of all nodes that get the most frequent class */
    GPRI_KEPT_NUMBERS
};

typedef struct gpri_kept_run {
    char key[GPRI_KEY_SIZE]; /* of data and settings; see gpri_run_key */
    uint64_t seed;
    double numbers[GPRI_KEPT_NUMBERS]; /* NaN where there is none */
    float *gamma;                      /* (gamma_count), or NULL */
    int64_t gamma_count;
    float *history; /* (rows x gamma_count) gamma after 0, stride, 2 stride, ... steps; or NULL */
    int64_t rows, stride;
    uint64_t content; /* gpri_run_content of what the line says; 0: it does not say it */
    int64_t line;     /* in its file, from 1; 0: made by this program */
    int file;         /* which of the files that were read, from 0 */
    bool failed;      /* it came to no result, and would again: the numbers are NaN */
    int64_t place;    /* in the order of reading: the first of several counts */
} gpri_kept_run;

/* What a run was. All texts are borrowed. */
typedef struct gpri_run_origin {
    const char *dataset, *fingerprint, *device, *kernels;
    const gpr_params *params;
    uint64_t split_hash;
    const char *failure; /* why it failed; NULL: it did not */
    int threads;
} gpri_run_origin;

/* Equal for equal data and equal options, however they were written. `runs`, `threads` and `device` play no part, nor
   does `seed`, but for a split from an .npz file: the place of a run among all chooses the split there. A file or
   folder that an option names counts by its content. data: for what the fingerprint does not hold: whether columns are
   mixed, which decides what `normalize` auto does; what `split` auto means, and the data's own split.
   NULL: it has none of these. */
gpr_status gpri_run_key(gpr_ctx *ctx, char key[GPRI_KEY_SIZE], const char *fingerprint, const gpr_dataset *data,
                        const gpr_params *params) GPRI_MUST_CHECK;

/* A number for what data and options have in common with the line of a run: all of the key but files, the split, and
   what is known of the data alone. So runs of one key have one content, and a line of another one was changed. Never 0.
 */
uint64_t gpri_run_content(const char *fingerprint, const gpr_params *params);

/* Appends the line, with its newline. Numbers read back with the same bits. */
gpr_status gpri_kept_run_write(gpri_text *out, const gpri_kept_run *run, const gpri_run_origin *origin) GPRI_MUST_CHECK;
/* From `size` bytes without the newline. False: this is no such line; *why says what is wrong (a constant). Out of
   memory is a status. */
gpr_status gpri_kept_run_read(gpr_ctx *ctx, gpri_kept_run *out, const char *line, int64_t size,
                              const char **why) GPRI_MUST_CHECK;
void gpri_kept_run_free(gpr_ctx *ctx, gpri_kept_run *run); /* what it holds; leaves it zeroed */

/* Whether it has what these measures ask for (GPR_MEASURE_...). A failed run has all there is. */
bool gpri_kept_run_has(const gpri_kept_run *run, int measures);

/* The word of a number: "test_accuracy", ..., "top_share"; -1 for one that is not known. */
int gpri_kept_number(const char *word);

#endif
