/* Every table of operations against ref, on unusual sizes: empty rows, hubs, one row, widths that fill no vector,
 * several blocks. */
#include "tables.h"
#include "tensor/cpu/cpu.h"

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
            ops->features_forward(packed(which & 1 ? t : NULL, rows - r0, width),
                                  packed(which & 2 ? e : NULL, rows - r0, width), &x, keep, rate.scale, w, bias, r0);
            gpri_ops_ref.features_forward(packed(which & 1 ? rt : NULL, rows - r0, width),
                                          packed(which & 2 ? re : NULL, rows - r0, width), &x, keep, rate.scale, w,
                                          bias, r0);
            same("features_forward, train", ops->name, t, rt, rows * width);
            same("features_forward, eval", ops->name, e, re, rows * width);
        }
        int64_t j0 = cols > 64 ? 64 : 0;
        float *got = copy_of(grad, cols * width), *want = copy_of(grad, cols * width);
        gpri_matrix all = matrix_of(dy, rows, width, width + 4);
        ops->features_backward(got, all, &x, keep, rate.scale, 0, j0, cols);
        gpri_ops_ref.features_backward(want, all, &x, keep, rate.scale, 0, j0, cols);
        same("features_backward", ops->name, got, want, cols * width);
        got = copy_of(grad, cols * width), want = copy_of(grad, cols * width);
        gpri_matrix some = gpri_rows_of(all, r0, rows - r0 - rows / 3); /* of some rows alone: the others count 0 */
        float *masked = numbers(rows * (width + 4));
        for (int64_t i = 0; i < rows * (width + 4); i++) {
            int64_t row = i / (width + 4);
            masked[i] = row >= r0 && row < r0 + some.rows ? dy[i] : 0;
        }
        ops->features_backward(got, some, &x, keep, rate.scale, r0, j0, cols);
        gpri_ops_ref.features_backward(want, matrix_of(masked, rows, width, width + 4), &x, keep, rate.scale, 0, j0,
                                       cols);
        same("features_backward of some rows", ops->name, got, want, cols * width);
        /* one process after the other: the bits of all rows at once */
        {
            const int64_t cut = rows / 3;
            got = copy_of(grad, cols * width), want = copy_of(grad, cols * width);
            ops->features_backward(want, all, &x, keep, rate.scale, 0, 0, cols);
            memset(got, 0, (size_t)(cols * width) * sizeof *got);
            for (int64_t j = 0; j < cols; j += 7) {
                const int64_t end = j + 7 < cols ? j + 7 : cols;
                ops->features_add(got, gpri_rows_of(all, 0, cut), &x, keep, rate.scale, 0, j, end);
                ops->features_add(got, gpri_rows_of(all, cut, rows - cut), &x, keep, rate.scale, cut, j, end);
            }
            assert_memory_equal(got, want, (size_t)(cols * width) * sizeof *got);
            free(got), free(want);
        }
        free(masked);
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
    const int64_t shapes[][3] = {{1, 4, 4},     {5, 8, 4},      {64, 64, 8},   {63, 16, 16}, {3, 32, 32},
                                 {7, 48, 48},   {66, 64, 112},  {4, 128, 4},   {16, 64, 64}, {70, 304, 72},
                                 {300, 48, 96}, {40, 64, 1060}, {33, 144, 128}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        int64_t rows = shapes[i][0], in = shapes[i][1], out = shapes[i][2], ldy = 2 * out, lddx = in + 8;
        float *x = numbers(rows * in), *w = numbers(in * out), *b = numbers(out), *y = numbers(rows * ldy),
              *dx = numbers(rows * lddx);
        float *dw = numbers(in * out), *db = numbers(out);
        EACH_TABLE(ops) {
            float *got = copy_of(y, rows * ldy), *want = copy_of(y, rows * ldy);
            gpri_matrix mx = packed(x, rows, in), my = matrix_of(y, rows, out, ldy);
            ops->linear_forward(matrix_of(got, rows, out, ldy), mx, w, b);
            gpri_ops_ref.linear_forward(matrix_of(want, rows, out, ldy), mx, w, b);
            same("linear_forward", ops->name, got, want, rows * ldy);
            got = copy_of(y, rows * ldy), want = copy_of(y, rows * ldy);
            ops->linear_forward(matrix_of(got, rows, out, ldy), mx, w, NULL);
            gpri_ops_ref.linear_forward(matrix_of(want, rows, out, ldy), mx, w, NULL);
            same("linear_forward without bias", ops->name, got, want, rows * ldy);
            got = copy_of(y, rows * ldy), want = copy_of(y, rows * ldy);
            ops->bias_forward(matrix_of(got, rows, out, ldy), b);
            gpri_ops_ref.bias_forward(matrix_of(want, rows, out, ldy), b);
            same("bias_forward", ops->name, got, want, rows * ldy);
            got = copy_of(db, out), want = copy_of(db, out);
            ops->bias_backward(got, my);
            gpri_ops_ref.bias_backward(want, my);
            same("bias_backward", ops->name, got, want, out);
            float *got_dx = copy_of(dx, rows * lddx), *got_dw = copy_of(dw, in * out), *got_db = copy_of(db, out);
            float *want_dx = copy_of(dx, rows * lddx), *want_dw = copy_of(dw, in * out), *want_db = copy_of(db, out);
            ops->linear_backward(matrix_of(got_dx, rows, in, lddx), got_dw, got_db, my, mx, w);
            gpri_ops_ref.linear_backward(matrix_of(want_dx, rows, in, lddx), want_dw, want_db, my, mx, w);
            same("linear_backward dx", ops->name, got_dx, want_dx, rows * lddx);
            same("linear_backward dw", ops->name, got_dw, want_dw, in * out);
            same("linear_backward db", ops->name, got_db, want_db, out);
        }
        free(x), free(w), free(b), free(y), free(dx), free(dw), free(db);
    }
}

