/* A .gpr file of a graph that is never whole in memory. Its columns are written as the spill gives them; its weights
 * and directions wait in files without a name until all columns are written. The bytes are those that gpri_write_mapped
 * writes. */

#include "data/describe.h"
#include "io/mapped/mapped.h"

#define PIECE ((int64_t)1 << 16) /* numbers that are read back at a time */

/* What waits: an array of the arcs. */
enum { WEIGHT, SIDES, ALONG, WAITING };

typedef struct writing {
    gpri_mapped_writer writer;
    bool weighted;
    gpri_scratch files[WAITING];
    int64_t bytes[WAITING]; /* of each so far */
    int32_t *column;        /* (PIECE) */
    float *weight;          /* (PIECE) */
} writing;

static gpr_status take_arcs(void *user, const gpri_arcs *arcs, int64_t count) {
    writing *w = user;
    const void *const arrays[WAITING] = {arcs->weight, arcs->sides, arcs->along};
    NEED(gpri_mapped_append(&w->writer, arcs->column, count * (int64_t)sizeof *arcs->column));
    for (int k = 0; k < WAITING; k++) {
        const int64_t bytes = count * gpri_mapped_forms[GPRI_WEIGHT + k].size;
        if (!arrays[k]) continue;
        if (w->files[k].fd < 0) NEED(gpri_scratch_open(&w->files[k], w->writer.output.path));
        NEED(gpri_scratch_write(&w->files[k], arrays[k], bytes, w->bytes[k]));
        w->bytes[k] += bytes;
    }
    return GPR_OK;
}

static gpr_status put_waiting(writing *w, int k) {
    const int64_t most = PIECE * (int64_t)sizeof *w->weight;
    gpri_mapped_begin(&w->writer, (gpri_mapped_kind)(GPRI_WEIGHT + k));
    for (int64_t done = 0; done < w->bytes[k];) {
        const int64_t count = w->bytes[k] - done < most ? w->bytes[k] - done : most;
        NEED(gpri_scratch_read(&w->files[k], w->weight, count, done));
        NEED(gpri_mapped_append(&w->writer, w->weight, count));
        done += count;
    }
    return gpri_mapped_end(&w->writer);
}

/* Reads the columns back from the file, one piece at a time. */
static gpr_status find_fingerprint(writing *w, const gpr_dataset *data) {
    const gpri_graph *graph = &data->graph;
    const gpri_mapped_section *columns = &w->writer.header.section[1]; /* as gpri_write_spilled puts them */
    gpri_hash h;
    int64_t row = 0;
    gpri_fingerprint_begin(&h, graph->nodes, data->features.cols, graph->arcs);
    for (int64_t done = 0; done < graph->arcs;) {
        const int64_t count = graph->arcs - done < PIECE ? graph->arcs - done : PIECE;
        NEED(gpri_output_read(&w->writer.output, w->column, count * (int64_t)sizeof *w->column,
                              columns->offset + done * (int64_t)sizeof *w->column));
        if (w->weighted)
            NEED(gpri_scratch_read(&w->files[WEIGHT], w->weight, count * (int64_t)sizeof *w->weight,
                                   done * (int64_t)sizeof *w->weight));
        for (int64_t k = 0; k < count;) {
            while (graph->rowptr[row + 1] <= done + k) row++;
            const int64_t end = graph->rowptr[row + 1] - done < count ? graph->rowptr[row + 1] - done : count;
            gpri_fingerprint_arcs(&h, row, w->column + k, w->weighted ? w->weight + k : NULL, end - k);
            k = end;
        }
        done += count;
    }
    gpri_fingerprint_end(w->writer.header.fingerprint, &h, &data->features, &data->target, graph);
    return GPR_OK;
}

gpr_status gpri_write_spilled(gpr_ctx *ctx, gpri_mapped_header *header, gpr_dataset *data, gpri_spill *spill,
                              int64_t nodes, const char *path, int64_t shards, gpri_tick tick) {
    gpr_status status = GPR_OK;
    writing w = {.weighted = gpri_spill_weighted(spill), .files = {{.fd = -1}, {.fd = -1}, {.fd = -1}}};
    gpri_graph *graph = &data->graph;
    const int64_t rowptr_size = (nodes + 1) * (int64_t)sizeof *graph->rowptr;
    TRY(gpri_mapped_create(ctx, &w.writer, path));
    w.writer.tick = tick;
    w.writer.shards = shards;
    TRY(gpri_alloc(ctx, &w.column, PIECE, sizeof *w.column, "graph edges"));
    TRY(gpri_alloc(ctx, &w.weight, PIECE, sizeof *w.weight, "edge weights"));
    gpri_mapped_reserve(&w.writer, GPRI_ROWPTR, rowptr_size);
    gpri_mapped_begin(&w.writer, GPRI_COLUMN);
    TRY(gpri_spill_build(spill, graph, nodes, take_arcs, &w));
    TRY(gpri_mapped_end(&w.writer));
    TRY(gpri_mapped_fill(&w.writer, GPRI_ROWPTR, graph->rowptr));
    if (w.weighted) TRY(put_waiting(&w, WEIGHT));
    if (gpri_spill_directed(spill)) TRY(put_waiting(&w, SIDES));
    if (gpri_spill_directed(spill) && w.weighted) TRY(put_waiting(&w, ALONG));
    gpri_mapped_set_graph(&w.writer, graph);
    TRY(gpri_mapped_put_nodes(&w.writer, data));
    TRY(find_fingerprint(&w, data));
    TRY(gpri_mapped_commit(&w.writer));
    *header = w.writer.header;
done:
    gpri_mapped_discard(&w.writer);
    for (int k = 0; k < WAITING; k++) gpri_scratch_close(&w.files[k]);
    gpri_free_all(ctx, w.column, w.weight);
    return status;
}
