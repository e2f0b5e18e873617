/* Edges to CSR through files, for graphs that do not fit in memory. */
#include "graph/spill.h"

#include <string.h>

#include "file/file.h"
#include "graph/rows.h"

/* Words of an edge in a file: source, destination, and the bits of its weight. */
enum { MOST_WORDS = 3, GUIDE_BITS = 16 };

/* A range of rows and its edges in the second file. */
typedef struct bucket {
    int64_t first_row, rows;
    int64_t offset;   /* of its edges in the file, bytes */
    int64_t edges;    /* written so far */
    uint32_t *buffer; /* edges that wait to be written, or NULL */
    int64_t waiting;
} bucket;

struct gpri_spill {
    gpr_ctx *ctx;
    gpri_spill_options options;
    int words;                /* of an edge */
    gpri_scratch edges;       /* in the order of input */
    gpri_scratch by_bucket;   /* grouped by bucket */
    int64_t edge_count;       /* in the first file */
    bool all_ones, one_sided; /* one_sided: the two directions of an edge differ */
    uint32_t *buffer;         /* (room edges) between memory and files */
    int64_t room, waiting;
    int64_t *rowptr; /* (nodes + 1) [i + 1]: arcs of node i; then where row i ends: before, and finally after merging */

    gpri_graph *graph; /* what is being built */
    bucket *buckets;   /* (bucket_count) */
    int64_t bucket_count;
    int32_t *guide; /* (2^GUIDE_BITS + 1) the bucket of row i << guide_shift */
    int guide_shift;
    gpri_arcs_fn take;
    void *user;
};

gpr_status gpri_spill_new(gpr_ctx *ctx, gpri_spill **out, const gpri_spill_options *options) {
    gpr_status status = GPR_OK;
    gpri_spill *spill = NULL;
    *out = NULL;
    TRY(gpri_calloc(ctx, &spill, 1, sizeof *spill, "graph edges"));
    *spill = (gpri_spill){.ctx = ctx,
                          .options = *options,
                          .words = options->weighted ? MOST_WORDS : MOST_WORDS - 1,
                          .edges = {.fd = -1},
                          .by_bucket = {.fd = -1},
                          .all_ones = true};
    spill->room = options->memory / 8 / (spill->words * (int64_t)sizeof *spill->buffer);
    if (spill->room < 1) spill->room = 1;
    if (spill->room > 1 << 20) spill->room = 1 << 20; /* more at once is not faster */
    TRY(gpri_alloc(ctx, &spill->buffer, spill->room * spill->words, sizeof *spill->buffer, "graph edges"));
    TRY(gpri_scratch_open(&spill->edges, options->path));
    *out = spill;
    spill = NULL;
done:
    gpri_spill_free(spill);
    return status;
}

static void free_buckets(gpri_spill *spill) {
    for (int64_t b = 0; spill->buckets && b < spill->bucket_count; b++) gpri_free(spill->ctx, spill->buckets[b].buffer);
    gpri_free_all(spill->ctx, spill->buckets, spill->guide);
    spill->buckets = NULL;
    spill->guide = NULL;
}

void gpri_spill_free(gpri_spill *spill) {
    if (!spill) return;
    gpri_scratch_close(&spill->edges);
    gpri_scratch_close(&spill->by_bucket);
    free_buckets(spill);
    gpri_free_all(spill->ctx, spill->buffer, spill->rowptr, spill);
}

int64_t gpri_spill_edges(const gpri_spill *spill) { return spill->edge_count + spill->waiting; }
bool gpri_spill_weighted(const gpri_spill *spill) { return spill->options.weighted && !spill->all_ones; }

bool gpri_spill_directed(const gpri_spill *spill) { return spill->one_sided; }

/* How many arcs a range may have. A row with more than these is a range of its own. */
static int64_t arcs_that_fit(const gpri_spill *spill) {
    const int64_t arc = spill->options.weighted ? 8 : 4, kept = spill->options.weighted ? 5 : 1; /* bytes */
    const int64_t fits = spill->options.memory / 2 / (arc + (spill->options.directed ? kept : 0));
    return fits < 16 ? 16 : fits;
}

