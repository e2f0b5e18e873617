/* How much a choice of models may cost: the option `budget` becomes epochs, by the sizes of the data alone. */
#ifndef GPRI_AFFORD_H
#define GPRI_AFFORD_H

#include "data/dataset.h"
#include "train/candidates/candidates.h"

/* The rule, which docs/auto.md tells:
 *
 *  - An epoch costs units, a multiply-add in a product each, by gpri_epoch_units.
 *  - GPRI_UNITS_PER_SECOND of them are taken to be a second.
 *  - All candidates are trained for GPRI_FIRST_EPOCHS; the better half of them for as many again; the best two, and the
 *    refit, for as many as the budget then has room for, `epochs` at most. Trees, which cannot go on without learning
 *    again what they know, have all in the first turn. Where the epochs of the last would be less than
 *    GPRI_LEAST_EPOCHS if the most expensive ones went on, the candidate with the most expensive epoch is left out, of
 *    equal ones the last, and again until one is left. */
#define GPRI_UNITS_PER_SECOND 2e10
enum { GPRI_FIRST_EPOCHS = 100, GPRI_LEAST_EPOCHS = 200, GPRI_FEWEST_EPOCHS = 20 /* of the one that is left */ };
#define GPRI_BUDGET_CUT 1.25 /* times the budget: by the clock, no further candidate begins */

/* For settled options. */
double gpri_epoch_units(const gpr_dataset *data, const gpr_params *settled);
/* Leaves out of *list what the budget has no room for. Where no model is chosen, all of it stays, in one rung. */
gpr_status gpri_choice_make_plan(gpr_ctx *ctx, gpri_choice_plan *out, gpri_candidate_list *list,
                                 const gpr_dataset *data, const gpr_params *params) GPRI_MUST_CHECK;
/* Epochs that a candidate has after the rung, at most. choice: with those that are in it. */
int64_t gpri_choice_until(const gpri_choice *choice, int number, int rung);
/* Sets the epochs of a candidate's options. */
gpr_status gpri_choice_set_epochs(gpr_params *settled, const gpri_choice_plan *plan, int64_t until) GPRI_MUST_CHECK;
/* Whether the clock ends the choice after so many seconds. */
bool gpri_choice_is_over(const gpri_choice_plan *plan, double seconds);

#endif
