/* Two buffers in turn: the consumer has one piece while the next one is read. A piece ends in the middle of a line; the
 * next one begins with that line. */
#include "file/source.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/budget.h"
#include "base/utf8.h"
#include "file/foreign.h"

#define PACKED_PIECE ((int64_t)256 << 10)
#define DECODED ((int64_t)64 << 10) /* bytes that are decoded at once */
#define LOOKED_AT 64                /* bytes that tell what a file is */
#define SPARE 9 /* bytes behind the text: a newline that the file lacks, and what readers may look at */

/* Bytes of the file: [0, whole) are whole lines, [whole, size) the beginning of the next one. */
typedef struct piece {
    char *text; /* (capacity) */
    int64_t size, whole, capacity;
    int64_t first_line, lines;
    bool ascii; /* no byte is above 0x7f */
} piece;

struct gpri_source {
    gpr_ctx *ctx;
    char *path;
    int fd;
    const gpri_head *head; /* or NULL; in place of the file */
    int64_t head_given;    /* bytes of it */
    int64_t step;          /* bytes read at once */
    int64_t file_size;     /* -1: not known */
    int64_t taken;         /* bytes of it that were read so far */

    unsigned char *packed;      /* (PACKED_PIECE) bytes of the file */
    int64_t head_at, head_size; /* plain text: its first bytes, which were looked at, are in `packed` */
    bool gzip, file_ended, text_ended;
    bool begun;                /* the first piece was filled: its byte order mark is gone */
    bool unpacking, in_member; /* the stream is to be ended; a member has begun and not ended */
    z_stream stream;           /* from `packed` */

    struct {
        gpri_encoding from; /* LATIN1 or UTF16: the text is decoded; else not */
        bool big_endian, ended;
        unsigned char *bytes; /* (DECODED) of which `size` wait for the rest of a letter */
        char *text;           /* the last ones, decoded; [at, end) are not given yet */
        int64_t size, at, end;
    } decoder;
    bool checks_utf8;

    piece pieces[2];
    int present;        /* the one that the consumer has */
    int64_t kept;       /* bytes of it that come again */
    bool fetched;       /* the other one is filled */
    int64_t fresh;      /* with fetched: bytes of it that do not come again */
    gpr_status status;  /* of filling it */
    char message[1024]; /* with status: messages belong to a thread, and another one may take this */
};

/* ---- Bytes ---------------------------------------------------------------------------------------- */

/* *got: 0 at the end of the file only. */
static gpr_status read_file(gpri_source *in, void *to, int64_t room, int64_t *got) {
    ssize_t count;
    if (in->head) {
        *got = in->head->size - in->head_given < room ? in->head->size - in->head_given : room;
        memcpy(to, in->head->bytes + in->head_given, (size_t)*got);
        in->head_given += *got;
        if (*got == 0) in->file_ended = true;
        return GPR_OK;
    }
    do count = read(in->fd, to, (size_t)(room < 1 << 30 ? room : 1 << 30));
    while (count < 0 && errno == EINTR);
    *got = count;
    if (count > 0) in->taken += count;
    if (count == 0) in->file_ended = true;
    return count < 0 ? gpri_fail_errno("read", in->path) : GPR_OK;
}

static void *zlib_alloc(void *ctx, unsigned count, unsigned size) {
    void *memory;
    return gpri_alloc(ctx, &memory, count, size, "gzip") == GPR_OK ? memory : Z_NULL;
}

static void zlib_free(void *ctx, void *memory) { gpri_free(ctx, memory); }

static gpr_status more_packed(gpri_source *in) {
    int64_t got;
    gpr_status status = read_file(in, in->packed, PACKED_PIECE, &got);
    in->stream.next_in = in->packed;
    in->stream.avail_in = status == GPR_OK ? (unsigned)got : 0;
    return status;
}

/* Between members: another one, padding with NULs, or the end. */
static gpr_status next_member(gpri_source *in) {
    z_stream *z = &in->stream;
    bool padding = false;
    for (;;) {
        while (z->avail_in > 0 && *z->next_in == 0) {
            padding = true;
            z->next_in++;
            z->avail_in--;
        }
        if (z->avail_in > 0 || in->file_ended) break;
        NEED(more_packed(in));
    }
    if (z->avail_in == 0) {
        in->text_ended = true;
        return GPR_OK;
    }
    if (padding || *z->next_in != 0x1f)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: bytes that are not gzip data follow its end: the file is damaged",
                         in->path);
    if (inflateReset(z) != Z_OK) return gpri_fail(GPR_ERROR_FORMAT, "%s: zlib refuses to go on", in->path);
    in->in_member = true;
    return GPR_OK;
}

