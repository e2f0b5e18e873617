/* The digest of a model file: files of all models, damaged in many ways, never give other predictions. And numbers that
 * are not finite, tensors that do not cover the data, files without a digest. */
#include <math.h>

#include "model_files.h"

static blob file_of(gpr_ctx *ctx, const gpr_dataset *data, const char *kind) {
    const char *options[16];
    training t =
        train(ctx, data,
              options_for(options, kind,
                          OPTIONS("epochs", "3", "split", "50/25/25", "hidden", "4", "embedding", "poincare")));
    assert_ok(gpr_model_save(ctx, t.model, in_folder("kind")));
    training_free(&t);
    return read_blob(in_folder("kind"));
}

/* ---- damage ---- */

typedef struct {
    gpri_random stream;
    uint64_t draw;
} dice;

static size_t roll(dice *d, size_t sides) { return (size_t)gpri_uniform_below(d->stream, d->draw++, sides); }

static void put_bytes(blob *file, size_t at, const char *bytes, size_t count) {
    file->bytes = realloc(file->bytes, file->size + count + 1);
    memmove(file->bytes + at + count, file->bytes + at, file->size - at + 1);
    memcpy(file->bytes + at, bytes, count);
    file->size += count;
}

static void cut_bytes(blob *file, size_t at, size_t count) {
    memmove(file->bytes + at, file->bytes + at + count, file->size - at - count + 1);
    file->size -= count;
}

static void swap_blocks(blob *file, size_t a, size_t b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char kept = file->bytes[a + i];
        file->bytes[a + i] = file->bytes[b + i];
        file->bytes[b + i] = kept;
    }
}

/* Another digit in the place of one of the header. */
static void change_digit(blob *file, dice *d) {
    uint64_t length;
    memcpy(&length, file->bytes, sizeof length);
    size_t at = roll(d, (size_t)length);
    for (size_t tried = 0; tried < length; tried++, at = (at + 1) % (size_t)length) {
        char *digit = file->bytes + 8 + at;
        if (*digit < '0' || *digit > '9') continue;
        *digit = (char)('0' + (*digit - '0' + 1 + (int)roll(d, 9)) % 10);
        return;
    }
}

enum { FLIP, SET, SWAP, TRUNCATE, EXTEND, INSERT, DELETE, DIGIT, ZEROS, WAYS };

static blob damaged(const blob *whole, dice *d, int way) {
    blob file = {malloc(whole->size + 1), whole->size};
    memcpy(file.bytes, whole->bytes, whole->size + 1);
    const size_t at = roll(d, file.size), some = 1 + roll(d, 64);
    const size_t room = file.size - at < some ? file.size - at : some;
    char noise[64];
    for (size_t i = 0; i < sizeof noise; i++) noise[i] = (char)roll(d, 256);
    switch (way) {
    case FLIP: file.bytes[at] ^= (char)(1 << roll(d, 8)); break;
    case SET: file.bytes[at] = noise[0]; break;
    case SWAP: swap_blocks(&file, at / 2, at / 2 + file.size / 2 - some / 2, some / 2); break;
    case TRUNCATE: file.size = at; break;
    case EXTEND: put_bytes(&file, file.size, noise, some); break;
    case INSERT: put_bytes(&file, at, noise, some); break;
    case DELETE: cut_bytes(&file, at, room); break;
    case DIGIT: change_digit(&file, d); break;
    default: memset(file.bytes + at, 0, room); break;
    }
    return file;
}

typedef struct {
    int refused, equal, other, failed; /* failed: it was accepted, and then no prediction was made */
} outcome;

