/* Two processes, as threads, that train on shards: with every value of every option they have the bits of one process,
 * and what process 0 keeps of all nodes is what one process finds. Where the options say that own rows are enough, no
 * process opens the rows of the other: whoever looked at them would crash here. */
#include "mapped_files.h"
#include "thread_group.h"

#include "train/processes/processes.h"

enum { PROCESSES = 2, MOST_OPTIONS = 16 };

typedef struct {
    member self; /* first */
    const char *path;
    const char *const *options[2]; /* of trainings one after the other; the second may be NULL */
    gpr_ctx *ctx;
    gpr_dataset *data;
    training done;
    bool whole; /* all rows are open in the end */
    bool asks;  /* for measures of the data, while it trains */
    gpr_status answer;
    char said[1024];
} actor;

static int keep_nothing(void *user, const gpr_save_info *info) { return (void)user, (void)info, 0; }

static int ask(void *user, const gpr_progress *progress) {
    actor *me = user;
    gpr_dataset_info info = {.struct_size = sizeof info};
    (void)progress;
    if (me->asks) me->answer = gpr_dataset_describe(me->ctx, me->data, &info);
    if (me->answer != GPR_OK) snprintf(me->said, sizeof me->said, "%s", gpr_last_error());
    me->asks = false;
    return 0;
}

static void *act(void *arg) {
    actor *me = arg;
    const gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .progress = ask, .user = me};
    const gpr_train_options how = {.struct_size = sizeof how, .save = keep_nothing, .save_every = 1e9};
    assert_ok(gpr_ctx_new(&me->ctx, &options));
    assert_ok(gpr_dataset_open(me->ctx, &me->data, me->path, NULL));
    me->ctx->job.group = &me->self.group;
    me->ctx->job.close_group = me->self.group.close;
    for (int i = 0; i < 2 && me->options[i]; i++) {
        gpr_params *params = new_params(me->ctx, me->options[i]);
        training_free(&me->done);
        me->done.status = gpr_train_with(me->ctx, &me->done.model, &me->done.result, me->data, params, &how);
        gpr_params_free(params);
        if (me->done.status < 0) snprintf(me->said, sizeof me->said, "%s", gpr_last_error());
    }
    me->whole = me->data->backing.whole(me->data->backing.file);
    (void)gpr_ctx_leave(me->ctx, false);
    me->ctx->job.group = NULL; /* the rest is looked at without the others */
    me->ctx->job.close_group = NULL;
    return NULL;
}

static void play(actor *actors, const char *path, const char *const *first, const char *const *second, bool asks) {
    world all;
    pthread_t threads[PROCESSES];
    begin_world(&all, PROCESSES);
    for (int64_t p = 0; p < PROCESSES; p++) {
        actors[p] = (actor){.path = path, .options = {first, second}, .asks = asks};
        join_world(&all, &actors[p].self, p, GPRI_SPREAD_ROWS);
        assert_int_equal(pthread_create(&threads[p], NULL, act, &actors[p]), 0);
    }
    for (int64_t p = 0; p < PROCESSES; p++) assert_int_equal(pthread_join(threads[p], NULL), 0);
    if (all.astray) fail_msg("not all processes came to '%s' together", all.astray);
    end_world(&all);
}

static void clear(actor *actors) {
    for (int64_t p = 0; p < PROCESSES; p++) {
        training_free(&actors[p].done);
        gpr_dataset_free(actors[p].data);
        gpr_ctx_free(actors[p].ctx);
    }
}

/* ---- what process 0 keeps of all nodes ---- */

static void check_info(const gpr_dataset_info *a, const gpr_dataset_info *b) {
    gpr_dataset_info x, y; /* without the addresses of names, and with the same bits in gaps */
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    x.name = y.name = NULL;
    assert_memory_equal(&x, &y, sizeof x);
}

