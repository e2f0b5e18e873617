/* A .gpr file cut into shards: the same data as from one file; rows that are opened alone; shards that are missing, of
 * other data or damaged. */
#include "mapped_files.h"

#include "file/checksum.h"
#include "io/mapped/shards.h"
#include "walk/partition.h"

static void to_shards(raw_fixture *f, const char *from, const char *to, int64_t shards) {
    gpr_convert_options options = {.struct_size = sizeof options, .shards = shards};
    char source[256];
    snprintf(source, sizeof source, "%s", raw_path(f, from));
    const gpr_open_options in = {.struct_size = sizeof in, .data = source};
    assert_ok(gpr_convert(f->ctx, NULL, &in, raw_path(f, to), &options));
}

static gpr_status open_it(raw_fixture *f, const char *name) {
    gpr_dataset *data;
    gpr_status status = gpr_dataset_open(f->ctx, &data, raw_path(f, name), NULL);
    if (status == GPR_OK) status = gpri_dataset_ready(f->ctx, data);
    gpr_dataset_free(data);
    return status;
}

/* As large as some units, or small. */
static gpr_dataset *some_data(raw_fixture *f, int kind) {
    if (kind == 0) return new_csbm(f->ctx, 3000, 40, 0.4);
    if (kind == 1) return new_words(f->ctx, 5000, 60, 3);
    return small(f->ctx, (shape)(kind - 2), true, true);
}

static void same_data(void **state) {
    raw_fixture *f = *state;
    static const int64_t counts[] = {1, 3, 70};
    for (int kind = 0; kind < 5; kind++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            gpr_dataset *data = some_data(f, kind), *opened;
            assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "whole.gpr")));
            to_shards(f, "whole.gpr", "cut.gpr", counts[c]);
            assert_ok(gpr_dataset_open(f->ctx, &opened, raw_path(f, "cut.gpr"), NULL));
            assert_ok(gpri_dataset_ready(f->ctx, opened));
            assert_same_dataset(opened, data);
            assert_ok(gpri_dataset_unchanged(f->ctx, opened, true));
            gpr_dataset_free(opened);
            gpr_dataset_free(data);
            to_shards(f, "cut.gpr", "again.gpr", 0); /* one file again, with the same bytes */
            image a = load(f->ctx, raw_path(f, "whole.gpr")), b = load(f->ctx, raw_path(f, "again.gpr"));
            assert_int_equal(a.size, b.size);
            assert_memory_equal(a.bytes, b.bytes, (size_t)a.size);
            free(a.bytes);
            free(b.bytes);
        }
}

/* As a training deals its rows out to processes. */
static void rows_of_processes(void **state) {
    (void)state;
    static const int64_t sizes[] = {1, 63, 64, 65, 1000, 4096, 4097, 99999, 2449029};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int64_t shards = 1; shards <= 66; shards++) {
            const gpri_partition rows = gpri_partition_of(sizes[s], 64);
            for (int64_t k = 0; k <= shards; k++)
                assert_int_equal(gpri_shard_row(k, shards, sizes[s]),
                                 gpri_tile_node(&rows, gpri_block_tile(&rows, k * rows.blocks / shards)));
        }
}

/* The rows that were asked for can be read without the other files. */
static void own_rows(void **state) {
    raw_fixture *f = *state;
    enum { SHARDS = 4 };
    gpr_dataset *data = some_data(f, 0), *opened;
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "whole.gpr")));
    to_shards(f, "whole.gpr", "cut.gpr", SHARDS);
    assert_int_equal(remove(raw_path(f, "cut.gpr.1")), 0);
    assert_int_equal(remove(raw_path(f, "cut.gpr.4")), 0);
    assert_ok(gpr_dataset_open(f->ctx, &opened, raw_path(f, "cut.gpr"), NULL));
    const gpri_mapped *file = opened->backing.file;
    const int64_t first = file->shards->cuts[1], end = file->shards->cuts[2];
    assert_true(first > 0 && end < data->graph.nodes);
    assert_ok(opened->backing.rows(f->ctx, opened->backing.file, first, end));
    assert_int_equal(file->shards->open, 1);
    assert_ok(opened->backing.rows(f->ctx, opened->backing.file, first + 1, end + 1)); /* a row of the next, too */
    assert_int_equal(file->shards->open, 2);
    assert_false(opened->backing.whole(opened->backing.file));
    const gpri_graph *a = &data->graph, *b = &opened->graph;
    assert_memory_equal(a->column + a->rowptr[first], b->column + b->rowptr[first],
                        (size_t)(a->rowptr[end] - a->rowptr[first]) * 4);
    assert_memory_equal(data->features.dense + first * 40, opened->features.dense + first * 40,
                        (size_t)(end - first) * 160);
    assert_memory_equal(data->target.labels, opened->target.labels, (size_t)a->nodes * 4);
    assert_ok(gpri_dataset_unchanged(f->ctx, opened, true));
    assert_fails(gpri_dataset_ready(f->ctx, opened), GPR_ERROR_NOT_FOUND, "cut.gpr has 4 shards, and rows 0 to");
    assert_non_null(strstr(gpr_last_error(), "cut.gpr.1"));
    gpr_dataset_free(opened);
    gpr_dataset_free(data);
}

