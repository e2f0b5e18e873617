/* Counts what an epoch costs, and fits the candidates into a budget. */
#include "train/candidates/afford.h"

#include <stdio.h>
#include <string.h>

#include "data/defaults.h"
#include "model/filter.h"

/* A number that a hop adds, and one that goes through dropout, ReLU and the like; beside numbers there is the arc.
   Taken from processor times of whole epochs, of four models on six graphs. */
static const double per_hop_number = 1.5, arc_numbers = 4, per_element = 18, per_cell = 16, per_epoch = 1e6;

static double stored(const gpri_feature_matrix *x) {
    return x->dense ? (double)x->rows * (double)x->cols : x->rowptr ? (double)x->rowptr[x->rows] : 0;
}

double gpri_epoch_units(const gpr_dataset *data, const gpr_params *settled) {
    const double nodes = (double)data->graph.nodes, arcs = (double)data->graph.arcs + nodes,
                 hidden = (double)gpri_params_int(settled, GPRI_PARAM_HIDDEN),
                 classes = (double)gpri_padded(data->target.classes),
                 hop = per_hop_number * arcs * (classes + arc_numbers),
                 wide_hop = per_hop_number * arcs * (hidden + arc_numbers), layer = per_element * nodes * hidden,
                 input = stored(&data->features) * hidden + layer, output = nodes * hidden * classes;
    gpri_filter_form form;
    if (gpri_filter_form_of(&form, settled) != GPR_OK) return 0; /* told when it is trained */
    const double hops = (double)form.hops * form.count, layers = (double)gpri_params_int(settled, GPRI_PARAM_LAYERS);
    switch (gpri_params_value(settled, GPRI_PARAM_MODEL)) {
    case GPRI_MODEL_GPRGNN:
        return per_epoch + input + output + hops * hop * (form.columns ? 1.5 : 1) +
               (layers > 2 ? (layers - 2) * (nodes * hidden * hidden + layer) : 0);
    case GPRI_MODEL_GPRDEEP:
        return per_epoch + input + output +
               layers * (nodes * hidden * hidden * (1 + form.count) + hops * wide_hop + layer);
    case GPRI_MODEL_TREES: { /* a round: all rows and columns, and their neighbours', in each level of each tree */
        const double columns = (double)data->features.cols,
                     most = (double)gpri_params_int(settled, GPRI_PARAM_MOST_COLUMNS);
        return per_epoch + per_cell * nodes * (4 * (columns < most ? columns : most) + 4 * classes) *
                               (double)gpri_params_int(settled, GPRI_PARAM_DEPTH) *
                               (data->target.classes == 2 ? 1 : (double)data->target.classes);
    }
    default: return per_epoch + 2 * (input + output) + wide_hop + hop; /* sage */
    }
}

static void leave_out(gpri_candidate_list *list, int number) {
    list->count--;
    for (int i = number; i < list->count; i++) {
        list->which[i] = list->which[i + 1];
        memcpy(list->names[i], list->names[i + 1], sizeof list->names[i]);
    }
}

static gpr_status measure(gpr_ctx *ctx, double *units, int which, const gpr_dataset *data, const gpr_params *params) {
    gpr_params *settled = NULL;
    gpr_status status = gpri_params_copy(ctx, &settled, params);
    if (status == GPR_OK) status = gpri_candidate_settle(settled, params, &gpri_candidates[which]);
    if (status == GPR_OK)
        *units = gpri_epoch_units(data, settled) * (double)gpri_params_int(settled, GPRI_PARAM_EPOCHS) /
                 (double)gpri_params_int(params, GPRI_PARAM_EPOCHS);
    gpr_params_free(settled);
    return status;
}

bool gpri_choice_is_over(const gpri_choice_plan *plan, double seconds) {
    return plan->budget > 0 && seconds > GPRI_BUDGET_CUT * plan->budget;
}

gpr_status gpri_choice_set_epochs(gpr_params *settled, const gpri_choice_plan *plan) {
    char text[32];
    if (!plan->models || plan->epochs >= plan->asked) return GPR_OK;
    const double own = (double)gpri_params_int(settled, GPRI_PARAM_EPOCHS);
    const int64_t epochs = (int64_t)(own * (double)plan->epochs / (double)plan->asked);
    snprintf(text, sizeof text, "%lld", epochs > 0 ? (long long)epochs : 1LL);
    return gpri_params_set_from(settled, GPRI_FROM_FLAG, "epochs", text);
}

gpr_status gpri_choice_make_plan(gpr_ctx *ctx, gpri_choice_plan *out, gpri_candidate_list *list,
                                 const gpr_dataset *data, const gpr_params *params) {
    double units[GPRI_MOST_CANDIDATES] = {0};
    const int64_t most = gpri_params_int(params, GPRI_PARAM_EPOCHS);
    const bool refits = !gpri_params_is(params, GPRI_REFIT_NO) && !gpri_is_published(data);
    *out = (gpri_choice_plan){.models = gpri_params_is(params, GPRI_MODEL_AUTO), .asked = most};
    if (!out->models) return GPR_OK;
    out->budget = gpri_params_budget(params);
    for (int i = 0; i < list->count; i++) NEED(measure(ctx, &units[i], list->which[i], data, params));
    for (;;) {
        double all = 0;
        int dearest = 0;
        for (int i = 0; i < list->count; i++) {
            all += units[i];
            if (units[i] >= units[dearest]) dearest = i;
        }
        if (refits) all += units[dearest]; /* whichever is chosen */
        const double room = out->budget * GPRI_UNITS_PER_SECOND / all;
        out->epochs = out->budget > 0 && room < (double)most ? (int64_t)room : most;
        const int64_t least = list->count > 1 ? GPRI_LEAST_EPOCHS : GPRI_FEWEST_EPOCHS;
        const bool few = out->epochs < most && out->epochs < least;
        if (few && list->count == 1) out->epochs = least < most ? least : most;
        out->seconds = (double)out->epochs * all / GPRI_UNITS_PER_SECOND;
        if (!few || list->count == 1) return GPR_OK;
        out->left_out[out->left_out_count++] = list->which[dearest];
        leave_out(list, dearest);
        memmove(&units[dearest], &units[dearest + 1], (size_t)(list->count - dearest) * sizeof *units);
    }
}
