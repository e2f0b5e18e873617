/* Predicted classes as CSV: node,class[,p0,p1,...][,label][,part], with the names that nodes and classes have. */
#include <string.h>

#include "data/order/reorder.h"
#include "model/first/first.h"
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

/* Some rows on their way to the table. */
typedef struct {
    int32_t *classes, *own;   /* (rows); own: of the model that was judged */
    float *proba, *own_proba; /* (rows x classes), or NULL */
    int32_t *place; /* (nodes) where the data keeps the user's first node, the second, ...; NULL: as they come */
} block;

typedef struct {
    gpri_csv csv;
    const gpr_model *model;
    const gpr_dataset *data;
    const gpr_split *split; /* or NULL */
    bool labelled;
    int32_t *classes; /* (nodes) to fill in, or NULL */
} table;

static void begin(table *t, gpr_ctx *ctx, const char *path, bool with_proba) {
    t->labelled = has_labels(t->data);
    if (t->split && t->split->nodes != t->data->graph.nodes) t->split = NULL; /* of other data */
    gpri_csv_open(&t->csv, ctx, path);
    add_header(&t->csv, t->model, with_proba, t->labelled, t->split != NULL);
}

/* Rows of nodes from `first` on. */
static gpr_status add_rows(void *arg, int64_t first, int64_t count, const int32_t *classes, const float *proba) {
    table *t = arg;
    gpri_csv *csv = &t->csv;
    const int64_t C = t->model->classes;
    for (int64_t i = 0; i < count; i++) {
        const int64_t node = first + i;
        const int32_t label = t->data->labels[node];
        add_name(csv, gpr_dataset_node_id(t->data, node), node);
        gpri_csv_add(csv, ",");
        add_name(csv, gpr_model_class_name(t->model, classes[i]), classes[i]);
        for (int64_t c = 0; proba && c < C; c++) gpri_csv_real(csv, (double)proba[i * C + c]);
        if (t->labelled) gpri_csv_add(csv, ",");
        if (t->labelled && label >= 0) add_name(csv, gpri_name(&t->data->class_names, label), label);
        if (t->split)
            gpri_csv_add(csv, ",%s", t->split->part[node] == GPR_UNUSED ? "" : gpri_part_word(t->split->part[node]));
        gpri_csv_add(csv, "\n");
        if (t->classes) t->classes[node] = classes[i];
    }
    return csv->status;
}

gpr_status gpri_predictions_write(gpr_ctx *ctx, const char *path, const gpr_model *model, const gpr_dataset *data,
                                  const int32_t *classes, const float *proba, const gpr_split *split) {
    table t = {.model = model, .data = data, .split = split};
    int32_t *place = NULL; /* (nodes) where the data keeps the user's first node, the second, ... */
    const int64_t nodes = data->graph.nodes, C = model->classes;
    if (data->order) {
        gpr_status status = gpri_alloc(ctx, &place, nodes, sizeof *place, "order of nodes");
        if (status != GPR_OK) return status;
        gpri_order_invert(place, data->order, nodes);
    }
    begin(&t, ctx, path, proba != NULL); /* the table keeps what failed */
    for (int64_t i = 0; place && i < nodes; i++)
        (void)add_rows(&t, place[i], 1, classes + place[i], proba ? proba + place[i] * C : NULL);
    if (!place) (void)add_rows(&t, 0, nodes, classes, proba);
    gpri_free(ctx, place);
    return gpri_csv_close(&t.csv);
}

/* The rows of one block. judged: NULL, or the predictions of nodes that have a label are its own. */
static gpr_status stream_rows(table *t, gpri_first *of, gpri_first *judged, int64_t first, int64_t count,
                              const block *b) {
    const int64_t C = t->model->classes;
    gpr_status status = GPR_OK;
    TRY(gpri_first_rows(of, first, count, b->place, b->classes, b->proba));
    if (judged) TRY(gpri_first_rows(judged, first, count, b->place, b->own, b->own_proba));
    for (int64_t i = 0; judged && i < count; i++) {
        if (t->data->labels[b->place ? b->place[first + i] : first + i] < 0) continue;
        b->classes[i] = b->own[i];
        if (b->proba) memcpy(b->proba + i * C, b->own_proba + i * C, (size_t)C * sizeof *b->proba);
    }
    for (int64_t i = 0; b->place && i < count; i++)
        TRY(add_rows(t, b->place[first + i], 1, b->classes + i, b->proba ? b->proba + i * C : NULL));
    if (!b->place) TRY(add_rows(t, first, count, b->classes, b->proba));
done:
    return status;
}

gpr_status gpri_predictions_stream(gpr_ctx *ctx, const char *path, const gpr_model *model, const gpr_model *judged,
                                   const gpr_dataset *data, bool with_proba, const gpr_split *split, int32_t *classes) {
    table t = {.model = model, .data = data, .split = split, .classes = classes};
    const int64_t nodes = data->graph.nodes;
    gpri_first *of = NULL, *own = NULL;
    block b = {.place = NULL};
    gpr_status status = gpri_dataset_ready(ctx, data);
    if (status != GPR_OK) return status;
    begin(&t, ctx, path, with_proba);
    TRY(t.csv.status);
    TRY(gpri_first_new(ctx, &of, model, data, path));
    if (judged) TRY(gpri_first_new(ctx, &own, judged, data, path));
    const int64_t rows = gpri_first_block(of), cells = rows * model->classes;
    TRY(gpri_alloc(ctx, &b.classes, rows, sizeof *b.classes, "predicted classes"));
    if (with_proba) TRY(gpri_alloc(ctx, &b.proba, cells, sizeof *b.proba, "probabilities"));
    if (judged) TRY(gpri_alloc(ctx, &b.own, rows, sizeof *b.own, "predicted classes"));
    if (judged && with_proba) TRY(gpri_alloc(ctx, &b.own_proba, cells, sizeof *b.own_proba, "probabilities"));
    if (data->order) {
        TRY(gpri_alloc(ctx, &b.place, nodes, sizeof *b.place, "order of nodes"));
        gpri_order_invert(b.place, data->order, nodes);
    }
    for (int64_t first = 0; first < nodes; first += rows)
        TRY(stream_rows(&t, of, own, first, nodes - first < rows ? nodes - first : rows, &b));
    TRY(gpri_dataset_unchanged(ctx, data, true));
done:
    gpri_first_free(of);
    gpri_first_free(own);
    gpri_free(ctx, b.classes);
    gpri_free(ctx, b.proba);
    gpri_free(ctx, b.own);
    gpri_free(ctx, b.own_proba);
    gpri_free(ctx, b.place);
    if (t.csv.status == GPR_OK) t.csv.status = status;
    return gpri_csv_close(&t.csv);
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
    TRY(gpri_dataset_ready(ctx, data));
    if (gpri_model_filter_first(model->params)) { /* some rows at a time */
        TRY(gpr_model_split(ctx, &split, model, data, NULL));
        TRY(gpri_predictions_stream(ctx, path, model, NULL, data, with_proba, split, NULL));
        goto done;
    }
    TRY(gpri_predict_all(ctx, &classes, with_proba ? &proba : NULL, model, data));
    TRY(gpr_model_split(ctx, &split, model, data, NULL));
    TRY(gpri_predictions_write(ctx, path, model, data, classes, proba, split));
done:
    gpr_split_free(split);
    gpri_free(ctx, classes);
    gpri_free(ctx, proba);
    return gpri_finish(status);
}
