/* What is suspicious about the columns of a table of nodes: it is said, and nothing is changed. */
#ifndef GPRI_COLUMN_CHECKS_H
#define GPRI_COLUMN_CHECKS_H

#include "io/nodes/column_roles.h"
#include "io/nodes/feature_columns.h"
#include "task/target.h"

/* Warns of columns with one name: a twin of the label may tell it. */
gpr_status gpri_warn_twins(const gpri_column_roles *roles, const gpri_delimited *table) GPRI_MUST_CHECK;
/* Warns of features that tell the label: every value of the column goes with one class, in all labelled rows. Only
   columns with few values are looked at: at most one for ten labelled rows, with five rows or more of each class. After
   gpri_feature_columns_finish. */
gpr_status gpri_warn_leaks(const gpri_feature_columns *set, const gpri_target *classes) GPRI_MUST_CHECK;

/* Says of a feature that looks like the time of what is predicted that a split may be by it. */
void gpri_advise_time(gpr_ctx *ctx, const gpri_plan *plan, const gpri_delimited *table);

#endif
