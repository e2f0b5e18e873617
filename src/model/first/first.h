/* Predictions of a model whose filter comes before its network (the option order). */
#ifndef GPRI_FIRST_H
#define GPRI_FIRST_H

#include "model/model.h"

/* As gpri_read_scores, for all nodes of the data, which is ready. The filtered features are in memory; the network sees
   some rows at a time. */
gpr_status gpri_first_predict(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *classes,
                              float *proba, float *logits) GPRI_MUST_CHECK;
/* The same in pieces, in the order of the nodes: classes (count), and proba (count x classes) or NULL, of the nodes
   from `first` on. */
typedef gpr_status (*gpri_predicted_fn)(void *arg, int64_t first, int64_t count, const int32_t *classes,
                                        const float *proba);
gpr_status gpri_first_stream(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, bool with_proba,
                             gpri_predicted_fn take, void *arg) GPRI_MUST_CHECK;
/* Fails for such a model: `what` looks into a filter that comes last. */
gpr_status gpri_first_refuse(const gpr_model *model, const char *what) GPRI_MUST_CHECK;

/* Columns of a panel of the hops (tensor/powers.h) of `cols` features, for a call that needs `more` bytes beside; fails
   if there is not enough memory even for the narrowest. */
gpr_status gpri_first_panel(int64_t *panel, const gpr_dataset *data, int64_t cols, double more) GPRI_MUST_CHECK;

#endif
