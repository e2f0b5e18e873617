/* search/grid.c, settings.c, search.c, search_files.c: the settings of a grid, rounds, the choice and its files. */
#include <math.h>

#include "failing_memory.h"
#include "last_warning.h"
#include "search/search.h"
#include "studies.h"

typedef gpr_search_options how; /* of a search */
#define HOW(...) ((how){.struct_size = sizeof(how), __VA_ARGS__})

static gpr_search *new_search(gpr_ctx *ctx, const gpr_dataset *data, const char *const *fixed, how options) {
    gpr_params *params = new_params(ctx, fixed);
    gpr_search *search;
    assert_ok(gpr_search_new(ctx, &search, data, params, &options));
    gpr_params_free(params);
    return search;
}

static gpr_setting_info info_of(const gpr_search *search, int64_t index) {
    gpr_setting_info info = {.struct_size = sizeof info};
    assert_ok(gpr_search_setting(search, index, &info));
    return info;
}

/* ---- settings ---- */

static int64_t settings_of(gpr_ctx *ctx, const gpr_dataset *data, const char *const *fixed, how options) {
    gpr_search *search = new_search(ctx, data, fixed, options);
    const int64_t count = gpr_search_count(search);
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < i; j++) assert_string_not_equal(search->settings[i].key, search->settings[j].key);
    gpr_search_free(search);
    return count;
}

