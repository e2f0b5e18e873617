/* Labels from a file of their own: .npy, a table of one column in the order of the nodes, or a table with the ids of
 * the nodes. */
#include "io/text/label_file.h"

#include <math.h>
#include <string.h>

#include "base/print.h"
#include "base/text.h"
#include "file/path.h"
#include "io/numpy/npy.h"
#include "io/text/columns.h"
#include "io/text/label_texts.h"

static gpr_status check_count(const char *path, int64_t count, const gpr_dataset *data) {
    if (count == data->graph.nodes) return GPR_OK;
    return gpri_fail(GPR_ERROR_MISMATCH, "%s: %lld labels, but %s has %lld nodes: expected one per node", path,
                     (long long)count, data->name, (long long)data->graph.nodes);
}

/* ---- .npy ----------------------------------------------------------------------------------------- */

static gpr_status add_texts(gpri_label_texts *texts, const char *path) {
    gpr_status status = GPR_OK;
    gpri_names names;
    TRY(gpri_npy_file_read_names(texts->ctx, &names, path));
    for (int64_t i = 0; i < names.count; i++)
        TRY(gpri_label_texts_add(texts, gpri_name(&names, i), (int64_t)strlen(gpri_name(&names, i)), i));
done:
    gpri_names_free(texts->ctx, &names);
    return status;
}

/* Numbers as text; NaN: none. */
static gpr_status add_numbers(gpri_label_texts *texts, const char *path) {
    gpr_status status = GPR_OK;
    gpri_array array;
    char text[32];
    TRY(gpri_npy_file_read(texts->ctx, &array, path, GPRI_AS_DOUBLE, -1));
    if (array.dims == 2 && array.shape[1] != 1)
        THROW(GPR_ERROR_FORMAT, "%s: the array has the shape (%lld, %lld): expected one label per node", path,
              (long long)array.shape[0], (long long)array.shape[1]);
    for (int64_t i = 0; i < array.count; i++) {
        const double value = ((double *)array.data)[i];
        if (isinf(value) || fabs(value) >= 0x1.0p53)
            THROW(GPR_ERROR_FORMAT, "%s: element %lld is %g: expected a finite number, or nan for no label", path,
                  (long long)i, value);
        const int size = isnan(value) ? 0 : gpri_print(text, sizeof text, "%.17g", value);
        TRY(gpri_label_texts_add(texts, text, size, i));
    }
done:
    gpri_free(texts->ctx, array.data);
    return status;
}

/* ---- Tables --------------------------------------------------------------------------------------- */

typedef struct reader {
    gpr_ctx *ctx;
    gpri_delimited *table;
    int64_t id, label; /* columns; id: -1 where there is but one */
    gpri_label_texts *texts;
    gpri_ids ids;     /* of the nodes; empty where they are numbers */
    int32_t *node_of; /* (rows) */
    int64_t rows, node_capacity;
    bool *seen; /* (nodes) */
} reader;

static gpr_status choose_columns(reader *in, const gpr_open_options *options) {
    const int64_t count = gpri_delimited_columns(in->table);
    in->id = count > 1 ? 0 : -1;
    in->label = count - 1;
    if (options->id && !options->nodes) NEED(gpri_find_column(in->ctx, &in->id, in->table, options->id, "id"));
    if (options->label) NEED(gpri_find_column(in->ctx, &in->label, in->table, options->label, "label"));
    if (count > 2 && !options->label)
        return gpri_fail(
            GPR_ERROR_ARGUMENT,
            "%s has %lld columns: expected one, the label, or two, id and label; or name the column with `label`",
            gpri_shown_path(options->labels), (long long)count);
    if (in->id == in->label)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s: column %lld is both the id and the label",
                         gpri_shown_path(options->labels), (long long)in->id + 1);
    if (count > 1) gpri_column_name(in->table, in->label, in->texts->column);
    return GPR_OK;
}

/* The node that an id stands for. */
static gpr_status find_node(const reader *in, const gpr_dataset *data, gpri_field id, int64_t *node) {
    const int64_t nodes = data->graph.nodes;
    if (data->node_ids.count > 0) {
        *node = gpri_ids_find(&in->ids, id.text, id.size);
        if (*node >= 0) return GPR_OK;
        return gpri_delimited_fail(in->table, "no node '%.*s' in %s", GPRI_FIELD(id), data->name);
    }
    if (gpri_span_int(id.text, id.size, node) && *node >= 0 && *node < nodes) return GPR_OK;
    return gpri_delimited_fail(in->table, "the node is '%.*s': nodes of %s are whole numbers from 0 to %lld",
                               GPRI_FIELD(id), data->name, (long long)nodes - 1);
}

