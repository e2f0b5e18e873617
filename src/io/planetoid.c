/* Planetoid's files, ind.NAME.* : Python pickles, and a list of numbers.
 *
 *     allx        (A x features) CSR        features of nodes 0 .. A-1
 *     ally        (A x classes)  0/1        their classes, one-hot
 *     tx, ty      (T x ...)                 the same of T further nodes, the test nodes
 *     test.index  T lines                   which node each row of tx and ty is
 *     graph       {node: [neighbour, ...]}
 *
 * x and y (the labelled nodes for training) are the first rows of allx and ally, and are not read.
 *
 * Citeseer's test.index leaves out 15 nodes that the graph has. They get no features, and in Citeseer the last class,
 * 5: the only one with which its homophily is the 0.718 that is published. In any other graph such a node has no label.
 */
#include <string.h>

#include "base/text.h"
#include "file/file.h"
#include "file/path.h"
#include "file/source.h"
#include "io/numpy/pickle.h"
#include "io/readers.h"

#define MOST_INDEX_BYTES (1 << 28)

typedef struct planetoid {
    gpr_ctx *ctx;
    const char *prefix; /* ".../ind.cora" */
    gpri_csr allx, tx;
    gpri_array ally, ty; /* float */
    gpri_neighbours graph;
    int64_t *test; /* (tests) node of each row of tx */
    int64_t tests, test_capacity;
    int64_t nodes, classes, missing; /* missing: nodes above allx that no row of tx belongs to */
    int64_t *row_of;                 /* (nodes) row in allx, or in tx after the rows of allx; -1: none */
    int64_t *indptr;                 /* (nodes + 1) */
    int32_t *indices;                /* (indptr[nodes]) */
    float *values;                   /* (indptr[nodes]) */
    int32_t *labels;                 /* (nodes) */
} planetoid;

/* ---- Members --------------------------------------------------------------------------------------- */

/* As what is not NULL. */
static gpr_status read_member(const planetoid *raw, const char *member, gpri_csr *features, gpri_array *classes,
                              gpri_neighbours *graph) {
    gpr_status status = GPR_OK;
    gpri_text path = {.ctx = raw->ctx};
    gpri_pickle *pickle = NULL;
    gpri_text_add(&path, "%s.%s", raw->prefix, member);
    TRY(gpri_text_status(&path));
    TRY(gpri_pickle_open(raw->ctx, &pickle, path.bytes));
    if (features) TRY(gpri_pickle_csr(pickle, features));
    if (classes) TRY(gpri_pickle_array(pickle, classes, GPRI_AS_FLOAT, 2));
    if (graph) TRY(gpri_pickle_graph(pickle, graph));
done:
    gpri_pickle_close(pickle);
    gpri_text_free(&path);
    return status;
}

/* One number per line. */
static gpr_status read_test_index(planetoid *raw) {
    gpr_status status = GPR_OK;
    gpri_text path = {.ctx = raw->ctx};
    char *text = NULL;
    int64_t size, line_number = 1;
    gpri_text_add(&path, "%s.test.index", raw->prefix);
    TRY(gpri_text_status(&path));
    TRY(gpri_read_whole(raw->ctx, &text, &size, path.bytes, MOST_INDEX_BYTES));
    gpri_end_lines(text, size);
    if ((int64_t)strlen(text) != size) THROW(GPR_ERROR_FORMAT, "%s: it holds a NUL byte: expected numbers", path.bytes);
    for (char *line = text, *next; line && *line; line = next, line_number++) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        line[strcspn(line, "\r")] = 0;
        TRY(gpri_grow(raw->ctx, &raw->test, &raw->test_capacity, raw->tests + 1, sizeof *raw->test, "test nodes"));
        if (!gpri_parse_int(line, &raw->test[raw->tests++]))
            THROW(GPR_ERROR_FORMAT, "%s:%lld: '%.40s' is not a node: expected a whole number", path.bytes,
                  (long long)line_number, line);
    }
done:
    gpri_free(raw->ctx, text);
    gpri_text_free(&path);
    return status;
}

/* ---- Together ------------------------------------------------------------------------------------- */

