/* search/kept_run.c and kept_file.c: keys, lines that read back with the same bits, files that are cut or damaged. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <zlib.h>

#include "failing_memory.h"
#include "last_warning.h"
#include "studies.h"

/* ---- keys ---- */

static const char *key_with(gpr_ctx *ctx, const char *fingerprint, bool mixed, const char *const *options) {
    static char keys[2][GPRI_KEY_SIZE];
    static int turn;
    const gpr_dataset data = {.mixed_columns = mixed};
    gpr_params *params = new_params(ctx, options);
    turn = 1 - turn;
    assert_ok(gpri_run_key(ctx, keys[turn], fingerprint, &data, params));
    assert_int_equal(strlen(keys[turn]), GPRI_KEY_SIZE - 1);
    gpr_params_free(params);
    return keys[turn];
}

static const char *key_of(gpr_ctx *ctx, const char *fingerprint, const char *const *options) {
    return key_with(ctx, fingerprint, false, options);
}

#define same_key(a, b) assert_string_equal(key_of(ctx, "f", a), key_of(ctx, "f", b))
#define other_key(a, b) assert_string_not_equal(key_of(ctx, "f", a), key_of(ctx, "f", b))

static void keys(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    same_key(OPTIONS("weight-decay", "5e-4"), OPTIONS("weight_decay", "0.0005"));
    same_key(OPTIONS("weight-decay", "0.00050"), OPTIONS("model", "gprgnn")); /* the default */
    same_key(OPTIONS("hidden", "064"), OPTIONS("hidden", "64"));
    same_key(OPTIONS("seed", "7", "runs", "3", "threads", "2"), OPTIONS("seed", "8"));
    same_key(OPTIONS("init", "ppr", "lr", "0.02"), OPTIONS("lr", "2e-2"));
    other_key(OPTIONS("weight-decay", "5e-4"), OPTIONS("weight-decay", "5.1e-4"));
    other_key(OPTIONS("lr", "0.01"), OPTIONS("lr", "0.0100001"));
    other_key(OPTIONS("model", "gcn"), OPTIONS("model", "sage"));
    other_key(OPTIONS("init", "ppr"), OPTIONS("init", "random"));
    other_key(OPTIONS("epochs", "10"), OPTIONS("epochs", "11"));
    other_key(OPTIONS("split", "dense"), OPTIONS("split", "sparse"));
    other_key(OPTIONS("hidden", "1", "K", "12"), OPTIONS("hidden", "11", "K", "2"));
    assert_string_not_equal(key_of(ctx, "f", OPTIONS("K", "3")), key_of(ctx, "g", OPTIONS("K", "3")));
    gpr_ctx_free(ctx);
}

/* `normalize` auto scales the columns of a table; the other values do not look where the features come from. */
static void keys_of_tables(void **state) {
    (void)state;
    static const char *const rules[] = {"auto", "row", "column", "none"};
    gpr_ctx *ctx = new_ctx(1);
    for (int i = 0; i < 4; i++) {
        const char *const options[] = {"normalize", rules[i], NULL};
        assert_int_equal(strcmp(key_with(ctx, "f", false, options), key_with(ctx, "f", true, options)) != 0, i == 0);
    }
    gpr_ctx_free(ctx);
}

/* Data of users: `auto` scales columns, and smooths the outcome. Whoever names both gets the key that it always had. */
static void keys_of_arrays(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset data = {.phi = NAN, .features = {.cols = 8}}, csbm = {.phi = 0.5};
    const char *const *const options[] = {OPTIONS("split", "dense"), OPTIONS("split", "dense", "smooth", "no"),
                                          OPTIONS("split", "dense", "normalize", "row"),
                                          OPTIONS("split", "dense", "normalize", "row", "smooth", "no")};
    char key[2][GPRI_KEY_SIZE];
    for (int i = 0; i < 4; i++) {
        gpr_params *params = new_params(ctx, options[i]);
        assert_ok(gpri_run_key(ctx, key[0], "f", &data, params));
        assert_ok(gpri_run_key(ctx, key[1], "f", &csbm, params));
        assert_int_equal(strcmp(key[0], key[1]) != 0, i < 3);
        gpr_params_free(params);
    }
    gpr_ctx_free(ctx);
}

