/* The preparation of a training: the order of the nodes, the features, hashes of what files give. */
#include "train/preparation/preparation.h"

#include <string.h>

#include "data/defaults.h"
#include "file/checksum.h"
#include "graph/sides.h"
#include "model/model.h"
#include "tensor/prepare.h"
#include "train/preparation/weigh.h"

/* Options that splits, the order and the scaled features come from: of these all trainings have the same. */
static const gpri_param of_data[] = {GPRI_PARAM_SPLIT, GPRI_PARAM_SEED, GPRI_PARAM_NORMALIZE, GPRI_PARAM_REORDER};
enum { OF_DATA = sizeof of_data / sizeof *of_data };

/* Options that are read by each training itself: candidates may differ in them. Of the others the model's own features
   may be another's too. */
static bool is_read_later(const gpr_params *params, gpri_param option) {
    if (option == GPRI_PARAM_LABEL_INPUT) return !gpri_model_steps_first(params); /* which labels would go along */
    return option == GPRI_PARAM_LABEL_COUNTS || option == GPRI_PARAM_DROPOUT || option == GPRI_PARAM_DPRATE ||
           option == GPRI_PARAM_EPOCHS;
}

static bool is_same(const gpr_params *a, const gpr_params *b, gpri_param option) {
    return strcmp(gpri_params_text(a, option), gpri_params_text(b, option)) == 0;
}

/* The data, for any model. */
static bool suits(const gpri_preparation *from, const gpr_params *params, int64_t runs, gpri_dealt dealt) {
    const gpri_dealt had = from->dealt;
    if (!from->params || from->rows || gpri_model_is(params, GPRI_MODEL_BY_ROWS) || from->runs != runs ||
        had.spread != dealt.spread || had.part != dealt.part || had.rows.first != dealt.rows.first ||
        had.rows.end != dealt.rows.end)
        return false;
    for (int i = 0; i < OF_DATA; i++)
        if (!is_same(from->params, params, of_data[i])) return false;
    return true;
}

/* What a model makes of the scaled features, too. Most make nothing. */
static bool suits_model(const gpri_preparation *from, const gpr_params *params) {
    bool same = true;
    for (int i = 0; i < GPRI_PARAM_COUNT; i++)
        same &= is_read_later(params, (gpri_param)i) || is_same(from->params, params, (gpri_param)i);
    return same || (from->plain && gpri_model_leaves_features(params));
}

static void forget_network(gpri_preparation *from) {
    if (from->network) gpri_preparation_forget(from->network);
    gpri_free(from->ctx, from->network);
    from->network = NULL;
}

gpr_status gpri_preparation_suit(gpri_preparation *from, const gpr_params *params, int64_t runs, gpri_dealt dealt) {
    if (suits(from, params, runs, dealt)) {
        if (!suits_model(from, params)) {
            gpri_features_free(from->ctx, &from->features);
            forget_network(from);
            from->features_made = false;
        }
        gpr_params_free(from->params);
        return gpri_params_copy(from->ctx, &from->params, params);
    }
    gpri_preparation_forget(from);
    from->runs = runs;
    from->dealt = dealt;
    NEED(gpri_calloc(from->ctx, &from->splits, runs, sizeof *from->splits, "splits"));
    return gpri_params_copy(from->ctx, &from->params, params);
}

void gpri_preparation_forget(gpri_preparation *from) {
    gpr_ctx *ctx = from->ctx;
    gpr_params_free(from->params);
    for (int64_t run = 0; from->splits && run < from->runs; run++) gpr_split_free(from->splits[run]);
    gpri_free(ctx, from->splits);
    gpri_past_free(from->past);
    gpri_features_free(ctx, &from->features);
    gpri_labelled_free(from->rows);
    gpri_scaling_free(ctx, &from->scaling);
    gpri_feature_matrix_free(ctx, &from->scaled);
    gpri_free(ctx, from->order);
    gpr_dataset_free(from->ordered);
    forget_network(from);
    *from = (gpri_preparation){.ctx = ctx, .data = from->data};
}

/* ---- what is made ---- */

/* The data in the order that the option `reorder` asks for. The splits are drawn before, so they have the same nodes.
 */
static gpr_status reorder(gpri_preparation *from) {
    gpr_ctx *ctx = from->ctx;
    gpri_order_wish wish;
    NEED(gpri_order_parse(&wish, gpri_params_text(from->params, GPRI_PARAM_REORDER)));
    if (wish.method == GPRI_ORDER_NONE) return GPR_OK;
    const bool spreads = gpri_spreads_rows(ctx);
    if (spreads || gpri_model_is(from->params, GPRI_MODEL_BY_ROWS)) {
        if (wish.method == GPRI_ORDER_AUTO) return GPR_OK;
        return gpri_fail(
            GPR_ERROR_ARGUMENT,
            "`reorder` takes a copy of the data, which %s shall not need: convert the data to a .gpr file with "
            "`reorder`, and train on that",
            spreads ? "a process of several" : "`order` filter-first");
    }
    NEED(gpri_order_find(ctx, &from->order, &from->data->graph, wish));
    if (from->order) NEED(gpri_dataset_reorder_numbers(ctx, &from->ordered, from->data, from->order));
    return GPR_OK;
}

/* The features that are scaled, or those of the data. */
static const gpri_feature_matrix *table_of(const gpri_preparation *from) {
    return from->scaled.rows > 0 ? &from->scaled : &gpri_prepared_data(from)->features;
}

