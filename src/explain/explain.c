/* gpr_explanation_new: the score of a node as an exact sum over nodes and hops (explain/walks.c). A bias and counts of
 * known labels are added after the filter: they are parts of their own. Of a model with blocks, whose scores are no
 * such sum, gradients (explain/blocks.c). */
#include <math.h>
#include <string.h>

#include "base/struct.h"
#include "explain/explanation.h"
#include "spectral/rank.h"
#include "tensor/label_counts.h"

enum { USUAL_TOP = 10 };

/* What all nodes of a call share. */
typedef struct {
    gpr_ctx *ctx;
    gpr_explanation *out;
    gpri_pass pass;
    gpri_explained_walk walk;
    double *numbers;    /* of the walk */
    double *h;          /* (nodes x classes) what the filter gets */
    const float *bias;  /* (classes) added after the filter; NULL: none */
    int32_t *labels;    /* (nodes) as classes of the model */
    gpri_ranked *order; /* (nodes) */
    int64_t class_id, top;
    bool exact; /* the score is a sum over nodes and hops */
    bool trees; /* it is a sum over columns */
} explaining;

/* ---- What is the same for all nodes ------------------------------------------------------------------- */

static gpr_status start(gpr_ctx *ctx, gpr_explanation **out, const gpr_model *model, const gpr_dataset *data,
                        int64_t count) {
    NEED(gpri_calloc(ctx, out, 1, sizeof **out, "explanation"));
    gpr_explanation *made = *out;
    made->ctx = ctx;
    made->lock = (gpri_lock)GPRI_LOCK_READY;
    NEED(gpri_strdup(ctx, &made->model, gpr_model_name(model)));
    NEED(gpri_strdup(ctx, &made->dataset, data->name));
    NEED(gpri_names_clone(ctx, &made->class_names, &model->class_names));
    NEED(gpri_calloc(ctx, &made->explained, count, sizeof *made->explained, "explanation"));
    made->count = count;
    gpri_trained filter;
    int term;
    if (gpri_model_is(model->params, GPRI_MODEL_FOREST)) return GPR_OK; /* it has no hops */
    NEED(gpri_trained_part(&filter, &term, model, 0));
    made->hops = filter.form.hops;
    NEED(gpri_calloc(ctx, &made->relations, filter.form.count, sizeof *made->relations, "explanation"));
    for (int t = 0; t < filter.form.count; t++) gpri_trained_relation(made->relations[t], model->params, &filter, t);
    if (filter.block > 0 || !gpri_form_is_single(&filter.form)) return GPR_OK;
    NEED(gpri_alloc(ctx, &made->gamma, made->hops + 1, sizeof *made->gamma, "explanation"));
    for (int64_t k = 0; k <= made->hops; k++) made->gamma[k] = gpri_trained_gamma(&filter, 0, k, 0);
    return GPR_OK;
}

/* A bias after the filter is no part of H. */
static const float *find_bias(const gpr_model *model) {
    for (int i = 0; i < model->tensor_count; i++)
        if (strcmp(model->tensors[i].name, "conv1.lin.bias") == 0) return model->tensors[i].values;
    return NULL;
}

/* What counts of known labels gave to a class of a node. */
static double counts_score(const explaining *e, int64_t node, int64_t class_id) {
    const gpr_model *model = e->pass.model;
    const int64_t columns = gpri_label_count_columns(model->classes, gpri_filter_relations(model->params));
    const gpri_real *counts = e->pass.knowledge.counts;
    double sum = 0;
    for (int i = 0; counts && i < model->tensor_count; i++) {
        const gpri_tensor *tensor = &model->tensors[i];
        if (strcmp(tensor->name, "counts.weight") != 0) continue;
        for (int64_t m = 0; m < columns; m++)
            sum +=
                (double)counts[node * gpri_padded(columns) + m] * (double)tensor->values[m * model->classes + class_id];
    }
    return sum;
}

