/* What a feature column is, by its cells; and what it becomes: the value for its gaps, the values of a category, and
 * what the plan and the log say about it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/print.h"
#include "base/text.h"
#include "io/nodes/feature_columns.h"
#include "io/text/amounts.h"
#include "io/text/dates.h"
#include "io/text/label_texts.h"

enum { FEW_VALUES = 100 }; /* a column with so many values is never free text */

static gpri_field field_of(const char *text) { return (gpri_field){text, (int64_t)strlen(text)}; }

/* ---- guessing ---- */

typedef struct tally {
    int64_t numbers, dates;                 /* cells; dates without those below */
    int64_t either, month_first, day_first; /* with slashes */
} tally;

/* As a number in the style of the column. */
static bool is_number(const gpri_number_style *style, gpri_field field, double *value) {
    if (!gpri_is_plain(style)) return gpri_styled_real(*style, field, value);
    return (gpri_span_real(field.text, field.size, value) || gpri_comma_real(field, value)) &&
           isfinite((float)*value);
}

static tally tally_values(const gpri_number_style *style, const gpri_ids *values, const int64_t *counts) {
    tally t = {0};
    double value;
    int32_t minutes;
    for (int64_t i = 0; i < gpri_ids_count(values); i++) {
        const gpri_field field = field_of(gpri_ids_text(values, i));
        if (is_number(style, field, &value)) t.numbers += counts[i];
        else if (gpri_parse_date(field, GPRI_DATE_NO_ORDER, &minutes)) t.dates += counts[i];
        else {
            const gpri_slash_date slash = gpri_slash_evidence(field);
            t.either += slash == GPRI_SLASH_EITHER ? counts[i] : 0;
            t.month_first += slash == GPRI_SLASH_MONTH_FIRST ? counts[i] : 0;
            t.day_first += slash == GPRI_SLASH_DAY_FIRST ? counts[i] : 0;
        }
    }
    return t;
}

/* The order that explains more dates; none where nothing tells. *dates: those that it explains, with all others. */
static gpri_date_order order_of(const tally *t, bool asked, int64_t *dates) {
    gpri_date_order order = GPRI_DATE_NO_ORDER;
    if (t->month_first > t->day_first) order = GPRI_DATE_MONTH_FIRST;
    else if (t->day_first > 0) order = GPRI_DATE_DAY_FIRST;
    else if (asked && t->either > 0) order = GPRI_DATE_MONTH_FIRST;
    *dates = t->dates;
    if (order == GPRI_DATE_MONTH_FIRST) *dates += t->either + t->month_first;
    if (order == GPRI_DATE_DAY_FIRST) *dates += t->either + t->day_first;
    return order;
}

/* The cells so far become dates; those that are none are counted. */
static void make_dates(const gpri_feature_columns *set, gpri_feature_column *c, gpri_date_order order) {
    for (int64_t i = 0; i < c->rows_of_code; i++) {
        gpri_feature_cell *cell = gpri_cell_of(set, c, i);
        cell->code = GPRI_NO_DATE;
        if (c->code[i] < 0) continue;
        const gpri_field field = field_of(gpri_ids_text(&c->values, c->code[i]));
        if (gpri_parse_date(field, order, &cell->code) || gpri_is_missing(field.text, field.size)) continue;
        cell->code = GPRI_NO_DATE;
        c->odd++;
    }
    c->odd_cell = c->plain_cell.line ? c->plain_cell : c->text_cell;
}

/* The cell becomes the number that its text is; false: it is none, and missing. */
static bool make_number(const gpri_feature_columns *set, gpri_feature_column *c, gpri_feature_cell *cell,
                        int32_t code) {
    const gpri_number_style *style = &set->plan->columns[c->place].style;
    double value;
    cell->number = NAN;
    if (code < 0 || !is_number(style, field_of(gpri_ids_text(&c->values, code)), &value)) return false;
    cell->number = (float)value;
    c->mixed = c->mixed || (value != 0 && value != 1);
    return true;
}

