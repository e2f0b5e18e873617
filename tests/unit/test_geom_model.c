/* Geom-GCN against its equations, computed here in double from the model's weights and loops over all pairs of nodes,
 * on every table of operations; and its predictions, with the same or with other places or relations.
 * test_geom_model_double.c is the same for the library in double. */
#include <unistd.h>

#include "embed/relations.h"
#include "npz_maker.h"
#include "world.h"

static char folder[64], places_path[96], moved_path[96];

/* The places of all nodes, written to a file with all digits. */
static gpri_point places[NODES];

static void write_places(const char *path, const int64_t *place) {
    gpri_point moved[NODES];
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int64_t i = 0; i < NODES; i++) moved[place ? place[i] : i] = places[i];
    for (int64_t i = 0; i < NODES; i++) fprintf(file, "%.17g,%.17g\n", moved[i].x, moved[i].y);
    assert_int_equal(fclose(file), 0);
}

static void draw_places(void) {
    gpri_random stream = gpri_random_of(41, GPRI_RANDOM_TEST, 0, 0);
    for (uint64_t i = 0; i < NODES; i++)
        places[i] = (gpri_point){gpri_uniform(stream, 2 * i), gpri_uniform(stream, 2 * i + 1)};
    write_places(places_path, NULL);
}

/* ---- the equations by hand ---- */

static double apart(int64_t a, int64_t b) { return hypot(places[a].x - places[b].x, places[a].y - places[b].y); }

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* division[v][u]: the division in which v aggregates u; -1: none. */
static void divide(const world *w, int division[NODES][NODES]) {
    static double distances[NODES * NODES];
    static bool edge[NODES][NODES];
    int64_t pairs = 0, edges = 0;
    memset(edge, 0, sizeof edge);
    for (int64_t e = 0; e < w->edges; e++) edge[w->src[e]][w->dst[e]] = edge[w->dst[e]][w->src[e]] = true;
    for (int64_t v = 0; v < NODES; v++)
        for (int64_t u = 0; u < v; u++) {
            distances[pairs++] = apart(v, u);
            edges += edge[v][u];
        }
    qsort(distances, (size_t)pairs, sizeof *distances, by_size);
    double rho = (distances[edges - 1] + distances[edges]) / 2; /* as many pairs below it as edges */
    for (int64_t v = 0; v < NODES; v++)
        for (int64_t u = 0; u < NODES; u++) {
            bool latent = apart(v, u)<rho, left = places[v].x> places[u].x, below = places[v].y > places[u].y;
            int where = left ? below ? 2 : 0 : below ? 3 : 1;
            division[v][u] = u == v ? 8 : latent ? 4 + where : edge[v][u] ? where : -1;
        }
}

/* out[v] = sum over u in division d of (x[u] W_d) / sqrt(degrees of v and u): cols columns from column `at` on of
 * width. */
static void add_division(double *out, int64_t width, int64_t at, const double *x, const gpri_tensor *weight, int d,
                         const double *degree, int division[NODES][NODES]) {
    for (int64_t v = 0; v < NODES; v++)
        for (int64_t u = 0; u < NODES; u++) {
            if (division[v][u] != d) continue;
            for (int64_t c = 0; c < weight->cols; c++) {
                double sum = 0;
                for (int64_t k = 0; k < weight->rows; k++)
                    sum += x[u * weight->rows + k] * (double)weight->values[k * weight->cols + c];
                out[v * width + at + c] += sum / sqrt(degree[v] * degree[u]);
            }
        }
}

static void by_hand(const gpr_model *model, const world *w, double *z) {
    static int division[NODES][NODES];
    static double x[NODES * FEATURES], h[NODES * 9 * HIDDEN];
    double degree[NODES] = {0};
    char name[32];
    divide(w, division);
    for (int64_t v = 0; v < NODES; v++)
        for (int64_t u = 0; u < NODES; u++) degree[v] += division[v][u] >= 0;
    for (int64_t k = 0; k < NODES * FEATURES; k++) x[k] = (double)w->x[k];
    memset(h, 0, sizeof h);
    memset(z, 0, NODES * CLASSES * sizeof *z);
    for (int d = 0; d < 9; d++) {
        snprintf(name, sizeof name, "geomgcn1.%d.weight", d);
        add_division(h, 9 * HIDDEN, d * HIDDEN, x, tensor_of(model, name), d, degree, division);
    }
    for (int64_t k = 0; k < NODES * 9 * HIDDEN; k++) h[k] = fmax(h[k], 0);
    for (int d = 0; d < 9; d++) {
        snprintf(name, sizeof name, "geomgcn2.%d.weight", d);
        add_division(z, CLASSES, 0, h, tensor_of(model, name), d, degree, division);
    }
    for (int64_t k = 0; k < NODES * CLASSES; k++) z[k] /= 9;
}

