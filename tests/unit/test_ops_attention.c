/* The operations of attention and of the LSTM, in every table against ref: heads that fill vectors or not, more
 * neighbours than are listed at a time, hubs, nodes without neighbours, dropout; and exp, tanh and the sigmoid to the
 * last digits. */
#include "tables.h"
#include "tensor/cpu/cpu.h"

/* heads, columns of each, padded columns of all */
static const int64_t head_shapes[][3] = {{1, 4, 4},    {1, 8, 8},     {1, 48, 48}, {8, 8, 64},   {3, 5, 16},
                                         {2, 4, 8},    {8, 7, 64},    {5, 12, 64}, {3, 16, 48},  {8, 4, 32},
                                         {40, 4, 160}, {100, 1, 112}, {16, 1, 16}, {70, 8, 560}, {1030, 1, 1040}};
enum { HEAD_SHAPES = sizeof head_shapes / sizeof head_shapes[0] };

/* Zeros in the padding. */
static float *padded_numbers(int64_t rows, int64_t cols, int64_t ld) {
    float *block = numbers(rows * ld);
    for (int64_t i = 0; i < rows * ld; i++)
        if (i % ld >= cols) block[i] = 0;
    return block;
}

static void heads(void **state) {
    (void)state;
    for (int shape = 0; shape < HEAD_SHAPES; shape++)
        for (int64_t rows = 1; rows < 8; rows += 5) {
            int64_t heads = head_shapes[shape][0], out = head_shapes[shape][1], ld = head_shapes[shape][2] + 4,
                    lds = heads + 3;
            float *x = numbers(rows * ld), *a = numbers(rows * ld), *s = numbers(rows * lds);
            EACH_TABLE(ops) {
                for (int one = 0; one < 2; one++) { /* one row for all */
                    float *got = copy_of(s, rows * lds), *want = copy_of(s, rows * lds);
                    gpri_matrix mx = matrix_of(x, rows, heads * out, ld), ma = matrix_of(a, rows, heads * out, ld);
                    if (one) ma.ld = 0;
                    ops->head_dots(matrix_of(got, rows, heads, lds), mx, ma, heads, out);
                    gpri_ops_ref.head_dots(matrix_of(want, rows, heads, lds), mx, ma, heads, out);
                    same("head_dots", ops->name, got, want, rows * lds);
                    got = copy_of(a, rows * ld), want = copy_of(a, rows * ld);
                    if (one) mx.ld = 0;
                    ops->head_add(matrix_of(got, rows, heads * out, ld), matrix_of(s, rows, heads, lds), mx, heads,
                                  out);
                    gpri_ops_ref.head_add(matrix_of(want, rows, heads * out, ld), matrix_of(s, rows, heads, lds), mx,
                                          heads, out);
                    same("head_add", ops->name, got, want, rows * ld);
                }
                float *got = copy_of(a, rows * ld), *want = copy_of(a, rows * ld);
                gpri_matrix mx = matrix_of(x, rows, heads * out, ld), ms = matrix_of(s, rows, heads, lds);
                ops->head_add(matrix_of(got, rows, heads * out, 0), ms, mx, heads, out);
                gpri_ops_ref.head_add(matrix_of(want, rows, heads * out, 0), ms, mx, heads, out);
                same("head_add into one row", ops->name, got, want, rows * ld);
                got = copy_of(a, rows * ld), want = copy_of(a, rows * ld);
                int64_t padded = gpri_padded(out) < ld ? gpri_padded(out) : out;
                ops->head_mean_forward((gpri_matrix){got, rows, out, padded, ld}, mx, heads);
                gpri_ops_ref.head_mean_forward((gpri_matrix){want, rows, out, padded, ld}, mx, heads);
                same("head_mean_forward", ops->name, got, want, rows * ld);
                got = copy_of(a, rows * ld), want = copy_of(a, rows * ld);
                ops->head_mean_backward(matrix_of(got, rows, heads * out, ld), matrix_of(x, rows, out, ld), heads);
                gpri_ops_ref.head_mean_backward(matrix_of(want, rows, heads * out, ld), matrix_of(x, rows, out, ld),
                                                heads);
                same("head_mean_backward", ops->name, got, want, rows * ld);
            }
            free(x), free(a), free(s);
        }
}

