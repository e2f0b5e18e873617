/* Geom-GCN's published relations, checked against the graph: with those of another graph a training would run, but
 * learn badly. And points of the plane for all nodes, in the user's own files. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "io/numpy/npy.h"
#include "io/text/latent_file.h"

#define NAMES "node1,node2" /* the first column of the header */

/* A line. */
typedef struct record {
    int64_t line;
    int32_t from, to;
    uint8_t division;
} record;

typedef struct reader {
    gpr_ctx *ctx;
    gpri_delimited *table;
    const gpri_graph *graph;
    record *records; /* (count) as in the file; sorted: by `to`, then `from`, then as in the file */
    record *other;   /* (count) */
    int64_t count, capacity;
    gpri_pairs pairs;
    int64_t latent, both; /* of them */

    int64_t strange, missing; /* pairs of the graph's space that are not edges; edges that the file lacks */
    record first_strange;
    int64_t missing_from, missing_to; /* the first */
} reader;

bool gpri_holds_relations(const gpri_delimited *table) {
    const gpri_field *header = gpri_delimited_header(table);
    if (header && gpri_field_is(header[0], NAMES)) return true;
    return gpri_delimited_delimiter(table) == '\t' && gpri_delimited_columns(table) == 3;
}

/* ---- Lines ---------------------------------------------------------------------------------------- */

static gpr_status read_node(const reader *r, int32_t *out, const char *text, int64_t size) {
    int64_t node;
    if (!gpri_span_int(text, size, &node))
        return gpri_delimited_fail(r->table,
                                   "'%.*s' is not a node: expected two whole numbers with a comma between them",
                                   (int)(size < 60 ? size : 60), text);
    if (node < 0 || node >= r->graph->nodes)
        return gpri_delimited_fail(r->table, "node %lld: the graph has %lld nodes, from 0 on; is this file for it?",
                                   (long long)node, (long long)r->graph->nodes);
    *out = (int32_t)node;
    return GPR_OK;
}

static gpr_status read_record(const reader *r, record *out, const gpri_field *fields, int64_t count) {
    int64_t relation;
    if (count != 3)
        return gpri_delimited_fail(r->table, "%lld fields: expected three, from,to <tab> space <tab> relation",
                                   (long long)count);
    const char *comma = memchr(fields[0].text, ',', (size_t)fields[0].size);
    int64_t before = comma ? comma - fields[0].text : fields[0].size;
    out->line = gpri_delimited_line(r->table);
    NEED(read_node(r, &out->from, fields[0].text, before));
    NEED(read_node(r, &out->to, fields[0].text + before + !!comma, fields[0].size - before - !!comma));
    if (out->from == out->to)
        return gpri_delimited_fail(r->table, "node %d is its own neighbour: every node takes from itself anyway",
                                   (int)out->from);
    bool latent = gpri_field_is(fields[1], "latent_space");
    if (!latent && !gpri_field_is(fields[1], "graph"))
        return gpri_delimited_fail(r->table, "space '%.*s': expected graph or latent_space", GPRI_FIELD(fields[1]));
    if (!gpri_span_int(fields[2].text, fields[2].size, &relation) || relation < 0 || relation >= GPRI_DIRECTIONS)
        return gpri_delimited_fail(r->table, "relation '%.*s': expected 0, 1, 2 or 3", GPRI_FIELD(fields[2]));
    out->division = (uint8_t)((latent ? GPRI_LATENT : 0) + relation);
    return GPR_OK;
}

static gpr_status read_lines(reader *r) {
    const gpri_field *fields;
    int64_t count;
    for (;;) {
        NEED(gpri_delimited_next(r->table, &fields, &count));
        if (count == 0) break;
        if (gpri_field_is(fields[0], NAMES)) continue; /* the header of a file without a line after it */
        NEED(gpri_grow(r->ctx, &r->records, &r->capacity, r->count + 1, sizeof *r->records, "relations"));
        NEED(read_record(r, &r->records[r->count], fields, count));
        r->count++;
    }
    if (r->count == 0) return gpri_fail(GPR_ERROR_FORMAT, "%s: no relation in it", gpri_delimited_path(r->table));
    return GPR_OK;
}

