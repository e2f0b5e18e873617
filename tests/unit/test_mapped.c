/* .gpr files: what is mapped equals what was written. */
#include <pthread.h>

#include "mapped_files.h"

/* ---- Whole files ---------------------------------------------------------------------------------- */

/* Writes, maps, compares, writes again: the same bytes. */
static void round_trip(raw_fixture *f, const gpr_dataset *data) {
    gpr_dataset *mapped;
    char first[33], second[33];
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "a.gpr")));
    assert_ok(gpr_dataset_open(f->ctx, &mapped, raw_path(f, "a.gpr"), NULL));
    assert_non_null(mapped->backing.file);
    assert_ok(gpri_dataset_ready(f->ctx, mapped));
    assert_same_dataset(data, mapped);
    const gpri_mapped *file = mapped->backing.file;
    const unsigned char *begin = file->mapping.bytes, *end = begin + file->mapping.size;
    assert_true((unsigned char *)mapped->graph.column >= begin && (unsigned char *)mapped->graph.column <= end);
    assert_true((uintptr_t)mapped->graph.rowptr % 64 == 0 && (uintptr_t)mapped->target.labels % 64 == 0);
    gpri_fingerprint(first, data);
    gpri_fingerprint(second, mapped);
    assert_string_equal(first, second);
    assert_ok(gpr_dataset_save(f->ctx, mapped, raw_path(f, "b.gpr")));
    image a = load(f->ctx, raw_path(f, "a.gpr")), b = load(f->ctx, raw_path(f, "b.gpr"));
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, (size_t)a.size);
    assert_int_equal(a.size % 64, 0);
    /* onto itself: the old file stays mapped until the dataset is freed */
    assert_ok(gpr_dataset_save(f->ctx, mapped, raw_path(f, "a.gpr")));
    assert_same_dataset(data, mapped);
    gpr_dataset_free(mapped);
    free(a.bytes);
    free(b.bytes);
}

static void every_field(void **state) {
    raw_fixture *f = *state;
    for (int features = SPARSE; features <= BARE; features++)
        for (int bits = 0; bits < 4; bits++) {
            gpr_dataset *data = small(f->ctx, (shape)features, bits & 1, bits & 2);
            round_trip(f, data);
            gpr_dataset_free(data);
        }
    gpr_dataset *made[] = {new_csbm(f->ctx, 60, 7, -0.25), new_words(f->ctx, 70, 40, 3), several(f->ctx)};
    for (int i = 0; i < 3; i++) {
        round_trip(f, made[i]);
        gpr_dataset_free(made[i]);
    }
}

/* One node, no edge, no feature, no label, no name. */
static void next_to_nothing(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data;
    gpr_dataset_desc desc = {.struct_size = sizeof desc, .name = "", .nodes = 1};
    assert_ok(gpr_dataset_new(f->ctx, &data, &desc));
    round_trip(f, data);
    gpr_dataset_free(data);
}

