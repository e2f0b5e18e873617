/* `reorder`: a training in another order of the nodes has the results of the data's order; .gpr files keep an order,
 * and splits, predictions and ids stay those of the user. */
#include "mapped_files.h"

#include "data/order/reorder.h"
#include "data/split.h"
#include "io/split.h"

#define BASE "hidden", "8", "K", "4", "epochs", "15", "split", "30/20/20", "dropout", "0", "dprate", "0"

/* Features of class and number, so that rows that were mixed up are seen. */
static gpr_dataset *some_data(gpr_ctx *ctx, int kind) {
    return kind == 0 ? new_csbm(ctx, 1200, 20, 0.5) : new_words(ctx, 900, 40, 3);
}

static void assert_near(const float *a, const float *b, int64_t count, double most) {
    for (int64_t k = 0; k < count; k++)
        if (!(fabs((double)a[k] - (double)b[k]) <= most))
            fail_msg("%lld: %g and %g", (long long)k, (double)a[k], (double)b[k]);
}

/* ---- in a training ---- */

/* Without dropout the order of the nodes changes roundings alone; also where known labels are counted, smooth the
   outcome, and calibrate it. */
static void compare_orders(int kind, const char *const *const options[2]) {
    static const char *const models[] = {"gprgnn", "gcn", "sage",  "appnp", "sgc",
                                         "cheby",  "gat", "jknet", "mlp",   "gprdeep"};
    gpr_ctx *ctx = new_ctx(2);
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        gpr_dataset *data = some_data(ctx, kind);
        const int64_t cells = data->graph.nodes * data->target.classes;
        float *proba[2];
        training t[2];
        for (int r = 0; r < 2; r++) {
            const char *out[40];
            t[r] = train(ctx, data, options_for(out, models[m], options[r]));
            proba[r] = malloc((size_t)cells * sizeof **proba);
            assert_non_null(proba[r]);
            assert_ok(gpr_predict(ctx, t[r].model, data, NULL, proba[r]));
        }
        assert_near(proba[0], proba[1], cells, 0.02);
        const gpr_run_info *a = &t[0].result->runs[0].info, *b = &t[1].result->runs[0].info;
        assert_true(fabs(a->val_accuracy - b->val_accuracy) < 0.02);
        assert_true(fabs(a->test_accuracy - b->test_accuracy) < 0.02);
        assert_memory_equal(t[0].result->runs[0].split->part, t[1].result->runs[0].split->part,
                            (size_t)data->graph.nodes);
        assert_string_equal(t[0].result->fingerprint, t[1].result->fingerprint);
        for (int r = 0; r < 2; r++) {
            training_free(&t[r]);
            free(proba[r]);
        }
        gpr_dataset_free(data);
    }
    gpr_ctx_free(ctx);
}

static void same_results(void **state) {
    (void)state;
#define LABELS "label-counts", "yes", "smooth", "yes", "calibrate", "yes", "class-weight", "balanced"
    const char *const *const plain[] = {OPTIONS(BASE, "reorder", "none"), OPTIONS(BASE, "reorder", "communities")};
    const char *const *const labels[] = {OPTIONS(BASE, LABELS, "reorder", "none"),
                                         OPTIONS(BASE, LABELS, "reorder", "communities")};
    for (int kind = 0; kind < 2; kind++) {
        compare_orders(kind, plain);
        compare_orders(kind, labels);
    }
}

static void same_bits(void **state) {
    (void)state;
    training t[2];
    for (int r = 0; r < 2; r++) {
        gpr_ctx *ctx = new_ctx(r ? 3 : 1);
        gpr_dataset *data = some_data(ctx, 0);
        t[r] = train(ctx, data, OPTIONS("hidden", "8", "epochs", "10", "reorder", "rcm", "label-input", "yes"));
        assert_string_equal(gpr_params_get(t[r].model->params, "reorder"), "rcm");
        gpr_dataset_free(data);
        if (r == 1) {
            assert_same_model("threads", t[0].model, t[1].model);
            assert_string_equal(t[0].model->known_nodes, t[1].model->known_nodes);
        }
        /* the contexts end with their trainings */
        if (r == 1) training_free(&t[1]);
        if (r == 1) gpr_ctx_free(ctx);
    }
    gpr_ctx *first = t[0].result->ctx;
    training_free(&t[0]);
    gpr_ctx_free(first);
}