/* spread: of the scores; if it is large, one neighbour has exp 1 and the others 0. */
static void check_attention(gpr_ctx *ctx, const int64_t *shape, int64_t nodes, double drop, float spread) {
    int64_t heads = shape[0], out = shape[1], width = shape[2], ldx = width + 4, ldy = width + 8;
    int64_t r0 = nodes > 4 ? 3 : 0, rows = nodes - r0;
    gpri_graph graph = random_graph(ctx, nodes, true);
    gpri_dropout_rate rate = gpri_dropout_rate_of(drop);
    int64_t elements = (graph.arcs + nodes) * heads;
    uint64_t *keep = calloc((size_t)gpri_keep_words(elements), sizeof *keep);
    int32_t *reverse;
    gpri_keep_bits(keep, 0, (elements + 127) / 128, stream, rate);
    assert_ok(gpri_graph_reverse(ctx, &reverse, &graph));
    float *source = numbers(nodes * heads), *target = numbers(4 * nodes * heads);
    float *x = padded_numbers(nodes, heads * out, ldx), *dy = padded_numbers(nodes, heads * out, ldy);
    float *y = numbers(rows * ldy), *bend = numbers(rows * width), *dx = numbers(rows * ldx),
          *dsource = numbers(rows * heads);
    for (int64_t i = 0; i < nodes * heads; i++) source[i] *= spread;
    for (int64_t i = 0; i < 4 * nodes * heads; i++) target[i] *= spread;
    gpri_attention a = {.graph = &graph,
                        .heads = heads,
                        .out = out,
                        .width = width,
                        .slope = 0.2f,
                        .source = source,
                        .keep = rate.digits ? keep : NULL,
                        .reverse = rate.digits ? reverse : NULL,
                        .scale = rate.scale};
    EACH_TABLE(ops) {
        for (int with = 0; with < 2; with++) { /* a backward pass */
            float *got = copy_of(y, rows * ldy), *want = copy_of(y, rows * ldy);
            float *got_bend = copy_of(bend, rows * width), *want_bend = copy_of(bend, rows * width);
            float *got_target = copy_of(target, 4 * nodes * heads), *want_target = copy_of(target, 4 * nodes * heads);
            a.target = got_target;
            gpri_matrix mx = matrix_of(x, nodes, width, ldx);
            ops->attention_forward(matrix_of(got, rows, width, ldy), packed(with ? got_bend : NULL, rows, width), mx,
                                   &a, r0);
            a.target = want_target;
            gpri_ops_ref.attention_forward(matrix_of(want, rows, width, ldy),
                                           packed(with ? want_bend : NULL, rows, width), mx, &a, r0);
            same("attention_forward", ops->name, got, want, rows * ldy);
            same_of("attention_forward, bend", ops->name, got_bend, want_bend, rows * width, 1); /* a difference */
            same("attention_forward, target", ops->name, got_target, want_target, 4 * nodes * heads);
        }
        float *filled = copy_of(target, 4 * nodes * heads), *got = copy_of(dx, rows * ldx),
              *want = copy_of(dx, rows * ldx);
        float *got_source = copy_of(dsource, rows * heads), *want_source = copy_of(dsource, rows * heads);
        a.target = filled;
        for (int64_t i = 0; i < nodes; i++) { /* fills largest and 1 / sum of all rows */
            float *row = numbers(ldy), *row_bend = numbers(width);
            gpri_ops_ref.attention_forward(matrix_of(row, 1, width, ldy), packed(row_bend, 1, width),
                                           matrix_of(x, nodes, width, ldx), &a, i);
            free(row), free(row_bend);
        }
        gpri_matrix some = matrix_of(x + r0 * ldx, rows, width, ldx), all = matrix_of(dy, nodes, width, ldy);
        ops->attention_backward(matrix_of(got, rows, width, ldx), packed(got_source, rows, heads), all, some, &a, r0);
        gpri_ops_ref.attention_backward(matrix_of(want, rows, width, ldx), packed(want_source, rows, heads), all, some,
                                        &a, r0);
        same("attention_backward", ops->name, got, want, rows * ldx);
        same_of("attention_backward, source", ops->name, got_source, want_source, rows * heads, 1);
        free(filled);
    }
    free(keep), free(source), free(target), free(x), free(dy), free(y), free(bend), free(dx), free(dsource);
    gpri_free(ctx, reverse);
    gpri_graph_free(ctx, &graph);
}