/* ---- Against the graph ---------------------------------------------------------------------------- */

/* By `from`, then by `to`, each time keeping the order there is. */
static gpr_status sort_records(reader *r) {
    gpr_status status = GPR_OK;
    int64_t *next = NULL, nodes = r->graph->nodes; /* next: (nodes + 1) */
    TRY(gpri_alloc(r->ctx, &next, nodes + 1, sizeof *next, "relations"));
    TRY(gpri_alloc(r->ctx, &r->other, r->count, sizeof *r->other, "relations"));
    for (int by_to = 0; by_to < 2; by_to++) {
        memset(next, 0, (size_t)(nodes + 1) * sizeof *next);
        for (int64_t k = 0; k < r->count; k++) next[(by_to ? r->records[k].to : r->records[k].from) + 1]++;
        for (int64_t i = 0; i < nodes; i++) next[i + 1] += next[i];
        for (int64_t k = 0; k < r->count; k++)
            r->other[next[by_to ? r->records[k].to : r->records[k].from]++] = r->records[k];
        record *sorted = r->other;
        r->other = r->records;
        r->records = sorted;
    }
done:
    gpri_free(r->ctx, next);
    return status;
}

static void add_missing(reader *r, int64_t from, int64_t to) {
    if (r->missing++ == 0) r->missing_from = from, r->missing_to = to;
}

/* The records of one ordered pair, at most one of each space, and whether it is an edge. */
static gpr_status take_pair(reader *r, const record *first, int64_t count, bool edge) {
    const record *in_graph = NULL, *latent = NULL;
    for (int64_t k = 0; k < count; k++) {
        const record **place = first[k].division >= GPRI_LATENT ? &latent : &in_graph;
        if (*place)
            return gpri_fail(GPR_ERROR_FORMAT, "%s:%lld: %d,%d in this space comes a second time, after line %lld",
                             gpri_delimited_path(r->table), (long long)first[k].line, (int)first->from, (int)first->to,
                             (long long)(*place)->line);
        *place = &first[k];
    }
    if (in_graph && !edge && (r->strange++ == 0 || in_graph->line < r->first_strange.line))
        r->first_strange = *in_graph;
    if (edge && !in_graph) add_missing(r, first->from, first->to);
    const record *taken = latent ? latent : in_graph;
    gpri_pairs_add(&r->pairs, taken->from, taken->to, taken->division);
    r->latent += latent != NULL;
    r->both += latent && in_graph;
    return GPR_OK;
}

/* Every row of sorted records beside the same row of the graph. */
static gpr_status match_graph(reader *r) {
    const gpri_graph *graph = r->graph;
    int64_t k = 0;
    for (int64_t v = 0; v < graph->nodes; v++) {
        int64_t at = graph->rowptr[v], end = graph->rowptr[v + 1];
        while (k < r->count && r->records[k].to == v) {
            int64_t same = 1;
            int32_t u = r->records[k].from;
            while (k + same < r->count && r->records[k + same].to == v && r->records[k + same].from == u) same++;
            for (; at < end && graph->column[at] < u; at++) add_missing(r, graph->column[at], v);
            bool edge = at < end && graph->column[at] == u;
            NEED(take_pair(r, &r->records[k], same, edge));
            at += edge;
            k += same;
        }
        for (; at < end; at++) add_missing(r, graph->column[at], v);
    }
    return GPR_OK;
}

static gpr_status check_match(const reader *r) {
    const char *path = gpri_delimited_path(r->table);
    if (r->strange)
        return gpri_fail(GPR_ERROR_MISMATCH,
                         "%s:%lld: %d,%d is not an edge of the graph: of its space, %lld pairs are none; these are "
                         "relations of another graph",
                         path, (long long)r->first_strange.line, (int)r->first_strange.from, (int)r->first_strange.to,
                         (long long)r->strange);
    if (r->missing)
        return gpri_fail(GPR_ERROR_MISMATCH,
                         "%s: no relation for the edge %lld,%lld in the space of the graph: %lld are missing, of two "
                         "for every edge; these are relations of another graph",
                         path, (long long)r->missing_from, (long long)r->missing_to, (long long)r->missing);
    return GPR_OK;
}

