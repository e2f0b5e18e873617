/* Options and targets by the task: what a number has not, and the unit that it is learned in. */
#include "train/preparation/task.h"

#include <string.h>

#include "dist/all.h"
#include "tensor/device.h"

/* Options whose word `auto` means no for a number. */
static const gpri_param switches[] = {GPRI_PARAM_LABEL_INPUT, GPRI_PARAM_LABEL_COUNTS, GPRI_PARAM_SMOOTH,
                                      GPRI_PARAM_CALIBRATE};
enum { SWITCHES = sizeof switches / sizeof *switches };

/* Values that a number has not, and what to do. */
static const struct {
    gpri_value value;
    const char *remedy;
} lacks[] = {{GPRI_MODEL_AUTO, "the choice among models is of classes so far: name a model, such as gprgnn"},
             {GPRI_MODEL_TREES, "trees tell classes so far: name another model, such as gprgnn"},
             {GPRI_MODEL_STACK, "stack tells classes so far: name another model, such as gprgnn"},
             {GPRI_LABEL_INPUT_YES, "known numbers are no input yet: leave it out"},
             {GPRI_LABEL_COUNTS_YES, "known numbers of neighbours are no input yet: leave it out"},
             {GPRI_SMOOTH_YES, "errors of numbers are not spread over the graph yet: leave it out"},
             {GPRI_CALIBRATE_YES, "a number has no probability to calibrate: leave it out"},
             {GPRI_CLASS_WEIGHT_BALANCED, "a number has no classes: weigh nodes by `sample-weight`"}};

static gpr_status refuse(const gpr_dataset *data, gpri_param option, const char *value, const char *remedy) {
    return gpri_fail(GPR_ERROR_ARGUMENT, "`%s` is %s, and the target of %s is a number: %s", gpri_param_word(option),
                     value, data->name, remedy);
}

static gpr_status check_machine(gpr_ctx *ctx, const gpr_dataset *data) {
    if (ctx->job.device != ctx->job.cpu)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "the target of %s is a number, which is learned on the CPU so far: give `device` cpu",
                         data->name);
    if (gpri_process_count(ctx) > 1)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "the target of %s is a number, which one process learns so far: start gprgnn without a "
                         "launcher such as mpirun",
                         data->name);
    return GPR_OK;
}

static gpr_status settle_number(gpr_ctx *ctx, gpr_params *params, const gpr_dataset *data) {
    gpri_error_form error;
    NEED(check_machine(ctx, data));
    if (gpri_params_is(params, GPRI_MODEL_AUTO) && !gpri_params_asked(params, GPRI_PARAM_MODEL))
        NEED(gpri_params_settle(params, GPRI_PARAM_MODEL, "gprgnn"));
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
        if (gpri_params_is(params, lacks[i].value))
            return refuse(data, gpri_value_param(lacks[i].value), gpri_value_word(lacks[i].value), lacks[i].remedy);
    if (!gpri_params_is(params, GPRI_CLASS_WEIGHT_NONE))
        return refuse(data, GPRI_PARAM_CLASS_WEIGHT, "a file",
                      "a number has no classes: weigh nodes by `sample-weight`");
    for (int i = 0; i < SWITCHES; i++)
        if (gpri_params_applies(params, switches[i])) NEED(gpri_params_settle(params, switches[i], "no"));
    NEED(gpri_error_form_parse(&error, gpri_params_text(params, GPRI_PARAM_LOSS)));
    /* half of the one column of scores would be dropped before the filter: noise */
    if (gpri_params_applies(params, GPRI_PARAM_DPRATE) && !gpri_params_asked(params, GPRI_PARAM_DPRATE))
        NEED(gpri_params_settle(params, GPRI_PARAM_DPRATE, "0"));
    /* from here on it tells whoever has the options alone that the target is a number */
    return gpri_params_is(params, GPRI_LOSS_AUTO) ? gpri_params_settle(params, GPRI_PARAM_LOSS, "squared") : GPR_OK;
}

/* That the target is what the caller says, and the metric one of it. */
static gpr_status check_task(const gpr_params *params, const gpr_dataset *data) {
    const bool number = gpri_target_is_number(&data->target);
    const gpri_measure metric = gpri_measure_chosen(gpri_params_text(params, GPRI_PARAM_METRIC));
    if (!number && !gpri_params_is(params, GPRI_LOSS_AUTO))
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`loss` is %s, of numbers, and the labels of %s are classes: leave it out, or give `task` "
                         "number",
                         gpri_params_text(params, GPRI_PARAM_LOSS), data->name);
    if (!gpri_is_loss(metric) && !gpri_measure_suits(metric, number))
        return gpri_fail(GPR_ERROR_ARGUMENT, "`metric` is %s, and the target of %s is a %s: give %s, or loss",
                         gpri_params_text(params, GPRI_PARAM_METRIC), data->name, number ? "number" : "class",
                         number ? "r2, rmse or mae"
                                : "accuracy, balanced_accuracy, macro_f1, auc or average_precision");
    return GPR_OK;
}

gpr_status gpri_task_settle(gpr_ctx *ctx, gpr_params **out, const gpr_dataset *data, const gpr_params *params) {
    gpr_status status = GPR_OK;
    TRY(gpri_params_copy(ctx, out, params));
    TRY(check_task(*out, data));
    if (gpri_target_is_number(&data->target)) TRY(settle_number(ctx, *out, data));
done:
    if (status != GPR_OK) {
        gpr_params_free(*out);
        *out = NULL;
    }
    return status;
}

gpr_status gpri_numbers_in_unit(gpr_ctx *ctx, gpri_real **out, gpri_unit *unit, const gpr_dataset *data,
                                const gpr_split *split) {
    const float *numbers = data->target.numbers;
    *out = NULL;
    *unit = (gpri_unit){0, 0};
    if (!numbers) return GPR_OK;
    *unit = gpri_unit_of(numbers, split->part, GPR_TRAIN, split->nodes);
    if (!(unit->scale > 0))
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "the target of %s is %g for all training nodes: there is nothing to learn; give another "
                         "`split`",
                         data->name, unit->mean);
    NEED(gpri_calloc(ctx, out, split->nodes, sizeof **out, "targets"));
    for (int64_t i = 0; i < split->nodes; i++)
        if (gpri_target_known(&data->target, i))
            (*out)[i] = (gpri_real)(((double)numbers[i] - unit->mean) / unit->scale);
    return GPR_OK;
}
