/* Reading a table with one row per node. */
#include "io/text/node_table.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "io/text/columns.h"
#include "io/text/feature_columns.h"
#include "io/text/label_texts.h"
#include "io/text/split_column.h"

typedef struct reader {
    gpr_ctx *ctx;
    gpri_delimited *table;
    const char *path;
    int64_t id, label; /* columns; label: -1 for none */
    int64_t rows;
    gpri_label_texts labels;
    gpri_feature_columns features;
    gpri_split_column split;
} reader;

static gpr_status read_fill(gpri_feature_columns *features, const char *fill) {
    double value;
    if (!fill) return GPR_OK;
    if (!gpri_parse_real(fill, &value) || !isfinite((float)value))
        return gpri_fail(GPR_ERROR_ARGUMENT, "fill is '%s': it must be a finite number", fill);
    features->has_fill = true;
    features->fill = (float)value;
    return GPR_OK;
}

/* dropped: (columns). drop: "city,3". */
static gpr_status mark_dropped(const reader *in, bool *dropped, const char *drop) {
    gpr_status status = GPR_OK;
    char *copy = NULL, *rest = NULL;
    int64_t at;
    if (!drop) return GPR_OK;
    TRY(gpri_strdup(in->ctx, &copy, drop));
    for (const char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        TRY(gpri_find_column(in->ctx, &at, in->table, word, "to drop"));
        dropped[at] = true;
    }
done:
    gpri_free(in->ctx, copy);
    return status;
}

static gpr_status choose_columns(reader *in, const gpr_open_options *options) {
    gpr_status status = GPR_OK;
    bool *dropped = NULL; /* (columns) */
    const int64_t count = gpri_delimited_columns(in->table);
    if (count == 0) THROW(GPR_ERROR_FORMAT, "%s: no row: expected one row per node", in->path);
    in->label = -1;
    if (options->id) TRY(gpri_find_column(in->ctx, &in->id, in->table, options->id, "id"));
    if (options->label && !options->labels)
        TRY(gpri_find_column(in->ctx, &in->label, in->table, options->label, "label"));
    if (in->label == in->id)
        THROW(GPR_ERROR_ARGUMENT, "%s: column %lld is both the id and the label", in->path, (long long)in->id + 1);
    TRY(gpri_split_column_find(&in->split, in->table, options, in->id, in->label));
    TRY(gpri_calloc(in->ctx, &dropped, count, sizeof *dropped, "columns"));
    TRY(mark_dropped(in, dropped, options->drop));
    gpri_feature_columns_init(&in->features, in->ctx, in->table);
    TRY(read_fill(&in->features, options->fill));
    in->features.known = options->model_names;
    in->features.known_count = options->model_features;
    for (int64_t j = 0; j < count && !options->features; j++)
        if (j != in->id && j != in->label && j != in->split.column && !dropped[j])
            TRY(gpri_feature_columns_add(&in->features, j));
done:
    gpri_free(in->ctx, dropped);
    return status;
}

static gpr_status take_row(reader *in, gpri_node_table *out, const gpri_field *fields) {
    gpr_status status = GPR_OK;
    const gpri_field id = fields[in->id];
    int64_t node;
    if (id.size == 0) return gpri_delimited_fail(in->table, "the id is empty: every node needs one");
    TRY(gpri_ids_add(&out->ids, &node, id.text, id.size));
    if (node != in->rows)
        return gpri_delimited_fail(in->table, "the id '%.*s' appears twice: row %lld has it too", GPRI_FIELD(id),
                                   (long long)node + 1);
    if (in->label >= 0)
        TRY(gpri_label_texts_add(&in->labels, fields[in->label].text, fields[in->label].size,
                                 gpri_delimited_line(in->table)));
    TRY(gpri_split_column_row(&in->split, in->table, fields));
    TRY(gpri_feature_columns_row(&in->features, fields));
    in->rows++;
done:
    return status;
}

void gpri_node_table_free(gpr_ctx *ctx, gpri_node_table *table) {
    gpri_ids_free(&table->ids);
    gpri_raw_features_free(ctx, &table->features);
    gpri_classes_free(ctx, &table->classes);
    gpri_own_split_free(ctx, &table->split);
}

gpr_status gpri_read_node_table(gpr_ctx *ctx, gpri_node_table *out, const gpr_open_options *options) {
    gpr_status status = GPR_OK;
    reader in = {.ctx = ctx,
                 .path = gpri_shown_path(options->nodes),
                 .labels = {.ctx = ctx, .path = gpri_shown_path(options->nodes)},
                 .split = {.ctx = ctx}};
    const char *const columns[] = {options->id, options->split_column, options->label};
    gpri_delimited_options form;
    const gpri_field *fields;
    int64_t count;
    *out = (gpri_node_table){.ids = {.ctx = ctx}};
    in.features.ctx = in.features.unknown.ctx = ctx;
    TRY(gpri_table_options(&form, options->delimiter, options->header, columns, options->labels ? 2 : 3));
    TRY(gpri_encoding_named(&form.encoding, options->encoding));
    TRY(gpri_delimited_open(ctx, &in.table, options->nodes, &form));
    TRY(choose_columns(&in, options));
    for (;;) {
        TRY(gpri_delimited_next(in.table, &fields, &count));
        if (count == 0) break;
        TRY(take_row(&in, out, fields));
    }
    gpri_delimited_say(in.table);
    if (in.rows == 0) THROW(GPR_ERROR_FORMAT, "%s: a header and no row: expected one row per node", in.path);
    TRY(gpri_feature_columns_finish(&in.features, &out->features));
    if (in.label >= 0) TRY(gpri_label_texts_finish(&in.labels, &out->classes));
    TRY(gpri_split_column_finish(&in.split, &out->split));
done:
    gpri_split_column_free(&in.split);
    gpri_feature_columns_free(&in.features);
    gpri_label_texts_free(&in.labels);
    gpri_delimited_close(in.table);
    if (status != GPR_OK) gpri_node_table_free(ctx, out);
    return status;
}
