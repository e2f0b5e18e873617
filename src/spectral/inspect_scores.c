/* Part of an inspection: how over-smoothed the scores are, and which way the loss pushes the filter's weights.
 *
 * Let P be the projection onto the vectors pi of the components (gpri_exact_limit). A~ P = P, so H^(k) = P H + R_k
 * with R_k = A~^k (H - P H), and both parts are orthogonal: |H^(k)|^2 = |P H|^2 + |R_k|^2. Hence |R_k| is the distance
 * of H^(k) from its limit, found without the rounding of a difference. */
#include <math.h>

#include "model/filter_first/predict_rows.h"
#include "model/predict/pass.h"
#include "spectral/inspection.h"

/* A pass of the model in evaluation mode, and what is read from it. */
typedef struct {
    gpr_ctx *ctx;
    gpri_pass pass;
    gpri_weight *gamma;   /* of the net's filter, or NULL */
    gpri_act *hidden;     /* what the filter gets, or NULL */
    const int32_t *known; /* (nodes) labels that are an input; NULL: none */
    int32_t *labels;      /* (nodes) as classes of the model */
    uint8_t *part;        /* (nodes) GPR_TRAIN, or GPR_UNUSED */
    double *z, *h, *r;    /* (nodes x classes) scores, H, and R_k or the next one; z is the pass's */
} looking;

/* The scores alone, of a model whose filter comes first: what the filter gets are features, not scores. */
static gpr_status run_first(looking *p, const gpr_model *model, const gpr_dataset *data) {
    const int64_t count = data->graph.nodes * model->classes;
    float *scores = NULL;
    gpr_status status = GPR_OK;
    p->pass.ctx = p->ctx;
    TRY(gpri_alloc(p->ctx, &scores, count, sizeof *scores, "scores"));
    TRY(gpri_alloc(p->ctx, &p->pass.z, count, sizeof *p->z, "scores"));
    TRY(gpri_first_predict(p->ctx, model, data, NULL, &(gpri_outcome){.logits = scores}));
    for (int64_t i = 0; i < count; i++) p->pass.z[i] = (double)scores[i];
done:
    gpri_free(p->ctx, scores);
    return status;
}

static gpr_status run_forward(looking *p, const gpr_model *model, const gpr_dataset *data) {
    NEED(gpri_pass_new(p->ctx, &p->pass, model, data, gpr_model_filter_count(model) > 0 ? GPRI_PASS_FILTER : 0));
    if (gpri_model_takes_labels(model->params)) p->known = p->pass.knowledge.known;
    p->hidden = gpri_filter_input(p->pass.net, &p->gamma);
    if (!p->hidden) return GPR_OK;
    const gpri_matrix h = {p->hidden->train, data->graph.nodes, p->hidden->cols, p->hidden->width, p->hidden->ld};
    NEED(gpri_alloc(p->ctx, &p->h, h.rows * h.cols, sizeof *p->h, "scores"));
    NEED(gpri_pass_read(&p->pass, p->h, h));
    return GPR_OK;
}

/* ---- over-smoothing ---- */

/* The most frequent class: the first largest score of each row, as a prediction takes it. */
static gpr_status find_top_class(const looking *p, gpr_inspection *out, int64_t nodes, int64_t classes) {
    gpr_status status = GPR_OK;
    int64_t *counts = NULL, top = 0;
    TRY(gpri_calloc(p->ctx, &counts, classes, sizeof *counts, "classes"));
    for (int64_t i = 0; i < nodes; i++) counts[gpri_best_of_doubles(p->z + i * classes, classes)]++;
    for (int64_t c = 1; c < classes; c++)
        if (counts[c] > counts[top]) top = c;
    out->info.top_class = top;
    out->info.top_share = (double)counts[top] / (double)nodes;
done:
    gpri_free(p->ctx, counts);
    return status;
}

static gpr_status find_smooth_share(looking *p, gpr_inspection *out, const gpri_exact *walk,
                                    const gpri_components *components, int64_t classes) {
    const int64_t count = walk->graph->nodes * classes;
    NEED(gpri_alloc(p->ctx, &p->r, count, sizeof *p->r, "scores"));
    gpri_exact_limit(walk, components, p->r, p->z, classes);
    out->info.smooth_share = gpri_sum_of_squares(p->r, count) / gpri_sum_of_squares(p->z, count);
    return GPR_OK;
}

