/* The card's steps over the graph by a plan of its rows, and filters, all steps in one call, against ref: with long and
 * huge rows, and filters without a plan too; on an emulated card also in all ways that cards of different kinds do
 * them, which must give the same bits, but for the order of sums over all rows.
 */
#include "card.h"

/* Of an emulated card: blocks of a cluster at most; 0: each step is a kernel. */
extern unsigned emulated_cluster __attribute__((weak));

/* Of an emulated card: graphs are planned as if they were large. */
extern bool emulated_wide __attribute__((weak));

/* One step over all rows. with: bits for diagonals, the loop, h and its factors, b and c. */
static void check_step(const gpri_graph *graph, int64_t width, int with) {
    const int64_t nodes = graph->nodes, ld = width + 4;
    const float some = -0.4f;
    graph_buffer g = graph_of(graph);
    buffer left = random_buffer(nodes), right = random_buffer(nodes), scale = random_buffer(nodes);
    buffer in = random_buffer(nodes * ld), out = random_buffer(nodes * ld), h = random_buffer(nodes * ld);
    buffer before = random_buffer(nodes * ld), theta = buffer_of(&some, sizeof some);
    gpri_step step[WORLDS];
    plan_rows(&g, graph);
    for (world = 0; world < WORLDS; world++)
        step[world] = (gpri_step){.m = {.graph = &g.graph[world],
                                        .left = with & 1 ? F(left) : NULL,
                                        .right = with & 2 ? F(right) : NULL,
                                        .factor = -0.75f,
                                        .loop = with & 4 ? 1.0f : 0.0f},
                                  .a = with & 32 ? 2.0f : 1.0f,
                                  .b = with & 32 ? 0.5f : 0.0f,
                                  .c = with & 32 ? 1.25f : 0.0f,
                                  .scale = with & 16 ? F(scale) : NULL};
    ON_ALL(propagate, matrix_of(F(out), nodes, width, ld), matrix_of(F(in), nodes, width, ld),
           with & 32 ? matrix_of(F(before), nodes, width, ld) : gpri_no_matrix,
           with & 8 ? matrix_of(F(h), nodes, width, ld) : gpri_no_matrix, &step[world], with & 16 ? F(theta) : NULL, 0);
    agree("propagate by a plan", &out);
    ON_ALL(propagate, matrix_of(F(h), nodes, width, ld), matrix_of(F(in), nodes, width, ld), gpri_no_matrix,
           matrix_of(F(h), nodes, width, ld), &(gpri_step){.m = step[world].m, .a = 1}, NULL, 0);
    agree("propagate by a plan onto h", &h);
    forget_plans(&g);
    clear();
}

static void steps(void **state) {
    (void)state;
    const int64_t shapes[][2] = {{1, 4}, {50, 8}, {51, 16}, {33, 64}, {40, 60}, {300, 48}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        gpri_graph graph = random_graph(card, shapes[i][0], i % 2);
        for (int with = 0; with < 64; with += only_small() ? 63 : 1 + 4 * (i > 2))
            check_step(&graph, shapes[i][1], with);
        gpri_graph_free(card, &graph);
    }
    for (int i = 0; i < (only_small() ? 1 : 2); i++) { /* long rows, huge ones */
        gpri_graph star = star_graph(card, i ? 5000 : 700, i);
        check_step(&star, 16, 63);
        check_step(&star, 32, 0);
        gpri_graph_free(card, &star);
    }
}

typedef struct {
    int64_t hops, width;
    bool planned, scaled;
} filter_case;

/* What world 1 has, for a comparison with other ways. */
static void *bits_of(const buffer *b) {
    void *bits = malloc((size_t)b->bytes + 1);
    assert_non_null(bits);
    card->job.device->get(card->job.device, bits, b->at[1], b->bytes);
    return bits;
}

static void check_bits(const char *what, void **first, const buffer *b) {
    void *bits = bits_of(b);
    if (!*first) {
        *first = bits;
        return;
    }
    if (memcmp(*first, bits, (size_t)b->bytes) != 0) fail_msg("%s: other bits in another way", what);
    free(bits);
}

