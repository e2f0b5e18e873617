/* Data with several kinds of edges, and with directions: through every file, in another order of the nodes, derived,
 * and where a model meets others. */
#include "mapped_files.h"

#include "data/order/reorder.h"
#include "graph/order/order.h"

/* ---- files ---- */

/* A graph of `edges` drawn arcs; directed or with the way back; weights 1, 2, ... */
static gpr_dataset *drawn(gpr_ctx *ctx, int64_t nodes, int relations, bool directed, bool weighted) {
    enum { EACH = 400 };
    int64_t src[6 * EACH], dst[6 * EACH], count = 0;
    int32_t kind[6 * EACH], labels[200];
    float weights[6 * EACH], dense[200 * 2];
    static const char *const three[] = {"uses", "Pays.2", "_"};
    uint32_t random = 7;
    assert_true(nodes <= 200 && relations <= 3);
    for (int e = 0; e < EACH * (relations ? relations : 1); e++) {
        random = random * 1664525 + 1013904223;
        src[count] = (random >> 8) % (uint32_t)nodes;
        random = random * 1664525 + 1013904223;
        dst[count] = (random >> 8) % (uint32_t)nodes;
        weights[count] = (float)(1 + (random >> 5) % 5);
        kind[count++] = relations ? e % relations : 0;
        if (directed && e % 3) continue;
        src[count] = dst[count - 1];
        dst[count] = src[count - 1];
        weights[count] = weights[count - 1];
        kind[count] = kind[count - 1];
        count++;
    }
    for (int64_t i = 0; i < nodes; i++) {
        labels[i] = (int32_t)(i % 3) - (i % 50 == 0);
        dense[2 * i] = (float)(3 * (i % 3) + i * 37 % 5);
        dense[2 * i + 1] = (float)(i * 17 % 7);
    }
    gpr_dataset *data;
    const gpr_dataset_desc desc = {.struct_size = sizeof desc,
                                   .name = "drawn",
                                   .nodes = nodes,
                                   .edges = count,
                                   .src = src,
                                   .dst = dst,
                                   .weights = weighted ? weights : NULL,
                                   .features = 2,
                                   .dense = dense,
                                   .labels = labels,
                                   .relation_count = relations,
                                   .relation_names = three,
                                   .edge_relation = kind};
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    return data;
}

static gpr_dataset *reopened(raw_fixture *f, const gpr_dataset *data, const char *file) {
    char before[33], after[33];
    gpr_dataset *again;
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, file)));
    assert_ok(gpr_dataset_open(f->ctx, &again, raw_path(f, file), NULL));
    assert_ok(gpri_dataset_ready(f->ctx, again));
    gpri_fingerprint(before, data);
    gpri_fingerprint(after, again);
    assert_string_equal(before, after);
    return again;
}

/* The same data after .gpr, .npz, and .gpr again. */
static void through_files(void **state) {
    raw_fixture *f = *state;
    for (int kind = 0; kind < 16; kind++) {
        const bool directed = kind & 1, weighted = kind & 2;
        gpr_dataset *data = drawn(f->ctx, 150, kind / 4, directed, weighted);
        const gpri_graph *one = gpri_graph_at(&data->graph, data->graph.relation_count > 0);
        assert_true((one->sides != NULL) == directed && (one->along != NULL) == (directed && weighted));
        gpr_dataset *mapped = reopened(f, data, "a.gpr");
        assert_same_dataset(data, mapped);
        const image im = load(f->ctx, raw_path(f, "a.gpr"));
        assert_int_equal(im.header->version, directed || kind / 4 > 1 ? 2 : 1);
        free(im.bytes);
        gpr_dataset *npz = reopened(f, mapped, "a.npz");
        assert_same_graph(&data->graph, &npz->graph);
        gpr_dataset *again = reopened(f, npz, "b.gpr");
        assert_same_graph(&data->graph, &again->graph);
        gpr_dataset_free(again);
        gpr_dataset_free(npz);
        gpr_dataset_free(mapped);
        gpr_dataset_free(data);
    }
}

/* Weights along that are not the edges' own: what a rule for duplicates leaves. */
static void other_weights(void **state) {
    raw_fixture *f = *state;
    const char *table = raw_path(f, "t.csv");
    char path[256];
    snprintf(path, sizeof path, "%s", table);
    write_text(path, "from,to,weight\na,b,1\na,b,4\nb,a,8\nb,c,1\nc,d,2\n");
    static const char *const rules[] = {"sum", "count", "first", "max"};
    for (int r = 0; r < 4; r++) {
        gpr_dataset *data;
        const gpr_open_options in = {.struct_size = sizeof in, .edges = path, .duplicates = rules[r]};
        assert_ok(gpr_dataset_open_with(f->ctx, &data, &in));
        assert_non_null(data->graph.along);
        gpr_dataset *mapped = reopened(f, data, "a.gpr"), *npz = reopened(f, data, "a.npz");
        assert_same_graph(&data->graph, &mapped->graph);
        assert_same_graph(&data->graph, &npz->graph);
        gpr_dataset_free(npz);
        gpr_dataset_free(mapped);
        gpr_dataset_free(data);
    }
}

