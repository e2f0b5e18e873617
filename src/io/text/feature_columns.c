/* The table is read once, as it may come from a pipe. A column counts as numbers until a cell is not a number. The
 * texts of the cells before it are still known: up to MOST_VALUES different texts of each column are kept. */
#include "io/text/feature_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/text/columns.h"
#include "io/text/label_texts.h"

enum { MOST_VALUES = 100, SURE_ROWS = 1000, NO_VALUE = 255 };

typedef struct gpri_feature_column {
    int64_t at;        /* its place in the table */
    bool fixed;        /* it is what it was for a model */
    bool text;         /* a cell is not a number */
    int64_t strange;   /* cells whose text the model does not know; text_line and sample are of the first */
    int64_t numbers;   /* cells that are one */
    bool other;        /* one of them is neither 0 nor 1 */
    int64_t gaps;      /* cells that stand for "not known" */
    int64_t gap_line;  /* of the first of them */
    int64_t text_line; /* of the first cell that is not a number, and that cell */
    char sample[32];
    bool coded;      /* the different texts are kept so far */
    gpri_ids values; /* them */
    uint8_t *code;   /* (rows) a number of values, or NO_VALUE: the cell is empty */
    int64_t code_capacity;
    int64_t first;              /* its first column among the features; -1: left out */
    uint8_t order[MOST_VALUES]; /* text: the place of each value among its columns */
} feature_column;

void gpri_feature_columns_init(gpri_feature_columns *set, gpr_ctx *ctx, const gpri_delimited *table) {
    *set = (gpri_feature_columns){.ctx = ctx, .table = table, .unknown = {.ctx = ctx}};
}

/* The header's whole word, or the column's number. */
static void add_column_name(gpri_text *text, const gpri_delimited *table, int64_t column) {
    const gpri_field *header = gpri_delimited_header(table);
    if (header && header[column].size > 0) gpri_text_add(text, "%.*s", (int)header[column].size, header[column].text);
    else gpri_text_add(text, "%lld", (long long)column + 1);
}

/* Makes the column what it was for the model. *known: it has it at all. */
static gpr_status fix_column(const gpri_feature_columns *set, feature_column *c, bool *known) {
    gpr_status status = GPR_OK;
    gpri_text name = {.ctx = set->ctx};
    int64_t number;
    *known = false;
    add_column_name(&name, set->table, c->at);
    TRY(gpri_text_status(&name));
    for (int64_t j = 0; j < set->known_count; j++) {
        const char *feature = set->known[j], *rest = feature + name.size;
        if (strncmp(feature, name.bytes, (size_t)name.size) != 0 || (*rest && *rest != '=')) continue;
        *known = c->fixed = true;
        if (!*rest) continue;
        c->text = true;
        if (gpri_ids_count(&c->values) < MOST_VALUES)
            TRY(gpri_ids_add(&c->values, &number, rest + 1, (int64_t)strlen(rest + 1)));
    }
done:
    gpri_text_free(&name);
    return status;
}

gpr_status gpri_feature_columns_add(gpri_feature_columns *set, int64_t at) {
    gpr_status status = GPR_OK;
    feature_column c = {.at = at, .coded = true, .values = {.ctx = set->ctx}};
    bool known = true;
    char name[64];
    if (set->known) TRY(fix_column(set, &c, &known));
    if (known) {
        TRY(gpri_grow(set->ctx, &set->columns, &set->capacity, set->count + 1, sizeof *set->columns, "columns"));
        set->columns[set->count++] = c;
        c.values = (gpri_ids){.ctx = set->ctx};
    } else {
        gpri_text_add(&set->unknown, "%s '%s'", set->unknown_count++ ? "," : "",
                      gpri_column_name(set->table, at, name));
        TRY(gpri_text_status(&set->unknown));
    }
done:
    gpri_ids_free(&c.values);
    return status;
}

static void forget_values(const gpri_feature_columns *set, feature_column *c) {
    gpri_ids_free(&c->values);
    gpri_free(set->ctx, c->code);
    c->code = NULL;
    c->coded = false;
}

