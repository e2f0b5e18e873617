/* Shards of a stranger: every field of the head, of the header in it and of the shards, and numbers in the sections,
 * under checksums that are right; other things than files in their places; and copies that differ between processes.
 * Whatever is there, it opens or there is a message: nothing crashes, also under the sanitizers. */
#include <sys/stat.h>
#include <unistd.h>

#include "mapped_files.h"
#include "thread_group.h"

#include "base/random.h"
#include "io/mapped/shards.h"

enum { SHARDS = 2, FILES = SHARDS + 1 };

/* The files as bytes, and the .gpr file that they are pieces of. */
typedef struct {
    raw_fixture *f;
    image files[FILES]; /* the head first */
    image whole;
} pieces;

static const char *name_of(int file) {
    static const char *const names[FILES] = {"cut.gpr", "cut.gpr.1", "cut.gpr.2"};
    return names[file];
}

static gpri_shard_head *head_of(const pieces *p, int file) { return (gpri_shard_head *)(void *)p->files[file].bytes; }

static gpri_shard_extent *extents_of(const pieces *p) {
    return (gpri_shard_extent *)(void *)(p->files[0].bytes + sizeof(gpri_shard_head) + (SHARDS + 1) * 8);
}

/* Calls for each extent: its bytes in its file, and in the whole. */
static void copy_extents(const pieces *p, bool to_whole) {
    for (int64_t k = 0; k < head_of(p, 0)->extents; k++) {
        const gpri_shard_extent *e = &extents_of(p)[k];
        unsigned char *in_file = p->files[e->file].bytes + e->offset, *in_whole = p->whole.bytes + e->place;
        memcpy(to_whole ? in_whole : in_file, to_whole ? in_file : in_whole, (size_t)e->bytes);
    }
}

static void make(pieces *p, raw_fixture *f, gpr_dataset *data) {
    gpr_convert_options options = {.struct_size = sizeof options, .shards = SHARDS};
    char source[300];
    *p = (pieces){.f = f};
    snprintf(source, sizeof source, "%s", raw_path(f, "whole.gpr"));
    assert_ok(gpr_dataset_save(f->ctx, data, source));
    gpr_dataset_free(data);
    const gpr_open_options in = {.struct_size = sizeof in, .data = source};
    assert_ok(gpr_convert(f->ctx, NULL, &in, raw_path(f, "cut.gpr"), &options));
    for (int i = 0; i < FILES; i++) p->files[i] = load(f->ctx, raw_path(f, name_of(i)));
    p->whole = load(f->ctx, raw_path(f, "whole.gpr"));
}

static void clear(pieces *p) {
    for (int i = 0; i < FILES; i++) free(p->files[i].bytes);
    free(p->whole.bytes);
}

static void seal_head(const pieces *p) {
    gpri_shard_head *head = head_of(p, 0);
    head->checksum = 0;
    head->checksum =
        gpri_checksum(0, p->files[0].bytes,
                      (int64_t)sizeof *head + (SHARDS + 1) * 8 + head->extents * (int64_t)sizeof *extents_of(p));
}

/* All checksums. */
static void seal(const pieces *p) {
    for (int64_t k = 0; k < head_of(p, 0)->extents; k++) {
        gpri_shard_extent *e = &extents_of(p)[k];
        e->checksum = gpri_checksum(0, p->files[e->file].bytes + e->offset, e->bytes);
    }
    seal_head(p);
}

static gpr_status try_files(const pieces *p) {
    gpr_dataset *data = NULL;
    gpr_dataset_info info = {.struct_size = sizeof info};
    for (int i = 0; i < FILES; i++)
        write_bytes(raw_path(p->f, name_of(i)), p->files[i].bytes, (size_t)p->files[i].size);
    gpr_status status = gpr_dataset_open(p->f->ctx, &data, raw_path(p->f, "cut.gpr"), NULL);
    if (status == GPR_OK) status = gpr_dataset_describe(p->f->ctx, data, &info);
    if (status != GPR_OK && status != GPR_ERROR_FORMAT && status != GPR_ERROR_MISMATCH && status != GPR_ERROR_MEMORY &&
        status != GPR_ERROR_NOT_FOUND && status != GPR_ERROR_IO) /* the last: another checksum of a piece */
        fail_msg("%s: %s", gpr_status_name(status), gpr_last_error());
    if (status != GPR_OK && !strstr(gpr_last_error(), "cut.gpr")) fail_msg("no file is named: %s", gpr_last_error());
    gpr_dataset_free(data);
    return status;
}

