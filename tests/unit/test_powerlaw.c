/* gpr_powerlaw_save: bytes for any number of threads, what the options ask for, bad options, stops, little memory. */
#include <math.h>
#include <unistd.h>

#include "data/dataset.h"
#include "failing_memory.h"
#include "training.h"

typedef struct {
    char folder[64], path[96];
    gpr_ctx *ctx;
} scene;

static int set_up(void **state) {
    scene *s = calloc(1, sizeof *s);
    scratch_folder(s->folder);
    snprintf(s->path, sizeof s->path, "%s/graph.gpr", s->folder);
    s->ctx = new_ctx(2);
    *state = s;
    return 0;
}

static int tear_down(void **state) {
    scene *s = *state;
    unlink(s->path);
    assert_int_equal(rmdir(s->folder), 0); /* nothing else was left there */
    gpr_ctx_free(s->ctx);
    free(s);
    return 0;
}

/* More than one part in a community. */
static gpr_powerlaw_options usual(void) {
    gpr_powerlaw_options options;
    gpr_powerlaw_options_init(&options, sizeof options);
    options.nodes = 150001, options.edges = 900000, options.communities = 2, options.classes = 2, options.features = 5;
    return options;
}

static char *bytes_of(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void any_threads(void **state) {
    scene *s = *state;
    gpr_powerlaw_options options = usual();
    char *first = NULL;
    size_t size = 0, other;
    for (int threads = 1; threads <= 3; threads++) {
        gpr_ctx *ctx = new_ctx(threads);
        assert_ok(gpr_powerlaw_save(ctx, NULL, s->path, &options));
        char *bytes = bytes_of(s->path, &other);
        if (!first) first = bytes, size = other;
        assert_int_equal(size, other);
        assert_memory_equal(first, bytes, size);
        if (bytes != first) free(bytes);
        gpr_ctx_free(ctx);
    }
    options.seed = 2;
    assert_ok(gpr_powerlaw_save(s->ctx, NULL, s->path, &options));
    char *bytes = bytes_of(s->path, &other);
    assert_true(other != size || memcmp(bytes, first, size) != 0);
    free(bytes);
    free(first);
}

/* The file passes the check of .gpr files: rows ascend, every edge is there in both directions. */
static void as_asked(void **state) {
    scene *s = *state;
    gpr_powerlaw_options options = usual();
    gpr_convert_result made = {.struct_size = sizeof made};
    gpr_dataset_info info = {.struct_size = sizeof info};
    gpr_dataset *data;
    options.labelled = 0.25, options.inside = 0.5;
    assert_ok(gpr_powerlaw_save(s->ctx, &made, s->path, &options));
    assert_ok(gpr_dataset_open(s->ctx, &data, s->path, NULL));
    assert_ok(gpr_dataset_describe(s->ctx, data, &info));
    assert_int_equal(info.nodes, options.nodes);
    assert_int_equal(info.nodes, made.nodes);
    assert_int_equal(info.edges, made.edges);
    assert_int_equal(made.streamed, 1);
    assert_true(info.edges > 0.95 * (double)options.edges && info.edges <= options.edges);
    assert_int_equal(info.features, 5);
    assert_int_equal(info.classes, 2);
    assert_true(fabs((double)info.labelled / (double)info.nodes - 0.25) < 0.01);
    assert_true(fabs(info.edge_homophily - 0.75) < 0.02); /* half inside, and half of the others by chance */
    assert_true((double)info.max_degree > 50 * info.median_degree);
    /* the degrees of a power law: of nodes with degree d or more there are about d^-1.5 as many */
    int64_t above[2] = {0};
    for (int64_t i = 0; i < info.nodes; i++) {
        const int64_t degree = data->graph.rowptr[i + 1] - data->graph.rowptr[i];
        above[0] += degree >= 40, above[1] += degree >= 160;
    }
    const double slope = log((double)above[0] / (double)above[1]) / log(4);
    if (!(fabs(slope - 1.5) < 0.15)) fail_msg("slope %g: %d and %d nodes", slope, (int)above[0], (int)above[1]);
    double sums[2][5] = {{0}}; /* classes differ in their means by the signal */
    for (int64_t i = 0; i < info.nodes; i++)
        for (int c = 0; c < 5; c++) sums[i >= options.nodes / 2][c] += (double)data->features.dense[i * 5 + c];
    double apart = 0;
    for (int c = 0; c < 5; c++) apart += pow((sums[0][c] - sums[1][c]) / ((double)options.nodes / 2), 2);
    assert_true(sqrt(apart) > 0.1 && sqrt(apart) < 2);
    gpr_dataset_free(data);
}

static void small_ones(void **state) {
    scene *s = *state;
    gpr_powerlaw_options options = usual();
    gpr_dataset *data;
    options.nodes = 2, options.edges = 1, options.features = 1;
    assert_ok(gpr_powerlaw_save(s->ctx, NULL, s->path, &options));
    assert_ok(gpr_dataset_open(s->ctx, &data, s->path, NULL));
    assert_ok(gpr_dataset_check(s->ctx, data));
    gpr_dataset_free(data);
    options.edges = 0, options.inside = 1, options.exponent = 3.3;
    assert_ok(gpr_powerlaw_save(s->ctx, NULL, s->path, &options));
    options.nodes = 500, options.edges = 4000, options.communities = 500; /* a node each */
    assert_ok(gpr_powerlaw_save(s->ctx, NULL, s->path, &options));
    assert_ok(gpr_dataset_open(s->ctx, &data, s->path, NULL));
    assert_ok(gpr_dataset_check(s->ctx, data));
    gpr_dataset_free(data);
}

static void bad_options(void **state) {
    scene *s = *state;
    gpr_powerlaw_options o = usual();
#define BAD(change, part)                                                                     \
    do {                                                                                      \
        o = usual();                                                                          \
        change;                                                                               \
        assert_fails(gpr_powerlaw_save(s->ctx, NULL, s->path, &o), GPR_ERROR_ARGUMENT, part); \
    } while (0)
    BAD(o.nodes = 1, "nodes");
    BAD(o.nodes = (int64_t)1 << 31, "nodes");
    BAD(o.edges = -1, "edges");
    BAD((o.nodes = 10, o.edges = 26), "edges");
    BAD(o.features = 0, "features");
    BAD(o.classes = 1, "classes");
    BAD(o.communities = 1, "communities");
    BAD(o.communities = o.nodes + 1, "communities");
    BAD((o.nodes = 1000000, o.communities = 100000), "too many");
    BAD(o.exponent = 2, "exponent");
    BAD(o.exponent = NAN, "exponent");
    BAD(o.inside = 1.1, "inside");
    BAD(o.labelled = 0, "labelled");
    BAD(o.signal = -1, "signal");
    BAD(o.struct_size = 8, "struct_size");
    o = usual();
    assert_fails(gpr_powerlaw_save(s->ctx, NULL, "/nowhere/x.gpr", &o), GPR_ERROR_IO, "/nowhere");
    assert_int_equal(access(s->path, F_OK), -1);
}

static int stop_after(void *user, const gpr_convert_progress *progress) {
    assert_non_null(progress->stage);
    return --*(int *)user == 0;
}

static void stops(void **state) {
    scene *s = *state;
    gpr_powerlaw_options options = usual();
    int calls;
    options.progress = stop_after;
    options.user = &calls;
    for (int at = 1; at <= 5; at++) {
        calls = at;
        assert_fails(gpr_powerlaw_save(s->ctx, NULL, s->path, &options), GPR_ERROR_STOPPED, "stopped");
        assert_int_equal(access(s->path, F_OK), -1);
    }
}

static gpr_status save_some(gpr_ctx *ctx, void *arg) {
    gpr_powerlaw_options options = usual();
    options.nodes = 400, options.edges = 2000;
    return gpr_powerlaw_save(ctx, NULL, arg, &options);
}

static void little_memory(void **state) {
    scene *s = *state;
    fail_every_allocation(save_some, s->path);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(any_threads, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(as_asked, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(small_ones, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(bad_options, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(stops, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(little_memory, set_up, tear_down)};
    return cmocka_run_group_tests_name("powerlaw", tests, NULL, NULL);
}
