/* Defaults by the data. Rows are taken for counts or words (a bag of words, TF-IDF) by what is in their columns:
 *
 * - There are at least 50 columns.
 * - A column is a number if it has other values than 0 and 1, and is not 0 in most rows, or is typically more than 64
 *   times as large as columns are. There is none, or at most one for ten others that have such values but are no
 *   numbers: counts of frequent words look like numbers.
 *
 * Such rows are divided by their sums, for texts have different lengths; with a negative value they stay as they are.
 * Everything else gets its columns scaled. All of it is counted in integers, so that it does not matter in which order
 * rows are read, or by which process. */
#include "data/defaults.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/published.h"
#include "data/split.h"
#include "dist/all.h"

/* ---- published data ---- */

enum { UNKNOWN = 0, YES = 1, NO = 2 };

static bool is_generated(const gpr_dataset *data) { return data->generated || !isnan(data->phi); }

gpr_status gpri_defaults_look(gpr_ctx *ctx, const gpr_dataset *data) {
    gpri_fingerprint_memo *memo = data->memo;
    bool found = false;
    if (is_generated(data) || !memo) return GPR_OK;
    gpri_acquire(&memo->lock);
    const bool known = memo->published != UNKNOWN;
    gpri_release(&memo->lock);
    if (known) return GPR_OK;
    if (gpri_published_perhaps(data)) {
        NEED(gpri_dataset_ready(ctx, data));
        NEED(gpri_published_is(ctx, &found, data));
    }
    gpri_acquire(&memo->lock);
    memo->published = found ? YES : NO;
    gpri_release(&memo->lock);
    return GPR_OK;
}

bool gpri_is_published(const gpr_dataset *data) {
    if (is_generated(data)) return true;
    if (!data->memo) return false;
    gpri_acquire(&data->memo->lock);
    const bool published = data->memo->published == YES;
    gpri_release(&data->memo->lock);
    return published;
}

gpr_status gpr_dataset_published(gpr_ctx *ctx, const gpr_dataset *data, int *out) {
    if (!ctx || !data || !out) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_published: a NULL argument");
    *out = 0;
    const gpr_status status = gpri_defaults_look(ctx, data);
    if (status == GPR_OK) *out = gpri_is_published(data);
    return gpri_finish(status);
}

/* ---- split ---- */

const char *gpri_split_meaning(const gpr_dataset *data, const char *spec) {
    if (strcmp(spec, "auto") != 0) return spec;
    if (data->own_split.time) return GPRI_BY_TIME "60/20/20";
    return data->own_split.part ? "column" : "60/20/20";
}

/* ---- normalize ---- */

enum { LEAST_WORDS = 50, OTHERS_PER_NUMBER = 10, LARGER_BY_BITS = 6 /* 64 times */ };

/* Sums over rows; all are integers. */
typedef struct column_census {
    int64_t stored;    /* values that are not 0 */
    int64_t other;     /* of these, values that are not 1 */
    int64_t exponents; /* the sum of their binary exponents: of their logarithms, nearly */
} column_census;

typedef struct census {
    int64_t cols;
    column_census *columns; /* (cols) and one more, whose `other` counts negative values */
} census;

static void count_value(census *of, int64_t column, float value) {
    column_census *to = &of->columns[column];
    uint32_t bits;
    if (value == 0) return;
    memcpy(&bits, &value, sizeof bits);
    to->stored++;
    to->other += value != 1;
    to->exponents += (int64_t)(bits >> 23 & 255);
    of->columns[of->cols].other += value < 0;
}