static void check_equations(gpr_ctx *ctx) {
    for (int kind = 0; kind < 4; kind++) { /* weights of edges are ignored */
        static world w;
        double z[NODES * CLASSES], want[NODES * CLASSES];
        world_new(&w, kind, NODES, NODES - 2);
        gpr_model *model = model_of(ctx, &w, OPTIONS("model", "geomgcn", "embedding", places_path));
        gpr_dataset *data = dataset_of(ctx, &w, kind);
        scores_of(ctx, model, data, z);
        by_hand(model, &w, want);
        compare("geomgcn", ctx, z, want, NODES, tolerance);
        gpr_dataset_free(data);
        gpr_model_free(model);
    }
}

/* With given places, the result does not depend on how nodes are numbered. */
static void check_relabelling(gpr_ctx *ctx) {
    static world w, moved;
    double z[NODES * CLASSES], z_moved[NODES * CLASSES], back[NODES * CLASSES];
    int64_t place[NODES];
    world_new(&w, SPARSE, NODES, NODES - 2);
    world_relabelled(&moved, &w, place);
    write_places(moved_path, place);
    gpr_model *model = model_of(ctx, &w, OPTIONS("model", "geomgcn", "embedding", places_path));
    gpr_dataset *data = dataset_of(ctx, &w, SPARSE), *other = dataset_of(ctx, &moved, SPARSE);
    scores_of(ctx, model, data, z);
    assert_ok(gpr_model_set_embedding(model, moved_path));
    scores_of(ctx, model, other, z_moved);
    for (int64_t k = 0; k < NODES; k++)
        memcpy(back + k * CLASSES, z_moved + place[k] * CLASSES, CLASSES * sizeof *back);
    compare("geomgcn", ctx, back, z, NODES, tolerance);
    gpr_dataset_free(data);
    gpr_dataset_free(other);
    gpr_model_free(model);
}

static void equations(void **state) {
    (void)state;
    on_every_table(check_equations);
}

static void relabelling(void **state) {
    (void)state;
    on_every_table(check_relabelling);
}

/* ---- embeddings of a model ---- */