static void check_about(gpr_ctx *ctx, const gpr_dataset *data, const training *one, const training *many) {
    const gpri_gathered *gathered = many->result->gathered;
    const int64_t nodes = data->graph.nodes;
    gpr_dataset_info info;
    memset(&info, 0, sizeof info);
    info.struct_size = sizeof info;
    assert_non_null(gathered);
    assert_ok(gpr_dataset_describe(ctx, data, &info));
    check_info(&gathered->info, &info);
    uint8_t *kinds = malloc((size_t)nodes);
    gpri_homophily_kinds(kinds, &data->graph, data->target.labels, (gpri_range){0, nodes});
    assert_memory_equal(gathered->kinds, kinds, (size_t)nodes);
    free(kinds);
    if (gathered->column) assert_memory_equal(gathered->column, data->graph.column, (size_t)data->graph.arcs * 4);
    if (gathered->weight) assert_memory_equal(gathered->weight, data->graph.weight, (size_t)data->graph.arcs * 4);
    const gpri_outcome *outcome = &many->result->outcome;
    if (!outcome->classes || many->result->refit_nodes > 0) return;
    int32_t *classes = malloc((size_t)nodes * sizeof *classes);
    float *proba = malloc((size_t)(nodes * data->target.classes) * sizeof *proba);
    assert_ok(gpr_predict(ctx, one->model, data, classes, proba));
    assert_memory_equal(outcome->classes, classes, (size_t)nodes * sizeof *classes);
    assert_memory_equal(outcome->proba, proba, (size_t)(nodes * data->target.classes) * sizeof *proba);
    free(classes);
    free(proba);
}

/* ---- all options ---- */

typedef struct {
    raw_fixture *f;
    gpr_dataset *data; /* in one file */
    char path[300];    /* its shards */
    int64_t tried, enough;
} bench;

/* One option beside those of a small training. */
static void try_option(bench *b, const char *word, const char *value) {
    const char *options[MOST_OPTIONS] = {"epochs", "2", "hidden", "6", word, value};
    actor actors[PROCESSES];
    if (strcmp(word, "model") == 0) (void)options_for(options, value, OPTIONS("epochs", "2", "hidden", "6"));
    gpr_params *params = new_params(b->f->ctx, options);
    const bool shares = gpri_model_shares(params), single = gpri_filter_is_single(params),
               sparse_columns = !b->data->features.dense && strcmp(value, "column") == 0;
    const bool enough = gpri_processes_own_rows_do(params) && !sparse_columns;
    gpr_params_free(params);
    if (!shares && single) return; /* its rows are not dealt out */
    const bool chooses =
        strcmp(word, "model") == 0 && strcmp(value, "auto") == 0; /* among those that can be dealt out */
    training one = try_training(b->f->ctx, b->data,
                                !chooses ? options
                                         : OPTIONS("epochs", "2", "hidden", "6", word, value, "candidates",
                                                   "gprgnn-labels,gprgnn-counts,gprgnn,sage"));
    play(actors, b->path, options, NULL, false);
    for (int64_t p = 0; p < PROCESSES; p++) {
        const actor *other = &actors[p];
        /* a process of several has no copy to reorder, and only one matrix with one gamma is dealt out */
        if ((strcmp(word, "reorder") == 0 && !enough) || !single) {
            assert_int_equal(other->done.status, GPR_ERROR_ARGUMENT);
            assert_non_null(strstr(other->said, single ? "reorder" : "cannot be distributed"));
            continue;
        }
        if (other->done.status != one.status)
            fail_msg("%s %s, process %lld: %s, not %s: %s", word, value, (long long)p,
                     gpr_status_name(other->done.status), gpr_status_name(one.status), other->said);
        if (enough ? other->whole : !other->whole && one.status >= 0)
            fail_msg("%s %s, process %lld has opened %s rows", word, value, (long long)p, enough ? "all" : "its own");
        if (one.status >= 0) assert_same_model(value, one.model, other->done.model);
        if (chooses) assert_int_equal(other->done.result->choice.count, one.result->choice.count);
    }
    if (one.status >= 0 && actors[0].done.status >= 0) check_about(b->f->ctx, b->data, &one, &actors[0].done);
    b->tried++;
    b->enough += enough;
    clear(actors);
    training_free(&one);
}