/* Keys of files that are published: those runs must be found by later versions too. */
static void lasting_keys(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    assert_string_equal(key_of(ctx, "df73fbcb696dd8bee12a8d949cccc675",
                               OPTIONS("model", "mlp", "lr", "0.002", "weight-decay", "0", "split", "dense")),
                        "377f417f5612e2627b415ad17c5e6d3e");
    gpr_ctx_free(ctx);
}

/* What is in the file counts, and not its name. */
static void keys_of_files(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    char first[128], second[128], key[GPRI_KEY_SIZE];
    snprintf(first, sizeof first, "file:%s/a.txt", folder);
    snprintf(second, sizeof second, "file:%s/b.txt", folder);
    put_file(first + 5, "1 2 3", 5);
    put_file(second + 5, "1 2 3", 5);
    same_key(OPTIONS("init", first), OPTIONS("init", second));
    strcpy(key, key_of(ctx, "f", OPTIONS("init", first)));
    put_file(first + 5, "1 2 4", 5);
    assert_string_not_equal(key, key_of(ctx, "f", OPTIONS("init", first)));
    assert_string_equal(key, key_of(ctx, "f", OPTIONS("init", second)));
    snprintf(first, sizeof first, "%s/a.npz", folder);
    snprintf(second, sizeof second, "%s/b.npz", folder);
    put_file(first, "a split", 7);
    put_file(second, "a split", 7);
    same_key(OPTIONS("split", first), OPTIONS("split", second));
    other_key(OPTIONS("split", first, "seed", "1"), OPTIONS("split", first, "seed", "2")); /* other rows of it */
    other_key(OPTIONS("split", "60/20/20"), OPTIONS("split", "60/10/30"));                 /* no files */
    gpr_ctx_free(ctx);
}

/* The three files of a split in a folder, packed or not. */
static void keys_of_folders(void **state) {
    (void)state;
    static const char *const names[] = {"train.csv", "valid.csv", "test.csv"};
    gpr_ctx *ctx = new_ctx(1);
    char dirs[2][128], path[512], key[GPRI_KEY_SIZE];
    for (int d = 0; d < 2; d++) {
        snprintf(dirs[d], sizeof dirs[d], "%s/split%d", folder, d);
        assert_int_equal(mkdir(dirs[d], 0777), 0);
        for (int i = 0; i < 3; i++) {
            snprintf(path, sizeof path, "%s/%s", dirs[d], names[i]);
            put_file(path, "012\n" + i, 1);
        }
    }
    same_key(OPTIONS("split", dirs[0]), OPTIONS("split", dirs[1]));
    strcpy(key, key_of(ctx, "f", OPTIONS("split", dirs[0])));
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", dirs[0], names[i]);
        put_file(path, "7", 1);
        assert_string_not_equal(key, key_of(ctx, "f", OPTIONS("split", dirs[0])));
        put_file(path, "012\n" + i, 1);
        assert_string_equal(key, key_of(ctx, "f", OPTIONS("split", dirs[0])));
    }
    gpr_params *params = new_params(ctx, OPTIONS("split", dirs[0]));
    const gpr_dataset data = {.target.classes = 0};
    unlink(path);
    assert_fails(gpri_run_key(ctx, key, "f", &data, params), GPR_ERROR_NOT_FOUND, "test.csv");
    gpr_params_free(params);
    gpr_ctx_free(ctx);
}

/* ---- lines ---- */

/* A run with numbers of many digits; what depends on `number` is drawn. */
static gpri_kept_run some_run(gpr_ctx *ctx, int number, bool gamma) {
    const gpri_random stream = gpri_random_of(5, GPRI_RANDOM_TEST, 0, 0);
    gpri_kept_run run = {.seed = (uint64_t)number};
    uint64_t draw = (uint64_t)number * 100;
    snprintf(run.key, sizeof run.key, "%032x", number % 7);
    for (int i = 0; i < GPRI_KEPT_NUMBERS; i++) {
        const double uniform = gpri_uniform(stream, draw++);
        const bool whole = i == GPRI_FIELD_EPOCHS || i == GPRI_FIELD_BEST_EPOCH;
        run.numbers[i] = whole ? floor(uniform * 1000) : uniform * pow(10, 10 * gpri_uniform(stream, draw++) - 8);
    }
    run.numbers[GPRI_FIELD_SEED] = (double)number;
    if (!gamma) return run;
    run.gamma_count = 4;
    run.rows = 3;
    run.stride = 10;
    assert_ok(gpri_alloc(ctx, &run.gamma, 4, sizeof(float), "gamma"));
    assert_ok(gpri_alloc(ctx, &run.history, 12, sizeof(float), "gamma"));
    for (int i = 0; i < 4; i++) run.gamma[i] = (float)(gpri_uniform(stream, draw++) - 0.5);
    for (int i = 0; i < 12; i++) run.history[i] = (float)(1e-6 * (gpri_uniform(stream, draw++) - 0.5));
    return run;
}