static void make_codes(const gpri_feature_columns *set, gpri_feature_column *c) {
    c->cells = 0;
    for (int64_t i = 0; i < c->rows_of_code; i++) {
        gpri_cell_of(set, c, i)->code = c->code[i];
        c->cells += c->code[i] >= 0;
    }
}

gpr_status gpri_feature_column_decide(gpri_feature_columns *set, gpri_feature_column *c) {
    gpr_status status = GPR_OK;
    gpri_column *column = &set->plan->columns[c->place];
    int64_t *counts = NULL, dates;
    TRY(gpri_count_values(set->ctx, &counts, &c->values, c->code, c->rows_of_code, 1));
    const bool is_date = c->asked && column->kind == GPRI_KIND_DATE,
               is_words = c->asked && column->kind == GPRI_KIND_WORDS,
               is_number = c->asked && column->kind == GPRI_KIND_NUMBER;
    column->style = gpri_find_style(&c->values, counts);
    const tally t = tally_values(&column->style, &c->values, counts);
    const gpri_date_order order = order_of(&t, is_date, &dates);
    if (c->cells == 0) {
        if (c->rows_of_code < set->rows) goto done;
        c->kind = GPRI_KIND_EMPTY;
    } else if (is_words) TRY(gpri_take_lists(set, c, counts));
    else if (is_date || (!is_number && !gpri_mostly(t.numbers, c->cells) && gpri_mostly(dates, c->cells))) {
        c->kind = GPRI_KIND_DATE;
        column->order = (int)order;
        make_dates(set, c, order);
        if (is_date && order == GPRI_DATE_MONTH_FIRST && t.month_first == 0)
            gpri_log(set->ctx, GPR_LOG_WARNING,
                     "%s: column '%s': dates such as '%s' are read as month/day/year: nothing shows the order",
                     gpri_delimited_path(set->table), column->name, c->text_cell.text);
    } else if (is_number || gpri_mostly(t.numbers, c->cells)) {
        c->kind = GPRI_KIND_NUMBER;
        column->no_comma = gpri_is_plain(&column->style) && !c->comma_cell.line;
        c->odd = c->cells - t.numbers; /* the cells are numbers already, but for their style */
        c->odd_cell = c->text_cell;
        for (int64_t i = 0; i < c->rows_of_code && !gpri_is_plain(&column->style); i++)
            make_number(set, c, gpri_cell_of(set, c, i), c->code[i]);
    } else {
        TRY(gpri_take_lists(set, c, counts));
        if (c->kind != GPRI_KIND_WORDS) {
            c->kind = GPRI_KIND_CATEGORY;
            make_codes(set, c);
        }
    }
    if (c->kind != GPRI_KIND_CATEGORY && c->kind != GPRI_KIND_WORDS) gpri_ids_free(&c->values);
    gpri_free(set->ctx, c->code);
    c->code = NULL;
done:
    gpri_free(set->ctx, counts);
    return status;
}

/* ---- the value for gaps ---- */

static int by_size(const void *a, const void *b) {
    const float left = *(const float *)a, right = *(const float *)b;
    return left < right ? -1 : left > right;
}

/* Orders values so that the one with this place is there, and no larger one stands before it. */
static float select_place(float *values, int64_t count, int64_t place) {
    int64_t first = 0, end = count;
    for (int round = 0; end - first > 1; round++) {
        if (round == 64) { /* an order that was made for this */
            qsort(values + first, (size_t)(end - first), sizeof *values, by_size);
            break;
        }
        const float a = values[first], b = values[(first + end) / 2], c = values[end - 1];
        const float pivot = fmaxf(fminf(a, b), fminf(fmaxf(a, b), c));
        int64_t less = first, at = first, more = end;
        while (at < more) {
            const float value = values[at];
            if (value < pivot) values[at++] = values[less], values[less++] = value;
            else if (value > pivot) values[at] = values[--more], values[more] = value;
            else at++;
        }
        if (place < less) end = less;
        else if (place >= more) first = more;
        else break;
    }
    return values[place];
}