static gpr_status check_sizes(planetoid *raw) {
    if (raw->allx.rows != raw->ally.shape[0])
        return gpri_fail(GPR_ERROR_FORMAT, "%s: allx has %lld rows, ally %lld: they must be equal", raw->prefix,
                         (long long)raw->allx.rows, (long long)raw->ally.shape[0]);
    if (raw->tx.rows != raw->ty.shape[0] || raw->tx.rows != raw->tests)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: tx has %lld rows, ty %lld, test.index %lld: they must be equal",
                         raw->prefix, (long long)raw->tx.rows, (long long)raw->ty.shape[0], (long long)raw->tests);
    if (raw->allx.cols != raw->tx.cols || raw->ally.shape[1] != raw->ty.shape[1])
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s: allx has %lld features and tx %lld, ally %lld classes and ty %lld: they must be equal",
                         raw->prefix, (long long)raw->allx.cols, (long long)raw->tx.cols, (long long)raw->ally.shape[1],
                         (long long)raw->ty.shape[1]);
    raw->classes = raw->ally.shape[1];
    return GPR_OK;
}

/* Which row each node has. */
static gpr_status place_rows(planetoid *raw) {
    const int64_t known = raw->allx.rows;
    raw->nodes = known;
    for (int64_t k = 0; k < raw->tests; k++) {
        /* the numbers between must be nodes of the graph: a wild number here would cost memory */
        if (raw->test[k] < known || raw->test[k] >= known + raw->tests + raw->graph.nodes)
            return gpri_fail(GPR_ERROR_FORMAT,
                             "%s.test.index:%lld: node %lld: expected one from %lld on, after the rows of allx%s",
                             raw->prefix, (long long)k + 1, (long long)raw->test[k], (long long)known,
                             raw->test[k] < known ? "" : ", and in the graph");
        if (raw->test[k] >= raw->nodes) raw->nodes = raw->test[k] + 1;
    }
    NEED(gpri_alloc(raw->ctx, &raw->row_of, raw->nodes, sizeof *raw->row_of, "nodes"));
    for (int64_t i = 0; i < raw->nodes; i++) raw->row_of[i] = i < known ? i : -1;
    for (int64_t k = 0; k < raw->tests; k++) {
        if (raw->row_of[raw->test[k]] >= 0)
            return gpri_fail(GPR_ERROR_FORMAT, "%s.test.index:%lld: node %lld appears twice", raw->prefix,
                             (long long)k + 1, (long long)raw->test[k]);
        raw->row_of[raw->test[k]] = known + k;
    }
    raw->missing = raw->nodes - known - raw->tests;
    for (int64_t e = 0; e < raw->graph.edges; e++)
        if (raw->graph.src[e] < 0 || raw->graph.src[e] >= raw->nodes || raw->graph.dst[e] < 0 ||
            raw->graph.dst[e] >= raw->nodes)
            return gpri_fail(GPR_ERROR_FORMAT, "%s.graph: node %lld has the neighbour %lld: nodes must be in [0, %lld)",
                             raw->prefix, (long long)raw->graph.src[e], (long long)raw->graph.dst[e],
                             (long long)raw->nodes);
    return GPR_OK;
}

static gpr_status gather_features(planetoid *raw) {
    const int64_t known = raw->allx.rows, entries = raw->allx.indptr[known] + raw->tx.indptr[raw->tx.rows];
    int64_t end = 0;
    NEED(gpri_alloc(raw->ctx, &raw->indptr, raw->nodes + 1, sizeof *raw->indptr, "feature rows"));
    NEED(gpri_alloc(raw->ctx, &raw->indices, entries, sizeof *raw->indices, "feature columns"));
    NEED(gpri_alloc(raw->ctx, &raw->values, entries, sizeof *raw->values, "feature values"));
    raw->indptr[0] = 0;
    for (int64_t i = 0; i < raw->nodes; i++) {
        int64_t row = raw->row_of[i];
        const gpri_csr *from = row < known ? &raw->allx : &raw->tx;
        if (row >= known) row -= known;
        const int64_t first = row < 0 ? 0 : from->indptr[row], count = row < 0 ? 0 : from->indptr[row + 1] - first;
        memcpy(raw->indices + end, from->indices + first, (size_t)count * sizeof *raw->indices);
        memcpy(raw->values + end, from->values + first, (size_t)count * sizeof *raw->values);
        end += count;
        raw->indptr[i + 1] = end;
    }
    return GPR_OK;
}

