/* The .gpr file: every wrong byte, length, field of the header or entry gives an error. */
#include "mapped_files.h"

/* ---- Damage --------------------------------------------------------------------------------------- */

/* One bit of every byte in turn: the checksums cover the whole file. */
static void every_byte(void **state) {
    raw_fixture *f = *state;
    for (int features = SPARSE; features <= BARE; features++) {
        image im = features == BARE ? image_of(f, several(f->ctx)) : small_image(f, (shape)features);
        assert_ok(try_image(f, &im));
        for (int64_t i = 0; i < im.size; i++) {
            im.bytes[i] ^= (unsigned char)(1 << i % 8);
            gpr_status status = try_image(f, &im);
            if (status != GPR_ERROR_FORMAT || (i >= 8 && !strstr(gpr_last_error(), "tried.gpr")))
                fail_msg("byte %lld: %s: %s", (long long)i, gpr_status_name(status), gpr_last_error());
            im.bytes[i] ^= (unsigned char)(1 << i % 8);
        }
        assert_ok(try_image(f, &im));
        free(im.bytes);
    }
}

static void every_length(void **state) {
    raw_fixture *f = *state;
    image im = small_image(f, SPARSE);
    const int64_t whole = im.size;
    for (im.size = 0; im.size < whole; im.size++) {
        gpr_status status = try_image(f, &im);
        if (status != GPR_ERROR_FORMAT)
            fail_msg("%lld bytes: %s: %s", (long long)im.size, gpr_status_name(status), gpr_last_error());
    }
    im.bytes = realloc(im.bytes, (size_t)whole + 64);
    assert_non_null(im.bytes);
    memset(im.bytes + whole, 0, 64);
    im.size = whole + 64;
    assert_fails(try_image(f, &im), GPR_ERROR_FORMAT, "something was added");
    free(im.bytes);
}

static void changed(raw_fixture *f, const image *im, const char *part) {
    mapped_seal(im->bytes, im->size);
    assert_fails(try_image(f, im), GPR_ERROR_FORMAT, part);
    assert_non_null(strstr(gpr_last_error(), "tried.gpr: "));
}

