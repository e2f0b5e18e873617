/* Rows and fields of a text table: quotes, comments, and guessing its delimiter and header. */
#include "io/text/delimited.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "file/foreign.h"
#include "io/text/dates.h"

/* A field while its row is being read. */
typedef struct cell {
    char *text;
    int64_t size;
    bool doubled; /* holds "" that stand for one " */
} cell;

struct gpri_delimited {
    gpr_ctx *ctx;
    gpri_source *source;
    gpri_delimited_options options;

    char *at, *end;         /* what is left of the present piece */
    int64_t line, end_line; /* of them */

    cell *cells;        /* (count) of the row being read */
    gpri_field *fields; /* (count) */
    int64_t count, cell_capacity, field_capacity;
    int64_t row_line; /* where it begins */

    /* The first row, kept: it is the header, or comes before the second one, which has been read already. */
    char *first_bytes;
    gpri_field *first; /* (columns) */
    int64_t columns, first_line;
    bool has_header, first_waits, second_waits;
    int64_t given_line; /* of the row last given */
    int64_t comments, comment_line; /* how many there were; where the first of them is, or 0 */
};

/* ---- Small helpers -------------------------------------------------------------------------------- */

bool gpri_field_is(gpri_field field, const char *text) {
    return field.size == (int64_t)strlen(text) && memcmp(field.text, text, (size_t)field.size) == 0;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

bool gpri_field_is_word(gpri_field field, const char *text) {
    if (field.size != (int64_t)strlen(text)) return false;
    for (int64_t i = 0; i < field.size; i++)
        if (lower(field.text[i]) != lower(text[i])) return false;
    return true;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static char *skip_blanks(char *at) {
    while (is_blank(*at)) at++;
    return at;
}

gpr_status gpri_delimited_fail(const gpri_delimited *t, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return gpri_fail(GPR_ERROR_FORMAT, "%s:%lld: %s", gpri_source_path(t->source), (long long)t->given_line, text);
}

/* ---- One row -------------------------------------------------------------------------------------- */

/* `at` is behind the opening quote; NULL: the piece ends before the closing one. */
static char *quoted_end(const gpri_delimited *t, char *at, bool *doubled) {
    for (;;) {
        at = memchr(at, '"', (size_t)(t->end - at));
        if (!at || at[1] != '"') return at; /* a piece ends with '\n': there is an at[1] */
        *doubled = true;
        at += 2;
    }
}

static gpr_status add_cell(gpri_delimited *t, cell c) {
    NEED(gpri_grow(t->ctx, &t->cells, &t->cell_capacity, t->count + 1, sizeof *t->cells, "table fields"));
    t->cells[t->count++] = c;
    return GPR_OK;
}

/* The row at t->at. *next: the line after it; NULL: a quote is open at the end of the piece. */
static gpr_status read_cells(gpri_delimited *t, char **next) {
    const char delimiter = t->options.delimiter;
    const bool blanks = delimiter == ' ';
    char *at = t->at;
    *next = NULL;
    t->count = 0;
    for (;;) {
        cell c = {0};
        while (*at == ' ' || (*at == '\t' && delimiter != '\t')) at++;
        if (*at == '"') {
            c.text = at + 1;
            at = quoted_end(t, at + 1, &c.doubled);
            if (!at) return GPR_OK;
            c.size = at - c.text;
            at++;
            const char *closed = at;
            while (is_blank(*at) && *at != delimiter) at++;
            if (*at != delimiter && *at != '\n' && !(blanks && at > closed))
                return gpri_fail(GPR_ERROR_FORMAT, "%s:%lld: text follows the closing quote of field %lld",
                                 gpri_source_path(t->source), (long long)t->row_line, (long long)t->count + 1);
        } else {
            c.text = at;
            while (*at != delimiter && *at != '\n' && !(blanks && *at == '\t')) at++;
            c.size = at - c.text;
            while (c.size > 0 && is_blank(c.text[c.size - 1])) c.size--;
        }
        NEED(add_cell(t, c));
        if (blanks) at = skip_blanks(at); /* also those at the end of the line */
        if (*at == '\n') break;
        if (!blanks) at++;
    }
    *next = at + 1;
    return GPR_OK;
}

/* "" becomes " in place; the bytes of the piece are ours to change. */
static int64_t undouble(char *text, int64_t size) {
    int64_t to = 0;
    for (int64_t i = 0; i < size; i++) {
        text[to++] = text[i];
        if (text[i] == '"') i++;
    }
    return to;
}

static gpr_status next_block(gpri_delimited *t) {
    gpri_lines lines;
    NEED(gpri_source_keep(t->source, t->end - t->at));
    NEED(gpri_source_next(t->source, &lines));
    t->at = lines.text;
    t->end = lines.text + lines.size;
    t->line = lines.first_line;
    t->end_line = lines.first_line + lines.count;
    return GPR_OK;
}

static char guess_delimiter(const char *at, const char *end);

/* ---- Comments ------------------------------------------------------------------------------------- */

/* Fields of the line at `at`, without regard to quotes. */
static int64_t count_fields(const char *at, char delimiter) {
    int64_t count = 0;
    if (delimiter == ' ') {
        for (bool within = false; *at != '\n'; at++) {
            const bool blank = is_blank(*at);
            count += !blank && !within;
            within = !blank;
        }
        return count;
    }
    for (count = 1; *at != '\n'; at++) count += *at == delimiter;
    return count;
}

static bool is_mark(char c) { return c == '#' || c == '%'; }

/* The first line after that at `at` that is neither blank nor a comment wherever it stands; NULL: none in this piece.
 */
static const char *line_to_compare(const gpri_delimited *t, const char *at) {
    do {
        at = (const char *)memchr(at, '\n', (size_t)(t->end - at)) + 1;
        if (at == t->end) return NULL;
        while (is_blank(*at)) at++;
    } while (*at == '\n' || (is_mark(*at) && gpri_is_comment(at)));
    return at;
}

/* *skip: the line at t->at, before the first row, begins with a mark, and does not look like the line after it. */
static gpr_status judge_first_line(gpri_delimited *t, bool *skip) {
    const char *next;
    while (!(next = line_to_compare(t, t->at)) && !gpri_source_ended(t->source))
        NEED(next_block(t)); /* with this line again */
    const char delimiter = !next ? ' ' : t->options.delimiter ? t->options.delimiter : guess_delimiter(next, t->end);
    *skip = !next || !delimiter || count_fields(t->at, delimiter) != count_fields(next, delimiter);
    return GPR_OK;
}

void gpri_delimited_add_comments(gpri_delimited *t, int64_t count) { t->comments += count; }

void gpri_delimited_say(const gpri_delimited *t) {
    if (t->comments == 0) return;
    gpri_log(t->ctx, GPR_LOG_INFO, "%s: %lld line%s skipped as comment%s%s%.0lld", gpri_source_path(t->source),
             (long long)t->comments, t->comments == 1 ? " was" : "s were", t->comments == 1 ? "" : "s",
             t->comment_line ? ", the first is line " : "", (long long)t->comment_line);
}

/* Over blank and comment lines to the next row; at the end of the file t->at == t->end. */
static gpr_status find_row(gpri_delimited *t) {
    for (;;) {
        if (t->at == t->end) {
            NEED(next_block(t));
            if (t->at == t->end) return GPR_OK;
        }
        const char *at = skip_blanks(t->at);
        bool comment = is_mark(*at) && (t->options.comments || gpri_is_comment(at));
        if (is_mark(*at) && !comment && t->columns == 0) {
            NEED(judge_first_line(t, &comment));
            at = t->at;
        }
        if (*at != '\n' && !comment) return GPR_OK;
        if (comment && t->comments++ == 0) t->comment_line = t->line;
        t->at = (char *)memchr(at, '\n', (size_t)(t->end - at)) + 1;
        t->line++;
    }
}

/* Into t->fields; t->count is 0 at the end of the file. */
static gpr_status read_row(gpri_delimited *t) {
    char *next = NULL;
    t->count = 0;
    NEED(find_row(t));
    t->row_line = t->line;
    if (t->at == t->end) return GPR_OK;
    for (;;) {
        NEED(read_cells(t, &next));
        if (next) break;
        if (gpri_source_ended(t->source))
            return gpri_fail(GPR_ERROR_FORMAT, "%s:%lld: a quote is opened and never closed",
                             gpri_source_path(t->source), (long long)t->row_line);
        NEED(next_block(t));
    }
    NEED(gpri_grow(t->ctx, &t->fields, &t->field_capacity, t->count, sizeof *t->fields, "table fields"));
    for (const char *at = t->at; (at = memchr(at, '\n', (size_t)(next - at))); at++) t->line++;
    for (int64_t i = 0; i < t->count; i++) {
        const cell *c = &t->cells[i];
        t->fields[i] = (gpri_field){c->text, c->doubled ? undouble(c->text, c->size) : c->size};
    }
    t->at = next;
    if (t->columns > 0 && t->count != t->columns && !t->options.ragged)
        return gpri_fail(GPR_ERROR_FORMAT, "%s:%lld: %lld field%s: the first row has %lld", gpri_source_path(t->source),
                         (long long)t->row_line, (long long)t->count, t->count == 1 ? "" : "s", (long long)t->columns);
    return GPR_OK;
}

/* ---- The first rows ------------------------------------------------------------------------------- */

/* Of the row at `at`; 0: a quote is open at the end of the piece. */
static char guess_delimiter(const char *at, const char *end) {
    int64_t commas = 0, semicolons = 0;
    bool quoted = false, begins = true; /* a quote opens at the beginning of a field only */
    for (; at < end && (quoted || *at != '\n'); at++) {
        if (*at == '"' && (quoted || begins)) quoted = !quoted;
        begins = is_blank(*at) || *at == ',' || *at == ';';
        if (quoted) continue;
        if (*at == '\t') return '\t';
        commas += *at == ',';
        semicolons += *at == ';';
    }
    if (quoted) return 0;
    return commas + semicolons == 0 ? ' ' : semicolons > commas ? ';' : ',';
}

/* The row in t->fields, copied: it will outlive its piece. */
static gpr_status keep_first(gpri_delimited *t) {
    int64_t size = 0;
    for (int64_t i = 0; i < t->count; i++) size += t->fields[i].size;
    NEED(gpri_alloc(t->ctx, &t->first_bytes, size, 1, "table fields"));
    NEED(gpri_alloc(t->ctx, &t->first, t->count, sizeof *t->first, "table fields"));
    char *to = t->first_bytes;
    for (int64_t i = 0; i < t->count; i++) {
        t->first[i] = (gpri_field){to, t->fields[i].size};
        memcpy(to, t->fields[i].text, (size_t)t->fields[i].size);
        to += t->fields[i].size;
    }
    t->columns = t->count;
    t->first_line = t->given_line = t->row_line;
    return GPR_OK;
}

/* As pandas writes the head of an index, or reads it back. */
bool gpri_is_unnamed(gpri_field field) { return field.size == 0 || gpri_field_is_word(field, "Unnamed: 0"); }

static bool names_a_column(gpri_field field) {
    static const char *const words[] = {"id",     "node", "node_id", "src",   "source", "from", "dst",
                                        "target", "to",   "weight",  "label", "class",  "name"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (gpri_field_is_word(field, words[i])) return true;
    return false;
}

/* What a header does not have: a number, also with a decimal comma, or a date. */
static bool is_value(gpri_field field) {
    double value;
    int32_t minutes;
    return gpri_span_real(field.text, field.size, &value) || gpri_comma_real(field, &value) ||
           gpri_parse_date(field, GPRI_DATE_DAY_FIRST, &minutes) ||
           gpri_parse_date(field, GPRI_DATE_MONTH_FIRST, &minutes);
}

/* The first row has at least half of the names that a model's table had, or that many of its own are such names. */
static bool has_known_names(const gpri_delimited *t) {
    const gpri_plan *plan = t->options.plan;
    int64_t known = 0;
    if (!plan || !plan->header) return false;
    for (int64_t i = 0; i < t->columns; i++)
        known += t->first[i].size > 0 && gpri_plan_find(plan, t->first[i].text, t->first[i].size) >= 0;
    return known > 0 && 2 * known >= (plan->count < t->columns ? plan->count : t->columns);
}

/* The first row is kept, the second one is in t->fields. */
static bool looks_like_header(const gpri_delimited *t) {
    bool numbers = false, below = false; /* in the first row; in the second */
    if (has_known_names(t)) return true;
    if (t->columns > 1 && gpri_is_unnamed(t->first[0]) && t->count > 0 && gpri_field_is(t->fields[0], "0")) return true;
    for (int64_t i = 0; i < t->columns; i++) {
        if (names_a_column(t->first[i])) return true;
        numbers = numbers || is_value(t->first[i]);
        below = below || (i < t->count && t->first[i].size > 0 && is_value(t->fields[i]));
    }
    return below && !numbers;
}

static gpr_status read_first_rows(gpri_delimited *t) {
    NEED(find_row(t));
    while (!t->options.delimiter) {
        t->options.delimiter = guess_delimiter(t->at, t->end);
        if (t->options.delimiter) break;
        if (gpri_source_ended(t->source))
            t->options.delimiter = ','; /* the quote is never closed: reading will say so */
        else NEED(next_block(t));
    }
    NEED(read_row(t));
    if (t->count == 0) return GPR_OK;
    NEED(keep_first(t));
    NEED(read_row(t));
    t->second_waits = true;
    t->has_header =
        t->options.header == GPRI_HEADER_YES || (t->options.header == GPRI_HEADER_AUTO && looks_like_header(t));
    t->first_waits = !t->has_header;
    return GPR_OK;
}

/* ---- The table ------------------------------------------------------------------------------------ */

gpr_status gpri_delimited_open(gpr_ctx *ctx, gpri_delimited **out, const char *path,
                               const gpri_delimited_options *options) {
    gpr_status status = GPR_OK;
    gpri_delimited *t = NULL;
    *out = NULL;
    TRY(gpri_calloc(ctx, &t, 1, sizeof *t, "table"));
    t->ctx = ctx;
    if (options) t->options = *options;
    TRY(t->options.head ? gpri_source_open_head(ctx, &t->source, t->options.head, t->options.piece)
                        : gpri_source_open(ctx, &t->source, path, t->options.piece));
    TRY(gpri_source_decode(t->source, t->options.encoding));
    const void *head;
    const int64_t size = gpri_source_head(t->source, &head);
    TRY(gpri_refuse_foreign(gpri_source_path(t->source), head, size, true));
    TRY(read_first_rows(t));
    *out = t;
    t = NULL;
done:
    gpri_delimited_close(t);
    return status;
}

gpr_status gpri_delimited_next(gpri_delimited *t, const gpri_field **fields, int64_t *count) {
    *fields = NULL;
    *count = 0;
    if (t->first_waits) {
        t->first_waits = false;
        t->given_line = t->first_line;
        *fields = t->first;
        *count = t->columns;
        return GPR_OK;
    }
    if (!t->second_waits) {
        NEED(read_row(t));
    }
    t->second_waits = false;
    t->given_line = t->row_line;
    *fields = t->fields;
    *count = t->count;
    return GPR_OK;
}

bool gpri_delimited_waits(const gpri_delimited *t) { return t->first_waits || t->second_waits; }
int64_t gpri_delimited_unread(const gpri_delimited *t) { return t->end - t->at; }
gpri_source *gpri_delimited_source(const gpri_delimited *t) { return t->source; }

gpr_status gpri_delimited_lines(gpri_delimited *t, gpri_lines *out) {
    gpr_status status = t->at == t->end ? next_block(t) : GPR_OK;
    *out = (gpri_lines){t->at, t->end - t->at, t->line, t->end_line - t->line};
    return status;
}

void gpri_delimited_pass(gpri_delimited *t) { t->at = t->end; }

char gpri_delimited_delimiter(const gpri_delimited *t) { return t->options.delimiter; }
int64_t gpri_delimited_columns(const gpri_delimited *t) { return t->columns; }
const gpri_field *gpri_delimited_first(const gpri_delimited *t) { return t->first; }
const gpri_field *gpri_delimited_header(const gpri_delimited *t) { return t->has_header ? t->first : NULL; }
const gpri_field *gpri_delimited_below(const gpri_delimited *t) {
    return t->has_header && t->second_waits && t->count == t->columns ? t->fields : NULL;
}
int64_t gpri_delimited_line(const gpri_delimited *t) { return t->given_line; }
const char *gpri_delimited_path(const gpri_delimited *t) { return gpri_source_path(t->source); }

int64_t gpri_delimited_column(const gpri_delimited *t, const char *name) {
    for (int64_t i = 0; t->has_header && i < t->columns; i++)
        if (gpri_field_is_word(t->first[i], name)) return i;
    return -1;
}

void gpri_delimited_close(gpri_delimited *t) {
    if (!t) return;
    gpri_source_close(t->source);
    gpri_free_all(t->ctx, t->cells, t->fields, t->first_bytes, t->first, t);
}
