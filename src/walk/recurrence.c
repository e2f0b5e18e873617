/* The sum over the hops, for any basis (walk/basis.h). With x = A~, U_k = S u_k, and M = S^2 (A + I), so that no arc
 * has a factor of its own:
 *
 * Forward, by Clenshaw's scheme (of the monomials: Horner's), k = K .. 0:
 *     u_k = theta_k h + (a_k x + b_k) u_{k+1} - c_{k+1} u_{k+2},   z = u_0
 *     U_k = theta_k S h + a_k M U_{k+1} + b_k U_{k+1} - c_{k+1} U_{k+2},   z = S^-1 U_0
 * Where b_0 and c_1 are 0, the last step leads to z at once: z = theta_0 h + a_0 S (A + I) U_1.
 *
 * Backward, B_0 = dZ:
 *     B_{k+1} = (a_k x + b_k) B_k - c_k B_{k-1},   dH = sum_k theta_k B_k,   dtheta_k = <H, B_k>
 *
 * Two buffers take turns. What is two steps back lies where the next result goes, row by row. */
#include "walk/polynomial.h"

/* The step from `in`, with the coefficients a_k, b_k and those of c_j. */
static gpri_step step_of(gpri_step step, const gpri_basis *basis, int64_t k, int64_t j) {
    const gpri_recurrence rule = gpri_recurrence_of(basis, k);
    step.a = rule.a;
    step.b = rule.b;
    step.c = j < 0 ? 0 : gpri_recurrence_of(basis, j).c;
    return step;
}

void gpri_strip_apply(const gpri_strip *strip, gpri_matrix z, gpri_matrix h) {
    const gpri_polynomial *p = strip->polynomial;
    const int64_t K = p->degree;
    gpri_hop hop = {.walker = p->walker, .all_nodes = strip->all_nodes, .h = h};
    gpri_step step = p->steps.inner;
    for (int64_t k = K; k >= 0; k--) {
        hop.in = hop.out;
        hop.out = k == 0 ? z : strip->buffers[k % 2];
        hop.theta = &p->theta[k];
        if (k < K) step = step_of(p->steps.inner, p->basis, k, k + 2 <= K ? k + 1 : -1);
        hop.before = step.c != 0 ? strip->buffers[k % 2] : gpri_no_matrix;
        const bool ends = k == 0 && step.b == 0 && step.c == 0;
        if (ends) step = K == 0 ? p->steps.last : step_of(p->steps.last, p->basis, 0, -1);
        hop.step = &step;
        if (k == K) gpri_hop_begin(&hop);
        else gpri_hop_step(&hop);
        if (k > 0 || ends) continue;
        hop.sum = z;
        gpri_hop_end(&hop);
    }
}

void gpri_strip_learn(const gpri_strip *strip, gpri_matrix dh, gpri_matrix dz, gpri_matrix h) {
    const gpri_polynomial *p = strip->polynomial;
    gpri_step step = p->steps.inner;
    gpri_hop hop = {.walker = p->walker, .all_nodes = strip->all_nodes, .h = h, .sum = dh, .in = dz, .step = &step};
    for (int64_t k = 0; k <= p->degree; k++) {
        hop.out = strip->buffers[k % 2];
        hop.theta = &p->theta[k];
        hop.dots = strip->dots + k * strip->apart;
        if (k > 0) step = step_of(p->steps.inner, p->basis, k - 1, k > 1 ? k - 1 : -1);
        hop.before = step.c != 0 ? hop.out : gpri_no_matrix;
        if (k == 0) gpri_hop_begin_dot(&hop);
        else gpri_hop_step_dot(&hop);
        if (strip->apart == 0)
            p->walker->device->ops->sum_dots(&p->dtheta[k], strip->dots, gpri_own_chunks(&p->walker->rows));
        hop.in = hop.out;
    }
    gpri_hop_end(&hop);
}
