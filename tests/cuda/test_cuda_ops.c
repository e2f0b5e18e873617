/* The card's operations on features, rows and numbers against ref: odd sizes, empty and very long rows and columns,
 * widths that fill a warp or not, absent matrices, matrices that are columns of others. */
#include "card.h"

/* ---- the input features ---- */

typedef struct {
    gpri_features in[WORLDS];
    buffer keep;
} features_buffer;

/* Dense, or sparse with empty rows and columns; row 1 and column 1 are full. */
static features_buffer random_features(int64_t rows, int64_t cols, bool dense, gpri_dropout_rate rate) {
    features_buffer x = {0};
    const gpri_features shape = {.rows = rows, .cols = cols, .ld = cols + 3};
    int64_t count = rows * cols;
    for (int w = 0; w < WORLDS; w++) x.in[w] = shape;
    if (dense) {
        buffer values = random_buffer(rows * shape.ld);
        for (int w = 0; w < WORLDS; w++) x.in[w].dense = values.at[w];
    } else {
        const size_t most = (size_t)count + 1;
        int64_t *rowptr = calloc((size_t)rows + 1, sizeof *rowptr), *colptr = calloc((size_t)cols + 1, sizeof *colptr);
        int64_t *fill = calloc((size_t)cols + 1, sizeof *fill), nnz = 0;
        int32_t *column = calloc(most, sizeof *column), *row = calloc(most, sizeof *row);
        int32_t *offset = calloc(most, sizeof *offset);
        float *value = calloc(most, sizeof *value), *by_column = calloc(most, sizeof *by_column);
        for (int64_t i = 0; i < rows; i++) {
            for (int64_t j = 0; j < cols; j++)
                if (i == 1 || j == 1 || (i % 5 != 3 && j % 7 != 2 && draw() > 0.6f)) {
                    column[nnz] = (int32_t)j;
                    value[nnz++] = draw();
                    colptr[j + 1]++;
                }
            rowptr[i + 1] = nnz;
        }
        for (int64_t j = 0; j < cols; j++) colptr[j + 1] += colptr[j];
        for (int64_t i = 0; i < rows; i++)
            for (int64_t at = rowptr[i]; at < rowptr[i + 1]; at++) {
                int64_t place = colptr[column[at]] + fill[column[at]]++;
                row[place] = (int32_t)i;
                offset[place] = (int32_t)(at - rowptr[i]);
                by_column[place] = value[at];
            }
        const int64_t pieces = gpri_features_pieces(nnz);
        int32_t *piece_column = calloc((size_t)pieces + 1, sizeof *piece_column);
        gpri_features_cut(piece_column, colptr, cols);
        buffer all[] = {buffer_of(rowptr, (rows + 1) * 8), buffer_of(colptr, (cols + 1) * 8),
                        buffer_of(column, nnz * 4),        buffer_of(row, nnz * 4),
                        buffer_of(offset, nnz * 4),        buffer_of(value, nnz * 4),
                        buffer_of(by_column, nnz * 4),     buffer_of(piece_column, pieces * 4)};
        for (int w = 0; w < WORLDS; w++) {
            x.in[w].rowptr = all[0].at[w], x.in[w].colptr = all[1].at[w], x.in[w].column = all[2].at[w];
            x.in[w].row = all[3].at[w], x.in[w].offset = all[4].at[w], x.in[w].value = all[5].at[w];
            x.in[w].column_value = all[6].at[w], x.in[w].piece_column = all[7].at[w];
            x.in[w].entries = nnz, x.in[w].piece = gpri_features_piece(nnz), x.in[w].pieces = pieces;
        }
        count = nnz;
        free(rowptr), free(colptr), free(fill), free(column), free(row), free(offset), free(value), free(by_column);
        free(piece_column);
    }
    const int64_t words = gpri_keep_words(count);
    uint64_t *bits = calloc((size_t)words, sizeof *bits);
    gpri_keep_bits(bits, 0, gpri_keep_groups(count), stream, rate);
    x.keep = buffer_of(bits, words * (int64_t)sizeof *bits);
    free(bits);
    return x;
}