/* Every word of every choice; and values of other options, which no table lists. */
static void try_all(bench *b) {
    static const char *const others[][2] = {{"K", "0"},
                                            {"K", "3"},
                                            {"init", "random"},
                                            {"init", "nppr"},
                                            {"alpha", "0.3"},
                                            {"dropout", "0"},
                                            {"dprate", "0"},
                                            {"lr", "1000"},
                                            {"weight-decay", "0"},
                                            {"patience", "1"},
                                            {"seed", "7"},
                                            {"runs", "2"},
                                            {"split", "sparse"},
                                            {"class-weight", "balanced"},
                                            {"reorder", "rcm"},
                                            {"batch", "20"},
                                            {"label-share", "0.3"}};
    for (int i = 0; i < gpr_param_count(); i++) {
        gpr_param_info info = {.struct_size = sizeof info};
        char word[32];
        assert_ok(gpr_param_describe(i, &info));
        if (strcmp(info.type, "choice") != 0 || strcmp(info.name, "device") == 0) continue;
        for (const char *at = info.range; *at; at += strcspn(at, "|"), at += *at == '|') {
            snprintf(word, sizeof word, "%.*s", (int)strcspn(at, "|"), at);
            try_option(b, info.name, word);
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) try_option(b, others[i][0], others[i][1]);
}

static void make_bench(bench *b, raw_fixture *f, gpr_dataset *data) {
    gpr_convert_options options = {.struct_size = sizeof options, .shards = PROCESSES};
    char source[300];
    *b = (bench){.f = f, .data = data};
    snprintf(source, sizeof source, "%s", raw_path(f, "whole.gpr"));
    snprintf(b->path, sizeof b->path, "%s", raw_path(f, "cut.gpr"));
    assert_ok(gpr_dataset_save(f->ctx, data, source));
    const gpr_open_options in = {.struct_size = sizeof in, .data = source};
    assert_ok(gpr_convert(f->ctx, NULL, &in, b->path, &options));
}

static void options_on_numbers(void **state) {
    bench b;
    make_bench(&b, *state, new_csbm(((raw_fixture *)*state)->ctx, 1100, 16, 0.4));
    try_all(&b);
    assert_true(b.enough > 30 && b.tried > b.enough);
    gpr_dataset_free(b.data);
}

/* Sparse features; the options that look at features. */
static void options_on_words(void **state) {
    static const char *const rules[] = {"auto", "row", "none", "column"};
    bench b;
    make_bench(&b, *state, new_words(((raw_fixture *)*state)->ctx, 3000, 60, 3));
    for (int i = 0; i < 4; i++) try_option(&b, "normalize", rules[i]);
    try_option(&b, "lr", "1000");
    gpr_dataset_free(b.data);
}

/* Features that are no published ones: what is done to them, all rows tell, of which each process sees its own. The
   rows of the first look like words, those of the last like numbers. */
static void chosen_by_all_rows(void **state) {
    raw_fixture *f = *state;
    static const char *const options[] = {"epochs",       "2",  "hidden", "6",  "label-input", "no",
                                          "label-counts", "no", "smooth", "no", NULL};
    for (int numbers = 0; numbers < 2; numbers++) {
        bench b;
        actor actors[PROCESSES];
        gpr_dataset *data = new_csbm(f->ctx, 1100, 60, 0.4);
        gpri_feature_matrix *x = &data->features;
        x->nnz = 0;
        for (int64_t i = 0; i < x->rows; i++)
            for (int64_t j = 0; j < x->cols; j++) {
                float *at = &x->dense[i * x->cols + j];
                *at = *at > (numbers && i >= x->rows / 3 ? -9 : 0.1F) ? fabsf(*at) : 0;
                if (numbers && j % 4 == 0) *at = expf(5 * *at); /* skewed */
                x->nnz += *at != 0;
            }
        data->phi = NAN;
        make_bench(&b, f, data);
        training one = train(f->ctx, b.data, options);
        assert_int_equal(one.model->scaling.cols, numbers ? 60 : 0);
        assert_int_equal(one.model->normalize, !numbers);
        assert_int_equal(one.model->scaling.curves.first != NULL, numbers);
        play(actors, b.path, options, NULL, false);
        for (int64_t p = 0; p < PROCESSES; p++) {
            if (actors[p].done.status < 0) fail_msg("process %lld: %s", (long long)p, actors[p].said);
            assert_false(actors[p].whole);
            assert_same_model("by all rows", one.model, actors[p].done.model);
        }
        clear(actors);
        training_free(&one);
        gpr_dataset_free(b.data);
    }
}

/* ---- what needs all rows ---- */

static void known_to_need_all(void **state) {
    raw_fixture *f = *state;
    static const char *const needs[][2] = {{"smooth", "yes"},         {"label-input", "yes"}, {"label-counts", "yes"},
                                           {"order", "filter-first"}, {"batch", "9"},         {"reorder", "metis:4"}};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        gpr_params *params = new_params(f->ctx, OPTIONS(needs[i][0], needs[i][1]));
        if (gpri_processes_own_rows_do(params)) fail_msg("%s %s needs all rows", needs[i][0], needs[i][1]);
        gpr_params_free(params);
    }
}

