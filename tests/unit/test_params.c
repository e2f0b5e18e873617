/* base/params.c: the table of options, their values and defaults, and which source wins; and io/data_options.c. */
#include <unistd.h>

#include "base/params.h"
#include "few_blocks.h"
#include "io/data_options.h"
#include "support.h"

/* The fixture: a context whose allocations can be made to fail, and a set of parameters. */
typedef struct {
    gpr_ctx *ctx;
    gpr_params *params;
    char config[64];
} fixture;

static int setup(void **state) {
    fixture *f = calloc(1, sizeof *f);
    gpr_ctx_options options = {
        .struct_size = sizeof options, .threads = 1, .allocator = {few_resize, few_release, NULL}};
    blocks_left = 1 << 30;
    assert_non_null(f);
    assert_ok(gpr_ctx_new(&f->ctx, &options));
    assert_ok(gpr_params_new(f->ctx, &f->params));
    strcpy(f->config, "/tmp/gprgnn-config-XXXXXX");
    int fd = mkstemp(f->config);
    assert_true(fd >= 0);
    close(fd);
    *state = f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    unlink(f->config);
    gpr_params_free(f->params);
    gpr_ctx_free(f->ctx);
    free(f);
    return 0;
}

static void write_config(const fixture *f, const char *text, size_t size) {
    FILE *file = fopen(f->config, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static gpr_status load(const fixture *f, const char *text) {
    write_config(f, text, strlen(text));
    return gpr_params_load(f->params, f->config);
}

#define assert_value(f, word, value, source)                               \
    do {                                                                   \
        assert_string_equal(gpr_params_get((f)->params, word), value);     \
        assert_string_equal(gpr_params_source((f)->params, word), source); \
    } while (0)

/* Every row is complete, and its default is a valid value of its own type. */
static void table_is_sound(void **state) {
    fixture *f = *state;
    assert_true(gpr_param_count() > 10);
    for (int i = 0; i < gpr_param_count(); i++) {
        gpr_param_info info = {.struct_size = sizeof info};
        assert_ok(gpr_param_describe(i, &info));
        assert_true(info.name[0] && info.range[0] && info.models[0] && info.help[0]);
        assert_true(strcmp(info.type, "int") == 0 || strcmp(info.type, "real") == 0 ||
                    strcmp(info.type, "choice") == 0 || strcmp(info.type, "text") == 0);
        assert_true(strcmp(info.group, "model") == 0 || strcmp(info.group, "training") == 0 ||
                    strcmp(info.group, "data") == 0 || strcmp(info.group, "run") == 0);
        assert_value(f, info.name, info.fallback, "default");
        assert_ok(gpr_params_set(f->params, info.name, info.fallback));
        assert_value(f, info.name, info.fallback, "flag");
        for (int j = 0; j < i; j++) {
            gpr_param_info other = {.struct_size = sizeof other};
            assert_ok(gpr_param_describe(j, &other));
            assert_string_not_equal(info.name, other.name);
        }
    }
}

static void describe_checks(void **state) {
    (void)state;
    gpr_param_info info = {.struct_size = sizeof info};
    assert_fails(gpr_param_describe(-1, &info), GPR_ERROR_ARGUMENT, "-1");
    assert_fails(gpr_param_describe(gpr_param_count(), &info), GPR_ERROR_ARGUMENT, "index");
    assert_fails(gpr_param_describe(0, NULL), GPR_ERROR_ARGUMENT, "struct_size");
    info.struct_size = 3;
    assert_fails(gpr_param_describe(0, &info), GPR_ERROR_ARGUMENT, "struct_size");
}

static void sets_typed_values(void **state) {
    fixture *f = *state;
    assert_int_equal(gpri_params_int(f->params, GPRI_PARAM_HIDDEN), 64);
    assert_true(gpri_params_real(f->params, GPRI_PARAM_LR) == 0.01);
    assert_ok(gpr_params_set(f->params, "hidden", "128"));
    assert_int_equal(gpri_params_int(f->params, GPRI_PARAM_HIDDEN), 128);
    assert_ok(gpr_params_set(f->params, "lr", "5e-3"));
    assert_true(gpri_params_real(f->params, GPRI_PARAM_LR) == 5e-3);
    assert_string_equal(gpr_params_get(f->params, "lr"), "5e-3");
    assert_ok(gpr_params_set(f->params, "stopping", "none"));
    assert_string_equal(gpri_params_text(f->params, GPRI_PARAM_STOPPING), "none");
    assert_ok(gpr_params_set(f->params, "init", "0.1,0.2"));
    assert_string_equal(gpri_params_text(f->params, GPRI_PARAM_INIT), "0.1,0.2");
    assert_ok(gpr_params_set(f->params, "seed", "9000000000000000000"));
    assert_int_equal(gpri_params_int(f->params, GPRI_PARAM_SEED), 9000000000000000000);
    assert_string_equal(gpri_param_word(GPRI_PARAM_WEIGHT_DECAY), "weight-decay");
}

/* A word is a value, whatever number comes after it; anything else that an option takes is none. */
static void values(void **state) {
    fixture *f = *state;
    assert_true(gpri_params_is(f->params, GPRI_STOPPING_PROGRAM) && gpri_params_is(f->params, GPRI_MODEL_GPRGNN));
    assert_ok(gpr_params_set(f->params, "stopping", "none"));
    assert_true(gpri_params_is(f->params, GPRI_STOPPING_NONE) && !gpri_params_is(f->params, GPRI_STOPPING_PROGRAM));
    assert_ok(gpr_params_set(f->params, "device", "cuda:1"));
    assert_true(gpri_params_is(f->params, GPRI_DEVICE_CUDA));
    assert_int_equal(gpri_params_value(f->params, GPRI_PARAM_CLASS_WEIGHT), GPRI_CLASS_WEIGHT_NONE);
    assert_ok(gpr_params_set(f->params, "class-weight", "weights.csv"));
    assert_int_equal(gpri_params_value(f->params, GPRI_PARAM_CLASS_WEIGHT), GPRI_OTHER);
    assert_int_equal(gpri_params_value(f->params, GPRI_PARAM_HIDDEN), GPRI_OTHER);
    gpr_params *copy;
    assert_ok(gpri_params_copy(f->ctx, &copy, f->params));
    assert_true(gpri_params_is(copy, GPRI_STOPPING_NONE));
    gpr_params_free(copy);
    for (int i = 0; i < GPRI_VALUE_COUNT; i++) {
        const gpri_param option = gpri_value_param((gpri_value)i);
        const char *at = gpri_param_row_of(option)->range;
        for (int k = 0; k < i; k++)
            if (gpri_value_param((gpri_value)k) == option) assert_non_null(at = strchr(at, '|')), at++;
        if (gpri_param_row_of(option)->type != GPRI_TYPE_CHOICE) continue; /* its words have other parts between them */
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, "|["), at);
        assert_int_equal(gpri_value_of(option, word), i);
    }
}

