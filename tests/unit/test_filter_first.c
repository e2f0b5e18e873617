/* `order` filter-first: hops of the features for any panel and number of threads, their file, batches, stops, model
 * files, and what the order does not go with. */
#include "failing_memory.h"
#include "resuming.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "file/checksum.h"
#include "file/table.h"
#include "model/model.h"
#include "walk/powers.h"

#define FIRST "order", "filter-first", "hidden", "8", "K", "4", "epochs", "12", "split", "30/20/20"

/* All panels and numbers of threads give the same bits, and a table that goes on does too. */
static void panels(void **state) {
    (void)state;
    enum { NODES = 1500, COLUMNS = 20, WIDTH = 32, K = 3, LD = (K + 1) * WIDTH, ROWS = 400 };
    static float expected[ROWS * LD], got[ROWS * LD], sums[2][NODES * WIDTH];
    const float gamma[K + 1] = {0.5F, -1, 2, 0.25F};
    int64_t nodes[ROWS];
    for (int64_t r = 0; r < ROWS; r++) nodes[r] = r * 3 + 1;
    for (int sparse = 0; sparse < 2; sparse++)
        for (int threads = 1; threads <= 3; threads++) {
            gpr_ctx *ctx = new_ctx(threads);
            gpr_dataset *data = sparse ? new_words(ctx, NODES, COLUMNS, 2) : new_csbm(ctx, NODES, COLUMNS, 0.4);
            for (int64_t panel = 16; panel >= 4; panel /= 2) {
                const gpri_powers_source of = {
                    .graph = &data->graph, .table = &data->features, .normalize = sparse, .hops = K, .panel = panel};
                const bool first = threads == 1 && panel == 16;
                ctx->large = threads == 2 ? 0 : ctx->large; /* with rows fetched ahead */
                memset(got, 0xff, sizeof got);
                assert_ok(gpri_powers_table(ctx, got, LD, &of, nodes, ROWS, 0, NULL, NULL));
                if (first) memcpy(expected, got, sizeof got);
                assert_memory_equal(got, expected, sizeof got);
                for (int64_t r = 0; r < ROWS; r++) /* as if half of the columns were not done */
                    for (int64_t k = 0; k <= K; k++) memset(got + r * LD + k * WIDTH + 16, 0x7f, 16 * sizeof *got);
                assert_ok(gpri_powers_table(ctx, got, LD, &of, nodes, ROWS, 16, NULL, NULL));
                assert_memory_equal(got, expected, sizeof got);
                assert_ok(gpri_powers_sum(ctx, sums[!first], &of, gamma));
                assert_memory_equal(sums[0], sums[1], first ? 0 : sizeof sums[0]);
            }
            for (int64_t r = 0; r < ROWS; r++) /* row r of the table is node 3 r + 1 */
                for (int64_t c = 0; c < COLUMNS; c++) {
                    double sum = 0;
                    for (int64_t k = 0; k <= K; k++) sum += (double)gamma[k] * (double)expected[r * LD + k * WIDTH + c];
                    assert_true(fabs(sum - (double)sums[0][nodes[r] * WIDTH + c]) < 1e-5);
                }
            gpr_dataset_free(data);
            gpr_ctx_free(ctx);
        }
}

static void panel_by_memory(void **state) {
    (void)state;
    assert_int_equal(gpri_powers_panel(1000, 100, 2, 1e9), 16);
    assert_int_equal(gpri_powers_panel(1000, 5, 2, 1e9), 8);
    assert_int_equal(gpri_powers_panel(1000, 3, 2, 1e9), 4);
    assert_int_equal(gpri_powers_panel(1000, 100, 2, gpri_powers_memory(1000, 16, 2) - 1), 8);
    assert_int_equal(gpri_powers_panel(1000, 100, 3, gpri_powers_memory(1000, 4, 3)), 4);
    assert_int_equal(gpri_powers_panel(1000, 100, 3, gpri_powers_memory(1000, 4, 3) - 1), 0);
}

