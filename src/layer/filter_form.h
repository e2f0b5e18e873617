/* What a filter is made of: Z = gamma_0 H + sum_t sum_{k >= 1} gamma_{t,k} P_k(S_t) H, one term for each matrix S_t: a
 * relation of the graph, in one direction or without (walk/operator.h). */
#ifndef GPRI_FILTER_FORM_H
#define GPRI_FILTER_FORM_H

#include "graph/graph.h"
#include "walk/basis.h"

enum { GPRI_MOST_TERMS = 32 };

typedef struct gpri_filter_term {
    int relation;
    int side;                             /* GPRI_ALONG or GPRI_AGAINST; 0: undirected */
    const gpri_graph *forward, *backward; /* its arcs by rows, and their transpose; NULL: not known yet */
} gpri_filter_term;

typedef struct gpri_filter_form {
    gpri_basis basis;
    bool bernstein; /* gamma stands before Bernstein's polynomials; they are computed in `basis`, Chebyshev's */
    bool columns;   /* gamma has a number for each column */
    bool loops;     /* undirected matrices have loops */
    int64_t hops;   /* K */
    int count;
    gpri_filter_term terms[GPRI_MOST_TERMS];
} gpri_filter_form;

/* One undirected matrix and one gamma for all columns: the filter of eq. 1, in any basis. */
static inline bool gpri_form_is_single(const gpri_filter_form *form) {
    return form->count == 1 && form->terms[0].side == 0 && !form->columns;
}
/* Rows of gamma: gamma_0, then K of each term; of Bernstein's, where no polynomial is 1, K + 1 of each. */
static inline int64_t gpri_form_rows(const gpri_filter_form *form) {
    return form->bernstein ? form->count * (form->hops + 1) : 1 + form->count * form->hops;
}
/* The row of gamma_k of a term. */
static inline int64_t gpri_form_row(const gpri_filter_form *form, int term, int64_t k) {
    if (form->bernstein) return term * (form->hops + 1) + k;
    return k == 0 ? 0 : term * form->hops + k;
}

#endif