static float cell_number(const gpri_feature_column *c, const gpri_feature_cell *cell) {
    if (c->kind == GPRI_KIND_NUMBER) return cell->number;
    return cell->code == GPRI_NO_DATE ? NAN : (float)((double)cell->code / 1440);
}

/* By the rule of the caller. There is a cell with a value. Without gaps only a later table may need it: some of the
   rows are enough, and take less time. */
static gpr_status find_fill(const gpri_feature_columns *set, const gpri_feature_column *c, double *out) {
    enum { SAMPLE = 10000 };
    const bool gaps = c->cells - c->odd < set->rows;
    const int64_t stride = gaps ? 1 : (set->rows + SAMPLE - 1) / SAMPLE;
    gpr_status status = GPR_OK;
    float *values = NULL;
    int64_t count = 0;
    double sum = 0;
    *out = (double)set->fill_number;
    if (set->fill == GPRI_FILL_NUMBER) return GPR_OK;
    TRY(gpri_alloc(set->ctx, &values, set->rows / stride + 1, sizeof *values, "values of a column"));
    for (int64_t i = 0; i < set->rows; i += stride) {
        const float value = cell_number(c, gpri_cell_of(set, c, i));
        if (isnan(value)) continue;
        values[count++] = value;
        sum += (double)value;
    }
    if (set->fill == GPRI_FILL_MEAN) *out = (double)(float)(sum / (double)count);
    else {
        float middle = select_place(values, count, count / 2), below = middle;
        for (int64_t i = 0; count % 2 == 0 && i < count / 2; i++)
            below = i == 0 || values[i] > below ? values[i] : below;
        *out = (double)(float)(((double)middle + (double)below) / 2);
    }
done:
    gpri_free(set->ctx, values);
    return status;
}

/* ---- what becomes of it ---- */

/* Different numbers or dates; -1: more than SHOWN_VALUES. */
static int64_t count_distinct(const gpri_feature_columns *set, const gpri_feature_column *c) {
    enum { SHOWN_VALUES = 1000, SLOTS = 4096 };
    int32_t slots[SLOTS]; /* the bits of a cell; a missing one: free */
    const gpri_feature_cell missing =
        c->kind == GPRI_KIND_NUMBER ? (gpri_feature_cell){.number = NAN} : (gpri_feature_cell){.code = GPRI_NO_DATE};
    int64_t count = 0;
    for (int i = 0; i < SLOTS; i++) slots[i] = missing.code;
    for (int64_t i = 0; i < set->rows; i++) {
        const gpri_feature_cell *cell = gpri_cell_of(set, c, i);
        if (c->kind == GPRI_KIND_NUMBER ? isnan(cell->number) : cell->code == GPRI_NO_DATE) continue;
        uint32_t at = ((uint32_t)cell->code * 2654435761u) >> 20;
        while (slots[at] != missing.code && slots[at] != cell->code) at = (at + 1) % SLOTS;
        if (slots[at] == cell->code) continue;
        if (count++ == SHOWN_VALUES) return -1;
        slots[at] = cell->code;
    }
    return count;
}

static gpr_status too_odd(const gpri_feature_columns *set, const gpri_feature_column *c, const char *kind) {
    const char *name = set->plan->columns[c->place].name, *path = gpri_delimited_path(set->table);
    if (c->known)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s:%lld: column '%s' is '%s': expected a %s, as for the model (%lld of %lld "
                         "cells are not)",
                         path, (long long)c->odd_cell.line, name, c->odd_cell.text, kind, (long long)c->odd,
                         (long long)c->cells);
    if (c->asked)
        return gpri_fail(GPR_ERROR_FORMAT, "%s:%lld: column '%s' is '%s': no cell is a %s", path,
                         (long long)c->odd_cell.line, name, c->odd_cell.text, kind);
    return gpri_fail(GPR_ERROR_FORMAT,
                     "%s:%lld: column '%s' is '%s', but the first 1000 cells are %ss; in all %lld of %lld are not: say "
                     "what it is with `numeric`, `date` or `categorical`, or leave it out with `drop`",
                     path, (long long)c->odd_cell.line, name, c->odd_cell.text, kind, (long long)c->odd,
                     (long long)c->cells);
}

