/* base/budget.c: what a context holds is counted, and reading stays within a budget. Small files that declare a lot are
 * refused before memory is taken: one of every format. */
#include <stdatomic.h>
#include <zlib.h>

#include "base/budget.h"
#include "base/thread.h"
#include "bounded_memory.h"
#include "mapped_seal.h"
#include "pickle_maker.h"
#include "training.h"

#define MEGABYTE ((int64_t)1 << 20)
#define MANY 300000000  /* nodes: 7.2 GB */
#define MOST 2147483646 /* columns */

/* ---- The budget ----------------------------------------------------------------------------------- */

static void test_held(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    char *a, *b = NULL;
    int64_t capacity = 0;
    const int64_t before = atomic_load(&ctx->held);
    assert_ok(gpri_alloc(ctx, &a, 1000, 3, "a"));
    assert_ok(gpri_grow(ctx, &b, &capacity, 100, 1, "b"));
    assert_ok(gpri_grow(ctx, &b, &capacity, 200, 1, "b")); /* 256: it doubles */
    assert_int_equal(atomic_load(&ctx->held), before + 3000 + capacity);
    gpri_free(ctx, a);
    gpri_free(ctx, b);
    gpri_free(ctx, NULL);
    assert_int_equal(atomic_load(&ctx->held), before);
    gpr_ctx_free(ctx);
}

static void test_limit(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    char *a, *b;
    assert_ok(gpri_alloc(ctx, &a, MEGABYTE, 1, "what was there before"));
    const int64_t held = atomic_load(&ctx->held);
    const gpri_budget before = gpri_budget_begin(ctx, 2 * MEGABYTE, true);
    assert_fails(gpri_alloc(ctx, &b, 2 * MEGABYTE + 1, 1, "a table"), GPR_ERROR_MEMORY,
                 "a table needs 2.1 MB: reading has taken 0 bytes and may take 2.1 MB; give `memory`");
    assert_null(b);
    assert_int_equal(atomic_load(&ctx->held), held);
    assert_ok(gpri_alloc(ctx, &b, 2 * MEGABYTE, 1, "a table"));
    gpri_free(ctx, b);
    assert_ok(gpri_alloc(ctx, &b, 2 * MEGABYTE, 1, "a table")); /* what was freed counts no more */
    gpri_budget_end(ctx, before);
    gpri_free(ctx, a);
    assert_ok(gpri_alloc(ctx, &a, 4 * MEGABYTE, 1, "no limit"));
    gpri_free(ctx, a);
    gpri_free(ctx, b);
    gpr_ctx_free(ctx);
}

/* Every chunk takes and frees; at most LIMIT blocks fit at a time. */
enum { BLOCK = 4096, CHUNKS = 20000, LIMIT = 3 };

typedef struct {
    gpr_ctx *ctx;
    _Atomic int64_t refused, present, most;
} crowd;

static void take_and_free(void *arg, int64_t chunk, int slot) {
    crowd *all = arg;
    char *block;
    (void)chunk;
    (void)slot;
    if (gpri_alloc(all->ctx, &block, BLOCK, 1, "block") != GPR_OK) {
        atomic_fetch_add(&all->refused, 1);
        return;
    }
    const int64_t now = atomic_fetch_add(&all->present, 1) + 1;
    int64_t most = atomic_load(&all->most);
    while (now > most && !atomic_compare_exchange_weak(&all->most, &most, now)) continue;
    atomic_fetch_sub(&all->present, 1);
    gpri_free(all->ctx, block);
}

static void test_threads(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(8);
    crowd all = {.ctx = ctx};
    gpri_parallel(ctx, 8, CHUNKS, take_and_free, &all); /* starts the threads */
    const int64_t held = atomic_load(&ctx->held);
    const gpri_budget before = gpri_budget_begin(ctx, LIMIT * BLOCK, true);
    gpri_parallel(ctx, 8, CHUNKS, take_and_free, &all);
    gpri_budget_end(ctx, before);
    assert_int_equal(atomic_load(&ctx->held), held);
    all.most = 0;
    const gpri_budget again = gpri_budget_begin(ctx, LIMIT * BLOCK, true);
    gpri_parallel(ctx, 8, CHUNKS, take_and_free, &all);
    gpri_budget_end(ctx, again);
    assert_in_range(all.most, 1, LIMIT);
    gpr_ctx_free(ctx);
}

static void test_usual(void **state) {
    (void)state;
    assert_true(gpri_machine_memory() > MEGABYTE);
    assert_true(gpri_budget_of(0) > gpri_machine_memory() / 2 && gpri_budget_of(0) < gpri_machine_memory());
    assert_int_equal(gpri_budget_of(5), 5);
    assert_ok(gpri_budget_check(0));
    assert_ok(gpri_budget_check(MEGABYTE));
    assert_fails(gpri_budget_check(MEGABYTE - 1), GPR_ERROR_ARGUMENT, "at least 1048576");
    assert_fails(gpri_budget_check(-1), GPR_ERROR_ARGUMENT, "memory is -1 bytes");
}