static int64_t bytes_of(const gpri_spill *spill, int64_t edges) {
    return edges * spill->words * (int64_t)sizeof *spill->buffer;
}

/* ---- Edges as they come --------------------------------------------------------------------------- */

static gpr_status flush(gpri_spill *spill) {
    gpr_status status = gpri_scratch_write(&spill->edges, spill->buffer, bytes_of(spill, spill->waiting),
                                           bytes_of(spill, spill->edge_count));
    spill->edge_count += spill->waiting;
    spill->waiting = 0;
    return status;
}

gpr_status gpri_spill_put(gpri_spill *spill, const int32_t *src, const int32_t *dst, const float *weights,
                          int64_t count) {
    for (int64_t e = 0; e < count; e++) {
        uint32_t *to = spill->buffer + spill->waiting * spill->words;
        to[0] = (uint32_t)src[e];
        to[1] = (uint32_t)dst[e];
        if (weights) {
            memcpy(&to[2], &weights[e], sizeof *to);
            if (weights[e] != 1) spill->all_ones = false;
        }
        if (++spill->waiting == spill->room) NEED(flush(spill));
    }
    return GPR_OK;
}

/* Reads the next edges of a file into the buffer. */
static gpr_status fetch(gpri_spill *spill, const gpri_scratch *from, int64_t offset, int64_t done, int64_t total,
                        int64_t *count) {
    *count = total - done < spill->room ? total - done : spill->room;
    return gpri_scratch_read(from, spill->buffer, bytes_of(spill, *count), offset + bytes_of(spill, done));
}

gpr_status gpri_spill_rename(gpri_spill *spill, gpri_rename_fn rename, void *user) {
    NEED(flush(spill));
    for (int64_t done = 0, count; done < spill->edge_count; done += count) {
        NEED(fetch(spill, &spill->edges, 0, done, spill->edge_count, &count));
        for (int64_t e = 0; e < count; e++)
            for (int end = 0; end < 2; end++) {
                int32_t id = (int32_t)spill->buffer[e * spill->words + end];
                NEED(rename(user, &id));
                spill->buffer[e * spill->words + end] = (uint32_t)id;
            }
        NEED(gpri_scratch_write(&spill->edges, spill->buffer, bytes_of(spill, count), bytes_of(spill, done)));
    }
    return GPR_OK;
}

/* Sets rowptr to where every row ends. */
static gpr_status count_arcs(gpri_spill *spill) {
    const int64_t nodes = spill->graph->nodes;
    NEED(gpri_calloc(spill->ctx, &spill->rowptr, nodes + 1, sizeof *spill->rowptr, "graph rows"));
    for (int64_t done = 0, count; done < spill->edge_count; done += count) {
        NEED(fetch(spill, &spill->edges, 0, done, spill->edge_count, &count));
        for (int64_t e = 0; e < count; e++) {
            const uint32_t *edge = spill->buffer + e * spill->words;
            const bool loop = edge[0] == edge[1];
            spill->graph->self_loops += loop;
            spill->rowptr[edge[0] + 1] += !loop;
            spill->rowptr[edge[1] + 1] += !loop;
        }
    }
    for (int64_t i = 0; i < nodes; i++) spill->rowptr[i + 1] += spill->rowptr[i];
    return GPR_OK;
}

/* ---- Ranges of rows ------------------------------------------------------------------------------- */

