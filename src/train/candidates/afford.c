/* Counts what an epoch costs, and fits the candidates into a budget. */
#include "train/candidates/afford.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/defaults.h"
#include "model/filter.h"
#include "model/model.h"
#include "train/candidates/rungs.h"
#include "train/stack.h"

/* A number that a hop adds, and one that goes through dropout, ReLU and the like; beside numbers there is the arc.
   Taken from processor times of whole epochs, of four models on six graphs. */
static const double per_hop_number = 1.5, arc_numbers = 4, per_element = 18, per_cell = 16, per_epoch = 1e6;

/* Epochs of a stack's network for a round of its trees. */
static double network_epochs(const gpr_params *settled) {
    gpr_params *network = NULL;
    double epochs = 0;
    if (gpri_stack_params(gpri_params_ctx(settled), &network, settled) == GPR_OK)
        epochs =
            (double)gpri_params_int(network, GPRI_PARAM_EPOCHS) / (double)gpri_params_int(settled, GPRI_PARAM_EPOCHS);
    gpr_params_free(network);
    return epochs;
}

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
    const double gprgnn = per_epoch + input + output + hops * hop * (form.columns ? 1.5 : 1) +
                          (layers > 2 ? (layers - 2) * (nodes * hidden * hidden + layer) : 0);
    const gpri_value model = gpri_params_value(settled, GPRI_PARAM_MODEL);
    switch (model) {
    case GPRI_MODEL_GPRGNN: return gprgnn;
    case GPRI_MODEL_GPRDEEP:
        return per_epoch + input + output +
               layers * (nodes * hidden * hidden * (1 + form.count) + hops * wide_hop + layer);
    case GPRI_MODEL_STACK:
    case GPRI_MODEL_TREES: { /* a round: all rows and columns, and their neighbours', in each level of each tree */
        const double columns = (double)data->features.cols,
                     most = (double)gpri_params_int(settled, GPRI_PARAM_MOST_COLUMNS);
        const double round = per_epoch + per_cell * nodes * (4 * (columns < most ? columns : most) + 4 * classes) *
                                             (double)gpri_params_int(settled, GPRI_PARAM_DEPTH) *
                                             (data->target.classes == 2 ? 1 : (double)data->target.classes);
        return round + (model == GPRI_MODEL_STACK ? GPRI_STACK_NETWORKS * network_epochs(settled) * gprgnn : 0);
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
    if (status == GPR_OK && gpri_model_is(settled, GPRI_MODEL_FOREST)) *units = -*units;
    gpr_params_free(settled);
    return status;
}

bool gpri_choice_is_over(const gpri_choice_plan *plan, double seconds) {
    return plan->budget > 0 && seconds > GPRI_BUDGET_CUT * plan->budget;
}

gpr_status gpri_choice_set_epochs(gpr_params *settled, const gpri_choice_plan *plan, int64_t until) {
    char text[32];
    if (!plan->models || until >= plan->asked) return GPR_OK;
    const double own = (double)gpri_params_int(settled, GPRI_PARAM_EPOCHS);
    const int64_t epochs = (int64_t)(own * (double)until / (double)plan->asked);
    snprintf(text, sizeof text, "%lld", epochs > 0 ? (long long)epochs : 1LL);
    return gpri_params_set_from(settled, GPRI_FROM_FLAG, "epochs", text);
}

/* Where two rungs would have equally many candidates, or the first has all epochs, they are one. */
static void make_rungs(gpri_choice_plan *plan, int count) {
    const int half = (count + 1) / 2;
    plan->rungs = 0;
    if (count > 2 && plan->asked > GPRI_FIRST_EPOCHS) {
        plan->places[plan->rungs] = count;
        plan->until[plan->rungs++] = GPRI_FIRST_EPOCHS;
    }
    if (half > 2 && plan->asked > 2 * GPRI_FIRST_EPOCHS) {
        plan->places[plan->rungs] = half;
        plan->until[plan->rungs++] = 2 * GPRI_FIRST_EPOCHS;
    }
    plan->places[plan->rungs] = plan->rungs > 0 ? 2 : count;
    plan->until[plan->rungs++] = plan->asked;
}

/* What all takes: `fixed` units, and `each` for every epoch of the last rung. */
typedef struct cost {
    double fixed, each;
} cost;

/* units: (count) of an epoch of those in the rung, less than 0 of those that have all their epochs in the first one. */
static void add_rung(cost *to, const gpri_choice_plan *plan, int rung, const double *units, int count) {
    double sum = 0, whole = 0, most = 0;
    for (int i = 0; i < count; i++) {
        if (units[i] < 0) whole -= units[i];
        else sum += units[i];
        if (fabs(units[i]) > most) most = fabs(units[i]);
    }
    const double before = rung > 0 ? (double)plan->until[rung - 1] : 0;
    if (rung == 0) to->each += whole;
    if (rung + 1 < plan->rungs) {
        to->fixed += sum * ((double)plan->until[rung] - before);
    } else {
        to->fixed -= sum * before;
        to->each += sum + (plan->refits ? most : 0); /* whichever is chosen */
    }
}

/* Epochs of the last rung that there is room for. */
static int64_t room_for(const gpri_choice_plan *plan, cost all) {
    if (plan->budget == 0) return plan->asked;
    const double room = (plan->budget * GPRI_UNITS_PER_SECOND - all.fixed) / all.each;
    return room < (double)plan->asked ? room > 0 ? (int64_t)room : 0 : plan->asked;
}

int64_t gpri_choice_until(const gpri_choice *choice, int number, int rung) {
    const gpri_choice_plan *plan = &choice->plan;
    const int64_t sure = plan->until[plan->rungs - 1];
    cost all = {0, 0};
    if (plan->units[number] < 0 || plan->rungs == 1) return sure;
    if (rung + 1 < plan->rungs) return plan->until[rung];
    for (int r = 0; r < plan->rungs; r++) {
        double units[GPRI_MOST_CANDIDATES];
        bool in[GPRI_MOST_CANDIDATES];
        int count = 0;
        gpri_rung_members(choice, r, in);
        for (int i = 0; i < choice->count; i++)
            if (in[i]) units[count++] = plan->units[i];
        add_rung(&all, plan, r, units, count);
    }
    const int64_t found = room_for(plan, all);
    return found > sure ? found : sure;
}

static int descending(const void *a, const void *b) {
    const double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return (x < y) - (x > y);
}

/* If those go on that are the most expensive. */
static cost most_of(const gpri_choice_plan *plan, const double *units, int count) {
    double sorted[GPRI_MOST_CANDIDATES];
    cost all = {0, 0};
    memcpy(sorted, units, (size_t)count * sizeof *units);
    qsort(sorted, (size_t)count, sizeof *sorted, descending);
    for (int r = 0; r < plan->rungs; r++) add_rung(&all, plan, r, sorted, plan->places[r]);
    return all;
}

gpr_status gpri_choice_make_plan(gpr_ctx *ctx, gpri_choice_plan *out, gpri_candidate_list *list,
                                 const gpr_dataset *data, const gpr_params *params) {
    double *units = out->units;
    const int64_t most = gpri_params_int(params, GPRI_PARAM_EPOCHS);
    *out = (gpri_choice_plan){.models = gpri_params_is(params, GPRI_MODEL_AUTO),
                              .rungs = 1,
                              .places = {list->count},
                              .until = {most},
                              .asked = most,
                              .refits = !gpri_params_is(params, GPRI_REFIT_NO) && !gpri_is_published(data)};
    if (!out->models) return GPR_OK;
    out->budget = gpri_params_budget(params);
    for (int i = 0; i < list->count; i++) NEED(measure(ctx, &units[i], list->which[i], data, params));
    for (;;) {
        int dearest = 0;
        for (int i = 0; i < list->count; i++)
            if (fabs(units[i]) >= fabs(units[dearest])) dearest = i;
        make_rungs(out, list->count);
        const cost all = most_of(out, units, list->count);
        int64_t *last = &out->until[out->rungs - 1];
        *last = room_for(out, all);
        const int64_t least = list->count > 1 ? GPRI_LEAST_EPOCHS : GPRI_FEWEST_EPOCHS;
        const bool few = *last < most && *last < least;
        if (few && list->count == 1) *last = least < most ? least : most;
        out->seconds = (all.fixed + (double)*last * all.each) / GPRI_UNITS_PER_SECOND;
        if (!few || list->count == 1) return GPR_OK;
        out->left_out[out->left_out_count++] = list->which[dearest];
        leave_out(list, dearest);
        memmove(&units[dearest], &units[dearest + 1], (size_t)(list->count - dearest) * sizeof *units);
    }
}
