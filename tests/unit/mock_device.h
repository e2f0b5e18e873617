/* A device for tests, as a GPU would be: its memory cannot be read outside its operations (PROT_NONE), it takes all
 * rows as one tile, records a pass once and replays it, and lets the host look some epochs late. It computes with the
 * reference, so its bits are those of the reference. One context at a time, one thread. */
#ifndef TEST_MOCK_DEVICE_H
#define TEST_MOCK_DEVICE_H

#include <sys/mman.h>

#include "support.h"

#include "tensor/device.h"

enum { MOCK_ARENA = 1 << 28, MOCK_PAGE = 4096, MOCK_SHARED = 256, MOCK_FETCHES = 64 };

static struct {
    char *arena;
    size_t used, most_used; /* bytes; they are used again when all are free */
    long live;       /* blocks that are not freed */
    long most_live;  /* that there were at once */
    long room;       /* blocks that it has place for; 0: as many as are wanted */
    long operations; /* that ran */
    long replays;
    int64_t most_lanes;                  /* that were replayed at once */
    long fails_after;                    /* operations until the device fails; 0: never */
    struct mock_call *recording, **last; /* NULL: operations run at once */
    struct {
        const void *host, *copy;
        int64_t bytes;
        int users;
    } shared[MOCK_SHARED];
    struct {
        void *to;
        const void *from;
        int64_t bytes;
    } fetched[MOCK_FETCHES];
    int fetches;
} mock;

static inline void mock_open(bool open) {
    size_t bytes = (mock.used + MOCK_PAGE - 1) / MOCK_PAGE * MOCK_PAGE;
    if (bytes) assert_int_equal(mprotect(mock.arena, bytes, open ? PROT_READ | PROT_WRITE : PROT_NONE), 0);
}

static inline bool mock_owns(const void *block) {
    return (const char *)block >= mock.arena && (const char *)block < mock.arena + MOCK_ARENA;
}

/* ---- operations: run, or kept with their arguments ---- */

typedef struct mock_call {
    void (*run)(const struct mock_call *call);
    struct mock_call *next;
} mock_call;

static inline void mock_run(const mock_call *call) {
    mock_open(true);
    call->run(call);
    mock_open(false);
    mock.operations++;
}

static inline void mock_submit(const mock_call *call, size_t size) {
    if (mock.last) { /* recording */
        mock_call *kept = malloc(size);
        assert_non_null(kept);
        memcpy(kept, call, size);
        kept->next = NULL;
        *mock.last = kept;
        mock.last = &kept->next;
        return;
    }
    mock_run(call);
}

/* What an operation gets must lie in the device's memory, also behind the structs of settings. */
static inline void mock_see(const void *block) {
    if (block && !mock_owns(block)) fail_msg("an operation got the host's memory");
}
static inline void mock_see_nothing(const void *arg) { (void)arg; }
static inline void mock_see_matrix(const void *arg) { mock_see(((const gpri_matrix *)arg)->at); }
static inline void mock_see_block(const void *arg) {
    const void *block;
    memcpy(&block, arg, sizeof block);
    mock_see(block);
}
static inline void mock_see_graph(const gpri_graph *graph) {
    mock_see(graph->rowptr), mock_see(graph->column), mock_see(graph->weight);
}
static inline void mock_see_step(const void *arg) {
    const gpri_step *step = *(const gpri_step *const *)arg;
    mock_see_graph(step->m.graph);
    mock_see(step->m.left), mock_see(step->m.right), mock_see(step->scale);
}
static inline void mock_see_filter(const void *arg) {
    const gpri_filter *filter = *(const gpri_filter *const *)arg;
    const gpri_step *const steps[] = {&filter->inner, &filter->last};
    mock_see_step(&steps[0]), mock_see_step(&steps[1]), mock_see(filter->theta);
}
static inline void mock_see_attention(const void *arg) {
    const gpri_attention *a = *(const gpri_attention *const *)arg;
    mock_see_graph(a->graph);
    mock_see(a->source), mock_see(a->target), mock_see(a->keep), mock_see(a->reverse);
}
static inline void mock_see_features(const void *arg) {
    const gpri_features *x = *(const gpri_features *const *)arg;
    mock_see(x->dense), mock_see(x->rowptr), mock_see(x->column), mock_see(x->value);
    mock_see(x->colptr), mock_see(x->row), mock_see(x->offset), mock_see(x->column_value);
    mock_see(x->piece_column);
}
static inline void mock_see_targets(const void *arg) {
    const gpri_targets *targets = *(const gpri_targets *const *)arg;
    mock_see(targets->labels), mock_see(targets->part), mock_see(targets->factor);
    mock_see(targets->shown), mock_see(targets->scale);
}
static inline void mock_see_metric(const void *arg) {
    const gpri_metric_plan *plan = *(const gpri_metric_plan *const *)arg;
    mock_see(plan->nodes), mock_see(plan->keys), mock_see(plan->counts);
}
static inline void mock_see_rule(const void *arg) { mock_see((*(const gpri_rule *const *)arg)->train_factor); }
static inline void mock_see_mask(const void *arg) { mock_see((*(const gpri_mask *const *)arg)->step); }

