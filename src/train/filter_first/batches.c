/* Which rows are in a batch, and copies of them. */
#include "train/filter_first/batches.h"

#include <string.h>

#include "base/random.h"
#include "base/thread.h"

static gpr_status plan(gpri_batches *b, const gpri_batches_source *from, int threads) {
    gpr_ctx *ctx = b->ctx;
    const int64_t size = b->size;
    b->features = *from->features;
    b->features.rows = b->graph.nodes = size;
    b->features.dense = NULL;
    b->features.borrowed = false;
    NEED(gpri_calloc(ctx, &b->features.dense, size * b->features.ld, sizeof *b->features.dense, "batch"));
    NEED(gpri_calloc(ctx, &b->graph.rowptr, size + 1, sizeof *b->graph.rowptr, "batch"));
    NEED(gpri_calloc(ctx, &b->labels, size, sizeof *b->labels, "batch"));
    NEED(gpri_calloc(ctx, &b->part, size, sizeof *b->part, "batch"));
    if (from->numbers) NEED(gpri_calloc(ctx, &b->numbers, size, sizeof *b->numbers, "batch"));
    if (from->factor) NEED(gpri_calloc(ctx, &b->factor, size, sizeof *b->factor, "batch"));
    NEED(gpri_model_net(ctx, &b->net, from->params, from->recipe, &b->graph, &b->features, threads, b->seed, true));
    for (int i = 0; i < b->net->weight_count; i++) b->net->weights[i].value = from->whole->weights[i].value;
    b->net->values = from->whole->values;
    b->targets = (gpri_targets){
        .labels = b->labels, .numbers = b->numbers, .error = from->error, .part = b->part, .factor = b->factor};
    return gpri_net_alloc(b->net, &b->losses, gpri_own_chunks(&b->net->walk.rows), sizeof *b->losses, false, "scores");
}

gpr_status gpri_batches_new(gpr_ctx *ctx, gpri_batches **out, const gpri_batches_source *from, int64_t size,
                            int threads, uint64_t seed) {
    gpr_status status = GPR_OK;
    TRY(gpri_calloc(ctx, out, 1, sizeof **out, "batches"));
    gpri_batches *b = *out;
    b->ctx = ctx;
    b->size = size;
    b->seed = seed;
    b->source = from->features;
    b->all_labels = from->labels;
    b->all_numbers = from->numbers;
    b->all_factor = from->factor;
    for (int64_t i = 0; i < from->rows; i++) b->total += from->part[i] == GPR_TRAIN;
    b->count = gpri_chunk_count(b->total, size);
    TRY(gpri_alloc(ctx, &b->order, 2 * b->total, sizeof *b->order, "batches"));
    for (int64_t i = 0, at = b->total; i < from->rows; i++)
        if (from->part[i] == GPR_TRAIN) b->order[at++] = i; /* ascending, behind the shuffled ones */
    TRY(plan(b, from, threads));
done:
    if (status != GPR_OK) {
        gpri_batches_free(*out);
        *out = NULL;
    }
    return status;
}

void gpri_batches_free(gpri_batches *b) {
    if (!b) return;
    gpr_ctx *ctx = b->ctx;
    gpri_net_free(b->net);
    gpri_free_all(ctx, b->order, b->features.dense, b->graph.rowptr, b->labels, b->part, b->numbers, b->factor, b);
}

void gpri_batches_shuffle(gpri_batches *b, uint32_t epoch) {
    const gpri_random random = gpri_random_of(b->seed, GPRI_RANDOM_BATCHES, epoch, 0);
    memcpy(b->order, b->order + b->total, (size_t)b->total * sizeof *b->order);
    for (int64_t k = b->total - 1; k > 0; k--) {
        const int64_t j = (int64_t)gpri_uniform_below(random, (uint64_t)k, (uint64_t)k + 1), other = b->order[j];
        b->order[j] = b->order[k];
        b->order[k] = other;
    }
}

typedef struct {
    gpri_batches *b;
    int64_t first, rows;
} filling;

static void fill_rows(void *arg, int64_t first, int64_t end) {
    const filling *f = arg;
    gpri_batches *b = f->b;
    const int64_t ld = b->features.ld;
    for (int64_t i = first; i < end; i++) {
        const bool there = i < f->rows; /* a short batch ends with rows that nothing is learned from */
        const int64_t row = b->order[f->first + (there ? i : 0)];
        memcpy(b->features.dense + i * ld, b->source->dense + row * ld, (size_t)ld * sizeof *b->source->dense);
        b->labels[i] = b->all_labels[row];
        b->part[i] = there ? GPR_TRAIN : GPR_UNUSED;
        if (b->numbers) b->numbers[i] = b->all_numbers[row];
        if (b->factor) b->factor[i] = b->all_factor[row];
    }
}

void gpri_batches_fill(gpri_batches *b, int64_t batch) {
    const int64_t first = batch * b->size, left = b->total - first;
    filling f = {b, first, left < b->size ? left : b->size};
    b->targets.weight = (gpri_real)(1.0 / (double)f.rows);
    gpri_net_deal(b->net, b->size, 64, b->size * b->features.ld, fill_rows, &f);
}
