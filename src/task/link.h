/* How the scores of a node become probabilities: softmax, of the scores times a scale (1 / temperature). In double
 * precision, for the host and for devices; ref and all readers of scores use it. What a device computes faster in other
 * steps (tensor/cpu/loss.inc, tensor/cuda/loss.cu) is tested against it. */
#ifndef GPRI_LINK_H
#define GPRI_LINK_H

#include <math.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/real.h"

/* Of a row of scores z. */
typedef struct gpri_link {
    int64_t best; /* the first largest score; a NaN is never larger, and nothing is larger than a NaN in front */
    double most;  /* that score */
    double sum;   /* of exp(scale (z - most)); NaN if a score is */
} gpri_link;

/* For rows of a type: the class that is predicted, and the link. */
#define GPRI_LINK_FOR(type, suffix)                                                                \
    GPRI_INLINE int64_t gpri_best##suffix(const type *z, int64_t classes) {                        \
        int64_t best = 0;                                                                          \
        for (int64_t c = 1; c < classes; c++)                                                      \
            if (z[c] > z[best]) best = c;                                                          \
        return best;                                                                               \
    }                                                                                              \
    GPRI_INLINE gpri_link gpri_link##suffix(const type *z, int64_t classes, double scale) {        \
        gpri_link link = {gpri_best##suffix(z, classes), 0, 0};                                    \
        link.most = (double)z[link.best];                                                          \
        for (int64_t c = 0; c < classes; c++) link.sum += exp(((double)z[c] - link.most) * scale); \
        return link;                                                                               \
    }
GPRI_LINK_FOR(gpri_real, _of)
GPRI_LINK_FOR(float, _of_floats)
GPRI_LINK_FOR(double, _of_doubles)

GPRI_INLINE double gpri_probability(const gpri_link *link, double score, double scale) {
    return exp((score - link->most) * scale) / link->sum;
}

GPRI_INLINE double gpri_log_probability(const gpri_link *link, double score, double scale) {
    return (score - link->most) * scale - log(link->sum);
}

/* How the scores of a row speak for a class: the difference of two scores, or the logarithm of its probability. Both
   sort as its probability does. */
GPRI_INLINE double gpri_evidence_of(const gpri_real *z, int64_t classes, int64_t class_id) {
    if (classes == 2) return (double)z[class_id] - (double)z[1 - class_id];
    const gpri_link link = gpri_link_of(z, classes, 1);
    return gpri_log_probability(&link, (double)z[class_id], 1);
}

#endif
