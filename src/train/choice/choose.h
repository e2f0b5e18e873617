/* The choice among the program's own methods. Where an option is `auto`, its candidates are trained one after the
 * other, with the same split and seed, and the validation nodes decide. */
#ifndef GPRI_CHOOSE_H
#define GPRI_CHOOSE_H

#include "train/result.h"

/* A training with these options, none of them `auto`. */
typedef gpr_status (*gpri_train_fn)(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                                    const gpr_params *params, const gpr_train_options *options,
                                    const gpri_attempt *attempt);

/* *out: a copy of the options for a training that chooses nothing: of tables, an option that is `auto` gets what a
   state that goes on has, or else what the last candidate has, which uses no labels; of other data it stays, and means
   the same. Free with gpr_params_free. */
gpr_status gpri_choice_settle(gpr_ctx *ctx, gpr_params **out, const gpr_dataset *data, const gpr_params *params,
                              const gpr_train_options *options) GPRI_MUST_CHECK;

/* Whether there is something to choose: an option is `auto`, the data are a user's tables, and no state goes on. */
bool gpri_choice_open(const gpr_dataset *data, const gpr_params *params, const gpr_train_options *options);

/* Chooses by the first run, and trains all runs so. result->choice says what was chosen. A candidate that is stopped by
   the caller is the result, as far as it came. */
gpr_status gpri_choose_and_train(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                                 const gpr_params *params, const gpr_train_options *options,
                                 gpri_train_fn train) GPRI_MUST_CHECK;

#endif
