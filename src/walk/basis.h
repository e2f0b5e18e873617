/* A basis of polynomials P_0, P_1, ... by its recurrence:
 *
 *     P_0 = 1,   P_{k+1}(x) = (a_k x + b_k) P_k(x) - c_k P_{k-1}(x),   P_{-1} = 0
 *
 * The monomials x^k, which eq. 1 has, are (1, 0, 0) for every k. The others are orthogonal on [-1, 1], where the
 * eigenvalues of a matrix of an undirected graph lie, so that the numbers before them are learned more easily. */
#ifndef GPRI_BASIS_H
#define GPRI_BASIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/real.h"

typedef struct gpri_recurrence {
    gpri_real a, b, c; /* a is not 0 */
} gpri_recurrence;

typedef struct gpri_basis {
    const char *name;
    const gpri_recurrence *table; /* (hops), of a basis given by numbers; else NULL */
    int64_t hops;
    /* (a_k, b_k, c_k), where there is no table. Both NULL: the monomials, of any degree */
    gpri_recurrence (*rule)(double alpha, double beta, int64_t k);
    double alpha, beta; /* of the Jacobi polynomials: (0, 0) are Legendre's */
} gpri_basis;

static const gpri_basis gpri_monomials = {.name = "monomials"};

/* The basis of a word of the option `basis`, such as "legendre". False: there is none. */
bool gpri_basis_find(gpri_basis *out, const char *word);
gpri_basis gpri_jacobi_basis(double alpha, double beta); /* both above -1 */

static inline bool gpri_basis_is_monomial(const gpri_basis *basis) { return !basis->table && !basis->rule; }

/* What leads from P_k to P_{k+1}. */
static inline gpri_recurrence gpri_recurrence_of(const gpri_basis *basis, int64_t k) {
    const gpri_recurrence monomial = {1, 0, 0};
    if (basis->table) return basis->table[k];
    return basis->rule ? basis->rule(basis->alpha, basis->beta, k) : monomial;
}

/* sum_k theta_k P_k(x). */
double gpri_basis_value(const gpri_basis *basis, const double *theta, int64_t degree, double x);
/* A polynomial in another basis: sum_k theta_k P_k(x) = sum_k powers_k x^k. All: (degree + 1). */
void gpri_basis_from_powers(const gpri_basis *basis, double *theta, const double *powers, int64_t degree,
                            double *scratch);
/* Bernstein's polynomials b_k(x) = C(K, k) ((1 - x) / 2)^k ((1 + x) / 2)^(K - k) have no such recurrence, but are sums
   of Chebyshev's: b_k = sum_j to[k * (K + 1) + j] T_j. In lambda = 1 - x, the number before b_k is about the filter's
   value at 2 k / K. to: (K + 1 x K + 1). */
void gpri_bernstein_in_chebyshev(double *to, int64_t K);
/* sum_k gamma_k b_k = sum_j theta_j T_j, K up to GPRI_MOST_BERNSTEIN. Both: (K + 1). */
enum { GPRI_MOST_BERNSTEIN = 60 };
void gpri_chebyshev_of_bernstein(double *theta, const double *gamma, int64_t K);

#endif