#define SEE(x) \
    _Generic((x),                                                                                                     \
        gpri_matrix: mock_see_matrix,                                                                                 \
        gpri_real *: mock_see_block,                                                                                  \
        const gpri_real *: mock_see_block,                                                                            \
        double *: mock_see_block,                                                                                     \
        const double *: mock_see_block,                                                                               \
        uint64_t *: mock_see_block,                                                                                   \
        const uint64_t *: mock_see_block,                                                                             \
        uint32_t *: mock_see_block,                                                                                   \
        const uint32_t *: mock_see_block,                                                                             \
        gpri_scores *: mock_see_block,                                                                                \
        const gpri_scores *: mock_see_block,                                                                          \
        gpri_record *: mock_see_block,                                                                                \
        const gpri_record *: mock_see_block,                                                                          \
        gpri_epoch *: mock_see_block,                                                                                 \
        const gpri_step *: mock_see_step,                                                                             \
        const gpri_filter *: mock_see_filter,                                                                         \
        const gpri_attention *: mock_see_attention,                                                                   \
        const gpri_features *: mock_see_features,                                                                     \
        const gpri_targets *: mock_see_targets,                                                                       \
        const gpri_metric_plan *: mock_see_metric,                                                                    \
        const gpri_mask *: mock_see_mask,                                                                             \
        const gpri_rule *: mock_see_rule,                                                                             \
        int32_t *: mock_see_block,                                                                                    \
        const int32_t *: mock_see_block,                                                                              \
        default: mock_see_nothing)(&(x))
#define SEE1(a) SEE(a)
#define SEE2(a, ...) SEE(a), SEE1(__VA_ARGS__)
#define SEE3(a, ...) SEE(a), SEE2(__VA_ARGS__)
#define SEE4(a, ...) SEE(a), SEE3(__VA_ARGS__)
#define SEE5(a, ...) SEE(a), SEE4(__VA_ARGS__)
#define SEE6(a, ...) SEE(a), SEE5(__VA_ARGS__)
#define SEE7(a, ...) SEE(a), SEE6(__VA_ARGS__)
#define SEE8(a, ...) SEE(a), SEE7(__VA_ARGS__)
#define SEE9(a, ...) SEE(a), SEE8(__VA_ARGS__)

#define MOCK_OP(name, fields, parameters, list, see, from_call)                       \
    typedef struct {                                                                  \
        mock_call base;                                                               \
        fields                                                                        \
    } mock_##name##_call;                                                             \
    static void mock_##name##_run(const mock_call *base) {                            \
        const mock_##name##_call *k = (const mock_##name##_call *)(const void *)base; \
        gpri_ops_ref.name from_call;                                                  \
    }                                                                                 \
    static void mock_##name parameters {                                              \
        see;                                                                          \
        mock_##name##_call k = {{mock_##name##_run, NULL}, list};                     \
        mock_submit(&k.base, sizeof k);                                               \
    }