static gpr_status follow_hops(looking *p, gpr_inspection *out, const gpri_exact *walk,
                              const gpri_components *components) {
    const gpri_series *gamma = &out->series[GPRI_SERIES_GAMMA];
    const int64_t classes = p->hidden->cols, count = walk->graph->nodes * classes;
    double *norm, *distance, *contribution;
    NEED(gpri_series_new(out, &norm, GPRI_SERIES_NORM, gamma->count));
    NEED(gpri_series_new(out, &distance, GPRI_SERIES_DISTANCE, gamma->count));
    NEED(gpri_series_new(out, &contribution, GPRI_SERIES_CONTRIBUTION, gamma->count));
    gpri_exact_limit(walk, components, p->r, p->h, classes);
    const double limit = gpri_sum_of_squares(p->r, count);
    for (int64_t i = 0; i < count; i++) p->h[i] -= p->r[i];
    for (int64_t k = 0; k < gamma->count; k++) {
        const double rest = gpri_sum_of_squares(p->h, count);
        norm[k] = sqrt(limit + rest);
        distance[k] = sqrt(rest);
        contribution[k] = fabs(gamma->values[k]) * norm[k];
        gpri_exact_step(walk, p->r, p->h, classes);
        double *next = p->r;
        p->r = p->h;
        p->h = next;
    }
    return GPR_OK;
}

/* ---- the gradient ---- */

/* The training nodes of the split, or all that have a label which the model knows. If labels are an input: those whose
   own label is none, which are no training nodes. */
static gpr_status choose_nodes(looking *p, gpr_inspection *out, const gpr_model *model, const gpr_dataset *data,
                               const gpr_split *split) {
    const int64_t nodes = data->graph.nodes;
    NEED(gpri_alloc(p->ctx, &p->labels, nodes, sizeof *p->labels, "labels"));
    NEED(gpri_alloc(p->ctx, &p->part, nodes, sizeof *p->part, "labels"));
    NEED(gpr_model_labels(p->ctx, model, data, p->labels));
    out->info.gradient_nodes = 0;
    out->info.on_training_nodes = split != NULL && !p->known;
    for (int64_t i = 0; i < nodes; i++) {
        const bool asked = p->known ? p->known[i] < 0 : !split || split->part[i] == GPR_TRAIN;
        const bool taken = p->labels[i] >= 0 && asked;
        p->part[i] = taken ? GPR_TRAIN : GPR_UNUSED;
        out->info.gradient_nodes += taken;
    }
    return GPR_OK;
}

/* single: gamma is K + 1 numbers; of other filters the loss alone is known. */
static gpr_status find_gradient(looking *p, gpr_inspection *out, bool single) {
    gpr_status status = GPR_OK;
    const gpri_device *device = p->pass.net->device;
    const int64_t count = p->gamma->cols;
    gpri_real *read = NULL;
    double *gradient;
    TRY(gpri_pass_learn(&p->pass, p->labels, p->part, out->info.gradient_nodes, &out->info.loss));
    if (!single) goto done;
    TRY(gpri_series_new(out, &gradient, GPRI_SERIES_GRADIENT, count));
    TRY(gpri_alloc(p->ctx, &read, count, sizeof *read, "gradient"));
    device->get(device, read, p->gamma->gradient, count * (int64_t)sizeof *read);
    for (int64_t k = 0; k < count; k++) gradient[k] = (double)read[k];
done:
    gpri_free(p->ctx, read);
    return status;
}

gpr_status gpri_inspect_scores(gpr_ctx *ctx, gpr_inspection *out, const gpr_model *model, const gpr_dataset *data,
                               const gpr_split *split, const gpri_exact *walk, const gpri_components *components) {
    gpr_status status = GPR_OK;
    looking p = {.ctx = ctx};
    TRY(gpri_model_is(model->params, GPRI_MODEL_BY_ROWS) ? run_first(&p, model, data) : run_forward(&p, model, data));
    p.z = p.pass.z;
    const bool number = gpri_model_tells_number(model);
    if (!number) TRY(find_top_class(&p, out, data->graph.nodes, model->classes));
    TRY(find_smooth_share(&p, out, walk, components, model->classes));
    if (gpri_trained_blocks(model) > 0) TRY(gpri_inspect_blocks(out, &p.pass));
    if (!p.hidden) goto done;
    TRY(out->info.filters > 0 ? gpri_inspect_parts(ctx, out, model, &data->graph, p.pass.features.sides, p.h)
                              : follow_hops(&p, out, walk, components));
    if (number) goto done; /* the gradient is that of classes */
    TRY(choose_nodes(&p, out, model, data, split));
    if (out->info.gradient_nodes > 0) TRY(find_gradient(&p, out, gpri_form_is_single(&out->filter.form)));
done:
    gpri_pass_free(&p.pass);
    gpri_free_all(ctx, p.labels, p.part, p.h, p.r);
    return status;
}
