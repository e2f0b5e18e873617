/* The filter of a trained model, to be read: what it is made of, and its numbers. */
#ifndef GPRI_TRAINED_H
#define GPRI_TRAINED_H

#include "model/model.h"

typedef struct gpri_trained {
    gpri_filter_form form; /* without graphs; form.count 0: the model has no filter */
    const char *basis;     /* as the option says it */
    const float *gamma;    /* (rows of the form x columns) the model's, or a run's; of a block (terms K x columns) */
    int64_t columns;       /* 1, or the classes, or of a block those of the network */
    int64_t block;         /* from 1; 0: the model has one filter */
} gpri_trained;

gpr_status gpri_trained_of(gpri_trained *out, const gpr_model *model) GPRI_MUST_CHECK;
/* How many blocks with a filter of their own the model has; 0: none. That of a block has no gamma_0, which reads as 0:
   what a node has of itself goes through weights of its own. */
int64_t gpri_trained_blocks(const gpr_model *model);
/* The term of the model's filter, or of a block's, that is part number `index` of gpr_model_filter_count. */
gpr_status gpri_trained_part(gpri_trained *out, int *term, const gpr_model *model, int64_t index) GPRI_MUST_CHECK;
/* The values of the model's weight "blockB.NAME"; NULL: it has none. */
const float *gpri_trained_weight(const gpr_model *model, int64_t block, const char *name);
/* What is before P_k of a term, k = 0 .. K. gamma_0, which all terms share where P_0 is 1, is that of the first; so
   that the filter is the sum of all. */
double gpri_trained_gamma(const gpri_trained *filter, int term, int64_t k, int64_t column);
/* The same before the polynomials of form.basis: of Bernstein's they are others. theta: (K + 1). */
void gpri_trained_theta(const gpri_trained *filter, double *theta, int term, int64_t column);
/* What sums before the polynomials of form.basis are by gamma: parts_k = gamma_k times the sum of P_k, of sums (K + 1)
   of form.basis; all of a term and a column. */
void gpri_trained_parts(const gpri_trained *filter, double *parts, const double *sums, int term, int64_t column);

/* The relation's name ("" where there is one), and "undirected", "along" or "against". */
const char *gpri_trained_relation(char name[GPRI_RELATION_NAME + 1], const gpr_params *params,
                                  const gpri_trained *filter, int term);
const char *gpri_trained_direction(const gpri_trained *filter, int term);

/* A quarter, the middle and three quarters of the numbers of all columns before P_k, as quantiles between neighbours in
   their order. numbers: (columns) memory. */
void gpri_trained_quartiles(const gpri_trained *filter, double out[3], double *numbers, int term, int64_t k);

/* Whether it is eq. 1: one gamma before powers of A~ of the whole graph. */
bool gpri_trained_is_plain(const gpri_trained *filter, const gpr_params *params);

#endif
