/* Rows cut into tiles, blocks and chunks (walk/partition.h); and that two nets with half of the blocks each make the
 * partial sums of one net with all of them, bit for bit. */
#include <math.h>

#include "fixture.h"
#include "tensor/cpu/cpu.h"
#include "training.h"

static void covers_all_rows(void **state) {
    (void)state;
    const int64_t tiles[] = {64, 0, 16};
    for (int64_t nodes = 0; nodes < 40000; nodes += 1 + nodes / 7)
        for (int t = 0; t < 3; t++) {
            gpri_partition p = gpri_partition_of(nodes, tiles[t]);
            int64_t next = 0;
            assert_true(p.blocks >= 1 && p.blocks <= 64);
            for (int64_t chunk = 0; chunk < gpri_own_chunks(&p); chunk++) {
                gpri_chunk rows = gpri_chunk_rows(&p, chunk);
                assert_int_equal(rows.first, next);
                assert_int_equal(rows.chunk, chunk);
                assert_true(rows.count >= 0 && (tiles[t] == 0 || rows.count <= 512 + tiles[t]));
                next += rows.count;
            }
            assert_int_equal(next, nodes);
            if (tiles[t] == 0) assert_int_equal(gpri_own_chunks(&p), 1);
        }
}

/* Parts of a partition have its chunks, one part after the other. */
static void parts_have_the_chunks_of_all(void **state) {
    (void)state;
    for (int64_t nodes = 600; nodes < 200000; nodes += nodes / 2) {
        gpri_partition all = gpri_partition_of(nodes, 64);
        for (int64_t cut = 0; cut <= all.blocks; cut += 1 + all.blocks / 5) {
            const gpri_partition parts[2] = {gpri_partition_blocks(all, 0, cut),
                                             gpri_partition_blocks(all, cut, all.blocks)};
            int64_t at = 0;
            assert_int_equal(parts[0].count + parts[1].count, nodes);
            assert_int_equal(parts[1].first, parts[0].count);
            for (int p = 0; p < 2; p++)
                for (int64_t chunk = 0; chunk < gpri_own_chunks(&parts[p]); chunk++, at++) {
                    gpri_chunk want = gpri_chunk_rows(&all, at), got = gpri_chunk_rows(&parts[p], chunk);
                    assert_true(got.first == want.first && got.count == want.count);
                }
            assert_int_equal(at, gpri_own_chunks(&all));
        }
    }
}

/* An MLP, which needs no other rows, on blocks [first, end) of the graph; forward and backward once. */
static gpri_net *mlp_on(gpr_ctx *ctx, const gpr_dataset *data, const gpri_features *features, int64_t first,
                        int64_t end) {
    gpri_net *net;
    assert_ok(gpri_net_new(ctx, &net, ctx->job.device, &data->graph, ctx->threads, 5));
    net->walk.rows = gpri_partition_blocks(net->walk.rows, first, end < 0 ? net->walk.rows.blocks : end);
    gpri_act *x = gpri_dropout(net, gpri_input(net, features), 0.5);
    x = gpri_dropout(net, gpri_relu(net, gpri_linear(net, x, 10, "a")), 0.5);
    assert_ok(gpri_net_plan(net, gpri_linear(net, x, 3, "b"), true));
    gpri_net_reset(net);
    gpri_net_forward(net, GPRI_BOTH_STREAMS);
    return net;
}

static void check_halves(const gpri_ops *table, bool sparse) {
    enum { NODES = 2000 };
    gpr_ctx *ctx = ctx_for(table, 2);
    gpr_dataset *data = sparse ? new_words(ctx, NODES, 40, 3) : new_csbm(ctx, NODES, 20, 0.4);
    gpri_features features;
    assert_ok(gpri_features_prepare(ctx, &features, &data->features, false, true));
    gpri_net *all = mlp_on(ctx, data, &features, 0, -1), *half[2];
    int64_t blocks = all->walk.rows.blocks, cut = blocks / 3;
    assert_true(blocks > 3);
    half[0] = mlp_on(ctx, data, &features, 0, cut);
    half[1] = mlp_on(ctx, data, &features, cut, blocks);
    for (int stream = GPRI_TRAIN_STREAM; stream <= GPRI_EVAL_STREAM; stream++) {
        gpri_matrix want = gpri_net_output(all, stream);
        for (int p = 0; p < 2; p++) {
            gpri_matrix got = gpri_net_output(half[p], stream);
            assert_int_equal(got.rows, half[p]->walk.rows.count);
            for (int64_t i = 0; i < got.rows; i++)
                assert_memory_equal(got.at + i * got.ld, want.at + (half[p]->walk.rows.first + i) * want.ld,
                                    (size_t)got.width * sizeof *got.at);
        }
    }
    /* dL/dz = z: the output and its gradient are the same memory */
    gpri_net_backward(all), gpri_net_backward(half[0]), gpri_net_backward(half[1]);
    for (int i = 0; i < all->layer_count; i++) {
        const gpri_layer *layer = all->layers[i];
        size_t size = (size_t)layer->partial_size * sizeof *layer->partial;
        if (!layer->partial) continue;
        assert_memory_equal(half[0]->layers[i]->partial, layer->partial, (size_t)cut * size);
        assert_memory_equal(half[1]->layers[i]->partial, layer->partial + cut * layer->partial_size,
                            (size_t)(blocks - cut) * size);
    }
    /* The gradient of the first weights is a sum over rows in one go: of two halves, the sum but for rounding. */
    const gpri_weight *w = &all->weights[0];
    double most = 0, apart = 0;
    for (int64_t i = 0; i < w->size; i++) {
        double want = (double)w->gradient[i];
        double got = (double)half[0]->weights[0].gradient[i] + (double)half[1]->weights[0].gradient[i];
        most = fmax(most, fabs(want)), apart = fmax(apart, fabs(want - got));
    }
    if (!(most > 0 && apart < 1e-5 * most)) fail_msg("%s: first weights apart by %g of %g", table->name, apart, most);
    gpri_net_free(all), gpri_net_free(half[0]), gpri_net_free(half[1]);
    gpri_features_free(ctx, &features);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void halves_make_the_sums_of_all(void **state) {
    (void)state;
    const gpri_ops *tables[MOST_TABLES];
    int count = gpri_ops_all(tables, MOST_TABLES);
    for (int i = 0; i < count; i++)
        for (int sparse = 0; sparse < 2; sparse++) check_halves(tables[i], sparse);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(covers_all_rows),
                                       cmocka_unit_test(parts_have_the_chunks_of_all),
                                       cmocka_unit_test(halves_make_the_sums_of_all)};
    return cmocka_run_group_tests_name("partition", tests, NULL, NULL);
}
