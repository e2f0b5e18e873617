/* Every table of operations against ref, on unusual sizes: empty rows, hubs, one row, widths that fill no vector,
 * several blocks. */
#include "tables.h"

/* Features of both kinds; sparse ones with empty rows and columns. All arrays by malloc. */
static gpri_features random_features(int64_t rows, int64_t cols, bool dense) {
    gpri_features x = {.rows = rows, .cols = cols, .ld = cols};
    if (dense) {
        x.dense = numbers(rows * cols);
        return x;
    }
    int64_t *fill = calloc((size_t)cols + 1, sizeof *fill), nnz = 0;
    x.rowptr = calloc((size_t)rows + 1, sizeof *x.rowptr);
    x.colptr = calloc((size_t)cols + 1, sizeof *x.colptr);
    x.column = malloc((size_t)(rows * cols + 1) * sizeof *x.column);
    x.value = malloc((size_t)(rows * cols + 1) * sizeof *x.value);
    x.row = malloc((size_t)(rows * cols + 1) * sizeof *x.row);
    x.offset = malloc((size_t)(rows * cols + 1) * sizeof *x.offset);
    x.column_value = malloc((size_t)(rows * cols + 1) * sizeof *x.column_value);
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < cols; j++)
            if (i % 5 != 3 && j % 7 != 2 && draw() > 0.4f) {
                x.column[nnz] = (int32_t)j;
                x.value[nnz++] = draw();
                x.colptr[j + 1]++;
            }
        x.rowptr[i + 1] = nnz;
    }
    for (int64_t j = 0; j < cols; j++) x.colptr[j + 1] += x.colptr[j];
    for (int64_t i = 0; i < rows; i++)
        for (int64_t at = x.rowptr[i]; at < x.rowptr[i + 1]; at++) {
            int64_t place = x.colptr[x.column[at]] + fill[x.column[at]]++;
            x.row[place] = (int32_t)i;
            x.offset[place] = (int32_t)(at - x.rowptr[i]);
            x.column_value[place] = x.value[at];
        }
    free(fill);
    return x;
}

static void free_features(gpri_features *x) {
    free(x->dense), free(x->rowptr), free(x->column), free(x->value), free(x->colptr), free(x->row), free(x->offset);
    free(x->column_value);
}

static void check_features(int64_t rows, int64_t cols, int64_t width, bool dense, double drop) {
    gpri_features x = random_features(rows, cols, dense);
    gpri_dropout_rate rate = gpri_dropout_rate_of(drop);
    int64_t count = gpri_features_count(&x), r0 = rows > 3 ? 1 : 0;
    uint64_t *keep = rate.digits ? calloc((size_t)gpri_keep_words(count), sizeof *keep) : NULL;
    if (keep) gpri_keep_bits(keep, 0, (count + 127) / 128, stream, rate);
    float *w = numbers(cols * width), *b = numbers(width), *dy = numbers(rows * (width + 4)),
          *blank = numbers(rows * width);
    float *grad = numbers(cols * width);
    EACH_TABLE(ops) {
        for (int which = 1; which < 4; which++) { /* train, eval, both */
            float *t = copy_of(blank, rows * width), *e = copy_of(blank, rows * width);
            float *rt = copy_of(blank, rows * width), *re = copy_of(blank, rows * width);
            const float *bias = which == 2 ? NULL : b;
            ops->features_forward(which & 1 ? t : NULL, which & 2 ? e : NULL, width, &x, keep, rate.scale, w, bias,
                                  width, r0, rows);
            gpri_ops_ref.features_forward(which & 1 ? rt : NULL, which & 2 ? re : NULL, width, &x, keep, rate.scale, w,
                                          bias, width, r0, rows);
            same("features_forward, train", ops->name, t, rt, rows * width);
            same("features_forward, eval", ops->name, e, re, rows * width);
        }
        int64_t j0 = cols > 64 ? 64 : 0;
        float *got = copy_of(grad, cols * width), *want = copy_of(grad, cols * width);
        ops->features_backward(got, &x, keep, rate.scale, dy, width + 4, width, j0, cols);
        gpri_ops_ref.features_backward(want, &x, keep, rate.scale, dy, width + 4, width, j0, cols);
        same("features_backward", ops->name, got, want, cols * width);
    }
    free(w), free(b), free(dy), free(blank), free(grad), free(keep);
    free_features(&x);
}

