/* A column of the table of nodes that says which nodes train, validate and test: by words, or by dates or numbers and
 * two bounds; or that has their times, of which a training takes shares. */
#ifndef GPRI_SPLIT_COLUMN_H
#define GPRI_SPLIT_COLUMN_H

#include "data/dataset.h"
#include "data/plan.h"
#include "io/text/delimited.h"

/* Zero-initialise with .ctx set. */
typedef struct gpri_split_column {
    gpr_ctx *ctx;
    int64_t column; /* -1: none */
    const char *name;
    bool ordered, dates;        /* it has numbers, or dates, and not words */
    double val_from, test_from; /* then: the bounds; dates as seconds since 1970 */
    const char *bounds[2];      /* as they were given */
    bool timed, by_time;        /* it has the times of nodes; and no bounds are given */
    uint8_t *part;              /* (rows) gpr_part */
    double *time;               /* (rows) NaN: none */
    int64_t rows, capacity, time_capacity;
    int64_t missing; /* cells without a value */
} gpri_split_column;

/* column: -1: none. Reads the bounds of the options. */
gpr_status gpri_split_column_begin(gpri_split_column *split, int64_t column,
                                   const gpr_open_options *options) GPRI_MUST_CHECK;
/* The part of the next node. fields: of its row. */
gpr_status gpri_split_column_row(gpri_split_column *split, const gpri_delimited *table,
                                 const gpri_field *fields) GPRI_MUST_CHECK;
/* Moves the parts to *out, and says in the plan's column what they are. */
gpr_status gpri_split_column_finish(gpri_split_column *split, gpri_own_split *out, gpri_plan *plan,
                                    gpri_column *column) GPRI_MUST_CHECK;
void gpri_split_column_free(gpri_split_column *split);

#endif