/* Labels as an input are those of the training nodes by the numbers of the data. */
static void known_nodes(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = some_data(ctx, 1);
    training a = train(ctx, data, OPTIONS(BASE, "label-input", "yes"));
    training b = train(ctx, data, OPTIONS(BASE, "label-input", "yes", "reorder", "communities"));
    assert_string_equal(a.model->known_nodes, b.model->known_nodes);
    training_free(&a);
    training_free(&b);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void refused(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = some_data(ctx, 0);
    training t = try_training(ctx, data, OPTIONS("reorder", "random"));
    assert_fails(t.status, GPR_ERROR_ARGUMENT, "`reorder` is 'random'");
    t = try_training(ctx, data, OPTIONS("reorder", "rcm", "order", "filter-first"));
    assert_fails(t.status, GPR_ERROR_ARGUMENT, "convert the data to a .gpr file");
    t = try_training(ctx, data, OPTIONS("reorder", "rcm", "model", "geomgcn"));
    assert_fails(t.status, GPR_ERROR_ARGUMENT, "has no option 'reorder'");
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static gpr_status train_it(gpr_ctx *ctx, void *arg) {
    static const int64_t src[] = {0, 1, 2, 3, 4, 5, 6, 7}, dst[] = {1, 2, 3, 4, 5, 6, 7, 0};
    static const float dense[16] = {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8};
    static const int32_t labels[] = {0, 1, 0, 1, 0, 1, 0, 1};
    const gpr_dataset_desc desc = {.struct_size = sizeof desc,
                                   .nodes = 8,
                                   .edges = 8,
                                   .src = src,
                                   .dst = dst,
                                   .features = 2,
                                   .dense = dense,
                                   .labels = labels,
                                   .classes = 2};
    gpr_dataset *data = NULL;
    gpr_params *params = NULL;
    gpr_model *model = NULL;
    gpr_result *result = NULL;
    (void)arg;
    gpr_status status = gpr_dataset_new(ctx, &data, &desc);
    if (status == GPR_OK) status = gpr_params_new(ctx, &params);
    if (status == GPR_OK) status = gpr_params_set(params, "reorder", "communities");
    if (status == GPR_OK) status = gpr_params_set(params, "epochs", "1");
    if (status == GPR_OK) status = gpr_params_set(params, "hidden", "2");
    if (status == GPR_OK) status = gpr_params_set(params, "K", "1");
    if (status == GPR_OK) status = gpr_params_set(params, "split", "50/25/25");
    if (status == GPR_OK) status = gpr_train(ctx, &model, &result, data, params);
    gpr_model_free(model);
    gpr_result_free(result);
    gpr_params_free(params);
    gpr_dataset_free(data);
    return status;
}

static void out_of_memory(void **state) {
    (void)state;
    fail_every_allocation(train_it, NULL);
}

/* ---- in a file ---- */

/* data, converted with the method to a file and opened. */
static gpr_dataset *converted(raw_fixture *f, const gpr_dataset *data, const char *method, const char *name) {
    gpr_convert_options options = {.struct_size = sizeof options, .reorder = method};
    char from[256];
    gpr_dataset *out;
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "from.gpr")));
    snprintf(from, sizeof from, "%s", f->path);
    const gpr_open_options in = {.struct_size = sizeof in, .data = from};
    assert_ok(gpr_convert(f->ctx, NULL, &in, raw_path(f, name), &options));
    assert_ok(gpr_dataset_open(f->ctx, &out, f->path, NULL));
    assert_ok(gpri_dataset_ready(f->ctx, out));
    return out;
}

