/* Predictions of `order` filter-first that do not stay in memory: the filtered features in a file have the bits of
 * those in memory; too little memory, a full disk and a stop leave nothing behind. */
#include "failing_memory.h"
#include "resuming.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "data/feature_matrix.h"
#include "model/filter_first/filtered.h"
#include "model/filter_first/predict_rows.h"
#include "walk/powers.h"

enum { NODES = 700, COLUMNS = 40, CLASSES = 3, WIDTH = 48 };

#define FIRST "order", "filter-first", "hidden", "8", "K", "3", "epochs", "4", "split", "30/20/20"
#define IN_FILE (400 * NODES) /* bytes of memory with which the features go to a file */

static char folder[64], path[96];

static int files_there(void) {
    int count = 0;
    DIR *entries = opendir(folder);
    while (readdir(entries)) count++;
    closedir(entries);
    return count - 2; /* . and .. */
}

static void by_sizes(void **state) {
    (void)state;
    assert_false(gpri_filtered_in_file(256 << 20, 1e12));
    assert_true(gpri_filtered_in_file((256 << 20) + 1, 1e12));
    assert_true(gpri_filtered_in_file((256 << 20) + 1, 0));
    assert_false(gpri_filtered_in_file(1000, 8000));
    assert_true(gpri_filtered_in_file(1001, 8000));
}

/* Columns that are scaled when they are read have the bits of a scaled copy. */
static void scaled(void **state) {
    (void)state;
    static float sums[2][NODES * WIDTH];
    const float gamma[] = {1, -0.5F, 0.25F};
    gpr_ctx *ctx = new_ctx(2);
    for (int sparse = 0; sparse < 2; sparse++) {
        gpr_dataset *data = sparse ? new_words(ctx, NODES, COLUMNS, CLASSES) : new_csbm(ctx, NODES, COLUMNS, 0.4);
        gpri_feature_matrix *x = &data->features, copy;
        for (int64_t k = 0; sparse && k < x->nnz; k++) x->value[k] = (float)(k % 7 + 1); /* not only 0 and 1 */
        gpri_scaling scaling;
        assert_ok(gpri_scaling_measure(ctx, &scaling, x, false));
        assert_ok(gpri_scaling_apply(ctx, &copy, x, &scaling));
        gpri_powers_source of = {.graph = &data->graph, .table = &copy, .hops = 2, .panel = 16};
        assert_ok(gpri_powers_sum(ctx, sums[0], &of, gamma));
        of.table = x;
        of.scaling = &scaling;
        assert_ok(gpri_powers_sum(ctx, sums[1], &of, gamma));
        assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
        gpri_feature_matrix_free(ctx, &copy);
        gpri_scaling_free(ctx, &scaling);
        gpr_dataset_free(data);
    }
    gpr_ctx_free(ctx);
}

/* All of it, in pieces of `step` rows. */
static void predict(gpr_ctx *ctx, const training *t, const gpr_dataset *data, int64_t step, const int32_t *place,
                    int32_t *classes, float *proba) {
    gpri_first *of;
    assert_ok(gpri_first_new(ctx, &of, t->model, data, path));
    for (int64_t i = 0; i < NODES; i += step)
        assert_ok(gpri_first_rows(of, i, NODES - i < step ? NODES - i : step, place,
                                  &(gpri_outcome){classes + i, proba + i * CLASSES, NULL}));
    gpri_first_free(of);
    assert_int_equal(files_there(), 0);
}

