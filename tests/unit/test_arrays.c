/* gpr_dataset_new with CSR for the graph, indices of 32 and 64 bits, and lengths that keep a wrong indptr from being
 * followed; and the sizes of a dataset. */
#include <math.h>
#include <unistd.h>

#include "bounded_memory.h"
#include "data/feature_matrix.h"
#include "failing_memory.h"

enum { N = 6, F = 5, ARCS = 8, NNZ = 7 };
static const int64_t src[ARCS] = {0, 0, 1, 2, 3, 3, 4, 5}, dst[ARCS] = {1, 2, 0, 3, 2, 3, 5, 4};
static const float weight[ARCS] = {1, 2, 1, 3, 3, 1, 4, 4};
static const int64_t adj_indptr[N + 1] = {0, 2, 3, 4, 6, 7, 8}, adj_indices[ARCS] = {1, 2, 0, 3, 2, 3, 5, 4};
static const int32_t adj_indptr32[N + 1] = {0, 2, 3, 4, 6, 7, 8}, adj_indices32[ARCS] = {1, 2, 0, 3, 2, 3, 5, 4};
static const int64_t indptr[N + 1] = {0, 1, 3, 3, 4, 6, 7}, indices[NNZ] = {4, 0, 2, 1, 3, 0, 2};
static const int32_t indptr32[N + 1] = {0, 1, 3, 3, 4, 6, 7}, indices32[NNZ] = {4, 0, 2, 1, 3, 0, 2};
static const float values[NNZ] = {1, 2, 3, 4, 5, 6, 7};
static const int32_t labels[N] = {0, 1, 0, 1, 0, -1};
static const char *const ids[N] = {"a", "b", "c", "d", "e", "f"};

/* As programs of 0.1.0 give it. */
static gpr_dataset_desc plain(void) {
    return (gpr_dataset_desc){.struct_size = sizeof(gpr_dataset_desc),
                              .nodes = N,
                              .edges = ARCS,
                              .src = src,
                              .dst = dst,
                              .weights = weight,
                              .features = F,
                              .indptr = indptr,
                              .indices = indices32,
                              .values = values,
                              .labels = labels,
                              .node_ids = ids};
}

static gpr_dataset_desc csr(int bits) {
    return (gpr_dataset_desc){.struct_size = sizeof(gpr_dataset_desc),
                              .nodes = N,
                              .features = F,
                              .values = values,
                              .labels = labels,
                              .node_ids = ids,
                              .index_bits = bits,
                              .indptr_length = N + 1,
                              .indices_length = NNZ,
                              .adj_indptr = bits == 32 ? (const void *)adj_indptr32 : adj_indptr,
                              .adj_indices = bits == 32 ? (const void *)adj_indices32 : adj_indices,
                              .adj_values = weight,
                              .adj_indptr_length = N + 1,
                              .adj_indices_length = ARCS,
                              .feature_indptr = bits == 32 ? (const void *)indptr32 : indptr,
                              .feature_indices = bits == 32 ? (const void *)indices32 : indices};
}

