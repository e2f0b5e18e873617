/* Predictions of a model whose filter comes before its network (the option order): Z = f(S), where S are the filtered
 * features. */
#ifndef GPRI_FIRST_H
#define GPRI_FIRST_H

#include "model/model.h"
#include "task/outcome.h"

/* The filtered features of all nodes, and a network that sees some rows of them at a time. */
typedef struct gpri_first gpri_first;

/* Computes the filtered features. scratch: as for gpri_filtered_new. data is ready; model, data and scratch must
   outlive it. */
gpr_status gpri_first_new(gpr_ctx *ctx, gpri_first **out, const gpr_model *model, const gpr_dataset *data,
                          const char *scratch) GPRI_MUST_CHECK;
/* The predictions of the nodes [first, first + count) become rows of out, which has no logits. Asking in the order of
   the nodes computes every row once. place: NULL, or (nodes) of the nodes place[first] and so on; the same one in all
   calls. */
gpr_status gpri_first_rows(gpri_first *predictor, int64_t first, int64_t count, const int32_t *place,
                           const gpri_outcome *out) GPRI_MUST_CHECK;
int64_t gpri_first_block(const gpri_first *predictor); /* the count that is computed at a time */
void gpri_first_free(gpri_first *predictor);           /* NULL is fine */

/* As gpri_read_scores, for all nodes of the data, which is ready. scratch: as for gpri_first_new. */
gpr_status gpri_first_predict(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, const char *scratch,
                              const gpri_outcome *out) GPRI_MUST_CHECK;
/* Columns of a panel of the hops (walk/powers.h) of `cols` features, for a call that needs `more` bytes beside those
   buffers; fails if there is not enough memory even for the narrowest. */
gpr_status gpri_first_panel(int64_t *panel, const gpr_dataset *data, int64_t cols, int64_t buffers,
                            double more) GPRI_MUST_CHECK;

#endif