#define LIST(...) __VA_ARGS__
#define OP1(n, A) MOCK_OP(n, A a;, (A a), LIST(a), SEE1(a), (k->a))
#define OP2(n, A, B) MOCK_OP(n, A a; B b;, (A a, B b), LIST(a, b), SEE2(a, b), (k->a, k->b))
#define OP3(n, A, B, C) MOCK_OP(n, A a; B b; C c;, (A a, B b, C c), LIST(a, b, c), SEE3(a, b, c), (k->a, k->b, k->c))
#define OP4(n, A, B, C, D) \
    MOCK_OP(n, A a; B b; C c; D d;, (A a, B b, C c, D d), LIST(a, b, c, d), SEE4(a, b, c, d), (k->a, k->b, k->c, k->d))
#define OP5(n, A, B, C, D, E)           \
    MOCK_OP(n, A a; B b; C c; D d; E e; \
            , (A a, B b, C c, D d, E e), LIST(a, b, c, d, e), SEE5(a, b, c, d, e), (k->a, k->b, k->c, k->d, k->e))
#define OP6(n, A, B, C, D, E, F)                                                                      \
    MOCK_OP(n, A a; B b; C c; D d; E e; F f;, (A a, B b, C c, D d, E e, F f), LIST(a, b, c, d, e, f), \
                                            SEE6(a, b, c, d, e, f), (k->a, k->b, k->c, k->d, k->e, k->f))
#define OP7(n, A, B, C, D, E, F, G)                                                                                \
    MOCK_OP(n, A a; B b; C c; D d; E e; F f; G g;, (A a, B b, C c, D d, E e, F f, G g), LIST(a, b, c, d, e, f, g), \
                                                 SEE7(a, b, c, d, e, f, g),                                        \
                                                 (k->a, k->b, k->c, k->d, k->e, k->f, k->g))
#define OP8(n, A, B, C, D, E, F, G, H)                                                                            \
    MOCK_OP(n, A a; B b; C c; D d; E e; F f; G g; H h;, (A a, B b, C c, D d, E e, F f, G g, H h),                 \
                                                      LIST(a, b, c, d, e, f, g, h), SEE8(a, b, c, d, e, f, g, h), \
                                                      (k->a, k->b, k->c, k->d, k->e, k->f, k->g, k->h))
#define OP9(n, A, B, C, D, E, F, G, H, I)                                                     \
    MOCK_OP(n, A a; B b; C c; D d; E e; F f; G g; H h; I i;                                   \
            , (A a, B b, C c, D d, E e, F f, G g, H h, I i), LIST(a, b, c, d, e, f, g, h, i), \
            SEE9(a, b, c, d, e, f, g, h, i), (k->a, k->b, k->c, k->d, k->e, k->f, k->g, k->h, k->i))

typedef gpri_matrix mock_m;
typedef gpri_real *mock_out;
typedef const gpri_real *mock_in;