static void grids(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 40, 4, 0.5);
    static const struct {
        const char *models, *grid;
        int64_t count;
    } cases[] = {
        {NULL, NULL, 24},       /* the small grid: gprgnn 12, mlp, gcn, sage 4 */
        {NULL, "paper", 126},   /* lr 3, weight decay 2, dprate 3, filters 4 + 3 */
        {"appnp", "paper", 24}, /* lr 3, weight decay 2, alpha 4 */
        {"mlp,sgc,gcn,sage,cheby,gat,jknet,geomgcn", "paper", 48},
        {"gprgnn, appnp", "lr=0.1,0.2 init=ppr,random", 6},
        {"gprgnn", "init=ppr,nppr,random alpha=0.1,0.2", 5},
        {"gprgnn", "init=random,delta:0 alpha=0.1,0.2", 2},
        {"gprgnn", "init=0.5,0.25,0.25;1,0,0;ppr K=2", 3},
        {"gprgnn,gprgnn", "lr=0.1,1e-1,0.10", 1},
        {"mlp", " lr = 0.1 ,0.2\t hidden= 4 , 8,16 ", 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(settings_of(ctx, data, NULL, HOW(.models = cases[i].models, .grid = cases[i].grid)),
                         cases[i].count);
    /* What is fixed is left out of the library's grids; a model that is set is the one. */
    assert_int_equal(settings_of(ctx, data, OPTIONS("lr", "0.1", "alpha", "0.2"), HOW(.grid = "paper")), 24);
    assert_int_equal(settings_of(ctx, data, OPTIONS("init", "random"), HOW(.grid = "paper")), 18);
    assert_int_equal(settings_of(ctx, data, OPTIONS("model", "sage"), HOW(.grid = NULL)), 4);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* The last hop is that of K, also where K is in the grid; options that are fixed are in every setting. */
static void values(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 40, 4, 0.5);
    gpr_search *search = new_search(ctx, data, OPTIONS("hidden", "5", "dropout", "0.25", "seed", "4"),
                                    HOW(.models = "gprgnn,sgc", .grid = "K=3,4 init=delta:K,random"));
    static const char *const expected[] = {
        "K=3 init=delta:3", "K=3 init=random", "K=4 init=delta:4", "K=4 init=random", "K=3", "K=4"};
    assert_int_equal(gpr_search_count(search), 6);
    for (int i = 0; i < 6; i++) {
        assert_string_equal(info_of(search, i).text, expected[i]);
        assert_string_equal(info_of(search, i).model, i < 4 ? "gprgnn" : "sgc");
        assert_string_equal(gpr_search_param(search, i, "seed"), "4");
        assert_true(isnan(info_of(search, i).val_accuracy) && isnan(info_of(search, i).test_accuracy));
    }
    assert_string_equal(gpr_search_param(search, 0, "hidden"), "5");
    assert_fails(gpr_search_setting(search, 6, &(gpr_setting_info){.struct_size = sizeof(gpr_setting_info)}),
                 GPR_ERROR_ARGUMENT, "has no setting 6");
    const char *json;
    assert_fails(gpr_search_json(search, &json), GPR_ERROR_ARGUMENT, "not finished");
    assert_fails(gpr_search_save(search, folder), GPR_ERROR_ARGUMENT, "not finished");
    gpr_search_free(search);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Uniform within the bounds: numbers as they are, rates by their logarithm. */
static void draws(void **state) {
    (void)state;
    enum { N = 400 };
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 40, 4, 0.5);
    gpr_search *search = new_search(
        ctx, data, NULL,
        HOW(.grid = "lr=0.0001..1 weight-decay=1e-6..0.01 dropout=0.2..0.8 hidden=3..6 init=ppr,random", .draws = N));
    int rates = 0, decays = 0, dropouts = 0, random = 0, hidden[7] = {0}, both = 0;
    assert_int_equal(gpr_search_count(search), N);
    for (int64_t i = 0; i < N; i++) {
        const double lr = atof(gpr_search_param(search, i, "lr")),
                     decay = atof(gpr_search_param(search, i, "weight-decay"));
        const double dropout = atof(gpr_search_param(search, i, "dropout"));
        const int width = atoi(gpr_search_param(search, i, "hidden"));
        assert_true(lr >= 0.0001 && lr <= 1 && decay >= 1e-6 && decay <= 0.01 && dropout >= 0.2 && dropout <= 0.8);
        assert_true(width >= 3 && width <= 6);
        rates += lr < 0.01;
        decays += decay < 1e-4;
        both += lr < 0.01 && decay < 1e-4;
        dropouts += dropout < 0.5;
        random += strcmp(gpr_search_param(search, i, "init"), "random") == 0;
        hidden[width]++;
    }
    print_message("of %d: %d %d %d %d, %d both; %d %d %d %d\n", N, rates, decays, dropouts, random, both, hidden[3],
                  hidden[4], hidden[5], hidden[6]);
    const int halves[] = {rates, decays, dropouts, random}; /* expected 200, standard deviation 10 */
    for (int i = 0; i < 4; i++) assert_in_range(halves[i], 160, 240);
    for (int i = 3; i <= 6; i++) assert_in_range(hidden[i], 65, 135); /* 100, 8.7: four standard deviations */
    assert_in_range(both, 65, 135);                                   /* they are independent */
    gpr_search *more = new_search(ctx, data, NULL, HOW(.grid = "lr=0.0001..1", .draws = 5));
    for (int64_t i = 0; i < 5; i++) /* a word has its own numbers, whatever else is drawn */
        assert_string_equal(gpr_search_param(more, i, "lr"), gpr_search_param(search, i, "lr"));
    gpr_search_free(more);
    gpr_search_free(search);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void wrong(void **state) {
    (void)state;
    static const struct {
        const char *models, *grid, *metric, *part;
        int64_t draws;
    } cases[] = {
        {NULL, "lrr=1", NULL, "grid: unknown option 'lrr': did you mean 'lr'?", 0},
        {NULL, "lr=0", NULL, "grid: lr is 0: it must be in (0, 1000]", 0},
        {NULL, "hidden=3.5", NULL, "it must be a whole number", 0},
        {NULL, "hidden=3..4.5", NULL, "it must be a whole number", 3},
        {NULL, "lr=0.1..", NULL, "lr is ''", 3},
        {NULL, "lr=0.1,0.2..0.3", NULL, "lr is '0.2..0.3'", 3},
        {NULL, "=3", NULL, "unknown option ''", 0},
        {NULL, "  ", NULL, "is not known", 0},
        {"mlp", "init=ppr", NULL, "the model of the search has no option 'init'", 0},
        {"mlp,gcn", "init=ppr", NULL, "none of the models of the search has the option 'init'", 0},
        {"mlp,gnc", NULL, NULL, "did you mean 'gcn'?", 0},
        {",", NULL, NULL, "`model` is empty", 0},
        {NULL, NULL, "f1", "it must be val_accuracy, val_loss, accuracy, balanced_accuracy", 0},
        {NULL, NULL, "test_loss", "as test nodes must not choose", 0},
        {NULL, NULL, NULL, "`draws` is -1", -1},
    };
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 40, 4, 0.5);
    gpr_params *params = new_params(ctx, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gpr_search *search = (gpr_search *)1;
        const how options =
            HOW(.models = cases[i].models, .grid = cases[i].grid, .metric = cases[i].metric, .draws = cases[i].draws);
        gpr_status status = gpr_search_new(ctx, &search, data, params, &options);
        if (status != GPR_ERROR_ARGUMENT && status != GPR_ERROR_NOT_FOUND) fail_msg("case %zu: %d", i, status);
        if (!strstr(gpr_last_error(), cases[i].part)) fail_msg("case %zu: %s", i, gpr_last_error());
        assert_null(search);
    }
    gpr_params_free(params);
    params = new_params(ctx, OPTIONS("split", "60/0/40"));
    gpr_search *none;
    assert_fails(gpr_search_new(ctx, &none, data, params, NULL), GPR_ERROR_ARGUMENT,
                 "`split` leaves no nodes for validation");
    assert_null(none);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- rounds ---- */

typedef struct {
    int64_t done, runs, finished, after;
} watch;

static int look(void *user, const gpr_study_progress *progress) {
    watch *w = user;
    assert_true(progress->done >= w->done && progress->done <= progress->runs);
    w->done = progress->done;
    w->runs = progress->runs;
    w->finished += progress->finished;
    return w->after && w->finished >= w->after;
}

static int64_t with_runs(const gpr_search *search, int64_t runs) {
    int64_t count = 0;
    for (int64_t i = 0; i < gpr_search_count(search); i++) count += info_of(search, i).runs == runs;
    return count;
}

static int stop_at_once(void *user, const gpr_study_progress *progress) {
    (void)user, (void)progress;
    return 1;
}

static void halving(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_csbm(ctx, 40, 4, 0.5);
    static const struct {
        const char *runs;
        int no_halving;
        int64_t trained, rounds[4][2]; /* in each round: how many have as many runs at the end */
    } cases[] = {
        {"10", 0, 126 * 2 + 42 * 2 + 14 * 6, {{84, 2}, {28, 4}, {14, 10}}},
        {"3", 0, 126 * 3, {{126, 3}}},
        {"4", 0, 126 * 2 + 42 * 2, {{84, 2}, {42, 4}}},
        {"2", 1, 126 * 2, {{126, 2}}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        gpr_study *study;
        watch w = {.after = 0};
        gpr_search *search =
            new_search(ctx, data, OPTIONS("epochs", "1", "hidden", "4", "K", "2", "runs", cases[c].runs),
                       HOW(.grid = "paper", .no_halving = cases[c].no_halving));
        assert_ok(gpr_study_open(ctx, &study, NULL));
        gpr_forecast_info said = {.struct_size = sizeof said};
        assert_ok(gpr_search_forecast(search, study, 2, NULL, NULL, &said));
        assert_true(said.settings == 126 && said.models == 1 && said.runs == cases[c].trained && said.kept == 0);
        assert_true(said.at_once == 2 && said.least_seconds > 0 && said.least_seconds <= said.most_seconds);
        assert_fails(gpr_search_forecast(search, study, 2, stop_at_once, NULL, &said), GPR_ERROR_STOPPED, "stopped");
        assert_ok(gpr_search_run(search, study, 2, look, &w));
        assert_true(w.finished == cases[c].trained && w.done == w.finished && w.runs == w.finished);
        for (int r = 0; r < 4; r++) assert_int_equal(with_runs(search, cases[c].rounds[r][1]), cases[c].rounds[r][0]);
        w = (watch){.after = 0};
        const char *json;
        assert_ok(gpr_search_json(search, &json));
        char *before = strdup(json);
        assert_ok(gpr_search_run(search, study, 1, look, &w)); /* again: nothing is trained, the same is chosen */
        assert_int_equal(w.finished, 0);
        assert_ok(gpr_search_forecast(search, study, 2, stop_at_once, NULL, &said)); /* nothing is left to time */
        assert_true(said.kept == said.runs && said.most_seconds == 0);
        assert_ok(gpr_search_json(search, &json));
        assert_string_equal(json, before);
        free(before);
        gpr_study_close(study);
        gpr_search_free(search);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- the choice ---- */

/* The order of the settings is that of their means, which are those of the study. */
static void choice(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_csbm(ctx, 150, 8, -0.5);
    static const char *const metrics[] = {"val_accuracy", "val_loss"};
    for (int m = 0; m < 2; m++) {
        gpr_study *study;
        gpr_search *search = new_search(ctx, data, OPTIONS("epochs", "20", "runs", "3"),
                                        HOW(.models = "mlp,gprgnn", .grid = "lr=0.001,0.01,0.1 hidden=4,16",
                                            .metric = metrics[m], .no_halving = 1));
        assert_ok(gpr_study_open(ctx, &study, NULL));
        assert_ok(gpr_search_run(search, study, 0, NULL, NULL));
        int best = 0;
        for (int64_t i = 0; i < 12; i++) {
            const gpr_setting_info info = info_of(search, i);
            double values[3], mean;
            assert_ok(gpr_study_values(study, search->settings[i].cell, metrics[m], values));
            mean = (values[0] + values[1] + values[2]) / 3;
            assert_true(fabs(mean - (m ? info.val_loss : info.val_accuracy)) < 1e-12);
            if (i > 0 && m) assert_true(info.val_loss >= info_of(search, i - 1).val_loss);
            if (i > 0 && !m) assert_true(info.val_accuracy <= info_of(search, i - 1).val_accuracy);
            if (i > 0 && !m && info.val_accuracy == info_of(search, i - 1).val_accuracy)
                assert_true(info.val_loss >= info_of(search, i - 1).val_loss);
            best += info.best;
            assert_int_equal(isnan(info.test_accuracy), !info.best);
            if (!info.best) continue;
            assert_ok(gpr_study_values(study, search->settings[i].cell, "test_accuracy", values));
            assert_true(fabs((values[0] + values[1] + values[2]) / 3 - info.test_accuracy) < 1e-12);
        }
        assert_int_equal(best, 2); /* one of each model */
        assert_true(info_of(search, 0).best);
        gpr_study_close(study);
        gpr_search_free(search);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Options without effect give the same numbers: the first of the grid is chosen. */
static void ties(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_csbm(ctx, 60, 5, 0.5);
    gpr_study *study;
    gpr_search *search =
        new_search(ctx, data, OPTIONS("epochs", "3", "runs", "4"), HOW(.grid = "patience=9,5,7,8,6,4,3,11,12,13"));
    static const char *const kept[] = {"patience=9", "patience=5", "patience=7", "patience=8"};
    assert_ok(gpr_study_open(ctx, &study, NULL));
    assert_ok(gpr_search_run(search, study, 2, NULL, NULL));
    for (int i = 0; i < 4; i++) {
        assert_string_equal(info_of(search, i).text, kept[i]);
        assert_int_equal(info_of(search, i).runs, 4);
    }
    assert_int_equal(with_runs(search, 2), 6);
    gpr_study_close(study);
    gpr_search_free(search);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Runs that were written by hand: what counts, in which order, and that test nodes have no say. */
static void decisions(void **state) {
    (void)state;
    static const struct {
        double val[2], loss[2], test; /* val below 0: the run diverged */
    } made[] = {
        {{90, -1}, {0.1, 0}, 99},    /* a run diverged: the last */
        {{50, 60}, {0.5, 0.5}, 98},  /* the same accuracy as the next, a higher loss */
        {{60, 50}, {0.4, 0.5}, 10},  /* the best */
        {{50, 59}, {0.1, 0.1}, 100}, /* a lower accuracy */
        {{60, 50}, {0.5, 0.4}, 97},  /* as the best, but later */
    };
    static const char *const expected[2][5] = {{"hidden=3", "hidden=5", "hidden=2", "hidden=4", "hidden=1"},
                                               {"hidden=4", "hidden=3", "hidden=5", "hidden=2", "hidden=1"}};
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 60, 5, 0.5);
    for (int by_loss = 0; by_loss < 2; by_loss++) {
        gpr_study *study;
        gpr_search *search =
            new_search(ctx, data, OPTIONS("runs", "2"),
                       HOW(.grid = "hidden=1,2,3,4,5", .metric = by_loss ? "val_loss" : "val_accuracy"));
        FILE *file = fopen(in_folder("made.jsonl"), "wb");
        for (int i = 0; i < 5; i++)
            for (int run = 0; run < 2; run++) {
                fprintf(file, "{\"key\":\"%s\",\"seed\":%d", search->settings[i].key, run + 1);
                if (made[i].val[run] < 0) fprintf(file, ",\"failure\":\"it diverged\"}\n");
                else
                    fprintf(file, ",\"val_accuracy\":%g,\"val_loss\":%g,\"test_accuracy\":%g}\n", made[i].val[run],
                            made[i].loss[run], made[i].test);
            }
        assert_int_equal(fclose(file), 0);
        assert_ok(gpr_study_open(ctx, &study, NULL));
        assert_ok(gpr_study_include(study, in_folder("made.jsonl")));
        assert_ok(gpr_search_run(search, study, 1, NULL, NULL));
        for (int i = 0; i < 5; i++) assert_string_equal(info_of(search, i).text, expected[by_loss][i]);
        assert_true(info_of(search, 0).test_accuracy == (by_loss ? 100 : 10));
        assert_int_equal(info_of(search, 4).failed, 1);
        gpr_study_close(study);
        gpr_search_free(search);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

#define HUGE_FILTER "init=3e38,3e38;2e38,3e38;3e38,2e38"

static void divergence(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    gpr_dataset *data = new_csbm(ctx, 300, 20, -0.5);
    gpr_study *study;
    const char *const fixed[] = {"K", "1", "lr", "100", "epochs", "50", "runs", "2", NULL};
    gpr_search *search = new_search(ctx, data, fixed, HOW(.grid = HUGE_FILTER ";random"));
    assert_ok(gpr_study_open(ctx, &study, NULL));
    assert_ok(gpr_search_run(search, study, 1, NULL, NULL));
    assert_string_equal(info_of(search, 0).text, "init=random");
    assert_int_equal(info_of(search, 1).failed, 2);
    gpr_search_free(search);
    search = new_search(ctx, data, fixed, HOW(.grid = HUGE_FILTER));
    assert_fails(gpr_search_run(search, study, 1, NULL, NULL), GPR_ERROR_NUMERIC, "all 3 settings diverged");
    gpr_search_free(search);
    warning[0] = 0;
    search = new_search(ctx, data, fixed, HOW(.models = "gprgnn,mlp", .grid = HUGE_FILTER));
    assert_ok(gpr_search_run(search, study, 1, NULL, NULL));
    assert_string_equal(warning, "all trainings of gprgnn diverged: it is left out");
    assert_string_equal(info_of(search, 0).model, "mlp");
    for (int64_t i = 1; i < 4; i++) assert_false(info_of(search, i).best);
    gpr_search_free(search);
    gpr_study_close(study);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- going on ---- */

static void stopped(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_csbm(ctx, 60, 5, 0.5);
    const char *const fixed[] = {"epochs", "3", "runs", "6", NULL};
    char *whole = NULL;
    const char *json;
    int stops = 0;
    for (int disturbed = 0; disturbed < 2; disturbed++) {
        gpr_status status = GPR_ERROR_STOPPED;
        while (status != GPR_OK) {
            gpr_study *study;
            watch w = {.after = disturbed ? 5 : 0};
            gpr_search *search = new_search(ctx, data, fixed, HOW(.grid = "lr=0.1,0.2,0.3,0.4 dprate=0,0.1,0.2"));
            assert_ok(gpr_study_open(ctx, &study, in_folder(disturbed ? "part" : "whole")));
            status = gpr_search_run(search, study, 2, look, &w);
            if (status != GPR_OK) assert_fails(status, GPR_ERROR_STOPPED, "stopped");
            stops += status != GPR_OK;
            if (status == GPR_OK) assert_ok(gpr_search_json(search, &json));
            if (status == GPR_OK && disturbed) assert_string_equal(json, whole);
            if (status == GPR_OK && !disturbed) whole = strdup(json);
            gpr_study_close(study);
            gpr_search_free(search);
        }
    }
    assert_true(stops >= 4);
    assert_same_runs(in_folder("whole"), in_folder("part"));
    free(whole);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- files ---- */

static void presets(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_csbm(ctx, 100, 8, 0.5);
    gpr_study *study;
    gpr_search *search = new_search(ctx, data, OPTIONS("epochs", "6", "runs", "2", "split", "50/20/30", "threads", "1"),
                                    HOW(.models = "gprgnn,sgc", .grid = "lr=0.01,0.1 init=random,ppr"));
    assert_ok(gpr_study_open(ctx, &study, NULL));
    assert_ok(gpr_search_run(search, study, 2, NULL, NULL));
    assert_ok(gpr_search_save(search, folder));
    for (int64_t i = 0; i < gpr_search_count(search); i++) {
        const gpr_setting_info info = info_of(search, i);
        char name[64];
        gpr_params *params;
        if (!info.best) continue;
        snprintf(name, sizeof name, "preset-%s.conf", info.model);
        assert_ok(gpr_params_new(ctx, &params));
        assert_ok(gpr_params_load_preset(params, in_folder(name)));
        static const char *const words[] = {"model", "lr", "epochs", "split", "init", "hidden", "weight-decay"};
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            assert_string_equal(gpr_params_get(params, words[w]), gpr_search_param(search, i, words[w]));
        assert_string_equal(gpr_params_source(params, "split"), "preset");
        assert_string_equal(gpr_params_source(params, "runs"), "default");
        assert_string_equal(gpr_params_source(params, "threads"), "default");
        assert_ok(gpr_params_set(params, "runs", "2"));
        training t = {.status = GPR_OK};
        double mean;
        assert_ok(gpr_train(ctx, &t.model, &t.result, data, params));
        assert_ok(gpr_result_mean(t.result, "test_accuracy", &mean, NULL, NULL));
        assert_true(mean == info.test_accuracy);
        training_free(&t);
        gpr_params_free(params);
    }
    /* Saved again: the same bytes. A file of somebody else: nothing is written. */
    char *before = get_file(in_folder("search.json"), NULL);
    assert_ok(gpr_search_save(search, folder));
    char *after = get_file(in_folder("search.json"), NULL);
    assert_string_equal(before, after);
    put_file(in_folder("preset-sgc.conf"), "lr = 3\n", 7);
    unlink(in_folder("search.json"));
    assert_fails(gpr_search_save(search, folder), GPR_ERROR_MISMATCH, "preset-sgc.conf is there already");
    assert_fails(gpr_search_check_dir(search, folder), GPR_ERROR_MISMATCH, "was not written by a search");
    assert_int_equal(access(in_folder("search.json"), F_OK), -1);
    assert_int_equal(count_lines(in_folder("preset-sgc.conf")), 1);
    free(before);
    free(after);
    gpr_study_close(study);
    gpr_search_free(search);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- memory ---- */

static gpr_status use_search(gpr_ctx *ctx, void *data) {
    gpr_study *study = NULL;
    gpr_search *search = NULL;
    gpr_params *params = NULL;
    const char *text;
    const how options = HOW(.models = "gprgnn,mlp", .grid = "lr=0.1,0.2 init=delta:K,random,ppr alpha=0.1");
    gpr_status status = gpr_params_new(ctx, &params);
    if (status == GPR_OK) status = gpr_params_set(params, "epochs", "1");
    if (status == GPR_OK) status = gpr_params_set(params, "runs", "1");
    if (status == GPR_OK) status = gpr_study_open(ctx, &study, NULL);
    if (status == GPR_OK) status = gpr_search_new(ctx, &search, data, params, &options);
    if (status == GPR_OK) status = gpr_search_run(search, study, 1, NULL, NULL);
    if (status == GPR_OK) status = gpr_search_json(search, &text);
    if (status == GPR_OK) status = gpr_search_preset(search, 0, &text);
    if (status == GPR_OK) status = gpr_search_save(search, folder);
    gpr_search_free(search);
    gpr_study_close(study);
    gpr_params_free(params);
    return status;
}

static void memory(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 30, 3, 0.5);
    fail_every_allocation(use_search, data);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- the candidates of auto, and a budget ---- */

static bool has_key(const gpr_search *search, const char *key) {
    for (int64_t i = 0; i < search->count; i++)
        if (strcmp(search->settings[i].key, key) == 0) return true;
    return false;
}

/* Each candidate is there as a training tries it, under its name; what was fixed is the same for all. */
static void candidates(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 60, 4, 0.5);
    gpr_search *search = new_search(ctx, data, OPTIONS("candidates", "gprgnn,gprgnn-sharp,sage", "hidden", "8"),
                                    HOW(.models = "auto", .grid = "lr=0.01,0.02"));
    assert_int_equal(search->model_count, 3);
    assert_int_equal(search->count, 2 + 3 + 2); /* lr is 0.01 as it is, but sharp's is 0.05 */
    int64_t sharp = 0;
    for (int64_t i = 0; i < search->count; i++) {
        assert_string_equal(gpr_search_param(search, i, "hidden"), "8");
        const bool is_sharp = strncmp(info_of(search, i).text, "gprgnn-sharp", 12) == 0;
        sharp += is_sharp;
        if (is_sharp) assert_string_equal(gpr_search_param(search, i, "basis"), "chebyshev");
        assert_string_equal(info_of(search, i).model, strncmp(info_of(search, i).text, "sage", 4) ? "gprgnn" : "sage");
    }
    assert_int_equal(sharp, 3);
    gpr_search_free(search);
    gpr_params *params = new_params(ctx, NULL);
    assert_fails(gpr_search_new(ctx, &search, data, params, &HOW(.models = "auto,gcn")), GPR_ERROR_ARGUMENT,
                 "give it alone");
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* A larger budget tries all that a smaller one tries, and more; none costs more than it has. */
static void budgets(void **state) {
    (void)state;
    static const char *const texts[] = {"1s", "4s", "30s", "2h"};
    gpr_ctx *ctx = warning_ctx();
    gpr_dataset *data = new_csbm(ctx, 400, 20, 0.5);
    gpr_search *before = NULL, *all = new_search(ctx, data, NULL, HOW(.models = "gprgnn,mlp,gcn"));
    const int64_t count = all->count;
    for (int i = 0; i < 4; i++) {
        warning[0] = 0;
        gpr_search *now = new_search(ctx, data, OPTIONS("budget", texts[i]), HOW(.models = "gprgnn,mlp,gcn"));
        assert_int_equal(now->count + now->left_out, count);
        if (now->planned > now->budget) assert_non_null(strstr(warning, "the least that can be searched"));
        else assert_string_equal(warning, "");
        for (int64_t k = 0; before && k < before->count; k++) assert_true(has_key(now, before->settings[k].key));
        if (before) assert_true(now->count >= before->count && now->planned >= before->planned);
        for (int64_t k = 0; k < now->count; k++) assert_true(has_key(all, now->settings[k].key));
        gpr_search_free(before);
        before = now;
    }
    assert_int_equal(before->left_out, 0);
    assert_true(before->planned == before->whole);
    gpr_search_free(before);
    gpr_search *few = new_search(ctx, data, OPTIONS("budget", "1s"), HOW(.models = "gprgnn,mlp,gcn"));
    assert_true(few->left_out > 0 && few->count >= 1);
    gpr_search_free(few), gpr_search_free(all);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        STUDY_TEST(grids),   STUDY_TEST(values), STUDY_TEST(draws),      STUDY_TEST(wrong),      STUDY_TEST(halving),
        STUDY_TEST(choice),  STUDY_TEST(ties),   STUDY_TEST(decisions),  STUDY_TEST(divergence), STUDY_TEST(stopped),
        STUDY_TEST(presets), STUDY_TEST(memory), STUDY_TEST(candidates), STUDY_TEST(budgets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
