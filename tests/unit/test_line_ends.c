/* Every text that is read may end its lines as on Unix, on Windows or on old Macs: the data is the same. */
#include <unistd.h>

#include "data/describe.h"
#include "io/split.h"
#include "io/text/split_lists.h"
#include "pickle_maker.h"
#include "training.h"

static const char *const ends[] = {"\n", "\r\n", "\r"};
enum { ENDS = 3, PLACES = 8 };

/* Writes the text with '\n' replaced by `end`. */
static void write_lines(const char *path, const char *text, const char *end) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (; *text; text++)
        if (*text == '\n') fputs(end, file);
        else fputc(*text, file);
    assert_int_equal(fclose(file), 0);
}

typedef struct {
    raw_fixture *f;
    char paths[PLACES][256];
    int count;
} places;

static const char *place(places *p, const char *name) {
    char *path = p->paths[p->count++];
    snprintf(path, sizeof p->paths[0], "%s", raw_path(p->f, name));
    return path;
}

/* Opens it, and compares the fingerprint with that of the first way to end lines. */
static void same_data(raw_fixture *f, const gpr_open_options *options, int way, char first[GPRI_FINGERPRINT_SIZE],
                      int64_t nodes, int64_t edges) {
    gpr_dataset *data;
    char found[GPRI_FINGERPRINT_SIZE];
    assert_ok(gpr_dataset_open_with(f->ctx, &data, options));
    assert_int_equal(gpr_dataset_nodes(data), nodes);
    assert_int_equal(gpr_dataset_edges(data), edges);
    gpri_fingerprint(found, data);
    if (way == 0) strcpy(first, found);
    assert_string_equal(found, first);
    gpr_dataset_free(data);
}

static void test_tables(void **state) {
    places p = {.f = *state};
    const char *edges = place(&p, "e.csv"), *nodes = place(&p, "n.csv"), *labels = place(&p, "l.txt"),
               *features = place(&p, "x.svm");
    char first[4][GPRI_FINGERPRINT_SIZE];
    for (int way = 0; way < ENDS; way++) {
        write_lines(edges, "src,dst\nann,bob\nbob,carol\n", ends[way]);
        write_lines(nodes, "id,age,kind\nann,1,a\nbob,2,b\ncarol,3,a\n", ends[way]);
        gpr_open_options options = {.struct_size = sizeof options, .edges = edges, .nodes = nodes, .label = "kind"};
        same_data(p.f, &options, way, first[0], 3, 2);
        write_lines(edges, "0 1\n1 2\n# end\n2 3\n", ends[way]);
        options = (gpr_open_options){.struct_size = sizeof options, .data = edges, .format = "edges"};
        same_data(p.f, &options, way, first[1], 4, 3);
        write_lines(labels, "x\ny\nx\ny\n", ends[way]);
        write_lines(features, "1:1\n2:1 3:2\n1:3\n3:1\n", ends[way]);
        options.labels = labels;
        options.features = features;
        same_data(p.f, &options, way, first[2], 4, 3);
        write_lines(edges, "%%MatrixMarket matrix coordinate real general\n% none\n4 4 2\n1 2 0.5\n3 4 2\n", ends[way]);
        options = (gpr_open_options){.struct_size = sizeof options, .data = edges}; /* recognised, too */
        same_data(p.f, &options, way, first[3], 4, 2);
    }
}

/* An edge list that begins as on Unix, and goes on as on a Mac. */
static void test_mixed(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data;
    write_text(raw_path(f, "mixed.edges"), "0 1\n1 2\r2 3\r3 4\n4 5\r\n5 6");
    assert_ok(gpr_dataset_open(f->ctx, &data, f->path, NULL));
    assert_int_equal(gpr_dataset_nodes(data), 7);
    assert_int_equal(gpr_dataset_edges(data), 6);
    gpr_dataset_free(data);
    write_text(f->path, "a b\rb c\rc,\r"); /* the line is named */
    assert_fails(gpr_dataset_open(f->ctx, &data, f->path, NULL), GPR_ERROR_FORMAT, "mixed.edges:3: ");
}

