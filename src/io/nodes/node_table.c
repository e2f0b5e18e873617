/* Reading a table with one row per node. */
#include "io/nodes/node_table.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "io/nodes/column_checks.h"
#include "io/nodes/column_roles.h"
#include "io/nodes/feature_columns.h"
#include "io/nodes/split_column.h"
#include "io/text/columns.h"
#include "io/text/label_texts.h"

enum { MOST_VALUES = 1000, LARGEST_MOST_VALUES = 1000000 };

typedef struct reader {
    gpr_ctx *ctx;
    gpri_delimited *table;
    const char *path;
    gpri_column_roles roles;
    int64_t rows, room; /* room: of the weights */
    gpri_label_texts labels;
    gpri_feature_columns features;
    gpri_split_column split;
} reader;

static gpr_status read_fill(gpri_feature_columns *features, const gpr_open_options *options) {
    const char *fill = options->fill;
    double value = 0;
    features->fill = GPRI_FILL_MEDIAN;
    features->most_values = features->most_words = options->max_values ? options->max_values : MOST_VALUES;
    if (features->most_values < 1 || features->most_values > LARGEST_MOST_VALUES)
        return gpri_fail(GPR_ERROR_ARGUMENT, "max-values is %lld: it must be from 1 to %d",
                         (long long)options->max_values, LARGEST_MOST_VALUES);
    if (!fill || strcmp(fill, "median") == 0) return GPR_OK;
    features->fill = strcmp(fill, "mean") == 0 ? GPRI_FILL_MEAN : GPRI_FILL_NUMBER;
    if (features->fill == GPRI_FILL_MEAN || strcmp(fill, "zero") == 0) return GPR_OK;
    if (!gpri_parse_real(fill, &value) || !isfinite((float)value))
        return gpri_fail(GPR_ERROR_ARGUMENT, "fill is '%s': it must be median, mean, zero or a finite number", fill);
    features->fill_number = (float)value;
    return GPR_OK;
}

static gpr_status choose_columns(reader *in, const gpr_open_options *options) {
    gpri_column_roles *roles = &in->roles;
    if (gpri_delimited_columns(in->table) == 0)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: no row: expected one row per node", in->path);
    NEED(gpri_column_roles_choose(in->ctx, roles, in->table, options));
    if (!options->plan) NEED(gpri_warn_twins(roles, in->table));
    NEED(gpri_split_column_begin(&in->split, roles->split, options));
    gpri_feature_columns_init(&in->features, in->ctx, in->table, roles->plan);
    in->features.finds_fill = !options->plan;
    NEED(read_fill(&in->features, options));
    for (int64_t i = 0; i < roles->plan->count; i++) { /* the features have the order of the plan */
        const int64_t j = roles->of_column[i];
        if (j < 0 || roles->role[j] != GPRI_ROLE_FEATURE) continue;
        NEED(roles->known[j] ? gpri_feature_columns_add_known(&in->features, j, i)
                             : gpri_feature_columns_add(&in->features, j, i, roles->kind[j]));
    }
    return GPR_OK;
}

/* What the plan says of the ids, the weights and the labels. */
static void count_roles(reader *in, const gpri_node_table *out) {
    gpri_plan *plan = in->roles.plan;
    gpri_column *id = &plan->columns[in->roles.place[in->roles.id]];
    id->kind = GPRI_KIND_TEXT;
    id->distinct = in->rows;
    id->missing = 0;
    if (in->roles.weight >= 0) {
        gpri_column *weight = &plan->columns[in->roles.place[in->roles.weight]];
        weight->kind = GPRI_KIND_NUMBER;
        weight->missing = 0;
    }
    if (in->roles.label < 0) return;
    gpri_column *label = &plan->columns[in->roles.place[in->roles.label]];
    label->kind = gpri_target_is_number(&out->classes) ? GPRI_KIND_NUMBER : GPRI_KIND_CATEGORY;
    label->distinct = gpri_target_classes(&out->classes);
    label->missing = 0;
    for (int64_t i = 0; i < in->rows; i++) label->missing += !out->classes.labels || out->classes.labels[i] < 0;
}