static void assert_moved(const gpr_dataset *data, const gpr_dataset *moved) {
    const gpri_feature_matrix *x = &data->features, *y = &moved->features;
    char number[24];
    assert_non_null(moved->order);
    for (int64_t i = 0; i < data->graph.nodes; i++) {
        const int64_t old = moved->order[i];
        assert_int_equal(moved->target.labels[i], data->target.labels[old]);
        assert_string_equal(gpri_name(&moved->node_ids, i), gpri_name_or_number(&data->node_ids, old, number));
        assert_int_equal(moved->graph.rowptr[i + 1] - moved->graph.rowptr[i],
                         data->graph.rowptr[old + 1] - data->graph.rowptr[old]);
        if (x->dense) assert_memory_equal(x->dense + old * x->cols, y->dense + i * x->cols, (size_t)x->cols * 4);
    }
}

static void kept_in_files(void **state) {
    raw_fixture *f = *state;
    for (int kind = 0; kind < 5; kind++) {
        gpr_dataset *data = kind < 2 ? some_data(f->ctx, kind) : small(f->ctx, (shape)(kind - 2), kind % 2, true);
        gpr_dataset *moved = converted(f, data, kind == 1 ? "rcm" : "communities", "moved.gpr");
        assert_moved(data, moved);
        gpr_dataset *twice = converted(f, moved, "rcm", "twice.gpr"), *kept = converted(f, moved, NULL, "kept.gpr");
        assert_moved(data, twice);
        assert_moved(data, kept);
        assert_same_dataset(kept, moved);
        gpr_dataset *back = converted(f, twice, "none", "back.gpr");
        assert_null(back->order);
        assert_same_dataset(back, data);
        assert_ok(gpr_dataset_save(f->ctx, twice, raw_path(f, "back.npz")));
        gpr_dataset *npz;
        assert_ok(gpr_dataset_open(f->ctx, &npz, f->path, NULL));
        assert_same_names("ids", &npz->node_ids, &data->node_ids);
        assert_same_block("labels", npz->target.labels, data->target.labels, data->graph.nodes * 4);
        gpr_dataset_free(npz);
        gpr_dataset_free(back);
        gpr_dataset_free(kept);
        gpr_dataset_free(twice);
        gpr_dataset_free(moved);
        gpr_dataset_free(data);
    }
}

/* Drawn by every rule, from masks and from lists of numbers: the same nodes. */
static void same_split(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data = some_data(f->ctx, 1), *moved = converted(f, data, "communities", "moved.gpr");
    char masks[256], folder[256], numbers[300];
    gpr_split *a, *b;
    assert_ok(gpr_split_new(f->ctx, &a, moved, "60/20/20", 9, 0));
    assert_ok(gpr_split_save(f->ctx, a, raw_path(f, "masks.npz"))); /* in the user's order */
    snprintf(masks, sizeof masks, "%s", f->path);
    gpr_split_free(a);
    snprintf(folder, sizeof folder, "%s/lists", f->folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    static const char *const lists[] = {"train", "valid", "test"};
    for (int p = 0; p < 3; p++) {
        char text[64];
        snprintf(text, sizeof text, "%d\n%d\n%d\n", p, p + 10, p + 200);
        snprintf(numbers, sizeof numbers, "%s/%s.csv", folder, lists[p]);
        write_text(numbers, text);
    }
    const char *const specs[] = {"60/20/20", "dense", "planetoid:3/50/90", masks, folder};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        assert_ok(gpr_split_new(f->ctx, &a, data, specs[s], 9, 0));
        assert_ok(gpr_split_new(f->ctx, &b, moved, specs[s], 9, 0));
        for (int64_t i = 0; i < data->graph.nodes; i++) assert_int_equal(b->part[i], a->part[moved->order[i]]);
        gpr_split_free(a);
        gpr_split_free(b);
    }
    gpr_dataset_free(data);
    gpr_dataset_free(moved);
}

