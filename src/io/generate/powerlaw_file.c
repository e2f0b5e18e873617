/* gpr_powerlaw_save: such a graph as a .gpr file. Parts are drawn some at a time, on all threads, and written in order;
 * so the memory is that of some parts, and 8 bytes per node for where its row begins. */
#include <math.h>
#include <string.h>

#include "base/print.h"
#include "base/struct.h"
#include "base/thread.h"
#include "graph/rows.h"
#include "io/generate/powerlaw.h"
#include "io/mapped/mapped.h"

enum { NODE_ROWS = 1 << 16 }; /* of features that are drawn at a time */

/* The rows of one part. */
typedef struct {
    gpri_rows rows;
    int64_t loops;
    gpr_status status;
    char message[256];
} drawn;

typedef struct {
    gpr_ctx *ctx;
    gpr_powerlaw_options options;
    gpri_powerlaw graph;
    gpri_mapped_writer writer;
    int64_t *rowptr; /* (nodes + 1) */
    drawn *drawn;    /* (at_once) */
    int64_t first;   /* part of drawn[0]; or node of the first row below */
    int64_t count;
    float *features;  /* (NODE_ROWS x features) */
    int32_t *labels;  /* (NODE_ROWS) */
    int64_t *nonzero; /* (NODE_ROWS) */
    const char *stage;
    double done, total;
} making;

void gpr_powerlaw_options_init(gpr_powerlaw_options *options, size_t struct_size) {
    const gpr_powerlaw_options usual = {.nodes = 100000,
                                        .edges = 1000000,
                                        .features = 16,
                                        .classes = 10,
                                        .communities = 100,
                                        .exponent = 2.5,
                                        .inside = 0.6,
                                        .signal = 0.5,
                                        .labelled = 1,
                                        .seed = 1};
    GPRI_STRUCT_INIT(options, struct_size, gpr_powerlaw_options, usual);
}

static gpr_status report(void *user, double done, double total) {
    const making *m = user;
    (void)done, (void)total;
    const gpr_convert_progress progress = {
        .struct_size = sizeof progress, .stage = m->stage, .share = m->total > 0 ? m->done / m->total : -1};
    if (!m->options.progress || m->options.progress(m->options.user, &progress) == 0) return GPR_OK;
    return gpri_fail(GPR_ERROR_STOPPED, "stopped by the caller");
}

/* ---- the graph ---- */

/* Arcs in the order of their rows: sorted by counting. Loops are left out. */
static void order_arcs(drawn *to, const int32_t *from, const int32_t *columns, int64_t arcs, int64_t first) {
    gpri_rows *rows = &to->rows;
    memset(rows->rowptr, 0, (size_t)(rows->rows + 1) * sizeof *rows->rowptr);
    for (int64_t k = 0; k < arcs; k++)
        if (columns[k] - first != from[k]) rows->rowptr[from[k] + 1]++;
    for (int64_t i = 0; i < rows->rows; i++) rows->rowptr[i + 1] += rows->rowptr[i];
    for (int64_t k = 0; k < arcs; k++)
        if (columns[k] - first != from[k]) rows->at.column[rows->rowptr[from[k]]++] = (uint32_t)columns[k] << 1;
    memmove(rows->rowptr + 1, rows->rowptr, (size_t)rows->rows * sizeof *rows->rowptr);
    rows->rowptr[0] = 0;
    to->loops = (arcs - rows->rowptr[rows->rows]) / 2;
}

static gpr_status draw(making *m, int64_t a, drawn *to) {
    gpr_ctx *ctx = m->ctx;
    const gpri_powerlaw *g = &m->graph;
    const gpri_powerlaw_part *part = &g->part[a];
    gpr_status status = GPR_OK;
    int32_t *from = NULL, *columns = NULL;
    int64_t arcs = 0, at = 0;
    for (int64_t b = 0; b < g->parts; b++) {
        const int64_t count = gpri_powerlaw_count(g, a, b);
        if (count > UINT32_MAX) THROW(GPR_ERROR_ARGUMENT, "powerlaw: too many edges for so few nodes");
        arcs += a == b ? 2 * count : count;
    }
    to->rows = (gpri_rows){.rows = part->count, .nodes = g->options.nodes};
    TRY(gpri_alloc(ctx, &from, arcs, sizeof *from, "edges"));
    TRY(gpri_alloc(ctx, &columns, arcs, sizeof *columns, "edges"));
    TRY(gpri_alloc(ctx, &to->rows.rowptr, part->count + 1, sizeof *to->rows.rowptr, "edges"));
    TRY(gpri_alloc(ctx, &to->rows.at.column, arcs, sizeof *to->rows.at.column, "edges"));
    for (int64_t b = 0; b < g->parts; b++) {
        const int64_t count = gpri_powerlaw_count(g, a, b);
        gpri_powerlaw_draw(g, a, b, count, from + at, columns + at);
        at += a == b ? 2 * count : count;
    }
    order_arcs(to, from, columns, arcs, part->first);
    TRY(gpri_rows_merge(ctx, 1, &to->rows));
done:
    gpri_free_all(ctx, from, columns);
    return status;
}

