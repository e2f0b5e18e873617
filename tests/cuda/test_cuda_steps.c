/* The card's steps over the graph, ends of filters, attention and LSTM, against ref: empty rows, one row with all
 * nodes, widths that fill a warp or not, weights of edges or none, absent matrices. */
#include "card.h"

/* One step. With and without each of: weights, diagonals, loops, h, its scale and theta, b and c. */
static void check_steps(const gpri_graph *graph, int64_t width, int with) {
    const int64_t nodes = graph->nodes, ldi = width + 4, ldo = width + 8, r0 = nodes > 4 ? 3 : 0, rows = nodes - r0;
    graph_buffer g = graph_of(graph);
    float *near_one = numbers(nodes), minus = -0.4f;
    for (int64_t i = 0; i < nodes; i++) near_one[i] = 0.6f + 0.3f * near_one[i];
    buffer left = random_buffer(nodes), right = random_buffer(nodes), scale = taken(near_one, nodes);
    buffer in = random_buffer(nodes * ldi), out = random_buffer(rows * ldo), h = random_buffer(rows * ldi);
    buffer before = random_buffer(rows * ldi), sum = random_buffer(rows * ldi), theta = buffer_of(&minus, sizeof minus);
    buffer out_dot = random_buffer(rows * ldo), dot = buffer_of(&(double){5}, sizeof(double));
    gpri_step step[WORLDS];
    for (world = 0; world < WORLDS; world++)
        step[world] = (gpri_step){.m = {.graph = &g.graph[world],
                                        .left = with & 2 ? F(left) : NULL,
                                        .right = with & 4 ? F(right) : NULL,
                                        .factor = -0.75f,
                                        .loop = with & 8 ? 1.0f : 0.0f},
                                  .a = with & 64 ? 2.0f : 1.0f,
                                  .b = with & 64 ? 0.5f : 0.0f,
                                  .c = with & 64 ? 1.25f : 0.0f,
                                  .scale = with & 32 ? F(scale) : NULL};
    ON_ALL(propagate, matrix_of(F(out), rows, width, ldo), matrix_of(F(in), nodes, width, ldi),
           with & 64 ? matrix_of(F(before), rows, width, ldi) : gpri_no_matrix,
           with & 16 ? matrix_of(F(h), rows, width, ldi) : gpri_no_matrix, &step[world], with & 32 ? F(theta) : NULL,
           r0);
    agree("propagate", &out);
    ON_ALL(propagate_dot, matrix_of(F(out_dot), rows, width, ldo), matrix_of(F(sum), rows, width, ldi), AS(double, dot),
           matrix_of(F(in), nodes, width, ldi), with & 64 ? matrix_of(F(before), rows, width, ldi) : gpri_no_matrix,
           matrix_of(F(h), rows, width, ldi), &step[world], F(theta), r0);
    agree("propagate_dot", &out_dot);
    agree("propagate_dot, sum", &sum);
    agree_doubles("propagate_dot, dot", &dot);
    ON_ALL(propagate, matrix_of(F(h), rows, width, ldi), matrix_of(F(in), nodes, width, ldi), gpri_no_matrix,
           matrix_of(F(h), rows, width, ldi), &(gpri_step){.m = step[world].m, .a = 1}, NULL, r0);
    agree("propagate onto h", &h);
    clear();
}

static void steps(void **state) {
    (void)state;
    const int64_t shapes[][2] = {{1, 4},   {2, 8},   {50, 4},   {50, 8},   {51, 16}, {40, 48},
                                 {30, 60}, {33, 64}, {30, 112}, {20, 160}, {70, 32}, {300, 16}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int weighted = 0; weighted < 2; weighted++) {
            gpri_graph graph = random_graph(card, shapes[i][0], weighted);
            for (int with = 0; with < 128; with += only_small() ? 127 : 1 + 2 * (i > 4) + 2 * (i > 7))
                check_steps(&graph, shapes[i][1], with);
            gpri_graph_free(card, &graph);
        }
}