static void same_data(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *want, *got;
    gpr_dataset_desc desc = plain();
    gpr_dataset_info a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    assert_ok(gpr_dataset_new(ctx, &want, &desc));
    assert_ok(gpr_dataset_describe(ctx, want, &a));
    assert_true(gpr_dataset_nodes(want) == N && gpr_dataset_edges(want) == 4);
    assert_true(gpr_dataset_features(want) == F && gpr_dataset_classes(want) == 2);
    assert_true(gpr_dataset_nodes(NULL) == -1 && gpr_dataset_edges(NULL) == -1);
    assert_true(gpr_dataset_features(NULL) == -1 && gpr_dataset_classes(NULL) == -1);
    for (int bits = 32; bits <= 64; bits += 32) {
        desc = csr(bits);
        assert_ok(gpr_dataset_new(ctx, &got, &desc));
        assert_ok(gpr_dataset_describe(ctx, got, &b));
        assert_string_equal(a.fingerprint, b.fingerprint); /* graph, weights, features and labels */
        assert_true(a.self_loops == b.self_loops && a.duplicates == b.duplicates && b.weighted);
        assert_string_equal(gpr_dataset_node_id(got, 5), "f");
        gpr_dataset_free(got);
        desc.adj_indices_length = ARCS + 5; /* room that is not used */
        desc.adj_values = NULL;
        assert_ok(gpr_dataset_new(ctx, &got, &desc));
        assert_ok(gpr_dataset_describe(ctx, got, &b));
        assert_true(!b.weighted && b.edges == 4);
        gpr_dataset_free(got);
    }
    desc = plain();
    desc.indptr_length = N + 1; /* with lengths, as of 0.2.0 */
    desc.indices_length = NNZ;
    assert_ok(gpr_dataset_new(ctx, &got, &desc));
    gpr_dataset_free(got);
    gpr_dataset_free(want);
    gpr_ctx_free(ctx);
}

#define REFUSED(desc, part)                                                          \
    do {                                                                             \
        got = (gpr_dataset *)ctx;                                                    \
        assert_fails(gpr_dataset_new(ctx, &got, &(desc)), GPR_ERROR_ARGUMENT, part); \
        assert_null(got);                                                            \
    } while (0)
#define CHANGED(field, value, part)   \
    do {                              \
        gpr_dataset_desc d = csr(64); \
        d.field = value;              \
        REFUSED(d, part);             \
    } while (0)

static void refused(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *got;
    CHANGED(index_bits, 0, "index_bits is 0: it must be 32 or 64");
    CHANGED(index_bits, 16, "index_bits is 16");
    CHANGED(adj_indptr_length, 0, "the length of adj_indptr is 0: it must be nodes + 1, 7");
    CHANGED(adj_indptr_length, N, "the length of adj_indptr is 6");
    CHANGED(indptr_length, N, "of feature_indptr is 6");
    CHANGED(adj_indices_length, ARCS - 1, "adj_indptr ends with 8: there are 7 indices");
    CHANGED(adj_indices_length, -1, "the length of adj_indices is -1");
    CHANGED(adj_indices, NULL, "there are no indices");
    CHANGED(indices_length, NNZ - 1, "feature_indptr ends with 7: there are 6 indices");
    CHANGED(src, src, "both as edges");
    CHANGED(edges, 1, "both as edges");
    CHANGED(dense, values, "both as feature_indptr and as dense");
    CHANGED(indptr, indptr, "both as feature_indptr and as indptr");
    CHANGED(nodes, 0, "0 nodes");
    CHANGED(nodes, -7, "-7 nodes");
    CHANGED(features, 4, "feature_indices[0] is 4: columns must be in [0, 4)");
    const float negative[N] = {1, 1, -0.5f, 1, 1, 1}, not_a_number[N] = {1, NAN, 1, 1, 1, 1};
    CHANGED(node_weights, negative, "node_weights[2] is -0.5: it must be a number of 0 or more");
    CHANGED(node_weights, not_a_number, "node_weights[1] is nan");
    int64_t ptr[N + 1], ends[ARCS];
    gpr_dataset_desc desc = csr(64);
    desc.adj_indptr = ptr;
    memcpy(ptr, adj_indptr, sizeof ptr);
    ptr[0] = 1;
    REFUSED(desc, "adj_indptr begins with 1");
    memcpy(ptr, adj_indptr, sizeof ptr);
    ptr[2] = 1;
    REFUSED(desc, "adj_indptr[2] is 1, less than the 2 before it");
    ptr[2] = INT64_MAX;
    REFUSED(desc, "adj_indptr[3] is 4, less than the 9223372036854775807 before it");
    ptr[2] = -1;
    REFUSED(desc, "adj_indptr[2] is -1");
    desc = csr(64);
    memcpy(ends, adj_indices, sizeof ends);
    desc.adj_indices = ends;
    ends[3] = N;
    REFUSED(desc, "adj_indices[3], of node 2, is 6");
    ends[3] = -1;
    REFUSED(desc, "adj_indices[3], of node 2, is -1");
    ends[3] = (int64_t)1 << 32; /* 0 if cut to 32 bits */
    REFUSED(desc, "is 4294967296");
    /* indptr and indices of 0.1.0: wrong ones are refused where their length is known */
    desc = plain();
    desc.indptr_length = N + 1;
    desc.indices_length = NNZ - 2;
    REFUSED(desc, "indptr ends with 7: there are 5 indices");
    desc.indptr_length = N;
    REFUSED(desc, "the length of indptr is 6: it must be nodes + 1, 7");
    const char *unnamed[N] = {"a", "b", NULL, "d", "e", "f"};
    desc = csr(64);
    desc.node_ids = unnamed;
    REFUSED(desc, "node id 2 is NULL");
    gpr_ctx_free(ctx);
}

