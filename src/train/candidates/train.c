/* gpr_train, gpr_train_splits, gpr_train_resume, gpr_train_with: they choose among candidates where an option is
 * `auto`, and train. */
#include "base/struct.h"
#include "data/defaults.h"
#include "train/candidates/candidates.h"
#include "train/candidates/choose.h"
#include "train/preparation/task.h"
#include "train/processes/processes.h"

/* part: of a larger training, which has chosen; NULL: it is all of it. */
static gpr_status train(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                        const gpr_params *params, const gpr_train_options *options, const gpri_attempt *part) {
    gpri_preparation prepared = {.ctx = ctx, .data = data};
    const gpri_attempt whole = {.again = false};
    gpr_params *meant = NULL, *open = NULL, *settled = NULL;
    bool left = true;
    gpr_status status = GPR_OK;
    TRY(gpri_task_settle(ctx, &meant, data, params));
    TRY(gpri_candidates_for(ctx, &open, data, meant));
    if (!part && gpri_choice_open(data, open))
        TRY(gpri_choose_and_train(&prepared, model, result, open, options, &left));
    if (!left) goto done;
    TRY(gpri_choice_settle(ctx, &settled, data, open, options));
    status = gpri_training(&prepared, model, result, settled, options, part ? part : &whole);
done:
    gpr_params_free(meant);
    gpr_params_free(open);
    gpr_params_free(settled);
    gpri_preparation_forget(&prepared);
    return status;
}

static gpr_status check_options(const gpr_train_options *options) {
    if (options->splits && options->split_count < 1)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_train: %lld splits: there must be at least one",
                         (long long)options->split_count);
    if (options->state_count < 0 || (options->state_count > 0 && !options->states))
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_train: states are NULL, or less than 0");
    if (!(options->save_every >= 0))
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_train: save_every is %g: it must be 0 or more", options->save_every);
    return GPR_OK;
}

/* Of all public functions: checks the arguments of `call`. */
static gpr_status begin(const char *call, gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                        const gpr_params *params, const gpr_train_options *options) {
    if (model) *model = NULL;
    if (result) *result = NULL;
    if (!ctx || !model || !result || !data || !params)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s: a NULL argument", call);
    gpri_given given;
    gpr_status status = gpri_all_well(ctx, check_options(options));
    if (status == GPR_OK) status = gpri_processes_same(ctx, data, params, options);
    if (status != GPR_OK) return gpri_finish(status);
    status = gpri_processes_options(ctx, &given, options);
    options = &given.options;
    if (status == GPR_OK) status = gpri_all_well(ctx, gpri_defaults_look(ctx, data));
    if (status == GPR_OK) status = train(ctx, model, result, data, params, options, NULL);
    gpri_processes_free(ctx, &given);
    return gpri_finish(status);
}

gpr_status gpr_train(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                     const gpr_params *params) {
    return gpri_finish(begin("gpr_train", ctx, model, result, data, params, &(gpr_train_options){.struct_size = 0}));
}

gpr_status gpr_train_splits(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                            const gpr_params *params, const gpr_split *const *splits, int64_t count) {
    const gpr_train_options options = {.splits = splits, .split_count = count};
    return gpri_finish(begin("gpr_train_splits", splits ? ctx : NULL, model, result, data, params, &options));
}

gpr_status gpr_train_resume(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                            const gpr_params *params, const void *state, size_t size) {
    const gpr_state whole = {.bytes = state, .size = size};
    const gpr_train_options options = {.states = &whole, .state_count = 1};
    return gpri_finish(begin("gpr_train_resume", state ? ctx : NULL, model, result, data, params, &options));
}

gpr_status gpr_train_with(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                          const gpr_params *params, const gpr_train_options *options) {
    gpr_train_options given = {.struct_size = sizeof given};
    if (model) *model = NULL;
    if (result) *result = NULL;
    gpr_status status =
        options ? GPRI_STRUCT_IN(&given, options, gpr_train_options, "gpr_train_with", "options") : GPR_OK;
    if (status != GPR_OK) return gpri_finish(status);
    return gpri_finish(begin("gpr_train_with", ctx, model, result, data, params, &given));
}

gpr_status gpri_train_watched(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                              const gpr_params *params, int64_t first, const gpri_run_hook *hook) {
    const gpr_train_options options = {.struct_size = 0};
    const gpri_attempt part = {.first = first, .hook = hook};
    *model = NULL;
    *result = NULL;
    if (gpri_params_is(params, GPRI_MODEL_AUTO))
        return gpri_fail(GPR_ERROR_ARGUMENT, "a study compares models itself: name them, in place of `model` auto");
    if (gpri_target_is_number(&data->target))
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "the target of %s is a number, and studies and searches are of classes so far: train each "
                         "setting with `runs`, and compare the results",
                         data->name);
    gpr_status status = gpri_defaults_look(ctx, data);
    return status == GPR_OK ? train(ctx, model, result, data, params, &options, &part) : status;
}