/* Rows that are left to a whole block, and many blocks. */
static void long_rows(void **state) {
    (void)state;
    const int64_t widths[] = {4, 8, 16, 32, 48, 112};
    for (int i = 0; i < 6; i++) {
        gpri_graph graph = star_graph(card, only_small() ? 600 : 3001, i % 2);
        check_steps(&graph, widths[i], 127);
        check_steps(&graph, widths[i], 0);
        gpri_graph_free(card, &graph);
    }
}

static void filter_ends(void **state) {
    (void)state;
    const int64_t shapes[][2] = {{1, 4}, {7, 8}, {33, 16}, {5, 48}, {1201, 16}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int with = 0; with < 2; with++) { /* a diagonal */
            const int64_t rows = shapes[i][0], width = shapes[i][1], ld = width + 4, first = 2;
            float *near_one = numbers(first + rows), some = 0.3f;
            for (int64_t k = 0; k < first + rows; k++) near_one[k] = 0.6f + 0.3f * near_one[k];
            buffer scale = taken(near_one, first + rows), theta = buffer_of(&some, sizeof some);
            buffer h = random_buffer(rows * ld), dz = random_buffer(rows * ld), out = random_buffer(rows * ld);
            buffer sum = random_buffer(rows * ld), dot = buffer_of(&(double){5}, sizeof(double));
            ON_ALL(filter_begin, matrix_of(F(out), rows, width, ld), matrix_of(F(h), rows, width, ld),
                   with ? F(scale) : NULL, F(theta), first);
            agree("filter_begin", &out);
            ON_ALL(filter_end, matrix_of(F(out), rows, width, ld), with ? F(scale) : NULL, first);
            agree("filter_end", &out);
            ON_ALL(filter_begin_dot, matrix_of(F(out), rows, width, ld), matrix_of(F(sum), rows, width, ld),
                   AS(double, dot), matrix_of(F(dz), rows, width, ld), matrix_of(F(h), rows, width, ld),
                   with ? F(scale) : NULL, F(theta), first);
            agree("filter_begin_dot", &out);
            agree("filter_begin_dot, sum", &sum);
            agree_doubles("filter_begin_dot, dot", &dot);
            clear();
        }
}

/* Zeros in the padding. */
static buffer padded_buffer(int64_t rows, int64_t cols, int64_t ld) {
    float *block = numbers(rows * ld);
    for (int64_t i = 0; i < rows * ld; i++)
        if (i % ld >= cols) block[i] = 0;
    return taken(block, rows * ld);
}

/* heads, columns of each, padded columns of all */
static const int64_t head_shapes[][3] = {{1, 4, 4},  {1, 48, 48}, {8, 8, 64},   {3, 5, 16},   {2, 4, 8},
                                         {8, 7, 64}, {5, 12, 64}, {40, 4, 160}, {100, 1, 112}};
enum { HEAD_SHAPES = sizeof head_shapes / sizeof head_shapes[0] };

static void heads(void **state) {
    (void)state;
    const int64_t counts[] = {1, 7, only_small() ? 140 : 600};
    for (int shape = 0; shape < HEAD_SHAPES; shape++)
        for (int n = 0; n < 3; n++) {
            const int64_t heads = head_shapes[shape][0], out = head_shapes[shape][1], ld = head_shapes[shape][2] + 4;
            const int64_t lds = heads + 3, rows = counts[n], all = heads * out;
            buffer x = random_buffer(rows * ld), a = random_buffer(rows * ld), s = random_buffer(rows * lds);
            buffer y = random_buffer(rows * ld), one = random_buffer(all), z = random_buffer(rows * ld);
            for (int same = 0; same < 2; same++) { /* one row for all */
                ON_ALL(head_dots, matrix_of(F(s), rows, heads, lds), matrix_of(F(x), rows, all, ld),
                       matrix_of(F(a), rows, all, same ? 0 : ld), heads, out);
                agree("head_dots", &s);
                ON_ALL(head_add, matrix_of(F(y), rows, all, ld), matrix_of(F(s), rows, heads, lds),
                       matrix_of(F(x), rows, all, same ? 0 : ld), heads, out);
                agree("head_add", &y);
            }
            ON_ALL(head_add, matrix_of(F(one), rows, all, 0), matrix_of(F(s), rows, heads, lds),
                   matrix_of(F(x), rows, all, ld), heads, out);
            agree("head_add into one row", &one);
            const int64_t padded = gpri_padded(out) < ld ? gpri_padded(out) : out;
            ON_ALL(head_mean_forward, ((gpri_matrix){F(z), rows, out, padded, ld}), matrix_of(F(x), rows, all, ld),
                   heads);
            agree("head_mean_forward", &z);
            ON_ALL(head_mean_backward, matrix_of(F(z), rows, all, ld), matrix_of(F(x), rows, out, ld), heads);
            agree("head_mean_backward", &z);
            clear();
        }
}

