/* Reading the column of the table of nodes that says which nodes train, validate and test. */
#include "io/nodes/split_column.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "io/text/dates.h"
#include "io/text/label_texts.h"
#include "io/text/split_lists.h"

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
        date[i] = gpri_parse_time((gpri_field){text, (int64_t)strlen(text)}, GPRI_DATE_NO_ORDER, to[i]);
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

gpr_status gpri_split_column_begin(gpri_split_column *split, int64_t column, const gpr_open_options *options) {
    split->column = column;
    split->name = options->time ? options->time : options->split_column;
    if (column < 0) return GPR_OK;
    NEED(read_bounds(split, options));
    split->timed = options->time != NULL;
    split->by_time = split->timed && !split->ordered;
    return GPR_OK;
}

/* A missing cell is unused. */
static gpr_status part_by_order(const gpri_split_column *split, const gpri_delimited *table, gpri_field field,
                                gpr_part *out) {
    double value;
    *out = GPR_UNUSED;
    if (gpri_is_missing(field.text, field.size)) return GPR_OK;
    if (!(split->dates ? gpri_parse_time(field, GPRI_DATE_NO_ORDER, &value)
                       : gpri_span_real(field.text, field.size, &value) && !isnan(value)))
        return gpri_delimited_fail(table, "column '%s' is '%.*s': expected a %s, as `val-from` is %s", split->name,
                                   GPRI_FIELD(field), split->dates ? "date such as 2024-12-31" : "number",
                                   split->bounds[0]);
    *out = value < split->val_from ? GPR_TRAIN : value < split->test_from ? GPR_VAL : GPR_TEST;
    return GPR_OK;
}

/* The first cell with a value tells whether times are dates. */
static gpr_status take_time(gpri_split_column *split, const gpri_delimited *table, gpri_field field) {
    double value = NAN, *to;
    NEED(gpri_grow(split->ctx, &split->time, &split->time_capacity, split->rows + 1, sizeof *split->time, "times"));
    to = &split->time[split->rows++];
    *to = NAN;
    if (gpri_is_missing(field.text, field.size)) return GPR_OK;
    if (split->missing == split->rows - 1) split->dates = gpri_parse_time(field, GPRI_DATE_NO_ORDER, &value);
    if (!(split->dates ? gpri_parse_time(field, GPRI_DATE_NO_ORDER, &value)
                       : gpri_span_real(field.text, field.size, &value) && isfinite(value)))
        return gpri_delimited_fail(
            table, "the time in column '%s' is '%.*s': expected a %s", split->name, GPRI_FIELD(field),
            split->dates ? "date such as 2024-12-31, as in the rows before" : "number, or a date such as 2024-12-31");
    *to = value;
    return GPR_OK;
}

gpr_status gpri_split_column_row(gpri_split_column *split, const gpri_delimited *table, const gpri_field *fields) {
    gpr_part part;
    if (split->column < 0) return GPR_OK;
    const gpri_field field = fields[split->column];
    split->missing += split->timed || split->ordered ? gpri_is_missing(field.text, field.size) : field.size == 0;
    if (split->by_time) return take_time(split, table, field);
    if (split->ordered) NEED(part_by_order(split, table, field, &part));
    else if (!gpri_part_of_word(field.text, field.size, &part))
        return gpri_delimited_fail(table,
                                   "column '%s' is '%.*s': expected train, val, test or nothing; for dates or numbers "
                                   "give `val-from` and `test-from`",
                                   split->name, GPRI_FIELD(field));
    NEED(gpri_grow(split->ctx, &split->part, &split->capacity, split->rows + 1, sizeof *split->part, "split"));
    split->part[split->rows++] = (uint8_t)part;
    return GPR_OK;
}

/* What the plan says of it. */
static gpr_status describe(const gpri_split_column *split, gpri_plan *plan, gpri_column *column) {
    column->missing = split->missing;
    if (split->by_time) {
        column->kind = split->dates ? GPRI_KIND_DATE : GPRI_KIND_NUMBER;
        return gpri_column_say(plan, column, "the time of each node: the oldest train, the newest test");
    }
    int64_t counts[GPR_TEST + 1] = {0}, distinct = 0;
    for (int64_t i = 0; i < split->rows; i++) counts[split->part[i]]++;
    for (int p = GPR_TRAIN; p <= GPR_TEST; p++) distinct += counts[p] > 0;
    column->kind = !split->ordered ? GPRI_KIND_CATEGORY : split->dates ? GPRI_KIND_DATE : GPRI_KIND_NUMBER;
    column->distinct = split->ordered ? -1 : distinct;
    return gpri_column_say(plan, column, "%lld train, %lld val, %lld test", (long long)counts[GPR_TRAIN],
                           (long long)counts[GPR_VAL], (long long)counts[GPR_TEST]);
}

gpr_status gpri_split_column_finish(gpri_split_column *split, gpri_own_split *out, gpri_plan *plan,
                                    gpri_column *column) {
    if (split->column < 0) return GPR_OK;
    NEED(describe(split, plan, column));
    NEED(gpri_strdup(split->ctx, &out->column, split->name));
    out->part = split->part;
    out->time = split->time;
    out->timed = split->timed;
    split->part = NULL;
    split->time = NULL;
    return GPR_OK;
}

void gpri_split_column_free(gpri_split_column *split) {
    gpri_free_all(split->ctx, split->part, split->time);
    split->part = NULL;
    split->time = NULL;
}