void gpri_feature_columns_free(gpri_feature_columns *set) {
    for (int64_t k = 0; k < set->count; k++) forget_values(set, &set->columns[k]);
    gpri_free(set->ctx, set->columns);
    gpri_free(set->ctx, set->cells);
    gpri_text_free(&set->unknown);
    *set = (gpri_feature_columns){.ctx = set->ctx};
}

/* ---- Cells ---------------------------------------------------------------------------------------- */

static bool is_infinite(gpri_field field) {
    if (field.size > 0 && (*field.text == '-' || *field.text == '+')) field.text++, field.size--;
    return gpri_field_is_word(field, "inf") || gpri_field_is_word(field, "infinity");
}

static gpr_status fail_in(const gpri_feature_columns *set, const feature_column *c, gpri_field field,
                          const char *expected) {
    char name[64];
    return gpri_delimited_fail(set->table, "column '%s' is '%.*s': expected %s (`drop` leaves the column out)",
                               gpri_column_name(set->table, c->at, name), GPRI_FIELD(field), expected);
}

static void keep_sample(const gpri_feature_columns *set, feature_column *c, gpri_field field) {
    c->text_line = gpri_delimited_line(set->table);
    snprintf(c->sample, sizeof c->sample, "%.*s", (int)(field.size < 31 ? field.size : 31), field.text);
}

/* Which value of the model's column the cell is; NO_VALUE if it is none. */
static int64_t known_value(const gpri_feature_columns *set, feature_column *c, gpri_field field) {
    const int64_t number = field.size > 0 ? gpri_ids_find(&c->values, field.text, field.size) : NO_VALUE;
    if (number >= 0) return number;
    if (c->strange++ == 0) keep_sample(set, c, field);
    return NO_VALUE;
}

/* Keeps what the cell says, as long as that may be needed. */
static gpr_status keep_value(const gpri_feature_columns *set, feature_column *c, gpri_field field) {
    gpr_status status = GPR_OK;
    int64_t number = NO_VALUE;
    if (!c->coded) return GPR_OK;
    if (c->fixed && c->text) number = known_value(set, c, field);
    else if (field.size > 0) TRY(gpri_ids_add(&c->values, &number, field.text, field.size));
    if (gpri_ids_count(&c->values) > MOST_VALUES || (!c->text && set->rows >= SURE_ROWS)) {
        forget_values(set, c);
        return GPR_OK;
    }
    TRY(gpri_grow(set->ctx, &c->code, &c->code_capacity, set->rows + 1, 1, "text columns"));
    c->code[set->rows] = (uint8_t)number;
done:
    return status;
}

static gpr_status take_cell(const gpri_feature_columns *set, feature_column *c, gpri_field field, float *out) {
    double value;
    *out = NAN;
    if (gpri_is_missing(field.text, field.size)) {
        if (c->gaps++ == 0) c->gap_line = gpri_delimited_line(set->table);
    } else if (!c->text && gpri_span_real(field.text, field.size, &value)) {
        *out = (float)value;
        if (!isfinite(*out)) return fail_in(set, c, field, "a finite number");
        c->other = c->other || (*out != 0 && *out != 1);
        c->numbers++;
    } else if (!c->text) {
        if (is_infinite(field)) return fail_in(set, c, field, "a finite number");
        if (c->fixed) return fail_in(set, c, field, "a number, as for the model");
        if (set->rows >= SURE_ROWS) return fail_in(set, c, field, "a number, as in the rows before");
        c->text = true;
        keep_sample(set, c, field);
    }
    return keep_value(set, c, field);
}

gpr_status gpri_feature_columns_row(gpri_feature_columns *set, const gpri_field *fields) {
    gpr_status status = GPR_OK;
    if (set->count == 0) return GPR_OK;
    TRY(gpri_grow(set->ctx, &set->cells, &set->cell_capacity, (set->rows + 1) * set->count, sizeof *set->cells,
                  "features"));
    float *row = set->cells + set->rows * set->count;
    for (int64_t k = 0; k < set->count; k++) TRY(take_cell(set, &set->columns[k], fields[set->columns[k].at], &row[k]));
    set->rows++;
done:
    return status;
}

/* ---- What the columns have become ----------------------------------------------------------------- */

typedef struct text_value {
    const char *text;
    int number;
} text_value;

