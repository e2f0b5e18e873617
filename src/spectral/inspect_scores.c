/* Part of an inspection: how over-smoothed the scores are, and which way the loss pushes the filter's weights.
 *
 * Let P be the projection onto the vectors pi of the components (gpri_smooth_limit). A~ P = P, so H^(k) = P H + R_k
 * with R_k = A~^k (H - P H), and both parts are orthogonal: |H^(k)|^2 = |P H|^2 + |R_k|^2. Hence |R_k| is the distance
 * of H^(k) from its limit, found without the rounding of a difference. */
#include <math.h>
#include <string.h>

#include "model/first/first.h"
#include "model/input.h"
#include "model/known.h"
#include "spectral/inspection.h"

/* A pass of the model in evaluation mode, and what is read from it. */
typedef struct {
    gpr_ctx *ctx;
    gpri_model_input input;
    gpri_net *net;
    gpri_weight *gamma; /* of the net's filter, or NULL */
    gpri_act *hidden;   /* what the filter gets, or NULL */
    gpri_knowledge knowledge;
    const int32_t *known; /* (nodes) labels that are an input; NULL: none */
    int32_t *labels;    /* (nodes) as classes of the model */
    uint8_t *part;      /* (nodes) GPR_TRAIN, or GPR_UNUSED */
    double *losses;     /* (chunks), in the device's memory */
    gpri_targets targets;
    double *z, *h, *r; /* (nodes x classes) scores, H, and R_k or the next one */
} pass;

/* Rows of the device's matrix as doubles, without padding. */
static gpr_status take_matrix(const pass *p, double **out, gpri_matrix from) {
    gpr_status status = GPR_OK;
    gpri_real *row = NULL;
    TRY(gpri_alloc(p->ctx, out, from.rows * from.cols, sizeof **out, "scores"));
    TRY(gpri_alloc(p->ctx, &row, from.ld, sizeof *row, "scores"));
    for (int64_t i = 0; i < from.rows; i++) {
        p->net->device->get(p->net->device, row, from.at + i * from.ld, from.cols * (int64_t)sizeof *row);
        for (int64_t c = 0; c < from.cols; c++) (*out)[i * from.cols + c] = (double)row[c];
    }
done:
    gpri_free(p->ctx, row);
    return status;
}

/* The scores alone, of a model whose filter comes first: what the filter gets are features, not scores. */
static gpr_status run_first(pass *p, const gpr_model *model, const gpr_dataset *data) {
    const int64_t count = data->graph.nodes * model->classes;
    float *scores = NULL;
    gpr_status status = GPR_OK;
    TRY(gpri_alloc(p->ctx, &scores, count, sizeof *scores, "scores"));
    TRY(gpri_alloc(p->ctx, &p->z, count, sizeof *p->z, "scores"));
    TRY(gpri_first_predict(p->ctx, model, data, NULL, NULL, NULL, scores));
    for (int64_t i = 0; i < count; i++) p->z[i] = (double)scores[i];
done:
    gpri_free(p->ctx, scores);
    return status;
}

/* Without dropout the training stream is the evaluation, so the backward pass gives its gradients. */
static gpr_status run_forward(pass *p, const gpr_model *model, const gpr_dataset *data) {
    gpr_status status = GPR_OK;
    const bool filter = gpr_model_gamma(model, NULL) != NULL;
    gpri_recipe recipe = gpri_recipe_of(model->params, model->classes);
    recipe.dropout = recipe.dprate = 0;
    recipe.half = false;     /* the parts of a score must add up */
    recipe.labels.share = 1; /* all that are known, in both streams */
    TRY(gpri_know_of_model(p->ctx, &recipe, &p->knowledge, model, data, false));
    p->known = recipe.labels.known;
    TRY(gpri_refuse_foreign_file(model));
    TRY(gpri_model_input_new(p->ctx, &p->input, model, data, filter));
    TRY(gpri_model_relate(p->ctx, &p->input.features, model->params, &data->graph));
    TRY(gpri_model_net(p->ctx, &p->net, model->params, &recipe, &data->graph, &p->input.features, p->ctx->threads, 0,
                       filter));
    TRY(gpri_model_put(model, p->net));
    p->hidden = gpri_filter_input(p->net, &p->gamma);
    gpri_net_forward(p->net, filter ? GPRI_BOTH_STREAMS : GPRI_EVAL_STREAM);
    TRY(gpri_device_check(p->ctx));
    TRY(gpri_check_scores(p->net, model, data, &p->input.features, model->params));
    TRY(take_matrix(p, &p->z, gpri_net_output(p->net, GPRI_EVAL_STREAM)));
    if (!p->hidden) goto done;
    const gpri_matrix h = {p->hidden->train, data->graph.nodes, p->hidden->cols, p->hidden->width, p->hidden->ld};
    TRY(take_matrix(p, &p->h, h));
done:
    return status;
}

