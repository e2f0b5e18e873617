/* file/source.c: pieces of whole lines from plain and packed files, of any size of piece. */
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

#include "failing_memory.h"
#include "file/source.h"
#include "text_files.h"

enum { MOST = 1 << 16 };

/* All pieces of the file, one after another; checks what a piece promises. */
static gpr_status read_all(gpr_ctx *ctx, const char *path, int64_t piece, bool ahead, char *text, int64_t *lines) {
    gpr_status status = GPR_OK;
    gpri_source *in;
    gpri_lines part;
    size_t size = 0;
    *lines = 0;
    TRY(gpri_source_open(ctx, &in, path, piece));
    for (;;) {
        TRY(gpri_source_next(in, &part));
        if (part.size == 0) break;
        if (ahead) gpri_source_prefetch(in);
        assert_int_equal(part.first_line, *lines + 1);
        assert_int_equal(part.text[part.size - 1], '\n');
        int64_t count = 0;
        for (int64_t i = 0; i < part.size; i++) count += part.text[i] == '\n';
        assert_int_equal(part.count, count);
        *lines += count;
        assert_true(size + (size_t)part.size < MOST);
        memcpy(text + size, part.text, (size_t)part.size);
        size += (size_t)part.size;
    }
    assert_true(gpri_source_ended(in));
done:
    text[size] = 0;
    gpri_source_close(in);
    return status;
}

/* Plain and packed, with pieces of many sizes, read ahead or not: always the same text. */
static void same_everywhere(const text_fixture *f, const char *given, const char *expected, int64_t lines) {
    static const int64_t pieces[] = {0, 1, 2, 3, 7, 8, 64, 1000};
    static char text[MOST];
    for (int packed = 0; packed < 2; packed++) {
        if (packed) write_gzip(f, given);
        else write_text(f, given);
        for (size_t k = 0; k < 2 * sizeof pieces / sizeof *pieces; k++) {
            int64_t found;
            assert_ok(read_all(f->ctx, f->path, pieces[k / 2], k % 2, text, &found));
            assert_string_equal(text, expected);
            assert_int_equal(found, lines);
        }
    }
}

static void test_blocks(void **state) {
    const text_fixture *f = *state;
    same_everywhere(f, "", "", 0);
    same_everywhere(f, "\n", "\n", 1);
    same_everywhere(f, "a", "a\n", 1);
    same_everywhere(f, "a\nbc\n\nlonger than the pieces\nend", "a\nbc\n\nlonger than the pieces\nend\n", 5);
    same_everywhere(f, "one\r\ntwo\r\n", "one\r\ntwo\r\n", 2);
    same_everywhere(f, "\xef\xbb\xbfid,x\n1,2\n", "id,x\n1,2\n", 2);
    same_everywhere(f, "\xef\xbb\xbf", "\n", 1);
    char many[5000], *to = many;
    for (int i = 0; i < 1000; i++) to += sprintf(to, "%d\n", i);
    same_everywhere(f, many, many, 1000);
}

/* Old Macs ended lines with '\r'. Mixed ends are all ends, wherever a piece is cut. */
static void test_line_ends(void **state) {
    const text_fixture *f = *state;
    same_everywhere(f, "a\rbc\r\rd", "a\nbc\n\nd\n", 4);
    same_everywhere(f, "a\rbc\r", "a\nbc\r\n", 2);
    same_everywhere(f, "\r", "\r\n", 1);
    same_everywhere(f, "one\ntwo\rthree\r\nfour\r\r\nfive\n\rsix", "one\ntwo\nthree\r\nfour\n\r\nfive\n\nsix\n", 8);
    char many[8000], wanted[8000], *to = many, *and = wanted;
    for (int i = 0; i < 1000; i++) {
        to += sprintf(to, "%d%s", i, i % 7 ? "\r" : "\r\n");
        and += sprintf(and, "%d%s", i, i % 7 ? "\n" : "\r\n");
    }
    strcpy(and-1, "\r\n"); /* the last '\r' ends the text */
    same_everywhere(f, many, wanted, 1000);
    char text[] = "a\rb\r\nc\r";
    gpri_end_lines(text, (int64_t)strlen(text));
    assert_string_equal(text, "a\nb\r\nc\n");
}

