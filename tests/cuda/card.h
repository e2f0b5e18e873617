/* For tests of the card's operations: each runs three times on the same numbers. World 0 is ref in the host's memory;
 * in world 1 the card runs it at once; in world 2 it is recorded and replayed. World 1 must agree with ref, and world 2
 * must have the bits of world 1.
 *
 * card_open says what the card is: card.c has the one of this machine. */
#ifndef TEST_CARD_H
#define TEST_CARD_H

#include "tables.h"

enum { WORLDS = 3, MOST_BUFFERS = 64 };

/* A context whose device is the card. */
gpr_ctx *card_open(void);

static gpr_ctx *card;
static int world;

/* Fewer and smaller cases: for tools that look at every access. */
static inline bool only_small(void) { return getenv("GPRGNN_SMALL") != NULL; }

/* The same numbers in every world. */
typedef struct {
    void *at[WORLDS];
    int64_t bytes;
} buffer;

static buffer buffers[MOST_BUFFERS];
static int buffer_count;

/* A copy of the host's memory; freed by clear. */
static inline buffer buffer_of(const void *from, int64_t bytes) {
    const gpri_device *device = card->job.device;
    buffer b = {.bytes = bytes};
    b.at[0] = malloc((size_t)bytes + 1);
    assert_non_null(b.at[0]);
    memcpy(b.at[0], from, (size_t)bytes);
    for (int w = 1; w < WORLDS; w++) {
        assert_ok(device->alloc(device, card, &b.at[w], bytes, 1, false, "test"));
        device->put(device, b.at[w], from, bytes);
    }
    assert_true(buffer_count < MOST_BUFFERS);
    return buffers[buffer_count++] = b;
}

/* Takes a block of numbers() over. */
static inline buffer taken(float *from, int64_t count) {
    buffer b = buffer_of(from, (count + SENTINEL_COUNT) * (int64_t)sizeof *from);
    free(from);
    return b;
}

static inline buffer random_buffer(int64_t count) { return taken(numbers(count), count); }

static inline void clear(void) {
    for (; buffer_count > 0; buffer_count--) {
        buffer *b = &buffers[buffer_count - 1];
        free(b->at[0]);
        for (int w = 1; w < WORLDS; w++) card->job.device->free(card->job.device, card, b->at[w]);
    }
}

/* After a test that failed too. */
static inline int cleared(void **state) {
    (void)state;
    clear();
    return 0;
}

/* In the present world. */
#define F(b) ((float *)(b).at[world])
#define AS(type, b) ((type *)(b).at[world])

static inline void replay_once(void) {
    const gpri_device *device = card->job.device;
    gpri_recording *recording = NULL;
    assert_ok(device->end(device, card, &recording));
    assert_ok(device->replay(device, &recording, 1));
    assert_ok(gpri_device_check(card));
    device->forget(device, card, recording);
}

