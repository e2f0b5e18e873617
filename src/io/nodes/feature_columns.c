/* Cells of feature columns, row after row. While the kind of a column is not known, its texts are kept beside its
 * numbers, so that it can become any kind. */
#include "io/nodes/feature_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "io/text/amounts.h"
#include "io/text/columns.h"
#include "io/text/dates.h"
#include "io/text/label_texts.h"

enum { SURE_CELLS = 1000, SURE_TEXTS = 20000 };

void gpri_feature_columns_init(gpri_feature_columns *set, gpr_ctx *ctx, const gpri_delimited *table, gpri_plan *plan) {
    *set = (gpri_feature_columns){.ctx = ctx, .table = table, .plan = plan, .most_values = 1000, .most_words = 1000};
}

gpr_status gpri_feature_columns_add(gpri_feature_columns *set, int64_t at, int64_t place, gpri_kind kind) {
    const bool needs_texts = kind != GPRI_KIND_CATEGORY; /* to see how they are written */
    NEED(gpri_grow(set->ctx, &set->columns, &set->capacity, set->count + 1, sizeof *set->columns, "columns"));
    set->columns[set->count++] = (gpri_feature_column){.at = at,
                                                       .place = place,
                                                       .kind = needs_texts ? GPRI_KIND_UNKNOWN : kind,
                                                       .asked = kind != GPRI_KIND_UNKNOWN,
                                                       .values = {.ctx = set->ctx}};
    const gpri_field *header = gpri_delimited_header(set->table);
    gpri_feature_column *added = &set->columns[set->count - 1];
    if (kind == GPRI_KIND_UNKNOWN && header && gpri_is_called_id(header[at]))
        NEED(gpri_grow(set->ctx, &added->hashes, &added->hash_capacity, 16, sizeof *added->hashes, "ids"));
    if (kind != GPRI_KIND_UNKNOWN) set->plan->columns[place].kind = kind;
    return GPR_OK;
}

gpr_status gpri_feature_columns_add_known(gpri_feature_columns *set, int64_t at, int64_t place) {
    gpri_column *column = &set->plan->columns[place];
    int64_t number;
    NEED(gpri_feature_columns_add(set, at, place, GPRI_KIND_UNKNOWN));
    gpri_feature_column *c = &set->columns[set->count - 1];
    c->known = true;
    gpri_free(set->ctx, c->hashes);
    c->hashes = NULL;
    c->kind = column->kind;
    column->missing = column->odd = 0;
    const bool gives_values = c->kind == GPRI_KIND_CATEGORY || c->kind == GPRI_KIND_WORDS;
    for (int64_t i = 0; i < column->values.count && gives_values; i++) {
        const char *text = gpri_name(&column->values, i);
        NEED(gpri_ids_add(&c->values, &number, text, (int64_t)strlen(text)));
    }
    return GPR_OK;
}

void gpri_feature_columns_free(gpri_feature_columns *set) {
    for (int64_t k = 0; k < set->count; k++) {
        gpri_ids_free(&set->columns[k].values);
        gpri_free_all(set->ctx, set->columns[k].code, set->columns[k].feature, set->columns[k].hashes,
                      set->columns[k].word, set->columns[k].list_end);
    }
    gpri_words_free(&set->split);
    gpri_free_all(set->ctx, set->columns, set->cells);
    *set = (gpri_feature_columns){.ctx = set->ctx};
}

/* ---- one cell ---- */

static bool is_infinite(gpri_field field) {
    if (field.size > 0 && (*field.text == '-' || *field.text == '+')) field.text++, field.size--;
    return gpri_field_is_word(field, "inf") || gpri_field_is_word(field, "infinity");
}

static void keep_sample(const gpri_feature_columns *set, gpri_sample *sample, gpri_field field) {
    if (sample->line) return;
    sample->line = gpri_delimited_line(set->table);
    snprintf(sample->text, sizeof sample->text, "%.*s", (int)(field.size < 31 ? field.size : 31), field.text);
}

static gpr_status not_finite(const gpri_feature_columns *set, const gpri_feature_column *c, gpri_field field) {
    char name[64];
    return gpri_delimited_fail(set->table,
                               "column '%s' is '%.*s': expected a finite number (`drop` leaves the column out)",
                               gpri_column_name(set->table, c->at, name), GPRI_FIELD(field));
}

/* 1,234 and -12,000; not 0,123 and not 1234,567. There is one comma, in a number. */
static bool may_be_thousands(gpri_field field) {
    const char *comma = memchr(field.text, ',', (size_t)field.size), *end = field.text + field.size;
    const char *first = field.text + (*field.text == '-' || *field.text == '+');
    for (const char *at = comma + 1; at < end; at++)
        if (*at < '0' || *at > '9') return false;
    return end - comma == 4 && comma > first && comma - first <= 3 && *first != '0';
}