static void embeddings(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 200, 8, 0.5), *other = new_csbm(ctx, 100, 8, 0.5);
    static const char *const common[] = {"model", "geomgcn", "epochs", "3", "hidden", "5", "runs", "2", "embedding"};
    const char *options[12] = {0};
    char model_path[96], path[96];
    snprintf(model_path, sizeof model_path, "%s/model", folder);
    snprintf(path, sizeof path, "%s/points", folder);
    memcpy(options, common, sizeof common);
    for (int k = 0; k < 4; k++) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        for (int i = 0; i < 200; i++) fprintf(file, "%d,%d\n", i % 17, i % 13);
        assert_int_equal(fclose(file), 0);
        options[9] = k == 0 ? "isomap" : k == 1 ? "poincare" : k == 2 ? "struc2vec" : path;
        training t = train(ctx, data, options);
        gpr_model *loaded;
        int32_t classes[200], again[200];
        const uint8_t *part = gpr_split_parts(gpr_result_split(t.result), NULL);
        const int32_t *labels = gpr_dataset_labels(data, NULL);
        double right = 0, nodes = 0;
        assert_ok(gpr_model_save(ctx, t.model, model_path));
        assert_ok(gpr_model_load(ctx, &loaded, model_path));
        assert_ok(gpr_predict(ctx, t.model, data, classes, NULL));
        const gpr_predict_options named = {.struct_size = sizeof named, .embedding = options[9]};
        if (k == 3) /* a model from a file does not choose which files are opened */
            assert_fails(gpr_predict(ctx, loaded, data, again, NULL), GPR_ERROR_ARGUMENT,
                         "a prediction opens no file that only the model names: give `embedding` with that file");
        else assert_ok(gpr_predict(ctx, loaded, data, again, NULL));
        assert_ok(gpr_predict_with(ctx, loaded, data, again, NULL, NULL, &named));
        assert_memory_equal(classes, again, sizeof classes);
        for (int i = 0; i < 200; i++)
            if (part[i] == GPR_TEST) nodes++, right += classes[i] == labels[i];
        gpr_run_info info = {.struct_size = sizeof info}; /* whichever run is the best: all share the embedding */
        assert_ok(gpr_result_run(t.result, gpr_result_best_run(t.result), &info));
        assert_true(info.test_accuracy == 100 * right / nodes);
        if (k == 3) {
            assert_fails(gpr_predictions_save(ctx, loaded, data, model_path, 1), GPR_ERROR_ARGUMENT, "opens no file");
            assert_fails(gpr_predict_with(ctx, loaded, other, again, NULL, NULL, &named), GPR_ERROR_ARGUMENT, path);
            assert_ok(gpr_model_set_embedding(loaded, path)); /* the caller names it */
            assert_ok(gpr_predict(ctx, loaded, data, again, NULL));
            unlink(path);
            assert_fails(gpr_predict(ctx, loaded, data, again, NULL), GPR_ERROR_ARGUMENT, "no such file");
            assert_ok(gpr_model_set_embedding(loaded, "isomap"));
        }
        assert_ok(gpr_predict(ctx, loaded, other, again, NULL));
        gpr_model_free(loaded);
        training_free(&t);
    }
    assert_fails(gpr_model_set_embedding(NULL, "isomap"), GPR_ERROR_ARGUMENT, "NULL");
    training plain = train(ctx, data, OPTIONS("model", "mlp", "epochs", "2"));
    assert_fails(gpr_model_set_embedding(plain.model, "isomap"), GPR_ERROR_ARGUMENT,
                 "the model mlp has no option 'embedding'");
    training_free(&plain);
    training wrong = try_training(ctx, data, OPTIONS("model", "geomgcn", "embedding", places_path));
    assert_fails(wrong.status, GPR_ERROR_ARGUMENT, "holds 90 x 2 numbers: expected 200 x 2");
    gpr_dataset_free(data);
    gpr_dataset_free(other);
    gpr_ctx_free(ctx);
}

/* What the result says about it. */
static void told(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 200, 8, 0.5);
    training t = train(ctx, data, OPTIONS("model", "geomgcn", "epochs", "2"));
    const char *json;
    assert_true(t.result->relates && t.result->found.seconds > 0 && t.result->found.radius > 0);
    assert_true(fabs(t.result->found.latent_mean - t.result->found.graph_mean) < 0.05);
    assert_ok(gpr_result_json(ctx, t.result, &json));
    const char *embedding = strstr(json, "\"embedding\": {\n    \"name\": \"isomap\",\n    \"seconds\": ");
    assert_non_null(embedding);
    assert_non_null(strstr(embedding, "\"rho\": "));
    assert_non_null(strstr(embedding, "\"latent_neighbours\": "));
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static int stop_at_once(void *user, const gpr_progress *progress) {
    (void)user;
    return strcmp(progress->stage, "embedding") == 0;
}

/* Before the first epoch there is nothing to keep. */
static void stopped(void **state) {
    (void)state;
    gpr_ctx *ctx;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 2, .progress = stop_at_once};
    assert_ok(gpr_ctx_new(&ctx, &options));
    static world w;
    world_new(&w, 0, NODES, NODES - 2);
    gpr_dataset *data = dataset_of(ctx, &w, 0);
    gpr_params *params;
    gpr_model *model;
    gpr_result *result;
    assert_ok(gpr_params_new(ctx, &params));
    assert_ok(gpr_params_set(params, "model", "geomgcn"));
    assert_fails(gpr_train(ctx, &model, &result, data, params), GPR_ERROR_STOPPED, "stopped by the caller");
    assert_null(model);
    assert_null(result);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equations), cmocka_unit_test(relabelling),
                                       cmocka_unit_test(embeddings), cmocka_unit_test(told), cmocka_unit_test(stopped)};
    folder_make(folder);
    snprintf(places_path, sizeof places_path, "%s/places.csv", folder);
    snprintf(moved_path, sizeof moved_path, "%s/moved.csv", folder);
    draw_places();
    int failed = cmocka_run_group_tests_name("geomgcn", tests, NULL, NULL);
    folder_files(folder, true);
    return failed;
}