/* A range has as many rows as fit in memory with their arcs. A row that does not fit is a range of its own. */
static gpr_status plan_buckets(gpri_spill *spill) {
    gpr_ctx *ctx = spill->ctx;
    const int64_t *rowptr = spill->rowptr, nodes = spill->graph->nodes;
    const int64_t fits = arcs_that_fit(spill);
    int64_t capacity = 0;
    for (int64_t row = 0; row < nodes;) {
        int64_t end = row + 1;
        while (end < nodes && rowptr[end + 1] - rowptr[row] <= fits) end++;
        NEED(gpri_grow(ctx, &spill->buckets, &capacity, spill->bucket_count + 1, sizeof *spill->buckets, "graph rows"));
        /* Room for one edge per arc. Fewer come, as most edges have both ends in one range. Holes in the file take no
           space. */
        spill->buckets[spill->bucket_count++] =
            (bucket){.first_row = row, .rows = end - row, .offset = bytes_of(spill, rowptr[row])};
        row = end;
    }
    while (nodes >> spill->guide_shift > (int64_t)1 << GUIDE_BITS) spill->guide_shift++;
    NEED(gpri_alloc(ctx, &spill->guide, (nodes >> spill->guide_shift) + 1, sizeof *spill->guide, "graph rows"));
    int32_t b = 0;
    for (int64_t i = 0; i <= nodes >> spill->guide_shift; i++) {
        const int64_t row = i << spill->guide_shift;
        while (b + 1 < spill->bucket_count && spill->buckets[b + 1].first_row <= row) b++;
        spill->guide[i] = b;
    }
    return GPR_OK;
}

static bucket *bucket_of(const gpri_spill *spill, uint32_t row) {
    bucket *b = &spill->buckets[spill->guide[row >> spill->guide_shift]];
    while ((int64_t)row >= b->first_row + b->rows) b++;
    return b;
}

static gpr_status flush_bucket(gpri_spill *spill, bucket *b) {
    gpr_status status = gpri_scratch_write(&spill->by_bucket, b->buffer, bytes_of(spill, b->waiting),
                                           b->offset + bytes_of(spill, b->edges));
    b->edges += b->waiting;
    b->waiting = 0;
    return status;
}

/* Puts every edge into the range of its source, and into that of its destination if it is another one. */
static gpr_status deal_out(gpri_spill *spill) {
    int64_t room = spill->options.memory / 4 / spill->bucket_count / bytes_of(spill, 1);
    if (room < 16) room = 16;
    NEED(gpri_scratch_open(&spill->by_bucket, spill->options.path));
    for (int64_t b = 0; b < spill->bucket_count; b++)
        NEED(gpri_alloc(spill->ctx, &spill->buckets[b].buffer, room * spill->words, sizeof *spill->buffer,
                        "graph edges"));
    for (int64_t done = 0, count; done < spill->edge_count; done += count) {
        NEED(fetch(spill, &spill->edges, 0, done, spill->edge_count, &count));
        for (int64_t e = 0; e < count; e++) {
            const uint32_t *edge = spill->buffer + e * spill->words;
            if (edge[0] == edge[1]) continue;
            bucket *ends[2] = {bucket_of(spill, edge[0]), bucket_of(spill, edge[1])};
            for (int k = 0; k < (ends[0] == ends[1] ? 1 : 2); k++) {
                bucket *b = ends[k];
                memcpy(b->buffer + b->waiting * spill->words, edge, (size_t)bytes_of(spill, 1));
                if (++b->waiting == room) NEED(flush_bucket(spill, b));
            }
        }
        NEED(gpri_tick_now(&spill->options.tick, 0.5 * (double)done / (double)spill->edge_count, 1));
    }
    for (int64_t b = 0; b < spill->bucket_count; b++) {
        NEED(flush_bucket(spill, &spill->buckets[b]));
        gpri_free(spill->ctx, spill->buckets[b].buffer);
        spill->buckets[b].buffer = NULL;
    }
    gpri_scratch_close(&spill->edges);
    return GPR_OK;
}

/* ---- One range after the other -------------------------------------------------------------------- */

/* What is done with each edge of a range. */
typedef void (*edge_fn)(void *arg, int64_t source, int64_t destination, float weight);

