/* Predicted classes as CSV: node,class[,p0,p1,...], or with the names that nodes and classes have. */
#include "model/model.h"
#include "report/report.h"

static void add_header(gpri_csv *csv, const gpr_model *model, bool with_proba) {
    gpri_text column = {.ctx = csv->ctx};
    gpri_csv_add(csv, "node,class");
    for (int64_t c = 0; with_proba && c < model->classes; c++) {
        const char *name = gpr_model_class_name(model, c);
        gpri_text_free(&column);
        if (name) gpri_text_add(&column, "p_%s", name);
        else gpri_text_add(&column, "p%lld", (long long)c);
        if (csv->status == GPR_OK) csv->status = gpri_text_status(&column);
        gpri_csv_add(csv, ",");
        gpri_csv_name(csv, column.bytes);
    }
    gpri_csv_add(csv, "\n");
    gpri_text_free(&column);
}

static void add_name(gpri_csv *csv, const char *name, int64_t number) {
    if (name) gpri_csv_name(csv, name);
    else gpri_csv_add(csv, "%lld", (long long)number);
}

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
        if (!gpri_mul_size(N, C, &cells)) THROW(GPR_ERROR_MEMORY, "the probabilities do not fit in memory");
        TRY(gpri_alloc(ctx, &proba, cells, sizeof *proba, "probabilities"));
    }
    TRY(gpr_predict(ctx, model, data, classes, proba));

    gpri_csv csv;
    gpri_csv_open(&csv, ctx, path);
    add_header(&csv, model, with_proba);
    for (int64_t i = 0; i < N; i++) {
        add_name(&csv, gpr_dataset_node_id(data, i), i);
        gpri_csv_add(&csv, ",");
        add_name(&csv, gpr_model_class_name(model, classes[i]), classes[i]);
        for (int64_t c = 0; proba && c < C; c++) gpri_csv_real(&csv, (double)proba[i * C + c]);
        gpri_csv_add(&csv, "\n");
    }
    TRY(gpri_csv_close(&csv));
done:
    gpri_free(ctx, classes);
    gpri_free(ctx, proba);
    return gpri_finish(status);
}
