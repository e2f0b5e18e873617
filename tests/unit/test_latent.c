/* io/latent.c, io/text/latent_*.c: Geom-GCN's relations, points from files, and what does not fit the graph. */
#include <math.h>

#include "data/dataset.h"
#include "failing_memory.h"
#include "io/latent.h"
#include "io/numpy/npy.h"
#include "some_graphs.h"
#include "text_files.h"

#define HEADER "node1,node2\tspace\trelation_type\n"
/* of the path 0 - 1 - 2, and one latent pair in one direction; 0,1 is a neighbour in both spaces */
#define PATH "0,1\tgraph\t0\n0,1\tlatent_space\t2\n1,0\tgraph\t3\n1,2\tgraph\t1\n2,0\tlatent_space\t1\n2,1\tgraph\t2\n"

/* the same in another order */
#define WINDOWS                                                                                    \
    "0,1\tgraph\t0\r\n2,1\tgraph\t2\r\n1,0\tgraph\t3\r\n0,1\tlatent_space\t2\r\n1,2\tgraph\t1\r\n" \
    "2,0\tlatent_space\t1"

static gpr_status open_latent(const text_fixture *f, gpri_relations *out) {
    gpri_graph graph = path_graph(f->ctx, 3);
    gpr_status status = gpri_latent_open(f->ctx, out, &graph, f->path);
    gpri_graph_free(f->ctx, &graph);
    return status;
}

static void assert_path(const gpri_relations *r) {
    static const int from[][3] = {{0, 1, 6}, {1, 0, 3}, {1, 2, 1}, {2, 0, 5}, {2, 1, 2}}; /* from, to, division */
    int64_t arcs = 0;
    for (int d = 0; d < GPRI_ITSELF; d++) arcs += r->from[d].arcs;
    assert_int_equal(arcs, 5);
    for (int k = 0; k < 5; k++) {
        const gpri_graph *into = &r->from[from[k][2]], *out = &r->to[from[k][2]];
        assert_int_equal(into->arcs, 1);
        assert_int_equal(into->rowptr[from[k][1] + 1] - into->rowptr[from[k][1]], 1);
        assert_int_equal(into->column[0], from[k][0]);
        assert_int_equal(out->rowptr[from[k][0] + 1] - out->rowptr[from[k][0]], 1);
        assert_int_equal(out->column[0], from[k][1]);
    }
    assert_true(fabs(r->scale[0] - 1 / sqrt(3)) < 1e-15); /* itself, 1, 2 */
    assert_true(fabs(r->scale[1] - 1 / sqrt(3)) < 1e-15);
    assert_true(fabs(r->scale[2] - 1 / sqrt(2)) < 1e-15);
}

static void test_relations(void **state) {
    const text_fixture *f = *state;
    const char *texts[] = {HEADER PATH, PATH, HEADER "# a comment\n\n" PATH, WINDOWS};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (int packed = 0; packed < 2; packed++) {
            gpri_relations r;
            if (packed) write_gzip(f, texts[k]);
            else write_text(f, texts[k]);
            assert_ok(open_latent(f, &r));
            assert_path(&r);
            gpri_relations_free(f->ctx, &r);
        }
}

