/* Z = f(S) with S = sum_k gamma_k A~^k X: the hops for all nodes, then the network on blocks of rows. */
#include "model/first/first.h"

#include "base/budget.h"
#include "model/cause.h"
#include "model/input.h"
#include "tensor/powers.h"

enum { ROWS = 1 << 16 }; /* that the network sees at a time */

gpr_status gpri_first_refuse(const gpr_model *model, const char *what) {
    if (!gpri_model_filter_first(model->params)) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT,
                     "the model was trained with `order` filter-first: %s is for the order network-first alone", what);
}

gpr_status gpri_first_panel(int64_t *panel, const gpr_dataset *data, int64_t cols, double more) {
    const int64_t nodes = data->graph.nodes;
    const double allowed = (double)gpri_budget_of(data->memory);
    char size[GPRI_SIZE_TEXT], most[GPRI_SIZE_TEXT];
    *panel = gpri_powers_panel(nodes, cols, allowed > 0 ? allowed - more : (double)INT64_MAX);
    if (*panel > 0) return GPR_OK;
    return gpri_fail(GPR_ERROR_MEMORY,
                     "the hops of the features over %lld nodes take %s of memory or more, and may take %s; give "
                     "`memory` if the machine has more",
                     (long long)nodes, gpri_size_text(size, gpri_powers_memory(nodes, 4) + more),
                     gpri_size_text(most, allowed));
}

/* The scores of the rows [first, first + rows of the net). */
static gpr_status read_block(gpri_net *net, const gpr_model *model, const gpr_dataset *data,
                             const gpri_features *features, int64_t first, int32_t *classes, float *proba,
                             float *logits) {
    char where[GPRI_NODE_SIZE], why[GPRI_CAUSES_SIZE];
    const int64_t C = model->classes;
    int64_t node;
    gpr_status status = GPR_OK;
    net->features_view.dense = features->dense + first * features->ld;
    gpri_net_forward(net, GPRI_EVAL_STREAM);
    TRY(gpri_find_not_finite(net, &node));
    if (node >= 0) {
        gpri_name_node(where, data, first + node);
        gpri_name_causes(why,
                         &(gpri_suspects){.data = data, .features = features, .params = model->params, .model = model});
        THROW(GPR_ERROR_NUMERIC, "%s: scores are infinite or NaN%s: %s", data->name, where, why);
    }
    TRY(gpri_read_scores(net, model, classes ? classes + first : NULL, proba ? proba + first * C : NULL,
                         logits ? logits + first * C : NULL));
done:
    return status;
}

gpr_status gpri_first_predict(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *classes,
                              float *proba, float *logits) {
    const int64_t nodes = data->graph.nodes, cols = model->features, ld = gpri_padded(cols);
    const int64_t rows = nodes < ROWS ? nodes : ROWS;
    const gpri_recipe recipe = gpri_recipe_of(model->params, model->classes);
    gpri_powers_source of = {.graph = &data->graph, .normalize = model->normalize, .hops = recipe.hops};
    gpri_features features = {.rows = rows, .cols = cols, .ld = ld};
    gpri_graph none = {.nodes = rows};
    gpri_model_input input = {.features = {.rows = 0}};
    gpri_net *net = NULL;
    gpr_status status = GPR_OK;
    if (ctx->device != ctx->cpu)
        THROW(GPR_ERROR_ARGUMENT, "`order` filter-first is computed on the CPU: give `device` cpu");
    TRY(gpri_model_table(ctx, &input, &of.table, model, data));
    TRY(gpri_first_panel(&of.panel, data, cols, (double)nodes * (double)ld * sizeof(gpri_real)));
    TRY(gpri_alloc(ctx, &features.dense, nodes * ld, sizeof *features.dense, "filtered features"));
    TRY(gpri_powers_sum(ctx, features.dense, &of, gpr_model_gamma(model, NULL)));
    TRY(gpri_calloc(ctx, &none.rowptr, rows + 1, sizeof *none.rowptr, "graph"));
    TRY(gpri_model_net(ctx, &net, model->params, &recipe, &none, &features, ctx->threads, 0, false));
    TRY(gpri_model_put(model, net));
    for (int64_t first = 0; first < nodes; first += rows) /* the last block begins as far before the end as needed */
        TRY(read_block(net, model, data, &features, first + rows <= nodes ? first : nodes - rows, classes, proba,
                       logits));
done:
    gpri_net_free(net);
    gpri_free(ctx, none.rowptr);
    gpri_free(ctx, features.dense);
    gpri_model_input_free(ctx, &input);
    return status;
}