/* The place of the only 1; a row of zeros has no label. */
static gpr_status gather_labels(planetoid *raw, bool citeseer) {
    const int64_t known = raw->allx.rows;
    NEED(gpri_alloc(raw->ctx, &raw->labels, raw->nodes, sizeof *raw->labels, "labels"));
    for (int64_t i = 0; i < raw->nodes; i++) {
        const int64_t row = raw->row_of[i];
        raw->labels[i] = row < 0 && citeseer ? (int32_t)raw->classes - 1 : -1;
        if (row < 0) continue;
        const float *hot = row < known ? (float *)raw->ally.data + row * raw->classes
                                       : (float *)raw->ty.data + (row - known) * raw->classes;
        for (int64_t c = 0; c < raw->classes; c++) {
            if (hot[c] == 0) continue;
            if (hot[c] != 1 || raw->labels[i] >= 0)
                return gpri_fail(GPR_ERROR_FORMAT, "%s.%s: row %lld is not one-hot: expected zeros and a single 1",
                                 raw->prefix, row < known ? "ally" : "ty",
                                 (long long)(row < known ? row : row - known));
            raw->labels[i] = (int32_t)c;
        }
    }
    return GPR_OK;
}

static void planetoid_free(planetoid *raw) {
    gpri_csr_free(raw->ctx, &raw->allx);
    gpri_csr_free(raw->ctx, &raw->tx);
    gpri_neighbours_free(raw->ctx, &raw->graph);
    gpri_free_all(raw->ctx, raw->ally.data, raw->ty.data, raw->test, raw->row_of, raw->indptr, raw->indices,
                  raw->values, raw->labels);
}

gpr_status gpri_read_planetoid(gpr_ctx *ctx, gpr_dataset **out, const char *prefix) {
    gpr_status status = GPR_OK;
    planetoid raw = {.ctx = ctx, .prefix = prefix};
    char *file_name = NULL;
    *out = NULL;
    TRY(gpri_path_name(ctx, &file_name, prefix)); /* "ind.cora" */
    const char *name = strncmp(file_name, "ind.", 4) == 0 ? file_name + 4 : file_name;
    const bool citeseer = strcmp(name, "citeseer") == 0;
    TRY(read_member(&raw, "allx", &raw.allx, NULL, NULL));
    TRY(read_member(&raw, "tx", &raw.tx, NULL, NULL));
    TRY(read_member(&raw, "ally", NULL, &raw.ally, NULL));
    TRY(read_member(&raw, "ty", NULL, &raw.ty, NULL));
    TRY(read_member(&raw, "graph", NULL, NULL, &raw.graph));
    TRY(read_test_index(&raw));
    TRY(check_sizes(&raw));
    TRY(place_rows(&raw));
    TRY(gather_features(&raw));
    TRY(gather_labels(&raw, citeseer));
    if (raw.missing > 0 && citeseer)
        gpri_log(ctx, GPR_LOG_WARNING,
                 "%s: %lld nodes are not in test.index: they get no features and class %lld, the one with which the "
                 "homophily is the published one",
                 name, (long long)raw.missing, (long long)raw.classes - 1);
    else if (raw.missing > 0)
        gpri_log(ctx, GPR_LOG_WARNING, "%s: %lld nodes are not in test.index: they get no features and no label", name,
                 (long long)raw.missing);
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = name,
                             .nodes = raw.nodes,
                             .edges = raw.graph.edges,
                             .src = raw.graph.src,
                             .dst = raw.graph.dst,
                             .features = raw.allx.cols,
                             .indptr = raw.indptr,
                             .indices = raw.indices,
                             .values = raw.values,
                             .labels = raw.labels,
                             .classes = raw.classes};
    status = gpri_dataset_build(ctx, out, &desc, false);
    if (status == GPR_ERROR_ARGUMENT) status = gpri_fail_prefix(GPR_ERROR_FORMAT, "%s", prefix);
done:
    planetoid_free(&raw);
    gpri_free(ctx, file_name);
    return status;
}
