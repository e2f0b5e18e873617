/* .gpr files: what is written is what is mapped, and no damage is taken for data. */
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

#include "base/file.h"
#include "data/describe.h"
#include "failing_memory.h"
#include "mapped_seal.h"
#include "raw_data.h"
#include "training.h"

/* ---- Datasets ------------------------------------------------------------------------------------- */

/* Weights, names, a node without label or edge, a self loop, a duplicate; CSR, dense (at least a fifth is not 0), or no
   features. */
typedef enum { SPARSE, DENSE, BARE } shape;

static gpr_dataset *small(gpr_ctx *ctx, shape features, bool named, bool weighted) {
    enum { N = 5 };
    static const int64_t src[] = {0, 1, 2, 2, 3, 0}, dst[] = {1, 2, 3, 2, 0, 1};
    static const float weights[] = {1, 2, 3, 4, 5, 6};
    static const float dense[N * 2] = {1, 2, 0, -3, 0.5f, 0, 4, 5, 6, 7};
    static const int64_t indptr[] = {0, 2, 3, 3, 4, 5};
    static const int32_t indices[] = {1, 7, 0, 9, 3}, labels[] = {0, 2, 0, 2, -1};
    static const float values[] = {1, -2, 3, 0.5f, 1};
    static const char *const classes[] = {"news", "", "sport"};
    static const char *const features_of[] = {"f0", "f1", "f2", "f3", "", "f5", "f6", "f7", "\xc3\xa4", "f9", "f10"};
    static const char *const ids[] = {"a", "node two", "c\xc3\xa9", "d", "the fifth"};
    gpr_dataset *data;
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "small one",
                             .nodes = N,
                             .edges = 6,
                             .src = src,
                             .dst = dst,
                             .weights = weighted ? weights : NULL,
                             .labels = labels,
                             .classes = 3,
                             .class_names = named ? classes : NULL,
                             .node_ids = named ? ids : NULL,
                             .feature_names = named && features != BARE ? features_of : NULL};
    if (features == DENSE) {
        desc.features = 2;
        desc.dense = dense;
    } else if (features == SPARSE) {
        desc.features = 11;
        desc.indptr = indptr;
        desc.indices = indices;
        desc.values = values;
    }
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    data->mixed_columns = weighted;
    return data;
}

static void assert_same_block(const char *what, const void *a, const void *b, int64_t bytes) {
    if (!a != !b) fail_msg("%s: only one has it", what);
    if (a && bytes > 0 && memcmp(a, b, (size_t)bytes) != 0) fail_msg("%s differs", what);
}

static void assert_same_names(const char *what, const gpri_names *a, const gpri_names *b) {
    assert_int_equal(a->count, b->count);
    assert_same_block(what, a->start, b->start, (a->count + 1) * 8);
    if (a->start) assert_same_block(what, a->bytes, b->bytes, a->start[a->count]);
}

/* Everything that a dataset holds. */
static void assert_same_dataset(const gpr_dataset *a, const gpr_dataset *b) {
    const gpri_graph *ga = &a->graph, *gb = &b->graph;
    const gpri_table *ta = &a->features, *tb = &b->features;
    assert_string_equal(a->name, b->name);
    assert_int_equal(ga->nodes, gb->nodes);
    assert_int_equal(ga->arcs, gb->arcs);
    assert_int_equal(ga->self_loops, gb->self_loops);
    assert_int_equal(ga->duplicates, gb->duplicates);
    assert_int_equal(ga->isolated, gb->isolated);
    assert_same_block("rowptr", ga->rowptr, gb->rowptr, (ga->nodes + 1) * 8);
    assert_same_block("column", ga->column, gb->column, ga->arcs * 4);
    assert_same_block("weight", ga->weight, gb->weight, ga->arcs * 4);
    assert_int_equal(ta->rows, tb->rows);
    assert_int_equal(ta->cols, tb->cols);
    assert_int_equal(ta->nnz, tb->nnz);
    assert_same_block("dense", ta->dense, tb->dense, ta->rows * ta->cols * 4);
    assert_same_block("feature rowptr", ta->rowptr, tb->rowptr, (ta->rows + 1) * 8);
    assert_same_block("feature column", ta->column, tb->column, ta->nnz * 4);
    assert_same_block("feature value", ta->value, tb->value, ta->nnz * 4);
    assert_same_block("labels", a->labels, b->labels, ga->nodes * 4);
    assert_int_equal(a->classes, b->classes);
    assert_same_names("class names", &a->class_names, &b->class_names);
    assert_same_names("node ids", &a->node_ids, &b->node_ids);
    assert_same_names("feature names", &a->feature_names, &b->feature_names);
    assert_int_equal(a->mixed_columns, b->mixed_columns);
    assert_true(a->phi == b->phi || (isnan(a->phi) && isnan(b->phi)));
}

