/* Known faults of public data: what they are recognised by, and that they are, in every form that the data has. */
#include "data/published.h"

#include "raw_data.h"

enum { NODES = 12, LINKS = 14 };
static const int64_t ends[LINKS][2] = {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}, {4, 5},   {5, 6},
                                       {6, 7}, {7, 8}, {8, 2}, {9, 3}, {9, 4}, {10, 11}, {11, 0}};
static const int32_t classes[NODES] = {0, 0, 0, 1, 1, 2, 2, 2, 2, 2, -1, 0};

/* The graph above with node i called order[i], class c called number[c], and links left out from `links` on. */
static gpr_dataset *graph_of(gpr_ctx *ctx, const int *order, const int *number, int links, float feature) {
    int64_t src[LINKS], dst[LINKS];
    int32_t labels[NODES];
    float dense[NODES];
    for (int e = 0; e < links; e++) src[e] = order[ends[e][0]], dst[e] = order[ends[e][1]];
    for (int i = 0; i < NODES; i++) {
        labels[order[i]] = classes[i] < 0 ? -1 : number[classes[i]];
        dense[i] = feature;
    }
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "public",
                             .nodes = NODES,
                             .edges = links,
                             .src = src,
                             .dst = dst,
                             .features = 1,
                             .dense = dense,
                             .labels = labels};
    gpr_dataset *data;
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    return data;
}

static uint64_t hash_of(gpr_ctx *ctx, gpr_dataset *data, bool by_labels) {
    uint64_t hash;
    assert_ok(gpri_published_hash(ctx, &hash, data, by_labels));
    gpr_dataset_free(data);
    return hash;
}