/* ---- over-smoothing ---- */

/* The most frequent class: the first largest score of each row, as a prediction takes it. */
static gpr_status find_top_class(const pass *p, gpr_inspection *out, int64_t nodes, int64_t classes) {
    gpr_status status = GPR_OK;
    int64_t *counts = NULL, top = 0;
    TRY(gpri_calloc(p->ctx, &counts, classes, sizeof *counts, "classes"));
    for (int64_t i = 0; i < nodes; i++) {
        int64_t best = 0;
        for (int64_t c = 1; c < classes; c++)
            if (p->z[i * classes + c] > p->z[i * classes + best]) best = c;
        counts[best]++;
    }
    for (int64_t c = 1; c < classes; c++)
        if (counts[c] > counts[top]) top = c;
    out->info.top_class = top;
    out->info.top_share = (double)counts[top] / (double)nodes;
done:
    gpri_free(p->ctx, counts);
    return status;
}

static gpr_status find_smooth_share(pass *p, gpr_inspection *out, const gpri_smoother *smoother,
                                    const gpri_components *components, int64_t classes) {
    gpr_status status = GPR_OK;
    const int64_t count = smoother->graph->nodes * classes;
    TRY(gpri_alloc(p->ctx, &p->r, count, sizeof *p->r, "scores"));
    gpri_smooth_limit(smoother, components, p->r, p->z, classes);
    out->info.smooth_share = gpri_sum_of_squares(p->r, count) / gpri_sum_of_squares(p->z, count);
done:
    return status;
}

static gpr_status follow_hops(pass *p, gpr_inspection *out, const gpri_smoother *smoother,
                              const gpri_components *components) {
    gpr_status status = GPR_OK;
    const gpri_series *gamma = &out->series[GPRI_SERIES_GAMMA];
    const int64_t classes = p->hidden->cols, count = smoother->graph->nodes * classes;
    double *norm, *distance, *contribution;
    TRY(gpri_series_new(out, &norm, GPRI_SERIES_NORM, gamma->count));
    TRY(gpri_series_new(out, &distance, GPRI_SERIES_DISTANCE, gamma->count));
    TRY(gpri_series_new(out, &contribution, GPRI_SERIES_CONTRIBUTION, gamma->count));
    gpri_smooth_limit(smoother, components, p->r, p->h, classes);
    const double limit = gpri_sum_of_squares(p->r, count);
    for (int64_t i = 0; i < count; i++) p->h[i] -= p->r[i];
    for (int64_t k = 0; k < gamma->count; k++) {
        const double rest = gpri_sum_of_squares(p->h, count);
        norm[k] = sqrt(limit + rest);
        distance[k] = sqrt(rest);
        contribution[k] = fabs(gamma->values[k]) * norm[k];
        gpri_smooth(smoother, p->r, p->h, classes);
        double *next = p->r;
        p->r = p->h;
        p->h = next;
    }
done:
    return status;
}

/* ---- the gradient ---- */

static void loss_rows(void *arg, gpri_chunk rows) {
    const pass *p = arg;
    const gpri_matrix z = gpri_net_output(p->net, GPRI_TRAIN_STREAM); /* it becomes its own gradient */
    p->net->ops->nll_backward(gpri_rows_of(z, rows.first - p->net->rows.first, rows.count), &p->losses[rows.chunk],
                              &p->targets, rows.first);
}

/* The training nodes of the split, or all that have a label which the model knows. If labels are an input: those whose
   own label is none, which are no training nodes. */
