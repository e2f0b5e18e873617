/* Bases of polynomials: their recurrences, and how one basis is written in another. */
#include "walk/basis.h"

#include <string.h>

/* Of the first kind. */
static gpri_recurrence chebyshev(double alpha, double beta, int64_t k) {
    (void)alpha, (void)beta;
    return k == 0 ? (gpri_recurrence){1, 0, 0} : (gpri_recurrence){2, 0, 1};
}

/* With n = k + 1, s = alpha + beta (Abramowitz and Stegun, 22.7.1):
       2 n (n + s) (2 n + s - 2) P_n = (2 n + s - 1) [(2 n + s) (2 n + s - 2) x + alpha^2 - beta^2] P_{n-1}
                                       - 2 (n + alpha - 1) (n + beta - 1) (2 n + s) P_{n-2} */
static gpri_recurrence jacobi(double alpha, double beta, int64_t k) {
    const double n = (double)k + 1, s = alpha + beta;
    if (k == 0) return (gpri_recurrence){(gpri_real)((s + 2) / 2), (gpri_real)((alpha - beta) / 2), 0};
    const double scale = 2 * n * (n + s) * (2 * n + s - 2);
    return (gpri_recurrence){(gpri_real)((2 * n + s - 1) * (2 * n + s) * (2 * n + s - 2) / scale),
                             (gpri_real)((2 * n + s - 1) * (alpha * alpha - beta * beta) / scale),
                             (gpri_real)(2 * (n + alpha - 1) * (n + beta - 1) * (2 * n + s) / scale)};
}

static const gpri_basis known[] = {
    {.name = "monomial"}, {.name = "chebyshev", .rule = chebyshev}, {.name = "legendre", .rule = jacobi}};

gpri_basis gpri_jacobi_basis(double alpha, double beta) {
    return (gpri_basis){.name = "jacobi", .rule = jacobi, .alpha = alpha, .beta = beta};
}

bool gpri_basis_find(gpri_basis *out, const char *word) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, word) != 0) continue;
        *out = known[i];
        return true;
    }
    return false;
}

double gpri_basis_value(const gpri_basis *basis, const double *theta, int64_t degree, double x) {
    double before = 0, now = 1, sum = theta[0];
    for (int64_t k = 0; k < degree; k++) {
        const gpri_recurrence rule = gpri_recurrence_of(basis, k);
        const double next = ((double)rule.a * x + (double)rule.b) * now - (double)rule.c * before;
        before = now;
        now = next;
        sum += theta[k + 1] * now;
    }
    return sum;
}

/* to = x times the sum of `from`: x P_k = (P_{k+1} - b_k P_k + c_k P_{k-1}) / a_k. from: the last is 0. */
static void times_x(const gpri_basis *basis, double *to, const double *from, int64_t degree) {
    memset(to, 0, (size_t)(degree + 1) * sizeof *to);
    for (int64_t k = 0; k < degree; k++) {
        const gpri_recurrence rule = gpri_recurrence_of(basis, k);
        const double share = from[k] / (double)rule.a;
        to[k + 1] += share;
        to[k] -= (double)rule.b * share;
        if (k > 0) to[k - 1] += (double)rule.c * share;
    }
}

/* Horner's scheme, with polynomials of the basis in place of numbers. */
void gpri_basis_from_powers(const gpri_basis *basis, double *theta, const double *powers, int64_t degree,
                            double *scratch) {
    memset(theta, 0, (size_t)(degree + 1) * sizeof *theta);
    for (int64_t k = degree; k >= 0; k--) {
        times_x(basis, scratch, theta, degree);
        memcpy(theta, scratch, (size_t)(degree + 1) * sizeof *theta);
        theta[0] += powers[k];
    }
}

void gpri_bernstein_in_chebyshev(double *to, int64_t K) {
    memset(to, 0, (size_t)((K + 1) * (K + 1)) * sizeof *to);
    double choose = 1; /* C(K, k) */
    for (int64_t k = 0; k <= K; k++) {
        double *row = to + k * (K + 1);
        row[0] = choose;
        for (int64_t factor = 0; factor < K; factor++) { /* times (1 -+ x) / 2, with x T_j = (T_{j+1} + T_|j-1|) / 2 */
            const double sign = factor < k ? -1 : 1;
            double left = 0, own = row[0];
            for (int64_t j = 0; j <= factor + 1; j++) {
                const double right = j < K ? row[j + 1] : 0;
                const double times = j == 0 ? right / 2 : (j == 1 ? left : left / 2) + right / 2;
                row[j] = (own + sign * times) / 2;
                left = own;
                own = right;
            }
        }
        choose = choose * (double)(K - k) / (double)(k + 1);
    }
}

void gpri_chebyshev_of_bernstein(double *theta, const double *gamma, int64_t K) {
    double in[(GPRI_MOST_BERNSTEIN + 1) * (GPRI_MOST_BERNSTEIN + 1)];
    gpri_bernstein_in_chebyshev(in, K);
    for (int64_t j = 0; j <= K; j++) {
        theta[j] = 0;
        for (int64_t k = 0; k <= K; k++) theta[j] += in[k * (K + 1) + j] * gamma[k];
    }
}
