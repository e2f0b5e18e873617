/* The one place where a column of a table of nodes gets its role: by the options, by the model that will predict on the
 * data, or by itself. */
#ifndef GPRI_COLUMN_ROLES_H
#define GPRI_COLUMN_ROLES_H

#include "data/plan.h"
#include "io/text/delimited.h"

typedef struct gpri_column_roles {
    gpr_ctx *ctx;
    int64_t count;      /* columns of the table */
    gpri_role *role;    /* (count) */
    gpri_kind *kind;    /* (count) that the options ask for; UNKNOWN: none */
    int64_t *place;     /* (count) in the plan */
    bool *known;        /* (count) features that a model knows */
    int64_t id;         /* its column */
    int64_t label;      /* its column; -1: none */
    int64_t split;      /* the column that `split-column` names; -1: none */
    int64_t weight;     /* the column that `sample-weight` names; -1: none */
    gpri_plan *plan;    /* every column of the table, in the order of the model if there is one */
    int64_t *of_column; /* (plan->count) the table's column; -1: the table lacks it */
} gpri_column_roles;

/* Of options: id, label, labels, split_column, sample_weight, drop, categorical, numeric, date, plan,
   model_names. Errors: GPR_ERROR_MISMATCH where the table lacks a column that the model needs. On failure *out is to be
   freed, too. */
gpr_status gpri_column_roles_choose(gpr_ctx *ctx, gpri_column_roles *out, const gpri_delimited *table,
                                    const gpr_open_options *options) GPRI_MUST_CHECK;
void gpri_column_roles_free(gpri_column_roles *roles);

#endif
