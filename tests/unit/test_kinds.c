/* Data with several kinds of edges from arrays: what is made of it, what is refused, and its fingerprint. */
#include "mapped_files.h"

/* ---- gpr_dataset_new ---- */

enum { NODES = 4, EDGES = 4 };
static const int64_t from[EDGES] = {0, 1, 2, 3}, to[EDGES] = {1, 2, 3, 0};
static const int32_t kinds[EDGES] = {0, 1, 0, 1};
static const char *const names[] = {"pay", "device"};

static gpr_dataset_desc plain(void) {
    return (gpr_dataset_desc){.struct_size = sizeof(gpr_dataset_desc),
                              .nodes = NODES,
                              .edges = EDGES,
                              .src = from,
                              .dst = to,
                              .relation_count = 2,
                              .relation_names = names,
                              .edge_relation = kinds};
}

static void from_arrays(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data, *alone;
    gpr_dataset_desc desc = plain();
    const float weights[EDGES] = {1, 2, 1, 3};
    desc.weights = weights;
    assert_ok(gpr_dataset_new(f->ctx, &data, &desc));
    const gpri_graph *graph = &data->graph;
    assert_int_equal(graph->relation_count, 2); /* by name */
    assert_string_equal(graph->relations[0].name, "device");
    assert_string_equal(graph->relations[1].name, "pay");
    assert_int_equal(graph->arcs, 8);
    assert_null(graph->sides);
    assert_non_null(graph->weight);
    assert_null(graph->relations[1].graph.weight); /* all 1 */
    for (int r = 0; r < 2; r++) {                  /* each is the graph of its edges alone */
        int64_t src[2], dst[2];
        float own[2];
        for (int e = 0, k = 0; e < EDGES; e++)
            if (kinds[e] == 1 - r) {
                src[k] = from[e];
                dst[k] = to[e];
                own[k++] = weights[e];
            }
        const gpr_dataset_desc one = {
            .struct_size = sizeof one, .nodes = NODES, .edges = 2, .src = src, .dst = dst, .weights = r ? NULL : own};
        assert_ok(gpr_dataset_new(f->ctx, &alone, &one));
        assert_same_graph(&graph->relations[r].graph, &alone->graph);
        assert_non_null(graph->relations[r].graph.sides);
        gpr_dataset_free(alone);
    }
    gpr_dataset_free(data);
    desc.relation_count = 1; /* one kind needs no name */
    const int32_t zeros[EDGES] = {0};
    desc.edge_relation = zeros;
    assert_ok(gpr_dataset_new(f->ctx, &data, &desc));
    assert_int_equal(data->graph.relation_count, 0);
    gpr_dataset_free(data);
}

/* What the caller gets back. */
static void arrays_of_relations(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data;
    const gpr_dataset_desc desc = plain();
    gpr_relation_arrays arrays = {.struct_size = sizeof arrays};
    assert_ok(gpr_dataset_new(f->ctx, &data, &desc));
    assert_ok(gpr_dataset_relation_arrays(f->ctx, data, 0, &arrays));
    assert_string_equal(arrays.name, "device"); /* 1 -> 2, 3 -> 0 */
    const int64_t indptr[] = {0, 1, 2, 3, 4};
    const int32_t indices[] = {3, 2, 1, 0};
    const uint8_t sides[] = {GPRI_AGAINST, GPRI_ALONG, GPRI_AGAINST, GPRI_ALONG};
    assert_memory_equal(arrays.adj_indptr, indptr, sizeof indptr);
    assert_memory_equal(arrays.adj_indices, indices, sizeof indices);
    assert_memory_equal(arrays.sides, sides, sizeof sides);
    assert_true(!arrays.adj_values && !arrays.along);
    assert_ok(gpr_dataset_relation_arrays(f->ctx, data, 1, &arrays));
    assert_string_equal(arrays.name, "pay");
    assert_ok(gpr_dataset_relation_arrays(f->ctx, data, 2, &arrays));
    assert_true(!arrays.name && !arrays.adj_indptr && !arrays.sides);
    assert_fails(gpr_dataset_relation_arrays(f->ctx, data, -1, &arrays), GPR_ERROR_ARGUMENT, "index is -1");
    gpr_dataset_free(data);
    data = new_csbm(f->ctx, 60, 7, 0.5);
    assert_ok(gpr_dataset_relation_arrays(f->ctx, data, 0, &arrays));
    assert_string_equal(arrays.name, "");
    assert_ptr_equal(arrays.adj_indptr, data->graph.rowptr);
    assert_null(arrays.sides);
    gpr_dataset_free(data);
}