static void test_check(void **state) {
    const text_fixture *f = *state;
    unsigned char *bytes = NULL;
    size_t size = 0;
    write_text(f, "a\nb");
    assert_ok(gpri_source_check(f->ctx, f->path));
    add_member(&bytes, &size, "one\ntwo\n", 8);
    bytes[size - 8] ^= 1; /* the checksum */
    write_bytes(f, bytes, size);
    assert_fails(gpri_source_check(f->ctx, f->path), GPR_ERROR_FORMAT, "the gzip data is damaged");
    free(bytes);
}

static void test_members(void **state) {
    const text_fixture *f = *state;
    unsigned char *bytes = NULL;
    size_t size = 0;
    char text[100];
    int64_t lines;
    add_member(&bytes, &size, "one\ntw", 6);
    add_member(&bytes, &size, "", 0);
    add_member(&bytes, &size, "o\nthree", 7);
    for (int64_t piece = 0; piece < 9; piece++) {
        write_bytes(f, bytes, size);
        assert_ok(read_all(f->ctx, f->path, piece, false, text, &lines));
        assert_string_equal(text, "one\ntwo\nthree\n");
    }
    bytes = realloc(bytes, size + 600);
    memset(bytes + size, 0, 600); /* tapes are padded so */
    write_bytes(f, bytes, size + 600);
    assert_ok(read_all(f->ctx, f->path, 0, false, text, &lines));
    assert_string_equal(text, "one\ntwo\nthree\n");
    bytes[size + 599] = 'x';
    write_bytes(f, bytes, size + 600);
    assert_fails(read_all(f->ctx, f->path, 0, false, text, &lines), GPR_ERROR_FORMAT, "not gzip data follow");
    for (size_t cut = 2; cut < size; cut++) { /* at the border of two members it is whole */
        write_bytes(f, bytes, cut);
        gpr_status status = read_all(f->ctx, f->path, cut % 5, cut % 2, text, &lines);
        if (status == GPR_OK) assert_true(strcmp(text, "one\ntw\n") == 0);
        else assert_fails(status, GPR_ERROR_FORMAT, "file.txt: the gzip data breaks off");
    }
    bytes[size - 5] ^= 1; /* of the checksum */
    write_bytes(f, bytes, size);
    assert_fails(read_all(f->ctx, f->path, 0, true, text, &lines), GPR_ERROR_FORMAT,
                 "file.txt: the gzip data is damaged");
    free(bytes);
}

/* All of the file, in that encoding. */
static gpr_status read_as(gpr_ctx *ctx, const char *path, int64_t piece, gpri_encoding from, char *text) {
    gpr_status status = GPR_OK;
    gpri_source *in;
    gpri_lines part;
    size_t size = 0;
    TRY(gpri_source_open(ctx, &in, path, piece));
    TRY(gpri_source_decode(in, from));
    for (;;) {
        TRY(gpri_source_next(in, &part));
        if (part.size == 0) break;
        memcpy(text + size, part.text, (size_t)part.size);
        size += (size_t)part.size;
    }
done:
    text[size] = 0;
    gpri_source_close(in);
    return status;
}

#define EURO "\xe2\x82\xac"
#define SMILE "\xf0\x9f\x98\x80"

static void test_encodings(void **state) {
    const text_fixture *f = *state;
    static const char little[] = "\xff\xfe"
                                 "a\0\n\0\xac\x20\x3d\xd8\x00\xde\n\0",
                      big[] = "\xfe\xff"
                              "\0a\0\n\x20\xac\xd8\x3d\xde\x00\0\n";
    char text[200];
    for (int64_t piece = 0; piece < 9; piece++) {
        write_bytes(f, little, sizeof little - 1);
        assert_ok(read_as(f->ctx, f->path, piece, GPRI_UTF8, text));
        assert_string_equal(text, "a\n" EURO SMILE "\n");
        write_bytes(f, big, sizeof big - 1);
        assert_ok(read_as(f->ctx, f->path, piece, GPRI_BYTES, text));
        assert_string_equal(text, "a\n" EURO SMILE "\n");
        write_bytes(f, little + 2, sizeof little - 3);
        assert_ok(read_as(f->ctx, f->path, piece, GPRI_UTF16, text));
        assert_string_equal(text, "a\n" EURO SMILE "\n");
        write_text(f, "Jos\xe9\n\x80\nabc");
        assert_ok(read_as(f->ctx, f->path, piece, GPRI_LATIN1, text));
        assert_string_equal(text, "Jos\xc3\xa9\n" EURO "\nabc\n");
        assert_fails(read_as(f->ctx, f->path, piece, GPRI_UTF8, text), GPR_ERROR_FORMAT,
                     "file.txt:1: the byte 0xe9 after 'Jos' is not UTF-8: give `encoding` latin1");
        assert_ok(read_as(f->ctx, f->path, piece, GPRI_BYTES, text));
        assert_string_equal(text, "Jos\xe9\n\x80\nabc\n");
        write_text(f, "a\nb\n" EURO "uro\n" SMILE "\n\xc3\n");
        assert_fails(read_as(f->ctx, f->path, piece, GPRI_UTF8, text), GPR_ERROR_FORMAT, "file.txt:5: the byte 0xc3");
        write_text(f, "a\nb\n" EURO "uro\n" SMILE "\n");
        assert_ok(read_as(f->ctx, f->path, piece, GPRI_UTF8, text));
        assert_string_equal(text, "a\nb\n" EURO "uro\n" SMILE "\n");
    }
}

