/* What a training minimises: the mean over the training nodes of -log p of their class, or of what the residual of
 * their number costs (number.h). For the host and for devices; ref (tensor/cpu/ref.c) is these definitions in plain
 * loops, and every other table is tested against it. */
#ifndef GPRI_LOSS_H
#define GPRI_LOSS_H

#include <stdbool.h>

#include "gprgnn.h"
#include "task/link.h"
#include "task/number.h"

/* What the loss compares scores with. */
typedef struct gpri_targets {
    const int32_t *labels;   /* (nodes) */
    const uint8_t *part;     /* (nodes) gpr_part */
    gpri_real weight;        /* of a training node in the loss: 1 / their number */
    const gpri_real *factor; /* (nodes) times weight, for training nodes; their mean is 1. NULL: 1 */
    const int32_t *shown;    /* (nodes) labels that are an input, else -1: those nodes have no loss; NULL: all are -1 */
    const gpri_real *scale;  /* of the weight, one number in the device's memory; NULL: 1 */
    const gpri_real *numbers; /* (nodes) in their unit, where the target is a number; NULL: it is a class */
    gpri_error_form error;    /* with them */
} gpri_targets;

/* ---- which nodes count, and how much ---- */

GPRI_INLINE bool gpri_has_loss(const gpri_targets *targets, int64_t node) {
    return targets->part[node] != GPR_UNUSED && (!targets->shown || targets->shown[node] < 0);
}

GPRI_INLINE bool gpri_learns_from(const gpri_targets *targets, int64_t node) {
    return targets->part[node] == GPR_TRAIN && gpri_has_loss(targets, node);
}

GPRI_INLINE gpri_real gpri_loss_weight(const gpri_targets *targets) {
    return targets->scale ? targets->weight * *targets->scale : targets->weight;
}

GPRI_INLINE gpri_real gpri_loss_factor(const gpri_targets *targets, int64_t node) {
    return targets->factor && targets->part[node] == GPR_TRAIN ? targets->factor[node] : (gpri_real)1;
}

/* ---- the loss of a node: l(s), s = -log p its surprise, p the probability of its class. The derivative by the score
   of class c is l'(s) (p_c - 1) where c is its class, l'(s) p_c elsewhere. So a loss is these two functions, and all
   devices take them from here. ---- */

/* s, from the score of its class, and the link at scale 1. */
GPRI_INLINE double gpri_surprise(double most, double sum, double score) { return most + log(sum) - score; }

/* l(s) = s: the negative log-likelihood. */
GPRI_INLINE double gpri_loss_of(const gpri_targets *targets, double surprise) {
    (void)targets;
    return surprise;
}

/* l'(s) */
GPRI_INLINE double gpri_loss_slope(const gpri_targets *targets, double surprise) {
    (void)targets, (void)surprise;
    return 1;
}

/* From the probability of its class; least: so much at least, so that it is finite. */
GPRI_INLINE double gpri_loss_of_probability(double probability, double least) { return -log(fmax(probability, least)); }

#endif