/* Every field of the header with every kind of wrong value, with a correct checksum. */
static void header_fields(void **state) {
    raw_fixture *f = *state;
    image im = small_image(f, SPARSE);
#define WRONG(field, value, part)  \
    do {                           \
        image w = copy_of(&im);    \
        w.header->field = (value); \
        changed(f, &w, part);      \
        free(w.bytes);             \
    } while (0)
    WRONG(order, 0x0d0c0b0au, "another byte order");
    WRONG(version, 4, "a newer gprgnn wrote it");
    WRONG(version, 0, "this program reads versions 1 to 3");
    WRONG(sections, 19, "the header says 19 sections");
    WRONG(sections, UINT32_MAX, "sections: there must be from 0 to 18");
    WRONG(sections, im.header->sections - 1, "the sections end at byte");
    WRONG(sections, im.header->sections + 1, "section  begins at byte 0");
    WRONG(bytes, im.size + 64, "its header says");
    WRONG(nodes, 0, "the header says 0 nodes");
    WRONG(nodes, -1, "nodes");
    WRONG(nodes, INT32_MAX, "nodes");
    WRONG(nodes, INT64_MIN, "nodes");
    WRONG(nodes, 6, "section graph.rowptr has 48 bytes: expected 7 numbers of 8");
    WRONG(arcs, -2, "arcs");
    WRONG(arcs, 7, "must be even");
    WRONG(arcs, 10, "section graph.column has 32 bytes");
    WRONG(arcs, INT64_MAX - 1, "section graph.column");
    WRONG(features, -1, "features");
    WRONG(features, INT64_MAX, "features");
    WRONG(features, 1, "section feature.starts has 96 bytes: expected 2 numbers of 8");
    WRONG(feature_nnz, -1, "features that are not 0");
    WRONG(feature_nnz, 56, "features that are not 0: there must be from 0 to 55");
    WRONG(feature_nnz, 4, "section feature.column has 20 bytes: expected 4 numbers of 4");
    WRONG(classes, -1, "classes");
    WRONG(classes, 1000001, "classes");
    WRONG(classes, 2, "section class.starts has 32 bytes: expected 3 numbers of 8");
    WRONG(self_loops, -1, "self loops");
    WRONG(duplicates, -1, "duplicates");
    WRONG(mutual, -1, "edges in both directions");
    WRONG(mutual, INT64_MAX, "edges in both directions");
    WRONG(isolated, -1, "isolated");
    WRONG(isolated, 6, "isolated");
    WRONG(isolated, 2, "the header says 2 isolated nodes, the file has 1");
    WRONG(mixed_columns, 2, "mixed columns");
    WRONG(generated, -1, "generated graphs");
    WRONG(phi, 1.5, "phi 1.5");
    WRONG(phi, (double)INFINITY, "phi");
    WRONG(fingerprint[0], im.header->fingerprint[0] + 1, "fingerprint");
    WRONG(fingerprint[1], 0, "fingerprint");
    WRONG(fingerprint[0], 0, "fingerprint");
    const char *first = im.header->section[0].name;
    assert_string_equal(first, "graph.rowptr");
    WRONG(section[0].name[0], 'X', "the section graph.rowptr is missing");
    WRONG(section[0].type[0], 'X', "section graph.rowptr is of type Xnt64: expected int64");
    WRONG(section[0].offset, 1088, "begins at byte 1088: expected 1024");
    WRONG(section[0].offset, -64, "begins at byte -64");
    WRONG(section[0].bytes, 40, "section graph.rowptr has 40 bytes");
    WRONG(section[0].bytes, -1, "section graph.rowptr has -1 bytes");
    WRONG(section[0].bytes, INT64_MAX, "section graph.rowptr has 9223372036854775807 bytes");
    WRONG(section[1].offset, 1024, "section graph.column begins at byte 1024");
#undef WRONG
    image w = copy_of(&im);
    memset(w.header->fingerprint, 0, sizeof w.header->fingerprint); /* not stated: it is computed */
    mapped_seal(w.bytes, w.size);
    assert_ok(try_image(f, &w));
    memset(w.header->section[0].name, 'a', sizeof w.header->section[0].name);
    changed(f, &w, "its name or type has no end");
    memcpy(w.bytes, im.bytes, sizeof *w.header);
    memset(w.header->section[0].type, 'a', sizeof w.header->section[0].type);
    changed(f, &w, "its name or type has no end");
    free(w.bytes);
    free(im.bytes);
}

/* Sections that are missing, duplicate, or do not fit together; and an unknown one. */
static void sections(void **state) {
    raw_fixture *f = *state;
    image im = small_image(f, SPARSE);
    static const char *const needed[][2] = {{"graph.column", "graph.column is missing"},
                                            {"labels", "labels is missing"},
                                            {"name", "name is missing"},
                                            {"feature.column", "feature.column"},
                                            {"feature.value", "feature.value"},
                                            {"class.names", "class.names"},
                                            {"class.starts", "class.starts"},
                                            {"feature.starts", "feature.starts"},
                                            {"feature.names", "feature.names"},
                                            {"node.ids", "node.ids"},
                                            {"node.starts", "node.starts"}};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        image w = copy_of(&im);
        section(&w, needed[i][0])->name[0] = '_';
        changed(f, &w, needed[i][1]);
        free(w.bytes);
    }
    image w = copy_of(&im);
    section(&w, "feature.rowptr")->name[0] = section(&w, "feature.column")->name[0] = '_';
    section(&w, "feature.value")->name[0] = '_';
    changed(f, &w, "no table of features");
    free(w.bytes);
    w = copy_of(&im);
    strcpy(section(&w, "graph.weight")->name, "graph.column");
    changed(f, &w, "there are two sections graph.column");
    free(w.bytes);
    w = copy_of(&im);
    section(&w, "graph.weight")->name[0] = '_'; /* a graph without weights: another fingerprint */
    changed(f, &w, "fingerprint");
    free(w.bytes);
    w = copy_of(&im);
    section(&w, "class.starts")->name[0] = section(&w, "class.names")->name[0] = '_';
    mapped_seal(w.bytes, w.size);
    assert_ok(try_image(f, &w));
    w.bytes[section(&w, "_lass.names")->offset] ^= 1; /* unknown, but with a checksum */
    assert_fails(try_image(f, &w), GPR_ERROR_FORMAT, "section _lass.names is damaged");
    free(w.bytes);
    free(im.bytes);
}

