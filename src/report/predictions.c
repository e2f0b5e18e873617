/* Predicted classes as CSV: node,class[,p0,p1,...]. */
#include "report/report.h"

gpr_status gpr_predictions_save(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, const char *path,
                                int with_proba) {
    if (!ctx || !model || !data || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predictions_save: a NULL argument");
    gpr_status status = GPR_OK;
    const int64_t N = data->graph.nodes, C = gpr_model_classes(model);
    int32_t *classes = NULL; /* (N) */
    float *proba = NULL;     /* (N x C) */
    int64_t cells;
    TRY(gpri_alloc(ctx, &classes, N, sizeof *classes, "predicted classes"));
    if (with_proba) {
        if (!gpri_mul_size(N, C, &cells)) THROW(GPR_ERROR_MEMORY, "the probabilities do not fit any memory");
        TRY(gpri_alloc(ctx, &proba, cells, sizeof *proba, "probabilities"));
    }
    TRY(gpr_predict(ctx, model, data, classes, proba));

    gpri_csv csv;
    gpri_csv_open(&csv, ctx, path);
    gpri_csv_add(&csv, "node,class");
    for (int64_t c = 0; proba && c < C; c++) gpri_csv_add(&csv, ",p%lld", (long long)c);
    gpri_csv_add(&csv, "\n");
    for (int64_t i = 0; i < N; i++) {
        gpri_csv_add(&csv, "%lld,%d", (long long)i, (int)classes[i]);
        for (int64_t c = 0; proba && c < C; c++) gpri_csv_real(&csv, (double)proba[i * C + c]);
        gpri_csv_add(&csv, "\n");
    }
    TRY(gpri_csv_close(&csv));
done:
    gpri_free(ctx, classes);
    gpri_free(ctx, proba);
    return status;
}