static void refused(raw_fixture *f, const gpr_dataset_desc *desc, const char *part) {
    gpr_dataset *data;
    assert_fails(gpr_dataset_new(f->ctx, &data, desc), GPR_ERROR_ARGUMENT, part);
    assert_null(data);
}

static void wrong_arrays(void **state) {
    raw_fixture *f = *state;
    gpr_dataset_desc desc = plain();
    const int32_t indptr[NODES + 1] = {0};
    const char *many[65];
    char texts[65][8];
    for (int r = 0; r < 65; r++) many[r] = texts[r], snprintf(texts[r], sizeof texts[r], "r%d", r);
#define WRONG(field, value, part)      \
    do {                               \
        gpr_dataset_desc wrong = desc; \
        wrong.field = (value);         \
        refused(f, &wrong, part);      \
    } while (0)
    WRONG(relation_names, NULL, "relation_names");
    WRONG(edge_relation, NULL, "edge_relation");
    WRONG(src, NULL, "must not be NULL");
    WRONG(dst, NULL, "must not be NULL");
    WRONG(relation_count, -1, "relation_count is -1: it must be from 0 to 64");
    WRONG(relation_count, INT64_MAX, "relation_count is 9223372036854775807");
    WRONG(relation_count, INT64_MIN, "relation_count");
    WRONG(edges, -1, "-1 edges");
    WRONG(nodes, 3, "edge 2 goes from node 2 to node 3: ids must be in [0, 3)");
    WRONG(nodes, 0, "ids must be in [0, 0)");
    WRONG(nodes, INT64_MAX, "ids must be in");
    WRONG(relation_names, ((const char *const[]){"pay", "pay"}), "two relations are named 'pay'");
    WRONG(relation_names, ((const char *const[]){"pay", NULL}), "the name of relation 1 is NULL");
    WRONG(relation_names, ((const char *const[]){"pay", ""}), "the name of relation 1 is ''");
    WRONG(relation_names, ((const char *const[]){"a b", "c"}), "the name of relation 0 is 'a b'");
    WRONG(relation_names, ((const char *const[]){"a,b", "c"}), "the name of relation 0 is 'a,b'");
    WRONG(relation_names, ((const char *const[]){"c", "\xc3\xa9"}), "the name of relation 1");
    WRONG(relation_names, ((const char *const[]){"a", "a2345678901234567890123456789012"}), "the name of relation 1");
    WRONG(edge_relation, ((const int32_t[]){0, 1, 2, 0}), "edge_relation[2] is 2: there are 2 relations");
    WRONG(edge_relation, ((const int32_t[]){0, -1, 0, 0}), "edge_relation[1] is -1");
    WRONG(edge_relation, ((const int32_t[]){0, 1, 0, INT32_MAX}), "edge_relation[3]");
    WRONG(src, ((const int64_t[]){0, 1, -1, 0}), "edge 2 goes from node -1");
    WRONG(dst, ((const int64_t[]){0, 1, 1, INT64_MAX}), "edge 3 goes from node 3 to node 9223372036854775807");
    WRONG(weights, ((const float[]){1, 0, 1, 1}), "edge 1 (1 to 2) has weight 0");
    WRONG(weights, ((const float[]){1, 1, 1, NAN}), "edge 3 (3 to 0) has weight");
    desc.relation_names = many;
    WRONG(relation_count, 65, "relation_count is 65: it must be from 0 to 64");
    desc.relation_count = 64;
    gpr_dataset *data;
    assert_ok(gpr_dataset_new(f->ctx, &data, &desc)); /* most are without edges */
    assert_int_equal(data->graph.relation_count, 64);
    gpr_dataset_free(data);
    desc = plain();
    desc.src = desc.dst = NULL;
    desc.edges = 0;
    desc.index_bits = 32;
    desc.adj_indptr = desc.adj_indices = indptr;
    desc.adj_indptr_length = NODES + 1;
    refused(f, &desc, "kinds of edges (relation_count) are given with src and dst, not with adj_indptr");
#undef WRONG
}