/* The cell as a number; NaN: it is none. */
static gpr_status take_number(const gpri_feature_columns *set, gpri_feature_column *c, gpri_field field, float *out) {
    const gpri_number_style *style = &set->plan->columns[c->place].style;
    double value;
    bool comma = false;
    *out = NAN;
    if (c->kind == GPRI_KIND_NUMBER && !gpri_is_plain(style)) {
        if (!gpri_styled_real(*style, field, &value)) return GPR_OK;
    } else if (!gpri_span_real(field.text, field.size, &value)) {
        if (!gpri_comma_real(field, &value)) return is_infinite(field) ? not_finite(set, c, field) : GPR_OK;
        if (set->plan->columns[c->place].no_comma && !c->comma_is_sure && may_be_thousands(field)) return GPR_OK;
        comma = true;
    }
    *out = (float)value;
    if (!isfinite(*out)) return not_finite(set, c, field);
    c->mixed = c->mixed || (*out != 0 && *out != 1);
    if (comma) {
        keep_sample(set, &c->comma_cell, field);
        const char *behind = memchr(field.text, ',', (size_t)field.size);
        c->comma_is_sure = c->comma_is_sure || field.text + field.size - behind != 4 || *field.text == '0';
    }
    return GPR_OK;
}

/* A cell that is not of the kind. */
static void take_odd(const gpri_feature_columns *set, gpri_feature_column *c, gpri_field field) {
    c->odd++;
    keep_sample(set, &c->odd_cell, field);
}

/* The number of the text among the values of the model's category. The model's texts are UTF-8. */
static gpr_status find_known(const gpri_feature_columns *set, gpri_feature_column *c, gpri_field field, int32_t *out) {
    gpr_status status = GPR_OK;
    char *text = NULL;
    int64_t number = gpri_ids_find(&c->values, field.text, field.size);
    if (number < 0) {
        TRY(gpri_alloc(set->ctx, &text, field.size + 1, 1, "text"));
        memcpy(text, field.text, (size_t)field.size);
        text[field.size] = 0;
        gpri_make_utf8(text);
        number = gpri_ids_find(&c->values, text, (int64_t)strlen(text));
    }
    if (number < 0) take_odd(set, c, field);
    *out = number < 0 ? (int32_t)gpri_ids_count(&c->values) : (int32_t)number; /* "other" */
done:
    gpri_free(set->ctx, text);
    return status;
}

static gpr_status take_text(const gpri_feature_columns *set, gpri_feature_column *c, gpri_field field, int32_t *out) {
    int64_t number;
    if (c->known) return find_known(set, c, field, out);
    NEED(gpri_ids_add(&c->values, &number, field.text, field.size));
    if (!c->text_cell.line) keep_sample(set, &c->text_cell, field);
    *out = (int32_t)number;
    return GPR_OK;
}

/* A cell of a column whose kind is not known: as a number, and as a text. */
static gpr_status take_any(const gpri_feature_columns *set, gpri_feature_column *c, gpri_field field,
                           gpri_feature_cell *out) {
    int64_t number = GPRI_NO_VALUE;
    int32_t minutes;
    out->number = NAN;
    NEED(gpri_grow(set->ctx, &c->code, &c->code_capacity, set->rows + 1, sizeof *c->code, "texts of columns"));
    if (field.size > 0) {
        if (!gpri_is_missing(field.text, field.size)) {
            NEED(take_number(set, c, field, &out->number));
            if (isnan(out->number)) {
                keep_sample(set, &c->text_cell, field);
                if (!c->plain_cell.line && !gpri_parse_date(field, GPRI_DATE_NO_ORDER, &minutes) &&
                    gpri_slash_evidence(field) == GPRI_SLASH_NONE)
                    keep_sample(set, &c->plain_cell, field);
            }
            c->cells++;
        }
        NEED(gpri_ids_add(&c->values, &number, field.text, field.size));
    }
    c->code[set->rows] = (int32_t)number;
    c->rows_of_code = set->rows + 1;
    return GPR_OK;
}