#define ON_ALL(op, ...)                                                                                          \
    do {                                                                                                         \
        for (world = 0; world < WORLDS; world++) {                                                               \
            if (world == 2) assert_ok(card->job.device->begin(card->job.device, card));                          \
            (world ? card->job.device->ops : &gpri_ops_ref)->op(__VA_ARGS__);                                    \
            if (world == 2) replay_once();                                                                       \
            else if (world == 1 && gpri_device_check(card) != GPR_OK) fail_msg("%s: %s", #op, gpr_last_error()); \
        }                                                                                                        \
    } while (0)

/* What came of worlds 1 and 2, on the host. */
static inline void fetch(const buffer *b, void **one, void **two) {
    void **to[] = {one, two};
    for (int w = 1; w < WORLDS; w++) {
        *to[w - 1] = malloc((size_t)b->bytes + 1);
        assert_non_null(*to[w - 1]);
        card->job.device->get(card->job.device, *to[w - 1], b->at[w], b->bytes);
    }
    assert_ok(gpri_device_check(card));
}

static inline void same_bits(const char *what, const void *one, const void *two, int64_t bytes) {
    if (memcmp(one, two, (size_t)bytes) != 0) fail_msg("%s: the recorded operation gives other bits", what);
}

/* Floats agree to 2e-5 of the largest, or of `most`; NaN is NaN. */
static inline void agree_of(const char *what, const buffer *b, double most) {
    const int64_t count = b->bytes / (int64_t)sizeof(float) - SENTINEL_COUNT;
    void *one, *two;
    fetch(b, &one, &two);
    same_bits(what, one, two, b->bytes);
    float *got = one, *want = copy_of(b->at[0], count);
    for (int64_t i = 0; i < count; i++) {
        if (isnan(want[i]) != isnan(got[i]))
            fail_msg("%s, element %d: %g, ref %g", what, (int)i, (double)got[i], (double)want[i]);
        if (isnan(want[i]) || (isinf(want[i]) && want[i] == got[i])) got[i] = want[i] = 0;
    }
    same_of(what, "cuda", got, want, count, most); /* frees both */
    free(two);
}

static inline void agree(const char *what, const buffer *b) { agree_of(what, b, 1e-30); }

/* Every byte. */
static inline void agree_exactly(const char *what, const buffer *b) {
    void *one, *two;
    fetch(b, &one, &two);
    same_bits(what, one, two, b->bytes);
    if (memcmp(one, b->at[0], (size_t)b->bytes) != 0) fail_msg("%s: not what ref gives", what);
    free(one), free(two);
}

static inline void agree_doubles(const char *what, const buffer *b) {
    void *one, *two;
    fetch(b, &one, &two);
    same_bits(what, one, two, b->bytes);
    for (int64_t i = 0; i < b->bytes / (int64_t)sizeof(double); i++)
        same_number(what, "cuda", ((double *)one)[i], ((double *)b->at[0])[i]);
    free(one), free(two);
}

/* ---- graphs ---- */

typedef struct {
    gpri_graph graph[WORLDS];
} graph_buffer;

/* Its arrays in every world. The host's graph stays the caller's. */
static inline graph_buffer graph_of(const gpri_graph *graph) {
    graph_buffer g;
    buffer rowptr = buffer_of(graph->rowptr, (graph->nodes + 1) * (int64_t)sizeof *graph->rowptr);
    buffer column = buffer_of(graph->column, graph->arcs * (int64_t)sizeof *graph->column), weight = {{0}, 0};
    if (graph->weight) weight = buffer_of(graph->weight, graph->arcs * (int64_t)sizeof *graph->weight);
    for (int w = 0; w < WORLDS; w++) {
        g.graph[w] = *graph;
        g.graph[w].rowptr = rowptr.at[w];
        g.graph[w].column = column.at[w];
        g.graph[w].weight = weight.at[w];
    }
    return g;
}

/* The card's plans of its rows; without them operations go over rows as they are. */
static inline void plan_rows(graph_buffer *g, const gpri_graph *graph) {
    const gpri_device *device = card->job.device;
    for (int w = 1; w < WORLDS; w++) assert_ok(device->plan_graph(device, card, &g->graph[w], graph));
}

static inline void forget_plans(graph_buffer *g) {
    const gpri_device *device = card->job.device;
    for (int w = 1; w < WORLDS; w++)
        if (g->graph[w].plan) device->unplan_graph(device, card, g->graph[w].plan);
}

/* Nodes 0, 5 and 6 have all others as neighbours, and some of these have each other. */
static inline gpri_graph star_graph(gpr_ctx *ctx, int64_t nodes, bool weighted) {
    const int64_t hubs[] = {0, 5, 6}, edges = 4 * nodes;
    int64_t *src = malloc((size_t)edges * sizeof *src), *dst = malloc((size_t)edges * sizeof *dst);
    float *weights = malloc((size_t)edges * sizeof *weights);
    gpri_graph graph;
    for (int64_t e = 0; e < edges; e++) {
        const bool random = e >= 3 * nodes;
        src[e] = random ? (int64_t)gpri_uniform_below(stream, drawn++, (uint64_t)nodes) : hubs[e / nodes];
        dst[e] = random ? (int64_t)gpri_uniform_below(stream, drawn++, (uint64_t)nodes) : e % nodes;
        weights[e] = 1.5f + draw();
    }
    assert_ok(gpri_graph_build(ctx, &graph, nodes, edges, src, dst, weighted ? weights : NULL));
    free(src), free(dst), free(weights);
    return graph;
}

#endif