static void test_wrong_relations(void **state) {
    const text_fixture *f = *state;
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {HEADER, "no relation in it"},
        {HEADER "0,1\tgraph\n", ":2: 2 fields: expected three"},
        {HEADER "0,1\tgraph\t0\t0\n", ":2: 4 fields: expected three"},
        {HEADER PATH "0\tgraph\t0\n", ":8: '' is not a node: expected two whole numbers"},
        {HEADER PATH "a,1\tgraph\t0\n", ":8: 'a' is not a node"},
        {HEADER PATH "1,b\tgraph\t0\n", ":8: 'b' is not a node"},
        {HEADER PATH "1,2,0\tgraph\t0\n", ":8: '2,0' is not a node"},
        {HEADER PATH "3,1\tlatent_space\t0\n", ":8: node 3: the graph has 3 nodes, from 0 on; is this file for it?"},
        {HEADER PATH "1,-1\tlatent_space\t0\n", ":8: node -1: the graph has 3 nodes"},
        {HEADER PATH "1,99999999999\tlatent_space\t0\n", ":8: node 99999999999: the graph"},
        {HEADER PATH "1,1\tlatent_space\t0\n", ":8: node 1 is its own neighbour"},
        {HEADER PATH "1,2\tlatent\t0\n", ":8: space 'latent': expected graph or latent_space"},
        {HEADER PATH "1,2\tlatent_space\t4\n", ":8: relation '4': expected 0, 1, 2 or 3"},
        {HEADER PATH "1,2\tlatent_space\t-1\n", ":8: relation '-1'"},
        {HEADER PATH "1,2\tlatent_space\tup\n", ":8: relation 'up'"},
        {HEADER PATH "1,2\tgraph\t1\n", ":8: 1,2 in this space comes a second time, after line 5"},
        {HEADER PATH "0,1\tlatent_space\t2\n", ":8: 0,1 in this space comes a second time, after line 3"},
        {HEADER "0,2\tgraph\t1\n2,0\tgraph\t1\n" PATH, ":2: 0,2 is not an edge of the graph: of its space, 2 pairs"},
        {HEADER PATH "2,0\tgraph\t1\n", ":8: 2,0 is not an edge of the graph: of its space, 1 pairs"},
        {HEADER "0,1\tgraph\t1\n1,0\tgraph\t1\n",
         "no relation for the edge 2,1 in the space of the graph: 2 are missing"},
        {HEADER "1,0\tlatent_space\t1\n", "no relation for the edge 1,0 in the space of the graph: 4 are missing"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        gpri_relations r;
        write_text(f, wrong[k].text);
        assert_fails(open_latent(f, &r), GPR_ERROR_ARGUMENT, wrong[k].message);
        assert_non_null(strstr(gpr_last_error(), f->path));
        assert_null(r.scale);
    }
}

/* ---- Points --------------------------------------------------------------------------------------- */

/* The place of node 2 is far away: 0 and 1 are neighbours in the plane. 1 is to the right of 0 and below it. */
static void assert_points(const gpri_relations *r) {
    for (int d = 0; d < GPRI_ITSELF; d++) /* 1 - 2, in the graph alone */
        if (d < GPRI_LATENT) assert_int_equal(r->from[d].arcs, d == 0 || d == 3);
    assert_int_equal(r->from[GPRI_LATENT + 3].rowptr[1], 1); /* of node 0 */
    assert_int_equal(r->from[GPRI_LATENT + 3].column[0], 1);
    assert_int_equal(r->from[GPRI_LATENT + 0].rowptr[2], 1);
    assert_int_equal(r->from[GPRI_LATENT + 0].column[0], 0);
}

static gpr_status open_points(const text_fixture *f, gpri_relations *out) {
    edge_maker m = {.nodes = 3}; /* one edge: one pair in the plane */
    join(&m, 1, 2);
    gpri_graph graph = graph_of(f->ctx, m);
    gpr_status status = gpri_latent_open(f->ctx, out, &graph, f->path);
    gpri_graph_free(f->ctx, &graph);
    return status;
}

static void write_npy(const text_fixture *f, gpri_number type, int64_t rows, int64_t cols, const void *numbers,
                      size_t size, size_t keep) {
    char bytes[GPRI_NPY_WRITTEN + 1024];
    int64_t shape[] = {rows, cols};
    gpri_npy_write_header(bytes, type, cols ? 2 : 1, shape);
    memcpy(bytes + GPRI_NPY_WRITTEN, numbers, size);
    write_bytes(f, bytes, keep ? keep : GPRI_NPY_WRITTEN + size);
}

static void test_points(void **state) {
    const text_fixture *f = *state;
    const char *texts[] = {"0,0\n1,-1\n-9,9\n", "x,y\n0,0\n1,-1\n-9,9\n", "0 0\n1 -1\n-9 9e0",
                           "0\t0\r\n1\t-1\r\n-9\t9\r\n", "# three\n0;0\n1;-1.0\n-9;9\n"};
    const double real[] = {0, 0, 1, -1, -9, 9};
    const float narrow[] = {0, 0, 1, -1, -9, 9};
    const int32_t whole[] = {0, 0, 1, -1, -9, 9};
    gpri_relations r;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        write_text(f, texts[k]);
        assert_ok(open_points(f, &r));
        assert_points(&r);
        gpri_relations_free(f->ctx, &r);
        write_gzip(f, texts[k]);
        assert_ok(open_points(f, &r));
        assert_points(&r);
        gpri_relations_free(f->ctx, &r);
    }
    for (int type = 0; type < 3; type++) {
        if (type == 0) write_npy(f, GPRI_AS_DOUBLE, 3, 2, real, sizeof real, 0);
        if (type == 1) write_npy(f, GPRI_AS_FLOAT, 3, 2, narrow, sizeof narrow, 0);
        if (type == 2) write_npy(f, GPRI_AS_INT32, 3, 2, whole, sizeof whole, 0);
        assert_ok(open_points(f, &r));
        assert_points(&r);
        gpri_relations_free(f->ctx, &r);
    }
}

