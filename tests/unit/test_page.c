/* Pages: one file with everything in it, whose data can be read back, and in which names do no harm. */
#include <jansson.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/file.h"
#include "report/report.h"
#include "training.h"

static char folder[64];

static const char *at(const char *name) {
    static char path[2][256];
    static int next;
    next = 1 - next;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static char *read_all(gpr_ctx *ctx, const char *path) {
    char *text;
    int64_t size;
    assert_ok(gpri_read_whole(ctx, &text, &size, path, 1 << 26));
    assert_int_equal(strlen(text), size);
    return text;
}

static int times(const char *text, const char *piece) {
    int count = 0;
    for (const char *found = text; (found = strstr(found, piece)); found++) count++;
    return count;
}

#define EVIL "</script><script>alert(1)</script><!-- \xe2\x80\xa8 & \\\" '"
static const char *const evil_page =
    "{\"title\": \"" EVIL "\", \"sections\": [{\"id\": \"a\", \"title\": \"" EVIL "\", \"blocks\": [{\"type\": "
    "\"figure\", \"figure\": {\"id\": \"f-1\", \"type\": \"bars\", \"title\": \"" EVIL "\", \"x\": {\"categories\": "
    "[\"" EVIL "\"]}, \"series\": [{\"name\": \"" EVIL "\", \"values\": [1]}]}}]}]}";

/* The scripts and the title of a page are those of the library, whatever the data says. */
static void test_names_do_no_harm(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    assert_ok(gpr_page_save(ctx, at("plain.html"), "paper", "{\"title\": \"T\", \"sections\": []}"));
    assert_ok(gpr_page_save(ctx, at("evil.html"), "run", evil_page));
    char *plain = read_all(ctx, at("plain.html")), *evil = read_all(ctx, at("evil.html"));
    assert_non_null(strstr(plain, "<title>T</title>"));
    assert_int_equal(times(evil, "<script"), times(plain, "<script"));
    assert_int_equal(times(evil, "</script"), times(plain, "</script"));
    assert_int_equal(times(evil, "<!--"), times(plain, "<!--"));
    assert_int_equal(times(evil, "alert(1)<"), 0);
    assert_int_equal(times(evil, "\xe2\x80\xa8"),
                     times(plain, "\xe2\x80\xa8") + 4); /* in the title, and three in SVG */
    assert_int_equal(times(evil, "<template id=\"svg-f-1\">"), 1);
    assert_int_equal(times(plain, "<!-- title -->") + times(plain, "<!-- data -->"), 0); /* both were found */
    gpri_free(ctx, plain);
    gpri_free(ctx, evil);

    char *json;
    assert_ok(gpr_page_load(ctx, &json, at("evil.html")));
    json_t *before = json_loads(evil_page, 0, NULL), *after = json_loads(json, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(after, "kind")), "run");
    json_object_del(after, "kind");
    assert_true(json_equal(before, after));
    json_decref(before);
    json_decref(after);
    gpr_bytes_free(ctx, json);
    gpr_ctx_free(ctx);
}

/* Nothing is loaded from elsewhere: the browser is told to refuse it, and the page does not ask. */
static void test_needs_no_network(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    assert_ok(gpr_page_save(ctx, at("page.html"), "run", "{\"title\": \"T\", \"sections\": []}"));
    char *page = read_all(ctx, at("page.html"));
    assert_non_null(strstr(page, "default-src 'none'"));
    assert_int_equal(times(page, " src=") + times(page, "<link") + times(page, "@import"), 0);
    gpri_free(ctx, page);
    gpr_ctx_free(ctx);
}

