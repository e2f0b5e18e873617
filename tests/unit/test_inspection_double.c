/* spectral/inspection.c and its parts, report/run_folder/inspect_run.c: each number against another way to it, all
 * models, other data, damaged run folders, threads and failing memory. In double precision, for gradients against
 * differences. */
#include <math.h>
#include <unistd.h>

#include "failing_memory.h"
#include "last_warning.h"
#include "spectral/inspection.h"
#include "world.h"

static const char *const options_of[][3] = {
    {"model", "gprgnn", NULL}, {"model", "appnp", NULL},   {"model", "sgc", NULL},   {"model", "mlp", NULL},
    {"model", "gcn", NULL},    {"model", "sage", NULL},    {"model", "cheby", NULL}, {"model", "gat", NULL},
    {"model", "jknet", NULL},  {"model", "gprdeep", NULL},
};
enum { MODELS = sizeof options_of / sizeof *options_of, FILTERS = 3 };

static gpr_inspection_info info_of(const gpr_inspection *inspection) {
    gpr_inspection_info info = {.struct_size = sizeof info};
    assert_ok(gpr_inspection_describe(inspection, &info));
    return info;
}

static const double *series_of(const gpr_inspection *inspection, const char *what, int64_t wanted) {
    const double *values;
    int64_t count;
    assert_ok(gpr_inspection_series(inspection, what, &values, &count));
    if (count != wanted) fail_msg("%s has %lld numbers, not %lld", what, (long long)count, (long long)wanted);
    assert_int_equal(values == NULL, wanted == 0);
    return values;
}

static double loss_with(gpr_ctx *ctx, gpr_model *model, const gpr_dataset *data, const gpr_split *split, int64_t k,
                        float change) {
    gpr_inspection *inspection;
    float *gamma = (float *)(uintptr_t)gpr_model_gamma(model, NULL), before = gamma[k];
    gamma[k] += change;
    assert_ok(gpr_inspection_new(ctx, &inspection, model, data, split));
    gamma[k] = before;
    const double loss = info_of(inspection).loss;
    gpr_inspection_free(inspection);
    return loss;
}

/* dL/dgamma of every model with a filter, with and without a split, against differences of the loss. */
static void test_gradient(void **state) {
    gpr_ctx *ctx = *state;
    world w;
    world_new(&w, WEIGHTED, NODES, NODES - 5);
    gpr_dataset *data = dataset_of(ctx, &w, DENSE);
    uint8_t parts[NODES];
    for (int i = 0; i < NODES; i++) parts[i] = i % 3 == 1 ? GPR_VAL : GPR_TRAIN;
    gpr_split *split;
    assert_ok(gpr_split_from_parts(ctx, &split, data, parts, NODES));
    for (int m = 0; m < FILTERS; m++)
        for (int with = 0; with < 2; with++) {
            gpr_inspection *inspection;
            gpr_model *model = model_of(ctx, &w, options_of[m]);
            assert_ok(gpr_inspection_new(ctx, &inspection, model, data, with ? split : NULL));
            const int64_t count = inspection->series[GPRI_SERIES_GAMMA].count;
            const double *gradient = series_of(inspection, "gradient", count);
            assert_int_equal(info_of(inspection).gradient_nodes, with ? NODES * 2 / 3 : NODES);
            for (int64_t k = 0; k < count; k++) {
                const float step = 0x1p-10f;
                const double want = (loss_with(ctx, model, data, with ? split : NULL, k, step) -
                                     loss_with(ctx, model, data, with ? split : NULL, k, -step)) /
                                    (2 * (double)step);
                if (!(fabs(gradient[k] - want) < 1e-6 * (1 + fabs(want))))
                    fail_msg("%s, k %d: %.9g, not %.9g", options_of[m][1], (int)k, gradient[k], want);
            }
            gpr_inspection_free(inspection);
            gpr_model_free(model);
        }
    gpr_split_free(split);
    gpr_dataset_free(data);
}

