/* A target that is a number: the unit that a network learns it in, and the losses of it. For the host and for devices;
 * ref (tensor/cpu/ref.c) is these definitions in plain loops. */
#ifndef GPRI_NUMBER_H
#define GPRI_NUMBER_H

#include <math.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/real.h"
#include "base/status.h"

/* A network tells z, and z means the number mean + scale z: so weights and the learning rate are those of any task.
   scale 0: the target is no number. */
typedef struct gpri_unit {
    double mean, scale;
} gpri_unit;

GPRI_INLINE double gpri_in_unit(const gpri_unit *unit, double z) { return unit->mean + unit->scale * z; }

/* Mean and standard deviation of those of `count` nodes that have part[i] == which; part NULL: of all that are known.
   numbers: (count) NaN: not known. What is constant has scale 0. */
gpri_unit gpri_unit_of(const float *numbers, const uint8_t *part, uint8_t which, int64_t count);

/* How much a residual r = z - y costs, both in the unit. */
typedef enum gpri_number_loss { GPRI_SQUARED, GPRI_ABSOLUTE, GPRI_HUBER } gpri_number_loss;
typedef struct gpri_error_form {
    gpri_number_loss loss;
    double bend; /* of huber: beyond it the cost is a line */
} gpri_error_form;

/* The word of the option `loss`: "squared", "absolute", "huber" or "huber:D"; "auto" is squared. */
gpr_status gpri_error_form_parse(gpri_error_form *out, const char *word) GPRI_MUST_CHECK;

GPRI_INLINE double gpri_error_cost(const gpri_error_form *how, double r) {
    const double size = fabs(r);
    if (how->loss == GPRI_SQUARED) return r * r;
    if (how->loss == GPRI_ABSOLUTE) return size;
    return size <= how->bend ? r * r / 2 : how->bend * (size - how->bend / 2);
}

/* Its derivative by z; 0 where there is none. */
GPRI_INLINE double gpri_error_slope(const gpri_error_form *how, double r) {
    const double side = r > 0 ? 1 : r < 0 ? -1 : r; /* a NaN stays one */
    if (how->loss == GPRI_SQUARED) return 2 * r;
    if (how->loss == GPRI_ABSOLUTE) return side;
    return fabs(r) <= how->bend ? r : how->bend * side;
}

#endif