static void count_rows(census *of, const gpri_feature_matrix *table, gpri_range rows) {
    if (table->dense) {
        for (int64_t i = rows.first; i < rows.end; i++)
            for (int64_t j = 0; j < table->cols; j++) count_value(of, j, table->dense[i * table->cols + j]);
        return;
    }
    for (int64_t k = table->rowptr[rows.first]; k < table->rowptr[rows.end]; k++)
        count_value(of, table->column[k], table->value[k]);
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What a column's values typically are, as an exponent. */
static double typical(const column_census *column) { return (double)column->exponents / (double)column->stored; }

/* room: (cols) */
static bool is_words(const census *of, int64_t rows, double *room) {
    int64_t count = 0, numbers = 0, others = 0;
    for (int64_t j = 0; j < of->cols; j++)
        if (of->columns[j].stored > 0) room[count++] = typical(&of->columns[j]);
    qsort(room, (size_t)count, sizeof *room, ascending);
    for (int64_t j = 0; j < of->cols; j++) {
        const column_census *column = &of->columns[j];
        if (column->other == 0) continue;
        const bool number = 2 * column->stored > rows || typical(column) > room[count / 2] + LARGER_BY_BITS;
        numbers += number;
        others += !number;
    }
    return numbers * OTHERS_PER_NUMBER <= others;
}

static gpr_status scale_by_columns(gpr_ctx *ctx, gpri_feature_scale *out, const gpr_dataset *data, gpri_range rows,
                                   const gpr_ctx *together) {
    const int64_t cols = data->features.cols, numbers = (cols + 1) * (int64_t)(sizeof(column_census) / sizeof(int64_t));
    census of = {.cols = cols};
    double *room = NULL;
    gpr_status status = gpri_calloc(ctx, &of.columns, cols + 1, sizeof *of.columns, "columns");
    if (status == GPR_OK) status = gpri_alloc(ctx, &room, cols, sizeof *room, "columns");
    TRY(gpri_all_well(together, status)); /* a process that has failed is there */
    count_rows(&of, &data->features, rows);
    gpri_all_sum(together, (int64_t *)of.columns, numbers);
    if (!is_words(&of, data->features.rows, room)) *out = GPRI_SCALE_NORMAL;
    else *out = of.columns[cols].other > 0 ? GPRI_SCALE_NONE : GPRI_SCALE_ROWS;
done:
    gpri_free_all(ctx, of.columns, room);
    return status;
}

static bool any_negative(const gpri_feature_matrix *table, gpri_range rows) {
    const int64_t first = table->dense ? rows.first * table->cols : table->rowptr[rows.first],
                  end = table->dense ? rows.end * table->cols : table->rowptr[rows.end];
    const float *values = table->dense ? table->dense : table->value;
    for (int64_t i = first; i < end; i++)
        if (values[i] < 0) return true;
    return false;
}

/* Where a process has all rows, it counts them once: a search asks for each of its settings. */
static bool recall(gpri_feature_scale *out, const gpr_dataset *data, const gpr_ctx *together) {
    if (together || !data->memo) return false;
    gpri_acquire(&data->memo->lock);
    const int kept = data->memo->scale;
    gpri_release(&data->memo->lock);
    if (kept > 0) *out = (gpri_feature_scale)(kept - 1);
    return kept > 0;
}

static void remember(const gpr_dataset *data, gpri_feature_scale scale) {
    if (!data->memo) return;
    gpri_acquire(&data->memo->lock);
    data->memo->scale = (int)scale + 1;
    gpri_release(&data->memo->lock);
}

gpr_status gpri_scale_of(gpr_ctx *ctx, gpri_feature_scale *out, const gpr_dataset *data, gpri_value rule,
                         gpri_range rows, const gpr_ctx *together) {
    *out = rule == GPRI_NORMALIZE_ROW      ? GPRI_SCALE_ROWS
           : rule == GPRI_NORMALIZE_NONE   ? GPRI_SCALE_NONE
           : rule == GPRI_NORMALIZE_COLUMN ? GPRI_SCALE_COLUMNS
                                           : GPRI_SCALE_NORMAL;
    if (rule != GPRI_NORMALIZE_AUTO || data->mixed_columns) return GPR_OK;
    if (gpri_is_published(data)) {
        const bool negative = any_negative(&data->features, rows);
        NEED(gpri_all_well(together, GPR_OK));
        *out = gpri_all_most(together, negative) ? GPRI_SCALE_NONE : GPRI_SCALE_ROWS;
    } else if (data->features.cols >= LEAST_WORDS && !recall(out, data, together)) {
        NEED(scale_by_columns(ctx, out, data, rows, together));
        if (!together) remember(data, *out);
    }
    return GPR_OK;
}

bool gpri_scale_may_be_columns(const gpr_dataset *data, gpri_value rule) {
    if (rule != GPRI_NORMALIZE_AUTO) return rule == GPRI_NORMALIZE_COLUMN || rule == GPRI_NORMALIZE_NORMAL;
    return data->mixed_columns || !gpri_is_published(data);
}

const char *gpri_scale_text(gpri_feature_scale scale) {
    static const char *const texts[] = {[GPRI_SCALE_NONE] = "rows left as they are",
                                        [GPRI_SCALE_ROWS] = "rows divided by their sums",
                                        [GPRI_SCALE_COLUMNS] = "columns scaled to mean 0 and standard deviation 1",
                                        [GPRI_SCALE_NORMAL] = ("columns scaled to mean 0 and standard deviation 1, "
                                                               "skewed ones made normal first")};
    return texts[scale];
}
