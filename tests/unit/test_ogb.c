/* io/ogb.c and io/text/split_lists.c: OGB's folders, whole and broken. */
#include <sys/stat.h>

#include "failing_memory.h"
#include "io/readers.h"
#include "io/split.h"
#include "io/text/split_lists.h"
#include "text_files.h"

enum { N = 4 };

static void put_file(text_fixture *f, const char *name, const char *text, bool packed) {
    snprintf(f->path, sizeof f->path, "%s/%s%s", f->folder, name, packed ? ".gz" : "");
    if (packed) write_gzip(f, text);
    else write_text(f, text);
}

static void put_folder(text_fixture *f, bool packed) {
    char path[128];
    static const char *const folders[] = {"raw", "mapping", "time"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", f->folder, folders[i]);
        mkdir(path, 0700);
    }
    put_file(f, "raw/num-node-list.csv", "4\n", packed);
    put_file(f, "raw/num-edge-list.csv", "3\n", packed);
    put_file(f, "raw/edge.csv", "0,1\n1,2\n3,2\n", packed);
    put_file(f, "raw/node-feat.csv", "0.5,-1\n1,2\n-3e-1,4\n5,6\n", packed);
    put_file(f, "raw/node-label.csv", "2\n0\nnan\n0.0\n", packed);
    put_file(f, "mapping/labelidx2arxivcategeory.csv",
             "label idx,arxiv category\n0,arxiv cs na\n1,\"a, b\"\n2,c\n3,d\n", packed);
    put_file(f, "time/train.csv", "3\n0\n", packed);
    put_file(f, "time/valid.csv", "1\n", packed);
    put_file(f, "time/test.csv", "", packed);
}

static void test_folder(void **state) {
    text_fixture *f = *state;
    static const int32_t labels[N] = {2, 0, -1, 0};
    char path[128];
    for (int packed = 0; packed < 2; packed++) {
        gpr_dataset *data, *again;
        put_folder(f, packed);
        assert_ok(gpr_dataset_open(f->ctx, &data, f->folder, NULL)); /* recognised by its content */
        assert_int_equal(data->graph.nodes, N);
        assert_int_equal(data->graph.arcs, 6);
        assert_true(data->features.cols == 2 && data->features.dense[4] == -0.3f && data->features.dense[7] == 6);
        assert_int_equal(data->target.classes, 3);
        assert_memory_equal(data->target.labels, labels, sizeof labels);
        assert_string_equal(gpr_dataset_class_name(data, 1), "a, b");
        assert_string_equal(data->name, f->folder + strlen("/tmp/"));
        snprintf(path, sizeof path, "%s/raw/", f->folder); /* the inner folder works too, but has no names */
        assert_ok(gpr_dataset_open_as(f->ctx, &again, path, NULL, "ogb"));
        assert_string_equal(again->name, data->name);
        assert_null(gpr_dataset_class_name(again, 0));
        gpr_dataset_free(again);
        gpr_dataset_free(data);
    }
}

/* Features, labels and names may be missing. */
static void test_less(void **state) {
    text_fixture *f = *state;
    gpr_dataset *data;
    put_folder(f, false);
    put_file(f, "mapping/labelidx2arxivcategeory.csv", "label idx,arxiv category\n0,a\n2,b\n1,c\n", false);
    assert_ok(gpr_dataset_open(f->ctx, &data, f->folder, NULL));
    assert_null(gpr_dataset_class_name(data, 0)); /* not in order */
    gpr_dataset_free(data);
    put_file(f, "raw/node-feat.csv", "", false);
    unlink(f->path);
    put_file(f, "raw/node-label.csv", "", false);
    unlink(f->path);
    assert_ok(gpr_dataset_open(f->ctx, &data, f->folder, NULL));
    assert_int_equal(data->features.cols, 0);
    assert_int_equal(data->target.classes, 0);
    gpr_dataset_free(data);
}

/* Names that do not fit are skipped, but a damaged file is an error. And the number of edges may be missing. */
static void test_damage(void **state) {
    text_fixture *f = *state;
    gpr_dataset *data;
    unsigned char *bytes = NULL;
    size_t size = 0;
    static const char names[] = "label idx,arxiv category\n0,a\n1,b\n2,c\n";
    put_folder(f, false);
    put_file(f, "raw/num-edge-list.csv", "", false);
    unlink(f->path);
    put_file(f, "mapping/labelidx2arxivcategeory.csv", "", false);
    unlink(f->path);
    add_member(&bytes, &size, names, strlen(names));
    snprintf(f->path, sizeof f->path, "%s/mapping/labelidx2arxivcategeory.csv.gz", f->folder);
    write_bytes(f, bytes, size);
    assert_ok(gpr_dataset_open(f->ctx, &data, f->folder, NULL));
    assert_string_equal(gpr_dataset_class_name(data, 2), "c");
    gpr_dataset_free(data);
    bytes[size - 8] ^= 1; /* the checksum */
    write_bytes(f, bytes, size);
    assert_fails(gpr_dataset_open(f->ctx, &data, f->folder, NULL), GPR_ERROR_FORMAT, "the gzip data is damaged");
    write_bytes(f, bytes, size - 9);
    assert_fails(gpr_dataset_open(f->ctx, &data, f->folder, NULL), GPR_ERROR_FORMAT, "labelidx2arxivcategeory.csv.gz");
    free(bytes);
}