static gpri_run_origin origin_of(const gpr_params *params) {
    return (gpri_run_origin){.dataset = "a \"name\"\n\xff",
                             .fingerprint = "0123456789abcdef0123456789abcdef",
                             .device = "cpu",
                             .kernels = "ref",
                             .params = params,
                             .split_hash = 0xfedcba9876543210,
                             .threads = 1};
}

static void round_trip(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_params *params = new_params(ctx, NULL);
    const gpri_run_origin origin = origin_of(params);
    for (int number = 1; number < 300; number++) {
        gpri_text line = {.ctx = ctx};
        gpri_kept_run run = some_run(ctx, number, number % 2), back;
        const char *why;
        if (number % 3 == 0) run.numbers[GPRI_KEPT_TOP_SHARE] = NAN;
        assert_ok(gpri_kept_run_write(&line, &run, &origin));
        assert_ptr_equal(strchr(line.bytes, '\n'), line.bytes + line.size - 1);
        assert_ok(gpri_kept_run_read(ctx, &back, line.bytes, line.size - 1, &why));
        assert_null(why);
        assert_string_equal(back.key, run.key);
        assert_true(back.seed == run.seed && !back.failed);
        for (int i = 0; i < GPRI_KEPT_NUMBERS; i++)
            if (memcmp(&back.numbers[i], &run.numbers[i], sizeof(double)) != 0 &&
                !(isnan(back.numbers[i]) && isnan(run.numbers[i])))
                fail_msg("run %d, number %d: %.17g and %.17g", number, i, run.numbers[i], back.numbers[i]);
        assert_int_equal(back.gamma_count, run.gamma_count);
        assert_int_equal(back.rows, run.rows);
        assert_int_equal(back.stride, run.stride);
        if (run.gamma) assert_memory_equal(back.gamma, run.gamma, 4 * sizeof(float));
        if (run.gamma) assert_memory_equal(back.history, run.history, 12 * sizeof(float));
        assert_int_equal(gpri_kept_run_has(&back, GPR_MEASURE_TOP_SHARE), number % 3 != 0);
        assert_int_equal(gpri_kept_run_has(&back, GPR_MEASURE_GAMMA_HISTORY), number % 2);
        gpri_kept_run_free(ctx, &run);
        gpri_kept_run_free(ctx, &back);
        gpri_text_free(&line);
    }
    gpr_params_free(params);
    gpr_ctx_free(ctx);
}

/* ---- files ---- */

/* Adds runs number `first` to `end` - 1. */
static gpr_status add_runs(gpri_kept_file *file, int first, int end) {
    gpr_params *params = NULL;
    gpr_status status = gpr_params_new(file->ctx, &params);
    for (int number = first; status == GPR_OK && number < end; number++) {
        gpri_kept_run run = some_run(file->ctx, number, false);
        const gpri_run_origin origin = origin_of(params);
        status = gpri_kept_file_add(file, &run, &origin);
    }
    gpr_params_free(params);
    return status;
}

static void make_file(gpr_ctx *ctx, const char *path, int runs) {
    gpri_kept_file file;
    assert_ok(gpri_kept_file_open(ctx, &file, path));
    assert_ok(add_runs(&file, 1, runs + 1));
    gpri_kept_file_close(&file);
}

/* The runs 1 to `runs` are there with their numbers, but for `lost`; and no others. */
static void has_runs(gpri_kept_file *file, int runs, int lost) {
    for (int number = 0; number <= runs + 1; number++) {
        gpri_kept_run expected = some_run(file->ctx, number, false);
        const gpri_kept_run *found = gpri_kept_file_find(file, expected.key, (uint64_t)number, 0);
        if (!found != (number == 0 || number == runs + 1 || number == lost))
            fail_msg("run %d: %p", number, (void *)found);
        if (found) assert_memory_equal(found->numbers, expected.numbers, sizeof expected.numbers);
    }
}

