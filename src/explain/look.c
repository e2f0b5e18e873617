/* Scores of a node, as explanations read them: before smoothing. */
#include "explain/explanation.h"
#include "task/link.h"

gpr_status gpri_look_begin(gpr_ctx *ctx, const gpr_model *model) {
    if (gpri_smooths(&model->smoothing))
        gpri_log(ctx, GPR_LOG_WARNING,
                 "the predictions of this model are smoothed over the graph (`smooth`); what follows is about its "
                 "scores before that");
    if (!gpri_model_is(model->params, GPRI_MODEL_BY_ROWS)) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT, "the model was trained with `order` filter-first: this explanation is for the "
                                         "order network-first alone");
}

int64_t gpri_look_best(const gpri_pass *pass, int64_t node, int64_t besides) {
    const int64_t classes = pass->model->classes;
    const double *z = pass->z + node * classes;
    int64_t best = -1;
    for (int64_t c = 0; c < classes; c++)
        if (c != besides && (best < 0 || z[c] > z[best])) best = c;
    return best;
}

double gpri_look_log_probability(const gpri_pass *pass, int64_t node, int64_t class_id) {
    const int64_t classes = pass->model->classes;
    const double *z = pass->z + node * classes, scale = gpri_model_scale(pass->model);
    const gpri_link link = gpri_link_of_doubles(z, classes, scale);
    return gpri_log_probability(&link, z[class_id], scale);
}