static int by_text(const void *a, const void *b) {
    return strcmp(((const text_value *)a)->text, ((const text_value *)b)->text);
}

static void order_values(feature_column *c) {
    text_value values[MOST_VALUES];
    const int count = (int)gpri_ids_count(&c->values);
    for (int i = 0; i < count; i++) values[i] = (text_value){gpri_ids_text(&c->values, i), i};
    qsort(values, (size_t)count, sizeof *values, by_text);
    for (int i = 0; i < count; i++) c->order[values[i].number] = (uint8_t)i;
}

/* Cells that are not known: the number that the caller gave, or an error. */
static gpr_status fill_gaps(const gpri_feature_columns *set, int64_t k, const char *name) {
    const feature_column *c = &set->columns[k];
    const char *path = gpri_delimited_path(set->table);
    if (c->gaps == 0) return GPR_OK;
    if (!set->has_fill)
        return gpri_fail(
            GPR_ERROR_FORMAT,
            "%s:%lld: column '%s' has no number (one of %lld such rows): expected one in every row; `fill` 0 "
            "puts 0 there, `drop` %s leaves the column out",
            path, (long long)c->gap_line, name, (long long)c->gaps, name);
    for (int64_t i = 0; i < set->rows; i++)
        if (isnan(set->cells[i * set->count + k])) set->cells[i * set->count + k] = set->fill;
    gpri_log(set->ctx, GPR_LOG_INFO, "%s: column '%s': %lld gaps filled with %g", path, name, (long long)c->gaps,
             (double)set->fill);
    return GPR_OK;
}

/* Gives the column its place among the features and fills its gaps. */
static gpr_status settle(const gpri_feature_columns *set, int64_t k, int64_t *features, bool *mixed) {
    feature_column *c = &set->columns[k];
    const char *path = gpri_delimited_path(set->table);
    char name[64];
    gpri_column_name(set->table, c->at, name);
    c->first = *features;
    if (!c->text && c->numbers > 0) {
        ++*features;
        *mixed = *mixed || c->other;
        return fill_gaps(set, k, name);
    }
    if (c->text && c->coded) {
        const int64_t values = gpri_ids_count(&c->values);
        *features += values;
        order_values(c);
        if (c->strange > 0)
            gpri_log(set->ctx, GPR_LOG_WARNING,
                     "%s: column '%s' has %lld cell%s with a text that the model does not know (line %lld: '%s')", path,
                     name, (long long)c->strange, c->strange == 1 ? "" : "s", (long long)c->text_line, c->sample);
        if (c->fixed) return GPR_OK;
        gpri_log(set->ctx, GPR_LOG_WARNING,
                 "%s: column '%s' is text (line %lld: '%s'): its %lld value%s become%s a feature of 0 and 1 each", path,
                 name, (long long)c->text_line, c->sample, (long long)values, values == 1 ? "" : "s",
                 values == 1 ? "s" : "");
        return GPR_OK;
    }
    c->first = -1;
    if (c->text)
        gpri_log(set->ctx, GPR_LOG_WARNING,
                 "%s: column '%s' is text of more than %d different values (line %lld: '%s'): it is left out", path,
                 name, MOST_VALUES, (long long)c->text_line, c->sample);
    else gpri_log(set->ctx, GPR_LOG_WARNING, "%s: column '%s' is empty: it is left out", path, name);
    return GPR_OK;
}

/* "age", "city=Paris". None where the table has no header and no text. */
static gpr_status name_features(const gpri_feature_columns *set, gpri_raw_features *out) {
    gpr_status status = GPR_OK;
    gpri_text text = {.ctx = set->ctx};
    bool needed = gpri_delimited_header(set->table) != NULL;
    for (int64_t k = 0; k < set->count; k++) needed = needed || (set->columns[k].text && set->columns[k].first >= 0);
    if (!needed) return GPR_OK;
    TRY(gpri_alloc(set->ctx, &out->names.start, out->cols + 1, sizeof *out->names.start, "names"));
    out->names.start[0] = 0;
    for (int64_t k = 0; k < set->count; k++) {
        const feature_column *c = &set->columns[k];
        const int64_t parts = c->first < 0 ? 0 : c->text ? gpri_ids_count(&c->values) : 1;
        for (int64_t place = 0; place < parts; place++) {
            int64_t number = 0; /* the value that has this place */
            while (c->text && c->order[number] != place) number++;
            add_column_name(&text, set->table, c->at);
            if (c->text) gpri_text_add(&text, "=%s", gpri_ids_text(&c->values, number));
            gpri_text_add(&text, "%c", 0);
            out->names.start[c->first + place + 1] = text.size;
        }
    }
    TRY(gpri_text_status(&text));
    out->names.count = out->cols;
    out->names.bytes = text.bytes;
    text = (gpri_text){.ctx = set->ctx};
done:
    gpri_text_free(&text);
    return status;
}