static const int64_t odd[] = {0,
                              1,
                              -1,
                              2,
                              4,
                              7,
                              255,
                              1499,
                              1500,
                              1501,
                              65535,
                              65536,
                              65600,
                              131072,
                              1 << 20,
                              INT32_MAX,
                              (int64_t)1 << 40,
                              (int64_t)1 << 62,
                              INT64_MAX / 8,
                              INT64_MAX,
                              INT64_MIN,
                              INT64_MIN / 2};
enum { ODD = sizeof odd / sizeof *odd };

/* Every word of the header of the .gpr file, which is in the head. */
static void inner_header(void **state) {
    pieces p;
    make(&p, *state, new_csbm(((raw_fixture *)*state)->ctx, 1500, 20, 0.4));
    int64_t refused = 0;
    for (size_t at = 16; at + 8 <= sizeof(gpri_mapped_header); at += 8)
        for (int v = 0; v < ODD; v += at < 128 ? 2 : 11) {
            int64_t old;
            memcpy(&old, p.whole.bytes + at, 8);
            memcpy(p.whole.bytes + at, &odd[(size_t)v], 8);
            mapped_seal(p.whole.bytes, p.whole.size);
            copy_extents(&p, false);
            seal(&p);
            refused += try_files(&p) != GPR_OK;
            memcpy(p.whole.bytes + at, &old, 8);
        }
    assert_true(refused > 100);
    mapped_seal(p.whole.bytes, p.whole.size);
    copy_extents(&p, false);
    seal(&p);
    assert_ok(try_files(&p));
    clear(&p);
}

/* A number in a section becomes another one. */
static void change_section(const pieces *p, uint64_t draw) {
    const gpri_mapped_section *s = &p->whole.header->section[draw % p->whole.header->sections];
    const int64_t size = strcmp(s->type, "int64") == 0 ? 8 : strcmp(s->type, "bytes") == 0 ? 1 : 4;
    if (s->bytes < size) return;
    const int64_t at = s->offset + (int64_t)(draw >> 8) % (s->bytes / size) * size;
    memcpy(p->whole.bytes + at, &odd[(draw >> 40) % ODD], (size_t)size);
}

/* Several at once: sections, tables, heads of shards, lengths. */
static void at_random(void **state) {
    enum { TRIES = 150 };
    const gpri_random random = gpri_random_of(5, GPRI_RANDOM_TEST, 0, 0);
    pieces right;
    make(&right, *state, new_words(((raw_fixture *)*state)->ctx, 1500, 30, 3));
    int64_t opened = 0;
    for (uint64_t i = 0; i < TRIES; i++) {
        const philox4x32_ctr_t draw = gpri_random_block(random, i);
        pieces p = {.f = right.f, .whole = copy_of(&right.whole)};
        for (int k = 0; k < FILES; k++) p.files[k] = copy_of(&right.files[k]);
        const int what = draw.v[0] % 5, file = (int)(draw.v[1] % FILES);
        if (what < 3)
            for (uint32_t k = 0; k <= draw.v[2] % 3; k++)
                change_section(&p, (uint64_t)draw.v[3] * 0x9e3779b97f4a7c15u * (k + 1));
        mapped_seal(p.whole.bytes, p.whole.size);
        copy_extents(&p, false);
        seal(&p);
        if (what == 2 || what == 3) { /* a word of a head or of the tables */
            const int64_t words = file ? 16 : 16 + SHARDS + 1 + 4 * head_of(&p, 0)->extents,
                          extents = head_of(&p, 0)->extents;
            memcpy(p.files[file].bytes + 8 * (2 + draw.v[3] % (uint64_t)(words - 2)), &odd[draw.v[2] % ODD], 8);
            if (extents == head_of(&p, 0)->extents) seal_head(&p);
        }
        if (what == 4) p.files[file].size = (int64_t)(draw.v[2] % (uint64_t)p.files[file].size);
        opened += try_files(&p) == GPR_OK;
        clear(&p);
    }
    assert_true(opened < TRIES / 2);
    clear(&right);
}

