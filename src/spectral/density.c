/* How many eigenvalues of A~ lie where, and the response of a filter.
 *
 * The kernel polynomial method: the share of the eigenvalues at cos(t) is the series
 *     (mu_0 + 2 sum_m g_m mu_m cos(m t)) / pi dt,   mu_m = trace T_m(A~) / n,
 * T_m the Chebyshev polynomials and g_m the Jackson kernel, which keeps the sum positive. The trace is estimated with
 * random vectors x of entries +-1: the mean of x' T_m(A~) x. Two products of T_k x and T_k+1 x give two moments, as
 * T_2k = 2 T_k^2 - 1 and T_2k+1 = 2 T_k T_k+1 - T_1. */
#include "spectral/density.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/thread.h"
#include "spectral/spectrum.h"

/* ---- the estimate ---- */

enum { MOST_VECTORS = 64, MOST_STEPS = 256, ROWS = 1024 };

typedef struct {
    gpri_exact walk;
    int64_t vectors, steps; /* random vectors; products with A~, each of which gives two moments */
    double *now, *before;   /* (nodes x vectors) S T_k x and S T_k-1 x */
    double *dots;           /* (chunks x 2) of <T_k x, T_k x> and <T_k x, T_k-1 x> */
    double *moments;        /* (2 steps) */
} estimate;

/* Small graphs need many vectors, as the error of a trace falls with nodes x vectors. Large ones get as many steps as a
   few seconds allow. Powers of two, by the size of the graph alone. */
static void choose_sizes(estimate *e) {
    const double most = 1.5e9; /* numbers that all products read */
    const double arcs = (double)(e->walk.graph->arcs + e->walk.graph->nodes);
    e->vectors = MOST_VECTORS;
    e->steps = MOST_STEPS;
    while (e->vectors > 8 && arcs * (double)e->vectors * (double)e->steps > most) e->vectors /= 2;
    while (e->steps > 32 && arcs * (double)e->vectors * (double)e->steps > most) e->steps /= 2;
    if (arcs * (double)e->vectors * (double)e->steps > most) e->vectors = 4;
}

/* Bit v of block i of the random numbers is the sign of entry i of vector v. */
static void draw_rows(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const estimate *e = arg;
    const gpri_random random = gpri_random_of(0, GPRI_RANDOM_TRACE, 0, 0);
    const gpri_range rows = gpri_chunk_of(chunk, ROWS, e->walk.graph->nodes);
    for (int64_t i = rows.first; i < rows.end; i++) {
        const philox4x32_ctr_t block = gpri_random_block(random, (uint64_t)i);
        for (int64_t v = 0; v < e->vectors; v++) {
            const bool minus = block.v[v / 32] >> v % 32 & 1;
            e->before[i * e->vectors + v] = minus ? -e->walk.scale[i] : e->walk.scale[i];
        }
    }
}

/* The vectors are scaled by S, so their products are divided by its square. */
static void dot_rows(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const estimate *e = arg;
    const gpri_range rows = gpri_chunk_of(chunk, ROWS, e->walk.graph->nodes);
    double same = 0, mixed = 0;
    for (int64_t i = rows.first; i < rows.end; i++) {
        double own = 0, other = 0;
        for (int64_t at = i * e->vectors; at < (i + 1) * e->vectors; at++) {
            own += e->now[at] * e->now[at];
            other += e->now[at] * e->before[at];
        }
        same += own / e->walk.squared[i];
        mixed += other / e->walk.squared[i];
    }
    e->dots[2 * chunk] = same;
    e->dots[2 * chunk + 1] = mixed;
}

static void for_all_rows(estimate *e, gpri_chunk_fn fn) {
    gpr_ctx *ctx = e->walk.ctx;
    const int64_t nodes = e->walk.graph->nodes;
    gpri_parallel(ctx, nodes * e->vectors < 100000 ? 1 : ctx->threads, gpri_chunk_count(nodes, ROWS), fn, e);
}