/* Sections of several pieces, on several threads; damage in a piece that is not the first. */
static void large(void **state) {
    raw_fixture *f = *state;
    gpr_ctx *ctx = new_ctx(3);
    gpr_dataset *data = new_words(ctx, 250000, 40, 2), *mapped;
    assert_true(data->graph.arcs * 4 > 1 << 22);
    const char *path = raw_path(f, "large.gpr");
    assert_ok(gpr_dataset_save(ctx, data, path));
    assert_ok(gpr_dataset_open(ctx, &mapped, path, NULL));
    assert_ok(gpri_dataset_ready(ctx, mapped));
    assert_same_dataset(data, mapped);
    const gpri_mapped *file = mapped->backing.file;
    const int64_t last = file->header.section[1].offset + mapped->graph.arcs * 4 - 3;
    assert_string_equal(file->header.section[1].name, "graph.column");
    gpr_dataset_free(mapped);
    image im = load(ctx, path);
    im.bytes[last] ^= 1;
    write_bytes(path, im.bytes, (size_t)im.size);
    assert_ok(gpr_dataset_open(ctx, &mapped, path, NULL));
    assert_fails(gpri_dataset_ready(ctx, mapped), GPR_ERROR_FORMAT, "section graph.column is damaged");
    assert_fails(gpri_dataset_ready(ctx, mapped), GPR_ERROR_FORMAT, "section graph.column is damaged");
    gpr_dataset_free(mapped);
    mapped_seal(im.bytes, im.size);
    write_bytes(path, im.bytes, (size_t)im.size);
    assert_ok(gpr_dataset_open(ctx, &mapped, path, NULL));
    assert_fails(gpri_dataset_ready(ctx, mapped), GPR_ERROR_FORMAT, "large.gpr: ");
    gpr_dataset_free(mapped);
    free(im.bytes);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* More than 2^31 arcs: a sparse file with a correct header and hardly any other content. */
static void beyond_32_bits(void **state) {
    raw_fixture *f = *state;
    const int64_t arcs = 3000000000, nodes = 1000;
    const char *path = raw_path(f, "huge.gpr");
    gpri_mapped_writer writer;
    gpr_dataset *data;
    const int32_t last = 999;
    assert_ok(gpri_mapped_create(f->ctx, &writer, path));
    writer.header.nodes = nodes;
    writer.header.arcs = arcs;
    writer.header.phi = NAN;
    gpri_mapped_reserve(&writer, GPRI_ROWPTR, (nodes + 1) * 8);
    gpri_mapped_reserve(&writer, GPRI_COLUMN, arcs * 4);
    const int64_t place = writer.position - 4;
    gpri_mapped_reserve(&writer, GPRI_WEIGHT, arcs * 4);
    gpri_mapped_reserve(&writer, GPRI_FEATURE_ROWPTR, (nodes + 1) * 8);
    gpri_mapped_reserve(&writer, GPRI_FEATURE_COLUMN, 0);
    gpri_mapped_reserve(&writer, GPRI_FEATURE_VALUE, 0);
    gpri_mapped_reserve(&writer, GPRI_LABELS, nodes * 4);
    assert_ok(gpri_mapped_put(&writer, GPRI_NAME, "huge", 5));
    gpr_status status = gpri_output_write_at(&writer.output, &last, sizeof last, place);
    if (status != GPR_OK) {
        print_message("skipped: no file of %lld bytes can be made here\n", (long long)writer.position);
        gpri_mapped_discard(&writer);
        return;
    }
    assert_ok(gpri_mapped_commit(&writer));
    assert_ok(gpr_dataset_open(f->ctx, &data, path, NULL));
    assert_true(data->graph.arcs == arcs);
    assert_int_equal(data->graph.column[arcs - 1], 999);
    assert_int_equal(data->graph.column[arcs - 2], 0);
    assert_true((char *)data->graph.weight - (char *)data->graph.column == arcs * 4);
    assert_true((char *)data->target.labels - (char *)data->graph.weight > arcs * 4);
    gpr_dataset_free(data);
}

/* ---- Use ------------------------------------------------------------------------------------------ */

/* The same bits from mapped and from built data, on any number of threads. */
static void same_training(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *made[] = {new_csbm(f->ctx, 200, 30, -0.5), new_words(f->ctx, 210, 60, 3)};
    for (int i = 0; i < 2; i++) {
        const char *const *options = OPTIONS("epochs", "20", "runs", "2", "split", "dense");
        gpr_ctx *ctx = new_ctx(3);
        gpr_dataset *mapped;
        const char *path = raw_path(f, "data.gpr");
        assert_ok(gpr_dataset_save(f->ctx, made[i], path));
        assert_ok(gpr_dataset_open(ctx, &mapped, path, NULL));
        training a = train(f->ctx, made[i], options), b = train(ctx, mapped, options);
        assert_same_model("mapped and built", a.model, b.model);
        float *p = calloc(210 * 3, sizeof *p), *q = calloc(210 * 3, sizeof *q);
        assert_ok(gpr_predict(f->ctx, a.model, made[i], NULL, p));
        assert_ok(gpr_predict(ctx, b.model, mapped, NULL, q));
        assert_memory_equal(p, q, 210 * 3 * sizeof *p);
        free(p);
        free(q);
        training_free(&a);
        training_free(&b);
        gpr_dataset_free(mapped);
        gpr_ctx_free(ctx);
        gpr_dataset_free(made[i]);
    }
}

/* Other features and labels instead of those of a file; the file does not change, and is still checked. */
static void replaced(void **state) {
    raw_fixture *f = *state;
    image im = small_image(f, SPARSE);
    char before[33], after[33], expected[33];
    gpr_dataset *data, *dense = small(f->ctx, DENSE, false, true), *again;
    assert_ok(gpr_dataset_open(f->ctx, &data, raw_path(f, "small.gpr"), NULL));
    gpri_dataset_drop_features(data);
    data->features = dense->features;
    dense->features = (gpri_feature_matrix){0};
    assert_ok(gpri_dataset_set_labels(data, &dense->target, "others"));
    assert_ok(gpri_dataset_ready(f->ctx, data));
    gpri_fingerprint(after, data);
    assert_ok(gpr_dataset_open(f->ctx, &again, raw_path(f, "small.gpr"), NULL));
    assert_ok(gpri_dataset_ready(f->ctx, again));
    gpri_fingerprint(before, again);
    assert_string_not_equal(before, after);
    gpr_dataset_free(again);
    gpr_dataset_free(dense);
    dense = small(f->ctx, DENSE, true, true);
    gpri_fingerprint(expected, dense);
    assert_string_equal(after, expected);
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "other.gpr")));
    gpr_dataset_free(data);
    assert_ok(gpr_dataset_open(f->ctx, &again, raw_path(f, "other.gpr"), NULL));
    assert_ok(gpri_dataset_ready(f->ctx, again));
    assert_non_null(again->features.dense);
    assert_string_equal(gpr_dataset_node_id(again, 3), "d");
    assert_null(gpr_dataset_class_name(again, 0));
    gpr_dataset_free(again);
    gpr_dataset_free(dense);
    free(im.bytes);
}