/* A shard puts other bytes over those of the head: these stay. */
static void over_the_head(void **state) {
    pieces p;
    make(&p, *state, new_csbm(((raw_fixture *)*state)->ctx, 1500, 20, 0.4));
    for (int64_t k = 0; k < head_of(&p, 0)->extents; k++)
        if (extents_of(&p)[k].file == 2) { /* row pointers of nobody */
            extents_of(&p)[k].place = 0;
            extents_of(&p)[k].bytes = GPRI_SHARD_UNIT;
            memset(p.files[2].bytes + extents_of(&p)[k].offset, 0x7f, GPRI_SHARD_UNIT);
            seal(&p);
            (void)try_files(&p);
            break;
        }
    clear(&p);
}

/* ---- other things than files ---- */

static gpr_status open_rows_of(raw_fixture *f, const char *path) {
    gpr_dataset *data = NULL;
    gpr_status status = gpr_dataset_open(f->ctx, &data, path, NULL);
    if (status == GPR_OK) status = gpri_dataset_ready(f->ctx, data);
    gpr_dataset_free(data);
    return status;
}

static void no_files(void **state) {
    raw_fixture *f = *state;
    pieces p;
    char head[300], shard[300], other[300];
    make(&p, f, new_csbm(f->ctx, 1500, 20, 0.4));
    snprintf(head, sizeof head, "%s", raw_path(f, "cut.gpr"));
    snprintf(shard, sizeof shard, "%s", raw_path(f, "cut.gpr.2"));
    snprintf(other, sizeof other, "%s", raw_path(f, "cut.gpr.1"));
    for (int kind = 0; kind < 6; kind++) {
        assert_int_equal(unlink(shard), 0);
        switch (kind) {
        case 0: break;
        case 1: assert_int_equal(mkdir(shard, 0700), 0); break;
        case 2: assert_int_equal(symlink("cut.gpr.2", shard), 0); break; /* to itself */
        case 3: assert_int_equal(mkfifo(shard, 0600), 0); break;
        case 4: write_bytes(shard, "", 0); break;
        default: assert_int_equal(symlink(other, shard), 0); /* the other shard */
        }
        const gpr_status status = open_rows_of(f, head);
        if (status >= 0 || !strstr(gpr_last_error(), "cut.gpr.2"))
            fail_msg("kind %d: %s: %s", kind, gpr_status_name(status), gpr_last_error());
        if (kind == 1) assert_int_equal(rmdir(shard), 0);
        if (kind < 2) write_bytes(shard, "", 0);
    }
    assert_int_equal(unlink(shard), 0);
    for (int i = 1; i < FILES; i++) /* one in the place of the other */
        write_bytes(raw_path(f, name_of(FILES - i)), p.files[i].bytes, (size_t)p.files[i].size);
    assert_fails(open_rows_of(f, head), GPR_ERROR_MISMATCH, "is a shard of other data");
    clear(&p);
}

/* ---- in several processes ---- */

typedef struct {
    member self; /* first */
    char path[300];
    gpr_status status;
    char said[1024];
} actor;

static void *act(void *arg) {
    actor *me = arg;
    gpr_ctx *ctx;
    gpr_dataset *data = NULL;
    const gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1};
    assert_ok(gpr_ctx_new(&ctx, &options));
    ctx->job.group = &me->self.group;
    ctx->job.close_group = me->self.group.close;
    me->status = gpr_dataset_open(ctx, &data, me->path, NULL);
    if (me->status == GPR_OK) {
        gpr_params *params = new_params(ctx, OPTIONS("epochs", "1"));
        training t = {.status = GPR_OK};
        me->status = gpr_train(ctx, &t.model, &t.result, data, params);
        if (me->status < 0) snprintf(me->said, sizeof me->said, "%s", gpr_last_error());
        training_free(&t);
        gpr_params_free(params);
    }
    (void)gpr_ctx_leave(ctx, me->status < 0);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    return NULL;
}