static void test_broken(void **state) {
    text_fixture *f = *state;
    gpr_dataset *data;
    static const struct {
        const char *file, *text; /* NULL: missing */
        gpr_status status;
        const char *part;
    } cases[] = {
        {"raw/num-node-list.csv", NULL, GPR_ERROR_NOT_FOUND, "neither num-node-list.csv.gz nor num-node-list.csv"},
        {"raw/num-node-list.csv", "4\n5\n", GPR_ERROR_FORMAT, "2 graphs: expected a dataset of one graph"},
        {"raw/num-node-list.csv", "0\n", GPR_ERROR_FORMAT, "0 nodes"},
        {"raw/edge.csv", NULL, GPR_ERROR_NOT_FOUND, "neither edge.csv.gz nor edge.csv is there"},
        {"raw/edge.csv", "0,1\n1,2\n", GPR_ERROR_MISMATCH, "edge.csv: 2 edges, but "},
        {"raw/num-edge-list.csv", "4\n", GPR_ERROR_MISMATCH, "num-edge-list.csv says 4: one of the files is cut short"},
        {"raw/num-edge-list.csv", "3000000000\n", GPR_ERROR_MISMATCH, "num-edge-list.csv says 3000000000"},
        {"raw/num-edge-list.csv", "3\n3\n", GPR_ERROR_FORMAT, "num-edge-list.csv: 2 graphs"},
        {"raw/edge.csv", "0,1\n1,4\n", GPR_ERROR_FORMAT, "edge.csv:2: "},
        {"raw/edge.csv", "0,1\n-1,2\n", GPR_ERROR_FORMAT, "edge.csv:2: "},
        {"raw/edge.csv", "0,1\n1.5,2\n", GPR_ERROR_FORMAT, "edge.csv:2: "},
        {"raw/edge.csv", "0,1\nx,2\n", GPR_ERROR_FORMAT, "edge.csv:2: "},
        {"raw/edge.csv", "0,1\n2\n", GPR_ERROR_FORMAT, "edge.csv:2: "},
        {"raw/node-feat.csv", "1,2\n3,4\n", GPR_ERROR_MISMATCH, "node-feat.csv: 2 rows of features, but"},
        {"raw/node-feat.csv", "1,2\n3,x\n1,1\n1,1\n", GPR_ERROR_FORMAT, "node-feat.csv:2: column 2 is 'x'"},
        {"raw/node-label.csv", "0\n1\n", GPR_ERROR_MISMATCH, "node-label.csv: 2 labels, but the graph has 4 nodes"},
        {"raw/node-label.csv", "0,1\n1,0\n0,1\n1,1\n", GPR_ERROR_FORMAT,
         "node-label.csv:1: 2 columns: expected 1, one class per node"},
        {"raw/node-label.csv", "0\n1\n-1\n0\n", GPR_ERROR_FORMAT, "node-label.csv:3: '-1': expected a whole number"},
        {"raw/node-label.csv", "0\n1\n1e6\n0\n", GPR_ERROR_FORMAT, "classes"},
        {"raw/triplet-type-list.csv.gz", "a,b,c\n", GPR_ERROR_FORMAT, "several kinds"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_folder(f, false);
        put_file(f, cases[i].file, cases[i].text ? cases[i].text : "", false);
        if (!cases[i].text) unlink(f->path);
        assert_fails(gpri_read_ogb(f->ctx, &data, f->folder, NULL), cases[i].status, cases[i].part);
        assert_null(data);
    }
}

static void test_split(void **state) {
    text_fixture *f = *state;
    char path[128];
    uint8_t part[N];
    static const uint8_t wanted[N] = {GPR_TRAIN, GPR_VAL, GPR_UNUSED, GPR_TRAIN};
    gpr_dataset *data;
    gpr_split *split;
    snprintf(path, sizeof path, "%s/time", f->folder);
    for (int packed = 0; packed < 2; packed++) {
        put_folder(f, packed);
        assert_ok(gpri_split_read_folder(f->ctx, part, N, path));
        assert_memory_equal(part, wanted, N);
    }
    put_folder(f, false);
    assert_ok(gpr_dataset_open(f->ctx, &data, f->folder, NULL));
    assert_ok(gpr_split_new(f->ctx, &split, data, path, 1, 0));
    assert_memory_equal(gpr_split_parts(split, NULL), wanted, N);
    gpr_split_free(split);
    gpr_dataset_free(data);
    /* gzip files are looked for first */
    put_file(f, "time/valid.csv", "1\n3\n", true);
    assert_fails(gpri_split_read_folder(f->ctx, part, N, path), GPR_ERROR_FORMAT, "valid.csv.gz:2: node 3 is in train");
    put_file(f, "time/valid.csv", "4\n", true);
    assert_fails(gpri_split_read_folder(f->ctx, part, N, path), GPR_ERROR_FORMAT, "from 0 to 3");
    put_file(f, "time/train.csv", "", true);
    assert_fails(gpri_split_read_folder(f->ctx, part, N, path), GPR_ERROR_FORMAT, "nothing to train on");
    snprintf(path, sizeof path, "%s/none", f->folder);
    assert_fails(gpri_split_read_folder(f->ctx, part, N, path), GPR_ERROR_NOT_FOUND, "neither train.csv.gz nor");
}

static gpr_status trial(gpr_ctx *ctx, void *arg) {
    gpr_dataset *data = NULL;
    gpr_split *split = NULL;
    char path[128];
    gpr_status status = gpri_read_ogb(ctx, &data, arg, NULL);
    snprintf(path, sizeof path, "%s/time", (const char *)arg);
    if (status == GPR_OK) status = gpr_split_new(ctx, &split, data, path, 1, 0);
    gpr_split_free(split);
    gpr_dataset_free(data);
    return status;
}

static void test_memory(void **state) {
    text_fixture *f = *state;
    put_folder(f, true);
    fail_every_allocation(trial, f->folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEXT_TEST(test_folder), TEXT_TEST(test_less),  TEXT_TEST(test_damage),
                                       TEXT_TEST(test_broken), TEXT_TEST(test_split), TEXT_TEST(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