static void draw_part(void *arg, int64_t chunk, GPRI_UNUSED int slot) {
    making *m = arg;
    drawn *to = &m->drawn[chunk];
    to->status = draw(m, m->first + chunk, to);
    if (to->status != GPR_OK) gpri_print(to->message, sizeof to->message, "%s", gpr_last_error());
}

static void forget(making *m, int64_t at_once) {
    for (int64_t k = 0; m->drawn && k < at_once; k++) {
        gpri_free_all(m->ctx, m->drawn[k].rows.rowptr, m->drawn[k].rows.at.column);
        m->drawn[k] = (drawn){.status = GPR_OK};
    }
}

static gpr_status put_graph(making *m) {
    gpr_ctx *ctx = m->ctx;
    gpri_mapped_header *header = &m->writer.header;
    const int64_t nodes = m->options.nodes, at_once = 2 * ctx->threads;
    gpr_status status = GPR_OK;
    m->stage = "drawing";
    m->total = (double)m->graph.parts;
    TRY(gpri_alloc(ctx, &m->rowptr, nodes + 1, sizeof *m->rowptr, "graph"));
    TRY(gpri_calloc(ctx, &m->drawn, at_once, sizeof *m->drawn, "graph"));
    m->rowptr[0] = 0;
    gpri_mapped_reserve(&m->writer, GPRI_ROWPTR, (nodes + 1) * (int64_t)sizeof *m->rowptr);
    gpri_mapped_begin(&m->writer, GPRI_COLUMN);
    for (m->first = 0; m->first < m->graph.parts; m->first += at_once) {
        const int64_t left = m->graph.parts - m->first, parts = left < at_once ? left : at_once;
        gpri_parallel(ctx, ctx->threads, parts, draw_part, m);
        for (int64_t k = 0; k < parts; k++) {
            const drawn *d = &m->drawn[k];
            const int64_t first = m->graph.part[m->first + k].first;
            if (d->status != GPR_OK) THROW(d->status, "%s", d->message);
            TRY(gpri_mapped_append(&m->writer, d->rows.at.column, d->rows.arcs * (int64_t)sizeof *d->rows.at.column));
            for (int64_t i = 0; i < d->rows.rows; i++)
                m->rowptr[first + i + 1] = m->rowptr[first] + d->rows.rowptr[i + 1];
            header->isolated += d->rows.isolated;
            header->self_loops += d->loops;
        }
        m->done = (double)(m->first + parts);
        forget(m, at_once);
    }
    TRY(gpri_mapped_end(&m->writer));
    TRY(gpri_mapped_fill(&m->writer, GPRI_ROWPTR, m->rowptr));
    header->nodes = nodes;
    header->arcs = m->rowptr[nodes];
done:
    forget(m, at_once);
    return status;
}

/* ---- the nodes ---- */

static const gpri_powerlaw_part *part_of(const gpri_powerlaw *g, int64_t node) {
    int64_t low = 0, high = g->parts;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (g->part[middle].first <= node) low = middle;
        else high = middle;
    }
    return &g->part[low];
}

enum { ROWS = 256 }; /* for a thread at a time */