static char *whole_text(raw_fixture *f, const char *name) {
    char *bytes;
    int64_t size;
    assert_ok(gpri_read_whole(f->ctx, &bytes, &size, raw_path(f, name), INT64_MAX));
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    memcpy(text, bytes, (size_t)size);
    gpri_free(f->ctx, bytes);
    return text;
}

/* A table of predictions has the user's nodes in the user's order, with their classes and parts. */
static void compare_predictions(raw_fixture *f, const char *const *options) {
    gpr_dataset *data = some_data(f->ctx, 1), *moved = converted(f, data, "communities", "moved.gpr");
    training t = train(f->ctx, moved, options);
    char *text[2];
    assert_ok(gpr_predictions_save(f->ctx, t.model, moved, raw_path(f, "moved.csv"), 0));
    assert_ok(gpr_predictions_save(f->ctx, t.model, data, raw_path(f, "data.csv"), 0));
    text[0] = whole_text(f, "moved.csv");
    text[1] = whole_text(f, "data.csv");
    const char *at = strstr(text[0], "\n0,"), *other = strstr(text[1], "\n0,");
    assert_true(at == strchr(text[0], '\n') && other == strchr(text[1], '\n'));
    int64_t lines = 0;
    while (*++at && *++other) { /* node,class,label */
        const size_t size = strcspn(other, "\n");
        assert_memory_equal(at, other, size);
        at = strchr(at, '\n');
        other = strchr(other, '\n');
        lines++;
    }
    assert_int_equal(lines, data->graph.nodes);
    int64_t node;
    assert_ok(gpr_dataset_find_node(f->ctx, &node, moved, "17"));
    assert_int_equal(moved->order[node], 17);
    free(text[0]);
    free(text[1]);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_dataset_free(moved);
}

static void predictions(void **state) {
    compare_predictions(*state, OPTIONS(BASE));
    compare_predictions(*state, OPTIONS(BASE, "order", "filter-first")); /* some rows at a time */
}

static void files_by_number(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data = some_data(f->ctx, 1), *moved = converted(f, data, "rcm", "moved.gpr"), *none;
    char from[256], other[256];
    gpr_convert_options options = {.struct_size = sizeof options, .reorder = "rcm"};
    snprintf(from, sizeof from, "%s", f->path);
    write_text(raw_path(f, "labels.csv"), "0\n1\n");
    snprintf(other, sizeof other, "%s", f->path);
    gpr_open_options in = {.struct_size = sizeof in, .data = from, .labels = other};
    assert_fails(gpr_dataset_open_with(f->ctx, &none, &in), GPR_ERROR_ARGUMENT, "give `labels` when");
    in = (gpr_open_options){.struct_size = sizeof in, .data = from, .features = other};
    assert_fails(gpr_dataset_open_with(f->ctx, &none, &in), GPR_ERROR_ARGUMENT, "give `features` when");
    in = (gpr_open_options){.struct_size = sizeof in, .data = from, .features = "degree"};
    assert_ok(gpr_dataset_open_with(f->ctx, &none, &in));
    gpr_dataset_free(none);
    in = (gpr_open_options){.struct_size = sizeof in, .data = from};
    assert_fails(gpr_convert(f->ctx, NULL, &in, raw_path(f, "x.npz"), &options), GPR_ERROR_ARGUMENT,
                 "only a .gpr file");
    options.reorder = "best";
    assert_fails(gpr_convert(f->ctx, NULL, &in, raw_path(f, "x.gpr"), &options), GPR_ERROR_ARGUMENT, "'best'");
    training t = try_training(f->ctx, moved, OPTIONS("model", "geomgcn", "embedding", other));
    assert_fails(t.status, GPR_ERROR_ARGUMENT, "convert it back with `reorder` none");
    gpr_dataset_free(data);
    gpr_dataset_free(moved);
}