static void files(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    gpri_kept_file file;
    const char *path = in_folder("runs.jsonl");
    make_file(ctx, path, 20);
    assert_ok(gpri_kept_file_open(ctx, &file, path));
    has_runs(&file, 20, 0);
    assert_ok(add_runs(&file, 21, 31)); /* those that are not sorted yet are found too */
    has_runs(&file, 30, 0);
    gpri_kept_file_sort(&file);
    has_runs(&file, 30, 0);
    gpri_kept_file_close(&file);
    assert_string_equal(warning, "");
    assert_int_equal(count_lines(path), 30);
    assert_ok(gpri_kept_file_open(ctx, &file, NULL)); /* in memory only */
    assert_ok(add_runs(&file, 1, 4));
    has_runs(&file, 3, 0);
    gpri_kept_file_close(&file);
    assert_fails(gpri_kept_file_open(ctx, &file, folder), GPR_ERROR_IO, folder);
    assert_fails(gpri_kept_file_open(ctx, &file, "/dev/null"), GPR_ERROR_ARGUMENT, "not a regular file");
    assert_fails(gpri_kept_file_open(ctx, &file, in_folder("no/where")), GPR_ERROR_NOT_FOUND, "no/where");
    gpr_ctx_free(ctx);
}

/* A run that was kept twice: the first one with what is asked for. */
static void kept_twice(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_kept_file file;
    const char *path = in_folder("runs.jsonl");
    gpr_params *params = new_params(ctx, NULL);
    const gpri_run_origin origin = origin_of(params);
    assert_ok(gpri_kept_file_open(ctx, &file, path));
    for (int i = 0; i < 3; i++) {
        gpri_kept_run run = some_run(ctx, 1, false);
        run.numbers[GPRI_KEPT_TOP_SHARE] = i == 0 ? NAN : 10.0 * i;
        run.numbers[GPRI_FIELD_SECONDS] = i;
        assert_ok(gpri_kept_file_add(&file, &run, &origin));
    }
    for (int opened = 0; opened < 2; opened++) {
        const char *key = file.runs[0].key;
        assert_true(gpri_kept_file_find(&file, key, 1, 0)->numbers[GPRI_FIELD_SECONDS] == 0);
        assert_true(gpri_kept_file_find(&file, key, 1, GPR_MEASURE_TOP_SHARE)->numbers[GPRI_FIELD_SECONDS] == 1);
        assert_null(gpri_kept_file_find(&file, key, 1, GPR_MEASURE_GAMMA_HISTORY));
        gpri_kept_file_close(&file);
        assert_ok(gpri_kept_file_open(ctx, &file, path));
    }
    gpri_kept_file_close(&file);
    gpr_params_free(params);
    gpr_ctx_free(ctx);
}

/* A program that was killed leaves the beginning of a line, of any length. */
static void cut_line(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    gpri_kept_file file;
    const char *path = in_folder("runs.jsonl");
    size_t size, whole = 0;
    make_file(ctx, path, 5);
    char *bytes = get_file(path, &size);
    for (size_t i = 0; i + 1 < size; i++)
        if (bytes[i] == '\n') whole = i + 1; /* where the last line begins */
    for (size_t cut = whole; cut < size; cut += cut < whole + 3 || cut > size - 4 ? 1 : 37) {
        put_file(path, bytes, cut);
        warning[0] = 0;
        assert_ok(gpri_kept_file_open(ctx, &file, path));
        if (cut > whole) assert_non_null(strstr(warning, "the last line is cut, because a program was killed"));
        else assert_string_equal(warning, "");
        has_runs(&file, 4, 0);
        assert_ok(add_runs(&file, 5, 6));
        gpri_kept_file_close(&file);
        char *now = get_file(path, NULL);
        assert_string_equal(now, bytes);
        free(now);
    }
    for (size_t cut = 1; cut < 30; cut++) { /* of the only line */
        put_file(path, bytes, cut);
        assert_ok(gpri_kept_file_open(ctx, &file, path));
        gpri_kept_file_close(&file);
        free(get_file(path, &whole));
        assert_int_equal(whole, 0);
    }
    /* one that is only read stays as it is */
    put_file(path, bytes, size - 9);
    warning[0] = 0;
    assert_ok(gpri_kept_file_open(ctx, &file, NULL));
    assert_ok(gpri_kept_file_include(&file, path));
    assert_non_null(strstr(warning, "its last line is cut, and is left out"));
    has_runs(&file, 4, 0);
    gpri_kept_file_close(&file);
    free(get_file(path, &whole));
    assert_int_equal(whole, size - 9);
    free(bytes);
    gpr_ctx_free(ctx);
}