/* spread: of the scores; if it is large, one neighbour has exp 1 and the others 0. */
static void check_attention(const gpri_graph *graph, const int64_t *shape, double drop, float spread, bool planned) {
    const int64_t heads = shape[0], out = shape[1], width = shape[2], ldx = width + 4, ldy = width + 8;
    const int64_t nodes = graph->nodes, r0 = nodes > 4 && !planned ? 3 : 0, rows = nodes - r0;
    const int64_t elements = (graph->arcs + nodes) * heads, words = gpri_keep_words(elements);
    const gpri_dropout_rate rate = gpri_dropout_rate_of(drop);
    uint64_t *bits = calloc((size_t)words, sizeof *bits);
    int32_t *back;
    gpri_keep_bits(bits, 0, gpri_keep_groups(elements), stream, rate);
    assert_ok(gpri_graph_reverse(card, &back, graph));
    graph_buffer g = graph_of(graph);
    if (planned) plan_rows(&g, graph);
    buffer keep = buffer_of(bits, words * (int64_t)sizeof *bits);
    buffer reverse = buffer_of(back, graph->arcs * (int64_t)sizeof *back);
    free(bits);
    gpri_free(card, back);
    float *scores = numbers(nodes * heads), *others = numbers(4 * nodes * heads);
    for (int64_t i = 0; i < nodes * heads; i++) scores[i] *= spread;
    for (int64_t i = 0; i < 4 * nodes * heads; i++) others[i] *= spread;
    buffer source = taken(scores, nodes * heads), target = taken(others, 4 * nodes * heads);
    buffer x = padded_buffer(nodes, heads * out, ldx), dy = padded_buffer(nodes, heads * out, ldy);
    buffer y = random_buffer(nodes * ldy), bend = random_buffer(nodes * width), dx = random_buffer(rows * ldx);
    buffer dsource = random_buffer(rows * heads);
    gpri_attention a[WORLDS];
    for (world = 0; world < WORLDS; world++)
        a[world] = (gpri_attention){.graph = &g.graph[world],
                                    .heads = heads,
                                    .out = out,
                                    .width = width,
                                    .slope = 0.2f,
                                    .source = F(source),
                                    .target = F(target),
                                    .keep = rate.digits ? AS(uint64_t, keep) : NULL,
                                    .reverse = rate.digits ? AS(int32_t, reverse) : NULL,
                                    .scale = rate.scale};
    ON_ALL(attention_forward, matrix_of(F(y), rows, width, ldy), gpri_no_matrix, matrix_of(F(x), nodes, width, ldx),
           &a[world], r0);
    agree("attention_forward", &y);
    agree("attention_forward, target", &target);
    ON_ALL(attention_forward, matrix_of(F(y), nodes, width, ldy), packed(F(bend), nodes, width),
           matrix_of(F(x), nodes, width, ldx), &a[world], 0);
    agree("attention_forward for a backward pass", &y);
    agree_of("attention_forward, bend", &bend, 1); /* a difference */
    agree("attention_forward, target", &target);
    for (world = 1; world < WORLDS; world++) /* backward from the same numbers */
        card->job.device->put(card->job.device, target.at[world], target.at[0], target.bytes);
    ON_ALL(attention_backward, matrix_of(F(dx), rows, width, ldx), packed(F(dsource), rows, heads),
           matrix_of(F(dy), nodes, width, ldy), matrix_of(F(x) + r0 * ldx, rows, width, ldx), &a[world], r0);
    agree("attention_backward", &dx);
    agree_of("attention_backward, source", &dsource, 1);
    forget_plans(&g);
    clear();
}