static void test_declared(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    assert_ok(gpri_budget_declared(ctx, "x", "nodes", GPRI_DECLARED_FREE, 24, 0));
    assert_fails(gpri_budget_declared(ctx, "x", "nodes", GPRI_DECLARED_FREE + 1, 24, 62499), GPR_ERROR_FORMAT,
                 "x: 1000001 nodes in 62499 bytes: they would take 24.0 MB or more");
    assert_ok(gpri_budget_declared(ctx, "x", "nodes", GPRI_DECLARED_FREE + 1, 24, 62500));
    assert_ok(gpri_budget_declared(ctx, "x", "nodes", MOST, 24, -1)); /* a pipe, and no limit */
    const gpri_budget before = gpri_budget_begin(ctx, 1000 * MEGABYTE, true);
    assert_ok(gpri_budget_declared(ctx, "x", "nodes", 1000 * MEGABYTE / 24, 24, 10)); /* the caller has set it */
    assert_fails(gpri_budget_declared(ctx, "x", "nodes", 1000 * MEGABYTE / 24 + 2, 24, 10), GPR_ERROR_MEMORY,
                 "would take 1.0 GB or more, and reading may take 1.0 GB; give `memory`");
    gpri_budget_end(ctx, before);
    gpr_ctx_free(ctx);
}

/* ---- One hostile file per format ------------------------------------------------------------------ */

/* The options, and what must be said, before much memory is taken. */
static void refused(const gpr_open_options *options, gpr_status status, const char *part) {
    bounded_memory memory = {.limit = (int64_t)1 << 40};
    gpr_ctx *ctx = bounded_ctx(&memory);
    gpr_dataset *data;
    assert_fails(gpr_dataset_open_with(ctx, &data, options), status, part);
    assert_null(data);
    gpr_ctx_free(ctx);
    assert_int_equal(memory.held, 0);
    assert_in_range(memory.peak, 1, 64 * MEGABYTE);
}

static void refused_data(const char *path, const char *part) {
    const gpr_open_options options = {.struct_size = sizeof options, .data = path};
    refused(&options, GPR_ERROR_FORMAT, part);
}

static void make_coo(raw_fixture *f, const char *name, int64_t rows, int64_t cols) {
    maker m = {0};
    const int64_t shape[] = {rows, cols};
    const int32_t row[] = {0, 1}, col[] = {1, 0};
    const uint32_t form[] = {'c', 'o', 'o'};
    const float one[] = {1, 1};
    make_array(&m, "shape", "<i8", "(2,)", shape, sizeof shape);
    make_array(&m, "format", "<U3", "()", form, sizeof form);
    make_array(&m, "row", "<i4", "(2,)", row, sizeof row);
    make_array(&m, "col", "<i4", "(2,)", col, sizeof col);
    make_array(&m, "data", "<f4", "(2,)", one, sizeof one);
    make_file(&m, raw_path(f, name), 0);
}

/* Two nodes, one edge, features as CSR. */
static void make_attr(raw_fixture *f, const char *name, int64_t cols) {
    maker m = {0};
    const int64_t two[] = {2, 2}, ptr[] = {0, 1, 2}, attr[] = {2, cols}, labels[] = {0, 1};
    const int32_t other[] = {1, 0}, column[] = {0, 1};
    make_array(&m, "adj_shape", "<i8", "(2,)", two, sizeof two);
    make_array(&m, "adj_indptr", "<i8", "(3,)", ptr, sizeof ptr);
    make_array(&m, "adj_indices", "<i4", "(2,)", other, sizeof other);
    make_array(&m, "attr_shape", "<i8", "(2,)", attr, sizeof attr);
    make_array(&m, "attr_indptr", "<i8", "(3,)", ptr, sizeof ptr);
    make_array(&m, "attr_indices", "<i4", "(2,)", column, sizeof column);
    make_array(&m, "labels", "<i8", "(2,)", labels, sizeof labels);
    make_file(&m, raw_path(f, name), 0);
}

static void test_npz(void **state) {
    raw_fixture *f = *state;
    make_coo(f, "a.npz", MANY, MANY);
    refused_data(f->path, "300000000 nodes in 874 bytes: they would take 7.2 GB or more");
    make_attr(f, "b.npz", MOST);
    refused_data(f->path, "2147483646 columns in 1");
}