/* Damaged lines are left out with a warning that has their number; the file stays as it is, and runs can be added. */
static void damaged_lines(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t size; /* 0: up to its NUL */
        const char *why;
    } damages[] = {
        {"\0\0\0\0\0\0", 6, "it is cut or damaged"},
        {"\x1f\x8b\xff\xfe\x80junk", 0, "it is cut or damaged"},
        {"[1, 2]", 0, "it is not a finished run"},
        {"null", 0, "it is cut or damaged"},
        {"{\"key\": \"x\", \"seed\": 3}", 0, "it is not a finished run"},
        {"{\"key\":\"0123456789abcdef0123456789abcdef\",\"seed\":\"1\"}", 0, "it is not a finished run"},
        {"{\"key\":\"0123456789abcdef0123456789abcdef\",\"seed\":1}", 0, "it has no losses"},
        {"{\"key\":\"0123456789abcdef0123456789abcdef\",\"seed\":1,\"val_loss\":1,\"gamma\":[\"x\"]}", 0,
         "gamma is not a list of numbers"},
        {"{\"key\":\"0123456789abcdef0123456789abcdef\",\"seed\":1,\"val_loss\":1,\"gamma\":[1,2],"
         "\"gamma_history\":[1,2,3],\"gamma_stride\":1}",
         0, "gamma_history does not fit gamma"},
    };
    gpr_ctx *ctx = warning_ctx();
    const char *path = in_folder("runs.jsonl");
    size_t size, second, third;
    make_file(ctx, path, 6);
    char *bytes = get_file(path, &size);
    second = (size_t)(strchr(bytes, '\n') - bytes) + 1;
    third = (size_t)(strchr(bytes + second, '\n') - bytes);
    for (size_t d = 0; d < sizeof damages / sizeof *damages; d++) {
        gpri_kept_file file;
        char expected[256];
        FILE *out = fopen(path, "wb");
        fwrite(bytes, 1, second, out);
        fwrite(damages[d].bytes, 1, damages[d].size ? damages[d].size : strlen(damages[d].bytes), out);
        fwrite(bytes + third, 1, size - third, out);
        assert_int_equal(fclose(out), 0);
        warning[0] = 0;
        assert_ok(gpri_kept_file_open(ctx, &file, path));
        snprintf(expected, sizeof expected, "%s:2: this line is left out: %s", path, damages[d].why);
        assert_string_equal(warning, expected);
        has_runs(&file, 6, 2);
        assert_ok(add_runs(&file, 2, 3));
        has_runs(&file, 6, 0);
        gpri_kept_file_close(&file);
    }
    free(bytes);
    gpr_ctx_free(ctx);
}

/* Every byte of a line changed: the run is left out, or its numbers are others, and nothing else happens. */
static void changed_bytes(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    const char *path = in_folder("runs.jsonl");
    size_t size;
    make_file(ctx, path, 2);
    char *bytes = get_file(path, &size);
    for (size_t at = 0; at < size; at++) {
        gpri_kept_file file;
        const char before = bytes[at];
        bytes[at] = (char)(before ^ (1 << at % 8));
        put_file(path, bytes, size);
        assert_ok(gpri_kept_file_open(ctx, &file, path));
        assert_true(file.count <= 2);
        gpri_kept_file_close(&file);
        bytes[at] = before;
    }
    free(bytes);
    gpr_ctx_free(ctx);
}

static void many_damages(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    gpri_kept_file file;
    const char *path = in_folder("runs.jsonl");
    put_file(path, "a\nb\nc\nd\ne\n", 10);
    assert_ok(gpri_kept_file_open(ctx, &file, path));
    assert_non_null(strstr(warning, "2 more lines are left out"));
    gpri_kept_file_close(&file);
    gpr_ctx_free(ctx);
}

