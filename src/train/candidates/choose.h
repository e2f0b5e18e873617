/* The choice among the program's own methods. Where an option is `auto`, its candidates are trained one after the
 * other, with the same split and seed, and the validation nodes decide. */
#ifndef GPRI_CHOOSE_H
#define GPRI_CHOOSE_H

#include "train/training.h"

/* *out: a copy of the options for a training that chooses nothing: an option that is `auto` gets what a state that
   goes on has, or else what the last candidate has, which uses no labels; of published data it stays, and means the
   same. Free with gpr_params_free. */
gpr_status gpri_choice_settle(gpr_ctx *ctx, gpr_params **out, const gpr_dataset *data, const gpr_params *params,
                              const gpr_train_options *options) GPRI_MUST_CHECK;

/* Whether there is something to choose: an option is `auto`; of known labels, and the data are not published. */
bool gpri_choice_open(const gpr_dataset *data, const gpr_params *params);

/* Chooses by the first run, and trains all runs so. result->choice says what was chosen. States that go on know the
   choice as far as it came (train/saved_choice.h). After a stop by the caller the best finished candidate is the
   result, or the first one as far as it came; result->state goes on from where it was. *settled: the states are of an
   earlier version and leave nothing to choose: nothing is done (gpri_choice_settle). */
gpr_status gpri_choose_and_train(gpri_preparation *prepared, gpr_model **model, gpr_result **result,
                                 const gpr_params *params, const gpr_train_options *options,
                                 bool *settled) GPRI_MUST_CHECK;

/* gpr_train, with a hook, and with nothing to choose. It trains some runs of a larger training: its run 0, with the
   seed of params, is run `first` of that one, and gets the same split. */
gpr_status gpri_train_watched(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                              const gpr_params *params, int64_t first, const gpri_run_hook *hook) GPRI_MUST_CHECK;

#endif