static gpr_status unpack(gpri_source *in, char *to, int64_t room, int64_t *got) {
    z_stream *z = &in->stream;
    *got = 0;
    while (*got == 0 && !in->text_ended) {
        if (!in->in_member) {
            NEED(next_member(in));
            continue;
        }
        if (z->avail_in == 0 && !in->file_ended) NEED(more_packed(in));
        const unsigned take = (unsigned)(room < 1 << 30 ? room : 1 << 30);
        z->next_out = (unsigned char *)to;
        z->avail_out = take;
        const int code = inflate(z, Z_NO_FLUSH);
        *got = (int64_t)(take - z->avail_out);
        if (code == Z_STREAM_END) in->in_member = false;
        else if (code == Z_MEM_ERROR) return gpri_fail(GPR_ERROR_MEMORY, "out of memory: unpacking %s", in->path);
        else if (code == Z_BUF_ERROR && in->file_ended && *got == 0)
            return gpri_fail(GPR_ERROR_FORMAT, "%s: the gzip data breaks off: the file is cut short", in->path);
        else if (code != Z_OK && code != Z_BUF_ERROR)
            return gpri_fail(GPR_ERROR_FORMAT, "%s: the gzip data is damaged (%s)", in->path, z->msg ? z->msg : "zlib");
    }
    return GPR_OK;
}

/* More bytes of the text, at most `room`; *got: 0 at its end only. */
static gpr_status read_encoded(gpri_source *in, char *to, int64_t room, int64_t *got) {
    if (in->gzip) return unpack(in, to, room, got);
    if (in->head_at < in->head_size) {
        *got = in->head_size - in->head_at < room ? in->head_size - in->head_at : room;
        memcpy(to, in->packed + in->head_at, (size_t)*got);
        in->head_at += *got;
        return GPR_OK;
    }
    gpr_status status = read_file(in, to, room, got);
    in->text_ended = in->file_ended;
    return status;
}

/* The same in UTF-8. */
static gpr_status read_text(gpri_source *in, char *to, int64_t room, int64_t *got) {
    int64_t fresh;
    if (in->decoder.from <= GPRI_UTF8) return read_encoded(in, to, room, got);
    while (in->decoder.at == in->decoder.end && !in->decoder.ended) {
        unsigned char *bytes = in->decoder.bytes;
        NEED(read_encoded(in, (char *)bytes + in->decoder.size, DECODED - in->decoder.size, &fresh));
        in->decoder.size += fresh;
        in->decoder.ended = in->text_ended;
        in->text_ended = false; /* what was decoded comes first */
        in->decoder.at = 0;
        const int64_t used = gpri_decode(in->decoder.from, in->decoder.big_endian, in->decoder.text, &in->decoder.end,
                                         bytes, in->decoder.size, in->decoder.ended);
        in->decoder.size -= used;
        memmove(bytes, bytes + used, (size_t)in->decoder.size);
    }
    *got = in->decoder.end - in->decoder.at < room ? in->decoder.end - in->decoder.at : room;
    memcpy(to, in->decoder.text + in->decoder.at, (size_t)*got);
    in->decoder.at += *got;
    in->text_ended = in->decoder.ended && in->decoder.at == in->decoder.end;
    return GPR_OK;
}

/* ---- Blocks of lines ------------------------------------------------------------------------------ */

/* 128 bytes at a time: their count fits into a byte, and the compiler can use vectors. */
int64_t gpri_count_lines(const char *text, int64_t size) {
    int64_t count = 0, at = 0;
    for (; size - at >= 128; at += 128) {
        uint8_t some = 0;
        for (int i = 0; i < 128; i++) some = (uint8_t)(some + (text[at + i] == '\n'));
        count += some;
    }
    for (; at < size; at++) count += text[at] == '\n';
    return count;
}

/* Is there a NUL, or a '\r' that no '\n' follows? text: (size + 1). 128 bytes at a time, as above. *high: the bytes of
   the text, one or another, with the highest bit of all. */
static bool is_odd(const char *text, int64_t size, uint8_t *high) {
    int64_t at = 0;
    bool any = false;
    for (; size - at >= 128; at += 128) {
        uint8_t odd = 0, all = 0;
        for (int i = 0; i < 128; i++) {
            const char c = text[at + i], next = text[at + i + 1];
            odd = (uint8_t)(odd | (c == 0) | ((c == '\r') & (next != '\n')));
            all |= (uint8_t)c;
        }
        *high |= all;
        any = any || odd;
    }
    for (; at < size; at++) {
        any = any || text[at] == 0 || (text[at] == '\r' && text[at + 1] != '\n');
        *high |= (uint8_t)text[at];
    }
    return any;
}