static void test_wrong_points(void **state) {
    const text_fixture *f = *state;
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"0,0\n1,-1\n", "holds 2 x 2 numbers: expected 3 x 2, a point for every node"},
        {"0,0\n1,-1\n2,2\n3,3\n4,4\n", "holds 5 x 2 numbers: expected 3 x 2"},
        {"", "holds 0 x 2 numbers: expected 3 x 2"},
        {"0,0,0\n1,-1,0\n2,2,0\n", ":1: 3 columns: expected two"},
        {"0\n1\n2\n", ":1: 1 columns: expected two"},
        {"0,0\n1,-1\n2\n", ":3: 1 columns: expected two"},
        {"0,0\n1,one\n2,2\n", ":2: 'one' is not a number"},
        {"0,0\n1,1e400\n2,2\n", ":2: (1, inf): expected two finite numbers"},
        {"0,0\n1,\n2,2\n", ":2: '' is not a number"},
    };
    gpri_relations r;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        write_text(f, wrong[k].text);
        assert_fails(open_points(f, &r), GPR_ERROR_ARGUMENT, wrong[k].message);
        assert_non_null(strstr(gpr_last_error(), f->path));
        assert_null(r.scale);
    }
    const double numbers[] = {0, 0, 1, NAN, 2, 2, 3, 3};
    write_npy(f, GPRI_AS_DOUBLE, 4, 2, numbers, sizeof numbers, 0);
    assert_fails(open_points(f, &r), GPR_ERROR_ARGUMENT, "holds 4 x 2 numbers: expected 3 x 2");
    write_npy(f, GPRI_AS_DOUBLE, 2, 3, numbers, 6 * sizeof *numbers, 0);
    assert_fails(open_points(f, &r), GPR_ERROR_ARGUMENT, "holds 2 x 3 numbers: expected 3 x 2");
    write_npy(f, GPRI_AS_DOUBLE, 3, 0, numbers, 3 * sizeof *numbers, 0);
    assert_fails(open_points(f, &r), GPR_ERROR_ARGUMENT, "holds 3 x 1 numbers: expected 3 x 2");
    write_npy(f, GPRI_AS_DOUBLE, 3, 2, numbers, 6 * sizeof *numbers, 0);
    assert_fails(open_points(f, &r), GPR_ERROR_ARGUMENT, "the point of node 1 is (1, nan)");
    write_npy(f, GPRI_AS_DOUBLE, 3, 2, numbers, sizeof numbers, 0); /* longer than it says */
    assert_fails(open_points(f, &r), GPR_ERROR_ARGUMENT, "but 64 bytes follow it");
    write_npy(f, GPRI_AS_DOUBLE, 3, 2, numbers, sizeof numbers, GPRI_NPY_WRITTEN + 47);
    assert_fails(open_points(f, &r), GPR_ERROR_ARGUMENT,
                 "the header announces 6 numbers of 8 bytes, but 47 bytes follow it");
    write_npy(f, GPRI_AS_DOUBLE, 3, 2, numbers, sizeof numbers, 50);
    assert_fails(open_points(f, &r), GPR_ERROR_ARGUMENT, "bytes of text in an array of 50 bytes");
    write_npy(f, GPRI_AS_DOUBLE, 3, 2, numbers, sizeof numbers, 8);
    assert_fails(open_points(f, &r), GPR_ERROR_ARGUMENT, "has 8 bytes: too few for an npy array");
    unlink(f->path);
    assert_fails(open_points(f, &r), GPR_ERROR_ARGUMENT, f->path);
    assert_fails(open_points(&(text_fixture){.ctx = f->ctx, .path = "isomp"}, &r), GPR_ERROR_ARGUMENT,
                 "embedding 'isomp': no such file, nor isomap, poincare or struc2vec; did you mean 'isomap'?");
}

/* ---- What the log says, and memory ---------------------------------------------------------------- */

static void keep_line(void *user, gpr_log_level level, const char *line) {
    if (level == GPR_LOG_INFO) snprintf(user, 200, "%s", line);
}