OP1(zero, mock_m)
OP2(copy, mock_m, mock_m)
OP2(add, mock_m, mock_m)
OP2(scale, mock_m, gpri_real)
OP5(sum_blocks, mock_out, mock_in, int64_t, int64_t, int64_t)
OP3(sum_dots, mock_out, const double *, int64_t)
OP4(keep_bits, uint64_t *, const gpri_mask *, int64_t, int64_t)
OP8(features_forward, mock_m, mock_m, const gpri_features *, const uint64_t *, gpri_real, mock_in, mock_in, int64_t)
OP8(features_backward, mock_out, mock_m, const gpri_features *, const uint64_t *, gpri_real, int64_t, int64_t, int64_t)
OP4(linear_forward, mock_m, mock_m, mock_in, mock_in)
OP6(linear_backward, mock_m, mock_out, mock_out, mock_m, mock_m, mock_in)
OP2(bias_forward, mock_m, mock_in)
OP2(bias_backward, mock_out, mock_m)
OP4(labels_forward, mock_m, mock_in, const int32_t *, int64_t)
OP4(labels_backward, mock_out, mock_m, const int32_t *, int64_t)
OP5(labels_show, int32_t *, mock_out, const int32_t *, const uint64_t *, int64_t)
OP1(relu_forward, mock_m)
OP2(relu_backward, mock_m, mock_m)
OP2(elu_forward, mock_m, mock_m)
OP3(elu_backward, mock_m, mock_m, mock_m)
OP3(dropout, mock_m, const gpri_mask *, int64_t)
OP1(softmax_forward, mock_m)
OP2(softmax_backward, mock_m, mock_m)
OP3(norm_squares, mock_out, mock_m, mock_in)
OP4(norm_rate, mock_out, mock_in, gpri_real, int64_t)
OP6(norm_remember, mock_out, mock_in, gpri_real, gpri_real, const uint32_t *, int64_t)
OP4(norm_columns, mock_m, mock_m, mock_in, mock_in)
OP6(norm_columns_backward, mock_m, mock_m, mock_m, mock_in, mock_in, gpri_real)
OP3(norm_rows, mock_m, mock_m, mock_out)
OP4(norm_rows_backward, mock_m, mock_m, mock_m, mock_in)
OP5(head_dots, mock_m, mock_m, mock_m, int64_t, int64_t)
OP5(head_add, mock_m, mock_m, mock_m, int64_t, int64_t)
OP3(head_mean_forward, mock_m, mock_m, int64_t)
OP3(head_mean_backward, mock_m, mock_m, int64_t)
OP7(propagate, mock_m, mock_m, mock_m, mock_m, const gpri_step *, mock_in, int64_t)
OP9(propagate_dot, mock_m, mock_m, double *, mock_m, mock_m, mock_m, const gpri_step *, mock_in, int64_t)
OP5(filter_begin, mock_m, mock_m, mock_in, mock_in, int64_t)
OP8(filter_begin_dot, mock_m, mock_m, double *, mock_m, mock_m, mock_in, mock_in, int64_t)
OP3(filter_end, mock_m, mock_in, int64_t)
OP4(filter_forward, mock_m, mock_m, mock_m, const gpri_filter *)
OP7(filter_backward, mock_m, mock_out, mock_m, mock_m, mock_m, mock_m, const gpri_filter *)
OP5(attention_forward, mock_m, mock_m, mock_m, const gpri_attention *, int64_t)
OP6(attention_backward, mock_m, mock_m, mock_m, mock_m, const gpri_attention *, int64_t)
OP4(lstm_forward, mock_m, mock_m, mock_m, mock_m)
OP5(lstm_backward, mock_m, mock_m, mock_m, mock_m, mock_m)
OP4(nll_backward, mock_m, double *, const gpri_targets *, int64_t)
OP4(score, gpri_scores *, mock_m, const gpri_targets *, int64_t)
OP8(adam, mock_out, mock_out, mock_out, mock_in, const gpri_record *, gpri_real, gpri_real, int64_t)
OP5(metric, gpri_record *, mock_m, const gpri_targets *, const gpri_metric_plan *, int64_t)
OP6(judge, gpri_record *, gpri_epoch *, const gpri_scores *, int64_t, const uint32_t *, const gpri_rule *)
OP4(keep_best, mock_out, mock_in, int64_t, const gpri_record *)
OP6(keep_gamma, float *, mock_in, int64_t, const uint32_t *, const gpri_record *, const gpri_rule *)
OP3(advance, gpri_record *, uint32_t *, const gpri_rule *)