/* ---- the fingerprint ---- */

static const gpr_dataset *changed_by(raw_fixture *f, gpr_dataset **out, gpr_dataset_desc desc) {
    assert_ok(gpr_dataset_new(f->ctx, out, &desc));
    return *out;
}

/* It is of kinds, their names and their directions; data of one kind has that of its undirected graph. */
static void fingerprints(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data;
    char seen[6][33];
    gpr_dataset_desc descs[6];
    for (int k = 0; k < 6; k++) descs[k] = plain();
    descs[1].relation_names = (const char *const[]){"pay", "devices"};
    descs[2].edge_relation = (const int32_t[]){0, 1, 1, 1}; /* the same union */
    descs[3].src = (const int64_t[]){1, 1, 2, 3};           /* the other direction */
    descs[3].dst = (const int64_t[]){0, 2, 3, 0};
    descs[4].weights = (const float[]){2, 1, 1, 1};
    descs[5].relation_count = 0;
    for (int k = 0; k < 6; k++) {
        gpri_fingerprint(seen[k], changed_by(f, &data, descs[k]));
        gpr_dataset_free(data);
        for (int before = 0; before < k; before++) assert_string_not_equal(seen[before], seen[k]);
    }
    descs[3].relation_count = 0;
    gpri_fingerprint(seen[0], changed_by(f, &data, descs[3]));
    assert_string_equal(seen[0], seen[5]);
    const uint64_t there = gpri_directions_hash(&data->graph);
    gpr_dataset_free(data);
    assert_true(there != gpri_directions_hash(&changed_by(f, &data, descs[5])->graph));
    gpr_dataset_free(data);
}

/* ---- memory ---- */

static gpr_status all_of_it(gpr_ctx *ctx, void *user) {
    raw_fixture *f = user;
    const gpr_dataset_desc desc = plain();
    gpr_dataset *data = NULL, *again = NULL;
    gpr_status status = GPR_OK;
    char path[256];
    snprintf(path, sizeof path, "%s/memory.npz", f->folder);
    TRY(gpr_dataset_new(ctx, &data, &desc));
    TRY(gpr_dataset_save(ctx, data, path));
    TRY(gpr_dataset_open(ctx, &again, path, NULL));
    gpr_dataset_free(again);
    again = NULL;
    snprintf(path, sizeof path, "%s/memory.gpr", f->folder);
    TRY(gpr_dataset_save(ctx, data, path));
    TRY(gpr_dataset_open(ctx, &again, path, NULL));
    TRY(gpri_dataset_ready(ctx, again));
done:
    gpr_dataset_free(data);
    gpr_dataset_free(again);
    return status;
}

static void out_of_memory(void **state) { fail_every_allocation(all_of_it, *state); }

int main(void) {
    const struct CMUnitTest tests[] = {MAPPED_TEST(from_arrays), MAPPED_TEST(arrays_of_relations),
                                       MAPPED_TEST(wrong_arrays), MAPPED_TEST(fingerprints),
                                       MAPPED_TEST(out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