/* Scores, classes and shares against a prediction; sizes of hops against each other. */
static void check_shares(gpr_ctx *ctx, const gpr_inspection *inspection, const gpr_model *model,
                         const gpr_dataset *data) {
    int32_t classes[NODES];
    float z[NODES * CLASSES];
    int64_t counts[CLASSES] = {0};
    double degree[NODES], all = 0, smooth = 0;
    int32_t order[NODES], reached[NODES];
    assert_ok(gpr_predict_with(ctx, model, data, classes, NULL, z, NULL));
    for (int i = 0; i < NODES; i++) counts[classes[i]]++;
    for (int c = 0; c < CLASSES; c++) assert_true(counts[c] <= counts[info_of(inspection).top_class]);
    assert_true(fabs(info_of(inspection).top_share - (double)counts[info_of(inspection).top_class] / NODES) < 1e-15);
    gpri_graph_scale(&data->graph, GPRI_SCALE_LOOPED, degree);
    for (int i = 0; i < NODES; i++) degree[i] = 1 / (degree[i] * degree[i]), reached[i] = -1;
    for (int i = 0; i < NODES * CLASSES; i++) all += (double)z[i] * (double)z[i];
    for (int root = 0; root < NODES; root++) {
        if (reached[root] >= 0) continue;
        const int64_t size = gpri_graph_search(&data->graph, root, INT32_MAX, reached, order);
        for (int c = 0; c < CLASSES; c++) {
            double total = 0, beta = 0;
            for (int64_t k = 0; k < size; k++) total += degree[order[k]];
            for (int64_t k = 0; k < size; k++)
                beta += sqrt(degree[order[k]] / total) * (double)z[order[k] * CLASSES + c];
            smooth += beta * beta;
        }
    }
    if (!(fabs(info_of(inspection).smooth_share - smooth / all) < 1e-6))
        fail_msg("%s: smooth share %.9g, not %.9g", gpr_model_name(model), info_of(inspection).smooth_share,
                 smooth / all);
}

static void check_hops(const gpr_inspection *inspection) {
    const int64_t count = inspection->series[GPRI_SERIES_GAMMA].count;
    const double *gamma = series_of(inspection, "gamma", count), *norm = series_of(inspection, "norm", count);
    const double *distance = series_of(inspection, "distance", count);
    const double *contribution = series_of(inspection, "contribution", count);
    const double *values = series_of(inspection, "eigenvalues", NODES);
    const double rate = fmax(values[info_of(inspection).components], -values[NODES - 1]);
    for (int64_t k = 0; k < count; k++) {
        assert_true(fabs(contribution[k] - fabs(gamma[k]) * norm[k]) < 1e-12);
        assert_true(distance[k] <= norm[k]);
        if (k > 0) assert_true(distance[k] <= rate * distance[k - 1] * (1 + 1e-12));
        if (k > 0) /* the limit is the same for every k */
            assert_true(fabs(norm[k] * norm[k] - distance[k] * distance[k] - norm[0] * norm[0] +
                             distance[0] * distance[0]) < 1e-9);
    }
}

static void test_models(void **state) {
    gpr_ctx *ctx = *state;
    world w;
    world_new(&w, DENSE, NODES, NODES - 5);
    gpr_dataset *data = dataset_of(ctx, &w, DENSE);
    for (int m = 0; m < MODELS; m++) {
        gpr_inspection *alone, *inspection;
        const char *json;
        gpr_model *model = model_of(ctx, &w, options_of[m]);
        assert_ok(gpr_inspection_new(ctx, &alone, model, NULL, NULL));
        assert_int_equal(info_of(alone).filter != GPR_FILTER_NONE, m < FILTERS);
        assert_null(info_of(alone).dataset);
        assert_ok(gpr_inspection_new(ctx, &inspection, model, data, NULL));
        const gpr_inspection_info info = info_of(inspection);
        assert_string_equal(info.model, options_of[m][1]);
        assert_int_equal(info.components, 6);
        assert_int_equal(info.judged_on, m < FILTERS ? GPR_JUDGED_ON_EIGENVALUES : GPR_JUDGED_ON_NOTHING);
        if (m == 1 || m == 2) assert_int_equal(info.filter, GPR_FILTER_LOW_PASS); /* appnp, sgc: the paper's words */
        check_shares(ctx, inspection, model, data);
        if (m < FILTERS) check_hops(inspection);
        else series_of(inspection, "norm", 0);
        assert_ok(gpr_inspection_json(ctx, inspection, &json));
        assert_non_null(strstr(json, "\"smooth_share\": 0."));
        gpr_inspection_free(alone);
        gpr_inspection_free(inspection);
        gpr_model_free(model);
    }
    gpr_dataset_free(data);
}