/* A second training on the same data needs more than the first. */
static void one_after_the_other(void **state) {
    bench b;
    actor actors[PROCESSES];
    make_bench(&b, *state, new_csbm(((raw_fixture *)*state)->ctx, 1100, 16, 0.4));
    const char *const own[] = {"epochs", "2", NULL}, *const every[] = {"epochs", "2", "smooth", "yes", NULL};
    for (int k = 0; k < 2; k++) {
        training one = train(b.f->ctx, b.data, k ? every : own);
        play(actors, b.path, own, k ? every : own, false);
        for (int64_t p = 0; p < PROCESSES; p++) {
            if (actors[p].done.status < 0) fail_msg("process %lld: %s", (long long)p, actors[p].said);
            assert_int_equal(actors[p].whole, k);
            assert_same_model("again", one.model, actors[p].done.model);
        }
        clear(actors);
        training_free(&one);
    }
    gpr_dataset_free(b.data);
}

/* A feature that is too large, in the rows of the second process: both name it, as one process does. */
static void names_the_cause(void **state) {
    raw_fixture *f = *state;
    for (int kind = 0; kind < 2; kind++) {
        bench b;
        actor actors[PROCESSES];
        char said[1024];
        gpr_dataset *data = kind ? new_words(f->ctx, 3000, 60, 3) : new_csbm(f->ctx, 1500, 20, 0.4);
        gpri_feature_matrix *x = &data->features;
        *(x->dense ? &x->dense[1200 * x->cols + 7] : &x->value[x->rowptr[2500]]) = 3e38f;
        make_bench(&b, f, data);
        const char *const options[] = {"epochs", "2", "normalize", "none", NULL};
        training one = try_training(f->ctx, b.data, options);
        snprintf(said, sizeof said, "%s", gpr_last_error());
        assert_int_equal(one.status, GPR_ERROR_NUMERIC);
        assert_non_null(strstr(said, kind ? "of node 2500 is 3e+38" : "feature 7 of node 1200 is 3e+38"));
        play(actors, b.path, options, NULL, false);
        for (int64_t p = 0; p < PROCESSES; p++) {
            assert_int_equal(actors[p].done.status, GPR_ERROR_NUMERIC);
            assert_string_equal(actors[p].said, said);
        }
        clear(actors);
        gpr_dataset_free(b.data);
    }
}

/* A public function that looks at all rows while they are dealt out. */
static void asked_meanwhile(void **state) {
    bench b;
    actor actors[PROCESSES];
    make_bench(&b, *state, new_csbm(((raw_fixture *)*state)->ctx, 1100, 16, 0.4));
    play(actors, b.path, OPTIONS("epochs", "2"), NULL, true);
    for (int64_t p = 0; p < PROCESSES; p++) {
        assert_ok(actors[p].done.status);
        assert_int_equal(actors[p].answer, GPR_ERROR_ARGUMENT);
        assert_non_null(strstr(actors[p].said, "this process has opened those of its own rows"));
    }
    clear(actors);
    gpr_dataset_free(b.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {MAPPED_TEST(options_on_numbers), MAPPED_TEST(options_on_words),
                                       MAPPED_TEST(known_to_need_all),  MAPPED_TEST(one_after_the_other),
                                       MAPPED_TEST(asked_meanwhile),    MAPPED_TEST(names_the_cause),
                                       MAPPED_TEST(chosen_by_all_rows)};
    return cmocka_run_group_tests_name("shards_together", tests, NULL, NULL);
}