void gpri_end_lines(char *text, int64_t size) {
    for (char *at = text, *end = text + size; (at = memchr(at, '\r', (size_t)(end - at))); at++)
        if (at + 1 == end || at[1] != '\n') *at = '\n';
}

/* The bytes from `from` on: no NUL, and every end of a line is '\n' or "\r\n". A '\r' that is the last byte so far
   waits for the next one. */
static gpr_status check_bytes(const gpri_source *in, piece *b, int64_t from) {
    const int64_t size = b->size - from;
    if (size <= 0) return GPR_OK;
    uint8_t high = 0;
    b->text[b->size] = '\n'; /* there is room */
    const bool odd = is_odd(b->text + from, size, &high);
    if (high & 0x80) b->ascii = false;
    if (!odd) return GPR_OK;
    const char *nul = memchr(b->text + from, 0, (size_t)size);
    if (nul)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s:%lld: a NUL byte: this is not text (or UTF-16 without a mark: give `encoding` utf-16)",
                         in->path, (long long)(b->first_line + gpri_count_lines(b->text, nul - b->text)));
    gpri_end_lines(b->text + from, b->text[b->size - 1] == '\r' ? size - 1 : size);
    return GPR_OK;
}

/* A line of `size` bytes or more. */
static gpr_status check_line(const gpri_source *in, const piece *b, int64_t size) {
    char where[64];
    if (size > GPRI_SOURCE_LONGEST_LINE)
        return gpri_fail(GPR_ERROR_FORMAT, "%s:%lld: a line of more than %lld MiB", in->path, (long long)b->first_line,
                         (long long)(GPRI_SOURCE_LONGEST_LINE >> 20));
    if (!in->gzip) return GPR_OK; /* the file has these bytes */
    snprintf(where, sizeof where, "letters in line %lld", (long long)b->first_line);
    return gpri_budget_declared(in->ctx, in->path, where, size, 1, in->file_size < 0 ? in->taken : in->file_size);
}

/* Whole lines: no letter is cut at an end. */
static gpr_status check_utf8(const gpri_source *in, const piece *b) {
    if (!in->checks_utf8 || b->ascii) return GPR_OK;
    const int64_t at = gpri_utf8_fault(b->text, b->whole);
    if (at < 0) return GPR_OK;
    int64_t from = at;
    while (from > 0 && b->text[from - 1] != '\n' && at - from < 20) from--;
    while (((unsigned char)b->text[from] & 0xc0) == 0x80 && from < at) from++; /* not within a letter */
    return gpri_fail(GPR_ERROR_FORMAT,
                     "%s:%lld: the byte 0x%02x after '%.*s' is not UTF-8: give `encoding` latin1 if that is what the "
                     "file is (Windows-1252 too), or save it as UTF-8",
                     in->path, (long long)(b->first_line + gpri_count_lines(b->text, at)), (unsigned char)b->text[at],
                     (int)(at - from), b->text + from);
}

/* Once: lines that come again may begin with another mark, which is text. */
static void skip_byte_order_mark(gpri_source *in, piece *b) {
    if (in->begun) return;
    in->begun = true;
    if (b->whole < 3 || memcmp(b->text, "\xef\xbb\xbf", 3) != 0) return;
    memmove(b->text, b->text + 3, (size_t)(b->size - 3));
    b->size -= 3;
    b->whole -= 3;
}

/* Fills the other piece: what is left of the present one, then more, until it has a new whole line. The room doubles
   each time, so that the work stays proportional to the text. */
