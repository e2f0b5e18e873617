/* search/study.c and work.c: runs are those of gpr_train, are trained once, and go on after a stop. */
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>

#include "failing_memory.h"
#include "npz_maker.h"
#include "studies.h"

#define QUICK "epochs", "8", "hidden", "8", "K", "2"

static gpr_study *open_study(gpr_ctx *ctx, const char *path) {
    gpr_study *study;
    assert_ok(gpr_study_open(ctx, &study, path));
    return study;
}

static int64_t add(gpr_study *study, const gpr_dataset *data, int measures, const char *const *options) {
    gpr_params *params = new_params(study->ctx, options);
    int64_t cell;
    assert_ok(gpr_study_add(study, data, params, measures, &cell));
    gpr_params_free(params);
    return cell;
}

typedef struct {
    int64_t finished, after; /* runs so far; stop after so many, if not 0 */
    int64_t runs, done;      /* as reported last */
    int64_t reports;
} watch;

static int look(void *user, const gpr_study_progress *progress) {
    watch *w = user;
    assert_int_equal(progress->struct_size, sizeof *progress);
    assert_true(progress->done >= w->done && progress->done <= progress->runs);
    assert_true(progress->epoch <= progress->epochs);
    assert_non_null(progress->dataset);
    assert_non_null(progress->model);
    w->reports++;
    w->finished += progress->finished;
    w->runs = progress->runs;
    w->done = progress->done;
    return w->after && w->finished >= w->after;
}

static double value(gpr_study *study, int64_t cell, int64_t run, const char *what) {
    double values[32];
    assert_ok(gpr_study_values(study, cell, what, values));
    return values[run];
}

static gpr_cell_info info_of(gpr_study *study, int64_t cell) {
    gpr_cell_info info = {.struct_size = sizeof info};
    assert_ok(gpr_study_cell(study, cell, &info));
    return info;
}

/* ---- what a run is ---- */