/* In memory and in a file, for any number of threads, panel and piece, also in another order. */
static void same_bits(void **state) {
    (void)state;
    static int32_t classes[2][NODES], place[NODES], order[1];
    static float proba[2][NODES * CLASSES];
    for (int threads = 1; threads <= 3; threads += 2) {
        gpr_ctx *ctx = new_ctx(threads);
        gpr_dataset *data = new_words(ctx, NODES, COLUMNS, CLASSES);
        training t = train(ctx, data, OPTIONS(FIRST));
        assert_ok(gpr_predict(ctx, t.model, data, classes[0], proba[0]));
        for (int64_t panel = 16; panel >= 4; panel /= 2) {
            data->memory = (int64_t)gpri_powers_memory(NODES, panel, 3);
            gpri_filtered f;
            assert_ok(gpri_filtered_new(ctx, &f, t.model, data, path));
            assert_null(f.dense);
            assert_int_equal(f.panel, panel);
            gpri_filtered_free(&f);
            predict(ctx, &t, data, panel == 8 ? 100 : NODES, NULL, classes[1], proba[1]);
            assert_memory_equal(classes[0], classes[1], sizeof classes[0]);
            assert_memory_equal(proba[0], proba[1], sizeof proba[0]);
        }
        for (int64_t i = 0; i < NODES; i++) place[i] = (int32_t)(i * 3 % NODES);
        for (int in_file = 0; in_file < 2; in_file++) {
            data->memory = in_file ? IN_FILE : 0;
            data->order = order; /* there is one: rows are copied */
            predict(ctx, &t, data, 300, place, classes[1], proba[1]);
            data->order = NULL;
            for (int64_t i = 0; i < NODES; i++) {
                assert_int_equal(classes[1][i], classes[0][place[i]]);
                assert_memory_equal(proba[1] + i * CLASSES, proba[0] + place[i] * CLASSES, CLASSES * sizeof(float));
            }
        }
        training_free(&t);
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
}

/* The public face: any nodes, again and again; models of the other order too. */
static void predictor(void **state) {
    (void)state;
    static int32_t classes[2][NODES];
    static float proba[2][NODES * CLASSES];
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_words(ctx, NODES, COLUMNS, CLASSES);
    gpr_predict_options how = {.struct_size = sizeof how, .scratch = path};
    gpr_predictor *of;
    for (int m = 0; m < 3; m++) { /* a model of the other order; in memory; in a file */
        training t = train(ctx, data, m ? OPTIONS(FIRST) : OPTIONS("model", "gcn", "hidden", "8", "epochs", "4"));
        assert_ok(gpr_predict(ctx, t.model, data, classes[0], proba[0]));
        data->memory = m == 2 ? IN_FILE : 0;
        assert_ok(gpr_predictor_new(ctx, &of, t.model, data, m ? &how : NULL));
        for (int64_t end = NODES; end > 0; end -= 70) {
            assert_ok(gpr_predictor_rows(of, end - 70, 70, classes[1] + end - 70, NULL));
            assert_ok(gpr_predictor_rows(of, end - 70, 70, NULL, proba[1] + (end - 70) * CLASSES));
        }
        assert_memory_equal(classes[0], classes[1], sizeof classes[0]);
        assert_memory_equal(proba[0], proba[1], sizeof proba[0]);
        assert_ok(gpr_predictor_rows(of, NODES, 0, classes[1], proba[1]));
        const int64_t wrong[][2] = {{-1, 1}, {0, -1}, {0, NODES + 1}, {NODES, 1}, {INT64_MAX, 1}, {1, INT64_MAX}};
        for (int w = 0; w < 6; w++)
            assert_fails(gpr_predictor_rows(of, wrong[w][0], wrong[w][1], classes[1], NULL), GPR_ERROR_ARGUMENT, "700");
        gpr_predictor_free(of);
        memset(classes[1], 0, sizeof classes[1]);
        assert_ok(gpr_predict_with(ctx, t.model, data, classes[1], NULL, NULL, &how));
        assert_memory_equal(classes[0], classes[1], sizeof classes[0]);
        data->memory = 0;
        how.known_labels = data->target.labels;
        assert_fails(gpr_predictor_new(ctx, &of, t.model, data, &how), GPR_ERROR_ARGUMENT, "known_labels");
        how.known_labels = NULL;
        how.embedding = "isomap";
        assert_fails(gpr_predictor_new(ctx, &of, t.model, data, &how), GPR_ERROR_ARGUMENT, "embedding");
        assert_null(of);
        how.embedding = NULL;
        training_free(&t);
    }
    assert_int_equal(files_there(), 0);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void compare_tables(gpr_ctx *ctx, const training *t, gpr_dataset *data) {
    char other[112], command[512];
    snprintf(other, sizeof other, "%s.memory", path);
    assert_ok(gpr_predictions_save(ctx, t->model, data, other, 1));
    data->memory = IN_FILE;
    assert_ok(gpr_predictions_save(ctx, t->model, data, path, 1));
    data->memory = 0;
    snprintf(command, sizeof command, "cmp %s %s && rm %s %s", path, other, path, other);
    assert_int_equal(system(command), 0);
    assert_int_equal(files_there(), 0);
}

static void tables(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_words(ctx, NODES, COLUMNS, CLASSES);
    training t = train(ctx, data, OPTIONS(FIRST));
    compare_tables(ctx, &t, data);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* A model that was trained once more on all labels: nodes with a label keep the predictions of the one before, also
   where both stream. */
static void refitted(void **state) {
    (void)state;
    char run[112], line[256], command[160];
    static int32_t classes[2][NODES];
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_words(ctx, NODES, COLUMNS, CLASSES);
    for (int64_t i = 0; i < NODES; i += 4) data->target.labels[i] = -1;
    training t = train(ctx, data, OPTIONS(FIRST, "refit", "yes"));
    assert_true(gpr_model_refit_nodes(t.model) > 0);
    assert_ok(gpr_predict(ctx, t.model, data, classes[0], NULL));
    assert_ok(gpr_predict(ctx, t.result->runs[0].model, data, classes[1], NULL));
    for (int in_file = 0; in_file < 2; in_file++) {
        data->memory = in_file ? IN_FILE : 0;
        snprintf(run, sizeof run, "%s/run", folder);
        assert_ok(gpr_result_save(ctx, t.result, t.model, data, run));
        strcat(run, "/predictions.csv");
        FILE *file = fopen(run, "r");
        assert_non_null(file);
        assert_non_null(fgets(line, sizeof line, file));
        for (int64_t i = 0; i < NODES; i++) {
            long long node, class_id;
            assert_non_null(fgets(line, sizeof line, file));
            assert_int_equal(sscanf(line, "%lld,%lld,", &node, &class_id), 2);
            assert_true(node == i && class_id == classes[data->target.labels[i] >= 0][i]);
        }
        fclose(file);
        snprintf(command, sizeof command, "rm -r %s/run", folder);
        assert_int_equal(system(command), 0);
    }
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- what goes wrong ---- */

typedef struct {
    const char *stage;
    int left;
} stop;

static int stop_in_stage(void *user, const gpr_progress *p) {
    stop *at = user;
    assert_int_equal(files_there(), 0); /* at no time: a kill leaves nothing */
    return strcmp(p->stage, at->stage) == 0 && --at->left == 0;
}

static void failures(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_words(ctx, NODES, COLUMNS, CLASSES);
    training t = train(ctx, data, OPTIONS(FIRST));
    data->memory = (int64_t)gpri_powers_memory(NODES, 4, 3) - 1;
    assert_fails(gpr_predictions_save(ctx, t.model, data, path, 1), GPR_ERROR_MEMORY, "give `memory`");
    data->memory = IN_FILE;
    stop at[] = {{"hops", 1}, {"hops", 12}, {"predicting", 1}};
    for (int i = 0; i < 3; i++) {
        ctx->job.progress = stop_in_stage, ctx->job.user = &at[i];
        assert_fails(gpr_predictions_save(ctx, t.model, data, path, 1), GPR_ERROR_STOPPED, "stopped");
        ctx->job.progress = NULL;
        assert_int_equal(files_there(), 0);
    }
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    small = before;
    small.rlim_cur = NODES * WIDTH * sizeof(float) - 1; /* lacks one byte */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    gpr_status status = gpr_predictions_save(ctx, t.model, data, path, 1);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_fails(status, GPR_ERROR_IO, path);
    assert_int_equal(files_there(), 0);
    gpri_first *of;
    assert_fails(gpri_first_new(ctx, &of, t.model, data, "/nowhere/x"), GPR_ERROR_IO, "/nowhere/x");
    gpri_scratch scratch;
    assert_ok(gpri_scratch_open(&scratch, path));
    assert_fails(gpri_scratch_reserve(&scratch, (int64_t)1 << 60, "the numbers"), GPR_ERROR_IO,
                 "in a temporary file beside");
    gpri_scratch_close(&scratch);
    assert_int_equal(files_there(), 0);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static gpr_status predict_some(gpr_ctx *ctx, void *arg) {
    gpr_dataset *data = NULL;
    gpr_csbm_options options;
    gpr_csbm_options_init(&options, sizeof options);
    options.nodes = 40, options.features = 40;
    gpr_status status = gpr_dataset_csbm(ctx, &data, &options);
    if (status == GPR_OK) {
        data->memory = 40 * 400;
        status = gpr_predictions_save(ctx, arg, data, path, 1);
    }
    gpr_predictor *of = NULL;
    gpr_file *file = NULL;
    int32_t classes[40];
    const gpr_predict_options how = {.struct_size = sizeof how, .scratch = path};
    if (status == GPR_OK) unlink(path);
    if (status == GPR_OK) status = gpr_predictor_new(ctx, &of, arg, data, &how);
    if (status == GPR_OK) status = gpr_predictor_rows(of, 0, 40, classes, NULL);
    if (status == GPR_OK) status = gpr_file_new(ctx, &file, path);
    if (status == GPR_OK) status = gpr_file_write(file, classes, sizeof classes);
    if (status == GPR_OK) status = gpr_file_commit(file);
    gpr_file_free(file);
    gpr_predictor_free(of);
    gpr_dataset_free(data);
    if (status == GPR_OK) unlink(path);
    else assert_int_equal(files_there(), 0);
    return status;
}

static void little_memory(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 100, 40, 0.5);
    training t = train(ctx, data, OPTIONS(FIRST));
    fail_every_allocation(predict_some, t.model);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_sizes),  cmocka_unit_test(scaled),
                                       cmocka_unit_test(same_bits), cmocka_unit_test(predictor),
                                       cmocka_unit_test(tables),    cmocka_unit_test(refitted),
                                       cmocka_unit_test(failures),  cmocka_unit_test(little_memory)};
    scratch_folder(folder);
    snprintf(path, sizeof path, "%s/out.csv", folder);
    const int code = cmocka_run_group_tests_name("first_stream", tests, NULL, NULL);
    return rmdir(folder) == 0 ? code : 1;
}
