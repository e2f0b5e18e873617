/* .gpr files for tests: small datasets of every shape, the comparison of two, and a file as bytes. */
#ifndef TEST_MAPPED_FILES_H
#define TEST_MAPPED_FILES_H

#include <math.h>
#include <stddef.h>

#include "data/describe.h"
#include "failing_memory.h"
#include "file/file.h"
#include "mapped_seal.h"
#include "raw_data.h"
#include "same_graph.h"
#include "training.h"

static inline int set_up(void **state) {
    const int code = raw_set_up(state);
    raw_fixture *f = *state;
    folder_files(f->folder, true);
    folder_make_fast(f->folder);
    return code;
}

#define MAPPED_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, raw_tear_down)

/* ---- Datasets ------------------------------------------------------------------------------------- */

/* Weights, names, a node without label or edge, a self loop, a duplicate; CSR, dense (at least a fifth is not 0), or no
   features. */
typedef enum { SPARSE, DENSE, BARE } shape;

static inline gpr_dataset *small(gpr_ctx *ctx, shape features, bool named, bool weighted) {
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
    data->from_table = weighted;
    data->generated = weighted;
    return data;
}

static inline void assert_same_names(const char *what, const gpri_names *a, const gpri_names *b) {
    assert_int_equal(a->count, b->count);
    assert_same_block(what, a->start, b->start, (a->count + 1) * 8);
    if (a->start) assert_same_block(what, a->bytes, b->bytes, a->start[a->count]);
}

/* Everything that a dataset holds. */
static inline void assert_same_dataset(const gpr_dataset *a, const gpr_dataset *b) {
    const gpri_graph *ga = &a->graph, *gb = &b->graph;
    const gpri_feature_matrix *ta = &a->features, *tb = &b->features;
    assert_string_equal(a->name, b->name);
    assert_same_graph(ga, gb);
    for (int64_t g = 0; g < gpri_graph_count(ga); g++) {
        assert_int_equal(gpri_graph_at(ga, g)->self_loops, gpri_graph_at(gb, g)->self_loops);
        assert_int_equal(gpri_graph_at(ga, g)->duplicates, gpri_graph_at(gb, g)->duplicates);
    }
    assert_int_equal(ta->rows, tb->rows);
    assert_int_equal(ta->cols, tb->cols);
    assert_int_equal(ta->nnz, tb->nnz);
    assert_same_block("dense", ta->dense, tb->dense, ta->rows * ta->cols * 4);
    assert_same_block("feature rowptr", ta->rowptr, tb->rowptr, (ta->rows + 1) * 8);
    assert_same_block("feature column", ta->column, tb->column, ta->nnz * 4);
    assert_same_block("feature value", ta->value, tb->value, ta->nnz * 4);
    assert_same_block("labels", a->target.labels, b->target.labels, ga->nodes * 4);
    assert_int_equal(a->target.classes, b->target.classes);
    assert_same_names("class names", &a->target.names, &b->target.names);
    assert_same_names("node ids", &a->node_ids, &b->node_ids);
    assert_same_names("feature names", &a->feature_names, &b->feature_names);
    assert_int_equal(a->mixed_columns, b->mixed_columns);
    assert_int_equal(a->from_table, b->from_table);
    assert_int_equal(a->generated, b->generated);
    assert_true(a->phi == b->phi || (isnan(a->phi) && isnan(b->phi)));
}

/* Three kinds of edges: one with weights and directions, one without either, one without edges. */
static inline gpr_dataset *several(gpr_ctx *ctx) {
    enum { N = 5, E = 11 };
    static const int64_t src[E] = {0, 1, 2, 3, 0, 1, 1, 0, 0, 2, 3}, dst[E] = {1, 2, 3, 0, 1, 0, 2, 3, 1, 1, 0};
    static const float weights[E] = {1, 2, 3, 4, 5, 1, 1, 1, 1, 1, 1}, dense[N] = {1, 2, 3, 4, 5};
    static const int32_t kind[E] = {2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0}, labels[N] = {0, 1, 0, 1, -1};
    static const char *const names[] = {"b.plain", "none", "a-1"};
    gpr_dataset *data;
    const gpr_dataset_desc desc = {.struct_size = sizeof desc,
                                   .name = "several",
                                   .nodes = N,
                                   .edges = E,
                                   .src = src,
                                   .dst = dst,
                                   .weights = weights,
                                   .features = 1,
                                   .dense = dense,
                                   .labels = labels,
                                   .relation_count = 3,
                                   .relation_names = names,
                                   .edge_relation = kind};
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    return data;
}

/* ---- A file as bytes ------------------------------------------------------------------------------ */

typedef struct {
    unsigned char *bytes;
    int64_t size;
    gpri_mapped_header *header; /* within bytes, which malloc aligns */
} image;

static inline image load(gpr_ctx *ctx, const char *path) {
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

static inline image copy_of(const image *im) {
    image copy = {.bytes = malloc((size_t)im->size), .size = im->size};
    assert_non_null(copy.bytes);
    memcpy(copy.bytes, im->bytes, (size_t)im->size);
    copy.header = (gpri_mapped_header *)(void *)copy.bytes;
    return copy;
}

static inline gpri_mapped_section *section(const image *im, const char *name) {
    for (uint32_t i = 0; i < im->header->sections; i++)
        if (strcmp(im->header->section[i].name, name) == 0) return &im->header->section[i];
    fail_msg("no section %s", name);
    return NULL;
}

static inline void *contents(const image *im, const char *name) { return im->bytes + section(im, name)->offset; }

/* Opens the bytes as a file and checks them. */
static inline gpr_status try_image(raw_fixture *f, const image *im) {
    const char *path = raw_path(f, "tried.gpr");
    gpr_dataset *data;
    write_bytes(path, im->bytes, (size_t)im->size);
    gpr_status status = gpr_dataset_open(f->ctx, &data, path, NULL);
    assert_true((status == GPR_OK) == (data != NULL));
    if (status == GPR_OK) status = gpri_dataset_ready(f->ctx, data);
    gpr_dataset_free(data);
    return status;
}

static inline image image_of(raw_fixture *f, gpr_dataset *data) {
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "small.gpr")));
    gpr_dataset_free(data);
    return load(f->ctx, raw_path(f, "small.gpr"));
}

static inline image small_image(raw_fixture *f, shape features) {
    return image_of(f, small(f->ctx, features, true, true));
}

#endif
