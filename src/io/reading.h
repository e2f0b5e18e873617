/* How the tables of a training were read, beside their columns: a model has it in its plan, and other tables are read
 * the same way. An option that is given with them counts instead. */
#ifndef GPRI_READING_H
#define GPRI_READING_H

#include "data/dataset.h"

/* Options that are not given become those of options->plan, where they have a meaning for these tables. They are
   borrowed from the plan. */
void gpri_reading_apply(gpr_open_options *options);
/* Sets data->plan->reading; the data has a plan. */
gpr_status gpri_reading_note(gpr_dataset *data, const gpr_open_options *options) GPRI_MUST_CHECK;

/* Table number k of edges, from 0, as the caller names it (gpri_edge_path). */
static inline const char *gpri_edge_given(const gpr_open_options *options, int64_t k) {
    return k == 0 ? options->edges : options->more_edges[k - 1];
}

/* Whether the value of an option comes from the plan. */
bool gpri_reading_has(const gpr_open_options *options, const char *value);
/* Factors of the weights of the tables of edges, if no other are given: *out (1 + more_count) is to be freed; NULL: the
   plan has none. Tables with a name have those of this name, in their order. Fails where the model had others. */
gpr_status gpri_reading_factors(gpr_ctx *ctx, double **out, const gpr_open_options *options) GPRI_MUST_CHECK;
/* What a failure is to say whose cause may be an option that comes from the plan: adds whose it is, and the remedy. */
gpr_status gpri_reading_explain(gpr_status status, const gpr_open_options *options);

#endif