static void check_filter(const gpri_graph *graph, filter_case c) {
    const int64_t nodes = graph->nodes, ldh = 2 * c.width + 4, ldz = 2 * c.width;
    const unsigned ways[] = {4, 2, 1, 0};
    void *first[4] = {NULL};
    float *near_one = numbers(nodes), *squared = malloc((size_t)nodes * sizeof *squared);
    for (int64_t i = 0; i < nodes; i++) {
        near_one[i] = (0.6f + 0.3f * near_one[i]) / sqrtf((float)(graph->rowptr[i + 1] - graph->rowptr[i] + 1));
        squared[i] = near_one[i] * near_one[i];
    }
    buffer left = buffer_of(squared, nodes * (int64_t)sizeof *squared), scale = taken(near_one, nodes);
    buffer theta = random_buffer(c.hops + 1), h = random_buffer(nodes * ldh);
    graph_buffer g = graph_of(graph);
    free(squared);
    if (c.planned) plan_rows(&g, graph);
    gpri_filter filter[WORLDS];
    for (world = 0; world < WORLDS; world++) {
        const gpri_adjacency m = {.graph = &g.graph[world], .left = c.scaled ? F(left) : NULL, .factor = 1, .loop = 1};
        filter[world] = (gpri_filter){.inner = {.m = m, .a = 1, .scale = c.scaled ? F(scale) : NULL},
                                      .last = {.m = m, .a = 1},
                                      .theta = F(theta),
                                      .hops = c.hops};
        if (c.scaled) filter[world].last.m.left = F(scale);
    }
    for (size_t way = 0; way < (&emulated_cluster && c.planned ? 4 : 1); way++) {
        const int kept = buffer_count;
        if (&emulated_cluster) emulated_cluster = ways[way];
        stream = gpri_random_of(77, GPRI_RANDOM_TEST, 0, 0);
        drawn = 0;
        buffer z = random_buffer(nodes * ldz), back = random_buffer(nodes * ldz), dh = random_buffer(nodes * ldh);
        buffer dtheta = random_buffer(c.hops + 1);
        ON_ALL(filter_forward, matrix_of(F(z), nodes, c.width, ldz), matrix_of(F(h), nodes, c.width, ldh),
               matrix_of(F(back), nodes, c.width, ldz), &filter[world]);
        agree("filter_forward", &z);
        check_bits("filter_forward", &first[0], &z);
        for (world = 1; world < WORLDS; world++) /* backward from the same numbers */
            card->job.device->put(card->job.device, z.at[world], z.at[0], z.bytes);
        ON_ALL(filter_backward, matrix_of(F(dh), nodes, c.width, ldh), F(dtheta), matrix_of(F(z), nodes, c.width, ldz),
               matrix_of(F(h), nodes, c.width, ldh), packed(F(back), nodes, c.width), packed(F(z), nodes, c.width),
               &filter[world]);
        agree("filter_backward", &dh);
        agree("filter_backward, dtheta", &dtheta);
        check_bits("filter_backward", &first[1], &dh);
        for (; buffer_count > kept; buffer_count--) {
            free(buffers[buffer_count - 1].at[0]);
            for (int w = 1; w < WORLDS; w++)
                card->job.device->free(card->job.device, card, buffers[buffer_count - 1].at[w]);
        }
    }
    for (int i = 0; i < 4; i++) free(first[i]);
    forget_plans(&g);
    clear();
    if (&emulated_cluster) emulated_cluster = 4;
}

static void small_graphs(void **state) {
    (void)state;
    const int64_t nodes[] = {1, 2, 50, 301, 900}, widths[] = {4, 8, 16, 20, 48};
    for (int n = 0; n < (only_small() ? 4 : 5); n++)
        for (int weighted = 0; weighted < 2; weighted++) {
            gpri_graph graph = random_graph(card, nodes[n], weighted);
            for (int i = 0; i < 5; i += only_small() ? 3 : 1)
                for (int64_t hops = only_small() ? 2 : 0; hops < (only_small() ? 3 : 4); hops++)
                    check_filter(&graph, (filter_case){hops, widths[i], (hops + i) % 4 != 3, hops != 3});
            gpri_graph_free(card, &graph);
        }
}

/* Rows in parts: long ones of a small graph, and of one that is too large for one kernel; huge ones. */
static void long_rows(void **state) {
    (void)state;
    const int64_t nodes[] = {200, 900, 3001, 5000};
    for (int n = 0; n < (only_small() ? 2 : 4); n++) {
        gpri_graph graph = star_graph(card, nodes[n], n % 2);
        for (int64_t width = n < 2 ? 4 : 8; width <= (n < 2 ? 16 : 8); width *= 2)
            check_filter(&graph, (filter_case){n < 1 ? 10 : 2, width, true, true});
        gpri_graph_free(card, &graph);
    }
}

/* Of a graph whose state is far larger than the cache of any card rows are not cut into panels of 128 bytes. */
static void wide_rows(void **state) {
    (void)state;
    const int64_t widths[] = {36, 48, 64, 96, 136};
    if (!&emulated_wide) {
        if (only_small()) return;
        gpri_graph graph = star_graph(card, 210000, 1);
        check_step(&graph, 40, 63);
        check_filter(&graph, (filter_case){2, 48, true, true});
        check_filter(&graph, (filter_case){2, 96, true, true});
        gpri_graph_free(card, &graph);
        return;
    }
    emulated_wide = true;
    for (int i = 0; i < 5; i++)
        for (int n = 0; n < 3; n++) {
            gpri_graph graph = n == 0 ? random_graph(card, 40, i % 2) : star_graph(card, n == 1 ? 300 : 4500, i % 2);
            if (n < 2 || i == 1) {
                check_step(&graph, widths[i], 63);
                check_filter(&graph, (filter_case){2, widths[i], true, true});
            }
            gpri_graph_free(card, &graph);
        }
    emulated_wide = false;
}

int main(void) {
    stream = gpri_random_of(12, GPRI_RANDOM_TEST, 0, 0);
    card = card_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(steps, cleared), cmocka_unit_test_teardown(small_graphs, cleared),
        cmocka_unit_test_teardown(long_rows, cleared), cmocka_unit_test_teardown(wide_rows, cleared)};
    int failed = cmocka_run_group_tests_name("cuda_filter", tests, NULL, NULL);
    gpr_ctx_free(card);
    return failed;
}