static gpr_status take_cell(gpri_feature_columns *set, gpri_feature_column *c, gpri_field field,
                            gpri_feature_cell *out) {
    double value;
    switch (c->kind) {
    case GPRI_KIND_NUMBER:
        if (gpri_is_plain(&set->plan->columns[c->place].style) && gpri_span_real(field.text, field.size, &value) &&
            fabs(value) <= 0x1.fffffep127) { /* the usual case */
            out->number = (float)value;
            c->mixed = c->mixed || (value != 0 && value != 1);
            c->cells++;
            break;
        }
        out->number = NAN;
        if (gpri_is_missing(field.text, field.size)) break;
        NEED(take_number(set, c, field, &out->number));
        c->cells++;
        if (isnan(out->number)) take_odd(set, c, field);
        break;
    case GPRI_KIND_DATE:
        out->code = GPRI_NO_DATE;
        if (gpri_is_missing(field.text, field.size)) break;
        c->cells++;
        if (!gpri_parse_date(field, (gpri_date_order)set->plan->columns[c->place].order, &out->code))
            take_odd(set, c, field);
        break;
    case GPRI_KIND_CATEGORY:
        out->code = GPRI_NO_VALUE;
        if (field.size == 0) break;
        c->cells++;
        NEED(take_text(set, c, field, &out->code));
        break;
    case GPRI_KIND_WORDS: NEED(gpri_take_words(set, c, field)); break;
    case GPRI_KIND_UNKNOWN: NEED(take_any(set, c, field, out)); break;
    default:
        out->code = field.size == 0 ? GPRI_NO_VALUE : 0;
        c->cells += field.size > 0;
        break;
    }
    return GPR_OK;
}

/* A text that is never the same again is not worth its memory, unless it is a list. */
static gpr_status give_up_names(gpri_feature_columns *set, gpri_feature_column *c) {
    gpr_status status = GPR_OK;
    int64_t *counts = NULL, numbers = 0;
    double value;
    if (c->asked || c->known || gpri_ids_count(&c->values) < SURE_TEXTS || gpri_ids_count(&c->values) <= c->cells / 2)
        return GPR_OK;
    for (int64_t i = 0; i < SURE_CELLS; i++) {
        const char *text = gpri_ids_text(&c->values, i);
        numbers += gpri_span_real(text, (int64_t)strlen(text), &value);
    }
    if (numbers > SURE_CELLS / 2) return GPR_OK;
    TRY(gpri_count_values(set->ctx, &counts, &c->values, &gpri_cell_of(set, c, 0)->code, set->rows, set->count));
    TRY(gpri_take_lists(set, c, counts));
    if (c->kind == GPRI_KIND_WORDS) goto done;
    gpri_ids_free(&c->values);
    c->values.ctx = set->ctx;
    c->kind = GPRI_KIND_TEXT;
done:
    gpri_free(set->ctx, counts);
    return status;
}

gpr_status gpri_feature_columns_row(gpri_feature_columns *set, const gpri_field *fields) {
    if (set->count == 0) return GPR_OK;
    NEED(gpri_grow(set->ctx, &set->cells, &set->cell_capacity, (set->rows + 1) * set->count, sizeof *set->cells,
                   "features"));
    gpri_feature_cell *row = set->cells + set->rows * set->count;
    for (int64_t k = 0; k < set->count; k++) {
        gpri_feature_column *c = &set->columns[k];
        if (c->hashes) NEED(gpri_feature_column_hash(set, c, fields[c->at]));
        NEED(take_cell(set, c, fields[c->at], &row[k]));
    }
    set->rows++;
    for (int64_t k = 0; k < set->count; k++) {
        gpri_feature_column *c = &set->columns[k];
        if (c->kind == GPRI_KIND_UNKNOWN && c->cells >= SURE_CELLS) NEED(gpri_feature_column_decide(set, c));
        else if (c->kind == GPRI_KIND_CATEGORY) NEED(give_up_names(set, c));
    }
    return GPR_OK;
}

gpr_status gpri_feature_columns_finish(gpri_feature_columns *set, gpri_raw_features *out) {
    gpr_status status = GPR_OK;
    for (int64_t k = 0; k < set->count; k++) {
        gpri_feature_column *c = &set->columns[k];
        const gpri_column *column = &set->plan->columns[c->place];
        if (c->kind == GPRI_KIND_UNKNOWN) TRY(gpri_feature_column_decide(set, c));
        TRY(gpri_feature_column_settle(set, c));
        c->first = out->cols;
        out->cols += column->features;
        out->mixed = out->mixed ||
                     (column->features > 0 && (c->kind == GPRI_KIND_DATE || (c->kind == GPRI_KIND_NUMBER && c->mixed)));
    }
    if (out->cols > 0) TRY(gpri_feature_rows(set, out));
done:
    if (status != GPR_OK) gpri_raw_features_free(set->ctx, out);
    return status;
}