/* "number in $, with , between thousands". */
static void say_style(char *text, size_t size, const gpri_number_style *style) {
    const char *mark =
        style->thousands == '\'' || style->thousands == ' ' ? "blanks or '" : (char[]){style->thousands, 0};
    snprintf(text, size, "number%s%s%s%s%s", *style->unit ? " in " : "", style->unit, style->thousands ? " with " : "",
             style->thousands ? mark : "", style->thousands ? " between thousands" : "");
}

static gpr_status settle_number(const gpri_feature_columns *set, gpri_feature_column *c, gpri_column *column) {
    const char *path = gpri_delimited_path(set->table), *word = c->kind == GPRI_KIND_DATE ? "date" : "number";
    const int64_t good = c->cells - c->odd, gaps = set->rows - good;
    static const char *const rules[] = {"the median", "the mean", "as asked"};
    char gap_text[160] = "", style_text[80];
    column->odd = c->odd;
    column->missing = set->rows - c->cells;
    column->distinct = count_distinct(set, c);
    if (c->asked ? c->cells > 0 && good == 0 : !gpri_mostly(good, c->cells)) return too_odd(set, c, word);
    if (c->odd > 0)
        gpri_log(set->ctx, GPR_LOG_WARNING, "%s:%lld: column '%s' is '%s', not a %s: %lld such cell%s taken as missing",
                 path, (long long)c->odd_cell.line, column->name, c->odd_cell.text, word, (long long)c->odd,
                 c->odd == 1 ? " is" : "s are");
    const bool plain = gpri_is_plain(&column->style);
    if (!c->known) column->no_comma = column->no_comma && !c->comma_cell.line;
    if (c->comma_cell.line && !c->comma_is_sure && plain)
        gpri_log(
            set->ctx, GPR_LOG_WARNING,
            "%s:%lld: column '%s': the comma of '%s' is read as a decimal point; if it separates thousands, remove it",
            path, (long long)c->comma_cell.line, column->name, c->comma_cell.text);
    if (set->finds_fill && good > 0) NEED(find_fill(set, c, &column->fill));
    if (!c->known) {
        column->indicator = gaps > 0;
        for (int64_t i = 0; i < set->rows && c->kind == GPRI_KIND_DATE && !column->times; i++) {
            const int32_t minutes = gpri_cell_of(set, c, i)->code;
            column->times = minutes != GPRI_NO_DATE && minutes % 1440 != 0;
        }
    }
    if (gaps > 0)
        gpri_print(gap_text, sizeof gap_text, "; %lld gap%s filled with %g (%s)", (long long)gaps, gaps == 1 ? "" : "s",
                   column->fill, set->finds_fill ? rules[set->fill] : "as in training");
    say_style(style_text, sizeof style_text, &column->style);
    NEED(gpri_column_say(set->plan, column, "%s%s%s%s",
                         c->kind == GPRI_KIND_NUMBER ? !plain               ? style_text
                                                       : c->comma_cell.line ? "number with decimal comma"
                                                                            : "as it is"
                         : column->times             ? "days since 1970, cycles of year, week and day"
                                                     : "days since 1970, cycles of year and week",
                         gap_text, gaps > 0 && column->indicator ? ", a feature tells where" : "",
                         gaps > 0 && !set->finds_fill && !column->indicator ? "; there was none in training" : ""));
    if (gaps > 0 && c->known && !set->finds_fill && !column->indicator)
        gpri_log(set->ctx, GPR_LOG_WARNING, "%s: column '%s' has %lld gap%s, and had none in training: filled with %g",
                 path, column->name, (long long)gaps, gaps == 1 ? "" : "s", column->fill);
    return GPR_OK;
}