static void many_lines(void **state) {
    (void)state;
    enum { LINES = 100000, OWN = 100 };
    gpr_ctx *ctx = new_ctx(1);
    gpri_kept_file file;
    const char *path = in_folder("runs.jsonl");
    struct timespec before, after;
    gpr_params *params = new_params(ctx, NULL);
    const gpri_run_origin origin = origin_of(params);
    gpri_text text = {.ctx = ctx};
    for (int number = 1; number <= LINES; number++) { /* not one by one, which waits for the disk */
        gpri_kept_run run = some_run(ctx, number, false);
        assert_ok(gpri_kept_run_write(&text, &run, &origin));
    }
    put_file(path, text.bytes, (size_t)text.size);
    gpri_text_free(&text);
    clock_gettime(CLOCK_MONOTONIC, &before);
    assert_ok(gpri_kept_file_open(ctx, &file, path));
    assert_int_equal(file.count, LINES);
    for (int number = 1; number <= LINES; number++) {
        char key[GPRI_KEY_SIZE];
        snprintf(key, sizeof key, "%032x", number % 7);
        const gpri_kept_run *found = gpri_kept_file_find(&file, key, (uint64_t)number, 0);
        assert_true(found && found->seed == (uint64_t)number);
    }
    clock_gettime(CLOCK_MONOTONIC, &after);
    const double seconds = (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    print_message("%d lines: %.2f s\n", LINES, seconds);
    assert_true(seconds < 60); /* 2 s; a look at all lines for each would take minutes */
    gpri_kept_file_close(&file);
    gpr_params_free(params);
    gpr_ctx_free(ctx);
}

static int stop_at_once(void *user, const gpr_progress *progress) {
    (void)user;
    assert_string_equal(progress->stage, "reading");
    return 1;
}

/* However large the file is, it is read line by line, and can be stopped. */
static void huge(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx(), *stopping;
    gpri_kept_file file;
    const char *path = in_folder("runs.jsonl");
    put_file(path, "a\n", 2);
    assert_int_equal(truncate(path, (off_t)3 << 30), 0); /* a line of 3 GB, which takes no room on the disk */
    assert_fails(gpri_kept_file_open(ctx, &file, path), GPR_ERROR_FORMAT,
                 "runs.jsonl:2: the line is longer than 16 MB");
    assert_ok(gpri_kept_file_open(ctx, &file, NULL));
    assert_fails(gpri_kept_file_include(&file, path), GPR_ERROR_FORMAT, "runs.jsonl:2: the line is longer than 16 MB");
    gpri_kept_file_close(&file);
    const int64_t size = 5 << 20;
    char *lines = malloc((size_t)size);
    memset(lines, '\n', (size_t)size);
    put_file(path, lines, (size_t)size);
    free(lines);
    assert_ok(
        gpr_ctx_new(&stopping, &(gpr_ctx_options){.struct_size = sizeof(gpr_ctx_options), .progress = stop_at_once}));
    assert_fails(gpri_kept_file_open(stopping, &file, path), GPR_ERROR_STOPPED, "stopped by the caller");
    gpr_ctx_free(stopping);
    gpr_ctx_free(ctx);
}

/* A line that says other settings or data than its key stands for. */
static void changed_content(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    gpri_kept_file file;
    char path[128];
    snprintf(path, sizeof path, "%s", in_folder("runs.jsonl"));
    gpr_params *params = new_params(ctx, OPTIONS("lr", "5e-2", "hidden", "032")),
               *same = new_params(ctx, OPTIONS("lr", "0.05", "hidden", "32", "split", "sparse", "seed", "4")),
               *other = new_params(ctx, OPTIONS("lr", "0.05", "hidden", "33"));
    const gpri_run_origin origin = origin_of(params);
    for (int i = 1; i < 4; i++) {
        gpri_kept_run run = some_run(ctx, 7 * i, false);
        assert_ok(gpri_kept_file_open(ctx, &file, path));
        assert_ok(gpri_kept_file_add(&file, &run, &origin));
        gpri_kept_file_close(&file);
    }
    assert_ok(gpri_kept_file_open(ctx, &file, path));
    const char *key = file.runs[0].key;
    assert_ok(gpri_kept_file_check(&file, key, gpri_run_content(origin.fingerprint, params)));
    assert_ok(gpri_kept_file_check(&file, key, gpri_run_content(origin.fingerprint, same)));
    assert_ok(gpri_kept_file_check(&file, "none of them", gpri_run_content(origin.fingerprint, other)));
    assert_fails(
        gpri_kept_file_check(&file, key, gpri_run_content(origin.fingerprint, other)), GPR_ERROR_FORMAT,
        "runs.jsonl:1: the key of this run does not fit its settings or its data: the line was changed; remove");
    assert_fails(gpri_kept_file_check(&file, key, gpri_run_content("another", params)), GPR_ERROR_FORMAT,
                 ":1: the key");
    gpri_kept_file_close(&file);
    /* `calibrate` was no by default, and is in no key; its lines say so */
    gpr_params *earlier = new_params(ctx, OPTIONS("lr", "0.05", "hidden", "32", "calibrate", "no")),
               *yes = new_params(ctx, OPTIONS("lr", "0.05", "hidden", "32", "calibrate", "yes"));
    assert_true(gpri_run_content(origin.fingerprint, earlier) == gpri_run_content(origin.fingerprint, params));
    assert_true(gpri_run_content(origin.fingerprint, yes) != gpri_run_content(origin.fingerprint, params));
    gpr_params_free(earlier);
    gpr_params_free(yes);
    gpr_params_free(params);
    gpr_params_free(same);
    gpr_params_free(other);
    gpr_ctx_free(ctx);
}

static void packed(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_kept_file file;
    const char *path = in_folder("runs.jsonl");
    char gz[128];
    size_t size;
    snprintf(gz, sizeof gz, "%s/old.gz", folder);
    make_file(ctx, path, 12);
    char *bytes = get_file(path, &size);
    gzFile out = gzopen(gz, "wb");
    assert_int_equal(gzwrite(out, bytes, (unsigned)size), size);
    assert_int_equal(gzclose(out), Z_OK);
    assert_int_equal(unlink(path), 0);
    assert_ok(gpri_kept_file_open(ctx, &file, path));
    assert_ok(gpri_kept_file_include(&file, gz));
    has_runs(&file, 12, 0);
    assert_ok(add_runs(&file, 13, 15));
    has_runs(&file, 14, 0);
    gpri_kept_file_close(&file);
    assert_int_equal(count_lines(path), 2); /* what was included is not copied */
    assert_fails(gpri_kept_file_open(ctx, &file, gz), GPR_ERROR_ARGUMENT, "is packed: unpack it first");
    free(bytes);
    bytes = get_file(gz, &size);
    put_file(gz, bytes, size / 2);
    assert_ok(gpri_kept_file_open(ctx, &file, NULL));
    assert_fails(gpri_kept_file_include(&file, gz), GPR_ERROR_FORMAT, "cannot be unpacked");
    assert_fails(gpri_kept_file_include(&file, in_folder("none")), GPR_ERROR_NOT_FOUND, "none");
    assert_fails(gpri_kept_file_include(&file, folder), GPR_ERROR_FORMAT, "folder");
    gpri_kept_file_close(&file);
    free(bytes);
    gpr_ctx_free(ctx);
}

/* A file of somebody else keeps its last line, with or without an end. */
static void foreign(void **state) {
    (void)state;
    static const char *const texts[] = {"x", "{}", "{\"key\": 1}", "a\nb", "a\n{", "{\n  \"key\": 3\n}"};
    gpr_ctx *ctx = warning_ctx();
    gpri_kept_file file;
    const char *path = in_folder("runs.jsonl");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        put_file(path, texts[i], strlen(texts[i]));
        assert_fails(gpri_kept_file_open(ctx, &file, path), GPR_ERROR_MISMATCH,
                     "is no file of kept runs, and its last line has no end: it stays as it is; move it");
        char *now = get_file(path, NULL);
        assert_string_equal(now, texts[i]);
        free(now);
    }
    gpr_ctx_free(ctx);
}

