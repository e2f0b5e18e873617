/* Predicted classes as CSV: node,class[,p0,p1,...][,label][,part], with the names that nodes and classes have. Of
 * numbers: node,prediction[,label][,part]. */
#include "data/order/reorder.h"
#include "report/report.h"

static void add_header(gpri_csv *csv, const gpr_model *model, bool with_proba, bool labelled, bool parted) {
    gpri_text column = {.ctx = csv->ctx};
    const bool number = gpri_model_tells_number(model);
    gpri_csv_add(csv, number ? "node,prediction" : "node,class");
    for (int64_t c = 0; with_proba && !number && c < model->classes; c++) {
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

typedef struct {
    gpr_ctx *ctx;
    const gpri_predictions *what;
    gpri_csv csv;
    const gpr_split *split; /* or NULL */
    bool labelled;
    gpr_predictor *from, *judged; /* judged: of the nodes with a label; NULL: as of all */
    gpri_outcome rows, own;       /* of one block; own: of judged */
    int32_t *place; /* (nodes) where the data keeps the user's first node, the second, ...; NULL: as they come */
} table;

static void begin(table *t, const char *path) {
    const gpri_predictions *what = t->what;
    const gpr_split *split = what->split;
    t->labelled = gpri_target_count(&what->data->target, what->data->graph.nodes) > 0;
    t->split = split && split->nodes == what->data->graph.nodes ? split : NULL; /* else of other data */
    gpri_csv_open(&t->csv, t->ctx, path);
    add_header(&t->csv, what->model, what->with_proba, t->labelled, t->split != NULL);
}

static void add_row(table *t, int64_t node, int32_t class_id, const float *proba) {
    const gpri_predictions *what = t->what;
    gpri_csv *csv = &t->csv;
    const int32_t label = what->data->target.labels[node];
    gpri_csv_called(csv, gpr_dataset_node_id(what->data, node), node);
    if (!gpri_model_tells_number(what->model)) {
        gpri_csv_add(csv, ",");
        gpri_csv_called(csv, gpr_model_class_name(what->model, class_id), class_id);
    }
    for (int64_t c = 0; proba && c < what->model->classes; c++) gpri_csv_real(csv, (double)proba[c]);
    const float *numbers = what->data->target.numbers;
    if (t->labelled && numbers) gpri_csv_real(csv, (double)numbers[node]);
    else if (t->labelled) gpri_csv_add(csv, ",");
    if (t->labelled && !numbers && label >= 0) gpri_csv_called(csv, gpri_name(&what->data->target.names, label), label);
    if (t->split)
        gpri_csv_add(csv, ",%s", t->split->part[node] == GPR_UNUSED ? "" : gpri_part_word(t->split->part[node]));
    gpri_csv_add(csv, "\n");
    if (what->classes) what->classes[node] = class_id;
    if (what->numbers) what->numbers[node] = proba[0];
}

static gpr_status add_block(table *t, int64_t first, int64_t count) {
    const int64_t C = t->what->model->classes;
    NEED(gpri_predictor_rows(t->from, first, count, t->place, &t->rows));
    if (t->judged) NEED(gpri_predictor_rows(t->judged, first, count, t->place, &t->own));
    for (int64_t i = 0; i < count; i++) {
        const int64_t node = t->place ? t->place[first + i] : first + i;
        if (t->judged && gpri_target_known(&t->what->data->target, node))
            gpri_outcome_copy(&t->rows, i, &t->own, i, 1, C);
        add_row(t, node, t->rows.classes[i], t->rows.proba ? t->rows.proba + i * C : NULL);
    }
    return t->csv.status;
}

/* The order of the user's nodes, and room for a block. */
static gpr_status make_room(table *t, int64_t rows) {
    const gpri_predictions *what = t->what;
    const bool with_proba = what->with_proba || gpri_model_tells_number(what->model);
    NEED(gpri_outcome_new(t->ctx, &t->rows, rows, what->model->classes, with_proba));
    if (t->judged) NEED(gpri_outcome_new(t->ctx, &t->own, rows, what->model->classes, with_proba));
    if (!what->data->order) return GPR_OK;
    NEED(gpri_alloc(t->ctx, &t->place, what->data->graph.nodes, sizeof *t->place, "order of nodes"));
    gpri_order_invert(t->place, what->data->order, what->data->graph.nodes);
    return GPR_OK;
}

gpr_status gpri_predictions_write(gpr_ctx *ctx, const char *path, const gpri_predictions *what) {
    const gpr_predict_options options = {.struct_size = sizeof options, .scratch = path};
    const int64_t nodes = what->data->graph.nodes;
    gpr_predictor there = {.ctx = ctx, .model = what->model, .data = what->data, .nodes = nodes, .made = what->made};
    table t = {.ctx = ctx, .what = what};
    gpr_status status = GPR_OK;
    begin(&t, path);
    TRY(t.csv.status);
    if (what->made) t.from = &there;
    else TRY(gpri_predictor_new(ctx, &t.from, what->model, what->data, &options, what->with_proba));
    if (what->judged) TRY(gpri_predictor_new(ctx, &t.judged, what->judged, what->data, &options, what->with_proba));
    const int64_t rows = gpri_predictor_block(t.from);
    TRY(make_room(&t, rows));
    for (int64_t first = 0; first < nodes; first += rows)
        TRY(add_block(&t, first, nodes - first < rows ? nodes - first : rows));
    if (!what->made) TRY(gpri_dataset_unchanged(ctx, what->data, true));
done:
    if (!what->made) gpr_predictor_free(t.from);
    gpr_predictor_free(t.judged);
    gpri_outcome_free(ctx, &t.rows);
    gpri_outcome_free(ctx, &t.own);
    gpri_free(ctx, t.place);
    if (t.csv.status == GPR_OK) t.csv.status = status;
    return gpri_csv_close(&t.csv);
}

gpr_status gpr_predictions_save(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, const char *path,
                                int with_proba) {
    if (!ctx || !model || !data || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_predictions_save: a NULL argument");
    gpr_status status = GPR_OK;
    gpr_split *split = NULL; /* where it is known */
    TRY(gpri_dataset_ready(ctx, data));
    TRY(gpr_model_split(ctx, &split, model, data, NULL));
    TRY(gpri_predictions_write(
        ctx, path, &(gpri_predictions){.model = model, .data = data, .split = split, .with_proba = with_proba}));
done:
    gpr_split_free(split);
    return gpri_finish(status);
}
