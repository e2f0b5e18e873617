/* Correct and smooth: one step is out = (1 - alpha) A~ in + alpha G, and
 * in = G at first, so that K steps give the weights of spread.h. Rows are cut by their number alone. */
#include "walk/spread.h"

#include <math.h>
#include <string.h>

#include "task/loss.h"
#include "walk/hop.h"

static const double most_growth = 1000; /* of errors that are scaled to the mean error: above, they stay as they are */
static const double least_share = 1e-6; /* of all classes together in every outcome: its logarithm is finite */

gpr_status gpri_spreader_new(gpr_ctx *ctx, gpri_spreader *out, const gpri_graph *graph, const int32_t *known,
                             int64_t classes, int threads) {
    const int64_t N = graph->nodes, ld = gpri_padded(classes);
    *out = (gpri_spreader){.ctx = ctx,
                           .walker = gpri_walker_of(ctx, ctx->job.cpu, graph, threads),
                           .known = known,
                           .nodes = N,
                           .classes = classes,
                           .ld = ld};
    NEED(gpri_walker_scale(&out->walker, &out->scale, GPRI_SCALE_LOOPED));
    NEED(gpri_calloc(ctx, &out->from, N * ld, sizeof *out->from, "probabilities"));
    for (int i = 0; i < 2; i++) NEED(gpri_calloc(ctx, &out->to[i], N * ld, sizeof *out->from, "probabilities"));
    return GPR_OK;
}

void gpri_spreader_free(gpri_spreader *spreader) {
    gpri_walker_free(&spreader->walker);
    gpri_free_all(spreader->ctx, spreader->from, spreader->to[0], spreader->to[1]);
    *spreader = (gpri_spreader){.ctx = NULL};
}

void gpri_spreader_softmax(const gpri_spreader *spreader, gpri_real *z) {
    const int64_t C = spreader->classes;
    for (int64_t i = 0; i < spreader->nodes; i++) {
        gpri_real *row = z + i * spreader->ld;
        const gpri_link link = gpri_link_of(row, C, 1);
        for (int64_t c = 0; c < C; c++) row[c] = (gpri_real)gpri_probability(&link, (double)row[c], 1);
    }
}

gpri_real gpri_score_of_share(gpri_real share) { return (gpri_real)-gpri_loss_of_probability((double)share, 1e-30); }

void gpri_spreader_log(const gpri_spreader *spreader, gpri_real *p) {
    for (int64_t i = 0; i < spreader->nodes; i++)
        for (int64_t c = 0; c < spreader->classes; c++) {
            gpri_real *share = &p[i * spreader->ld + c];
            *share = gpri_score_of_share(*share);
        }
}

/* ---- one spreading ---- */

/* spreader->from becomes spreader->spread. */
static void spread(gpri_spreader *spreader, double alpha) {
    const gpri_real restart = (gpri_real)alpha;
    const gpri_adjacency m = {
        .graph = &spreader->walker.view, .left = spreader->scale, .right = spreader->scale, .factor = 1, .loop = 1};
    const gpri_step step = {.m = m, .a = (gpri_real)(1 - alpha)};
    const gpri_matrix from = {spreader->from, spreader->nodes, spreader->classes, spreader->ld, spreader->ld};
    gpri_hop hop = {.walker = &spreader->walker, .out = from, .h = from, .step = &step, .theta = &restart};
    for (int k = 0; k < GPRI_SMOOTH_STEPS; k++) {
        hop.in = hop.out;
        hop.out.at = spreader->to[k % 2];
        gpri_hop_step(&hop);
    }
    spreader->spread = hop.out.at;
}

/* ---- both steps ---- */