/* Kinds that are known, judged without a graph. */
static void test_kinds(void **state) {
    (void)state;
    double damped;
    const double low[] = {0.5, 0.5}, high[] = {1, -0.5}, middle[] = {0, 0, 1, 0, -2}, none[] = {0, 0};
    assert_int_equal(gpri_filter_kind_between(&(gpri_curve){NULL, low, 2}, -1, 1, &damped), GPR_FILTER_LOW_PASS);
    assert_true(damped == 1);
    assert_int_equal(gpri_filter_kind_between(&(gpri_curve){NULL, high, 2}, -1, 1, &damped), GPR_FILTER_HIGH_PASS);
    assert_true(damped == 0);
    assert_int_equal(gpri_filter_kind_between(&(gpri_curve){NULL, middle, 5}, -1, 1, &damped), GPR_FILTER_LOW_PASS);
    assert_int_equal(gpri_filter_kind_between(&(gpri_curve){NULL, none, 2}, -1, 1, &damped), GPR_FILTER_NEITHER);
    const double mixed[] = {1, -0.9, 0.81}; /* below g(1) in between, above it for negative lambda */
    assert_int_equal(gpri_filter_kind_between(&(gpri_curve){NULL, mixed, 3}, -1, 1, &damped), GPR_FILTER_NEITHER);
    assert_true(damped > 0.4 && damped < 0.5); /* from 1/9 to 1 */
    assert_int_equal(gpri_filter_kind_between(&(gpri_curve){NULL, mixed, 3}, -1, 0.1, &damped), GPR_FILTER_HIGH_PASS);
}

static void test_wrong(void **state) {
    gpr_ctx *ctx = *state;
    world w, small;
    world_new(&w, DENSE, NODES, NODES);
    world_new(&small, DENSE, 40, 40);
    gpr_dataset *data = dataset_of(ctx, &w, DENSE), *other = dataset_of(ctx, &small, DENSE);
    gpr_model *model = model_of(ctx, &w, options_of[0]);
    gpr_inspection *inspection;
    const double *values;
    gpr_split *split;
    assert_ok(gpr_split_new(ctx, &split, other, "dense", 0, 0));
    assert_fails(gpr_inspection_new(ctx, &inspection, model, data, split), GPR_ERROR_MISMATCH, "40 nodes");
    assert_null(inspection);
    assert_fails(gpr_inspection_new(ctx, &inspection, model, NULL, split), GPR_ERROR_ARGUMENT, "without its data");
    assert_ok(gpr_inspection_new(ctx, &inspection, model, data, NULL));
    assert_int_equal(info_of(inspection).training_data, -1); /* the model has no fingerprint */
    assert_fails(gpr_inspection_series(inspection, "densty", &values, NULL), GPR_ERROR_ARGUMENT, "'density'");
    gpr_inspection_free(inspection);
    assert_fails(gpr_inspection_of_run(ctx, &inspection, "/nowhere", NULL, NULL), GPR_ERROR_NOT_FOUND, "/nowhere");
    gpr_split_free(split);
    gpr_model_free(model);
    gpr_dataset_free(data);
    gpr_dataset_free(other);
}

/* ---- run folders ---- */

static char folder[64];

static void write_in(const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(gpr_write_file(path, text, strlen(text)));
}