#define MOCK(name) .name = mock_##name
static const gpri_ops mock_ops = {.name = "mock",
                                  MOCK(zero),
                                  MOCK(copy),
                                  MOCK(add),
                                  MOCK(scale),
                                  MOCK(sum_blocks),
                                  MOCK(sum_dots),
                                  MOCK(keep_bits),
                                  MOCK(features_forward),
                                  MOCK(features_backward),
                                  .features_add = NULL,
                                  MOCK(linear_forward),
                                  MOCK(linear_backward),
                                  MOCK(bias_forward),
                                  MOCK(bias_backward),
                                  MOCK(labels_forward),
                                  MOCK(labels_backward),
                                  MOCK(labels_show),
                                  MOCK(relu_forward),
                                  MOCK(relu_backward),
                                  MOCK(elu_forward),
                                  MOCK(elu_backward),
                                  MOCK(dropout),
                                  MOCK(softmax_forward),
                                  MOCK(softmax_backward),
                                  MOCK(norm_squares),
                                  MOCK(norm_rate),
                                  MOCK(norm_remember),
                                  MOCK(norm_columns),
                                  MOCK(norm_columns_backward),
                                  MOCK(norm_rows),
                                  MOCK(norm_rows_backward),
                                  MOCK(head_dots),
                                  MOCK(head_add),
                                  MOCK(head_mean_forward),
                                  MOCK(head_mean_backward),
                                  MOCK(propagate),
                                  MOCK(propagate_dot),
                                  MOCK(filter_begin),
                                  MOCK(filter_begin_dot),
                                  MOCK(filter_end),
                                  MOCK(filter_forward),
                                  MOCK(filter_backward),
                                  MOCK(attention_forward),
                                  MOCK(attention_backward),
                                  MOCK(lstm_forward),
                                  MOCK(lstm_backward),
                                  MOCK(nll_backward),
                                  MOCK(score),
                                  MOCK(adam),
                                  MOCK(metric),
                                  MOCK(judge),
                                  MOCK(keep_best),
                                  MOCK(keep_gamma),
                                  MOCK(advance)};

/* ---- memory ---- */

static inline gpr_status mock_alloc(const gpri_device *device, gpr_ctx *ctx, void *out, int64_t count, size_t size,
                                    bool zeroed, const char *what) {
    (void)device, (void)ctx;
    size_t bytes = ((size_t)count * size + 64) / 64 * 64; /* one byte at least: every block has its own address */
    void *block = mock.arena + mock.used;
    memset(out, 0, sizeof block);
    if (mock.room && mock.live >= mock.room) return gpri_fail(GPR_ERROR_MEMORY, "%s: no room on the mock", what);
    assert_true(mock.used + bytes < MOCK_ARENA);
    mock.used += bytes;
    if (mock.used > mock.most_used) mock.most_used = mock.used;
    if (++mock.live > mock.most_live) mock.most_live = mock.live;
    mock_open(true);
    memset(block, zeroed ? 0 : 0xcc, bytes); /* numbers that show when they are used before they are set */
    mock_open(false);
    memcpy(out, &block, sizeof block);
    return GPR_OK;
}

static inline void mock_free(const gpri_device *device, gpr_ctx *ctx, void *block) {
    (void)device, (void)ctx;
    if (!block) return;
    assert_true(mock_owns(block));
    if (--mock.live == 0) mock.used = 0;
}

static inline void mock_put(const gpri_device *device, void *to, const void *from, int64_t bytes) {
    (void)device;
    assert_true(mock_owns(to) && !mock_owns(from) && !mock.last); /* never while recording */
    mock_open(true);
    memcpy(to, from, (size_t)bytes);
    mock_open(false);
}

static inline void mock_get(const gpri_device *device, void *to, const void *from, int64_t bytes) {
    (void)device;
    assert_true(mock_owns(from) && !mock_owns(to) && !mock.last);
    mock_open(true);
    memcpy(to, from, (size_t)bytes);
    mock_open(false);
}

static inline gpr_status mock_share(const gpri_device *device, gpr_ctx *ctx, const void **out, const void *host,
                                    int64_t bytes, const char *what) {
    int place = -1;
    for (int i = 0; i < MOCK_SHARED; i++) {
        if (mock.shared[i].users && mock.shared[i].host == host && mock.shared[i].bytes == bytes) {
            mock.shared[i].users++;
            *out = mock.shared[i].copy;
            return GPR_OK;
        }
        if (!mock.shared[i].users) place = i;
    }
    assert_true(place >= 0);
    void *copy;
    gpr_status status = mock_alloc(device, ctx, &copy, bytes, 1, false, what);
    if (status != GPR_OK) return status;
    if (bytes) mock_put(device, copy, host, bytes);
    mock.shared[place].host = host;
    mock.shared[place].copy = *out = copy;
    mock.shared[place].bytes = bytes;
    mock.shared[place].users = 1;
    return status;
}

