/* Boosted trees on columns of the node, of its neighbours and of the graph (trees/columns.h), and on counts of known
 * labels (tensor/label_counts.h): no network, and nothing is learned by gradients. */
#include "model/known.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tensor/label_counts.h"

/* Columns of counts of known labels. */
static int64_t counts_of(const gpr_params *params, int64_t classes) {
    return gpri_params_is(params, GPRI_LABEL_COUNTS_YES)
               ? gpri_label_count_columns(classes, gpri_filter_relations(params))
               : 0;
}

gpri_tree_plan gpri_trees_plan(const gpr_params *params, int64_t features) {
    return gpri_tree_plan_of(features, gpri_params_int(params, GPRI_PARAM_MOST_COLUMNS), gpri_filter_relations(params));
}

/* Which columns it keeps are numbers in the file, floats. */
enum { MOST_FEATURES = 1 << 24 };

gpri_forest_form gpri_trees_form(const gpr_params *params, int64_t classes, const gpri_tensor *split) {
    const int64_t groups = gpri_forest_groups(classes);
    return (gpri_forest_form){.rounds = split ? split->rows / groups : gpri_params_int(params, GPRI_PARAM_EPOCHS),
                              .groups = groups,
                              .depth = gpri_params_int(params, GPRI_PARAM_DEPTH),
                              .plan = gpri_trees_plan(params, 0),
                              .most_columns = gpri_params_int(params, GPRI_PARAM_MOST_COLUMNS),
                              .scores = gpri_stack_columns(params, classes),
                              .count_columns = counts_of(params, classes) + gpri_stack_columns(params, classes)};
}

gpri_act *gpri_build_trees(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    const int64_t columns = x->features->given ? x->features->given : x->features->cols;
    gpri_forest_form form = recipe->trees;
    form.plan = gpri_tree_plan_of(columns, form.most_columns, form.plan.relations);
    form.counts = recipe->counts;
    return gpri_forest_scores(net, x, recipe->classes, &form);
}

gpri_act *gpri_build_stack(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    return gpri_build_trees(net, x, recipe);
}

gpr_status gpri_trees_columns(gpr_ctx *ctx, gpri_features *out, const gpri_features *features, const gpr_params *params,
                              const gpri_graph *graph, const gpri_tensor *columns) {
    const gpri_tree_plan plan = gpri_trees_plan(params, features->cols);
    const gpri_graph *graphs[GPRI_MOST_RELATIONS];
    char size[GPRI_SIZE_TEXT], text[160] = "";
    int32_t *kept = NULL;
    gpr_status status = GPR_OK;
    gpri_filter_graphs(graphs, params, graph);
    if (features->cols > MOST_FEATURES)
        THROW(GPR_ERROR_ARGUMENT, "the model trees takes up to %d features, and there are %lld: give fewer `features`",
              MOST_FEATURES, (long long)features->cols);
    if (columns) TRY(gpri_alloc(ctx, &kept, plan.own, sizeof *kept, "columns"));
    for (int64_t k = 0; columns && k < plan.own; k++) kept[k] = (int32_t)columns->values[k];
    if (plan.own < plan.features)
        snprintf(text, sizeof text, ", the most frequent of %lld (`most-columns`)", (long long)plan.features);
    if (!columns)
        gpri_log(ctx, plan.own < plan.features ? GPR_LOG_NOTICE : GPR_LOG_INFO,
                 "trees: %lld columns of the features%s; with %s of the neighbours and the structure of the graph %lld "
                 "in all, which take %s",
                 (long long)plan.own, text, plan.kinds == 1 ? "means" : "means, maxima and minima",
                 (long long)gpri_tree_plan_columns(&plan),
                 gpri_size_text(size, (double)features->rows * (double)gpri_padded(gpri_tree_plan_columns(&plan)) *
                                          sizeof(gpri_real)));
    status = gpri_tree_columns(ctx, out, features, &plan, graphs, graph, kept);
done:
    gpri_free(ctx, kept);
    return status;
}

/* A row of the training is there three times: ours, and of each run XGBoost's, and sorted into bins of one byte or two.
 */
double gpri_trees_memory(const gpr_params *params, const gpr_dataset *data, int64_t at_once) {
    enum { BYTES_OF_TRAINING = 4 + 8 + 2 };
    const gpri_tree_plan plan = gpri_trees_plan(params, data->features.cols);
    return (double)data->graph.nodes * (double)gpri_tree_plan_columns(&plan) *
           ((double)sizeof(gpri_real) + (double)at_once * BYTES_OF_TRAINING);
}

