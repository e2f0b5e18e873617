/* Geom-GCN's folders of two texts, with a header line and tabs between the columns:
 *
 *     out1_node_feature_label.txt   node, features, label   one line per node, in any order
 *     out1_graph_edges.txt          node, node              one line per link
 *
 * Features are whole numbers between commas, one per column; or, where the header says "feature_amount:N", the columns
 * that are 1, from 0 to N. */
#include <ctype.h>
#include <string.h>

#include "base/budget.h"
#include "base/text.h"
#include "file/file.h"
#include "file/path.h"
#include "file/source.h"
#include "io/readers.h"

#define MOST_BYTES ((int64_t)1 << 36)
#define FEATURES "out1_node_feature_label.txt"
#define EDGES "out1_graph_edges.txt"

/* A text and where it is being read. */
typedef struct source {
    gpr_ctx *ctx;
    gpri_text path;
    char *text, *at; /* text: (size + 1) */
    int64_t size, line;
} source;

/* A line of the file of features, as it stands there. */
typedef struct row {
    int64_t node;
    int64_t first; /* its entries begin there */
    int32_t label;
} row;

typedef struct folder {
    gpr_ctx *ctx;
    source nodes, links;
    bool lists;       /* the features are lists of columns */
    int64_t features; /* columns; 0: not known so far */
    row *rows;        /* (row_count) */
    int32_t *column;  /* (entries) */
    float *value;     /* (entries) */
    int64_t row_count, row_capacity, entries, column_capacity, value_capacity;
    int64_t *last_row; /* (features) where lists: 1 + the last row that named the column */
    int64_t *indptr, *src, *dst;
    int64_t edges, src_capacity, dst_capacity;
    int32_t *indices, *labels;
    float *values;
} folder;

/* ---- Text ----------------------------------------------------------------------------------------- */

static gpr_status open_source(gpr_ctx *ctx, source *in, const char *path, const char *file) {
    *in = (source){.ctx = ctx, .path = {.ctx = ctx}, .line = 1};
    gpri_text_add(&in->path, "%s/%s", path, file);
    NEED(gpri_text_status(&in->path));
    NEED(gpri_read_whole(ctx, &in->text, &in->size, in->path.bytes, MOST_BYTES));
    gpri_end_lines(in->text, in->size);
    in->at = in->text;
    return GPR_OK;
}

static void close_source(source *in) {
    gpri_free(in->ctx, in->text);
    if (in->path.ctx) gpri_text_free(&in->path);
}

static bool at_end(const source *in) { return in->at == in->text + in->size; }

static gpr_status complain(const source *in, const char *expected) {
    char found[24];
    size_t size = 0;
    while (size < sizeof found - 1 && isgraph((unsigned char)in->at[size])) size++;
    memcpy(found, in->at, size);
    found[size] = 0;
    return gpri_fail(GPR_ERROR_FORMAT, "%s:%lld: found '%s', expected %s", in->path.bytes, (long long)in->line,
                     at_end(in)        ? "the end of the file"
                     : *in->at == '\t' ? "a tab"
                     : *in->at == '\n' ? "the end of the line"
                     : size > 0        ? found
                                       : "an unprintable character",
                     expected);
}

/* A whole number from 0 to `most`. */
static gpr_status read_number(source *in, int64_t *out, int64_t most, const char *expected) {
    char *digit = in->at;
    *out = 0;
    for (; *digit >= '0' && *digit <= '9' && *out <= most; digit++) *out = *out * 10 + (*digit - '0');
    if (digit == in->at || *out > most || (*digit >= '0' && *digit <= '9')) return complain(in, expected);
    in->at = digit;
    return GPR_OK;
}

static gpr_status skip_tab(source *in) {
    if (*in->at != '\t') return complain(in, "a tab and the next column");
    in->at++;
    return GPR_OK;
}

static gpr_status end_line(source *in) {
    if (*in->at == '\r' && in->at[1] == '\n') in->at++;
    if (!at_end(in) && *in->at != '\n') return complain(in, "the end of the line");
    if (!at_end(in)) in->at++;
    in->line++;
    return GPR_OK;
}

/* The first line, made a C string. */
static gpr_status read_header(source *in, const char **header) {
    char *end = in->text + strcspn(in->text, "\n");
    if (strncmp(in->text, "node_id\t", 8) != 0 || *end != '\n')
        return complain(in, "a header line that begins with node_id and a tab");
    *end = 0;
    *header = in->text;
    in->at = end + 1;
    in->line = 2;
    return GPR_OK;
}

