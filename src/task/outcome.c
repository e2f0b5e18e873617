/* Rows of predictions: made, copied, read from scores. */
#include "task/outcome.h"

#include <string.h>

#include "task/link.h"

gpr_status gpri_outcome_new(gpr_ctx *ctx, gpri_outcome *out, int64_t rows, int64_t scores, bool with_proba) {
    int64_t cells;
    *out = (gpri_outcome){0};
    if (!gpri_mul_size(rows, scores, &cells))
        return gpri_fail(GPR_ERROR_MEMORY, "the probabilities do not fit in memory");
    NEED(gpri_alloc(ctx, &out->classes, rows, sizeof *out->classes, "predicted classes"));
    if (with_proba) NEED(gpri_alloc(ctx, &out->proba, cells, sizeof *out->proba, "probabilities"));
    return GPR_OK;
}

void gpri_outcome_free(gpr_ctx *ctx, gpri_outcome *outcome) {
    gpri_free_all(ctx, outcome->classes, outcome->proba, outcome->logits);
    *outcome = (gpri_outcome){0};
}

gpri_outcome gpri_outcome_from(const gpri_outcome *outcome, int64_t row, int64_t scores) {
    return (gpri_outcome){outcome->classes ? outcome->classes + row : NULL,
                          outcome->proba ? outcome->proba + row * scores : NULL,
                          outcome->logits ? outcome->logits + row * scores : NULL};
}

void gpri_outcome_copy(const gpri_outcome *to, int64_t i, const gpri_outcome *from, int64_t j, int64_t count,
                       int64_t scores) {
    const gpri_outcome out = gpri_outcome_from(to, i, scores), in = gpri_outcome_from(from, j, scores);
    const size_t rows = (size_t)count, cells = (size_t)(count * scores);
    if (out.classes) memcpy(out.classes, in.classes, rows * sizeof *out.classes);
    if (out.proba) memcpy(out.proba, in.proba, cells * sizeof *out.proba);
    if (out.logits) memcpy(out.logits, in.logits, cells * sizeof *out.logits);
}

/* The class is the first largest score, as in the training's own accuracy. */
void gpri_outcome_read(const gpri_outcome *to, int64_t i, const gpri_real *z, int64_t scores,
                       const gpri_meaning *meaning) {
    const gpri_outcome row = gpri_outcome_from(to, i, scores);
    if (row.classes) *row.classes = (int32_t)gpri_best_of(z, scores);
    for (int64_t c = 0; row.logits && c < scores; c++) row.logits[c] = (float)z[c];
    if (!row.proba) return;
    if (meaning->unit.scale > 0) {
        row.proba[0] = (float)gpri_in_unit(&meaning->unit, (double)z[0]);
        return;
    }
    const gpri_link link = gpri_link_of(z, scores, meaning->scale);
    for (int64_t c = 0; c < scores; c++) row.proba[c] = (float)gpri_probability(&link, (double)z[c], meaning->scale);
}

int64_t gpri_outcome_class(const gpri_outcome *outcome, int64_t i, int64_t scores) {
    return outcome->classes ? outcome->classes[i] : gpri_best_of_floats(outcome->proba + i * scores, scores);
}
