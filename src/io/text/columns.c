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
    gpri_text_add(&text, "%s: no column '%s' (%s): ", gpri_delimited_path(table), given, what);
    if (!gpri_delimited_header(table))
        gpri_text_add(&text, "the file has no header: give a number from 1 to %lld", (long long)count);
    else gpri_text_add(&text, "the header has");
    for (int64_t j = 0; j < count && j < SHOWN && gpri_delimited_header(table); j++)
        gpri_text_add(&text, "%s %s", j ? "," : "", gpri_column_name(table, j, name));
    if (count > SHOWN && gpri_delimited_header(table))
        gpri_text_add(&text, ", and %lld more", (long long)(count - SHOWN));
    return gpri_text_fail(GPR_ERROR_ARGUMENT, &text);
}

/* The first column from `from` on with this name, exactly or in upper or lower case; -1: none. */
static int64_t named(const gpri_delimited *table, const char *name, bool exact, int64_t from) {
    const gpri_field *header = gpri_delimited_header(table);
    for (int64_t j = from; header && j < gpri_delimited_columns(table); j++)
        if (exact ? gpri_field_is(header[j], name) : gpri_field_is_word(header[j], name)) return j;
    return -1;
}

/* The column of that name; -1: none. Two of them are an error, as one of two prices may be a leak. */
static gpr_status find_named(int64_t *out, const gpri_delimited *table, const char *given, const char *what) {
    bool exact = true;
    *out = named(table, given, exact, 0);
    if (*out < 0) *out = named(table, given, exact = false, 0);
    const int64_t twin = *out < 0 ? -1 : named(table, given, exact, *out + 1);
    if (twin < 0) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT,
                     "%s: columns %lld and %lld are both named '%s' (%s): rename one, or give the number",
                     gpri_delimited_path(table), (long long)*out + 1, (long long)twin + 1, given, what);
}

gpr_status gpri_find_column(gpr_ctx *ctx, int64_t *out, const gpri_delimited *table, const char *given,
                            const char *what) {
    NEED(find_named(out, table, given, what));
    if (*out >= 0) return GPR_OK;
    if (gpri_parse_int(given, out) && *out >= 1 && *out <= gpri_delimited_columns(table)) {
        --*out;
        return GPR_OK;
    }
    return no_column(ctx, table, given, what);
}

bool gpri_is_index_column(const gpri_delimited *table, int64_t column) {
    const gpri_field *header = gpri_delimited_header(table), *below = gpri_delimited_below(table);
    int64_t number;
    if (!header || !below || !gpri_is_unnamed(header[column])) return false;
    return gpri_span_int(below[column].text, below[column].size, &number) && number >= 0;
}

/* "id", "node", "customer_id", "customerId". */
bool gpri_is_called_id(gpri_field name) {
    static const char *const words[] = {"id", "node", "node_id", "nodeid", "name", "key", "uid", "uuid"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (gpri_field_is_word(name, words[i])) return true;
    if (name.size < 3) return false;
    const gpri_field end = {name.text + name.size - 2, 2};
    const char before = end.text[-1];
    return gpri_field_is_word(end, "id") &&
           (before == '_' || before == ' ' || before == '-' || (*end.text == 'I' && before >= 'a' && before <= 'z'));
}

int64_t gpri_column_twin(const gpri_delimited *table, int64_t column) {
    const gpri_field *header = gpri_delimited_header(table);
    for (int64_t j = 0; header && header[column].size > 0 && j < gpri_delimited_columns(table); j++)
        if (j != column && header[j].size == header[column].size &&
            memcmp(header[j].text, header[column].text, (size_t)header[j].size) == 0)
            return j;
    return -1;
}

gpr_status gpri_each_column(gpr_ctx *ctx, const gpri_delimited *table, const char *list, const char *what,
                            gpr_status (*each)(void *user, int64_t column), void *user) {
    gpr_status status = GPR_OK;
    char *copy = NULL, *rest = NULL;
    int64_t at;
    if (!list) return GPR_OK;
    TRY(gpri_strdup(ctx, &copy, list));
    for (const char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        TRY(gpri_find_column(ctx, &at, table, word, what));
        TRY(each(user, at));
    }
done:
    gpri_free(ctx, copy);
    return status;
}

/* ---- Options -------------------------------------------------------------------------------------- */

/* Whether one of the columns, separated by commas, is given by a word. */
static bool names_a_word(const char *list) {
    int64_t number;
    for (const char *at = list;;) {
        const size_t size = strcspn(at, ",");
        if (size > 0 && !gpri_span_int(at, (int64_t)size, &number)) return true;
        if (!at[size]) return false;
        at += size + 1;
    }
}

gpr_status gpri_table_options(gpri_delimited_options *out, const gpr_open_options *options, const char *const *columns,
                              int count) {
    static const gpri_encoding encodings[] = {
        [GPRI_ENCODING_UTF8] = GPRI_UTF8, [GPRI_ENCODING_LATIN1] = GPRI_LATIN1, [GPRI_ENCODING_UTF16] = GPRI_UTF16};
    static const char delimiters[] = {[GPRI_DELIMITER_COMMA] = ',',
                                      [GPRI_DELIMITER_TAB] = '\t',
                                      [GPRI_DELIMITER_SEMICOLON] = ';',
                                      [GPRI_DELIMITER_SPACE] = ' '};
    gpri_data_value delimiter, header, encoding;
    NEED(gpri_data_choose(&delimiter, GPRI_OPEN_DELIMITER, options->delimiter));
    NEED(gpri_data_choose(&header, GPRI_OPEN_HEADER, options->header));
    NEED(gpri_data_choose(&encoding, GPRI_OPEN_ENCODING, options->encoding));
    *out =
        (gpri_delimited_options){.delimiter = delimiters[delimiter], .header = header, .encoding = encodings[encoding]};
    for (int i = 0; i < count; i++)
        if (header == GPRI_HEADER_AUTO && columns[i] && names_a_word(columns[i])) out->header = GPRI_HEADER_YES;
    return GPR_OK;
}