/* What is written down at its default, and where a process needs the rows of others. */
static void properties(void **state) {
    fixture *f = *state;
    assert_true(gpri_params_left_out(f->params, GPRI_PARAM_BATCH) &&
                !gpri_params_left_out(f->params, GPRI_PARAM_REFIT));
    assert_true(gpri_params_own_rows_do(f->params, GPRI_PARAM_REORDER));
    assert_ok(gpr_params_set(f->params, "reorder", "auto"));
    assert_true(gpri_params_own_rows_do(f->params, GPRI_PARAM_REORDER));
    assert_false(gpri_params_left_out(f->params, GPRI_PARAM_REORDER));
    assert_ok(gpr_params_set(f->params, "reorder", "rcm"));
    assert_ok(gpr_params_set(f->params, "batch", "7"));
    assert_ok(gpr_params_set(f->params, "hidden", "7"));
    assert_false(gpri_params_own_rows_do(f->params, GPRI_PARAM_REORDER));
    assert_false(gpri_params_own_rows_do(f->params, GPRI_PARAM_BATCH));
    assert_true(gpri_params_own_rows_do(f->params, GPRI_PARAM_HIDDEN));
    assert_true(gpri_param_is_identity(GPRI_PARAM_SPLIT) && !gpri_param_is_identity(GPRI_PARAM_SEED));
    assert_true(gpri_param_is_way(GPRI_PARAM_DEVICE) && !gpri_param_is_way(GPRI_PARAM_RUNS));
    for (int i = 0; i < GPRI_PARAM_COUNT; i++)
        assert_true(gpri_param_row_of((gpri_param)i)->effect != GPRI_EFFECT_LOG ||
                    gpri_param_row_of((gpri_param)i)->type == GPRI_TYPE_REAL);
}

