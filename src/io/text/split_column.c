/* Reading the column of the table of nodes that says which nodes train, validate and test. */
#include "io/text/split_column.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "io/split.h"
#include "io/text/columns.h"

/* ---- Dates ---------------------------------------------------------------------------------------- */

/* `digits` digits at *at, and the mark after them if there is one to come; moves *at. */
static bool take_number(const char **at, const char *end, int digits, char mark, int *out) {
    *out = 0;
    for (int i = 0; i < digits; i++, ++*at) {
        if (*at >= end || **at < '0' || **at > '9') return false;
        *out = 10 * *out + (**at - '0');
    }
    if (!mark) return true;
    return *at < end && *(*at)++ == mark;
}

/* Days since 1970-01-01 in the Gregorian calendar. Years are counted from March, so that the leap day comes last. */
static double days_since_1970(int year, int month, int day) {
    year -= month <= 2;
    const int era = year / 400, year_of_era = year - era * 400;
    const int day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return (double)era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

static int days_of_month(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : days[month - 1];
}

/* "2024-03-31", and optionally a time of day as "T12:30", " 12:30:59", "T12:30:59.5Z". */
static bool parse_date(const char *text, int64_t size, double *out) {
    const char *at = text, *end = text + size;
    int year, month, day, hour = 0, minute = 0, second = 0;
    double fraction = 0, unit = 0.1;
    if (!take_number(&at, end, 4, '-', &year) || !take_number(&at, end, 2, '-', &month) ||
        !take_number(&at, end, 2, 0, &day))
        return false;
    if (month < 1 || month > 12 || day < 1 || day > days_of_month(year, month)) return false;
    if (at < end && (*at == 'T' || *at == ' ')) {
        at++;
        if (!take_number(&at, end, 2, ':', &hour) || !take_number(&at, end, 2, 0, &minute)) return false;
        if (at < end && *at == ':' && (at++, !take_number(&at, end, 2, 0, &second))) return false;
        if (at < end && *at == '.')
            for (at++; at < end && *at >= '0' && *at <= '9'; at++, unit /= 10) fraction += unit * (*at - '0');
        if (at < end && *at == 'Z') at++;
    }
    if (at != end || hour > 23 || minute > 59 || second > 60) return false;
    *out = days_since_1970(year, month, day) + (hour * 3600 + minute * 60 + second + fraction) / 86400;
    return true;
}

/* ---- The column ----------------------------------------------------------------------------------- */

static gpr_status read_bounds(gpri_split_column *split, const gpr_open_options *o) {
    double *const to[] = {&split->val_from, &split->test_from};
    bool date[2];
    if (!o->val_from && !o->test_from) return GPR_OK;
    if (!o->val_from || !o->test_from)
        return gpri_fail(GPR_ERROR_ARGUMENT, "`%s` is given and `%s` is not: a split needs both",
                         o->val_from ? "val-from" : "test-from", o->val_from ? "test-from" : "val-from");
    split->bounds[0] = o->val_from;
    split->bounds[1] = o->test_from;
    for (int i = 0; i < 2; i++) {
        const char *text = split->bounds[i];
        date[i] = parse_date(text, (int64_t)strlen(text), to[i]);
        if (!date[i] && (!gpri_parse_real(text, to[i]) || !isfinite(*to[i])))
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "`%s` is '%s': it must be a number, or a date such as 2024-12-31 or 2024-12-31T18:00",
                             i ? "test-from" : "val-from", text);
    }
    if (date[0] != date[1])
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`val-from` is '%s' and `test-from` is '%s': give two dates or two numbers", o->val_from,
                         o->test_from);
    if (!(split->val_from < split->test_from))
        return gpri_fail(
            GPR_ERROR_ARGUMENT,
            "`val-from` is %s and `test-from` is %s: validation comes before the test, so the first must be "
            "below the second",
            o->val_from, o->test_from);
    split->ordered = true;
    split->dates = date[0];
    return GPR_OK;
}

gpr_status gpri_split_column_find(gpri_split_column *split, const gpri_delimited *table,
                                  const gpr_open_options *options, int64_t id, int64_t label) {
    gpr_status status = GPR_OK;
    split->column = -1;
    if (!options->split_column) return GPR_OK;
    split->name = options->split_column;
    TRY(gpri_find_column(split->ctx, &split->column, table, options->split_column, "split"));
    if (split->column == id || split->column == label)
        THROW(GPR_ERROR_ARGUMENT, "%s: column '%s' is both the %s and the split", gpri_delimited_path(table),
              split->name, split->column == id ? "id" : "label");
    TRY(read_bounds(split, options));
done:
    return status;
}

/* An empty cell, and one of unknown order such as NaN, is unused. */
static gpr_status part_by_order(const gpri_split_column *split, const gpri_delimited *table, gpri_field field,
                                gpr_part *out) {
    double value;
    *out = GPR_UNUSED;
    if (field.size == 0) return GPR_OK;
    if (!(split->dates ? parse_date(field.text, field.size, &value)
                       : gpri_span_real(field.text, field.size, &value) && !isnan(value)))
        return gpri_delimited_fail(table, "column '%s' is '%.*s': expected a %s, as `val-from` is %s", split->name,
                                   GPRI_FIELD(field), split->dates ? "date such as 2024-12-31" : "number",
                                   split->bounds[0]);
    *out = value < split->val_from ? GPR_TRAIN : value < split->test_from ? GPR_VAL : GPR_TEST;
    return GPR_OK;
}

gpr_status gpri_split_column_row(gpri_split_column *split, const gpri_delimited *table, const gpri_field *fields) {
    gpr_status status = GPR_OK;
    gpr_part part;
    if (split->column < 0) return GPR_OK;
    const gpri_field field = fields[split->column];
    if (split->ordered) TRY(part_by_order(split, table, field, &part));
    else if (!gpri_part_of_word(field.text, field.size, &part))
        return gpri_delimited_fail(table,
                                   "column '%s' is '%.*s': expected train, val, test or nothing; for dates or numbers "
                                   "give `val-from` and `test-from`",
                                   split->name, GPRI_FIELD(field));
    TRY(gpri_grow(split->ctx, &split->part, &split->capacity, split->rows + 1, sizeof *split->part, "split"));
    split->part[split->rows++] = (uint8_t)part;
done:
    return status;
}

gpr_status gpri_split_column_finish(gpri_split_column *split, gpri_own_split *out) {
    if (split->column < 0) return GPR_OK;
    gpr_status status = gpri_strdup(split->ctx, &out->column, split->name);
    if (status != GPR_OK) return status;
    out->part = split->part;
    split->part = NULL;
    return GPR_OK;
}

void gpri_split_column_free(gpri_split_column *split) {
    gpri_free(split->ctx, split->part);
    split->part = NULL;
}