static const int same[NODES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const int other[NODES] = {7, 3, 0, 11, 5, 1, 2, 10, 9, 4, 8, 6};
static const int numbers[3] = {0, 1, 2}, others[3] = {2, 0, 1}, merged[3] = {0, 0, 1};

static void test_hash(void **state) {
    raw_fixture *f = *state;
    for (int by_labels = 0; by_labels < 2; by_labels++) {
        const uint64_t hash = hash_of(f->ctx, graph_of(f->ctx, same, numbers, LINKS, 1), by_labels);
        assert_true(hash == hash_of(f->ctx, graph_of(f->ctx, other, numbers, LINKS, 1), by_labels));
        assert_true(hash == hash_of(f->ctx, graph_of(f->ctx, other, others, LINKS, 1), by_labels));
        assert_true(hash == hash_of(f->ctx, graph_of(f->ctx, same, numbers, LINKS, 0.5f), by_labels));
        assert_true(hash != hash_of(f->ctx, graph_of(f->ctx, same, numbers, LINKS - 1, 1), by_labels));
        assert_int_equal(hash != hash_of(f->ctx, graph_of(f->ctx, same, merged, LINKS, 1), by_labels), by_labels);
    }
    assert_true(hash_of(f->ctx, graph_of(f->ctx, same, numbers, LINKS, 1), false) !=
                hash_of(f->ctx, graph_of(f->ctx, same, numbers, LINKS, 1), true));
}

/* Two links exchange their ends: every node keeps its degree and its class. */
static void test_exchanged_links(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data;
    int64_t src[LINKS], dst[LINKS];
    for (int e = 0; e < LINKS; e++) src[e] = ends[e][0], dst[e] = ends[e][1];
    dst[0] = ends[6][1], dst[6] = ends[0][1];
    gpr_dataset_desc desc = {
        .struct_size = sizeof desc, .nodes = NODES, .edges = LINKS, .src = src, .dst = dst, .labels = classes};
    for (int by_labels = 0; by_labels < 2; by_labels++) {
        assert_ok(gpr_dataset_new(f->ctx, &data, &desc));
        assert_int_equal(data->graph.arcs, 2 * LINKS);
        assert_true(hash_of(f->ctx, data, by_labels) !=
                    hash_of(f->ctx, graph_of(f->ctx, same, numbers, LINKS, 1), by_labels));
    }
}

static void test_table(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data = graph_of(f->ctx, other, others, LINKS, 2);
    gpri_published table[4] = {{NODES, LINKS, 0, true, true, "with its labels"},
                               {NODES, LINKS, 1, true, true, "another graph"},
                               {NODES + 1, LINKS, 0, false, true, "more nodes"},
                               {NODES, LINKS, 0, false, false, "whatever its labels"}};
    const gpri_published *known;
    gpr_fault_info info = {.struct_size = sizeof info, .text = "x"};
    assert_ok(gpri_published_hash(f->ctx, &table[0].hash, data, true));
    assert_ok(gpri_published_hash(f->ctx, &table[2].hash, data, false));
    table[3].hash = table[2].hash;
    assert_ok(gpri_published_find(f->ctx, &known, data, 0, table, 4));
    assert_ptr_equal(known, &table[0]);
    assert_ok(gpri_published_find(f->ctx, &known, data, 1, table, 4));
    assert_ptr_equal(known, &table[3]);
    assert_ok(gpri_published_find(f->ctx, &known, data, 2, table, 4));
    assert_null(known);
    assert_ok(gpr_dataset_known_fault(f->ctx, data, 0, &info)); /* nothing is known about it */
    assert_null(info.text);
    assert_fails(gpr_dataset_known_fault(f->ctx, data, -1, &info), GPR_ERROR_ARGUMENT, "0 or more");
    gpr_dataset_free(data);
}

/* ---- The data itself ------------------------------------------------------------------------------ */

/* The graphs of the paper in every form, and no others. */
static void test_published(void **state) {
    raw_fixture *f = *state;
    static const struct {
        const char *path;
        bool published;
    } cases[] = {{"graphs/cora.npz", true},
                 {"graphs/citeseer.npz", true},
                 {"graphs/pubmed.npz", true},
                 {"graphs/computers.npz", true},
                 {"graphs/photo.npz", true},
                 {"graphs/chameleon.npz", true},
                 {"graphs/squirrel.npz", true},
                 {"graphs/actor.npz", true},
                 {"graphs/texas.npz", true},
                 {"graphs/cornell.npz", true},
                 {"planetoid/ind.citeseer", true},
                 {"geom-gcn/texas", true},
                 {"npz/yandex/cornell.npz", true},
                 {"npz/yandex/chameleon_filtered_directed.npz", false},
                 {"npz/yandex/minesweeper.npz", false}};
    char full[512];
    gpr_dataset *data;
    int published = 2;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(full, sizeof full, "%s/%s", real_data(), cases[i].path);
        const gpr_status status = gpr_dataset_open(f->ctx, &data, full, NULL);
        if (status == GPR_ERROR_NOT_FOUND) {
            print_message("skipped: no data (%s)\n", full);
            continue;
        }
        assert_ok(status);
        for (int64_t n = 0; n < data->graph.nodes; n += 3)
            data->target.labels[n] = -1; /* hidden labels make no difference */
        assert_ok(gpr_dataset_published(f->ctx, data, &published));
        if (published != cases[i].published) fail_msg("%s: %d", cases[i].path, published);
        assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "data.gpr")));
        gpr_dataset_free(data);
        assert_ok(gpr_dataset_open(f->ctx, &data, raw_path(f, "data.gpr"), NULL));
        assert_ok(gpr_dataset_published(f->ctx, data, &published)); /* before anyone has looked through the file */
        assert_int_equal(published, cases[i].published);
        gpr_dataset_free(data);
    }
    data = graph_of(f->ctx, same, numbers, LINKS, 1);
    assert_ok(gpr_dataset_published(f->ctx, data, &published));
    assert_int_equal(published, 0);
    gpr_dataset_free(data);
    gpr_csbm_options csbm;
    gpr_csbm_options_init(&csbm, sizeof csbm);
    csbm.nodes = 50, csbm.features = 3;
    assert_ok(gpr_dataset_csbm(f->ctx, &data, &csbm));
    gpr_powerlaw_options law;
    gpr_powerlaw_options_init(&law, sizeof law);
    law.nodes = 300, law.edges = 900, law.communities = 10;
    assert_ok(gpr_powerlaw_save(f->ctx, NULL, raw_path(f, "data.gpr"), &law));
    for (int drawn = 0; drawn < 2; drawn++) { /* files keep where they come from */
        static const char *const names[] = {"again.npz", "again.gpr"};
        for (int k = 0; k < 3; k++) {
            assert_ok(gpr_dataset_published(f->ctx, data, &published));
            assert_int_equal(published, 1);
            if (k == 2) break;
            assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, names[k])));
            gpr_dataset_free(data);
            assert_ok(gpr_dataset_open(f->ctx, &data, raw_path(f, names[k]), NULL));
        }
        gpr_dataset_free(data);
        if (drawn == 0) assert_ok(gpr_dataset_open(f->ctx, &data, raw_path(f, "data.gpr"), NULL));
    }
}

static int count_of(const char *text, const char *part) {
    int count = 0;
    for (; (text = strstr(text, part)); text++) count++;
    return count;
}

/* Opens DATA_FOLDER/path and checks it: `fault` is logged once if it is a warning, else never. NULL: nothing is known.
   Then the same from a .gpr file. */