/* What the exact sum needs. */
static gpr_status prepare_walk(explaining *e, const gpr_model *model) {
    const int64_t nodes = e->pass.data->graph.nodes;
    gpri_weight *gamma;
    const gpri_act *hidden = gpri_filter_input(e->pass.net, &gamma);
    const gpri_matrix h = {hidden->train, nodes, hidden->cols, hidden->width, hidden->ld};
    NEED(gpri_alloc(e->ctx, &e->h, nodes * model->classes, sizeof *e->h, "scores"));
    NEED(gpri_pass_read(&e->pass, e->h, h));
    e->bias = find_bias(model);
    NEED(gpri_alloc(e->ctx, &e->order, nodes, sizeof *e->order, "walks"));
    NEED(gpri_trained_of(&e->walk.filter, model));
    const int64_t hops = e->out->hops + 1;
    NEED(gpri_alloc(e->ctx, &e->walk.distance, nodes, sizeof *e->walk.distance, "walks"));
    NEED(gpri_alloc(e->ctx, &e->numbers, 2 * nodes + 4 * hops, sizeof *e->numbers, "walks"));
    e->walk.h = e->h;
    for (int which = 0; which < 2; which++) {
        e->walk.weight[which] = e->numbers + which * nodes;
        e->walk.theta[which] = e->numbers + 2 * nodes + which * hops;
        e->walk.sums[which] = e->walk.theta[which] + 2 * hops;
    }
    return GPR_OK;
}

static gpr_status prepare(explaining *e, const gpr_model *model, const gpr_dataset *data, bool every) {
    e->trees = gpri_model_is(model->params, GPRI_MODEL_FOREST);
    NEED(gpri_pass_new(e->ctx, &e->pass, model, data,
                       (e->trees ? 0 : GPRI_PASS_BACKWARD) | (every ? GPRI_PASS_EVERY : 0)));
    NEED(gpri_alloc(e->ctx, &e->labels, data->graph.nodes, sizeof *e->labels, "labels"));
    NEED(gpr_model_labels(e->ctx, model, data, e->labels));
    e->exact = gpri_model_is(model->params, GPRI_MODEL_SUM);
    return e->exact ? prepare_walk(e, model) : GPR_OK;
}

/* ---- One node ----------------------------------------------------------------------------------------- */

/* What a node gave to the score and to the lead. */
static double score_of(const explaining *e, const gpri_explained *explained, int64_t node) {
    return e->walk.weight[0][node] * e->h[node * e->pass.model->classes + explained->info.class_id];
}

static double lead_of(const explaining *e, const gpri_explained *explained, int64_t node) {
    const int64_t rival = explained->info.rival;
    const double score = score_of(e, explained, node);
    return rival < 0 ? score : score - e->walk.weight[1][node] * e->h[node * e->pass.model->classes + rival];
}

static void begin(const explaining *e, gpri_explained *explained, int64_t node) {
    gpr_explanation_info *info = &explained->info;
    const gpri_pass *pass = &e->pass;
    const double *z = pass->z + node * pass->model->classes;
    *info = (gpr_explanation_info){
        .struct_size = sizeof *info, .node = node, .label = e->labels[node], .exact = e->trees ? 2 : e->exact};
    info->predicted = gpri_look_best(pass, node, -1);
    info->class_id = e->class_id < 0 ? info->predicted : e->class_id;
    info->rival = gpri_look_best(pass, node, info->class_id);
    info->score = z[info->class_id];
    info->lead = info->score - (info->rival < 0 ? 0 : z[info->rival]);
    info->probability = exp(gpri_look_log_probability(pass, node, info->class_id));
    info->rival_probability = info->rival < 0 ? 0 : exp(gpri_look_log_probability(pass, node, info->rival));
    info->labels_score = counts_score(e, node, info->class_id);
    info->labels_lead = info->labels_score - (info->rival < 0 ? 0 : counts_score(e, node, info->rival));
    if (!e->bias) return;
    info->bias_score = (double)e->bias[info->class_id];
    info->bias_lead = info->bias_score - (info->rival < 0 ? 0 : (double)e->bias[info->rival]);
}