/* ---- A file as bytes ------------------------------------------------------------------------------ */

typedef struct {
    unsigned char *bytes;
    int64_t size;
    gpri_mapped_header *header; /* within bytes, which malloc aligns */
} image;

static image load(gpr_ctx *ctx, const char *path) {
    char *bytes;
    image im;
    assert_ok(gpri_read_whole(ctx, &bytes, &im.size, path, INT64_MAX));
    im.bytes = malloc((size_t)im.size);
    assert_non_null(im.bytes);
    memcpy(im.bytes, bytes, (size_t)im.size);
    gpri_free(ctx, bytes);
    im.header = (gpri_mapped_header *)(void *)im.bytes;
    return im;
}

static image copy_of(const image *im) {
    image copy = {.bytes = malloc((size_t)im->size), .size = im->size};
    assert_non_null(copy.bytes);
    memcpy(copy.bytes, im->bytes, (size_t)im->size);
    copy.header = (gpri_mapped_header *)(void *)copy.bytes;
    return copy;
}

static gpri_mapped_section *section(const image *im, const char *name) {
    for (uint32_t i = 0; i < im->header->sections; i++)
        if (strcmp(im->header->section[i].name, name) == 0) return &im->header->section[i];
    fail_msg("no section %s", name);
    return NULL;
}

static void *contents(const image *im, const char *name) { return im->bytes + section(im, name)->offset; }

/* Opens the bytes as a file and looks through them. */
static gpr_status try_image(raw_fixture *f, const image *im) {
    const char *path = raw_path(f, "tried.gpr");
    gpr_dataset *data;
    write_bytes(path, im->bytes, (size_t)im->size);
    gpr_status status = gpr_dataset_open(f->ctx, &data, path, NULL);
    assert_true((status == GPR_OK) == (data != NULL));
    if (status == GPR_OK) status = gpri_dataset_ready(f->ctx, data);
    gpr_dataset_free(data);
    return status;
}

static image small_image(raw_fixture *f, shape features) {
    gpr_dataset *data = small(f->ctx, features, true, true);
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "small.gpr")));
    gpr_dataset_free(data);
    return load(f->ctx, raw_path(f, "small.gpr"));
}

/* ---- Whole files ---------------------------------------------------------------------------------- */

/* Writes, maps, compares, writes again: the same bytes. */
static void round_trip(raw_fixture *f, const gpr_dataset *data) {
    gpr_dataset *mapped;
    char first[33], second[33];
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "a.gpr")));
    assert_ok(gpr_dataset_open(f->ctx, &mapped, raw_path(f, "a.gpr"), NULL));
    assert_non_null(mapped->file);
    assert_ok(gpri_dataset_ready(f->ctx, mapped));
    assert_same_dataset(data, mapped);
    const unsigned char *begin = mapped->file->mapping.bytes, *end = begin + mapped->file->mapping.size;
    assert_true((unsigned char *)mapped->graph.column >= begin && (unsigned char *)mapped->graph.column <= end);
    assert_true((uintptr_t)mapped->graph.rowptr % 64 == 0 && (uintptr_t)mapped->labels % 64 == 0);
    gpri_fingerprint(first, data);
    gpri_fingerprint(second, mapped);
    assert_string_equal(first, second);
    assert_ok(gpr_dataset_save(f->ctx, mapped, raw_path(f, "b.gpr")));
    image a = load(f->ctx, raw_path(f, "a.gpr")), b = load(f->ctx, raw_path(f, "b.gpr"));
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, (size_t)a.size);
    assert_int_equal(a.size % 64, 0);
    /* onto itself: the old file stays mapped until the dataset is freed */
    assert_ok(gpr_dataset_save(f->ctx, mapped, raw_path(f, "a.gpr")));
    assert_same_dataset(data, mapped);
    gpr_dataset_free(mapped);
    free(a.bytes);
    free(b.bytes);
}