static void check_features(int64_t rows, int64_t cols, int64_t width, bool dense, double drop) {
    const gpri_dropout_rate rate = gpri_dropout_rate_of(drop);
    const int64_t r0 = rows > 3 ? 1 : 0, n = rows - r0, ld = width + 4, j0 = cols > 64 ? 64 : 0;
    features_buffer x = random_features(rows, cols, dense, rate);
    buffer w = random_buffer(cols * width), b = random_buffer(width), dy = random_buffer(rows * ld);
    buffer train = random_buffer(n * ld), eval = random_buffer(n * ld), dw = random_buffer(cols * width);
#define KEEP (rate.digits ? AS(uint64_t, x.keep) : NULL)
    for (int which = 1; which < 4; which++) { /* train, eval, both */
        ON_ALL(features_forward, matrix_of(which & 1 ? F(train) : NULL, n, width, ld),
               matrix_of(which & 2 ? F(eval) : NULL, n, width, ld), &x.in[world], KEEP, rate.scale, F(w),
               which == 2 ? NULL : F(b), r0);
        agree("features_forward, train", &train);
        agree("features_forward, eval", &eval);
    }
    ON_ALL(features_backward, F(dw), matrix_of(F(dy), rows, width, ld), &x.in[world], KEEP, rate.scale, 0, j0, cols);
    agree("features_backward", &dw);
    ON_ALL(features_backward, F(dw), matrix_of(F(dy) + r0 * ld, n - rows / 3, width, ld), &x.in[world], KEEP,
           rate.scale, r0, 0, cols);
    agree("features_backward of some rows", &dw);
#undef KEEP
    clear();
}

static void features(void **state) {
    (void)state;
    const int64_t shapes[][3] = {{1, 2, 4},      {3, 2, 8},      {7, 65, 16},   {33, 130, 32}, {64, 64, 48},
                                 {70, 200, 64},  {37, 129, 80},  {5, 300, 112}, {40, 131, 4},  {40, 131, 8},
                                 {700, 900, 16}, {900, 700, 64}, {5000, 9, 8},  {2100, 33, 48}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int dense = 0; dense < 2; dense++)
            for (int drop = 0; drop < 3; drop += only_small() ? 2 : 1)
                if (shapes[i][0] < 100 || (!only_small() && drop == 1)) /* large ones take long on an emulated card */
                    check_features(shapes[i][0], shapes[i][1], shapes[i][2], dense,
                                   drop == 0   ? 0
                                   : drop == 1 ? 0.5
                                               : 0.7);
}

/* ---- rows ---- */

static void linear(void **state) {
    (void)state;
    const int64_t shapes[][3] = {{1, 4, 4},     {5, 8, 4},     {64, 64, 8},   {63, 16, 16}, {3, 32, 32},
                                 {7, 48, 48},   {66, 64, 112}, {4, 128, 4},   {50, 6, 4},   {700, 18, 16},
                                 {1000, 64, 8}, {33, 160, 20}, {2000, 64, 64}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const int64_t rows = shapes[i][0], in = shapes[i][1], out = shapes[i][2], ldy = 2 * out, ldx = in + 5;
        buffer x = random_buffer(rows * ldx + 1), w = random_buffer(in * out), b = random_buffer(out);
        buffer y = random_buffer(rows * ldy), dx = random_buffer(rows * ldx + 1), dw = random_buffer(in * out);
        buffer db = random_buffer(out), dy = random_buffer(rows * ldy);
        for (int with = 0; with < 2; with++) { /* a bias */
            ON_ALL(linear_forward, matrix_of(F(y), rows, out, ldy), matrix_of(F(x) + 1, rows, in, ldx), F(w),
                   with ? F(b) : NULL);
            agree("linear_forward", &y);
        }
        ON_ALL(bias_forward, matrix_of(F(y), rows, out, ldy), F(b));
        agree("bias_forward", &y);
        ON_ALL(bias_backward, F(db), matrix_of(F(dy), rows, out, ldy));
        agree("bias_backward", &db);
        ON_ALL(linear_backward, matrix_of(F(dx) + 1, rows, in, ldx), F(dw), F(db), matrix_of(F(dy), rows, out, ldy),
               matrix_of(F(x) + 1, rows, in, ldx), F(w));
        agree("linear_backward dx", &dx);
        agree("linear_backward dw", &dw);
        agree("linear_backward db", &db);
        clear();
    }
}