static void features(void **state) {
    (void)state;
    const int64_t shapes[][3] = {{1, 1, 4},     {3, 2, 8},     {7, 65, 16},   {33, 130, 32}, {64, 64, 48},
                                 {70, 200, 64}, {37, 129, 80}, {5, 300, 144}, {40, 131, 4},  {40, 131, 8}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int dense = 0; dense < 2; dense++)
            for (int drop = 0; drop < 3; drop++)
                check_features(shapes[i][0], shapes[i][1], shapes[i][2], dense, drop == 0 ? 0 : drop == 1 ? 0.5 : 0.7);
}

static void linear(void **state) {
    (void)state;
    const int64_t shapes[][3] = {{1, 4, 4},   {5, 8, 4},   {64, 64, 8},   {63, 16, 16},
                                 {3, 32, 32}, {7, 48, 48}, {66, 64, 112}, {4, 128, 4}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        int64_t rows = shapes[i][0], in = shapes[i][1], out = shapes[i][2], ldy = 2 * out, lddx = in + 8;
        float *x = numbers(rows * in), *w = numbers(in * out), *b = numbers(out), *y = numbers(rows * ldy),
              *dx = numbers(rows * lddx);
        float *dw = numbers(in * out), *db = numbers(out);
        EACH_TABLE(ops) {
            float *got = copy_of(y, rows * ldy), *want = copy_of(y, rows * ldy);
            ops->linear_forward(got, ldy, x, in, w, b, rows, in, out);
            gpri_ops_ref.linear_forward(want, ldy, x, in, w, b, rows, in, out);
            same("linear_forward", ops->name, got, want, rows * ldy);
            got = copy_of(y, rows * ldy), want = copy_of(y, rows * ldy);
            ops->linear_forward(got, ldy, x, in, w, NULL, rows, in, out);
            gpri_ops_ref.linear_forward(want, ldy, x, in, w, NULL, rows, in, out);
            same("linear_forward without bias", ops->name, got, want, rows * ldy);
            got = copy_of(y, rows * ldy), want = copy_of(y, rows * ldy);
            ops->bias_forward(got, ldy, b, out, rows);
            gpri_ops_ref.bias_forward(want, ldy, b, out, rows);
            same("bias_forward", ops->name, got, want, rows * ldy);
            got = copy_of(db, out), want = copy_of(db, out);
            ops->bias_backward(got, y, ldy, out, rows);
            gpri_ops_ref.bias_backward(want, y, ldy, out, rows);
            same("bias_backward", ops->name, got, want, out);
            float *got_dx = copy_of(dx, rows * lddx), *got_dw = copy_of(dw, in * out), *got_db = copy_of(db, out);
            float *want_dx = copy_of(dx, rows * lddx), *want_dw = copy_of(dw, in * out), *want_db = copy_of(db, out);
            ops->linear_backward(got_dx, lddx, got_dw, got_db, x, in, y, ldy, w, rows, in, out);
            gpri_ops_ref.linear_backward(want_dx, lddx, want_dw, want_db, x, in, y, ldy, w, rows, in, out);
            same("linear_backward dx", ops->name, got_dx, want_dx, rows * lddx);
            same("linear_backward dw", ops->name, got_dw, want_dw, in * out);
            same("linear_backward db", ops->name, got_db, want_db, out);
        }
        free(x), free(w), free(b), free(y), free(dx), free(dw), free(db);
    }
}

static void hops(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const int64_t shapes[][2] = {{1, 4}, {2, 8}, {50, 4}, {50, 8}, {51, 16}, {40, 32}, {40, 48}, {30, 60}, {30, 96}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int weighted = 0; weighted < 2; weighted++) {
            int64_t nodes = shapes[i][0], width = shapes[i][1], ld = width + 4, r0 = nodes > 4 ? 3 : 0;
            gpri_graph graph = random_graph(ctx, nodes, weighted);
            float *s = numbers(nodes), *in = numbers(nodes * ld), *h = numbers(nodes * ld), *out = numbers(nodes * ld);
            float *sum = numbers(nodes * width);
            for (int64_t k = 0; k < nodes; k++) s[k] = 0.6f + 0.3f * s[k];
            EACH_TABLE(ops) {
                for (int last = 0; last < 2; last++) {
                    float *got = copy_of(out, nodes * ld), *want = copy_of(out, nodes * ld);
                    ops->hop(got, in, ld, h, ld, 0.7f, last, &graph, s, width, r0, nodes);
                    gpri_ops_ref.hop(want, in, ld, h, ld, 0.7f, last, &graph, s, width, r0, nodes);
                    same("hop", ops->name, got, want, nodes * ld);
                }
                float *got = copy_of(out, nodes * ld), *want = copy_of(out, nodes * ld);
                float *got_sum = copy_of(sum, nodes * width), *want_sum = copy_of(sum, nodes * width);
                double dot = ops->hop_backward(got, in, got_sum, h, ld, -0.4f, &graph, s, width, r0, nodes);
                double ref = gpri_ops_ref.hop_backward(want, in, want_sum, h, ld, -0.4f, &graph, s, width, r0, nodes);
                same("hop_backward", ops->name, got, want, nodes * ld);
                same("hop_backward sum", ops->name, got_sum, want_sum, nodes * width);
                same_number("hop_backward dot", ops->name, dot, ref);
            }
            free(s), free(in), free(h), free(out), free(sum);
            gpri_graph_free(ctx, &graph);
        }
    gpr_ctx_free(ctx);
}