static void wrong_files(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data = some_data(f, 0), *other = some_data(f, 1), *none;
    gpr_convert_options options = {.struct_size = sizeof options, .shards = 2};
    char path[256], to[256];
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "whole.gpr")));
    assert_ok(gpr_dataset_save(f->ctx, other, raw_path(f, "other_whole.gpr")));
    to_shards(f, "whole.gpr", "cut.gpr", 3);
    to_shards(f, "whole.gpr", "two.gpr", 2);
    to_shards(f, "other_whole.gpr", "other.gpr", 3);
    static const char *const strangers[] = {"other.gpr.2", "two.gpr.2", "cut.gpr.1", "whole.gpr"};
    for (size_t s = 0; s < sizeof strangers / sizeof *strangers; s++) {
        image own = load(f->ctx, raw_path(f, "cut.gpr.2")), im = load(f->ctx, raw_path(f, strangers[s]));
        write_bytes(raw_path(f, "cut.gpr.2"), im.bytes, (size_t)im.size);
        assert_fails(open_it(f, "cut.gpr"), s < 3 ? GPR_ERROR_MISMATCH : GPR_ERROR_FORMAT,
                     s < 3 ? "is a shard of other data" : "is not a shard");
        write_bytes(raw_path(f, "cut.gpr.2"), own.bytes, (size_t)own.size);
        free(own.bytes);
        free(im.bytes);
    }
    assert_ok(open_it(f, "cut.gpr"));
    assert_fails(open_it(f, "cut.gpr.2"), GPR_ERROR_FORMAT, "give the file without the number at its end");
    snprintf(path, sizeof path, "%s", raw_path(f, "cut.gpr"));
    gpr_open_options in = {.struct_size = sizeof in, .data = path, .no_map = 1};
    assert_fails(gpr_dataset_open_with(f->ctx, &none, &in), GPR_ERROR_ARGUMENT, "leave out `no-map`");
    in.no_map = 0;
    snprintf(to, sizeof to, "%s", raw_path(f, "x.npz"));
    assert_fails(gpr_convert(f->ctx, NULL, &in, to, &options), GPR_ERROR_ARGUMENT, "only a .gpr file is cut");
    options.shards = GPRI_MOST_SHARDS + 1;
    assert_fails(gpr_convert(f->ctx, NULL, &in, raw_path(f, "x.gpr"), &options), GPR_ERROR_ARGUMENT, "from 1 to");
    gpr_dataset_free(data);
    gpr_dataset_free(other);
}

/* A bit of the head or of a shard, wherever it is not between pieces, and any length. */
static void damage(void **state) {
    raw_fixture *f = *state;
    static const char *const names[] = {"cut.gpr", "cut.gpr.1", "cut.gpr.2"};
    gpr_dataset *data = small(f->ctx, SPARSE, true, true);
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "whole.gpr")));
    to_shards(f, "whole.gpr", "cut.gpr", 2);
    gpr_dataset_free(data);
    for (int n = 0; n < 3; n++) {
        image im = load(f->ctx, raw_path(f, names[n]));
        const int64_t begin = im.size > GPRI_SHARD_UNIT ? GPRI_SHARD_UNIT : im.size;
        for (int64_t i = 0; i < im.size; i += i < 400 || i >= begin ? 7 : begin - i) {
            if (i >= 128 && n > 0 && i < begin) continue;
            im.bytes[i] ^= 16;
            write_bytes(raw_path(f, names[n]), im.bytes, (size_t)im.size);
            const gpr_status status = open_it(f, "cut.gpr"); /* bytes that are in two files may be those of the other */
            if (status != GPR_OK && status != GPR_ERROR_FORMAT && status != GPR_ERROR_MISMATCH)
                fail_msg("%s, byte %lld: %s: %s", names[n], (long long)i, gpr_status_name(status), gpr_last_error());
            if (status == GPR_OK && n == 0 && i < 128) fail_msg("byte %lld of the head may be wrong", (long long)i);
            im.bytes[i] ^= 16;
        }
        for (int64_t size = 0; size < im.size; size += size < 200 ? 9 : 6007) {
            write_bytes(raw_path(f, names[n]), im.bytes, (size_t)size);
            const gpr_status status = open_it(f, "cut.gpr");
            if (status == GPR_OK && n == 0) fail_msg("%s, %lld bytes: it opens", names[n], (long long)size);
        }
        write_bytes(raw_path(f, names[n]), im.bytes, (size_t)im.size);
        assert_ok(open_it(f, "cut.gpr"));
        free(im.bytes);
    }
}