/* Rows in any order become those of a plain sort that keeps the order of equal columns: their sum depends on it. The
   memory does not depend on the number of columns, which costs nothing to announce. */
static void unordered_features(void **state) {
    (void)state;
    enum { ROWS = 40, MOST = 40, COLS = INT32_MAX - 1 };
    bounded_memory memory = {.limit = 1 << 20};
    gpr_ctx *ctx = bounded_ctx(&memory);
    int64_t ptr[ROWS + 1] = {0}, end = 0;
    int32_t column[ROWS * MOST], sorted[ROWS * MOST];
    float value[ROWS * MOST], moved[ROWS * MOST];
    unsigned seed = 1;
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < i; k++, end++) {
            seed = seed * 1103515245u + 12345u;
            column[end] = (int32_t)(seed >> 16) % 30 * (COLS / 30); /* some twice */
            value[end] = (float)(seed % 1000 + 1) * (k % 3 ? 1e-4f : 1e4f);
        }
        ptr[i + 1] = end;
        for (int64_t k = ptr[i]; k < end; k++) {
            int64_t to = k;
            for (; to > ptr[i] && sorted[to - 1] > column[k]; to--) {
                sorted[to] = sorted[to - 1];
                moved[to] = moved[to - 1];
            }
            sorted[to] = column[k];
            moved[to] = value[k];
        }
    }
    gpri_feature_matrix matrix;
    assert_ok(gpri_feature_matrix_from_csr(ctx, &matrix, ROWS, COLS, ptr, column, value));
    int64_t at = 0;
    for (int i = 0; i < ROWS; i++)
        for (int64_t k = ptr[i]; k < ptr[i + 1]; at++) {
            float sum = moved[k];
            assert_int_equal(matrix.column[at], sorted[k]);
            while (++k < ptr[i + 1] && sorted[k] == sorted[k - 1]) sum += moved[k];
            assert_memory_equal(&matrix.value[at], &sum, sizeof sum);
        }
    assert_int_equal(matrix.nnz, at);
    assert_true(at < end);
    gpri_feature_matrix_free(ctx, &matrix);
    gpr_ctx_free(ctx);
    assert_int_equal(memory.held, 0);
}