gpr_status gpri_read_relations(gpr_ctx *ctx, gpri_relations *out, const gpri_graph *graph, gpri_delimited *table) {
    gpr_status status = GPR_OK;
    reader r = {.ctx = ctx, .table = table, .graph = graph};
    *out = (gpri_relations){0};
    TRY(read_lines(&r));
    TRY(sort_records(&r));
    TRY(gpri_pairs_new(ctx, &r.pairs, r.count));
    TRY(match_graph(&r));
    TRY(check_match(&r));
    TRY(gpri_relations_build(ctx, out, graph->nodes, &r.pairs));
    out->found = (gpri_neighbourhood){.radius = NAN,
                                      .graph_mean = (double)graph->arcs / (double)graph->nodes,
                                      .latent_mean = (double)r.latent / (double)graph->nodes,
                                      .both = r.both};
done:
    gpri_free_all(ctx, r.records, r.other);
    gpri_pairs_free(ctx, &r.pairs);
    return status;
}

/* ---- Points --------------------------------------------------------------------------------------- */

/* Not finite, or so large that a distance would not be. */
static bool is_lost(gpri_point p) { return !(fabs(p.x) < 1e150 && fabs(p.y) < 1e150); }

static gpr_status wrong_size(const char *path, int64_t rows, int64_t cols, int64_t nodes) {
    return gpri_fail(GPR_ERROR_MISMATCH, "%s holds %lld x %lld numbers: expected %lld x 2, a point for every node",
                     path, (long long)rows, (long long)cols, (long long)nodes);
}

gpr_status gpri_read_points_npy(gpr_ctx *ctx, gpri_embedding *out, int64_t nodes, const char *path) {
    gpr_status status = GPR_OK;
    gpri_array array;
    *out = (gpri_embedding){.nodes = nodes, .metric = GPRI_METRIC_EUCLIDEAN};
    TRY(gpri_npy_file_read(ctx, &array, path, GPRI_AS_DOUBLE, -1));
    out->points = array.data; /* a row is a point */
    if (array.dims != 2 || array.shape[0] != nodes || array.shape[1] != 2)
        LEAVE(wrong_size(path, array.shape[0], array.shape[1], nodes));
    for (int64_t i = 0; i < nodes; i++)
        if (is_lost(out->points[i]))
            THROW(GPR_ERROR_FORMAT, "%s: the point of node %lld is (%g, %g): expected two finite numbers", path,
                  (long long)i, out->points[i].x, out->points[i].y);
done:
    if (status != GPR_OK) gpri_embedding_free(ctx, out);
    return status;
}

gpr_status gpri_read_points(gpr_ctx *ctx, gpri_embedding *out, int64_t nodes, gpri_delimited *table) {
    gpr_status status = GPR_OK;
    const gpri_field *fields;
    int64_t count, row = 0;
    *out = (gpri_embedding){.nodes = nodes, .metric = GPRI_METRIC_EUCLIDEAN};
    TRY(gpri_alloc(ctx, &out->points, nodes, sizeof *out->points, "points"));
    for (;; row++) {
        TRY(gpri_delimited_next(table, &fields, &count));
        if (count == 0) break;
        if (count != 2)
            THROW(GPR_ERROR_FORMAT,
                  "%s:%lld: %lld columns: expected two, the point of a node; or Geom-GCN's relations, "
                  "from,to <tab> space <tab> relation",
                  gpri_delimited_path(table), (long long)gpri_delimited_line(table), (long long)count);
        if (row >= nodes) continue; /* counted to the end, for the message */
        double place[2];
        for (int c = 0; c < 2; c++)
            if (!gpri_span_real(fields[c].text, fields[c].size, &place[c]))
                LEAVE(gpri_delimited_fail(table, "'%.*s' is not a number", GPRI_FIELD(fields[c])));
        out->points[row] = (gpri_point){place[0], place[1]};
        if (is_lost(out->points[row]))
            LEAVE(gpri_delimited_fail(table, "(%g, %g): expected two finite numbers", place[0], place[1]));
    }
    if (row != nodes) status = wrong_size(gpri_delimited_path(table), row, 2, nodes);
done:
    if (status != GPR_OK) gpri_embedding_free(ctx, out);
    return status;
}