/* Divides rows by their sums, standardises columns, or does neither. */
static gpr_status scale_features(gpri_preparation *from) {
    gpr_ctx *ctx = from->ctx;
    const gpri_value rule = gpri_params_value(from->params, GPRI_PARAM_NORMALIZE);
    const gpri_feature_matrix *table = &gpri_prepared_data(from)->features;
    const bool by_rows =
        gpri_model_is(from->params, GPRI_MODEL_BY_ROWS); /* it scales what it reads, and needs no copy */
    gpri_feature_scale scale;
    NEED(gpri_scale_of(ctx, &scale, from->data, rule, from->dealt.rows, from->dealt.part ? ctx : NULL));
    const bool bends = scale == GPRI_SCALE_NORMAL;
    if (scale == GPRI_SCALE_COLUMNS || bends) {
        if (from->dealt.part && table->dense) {
            NEED(gpri_scaling_together(ctx, &from->scaling, &from->scaled, table, from->dealt.rows, bends));
        } else {
            NEED(gpri_scaling_measure(ctx, &from->scaling, table, bends));
            if (!by_rows) NEED(gpri_scaling_apply(ctx, &from->scaled, table, &from->scaling));
        }
    }
    from->normalize = scale == GPRI_SCALE_ROWS;
    from->scale = gpri_scale_text(bends && !from->scaling.curves.first ? GPRI_SCALE_COLUMNS : scale);
    return GPR_OK;
}

static gpr_status make_features(gpri_preparation *from) {
    gpr_ctx *ctx = from->ctx;
    if (gpri_model_is(from->params, GPRI_MODEL_BY_ROWS)) {
        const gpri_labelled_source source = {from->data, &gpri_prepared_data(from)->features, &from->scaling,
                                             from->normalize, from->params};
        return gpri_labelled_new(ctx, &from->rows, &source, (const gpr_split *const *)from->splits, from->runs);
    }
    NEED(gpri_features_prepare_rows(ctx, &from->features, table_of(from), from->dealt.rows, from->normalize, true));
    from->plain = gpri_model_leaves_features(from->params);
    return gpri_model_prepare(ctx, &from->features, from->params, &gpri_prepared_data(from)->graph, NULL);
}

static uint32_t checksum_graph(uint32_t sum, const gpri_graph *graph) {
    if (graph->rowptr) sum = gpri_checksum(sum, graph->rowptr, (graph->nodes + 1) * (int64_t)sizeof *graph->rowptr);
    if (graph->column) sum = gpri_checksum(sum, graph->column, graph->arcs * (int64_t)sizeof *graph->column);
    return graph->weight ? gpri_checksum(sum, graph->weight, graph->arcs * (int64_t)sizeof *graph->weight) : sum;
}

/* Of what files of options may give: the initial filter, the neighbours in the latent space, weights of the loss; and
   of the directions, which the fingerprint may not hold. */
static gpr_status hash_inputs(gpri_preparation *from) {
    gpr_ctx *ctx = from->ctx;
    const gpr_dataset *data = from->data;
    int64_t gammas = 0;
    const uint64_t seed = (uint64_t)gpri_params_int(from->params, GPRI_PARAM_SEED);
    const gpri_relations *relations = from->features.relations;
    const gpri_sides *sides = from->features.sides;
    double *gamma = NULL, *weights = NULL;
    uint32_t sum = 0;
    const char *filter = gpri_model_filter(from->params);
    gpr_status status = GPR_OK;
    if (filter && strncmp(filter, "file:", 5) == 0)
        status = gpri_gamma_initial(ctx, &gamma, &gammas, from->params, gpri_target_scores(&data->target), seed);
    if (gamma) sum = gpri_checksum(sum, gamma, gammas * (int64_t)sizeof *gamma);
    gpri_free(ctx, gamma);
    if (status == GPR_OK) status = gpri_class_weight_file(ctx, &weights, data, from->params);
    if (weights) sum = gpri_checksum(sum, weights, data->target.classes * (int64_t)sizeof *weights);
    gpri_free(ctx, weights);
    if (data->node_weights && !gpri_params_is(from->params, GPRI_SAMPLE_WEIGHT_NONE))
        sum = gpri_checksum(sum, data->node_weights, data->graph.nodes * (int64_t)sizeof *data->node_weights);
    for (int i = 0; relations && i < GPRI_DIVISIONS; i++) sum = checksum_graph(sum, &relations->from[i]);
    for (int64_t r = 0; sides && r < sides->count; r++) sum = checksum_graph(sum, &sides->of[r].along);
    from->inputs_hash = sum;
    return status;
}

/* The data of a stack's network: the features themselves. */
static gpr_status make_network(gpri_preparation *from) {
    gpr_params *params = NULL;
    gpr_status status = GPR_OK;
    TRY(gpri_calloc(from->ctx, &from->network, 1, sizeof *from->network, "network"));
    from->network->ctx = from->ctx;
    from->network->data = from->data;
    TRY(gpri_stack_params(from->ctx, &params, from->params));
    TRY(gpri_preparation_suit(from->network, params, from->runs, from->dealt));
    TRY(gpri_preparation_make(from->network));
done:
    gpr_params_free(params);
    return status;
}

gpr_status gpri_preparation_make(gpri_preparation *from) {
    gpr_status status = GPR_OK;
    const char *what = "prepared for the next model";
    if (!from->made) {
        what = "prepared for training";
        TRY(reorder(from));
        TRY(scale_features(from));
        from->made = true;
    }
    if (!from->features_made) {
        TRY(make_features(from));
        from->features_made = true;
        gpri_log(from->ctx, GPR_LOG_DEBUG, "%s: %s", from->data->name, what);
    }
    TRY(hash_inputs(from));
    if (gpri_params_is(from->params, GPRI_MODEL_STACK) && !from->network) TRY(make_network(from));
done:
    if (status != GPR_OK) gpri_preparation_forget(from);
    return status;
}