/* Bits for any number of threads; the batches are those of their seed; a batch of all is no batch. */
static void threads(void **state) {
    (void)state;
    training first[3] = {{.status = GPR_OK}};
    gpr_ctx *ctx = new_ctx(1);
    for (int threads = 1; threads <= 3; threads++)
        for (int b = 0; b < 3; b++) {
            static const char *const sizes[] = {"0", "50", "100000"};
            gpr_ctx *own = new_ctx(threads);
            gpr_dataset *data = new_words(own, 700, 40, 3);
            training t = train(own, data, OPTIONS(FIRST, "batch", sizes[b]));
            if (threads == 1) {
                gpr_dataset *same = new_words(ctx, 700, 40, 3);
                first[b] = train(ctx, same, OPTIONS(FIRST, "batch", sizes[b]));
                gpr_dataset_free(same);
            }
            assert_same_model(sizes[b], first[b].model, t.model);
            training_free(&t);
            gpr_dataset_free(data);
            gpr_ctx_free(own);
        }
    assert_same_model("a batch of all", first[0].model, first[2].model);
    assert_false(same_model(first[0].model, first[1].model));
    assert_true(first[1].result->runs[0].info.test_accuracy > 80);
    for (int b = 0; b < 3; b++) training_free(&first[b]);
    gpr_ctx_free(ctx);
}