static void remove_in(const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

/* A finished training of three runs in the folder. */
static gpr_result *train_in(gpr_ctx *ctx, const gpr_dataset *data) {
    gpr_params *params;
    gpr_model *model;
    gpr_result *result;
    assert_ok(gpr_params_new(ctx, &params));
    assert_ok(gpr_params_set(params, "runs", "3"));
    assert_ok(gpr_params_set(params, "epochs", "3"));
    assert_ok(gpr_params_set(params, "K", "2"));
    assert_ok(gpr_params_set(params, "init", "random"));
    assert_ok(gpr_params_set(params, "split", "dense"));
    assert_ok(gpr_train(ctx, &model, &result, data, params));
    assert_ok(gpr_result_save(ctx, result, model, data, folder));
    gpr_model_free(model);
    gpr_params_free(params);
    return result;
}

static void test_run(void **state) {
    gpr_ctx *ctx = *state;
    gpr_inspection *inspection;
    world w;
    world_new(&w, DENSE, NODES, NODES);
    gpr_dataset *data = dataset_of(ctx, &w, DENSE);
    gpr_result *result = train_in(ctx, data);
    assert_ok(gpr_inspection_of_run(ctx, &inspection, folder, data, NULL));
    const gpr_inspection_info info = info_of(inspection);
    assert_int_equal(info.runs, 3);
    assert_int_equal(info.training_data, 1);
    int64_t train = 0;
    for (int c = 0; c < CLASSES; c++) train += gpr_split_count(gpr_result_split(result), GPR_TRAIN, c);
    assert_int_equal(info.gradient_nodes, train);
    assert_int_equal(info.on_training_nodes, 1);
    const double *mean = series_of(inspection, "gamma_mean", 3), *ci95 = series_of(inspection, "gamma_ci95", 3);
    const double *kept = series_of(inspection, "gamma", 3);
    double turn[3]; /* gamma and -gamma are the same filter: the sign that agrees with the model's */
    for (int r = 0; r < 3; r++) {
        gpr_run_info run = {.struct_size = sizeof run};
        assert_ok(gpr_result_run(result, r, &run));
        double product = 0;
        for (int k = 0; k < 3; k++) product += kept[k] * (double)run.gamma[k];
        turn[r] = product < 0 ? -1 : 1;
    }
    for (int k = 0; k < 3; k++) {
        double sum = 0, squares = 0;
        for (int r = 0; r < 3; r++) {
            gpr_run_info run = {.struct_size = sizeof run};
            assert_ok(gpr_result_run(result, r, &run));
            sum += turn[r] * (double)run.gamma[k] / 3;
            squares += (double)run.gamma[k] * (double)run.gamma[k];
        }
        const double sd = sqrt((squares - 3 * sum * sum) / 2);
        assert_true(fabs(mean[k] - sum) < 1e-6);
        assert_true(fabs(ci95[k] - 4.302653 * sd / sqrt(3)) < 1e-4);
    }
    gpr_inspection_free(inspection);
    assert_ok(gpr_inspection_of_run(ctx, &inspection, folder, NULL, NULL)); /* no public dataset */
    assert_null(info_of(inspection).dataset);
    gpr_inspection_free(inspection);
    gpr_result_free(result);
    gpr_dataset_free(data);
}

/* Run folders of strangers. */
/* A run with -gamma has the same filter: the mean is that of the model, and the interval has no width. */
static void test_turned_runs(void **state) {
    gpr_ctx *ctx = *state;
    gpr_inspection *inspection;
    double kept[3];
    char text[512] = "run,k,initial,gamma\n";
    world w;
    world_new(&w, DENSE, NODES, NODES);
    gpr_dataset *data = dataset_of(ctx, &w, DENSE);
    gpr_result *result = train_in(ctx, data);
    assert_ok(gpr_inspection_of_run(ctx, &inspection, folder, NULL, NULL));
    memcpy(kept, series_of(inspection, "gamma", 3), sizeof kept);
    gpr_inspection_free(inspection);
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%d,%d,0,%.17g\n", r, k,
                     r == 1 ? kept[k] : -kept[k]);
    write_in("gamma.csv", text);
    assert_ok(gpr_inspection_of_run(ctx, &inspection, folder, NULL, NULL));
    const double *mean = series_of(inspection, "gamma_mean", 3), *ci95 = series_of(inspection, "gamma_ci95", 3);
    assert_int_equal(info_of(inspection).turned_runs, 2);
    for (int k = 0; k < 3; k++) assert_true(fabs(mean[k] - kept[k]) < 1e-12 && ci95[k] < 1e-12);
    gpr_inspection_free(inspection);
    gpr_result_free(result);
    gpr_dataset_free(data);
}