/* By columns and by rows: rows that fill a warp or not, aligned or not. */
static void norms(void **state) {
    (void)state;
    const int64_t shapes[][3] = {{1, 4, 4}, {5, 8, 11}, {63, 16, 48}, {700, 64, 192}, {300, 36, 40}, {40, 256, 512}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const int64_t rows = shapes[i][0], width = shapes[i][1], ld = shapes[i][2], count = rows * ld;
        float *squares = numbers(width);
        for (int64_t c = 0; c < width; c++) squares[c] *= squares[c];
        buffer x = random_buffer(count), y = random_buffer(count), dx = random_buffer(count), dy = random_buffer(count);
        buffer mean = random_buffer(width), sums = random_buffer(2 * width), rate = random_buffer(width);
        const uint32_t steps = 3;
        buffer square = taken(squares, width), each = random_buffer(rows), step = buffer_of(&steps, sizeof steps);
#define M(buffer) matrix_of(F(buffer), rows, width, ld)
        ON_ALL(norm_squares, F(sums), M(x), F(mean));
        agree("norm_squares", &sums);
        ON_ALL(norm_rate, F(rate), F(square), 0.3f, width);
        agree("norm_rate", &rate);
        ON_ALL(norm_remember, F(mean), F(square), 0.3f, 0.1f, AS(uint32_t, step), width);
        agree("norm_remember", &mean);
        ON_ALL(norm_columns, M(y), M(x), F(mean), F(rate));
        agree("norm_columns", &y);
        ON_ALL(norm_columns_backward, M(dx), M(dy), M(y), F(rate), F(sums), 0.01f);
        agree("norm_columns_backward", &dx);
        ON_ALL(norm_rows, M(y), M(x), F(each));
        agree("norm_rows", &y);
        agree("norm_rows, rates", &each);
        ON_ALL(norm_rows_backward, M(dx), M(dy), M(y), F(each));
        agree("norm_rows_backward", &dx);
#undef M
        clear();
    }
}

/* Rows with and without gaps between them, aligned or not; and what is not a number. */
static void elements(void **state) {
    (void)state;
    const int64_t shapes[][3] = {{1, 1, 1},   {1, 3, 3},     {1, 16, 16},   {4, 31, 33}, {3, 64, 64},
                                 {7, 20, 24}, {2, 500, 500}, {300, 64, 64}, {900, 7, 8}, {40, 112, 116}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int odd = 0; odd < 2; odd++) {
            const int64_t rows = shapes[i][0], width = shapes[i][1], ld = shapes[i][2], count = rows * ld;
            float *values = numbers(count);
            if (odd) values[0] = NAN, values[count / 2] = INFINITY, values[count - 1] = -INFINITY;
            buffer x = taken(values, count), y = random_buffer(count), z = random_buffer(count);
#define X matrix_of(F(x), rows, width, ld)
#define Y matrix_of(F(y), rows, width, ld)
#define Z matrix_of(F(z), rows, width, ld)
            ON_ALL(copy, Z, X);
            agree("copy", &z);
            ON_ALL(add, Z, Y);
            agree("add", &z);
            ON_ALL(scale, Z, -1.7f);
            agree("scale", &z);
            ON_ALL(relu_forward, Z);
            agree("relu_forward", &z);
            ON_ALL(copy, Z, Y);
            ON_ALL(relu_backward, Z, X);
            agree("relu_backward", &z);
            ON_ALL(elu_forward, Z, X);
            agree("elu_forward", &z);
            ON_ALL(elu_backward, Z, Y, X);
            agree("elu_backward", &z);
            ON_ALL(copy, Z, X);
            ON_ALL(softmax_forward, Z);
            agree("softmax_forward", &z);
            ON_ALL(softmax_backward, Y, Z);
            agree("softmax_backward", &y);
            ON_ALL(zero, Z);
            agree("zero", &z);
#undef X
#undef Y
#undef Z
            clear();
        }
}