/* With and without each of: weights, diagonals, loops, what is added. */
static void propagation(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const int64_t shapes[][2] = {{1, 4}, {2, 8}, {50, 4}, {51, 16}, {40, 32}, {40, 64}, {30, 92}, {20, 160}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int with = 0; with < 32; with++) {
            int64_t nodes = shapes[i][0], width = shapes[i][1], ldi = width + 4, ldo = width + 8,
                    r0 = nodes > 4 ? 3 : 0;
            gpri_graph graph = random_graph(ctx, nodes, with & 1);
            float *left = numbers(nodes), *right = numbers(nodes), *in = numbers(nodes * ldi);
            float *out = numbers(nodes * ldo), *own = numbers(nodes * ldi);
            gpri_adjacency m = {.graph = &graph,
                                .left = with & 2 ? left : NULL,
                                .right = with & 4 ? right : NULL,
                                .factor = -0.75f,
                                .loop = with & 8 ? 1.0f : 0.0f};
            EACH_TABLE(ops) {
                float *got = copy_of(out, nodes * ldo), *want = copy_of(out, nodes * ldo);
                ops->propagate(got, ldo, in, ldi, with & 16 ? own : NULL, ldi, &m, width, r0, nodes);
                gpri_ops_ref.propagate(want, ldo, in, ldi, with & 16 ? own : NULL, ldi, &m, width, r0, nodes);
                same("propagate", ops->name, got, want, nodes * ldo);
            }
            free(left), free(right), free(in), free(out), free(own);
            gpri_graph_free(ctx, &graph);
        }
    gpr_ctx_free(ctx);
}

static void elements(void **state) {
    (void)state;
    const int64_t counts[] = {1, 3, 16, 31, 64, 1000};
    for (size_t i = 0; i < 6; i++) {
        int64_t count = counts[i];
        float *x = numbers(count), *y = numbers(count), *m = numbers(count), *v = numbers(count);
        for (int64_t k = 0; k < count; k++) v[k] *= v[k];
        gpri_adam a = {.rate = 0.01f,
                       .beta1 = 0.9f,
                       .beta2 = 0.999f,
                       .new1 = 0.1f,
                       .new2 = 0.001f,
                       .epsilon = 1e-8f,
                       .second_scale = 3.0f,
                       .decay = 0.05f};
        EACH_TABLE(ops) {
            float *got = copy_of(x, count), *want = copy_of(x, count);
            ops->relu_forward(got, count);
            gpri_ops_ref.relu_forward(want, count);
            same("relu_forward", ops->name, got, want, count);
            got = copy_of(x, count), want = copy_of(x, count);
            ops->relu_backward(got, y, count);
            gpri_ops_ref.relu_backward(want, y, count);
            same("relu_backward", ops->name, got, want, count);
            got = copy_of(x, count), want = copy_of(x, count);
            float *got_m = copy_of(m, count), *want_m = copy_of(m, count), *got_v = copy_of(v, count),
                  *want_v = copy_of(v, count);
            ops->adam(got, y, got_m, got_v, a, count);
            gpri_ops_ref.adam(want, y, want_m, want_v, a, count);
            same("adam", ops->name, got, want, count);
            same("adam first moment", ops->name, got_m, want_m, count);
            same("adam second moment", ops->name, got_v, want_v, count);
        }
        free(x), free(y), free(m), free(v);
    }
}

/* Masks must be equal bit for bit. */
static void dropout(void **state) {
    (void)state;
    const int64_t cols[] = {1, 3, 7, 64, 100, 129, 65536, 70001};
    const double rates[] = {0.5, 0.7, 0.25, 0.9999};
    for (int i = 0; i < 8; i++)
        for (int p = 0; p < 4; p++) {
            int64_t ld = gpri_padded(cols[i]) + 4, rows = 9;
            float *x = numbers(rows * ld);
            gpri_dropout_rate rate = gpri_dropout_rate_of(rates[p]);
            EACH_TABLE(ops) {
                float *got = copy_of(x, rows * ld), *want = copy_of(x, rows * ld);
                ops->dropout(got, ld, cols[i], stream, rate, 5, 5 + rows);
                gpri_ops_ref.dropout(want, ld, cols[i], stream, rate, 5, 5 + rows);
                for (int64_t k = 0; k < rows * ld; k++) assert_true((got[k] == 0) == (want[k] == 0));
                same("dropout", ops->name, got, want, rows * ld);
            }
            free(x);
        }
}