/* Rings, the node itself, and the order of the others; what is not listed is added up here. */
static gpr_status sort_nodes(explaining *e, gpri_explained *explained) {
    gpr_explanation_info *info = &explained->info;
    const int64_t nodes = e->pass.data->graph.nodes;
    int32_t *distance = e->walk.distance;
    for (int64_t i = 0; i < nodes; i++) {
        if (distance[i] < 0) continue;
        const double lead = lead_of(e, explained, i);
        explained->series[GPRI_EXPLAINED_RINGS][distance[i]] += score_of(e, explained, i);
        explained->series[GPRI_EXPLAINED_RINGS_LEAD][distance[i]] += lead;
        explained->series[GPRI_EXPLAINED_RING_NODES][distance[i]]++;
        if (i != info->node) e->order[info->reached++] = (gpri_ranked){fabs(lead), i};
    }
    info->own_weight = e->walk.weight[0][info->node];
    info->own_score = explained->series[GPRI_EXPLAINED_RINGS][0];
    info->own_lead = explained->series[GPRI_EXPLAINED_RINGS_LEAD][0];
    const int64_t listed = gpri_rank_first(e->order, info->reached, e->top);
    NEED(gpri_calloc(e->ctx, &explained->nodes, listed, sizeof *explained->nodes, "explanation"));
    info->listed = listed;
    for (int64_t r = 0; r < listed; r++) distance[e->order[r].node] = ~distance[e->order[r].node]; /* a mark */
    for (int64_t i = 0; i < nodes; i++) {
        if (distance[i] < 1) continue;
        info->others_score += score_of(e, explained, i);
        info->others_lead += lead_of(e, explained, i);
    }
    for (int64_t r = 0; r < listed; r++) distance[e->order[r].node] = ~distance[e->order[r].node];
    return GPR_OK;
}

static gpr_status list_nodes(const explaining *e, gpri_explained *explained) {
    for (int64_t r = 0; r < explained->info.listed; r++) {
        const int64_t node = e->order[r].node;
        char *id = NULL;
        if (e->pass.data->node_ids.count > 0) NEED(gpri_strdup(e->ctx, &id, gpri_name(&e->pass.data->node_ids, node)));
        explained->nodes[r] = (gpr_explained_node){.struct_size = sizeof explained->nodes[r],
                                                   .node = node,
                                                   .id = id,
                                                   .distance = e->walk.distance[node],
                                                   .label = e->labels[node],
                                                   .predicted = gpri_look_best(&e->pass, node, -1),
                                                   .weight = e->walk.weight[0][node],
                                                   .score = score_of(e, explained, node),
                                                   .lead = lead_of(e, explained, node)};
    }
    return GPR_OK;
}

static gpr_status explain_scores(explaining *e, gpri_explained *explained, int64_t node) {
    begin(e, explained, node);
    if (e->pass.data->node_ids.count > 0)
        NEED(gpri_strdup(e->ctx, &explained->id, gpri_name(&e->pass.data->node_ids, node)));
    explained->info.id = explained->id;
    for (int s = 0; s < (e->exact ? GPRI_EXPLAINED_SERIES : GPRI_EXPLAINED_RINGS); s++)
        NEED(gpri_calloc(e->ctx, &explained->series[s], e->out->hops + 1, sizeof(double), "explanation"));
    if (e->exact) {
        NEED(gpri_explain_walk(explained, e->out, &e->walk, &e->pass));
        NEED(sort_nodes(e, explained));
        NEED(list_nodes(e, explained));
    } else if (e->trees) return gpri_explain_trees(e->ctx, explained, &e->pass, e->top);
    else NEED(gpri_explain_blocks_new(explained, e->out, e->pass.model));
    return gpri_explain_columns(e->ctx, explained, &e->pass, e->top);
}

static void scale_all(double *values, int64_t count, double scale) {
    for (int64_t k = 0; values && k < count; k++) values[k] *= scale;
}

/* Of a number: all parts in its own unit. */
static void take_unit(explaining *e, gpri_explained *explained) {
    gpr_explanation_info *info = &explained->info;
    const gpri_unit unit = e->pass.model->unit;
    const int64_t hops = e->out->hops + 1;
    double *const parts[] = {&info->score,         &info->lead,         &info->bias_score,   &info->bias_lead,
                             &info->own_score,     &info->own_lead,     &info->others_score, &info->others_lead,
                             &info->columns_score, &info->columns_lead, &info->labels_score, &info->labels_lead};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) *parts[i] *= unit.scale;
    for (int s = 0; s < GPRI_EXPLAINED_RING_NODES; s++) scale_all(explained->series[s], hops, unit.scale);
    for (int64_t f = 0; f < info->filters; f++) { /* gamma, hops, hops_lead */
        scale_all(explained->numbers + (3 * f + 1) * hops, 2 * hops, unit.scale);
        explained->filters[f].score *= unit.scale, explained->filters[f].lead *= unit.scale;
    }
    for (int64_t r = 0; r < info->listed; r++)
        explained->nodes[r].score *= unit.scale, explained->nodes[r].lead *= unit.scale;
    for (int64_t r = 0; r < info->listed_columns; r++)
        explained->columns[r].score *= unit.scale, explained->columns[r].lead *= unit.scale;
    info->base = unit.mean;
    info->prediction = unit.mean + info->score;
}