/* Products of many rows have the bits of those of one row after the other, whose tiles are others. */
static void linear_by_rows(void **state) {
    (void)state;
    const int64_t shapes[][3] = {{64, 128, 64}, {49, 272, 76}, {290, 32, 64}, {35, 48, 528}, {16, 528, 160}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const int64_t rows = shapes[i][0], in = shapes[i][1], out = shapes[i][2];
        float *x = numbers(rows * in), *w = numbers(in * out), *b = numbers(out), *dy = numbers(rows * out),
              *dw = numbers(in * out), *db = numbers(out);
        EACH_TABLE(ops) {
            float *y[2], *dx[2], *weights[2], *sums[2];
            for (int k = 0; k < 2; k++) {
                const int64_t step = k ? 1 : rows;
                y[k] = numbers(rows * out), dx[k] = numbers(rows * in);
                weights[k] = copy_of(dw, in * out), sums[k] = copy_of(db, out);
                for (int64_t r = 0; r < rows; r += step) {
                    ops->linear_forward(packed(y[k] + r * out, step, out), packed(x + r * in, step, in), w, b);
                    ops->linear_backward(packed(dx[k] + r * in, step, in), weights[k], sums[k],
                                         packed(dy + r * out, step, out), packed(x + r * in, step, in), w);
                }
            }
            assert_memory_equal(y[0], y[1], (size_t)(rows * out) * sizeof **y);
            assert_memory_equal(dx[0], dx[1], (size_t)(rows * in) * sizeof **dx);
            assert_memory_equal(weights[0], weights[1], (size_t)(in * out) * sizeof **weights);
            assert_memory_equal(sums[0], sums[1], (size_t)out * sizeof **sums);
            for (int k = 0; k < 2; k++) free(y[k]), free(dx[k]), free(weights[k]), free(sums[k]);
        }
        free(x), free(w), free(b), free(dy), free(dw), free(db);
    }
}