static void every_field(void **state) {
    raw_fixture *f = *state;
    for (int features = SPARSE; features <= BARE; features++)
        for (int bits = 0; bits < 4; bits++) {
            gpr_dataset *data = small(f->ctx, (shape)features, bits & 1, bits & 2);
            round_trip(f, data);
            gpr_dataset_free(data);
        }
    gpr_dataset *made[] = {new_csbm(f->ctx, 60, 7, -0.25), new_words(f->ctx, 70, 40, 3)};
    for (int i = 0; i < 2; i++) {
        round_trip(f, made[i]);
        gpr_dataset_free(made[i]);
    }
}

/* One node, no edge, no feature, no label, no name. */
static void next_to_nothing(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data;
    gpr_dataset_desc desc = {.struct_size = sizeof desc, .name = "", .nodes = 1};
    assert_ok(gpr_dataset_new(f->ctx, &data, &desc));
    round_trip(f, data);
    gpr_dataset_free(data);
}

/* Sections of several pieces, on several threads; damage in a piece that is not the first. */
static void large(void **state) {
    raw_fixture *f = *state;
    gpr_ctx *ctx = new_ctx(3);
    gpr_dataset *data = new_words(ctx, 250000, 40, 2), *mapped;
    assert_true(data->graph.arcs * 4 > 1 << 22);
    const char *path = raw_path(f, "large.gpr");
    assert_ok(gpr_dataset_save(ctx, data, path));
    assert_ok(gpr_dataset_open(ctx, &mapped, path, NULL));
    assert_ok(gpri_dataset_ready(ctx, mapped));
    assert_same_dataset(data, mapped);
    const int64_t last = mapped->file->header.section[1].offset + mapped->graph.arcs * 4 - 3;
    assert_string_equal(mapped->file->header.section[1].name, "graph.column");
    gpr_dataset_free(mapped);
    image im = load(ctx, path);
    im.bytes[last] ^= 1;
    write_bytes(path, im.bytes, (size_t)im.size);
    assert_ok(gpr_dataset_open(ctx, &mapped, path, NULL));
    assert_fails(gpri_dataset_ready(ctx, mapped), GPR_ERROR_FORMAT, "section graph.column is damaged");
    assert_fails(gpri_dataset_ready(ctx, mapped), GPR_ERROR_FORMAT, "section graph.column is damaged");
    gpr_dataset_free(mapped);
    mapped_seal(im.bytes, im.size);
    write_bytes(path, im.bytes, (size_t)im.size);
    assert_ok(gpr_dataset_open(ctx, &mapped, path, NULL));
    assert_fails(gpri_dataset_ready(ctx, mapped), GPR_ERROR_FORMAT, "large.gpr: ");
    gpr_dataset_free(mapped);
    free(im.bytes);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* More than 2^31 arcs: a file with holes, of which the header is right and hardly anything else. */
static void beyond_32_bits(void **state) {
    raw_fixture *f = *state;
    const int64_t arcs = 3000000000, nodes = 1000;
    const char *path = raw_path(f, "huge.gpr");
    gpri_mapped_writer writer;
    gpr_dataset *data;
    const int32_t last = 999;
    assert_ok(gpri_mapped_create(f->ctx, &writer, path));
    writer.header.nodes = nodes;
    writer.header.arcs = arcs;
    writer.header.phi = NAN;
    gpri_mapped_reserve(&writer, GPRI_ROWPTR, (nodes + 1) * 8);
    gpri_mapped_reserve(&writer, GPRI_COLUMN, arcs * 4);
    const int64_t place = writer.position - 4;
    gpri_mapped_reserve(&writer, GPRI_WEIGHT, arcs * 4);
    gpri_mapped_reserve(&writer, GPRI_FEATURE_ROWPTR, (nodes + 1) * 8);
    gpri_mapped_reserve(&writer, GPRI_FEATURE_COLUMN, 0);
    gpri_mapped_reserve(&writer, GPRI_FEATURE_VALUE, 0);
    gpri_mapped_reserve(&writer, GPRI_LABELS, nodes * 4);
    assert_ok(gpri_mapped_put(&writer, GPRI_NAME, "huge", 5));
    gpr_status status = gpri_output_write_at(&writer.output, &last, sizeof last, place);
    if (status != GPR_OK) {
        print_message("skipped: no file of %lld bytes can be made here\n", (long long)writer.position);
        gpri_mapped_discard(&writer);
        return;
    }
    assert_ok(gpri_mapped_commit(&writer));
    assert_ok(gpr_dataset_open(f->ctx, &data, path, NULL));
    assert_true(data->graph.arcs == arcs);
    assert_int_equal(data->graph.column[arcs - 1], 999);
    assert_int_equal(data->graph.column[arcs - 2], 0);
    assert_true((char *)data->graph.weight - (char *)data->graph.column == arcs * 4);
    assert_true((char *)data->labels - (char *)data->graph.weight > arcs * 4);
    gpr_dataset_free(data);
}

/* ---- Damage --------------------------------------------------------------------------------------- */

/* One bit of every byte in turn: all of the file is under a checksum. */
static void every_byte(void **state) {
    raw_fixture *f = *state;
    for (int features = SPARSE; features <= DENSE; features++) {
        image im = small_image(f, (shape)features);
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

/* Every field of the header with every kind of wrong value, under a right checksum. */
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
    WRONG(version, 2, "a newer gprgnn wrote it");
    WRONG(version, 0, "this program reads version 1");
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
    WRONG(isolated, -1, "isolated");
    WRONG(isolated, 6, "isolated");
    WRONG(isolated, 2, "the header says 2 isolated nodes, the file has 1");
    WRONG(mixed_columns, 2, "mixed columns");
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
    memset(w.header->fingerprint, 0, sizeof w.header->fingerprint); /* not stated: it is found out */
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

/* Sections that are missing, twice there, or in the wrong company; and one that is not known. */
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
    w.bytes[section(&w, "_lass.names")->offset] ^= 1; /* not known, but under a checksum */
    assert_fails(try_image(f, &w), GPR_ERROR_FORMAT, "section _lass.names is damaged");
    free(w.bytes);
    free(im.bytes);
}

/* Contents that would lead others astray, under right checksums. */
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

/* Every function of the public interface that looks at a dataset says what is wrong with a damaged one. */
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

/* ---- Use ------------------------------------------------------------------------------------------ */

/* The same bits from mapped and from built data, whatever the threads. */
static void same_training(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *made[] = {new_csbm(f->ctx, 200, 30, -0.5), new_words(f->ctx, 210, 60, 3)};
    for (int i = 0; i < 2; i++) {
        const char *const *options = OPTIONS("epochs", "20", "runs", "2", "split", "dense");
        gpr_ctx *ctx = new_ctx(3);
        gpr_dataset *mapped;
        const char *path = raw_path(f, "data.gpr");
        assert_ok(gpr_dataset_save(f->ctx, made[i], path));
        assert_ok(gpr_dataset_open(ctx, &mapped, path, NULL));
        training a = train(f->ctx, made[i], options), b = train(ctx, mapped, options);
        assert_same_model("mapped and built", a.model, b.model);
        float *p = calloc(210 * 3, sizeof *p), *q = calloc(210 * 3, sizeof *q);
        assert_ok(gpr_predict(f->ctx, a.model, made[i], NULL, p));
        assert_ok(gpr_predict(ctx, b.model, mapped, NULL, q));
        assert_memory_equal(p, q, 210 * 3 * sizeof *p);
        free(p);
        free(q);
        training_free(&a);
        training_free(&b);
        gpr_dataset_free(mapped);
        gpr_ctx_free(ctx);
        gpr_dataset_free(made[i]);
    }
}

/* Other features and labels in the place of those of a file, which stays whole, and is still looked through. */
static void replaced(void **state) {
    raw_fixture *f = *state;
    image im = small_image(f, SPARSE);
    char before[33], after[33], expected[33];
    gpr_dataset *data, *dense = small(f->ctx, DENSE, false, true), *again;
    assert_ok(gpr_dataset_open(f->ctx, &data, raw_path(f, "small.gpr"), NULL));
    gpri_dataset_drop_features(data);
    data->features = dense->features;
    dense->features = (gpri_table){0};
    gpri_dataset_drop_labels(data);
    data->labels = dense->labels;
    dense->labels = NULL;
    assert_ok(gpri_dataset_ready(f->ctx, data));
    gpri_fingerprint(after, data);
    assert_ok(gpr_dataset_open(f->ctx, &again, raw_path(f, "small.gpr"), NULL));
    assert_ok(gpri_dataset_ready(f->ctx, again));
    gpri_fingerprint(before, again);
    assert_string_not_equal(before, after);
    gpr_dataset_free(again);
    gpr_dataset_free(dense);
    dense = small(f->ctx, DENSE, true, true);
    gpri_fingerprint(expected, dense);
    assert_string_equal(after, expected);
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "other.gpr")));
    gpr_dataset_free(data);
    assert_ok(gpr_dataset_open(f->ctx, &again, raw_path(f, "other.gpr"), NULL));
    assert_ok(gpri_dataset_ready(f->ctx, again));
    assert_non_null(again->features.dense);
    assert_string_equal(gpr_dataset_node_id(again, 3), "d");
    assert_null(gpr_dataset_class_name(again, 0));
    gpr_dataset_free(again);
    gpr_dataset_free(dense);
    free(im.bytes);
}