/* Invalid contents with correct checksums. */
static void wrong_contents(void **state) {
    raw_fixture *f = *state;
    image sparse = small_image(f, SPARSE), dense = small_image(f, DENSE);
#define WRONG(im, type, name, place, value, part)    \
    do {                                             \
        image w = copy_of(im);                       \
        ((type *)contents(&w, name))[place] = value; \
        changed(f, &w, part);                        \
        free(w.bytes);                               \
    } while (0)
    /* rows 0 .. 4: 1 3, 0 2, 1 3, 0 2, none */
    WRONG(&sparse, int64_t, "graph.rowptr", 0, 1, "section graph.rowptr, element 0 is 1: they must go from 0");
    WRONG(&sparse, int64_t, "graph.rowptr", 1, -1, "section graph.rowptr, element 1 is -1");
    WRONG(&sparse, int64_t, "graph.rowptr", 1, 5, "section graph.rowptr, element 2 is 4");
    WRONG(&sparse, int64_t, "graph.rowptr", 2, INT64_MAX, "section graph.rowptr, element 2");
    WRONG(&sparse, int64_t, "graph.rowptr", 2, INT64_MIN, "section graph.rowptr, element 2");
    WRONG(&sparse, int64_t, "graph.rowptr", 5, 7, "section graph.rowptr, element 5 is 7");
    WRONG(&sparse, int64_t, "graph.rowptr", 1, 0, "the header says 1 isolated nodes, the file has 2");
    WRONG(&sparse, int32_t, "graph.column", 0, -1, "section graph.column, element 0 is -1: in a row they must ascend");
    WRONG(&sparse, int32_t, "graph.column", 0, 0, "section graph.column, element 0 is 0");
    WRONG(&sparse, int32_t, "graph.column", 1, 5, "section graph.column, element 1 is 5");
    WRONG(&sparse, int32_t, "graph.column", 1, 1, "section graph.column, element 1 is 1");
    WRONG(&sparse, int32_t, "graph.column", 1, INT32_MAX, "section graph.column, element 1");
    WRONG(&sparse, int32_t, "graph.column", 1, 4, "the graph is not undirected");
    WRONG(&sparse, float, "graph.weight", 0, 6.5f, "the graph is not undirected");
    WRONG(&sparse, float, "graph.weight", 3, 0, "section graph.weight, element 3 is 0: weights must be positive");
    WRONG(&sparse, float, "graph.weight", 3, -1, "section graph.weight, element 3 is -1");
    WRONG(&sparse, float, "graph.weight", 3, NAN, "section graph.weight, element 3 is nan");
    WRONG(&sparse, float, "graph.weight", 3, INFINITY, "section graph.weight, element 3 is inf");
    WRONG(&sparse, int64_t, "feature.rowptr", 0, 2, "section feature.rowptr, element 0");
    WRONG(&sparse, int64_t, "feature.rowptr", 1, 4, "section feature.rowptr, element 2");
    WRONG(&sparse, int64_t, "feature.rowptr", 5, 4, "section feature.rowptr, element 5");
    WRONG(&sparse, int32_t, "feature.column", 0, 7, "section feature.column, element 1 is 7");
    WRONG(&sparse, int32_t, "feature.column", 1, 11, "section feature.column, element 1 is 11");
    WRONG(&sparse, int32_t, "feature.column", 0, -1, "section feature.column, element 0 is -1");
    WRONG(&sparse, int32_t, "feature.column", 0, 2, "fingerprint");
    WRONG(&sparse, float, "feature.value", 4, 0, "section feature.value, element 4 is 0");
    WRONG(&sparse, float, "feature.value", 4, NAN, "section feature.value, element 4 is nan");
    WRONG(&sparse, int32_t, "labels", 4, -2, "section labels, element 4 is -2: labels must be classes, or -1");
    WRONG(&sparse, int32_t, "labels", 4, 3, "section labels, element 4 is 3");
    WRONG(&sparse, int32_t, "labels", 4, 1, "fingerprint");
    WRONG(&sparse, int64_t, "class.starts", 0, 1, "section class.starts, element 0");
    WRONG(&sparse, int64_t, "class.starts", 1, 0, "section class.starts, element 1"); /* not even a NUL */
    WRONG(&sparse, int64_t, "class.starts", 3, 13, "section class.starts, element 3");
    WRONG(&sparse, int64_t, "class.starts", 3, 11, "section class.starts, element 3");
    WRONG(&sparse, int64_t, "node.starts", 2, 1000000, "section node.starts, element 2");
    WRONG(&sparse, char, "class.names", 4, 'x', "section class.names, element 4 is byte 120: every name must be");
    WRONG(&sparse, char, "class.names", 1, 0, "section class.names, element 1 is byte 0");
    WRONG(&sparse, char, "class.names", 11, 'x', "section class.names, element 11");
    WRONG(&sparse, char, "class.names", 1, (char)0xff,
          "section class.names, element 0 is byte 110: every name must be");
    WRONG(&sparse, int64_t, "feature.starts", 11, 5, "section feature.starts, element 11 is 5");
    WRONG(&sparse, char, "feature.names", 4, (char)0x80, "section feature.names, element 3");
    WRONG(&sparse, char, "node.ids", 0, 0, "section node.ids, element 0 is byte 0");
    WRONG(&sparse, char, "name", 9, 'x', "section name: expected a text");
    WRONG(&sparse, char, "name", 3, 0, "section name: expected a text");
    WRONG(&dense, float, "feature.dense", 7, NAN, "section feature.dense, element 7 is nan: every feature must be");
    WRONG(&dense, float, "feature.dense", 7, -INFINITY, "section feature.dense, element 7 is -inf");
    WRONG(&dense, float, "feature.dense", 7, 0, "the header says 8 features that are not 0, the file has 7");
    WRONG(&dense, float, "feature.dense", 7, 8, "fingerprint");
#undef WRONG
    free(sparse.bytes);
    free(dense.bytes);
}