static void runs_of_train(void **state) {
    (void)state;
    static const char *const numbers[] = {"seed",         "epochs",        "best_epoch",       "train_accuracy",
                                          "val_accuracy", "test_accuracy", "initial_accuracy", "train_loss",
                                          "val_loss"};
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_csbm(ctx, 120, 8, 0.5);
    gpr_study *study = open_study(ctx, in_folder("runs.jsonl"));
    const char *const options[] = {QUICK, "runs", "5", "seed", "7", NULL};
    const int64_t cell = add(study, data, 0, options);
    watch w = {.after = 0};
    assert_int_equal(info_of(study, cell).done, 0);
    assert_true(isnan(value(study, cell, 0, "val_loss")));
    assert_ok(gpr_study_run(study, 0, look, &w));
    assert_true(w.finished == 5 && w.done == 5 && w.runs == 5);
    training t = train(ctx, data, options);
    for (int again = 0; again < 2; again++) { /* of this process, then from the file */
        for (int run = 0; run < 5; run++) {
            gpr_run_info info = {.struct_size = sizeof info};
            int64_t count;
            assert_ok(gpr_result_run(t.result, run, &info));
            for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
                assert_true(value(study, cell, run, numbers[i]) == gpri_run_number(&info, (gpri_run_field)i));
            const float *gamma = gpr_study_gamma(study, cell, run, &count);
            assert_int_equal(count, 3);
            assert_memory_equal(gamma, info.gamma, 3 * sizeof *gamma);
        }
        gpr_study_close(study);
        study = open_study(ctx, in_folder("runs.jsonl"));
        assert_int_equal(add(study, data, 0, options), cell);
        w = (watch){.after = 0};
        assert_ok(gpr_study_run(study, 0, look, &w));
        assert_int_equal(w.reports, 0); /* nothing to do */
    }
    assert_int_equal(info_of(study, cell).done, 5);
    assert_string_equal(info_of(study, cell).model, "gprgnn");
    assert_string_equal(gpr_study_param(study, cell, "weight_decay"), "0.0005");
    assert_null(gpr_study_param(study, cell, "nonsense"));
    assert_int_equal(gpr_study_cells(study), 1);
    assert_fails(gpr_study_values(study, cell, "tset_accuracy", (double[8]){0}), GPR_ERROR_ARGUMENT, "tset_accuracy");
    assert_fails(gpr_study_values(study, 1, "val_loss", (double[8]){0}), GPR_ERROR_ARGUMENT, "has no cell 1");
    assert_fails(gpr_study_run(study, -1, NULL, NULL), GPR_ERROR_ARGUMENT, "jobs is -1");
    int64_t none = 5;
    assert_null(gpr_study_gamma(study, cell, 5, &none));
    assert_int_equal(none, 0);
    gpr_study_close(study);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Cells of several models and graphs, with any number of jobs. */
static void fill(gpr_study *study, gpr_dataset *const *data) {
    add(study, data[0], 0, OPTIONS(QUICK, "runs", "4"));
    add(study, data[1], 0, OPTIONS("model", "gcn", "epochs", "9", "runs", "3"));
    add(study, data[1], GPR_MEASURE_TOP_SHARE, OPTIONS("model", "sgc", "epochs", "5", "runs", "2"));
    add(study, data[0], 0, OPTIONS("model", "geomgcn", "epochs", "2", "runs", "3"));
}

static void any_jobs(void **state) {
    (void)state;
    static const int jobs[] = {1, 2, 5};
    char paths[3][128];
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data[] = {new_csbm(ctx, 100, 8, 0.5), new_csbm(ctx, 80, 6, -0.5)};
    for (int i = 0; i < 3; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/jobs%d.jsonl", folder, jobs[i]);
        gpr_study *study = open_study(ctx, paths[i]);
        fill(study, data);
        assert_ok(gpr_study_run(study, jobs[i], NULL, NULL));
        gpr_study_close(study);
        assert_int_equal(count_lines(paths[i]), 12);
        assert_same_runs(paths[0], paths[i]);
    }
    gpr_dataset_free(data[0]);
    gpr_dataset_free(data[1]);
    gpr_ctx_free(ctx);
}

/* Three splits of 60 nodes, each with other training nodes. */
static void make_splits(const char *path) {
    static const char *const names[] = {"train_masks", "val_masks", "test_masks"};
    uint8_t masks[3][3 * 60];
    maker m = {0};
    for (int p = 0; p < 3; p++) {
        for (int i = 0; i < 180; i++) masks[p][i] = (i / 60 + i % 3) % 3 == p;
        make_array(&m, names[p], "|b1", "(3, 60)", masks[p], 180);
    }
    make_file(&m, path, 0);
}

/* A file with many splits: run 0 takes the first one, run 1 the next, as in a training; whatever the jobs are, and
 * wherever the seeds begin. */
static void splits_of_files(void **state) {
    (void)state;
    static const char *const models[] = {"mlp", "geomgcn"}; /* the second trains several runs at a time */
    char split[128], kept[128];
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 60, 6, 0.5);
    snprintf(split, sizeof split, "%s/split.npz", folder);
    snprintf(kept, sizeof kept, "%s/kept.jsonl", folder);
    make_splits(split);
    for (int m = 0; m < 2; m++)
        for (int jobs = 1; jobs < 4; jobs++) {
            gpr_study *study = open_study(ctx, kept);
            const char *const options[] = {"model", models[m], "epochs", "3",    "hidden", "8", "runs",
                                           "5",     "split",   split,    "seed", "2",      NULL};
            const char *const later[] = {"model", models[m], "epochs", "3",    "hidden", "8", "runs",
                                         "3",     "split",   split,    "seed", "3",      NULL};
            const int64_t cells[] = {add(study, data, 0, options), add(study, data, 0, later)};
            assert_ok(gpr_study_run(study, jobs, NULL, NULL));
            for (int c = 0; c < 2; c++) {
                training t = train(ctx, data, c ? later : options);
                for (int run = 0; run < (c ? 3 : 5); run++) {
                    gpr_run_info info = {.struct_size = sizeof info};
                    assert_ok(gpr_result_run(t.result, run, &info));
                    assert_true(value(study, cells[c], run, "seed") == (double)(2 + c + run));
                    assert_true(value(study, cells[c], run, "train_loss") == info.train_loss);
                    assert_true(value(study, cells[c], run, "test_accuracy") == info.test_accuracy);
                }
                training_free(&t);
            }
            gpr_study_close(study);
            unlink(kept);
        }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* The same numbers as columns of a table are scaled, and are other runs. */
static void tables(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 60, 6, 0.5);
    gpr_study *study = open_study(ctx, NULL);
    double losses[2];
    for (int mixed = 0; mixed < 2; mixed++) {
        data->mixed_columns = mixed;
        const int64_t cell = add(study, data, 0, OPTIONS(QUICK));
        assert_ok(gpr_study_run(study, 1, NULL, NULL));
        losses[mixed] = value(study, cell, 0, "train_loss");
    }
    assert_true(losses[0] != losses[1]);
    gpr_study_close(study);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- going on ---- */

static void stopped(void **state) {
    (void)state;
    char whole[128], part[128];
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data[] = {new_csbm(ctx, 100, 8, 0.5), new_csbm(ctx, 80, 6, -0.5)};
    snprintf(whole, sizeof whole, "%s/whole.jsonl", folder);
    snprintf(part, sizeof part, "%s/part.jsonl", folder);
    gpr_study *study = open_study(ctx, whole);
    fill(study, data);
    assert_ok(gpr_study_run(study, 2, NULL, NULL));
    gpr_study_close(study);
    int stops = 0;
    for (gpr_status status = GPR_ERROR_STOPPED; status != GPR_OK;) {
        const int64_t before = access(part, F_OK) == 0 ? count_lines(part) : 0;
        watch w = {.after = 1 + stops % 3};
        study = open_study(ctx, part);
        fill(study, data);
        status = gpr_study_run(study, 2, look, &w);
        if (status == GPR_ERROR_STOPPED) {
            stops++;
            assert_string_equal(gpr_last_error(), "stopped by the caller");
        } else {
            assert_ok(status);
        }
        gpr_study_close(study);
        assert_true(count_lines(part) >= before + (status == GPR_OK ? 0 : 1));
        assert_true(stops < 13);
    }
    assert_true(stops >= 2);
    assert_same_runs(whole, part);
    gpr_dataset_free(data[0]);
    gpr_dataset_free(data[1]);
    gpr_ctx_free(ctx);
}

static int stop_at_once(void *user, const gpr_study_progress *progress) {
    (void)user;
    return progress->epoch > 0 || progress->finished;
}

/* A run that was stopped in its middle is not kept. */
static void unfinished(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 100, 8, 0.5);
    gpr_study *study = open_study(ctx, in_folder("runs.jsonl"));
    add(study, data, 0, OPTIONS("epochs", "100000", "stopping", "none", "runs", "3"));
    assert_fails(gpr_study_run(study, 1, stop_at_once, NULL), GPR_ERROR_STOPPED, "stopped");
    assert_int_equal(info_of(study, 0).done, 0);
    assert_int_equal(count_lines(in_folder("runs.jsonl")), 0);
    gpr_study_close(study);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Runs of cells that overlap, and of those that were kept before, are trained once. */
static void once(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_csbm(ctx, 100, 8, 0.5);
    gpr_study *study = open_study(ctx, in_folder("runs.jsonl"));
    watch w = {.after = 0};
    const int64_t first = add(study, data, 0, OPTIONS(QUICK, "runs", "3", "seed", "1"));
    add(study, data, 0, OPTIONS(QUICK, "runs", "4", "seed", "2", "weight-decay", "5e-4", "threads", "1"));
    const int64_t last = add(study, data, 0, OPTIONS(QUICK, "runs", "3", "seed", "1"));
    assert_ok(gpr_study_run(study, 3, look, &w));
    assert_true(w.finished == 5 && w.runs == 5 && w.done == 5);
    assert_int_equal(count_lines(in_folder("runs.jsonl")), 5);
    assert_int_equal(info_of(study, last).done, 3);
    assert_true(value(study, first, 2, "val_loss") == value(study, 1, 1, "val_loss"));
    w = (watch){.after = 0};
    add(study, data, 0, OPTIONS(QUICK, "runs", "7", "seed", "1"));
    assert_ok(gpr_study_run(study, 3, look, &w));
    assert_int_equal(w.finished, 2);
    gpr_study_close(study);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- failures ---- */

#define HUGE_FILTER "init", "3e38,3e38", "K", "1", "lr", "100", "epochs", "50"

/* Runs that diverge are kept as such, and not repeated; others of the study are not concerned. */
static void failures(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 300, 20, -0.5);
    for (int again = 0; again < 2; again++) {
        watch w = {.after = 0};
        gpr_study *study = open_study(ctx, in_folder("runs.jsonl"));
        const int64_t bad = add(study, data, GPR_MEASURE_TOP_SHARE, OPTIONS(HUGE_FILTER, "runs", "3"));
        const int64_t good = add(study, data, 0, OPTIONS(QUICK, "runs", "2"));
        assert_ok(gpr_study_run(study, 2, look, &w));
        assert_int_equal(w.finished, again ? 0 : 5);
        assert_int_equal(info_of(study, bad).done, 3);
        assert_int_equal(info_of(study, bad).failed, 3);
        assert_true(isnan(value(study, bad, 1, "test_accuracy")));
        assert_int_equal(info_of(study, good).failed, 0);
        assert_true(value(study, good, 1, "test_accuracy") >= 0);
        gpr_study_close(study);
    }
    char *text = get_file(in_folder("runs.jsonl"), NULL);
    assert_non_null(strstr(text, "\"failure\":\"the training loss is infinite or NaN"));
    free(text);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* An error ends the work, with the model and the dataset in its message. */
static void wrong_cell(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 60, 5, 0.5);
    gpr_study *study = open_study(ctx, NULL);
    gpr_params *params = new_params(ctx, OPTIONS("model", "gcn", "alpha", "0.5"));
    int64_t cell;
    assert_fails(gpr_study_add(study, data, params, 0, &cell), GPR_ERROR_ARGUMENT, "has no option 'alpha'");
    assert_fails(gpr_study_add(study, data, params, 4, &cell), GPR_ERROR_ARGUMENT, "measures is 4");
    assert_int_equal(cell, -1);
    gpr_params_free(params);
    add(study, data, 0, OPTIONS("init", "nonsense", "runs", "3"));
    assert_fails(gpr_study_run(study, 2, NULL, NULL), GPR_ERROR_ARGUMENT, "gprgnn on csbm");
    assert_non_null(strstr(gpr_last_error(), "'nonsense' is not known"));
    gpr_study_close(study);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static int change_file(void *user, const gpr_study_progress *progress) {
    (void)progress;
    struct stat info;
    const int fd = open(user, O_WRONLY);
    assert_true(fd >= 0 && fstat(fd, &info) == 0);
    assert_int_equal(pwrite(fd, "x", 1, info.st_size - 1), 1);
    close(fd);
    return 0;
}

/* A graph in a mapped file that changes meanwhile: the run is wrong, and not kept. */
static void changed_graph(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    char path[128];
    gpr_dataset *made = new_csbm(ctx, 100, 8, 0.5), *data;
    snprintf(path, sizeof path, "%s/graph.gpr", folder);
    assert_ok(gpr_dataset_save(ctx, made, path));
    assert_ok(gpr_dataset_open(ctx, &data, path, NULL));
    gpr_study *study = open_study(ctx, in_folder("runs.jsonl"));
    add(study, data, 0, OPTIONS(QUICK));
    assert_fails(gpr_study_run(study, 1, change_file, path), GPR_ERROR_IO, "changed while it was in use");
    assert_int_equal(count_lines(in_folder("runs.jsonl")), 0);
    gpr_study_close(study);
    gpr_dataset_free(data);
    gpr_dataset_free(made);
    gpr_ctx_free(ctx);
}

/* ---- measures ---- */

static double top_share(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data) {
    int32_t classes[100];
    int counts[2] = {0};
    assert_ok(gpr_predict(ctx, model, data, classes, NULL));
    for (int i = 0; i < 100; i++) counts[classes[i]]++;
    return counts[0] > counts[1] ? counts[0] : counts[1];
}

/* Asked for later, a run is trained again, once. */
static void measures(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 100, 8, 0.5);
    training t = train(ctx, data, OPTIONS(QUICK, "seed", "3"));
    for (int round = 0; round < 4; round++) {
        gpr_study *study = open_study(ctx, in_folder("runs.jsonl"));
        watch w = {.after = 0};
        const int64_t cell =
            add(study, data, round ? GPR_MEASURE_TOP_SHARE : 0, OPTIONS(QUICK, "runs", "2", "seed", "2"));
        assert_ok(gpr_study_run(study, 1, look, &w));
        assert_int_equal(w.finished, round < 2 ? 2 : 0);
        assert_int_equal(info_of(study, cell).done, 2);
        const double share = value(study, cell, 1, "top_share");
        if (round) assert_true(share == top_share(ctx, t.model, data));
        else assert_true(isnan(share));
        gpr_study_close(study);
    }
    assert_int_equal(count_lines(in_folder("runs.jsonl")), 4);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Gamma over the epochs: the same from the file, and trained for once. */
static void history(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 100, 8, 0.5);
    float first[3 * 64];
    for (int round = 0; round < 3; round++) {
        gpr_study *study = open_study(ctx, in_folder("runs.jsonl"));
        watch w = {.after = 0};
        int64_t rows, stride;
        const int measures = round ? GPR_MEASURE_GAMMA_HISTORY : 0;
        const int64_t cell = add(study, data, measures, OPTIONS("epochs", "100", "stopping", "none", "K", "2"));
        assert_ok(gpr_study_run(study, 1, look, &w));
        assert_int_equal(w.finished, round < 2);
        assert_int_equal(info_of(study, cell).done, 1);
        const float *rows_of = gpr_study_gamma_history(study, cell, 0, &rows, &stride);
        if (round == 0) assert_null(rows_of);
        if (round > 0) {
            assert_true(rows > 20 && rows <= 64 && (rows - 1) * stride <= 100 && rows * stride > 100);
            assert_true(rows_of[0] == 0.1f && rows_of[1] == 0.09f && rows_of[3] != rows_of[0]); /* ppr, then learned */
        }
        if (round == 1) memcpy(first, rows_of, (size_t)(3 * rows) * sizeof *first);
        if (round == 2) assert_memory_equal(first, rows_of, (size_t)(3 * rows) * sizeof *first);
        gpr_study_close(study);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* A model that learns no filter has no history of it, and its runs are complete without. */
static void no_history(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 60, 5, 0.5);
    gpr_study *study = open_study(ctx, NULL);
    const int64_t cell =
        add(study, data, GPR_MEASURE_GAMMA_HISTORY, OPTIONS("model", "mlp", "epochs", "3", "runs", "2"));
    assert_ok(gpr_study_run(study, 1, NULL, NULL));
    assert_int_equal(info_of(study, cell).done, 2);
    gpr_study_close(study);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void statistics(void **state) {
    (void)state;
    gpr_statistics_info info = {.struct_size = sizeof info};
    const double values[] = {1, NAN, 2, 4, NAN};
    assert_ok(gpr_statistics(values, 5, &info));
    assert_int_equal(info.count, 3);
    assert_true(fabs(info.mean - 7.0 / 3) < 1e-12 && fabs(info.sd - sqrt(7.0 / 3)) < 1e-12);
    assert_true(fabs(info.ci95 - 4.302653 * info.sd / sqrt(3)) < 1e-5);
    assert_ok(gpr_statistics(values + 1, 1, &info));
    assert_true(info.count == 0 && isnan(info.mean) && info.sd == 0 && info.ci95 == 0);
    assert_ok(gpr_statistics(NULL, 0, &info));
    assert_true(isnan(info.mean));
    assert_fails(gpr_statistics(values, -1, &info), GPR_ERROR_ARGUMENT, "count is negative");
}

/* ---- memory ---- */

typedef struct {
    const gpr_dataset *data;
    char path[128];
} memory_case;

static gpr_status use_study(gpr_ctx *ctx, void *arg) {
    const memory_case *of = arg;
    gpr_study *study = NULL;
    gpr_params *params = NULL;
    int64_t cell;
    unlink(of->path);
    gpr_status status = gpr_study_open(ctx, &study, of->path);
    if (status == GPR_OK) status = gpr_params_new(ctx, &params);
    if (status == GPR_OK) status = gpr_params_set(params, "epochs", "2");
    if (status == GPR_OK) status = gpr_params_set(params, "runs", "2");
    if (status == GPR_OK) status = gpr_study_add(study, of->data, params, GPR_MEASURE_TOP_SHARE, &cell);
    if (status == GPR_OK) status = gpr_study_run(study, 1, NULL, NULL);
    gpr_params_free(params);
    gpr_study_close(study);
    return status;
}

static void memory(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 40, 4, 0.5);
    memory_case of = {.data = data};
    snprintf(of.path, sizeof of.path, "%s/runs.jsonl", folder);
    fail_every_allocation(use_study, &of);
    assert_int_equal(count_lines(of.path), 2);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        STUDY_TEST(runs_of_train), STUDY_TEST(any_jobs),         STUDY_TEST(splits_of_files),
        STUDY_TEST(tables),        STUDY_TEST(stopped),          STUDY_TEST(unfinished),
        STUDY_TEST(once),          STUDY_TEST(failures),         STUDY_TEST(wrong_cell),
        STUDY_TEST(changed_graph), STUDY_TEST(measures),         STUDY_TEST(history),
        STUDY_TEST(no_history),    cmocka_unit_test(statistics), STUDY_TEST(memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
