/* A part of an inspection: which columns the trees of a model ask about, how often, and what that gained. */
#include "base/memory.h"
#include "spectral/inspection.h"
#include "spectral/rank.h"

static gpr_status fill_columns(gpr_inspection *out, const gpr_model *model, const gpri_ranked *ranked, int64_t asked,
                               const int64_t *questions) {
    double sum = 0;
    NEED(gpri_calloc(out->ctx, &out->columns, asked, sizeof *out->columns, "columns"));
    for (int64_t i = 0; i < asked; i++) sum += ranked[i].value;
    for (int64_t i = 0; i < asked; i++) {
        gpri_inspected_column *made = &out->columns[i];
        int64_t feature;
        (void)gpri_trees_column_name(made->name, &feature, model, ranked[i].node);
        made->info = (gpr_inspected_column){.struct_size = sizeof made->info,
                                            .name = made->name,
                                            .feature = feature,
                                            .questions = questions[ranked[i].node],
                                            .gain = ranked[i].value,
                                            .share = sum > 0 ? ranked[i].value / sum : 0};
    }
    out->info.asked_columns = asked;
    return GPR_OK;
}

gpr_status gpri_inspect_trees(gpr_inspection *out, const gpr_model *model) {
    const int64_t count = gpri_trees_column_count(model);
    gpr_status status = GPR_OK;
    double *gains = NULL;
    int64_t *questions = NULL, asked = 0;
    gpri_ranked *ranked = NULL;
    out->info.trees = gpri_model_tensor(model, GPRI_TREES_SPLIT)->rows;
    out->info.depth = gpri_params_int(model->params, GPRI_PARAM_DEPTH);
    TRY(gpri_calloc(out->ctx, &gains, count, sizeof *gains, "columns"));
    TRY(gpri_calloc(out->ctx, &questions, count, sizeof *questions, "columns"));
    TRY(gpri_alloc(out->ctx, &ranked, count, sizeof *ranked, "columns"));
    gpri_trees_gains(gains, questions, model);
    for (int64_t c = 0; c < count; c++)
        if (questions[c] > 0) ranked[asked++] = (gpri_ranked){gains[c], c};
    gpri_rank_first(ranked, asked, asked);
    TRY(fill_columns(out, model, ranked, asked, questions));
done:
    gpri_free_all(out->ctx, gains, questions, ranked);
    return status;
}