/* Features of their own: rows and columns of scipy's matrix; rows of an array without columns. */
static void test_features(void **state) {
    raw_fixture *f = *state;
    char edges[256];
    snprintf(edges, sizeof edges, "%s", raw_path(f, "g.edges"));
    write_text(edges, "0 1\n");
    const char *const files[] = {"rows.npz", "cols.npz", "none.npy", "none.npz", "x.svm"};
    const char *const parts[] = {"300000000 rows in", "2147483646 columns in", "300000000 rows in 0 bytes",
                                 "300000000 rows in 0 bytes", "300000000 columns in 14 bytes"};
    make_coo(f, files[0], MANY, 5);
    make_coo(f, files[1], 2, MOST);
    maker m = {0};
    make_array(&m, "x", "<f4", "(300000000, 0)", "", 0);
    write_bytes(raw_path(f, files[2]), m.bytes + 30 + strlen("x.npy"), m.size - 30 - strlen("x.npy"));
    make_file(&m, raw_path(f, files[3]), 0);
    write_text(raw_path(f, files[4]), "1 300000000:1\n");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const gpr_open_options options = {
            .struct_size = sizeof options, .data = edges, .features = raw_path(f, files[i])};
        refused(&options, GPR_ERROR_FORMAT, parts[i]);
    }
}

static void test_texts(void **state) {
    raw_fixture *f = *state;
    write_text(raw_path(f, "a.mtx"), "%%MatrixMarket matrix coordinate pattern general\n300000000 300000000 1\n1 2\n");
    refused_data(f->path, "300000000 nodes in 75 bytes");

    mkdir(raw_path(f, "geom"), 0700);
    write_text(raw_path(f, "geom/out1_node_feature_label.txt"),
               "node_id\tfeature(feature_amount:300000000)\tlabel\n0\t1\t0\n");
    write_text(raw_path(f, "geom/out1_graph_edges.txt"), "node_id\tnode_id\n0\t0\n");
    refused_data(raw_path(f, "geom"), "300000001 features, by feature_amount, in 54 bytes");

    mkdir(raw_path(f, "ogb"), 0700);
    write_text(raw_path(f, "ogb/num-node-list.csv"), "300000000\n");
    write_text(raw_path(f, "ogb/edge.csv"), "0,1\n");
    refused_data(raw_path(f, "ogb"), "300000000 nodes in 4 bytes");

    /* a huge id: the ids are names */
    bounded_memory memory = {.limit = 0};
    gpr_ctx *ctx = bounded_ctx(&memory);
    gpr_dataset *data;
    write_text(raw_path(f, "huge.edges"), "0 2000000000\n");
    assert_ok(gpr_dataset_open(ctx, &data, f->path, NULL));
    assert_int_equal(gpr_dataset_nodes(data), 2);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    assert_in_range(memory.peak, 1, 10 * MEGABYTE);
}

/* A packed line of 930 MB would take three times as much. */
static void test_packed_line(void **state) {
    raw_fixture *f = *state;
    enum { PIECE = 1 << 20, PIECES = 930 };
    char *piece = malloc(PIECE);
    assert_non_null(piece);
    memset(piece, '1', PIECE);
    gzFile file = gzopen(raw_path(f, "line.edges"), "wb9");
    for (int i = 0; i < PIECES; i++) assert_int_equal(gzwrite(file, piece, PIECE), PIECE);
    assert_int_equal(gzclose(file), Z_OK);
    free(piece);
    refused_data(f->path, "letters in line 1 in 94");
}

static void test_planetoid(void **state) {
    raw_fixture *f = *state;
    const int32_t ptr[] = {0, 1, 1}, index[] = {0};
    const float value[] = {1};
    pickle p = pickle_begin();
    op_csr(&p, 2, MOST, ptr, index, value);
    pickle_write(&p, raw_path(f, "ind.small.allx"));
    refused_data(raw_path(f, "ind.small"), "ind.small.allx: 2147483646 columns in");
}

static void test_mapped(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data;
    gpri_mapped_header header;
    assert_ok(gpr_dataset_open(f->ctx, &data, "csbm:n=20,f=4,phi=0.5", NULL));
    gpri_dataset_drop_features(data);
    assert_ok(gpri_calloc(f->ctx, &data->features.rowptr, 21, sizeof *data->features.rowptr, "rows"));
    data->features.rows = 20;
    data->features.cols = MOST;
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "wide.gpr")));
    gpr_dataset_free(data);
    FILE *file = fopen(f->path, "rb");
    assert_int_equal(fread(&header, sizeof header, 1, file), 1);
    fclose(file);
    assert_int_equal(header.features, MOST);
    refused_data(f->path, "2147483646 features in");
}

/* ---- With a budget of the caller ------------------------------------------------------------------ */

