/* The rows of feature columns as a matrix, with the names of its columns. */
#include <math.h>

#include "base/text.h"
#include "io/nodes/feature_columns.h"

enum { MOST_ENTRIES = 8 }; /* of one cell: a date with its cycles and its gap */

static const double two_pi = 6.283185307179586;

/* Appends (column, value), unless the value is 0. */
typedef struct row {
    int32_t *column;
    float *value;
    int64_t count;
} row;

static void put(row *to, int64_t column, float value) {
    if (value == 0) return;
    to->column[to->count] = (int32_t)column;
    to->value[to->count++] = value;
}

static void put_cycle(row *to, int64_t column, double share) {
    put(to, column, (float)sin(two_pi * share));
    put(to, column + 1, (float)cos(two_pi * share));
}

static void put_date(row *to, const gpri_feature_column *c, const gpri_column *column, int32_t minutes) {
    const int64_t day = (minutes - (minutes % 1440 + 1440) % 1440) / 1440;
    int of_year, days;
    gpri_day_of_year(day, &of_year, &days);
    put(to, c->first, (float)((double)minutes / 1440));
    put_cycle(to, c->first + 1, (double)of_year / days);
    put_cycle(to, c->first + 3, (double)(((day + 3) % 7 + 7) % 7) / 7); /* 1970-01-01 was a Thursday; Monday is 0 */
    if (column->times) put_cycle(to, c->first + 5, (double)(minutes - day * 1440) / 1440);
}

static void put_cell(row *to, const gpri_feature_column *c, const gpri_column *column, const gpri_feature_cell *cell) {
    const bool is_number = c->kind == GPRI_KIND_NUMBER;
    if (c->kind == GPRI_KIND_CATEGORY) {
        const int32_t feature = cell->code < 0 ? -1 : c->feature[cell->code];
        if (feature >= 0) put(to, c->first + feature, 1);
    } else if (is_number ? isnan(cell->number) : cell->code == GPRI_NO_DATE) {
        put(to, c->first, (float)column->fill);
        if (column->indicator) put(to, c->first + column->features - 1, 1);
    } else if (is_number) put(to, c->first, cell->number);
    else put_date(to, c, column, cell->code);
}

static int64_t list_begin(const gpri_feature_column *c, int64_t i) { return i > 0 ? c->list_end[i - 1] : 0; }

static void put_list(row *to, const gpri_feature_column *c, int64_t i) {
    for (int64_t w = list_begin(c, i); w < c->list_end[i]; w++)
        if (c->feature[c->word[w]] >= 0) put(to, c->first + c->feature[c->word[w]], 1);
}

/* Row i, without its zeros. */
static void put_row(row *to, const gpri_feature_columns *set, int64_t i) {
    const gpri_feature_cell *cells = set->cells + i * set->count;
    for (int64_t k = 0; k < set->count; k++) {
        const gpri_feature_column *c = &set->columns[k];
        const gpri_column *column = &set->plan->columns[c->place];
        if (column->features > 0 && c->kind == GPRI_KIND_WORDS) put_list(to, c, i);
        else if (column->features > 0) put_cell(to, c, column, &cells[k]);
    }
}

/* At most so many entries; of columns of numbers, categories and words, exactly. */
static int64_t count_entries(const gpri_feature_columns *set) {
    int64_t count = 0;
    for (int64_t k = 0; k < set->count; k++) {
        const gpri_feature_column *c = &set->columns[k];
        const gpri_column *column = &set->plan->columns[c->place];
        const bool lists = c->kind == GPRI_KIND_WORDS && column->features > 0;
        for (int64_t w = 0; lists && w < c->words; w++) count += c->feature[c->word[w]] >= 0;
        for (int64_t i = 0; column->features > 0 && !lists && i < set->rows; i++) {
            const gpri_feature_cell *cell = &set->cells[i * set->count + k];
            if (c->kind == GPRI_KIND_CATEGORY) count += cell->code >= 0 && c->feature[cell->code] >= 0;
            else if (c->kind == GPRI_KIND_NUMBER && !isnan(cell->number)) count += cell->number != 0;
            else count += c->kind == GPRI_KIND_DATE ? MOST_ENTRIES : 2;
        }
    }
    return count;
}

/* Of any row. */
static int64_t most_entries(const gpri_feature_columns *set) {
    int64_t most = set->count * MOST_ENTRIES;
    for (int64_t k = 0; k < set->count; k++) {
        const gpri_feature_column *c = &set->columns[k];
        int64_t longest = 0;
        for (int64_t i = 0; c->kind == GPRI_KIND_WORDS && i < set->rows; i++)
            longest = c->list_end[i] - list_begin(c, i) > longest ? c->list_end[i] - list_begin(c, i) : longest;
        most += longest;
    }
    return most;
}

/* Sparse where that is less, as with text of many values. */
static gpr_status fill_matrix(const gpri_feature_columns *set, gpri_raw_features *out) {
    gpr_status status = GPR_OK;
    const int64_t stored = count_entries(set);
    int64_t cells;
    int32_t *column = NULL;
    float *value = NULL;
    if (!gpri_mul_size(set->rows, out->cols, &cells)) THROW(GPR_ERROR_MEMORY, "the features do not fit in memory");
    const bool dense = stored >= cells / 5;
    const int64_t room = dense ? most_entries(set) : stored;
    TRY(gpri_alloc(set->ctx, &column, room, sizeof *column, "feature columns"));
    TRY(gpri_alloc(set->ctx, &value, room, sizeof *value, "feature values"));
    if (dense) TRY(gpri_calloc(set->ctx, &out->dense, cells, sizeof *out->dense, "features"));
    else TRY(gpri_calloc(set->ctx, &out->indptr, set->rows + 1, sizeof *out->indptr, "feature rows"));
    out->rows = set->rows;
    row whole = {column, value, 0};
    for (int64_t i = 0; i < set->rows; i++) {
        if (dense) whole.count = 0;
        put_row(&whole, set, i);
        for (int64_t e = 0; dense && e < whole.count; e++) out->dense[i * out->cols + column[e]] = value[e];
        if (!dense) out->indptr[i + 1] = whole.count;
    }
    if (dense) goto done;
    out->indices = column;
    out->values = value;
    column = NULL;
    value = NULL;
done:
    gpri_free_all(set->ctx, column, value);
    return status;
}

/* "age", "city=Paris". None where the table has no header and nothing but numbers without a gap. */
static gpr_status name_features(const gpri_feature_columns *set, gpri_raw_features *out) {
    gpr_status status = GPR_OK;
    gpri_text text = {.ctx = set->ctx};
    int64_t at = 0;
    bool needed = gpri_delimited_header(set->table) != NULL;
    for (int64_t k = 0; k < set->count; k++) {
        const gpri_column *column = &set->plan->columns[set->columns[k].place];
        needed = needed || column->features > 1 || (column->features > 0 && column->kind != GPRI_KIND_NUMBER);
    }
    if (!needed) return GPR_OK;
    TRY(gpri_alloc(set->ctx, &out->names.start, out->cols + 1, sizeof *out->names.start, "names"));
    out->names.start[0] = 0;
    for (int64_t k = 0; k < set->count; k++) {
        const gpri_column *column = &set->plan->columns[set->columns[k].place];
        for (int64_t j = 0; j < column->features; j++) {
            gpri_column_feature_name(&text, column, j);
            gpri_text_add(&text, "%c", 0);
            out->names.start[++at] = text.size;
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

gpr_status gpri_feature_rows(const gpri_feature_columns *set, gpri_raw_features *out) {
    NEED(name_features(set, out));
    return fill_matrix(set, out);
}
