/* Boosted trees on columns of the node, of its neighbours and of the graph (trees/columns.h), and on counts of known
 * labels (tensor/label_counts.h): no network, and nothing is learned by gradients. */
#include "model/model.h"

#include <math.h>
#include <stdio.h>

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
                              .count_columns = counts_of(params, classes)};
}

gpri_act *gpri_build_trees(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    const int64_t columns = x->features->given ? x->features->given : x->features->cols;
    gpri_forest_form form = recipe->trees;
    form.plan = gpri_tree_plan_of(columns, form.most_columns, form.plan.relations);
    form.counts = recipe->counts;
    return gpri_forest_scores(net, x, recipe->classes, &form);
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
    const int64_t columns = gpri_tree_plan_columns(&plan) + counts_of(model->params, model->classes);
    NEED(gpri_tree_plan_check(&plan, kept->values));
    for (int64_t t = 0; t < split->rows; t++)
        NEED(gpri_tree_check(split->values + t * split->cols, gpri_params_int(model->params, GPRI_PARAM_DEPTH), columns,
                             t));
    return GPR_OK;
}