static void test_foreign(void **state) {
    const text_fixture *f = *state;
    static const struct {
        const char *bytes, *what;
    } files[] = {{"PAR1....", "is a parquet file: write it as csv"},
                 {"ARROW1\1\1", "is an Arrow (feather) file"},
                 {"FEA1....", "is a feather file"},
                 {"SQLite format 3", "is an SQLite database"},
                 {"%PDF-1.4", "is a PDF document"},
                 {"\x89HDF\r\n\x1a\n", "is an HDF5 file"},
                 {"\xd0\xcf\x11\xe0", "is an old Excel or Word document"},
                 {"PK\3\4....docProps/app.xml....xl/workbook.xml", "is an Excel workbook (xlsx)"},
                 {"PK\3\4mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "LibreOffice (ods)"},
                 {"PK\3\4....notes.txt", "is a zip archive"},
                 {"\x80\4\x95....", "is a Python pickle"},
                 {"\xfd"
                  "7zXZ",
                  "is packed with xz"}};
    char text[200];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        write_text(f, files[i].bytes);
        assert_fails(read_as(f->ctx, f->path, 0, GPRI_UTF8, text), GPR_ERROR_FORMAT, files[i].what);
    }
}

static void test_refused(void **state) {
    const text_fixture *f = *state;
    char text[100], folder[64];
    int64_t lines;
    write_bytes(f, "a\nb\nc\0d\n", 8);
    for (int64_t piece = 0; piece < 9; piece++)
        assert_fails(read_all(f->ctx, f->path, piece, false, text, &lines), GPR_ERROR_FORMAT, "file.txt:3: a NUL byte");
    write_text(f, "BZh91AY");
    assert_fails(read_all(f->ctx, f->path, 0, false, text, &lines), GPR_ERROR_FORMAT, "packed with bzip2");
    strcpy(folder, f->folder);
    assert_fails(read_all(f->ctx, folder, 0, false, text, &lines), GPR_ERROR_FORMAT, "is a folder");
    assert_fails(read_all(f->ctx, "/no/such/file", 0, false, text, &lines), GPR_ERROR_NOT_FOUND, "/no/such/file");
}

/* Kept lines come again, with their line number, and more after them. */
static void test_keep(void **state) {
    const text_fixture *f = *state;
    for (int64_t trial = 0; trial < 60; trial++) {
        gpri_source *in;
        gpri_lines lines;
        int64_t before = 0;
        const int64_t piece = trial / 2;
        write_text(f, "one\ntwo\nthree\nfour\nfive\nsix");
        assert_ok(gpri_source_open(f->ctx, &in, f->path, piece));
        do { /* keeps all but the first line, until the whole rest is there */
            assert_ok(gpri_source_next(in, &lines));
            assert_true(lines.size > before || gpri_source_ended(in));
            before = lines.first_line == 1 && lines.count > 1 ? lines.size - 4 : lines.size;
            if (trial % 2) gpri_source_prefetch(in); /* too early: what is kept comes before it */
            assert_ok(gpri_source_keep(in, before));
        } while (!gpri_source_ended(in));
        assert_ok(gpri_source_next(in, &lines));
        const bool dropped = lines.first_line == 2;
        assert_int_equal(lines.count, dropped ? 5 : 6);
        assert_memory_equal(lines.text,
                            dropped ? "two\nthree\nfour\nfive\nsix\n" : "one\ntwo\nthree\nfour\nfive\nsix\n",
                            (size_t)lines.size);
        assert_ok(gpri_source_next(in, &lines));
        assert_int_equal(lines.size, 0);
        gpri_source_close(in);
    }
}