/* Masks must be equal bit for bit, also of a recorded operation whose step has changed. */
static void dropout(void **state) {
    (void)state;
    const int64_t cols[] = {1, 3, 7, 64, 100, 129, 9000};
    const double rates[] = {0.5, 0.7, 0.25, 0.9999};
    for (int i = 0; i < 7; i++)
        for (int p = 0; p < 4; p++) {
            const int64_t ld = gpri_padded(cols[i]) + 4, rows = 9, groups = gpri_keep_groups(rows * cols[i]);
            uint32_t steps_done = 3;
            buffer x = random_buffer(rows * ld), step = buffer_of(&steps_done, sizeof steps_done);
            uint64_t *blank = calloc((size_t)(2 * groups), sizeof *blank);
            buffer bits = buffer_of(blank, 2 * groups * (int64_t)sizeof *blank);
            gpri_mask mask[WORLDS];
            free(blank);
            for (world = 0; world < WORLDS; world++)
                mask[world] = (gpri_mask){
                    .rate = gpri_dropout_rate_of(rates[p]), .seed = 7, .layer = 2, .step = AS(uint32_t, step)};
            ON_ALL(dropout, ((gpri_matrix){F(x), rows, cols[i], gpri_padded(cols[i]), ld}), &mask[world], 5);
            agree_exactly("dropout", &x);
            ON_ALL(keep_bits, AS(uint64_t, bits), &mask[world], 0, groups);
            agree_exactly("keep_bits", &bits);
            ON_ALL(keep_bits, AS(uint64_t, bits), &mask[world], 11, 11 + groups);
            agree_exactly("keep_bits", &bits);
            clear();
        }
}

/* ---- known labels ---- */

static void known_labels(void **state) {
    (void)state;
    const int64_t counts[][2] = {{1, 1}, {300, 4}, {only_small() ? 600 : 5000, 20}}; /* nodes, classes */
    for (int i = 0; i < 3; i++)
        for (int64_t width = 4; width <= 64; width *= 4) {
            const int64_t nodes = counts[i][0], classes = counts[i][1], first = nodes > 7 ? 7 : 0, ld = width + 4;
            const int64_t rows = nodes - first, words = gpri_keep_words(nodes);
            int32_t *labels = calloc((size_t)nodes, sizeof *labels);
            uint64_t *bits = calloc((size_t)words, sizeof *bits);
            for (int64_t k = 0; k < nodes; k++) labels[k] = k % 3 == 1 ? -1 : (int32_t)(k % classes);
            gpri_keep_bits(bits, 0, gpri_keep_groups(nodes), stream, gpri_dropout_rate_of(width == 4 ? 0 : 0.5));
            buffer known = buffer_of(labels, nodes * 4), keep = buffer_of(bits, words * 8);
            buffer shown = buffer_of(labels, nodes * 4), factor = buffer_of(&(float){9}, sizeof(float));
            buffer y = random_buffer(rows * ld), e = random_buffer(classes * width),
                   de = random_buffer(classes * width);
            free(labels), free(bits);
            ON_ALL(labels_show, AS(int32_t, shown), F(factor), AS(int32_t, known), AS(uint64_t, keep), nodes);
            agree_exactly("labels_show", &shown);
            agree_exactly("labels_show, factor", &factor);
            ON_ALL(labels_forward, matrix_of(F(y), rows, width, ld), F(e), AS(int32_t, shown), first);
            agree("labels_forward", &y);
            ON_ALL(labels_backward, F(de), matrix_of(F(y), rows, width, ld), AS(int32_t, shown), first);
            agree("labels_backward", &de);
            clear();
        }
}

int main(void) {
    stream = gpri_random_of(10, GPRI_RANDOM_TEST, 0, 0);
    card = card_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(features, cleared),     cmocka_unit_test_teardown(linear, cleared),
        cmocka_unit_test_teardown(elements, cleared),     cmocka_unit_test_teardown(dropout, cleared),
        cmocka_unit_test_teardown(known_labels, cleared), cmocka_unit_test_teardown(norms, cleared)};
    int failed = cmocka_run_group_tests_name("cuda_ops", tests, NULL, NULL);
    gpr_ctx_free(card);
    return failed;
}