/* ---- Features and labels -------------------------------------------------------------------------- */

static gpr_status add_entry(folder *f, int64_t column, int64_t number) {
    NEED(gpri_grow(f->ctx, &f->column, &f->column_capacity, f->entries + 1, sizeof *f->column, "feature columns"));
    NEED(gpri_grow(f->ctx, &f->value, &f->value_capacity, f->entries + 1, sizeof *f->value, "feature values"));
    f->column[f->entries] = (int32_t)column;
    f->value[f->entries++] = (float)number;
    return GPR_OK;
}

/* One number per column; the first line says how many there are. */
static gpr_status read_dense_row(folder *f) {
    source *in = &f->nodes;
    int64_t column = 0, number;
    for (;; in->at++) {
        NEED(read_number(in, &number, 255, "a feature from 0 to 255"));
        if (number != 0) NEED(add_entry(f, column, number));
        column++;
        if (*in->at != ',') break;
    }
    if (f->row_count == 0) f->features = column;
    if (column != f->features)
        return gpri_fail(GPR_ERROR_FORMAT, "%s:%lld: %lld features: the lines before it have %lld", in->path.bytes,
                         (long long)in->line, (long long)column, (long long)f->features);
    return GPR_OK;
}

/* The columns that are 1; a node may name one twice, or have none. */
static gpr_status read_list_row(folder *f) {
    source *in = &f->nodes;
    int64_t column;
    for (; *in->at != '\t'; in->at += *in->at == ',') {
        NEED(read_number(in, &column, f->features - 1, "a column that is not above the header's feature_amount"));
        if (f->last_row[column] != f->row_count + 1) NEED(add_entry(f, column, 1));
        f->last_row[column] = f->row_count + 1;
        if (*in->at != ',' && *in->at != '\t') return complain(in, "a comma, or a tab and the label");
    }
    return GPR_OK;
}

static gpr_status read_feature_header(folder *f) {
    static const char word[] = "feature_amount:";
    const char *header = NULL;
    NEED(read_header(&f->nodes, &header));
    const char *amount = strstr(header, word);
    if (!amount) return GPR_OK;
    f->lists = true;
    for (amount += sizeof word - 1; isdigit((unsigned char)*amount) && f->features <= INT32_MAX; amount++)
        f->features = f->features * 10 + (*amount - '0');
    f->features++; /* the amount is the last column */
    if (f->features >= INT32_MAX)
        return gpri_fail(GPR_ERROR_FORMAT, "%s:1: feature_amount is more than %d", f->nodes.path.bytes, INT32_MAX - 2);
    NEED(gpri_budget_declared(f->ctx, f->nodes.path.bytes, "features, by feature_amount,", f->features,
                              GPRI_COLUMN_BYTES, f->nodes.size));
    return gpri_calloc(f->ctx, &f->last_row, f->features, sizeof *f->last_row, "feature columns");
}

static gpr_status read_nodes(folder *f) {
    source *in = &f->nodes;
    int64_t label;
    NEED(read_feature_header(f));
    while (!at_end(in)) {
        row now = {.first = f->entries};
        NEED(read_number(in, &now.node, INT32_MAX - 1, "a node"));
        NEED(skip_tab(in));
        NEED(f->lists ? read_list_row(f) : read_dense_row(f));
        NEED(skip_tab(in));
        NEED(read_number(in, &label, INT32_MAX - 1, "a label"));
        NEED(end_line(in));
        now.label = (int32_t)label;
        NEED(gpri_grow(f->ctx, &f->rows, &f->row_capacity, f->row_count + 1, sizeof *f->rows, "nodes"));
        f->rows[f->row_count++] = now;
    }
    if (f->row_count == 0) return gpri_fail(GPR_ERROR_FORMAT, "%s: no nodes follow the header line", in->path.bytes);
    return GPR_OK;
}