static void expect_fault(raw_fixture *f, const char *path, const char *fault, int warning) {
    char full[512];
    gpr_dataset *data;
    snprintf(full, sizeof full, "%s/%s", real_data(), path);
    for (int mapped = 0; mapped < 2; mapped++) {
        gpr_fault_info info = {.struct_size = sizeof info};
        gpr_status status = gpr_dataset_open(f->ctx, &data, full, NULL);
        if (status == GPR_ERROR_NOT_FOUND) {
            print_message("skipped: no data (%s)\n", full);
            return;
        }
        assert_ok(status);
        f->warnings[0] = 0;
        assert_ok(gpr_dataset_check(f->ctx, data));
        assert_ok(gpr_dataset_known_fault(f->ctx, data, 0, &info));
        if (!fault) assert_null(info.text);
        if (fault) {
            assert_non_null(info.text);
            assert_non_null(strstr(info.text, fault));
            assert_int_equal(!!info.warning, warning);
            assert_int_equal(count_of(f->warnings, fault), warning);
            assert_ok(gpr_dataset_known_fault(f->ctx, data, 1, &info));
            assert_null(info.text);
        }
        snprintf(full, sizeof full, "%s", raw_path(f, "data.gpr"));
        assert_ok(gpr_dataset_save(f->ctx, data, full));
        gpr_dataset_free(data);
    }
}

static void test_public(void **state) {
    raw_fixture *f = *state;
    static const struct {
        const char *path, *fault;
        int warning;
    } cases[] = {
        {"graphs/cornell.npz", "its labels are those of texas", 1},
        {"geom-gcn/cornell", "its labels are those of texas", 1},
        {"graphs/cornell_corrected.npz", NULL, 0},
        {"npz/yandex/cornell.npz", NULL, 0},
        {"graphs/texas.npz", NULL, 0},
        {"geom-gcn/texas", NULL, 0},
        {"npz/yandex/texas.npz", NULL, 0},
        {"graphs/chameleon.npz", "1291 of 2277 nodes", 1},
        {"npz/yandex/chameleon.npz", "1291 of 2277 nodes", 1},
        {"graphs/squirrel.npz", "2573 of 5201 nodes", 1},
        {"npz/yandex/squirrel.npz", "2573 of 5201 nodes", 1},
        {"graphs/citeseer.npz", "15 nodes have neither", 0},
        {"planetoid/ind.citeseer", "15 nodes have neither", 0},
        {"graphs/pubmed.npz", "3 classes", 0},
        {"planetoid/ind.pubmed", "3 classes", 0},
        {"graphs/actor.npz", "0.220", 0},
        {"geom-gcn/film", "0.220", 0},
        {"npz/yandex/actor.npz", "0.220", 0},
        {"graphs/cora.npz", NULL, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        expect_fault(f, cases[k].path, cases[k].fault, cases[k].warning);
}

/* How many nodes have the neighbours and the class of another node, counted by comparing each pair. */
static int64_t repeated_nodes(const gpr_dataset *data) {
    const gpri_graph *graph = &data->graph;
    int64_t count = 0;
    for (int64_t i = 0; i < graph->nodes; i++) {
        const int64_t degree = graph->rowptr[i + 1] - graph->rowptr[i];
        for (int64_t j = 0; j < graph->nodes; j++) {
            if (i == j || graph->rowptr[j + 1] - graph->rowptr[j] != degree ||
                data->target.labels[i] != data->target.labels[j] ||
                memcmp(graph->column + graph->rowptr[i], graph->column + graph->rowptr[j],
                       (size_t)degree * sizeof *graph->column) != 0)
                continue;
            count++;
            break;
        }
    }
    return count;
}

/* The warnings say what is in the data. */
static void test_repeated_nodes(void **state) {
    raw_fixture *f = *state;
    static const char *const names[] = {"chameleon", "squirrel"};
    for (int k = 0; k < 2; k++) {
        char path[512], expected[64];
        gpr_dataset *data;
        gpr_fault_info info = {.struct_size = sizeof info};
        snprintf(path, sizeof path, "%s/graphs/%s.npz", real_data(), names[k]);
        if (access(path, R_OK) != 0) {
            print_message("skipped: no data (%s)\n", path);
            continue;
        }
        assert_ok(gpr_dataset_open(f->ctx, &data, path, NULL));
        assert_ok(gpr_dataset_known_fault(f->ctx, data, 0, &info));
        assert_non_null(info.text);
        snprintf(expected, sizeof expected, "%lld of %lld nodes have", (long long)repeated_nodes(data),
                 (long long)data->graph.nodes);
        assert_int_equal(count_of(info.text, expected), 1);
        gpr_dataset_free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {RAW_TEST(test_hash),   RAW_TEST(test_exchanged_links), RAW_TEST(test_table),
                                       RAW_TEST(test_public), RAW_TEST(test_repeated_nodes),  RAW_TEST(test_published)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