/* The same of several kinds of edges: a-1 with weights and directions, b.plain without, none without edges. */
static void wrong_relations(void **state) {
    raw_fixture *f = *state;
    image im = image_of(f, several(f->ctx));
    assert_int_equal(im.header->version, 2);
    assert_int_equal(section(&im, "graph.list")->bytes, 4 * sizeof(gpri_mapped_graph));
    assert_int_equal(section(&im, "graph.rowptr")->bytes, 4 * 6 * 8);
#define WRONG(entry, field, value, part)                      \
    do {                                                      \
        image w = copy_of(&im);                               \
        gpri_mapped_graph *list = contents(&w, "graph.list"); \
        list[entry].field = (value);                          \
        changed(f, &w, part);                                 \
        free(w.bytes);                                        \
    } while (0)
    WRONG(0, arcs, 6, "entry 0: expected the graph of the header");
    WRONG(0, name[0], 'x', "entry 0: expected the graph of the header");
    WRONG(0, isolated, 0, "entry 0: expected the graph of the header");
    WRONG(0, arrays, 2, "entry 0: expected the graph of the header");
    WRONG(1, arcs, -2, "entry 1, 'a-1': the header says -2 arcs");
    WRONG(1, arcs, 7, "must be even");
    WRONG(1, arcs, 6, "section graph.column has");
    WRONG(1, arcs, 10, "section graph.column has");
    WRONG(1, arcs, INT64_MAX - 1, "do not fit into the file");
    WRONG(1, arcs, INT64_MIN, "arcs");
    WRONG(1, self_loops, -1, "self loops");
    WRONG(1, duplicates, -1, "duplicates");
    WRONG(1, isolated, 6, "isolated");
    WRONG(1, isolated, 0, "the header says 0 isolated nodes, the file has 1");
    WRONG(1, mutual, 5, "edges in both directions");
    WRONG(1, mutual, 3, "the header says 3 edges in both directions, the file has 0");
    WRONG(1, arrays, 8, "its arrays are 8");
    WRONG(1, arrays, -1, "its arrays are -1");
    WRONG(1, arrays, 5, "its arrays are 5");
    WRONG(1, arrays, 3, "section graph.along has");
    WRONG(2, arrays, 1, "section graph.weight has");
    WRONG(2, arrays, 2, "section graph.sides has");
    WRONG(1, name[0], 'c', "entry 2, 'b.plain': its name must have letters");
    WRONG(1, name[0], 'b', "fingerprint");
    WRONG(1, name[0], ' ', "entry 1, ' -1': its name must have letters");
    WRONG(1, name[0], 0, "entry 1, '': its name must have letters");
    WRONG(3, name[0], (char)0xff, "its name must have letters");
#undef WRONG
    image w = copy_of(&im);
    gpri_mapped_graph *list = contents(&w, "graph.list");
    memset(list[1].name, 'a', sizeof list[1].name);
    changed(f, &w, "entry 1: its name has no end");
    memset(list[1].name, 0, sizeof list[1].name);
    strcpy(list[1].name, "b.plain");
    changed(f, &w, "names must ascend");
    free(w.bytes);
#define WRONG(type, name, place, value, part)        \
    do {                                             \
        image x = copy_of(&im);                      \
        ((type *)contents(&x, name))[place] = value; \
        changed(f, &x, part);                        \
        free(x.bytes);                               \
    } while (0)
    /* rows of a-1: 1 3, 0 2, 1 3, 0 2, none; behind the 8 arcs of the union */
    WRONG(int64_t, "graph.rowptr", 6, 1, "section graph.rowptr, element 6 is 1: they must go from 0");
    WRONG(int64_t, "graph.rowptr", 8, INT64_MAX, "section graph.rowptr, element 8");
    WRONG(int64_t, "graph.rowptr", 23, 1, "section graph.rowptr, element 23 is 1");
    WRONG(int32_t, "graph.column", 8, 5, "section graph.column, element 8 is 5: in a row");
    WRONG(int32_t, "graph.column", 9, 4, "the graph of a-1 is not undirected");
    WRONG(float, "graph.weight", 15, 9, "the graph of a-1 is not undirected");
    WRONG(float, "graph.weight", 15, NAN, "section graph.weight, element 15 is nan");
    WRONG(uint8_t, "graph.sides", 0, 0, "section graph.sides, element 0 is byte 0: they must be 1, 2 or 3");
    WRONG(uint8_t, "graph.sides", 7, 4, "section graph.sides, element 7 is byte 4");
    WRONG(uint8_t, "graph.sides", 0, 3, "the graph of a-1 is not undirected");
    WRONG(float, "graph.along", 0, 0, "section graph.along, element 0 is 0: weights must be above 0 where");
    WRONG(float, "graph.along", 1, 1, "section graph.along, element 1 is 1");
    WRONG(float, "graph.along", 0, -1, "section graph.along, element 0 is -1");
    WRONG(float, "graph.along", 0, INFINITY, "section graph.along, element 0 is inf");
    WRONG(float, "graph.along", 0, 2, "fingerprint");
#undef WRONG
    w = copy_of(&im); /* before version 2 these were nobody's names */
    w.header->version = 1;
    changed(f, &w, "section graph.rowptr has 192 bytes: expected 6 numbers of 8");
    free(w.bytes);
    w = copy_of(&im);
    section(&w, "graph.sides")->name[0] = '_';
    changed(f, &w, "there is a section graph.along, but no graph.sides");
    section(&w, "graph.along")->name[0] = '_';
    changed(f, &w, "section graph.sides has 0 bytes: the graphs of graph.list have 8");
    free(w.bytes);
    w = copy_of(&im);
    section(&w, "graph.list")->bytes -= 1;
    changed(f, &w, "section graph.list has 383 bytes: expected from 3 to 65 entries of 96");
    free(w.bytes);
    w = copy_of(&im);
    list = contents(&w, "graph.list");
    list[1].name[0] = 'x';
    assert_fails(try_image(f, &w), GPR_ERROR_FORMAT, "section graph.list is damaged");
    free(w.bytes);
    free(im.bytes);
}