static void attention(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const int64_t nodes[] = {1, 2, 50};
    const double drops[] = {0, 0.5, 0.7};
    for (int shape = 0; shape < HEAD_SHAPES; shape++)
        for (int n = 0; n < 3; n++)
            for (int drop = 0; drop < 3; drop++) {
                check_attention(ctx, head_shapes[shape], nodes[n], drops[drop], 2);
                check_attention(ctx, head_shapes[shape], nodes[n], drops[drop], 300);
            }
    const int64_t hub[] = {1, 8, 8}; /* more neighbours than are listed at a time */
    check_attention(ctx, hub, 6000, 0.5, 2);
    gpr_ctx_free(ctx);
}

static void lstm(void **state) {
    (void)state;
    const int64_t units[] = {1, 3, 4, 8, 16, 31, 32, 50};
    for (int shape = 0; shape < 8; shape++)
        for (int first = 0; first < 2; first++) {
            int64_t u = units[shape], rows = 1 + 6 * (shape % 2), ldg = 4 * u + 4, ldc = u + 1, ldh = 2 * u;
            float *gates = numbers(rows * ldg), *c = numbers(rows * ldc), *h = numbers(rows * ldh),
                  *before = numbers(rows * ldc), *dc = numbers(rows * ldc);
            for (int64_t i = 0; i < rows * ldg; i++) gates[i] *= i % 7 == 0 ? 30 : 3;
            EACH_TABLE(ops) {
                float *got = copy_of(gates, rows * ldg), *want = copy_of(gates, rows * ldg);
                float *got_c = copy_of(c, rows * ldc), *want_c = copy_of(c, rows * ldc);
                float *got_h = copy_of(h, rows * ldh), *want_h = copy_of(h, rows * ldh);
                const float *step_before = first ? NULL : before;
                gpri_matrix mb = matrix_of(step_before, rows, u, ldc);
                ops->lstm_forward(matrix_of(got, rows, 4 * u, ldg), matrix_of(got_c, rows, u, ldc),
                                  matrix_of(got_h, rows, u, ldh), mb);
                gpri_ops_ref.lstm_forward(matrix_of(want, rows, 4 * u, ldg), matrix_of(want_c, rows, u, ldc),
                                          matrix_of(want_h, rows, u, ldh), mb);
                float *got_back = copy_of(want, rows * ldg), *want_back = copy_of(want, rows * ldg);
                float *got_dc = copy_of(dc, rows * ldc), *want_dc = copy_of(dc, rows * ldc);
                gpri_matrix mc = matrix_of(want_c, rows, u, ldc), mh = matrix_of(h, rows, u, ldh);
                ops->lstm_backward(matrix_of(got_back, rows, 4 * u, ldg), matrix_of(got_dc, rows, u, ldc), mc, mb, mh);
                gpri_ops_ref.lstm_backward(matrix_of(want_back, rows, 4 * u, ldg), matrix_of(want_dc, rows, u, ldc), mc,
                                           mb, mh);
                same("lstm_forward", ops->name, got, want, rows * ldg);
                same("lstm_forward, c", ops->name, got_c, want_c, rows * ldc);
                same("lstm_forward, h", ops->name, got_h, want_h, rows * ldh);
                same("lstm_backward", ops->name, got_back, want_back, rows * ldg);
                same("lstm_backward, dc", ops->name, got_dc, want_dc, rows * ldc);
            }
            free(gates), free(c), free(h), free(before), free(dc);
        }
}

