/* gpr_convert: the bytes are those of reading and saving, in whatever memory; and that memory is bounded. */
#include "base/random.h"
#include "bounded_memory.h"
#include "failing_memory.h"
#include "file/file.h"
#include "io/mapped/mapped.h"
#include "text_files.h"

static int set_up(void **state) {
    const int code = text_setup(state);
    text_fixture *f = *state;
    folder_files(f->folder, true);
    folder_make_fast(f->folder);
    snprintf(f->path, sizeof f->path, "%s/file.txt", f->folder);
    return code;
}

#define CONVERT_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, text_teardown)

static const char *at(const text_fixture *f, const char *name) {
    static char paths[4][256];
    static int turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", f->folder, name);
    return path;
}

static void assert_same_file(gpr_ctx *ctx, const char *a, const char *b) {
    char *left, *right;
    int64_t left_size, right_size;
    assert_ok(gpri_read_whole(ctx, &left, &left_size, a, INT64_MAX));
    assert_ok(gpri_read_whole(ctx, &right, &right_size, b, INT64_MAX));
    assert_int_equal(left_size, right_size);
    assert_memory_equal(left, right, (size_t)left_size);
    gpri_free(ctx, left);
    gpri_free(ctx, right);
}

/* Reads and saves; converts; compares. */
static gpr_convert_result compare(const text_fixture *f, const gpr_open_options *in, bool streamed) {
    gpr_dataset *data;
    gpr_dataset_info info = {.struct_size = sizeof info};
    gpr_convert_options options = {.struct_size = sizeof options, .memory = 1 << 20};
    gpr_convert_result result = {.struct_size = sizeof result};
    assert_ok(gpr_dataset_open_with(f->ctx, &data, in));
    assert_ok(gpr_dataset_save(f->ctx, data, at(f, "saved.gpr")));
    assert_ok(gpr_dataset_describe(f->ctx, data, &info));
    gpr_dataset_free(data);
    assert_ok(gpr_convert(f->ctx, &result, in, at(f, "converted.gpr"), &options));
    assert_int_equal(result.streamed, streamed);
    assert_same_file(f->ctx, at(f, "saved.gpr"), at(f, "converted.gpr"));
    assert_int_equal(result.nodes, info.nodes);
    assert_int_equal(result.edges, info.edges);
    assert_int_equal(result.features, info.features);
    assert_int_equal(result.classes, info.classes);
    assert_string_equal(result.fingerprint, info.fingerprint);
    assert_ok(gpr_dataset_open(f->ctx, &data, at(f, "converted.gpr"), NULL));
    assert_int_equal(result.bytes, ((const gpri_mapped *)data->backing.file)->mapping.size);
    assert_ok(gpri_dataset_ready(f->ctx, data));
    gpr_dataset_free(data);
    return result;
}

static gpr_open_options data_of(const char *path) {
    return (gpr_open_options){.struct_size = sizeof(gpr_open_options), .data = path};
}

/* Every way in which a text can name its nodes and give weights to its edges. */
static void kinds_of_text(void **state) {
    text_fixture *f = *state;
    static const char *const texts[] = {
        "0 1\n1 2\n2 0\n0 1\n3 3\n",                /* numbers, a duplicate, a loop */
        "0 1 0.5\n1 2 2\n1 0 3\n",                  /* weights */
        "0 1 1\n1 2 1.0\n",                         /* weights that are all 1 */
        "0 0 2\n1 1 3\n",                           /* loops only, with weights */
        "source,target\nann,bob\nbob,cy\ncy,ann\n", /* names */
        "1000000007 5\n5 12\n12 1000000007\n",      /* numbers that turn out to be names at the end */
        "0 1\n1 2\n2 99999999999\n0 2\n",           /* the same, in the middle */
        "# comment\n\n0\t1\n\"1\"\t2\n",            /* not plain */
        "src,dst,weight\n0,1,2\n1,2,2\n",           /* a header */
        "%%MatrixMarket matrix coordinate pattern general\n4 4 2\n1 2\n3 1\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const gpr_open_options in = data_of(f->path);
        write_text(f, texts[i]);
        compare(f, &in, true);
        write_gzip(f, texts[i]);
        compare(f, &in, true);
    }
}

/* A text of `count` edges at `nodes` nodes; from: the first id. */
static char *draw_text(int64_t nodes, int64_t count, int64_t from, bool weighted) {
    const gpri_random stream = gpri_random_of(5, GPRI_RANDOM_TEST, 0, 0);
    char *text = malloc((size_t)count * 40 + 1), *end = text;
    assert_non_null(text);
    for (int64_t e = 0; e < count; e++) {
        const uint64_t k = 3 * (uint64_t)e;
        const int64_t s = e % 8 == 0 ? 0 : (int64_t)gpri_uniform_below(stream, k, (uint64_t)nodes);
        const int64_t d = (int64_t)gpri_uniform_below(stream, k + 1, (uint64_t)nodes);
        end += sprintf(end, "%lld %lld", (long long)(from + s), (long long)(from + d));
        if (weighted) end += sprintf(end, " %d", (int)gpri_uniform_below(stream, k + 2, 9) + 1);
        *end++ = '\n';
    }
    *end = 0;
    return text;
}