/* One step over the graph. With and without each of: weights, diagonals, loops, h and its scale, theta, b and c. */
static void check_steps(gpr_ctx *ctx, int64_t nodes, int64_t width, int with) {
    int64_t ldi = width + 4, ldo = width + 8, r0 = nodes > 4 ? 3 : 0, rows = nodes - r0;
    gpri_graph graph = random_graph(ctx, nodes, with & 1);
    float *left = numbers(nodes), *right = numbers(nodes), *scale = numbers(nodes), *in = numbers(nodes * ldi);
    float *out = numbers(rows * ldo), *h = numbers(rows * ldi), *before = numbers(rows * ldi), theta = -0.4f;
    for (int64_t i = 0; i < nodes; i++) scale[i] = 0.6f + 0.3f * scale[i];
    gpri_step step = {.m = {.graph = &graph,
                            .left = with & 2 ? left : NULL,
                            .right = with & 4 ? right : NULL,
                            .factor = -0.75f,
                            .loop = with & 8 ? 1.0f : 0.0f},
                      .a = with & 64 ? 2.0f : 1.0f,
                      .b = with & 64 ? 0.5f : 0.0f,
                      .c = with & 64 ? 1.25f : 0.0f,
                      .scale = with & 32 ? scale : NULL,
                      .far = (with & 3) == 2};
    gpri_matrix all = matrix_of(in, nodes, width, ldi), own = matrix_of(with & 16 ? h : NULL, rows, width, ldi);
    gpri_matrix last = matrix_of(before, rows, width, ldi);
    EACH_TABLE(ops) {
        float *got = copy_of(out, rows * ldo), *want = copy_of(out, rows * ldo);
        const float *factor = with & 32 ? &theta : NULL;
        ops->propagate(matrix_of(got, rows, width, ldo), all, last, own, &step, factor, r0);
        gpri_ops_ref.propagate(matrix_of(want, rows, width, ldo), all, last, own, &step, factor, r0);
        same("propagate", ops->name, got, want, rows * ldo);
        if (with & 64) { /* written over what is two steps back */
            float *over = copy_of(before, rows * ldi);
            const gpri_matrix place = matrix_of(over, rows, width, ldi);
            float *apart = copy_of(before, rows * ldi);
            ops->propagate(place, all, place, own, &step, factor, r0);
            ops->propagate(matrix_of(apart, rows, width, ldi), all, last, own, &step, factor, r0);
            assert_memory_equal(over, apart, (size_t)(rows * ldi) * sizeof *over);
            free(over), free(apart);
        }
        if (!own.at) continue;
        got = copy_of(out, rows * ldo), want = copy_of(out, rows * ldo);
        float *got_sum = copy_of(before, rows * ldi), *want_sum = copy_of(before, rows * ldi);
        double dot = 5, ref = 6; /* to be overwritten */
        ops->propagate_dot(matrix_of(got, rows, width, ldo), matrix_of(got_sum, rows, width, ldi), &dot, all, last, own,
                           &step, &theta, r0);
        gpri_ops_ref.propagate_dot(matrix_of(want, rows, width, ldo), matrix_of(want_sum, rows, width, ldi), &ref, all,
                                   last, own, &step, &theta, r0);
        same("propagate_dot", ops->name, got, want, rows * ldo);
        same("propagate_dot, sum", ops->name, got_sum, want_sum, rows * ldi);
        same_number("propagate_dot, dot", ops->name, dot, ref);
    }
    free(left), free(right), free(scale), free(in), free(out), free(h), free(before);
    gpri_graph_free(ctx, &graph);
}

static void steps(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const int64_t shapes[][2] = {{1, 4},   {2, 8},   {50, 4},  {50, 8},  {51, 16}, {40, 32},  {40, 48},
                                 {40, 64}, {30, 60}, {30, 92}, {30, 96}, {3, 2},   {20, 160}, {50, 2}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int with = 0; with < 128; with++) check_steps(ctx, shapes[i][0], shapes[i][1], with);
    gpr_ctx_free(ctx);
}