static gpr_status choose_nodes(pass *p, gpr_inspection *out, const gpr_model *model, const gpr_dataset *data,
                               const gpr_split *split) {
    gpr_status status = GPR_OK;
    const int64_t nodes = data->graph.nodes;
    TRY(gpri_alloc(p->ctx, &p->labels, nodes, sizeof *p->labels, "labels"));
    TRY(gpri_alloc(p->ctx, &p->part, nodes, sizeof *p->part, "labels"));
    TRY(gpr_model_labels(p->ctx, model, data, p->labels));
    out->info.gradient_nodes = 0;
    out->info.on_training_nodes = split != NULL && !p->known;
    for (int64_t i = 0; i < nodes; i++) {
        const bool asked = p->known ? p->known[i] < 0 : !split || split->part[i] == GPR_TRAIN;
        const bool taken = p->labels[i] >= 0 && asked;
        p->part[i] = taken ? GPR_TRAIN : GPR_UNUSED;
        out->info.gradient_nodes += taken;
    }
done:
    return status;
}

static gpr_status find_gradient(pass *p, gpr_inspection *out, const gpr_dataset *data) {
    gpr_status status = GPR_OK;
    const int64_t nodes = data->graph.nodes, count = p->gamma->cols, chunks = gpri_own_chunks(&p->net->rows);
    gpri_real *read = NULL;
    double *gradient, *losses = NULL, sum = 0;
    TRY(gpri_net_share(p->net, &p->targets.labels, p->labels, nodes, sizeof *p->labels, "labels"));
    TRY(gpri_net_share(p->net, &p->targets.part, p->part, nodes, sizeof *p->part, "labels"));
    TRY(gpri_net_alloc(p->net, &p->losses, chunks, sizeof *p->losses, false, "scores"));
    p->targets.weight = (gpri_real)(1.0 / (double)out->info.gradient_nodes);
    p->gamma->fixed = false; /* also a model that does not learn them has a gradient */
    gpri_net_deal_rows(p->net, 16, loss_rows, p);
    gpri_net_backward(p->net);
    TRY(gpri_device_check(p->ctx));
    TRY(gpri_series_new(out, &gradient, GPRI_SERIES_GRADIENT, count));
    TRY(gpri_alloc(p->ctx, &read, count, sizeof *read, "gradient"));
    TRY(gpri_alloc(p->ctx, &losses, chunks, sizeof *losses, "scores"));
    p->net->device->get(p->net->device, read, p->gamma->gradient, count * (int64_t)sizeof *read);
    p->net->device->get(p->net->device, losses, p->losses, chunks * (int64_t)sizeof *losses);
    for (int64_t k = 0; k < count; k++) gradient[k] = (double)read[k];
    for (int64_t c = 0; c < chunks; c++) sum += losses[c];
    out->info.loss = sum / (double)out->info.gradient_nodes;
done:
    gpri_free(p->ctx, read);
    gpri_free(p->ctx, losses);
    return status;
}

gpr_status gpri_inspect_scores(gpr_ctx *ctx, gpr_inspection *out, const gpr_model *model, const gpr_dataset *data,
                               const gpr_split *split, const gpri_smoother *smoother,
                               const gpri_components *components) {
    gpr_status status = GPR_OK;
    pass p = {.ctx = ctx, .input = {.features = {.rows = 0}}};
    TRY(gpri_model_filter_first(model->params) ? run_first(&p, model, data) : run_forward(&p, model, data));
    TRY(find_top_class(&p, out, data->graph.nodes, model->classes));
    TRY(find_smooth_share(&p, out, smoother, components, model->classes));
    if (!p.hidden) goto done;
    TRY(follow_hops(&p, out, smoother, components));
    TRY(choose_nodes(&p, out, model, data, split));
    if (out->info.gradient_nodes > 0) TRY(find_gradient(&p, out, data));
done:
    gpri_net_free(p.net);
    gpri_model_input_free(ctx, &p.input);
    gpri_knowledge_free(ctx, &p.knowledge);
    gpri_free(ctx, p.labels);
    gpri_free(ctx, p.part);
    gpri_free(ctx, p.z);
    gpri_free(ctx, p.h);
    gpri_free(ctx, p.r);
    return status;
}
