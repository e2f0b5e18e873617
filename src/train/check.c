/* gpr_params_check: checks of the options that do not need the data. */
#include "base/params.h"
#include "graph/order/order.h"
#include "io/split.h"

gpr_status gpr_params_check(const gpr_params *params) {
    if (!params) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_params_check: a NULL argument");
    gpr_status status = gpri_params_check_model(params);
    if (status == GPR_OK) status = gpri_split_check(gpri_params_text(params, GPRI_PARAM_SPLIT));
    gpri_order_wish wish;
    if (status == GPR_OK) status = gpri_order_parse(&wish, gpri_params_text(params, GPRI_PARAM_REORDER));
    return gpri_finish(status);
}