static gpr_status take_row(reader *in, const gpr_dataset *data, const gpri_field *fields) {
    int64_t node = in->rows;
    if (in->id >= 0) {
        NEED(find_node(in, data, fields[in->id], &node));
        if (in->seen[node])
            return gpri_delimited_fail(in->table, "node '%.*s' appears twice", GPRI_FIELD(fields[in->id]));
        in->seen[node] = true;
    }
    NEED(gpri_grow(in->ctx, &in->node_of, &in->node_capacity, in->rows + 1, sizeof *in->node_of, "labels"));
    NEED(gpri_label_texts_add(in->texts, fields[in->label].text, fields[in->label].size,
                              gpri_delimited_line(in->table)));
    in->node_of[in->rows++] = (int32_t)(in->id < 0 ? 0 : node);
    return GPR_OK;
}

static gpr_status read_rows(reader *in, const gpr_open_options *options, const gpr_dataset *data) {
    const char *const columns[] = {options->label, options->nodes ? NULL : options->id};
    gpri_delimited_options form;
    const gpri_field *fields;
    int64_t count, number;
    NEED(gpri_table_options(&form, options, columns, 2));
    NEED(gpri_delimited_open(in->ctx, &in->table, options->labels, &form));
    NEED(choose_columns(in, options));
    NEED(gpri_calloc(in->ctx, &in->seen, data->graph.nodes, sizeof *in->seen, "labels"));
    for (int64_t i = 0; in->id >= 0 && i < data->node_ids.count; i++) {
        const char *id = gpri_name(&data->node_ids, i);
        NEED(gpri_ids_add(&in->ids, &number, id, (int64_t)strlen(id)));
    }
    for (;;) {
        NEED(gpri_delimited_next(in->table, &fields, &count));
        if (count == 0) break;
        NEED(take_row(in, data, fields));
    }
    if (in->id < 0) NEED(check_count(gpri_shown_path(options->labels), in->rows, data));
    return GPR_OK;
}

/* Labels by row to labels by node; nodes without a row have none. */
static gpr_status spread(const reader *in, gpri_target *classes, int64_t nodes) {
    int32_t *labels;
    NEED(gpri_alloc(in->ctx, &labels, nodes, sizeof *labels, "labels"));
    for (int64_t i = 0; i < nodes; i++) labels[i] = -1;
    for (int64_t r = 0; r < in->rows; r++) labels[in->node_of[r]] = classes->labels[r];
    gpri_free(in->ctx, classes->labels);
    classes->labels = labels;
    if (!classes->numbers) return GPR_OK;
    float *numbers;
    NEED(gpri_alloc(in->ctx, &numbers, nodes, sizeof *numbers, "labels"));
    for (int64_t i = 0; i < nodes; i++) numbers[i] = NAN;
    for (int64_t r = 0; r < in->rows; r++) numbers[in->node_of[r]] = classes->numbers[r];
    gpri_free(in->ctx, classes->numbers);
    classes->numbers = numbers;
    return GPR_OK;
}

gpr_status gpri_read_labels(gpr_ctx *ctx, gpri_target *out, const gpr_open_options *options, const gpr_dataset *data) {
    gpr_status status = GPR_OK;
    const char *path = options->labels;
    gpri_label_texts texts = {
        .ctx = ctx, .path = gpri_shown_path(path), .known = options->plan || options->model_features > 0};
    reader in = {.ctx = ctx, .texts = &texts, .id = -1, .ids = {.ctx = ctx}};
    bool text;
    gpri_head head;
    *out = (gpri_target){0};
    TRY(gpri_data_choose(&texts.task, GPRI_OPEN_TASK, options->task));
    gpri_head_init(&head, path);
    if (gpri_head_begins(&head, "PK", 2) || gpri_name_ends(path, ".npz"))
        THROW(GPR_ERROR_FORMAT, "%s is an .npz file: expected labels as .npy or as a table", path);
    if (gpri_head_begins(&head, "\x93NUMPY", 6) || gpri_name_ends(path, ".npy")) {
        TRY(gpri_npy_file_is_text(ctx, &text, path));
        if (text) TRY(add_texts(&texts, path));
        else TRY(add_numbers(&texts, path));
        TRY(check_count(path, texts.count, data));
        texts.numbered = true;
    } else {
        TRY(read_rows(&in, options, data));
    }
    TRY(gpri_label_texts_finish(&texts, out));
    if (in.id >= 0) TRY(spread(&in, out, data->graph.nodes));
done:
    gpri_label_texts_free(&texts);
    gpri_ids_free(&in.ids);
    gpri_free_all(ctx, in.node_of, in.seen);
    gpri_delimited_close(in.table);
    if (status != GPR_OK) gpri_target_free(ctx, out);
    return status;
}
