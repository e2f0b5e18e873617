/* A .gpr file of a graph that is nowhere whole: its columns are written as the spill brings them forth, its weights
 * wait in a file without a name until the columns are all there. The bytes are those that gpri_write_mapped writes. */
#include <string.h>

#include "data/describe.h"
#include "io/mapped/mapped.h"

#define BLOCK ((int64_t)1 << 16) /* numbers that are brought back at once */

typedef struct stream {
    gpri_mapped_writer writer;
    bool weighted;
    gpri_scratch weights;
    int64_t weight_count; /* so far */
    int32_t *column;      /* (BLOCK) */
    float *weight;        /* (BLOCK) */
} stream;

static gpr_status take_columns(void *user, const int32_t *columns, const float *weights, int64_t count) {
    gpr_status status = GPR_OK;
    stream *s = user;
    TRY(gpri_mapped_append(&s->writer, columns, count * (int64_t)sizeof *columns));
    if (weights) {
        const int64_t size = (int64_t)sizeof *weights;
        TRY(gpri_scratch_write(&s->weights, weights, count * size, s->weight_count * size));
        s->weight_count += count;
    }
done:
    return status;
}

static gpr_status put_weights(stream *s) {
    gpr_status status = GPR_OK;
    const int64_t size = (int64_t)sizeof *s->weight;
    gpri_mapped_begin(&s->writer, GPRI_WEIGHT);
    for (int64_t done = 0; done < s->weight_count;) {
        const int64_t count = s->weight_count - done < BLOCK ? s->weight_count - done : BLOCK;
        TRY(gpri_scratch_read(&s->weights, s->weight, count * size, done * size));
        TRY(gpri_mapped_append(&s->writer, s->weight, count * size));
        done += count;
    }
    TRY(gpri_mapped_end(&s->writer));
done:
    return status;
}

/* The columns come back from the file, a block at a time. */
static gpr_status find_fingerprint(stream *s, const gpr_dataset *data) {
    gpr_status status = GPR_OK;
    const gpri_graph *graph = &data->graph;
    const gpri_mapped_section *columns = &s->writer.header.section[1]; /* as gpri_write_spilled puts them */
    gpri_hash h;
    int64_t row = 0;
    gpri_fingerprint_begin(&h, graph->nodes, data->features.cols, graph->arcs);
    for (int64_t done = 0; done < graph->arcs;) {
        const int64_t count = graph->arcs - done < BLOCK ? graph->arcs - done : BLOCK;
        TRY(gpri_output_read(&s->writer.output, s->column, count * (int64_t)sizeof *s->column,
                             columns->offset + done * (int64_t)sizeof *s->column));
        if (s->weighted)
            TRY(gpri_scratch_read(&s->weights, s->weight, count * (int64_t)sizeof *s->weight,
                                  done * (int64_t)sizeof *s->weight));
        for (int64_t k = 0; k < count;) {
            while (graph->rowptr[row + 1] <= done + k) row++;
            const int64_t end = graph->rowptr[row + 1] - done < count ? graph->rowptr[row + 1] - done : count;
            gpri_fingerprint_arcs(&h, row, s->column + k, s->weighted ? s->weight + k : NULL, end - k);
            k = end;
        }
        done += count;
    }
    gpri_fingerprint_end(s->writer.header.fingerprint, &h, &data->features, data->labels);
done:
    return status;
}

gpr_status gpri_write_spilled(gpr_ctx *ctx, gpri_mapped_header *header, gpr_dataset *data, gpri_spill *spill,
                              int64_t nodes, const char *path, gpri_tick tick) {
    gpr_status status = GPR_OK;
    stream s = {.weighted = gpri_spill_weighted(spill), .weights = {.fd = -1}};
    gpri_graph *graph = &data->graph;
    const int64_t rowptr_size = (nodes + 1) * (int64_t)sizeof *graph->rowptr;
    TRY(gpri_mapped_create(ctx, &s.writer, path));
    s.writer.tick = tick;
    TRY(gpri_alloc(ctx, &s.column, BLOCK, sizeof *s.column, "graph edges"));
    TRY(gpri_alloc(ctx, &s.weight, BLOCK, sizeof *s.weight, "edge weights"));
    if (s.weighted) TRY(gpri_scratch_open(ctx, &s.weights, path));
    gpri_mapped_reserve(&s.writer, GPRI_ROWPTR, rowptr_size);
    gpri_mapped_begin(&s.writer, GPRI_COLUMN);
    TRY(gpri_spill_build(spill, graph, nodes, take_columns, &s));
    TRY(gpri_mapped_end(&s.writer));
    TRY(gpri_mapped_fill(&s.writer, GPRI_ROWPTR, graph->rowptr));
    if (s.weighted) TRY(put_weights(&s));
    gpri_mapped_set_graph(&s.writer, graph);
    TRY(gpri_mapped_put_nodes(&s.writer, data));
    TRY(find_fingerprint(&s, data));
    TRY(gpri_mapped_commit(&s.writer));
    *header = s.writer.header;
done:
    gpri_mapped_discard(&s.writer);
    gpri_scratch_close(&s.weights);
    gpri_free(ctx, s.column);
    gpri_free(ctx, s.weight);
    return status;
}