void gpri_spreader_spread_errors(gpri_spreader *spreader, const gpri_real *p, double alpha) {
    const int64_t N = spreader->nodes, C = spreader->classes, ld = spreader->ld;
    double sum = 0;
    int64_t count = 0;
    memset(spreader->from, 0, (size_t)(N * ld) * sizeof *spreader->from);
    for (int64_t i = 0; i < N; i++) {
        gpri_real *row = spreader->from + i * ld;
        if (spreader->known[i] < 0) continue;
        for (int64_t c = 0; c < C; c++) row[c] = (gpri_real)(spreader->known[i] == c) - p[i * ld + c];
        for (int64_t c = 0; c < C; c++) sum += fabs((double)row[c]);
        count++;
    }
    spreader->error = count > 0 ? sum / (double)count : 0;
    spread(spreader, alpha);
}

typedef struct {
    const gpri_spreader *spreader;
    gpri_real *out;
    const gpri_real *p;    /* NULL: smooth */
    const gpri_real *base; /* the rows of nodes with known labels */
    double scale;
} finishing;

static void finish_row(const finishing *work, int64_t node) {
    const gpri_spreader *spreader = work->spreader;
    const gpri_real *spread_row = spreader->spread + node * spreader->ld,
                    *p = work->p ? work->p + node * spreader->ld : NULL;
    gpri_real *out = work->out + node * spreader->ld;
    double scale = 1, norm = 0, sum = 0;
    for (int64_t c = 0; p && c < spreader->classes; c++) norm += fabs((double)spread_row[c]);
    if (p) scale = work->scale > 0 ? work->scale : norm * most_growth > spreader->error ? spreader->error / norm : 1;
    for (int64_t c = 0; c < spreader->classes; c++) {
        const double value = scale * (double)spread_row[c] + (p ? (double)p[c] : 0);
        out[c] = (gpri_real)(value > 0 ? value : 0);
        sum += (double)out[c];
    }
    for (int64_t c = 0; c < spreader->classes; c++) {
        const double share = sum > 0 ? (double)out[c] / sum : 1 / (double)spreader->classes;
        out[c] = (gpri_real)((1 - least_share) * share + least_share / (double)spreader->classes);
    }
}

static void finish_rows(void *arg, gpri_chunk rows) {
    const finishing *work = arg;
    const int64_t ld = work->spreader->ld;
    for (int64_t i = rows.first; i < rows.first + rows.count; i++) {
        if (work->spreader->known[i] < 0) finish_row(work, i);
        else if (work->out != work->base)
            memcpy(work->out + i * ld, work->base + i * ld, (size_t)ld * sizeof *work->out);
    }
}

static void finish(finishing work) {
    gpri_walker_rows(&work.spreader->walker, 8 * work.spreader->classes, finish_rows, &work);
}

void gpri_spreader_correct(const gpri_spreader *spreader, gpri_real *out, const gpri_real *p, double scale) {
    finish((finishing){.spreader = spreader, .out = out, .p = p, .base = p, .scale = scale});
}

void gpri_spreader_smooth(gpri_spreader *spreader, gpri_real *out, const gpri_real *q, const gpri_real *base,
                          double alpha) {
    const int64_t ld = spreader->ld;
    memcpy(spreader->from, q, (size_t)(spreader->nodes * ld) * sizeof *q);
    for (int64_t i = 0; i < spreader->nodes; i++)
        for (int64_t c = 0; spreader->known[i] >= 0 && c < spreader->classes; c++)
            spreader->from[i * ld + c] = (gpri_real)(spreader->known[i] == c);
    spread(spreader, alpha);
    finish((finishing){.spreader = spreader, .out = out, .base = base});
}

void gpri_spreader_apply(gpri_spreader *spreader, gpri_real *p, const gpri_smoothing *how) {
    /* nodes with known labels keep the rows of p in both steps, so p may be its own base */
    if (how->correct > 0) {
        gpri_spreader_spread_errors(spreader, p, (double)how->correct);
        gpri_spreader_correct(spreader, p, p, (double)how->scale);
    }
    if (how->smooth > 0) gpri_spreader_smooth(spreader, p, p, p, (double)how->smooth);
}