/* A row sets its field, and every field that a row names is of its type. */
static void data_options(void **state) {
    (void)state;
    gpr_open_options options = {.struct_size = sizeof options};
    gpr_param_info info = {.struct_size = sizeof info};
    assert_int_equal(gpr_data_option_count(), GPRI_DATA_ROWS);
    for (int i = 0; i < gpr_data_option_count(); i++) {
        const gpri_data_row *row = gpri_data_row_at(i);
        const char *value = row->type == GPRI_DATA_COUNT || row->type == GPRI_DATA_SIZE ? "3" : "yes";
        assert_ok(gpr_data_option_describe(i, &info));
        assert_string_equal(info.name, row->word);
        assert_true(info.help && *info.help && info.range && !strcmp(info.group, "data"));
        assert_true((info.value == NULL) == (row->type == GPRI_DATA_FLAG));
        assert_true(row->kept == GPRI_KEPT_NO || row->type == GPRI_DATA_TEXT);
        if (row->type == GPRI_DATA_FACTOR) {
            assert_fails(gpr_open_options_set(&options, info.name, "2"), GPR_ERROR_ARGUMENT, "edge_weights");
            continue;
        }
        assert_ok(gpr_open_options_set(&options, info.name, value));
        if (row->type == GPRI_DATA_TEXT) assert_ptr_equal(*gpri_data_text(&options, row), value);
        assert_memory_not_equal((char *)&options + row->at, (char[8]){0}, row->end - row->at);
        assert_ok(gpr_open_options_set(&options, info.name, NULL));
        assert_memory_equal((char *)&options + row->at, (char[8]){0}, row->end - row->at);
    }
    assert_fails(gpr_data_option_describe(-1, &info), GPR_ERROR_ARGUMENT, "index");
    assert_fails(gpr_data_option_describe(GPRI_DATA_ROWS, &info), GPR_ERROR_ARGUMENT, "index");
}