/* ---- another order of the nodes ---- */

/* Every arc of a graph is in the moved one, with its weight and directions, and there are no more. */
static void assert_moved(const gpri_graph *moved, const gpri_graph *graph, const int32_t *order) {
    assert_int_equal(moved->arcs, graph->arcs);
    assert_true(!moved->sides == !graph->sides && !moved->along == !graph->along && !moved->weight == !graph->weight);
    for (int64_t i = 0; i < graph->nodes; i++) {
        const int64_t old = order[i];
        assert_int_equal(gpri_degree(moved, i), gpri_degree(graph, old));
        for (int64_t k = moved->rowptr[i]; k < moved->rowptr[i + 1]; k++) {
            int64_t at = graph->rowptr[old];
            while (at < graph->rowptr[old + 1] && graph->column[at] != order[moved->column[k]]) at++;
            assert_true(at < graph->rowptr[old + 1]);
            if (graph->weight) assert_float_equal(moved->weight[k], graph->weight[at], 0);
            if (graph->sides) assert_int_equal(moved->sides[k], graph->sides[at]);
            if (graph->along) assert_float_equal(moved->along[k], graph->along[at], 0);
        }
    }
}

static void reordered(void **state) {
    raw_fixture *f = *state;
    static const gpri_order_method methods[] = {GPRI_ORDER_RCM, GPRI_ORDER_COMMUNITIES, GPRI_ORDER_METIS};
    for (int kind = 0; kind < 16; kind++) {
        gpr_dataset *data = drawn(f->ctx, 150, kind / 4, kind & 1, kind & 2), *moved, *back;
        for (int m = 0; m < 3; m++) {
            int32_t *order = NULL;
            const gpr_status status =
                gpri_order_find(f->ctx, &order, &data->graph, (gpri_order_wish){.method = methods[m], .parts = 3});
            if (methods[m] == GPRI_ORDER_METIS && status == GPR_ERROR_NOT_FOUND) continue; /* no METIS here */
            assert_ok(status);
            assert_ok(gpri_dataset_reorder(f->ctx, &moved, data, order));
            for (int64_t g = 0; g < gpri_graph_count(&data->graph); g++)
                assert_moved(gpri_graph_at(&moved->graph, g), gpri_graph_at(&data->graph, g), order);
            gpr_dataset *mapped = reopened(f, moved, "moved.gpr"); /* the file keeps the order of all graphs */
            assert_same_graph(&mapped->graph, &moved->graph);
            assert_true(mapped->graph.moved);
            assert_ok(gpri_dataset_restore(f->ctx, &back, mapped));
            assert_same_graph(&back->graph, &data->graph);
            gpr_dataset_free(back);
            gpr_dataset_free(mapped);
            gpr_dataset_free(moved);
            gpri_free(f->ctx, order);
        }
        gpr_dataset_free(data);
    }
}

#define BASE                                                                                                   \
    "hidden", "8", "K", "3", "epochs", "60", "lr", "0.05", "split", "30/20/20", "dropout", "0", "dprate", "0", \
        "label-input", "no", "label-counts", "no", "smooth", "no", "calibrate", "no"

/* Without dropout the order of the nodes changes roundings alone, also of a filter with several matrices. */
static void trained_in_order(void **state) {
    raw_fixture *f = *state;
    static const char *const directions[] = {"undirected", "both"}, *const orders[] = {"none", "rcm", "communities"};
    enum { N = 150, C = 3 };
    for (int kind = 0; kind < 3; kind++)
        for (int d = 0; d < 2; d++) {
            gpr_dataset *data = drawn(f->ctx, N, kind, true, kind != 1);
            float proba[3][N * C];
            for (int o = 0; o < 3; o++) {
                training t = train(f->ctx, data, OPTIONS(BASE, "direction", directions[d], "reorder", orders[o]));
                assert_ok(gpr_predict(f->ctx, t.model, data, NULL, proba[o]));
                training_free(&t);
            }
            for (int k = 0; k < 2 * N * C; k++)
                assert_true(fabs((double)proba[1 + k / (N * C)][k % (N * C)] - (double)proba[0][k % (N * C)]) < 1e-4);
            gpr_dataset_free(data);
        }
}

/* ---- data whose relations are others, through every door ---- */