/* A category of the model: its values have their places; the one behind them is for others. */
static gpr_status settle_known_category(const gpri_feature_columns *set, gpri_feature_column *c, gpri_column *column) {
    const int64_t count = gpri_ids_count(&c->values);
    column->odd = c->odd;
    column->missing = set->rows - c->cells;
    NEED(gpri_alloc(set->ctx, &c->feature, count + 1, sizeof *c->feature, "values"));
    for (int64_t i = 0; i < count; i++) c->feature[i] = (int32_t)i;
    c->feature[count] = column->other ? (int32_t)count : -1;
    if (c->odd > 0)
        gpri_log(set->ctx, GPR_LOG_WARNING,
                 "%s: column '%s' has %lld cell%s with a text that the model does not know (line %lld: '%s'): taken as "
                 "%s",
                 gpri_delimited_path(set->table), column->name, (long long)c->odd, c->odd == 1 ? "" : "s",
                 (long long)c->odd_cell.line, c->odd_cell.text,
                 column->other ? "one of the others" : "none of its values");
    NEED(gpri_column_say(set->plan, column,
                         c->odd ? "the values of training; %lld cells have another" : "the values of training",
                         (long long)c->odd));
    return GPR_OK;
}

/* A category may turn out to be numbers, or free text. */
static gpr_status settle_category(gpri_feature_columns *set, gpri_feature_column *c, gpri_column *column) {
    gpr_status status = GPR_OK;
    const char *path = gpri_delimited_path(set->table);
    int64_t *counts = NULL;
    if (c->known) return settle_known_category(set, c, column);
    TRY(gpri_count_values(set->ctx, &counts, &c->values, &gpri_cell_of(set, c, 0)->code, set->rows, set->count));
    if (!c->asked) column->style = gpri_find_style(&c->values, counts);
    const tally t = tally_values(&column->style, &c->values, counts);
    column->distinct = gpri_ids_count(&c->values);
    column->missing = set->rows - c->cells;
    if (!c->asked && gpri_mostly(t.numbers, c->cells) && c->cells > 0) {
        c->kind = column->kind = GPRI_KIND_NUMBER;
        c->odd = 0;
        for (int64_t i = 0; i < set->rows; i++) {
            gpri_feature_cell *cell = gpri_cell_of(set, c, i);
            const int32_t code = cell->code;
            if (make_number(set, c, cell, code) || code < 0) continue;
            const gpri_field field = field_of(gpri_ids_text(&c->values, code));
            if (gpri_is_missing(field.text, field.size)) c->cells--;
            else c->odd++;
        }
        c->odd_cell = c->text_cell;
        LEAVE(settle_number(set, c, column));
    }
    if (!c->asked) TRY(gpri_take_lists(set, c, counts)); /* the first cells may not have shown it */
    if (c->kind == GPRI_KIND_WORDS) LEAVE(gpri_settle_words(set, c));
    if (!c->asked && column->distinct > FEW_VALUES && column->distinct > c->cells / 2) {
        c->kind = GPRI_KIND_TEXT;
        goto done;
    }
    if (!c->asked && t.numbers > c->cells / 2)
        gpri_log(set->ctx, GPR_LOG_WARNING,
                 "%s:%lld: column '%s' is '%s', and %lld of its %lld cells are numbers: it is taken as a category; "
                 "`numeric` %s makes it numbers",
                 path, (long long)c->text_cell.line, column->name, c->text_cell.text, (long long)t.numbers,
                 (long long)c->cells, column->name);
    if (!c->asked && t.either > 0 && gpri_mostly(t.dates + t.either, c->cells))
        gpri_log(set->ctx, GPR_LOG_WARNING,
                 "%s:%lld: column '%s' is '%s': day or month first? It is taken as a category; `date` %s reads it as "
                 "month/day/year",
                 path, (long long)c->text_cell.line, column->name, c->text_cell.text, column->name);
    TRY(gpri_choose_values(set, c, counts, set->most_values, 1));
    int64_t others = 0;
    for (int64_t i = 0; i < gpri_ids_count(&c->values); i++)
        others += c->feature[i] == column->values.count ? counts[i] : 0;
    column->other = others > 0;
    if (column->other)
        TRY(gpri_column_say(set->plan, column, "the %lld most frequent of %lld values; the others (%lld cells) are one",
                            (long long)column->values.count, (long long)column->distinct, (long long)others));
    else TRY(gpri_column_say(set->plan, column, "a feature of 0 and 1 for each value"));
done:
    gpri_free(set->ctx, counts);
    return status;
}