gpr_status gpri_trees_check(const gpr_model *model, const gpri_tensor *split, const gpri_tensor *kept) {
    const gpri_tree_plan plan = gpri_trees_plan(model->params, model->features);
    const int64_t columns =
        gpri_tree_plan_columns(&plan) + gpri_trees_form(model->params, model->classes, NULL).count_columns;
    NEED(gpri_tree_plan_check(&plan, kept->values));
    for (int64_t t = 0; t < split->rows; t++)
        NEED(gpri_tree_check(split->values + t * split->cols, gpri_params_int(model->params, GPRI_PARAM_DEPTH), columns,
                             t));
    return GPR_OK;
}

/* ---- the network inside a stack: its options, and its scores as columns ---- */

static const char network_model[] = "gprgnn";

gpr_status gpri_stack_params(gpr_ctx *ctx, gpr_params **out, const gpr_params *params) {
    static const gpri_param own[] = {GPRI_PARAM_LR, GPRI_PARAM_WEIGHT_DECAY, GPRI_PARAM_PATIENCE};
    const int64_t rounds = gpri_params_int(params, GPRI_PARAM_EPOCHS);
    int64_t most = 0, usual = 1;
    char epochs[32];
    gpr_status status = GPR_OK;
    TRY(gpri_params_copy(ctx, out, params));
    TRY(gpri_params_set_from(*out, GPRI_FROM_FLAG, "model", network_model));
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) /* defaults of the stack, too */
        if (i != GPRI_PARAM_MODEL && gpri_params_applies(params, (gpri_param)i) &&
            gpri_params_applies(*out, (gpri_param)i))
            TRY(gpri_params_set_from(*out, GPRI_FROM_FLAG, gpri_param_word((gpri_param)i),
                                     gpri_params_text(params, (gpri_param)i)));
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        TRY(gpri_params_set_from(*out, GPRI_FROM_FLAG, gpri_param_word(own[i]),
                                 gpr_param_default((int)own[i], network_model)));
    (void)gpri_parse_int(gpr_param_default(GPRI_PARAM_EPOCHS, network_model), &most);
    (void)gpri_parse_int(gpr_param_default(GPRI_PARAM_EPOCHS, gpri_value_word(GPRI_MODEL_STACK)), &usual);
    snprintf(epochs, sizeof epochs, "%lld", (long long)((rounds * most + usual - 1) / usual));
    TRY(gpri_params_set_from(*out, GPRI_FROM_FLAG, "epochs", epochs));
done:
    if (status != GPR_OK) {
        gpr_params_free(*out);
        *out = NULL;
    }
    return status;
}

int64_t gpri_stack_columns(const gpr_params *params, int64_t classes) {
    return gpri_params_is(params, GPRI_MODEL_STACK) ? gpri_forest_groups(classes) : 0;
}

void gpri_stack_score(gpri_real *to, const gpri_real *z, int64_t classes) {
    double most = (double)z[0], sum = 0;
    if (gpri_forest_groups(classes) == 1) {
        to[0] = z[1] - z[0];
        return;
    }
    for (int64_t c = 1; c < classes; c++) most = fmax(most, (double)z[c]);
    for (int64_t c = 0; c < classes; c++) sum += exp((double)z[c] - most);
    for (int64_t c = 0; c < classes; c++) to[c] = (gpri_real)((double)z[c] - most - log(sum));
}

void gpri_stack_show(const gpri_knowledge *knowledge, int64_t all, int64_t classes, const gpri_real *scores,
                     int64_t nodes) {
    const int64_t columns = gpri_forest_groups(classes);
    for (int64_t i = 0; i < nodes; i++)
        memcpy(knowledge->counts + i * gpri_padded(all) + all - columns, scores + i * columns,
               (size_t)columns * sizeof *scores);
}

gpr_status gpri_stack_join(gpr_ctx *ctx, gpri_recipe *recipe, gpri_knowledge *knowledge, const gpri_real *scores,
                           int64_t nodes) {
    const int64_t all = recipe->trees.count_columns, counts = all - gpri_forest_groups(recipe->classes);
    const int64_t ld = gpri_padded(all), old = gpri_padded(counts);
    gpri_real *joined;
    NEED(gpri_calloc(ctx, &joined, nodes * ld, sizeof *joined, "scores of the network"));
    for (int64_t i = 0; knowledge->counts && i < nodes; i++)
        memcpy(joined + i * ld, knowledge->counts + i * old, (size_t)counts * sizeof *joined);
    gpri_free(ctx, knowledge->counts);
    recipe->counts = knowledge->counts = joined;
    if (scores) gpri_stack_show(knowledge, all, recipe->classes, scores, nodes);
    return GPR_OK;
}
