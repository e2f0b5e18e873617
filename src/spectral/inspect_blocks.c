/* Part of an inspection: what each part of a block gives to what the block adds.
 *
 * A block takes h W_0 + sum_t p_t W_t, p_t = sum_k Gamma_{t,k} * P_k(S_t) h. The size of h W_0 says what comes from the
 * node itself, that of p_t W_t what comes over a relation in a direction. A hop alone is had from the network itself,
 * whose other weights Gamma of the block are 0 meanwhile. Without nodes, the sizes of W_0 and of diag(Gamma_{t,k}) W_t
 * say what a block would take of signals that are all alike large. */
#include <math.h>
#include <stdio.h>

#include "spectral/inspection.h"

/* Rows of the weights of a part: 0 of the node itself, then of each term. */
static const float *slice_of(const gpr_model *model, int64_t block, int64_t slice) {
    char name[24];
    snprintf(name, sizeof name, "%d.weight", (int)slice);
    return gpri_trained_weight(model, block, name);
}

/* |diag(gamma) W|, W (rows x cols); gamma: one for each row, or for all; NULL: ones. */
static double size_of(const float *w, int64_t rows, int64_t cols, const double *gamma, bool each) {
    double sum = 0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            const double value = (gamma ? gamma[each ? i : 0] : 1) * (double)w[i * cols + j];
            sum += value * value;
        }
    return sqrt(sum);
}

void gpri_inspect_weights(gpr_inspection *out, const gpr_model *model) {
    const int64_t terms = out->info.filters / gpri_trained_blocks(model);
    const int64_t hidden = gpri_params_int(model->params, GPRI_PARAM_HIDDEN);
    for (int64_t i = 0; i < out->info.filters; i++) {
        const gpri_inspected_filter *part = &out->filters[i];
        const gpr_inspected_filter *info = &part->info;
        const float *own = slice_of(model, info->block, 0), *behind = slice_of(model, info->block, 1 + i % terms);
        if (i % terms == 0) part->weights[0] = size_of(own, hidden, hidden, NULL, false);
        for (int64_t k = 1; k <= info->hops; k++)
            part->weights[k] = size_of(behind, hidden, hidden, info->gamma + k * info->columns, info->columns > 1);
    }
}

/* ---- on the nodes of a pass ---- */

typedef struct {
    gpr_inspection *out;
    gpri_pass *pass;
    int64_t terms, hops;
    gpri_act *slices;    /* [h | p_1 | ..] of the block */
    gpri_weight *gamma;  /* of the block */
    gpri_weight *behind; /* W_0 of the block; the others follow */
    gpri_matrix y;       /* (nodes x hidden) a slice times its weights */
    const gpri_weight *w;
    gpri_matrix x;
    double *rows; /* (ROWS x hidden) */
    float *some;  /* Gamma of one hop */
} looking;

enum { ROWS = 1024 };

static void multiply(void *arg, gpri_chunk rows) {
    const looking *l = arg;
    const gpri_walker *walk = &l->pass->net->walk;
    const int64_t at = gpri_walker_place(walk, rows.first);
    l->pass->net->ops->linear_forward(gpri_rows_of(l->y, at, rows.count), gpri_rows_of(l->x, at, rows.count),
                                      l->w->value, NULL);
}

/* |slice W|. */
static gpr_status measure(looking *l, int64_t slice, double *size) {
    const int64_t width = l->slices->width / l->slices->slices;
    const gpri_matrix all = {l->slices->train, l->y.rows, l->slices->width, l->slices->width, l->slices->ld};
    double sum = 0;
    l->x = gpri_columns_of(all, slice * width, width);
    l->w = l->behind + slice;
    gpri_walker_rows(&l->pass->net->walk, width * width, multiply, l);
    for (int64_t first = 0; first < l->y.rows; first += ROWS) {
        const int64_t count = l->y.rows - first < ROWS ? l->y.rows - first : ROWS;
        NEED(gpri_pass_read(l->pass, l->rows, gpri_rows_of(l->y, first, count)));
        sum += gpri_sum_of_squares(l->rows, count * l->y.cols);
    }
    *size = sqrt(sum);
    return GPR_OK;
}

/* The network with Gamma of the hop alone in this block; k 0: with all. */
static gpr_status keep_hop(looking *l, const float *gamma, int64_t columns, int64_t k) {
    for (int64_t t = 0; t < l->terms; t++)
        for (int64_t i = 0; i < l->hops * columns; i++) {
            const int64_t at = t * l->hops * columns + i;
            l->some[at] = k == 0 || i / columns == k - 1 ? gamma[at] : 0;
        }
    gpri_weight_put(l->pass->net, l->gamma, l->some);
    gpri_net_forward(l->pass->net, GPRI_TRAIN_STREAM);
    return gpri_device_check(l->pass->ctx);
}

static gpr_status inspect_block(looking *l, int64_t block) {
    gpri_inspected_filter *parts = l->out->filters + block * l->terms;
    const float *gamma = gpri_trained_weight(l->pass->model, block + 1, "gamma");
    l->slices = gpri_hops_of(l->pass->net, block, &l->gamma);
    l->behind = l->gamma + 1; /* the product is made after the hops (model/gprdeep.c) */
    NEED(measure(l, 0, &parts[0].contribution[0]));
    for (int64_t t = 0; t < l->terms; t++) {
        NEED(measure(l, 1 + t, &parts[t].info.part));
        parts[t].info.contribution = parts[t].contribution;
        if (l->hops == 1) parts[t].contribution[1] = parts[t].info.part;
    }
    for (int64_t k = 1; k <= l->hops && l->hops > 1; k++) {
        NEED(keep_hop(l, gamma, parts[0].info.columns, k));
        for (int64_t t = 0; t < l->terms; t++) NEED(measure(l, 1 + t, &parts[t].contribution[k]));
    }
    if (l->hops > 1) NEED(keep_hop(l, gamma, parts[0].info.columns, 0));
    return GPR_OK;
}

gpr_status gpri_inspect_blocks(gpr_inspection *out, gpri_pass *pass) {
    const int64_t blocks = gpri_trained_blocks(pass->model), nodes = pass->data->graph.nodes;
    const int64_t hidden = gpri_params_int(pass->params, GPRI_PARAM_HIDDEN), width = gpri_padded(hidden);
    looking l = {.out = out,
                 .pass = pass,
                 .terms = out->info.filters / blocks,
                 .hops = out->filters[0].info.hops,
                 .y = {NULL, nodes, hidden, width, width}};
    gpr_status status = GPR_OK;
    TRY(gpri_net_alloc(pass->net, &l.y.at, nodes * width, sizeof *l.y.at, true, "inspection"));
    TRY(gpri_alloc(out->ctx, &l.rows, ROWS * hidden, sizeof *l.rows, "inspection"));
    TRY(gpri_alloc(out->ctx, &l.some, l.terms * l.hops * out->filters[0].info.columns, sizeof *l.some, "inspection"));
    for (int64_t block = 0; block < blocks; block++) TRY(inspect_block(&l, block));
done:
    gpri_free_all(out->ctx, l.rows, l.some);
    return status;
}