/* Several ranges of rows, in the least memory that is allowed; one row, a hub, fits no range. */
static void many_edges(void **state) {
    text_fixture *f = *state;
    for (int k = 0; k < 3; k++) {
        char *text = draw_text(3000, 250000, k == 1 ? 2000000000 : 0, k == 2);
        const gpr_open_options in = data_of(f->path);
        write_text(f, text);
        const gpr_convert_result result = compare(f, &in, true);
        assert_int_equal(result.nodes, 3000);
        free(text);
    }
}

/* A table of edges with features and labels of nodes; and data that is not a text. */
static void other_data(void **state) {
    text_fixture *f = *state;
    char nodes[256], features[256];
    write_text(f, "id,year,kind,class\nann,1990,a,x\nbob,2000,b,y\ncy,2010,a,x\n");
    snprintf(nodes, sizeof nodes, "%s", at(f, "nodes.csv"));
    assert_int_equal(rename(f->path, nodes), 0);
    write_text(f, "1 0.5\n2 0.25\n3 1\n");
    snprintf(features, sizeof features, "%s", at(f, "features.txt"));
    assert_int_equal(rename(f->path, features), 0);
    write_text(f, "ann,bob\ncy,bob\n");
    gpr_open_options in = {.struct_size = sizeof in, .edges = f->path, .nodes = nodes, .label = "class"};
    gpr_convert_result result = compare(f, &in, true);
    assert_int_equal(result.features, 3); /* year, kind=a, kind=b */
    assert_int_equal(result.classes, 2);
    write_text(f, "0,1\n1,2\n");
    in = (gpr_open_options){.struct_size = sizeof in, .data = f->path, .features = features};
    result = compare(f, &in, true);
    assert_int_equal(result.features, 2);
    in = data_of("csbm:n=50,f=5,phi=0.5");
    compare(f, &in, false);
    in = data_of(at(f, "saved.gpr"));
    char path[256];
    snprintf(path, sizeof path, "%s", in.data);
    in.data = path;
    compare(f, &in, false); /* onto itself */
    in.features = features; /* a mapped graph with other features */
    assert_fails(gpr_convert(f->ctx, NULL, &in, at(f, "x.gpr"), NULL), GPR_ERROR_MISMATCH, "3 rows of features");
}

/* With a limit below the size of the edges: the same bytes; but reading all edges into memory fails. */
static void bounded(void **state) {
    enum { NODES = 2000, LIMIT = 3 << 20 };
    text_fixture *f = *state;
    bounded_memory memory = {0};
    gpr_ctx *ctx = bounded_ctx(&memory);
    char *text = draw_text(NODES, 300000, 0, true);
    const gpr_open_options in = data_of(f->path);
    gpr_convert_options options = {.struct_size = sizeof options, .memory = 1 << 20};
    gpr_dataset *data;
    write_text(f, text);
    memory.limit = LIMIT;
    assert_ok(gpr_convert(ctx, NULL, &in, at(f, "converted.gpr"), &options));
    print_message("peak %.1f MB, limit %.1f MB\n", (double)memory.peak / 1e6, LIMIT / 1e6);
    assert_fails(gpr_dataset_open_with(ctx, &data, &in), GPR_ERROR_MEMORY, "out of memory");
    gpr_ctx_free(ctx);
    assert_int_equal(memory.held, 0);
    compare(f, &in, true);
    free(text);
}

/* ---- Failures ------------------------------------------------------------------------------------- */

typedef struct {
    int64_t left; /* calls until it asks to stop */
    char stages[256];
    double share;
} listener;

static int listen(void *user, const gpr_convert_progress *progress) {
    listener *l = user;
    assert_int_equal(progress->struct_size, sizeof *progress);
    assert_true(progress->share <= 1);
    if (!strstr(l->stages, progress->stage)) {
        strcat(l->stages, progress->stage);
        strcat(l->stages, " ");
    }
    l->share = progress->share;
    return l->left-- <= 0;
}

static void stopped(void **state) {
    text_fixture *f = *state;
    char *text = draw_text(500, 100000, 0, true);
    write_text(f, text);
    const gpr_open_options inputs[] = {data_of(f->path), data_of("csbm:n=50,f=5,phi=0.5"),
                                       data_of("csbm:n=50,f=5,phi=0.5")};
    const char *const stages[] = {"reading sorting ", "reading writing ", "reading writing "};
    const char *const outputs[] = {"out.gpr", "out.gpr", "out.npz"};
    for (int i = 0; i < 3; i++) {
        gpr_status status = GPR_ERROR_STOPPED;
        listener l = {0};
        for (int64_t calls = 0; status == GPR_ERROR_STOPPED; calls++) {
            l = (listener){.left = calls};
            gpr_convert_options options = {
                .struct_size = sizeof options, .memory = 1 << 20, .progress = listen, .user = &l};
            status = gpr_convert(f->ctx, NULL, &inputs[i], at(f, outputs[i]), &options);
            assert_int_equal(folder_files(f->folder, false), status == GPR_ERROR_STOPPED ? 1 : 2);
            if (status == GPR_ERROR_STOPPED) assert_string_equal(gpr_last_error(), "stopped by the caller");
        }
        assert_ok(status);
        assert_string_equal(l.stages, stages[i]);
        assert_int_equal(unlink(at(f, outputs[i])), 0);
    }
    free(text);
}