static gpr_status leave_id(const gpri_feature_columns *set, gpri_feature_column *c, gpri_column *column) {
    c->kind = column->kind = GPRI_KIND_TEXT;
    column->role = GPRI_ROLE_DROPPED;
    column->distinct = set->rows;
    column->missing = column->features = 0;
    gpri_log(set->ctx, GPR_LOG_WARNING,
             "%s: column '%s' is an id, by its name and as every row has another value: it is left out; `id` %s takes "
             "it as the ids of the nodes, `numeric` or `categorical` %s keeps it, `drop` %s ends this warning",
             gpri_delimited_path(set->table), column->name, column->name, column->name, column->name);
    return gpri_column_say(set->plan, column, "left out: an id, every row has another value");
}

gpr_status gpri_feature_column_settle(gpri_feature_columns *set, gpri_feature_column *c) {
    gpri_column *column = &set->plan->columns[c->place];
    const char *path = gpri_delimited_path(set->table);
    if (!c->known) column->kind = c->kind;
    if (gpri_feature_column_is_id(set, c)) return leave_id(set, c, column);
    if (c->kind == GPRI_KIND_CATEGORY && c->cells == 0 && !c->known) c->kind = GPRI_KIND_EMPTY;
    if (c->kind == GPRI_KIND_WORDS) NEED(gpri_settle_words(set, c));
    else if (c->kind == GPRI_KIND_CATEGORY) NEED(settle_category(set, c, column));
    else if (c->kind == GPRI_KIND_NUMBER && c->cells == 0 && !c->known) c->kind = GPRI_KIND_EMPTY;
    else if (c->kind == GPRI_KIND_NUMBER || c->kind == GPRI_KIND_DATE) NEED(settle_number(set, c, column));
    column->kind = c->kind;
    if (c->kind == GPRI_KIND_TEXT) column->missing = set->rows - c->cells;
    if (c->kind == GPRI_KIND_TEXT && column->form) {
        gpri_log(set->ctx, GPR_LOG_WARNING, "%s: column '%s': no two cells share a word: it is left out", path,
                 column->name);
        NEED(gpri_column_say(set->plan, column, "left out: no two cells share a word"));
    } else if (c->kind == GPRI_KIND_TEXT) {
        gpri_log(set->ctx, GPR_LOG_WARNING,
                 "%s: column '%s' is text with nearly as many values as rows (line %lld: '%s'): it is left out; "
                 "`words` %s makes features of its words, `drop` %s ends this warning",
                 path, column->name, (long long)c->text_cell.line, c->text_cell.text, column->name, column->name);
        NEED(gpri_column_say(set->plan, column, "left out: nearly as many values as rows"));
    }
    if (c->kind == GPRI_KIND_EMPTY) {
        column->missing = set->rows;
        column->distinct = 0;
        gpri_log(set->ctx, GPR_LOG_WARNING, "%s: column '%s' is empty: it is left out", path, column->name);
        NEED(gpri_column_say(set->plan, column, "left out: empty"));
    }
    if (c->kind == GPRI_KIND_TEXT || c->kind == GPRI_KIND_EMPTY) column->role = GPRI_ROLE_DROPPED;
    if (c->kind != GPRI_KIND_NUMBER) column->style = (gpri_number_style){0};
    column->features = gpri_column_features(column);
    return GPR_OK;
}
