/* Predicted classes as CSV: node,class[,p0,p1,...][,label][,part], with the names that nodes and classes have. */
#include "data/split.h"
#include "model/model.h"
#include "report/report.h"

static void add_header(gpri_csv *csv, const gpr_model *model, bool with_proba, bool labelled, bool parted) {
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
    gpri_csv_add(csv, "%s%s\n", labelled ? ",label" : "", parted ? ",part" : "");
    gpri_text_free(&column);
}

static void add_name(gpri_csv *csv, const char *name, int64_t number) {
    if (name) gpri_csv_name(csv, name);
    else gpri_csv_add(csv, "%lld", (long long)number);
}

static bool has_labels(const gpr_dataset *data) {
    for (int64_t i = 0; i < data->graph.nodes; i++)
        if (data->labels[i] >= 0) return true;
    return false;
}

gpr_status gpri_predictions_write(gpr_ctx *ctx, const char *path, const gpr_model *model, const gpr_dataset *data,
                                  const int32_t *classes, const float *proba, const gpr_split *split) {
    const int64_t N = data->graph.nodes, C = model->classes;
    const bool labelled = has_labels(data);
    if (split && split->nodes != N) split = NULL; /* of other data */
    gpri_csv csv;
    gpri_csv_open(&csv, ctx, path);
    add_header(&csv, model, proba != NULL, labelled, split != NULL);
    for (int64_t i = 0; i < N; i++) {
        add_name(&csv, gpr_dataset_node_id(data, i), i);
        gpri_csv_add(&csv, ",");
        add_name(&csv, gpr_model_class_name(model, classes[i]), classes[i]);
        for (int64_t c = 0; proba && c < C; c++) gpri_csv_real(&csv, (double)proba[i * C + c]);
        if (labelled) gpri_csv_add(&csv, ",");
        if (labelled && data->labels[i] >= 0)
            add_name(&csv, gpri_name(&data->class_names, data->labels[i]), data->labels[i]);
        if (split) gpri_csv_add(&csv, ",%s", split->part[i] == GPR_UNUSED ? "" : gpri_part_word(split->part[i]));
        gpri_csv_add(&csv, "\n");
    }
    return gpri_csv_close(&csv);
}

gpr_status gpri_predict_all(gpr_ctx *ctx, int32_t **classes, float **proba, const gpr_model *model,
                            const gpr_dataset *data) {
    gpr_status status = GPR_OK;
    int64_t cells;
    *classes = NULL;
    if (proba) *proba = NULL;
    TRY(gpri_alloc(ctx, classes, data->graph.nodes, sizeof **classes, "predicted classes"));
    if (proba) {
        if (!gpri_mul_size(data->graph.nodes, model->classes, &cells))
            THROW(GPR_ERROR_MEMORY, "the probabilities do not fit in memory");
        TRY(gpri_alloc(ctx, proba, cells, sizeof **proba, "probabilities"));
    }
    TRY(gpr_predict(ctx, model, data, *classes, proba ? *proba : NULL));
done:
    return status;
}

gpr_status gpr_predictions_save(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, const char *path,
                                int with_proba) {
    if (!ctx || !model || !data || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predictions_save: a NULL argument");
    gpr_status status = GPR_OK;
    int32_t *classes = NULL; /* (nodes) */
    float *proba = NULL;     /* (nodes x classes) */
    gpr_split *split = NULL; /* where it is known */
    TRY(gpri_predict_all(ctx, &classes, with_proba ? &proba : NULL, model, data));
    TRY(gpr_model_split(ctx, &split, model, data, NULL));
    TRY(gpri_predictions_write(ctx, path, model, data, classes, proba, split));
done:
    gpr_split_free(split);
    gpri_free(ctx, classes);
    gpri_free(ctx, proba);
    return gpri_finish(status);
}