/* ---- damage ---- */

static void damaged_order(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data = small(f->ctx, DENSE, true, true), *moved = converted(f, data, "communities", "moved.gpr");
    gpr_dataset_free(data);
    gpr_dataset_free(moved);
    const image im = load(f->ctx, raw_path(f, "moved.gpr"));
    assert_ok(try_image(f, &im));
    static const struct {
        int at;
        int32_t value;
        const char *part;
    } wrong[] = {{0, -1, "node.order"}, {4, 5, "node.order"}, {3, INT32_MAX, "numbers of nodes"}};
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        image bad = copy_of(&im);
        ((int32_t *)contents(&bad, "node.order"))[wrong[w].at] = wrong[w].value;
        mapped_seal(bad.bytes, bad.size);
        assert_fails(try_image(f, &bad), GPR_ERROR_FORMAT, wrong[w].part);
        free(bad.bytes);
    }
    for (int i = 1; i < 5; i++) { /* a node twice */
        image bad = copy_of(&im);
        int32_t *order = contents(&bad, "node.order");
        order[i] = order[0];
        mapped_seal(bad.bytes, bad.size);
        assert_fails(try_image(f, &bad), GPR_ERROR_FORMAT, "has a node twice");
        free(bad.bytes);
    }
    image bad = copy_of(&im);
    section(&bad, "node.order")->bytes -= 4;
    mapped_seal(bad.bytes, bad.size);
    assert_fails(try_image(f, &bad), GPR_ERROR_FORMAT, "section node.order has 16 bytes: expected 5 numbers of 4");
    free(bad.bytes);
    for (int64_t i = section(&im, "node.order")->offset; i < im.size; i += 3) { /* a bit anywhere */
        im.bytes[i] ^= 4;
        assert_fails(try_image(f, &im), GPR_ERROR_FORMAT, "tried.gpr");
        im.bytes[i] ^= 4;
    }
    free(im.bytes);
}

static gpr_status convert_it(gpr_ctx *ctx, void *arg) {
    raw_fixture *f = arg;
    char from[300], to[300];
    snprintf(from, sizeof from, "%s/small.gpr", f->folder);
    snprintf(to, sizeof to, "%s/to.gpr", f->folder);
    const gpr_open_options in = {.struct_size = sizeof in, .data = from};
    const gpr_open_options moved = {.struct_size = sizeof moved, .data = to};
    gpr_convert_options options = {.struct_size = sizeof options, .reorder = "communities"};
    gpr_dataset *data = NULL;
    gpr_split *split = NULL;
    gpr_status status = gpr_convert(ctx, NULL, &in, to, &options);
    options.reorder = "none";
    if (status == GPR_OK) status = gpr_dataset_open(ctx, &data, to, NULL);
    if (status == GPR_OK) status = gpr_split_new(ctx, &split, data, "50/25/25", 1, 0);
    gpr_split_free(split);
    gpr_dataset_free(data);
    if (status == GPR_OK) status = gpr_convert(ctx, NULL, &moved, from, &options);
    return status;
}

static void convert_out_of_memory(void **state) {
    raw_fixture *f = *state;
    for (int features = SPARSE; features <= DENSE; features++) {
        image im = small_image(f, (shape)features);
        fail_every_allocation(convert_it, f);
        free(im.bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_results), cmocka_unit_test(same_bits),        cmocka_unit_test(known_nodes),
        cmocka_unit_test(refused),      cmocka_unit_test(out_of_memory),    MAPPED_TEST(kept_in_files),
        MAPPED_TEST(same_split),        MAPPED_TEST(predictions),           MAPPED_TEST(files_by_number),
        MAPPED_TEST(damaged_order),     MAPPED_TEST(convert_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