static void attention(void **state) {
    (void)state;
    const int64_t nodes[] = {1, 2, 50};
    const double drops[] = {0, 0.5, 0.7};
    for (int n = 0; n < 3; n++)
        for (int shape = 0; shape < HEAD_SHAPES; shape++) {
            gpri_graph graph = random_graph(card, nodes[n], true);
            for (int drop = 0; drop < 3; drop += only_small() ? 2 : 1)
                check_attention(&graph, head_shapes[shape], drops[drop], shape % 2 ? 2 : 300, n == 1);
            gpri_graph_free(card, &graph);
        }
    gpri_graph star = star_graph(card, only_small() ? 200 : 1500, false);
    const int64_t few[] = {1, 8, 8}, many[] = {8, 8, 64};
    for (int planned = 0; planned < 2; planned++) { /* long rows in pieces */
        check_attention(&star, few, 0.5, 2, planned);
        check_attention(&star, many, 0.5, planned ? 300 : 2, planned);
        check_attention(&star, many, 0, 2, planned);
    }
    gpri_graph_free(card, &star);
}

static void lstm(void **state) {
    (void)state;
    const int64_t units[] = {1, 3, 4, 8, 16, 31, 32, 50};
    for (int shape = 0; shape < 8; shape++)
        for (int first = 0; first < 2; first++) {
            const int64_t u = units[shape], rows = 1 + 60 * (shape % 2), ldg = 4 * u + 4, ldc = u + 1, ldh = 2 * u;
            float *wide = numbers(rows * ldg);
            for (int64_t i = 0; i < rows * ldg; i++) wide[i] *= i % 7 == 0 ? 30 : 3;
            wide[0] = NAN;
            buffer gates = taken(wide, rows * ldg), c = random_buffer(rows * ldc), h = random_buffer(rows * ldh);
            buffer before = random_buffer(rows * ldc), dc = random_buffer(rows * ldc), dh = random_buffer(rows * ldh);
            ON_ALL(lstm_forward, matrix_of(F(gates), rows, 4 * u, ldg), matrix_of(F(c), rows, u, ldc),
                   matrix_of(F(h), rows, u, ldh), first ? gpri_no_matrix : matrix_of(F(before), rows, u, ldc));
            agree("lstm_forward", &gates);
            agree("lstm_forward, c", &c);
            agree("lstm_forward, h", &h);
            ON_ALL(lstm_backward, matrix_of(F(gates), rows, 4 * u, ldg), matrix_of(F(dc), rows, u, ldc),
                   matrix_of(F(c), rows, u, ldc), first ? gpri_no_matrix : matrix_of(F(before), rows, u, ldc),
                   matrix_of(F(dh), rows, u, ldh));
            agree("lstm_backward", &gates);
            agree("lstm_backward, dc", &dc);
            clear();
        }
}

int main(void) {
    stream = gpri_random_of(9, GPRI_RANDOM_TEST, 0, 0);
    card = card_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(steps, cleared),       cmocka_unit_test_teardown(long_rows, cleared),
        cmocka_unit_test_teardown(filter_ends, cleared), cmocka_unit_test_teardown(heads, cleared),
        cmocka_unit_test_teardown(attention, cleared),   cmocka_unit_test_teardown(lstm, cleared)};
    int failed = cmocka_run_group_tests_name("cuda_steps", tests, NULL, NULL);
    gpr_ctx_free(card);
    return failed;
}