static void softmax(void **state) {
    (void)state;
    const int64_t classes[] = {2, 3, 7, 8, 10, 47, 1500};
    for (int i = 0; i < 7; i++) {
        int64_t width = gpri_padded(classes[i]), ld = 2 * width, rows = i == 6 ? 5 : 133;
        float *z = numbers(rows * ld);
        int32_t *labels = malloc((size_t)rows * sizeof *labels);
        uint8_t *part = malloc((size_t)rows);
        for (int64_t r = 0; r < rows; r++) {
            labels[r] = (int32_t)(r % classes[i]);
            part[r] = (uint8_t)(r % 4);
            if (r % 4 == 0) labels[r] = -1;
            for (int64_t c = 0; c < classes[i]; c++) z[r * ld + c] *= r % 3 ? 5.0f : 200.0f; /* far apart: underflow */
        }
        EACH_TABLE(ops) {
            gpri_scores got = {.loss = {0}}, want = {.loss = {0}};
            ops->score(&got, z + 2 * ld, ld, classes[i], labels, part, 2, rows);
            gpri_ops_ref.score(&want, z + 2 * ld, ld, classes[i], labels, part, 2, rows);
            for (int k = 0; k < 4; k++) {
                same_number("score", ops->name, got.loss[k], want.loss[k]);
                assert_int_equal(got.correct[k], want.correct[k]);
            }
            float *got_z = copy_of(z, rows * ld), *want_z = copy_of(z, rows * ld);
            double loss = ops->nll_backward(got_z + 2 * ld, ld, classes[i], width, labels, part, 0.25f, 2, rows);
            double ref =
                gpri_ops_ref.nll_backward(want_z + 2 * ld, ld, classes[i], width, labels, part, 0.25f, 2, rows);
            same_number("nll_backward loss", ops->name, loss, ref);
            same("nll_backward", ops->name, got_z, want_z, rows * ld);
        }
        free(z), free(labels), free(part);
    }
}

/* Means of the masks; and one binary digit is enough for one half. */
static void dropout_rates(void **state) {
    (void)state;
    assert_int_equal(gpri_dropout_rate_of(0).digits, 0);
    assert_int_equal(gpri_dropout_rate_of(0.5).digits, 1);
    assert_int_equal(gpri_dropout_rate_of(0.75).digits, 2);
    const double rates[] = {0.1, 0.25, 0.5, 0.7, 0.9};
    enum { GROUPS = 4000 };
    static uint64_t bits[2 * GROUPS];
    for (int i = 0; i < 5; i++) {
        gpri_dropout_rate rate = gpri_dropout_rate_of(rates[i]);
        int64_t count = 0;
        gpri_keep_bits(bits, 0, GROUPS, stream, rate);
        for (int k = 0; k < 2 * GROUPS; k++) count += __builtin_popcountll(bits[k]);
        double kept = (double)count / (128.0 * GROUPS), sd = sqrt(rates[i] * (1 - rates[i]) / (128.0 * GROUPS));
        if (fabs(kept - (1 - rates[i])) > 5 * sd) fail_msg("dropout %g keeps %g", rates[i], kept);
        assert_true(fabs((double)rate.scale * (1 - rates[i]) - 1) < 2e-4);
    }
}

static void unknown_table(void **state) {
    (void)state;
    const gpri_ops *ops;
    assert_fails(gpri_ops_select(&ops, "avx1024"), GPR_ERROR_ARGUMENT, "avx1024");
    assert_ok(gpri_ops_select(&ops, "ref"));
    assert_ptr_equal(ops, &gpri_ops_ref);
}

int main(void) {
    stream = gpri_stream_of(7, GPRI_RANDOM_TEST, 0, 0);
    table_count = gpri_ops_all(tables, 8);
    for (int i = 0; i < table_count; i++) printf("table: %s\n", tables[i]->name);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features),    cmocka_unit_test(linear),        cmocka_unit_test(hops),
        cmocka_unit_test(propagation), cmocka_unit_test(elements),      cmocka_unit_test(dropout),
        cmocka_unit_test(softmax),     cmocka_unit_test(dropout_rates), cmocka_unit_test(unknown_table)};
    return cmocka_run_group_tests_name("ops", tests, NULL, NULL);
}