static gpr_status explain_node(explaining *e, gpri_explained *explained, int64_t node) {
    NEED(explain_scores(e, explained, node));
    if (gpri_model_tells_number(e->pass.model)) take_unit(e, explained);
    else explained->info.base = explained->info.prediction = NAN;
    return GPR_OK;
}

/* ---- The call ----------------------------------------------------------------------------------------- */

static gpr_status check_call(const gpr_model *model, const gpr_dataset *data, const int64_t *nodes, int64_t count,
                             const gpr_explain_options *options) {
    char models[GPRI_MODEL_WORDS], deep[GPRI_MODEL_WORDS], trees[GPRI_MODEL_WORDS];
    if (!gpri_model_is(model->params, GPRI_MODEL_SUM | GPRI_MODEL_BLOCKS | GPRI_MODEL_FOREST))
        return gpri_fail(
            GPR_ERROR_ARGUMENT,
            "the scores of %s are no sum over nodes and hops: only %s have such an exact answer, %s one by "
            "gradients, and %s one by columns; `importance` works for all models",
            gpr_model_name(model), gpri_models_with(models, GPRI_MODEL_SUM), gpri_models_with(deep, GPRI_MODEL_BLOCKS),
            gpri_models_with(trees, GPRI_MODEL_FOREST));
    if (count < 1) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_explanation_new: no node is named");
    for (int64_t i = 0; i < count; i++)
        NEED(gpri_check_index("gpr_explanation_new", "node", nodes[i], data->graph.nodes));
    if (options->class_id < -1 || options->class_id >= model->classes)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_explanation_new: class_id is %lld: the model has %lld classes",
                         (long long)options->class_id, (long long)model->classes);
    if (options->top < 0)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_explanation_new: top is %lld: it must not be negative",
                         (long long)options->top);
    return GPR_OK;
}

/* Explains the nodes whose predictions use the same labels: those with a label, or those without (model/known.h). For
   a model that uses no labels they are all in the first group. */
static gpr_status explain_group(gpr_explanation *out, const gpr_model *model, const gpr_dataset *data,
                                const int64_t *nodes, const gpr_explain_options *options, bool every) {
    gpr_status status = GPR_OK;
    gpr_ctx *ctx = out->ctx;
    gpri_labels labels = {.nodes = 0};
    explaining e = {
        .ctx = ctx, .out = out, .class_id = options->class_id, .top = options->top ? options->top : USUAL_TOP};
    bool ready = false;
    if (gpri_model_uses_labels(model)) TRY(gpri_labels_of(ctx, &labels, model, data));
    for (int64_t i = 0; i < out->count; i++) {
        if (every != (labels.labels && labels.labels[nodes[i]] == -1)) continue;
        if (ready) TRY(gpri_pass_run_again(&e.pass));
        else TRY(prepare(&e, model, data, every));
        ready = true;
        TRY(explain_node(&e, &out->explained[i], nodes[i]));
    }
done:
    gpri_pass_free(&e.pass);
    gpri_free_all(ctx, e.h, e.labels, e.walk.distance, e.numbers, e.order);
    gpri_labels_free(ctx, &labels);
    return status;
}

gpr_status gpr_explanation_new(gpr_ctx *ctx, gpr_explanation **out, const gpr_model *model, const gpr_dataset *data,
                               const int64_t *nodes, int64_t count, const gpr_explain_options *options) {
    gpr_status status = GPR_OK;
    gpr_explain_options own = {.class_id = -1};
    if (out) *out = NULL;
    if (!ctx || !out || !model || !data || !nodes)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_explanation_new: a NULL argument");
    if (options) TRY(GPRI_STRUCT_IN(&own, options, gpr_explain_options, "gpr_explanation_new", "options"));
    TRY(gpri_dataset_ready(ctx, data));
    TRY(check_call(model, data, nodes, count, &own));
    TRY(start(ctx, out, model, data, count));
    TRY(gpri_look_begin(ctx, model));
    TRY(explain_group(*out, model, data, nodes, &own, false));
    TRY(explain_group(*out, model, data, nodes, &own, true));
    TRY(gpri_dataset_unchanged(ctx, data, true));
done:
    if (status < 0 && out) {
        gpr_explanation_free(*out);
        *out = NULL;
    }
    return gpri_finish(status);
}
