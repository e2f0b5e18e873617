/* What options mean for a dataset where they say `auto`: the one place that knows. docs/labels.md and
 * docs/parameters.md say the same to users.
 *
 * split      the data's own split, else 60/20/20 of each class
 * normalize  columns brought to one scale, skewed ones to a normal distribution; rows divided by their sums where they
 * are counts or words label-input, label-counts, smooth, refit as the validation nodes choose
 *
 * Published data are the exception: the graphs of the paper, by whatever file they come, and what `generate` makes. Who
 * trains on these wants the paper's model: labels are not used, and rows are divided by their sums if no feature is
 * negative. */
#ifndef GPRI_DEFAULTS_H
#define GPRI_DEFAULTS_H

#include "base/params.h"
#include "base/thread.h"
#include "data/dataset.h"

/* ---- published data ---- */

/* Finds out whether the data is published, once: every function that asks gpri_is_published later calls it before. It
   reads the graph only where its sizes are those of a published one, and then opens all rows. */
gpr_status gpri_defaults_look(gpr_ctx *ctx, const gpr_dataset *data) GPRI_MUST_CHECK;
bool gpri_is_published(const gpr_dataset *data);

/* ---- split ---- */

/* What "auto" stands for with this data: "column" if it has its own split, "time:60/20/20" if it has times, else
   "60/20/20". Any other text stays as it
   is. */
const char *gpri_split_meaning(const gpr_dataset *data, const char *spec);

/* ---- normalize ---- */

typedef enum gpri_feature_scale {
    GPRI_SCALE_NONE,
    GPRI_SCALE_ROWS,
    GPRI_SCALE_COLUMNS,
    GPRI_SCALE_NORMAL /* columns, of which skewed ones become normal first */
} gpri_feature_scale;

/* What the rule, a value of the option normalize, means for this data. rows: that this process has; together: its
   processes call it too, and have the other rows; NULL: this one has all. The answer is the same however rows are dealt
   out. */
gpr_status gpri_scale_of(gpr_ctx *ctx, gpri_feature_scale *out, const gpr_dataset *data, gpri_value rule,
                         gpri_range rows, const gpr_ctx *together) GPRI_MUST_CHECK;
/* Whether it may mean columns: known before any row is. */
bool gpri_scale_may_be_columns(const gpr_dataset *data, gpri_value rule);
/* "rows divided by their sums" */
const char *gpri_scale_text(gpri_feature_scale scale);

#endif