static void test_refused(void **state) {
    (void)state;
    static const char figure[] =
        "{\"sections\": [{\"blocks\": [{\"type\": \"figure\", \"figure\": {\"id\": \"%s\", "
        "\"type\": \"lines\", \"series\": [{\"values\": [1]}]}}]}]}";
    static const char *const bad_ids[] = {"", "../x", "a/b", "a b", "A", ".svg"};
    char json[512], *loaded;
    gpr_ctx *ctx = new_ctx(1);
    assert_fails(gpr_page_save(ctx, at("x.html"), "pie", "{\"sections\": []}"), GPR_ERROR_ARGUMENT, "'pie'");
    assert_fails(gpr_page_save(ctx, at("x.html"), "run", "{"), GPR_ERROR_ARGUMENT, "line 1");
    assert_fails(gpr_page_save(ctx, at("x.html"), "run", "[]"), GPR_ERROR_ARGUMENT, "object");
    assert_fails(gpr_page_save(ctx, at("x.html"), "run", "{}"), GPR_ERROR_ARGUMENT, "sections");
    for (size_t i = 0; i < sizeof bad_ids / sizeof *bad_ids; i++) {
        snprintf(json, sizeof json, figure, bad_ids[i]);
        assert_fails(gpr_page_save(ctx, at("x.html"), "run", json), GPR_ERROR_ARGUMENT, "id of a figure");
        assert_fails(gpr_page_figures_save(ctx, at("out"), json, NULL), GPR_ERROR_ARGUMENT, "id of a figure");
    }
    static const char *const twice = /* in two sections */
        "{\"sections\": [{\"blocks\": [{\"type\": \"figure\", \"figure\": {\"id\": \"same\", \"type\": \"lines\", "
        "\"series\": [{\"values\": [1]}]}}]}, {\"blocks\": [{\"type\": \"figure\", \"figure\": {\"id\": \"same\", "
        "\"type\": \"lines\", \"series\": [{\"values\": [1]}]}}]}]}";
    assert_fails(gpr_page_save(ctx, at("x.html"), "run", twice), GPR_ERROR_ARGUMENT, "two figures have the id 'same'");
    assert_fails(gpr_page_figures_save(ctx, at("out"), twice, NULL), GPR_ERROR_ARGUMENT, "the id 'same'");
    assert_int_not_equal(access(at("out"), F_OK), 0);
    assert_int_not_equal(access(at("x.html"), F_OK), 0);
    assert_fails(gpr_page_load(ctx, &loaded, at("none.html")), GPR_ERROR_NOT_FOUND, "none.html");
    assert_ok(gpr_write_file(at("other.html"), "<html></html>", 13));
    assert_fails(gpr_page_load(ctx, &loaded, at("other.html")), GPR_ERROR_FORMAT, "no page of gprgnn");
    const char *cut = "<script type=\"application/json\" id=\"data\">{\"a\": </script>";
    assert_ok(gpr_write_file(at("other.html"), cut, strlen(cut)));
    assert_fails(gpr_page_load(ctx, &loaded, at("other.html")), GPR_ERROR_FORMAT, "damaged");
    assert_null(loaded);
    gpr_ctx_free(ctx);
}

static void test_figures_of_a_page(void **state) {
    (void)state;
    int64_t count = -1;
    gpr_ctx *ctx = new_ctx(1);
    assert_ok(gpr_page_figures_save(ctx, at("figures/deep"), evil_page, &count));
    assert_int_equal(count, 1);
    char *svg = read_all(ctx, at("figures/deep/f-1.svg"));
    assert_memory_equal(svg, "<?xml", 5);
    gpri_free(ctx, svg);
    assert_ok(gpr_figure_save(ctx, at("one.svg"), "{\"type\": \"lines\", \"series\": [{\"values\": [1, 2]}]}"));
    assert_fails(gpr_figure_save(ctx, at("two.svg"), "{\"type\": \"lines\"}"), GPR_ERROR_ARGUMENT, "series");
    assert_int_not_equal(access(at("two.svg"), F_OK), 0);
    gpr_ctx_free(ctx);
}

/* The figure in the page of this run; NULL if there is none. It belongs to the document. */
static const json_t *figure_of(const json_t *document, const char *id) {
    const json_t *sections = json_object_get(document, "sections");
    for (size_t s = 0; s < json_array_size(sections); s++) {
        const json_t *blocks = json_object_get(json_array_get(sections, s), "blocks");
        for (size_t b = 0; b < json_array_size(blocks); b++) {
            const json_t *figure = json_object_get(json_array_get(blocks, b), "figure");
            if (figure && strcmp(json_string_value(json_object_get(figure, "id")), id) == 0) return figure;
        }
    }
    return NULL;
}