static gpr_status fill(gpri_source *in) {
    const piece *old = &in->pieces[in->present];
    piece *b = &in->pieces[!in->present];
    const int64_t from = old->whole - in->kept, known = old->size - from;
    int64_t limit = known + (known > in->step ? known : in->step);
    b->first_line = old->first_line + old->lines;
    if (in->kept > 0) b->first_line -= gpri_count_lines(old->text + from, in->kept);
    b->size = b->whole = b->lines = 0;
    b->ascii = known == 0 || old->ascii;
    NEED(gpri_grow(in->ctx, &b->text, &b->capacity, limit + SPARE, 1, "text of a file"));
    if (known > 0) memcpy(b->text, old->text + from, (size_t)known);
    b->size = known;
    while (!in->text_ended && !(b->size == limit && b->whole > 0)) {
        int64_t got;
        if (b->size == limit) {
            NEED(check_line(in, b, limit));
            limit *= 2;
            NEED(gpri_grow(in->ctx, &b->text, &b->capacity, limit + SPARE, 1, "text of a file"));
        }
        NEED(read_text(in, b->text + b->size, limit - b->size, &got));
        const int64_t fresh = b->size - (b->size > 0 && b->text[b->size - 1] == '\r'); /* it has waited */
        b->size += got;
        NEED(check_bytes(in, b, fresh));
        const char *last = b->size > fresh ? memrchr(b->text + fresh, '\n', (size_t)(b->size - fresh)) : NULL;
        if (last) b->whole = last - b->text + 1;
    }
    if (in->text_ended) { /* also what is kept without anything new */
        if (b->size > 0 && b->text[b->size - 1] != '\n') b->text[b->size++] = '\n';
        b->whole = b->size;
    }
    skip_byte_order_mark(in, b);
    NEED(check_utf8(in, b));
    memset(b->text + b->size, 0, 8);
    b->lines = gpri_count_lines(b->text, b->whole);
    return GPR_OK;
}

void gpri_source_prefetch(gpri_source *in) {
    if (in->fetched) return;
    in->fetched = true;
    in->status = fill(in);
    in->fresh = in->pieces[!in->present].whole - in->kept;
    if (in->status != GPR_OK) snprintf(in->message, sizeof in->message, "%s", gpr_last_error());
}

/* Between two pieces of a long text. */
static gpr_status report(const gpri_source *in) {
    const gpr_ctx *ctx = in->ctx;
    const double share = in->file_size > 0 ? fmin((double)in->taken / (double)in->file_size, 1) : -1;
    const gpr_progress progress = {
        .struct_size = sizeof progress, .stage = "reading", .share = share, .file = in->path};
    if (in->text_ended || in->head || !ctx->job.progress || ctx->job.progress(ctx->job.user, &progress) == 0)
        return GPR_OK;
    return gpri_fail(GPR_ERROR_STOPPED, "stopped by the caller while %s was read", in->path);
}

gpr_status gpri_source_next(gpri_source *in, gpri_lines *out) {
    *out = (gpri_lines){0};
    gpri_source_prefetch(in);
    if (in->status != GPR_OK) return gpri_fail(in->status, "%s", in->message);
    NEED(report(in));
    in->fetched = false;
    in->present = !in->present;
    in->kept = 0;
    const piece *b = &in->pieces[in->present];
    *out = (gpri_lines){b->text, b->whole, b->first_line, b->lines};
    return GPR_OK;
}

/* If the next piece is there already, the lines go before it. */
gpr_status gpri_source_keep(gpri_source *in, int64_t bytes) {
    const piece *old = &in->pieces[in->present];
    piece *b = &in->pieces[!in->present];
    if (!in->fetched || bytes == 0) {
        in->kept = bytes;
        return GPR_OK;
    }
    if (in->status != GPR_OK) return GPR_OK; /* gpri_source_next will say so */
    const char *kept = old->text + old->whole - bytes;
    NEED(gpri_grow(in->ctx, &b->text, &b->capacity, b->size + bytes + SPARE, 1, "text of a file"));
    memmove(b->text + bytes, b->text, (size_t)b->size + 8);
    memcpy(b->text, kept, (size_t)bytes);
    b->size += bytes;
    b->whole += bytes;
    b->ascii = b->ascii && old->ascii;
    const int64_t lines = gpri_count_lines(kept, bytes);
    b->first_line -= lines;
    b->lines += lines;
    return GPR_OK;
}

bool gpri_source_ended(const gpri_source *in) { return in->text_ended && !(in->fetched && in->fresh > 0); }

const char *gpri_source_path(const gpri_source *in) { return in->path; }
int64_t gpri_source_head(const gpri_source *in, const void **bytes) {
    *bytes = in->packed;
    return in->head_size;
}

int64_t gpri_source_file_size(const gpri_source *in, bool *packed) {
    *packed = in->gzip;
    return in->file_size;
}

/* ---- Opening -------------------------------------------------------------------------------------- */

static gpr_status start_decoder(gpri_source *in, gpri_encoding from) {
    in->decoder.from = from;
    NEED(gpri_alloc(in->ctx, &in->decoder.bytes, DECODED, 1, "text of a file"));
    return gpri_alloc(in->ctx, &in->decoder.text, GPRI_DECODED_BYTES * DECODED + 4, 1, "text of a file");
}

/* Its byte order mark. */
static gpr_status look_for_utf16(gpri_source *in, const unsigned char *head, int64_t size) {
    const bool little = size >= 2 && head[0] == 0xff && head[1] == 0xfe;
    const bool big = size >= 2 && head[0] == 0xfe && head[1] == 0xff;
    if (!little && !big) return GPR_OK;
    in->decoder.big_endian = big;
    return start_decoder(in, GPRI_UTF16);
}