static void sets_data_options(void **state) {
    (void)state;
    gpr_open_options options = {.struct_size = sizeof options};
    static const struct {
        const char *text;
        int64_t bytes;
    } sizes[] = {{"7", 7}, {"512M", 512 << 20}, {"2k", 2048}, {"1GiB", 1 << 30}, {"3B", 3}, {"1Kb", 1024}, {"0", 1}};
    static const char *const wrong[] = {"",   "M",  "5x", "5 M",      "-1",
                                        "+1", "5b", "5i", "9999999T", "99999999999999999999"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_ok(gpr_open_options_set(&options, "memory", sizes[i].text));
        assert_int_equal(options.memory, sizes[i].bytes);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(gpr_open_options_set(&options, "memory", wrong[i]), GPR_ERROR_ARGUMENT, "512M");
    assert_ok(gpr_open_options_set(&options, "split_column", "part"));
    assert_string_equal(options.split_column, "part");
    assert_ok(gpr_open_options_set(&options, "data", "cora"));
    assert_string_equal(options.data, "cora");
    assert_ok(gpr_open_options_set(&options, "no-map", "no"));
    assert_int_equal(options.no_map, 0);
    assert_fails(gpr_open_options_set(&options, "max-values", "0"), GPR_ERROR_ARGUMENT, "above 0");
    assert_fails(gpr_open_options_set(&options, "lable", "y"), GPR_ERROR_ARGUMENT, "did you mean 'label'?");
    /* a program that was compiled when the struct ended earlier: nothing is written behind it */
    options.struct_size = offsetof(gpr_open_options, memory);
    options.encoding = NULL;
    assert_fails(gpr_open_options_set(&options, "encoding", "latin1"), GPR_ERROR_ARGUMENT, "older gprgnn.h");
    assert_null(options.encoding);
}

/* weight_decay (C, Python) and weight-decay (flag, file) are one word. */
static void word_forms(void **state) {
    fixture *f = *state;
    assert_ok(gpr_params_set(f->params, "weight_decay", "0.25"));
    assert_value(f, "weight-decay", "0.25", "flag");
    assert_value(f, "weight_decay", "0.25", "flag");
    assert_null(gpr_params_get(f->params, "weightdecay"));
    assert_null(gpr_params_source(f->params, "weight"));
    assert_null(gpr_params_get(f->params, "weight-decay-"));
}

static void refuses_unknown_words(void **state) {
    fixture *f = *state;
    assert_fails(gpr_params_set(f->params, "droput", "0.5"), GPR_ERROR_ARGUMENT, "did you mean 'dropout'?");
    assert_fails(gpr_params_set(f->params, "xyzzyplugh", "1"), GPR_ERROR_ARGUMENT, "unknown option 'xyzzyplugh'");
    assert_fails(gpr_params_set(f->params, "stopping", "papr"), GPR_ERROR_ARGUMENT, "did you mean 'paper'?");
    assert_fails(gpr_params_set(f->params, "stopping", "qqqqqqqq"), GPR_ERROR_ARGUMENT, "program|paper|none");
    assert_fails(gpr_params_set(f->params, "stopping", ""), GPR_ERROR_ARGUMENT, "program|paper|none");
    assert_value(f, "stopping", "program", "default");
}

static void refuses_values_out_of_bounds(void **state) {
    fixture *f = *state;
    static const char *const wrong[][2] = {
        {"hidden", "0"},    {"hidden", "65537"}, {"hidden", "12.5"},  {"hidden", ""},   {"hidden", "1e3"},
        {"hidden", "x"},    {"hidden", "64 "},   {"K", "-1"},         {"dropout", "1"}, {"dropout", "-0.1"},
        {"dropout", "nan"}, {"lr", "0"},         {"lr", "inf"},       {"lr", "1000.1"}, {"alpha", "1.5"},
        {"seed", "-1"},     {"runs", "0"},       {"threads", "1025"}, {"init", ""},     {"seed", "9223372036854775808"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *before = strdup(gpr_params_get(f->params, wrong[i][0]));
        assert_fails(gpr_params_set(f->params, wrong[i][0], wrong[i][1]), GPR_ERROR_ARGUMENT, wrong[i][0]);
        assert_value(f, wrong[i][0], before, "default");
        free(before);
    }
    assert_fails(gpr_params_set(f->params, "dropout", "1"), GPR_ERROR_ARGUMENT, "[0, 1)");
    static const char *const right[][2] = {
        {"hidden", "1"}, {"hidden", "65536"}, {"dropout", "0"}, {"dropout", "0.999"}, {"lr", "1000"},
        {"lr", "1e-30"}, {"alpha", "-1"},     {"alpha", "1"},   {"K", "0"},           {"threads", "0"},
    };
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_ok(gpr_params_set(f->params, right[i][0], right[i][1]));
}

/* flag, then file, then preset, then default; in whatever order they are set. */
static void precedence(void **state) {
    fixture *f = *state;
    assert_ok(gpri_params_set_from(f->params, GPRI_FROM_PRESET, "hidden", "1"));
    assert_value(f, "hidden", "1", "preset");
    assert_ok(gpri_params_set_from(f->params, GPRI_FROM_FILE, "hidden", "2"));
    assert_value(f, "hidden", "2", "file");
    assert_ok(gpri_params_set_from(f->params, GPRI_FROM_PRESET, "hidden", "3"));
    assert_value(f, "hidden", "2", "file");
    assert_ok(gpr_params_set(f->params, "hidden", "4"));
    assert_ok(gpri_params_set_from(f->params, GPRI_FROM_FILE, "hidden", "5"));
    assert_value(f, "hidden", "4", "flag");
    assert_int_equal(gpri_params_int(f->params, GPRI_PARAM_HIDDEN), 4);
    assert_ok(gpr_params_set(f->params, "hidden", "6")); /* the last flag wins */
    assert_value(f, "hidden", "6", "flag");
    /* a wrong value is an error even if it would not be used */
    assert_fails(gpri_params_set_from(f->params, GPRI_FROM_FILE, "hidden", "0"), GPR_ERROR_ARGUMENT, "hidden");
}

/* The options of a model and its own defaults; it does not matter whether the model is chosen before or after. */
static void models(void **state) {
    fixture *f = *state;
    gpr_param_info model = {.struct_size = sizeof model};
    assert_ok(gpr_param_describe(GPRI_PARAM_MODEL, &model));
    assert_value(f, "hidden", "64", "default");
    assert_ok(gpr_params_set(f->params, "lr", "0.5"));
    assert_ok(gpr_params_set(f->params, "model", "cheby"));
    assert_value(f, "hidden", "32", "default");
    assert_int_equal(gpri_params_int(f->params, GPRI_PARAM_HIDDEN), 32);
    assert_value(f, "lr", "0.5", "flag");
    assert_string_equal(gpr_param_default(GPRI_PARAM_HIDDEN, "cheby"), "32");
    assert_string_equal(gpr_param_default(GPRI_PARAM_HIDDEN, "gcn"), "64");
    assert_null(gpr_param_default(-1, "gcn"));
    assert_null(gpr_param_default(GPRI_PARAM_COUNT, "gcn"));
    assert_null(gpr_param_default(0, NULL));
    gpr_params *copy;
    assert_ok(gpri_params_copy(f->ctx, &copy, f->params));
    assert_string_equal(gpr_params_get(copy, "hidden"), "32");
    assert_int_equal(gpri_params_int(copy, GPRI_PARAM_HIDDEN), 32);
    gpr_params_free(copy);
    assert_ok(gpr_params_set(f->params, "model", "gprgnn"));
    assert_int_equal(gpri_params_int(f->params, GPRI_PARAM_HIDDEN), 64);
    assert_ok(gpr_params_set(f->params, "hidden", "7"));
    assert_ok(gpr_params_set(f->params, "model", "cheby"));
    assert_value(f, "hidden", "7", "flag");

    assert_true(gpr_param_applies(GPRI_PARAM_HIDDEN, "gcn") && gpr_param_applies(GPRI_PARAM_K, "sgc"));
    assert_true(gpr_param_applies(GPRI_PARAM_LR, "sgc") && gpr_param_applies(GPRI_PARAM_INIT, "gprgnn"));
    assert_false(gpr_param_applies(GPRI_PARAM_HIDDEN, "sgc") || gpr_param_applies(GPRI_PARAM_INIT, "gpr"));
    assert_false(gpr_param_applies(-1, "gcn") || gpr_param_applies(GPRI_PARAM_COUNT, "gcn"));
    assert_false(gpr_param_applies(0, NULL));
    assert_ok(gpr_params_check(f->params));
    /* a preset may set an option that the model does not have */
    assert_ok(gpri_params_set_from(f->params, GPRI_FROM_PRESET, "alpha", "0.2"));
    assert_ok(gpr_params_check(f->params));
    assert_ok(load(f, "alpha = 0.3\n"));
    assert_fails(gpr_params_check(f->params), GPR_ERROR_ARGUMENT,
                 "the model cheby has no option 'alpha' (set by a file)");
    assert_ok(gpr_params_set(f->params, "model", "appnp"));
    assert_ok(gpr_params_check(f->params));
    assert_fails(gpr_params_check(NULL), GPR_ERROR_ARGUMENT, "NULL");
    assert_ok(gpr_params_set(f->params, "split", "60/20"));
    assert_fails(gpr_params_check(f->params), GPR_ERROR_ARGUMENT, "not three numbers");
    assert_ok(gpr_params_set(f->params, "split", "/no/such/masks.npz"));
    assert_fails(gpr_params_check(f->params), GPR_ERROR_NOT_FOUND, "no such file");
    assert_ok(gpr_params_set(f->params, "split", "60/20/20"));
    assert_ok(gpr_params_check(f->params));

    /* the table names existing models, and their defaults are valid */
    for (int i = 0; i < gpr_param_count(); i++) {
        gpr_param_info info = {.struct_size = sizeof info};
        char words[256], *rest, all[256];
        assert_ok(gpr_param_describe(i, &info));
        snprintf(words, sizeof words, "%s", info.models);
        for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
            if (strcmp(word, "all") != 0 && strcmp(word, "but") != 0)
                assert_ok(gpr_params_set(f->params, "model", word));
        snprintf(all, sizeof all, "%s", model.range);
        for (char *word = strtok_r(all, "|", &rest); word; word = strtok_r(NULL, "|", &rest))
            assert_ok(gpr_params_set(f->params, info.name, gpr_param_default(i, word)));
    }
}

static void loads_file(void **state) {
    fixture *f = *state;
    assert_ok(gpr_params_set(f->params, "lr", "0.5"));
    assert_ok(load(f, "# settings\n\nhidden = 32\n  K=3   # hops\r\nlr = 0.1\nweight_decay = 0\ninit = \"delta:2\"\n"
                      "split='60/20/20'\nepochs = 7"));
    assert_value(f, "hidden", "32", "file");
    assert_value(f, "K", "3", "file");
    assert_value(f, "lr", "0.5", "flag");
    assert_value(f, "weight-decay", "0", "file");
    assert_value(f, "init", "delta:2", "file");
    assert_value(f, "split", "60/20/20", "file");
    assert_value(f, "epochs", "7", "file");
    assert_ok(load(f, ""));
    assert_ok(load(f, "\n\n"));
}

static void load_says_where(void **state) {
    fixture *f = *state;
    char place[128];
    snprintf(place, sizeof place, "%s:3", f->config);
    assert_fails(load(f, "hidden = 1\n\nhiden = 2\n"), GPR_ERROR_ARGUMENT, place);
    assert_non_null(strstr(gpr_last_error(), "did you mean 'hidden'?"));
    assert_fails(load(f, "\n\nK = -1\n"), GPR_ERROR_ARGUMENT, place);
    assert_fails(load(f, "\n\nK 5\n"), GPR_ERROR_FORMAT, place);
    assert_fails(load(f, "= 5\n"), GPR_ERROR_ARGUMENT, ":1");
    write_config(f, "K = 1\0\n", 7);
    assert_fails(gpr_params_load(f->params, f->config), GPR_ERROR_FORMAT, "NUL");
    assert_fails(gpr_params_load(f->params, "/nonexistent/config"), GPR_ERROR_NOT_FOUND, "/nonexistent/config");
    assert_fails(gpr_params_load(f->params, "/tmp"), GPR_ERROR_FORMAT, "folder");
}

static void copies(void **state) {
    fixture *f = *state;
    assert_ok(gpr_params_set(f->params, "hidden", "17"));
    assert_ok(gpri_params_set_from(f->params, GPRI_FROM_PRESET, "init", "nppr"));
    gpr_params *copy;
    assert_ok(gpri_params_copy(f->ctx, &copy, f->params));
    assert_ok(gpr_params_set(f->params, "hidden", "18"));
    assert_int_equal(gpri_params_int(copy, GPRI_PARAM_HIDDEN), 17);
    for (int i = 0; i < gpr_param_count(); i++) {
        gpr_param_info info = {.struct_size = sizeof info};
        assert_ok(gpr_param_describe(i, &info));
        assert_string_equal(gpr_params_source(copy, info.name), gpr_params_source(f->params, info.name));
        if (strcmp(info.name, "hidden") != 0)
            assert_string_equal(gpr_params_get(copy, info.name), gpr_params_get(f->params, info.name));
    }
    gpr_params_free(copy);
}

/* Whichever allocation fails: an error, no leak (the sanitizers check), the old value stays. */
static void survives_lack_of_memory(void **state) {
    fixture *f = *state;
    assert_ok(gpr_params_set(f->params, "hidden", "17"));
    assert_ok(gpr_params_set(f->params, "init", "nppr"));
    blocks_left = 0;
    assert_fails(gpr_params_set(f->params, "hidden", "18"), GPR_ERROR_MEMORY, "memory");
    assert_value(f, "hidden", "17", "flag");
    assert_int_equal(gpri_params_int(f->params, GPRI_PARAM_HIDDEN), 17);
    gpr_params *other = f->params;
    assert_int_equal(gpr_params_new(f->ctx, &other), GPR_ERROR_MEMORY);
    assert_null(other);
    for (int k = 0; k < 3; k++) {
        blocks_left = k;
        other = f->params;
        assert_int_equal(gpri_params_copy(f->ctx, &other, f->params), GPR_ERROR_MEMORY);
        assert_null(other);
        assert_true(blocks_left < 0);
    }
    for (int k = 0; k < 2; k++) {
        blocks_left = k;
        assert_int_equal(load(f, "dprate = 0.1\n"), GPR_ERROR_MEMORY);
    }
    blocks_left = 1 << 30;
    assert_value(f, "dprate", "0.5", "default");
}

static void null_arguments(void **state) {
    fixture *f = *state;
    gpr_params *out = f->params;
    assert_fails(gpr_params_new(NULL, &out), GPR_ERROR_ARGUMENT, "NULL");
    assert_null(out);
    assert_fails(gpr_params_new(f->ctx, NULL), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_params_set(NULL, "K", "1"), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_params_set(f->params, NULL, "1"), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_params_set(f->params, "K", NULL), GPR_ERROR_ARGUMENT, "NULL");
    assert_fails(gpr_params_load(f->params, NULL), GPR_ERROR_ARGUMENT, "NULL");
    assert_null(gpr_params_get(NULL, "K"));
    assert_null(gpr_params_get(f->params, NULL));
    assert_null(gpr_params_source(f->params, "nothing"));
    gpr_params_free(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(table_is_sound),
        TEST(describe_checks),
        TEST(sets_typed_values),
        TEST(values),
        TEST(data_options),
        TEST(sets_data_options),
        TEST(properties),
        TEST(word_forms),
        TEST(refuses_unknown_words),
        TEST(precedence),
        TEST(models),
        TEST(loads_file),
        TEST(refuses_values_out_of_bounds),
        TEST(load_says_where),
        TEST(copies),
        TEST(null_arguments),
        TEST(survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