static void other_data(raw_fixture *f, const gpr_model *model, const gpr_dataset *data, const char *part) {
    gpr_predictor *predictor;
    gpr_explanation *explanation;
    gpr_inspection *inspection;
    gpr_importance *importance;
    const int64_t node = 0;
    int32_t classes[100];
    float logits[300];
    assert_fails(gpr_predict(f->ctx, model, data, classes, NULL), GPR_ERROR_MISMATCH, part);
    assert_fails(gpr_predict_logits(f->ctx, model, data, logits), GPR_ERROR_MISMATCH, part);
    assert_fails(gpr_predictor_new(f->ctx, &predictor, model, data, NULL), GPR_ERROR_MISMATCH, part);
    assert_fails(gpr_predictions_save(f->ctx, model, data, raw_path(f, "p.csv"), 0), GPR_ERROR_MISMATCH, part);
    assert_fails(gpr_explanation_new(f->ctx, &explanation, model, data, &node, 1, NULL), GPR_ERROR_MISMATCH, part);
    assert_fails(gpr_inspection_new(f->ctx, &inspection, model, data, NULL), GPR_ERROR_MISMATCH, part);
    assert_fails(gpr_importance_new(f->ctx, &importance, model, data, NULL, NULL), GPR_ERROR_MISMATCH, part);
    assert_true(access(raw_path(f, "p.csv"), F_OK) != 0);
}

static void every_door(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data = drawn(f->ctx, 100, 2, true, false);
    training t = train(f->ctx, data, OPTIONS(BASE, "direction", "both")), plain_model, directed_model;
    gpr_dataset *more = drawn(f->ctx, 100, 3, true, false), *fewer = drawn(f->ctx, 100, 0, true, false),
                *undirected = drawn(f->ctx, 100, 2, false, false), *renamed,
                *symmetric = drawn(f->ctx, 100, 0, false, false);
    renamed = drawn(f->ctx, 100, 2, true, false);
    strcpy(renamed->graph.relations[1].name, "used");
    static const char *const files[] = {NULL, "a.gpr", "a.npz"};
    plain_model = train(f->ctx, fewer, OPTIONS(BASE));
    directed_model = train(f->ctx, fewer, OPTIONS(BASE, "direction", "along"));
    const struct {
        const gpr_model *model;
        const gpr_dataset *data;
        const char *part;
    } cases[] = {
        {t.model, fewer, "the relation 'Pays.2' is missing: the data has one kind of edges, without a name"},
        {t.model, renamed, "the relation 'uses' is missing: the data has Pays.2, used"},
        {t.model, more, "the model has no relation '_' of the data: it was trained with Pays.2,uses"},
        {t.model, undirected,
         "the edges of the relation Pays.2 of the data have no direction, and the model goes along"},
        {plain_model.model, data, "the data has the relations Pays.2, uses, and the model was trained on one kind"},
        {directed_model.model, symmetric, "the edges of the data have no direction, and the model goes along them"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int k = 0; k < 3; k++) {
            gpr_dataset *read = k ? reopened(f, cases[c].data, files[k]) : NULL;
            other_data(f, cases[c].model, read ? read : cases[c].data, cases[c].part);
            gpr_dataset_free(read);
        }
    training_free(&t);
    training_free(&plain_model);
    training_free(&directed_model);
    gpr_dataset *const all[] = {data, more, fewer, undirected, renamed, symmetric};
    for (int k = 0; k < 6; k++) gpr_dataset_free(all[k]);
}

/* ---- gpr_dataset_derive ---- */

static void derived(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data = drawn(f->ctx, 100, 2, true, true), *made;
    int32_t labels[100];
    for (int i = 0; i < 100; i++) labels[i] = i % 2;
    gpr_dataset_desc desc = {.struct_size = sizeof desc, .nodes = 100, .labels = labels};
    assert_ok(gpr_dataset_derive(f->ctx, &made, data, &desc, 1));
    assert_same_graph(&made->graph, &data->graph);
    gpr_dataset *written = reopened(f, made, "derived.gpr");
    assert_same_graph(&written->graph, &data->graph);
    gpr_dataset_free(written);
    gpr_dataset_free(made);
    const int64_t from[] = {0, 1, 2, 3}, to[] = {1, 2, 3, 0};
    const int32_t kinds[] = {0, 1, 0, 1};
    desc = (gpr_dataset_desc){.struct_size = sizeof desc, /* other kinds of edges in place of those */
                              .nodes = 100,
                              .edges = 4,
                              .src = from,
                              .dst = to,
                              .relation_count = 2,
                              .relation_names = (const char *const[]){"pay", "device"},
                              .edge_relation = kinds};
    assert_ok(gpr_dataset_derive(f->ctx, &made, data, &desc, 1));
    assert_int_equal(made->graph.relation_count, 2);
    assert_string_equal(made->graph.relations[0].name, "device");
    assert_int_equal(made->graph.arcs, 8);
    assert_int_equal(made->features.cols, 2);
    gpr_dataset_free(made);
    desc.edges = 0; /* kinds without an edge are a graph too */
    desc.src = desc.dst = NULL;
    desc.edge_relation = NULL;
    assert_ok(gpr_dataset_derive(f->ctx, &made, data, &desc, 1));
    assert_int_equal(made->graph.arcs, 0);
    assert_int_equal(made->graph.relation_count, 2);
    gpr_dataset_free(made);
    gpr_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {MAPPED_TEST(through_files), MAPPED_TEST(other_weights),
                                       MAPPED_TEST(reordered),     MAPPED_TEST(trained_in_order),
                                       MAPPED_TEST(every_door),    MAPPED_TEST(derived)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
