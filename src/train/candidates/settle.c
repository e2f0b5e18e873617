/* Options of a training that chooses nothing, and whether there is something to choose. */
#include <string.h>

#include "data/defaults.h"
#include "model/filter.h"
#include "model/model.h"
#include "train/candidates/choose.h"
#include "train/candidates/recall.h"
#include "train/saved.h"
#include "train/smooth_choice.h"

gpr_status gpri_choice_settle(gpr_ctx *ctx, gpr_params **out, const gpr_dataset *data, const gpr_params *params,
                              const gpr_train_options *options) {
    gpr_status status = GPR_OK;
    char *text = NULL;
    TRY(gpri_params_copy(ctx, out, params));
    if (!gpri_is_published(data) || gpri_params_is(params, GPRI_MODEL_AUTO))
        TRY(gpri_candidate_settle(*out, params, &gpri_candidates[gpri_plain_candidate]));
    TRY(gpri_choice_none(options->states, options->state_count));
    TRY(gpri_filter_settle(*out, &data->graph));
    if (options->state_count == 0 || !gpri_candidates_open(params)) goto done;
    const gpri_candidate *most = &gpri_candidates[0]; /* it has all options that a choice may set */
    for (int i = 0; i < GPRI_CANDIDATE_SETTINGS && most->settings[i].value; i++) {
        const gpri_param option = most->settings[i].option;
        if (!gpri_candidate_may_set(params, option)) continue;
        TRY(gpri_saved_option(ctx, &text, &options->states[0], option));
        if (text) status = gpri_params_set_from(*out, GPRI_FROM_FLAG, gpri_param_word(option), text);
        if (status != GPR_OK) {
            gpri_fail_prefix(status, "the state is damaged");
            if (status == GPR_ERROR_ARGUMENT) status = GPR_ERROR_FORMAT;
            goto done;
        }
        gpri_free(ctx, text);
        text = NULL;
    }
done:
    gpri_free(ctx, text);
    if (status != GPR_OK) {
        gpr_params_free(*out);
        *out = NULL;
    }
    return status;
}

bool gpri_choice_open(const gpr_dataset *data, const gpr_params *params) {
    if (gpri_params_is(params, GPRI_MODEL_AUTO)) return true;
    if (gpri_params_applies(params, GPRI_PARAM_DIRECTION) && gpri_params_is(params, GPRI_DIRECTION_AUTO)) return true;
    return gpri_labels_may_help(data, params) && gpri_candidates_open(params);
}