static void *ask(void *arg) {
    const gpr_dataset *data = arg;
    int64_t count;
    const int32_t *labels = gpr_dataset_labels(data, &count);
    return labels && count == 5 && strcmp(gpr_dataset_node_id(data, 3), "d") == 0 ? arg : NULL;
}

/* Two threads use a file that is not checked yet. */
static void two_threads(void **state) {
    raw_fixture *f = *state;
    image im = small_image(f, DENSE);
    for (int i = 0; i < 20; i++) {
        pthread_t threads[2];
        gpr_dataset *data;
        assert_ok(gpr_dataset_open(f->ctx, &data, raw_path(f, "small.gpr"), NULL));
        for (int t = 0; t < 2; t++) assert_int_equal(pthread_create(&threads[t], NULL, ask, data), 0);
        for (int t = 0; t < 2; t++) {
            void *answer;
            assert_int_equal(pthread_join(threads[t], &answer), 0);
            assert_ptr_equal(answer, data);
        }
        gpr_dataset_free(data);
    }
    free(im.bytes);
}

static void names_and_formats(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data = small(f->ctx, SPARSE, true, false), *other;
    assert_fails(gpr_dataset_save(f->ctx, data, raw_path(f, "a.txt")), GPR_ERROR_ARGUMENT,
                 "its name must end in .npz or .gpr");
    assert_fails(gpr_dataset_save(f->ctx, data, ".gpr"), GPR_ERROR_ARGUMENT, "must end in");
    assert_fails(gpr_dataset_save_as(f->ctx, data, raw_path(f, "a.gpr"), "gprr"), GPR_ERROR_ARGUMENT,
                 "did you mean 'gpr'? expected npz or gpr");
    assert_fails(gpr_dataset_save_as(f->ctx, data, raw_path(f, "a.gpr"), "csv"), GPR_ERROR_ARGUMENT, "npz or gpr");
    assert_int_equal(folder_files(f->folder, false), 0);
    /* under another name it is recognised by its first bytes */
    assert_ok(gpr_dataset_save_as(f->ctx, data, raw_path(f, "strange.txt"), "gpr"));
    assert_ok(gpr_dataset_open(f->ctx, &other, raw_path(f, "strange.txt"), NULL));
    assert_same_dataset(data, other);
    gpr_dataset_free(other);
    /* by its name in a folder, before an .npz */
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "known.npz")));
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "known.gpr")));
    assert_ok(gpr_dataset_open(f->ctx, &other, "known", f->folder));
    assert_non_null(other->backing.file);
    assert_string_equal(other->name, "small one");
    gpr_dataset_free(other);
    assert_ok(gpr_dataset_open_as(f->ctx, &other, "known", f->folder, "npz"));
    assert_null(other->backing.file);
    gpr_dataset_free(other);
    assert_fails(gpr_dataset_open_as(f->ctx, &other, raw_path(f, "known.npz"), NULL, "gpr"), GPR_ERROR_FORMAT,
                 "known.npz: not a .gpr file");
    write_text(raw_path(f, "short.gpr"), "text");
    assert_fails(gpr_dataset_open(f->ctx, &other, f->path, NULL), GPR_ERROR_FORMAT, "short.gpr has 4 bytes");
    write_text(raw_path(f, "short.gpr"), "");
    assert_fails(gpr_dataset_open(f->ctx, &other, f->path, NULL), GPR_ERROR_FORMAT, "short.gpr has 0 bytes");
    assert_fails(gpr_dataset_open_as(f->ctx, &other, f->folder, NULL, "gpr"), GPR_ERROR_FORMAT, "is a folder");
    assert_fails(gpr_dataset_open_as(f->ctx, &other, "/none.gpr", NULL, "gpr"), GPR_ERROR_NOT_FOUND, "/none.gpr");
    gpr_dataset_free(data);
    char *long_name = malloc((1 << 20) + 1);
    memset(long_name, 'a', 1 << 20);
    long_name[1 << 20] = 0;
    gpr_dataset_desc desc = {.struct_size = sizeof desc, .name = long_name, .nodes = 1};
    assert_ok(gpr_dataset_new(f->ctx, &data, &desc));
    assert_fails(gpr_dataset_save(f->ctx, data, raw_path(f, "long.gpr")), GPR_ERROR_ARGUMENT, "the dataset's name");
    assert_true(access(f->path, F_OK) != 0);
    gpr_dataset_free(data);
    free(long_name);
}

/* ---- Memory --------------------------------------------------------------------------------------- */

static gpr_status open_and_save(gpr_ctx *ctx, void *arg) {
    raw_fixture *f = arg;
    gpr_dataset *data = NULL;
    gpr_status status = gpr_dataset_open(ctx, &data, raw_path(f, "small.gpr"), NULL);
    if (status == GPR_OK) status = gpr_dataset_save(ctx, data, raw_path(f, "again.gpr"));
    gpr_dataset_free(data);
    return status;
}

static void little_memory(void **state) {
    raw_fixture *f = *state;
    image im = small_image(f, SPARSE);
    fail_every_allocation(open_and_save, f);
    assert_int_equal(folder_files(f->folder, false), 2);
    free(im.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MAPPED_TEST(every_field),       MAPPED_TEST(next_to_nothing), MAPPED_TEST(large),
        MAPPED_TEST(beyond_32_bits),

        MAPPED_TEST(same_training),     MAPPED_TEST(two_threads),     MAPPED_TEST(little_memory),
        MAPPED_TEST(names_and_formats), MAPPED_TEST(replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