/* Process 1 has files of its own. */
static void train_with(actor *actors, raw_fixture *f) {
    world all;
    pthread_t threads[SHARDS];
    begin_world(&all, SHARDS);
    for (int64_t i = 0; i < SHARDS; i++) {
        actors[i] = (actor){.status = GPR_OK};
        snprintf(actors[i].path, sizeof actors[i].path, "%s", raw_path(f, i ? "own.gpr" : "cut.gpr"));
        join_world(&all, &actors[i].self, i, GPRI_SPREAD_ROWS);
        assert_int_equal(pthread_create(&threads[i], NULL, act, &actors[i]), 0);
    }
    for (int64_t i = 0; i < SHARDS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    end_world(&all);
}

/* The files of one process. */
static void write_copy(const pieces *p, int process) {
    char shard[32];
    snprintf(shard, sizeof shard, "%s.gpr.%d", process ? "own" : "cut", process + 1);
    write_bytes(raw_path(p->f, process ? "own.gpr" : "cut.gpr"), p->files[0].bytes, (size_t)p->files[0].size);
    write_bytes(raw_path(p->f, shard), p->files[process + 1].bytes, (size_t)p->files[process + 1].size);
}

/* An element of a section that is in no unit of another section, if it has so many: of the rows of the process. */
static unsigned char *element(const pieces *p, const char *name, int process) {
    const gpri_mapped_section *of = section(&p->whole, name);
    return p->whole.bytes + of->offset + (process ? of->bytes * 3 / 4 : of->bytes / 4) / 16 * 16;
}

/* The copy of one process differs in a section; the checksums of its pieces are right. */
static void copies_differ(void **state) {
    raw_fixture *f = *state;
    static const char *const sections[] = {"graph.rowptr", "labels", "graph.column", "feature.dense"};
    actor actors[SHARDS];
    pieces p;
    make(&p, f, new_csbm(f->ctx, 1500, 200, 0.4));
    for (int i = 0; i < SHARDS; i++) write_copy(&p, i);
    train_with(actors, f);
    for (int i = 0; i < SHARDS; i++) assert_ok(actors[i].status);
    for (int k = 0; k < 8; k++) {
        unsigned char *at = element(&p, sections[k / 2], k % 2), old[16];
        memcpy(old, at, 16);
        memset(at, 0xff, 16); /* -1, or NaN: no row, no node and no feature */
        copy_extents(&p, false);
        seal(&p);
        write_copy(&p, k % 2);
        train_with(actors, f);
        for (int i = 0; i < SHARDS; i++)
            if (actors[i].status != GPR_ERROR_FORMAT)
                fail_msg("%s of process %d, process %d: %s: %s", sections[k / 2], k % 2, i,
                         gpr_status_name(actors[i].status), actors[i].said);
        memcpy(at, old, 16);
        copy_extents(&p, false);
        seal(&p);
        write_copy(&p, k % 2);
    }
    clear(&p);
}

/* A number that no program writes, under right checksums: the process without these rows says the same. */
static void wrong_rows(void **state) {
    raw_fixture *f = *state;
    actor actors[SHARDS];
    pieces p;
    make(&p, f, new_csbm(f->ctx, 1500, 200, 0.4));
    memset(element(&p, "feature.dense", 1), 0xff, 16);
    mapped_seal(p.whole.bytes, p.whole.size);
    copy_extents(&p, false);
    seal(&p);
    for (int i = 0; i < SHARDS; i++) write_copy(&p, i);
    train_with(actors, f);
    for (int i = 0; i < SHARDS; i++) {
        assert_int_equal(actors[i].status, GPR_ERROR_FORMAT);
        if (!strstr(actors[i].said, "every feature must be a finite number")) fail_msg("%s", actors[i].said);
    }
    clear(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {MAPPED_TEST(inner_header),  MAPPED_TEST(at_random),
                                       MAPPED_TEST(over_the_head), MAPPED_TEST(no_files),
                                       MAPPED_TEST(copies_differ), MAPPED_TEST(wrong_rows)};
    return cmocka_run_group_tests_name("shards_hostile", tests, NULL, NULL);
}