static void draw_rows(void *arg, int64_t chunk, GPRI_UNUSED int slot) {
    const making *m = arg;
    const gpri_range range = gpri_chunk_of(chunk, ROWS, m->count);
    const int64_t F = m->options.features;
    for (int64_t i = range.first; i < range.end; i++) {
        const gpri_powerlaw_part *part = part_of(&m->graph, m->first + i);
        if (m->labels) m->labels[i] = gpri_powerlaw_label(&m->graph, part, m->first + i);
        if (!m->features) continue;
        gpri_powerlaw_features(&m->graph, part, m->first + i, m->features + i * F);
        m->nonzero[i] = 0;
        for (int64_t c = 0; c < F; c++) m->nonzero[i] += m->features[i * F + c] != 0;
    }
}

/* One section of numbers per node. */
static gpr_status put_rows(making *m, gpri_mapped_kind kind, const void *bytes, int64_t size, int64_t rows,
                           const char *stage) {
    const int64_t nodes = m->options.nodes;
    m->stage = stage;
    m->total = (double)nodes;
    gpri_mapped_begin(&m->writer, kind);
    for (m->first = 0; m->first < nodes; m->first += rows) {
        m->count = nodes - m->first < rows ? nodes - m->first : rows;
        gpri_parallel(m->ctx, m->ctx->threads, gpri_chunk_count(m->count, ROWS), draw_rows, m);
        m->done = (double)m->first;
        NEED(gpri_mapped_append(&m->writer, bytes, m->count * size));
        for (int64_t i = 0; m->features && i < m->count; i++) m->writer.header.feature_nnz += m->nonzero[i];
    }
    return gpri_mapped_end(&m->writer);
}

static gpr_status put_nodes(making *m) {
    gpr_ctx *ctx = m->ctx;
    const int64_t F = m->options.features, some = ((int64_t)1 << 24) / F;
    const int64_t rows = some < 1 ? 1 : some < NODE_ROWS ? some : NODE_ROWS;
    NEED(gpri_alloc(ctx, &m->features, rows * F, sizeof *m->features, "features"));
    NEED(gpri_alloc(ctx, &m->nonzero, rows, sizeof *m->nonzero, "features"));
    NEED(put_rows(m, GPRI_DENSE, m->features, F * (int64_t)sizeof *m->features, rows, "drawing features"));
    gpri_free(ctx, m->features);
    m->features = NULL;
    NEED(gpri_alloc(ctx, &m->labels, rows, sizeof *m->labels, "labels"));
    NEED(put_rows(m, GPRI_LABELS, m->labels, (int64_t)sizeof *m->labels, rows, "drawing labels"));
    NEED(gpri_mapped_put(&m->writer, GPRI_NAME, "powerlaw", 9));
    m->writer.header.features = F;
    m->writer.header.classes = m->options.classes;
    m->writer.header.phi = (double)NAN;
    m->writer.header.generated = 1;
    return GPR_OK;
}

static gpr_status save(making *m, const char *path, gpr_convert_result *result) {
    gpr_status status = GPR_OK;
    TRY(gpri_powerlaw_new(m->ctx, &m->graph, &m->options));
    TRY(gpri_mapped_create(m->ctx, &m->writer, path));
    m->writer.tick = (gpri_tick){report, m};
    TRY(put_graph(m));
    TRY(put_nodes(m));
    m->stage = "writing";
    m->total = 0;
    TRY(gpri_mapped_commit(&m->writer));
    const gpri_mapped_header *header = &m->writer.header;
    const gpr_convert_result made = {.nodes = header->nodes,
                                     .edges = header->arcs / 2,
                                     .features = header->features,
                                     .classes = header->classes,
                                     .bytes = header->bytes,
                                     .streamed = 1};
    if (result) gpri_struct_out(result, &made, sizeof made);
done:
    gpri_mapped_discard(&m->writer);
    gpri_powerlaw_free(m->ctx, &m->graph);
    gpri_free_all(m->ctx, m->rowptr, m->drawn, m->features, m->labels, m->nonzero);
    return status;
}

gpr_status gpr_powerlaw_save(gpr_ctx *ctx, gpr_convert_result *result, const char *path,
                             const gpr_powerlaw_options *options) {
    making m = {.ctx = ctx};
    if (!ctx || !path || !options) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_powerlaw_save: a NULL argument");
    NEED(GPRI_STRUCT_IN(&m.options, options, gpr_powerlaw_options, "gpr_powerlaw_save", "options"));
    if (result) NEED(GPRI_STRUCT_CHECK(result, gpr_convert_result, "gpr_powerlaw_save", "result"));
    return gpri_finish(save(&m, path, result));
}