/* From the order of the lines to that of the nodes. */
static gpr_status order_nodes(folder *f) {
    gpr_status status = GPR_OK;
    int64_t *line_of = NULL; /* (nodes) which line a node has; -1: none so far */
    const int64_t N = f->row_count;
    int64_t end = 0;
    TRY(gpri_alloc(f->ctx, &line_of, N, sizeof *line_of, "nodes"));
    TRY(gpri_alloc(f->ctx, &f->indptr, N + 1, sizeof *f->indptr, "feature rows"));
    TRY(gpri_alloc(f->ctx, &f->indices, f->entries, sizeof *f->indices, "feature columns"));
    TRY(gpri_alloc(f->ctx, &f->values, f->entries, sizeof *f->values, "feature values"));
    TRY(gpri_alloc(f->ctx, &f->labels, N, sizeof *f->labels, "labels"));
    for (int64_t i = 0; i < N; i++) line_of[i] = -1;
    for (int64_t r = 0; r < N; r++) {
        const int64_t node = f->rows[r].node;
        if (node >= N || line_of[node] >= 0)
            THROW(GPR_ERROR_FORMAT, "%s:%lld: node %lld %s: expected every node from 0 to %lld once",
                  f->nodes.path.bytes, (long long)r + 2, (long long)node,
                  node >= N ? "in a file of fewer nodes" : "appears twice", (long long)N - 1);
        line_of[node] = r;
    }
    f->indptr[0] = 0;
    for (int64_t i = 0; i < N; i++) {
        const int64_t r = line_of[i], first = f->rows[r].first;
        const int64_t count = (r + 1 < N ? f->rows[r + 1].first : f->entries) - first;
        for (int64_t k = 0; k < count; k++) {
            f->indices[end + k] = f->column[first + k];
            f->values[end + k] = f->value[first + k];
        }
        end += count;
        f->indptr[i + 1] = end;
        f->labels[i] = f->rows[r].label;
    }
done:
    gpri_free(f->ctx, line_of);
    return status;
}

/* ---- Links ---------------------------------------------------------------------------------------- */

static gpr_status read_links(folder *f) {
    source *in = &f->links;
    const char *header = NULL;
    NEED(read_header(in, &header));
    while (!at_end(in)) {
        NEED(gpri_grow(f->ctx, &f->src, &f->src_capacity, f->edges + 1, sizeof *f->src, "graph edges"));
        NEED(gpri_grow(f->ctx, &f->dst, &f->dst_capacity, f->edges + 1, sizeof *f->dst, "graph edges"));
        NEED(read_number(in, &f->src[f->edges], f->row_count - 1, "a node that has features"));
        NEED(skip_tab(in));
        NEED(read_number(in, &f->dst[f->edges], f->row_count - 1, "a node that has features"));
        NEED(end_line(in));
        f->edges++;
    }
    return GPR_OK;
}

/* ---- The folder ----------------------------------------------------------------------------------- */

static gpr_status open_member(gpr_ctx *ctx, source *in, const char *path, const char *file, const char *other) {
    gpr_status status = open_source(ctx, in, path, file);
    if (status != GPR_ERROR_NOT_FOUND) return status;
    return gpri_fail(status, "%s: there is no %s: a Geom-GCN folder holds it beside %s", path, file, other);
}

static void folder_free(folder *f) {
    close_source(&f->nodes);
    close_source(&f->links);
    gpri_free_all(f->ctx, f->rows, f->column, f->value, f->last_row, f->indptr, f->src, f->dst, f->indices, f->labels,
                  f->values);
}

gpr_status gpri_read_geomgcn(gpr_ctx *ctx, gpr_dataset **out, const char *path) {
    gpr_status status = GPR_OK;
    folder f = {.ctx = ctx, .nodes = {.ctx = ctx}, .links = {.ctx = ctx}};
    char *name = NULL;
    *out = NULL;
    TRY(open_member(ctx, &f.nodes, path, FEATURES, EDGES));
    TRY(read_nodes(&f));
    TRY(order_nodes(&f));
    TRY(open_member(ctx, &f.links, path, EDGES, FEATURES));
    TRY(read_links(&f));
    TRY(gpri_path_name(ctx, &name, path));
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = strcmp(name, "film") == 0 ? "actor" : name, /* its folder has another name */
                             .nodes = f.row_count,
                             .edges = f.edges,
                             .src = f.src,
                             .dst = f.dst,
                             .features = f.features,
                             .indptr = f.indptr,
                             .indices = f.indices,
                             .values = f.values,
                             .labels = f.labels};
    status = gpri_dataset_build(ctx, out, &desc, true);
    if (status == GPR_ERROR_ARGUMENT) status = gpri_fail_prefix(GPR_ERROR_FORMAT, "%s", path);
done:
    folder_free(&f);
    gpri_free(ctx, name);
    return status;
}