/* The meaning of a step, from the matrix itself in double: ref is what all others are compared with. */
static void step_meaning(void **state) {
    (void)state;
    enum { NODES = 9, WIDTH = 4 };
    gpr_ctx *ctx = new_ctx(1);
    gpri_graph graph = random_graph(ctx, NODES, true);
    float *left = numbers(NODES), *right = numbers(NODES), *scale = numbers(NODES), *in = numbers(NODES * WIDTH);
    float *h = numbers(NODES * WIDTH), *before = numbers(NODES * WIDTH), out[NODES * WIDTH], theta = 0.7f;
    gpri_step step = {.m = {&graph, left, right, 1.5f, 1}, .a = 2, .b = -0.5f, .c = 1, .scale = scale};
    gpri_ops_ref.propagate(packed(out, NODES, WIDTH), packed(in, NODES, WIDTH), packed(before, NODES, WIDTH),
                           packed(h, NODES, WIDTH), &step, &theta, 0);
    for (int64_t i = 0; i < NODES; i++)
        for (int64_t c = 0; c < WIDTH; c++) {
            double sum = (double)right[i] * (double)in[i * WIDTH + c];
            for (int64_t at = graph.rowptr[i]; at < graph.rowptr[i + 1]; at++)
                sum += (double)graph.weight[at] * (double)right[graph.column[at]] *
                       (double)in[graph.column[at] * WIDTH + c];
            double want = 2 * 1.5 * (double)left[i] * sum - 0.5 * (double)in[i * WIDTH + c] -
                          (double)before[i * WIDTH + c] + (double)theta * (double)scale[i] * (double)h[i * WIDTH + c];
            same_number("step", "ref", (double)out[i * WIDTH + c], want);
        }
    free(left), free(right), free(scale), free(in), free(h), free(before);
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

/* All steps of a filter in one call; no table may write outside, and dtheta has hops + 1 numbers. */
static void whole_filters(void **state) {
    (void)state;
    enum { NODES = 23, HOPS = 3 };
    gpr_ctx *ctx = new_ctx(1);
    gpri_graph graph = random_graph(ctx, NODES, true);
    for (int t = 1; t < table_count; t++)
        for (int64_t width = 4; width <= 32; width *= 2) {
            float *h = numbers(NODES * width), *dz = numbers(NODES * width), *theta = numbers(HOPS + 1);
            float *left = numbers(NODES), *scale = numbers(NODES);
            float *z[2], *back[2], *dh[2], *front[2], *dtheta[2];
            for (int64_t i = 0; i < NODES; i++) scale[i] = 0.5f + 0.2f * scale[i];
            const gpri_adjacency m = {.graph = &graph, .left = left, .factor = 1, .loop = 1};
            const gpri_filter filter = {
                .inner = {.m = m, .a = 1, .scale = scale}, .last = {.m = m, .a = 1}, .theta = theta, .hops = HOPS};
            for (int which = 0; which < 2; which++) {
                const gpri_ops *ops = which ? tables[t] : &gpri_ops_ref;
                z[which] = numbers(NODES * width), back[which] = numbers(NODES * width);
                dh[which] = numbers(NODES * width), front[which] = numbers(NODES * width);
                dtheta[which] = numbers(HOPS + 1);
                ops->filter_forward(packed(z[which], NODES, width), packed(h, NODES, width),
                                    packed(back[which], NODES, width), &filter);
                ops->filter_backward(packed(dh[which], NODES, width), dtheta[which], packed(dz, NODES, width),
                                     packed(h, NODES, width), packed(front[which], NODES, width),
                                     packed(back[which], NODES, width), &filter);
            }
            same("filter_forward", tables[t]->name, z[1], z[0], NODES * width);
            same("filter_backward", tables[t]->name, dh[1], dh[0], NODES * width);
            same("filter_backward, dtheta", tables[t]->name, dtheta[1], dtheta[0], HOPS + 1);
            for (int which = 0; which < 2; which++) free(back[which]), free(front[which]);
            free(h), free(dz), free(theta), free(left), free(scale);
        }
    gpri_graph_free(ctx, &graph);
    gpr_ctx_free(ctx);
}

static void filter_ends(void **state) {
    (void)state;
    const int64_t shapes[][2] = {{1, 4}, {7, 8}, {33, 16}, {5, 48}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int with = 0; with < 2; with++) { /* a diagonal */
            int64_t rows = shapes[i][0], width = shapes[i][1], ld = width + 4, first = 2;
            float *scale = numbers(first + rows), *h = numbers(rows * ld), *out = numbers(rows * ld), theta = 0.3f;
            for (int64_t k = 0; k < first + rows; k++) scale[k] = 0.6f + 0.3f * scale[k];
            const float *s = with ? scale : NULL;
            EACH_TABLE(ops) {
                float *got = copy_of(out, rows * ld), *want = copy_of(out, rows * ld);
                ops->filter_begin(matrix_of(got, rows, width, ld), matrix_of(h, rows, width, ld), s, &theta, first);
                gpri_ops_ref.filter_begin(matrix_of(want, rows, width, ld), matrix_of(h, rows, width, ld), s, &theta,
                                          first);
                same("filter_begin", ops->name, got, want, rows * ld);
                got = copy_of(out, rows * ld), want = copy_of(out, rows * ld);
                ops->filter_end(matrix_of(got, rows, width, ld), s, first);
                gpri_ops_ref.filter_end(matrix_of(want, rows, width, ld), s, first);
                same("filter_end", ops->name, got, want, rows * ld);
                got = copy_of(out, rows * ld), want = copy_of(out, rows * ld);
                float *got_sum = copy_of(out, rows * ld), *want_sum = copy_of(out, rows * ld);
                double dot = 5, ref = 6;
                ops->filter_begin_dot(matrix_of(got, rows, width, ld), matrix_of(got_sum, rows, width, ld), &dot,
                                      matrix_of(out, rows, width, ld), matrix_of(h, rows, width, ld), s, &theta, first);
                gpri_ops_ref.filter_begin_dot(matrix_of(want, rows, width, ld), matrix_of(want_sum, rows, width, ld),
                                              &ref, matrix_of(out, rows, width, ld), matrix_of(h, rows, width, ld), s,
                                              &theta, first);
                same("filter_begin_dot", ops->name, got, want, rows * ld);
                same("filter_begin_dot, sum", ops->name, got_sum, want_sum, rows * ld);
                same_number("filter_begin_dot, dot", ops->name, dot, ref);
            }
            free(scale), free(h), free(out);
        }
}

/* Rows with and without gaps between them. */
static void elements(void **state) {
    (void)state;
    const int64_t shapes[][3] = {{1, 1, 1},   {1, 3, 3},   {1, 16, 16},  {4, 31, 33},
                                 {3, 64, 64}, {7, 20, 24}, {2, 500, 500}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        int64_t rows = shapes[i][0], width = shapes[i][1], ld = shapes[i][2], count = rows * ld;
        float *x = numbers(count), *y = numbers(count);
        gpri_matrix mx = matrix_of(x, rows, width, ld), my = matrix_of(y, rows, width, ld);
        EACH_TABLE(ops) {
#define CHECK(op, ...)                                             \
    do {                                                           \
        float *got = copy_of(x, count), *want = copy_of(x, count); \
        gpri_matrix to = matrix_of(got, rows, width, ld);          \
        ops->op(__VA_ARGS__);                                      \
        to.at = want;                                              \
        gpri_ops_ref.op(__VA_ARGS__);                              \
        same(#op, ops->name, got, want, count);                    \
    } while (0)
            CHECK(zero, to);
            CHECK(copy, to, my);
            CHECK(add, to, my);
            CHECK(scale, to, -1.7f);
            CHECK(relu_forward, to);
            CHECK(relu_backward, to, my);
            CHECK(elu_forward, to, my);
            CHECK(elu_backward, to, mx, my);
            CHECK(softmax_forward, to);
            CHECK(softmax_backward, to, my);
#undef CHECK
        }
        free(x), free(y);
    }
}

/* By columns and by rows, of matrices that are columns of others. */
static void norms(void **state) {
    (void)state;
    const int64_t shapes[][2] = {{1, 4}, {5, 8}, {63, 16}, {70, 48}, {33, 112}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const int64_t rows = shapes[i][0], width = shapes[i][1], ld = 3 * width, count = rows * ld;
        float *x = numbers(count), *y = numbers(count), *d = numbers(count), *sums = numbers(2 * width);
        float *mean = numbers(width), *rate = numbers(width), *each = numbers(rows);
        gpri_matrix mx = matrix_of(x, rows, width, ld), my = matrix_of(y, rows, width, ld);
        const gpri_matrix dy = matrix_of(d, rows, width, ld);
        mx.cols = width - 1; /* for norms by rows the last column is padding */
        for (int64_t c = 0; c < width; c++) rate[c] *= rate[c];
        const uint32_t step = 3;
        EACH_TABLE(ops) {
/* CALL with `out`, numbers that begin as those of `from`. */
#define CHECK(op, from, size, CALL)                                    \
    do {                                                               \
        float *got = copy_of(from, size), *want = copy_of(from, size); \
        const gpri_ops *by = ops;                                      \
        float *out = got;                                              \
        CALL;                                                          \
        by = &gpri_ops_ref, out = want;                                \
        CALL;                                                          \
        same(op, ops->name, got, want, size);                          \
    } while (0)
#define OUT() ((gpri_matrix){out, rows, width - 1, width, ld})
            CHECK("norm_squares", mean, width, by->norm_squares(out, mx, rate));
            CHECK("norm_rate", mean, width, by->norm_rate(out, rate, 0.3f, width));
            CHECK("norm_remember", mean, width, by->norm_remember(out, rate, 0.3f, 0.1f, &step, width));
            CHECK("norm_columns", d, count, by->norm_columns(OUT(), mx, mean, rate));
            CHECK("norm_columns_backward", x, count, by->norm_columns_backward(OUT(), dy, my, rate, sums, 0.2f));
            CHECK("norm_rows", d, count, by->norm_rows(OUT(), mx, each));
            CHECK("norm_rows, rates", each, rows, by->norm_rows(my, mx, out));
            CHECK("norm_rows_backward", x, count, by->norm_rows_backward(OUT(), dy, my, each));
#undef OUT
#undef CHECK
        }
        free(x), free(y), free(d), free(sums), free(mean), free(rate), free(each);
    }
}

/* Sums over blocks and chunks, in their order. */
static void sums(void **state) {
    (void)state;
    enum { BLOCKS = 5, STRIDE = 40, SIZE = 37 };
    float *blocks = numbers(BLOCKS * STRIDE), *blank = numbers(SIZE);
    double dots[BLOCKS] = {1e30, 1, -1e30, 0.5, 3}; /* the order shows */
    EACH_TABLE(ops) {
        for (int count = 1; count <= BLOCKS; count++) {
            float *got = copy_of(blank, SIZE), *want = copy_of(blank, SIZE), got_sum, want_sum;
            ops->sum_blocks(got, blocks, count, STRIDE, SIZE);
            gpri_ops_ref.sum_blocks(want, blocks, count, STRIDE, SIZE);
            assert_memory_equal(got, want, SIZE * sizeof *got);
            same("sum_blocks", ops->name, got, want, SIZE);
            ops->sum_dots(&got_sum, dots, count);
            gpri_ops_ref.sum_dots(&want_sum, dots, count);
            assert_true(got_sum == want_sum);
            if (count == BLOCKS) assert_true(got_sum == 3.5f);
        }
    }
    free(blocks), free(blank);
}

static void adam(void **state) {
    (void)state;
    const int64_t counts[] = {1, 3, 16, 31, 64, 1000};
    gpri_record record = {.adam = {.rate = 0.01f,
                                   .beta1 = 0.9f,
                                   .beta2 = 0.999f,
                                   .new1 = 0.1f,
                                   .new2 = 0.001f,
                                   .epsilon = 1e-8f,
                                   .second_scale = 3.0f}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        int64_t count = counts[i];
        float *x = numbers(count), *y = numbers(count), *m = numbers(count), *v = numbers(count);
        for (int64_t k = 0; k < count; k++) v[k] *= v[k];
        EACH_TABLE(ops) {
            float *got = copy_of(x, count), *want = copy_of(x, count);
            float *got_m = copy_of(m, count), *want_m = copy_of(m, count), *got_v = copy_of(v, count),
                  *want_v = copy_of(v, count);
            ops->adam(got, got_m, got_v, y, &record, 0.05f, 0.02f, count);
            gpri_ops_ref.adam(want, want_m, want_v, y, &record, 0.05f, 0.02f, count);
            same("adam", ops->name, got, want, count);
            same("adam first moment", ops->name, got_m, want_m, count);
            same("adam second moment", ops->name, got_v, want_v, count);
            for (int improved = 0; improved < 2; improved++) {
                record.improved = improved;
                got = copy_of(x, count), want = copy_of(improved ? y : x, count);
                ops->keep_best(got, y, count, &record);
                assert_memory_equal(got, want, (size_t)count * sizeof *got);
                same("keep_best", ops->name, got, want, count);
            }
        }
        free(x), free(y), free(m), free(v);
    }
}

/* Of the step judged last alone, and where the stride has a row. */
static void keep_gamma(void **state) {
    (void)state;
    enum { COUNT = 11, ROWS = 4 };
    const gpri_rule rule = {.gamma_stride = 4};
    float *gamma = numbers(COUNT), *before = numbers(ROWS * COUNT);
    for (uint32_t step = 0; step < 4 * ROWS; step++)
        for (int64_t judged = (int64_t)step - 1; judged <= (int64_t)step; judged++) EACH_TABLE(ops) {
                const gpri_record record = {.judged = judged};
                float *got = copy_of(before, ROWS * COUNT), *want = copy_of(before, ROWS * COUNT);
                if (judged == step && step % 4 == 0) memcpy(want + step / 4 * COUNT, gamma, COUNT * sizeof *gamma);
                ops->keep_gamma(got, gamma, COUNT, &step, &record, &rule);
                assert_memory_equal(got, want, ROWS * COUNT * sizeof *got);
                same("keep_gamma", ops->name, got, want, ROWS * COUNT);
            }
    free(gamma), free(before);
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
            uint32_t step = 3;
            gpri_mask mask = {.rate = gpri_dropout_rate_of(rates[p]), .seed = 7, .layer = 2, .step = &step};
            EACH_TABLE(ops) {
                float *got = copy_of(x, rows * ld), *want = copy_of(x, rows * ld);
                ops->dropout(matrix_of(got, rows, cols[i], ld), &mask, 5);
                gpri_ops_ref.dropout(matrix_of(want, rows, cols[i], ld), &mask, 5);
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
        float *factor = malloc((size_t)rows * sizeof *factor);
        int32_t *shown = malloc((size_t)rows * sizeof *shown);
        const float scale = 1.5f;
        for (int64_t r = 0; r < rows; r++) {
            shown[r] = r % 5 == 1 ? 0 : -1;
            labels[r] = (int32_t)(r % classes[i]);
            part[r] = (uint8_t)(r % 4);
            if (r % 4 == 0) labels[r] = -1;
            factor[r] = (float)(r % 7) / 3;
            for (int64_t c = 0; c < classes[i]; c++) z[r * ld + c] *= r % 3 ? 5.0f : 200.0f; /* far apart: underflow */
        }
        for (int kind = 0; kind < 4; kind++) EACH_TABLE(ops) {
                const bool hides = kind & 1, weighted = kind & 2;
                gpri_scores got = {.loss = {9}}, want = {.loss = {8}}; /* to be overwritten */
                gpri_targets targets = {
                    .labels = labels, .part = part, .weight = 0.25f, .factor = weighted ? factor : NULL};
                if (hides) targets.shown = shown, targets.scale = &scale;
                gpri_matrix some = {z + 2 * ld, rows - 2, classes[i], width, ld};
                ops->score(&got, some, &targets, 2);
                gpri_ops_ref.score(&want, some, &targets, 2);
                for (int k = 0; k < 4; k++) {
                    same_number("score", ops->name, got.loss[k], want.loss[k]);
                    assert_int_equal(got.correct[k], want.correct[k]);
                }
                float *got_z = copy_of(z, rows * ld), *want_z = copy_of(z, rows * ld);
                double loss = 5, ref = 6;
                some.at = got_z + 2 * ld;
                ops->nll_backward(some, &loss, &targets, 2);
                some.at = want_z + 2 * ld;
                gpri_ops_ref.nll_backward(some, &ref, &targets, 2);
                same_number("nll_backward loss", ops->name, loss, ref);
                for (int64_t r = 2; hides && r < rows; r++) /* no loss where the label is shown */
                    if (shown[r] >= 0) assert_true(want_z[r * ld] == 0);
                same("nll_backward", ops->name, got_z, want_z, rows * ld);
            }
        free(z), free(labels), free(part), free(factor), free(shown);
    }
}

/* A weight of two is a node that is there twice; other parts than training are not weighted. */
static void weighted_loss(void **state) {
    (void)state;
    const int32_t label = 1, twice[] = {1, 1};
    const uint8_t train = GPR_TRAIN, both[] = {GPR_TRAIN, GPR_TRAIN}, val = GPR_VAL;
    const float two = 2;
    EACH_TABLE(ops) {
        float a[8] = {1, 2.5f}, b[16] = {1, 2.5f, 0, 0, 0, 0, 0, 0, 1, 2.5f};
        double one, sum;
        gpri_scores x, y;
        ops->score(&x, (gpri_matrix){a, 1, 2, 8, 8},
                   &(gpri_targets){.labels = &label, .part = &val, .weight = 1, .factor = &two}, 0);
        ops->score(&y, (gpri_matrix){a, 1, 2, 8, 8}, &(gpri_targets){.labels = &label, .part = &val, .weight = 1}, 0);
        assert_true(x.loss[GPR_VAL] == y.loss[GPR_VAL] && x.loss[GPR_VAL] > 0);
        ops->score(&x, (gpri_matrix){a, 1, 2, 8, 8},
                   &(gpri_targets){.labels = &label, .part = &train, .weight = 1, .factor = &two}, 0);
        assert_true(x.loss[GPR_TRAIN] == 2 * y.loss[GPR_VAL] && x.correct[GPR_TRAIN] == 1);
        ops->nll_backward((gpri_matrix){a, 1, 2, 8, 8}, &one,
                          &(gpri_targets){.labels = &label, .part = &train, .weight = 0.5f, .factor = &two}, 0);
        ops->nll_backward((gpri_matrix){b, 2, 2, 8, 8}, &sum,
                          &(gpri_targets){.labels = twice, .part = both, .weight = 0.5f}, 0);
        same_number("weighted loss", ops->name, one, sum);
        same_number("weighted gradient", ops->name, (double)a[0], (double)(b[0] + b[8]));
    }
}

/* Every table finds the metric of ref. */
static void metrics(void **state) {
    (void)state;
    enum { ROWS = 300, CLASSES = 3 };
    float *z = numbers(ROWS * 8);
    int32_t labels[ROWS];
    int64_t nodes[ROWS / 2], counts[3 * CLASSES];
    uint64_t keys[ROWS];
    for (int r = 0; r < ROWS; r++) labels[r] = r % CLASSES;
    for (int r = 0; r < ROWS / 2; r++) nodes[r] = 2 * r + 1;
    for (int m = GPRI_ACCURACY; m <= GPRI_AVERAGE_PRECISION; m++) EACH_TABLE(ops) {
            if (!gpri_measure_each_step((gpri_measure)m)) continue;
            const gpri_targets targets = {.labels = labels};
            const gpri_metric_plan plan = {.metric = (gpri_measure)m,
                                           .nodes = nodes,
                                           .count = ROWS / 2,
                                           .positive = 1,
                                           .keys = gpri_metric_keys((gpri_measure)m, ROWS / 2) ? keys : NULL,
                                           .counts = counts};
            gpri_record got = {.metric = -1}, want = {.metric = -2};
            ops->metric(&got, (gpri_matrix){z, ROWS, CLASSES, 8, 8}, &targets, &plan, 0);
            gpri_ops_ref.metric(&want, (gpri_matrix){z, ROWS, CLASSES, 8, 8}, &targets, &plan, 0);
            assert_true(got.metric == want.metric && want.metric > 0 && want.metric < 1);
        }
    free(z);
}

/* Rows of classes added to the nodes that show their label, and their sums; and which show it. */
static void known_labels(void **state) {
    (void)state;
    enum { NODES = 300, CLASSES = 4, FIRST = 7, ROWS = 61 };
    int32_t known[NODES];
    uint64_t keep[8] = {0};
    const uint32_t step = 3;
    const gpri_mask mask = {.rate = gpri_dropout_rate_of(0.5), .seed = 7, .step = &step, .purpose = GPRI_RANDOM_LABELS};
    for (int64_t i = 0; i < NODES; i++) known[i] = i % 3 == 0 ? -1 : (int32_t)(i % CLASSES);
    EACH_TABLE(ops) {
        int32_t shown[NODES], all = 0, hidden = 0;
        gpri_real factor = 9;
        ops->keep_bits(keep, &mask, 0, gpri_keep_groups(NODES));
        ops->labels_show(shown, &factor, known, keep, NODES);
        for (int64_t i = 0; i < NODES; i++) {
            const bool shows = known[i] >= 0 && gpri_kept(keep, i);
            assert_int_equal(shown[i], shows ? known[i] : -1);
            all += known[i] >= 0;
            hidden += known[i] >= 0 && !shows;
        }
        assert_true(hidden > all / 3 && hidden < 2 * all / 3);
        assert_float_equal(factor, (float)all / (float)hidden, 1e-6f);
        for (int64_t width = 4; width <= 64; width *= 4) {
            const int64_t ld = width + 4;
            float *y = numbers(ROWS * ld), *e = numbers(CLASSES * width), *got = copy_of(y, ROWS * ld);
            float *sum = numbers(CLASSES * width), *want = copy_of(sum, CLASSES * width);
            ops->labels_forward(matrix_of(got, ROWS, width, ld), e, shown, FIRST);
            for (int64_t i = 0; i < ROWS; i++)
                for (int64_t c = 0; c < ld; c++) {
                    const int32_t label = shown[FIRST + i];
                    const float added = label >= 0 && c < width ? e[label * width + c] : 0;
                    assert_true(got[i * ld + c] == y[i * ld + c] + added);
                    if (label >= 0 && c < width) want[label * width + c] += y[i * ld + c];
                }
            ops->labels_backward(sum, matrix_of(y, ROWS, width, ld), shown, FIRST);
            same("labels_backward", ops->name, sum, want, CLASSES * width); /* frees both */
            free(y), free(e), free(got);
        }
    }
    int32_t shown[NODES];
    gpri_real factor;
    memset(keep, 0xff, sizeof keep);
    gpri_ops_ref.labels_show(shown, &factor, known, keep, NODES);
    assert_true(factor == 0); /* all are shown: there is no loss */
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
    const gpri_device *device;
    assert_fails(gpri_cpu_device(&device, "avx1024"), GPR_ERROR_ARGUMENT, "avx1024");
    assert_ok(gpri_cpu_device(&device, "ref"));
    assert_ptr_equal(device->ops, &gpri_ops_ref);
}

int main(void) {
    stream = gpri_random_of(7, GPRI_RANDOM_TEST, 0, 0);
    table_count = gpri_ops_all(tables, 8);
    for (int i = 0; i < table_count; i++) printf("table: %s\n", tables[i]->name);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features),     cmocka_unit_test(linear),        cmocka_unit_test(linear_by_rows),
        cmocka_unit_test(steps),        cmocka_unit_test(step_meaning),  cmocka_unit_test(whole_filters),
        cmocka_unit_test(filter_ends),  cmocka_unit_test(elements),      cmocka_unit_test(sums),
        cmocka_unit_test(adam),         cmocka_unit_test(keep_gamma),    cmocka_unit_test(dropout),
        cmocka_unit_test(softmax),      cmocka_unit_test(weighted_loss), cmocka_unit_test(metrics),
        cmocka_unit_test(known_labels), cmocka_unit_test(dropout_rates), cmocka_unit_test(unknown_table),
        cmocka_unit_test(norms)};
    return cmocka_run_group_tests_name("ops", tests, NULL, NULL);
}
