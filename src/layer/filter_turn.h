/* From the weights gamma of a filter to the numbers theta that the walk takes, and back for the gradients: theta = M
 * gamma, dgamma = M' dtheta. M is the identity, and nothing is done, for all bases but Bernstein's. */
#ifndef GPRI_FILTER_TURN_H
#define GPRI_FILTER_TURN_H

#include "layer/net.h"
#include "walk/operator.h"

typedef struct gpri_filter_turn {
    const gpri_weight *gamma;
    const gpri_real *theta;  /* (thetas x width of gamma); gamma (1 x rows): (thetas) */
    gpri_real *dtheta;       /* the same */
    gpri_real *there, *back; /* M' (padded rows x padded thetas) and M (padded thetas x padded rows); NULL: no M */
    gpri_real *turned;       /* where theta is then */
    int64_t rows, thetas;
    bool columns;
} gpri_filter_turn;

/* The matrix of a term. */
gpr_status gpri_filter_operator(gpri_operator *out, gpri_net *net, const gpri_filter_term *term,
                                bool loops) GPRI_MUST_CHECK;

gpr_status gpri_filter_turn_plan(gpri_filter_turn *turn, gpri_net *net, const gpri_filter_form *form,
                                 const gpri_weight *gamma) GPRI_MUST_CHECK;
void gpri_filter_turn_there(const gpri_filter_turn *turn, const gpri_ops *ops);
void gpri_filter_turn_back(const gpri_filter_turn *turn, const gpri_ops *ops);

#endif