static json_t *document_of(gpr_ctx *ctx, const gpr_dataset *data, const char *const *options, int64_t *bytes) {
    char *json;
    struct stat info;
    training t = try_training(ctx, data, options);
    assert_true(t.status >= 0);
    assert_ok(gpr_result_save(ctx, t.result, t.model, data, at("run")));
    assert_ok(gpr_page_load(ctx, &json, at("run/report.html")));
    assert_int_equal(stat(at("run/report.html"), &info), 0);
    *bytes = info.st_size;
    json_t *document = json_loads(json, 0, NULL);
    gpr_bytes_free(ctx, json);
    gpr_result_free(t.result);
    gpr_model_free(t.model);
    return document;
}

/* The numbers of the page are those of the result: the confusion matrix counts the test nodes, its diagonal gives the
   accuracy, and the intervals of gamma are around its mean. */
static void test_run_page(void **state) {
    (void)state;
    int64_t bytes;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data;
    assert_ok(gpr_dataset_open(ctx, &data, "csbm:n=300,f=20,phi=0.5,seed=3", NULL));
    json_t *document = document_of(ctx, data, OPTIONS("epochs", "30", "runs", "3", "K", "4", "seed", "7"), &bytes);
    const json_t *matrix = json_object_get(figure_of(document, "confusion"), "values");
    int64_t all = 0, right = 0;
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 2; j++) {
            const int64_t count = json_integer_value(json_array_get(json_array_get(matrix, i), j));
            all += count;
            if (i == j) right += count;
        }
    training t = try_training(ctx, data, OPTIONS("epochs", "30", "runs", "3", "K", "4", "seed", "7"));
    gpr_run_info best = {.struct_size = sizeof best};
    assert_ok(gpr_result_run(t.result, gpr_result_best_run(t.result), &best));
    assert_true(all > 30 && fabs(100.0 * (double)right / (double)all - best.test_accuracy) < 1e-6);
    const json_t *learned = json_array_get(json_object_get(figure_of(document, "gamma"), "series"), 0);
    for (size_t k = 0; k < 5; k++) {
        double sum = 0;
        for (int64_t r = 0; r < 3; r++) {
            gpr_run_info run = {.struct_size = sizeof run};
            assert_ok(gpr_result_run(t.result, r, &run));
            sum += (double)run.gamma[k];
        }
        const double mean = json_number_value(json_array_get(json_object_get(learned, "values"), k));
        const double low = json_number_value(json_array_get(json_object_get(learned, "lo"), k));
        const double high = json_number_value(json_array_get(json_object_get(learned, "hi"), k));
        assert_true(fabs(mean - sum / 3) < 1e-3 * fabs(mean) + 1e-6 && low < mean && mean < high);
    }
    gpr_result_free(t.result);
    gpr_model_free(t.model);
    json_decref(document);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* The table of metrics: the model first, then the baselines where they were computed; and the cautions. */