static gpr_status for_each_edge(gpri_spill *spill, const bucket *b, edge_fn fn, void *arg) {
    const gpri_scratch *from = spill->bucket_count > 1 ? &spill->by_bucket : &spill->edges;
    for (int64_t done = 0, count; done < b->edges; done += count) {
        NEED(fetch(spill, from, b->offset, done, b->edges, &count));
        for (int64_t e = 0; e < count; e++) {
            const uint32_t *edge = spill->buffer + e * spill->words;
            float weight = 1;
            if (spill->options.weighted) memcpy(&weight, &edge[2], sizeof weight);
            if (edge[0] != edge[1]) fn(arg, edge[0], edge[1], weight);
        }
        NEED(gpri_tick_now(&spill->options.tick, 0.5 + 0.5 * (double)b->first_row / (double)spill->graph->nodes, 1));
    }
    return GPR_OK;
}

typedef struct filling {
    int64_t first_row, rows;
    int64_t *next; /* (rows) where the next arc of a row goes */
    uint32_t *column;
    float *weight;
} filling;

static void put_arcs(void *arg, int64_t source, int64_t destination, float weight) {
    filling *f = arg;
    const int64_t ends[2] = {source - f->first_row, destination - f->first_row};
    for (int k = 0; k < 2; k++) {
        if (ends[k] < 0 || ends[k] >= f->rows) continue;
        const int64_t place = f->next[ends[k]]++;
        f->column[place] = (uint32_t)(k == 0 ? destination * 2 : source * 2 + 1); /* as graph/arcs.h has them */
        if (f->weight) f->weight[place] = weight;
    }
}

/* begin: where its rows began before merging. */
static gpr_status build_rows(gpri_spill *spill, const bucket *b, int64_t begin, bool weighted) {
    gpr_status status = GPR_OK;
    gpr_ctx *ctx = spill->ctx;
    gpri_graph *graph = spill->graph;
    int64_t *ends = spill->rowptr + b->first_row + 1; /* of its rows */
    gpri_rows rows = {.rows = b->rows, .nodes = graph->nodes};
    int64_t *next = NULL;
    TRY(gpri_alloc(ctx, &rows.rowptr, b->rows + 1, sizeof *rows.rowptr, "graph rows"));
    rows.rowptr[0] = 0;
    for (int64_t i = 0; i < b->rows; i++) rows.rowptr[i + 1] = ends[i] - begin;
    TRY(gpri_copy(ctx, &next, rows.rowptr, b->rows, sizeof *next, "graph rows"));
    TRY(gpri_arcs_alloc(ctx, &rows.at, rows.rowptr[b->rows], weighted));
    if (spill->options.directed) TRY(gpri_arcs_alloc_sides(ctx, &rows.at, rows.rowptr[b->rows]));
    filling f = {b->first_row, b->rows, next, rows.at.column, rows.at.weight};
    TRY(for_each_edge(spill, b, put_arcs, &f));
    TRY(gpri_rows_merge(ctx, ctx->threads, &rows));
    for (int64_t i = 0; i < b->rows; i++) ends[i] = graph->arcs + rows.rowptr[i + 1];
    graph->arcs += rows.arcs;
    graph->duplicates += rows.found.duplicates;
    graph->isolated += rows.isolated;
    graph->mutual += rows.found.mutual; /* arcs, until all are counted */
    spill->one_sided |= rows.found.one_sided > 0;
    TRY(spill->take(spill->user, &rows.at, rows.arcs));
done:
    gpri_arcs_free(ctx, &rows.at);
    gpri_free_all(ctx, next, rows.rowptr);
    return status;
}

/* One row with more arcs than fit: most are duplicates, or the graph has that many nodes. */
typedef struct hub {
    int64_t row, duplicates;
    uint8_t *seen; /* (nodes) GPRI_ALONG: this arc came; GPRI_AGAINST: the other one of its edge */
    float *weight; /* (nodes) the largest so far, or NULL */
    float *along;  /* (nodes) of the arcs of this row alone, or NULL */
} hub;