/* What becomes of `trials` damaged files. */
static outcome count_damage(gpr_ctx *ctx, bool old, int trials) {
    outcome count = {0};
    gpr_dataset *data = small_data(ctx);
    dice d = {.stream = gpri_random_of(4711, GPRI_RANDOM_TEST, 0, old)};
    char kinds[MOST_MODELS][16];
    const int models = model_words(kinds);
    for (int k = 0; k < models; k++) {
        float want[NODES * CLASSES], got[NODES * CLASSES];
        gpr_model *model;
        blob whole = file_of(ctx, data, kinds[k]);
        if (old) {
            make_version_1(in_folder("kind"));
            free(whole.bytes);
            whole = read_blob(in_folder("kind"));
        }
        assert_ok(gpr_model_from_bytes(ctx, &model, whole.bytes, whole.size));
        assert_ok(gpr_predict(ctx, model, data, NULL, want));
        gpr_model_free(model);
        for (int trial = 0; trial < trials / models; trial++) {
            blob file = damaged(&whole, &d, trial % WAYS);
            const bool same = file.size == whole.size && memcmp(file.bytes, whole.bytes, file.size) == 0;
            if (gpr_model_from_bytes(ctx, &model, file.bytes, file.size) != GPR_OK) count.refused++;
            else if (gpr_predict(ctx, model, data, NULL, got) != GPR_OK) count.failed++;
            else if (memcmp(want, got, sizeof want) == 0) count.equal++;
            else count.other++;
            if (model && !old && !same) fail_msg("%s, trial %d: a damaged file was accepted", kinds[k], trial);
            gpr_model_free(model);
            free(file.bytes);
        }
        free(whole.bytes);
    }
    gpr_dataset_free(data);
    print_message("%d damaged files of version %d: %d refused, %d accepted with equal predictions, %d with other "
                  "predictions, %d accepted without a prediction\n",
                  trials, old ? 1 : 2, count.refused, count.equal, count.other, count.failed);
    return count;
}

static void damage(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    outcome now = count_damage(ctx, false, 2000);
    assert_int_equal(now.other, 0);
    assert_int_equal(now.failed, 0);
    assert_true(now.refused >= 1950); /* some damage changes nothing: a byte set to what it was */
    /* and the damage is real: without a digest it goes unnoticed */
    assert_true(count_damage(ctx, true, 500).other > 20);
    gpr_ctx_free(ctx);
}

/* Every byte, changed by one bit. */
static void every_byte(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    save_small(ctx, in_folder("whole"));
    blob whole = read_blob(in_folder("whole"));
    gpr_model *model;
    for (size_t at = 0; at < whole.size; at++) {
        whole.bytes[at] ^= (char)(1 << at % 8);
        if (gpr_model_from_bytes(ctx, &model, whole.bytes, whole.size) != GPR_ERROR_FORMAT)
            fail_msg("byte %zu, changed by a bit, is not noticed", at);
        assert_null(model);
        whole.bytes[at] ^= (char)(1 << at % 8);
    }
    assert_ok(gpr_model_from_bytes(ctx, &model, whole.bytes, whole.size));
    gpr_model_free(model);
    free(whole.bytes);
    gpr_ctx_free(ctx);
}

/* ---- with the right digest ---- */

/* The small model with number `place` of the data replaced. */
static const char *with_number(int place, float number) {
    blob file = read_blob(in_folder("whole"));
    uint64_t length;
    memcpy(&length, file.bytes, sizeof length);
    memcpy(file.bytes + 8 + length + (size_t)place * sizeof number, &number, sizeof number);
    make_digest_right(file.bytes, file.size);
    write_bytes(in_folder("altered"), file.bytes, file.size);
    free(file.bytes);
    return in_folder("altered");
}