/* Only the first mark is a mark, also when the first lines come again. */
static void test_second_mark(void **state) {
    const text_fixture *f = *state;
    const char mark[] = "\xef\xbb\xbf", rest[] = "\xef\xbb\xbf\xef\xbb\xbf"
                                                 "one\ntwo\nthree\n";
    for (int64_t trial = 0; trial < 40; trial++) {
        char text[64];
        gpri_source *in;
        gpri_lines lines;
        snprintf(text, sizeof text, "%s%s", mark, rest);
        write_text(f, text);
        assert_ok(gpri_source_open(f->ctx, &in, f->path, trial / 2));
        do {
            assert_ok(gpri_source_next(in, &lines));
            assert_int_equal(lines.first_line, 1);
            assert_memory_equal(lines.text, rest, (size_t)lines.size);
            if (trial % 2) gpri_source_prefetch(in);
            assert_ok(gpri_source_keep(in, lines.size));
        } while (!gpri_source_ended(in));
        assert_ok(gpri_source_next(in, &lines));
        assert_int_equal(lines.size, strlen(rest));
        assert_memory_equal(lines.text, rest, strlen(rest));
        gpri_source_close(in);
    }
}

static void *feed(void *path) {
    const int fd = open(path, O_WRONLY);
    for (const char *at = "a\nbc\nd"; *at; at++)
        if (write(fd, at, 1) != 1) break;
    close(fd);
    return NULL;
}

static void test_pipe(void **state) {
    text_fixture *f = *state;
    pthread_t thread;
    char text[100];
    int64_t lines;
    assert_int_equal(mkfifo(f->path, 0600), 0);
    assert_int_equal(pthread_create(&thread, NULL, feed, f->path), 0);
    assert_ok(read_all(f->ctx, f->path, 0, false, text, &lines));
    assert_string_equal(text, "a\nbc\nd\n");
    pthread_join(thread, NULL);
}

/* What a progress callback has heard. */
typedef struct hearing {
    const char *path;
    int reports, stop_at;
    double share;
} hearing;

static int hear(void *user, const gpr_progress *progress) {
    hearing *h = user;
    assert_int_equal(progress->struct_size, sizeof *progress);
    assert_string_equal(progress->stage, "reading");
    assert_string_equal(progress->file, h->path);
    assert_true(progress->share >= h->share && progress->share <= 1);
    h->share = progress->share;
    return ++h->reports == h->stop_at;
}

/* A text of several pieces is reported between them; one of a single piece is not. */
static void test_progress(void **state) {
    const text_fixture *f = *state;
    char many[5000], text[5000], *to = many;
    for (int i = 0; i < 1000; i++) to += sprintf(to, "%d\n", i);
    for (int packed = 0; packed < 2; packed++) {
        hearing h = {.path = f->path};
        const gpr_ctx_options options = {.struct_size = sizeof options, .progress = hear, .user = &h};
        gpr_ctx *ctx;
        int64_t lines;
        if (packed) write_gzip(f, many);
        else write_text(f, many);
        assert_ok(gpr_ctx_new(&ctx, &options));
        assert_ok(read_all(ctx, f->path, 0, true, text, &lines));
        assert_int_equal(h.reports, 0);
        assert_ok(read_all(ctx, f->path, 100, true, text, &lines));
        assert_true(h.reports > 10);
        assert_true(h.share > 0.5);
        h = (hearing){.path = f->path, .stop_at = 3};
        assert_int_equal(read_all(ctx, f->path, 100, false, text, &lines), GPR_ERROR_STOPPED);
        assert_non_null(strstr(gpr_last_error(), f->path));
        assert_int_equal(h.reports, 3);
        gpr_ctx_free(ctx);
    }
}

static gpr_status trial(gpr_ctx *ctx, void *path) {
    char text[100];
    int64_t lines;
    return read_all(ctx, path, 4, true, text, &lines);
}

static void test_memory(void **state) {
    text_fixture *f = *state;
    write_text(f, "one\ntwo\nthree four five six\n");
    fail_every_allocation(trial, f->path);
    write_gzip(f, "one\ntwo\nthree four five six\n");
    fail_every_allocation(trial, f->path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEXT_TEST(test_blocks),  TEXT_TEST(test_line_ends), TEXT_TEST(test_check),       TEXT_TEST(test_members),
        TEXT_TEST(test_refused), TEXT_TEST(test_encodings), TEXT_TEST(test_foreign),     TEXT_TEST(test_keep),
        TEXT_TEST(test_pipe),    TEXT_TEST(test_memory),    TEXT_TEST(test_second_mark), TEXT_TEST(test_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