static void test_folders(void **state) {
    places p = {.f = *state};
    char first[2][GPRI_FINGERPRINT_SIZE];
    mkdir(place(&p, "geom"), 0700);
    mkdir(place(&p, "ogb"), 0700);
    const char *nodes = place(&p, "geom/out1_node_feature_label.txt"), *links = place(&p, "geom/out1_graph_edges.txt");
    const char *count = place(&p, "ogb/num-node-list.csv"), *edges = place(&p, "ogb/edge.csv"),
               *labels = place(&p, "ogb/node-label.csv");
    for (int way = 0; way < ENDS; way++) {
        write_lines(nodes, "node_id\tfeature\tlabel\n0\t1,0\t0\n1\t0,1\t1\n", ends[way]);
        write_lines(links, "node_id\tnode_id\n0\t1\n", ends[way]);
        gpr_open_options options = {.struct_size = sizeof options, .data = p.paths[0]};
        same_data(p.f, &options, way, first[0], 2, 1);
        write_lines(count, "3\n", ends[way]);
        write_lines(edges, "0,1\n1,2\n", ends[way]);
        write_lines(labels, "0\n1\n0\n", ends[way]);
        options.data = p.paths[1];
        same_data(p.f, &options, way, first[1], 3, 2);
    }
}

static void test_planetoid(void **state) {
    places p = {.f = *state};
    const int32_t ptr[] = {0, 1, 2}, index[] = {0, 1}, hot[] = {1, 0, 0, 1};
    const float value[] = {1, 1};
    char first[GPRI_FINGERPRINT_SIZE];
    const char *const matrices[] = {"ind.s.allx", "ind.s.tx"}, *const classes[] = {"ind.s.ally", "ind.s.ty"};
    for (int i = 0; i < 2; i++) {
        pickle one = pickle_begin();
        op_csr(&one, 2, 3, ptr, index, value);
        pickle_write(&one, raw_path(p.f, matrices[i]));
        one = pickle_begin();
        op_array(&one, "i4", 2, 2, hot, sizeof hot);
        pickle_write(&one, raw_path(p.f, classes[i]));
    }
    write_text(raw_path(p.f, "ind.s.graph"),
               "ccollections\ndefaultdict\n(c__builtin__\nlist\ntR(I0\n(I1\nlI1\n(I0\nI3\nlI2\n(lI3\n(I1\nlu.");
    const char *tests = place(&p, "ind.s.test.index"), *prefix = place(&p, "ind.s");
    for (int way = 0; way < ENDS; way++) {
        write_lines(tests, "3\n2\n", ends[way]);
        const gpr_open_options options = {.struct_size = sizeof options, .data = prefix};
        same_data(p.f, &options, way, first, 4, 2);
    }
}

static void test_settings(void **state) {
    places p = {.f = *state};
    const char *path = place(&p, "settings");
    for (int way = 0; way < ENDS; way++) {
        gpr_params *params = new_params(p.f->ctx, NULL);
        write_lines(path, "hidden = 7 # few\nK = 3\n", ends[way]);
        assert_ok(gpr_params_load(params, path));
        assert_string_equal(gpr_params_get(params, "hidden"), "7");
        assert_string_equal(gpr_params_get(params, "K"), "3");
        gpr_params_free(params);
    }
}

static void test_splits(void **state) {
    places p = {.f = *state};
    const char *const names[] = {"train.csv", "valid.csv", "test.csv"}, *const parts[] = {"0\n1\n", "3\n", "2\n4\n"};
    const uint8_t wanted[] = {GPR_TRAIN, GPR_TRAIN, GPR_TEST, GPR_VAL, GPR_TEST};
    for (int way = 0; way < ENDS; way++) {
        uint8_t part[5];
        for (int i = 0; i < 3; i++) write_lines(raw_path(p.f, names[i]), parts[i], ends[way]);
        assert_ok(gpri_split_read_folder(p.f->ctx, part, 5, p.f->folder));
        assert_memory_equal(part, wanted, sizeof wanted);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {RAW_TEST(test_tables),    RAW_TEST(test_mixed),    RAW_TEST(test_folders),
                                       RAW_TEST(test_planetoid), RAW_TEST(test_settings), RAW_TEST(test_splits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