static void not_finite(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_model *model;
    save_small(ctx, in_folder("whole"));
    assert_refused(ctx, with_number(0, NAN), GPR_ERROR_FORMAT, "weight lin1.weight: number 0, counted from 0, is NaN");
    assert_refused(ctx, with_number(34, -INFINITY), GPR_ERROR_FORMAT,
                   "weight lin1.weight: number 34, counted from 0, is infinite");
    assert_refused(ctx, with_number(35 + 5 + 15 + 3 + 4, INFINITY), GPR_ERROR_FORMAT, "weight prop1.temp: number 4");
    assert_ok(gpr_model_load(ctx, &model, with_number(0, 3e38f)));
    gpr_model_free(model);

    static const struct {
        const char *key, *value, *message;
    } cases[] = {{"column_means", "[0,0,0,1e39,0,0,0]", "metadata 'column_means': entry 3 is not a finite number"},
                 {"column_factors", "[1,1,1,1,1,1,1e999]", "not a list of 7 entries"}, /* JSON has no such number */
                 {"param.lr", "nan", "lr is 'nan'"},
                 {"param.alpha", "inf", "alpha is inf"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        safetensors s = safetensors_read(in_folder("whole"));
        json_t *meta = json_object_get(s.header, "__metadata__");
        json_object_set_new(meta, "column_means", json_string("[0,0,0,0,0,0,0]"));
        json_object_set_new(meta, "column_factors", json_string("[1,1,1,1,1,1,1]"));
        json_object_set_new(meta, cases[i].key, json_string(cases[i].value));
        safetensors_write(&s, in_folder("altered"));
        safetensors_free(&s);
        assert_refused(ctx, in_folder("altered"), GPR_ERROR_FORMAT, cases[i].message);
    }
    gpr_ctx_free(ctx);
}

/* The two biases of the small model: 5 numbers at byte 140, 3 at 220. */
static void overlaps_and_gaps(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    save_small(ctx, in_folder("whole"));
    static const char rest[8];
    static const struct {
        int begin, end; /* of lin2.bias */
        size_t more;    /* bytes after the last */
        const char *message;
    } cases[] = {{216, 228, 0, "weight lin2.bias begins at byte 216 of the data, and what is before it ends at 220"},
                 {140, 152, 0, "begins at byte 140 of the data, and what is before it ends at"},
                 {220, 232, 4, "its weights end at byte 252 of the data, which has 256"},
                 {244, 256, 4, "weight prop1.temp begins at byte 232 of the data, and what is before it ends at 220"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        safetensors s = safetensors_read(in_folder("whole"));
        json_t *entry = json_object_get(s.header, "lin2.bias");
        assert_int_equal(s.data_size, 252);
        assert_int_equal(json_object_set_new(entry, "data_offsets", json_pack("[ii]", cases[i].begin, cases[i].end)),
                         0);
        char *data = malloc(s.data_size + sizeof rest);
        memcpy(data, s.data, s.data_size);
        memcpy(data + s.data_size, rest, sizeof rest);
        s.data = data;
        s.data_size += cases[i].more;
        safetensors_write(&s, in_folder("altered"));
        assert_refused(ctx, in_folder("altered"), GPR_ERROR_FORMAT, cases[i].message);
        free(data);
        safetensors_free(&s);
    }
    gpr_ctx_free(ctx);
}

/* ---- without a digest ---- */

static void note(void *user, gpr_log_level level, const char *line) {
    (void)level;
    snprintf(user, 256, "%s", line);
}

static void files_without_a_digest(void **state) {
    (void)state;
    char line[256] = "";
    gpr_ctx *ctx, *quiet = new_ctx(1);
    gpr_model *model;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .log = note, .user = line};
    assert_ok(gpr_ctx_new(&ctx, &options));
    save_small(quiet, in_folder("new"));
    assert_ok(gpr_model_load(ctx, &model, in_folder("new")));
    gpr_model_free(model);
    assert_string_equal(line, "");
    save_small(quiet, in_folder("old"));
    make_version_1(in_folder("old"));
    assert_ok(gpr_model_load(ctx, &model, in_folder("old")));
    gpr_model_free(model);
    assert_non_null(strstr(line, "old: of format version 1, without a digest: damage may go unnoticed"));

    /* a version that was changed does not switch the digest off */
    blob file = read_blob(in_folder("new"));
    char *version = strstr(file.bytes + 8, "\"format_version\":\"2\"");
    assert_non_null(version);
    version[strlen("\"format_version\":\"")] = '1';
    write_bytes(in_folder("changed"), file.bytes, file.size);
    assert_refused(ctx, in_folder("changed"), GPR_ERROR_FORMAT, "its digest (sha256) does not fit its content");
    free(file.bytes);
    gpr_ctx_free(quiet);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(damage, empty_folder), cmocka_unit_test_teardown(every_byte, empty_folder),
        cmocka_unit_test_teardown(not_finite, empty_folder), cmocka_unit_test_teardown(overlaps_and_gaps, empty_folder),
        cmocka_unit_test_teardown(files_without_a_digest, empty_folder)};
    scratch_folder(folder);
    int failed = cmocka_run_group_tests_name("model_digest", tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