static void test_bad_run(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } tables[] = {
        {"", "no columns"},
        {"run,k,initial\n0,0,1\n", "no columns"},
        {"run,k,initial,gamma\n", "ends before"},
        {"run,k,initial,gamma\n0,0,1,1\n0,1,1,1\n", "ends before"},
        {"run,k,initial,gamma\n0,0,1,1\n0,1,1,x\n", "gamma.csv:3: "},
        {"run,k,initial,gamma\n0,0,1,nan\n", "gamma.csv:2: "},
        {"run,k,initial,gamma\n0,0,1,1e999\n", "gamma.csv:2: "},
        {"run,k,initial,gamma\n-1,0,1,1\n", "gamma.csv:2: "},
        {"run,k,initial,gamma\n0,1,1,1\n", "out of order"},
        {"run,k,initial,gamma\n0,0,1,1\n0,1,1,1\n0,2,1,1\n0,3,1,1\n", "out of order"},
        {"run,k,initial,gamma\n0,0,1,1\n1,1,1,1\n", "out of order"},
        {"run,k,initial,gamma\n1,0,1,1\n1,1,1,1\n1,2,1,1\n1,0,1,1\n", "out of order"},
        {"run,k,initial,gamma\n0,99999999999999999999,1,1\n", "gamma.csv:2: "},
    };
    gpr_ctx *ctx = warning_ctx();
    gpr_inspection *inspection;
    world w, other;
    world_new(&w, DENSE, NODES, NODES);
    world_new(&other, DENSE, NODES, NODES - 9);
    gpr_dataset *data = dataset_of(ctx, &w, DENSE), *elsewhere = dataset_of(ctx, &other, DENSE);
    gpr_result_free(train_in(ctx, data));
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        write_in("gamma.csv", tables[i].text);
        assert_fails(gpr_inspection_of_run(ctx, &inspection, folder, data, NULL), GPR_ERROR_FORMAT, tables[i].message);
        assert_null(inspection);
    }
    remove_in("gamma.csv");
    assert_ok(gpr_inspection_of_run(ctx, &inspection, folder, data, NULL));
    assert_non_null(strstr(warning, "gamma.csv is missing"));
    gpr_inspection_free(inspection);
    assert_ok(gpr_inspection_of_run(ctx, &inspection, folder, elsewhere, NULL)); /* its split is not for this data */
    assert_non_null(strstr(warning, "gamma.csv is missing"));
    assert_int_equal(info_of(inspection).training_data, 0);
    assert_int_equal(info_of(inspection).gradient_nodes, NODES);
    assert_int_equal(info_of(inspection).on_training_nodes, 0);
    gpr_inspection_free(inspection);
    write_in("split.npz", "no archive");
    assert_fails(gpr_inspection_of_run(ctx, &inspection, folder, data, NULL), GPR_ERROR_FORMAT, "split.npz");
    remove_in("split.npz"); /* it is drawn again */
    assert_ok(gpr_inspection_of_run(ctx, &inspection, folder, data, NULL));
    assert_int_equal(info_of(inspection).gradient_nodes, NODES * 6 / 10);
    assert_int_equal(info_of(inspection).on_training_nodes, 1);
    gpr_inspection_free(inspection);
    write_in("model.safetensors", "no model");
    assert_fails(gpr_inspection_of_run(ctx, &inspection, folder, data, NULL), GPR_ERROR_FORMAT, "model.safetensors");
    remove_in("model.safetensors");
    assert_fails(gpr_inspection_of_run(ctx, &inspection, folder, data, NULL), GPR_ERROR_NOT_FOUND, "model.safetensors");
    gpr_dataset_free(data);
    gpr_dataset_free(elsewhere);
    gpr_ctx_free(ctx);
}

