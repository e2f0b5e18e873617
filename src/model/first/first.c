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

/* A prediction on its way. */
typedef struct {
    gpr_ctx *ctx;
    const gpr_model *model;
    const gpr_dataset *data;
    gpri_model_input input;
    gpri_features features; /* (nodes) filtered */
    gpri_graph none;        /* (rows) of the net, without edges */
    gpri_net *net;
} stage;

static void end(stage *s) {
    gpri_net_free(s->net);
    gpri_free(s->ctx, s->none.rowptr);
    gpri_free(s->ctx, s->features.dense);
    gpri_model_input_free(s->ctx, &s->input);
}

/* The hops, and a net for blocks of rows. */
static gpr_status begin(stage *s, gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data) {
    const int64_t nodes = data->graph.nodes, cols = model->features, ld = gpri_padded(cols);
    const int64_t rows = nodes < ROWS ? nodes : ROWS;
    const gpri_recipe recipe = gpri_recipe_of(model->params, model->classes);
    gpri_powers_source of = {.graph = &data->graph, .normalize = model->normalize, .hops = recipe.hops};
    gpr_status status = GPR_OK;
    *s = (stage){.ctx = ctx, .model = model, .data = data, .none = {.nodes = rows}};
    s->features = (gpri_features){.rows = rows, .cols = cols, .ld = ld};
    if (ctx->device != ctx->cpu)
        THROW(GPR_ERROR_ARGUMENT, "`order` filter-first is computed on the CPU: give `device` cpu");
    TRY(gpri_model_table(ctx, &s->input, &of.table, model, data));
    TRY(gpri_first_panel(&of.panel, data, cols, (double)nodes * (double)ld * sizeof(gpri_real)));
    TRY(gpri_alloc(ctx, &s->features.dense, nodes * ld, sizeof *s->features.dense, "filtered features"));
    TRY(gpri_powers_sum(ctx, s->features.dense, &of, gpr_model_gamma(model, NULL)));
    TRY(gpri_calloc(ctx, &s->none.rowptr, rows + 1, sizeof *s->none.rowptr, "graph"));
    TRY(gpri_model_net(ctx, &s->net, model->params, &recipe, &s->none, &s->features, ctx->threads, 0, false));
    TRY(gpri_model_put(model, s->net));
done:
    return status;
}

/* The scores of the rows [first, first + rows of the net). */
static gpr_status read_block(stage *s, int64_t first, int32_t *classes, float *proba, float *logits) {
    char where[GPRI_NODE_SIZE], why[GPRI_CAUSES_SIZE];
    gpri_net *net = s->net;
    int64_t node;
    gpr_status status = GPR_OK;
    net->features_view.dense = s->features.dense + first * s->features.ld;
    gpri_net_forward(net, GPRI_EVAL_STREAM);
    TRY(gpri_find_not_finite(net, &node));
    if (node >= 0) {
        gpri_name_node(where, s->data, first + node);
        gpri_name_causes(
            why,
            &(gpri_suspects){.data = s->data, .features = &s->features, .params = s->model->params, .model = s->model});
        THROW(GPR_ERROR_NUMERIC, "%s: scores are infinite or NaN%s: %s", s->data->name, where, why);
    }
    TRY(gpri_read_scores(net, s->model, classes, proba, logits));
done:
    return status;
}

/* The last block begins as far before the end as needed. */
static int64_t block_at(const stage *s, int64_t first) {
    const int64_t last = s->data->graph.nodes - s->none.nodes;
    return first < last ? first : last;
}

gpr_status gpri_first_predict(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *classes,
                              float *proba, float *logits) {
    const int64_t C = model->classes;
    stage s;
    gpr_status status = GPR_OK;
    TRY(begin(&s, ctx, model, data));
    for (int64_t first = 0; first < data->graph.nodes; first += s.none.nodes) {
        const int64_t at = block_at(&s, first);
        TRY(read_block(&s, at, classes ? classes + at : NULL, proba ? proba + at * C : NULL,
                       logits ? logits + at * C : NULL));
    }
done:
    end(&s);
    return status;
}

gpr_status gpri_first_stream(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, bool with_proba,
                             gpri_predicted_fn take, void *arg) {
    const int64_t C = model->classes;
    int32_t *classes = NULL;
    float *proba = NULL;
    stage s;
    gpr_status status = GPR_OK;
    TRY(begin(&s, ctx, model, data));
    const int64_t rows = s.none.nodes;
    TRY(gpri_alloc(ctx, &classes, rows, sizeof *classes, "predicted classes"));
    if (with_proba) TRY(gpri_alloc(ctx, &proba, rows * C, sizeof *proba, "probabilities"));
    for (int64_t first = 0; first < data->graph.nodes; first += rows) {
        const int64_t at = block_at(&s, first), skip = first - at;
        TRY(read_block(&s, at, classes, proba, NULL));
        TRY(take(arg, first, rows - skip, classes + skip, proba ? proba + skip * C : NULL));
    }
done:
    gpri_free(ctx, classes);
    gpri_free(ctx, proba);
    end(&s);
    return status;
}