static void test_given(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data;
    make_coo(f, "a.npz", 2000000, 2000000);
    gpr_open_options options = {.struct_size = sizeof options, .data = f->path};
    refused(&options, GPR_ERROR_FORMAT, "2000000 nodes in");
    options.memory = 200 * MEGABYTE;
    assert_ok(gpr_dataset_open_with(f->ctx, &data, &options));
    assert_int_equal(gpr_dataset_nodes(data), 2000000);
    gpr_dataset_free(data);
    options.memory = 20 * MEGABYTE;
    refused(&options, GPR_ERROR_MEMORY, "2000000 nodes would take 48.0 MB or more, and reading may take 21.0 MB");
    options.memory = 1000;
    assert_fails(gpr_dataset_open_with(f->ctx, &data, &options), GPR_ERROR_ARGUMENT, "at least 1048576");

    /* nothing declared, but much to hold */
    FILE *file = fopen(raw_path(f, "much.edges"), "w");
    for (int i = 0; i < 400000; i++) fputs("0 1\n", file);
    assert_int_equal(fclose(file), 0);
    options = (gpr_open_options){.struct_size = sizeof options, .data = f->path, .memory = 2 * MEGABYTE};
    refused(&options, GPR_ERROR_MEMORY, "text of a file needs 2.1 MB: reading has taken");
    assert_non_null(strstr(gpr_last_error(), "and may take 2.1 MB; give `memory`"));
}

/* The memory of a conversion is for the edges. It can raise the budget of reading, and never lowers it. */
static void test_convert(void **state) {
    raw_fixture *f = *state;
    char out[256];
    snprintf(out, sizeof out, "%s", raw_path(f, "out.gpr"));
    make_coo(f, "a.npz", 2000000, 2000000);
    gpr_open_options in = {.struct_size = sizeof in, .data = f->path};
    gpr_convert_options how = {.struct_size = sizeof how};
    assert_fails(gpr_convert(f->ctx, NULL, &in, out, &how), GPR_ERROR_FORMAT, "2000000 nodes in");
    how.memory = MEGABYTE;
    assert_ok(gpr_convert(f->ctx, NULL, &in, out, &how));
    in.memory = 20 * MEGABYTE;
    assert_fails(gpr_convert(f->ctx, NULL, &in, out, &how), GPR_ERROR_MEMORY, "reading may take");
}

/* ---- Weights -------------------------------------------------------------------------------------- */

/* 2^31 - 2 columns: the weights alone would take terabytes. Nothing of that size is tried. */
static void test_weights(void **state) {
    (void)state;
    enum { NODES = 6 };
    static const int64_t src[] = {0, 1, 2, 3, 4}, dst[] = {1, 2, 3, 4, 5}, indptr[] = {0, 1, 2, 3, 4, 5, 6};
    static const int32_t indices[] = {0, 1, 0, 1, 0, MOST - 1}, labels[] = {0, 1, 0, 1, 0, 1};
    bounded_memory memory = {.limit = (int64_t)1 << 40};
    gpr_ctx *ctx = bounded_ctx(&memory);
    gpr_dataset *data;
    const gpr_dataset_desc desc = {.struct_size = sizeof desc,
                                   .name = "wide",
                                   .nodes = NODES,
                                   .edges = NODES - 1,
                                   .src = src,
                                   .dst = dst,
                                   .features = MOST,
                                   .indptr = indptr,
                                   .indices = indices,
                                   .labels = labels};
    char words[MOST_MODELS][16];
    const int models = model_words(words);
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    for (int i = 0; i < models; i++) {
        const training t = try_training(ctx, data, OPTIONS("model", words[i], "split", "50/25/25"));
        assert_fails(t.status, GPR_ERROR_MEMORY, "for 2147483646 features and 2 classes: training would take");
        assert_non_null(strstr(gpr_last_error(), "give `memory`"));
    }
    assert_in_range(memory.peak, 1, 2 * MEGABYTE);
    gpr_dataset_free(data);

    /* the budget that the data was read with */
    assert_ok(gpr_dataset_open_with(ctx, &data,
                                    &(gpr_open_options){.struct_size = sizeof(gpr_open_options),
                                                        .data = "csbm:n=40,f=2000,phi=0.5",
                                                        .memory = 2 * MEGABYTE}));
    training t = try_training(ctx, data, OPTIONS("hidden", "64", "epochs", "1"));
    assert_fails(t.status, GPR_ERROR_MEMORY, "the model has 128");
    t = train(ctx, data, OPTIONS("hidden", "16", "epochs", "1"));
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_held),     cmocka_unit_test(test_limit),
                                       cmocka_unit_test(test_threads),  cmocka_unit_test(test_usual),
                                       cmocka_unit_test(test_declared), RAW_TEST(test_npz),
                                       RAW_TEST(test_features),         RAW_TEST(test_texts),
                                       RAW_TEST(test_packed_line),      RAW_TEST(test_planetoid),
                                       RAW_TEST(test_mapped),           RAW_TEST(test_given),
                                       RAW_TEST(test_convert),          cmocka_unit_test(test_weights)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