static const char *growing; /* another process adds to this file just before it is locked */

int flock(int fd, int operation) {
    if (growing) {
        const int other = open(growing, O_WRONLY | O_APPEND);
        assert_true(write(other, "\n", 1) == 1 && close(other) == 0);
        growing = NULL;
    }
    return (int)syscall(SYS_flock, fd, operation);
}

/* A file that grows until it is locked is not taken for a packed one, whose size is not that of its text. */
static void grown(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_kept_file file;
    const char *path = in_folder("runs.jsonl");
    make_file(ctx, path, 3);
    growing = path;
    assert_ok(gpri_kept_file_open(ctx, &file, path));
    assert_null(growing);
    has_runs(&file, 3, 0);
    gpri_kept_file_close(&file);
    gpr_ctx_free(ctx);
}

/* One process at a time adds; another may read meanwhile. */
static void locked(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_kept_file file;
    const char *path = in_folder("runs.jsonl");
    int status;
    assert_ok(gpri_kept_file_open(ctx, &file, path));
    assert_ok(add_runs(&file, 1, 4));
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        gpri_kept_file own;
        gpr_status opened = gpri_kept_file_open(ctx, &own, path);
        if (opened != GPR_ERROR_IO || !strstr(gpr_last_error(), "is in use: another process adds runs to it")) _exit(1);
        if (gpri_kept_file_open(ctx, &own, NULL) != GPR_OK || gpri_kept_file_include(&own, path) != GPR_OK) _exit(2);
        _exit(own.count == 3 ? 0 : 3);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    gpri_kept_file_close(&file);
    assert_ok(gpri_kept_file_open(ctx, &file, path));
    gpri_kept_file_close(&file);
    gpr_ctx_free(ctx);
}

