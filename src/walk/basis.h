/* A basis of polynomials P_0, P_1, ... as a table of the coefficients of its recurrence:
 *
 *     P_0 = 1,   P_{k+1}(x) = (a_k x + b_k) P_k(x) - c_k P_{k-1}(x),   P_{-1} = 0
 *
 * The monomials x^k, which eq. 1 has, are (1, 0, 0) for every k. */
#ifndef GPRI_BASIS_H
#define GPRI_BASIS_H

#include <stdbool.h>

#include "base/real.h"

typedef struct gpri_recurrence {
    gpri_real a, b, c; /* a is not 0 */
} gpri_recurrence;

typedef struct gpri_basis {
    const char *name;
    const gpri_recurrence *table; /* (hops); NULL: the monomials, of any degree */
    int64_t hops;
} gpri_basis;

static const gpri_basis gpri_monomials = {"monomials", 0, 0};

/* What leads from P_k to P_{k+1}. */
static inline gpri_recurrence gpri_recurrence_of(const gpri_basis *basis, int64_t k) {
    const gpri_recurrence monomial = {1, 0, 0};
    return basis->table ? basis->table[k] : monomial;
}

#endif
