/* What is said of a choice: the plan before it, each figure, the end. */
#ifndef GPRI_TELL_H
#define GPRI_TELL_H

#include "train/candidates/candidates.h"

/* Before the first training: what is tried, and what it costs. */
void gpri_choice_announce(char *text, size_t size, const gpri_choice_plan *plan, const gpri_candidate_list *list,
                          const gpr_params *params, int64_t runs);
/* Of a candidate that was trained, where `model` is chosen. */
void gpri_choice_figure(gpr_ctx *ctx, const gpri_choice *choice, int number);
/* choice->text, once it is taken: "label-input yes: average precision 0.886 on the validation nodes of the first run
   (2 others: 0.213, 0.207)". */
void gpri_choice_say(gpri_choice *choice, int64_t runs);

#endif