static void *ask(void *arg) {
    const gpr_dataset *data = arg;
    int64_t count;
    const int32_t *labels = gpr_dataset_labels(data, &count);
    return labels && count == 5 && strcmp(gpr_dataset_node_id(data, 3), "d") == 0 ? arg : NULL;
}

/* Two threads ask a file that nobody has looked through. */
static void two_threads(void **state) {
    raw_fixture *f = *state;
    image im = small_image(f, DENSE);
    for (int i = 0; i < 20; i++) {
        pthread_t threads[2];
        gpr_dataset *data;
        assert_ok(gpr_dataset_open(f->ctx, &data, raw_path(f, "small.gpr"), NULL));
        for (int t = 0; t < 2; t++) assert_int_equal(pthread_create(&threads[t], NULL, ask, data), 0);
        for (int t = 0; t < 2; t++) {
            void *answer;
            assert_int_equal(pthread_join(threads[t], &answer), 0);
            assert_ptr_equal(answer, data);
        }
        gpr_dataset_free(data);
    }
    free(im.bytes);
}

static void names_and_formats(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data = small(f->ctx, SPARSE, true, false), *other;
    assert_fails(gpr_dataset_save(f->ctx, data, raw_path(f, "a.txt")), GPR_ERROR_ARGUMENT,
                 "its name must end in .npz or .gpr");
    assert_fails(gpr_dataset_save(f->ctx, data, ".gpr"), GPR_ERROR_ARGUMENT, "must end in");
    assert_fails(gpr_dataset_save_as(f->ctx, data, raw_path(f, "a.gpr"), "gprr"), GPR_ERROR_ARGUMENT,
                 "did you mean 'gpr'? expected npz or gpr");
    assert_fails(gpr_dataset_save_as(f->ctx, data, raw_path(f, "a.gpr"), "csv"), GPR_ERROR_ARGUMENT, "npz or gpr");
    assert_int_equal(folder_files(f->folder, false), 0);
    /* under another name it is known by its first bytes */
    assert_ok(gpr_dataset_save_as(f->ctx, data, raw_path(f, "strange.txt"), "gpr"));
    assert_ok(gpr_dataset_open(f->ctx, &other, raw_path(f, "strange.txt"), NULL));
    assert_same_dataset(data, other);
    gpr_dataset_free(other);
    /* by its name in a folder, before an .npz */
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "known.npz")));
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "known.gpr")));
    assert_ok(gpr_dataset_open(f->ctx, &other, "known", f->folder));
    assert_non_null(other->file);
    assert_string_equal(other->name, "small one");
    gpr_dataset_free(other);
    assert_ok(gpr_dataset_open_as(f->ctx, &other, "known", f->folder, "npz"));
    assert_null(other->file);
    gpr_dataset_free(other);
    assert_fails(gpr_dataset_open_as(f->ctx, &other, raw_path(f, "known.npz"), NULL, "gpr"), GPR_ERROR_FORMAT,
                 "known.npz: no .gpr file");
    write_text(raw_path(f, "short.gpr"), "text");
    assert_fails(gpr_dataset_open(f->ctx, &other, f->path, NULL), GPR_ERROR_FORMAT, "short.gpr has 4 bytes");
    write_text(raw_path(f, "short.gpr"), "");
    assert_fails(gpr_dataset_open(f->ctx, &other, f->path, NULL), GPR_ERROR_FORMAT, "short.gpr has 0 bytes");
    assert_fails(gpr_dataset_open_as(f->ctx, &other, f->folder, NULL, "gpr"), GPR_ERROR_FORMAT, "is a folder");
    assert_fails(gpr_dataset_open_as(f->ctx, &other, "/none.gpr", NULL, "gpr"), GPR_ERROR_NOT_FOUND, "/none.gpr");
    gpr_dataset_free(data);
    char *long_name = malloc((1 << 20) + 1);
    memset(long_name, 'a', 1 << 20);
    long_name[1 << 20] = 0;
    gpr_dataset_desc desc = {.struct_size = sizeof desc, .name = long_name, .nodes = 1};
    assert_ok(gpr_dataset_new(f->ctx, &data, &desc));
    assert_fails(gpr_dataset_save(f->ctx, data, raw_path(f, "long.gpr")), GPR_ERROR_ARGUMENT, "the dataset's name");
    assert_true(access(f->path, F_OK) != 0);
    gpr_dataset_free(data);
    free(long_name);
}

/* ---- Memory --------------------------------------------------------------------------------------- */

static gpr_status open_and_save(gpr_ctx *ctx, void *arg) {
    raw_fixture *f = arg;
    gpr_dataset *data = NULL;
    gpr_status status = gpr_dataset_open(ctx, &data, raw_path(f, "small.gpr"), NULL);
    if (status == GPR_OK) status = gpr_dataset_save(ctx, data, raw_path(f, "again.gpr"));
    gpr_dataset_free(data);
    return status;
}

static void little_memory(void **state) {
    raw_fixture *f = *state;
    image im = small_image(f, SPARSE);
    fail_every_allocation(open_and_save, f);
    assert_int_equal(folder_files(f->folder, false), 2);
    free(im.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        RAW_TEST(every_field),    RAW_TEST(next_to_nothing),   RAW_TEST(large),         RAW_TEST(beyond_32_bits),
        RAW_TEST(every_byte),     RAW_TEST(every_length),      RAW_TEST(header_fields), RAW_TEST(sections),
        RAW_TEST(wrong_contents), RAW_TEST(every_entry),       RAW_TEST(same_training), RAW_TEST(two_threads),
        RAW_TEST(little_memory),  RAW_TEST(names_and_formats), RAW_TEST(replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