/* The data of a run is found by a public name, and by nothing else: here a path that leads to the same file. */
static void test_named_data(void **state) {
    gpr_ctx *ctx = *state;
    char path[128];
    int32_t labels[NODES];
    world w;
    world_new(&w, DENSE, NODES, NODES);
    for (int i = 0; i < NODES; i++) labels[i] = i % CLASSES;
    snprintf(path, sizeof path, "%s/cora.npz", folder);
    const char *const names[] = {"cora", path};
    for (int n = 0; n < 2; n++) {
        gpr_dataset *data;
        gpr_inspection *inspection;
        gpr_dataset_desc desc = world_desc(&w, labels);
        desc.name = names[n];
        assert_ok(gpr_dataset_new(ctx, &data, &desc));
        data->generated = true; /* nothing is chosen by the data: one plain training */
        assert_ok(gpr_dataset_save(ctx, data, path));
        gpr_result_free(train_in(ctx, data));
        assert_ok(gpr_inspection_of_run(ctx, &inspection, folder, NULL, folder));
        assert_int_equal(info_of(inspection).dataset != NULL, n == 0);
        gpr_inspection_free(inspection);
        gpr_dataset_free(data);
    }
    unlink(path);
}

/* ---- threads and memory ---- */

static void test_threads(void **state) {
    (void)state;
    char *first = NULL;
    for (int threads = 1; threads <= 5; threads += 2) {
        gpr_ctx *ctx = new_ctx(threads);
        gpr_inspection *inspection;
        const char *json;
        gpr_dataset *data;
        gpr_params *params;
        gpr_model *model;
        gpr_result *result;
        assert_ok(gpr_dataset_open(ctx, &data, "csbm:n=4000,f=8,seed=2", NULL));
        assert_ok(gpr_params_new(ctx, &params));
        assert_ok(gpr_params_set(params, "epochs", "2"));
        assert_ok(gpr_train(ctx, &model, &result, data, params));
        assert_ok(gpr_inspection_new(ctx, &inspection, model, data, gpr_result_split(result)));
        assert_int_equal(info_of(inspection).judged_on, GPR_JUDGED_ON_RANGE);
        assert_ok(gpr_inspection_json(ctx, inspection, &json));
        if (!first) first = strdup(json);
        assert_string_equal(first, json);
        gpr_inspection_free(inspection);
        gpr_model_free(model);
        gpr_result_free(result);
        gpr_params_free(params);
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
    free(first);
}

typedef struct {
    const gpr_model *model;
    const gpr_dataset *data;
} material;

static gpr_status trial(gpr_ctx *ctx, void *arg) {
    const material *m = arg;
    gpr_inspection *inspection;
    const char *json;
    gpr_status status = gpr_inspection_new(ctx, &inspection, m->model, m->data, NULL);
    if (status == GPR_OK) status = gpr_inspection_json(ctx, inspection, &json);
    gpr_inspection_free(inspection);
    return status;
}

static gpr_status trial_of_run(gpr_ctx *ctx, void *arg) {
    const material *m = arg;
    gpr_inspection *inspection;
    gpr_status status = gpr_inspection_of_run(ctx, &inspection, folder, m->data, NULL);
    gpr_inspection_free(inspection);
    return status;
}

static void test_memory(void **state) {
    gpr_ctx *ctx = *state;
    world w;
    world_new(&w, DENSE, NODES, NODES - 5);
    gpr_dataset *data = dataset_of(ctx, &w, DENSE);
    gpr_result_free(train_in(ctx, data));
    for (int m = 0; m < MODELS; m += m == 8 ? 1 : 4) {
        gpr_model *model = model_of(ctx, &w, options_of[m]);
        fail_every_allocation(trial, &(material){model, data});
        gpr_model_free(model);
    }
    fail_every_allocation(trial_of_run, &(material){NULL, data});
    gpr_dataset_free(data);
}

static int set_up(void **state) {
    *state = new_ctx(2);
    scratch_folder(folder);
    return 0;
}

static int tear_down(void **state) {
    static const char *const files[] = {"config.json", "model.safetensors", "history.csv",
                                        "gamma.csv",   "predictions.csv",   "split.npz",
                                        "result.json", "run.sha256",        ".lock"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) remove_in(files[i]);
    rmdir(folder);
    gpr_ctx_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradient),    cmocka_unit_test(test_models),     cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_wrong),       cmocka_unit_test(test_run),        cmocka_unit_test(test_bad_run),
        cmocka_unit_test(test_turned_runs), cmocka_unit_test(test_named_data), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