static inline void mock_unshare(const gpri_device *device, gpr_ctx *ctx, const void *shared) {
    for (int i = 0; i < MOCK_SHARED; i++)
        if (mock.shared[i].users && mock.shared[i].copy == shared) {
            if (--mock.shared[i].users == 0) mock_free(device, ctx, (void *)(uintptr_t)shared);
            return;
        }
    fail_msg("something is given back that was not shared");
}

/* As late as it may be: when check is called. */
static inline void mock_fetch(const gpri_device *device, void *to, const void *from, int64_t bytes) {
    (void)device;
    assert_true(mock.fetches < MOCK_FETCHES);
    mock.fetched[mock.fetches].to = to;
    mock.fetched[mock.fetches].from = from;
    mock.fetched[mock.fetches++].bytes = bytes;
}

/* A failure is remembered until it is asked for. */
static inline gpr_status mock_check(const gpri_device *device) {
    for (int i = 0; i < mock.fetches; i++)
        mock_get(device, mock.fetched[i].to, mock.fetched[i].from, mock.fetched[i].bytes);
    mock.fetches = 0;
    if (!mock.fails_after || mock.operations < mock.fails_after) return GPR_OK;
    return gpri_fail(GPR_ERROR_IO, "the mock device failed");
}

/* ---- recording ---- */

struct gpri_recording {
    mock_call *first;
};

static inline gpr_status mock_begin(const gpri_device *device, gpr_ctx *ctx) {
    (void)device, (void)ctx;
    assert_null(mock.last);
    mock.recording = NULL;
    mock.last = &mock.recording;
    return GPR_OK;
}

static inline gpr_status mock_end(const gpri_device *device, gpr_ctx *ctx, gpri_recording **out) {
    (void)device, (void)ctx;
    assert_non_null(mock.recording);
    *out = malloc(sizeof **out);
    assert_non_null(*out);
    (*out)->first = mock.recording;
    mock.last = NULL;
    return GPR_OK;
}

/* Side by side: the first call of each, then the second one of each, and so on. */
static inline gpr_status mock_replay(const gpri_device *device, gpri_recording *const *recordings, int64_t count) {
    const mock_call *next[GPRI_MOST_LANES];
    (void)device;
    assert_in_range(count, 1, GPRI_MOST_LANES);
    mock.replays++;
    if (count > mock.most_lanes) mock.most_lanes = count;
    for (int64_t i = 0; i < count; i++) next[i] = recordings[i]->first;
    while (next[0])
        for (int64_t i = 0; i < count; i++) {
            assert_non_null(next[i]);
            mock_run(next[i]);
            next[i] = next[i]->next;
        }
    return GPR_OK;
}

static inline void mock_forget(const gpri_device *device, gpr_ctx *ctx, gpri_recording *recording) {
    (void)device, (void)ctx;
    for (mock_call *call = recording->first, *next; call; call = next) {
        next = call->next;
        free(call);
    }
    free(recording);
}

static const gpri_device mock_device = {.name = "mock",
                                        .ops = &mock_ops,
                                        .tile = 0,
                                        .lag = 3,
                                        .lanes = 4,
                                        .alloc = mock_alloc,
                                        .free = mock_free,
                                        .put = mock_put,
                                        .get = mock_get,
                                        .check = mock_check,
                                        .fetch = mock_fetch,
                                        .share = mock_share,
                                        .unshare = mock_unshare,
                                        .begin = mock_begin,
                                        .end = mock_end,
                                        .replay = mock_replay,
                                        .forget = mock_forget};

/* A context of one thread that computes on the mock device. */
static inline gpr_ctx *mock_ctx(void) {
    gpr_ctx *ctx;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .cpu = "ref"};
    if (!mock.arena) {
        mock.arena = mmap(NULL, MOCK_ARENA, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        assert_true(mock.arena != MAP_FAILED);
    }
    assert_ok(gpr_ctx_new(&ctx, &options));
    ctx->job.device = &mock_device;
    return ctx;
}

#endif