/* Every word of the head and its tables with values of a stranger, under a checksum that is right. */
static void hostile_tables(void **state) {
    raw_fixture *f = *state;
    gpr_dataset *data = new_csbm(f->ctx, 1500, 40, 0.4);
    assert_ok(gpr_dataset_save(f->ctx, data, raw_path(f, "whole.gpr")));
    to_shards(f, "whole.gpr", "cut.gpr", 2);
    gpr_dataset_free(data);
    image im = load(f->ctx, raw_path(f, "cut.gpr"));
    gpri_shard_head *head = (gpri_shard_head *)im.bytes;
    const int64_t tables = (int64_t)sizeof *head + (head->shards + 1) * 8 + head->extents * 32;
    const int64_t values[] = {0, 1, -1, 3, 1499, 1501, 65535, 65536, 131072, 1 << 20, INT64_MAX, INT64_MIN, INT32_MAX};
    int64_t opened = 0, refused = 0;
    for (int64_t at = 24; at + 8 <= tables; at += 8)
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            int64_t old, word = values[v];
            memcpy(&old, im.bytes + at, 8);
            memcpy(im.bytes + at, &word, 8);
            head->checksum = 0;
            /* the tables that the head now says, if the file has them */
            head->checksum = gpri_checksum(0, im.bytes, tables);
            write_bytes(raw_path(f, "cut.gpr"), im.bytes, (size_t)im.size);
            const gpr_status status = open_it(f, "cut.gpr");
            if (status == GPR_OK) opened++;
            else refused++;
            if (status != GPR_OK && status != GPR_ERROR_FORMAT && status != GPR_ERROR_MISMATCH &&
                status != GPR_ERROR_MEMORY && status != GPR_ERROR_NOT_FOUND)
                fail_msg("word at %lld = %lld: %s: %s", (long long)at, (long long)word, gpr_status_name(status),
                         gpr_last_error());
            memcpy(im.bytes + at, &old, 8);
        }
    assert_true(refused > opened);
    free(im.bytes);
}

static gpr_status cut_it(gpr_ctx *ctx, void *arg) {
    raw_fixture *f = arg;
    char from[300], to[300];
    snprintf(from, sizeof from, "%s/small.gpr", f->folder);
    snprintf(to, sizeof to, "%s/to.gpr", f->folder);
    const gpr_open_options in = {.struct_size = sizeof in, .data = from};
    gpr_convert_options options = {.struct_size = sizeof options, .shards = 2};
    gpr_dataset *data = NULL;
    gpr_status status = gpr_convert(ctx, NULL, &in, to, &options);
    if (status == GPR_OK) status = gpr_dataset_open(ctx, &data, to, NULL);
    if (status == GPR_OK) status = gpri_dataset_ready(ctx, data);
    if (status == GPR_OK) status = gpri_dataset_unchanged(ctx, data, true);
    gpr_dataset_free(data);
    return status;
}

static void out_of_memory(void **state) {
    raw_fixture *f = *state;
    image im = small_image(f, SPARSE);
    fail_every_allocation(cut_it, f);
    free(im.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MAPPED_TEST(same_data),     cmocka_unit_test(rows_of_processes),
        MAPPED_TEST(own_rows),      MAPPED_TEST(wrong_files),
        MAPPED_TEST(damage),        MAPPED_TEST(hostile_tables),
        MAPPED_TEST(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
