/* Tables as text: rows of fields between commas, tabs, semicolons or blanks, plain or gzip (file/source.h).
 *
 *     gpri_delimited *table;
 *     const gpri_field *fields;
 *     int64_t count;
 *     TRY(gpri_delimited_open(ctx, &table, path, NULL));
 *     for (;;) {
 *         TRY(gpri_delimited_next(table, &fields, &count));
 *         if (count == 0) break;                             // the end
 *         if (!gpri_span_real(fields[2].text, fields[2].size, &weight))
 *             LEAVE(gpri_delimited_fail(table, "'%.*s' is not a number", GPRI_FIELD(fields[2])));
 *     }
 *     done: gpri_delimited_close(table);
 *
 * Blank lines and comments are skipped. A comment is a line that begins with # or % and then a blank, another # or %, a
 * '!' or nothing. Any other such line holds an id, "#12", and is a row; but before the first row it is a comment too if
 * it has not as many fields as the next line. A quoted "# x" is no comment. Blanks around a field are not part of it. A
 * field may stand in double quotes, "" inside them being one: then it may hold the delimiter, blanks, and ends of
 * lines. Between blanks any number of spaces and tabs is one delimiter. */
#ifndef GPRI_DELIMITED_H
#define GPRI_DELIMITED_H

#include "base/params.h"
#include "data/plan.h"
#include "file/source.h"

/* Not NUL-terminated; valid until the next row is asked for. */
typedef struct gpri_field {
    const char *text;
    int64_t size;
} gpri_field;

/* For "%.*s"; long ones are cut. */
#define GPRI_FIELD(field) (int)((field).size < 60 ? (field).size : 60), (field).text

typedef gpri_data_value gpri_header; /* GPRI_HEADER_AUTO: guessed; YES; NO */

/* Zeroed: everything is guessed. */
typedef struct gpri_delimited_options {
    char delimiter;     /* ',', '\t', ';' or ' ' (blanks). 0: by the first row: a tab if there is one; else the more
                           frequent of comma and semicolon; else blanks */
    gpri_header header; /* guessed: yes if no cell of the first row is a number or a date, but one below it is; or if
                           one is a word that columns are called by: id, node, node_id, src, source, from, dst, target,
                           to, weight, label, class, name */
    const gpri_plan *plan; /* guessing: a first row with half of the names of its columns is a header. NULL: none */
    bool comments;      /* any line that begins with # or % is a comment */
    gpri_encoding encoding; /* as for gpri_source_decode; GPRI_BYTES: not looked at */
    bool ragged;        /* rows may have different numbers of fields; else that is an error */
    int64_t piece;      /* as for gpri_source_open */
    gpri_head *head;    /* read this head of the file in place of the whole; must outlive the table. NULL: the file */
} gpri_delimited_options;

typedef struct gpri_delimited gpri_delimited;

/* options: NULL: everything is guessed. A file without a row is not an error here: its first row is the end. */
gpr_status gpri_delimited_open(gpr_ctx *ctx, gpri_delimited **out, const char *path,
                               const gpri_delimited_options *options) GPRI_MUST_CHECK;
/* The next row, without the header. *count: 0 at the end. */
gpr_status gpri_delimited_next(gpri_delimited *table, const gpri_field **fields, int64_t *count) GPRI_MUST_CHECK;
char gpri_delimited_delimiter(const gpri_delimited *table);  /* ' ': blanks */
int64_t gpri_delimited_columns(const gpri_delimited *table); /* of the first row; 0: the file has none */
/* (columns) the names of the columns; NULL: the file has no header. Valid until the table is closed. */
const gpri_field *gpri_delimited_header(const gpri_delimited *table);
/* (columns) the first row, be it the header or not; NULL: the file has none. Valid until the table is closed. */
const gpri_field *gpri_delimited_first(const gpri_delimited *table);
/* (columns) the row below the header, until it is asked for; NULL: there is none. */
const gpri_field *gpri_delimited_below(const gpri_delimited *table);
/* The column of that name in the header, whatever the case of its letters; -1 if there is none. */
int64_t gpri_delimited_column(const gpri_delimited *table, const char *name);
/* The line on which the last row began, from 1; before any row was given, that of the first row. */
int64_t gpri_delimited_line(const gpri_delimited *table);
const char *gpri_delimited_path(const gpri_delimited *table);
/* Logs how many comments there were so far, and where the first one is. */
void gpri_delimited_say(const gpri_delimited *table);
/* GPR_ERROR_FORMAT, with "file:line: " of the row last given before the message. */
gpr_status gpri_delimited_fail(const gpri_delimited *table, const char *format, ...) GPRI_PRINTF(2, 3);
void gpri_delimited_close(gpri_delimited *table); /* NULL is fine */

/* ---- For readers that go over whole pieces of lines themselves, and come back to rows where they meet what they
   cannot read (io/text/edge_piece.c) ---- */

/* Rows that were read to guess from: gpri_delimited_next gives them first. */
bool gpri_delimited_waits(const gpri_delimited *table);
/* The lines of the present piece that are not read yet, or those of the next piece if there are none; size 0: the end.
   They stay unread until passed. */
gpr_status gpri_delimited_lines(gpri_delimited *table, gpri_lines *out) GPRI_MUST_CHECK;
void gpri_delimited_pass(gpri_delimited *table);
int64_t gpri_delimited_unread(const gpri_delimited *table); /* bytes of the present piece */
gpri_source *gpri_delimited_source(const gpri_delimited *table);
/* Is the line at `at`, which begins with # or %, a comment wherever it stands? */
static inline bool gpri_is_comment(const char *at) {
    const char next = at[1];
    return next == ' ' || next == '\t' || next == '\n' || next == '\r' || next == '#' || next == '%' || next == '!';
}
/* Others have met and skipped so many comments. */
void gpri_delimited_add_comments(gpri_delimited *table, int64_t count);

bool gpri_is_unnamed(gpri_field field);                      /* empty, or "Unnamed: 0": the head of pandas' index */
bool gpri_field_is(gpri_field field, const char *text);      /* the same bytes */
bool gpri_field_is_word(gpri_field field, const char *text); /* the same, upper or lower case */

#endif