/* ---- The matrix ----------------------------------------------------------------------------------- */

/* Row i, without its zeros, to `column` and `value`; gives how many there are. */
static int64_t row_entries(const gpri_feature_columns *set, int64_t i, int32_t *column, float *value) {
    int64_t count = 0;
    for (int64_t k = 0; k < set->count; k++) {
        const feature_column *c = &set->columns[k];
        const float number = set->cells[i * set->count + k];
        if (c->first < 0 || (c->text ? c->code[i] == NO_VALUE : number == 0)) continue;
        column[count] = (int32_t)(c->first + (c->text ? c->order[c->code[i]] : 0));
        value[count++] = c->text ? 1 : number;
    }
    return count;
}

static int64_t count_entries(const gpri_feature_columns *set) {
    int64_t count = 0;
    for (int64_t k = 0; k < set->count; k++) {
        const feature_column *c = &set->columns[k];
        for (int64_t i = 0; c->first >= 0 && i < set->rows; i++)
            count += c->text ? c->code[i] != NO_VALUE : set->cells[i * set->count + k] != 0;
    }
    return count;
}

/* Sparse where that is less, as with text of many values. */
static gpr_status fill_matrix(const gpri_feature_columns *set, gpri_raw_features *out) {
    gpr_status status = GPR_OK;
    const int64_t stored = count_entries(set);
    int64_t cells, end = 0;
    int32_t *column = NULL;
    float *value = NULL;
    if (!gpri_mul_size(set->rows, out->cols, &cells)) THROW(GPR_ERROR_MEMORY, "the features do not fit in memory");
    const bool dense = stored >= cells / 5;
    TRY(gpri_alloc(set->ctx, &column, dense ? set->count : stored, sizeof *column, "feature columns"));
    TRY(gpri_alloc(set->ctx, &value, dense ? set->count : stored, sizeof *value, "feature values"));
    if (dense) TRY(gpri_calloc(set->ctx, &out->dense, cells, sizeof *out->dense, "features"));
    else TRY(gpri_calloc(set->ctx, &out->indptr, set->rows + 1, sizeof *out->indptr, "feature rows"));
    out->rows = set->rows;
    for (int64_t i = 0; i < set->rows; i++) {
        const int64_t count = row_entries(set, i, column + end, value + end);
        for (int64_t e = 0; dense && e < count; e++) out->dense[i * out->cols + column[e]] = value[e];
        if (dense) continue;
        end += count;
        out->indptr[i + 1] = end;
    }
    if (dense) goto done;
    out->indices = column;
    out->values = value;
    column = NULL;
    value = NULL;
done:
    gpri_free(set->ctx, column);
    gpri_free(set->ctx, value);
    return status;
}

gpr_status gpri_feature_columns_finish(gpri_feature_columns *set, gpri_raw_features *out) {
    gpr_status status = GPR_OK;
    if (set->unknown_count > 0)
        gpri_log(set->ctx, GPR_LOG_WARNING, "%s: %s that the model does not know %s left out:%s",
                 gpri_delimited_path(set->table), set->unknown_count == 1 ? "a column" : "columns",
                 set->unknown_count == 1 ? "is" : "are", set->unknown.bytes);
    for (int64_t k = 0; k < set->count; k++) TRY(settle(set, k, &out->cols, &out->mixed));
    if (out->cols == 0) return GPR_OK;
    TRY(name_features(set, out));
    TRY(fill_matrix(set, out));
done:
    if (status != GPR_OK) gpri_raw_features_free(set->ctx, out);
    return status;
}