/* Copied: a training may use them after the caller's array is gone. */
static void node_weights(void **state) {
    (void)state;
    float own[N] = {1, 0, 2, 3, 0.5f, 1};
    const float want[N] = {1, 0, 2, 3, 0.5f, 1};
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data;
    gpr_dataset_desc desc = csr(32);
    desc.node_weights = own;
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    memset(own, 0, sizeof own);
    assert_memory_equal(data->node_weights, want, sizeof want);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Other labels and another graph; all else is where it was, in memory or in a mapped file. */
static void derived(void **state) {
    (void)state;
    static const int32_t others[N] = {-1, 2, 0, -1, 1, 2};
    static const char *const names[3] = {"x", "y", "z"};
    const float weights[N] = {1, 0, 2, 3, 0.5f, 1};
    char path[] = "/tmp/test_arrays.XXXXXX";
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset_desc desc = csr(32), change = {.struct_size = sizeof change, .nodes = N};
    gpr_dataset *bases[2], *got;
    gpr_dataset_info a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    close(mkstemp(path));
    desc.node_weights = weights;
    assert_ok(gpr_dataset_new(ctx, &bases[0], &desc));
    bases[0]->mixed_columns = bases[0]->from_table = true;
    assert_ok(gpr_dataset_save_as(ctx, bases[0], path, "gpr"));
    assert_ok(gpr_dataset_open_as(ctx, &bases[1], path, NULL, "gpr"));
    for (int i = 0; i < 2; i++) {
        const gpr_dataset *base = bases[i];
        assert_ok(gpr_dataset_derive(ctx, &got, base, &change, 1)); /* nothing else than the base */
        assert_ok(gpr_dataset_describe(ctx, base, &a));
        assert_ok(gpr_dataset_describe(ctx, got, &b));
        assert_string_equal(a.fingerprint, b.fingerprint);
        assert_ptr_equal(got->features.value, base->features.value);
        assert_true(got->mixed_columns && got->from_table);
        assert_memory_equal(got->node_weights, base->node_weights, i == 0 ? sizeof weights : 0);
        gpr_dataset_free(got);

        gpr_dataset_desc labelled = change;
        labelled.labels = others, labelled.classes = 3, labelled.class_names = names;
        assert_ok(gpr_dataset_derive(ctx, &got, base, &labelled, 1));
        assert_memory_equal(got->target.labels, others, sizeof others);
        assert_string_equal(gpr_dataset_class_name(got, 2), "z");
        assert_string_equal(gpr_dataset_node_id(got, 3), "d");
        assert_ptr_equal(got->graph.column, base->graph.column);
        gpr_dataset_free(got);

        labelled.src = src, labelled.dst = dst, labelled.edges = 1;
        assert_ok(gpr_dataset_derive(ctx, &got, base, &labelled, 0));
        assert_int_equal(gpr_dataset_edges(got), 1);
        assert_null(gpr_dataset_node_id(got, 3));
        labelled.edges = 0;
        gpr_dataset_free(got);
        assert_ok(gpr_dataset_derive(ctx, &got, base, &labelled, 0));
        assert_int_equal(gpr_dataset_edges(got), 0);
        gpr_dataset_free(got);
    }
    gpr_dataset_desc wrong = change;
    wrong.nodes = N + 1;
    assert_fails(gpr_dataset_derive(ctx, &got, bases[0], &wrong, 1), GPR_ERROR_MISMATCH, "7");
    assert_fails(gpr_dataset_derive(ctx, &got, bases[0], &desc, 1), GPR_ERROR_ARGUMENT, "features");
    gpr_dataset_free(bases[0]);
    gpr_dataset_free(bases[1]);
    gpr_ctx_free(ctx);
    unlink(path);
}

static gpr_status make(gpr_ctx *ctx, void *arg) {
    const float weights[N] = {1, 0, 2, 3, 0.5f, 1};
    gpr_dataset *data;
    gpr_dataset_desc desc = csr(*(int *)arg);
    desc.node_weights = weights;
    gpr_status status = gpr_dataset_new(ctx, &data, &desc);
    if (status == GPR_OK) {
        gpr_dataset *other;
        const gpr_dataset_desc change = {.struct_size = sizeof change, .nodes = N};
        status = gpr_dataset_derive(ctx, &other, data, &change, 1);
        gpr_dataset_free(other);
    }
    gpr_dataset_free(data);
    return status;
}

static void memory(void **state) {
    (void)state;
    for (int bits = 32; bits <= 64; bits += 32) fail_every_allocation(make, &bits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_data),    cmocka_unit_test(refused), cmocka_unit_test(unordered_features),
        cmocka_unit_test(node_weights), cmocka_unit_test(derived), cmocka_unit_test(memory)};
    return cmocka_run_group_tests_name("arrays", tests, NULL, NULL);
}