static void near(const char *what, const char *table, double x, double got, double want, double most) {
    if (!(fabs(got - want) <= most * fabs(want)))
        fail_msg("%s, %s(%.9g): %.9g, not %.9g: off by %.1e of itself", table, what, x, got, want,
                 fabs(got / want - 1));
}

/* Each function to a few units in the last place, from tiny to large arguments. */
static void exponentials(void **state) {
    (void)state;
    enum { COUNT = 4096 };
    static float x[COUNT], one[COUNT], y[COUNT], gates[4 * COUNT], c[COUNT], h[COUNT];
    for (int i = 0; i < COUNT; i++) {
        double size = i % 4 == 0 ? 20 : i % 4 == 1 ? 1 : pow(10, -12 * gpri_uniform(stream, drawn++));
        x[i] = (float)(size * (double)draw());
        one[i] = 1;
    }
    for (int table = 0; table < table_count; table++) {
        const gpri_ops *ops = tables[table];
        ops->elu_forward(packed(y, 1, COUNT), packed(x, 1, COUNT));
        for (int i = 0; i < COUNT; i++)
            near("elu", ops->name, (double)x[i], (double)y[i], x[i] > 0 ? (double)x[i] : expm1((double)x[i]), 4e-7);
        ops->elu_backward(packed(y, 1, COUNT), packed(one, 1, COUNT), packed(x, 1, COUNT));
        for (int i = 0; i < COUNT; i++)
            near("derivative of elu", ops->name, (double)x[i], (double)y[i], x[i] > 0 ? 1 : exp((double)x[i]), 4e-7);
        for (int gate = 0; gate < 4; gate++) memcpy(gates + gate * COUNT, x, sizeof x);
        ops->lstm_forward(packed(gates, 1, 4 * COUNT), packed(c, 1, COUNT), packed(h, 1, COUNT), gpri_no_matrix);
        for (int i = 0; i < COUNT; i++) {
            double sigmoid = 1 / (1 + exp(-(double)x[i]));
            near("sigmoid", ops->name, (double)x[i], (double)gates[i], sigmoid, 5e-7);
            near("sigmoid", ops->name, (double)x[i], (double)gates[COUNT + i], sigmoid, 5e-7);
            near("tanh", ops->name, (double)x[i], (double)gates[2 * COUNT + i], tanh((double)x[i]), 6e-7);
            near("sigmoid", ops->name, (double)x[i], (double)gates[3 * COUNT + i], sigmoid, 5e-7);
        }
        /* ends, and what is not a number */
        float odd[] = {0, -0.0f, 200, -200, INFINITY, -INFINITY, NAN}, got[7], four[28], cell[7], hidden[7];
        ops->elu_forward(packed(got, 1, 7), packed(odd, 1, 7));
        assert_true(got[0] == 0 && got[1] == 0 && got[2] == 200 && got[3] == -1 && got[4] == INFINITY);
        assert_true(got[5] == -1 && isnan(got[6]));
        for (int gate = 0; gate < 4; gate++) memcpy(four + gate * 7, odd, sizeof odd);
        ops->lstm_forward(packed(four, 1, 28), packed(cell, 1, 7), packed(hidden, 1, 7), gpri_no_matrix);
        assert_true(four[0] == 0.5f && four[2] == 1 && four[3] < 1e-37f && four[4] == 1 && isnan(four[6]));
        assert_true(four[14] == 0 && four[16] == 1 && four[17] == -1 && four[18] == 1 && four[19] == -1);
        assert_true(isnan(four[20]) && isnan(hidden[6]));
    }
}

int main(void) {
    stream = gpri_random_of(8, GPRI_RANDOM_TEST, 0, 0);
    table_count = gpri_ops_all(tables, 8);
    const struct CMUnitTest tests[] = {cmocka_unit_test(heads), cmocka_unit_test(attention), cmocka_unit_test(lstm),
                                       cmocka_unit_test(exponentials)};
    return cmocka_run_group_tests_name("ops_attention", tests, NULL, NULL);
}
