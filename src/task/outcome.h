/* What is predicted of nodes: a row for each, as predictions, results and tables hold it. Of a node that has one of
 * several classes: the class, a probability for each class, and the scores that they come from. Of a number: it, in the
 * place of a probability, and the one score. */
#ifndef GPRI_OUTCOME_H
#define GPRI_OUTCOME_H

#include "base/memory.h"
#include "base/real.h"
#include "task/number.h"

typedef struct gpri_outcome {
    int32_t *classes; /* (rows); NULL: nobody asked, as for the others */
    float *proba;     /* (rows x scores); of a number: it, in its own unit */
    float *logits;    /* (rows x scores) */
} gpri_outcome;

/* Room for the classes of some rows; with_proba: and for probabilities. Free it in any case. */
gpr_status gpri_outcome_new(gpr_ctx *ctx, gpri_outcome *out, int64_t rows, int64_t scores,
                            bool with_proba) GPRI_MUST_CHECK;
void gpri_outcome_free(gpr_ctx *ctx, gpri_outcome *outcome); /* leaves it empty */
/* The rows from `row` on. */
gpri_outcome gpri_outcome_from(const gpri_outcome *outcome, int64_t row, int64_t scores);
/* Rows i, i + 1, ... become rows j, j + 1, ... of `from`, which has what `to` has. */
void gpri_outcome_copy(const gpri_outcome *to, int64_t i, const gpri_outcome *from, int64_t j, int64_t count,
                       int64_t scores);
/* What scores mean. */
typedef struct gpri_meaning {
    double scale;   /* of the link of classes */
    gpri_unit unit; /* of a number; its scale is 0 for classes */
} gpri_meaning;
/* Row i becomes what the scores z say. */
void gpri_outcome_read(const gpri_outcome *to, int64_t i, const gpri_real *z, int64_t scores,
                       const gpri_meaning *meaning);
/* The class of row i, if need be by its probabilities. */
int64_t gpri_outcome_class(const gpri_outcome *outcome, int64_t i, int64_t scores);

#endif