static gpr_status take_weight(reader *in, gpri_node_table *out, gpri_field field) {
    double weight;
    if (!gpri_span_real(field.text, field.size, &weight) || !isfinite((float)weight) || weight < 0)
        return gpri_delimited_fail(in->table, "the sample-weight '%.*s' is not a number of 0 or more",
                                   GPRI_FIELD(field));
    NEED(gpri_grow(in->ctx, &out->weights, &in->room, in->rows + 1, sizeof *out->weights, "weights"));
    out->weights[in->rows] = (float)weight;
    return GPR_OK;
}

static gpr_status take_row(reader *in, gpri_node_table *out, const gpri_field *fields) {
    const gpri_field id = fields[in->roles.id];
    int64_t node;
    if (id.size == 0) return gpri_delimited_fail(in->table, "the id is empty: every node needs one");
    NEED(gpri_ids_add(&out->ids, &node, id.text, id.size));
    if (node != in->rows)
        return gpri_delimited_fail(in->table,
                                   "the id '%.*s' appears twice: row %lld has it too (`id` names the column)",
                                   GPRI_FIELD(id), (long long)node + 1);
    if (in->roles.label >= 0) {
        const gpri_field label = fields[in->roles.label];
        NEED(gpri_label_texts_add(&in->labels, label.text, label.size, gpri_delimited_line(in->table)));
    }
    if (in->roles.weight >= 0) NEED(take_weight(in, out, fields[in->roles.weight]));
    NEED(gpri_split_column_row(&in->split, in->table, fields));
    NEED(gpri_feature_columns_row(&in->features, fields));
    in->rows++;
    return GPR_OK;
}

void gpri_node_table_free(gpr_ctx *ctx, gpri_node_table *table) {
    gpri_ids_free(&table->ids);
    gpri_raw_features_free(ctx, &table->features);
    gpri_target_free(ctx, &table->classes);
    gpri_own_split_free(ctx, &table->split);
    gpri_free(ctx, table->weights);
    table->weights = NULL;
    gpri_plan_free(table->plan);
    table->plan = NULL;
}

/* Data to predict on may have a column of labels without any. */
static gpr_status read_classes(reader *in, gpri_node_table *out, const gpr_open_options *options) {
    if (options->plan && !options->label && gpri_ids_count(&in->labels.ids) == 0) return GPR_OK;
    gpri_column_name(in->table, in->roles.label, in->labels.column);
    in->labels.known = options->plan != NULL || options->model_features > 0;
    return gpri_label_texts_finish(&in->labels, &out->classes);
}

gpr_status gpri_read_node_table(gpr_ctx *ctx, gpri_node_table *out, const gpr_open_options *options) {
    gpr_status status = GPR_OK;
    reader in = {.ctx = ctx,
                 .path = gpri_shown_path(options->nodes),
                 .labels = {.ctx = ctx, .path = gpri_shown_path(options->nodes)},
                 .split = {.ctx = ctx}};
    const char *const columns[] = {options->id,
                                   options->drop,
                                   options->categorical,
                                   options->numeric,
                                   options->date,
                                   options->split_column,
                                   options->sample_weight,
                                   options->words,
                                   options->time,
                                   options->labels ? NULL : options->label};
    gpri_delimited_options form;
    const gpri_field *fields;
    int64_t count;
    *out = (gpri_node_table){.ids = {.ctx = ctx}};
    in.features.ctx = in.roles.ctx = ctx;
    TRY(gpri_data_choose(&in.labels.task, GPRI_OPEN_TASK, options->task));
    TRY(gpri_table_options(&form, options, columns, 10));
    form.plan = options->plan;
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
    if (in.roles.label >= 0) TRY(read_classes(&in, out, options));
    if (in.roles.label >= 0 && !options->plan) TRY(gpri_warn_leaks(&in.features, &out->classes));
    count_roles(&in, out);
    if (in.roles.split >= 0)
        TRY(gpri_split_column_finish(&in.split, &out->split, in.roles.plan,
                                     &in.roles.plan->columns[in.roles.place[in.roles.split]]));
    if (in.roles.label >= 0 && in.roles.split < 0 && !options->plan) gpri_advise_time(ctx, in.roles.plan, in.table);
    out->plan = in.roles.plan;
    in.roles.plan = NULL;
done:
    gpri_column_roles_free(&in.roles);
    gpri_split_column_free(&in.split);
    gpri_feature_columns_free(&in.features);
    gpri_label_texts_free(&in.labels);
    gpri_delimited_close(in.table);
    if (status != GPR_OK) gpri_node_table_free(ctx, out);
    return status;
}