static void test_log(void **state) {
    const text_fixture *f = *state;
    char line[200] = "";
    gpri_relations r;
    f->ctx->job.log = keep_line;
    f->ctx->job.user = line;
    gpri_graph graph = path_graph(f->ctx, 20);
    assert_ok(gpri_latent_open(f->ctx, &r, &graph, "isomap"));
    assert_non_null(strstr(line, "embedding isomap: 0.0"));
    assert_non_null(strstr(line, " s, rho 2, 1.90 latent neighbours per node, 1.90 in the graph, 38 pairs in both"));
    gpri_relations_free(f->ctx, &r);
    assert_ok(gpri_latent_open(f->ctx, &r, &graph, "poincare"));
    assert_non_null(strstr(line, "embedding poincare: 0."));
    gpri_relations_free(f->ctx, &r);
    assert_ok(gpri_latent_open(f->ctx, &r, &graph, "struc2vec"));
    assert_non_null(strstr(line, "embedding struc2vec: 0."));
    assert_non_null(strstr(line, " 1.90 latent neighbours per node, 1.90 in the graph"));
    gpri_relations_free(f->ctx, &r);
    gpri_graph_free(f->ctx, &graph);
    write_text(f, PATH);
    assert_ok(open_latent(f, &r));
    assert_non_null(strstr(line, " s, 0.67 latent neighbours per node, 1.33 in the graph, 1 pairs in both"));
    gpri_relations_free(f->ctx, &r);
}

static gpr_status open_once(gpr_ctx *ctx, void *arg) {
    gpr_ctx *own = new_ctx(1);
    gpri_graph graph = path_graph(own, 3);
    gpri_relations r;
    gpr_status status = gpri_latent_open(ctx, &r, &graph, arg);
    gpri_relations_free(ctx, &r);
    gpri_graph_free(own, &graph);
    gpr_ctx_free(own);
    return status;
}

static void test_memory(void **state) {
    text_fixture *f = *state;
    const double numbers[] = {0, 0, 1, 3, 2, 2};
    write_gzip(f, HEADER PATH);
    fail_every_allocation(open_once, f->path);
    write_text(f, "0,0\n1,1\n3,4\n");
    fail_every_allocation(open_once, f->path);
    write_npy(f, GPRI_AS_DOUBLE, 3, 2, numbers, sizeof numbers, 0);
    fail_every_allocation(open_once, f->path);
}

/* ---- The published files -------------------------------------------------------------------------- */

static void test_published(void **state) {
    const text_fixture *f = *state;
    static const char *const names[][2] = {{"chameleon", "chameleon"}, {"citeseer", "citeseer"}, {"cora", "cora"},
                                           {"cornell", "cornell"},     {"actor", "film"},        {"pubmed", "pubmed"},
                                           {"texas", "texas"}};
    static const char *const kinds[] = {"MDS", "poincare", "struc2vec"};
    const char *root = getenv("GPRGNN_DATA") ? getenv("GPRGNN_DATA") : TEST_SOURCE_DIR "/../shared/data";
    char path[512];
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        gpr_dataset *data;
        snprintf(path, sizeof path, "%s/graphs/%s.npz", root, names[n][0]);
        if (access(path, R_OK) != 0) {
            print_message("skipped: no data (%s)\n", path);
            continue;
        }
        assert_ok(gpr_dataset_open(f->ctx, &data, path, NULL));
        for (int k = 0; k < 3; k++) {
            gpri_relations r;
            snprintf(path, sizeof path, "%s/geom-gcn/structural_neighborhood/outf_nodes_space_relation_%s_%s.txt.gz",
                     root, names[n][1], kinds[k]);
            if (access(path, R_OK) != 0) {
                print_message("skipped: no data (%s)\n", path);
                continue;
            }
            assert_ok(gpri_latent_open(f->ctx, &r, &data->graph, path));
            int64_t pairs = 0;
            for (int d = 0; d < GPRI_ITSELF; d++) pairs += r.from[d].arcs;
            assert_true(pairs > data->graph.arcs);
            gpri_relations_free(f->ctx, &r);
            if (n + 1 < sizeof names / sizeof *names) continue;
            gpri_graph other = path_graph(f->ctx, data->graph.nodes);
            assert_fails(gpri_latent_open(f->ctx, &r, &other, path), GPR_ERROR_ARGUMENT, "of another graph");
            gpri_graph_free(f->ctx, &other);
        }
        gpr_dataset_free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEXT_TEST(test_relations), TEXT_TEST(test_wrong_relations),
        TEXT_TEST(test_points),    TEXT_TEST(test_wrong_points),
        TEXT_TEST(test_log),       TEXT_TEST(test_memory),
        TEXT_TEST(test_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
