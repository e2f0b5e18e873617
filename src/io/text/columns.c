/* Finding a column of a table by the word or number that a person gives. */
#include "io/text/columns.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

const char *gpri_column_name(const gpri_delimited *table, int64_t column, char text[64]) {
    const gpri_field *header = gpri_delimited_header(table);
    if (header && header[column].size > 0) snprintf(text, 64, "%.*s", GPRI_FIELD(header[column]));
    else snprintf(text, 64, "%lld", (long long)column + 1);
    return text;
}

/* "no column 'x': the header has a, b, c". */
static gpr_status no_column(gpr_ctx *ctx, const gpri_delimited *table, const char *given, const char *what) {
    enum { SHOWN = 20 };
    gpri_text text = {.ctx = ctx};
    const int64_t count = gpri_delimited_columns(table);
    char name[64];
    if (!gpri_delimited_header(table))
        gpri_text_add(&text, "the file has no header: give a number from 1 to %lld", (long long)count);
    else gpri_text_add(&text, "the header has");
    for (int64_t j = 0; j < count && j < SHOWN && gpri_delimited_header(table); j++)
        gpri_text_add(&text, "%s %s", j ? "," : "", gpri_column_name(table, j, name));
    if (count > SHOWN && gpri_delimited_header(table))
        gpri_text_add(&text, ", and %lld more", (long long)(count - SHOWN));
    gpr_status status = gpri_text_status(&text);
    if (status == GPR_OK)
        status = gpri_fail(GPR_ERROR_ARGUMENT, "%s: no column '%s' (%s): %s", gpri_delimited_path(table), given, what,
                           text.bytes);
    gpri_text_free(&text);
    return status;
}

gpr_status gpri_find_column(gpr_ctx *ctx, int64_t *out, const gpri_delimited *table, const char *given,
                            const char *what) {
    *out = gpri_delimited_column(table, given);
    if (*out >= 0) return GPR_OK;
    if (gpri_parse_int(given, out) && *out >= 1 && *out <= gpri_delimited_columns(table)) {
        --*out;
        return GPR_OK;
    }
    return no_column(ctx, table, given, what);
}

bool gpri_is_index_column(const gpri_delimited *table, int64_t column) {
    const gpri_field *header = gpri_delimited_header(table);
    return header && column == 0 && gpri_is_unnamed(header[column]) &&
           gpri_field_is(gpri_delimited_below(table, column), "0");
}

/* ---- Options -------------------------------------------------------------------------------------- */

static gpr_status read_delimiter(char *out, const char *word) {
    static const struct {
        const char *word;
        char delimiter;
    } known[] = {{"auto", 0},   {"comma", ','},     {",", ','}, {"tab", '\t'},  {"\t", '\t'},
                 {"\\t", '\t'}, {"semicolon", ';'}, {";", ';'}, {"space", ' '}, {" ", ' '}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(word, known[i].word) == 0) {
            *out = known[i].delimiter;
            return GPR_OK;
        }
    return gpri_fail(GPR_ERROR_ARGUMENT, "delimiter '%s' is not known: give auto, comma, tab, semicolon or space",
                     word);
}

gpr_status gpri_table_options(gpri_delimited_options *out, const char *delimiter, const char *header,
                              const char *const *columns, int count) {
    gpr_status status = GPR_OK;
    int64_t number;
    *out = (gpri_delimited_options){0};
    if (delimiter) TRY(read_delimiter(&out->delimiter, delimiter));
    for (int i = 0; i < count; i++)
        if (columns[i] && !gpri_parse_int(columns[i], &number)) out->header = GPRI_HEADER_YES;
    if (header && strcmp(header, "yes") == 0) out->header = GPRI_HEADER_YES;
    else if (header && strcmp(header, "no") == 0) out->header = GPRI_HEADER_NO;
    else if (header && strcmp(header, "auto") != 0)
        THROW(GPR_ERROR_ARGUMENT, "header '%s' is not known: give auto, yes or no", header);
done:
    return status;
}