/* Every public function that uses a dataset reports what is wrong with a damaged one. */
static void every_entry(void **state) {
    raw_fixture *f = *state;
    image im = small_image(f, SPARSE);
    gpr_dataset *data, *good = small(f->ctx, SPARSE, true, true);
    im.bytes[section(&im, "labels")->offset] ^= 1;
    const char *path = raw_path(f, "damaged.gpr"), *part = "section labels is damaged";
    write_bytes(path, im.bytes, (size_t)im.size);
    gpr_dataset_info info = {.struct_size = sizeof info};
    training t = train(f->ctx, good, OPTIONS("epochs", "2", "split", "dense")), none;
    int64_t counts[9], count;
    int32_t labels[5];
    gpr_split *split;
    for (int entry = 0; entry < 15; entry++) {
        assert_ok(gpr_dataset_open(f->ctx, &data, path, NULL));
        (void)gpri_fail(GPR_ERROR_ARGUMENT, "an older message");
        switch (entry) {
        case 0: assert_fails(gpr_dataset_describe(f->ctx, data, &info), GPR_ERROR_FORMAT, part); break;
        case 1: assert_fails(gpr_dataset_check(f->ctx, data), GPR_ERROR_FORMAT, part); break;
        case 2: assert_fails(gpr_dataset_class_sizes(f->ctx, data, counts), GPR_ERROR_FORMAT, part); break;
        case 3: assert_fails(gpr_dataset_class_edges(f->ctx, data, counts), GPR_ERROR_FORMAT, part); break;
        case 4: assert_fails(gpr_dataset_save(f->ctx, data, "/tmp/none.npz"), GPR_ERROR_FORMAT, part); break;
        case 5: assert_fails(gpr_dataset_save(f->ctx, data, "/tmp/none.gpr"), GPR_ERROR_FORMAT, part); break;
        case 6: assert_fails(gpr_split_new(f->ctx, &split, data, "dense", 1, 0), GPR_ERROR_FORMAT, part); break;
        case 7:
            none = try_training(f->ctx, data, OPTIONS("epochs", "2"));
            assert_fails(none.status, GPR_ERROR_FORMAT, part);
            break;
        case 8: assert_fails(gpr_predict(f->ctx, t.model, data, NULL, NULL), GPR_ERROR_FORMAT, part); break;
        case 9:
            assert_fails(gpr_predictions_save(f->ctx, t.model, data, "/tmp/none.csv", 0), GPR_ERROR_FORMAT, part);
            break;
        case 10:
            assert_null(gpr_dataset_labels(data, &count));
            assert_int_equal(count, 0);
            break;
        case 11: assert_null(gpr_dataset_class_name(data, 0)); break;
        case 12: assert_null(gpr_dataset_node_id(data, 0)); break;
        case 13: assert_null(gpr_dataset_feature_name(data, 0)); break;
        case 14: assert_fails(gpr_model_labels(f->ctx, t.model, data, labels), GPR_ERROR_FORMAT, part); break;
        }
        assert_non_null(strstr(gpr_last_error(), part));
        gpr_dataset_free(data);
    }
    assert_true(access("/tmp/none.gpr", F_OK) != 0 && access("/tmp/none.csv", F_OK) != 0);
    training_free(&t);
    gpr_dataset_free(good);
    free(im.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MAPPED_TEST(every_byte),     MAPPED_TEST(every_length),    MAPPED_TEST(header_fields), MAPPED_TEST(sections),
        MAPPED_TEST(wrong_contents), MAPPED_TEST(wrong_relations), MAPPED_TEST(every_entry)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
