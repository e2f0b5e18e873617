/* Bases of polynomials for tests, as tables; the last one has no coefficient that is 0. */
#ifndef TEST_BASES_H
#define TEST_BASES_H

#include "walk/basis.h"

enum { BASES = 3, BASES_DEGREE = 5 };

static const double bases_gamma[BASES_DEGREE + 2] = {0.3, -0.5, 0.25, 0.7, -0.1, 0.4, 0.2};

static const gpri_recurrence legendre_table[BASES_DEGREE] = {
    {1, 0, 0}, {3.0 / 2, 0, 1.0 / 2}, {5.0 / 3, 0, 2.0 / 3}, {7.0 / 4, 0, 3.0 / 4}, {9.0 / 5, 0, 4.0 / 5}};
static const gpri_recurrence chebyshev_table[BASES_DEGREE] = {{1, 0, 0}, {2, 0, 1}, {2, 0, 1}, {2, 0, 1}, {2, 0, 1}};
static const gpri_recurrence crooked_table[BASES_DEGREE] = {
    {0.9, 0.3, 0.1}, {1.5, -0.2, 0.4}, {-1.1, 0.6, 0.7}, {2, 0.1, -0.3}, {0.8, -0.5, 0.9}};

static const gpri_basis legendre = {.name = "Legendre", .table = legendre_table, .hops = BASES_DEGREE};
static const gpri_basis chebyshev = {.name = "Chebyshev", .table = chebyshev_table, .hops = BASES_DEGREE};
static const gpri_basis crooked = {.name = "crooked", .table = crooked_table, .hops = BASES_DEGREE};
static const gpri_basis *const bases_all[BASES] = {&legendre, &chebyshev, &crooked};

#endif