static void test_measures_of_a_page(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data;
    char *json, want[32];
    double value;
    assert_ok(gpr_dataset_open(ctx, &data, "csbm:n=300,f=20,phi=1,seed=3", NULL));
    training t = train(ctx, data, OPTIONS("epochs", "1", "lr", "1e-9", "runs", "2", "seed", "7")); /* learns nothing */
    for (int compared = 0; compared < 2; compared++) {
        if (compared) assert_ok(gpr_result_add_baselines(ctx, t.result, data));
        assert_ok(gpr_result_save(ctx, t.result, t.model, data, at("run")));
        assert_ok(gpr_page_load(ctx, &json, at("run/report.html")));
        assert_true(!compared || strstr(json, "no better on the test nodes"));
        json_t *document = json_loads(json, 0, NULL);
        gpr_bytes_free(ctx, json);
        const json_t *section = json_array_get(json_object_get(document, "sections"), 1);
        assert_string_equal(json_string_value(json_object_get(section, "id")), "metrics");
        const json_t *rows = json_object_get(json_array_get(json_object_get(section, "blocks"), 0), "rows");
        assert_int_equal(json_array_size(rows), compared ? 4 : 1);
        for (size_t r = 0; r < json_array_size(rows); r++) {
            assert_ok(r == 0 ? gpr_result_mean(t.result, "test_accuracy", &value, NULL, NULL)
                             : gpr_result_baseline_mean(t.result, (int)r - 1, "accuracy", &value, NULL));
            snprintf(want, sizeof want, "%.2f", r == 0 ? value : 100 * value);
            assert_string_equal(json_string_value(json_array_get(json_array_get(rows, r), 1)), want);
        }
        json_decref(document);
    }
    gpr_result_free(t.result);
    gpr_model_free(t.model);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Many runs of many epochs: curves are thinned out. */
static void test_stays_small(void **state) {
    (void)state;
    int64_t bytes;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data;
    assert_ok(gpr_dataset_open(ctx, &data, "csbm:n=30,f=3,phi=0.5,seed=3", NULL));
    json_t *document = document_of(
        ctx, data, OPTIONS("epochs", "1000", "runs", "100", "hidden", "2", "stopping", "none", "split", "50/25/25"),
        &bytes);
    const json_t *series = json_object_get(figure_of(document, "loss"), "series");
    assert_int_equal(json_array_size(series), 3 + 99);
    const json_t *epochs = json_object_get(json_array_get(series, 0), "x");
    assert_int_equal(json_integer_value(json_array_get(epochs, 0)), 0);
    assert_int_equal(json_integer_value(json_array_get(epochs, json_array_size(epochs) - 1)), 1000);
    if (bytes > 2000000) fail_msg("report.html has %lld bytes", (long long)bytes);
    json_decref(document);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Runs whose random filters point away from the best run's are turned, and the captions say so. */
static void test_turned_runs(void **state) {
    (void)state;
    const char *const *options =
        OPTIONS("epochs", "1", "lr", "1e-9", "runs", "8", "K", "2", "init", "random", "hidden", "4");
    int64_t bytes, turned = 0;
    double sum[3] = {0}, at_one = 0;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data;
    assert_ok(gpr_dataset_open(ctx, &data, "csbm:n=60,f=5,phi=0.5,seed=3", NULL));
    json_t *document = document_of(ctx, data, options, &bytes);
    training t = try_training(ctx, data, options);
    gpr_run_info best = {.struct_size = sizeof best};
    assert_ok(gpr_result_run(t.result, gpr_result_best_run(t.result), &best));
    for (int64_t r = 0; r < 8; r++) {
        double product = 0;
        gpr_run_info run = {.struct_size = sizeof run};
        assert_ok(gpr_result_run(t.result, r, &run));
        for (int k = 0; k < 3; k++) product += (double)run.gamma[k] * (double)best.gamma[k];
        turned += product < 0;
        for (int k = 0; k < 3; k++) sum[k] += (product < 0 ? -1 : 1) * (double)run.gamma[k];
    }
    assert_true(turned > 0);
    char said[64];
    snprintf(said, sizeof said, "%lld of the 8 runs", (long long)turned);
    const json_t *bars = figure_of(document, "gamma"), *response = figure_of(document, "response");
    assert_non_null(strstr(json_string_value(json_object_get(bars, "caption")), said));
    assert_non_null(strstr(json_string_value(json_object_get(response, "caption")), said));
    const json_t *means = json_object_get(json_array_get(json_object_get(bars, "series"), 0), "values");
    for (size_t k = 0; k < 3; k++) {
        at_one += sum[k] / 8;
        assert_true(fabs(json_number_value(json_array_get(means, k)) - sum[k] / 8) < 1e-4);
    }
    const json_t *mean = json_object_get(json_array_get(json_object_get(response, "series"), 1), "values");
    assert_true(fabs(json_number_value(json_array_get(mean, json_array_size(mean) - 1)) - at_one) < 1e-3);
    gpr_result_free(t.result);
    gpr_model_free(t.model);
    json_decref(document);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/gprgnn_pageXXXXXX");
    return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_do_no_harm), cmocka_unit_test(test_needs_no_network),
        cmocka_unit_test(test_refused),          cmocka_unit_test(test_figures_of_a_page),
        cmocka_unit_test(test_run_page),         cmocka_unit_test(test_stays_small),
        cmocka_unit_test(test_turned_runs),      cmocka_unit_test(test_measures_of_a_page),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
