/* The sum over the hops, for any basis (walk/basis.h) and matrix S = L A R (walk/operator.h). With x = S, U_k = R u_k
 * and M = R L A, so that no arc has a factor of its own:
 *
 * Forward, by Clenshaw's scheme (of the monomials: Horner's), k = K .. 0:
 *     u_k = theta_k h + (a_k x + b_k) u_{k+1} - c_{k+1} u_{k+2},   z = u_0
 *     U_k = theta_k R h + a_k M U_{k+1} + b_k U_{k+1} - c_{k+1} U_{k+2},   z = R^-1 U_0
 * Where b_0 and c_1 are 0, the last step leads to z at once: z = theta_0 h + a_0 L A U_1. A polynomial that adds has z
 * itself in the place of theta_0 h.
 *
 * Backward, with the transpose of S, B_0 = dZ:
 *     B_{k+1} = (a_k x + b_k) B_k - c_k B_{k-1},   dH = sum_k theta_k B_k,   dtheta_k = <H, B_k>
 *
 * Where theta has a number for each column, the vectors are not scaled, and theta_k h is an operation of its own. Two
 * buffers take turns. What is two steps back lies where the next result goes, row by row. */
#include "walk/polynomial.h"

static gpri_step step_of(gpri_step step, const gpri_polynomial *p, int64_t k, int64_t j) {
    const gpri_recurrence rule = gpri_recurrence_of(p->basis, k);
    step.a = rule.a;
    step.b = rule.b;
    step.c = j < 0 ? 0 : gpri_recurrence_of(p->basis, j).c;
    step.far = p->way.far;
    return step;
}

/* The number of a hop's step: the monomials, whose coefficients are the same for all k, have two steps. */
static int64_t step_at(const gpri_polynomial *p, int64_t k) {
    return gpri_basis_is_monomial(p->basis) && k > 1 ? 1 : k;
}

gpr_status gpri_recurrence_plan(gpri_polynomial *p) {
    const int64_t K = p->degree, end = step_at(p, K);
    const gpri_step inner = p->each ? gpri_operator_whole_step(p->s, false) : gpri_operator_step(p->s, false, false),
                    last = p->each ? inner : gpri_operator_step(p->s, false, true),
                    back = p->each ? gpri_operator_whole_step(p->s, true) : gpri_operator_step(p->s, true, false);
    NEED(gpri_held_keep(&p->walker->held, &p->forward, end + 1, sizeof *p->forward, "graph filter"));
    NEED(gpri_held_keep(&p->walker->held, &p->back, end + 1, sizeof *p->back, "graph filter"));
    p->forward[end] = K == 0 ? last : inner;
    p->back[0] = back;
    for (int64_t k = 0; k < end; k++) {
        p->forward[k] = step_of(inner, p, k, k + 2 <= K ? k + 1 : -1);
        if (k == 0 && p->forward[0].b == 0 && p->forward[0].c == 0) p->forward[0] = step_of(last, p, 0, -1);
        p->back[k + 1] = step_of(back, p, k, k > 0 ? k : -1);
    }
    p->steps = (gpri_filter){.inner = inner, .last = last, .theta = p->theta, .hops = K};
    p->steps.inner.far = p->steps.last.far = p->forward[end].far = p->back[0].far = p->way.far;
    return GPR_OK;
}

/* Where theta_k of the strip's columns is. */
static int64_t place(const gpri_strip *strip, int64_t k) {
    const gpri_polynomial *p = strip->polynomial;
    return p->each ? k * p->width + strip->column : k;
}

static int64_t each_of(const gpri_polynomial *p, gpri_matrix x) {
    if (!p->each) return 0;
    return x.width < p->width ? x.width : p->width;
}

