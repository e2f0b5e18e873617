/* The bytes of a text file, plain or gzip, as pieces of whole lines: any size of file in a bounded memory.
 *
 *     gpri_source *in;
 *     gpri_lines lines;
 *     TRY(gpri_source_open(ctx, &in, path, 0));
 *     for (;;) {
 *         TRY(gpri_source_next(in, &lines));
 *         if (lines.size == 0) break;                      // the end
 *         for (char *at = lines.text; at < lines.text + lines.size; ...) ...
 *     }
 *     done: gpri_source_close(in);
 *
 * The path "-" is standard input. Whether it is gzip is seen from its first bytes, not from its name; members after
 * another are one text. A file may be a pipe. What a consumer can rely on: every line, the last one too, ends with
 * '\n'; no byte is NUL; a UTF-8 byte order mark is gone. Lines of Windows end with "\r\n": the '\r' is for the consumer
 * to drop. A '\r' alone, which ended lines on old Macs, has become '\n'. Messages name the file. */
#ifndef GPRI_SOURCE_H
#define GPRI_SOURCE_H

#include "base/context.h"
#include "file/encoding.h"
#include "file/head.h"

/* A line, or a row over several lines, that is longer than this is an error. Packed text may not even have that: its
   lines cost memory, and a few bytes unpack to many (base/budget.h). */
#define GPRI_SOURCE_LONGEST_LINE ((int64_t)1 << 30)

#define GPRI_SOURCE_PIECE ((int64_t)4 << 20)

typedef struct gpri_source gpri_source;

typedef struct gpri_lines {
    char *text;         /* (size) ending with '\n'; may be changed in place. Eight bytes more can be read */
    int64_t size;       /* 0: the end of the file */
    int64_t first_line; /* number of the first line, from 1 */
    int64_t count;      /* lines */
} gpri_lines;

/* piece: bytes that are read at once; 0: GPRI_SOURCE_PIECE. Tests take a few. */
gpr_status gpri_source_open(gpr_ctx *ctx, gpri_source **out, const char *path, int64_t piece) GPRI_MUST_CHECK;
/* The same for the head of a file, which is not opened again: its text ends where the head ends. */
gpr_status gpri_source_open_head(gpr_ctx *ctx, gpri_source **out, gpri_head *head, int64_t piece) GPRI_MUST_CHECK;
/* Before the first lines: the text has this encoding, and is given as UTF-8. GPRI_UTF8: what is not is an error with
   its line. Without this call bytes come as they are. A text that begins with UTF-16's mark is decoded in any case. */
gpr_status gpri_source_decode(gpri_source *source, gpri_encoding from) GPRI_MUST_CHECK;
/* The first bytes of a plain file, before any lines were asked for: their number, some dozens or all. 0: gzip. */
int64_t gpri_source_head(const gpri_source *source, const void **bytes);
/* The next lines, at least one; valid until the next call. */
gpr_status gpri_source_next(gpri_source *source, gpri_lines *out) GPRI_MUST_CHECK;
/* Gives the last `bytes` of the present piece, which are whole lines, again at the beginning of the next one, before
   new lines. For rows that span several lines. At the end of the file they come once more, alone; gpri_source_ended
   tells. */
gpr_status gpri_source_keep(gpri_source *source, int64_t bytes) GPRI_MUST_CHECK;
/* No line follows the present piece. */
bool gpri_source_ended(const gpri_source *source);
/* Reads the next piece while the present one stays valid. It may run on another thread than the one that works on the
   present piece. The gpri_source_next that follows reports a failure. */
void gpri_source_prefetch(gpri_source *source);
const char *gpri_source_path(const gpri_source *source);
/* Bytes of the file on disk; -1: not known (a pipe). gzip: *packed is set, and the text is longer. */
int64_t gpri_source_file_size(const gpri_source *source, bool *packed);
/* Reads the whole file, to see whether it can be read. */
gpr_status gpri_source_check(gpr_ctx *ctx, const char *path) GPRI_MUST_CHECK;
/* Every '\r' that no '\n' follows becomes '\n': for those who have read a whole text by themselves. */
void gpri_end_lines(char *text, int64_t size);
/* The number of '\n' in it; fast. text may be NULL with size 0. */
int64_t gpri_count_lines(const char *text, int64_t size);
void gpri_source_close(gpri_source *source); /* NULL is fine */

#endif