gpr_status gpri_source_decode(gpri_source *in, gpri_encoding from) {
    in->checks_utf8 = from == GPRI_UTF8;
    if (from <= GPRI_UTF8 || in->decoder.from == GPRI_UTF16) return GPR_OK;
    if (from == GPRI_UTF16) in->decoder.big_endian = in->head_size > 0 && in->packed[0] == 0;
    return start_decoder(in, from);
}

/* The first bytes tell whether it is gzip; a pipe may give them one by one. */
static gpr_status look(gpri_source *in) {
    int64_t size = 0, got;
    NEED(gpri_alloc(in->ctx, &in->packed, PACKED_PIECE, 1, "text of a file"));
    while (size < LOOKED_AT && !in->file_ended) {
        NEED(read_file(in, in->packed + size, PACKED_PIECE - size, &got));
        size += got;
    }
    NEED(gpri_refuse_foreign(in->path, in->packed, size, false));
    NEED(look_for_utf16(in, in->packed, size));
    in->gzip = size >= 2 && in->packed[0] == 0x1f && in->packed[1] == 0x8b;
    if (!in->gzip) {
        in->head_size = size;
        in->text_ended = size == 0;
        return GPR_OK;
    }
    in->stream = (z_stream){
        .next_in = in->packed, .avail_in = (unsigned)size, .zalloc = zlib_alloc, .zfree = zlib_free, .opaque = in->ctx};
    if (inflateInit2(&in->stream, 15 + 16) != Z_OK)
        return gpri_fail(GPR_ERROR_MEMORY, "out of memory: unpacking %s", in->path);
    in->unpacking = in->in_member = true;
    return GPR_OK;
}

static gpr_status open_file(gpri_source *in, bool standard) {
    struct stat info;
    in->fd = standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(in->path, O_RDONLY | O_CLOEXEC);
    if (in->fd < 0 || fstat(in->fd, &info) != 0) return gpri_fail_errno("read", in->path);
    if (S_ISDIR(info.st_mode)) return gpri_fail(GPR_ERROR_FORMAT, "%s is a folder: a file was expected", in->path);
    in->file_size = S_ISREG(info.st_mode) && !standard ? (int64_t)info.st_size : -1;
    return GPR_OK;
}

/* head: NULL: the file itself. */
static gpr_status open_source(gpr_ctx *ctx, gpri_source **out, const char *path, const gpri_head *head, int64_t step) {
    gpr_status status = GPR_OK;
    gpri_source *in = NULL;
    *out = NULL;
    TRY(gpri_calloc(ctx, &in, 1, sizeof *in, "text of a file"));
    in->ctx = ctx;
    in->fd = -1;
    in->head = head;
    in->step = step > 0 ? step : GPRI_SOURCE_PIECE;
    in->pieces[0].first_line = 1;
    TRY(gpri_strdup(ctx, &in->path, gpri_shown_path(path)));
    if (head) in->file_size = head->size;
    else TRY(open_file(in, gpri_is_stdin(path)));
    TRY(look(in));
    if (!in->gzip && in->file_size > 0 && in->step > in->file_size) in->step = in->file_size + 1; /* all at once */
    *out = in;
    in = NULL;
done:
    gpri_source_close(in);
    return status;
}

gpr_status gpri_source_open(gpr_ctx *ctx, gpri_source **out, const char *path, int64_t step) {
    return open_source(ctx, out, path, NULL, step);
}

gpr_status gpri_source_check(gpr_ctx *ctx, const char *path) {
    gpri_source *in;
    gpri_lines lines = {.size = 1};
    gpr_status status = gpri_source_open(ctx, &in, path, 0);
    while (status == GPR_OK && lines.size > 0) status = gpri_source_next(in, &lines);
    gpri_source_close(in);
    return status;
}

gpr_status gpri_source_open_head(gpr_ctx *ctx, gpri_source **out, gpri_head *head, int64_t step) {
    gpri_head_read(head);
    return open_source(ctx, out, head->path, head, step);
}

void gpri_source_close(gpri_source *in) {
    if (!in) return;
    if (in->unpacking) inflateEnd(&in->stream);
    if (in->fd >= 0) close(in->fd);
    for (int i = 0; i < 2; i++) gpri_free(in->ctx, in->pieces[i].text);
    gpri_free_all(in->ctx, in->decoder.bytes, in->decoder.text, in->packed, in->path, in);
}