static void stops(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_words(ctx, 300, 40, 3);
    const char *const *const options[] = {OPTIONS(FIRST), OPTIONS(FIRST, "batch", "20", "calibrate", "yes"),
                                          OPTIONS(FIRST, "batch", "33", "runs", "2", "metric", "macro_f1")};
    for (int i = 0; i < 3; i++) {
        training whole = train(ctx, data, options[i]);
        training pieces = train_in_pieces(ctx, data, options[i], (const int64_t[]){4, 3, 1, 0});
        assert_same_training("filter-first", ctx, &whole, &pieces);
        training_free(&whole), training_free(&pieces);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* The model file keeps the order, and its predictions are those that the training judged. */
static void model_files(void **state) {
    (void)state;
    enum { NODES = 300 };
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_words(ctx, NODES, 40, 3);
    training t = train(ctx, data, OPTIONS(FIRST, "batch", "25", "refit", "no"));
    training plain = train(ctx, data, OPTIONS("hidden", "8", "epochs", "3"));
    gpr_model *read;
    saved_state bytes;
    int32_t classes[2][NODES];
    int64_t right = 0, tested = 0;
    assert_ok(gpr_model_to_bytes(ctx, &bytes.bytes, &bytes.size, t.model));
    assert_ok(gpr_model_from_bytes(ctx, &read, bytes.bytes, bytes.size));
    assert_string_equal(gpr_model_param(read, "order"), "filter-first");
    assert_string_equal(gpr_model_param(read, "batch"), "25");
    assert_null(gpr_model_param(read, "hops-file"));
    assert_ok(gpr_predict(ctx, t.model, data, classes[0], NULL));
    assert_ok(gpr_predict(ctx, read, data, classes[1], NULL));
    assert_memory_equal(classes[0], classes[1], sizeof classes[0]);
    const gpr_split *split = t.result->runs[0].split;
    for (int64_t i = 0; i < NODES; i++) {
        tested += split->part[i] == GPR_TEST;
        right += split->part[i] == GPR_TEST && classes[0][i] == data->target.labels[i];
    }
    assert_true(100.0 * (double)right / (double)tested == t.result->runs[0].info.test_accuracy);
    gpr_bytes_free(ctx, bytes.bytes);
    gpr_model_free(read);
    assert_ok(gpr_model_to_bytes(ctx, &bytes.bytes, &bytes.size, plain.model)); /* as before there was an order */
    assert_null(memmem(bytes.bytes, bytes.size, "param.order", 11));
    assert_null(memmem(bytes.bytes, bytes.size, "param.batch", 11));
    gpr_bytes_free(ctx, bytes.bytes);
    training_free(&t), training_free(&plain);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- the file of hops ---- */

static int stop_in_hops(void *user, const gpr_progress *p) {
    int *left = user;
    return strcmp(p->stage, "hops") == 0 && --*left == 0;
}

static void assert_untrained(gpr_ctx *ctx, const gpr_dataset *data, const char *const *options, gpr_status status,
                             const char *part) {
    training t = try_training(ctx, data, options);
    assert_fails(t.status, status, part);
}

static void spoil(const char *path, const void *bytes, size_t size, off_t at) {
    int fd = open(path, O_WRONLY);
    assert_int_equal(pwrite(fd, bytes, size, at), (ssize_t)size);
    close(fd);
}

static void hops_file(void **state) {
    (void)state;
    char folder[64], path[96];
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_words(ctx, 300, 40, 3), *other = new_words(ctx, 300, 44, 3);
    scratch_folder(folder);
    snprintf(path, sizeof path, "%s/hops", folder);
    training memory = train(ctx, data, OPTIONS(FIRST));
    for (int left = 1; left <= 12; left += 3) { /* of three panels with five hops each: stopped, and begun again */
        int calls = left;
        ctx->job.progress = stop_in_hops, ctx->job.user = &calls;
        assert_untrained(ctx, data, OPTIONS(FIRST, "hops-file", path), GPR_ERROR_STOPPED, "stopped");
        ctx->job.progress = NULL;
    }
    for (int again = 0; again < 2; again++) {
        training t = train(ctx, data, OPTIONS(FIRST, "hops-file", path));
        assert_same_model("with a file", memory.model, t.model);
        training_free(&t);
    }
    int never = 1; /* all hops are there: none is made */
    ctx->job.progress = stop_in_hops, ctx->job.user = &never;
    training t = train(ctx, data, OPTIONS(FIRST, "hops-file", path, "batch", "20"));
    ctx->job.progress = NULL;
    training_free(&t);
    assert_untrained(ctx, data, OPTIONS(FIRST, "hops-file", path, "seed", "2"), GPR_ERROR_MISMATCH, "labelled nodes");
    assert_untrained(ctx, data, OPTIONS(FIRST, "hops-file", path, "normalize", "none"), GPR_ERROR_MISMATCH,
                     "delete it");
    assert_untrained(ctx, other, OPTIONS(FIRST, "hops-file", path), GPR_ERROR_MISMATCH, "other data");
    int fd = open(path, O_RDONLY);
    assert_int_equal(flock(fd, LOCK_SH), 0);
    assert_untrained(ctx, data, OPTIONS(FIRST, "hops-file", path), GPR_ERROR_IO, "in use");
    close(fd);
    spoil(path, "x", 1, 40);
    assert_untrained(ctx, data, OPTIONS(FIRST, "hops-file", path), GPR_ERROR_FORMAT, "damaged");
    spoil(path, "other", 5, 0);
    assert_untrained(ctx, data, OPTIONS(FIRST, "hops-file", path), GPR_ERROR_FORMAT, "another name");
    assert_int_equal(truncate(path, 100), 0);
    assert_untrained(ctx, data, OPTIONS(FIRST, "hops-file", path), GPR_ERROR_FORMAT, "another name");
    assert_untrained(ctx, data, OPTIONS(FIRST, "hops-file", folder), GPR_ERROR_IO, folder);
    assert_untrained(ctx, data, OPTIONS(FIRST, "hops-file", "/dev/null"), GPR_ERROR_FORMAT, "regular");
    assert_int_equal(unlink(path), 0);
    assert_untrained(ctx, data, OPTIONS(FIRST, "hops-file", "/nowhere/hops"), GPR_ERROR_IO, "/nowhere/hops");
    training_free(&memory);
    gpr_dataset_free(data), gpr_dataset_free(other);
    gpr_ctx_free(ctx);
    assert_int_equal(rmdir(folder), 0);
}

/* One bit that is not what it was: no training takes the hops, and gpr_verify says so. Of bits that no part has written
   yet nothing is taken. */
static void damaged_hops(void **state) {
    (void)state;
    enum { HEADER = 4096, PLACES = 150 };
    char folder[64], path[96];
    uint8_t *bytes = NULL;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_words(ctx, 80, 30, 3);
    struct stat info;
    scratch_folder(folder);
    snprintf(path, sizeof path, "%s/hops", folder);
    training whole = train(ctx, data, OPTIONS(FIRST, "hops-file", path));
    assert_int_equal(stat(path, &info), 0);
    int fd = open(path, O_RDWR);
    bytes = malloc((size_t)info.st_size);
    assert_non_null(bytes);
    assert_int_equal(pread(fd, bytes, (size_t)info.st_size, 0), info.st_size);
    assert_ok(gpr_verify(ctx, path, NULL, NULL));
    for (int i = 0; i < PLACES; i++) { /* all bits of the first bytes, then some of all others */
        const off_t at = i < 64   ? i
                         : i < 80 ? 64 + (i - 64) * 252
                                  : HEADER + (info.st_size - HEADER) / 70 * (i - 80) + i % 4;
        const uint8_t bit = (uint8_t)(1U << (i < 64 ? i / 8 : i) % 8), spoilt = bytes[at] ^ bit;
        assert_int_equal(pwrite(fd, &spoilt, 1, at), 1);
        training t = try_training(ctx, data, OPTIONS(FIRST, "hops-file", path));
        if (t.status != GPR_ERROR_FORMAT) fail_msg("byte %d, bit %d: %s", (int)at, bit, gpr_status_name(t.status));
        assert_true(gpr_verify(ctx, path, NULL, NULL) < 0);
        assert_int_equal(pwrite(fd, &bytes[at], 1, at), 1);
    }
    training t = try_training(ctx, data, OPTIONS(FIRST, "hops-file", path));
    assert_same_model("repaired", whole.model, t.model);
    training_free(&t);
    /* a file of 0.2.0: its header ends after 48 bytes */
    const uint32_t version = 1, sum = gpri_checksum(0, bytes + 16, 32);
    memset(bytes + 48, 0, HEADER - 48);
    memcpy(bytes + 8, &version, sizeof version);
    memcpy(bytes + 12, &sum, sizeof sum);
    bytes[HEADER + 5] ^= 1; /* which nobody would find */
    assert_int_equal(pwrite(fd, bytes, (size_t)info.st_size, 0), info.st_size);
    close(fd);
    assert_ok(gpr_verify(ctx, path, NULL, NULL));
    for (int again = 0; again < 2; again++) { /* made again, and then taken */
        t = try_training(ctx, data, OPTIONS(FIRST, "hops-file", path));
        assert_same_model("an old file", whole.model, t.model);
        training_free(&t);
    }
    training_free(&whole);
    free(bytes);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* A disk that is too small is known before the work, and nothing is left on it. */
static void full_disk(void **state) {
    (void)state;
    char folder[64], path[96];
    gpri_table table;
    gpr_ctx *ctx = new_ctx(1);
    scratch_folder(folder);
    snprintf(path, sizeof path, "%s/hops", folder);
    assert_fails(gpri_table_open(ctx, &table, path, (const uint64_t[]){1, 2},
                                 (gpri_table_shape){(int64_t)1 << 40, 1, 1 << 18, 4}, "the hops"),
                 GPR_ERROR_IO, "another disk");
    assert_int_equal(table.fd, -1);
    assert_int_equal(access(path, F_OK), -1);
    gpr_ctx_free(ctx);
    assert_int_equal(rmdir(folder), 0);
}

/* ---- the run folder ---- */

/* Predictions that were streamed are those of gpr_predict; without them the folder is still whole. More nodes than a
   block of rows has. */
static void run_folder(void **state) {
    (void)state;
    enum { NODES = 70000 };
    char folder[64], path[2][160], line[256];
    static int32_t classes[NODES];
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = new_csbm(ctx, NODES, 4, 0.6);
    scratch_folder(folder);
    training t = train(
        ctx, data,
        OPTIONS("order", "filter-first", "hidden", "4", "K", "2", "epochs", "3", "batch", "9000", "split", "30/20/20"));
    training none = train(ctx, data,
                          OPTIONS("order", "filter-first", "hidden", "4", "K", "2", "epochs", "3", "batch", "9000",
                                  "split", "30/20/20", "predictions", "none"));
    assert_ok(gpr_predict(ctx, t.model, data, classes, NULL));
    snprintf(path[0], sizeof path[0], "%s/all", folder);
    snprintf(path[1], sizeof path[1], "%s/none", folder);
    assert_ok(gpr_result_save(ctx, t.result, t.model, data, path[0]));
    assert_ok(gpr_result_save(ctx, none.result, none.model, data, path[1]));
    strcat(path[0], "/predictions.csv");
    strcat(path[1], "/predictions.csv");
    assert_int_equal(access(path[1], F_OK), -1);
    FILE *file = fopen(path[0], "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    for (int64_t i = 0; i < NODES; i++) {
        long long node, class_id;
        assert_non_null(fgets(line, sizeof line, file));
        assert_int_equal(sscanf(line, "%lld,%lld,", &node, &class_id), 2);
        assert_true(node == i && class_id == classes[i]);
    }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    training_free(&t), training_free(&none);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- what does not fit ---- */

static void refused(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_words(ctx, 90, 40, 3);
    assert_untrained(ctx, data, OPTIONS("model", "gcn", "order", "filter-first"), GPR_ERROR_ARGUMENT, "gprgnn");
    assert_untrained(ctx, data, OPTIONS("batch", "10"), GPR_ERROR_ARGUMENT, "filter-first");
    assert_untrained(ctx, data, OPTIONS("hops-file", "x"), GPR_ERROR_ARGUMENT, "filter-first");
    assert_untrained(ctx, data, OPTIONS(FIRST, "smooth", "yes"), GPR_ERROR_ARGUMENT, "smooth");
    assert_untrained(ctx, data, OPTIONS(FIRST, "label-input", "yes"), GPR_ERROR_ARGUMENT, "label-input");
    assert_untrained(ctx, data, OPTIONS(FIRST, "label-counts", "yes"), GPR_ERROR_ARGUMENT, "label-counts");
    data->memory = 20000; /* bytes */
    assert_untrained(ctx, data, OPTIONS("order", "filter-first", "hidden", "1", "K", "9"), GPR_ERROR_MEMORY,
                     "hops-file");
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static gpr_status train_some(gpr_ctx *ctx, void *arg) {
    gpr_dataset *data = NULL;
    gpr_params *params = NULL;
    gpr_model *model = NULL;
    gpr_result *result = NULL;
    int32_t classes[40];
    gpr_csbm_options options;
    gpr_csbm_options_init(&options, sizeof options);
    options.nodes = 40, options.features = 6;
    gpr_status status = gpr_dataset_csbm(ctx, &data, &options);
    if (status == GPR_OK) status = gpr_params_new(ctx, &params);
    for (const char *const *at = arg; status == GPR_OK && at[0]; at += 2) status = gpr_params_set(params, at[0], at[1]);
    if (status == GPR_OK) status = gpr_train(ctx, &model, &result, data, params);
    if (status == GPR_OK) status = gpr_predict(ctx, model, data, classes, NULL);
    gpr_model_free(model);
    gpr_result_free(result);
    gpr_params_free(params);
    gpr_dataset_free(data);
    return status;
}

static void little_memory(void **state) {
    (void)state;
    fail_every_allocation(train_some,
                          (void *)(uintptr_t)OPTIONS("order", "filter-first", "K", "2", "hidden", "4", "epochs", "2",
                                                     "batch", "7", "class-weight", "balanced"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels),       cmocka_unit_test(panel_by_memory), cmocka_unit_test(threads),
        cmocka_unit_test(stops),        cmocka_unit_test(model_files),     cmocka_unit_test(hops_file),
        cmocka_unit_test(damaged_hops), cmocka_unit_test(full_disk),       cmocka_unit_test(run_folder),
        cmocka_unit_test(refused),      cmocka_unit_test(little_memory)};
    return cmocka_run_group_tests_name("filter_first", tests, NULL, NULL);
}