/* moments[m] = trace T_m / n, for m below 2 steps. */
static void find_moments(estimate *e) {
    const int64_t nodes = e->walk.graph->nodes, chunks = gpri_chunk_count(nodes, ROWS);
    const double count = (double)nodes * (double)e->vectors;
    double *mu = e->moments;
    for_all_rows(e, draw_rows);
    mu[0] = 1;
    for (int64_t k = 1; k <= e->steps; k++) { /* now = T_k x, before = T_k-1 x */
        double same = 0, mixed = 0, *next = k == 1 ? e->now : e->before;
        if (k == 1) gpri_exact_scaled(&e->walk, next, e->before, e->vectors, 1, 0);
        else gpri_exact_scaled(&e->walk, next, e->now, e->vectors, 2, 1);
        if (k > 1) {
            e->before = e->now;
            e->now = next;
        }
        for_all_rows(e, dot_rows);
        for (int64_t c = 0; c < chunks; c++) {
            same += e->dots[2 * c];
            mixed += e->dots[2 * c + 1];
        }
        mu[2 * k - 1] = k == 1 ? mixed / count : 2 * mixed / count - mu[1];
        if (2 * k < 2 * e->steps) mu[2 * k] = 2 * same / count - 1;
    }
}

/* g_m of `count` moments. */
static double jackson(int64_t m, int64_t count) {
    const double pi = acos(-1.0), n = (double)count + 1, t = pi * (double)m / n;
    return ((n - (double)m) * cos(t) + sin(t) / tan(pi / n)) / n;
}

/* The share of the eigenvalues in [-1, x]: the integral of the series, from the angle of x to pi. */
static double share_below(const double *mu, int64_t count, double x) {
    const double pi = acos(-1.0), angle = acos(x);
    double sum = (pi - angle) / pi;
    for (int64_t m = 1; m < count; m++) sum -= 2 * mu[m] * sin((double)m * angle) / ((double)m * pi);
    return sum;
}

static void density_of_moments(double *density, int bins, double *mu, int64_t count) {
    double below = 0, total = 0;
    for (int64_t m = 0; m < count; m++) mu[m] *= jackson(m, count);
    for (int b = 0; b < bins; b++) {
        const double until = b + 1 < bins ? share_below(mu, count, -1 + 2.0 * (b + 1) / bins) : 1;
        density[b] = fmax(until - below, 0); /* the moments are estimates: the sum may be below 0 by a hair */
        total += density[b];
        below = until;
    }
    for (int b = 0; b < bins; b++) density[b] /= total;
}

gpr_status gpri_density_estimate(gpr_ctx *ctx, const gpri_graph *graph, double *density, int bins) {
    gpr_status status = GPR_OK;
    estimate e = {0};
    TRY(gpri_exact_new(ctx, &e.walk, graph));
    choose_sizes(&e);
    TRY(gpri_alloc(ctx, &e.now, graph->nodes * e.vectors, sizeof(double), "spectrum"));
    TRY(gpri_alloc(ctx, &e.before, graph->nodes * e.vectors, sizeof(double), "spectrum"));
    TRY(gpri_alloc(ctx, &e.dots, 2 * gpri_chunk_count(graph->nodes, ROWS), sizeof(double), "spectrum"));
    TRY(gpri_alloc(ctx, &e.moments, 2 * e.steps, sizeof(double), "spectrum"));
    find_moments(&e);
    density_of_moments(density, bins, e.moments, 2 * e.steps);
done:
    gpri_free_all(ctx, e.now, e.before, e.dots, e.moments);
    gpri_exact_free(&e.walk);
    return status;
}

/* ---- known eigenvalues ---- */

void gpri_density_of_values(double *density, int bins, const double *values, int64_t count) {
    memset(density, 0, (size_t)bins * sizeof *density);
    for (int64_t i = 0; i < count; i++) {
        const int bin =
            (int)((values[i] + 1 + 1e-9) / 2 * bins); /* 1/2 up to rounding belongs to the upper of two bins */
        density[bin < 0 ? 0 : bin < bins ? bin : bins - 1] += 1.0 / (double)count;
    }
}

/* ---- the filter ---- */

double gpri_response(const gpri_curve *g, double lambda) {
    double sum = 0;
    if (g->basis && !gpri_basis_is_monomial(g->basis))
        return gpri_basis_value(g->basis, g->theta, g->count - 1, lambda);
    for (int64_t k = g->count - 1; k >= 0; k--) sum = sum * lambda + g->theta[k];
    return sum;
}

void gpri_response_grid(double *lambda, double *response, int64_t points, const gpri_curve *g) {
    for (int64_t i = 0; i < points; i++) {
        lambda[i] = -1 + 2 * (double)i / (double)(points - 1);
        if (g) response[i] = gpri_response(g, lambda[i]);
    }
}