static void wrong_calls(void **state) {
    text_fixture *f = *state;
    write_text(f, "0 1\n1 2\n");
    gpr_open_options in = data_of(f->path), none = {.struct_size = sizeof none}, small = data_of(f->path);
    gpr_convert_options options = {.struct_size = sizeof options};
    gpr_convert_result result = {.struct_size = 3};
    const char *out = at(f, "out.gpr");
    assert_fails(gpr_convert(NULL, NULL, &in, out, NULL), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_convert(f->ctx, NULL, NULL, out, NULL), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_convert(f->ctx, NULL, &in, NULL, NULL), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_convert(f->ctx, &result, &in, out, NULL), GPR_ERROR_ARGUMENT, "gpr_convert_result");
    assert_fails(gpr_convert(f->ctx, NULL, &none, out, NULL), GPR_ERROR_ARGUMENT, "no data");
    small.struct_size = 8;
    assert_fails(gpr_convert(f->ctx, NULL, &small, out, NULL), GPR_ERROR_ARGUMENT, "gpr_open_options");
    options.memory = 1000;
    assert_fails(gpr_convert(f->ctx, NULL, &in, out, &options), GPR_ERROR_ARGUMENT, "memory is 1000 bytes");
    options.memory = -1;
    assert_fails(gpr_convert(f->ctx, NULL, &in, out, &options), GPR_ERROR_ARGUMENT, "memory is -1 bytes");
    options.memory = 0;
    options.struct_size = 1;
    assert_fails(gpr_convert(f->ctx, NULL, &in, out, &options), GPR_ERROR_ARGUMENT, "gpr_convert_options");
    options.struct_size = sizeof options;
    options.to = "csv";
    assert_fails(gpr_convert(f->ctx, NULL, &in, out, &options), GPR_ERROR_ARGUMENT, "npz or gpr");
    assert_fails(gpr_convert(f->ctx, NULL, &in, at(f, "out.txt"), NULL), GPR_ERROR_ARGUMENT, ".npz or .gpr");
    assert_fails(gpr_convert(f->ctx, NULL, &in, "/none/out.gpr", NULL), GPR_ERROR_IO, "/none/out.gpr");
    write_text(f, "0 1\n1 x\n");
    assert_fails(gpr_convert(f->ctx, NULL, &in, out, NULL), GPR_ERROR_FORMAT, "file.txt:2: 'x' is not a whole number");
    write_text(f, "0 1 1\n1 2 -1\n");
    assert_fails(gpr_convert(f->ctx, NULL, &in, out, NULL), GPR_ERROR_FORMAT, "file.txt:2: weight -1");
    in.data = at(f, "none.txt");
    assert_fails(gpr_convert(f->ctx, NULL, &in, out, NULL), GPR_ERROR_NOT_FOUND, "none.txt");
    assert_int_equal(folder_files(f->folder, false), 1);
    write_text(f, "0 1\n1 2\n");
    in.data = f->path;
    options.to = "npz"; /* whatever the name says */
    result.struct_size = sizeof result;
    assert_ok(gpr_convert(f->ctx, &result, &in, out, &options));
    assert_int_equal(result.streamed, 0);
    in = data_of(out);
    in.format = "npz";
    options.to = "gpr";
    assert_ok(gpr_convert(f->ctx, &result, &in, at(f, "back.txt"), &options));
    assert_int_equal(result.edges, 2);
}

static gpr_status convert_once(gpr_ctx *ctx, void *arg) {
    const text_fixture *f = arg;
    const gpr_open_options in = data_of(f->path);
    const gpr_convert_options options = {.struct_size = sizeof options, .memory = 1 << 20};
    return gpr_convert(ctx, NULL, &in, at(f, "out.gpr"), &options);
}

static void little_memory(void **state) {
    text_fixture *f = *state;
    write_text(f, "1000000007 5 1\n5 12 2\n12 1000000007 3\n");
    fail_every_allocation(convert_once, f);
    assert_int_equal(folder_files(f->folder, false), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CONVERT_TEST(kinds_of_text), CONVERT_TEST(many_edges),  CONVERT_TEST(other_data),    CONVERT_TEST(bounded),
        CONVERT_TEST(stopped),       CONVERT_TEST(wrong_calls), CONVERT_TEST(little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