static void mark_arc(void *arg, int64_t source, int64_t destination, float weight) {
    hub *h = arg;
    const bool given = source == h->row;
    const int64_t column = given ? destination : source;
    if (h->weight && (!h->seen[column] || weight > h->weight[column])) h->weight[column] = weight;
    if (h->along && given && weight > h->along[column]) h->along[column] = weight;
    h->duplicates += given && (h->seen[column] & GPRI_ALONG);
    h->seen[column] |= given ? GPRI_ALONG : GPRI_AGAINST;
}

static gpr_status build_hub(gpri_spill *spill, const bucket *b, bool weighted) {
    enum { PIECE = 4096 };
    gpr_status status = GPR_OK;
    gpr_ctx *ctx = spill->ctx;
    gpri_graph *graph = spill->graph;
    hub h = {.row = b->first_row};
    uint32_t columns[PIECE];
    uint8_t sides[PIECE];
    float weights[PIECE], along[PIECE];
    gpri_arcs arcs = {.column = columns};
    int64_t waiting = 0;
    TRY(gpri_calloc(ctx, &h.seen, graph->nodes, 1, "graph edges"));
    if (weighted) TRY(gpri_alloc(ctx, &h.weight, graph->nodes, sizeof *h.weight, "edge weights"));
    if (weighted && spill->options.directed)
        TRY(gpri_calloc(ctx, &h.along, graph->nodes, sizeof *h.along, "edge weights"));
    arcs.weight = weighted ? weights : NULL;
    arcs.sides = spill->options.directed ? sides : NULL;
    arcs.along = h.along ? along : NULL;
    TRY(for_each_edge(spill, b, mark_arc, &h));
    for (int64_t column = 0; column <= graph->nodes; column++) {
        if (waiting == PIECE || column == graph->nodes) {
            TRY(spill->take(spill->user, &arcs, waiting));
            graph->arcs += waiting;
            waiting = 0;
        }
        if (column == graph->nodes || !h.seen[column]) continue;
        const bool both = h.seen[column] == (GPRI_ALONG | GPRI_AGAINST);
        graph->mutual += both;
        columns[waiting] = (uint32_t)column;
        sides[waiting] = h.seen[column];
        if (weighted) weights[waiting] = h.weight[column];
        if (h.along) along[waiting] = h.along[column];
        spill->one_sided |= arcs.sides && (!both || (h.along && h.along[column] < h.weight[column]));
        waiting++;
    }
    spill->rowptr[b->first_row + 1] = graph->arcs;
    graph->duplicates += h.duplicates;
done:
    gpri_free_all(ctx, h.seen, h.weight, h.along);
    return status;
}

gpr_status gpri_spill_build(gpri_spill *spill, gpri_graph *graph, int64_t nodes, gpri_arcs_fn take, void *user) {
    gpr_status status = GPR_OK;
    const bool weighted = gpri_spill_weighted(spill);
    *graph = (gpri_graph){.nodes = nodes};
    spill->graph = graph;
    spill->take = take;
    spill->user = user;
    if (nodes < 1 || nodes >= INT32_MAX)
        THROW(GPR_ERROR_ARGUMENT, "the graph has %lld nodes: it must have from 1 to %d", (long long)nodes,
              INT32_MAX - 1);
    TRY(flush(spill));
    TRY(count_arcs(spill));
    TRY(plan_buckets(spill));
    if (spill->bucket_count > 1) TRY(deal_out(spill));
    else spill->buckets[0].edges = spill->edge_count;
    for (int64_t b = 0, begin = 0; b < spill->bucket_count; b++) {
        const bucket *now = &spill->buckets[b];
        const int64_t end = spill->rowptr[now->first_row + now->rows];
        if (end - begin > arcs_that_fit(spill)) TRY(build_hub(spill, now, weighted));
        else TRY(build_rows(spill, now, begin, weighted));
        begin = end;
    }
    graph->mutual /= 2;
    graph->rowptr = spill->rowptr;
    spill->rowptr = NULL;
done:
    if (status != GPR_OK) *graph = (gpri_graph){0};
    return status;
}