/* A disk that is full: an error, and the file has whole lines only. */
static void full_disk(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    gpri_kept_file file;
    const char *path = in_folder("runs.jsonl");
    struct rlimit before;
    size_t size;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    make_file(ctx, path, 3);
    free(get_file(path, &size));
    for (size_t room = 0; room < 600; room += 50) {
        const struct rlimit small = {size + room, before.rlim_max};
        assert_ok(gpri_kept_file_open(ctx, &file, path));
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        const gpr_status status = add_runs(&file, 4, 5);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(status, GPR_ERROR_IO);
        assert_non_null(strstr(gpr_last_error(), path));
        has_runs(&file, 3, 0);
        gpri_kept_file_close(&file);
        assert_int_equal(count_lines(path), 3);
    }
    assert_ok(gpri_kept_file_open(ctx, &file, path));
    assert_ok(add_runs(&file, 4, 5));
    has_runs(&file, 4, 0);
    gpri_kept_file_close(&file);
    assert_string_equal(warning, "");
    gpr_ctx_free(ctx);
}

static gpr_status use_file(gpr_ctx *ctx, void *path) {
    gpri_kept_file file = {.fd = -1};
    gpr_status status = gpri_kept_file_open(ctx, &file, NULL);
    if (status == GPR_OK) status = gpri_kept_file_include(&file, path);
    if (status == GPR_OK) status = add_runs(&file, 50, 53);
    gpri_kept_file_close(&file);
    if (status == GPR_OK) status = gpri_kept_file_open(ctx, &file, path);
    if (status == GPR_OK) assert_int_equal(file.count, 40);
    gpri_kept_file_close(&file);
    return status;
}

static void memory(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    char path[128];
    snprintf(path, sizeof path, "%s/runs.jsonl", folder);
    make_file(ctx, path, 40);
    fail_every_allocation(use_file, path);
    assert_int_equal(count_lines(path), 40);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        STUDY_TEST(keys),          STUDY_TEST(keys_of_tables), STUDY_TEST(keys_of_folders),
        STUDY_TEST(lasting_keys),  STUDY_TEST(keys_of_files),  STUDY_TEST(round_trip),
        STUDY_TEST(files),         STUDY_TEST(kept_twice),     STUDY_TEST(cut_line),
        STUDY_TEST(damaged_lines), STUDY_TEST(changed_bytes),  STUDY_TEST(many_damages),
        STUDY_TEST(many_lines),    STUDY_TEST(packed),         STUDY_TEST(foreign),
        STUDY_TEST(grown),         STUDY_TEST(locked),         STUDY_TEST(full_disk),
        STUDY_TEST(memory),        STUDY_TEST(huge),           STUDY_TEST(changed_content),
        STUDY_TEST(keys_of_arrays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