void gpri_strip_apply(const gpri_strip *strip, gpri_matrix z, gpri_matrix h) {
    const gpri_polynomial *p = strip->polynomial;
    const int64_t K = p->degree;
    gpri_hop hop = {.walker = p->walker, .all_nodes = strip->all_nodes, .each = each_of(p, z)};
    if (p->adds && K == 0) return;
    for (int64_t k = K; k >= 0; k--) {
        const bool adds = k == 0 && p->adds;
        hop.step = &p->forward[step_at(p, k)];
        hop.in = hop.out;
        hop.out = k == 0 ? z : strip->buffers[k % 2];
        hop.before = hop.step->c != 0 ? strip->buffers[k % 2] : gpri_no_matrix;
        hop.h = adds ? z : p->each ? gpri_no_matrix : h;
        hop.theta = adds ? NULL : &p->theta[place(strip, k)];
        if (k < K) gpri_hop_step(&hop);
        else if (!p->each) gpri_hop_begin(&hop);
        if (!p->each || adds) continue;
        hop.h = h;
        gpri_hop_mix(&hop, k == K);
    }
    hop.sum = z;
    if (hop.step->scale) gpri_hop_end(&hop);
}

/* B_0 of a polynomial that adds to dH: both are scaled, dH as the sum that it is. */
static void begin_adding(gpri_hop hop, gpri_matrix out, gpri_matrix dz, gpri_matrix dh) {
    hop.theta = NULL;
    hop.out = out, hop.h = dz;
    gpri_hop_begin(&hop);
    hop.out = hop.h = dh;
    gpri_hop_begin(&hop);
}

static void learn_shared(const gpri_strip *strip, gpri_hop hop, gpri_matrix dh, gpri_matrix dz) {
    const gpri_polynomial *p = strip->polynomial;
    hop.sum = dh;
    hop.in = dz;
    for (int64_t k = 0; k <= p->degree; k++) {
        hop.step = &p->back[step_at(p, k)];
        hop.out = strip->buffers[k % 2];
        hop.theta = &p->theta[k];
        hop.dots = strip->dots + k * strip->apart;
        hop.before = hop.step->c != 0 ? hop.out : gpri_no_matrix;
        if (k > 0) gpri_hop_step_dot(&hop);
        else if (p->adds) begin_adding(hop, hop.out, dz, dh);
        else gpri_hop_begin_dot(&hop);
        if (strip->apart == 0 && !(k == 0 && p->adds))
            p->walker->device->ops->sum_dots(&p->dtheta[k], strip->dots, gpri_own_chunks(&p->walker->rows));
        hop.in = hop.out;
    }
    gpri_hop_end(&hop);
}

/* dH += theta_k B_k, and dtheta_k. */
static void learn_columns(const gpri_strip *strip, gpri_hop hop, gpri_matrix dh, gpri_matrix b, int64_t k) {
    const gpri_polynomial *p = strip->polynomial;
    const gpri_matrix h = hop.h;
    if (k == 0 && p->adds) return;
    hop.theta = &p->theta[place(strip, k)];
    hop.out = dh, hop.h = b;
    gpri_hop_mix(&hop, k == 0);
    hop.out = b, hop.h = h;
    gpri_hop_mix_dots(&hop);
    p->walker->device->ops->sum_blocks(&p->dtheta[place(strip, k)], p->column_dots, gpri_own_chunks(&p->walker->rows),
                                       hop.each, hop.each);
}

static void learn_each(const gpri_strip *strip, gpri_hop hop, gpri_matrix dh, gpri_matrix dz) {
    const gpri_polynomial *p = strip->polynomial;
    const gpri_matrix h = hop.h;
    gpri_matrix b = dz;
    hop.column_dots = p->column_dots;
    for (int64_t k = 0; k <= p->degree; k++) {
        if (k > 0) {
            hop.step = &p->back[step_at(p, k)];
            hop.in = b;
            hop.out = strip->buffers[k % 2];
            hop.before = hop.step->c == 0 ? gpri_no_matrix : k == 2 ? dz : hop.out;
            hop.h = gpri_no_matrix;
            gpri_hop_step(&hop);
            b = hop.out;
        }
        hop.h = h;
        learn_columns(strip, hop, dh, b, k);
    }
}

void gpri_strip_learn(const gpri_strip *strip, gpri_matrix dh, gpri_matrix dz, gpri_matrix h) {
    const gpri_polynomial *p = strip->polynomial;
    const gpri_hop hop = {.walker = p->walker, .all_nodes = strip->all_nodes, .h = h, .each = each_of(p, dz)};
    if (p->each) learn_each(strip, hop, dh, dz);
    else if (!p->adds || p->degree > 0) learn_shared(strip, hop, dh, dz);
}
