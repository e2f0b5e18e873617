/* Two tables, of edges and of nodes, as one dataset. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "data/assemble.h"
#include "data/columns.h"
#include "data/node_table.h"

typedef struct edge_reader {
    gpr_ctx *ctx;
    gpri_delimited *table;
    const gpr_open_options *options;
    const gpri_ids *known;
    int64_t weight; /* column; -1: none */
    int64_t *src, *dst, edges, src_capacity, dst_capacity, weight_capacity;
    float *weights;
} edge_reader;

static gpr_status choose_weight(edge_reader *in) {
    const char *given = in->options->weight;
    const int64_t columns = gpri_delimited_columns(in->table);
    in->weight = -1;
    if (columns < 2)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: %lld column%s: expected two ids per edge", in->options->edges,
                         (long long)columns, columns == 1 ? "" : "s");
    if (given && strcmp(given, "none") == 0) return GPR_OK;
    if (given) return gpri_find_column(in->ctx, &in->weight, in->table, given, "weight");
    in->weight = gpri_delimited_header(in->table) ? gpri_delimited_column(in->table, "weight") : columns == 3 ? 2 : -1;
    return GPR_OK;
}

static gpr_status find_node(const edge_reader *in, gpri_field id, int64_t *node) {
    *node = gpri_ids_find(in->known, id.text, id.size);
    if (*node >= 0) return GPR_OK;
    return gpri_delimited_fail(in->table, "node '%.*s' is not in %s", GPRI_FIELD(id), in->options->nodes);
}

static gpr_status take_edge(edge_reader *in, const gpri_field *fields) {
    gpr_status status = GPR_OK;
    double weight = 1;
    TRY(gpri_grow(in->ctx, &in->src, &in->src_capacity, in->edges + 1, sizeof *in->src, "graph edges"));
    TRY(gpri_grow(in->ctx, &in->dst, &in->dst_capacity, in->edges + 1, sizeof *in->dst, "graph edges"));
    TRY(find_node(in, fields[0], &in->src[in->edges]));
    TRY(find_node(in, fields[1], &in->dst[in->edges]));
    if (in->weight >= 0) {
        const gpri_field field = fields[in->weight];
        if (!gpri_span_real(field.text, field.size, &weight) || !(weight > 0) || !isfinite((float)weight))
            return gpri_delimited_fail(in->table, "the weight is '%.*s': expected a number above 0", GPRI_FIELD(field));
        TRY(gpri_grow(in->ctx, &in->weights, &in->weight_capacity, in->edges + 1, sizeof *in->weights, "weights"));
        in->weights[in->edges] = (float)weight;
    }
    in->edges++;
done:
    return status;
}

/* A first row of words that are no nodes. */
static bool is_header(const edge_reader *in, const gpri_field *fields) {
    return gpri_ids_find(in->known, fields[0].text, fields[0].size) < 0 &&
           gpri_ids_find(in->known, fields[1].text, fields[1].size) < 0;
}

static gpr_status read_edges(edge_reader *in) {
    gpr_status status = GPR_OK;
    const char *const columns[] = {in->options->weight};
    gpri_delimited_options form;
    const gpri_field *fields;
    int64_t count;
    bool first = true;
    TRY(gpri_table_options(&form, in->options->delimiter, in->options->header, columns, 1));
    TRY(gpri_delimited_open(in->ctx, &in->table, in->options->edges, &form));
    TRY(choose_weight(in));
    for (;;) {
        TRY(gpri_delimited_next(in->table, &fields, &count));
        if (count == 0) break;
        if (first && form.header == GPRI_HEADER_GUESS && is_header(in, fields)) continue;
        first = false;
        TRY(take_edge(in, fields));
    }
done:
    return status;
}

gpr_status gpri_read_tables(gpr_ctx *ctx, gpr_dataset **out, const gpr_open_options *options) {
    gpr_status status = GPR_OK;
    gpri_node_table nodes = {.ids = {.ctx = ctx}};
    edge_reader in = {.ctx = ctx, .options = options, .known = &nodes.ids};
    gpr_dataset *data = NULL;
    *out = NULL;
    if (!options->nodes) return gpr_dataset_open_as(ctx, out, options->edges, NULL, NULL);
    TRY(gpri_read_node_table(ctx, &nodes, options));
    TRY(read_edges(&in));
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = options->edges,
                             .nodes = gpri_ids_count(&nodes.ids),
                             .edges = in.edges,
                             .src = in.src,
                             .dst = in.dst,
                             .weights = in.weights};
    TRY(gpri_dataset_build(ctx, &data, &desc));
    if (nodes.features.cols > 0) TRY(gpri_dataset_set_features(data, &nodes.features, options->nodes));
    if (nodes.classes.labels) TRY(gpri_dataset_set_labels(data, &nodes.classes, options->nodes));
    if (!gpri_ids_are_numbers(&nodes.ids)) gpri_ids_take_names(&nodes.ids, &data->node_ids);
    *out = data;
    data = NULL;
done:
    gpr_dataset_free(data);
    gpri_node_table_free(ctx, &nodes);
    gpri_delimited_close(in.table);
    gpri_free(ctx, in.src);
    gpri_free(ctx, in.dst);
    gpri_free(ctx, in.weights);
    return status;
}
