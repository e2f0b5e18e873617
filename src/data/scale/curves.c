/* Knots of skewed columns, from a sample of their values. */
#include "data/scale/curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dist/all.h"

enum { SAMPLE = 10000, AT_ONCE = 64, LEAST_VALUES = 10, LONGER = 5, PARTS = 128 };

/* ---- one column ---- */

/* The normal quantile of a share between 0 and 1. */
static double normal_quantile(double share) {
    double low = -9, high = 9;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (erfc(-middle * M_SQRT1_2) / 2 < share) low = middle;
        else high = middle;
    }
    return (low + high) / 2;
}

static int by_size(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* values: (count) ascending. */
static bool is_skewed(const float *values, int64_t count) {
    int64_t different = count > 0;
    for (int64_t i = 1; i < count && different < LEAST_VALUES; i++) different += values[i] != values[i - 1];
    if (different < LEAST_VALUES) return false;
    const double middle = (double)values[count / 2], below = middle - (double)values[count / 100],
                 above = (double)values[count - 1 - count / 100] - middle;
    return above > LONGER * below || below > LONGER * above;
}

/* The knot of the value at this place: the middle of the places that the value has. */
static void put_knot(gpri_curves *out, int64_t column, const float *values, int64_t count, int64_t place) {
    int64_t first = place, end = place + 1, *size = &out->first[column + 1];
    while (first > 0 && values[first - 1] == values[place]) first--;
    while (end < count && values[end] == values[place]) end++;
    if (*size > out->first[column] && !(out->from[*size - 1] < values[place])) return;
    out->from[*size] = values[place];
    out->to[(*size)++] = (float)normal_quantile((double)(first + end) / (2 * (double)count));
}

/* ---- a sample of the rows ---- */

typedef struct sample {
    const gpri_feature_matrix *matrix;
    gpri_range rows;
    int64_t stride, count;   /* every stride-th row of the matrix, count of them */
    int32_t column[AT_ONCE]; /* those that are looked at together, ascending */
    int64_t columns;
    float *values; /* (AT_ONCE x count) */
} sample;

static void read_rows(const sample *s) {
    const gpri_feature_matrix *m = s->matrix;
    for (int64_t k = 0; k < s->count; k++) {
        const int64_t row = k * s->stride;
        if (row < s->rows.first || row >= s->rows.end) continue;
        for (int64_t j = 0; j < s->columns; j++)
            s->values[j * s->count + k] = m->dense ? m->dense[row * m->cols + s->column[j]] : 0;
        int64_t j = 0;
        for (int64_t at = m->dense ? 0 : m->rowptr[row]; !m->dense && at < m->rowptr[row + 1] && j < s->columns; at++) {
            while (j < s->columns && s->column[j] < m->column[at]) j++;
            if (j < s->columns && s->column[j] == m->column[at]) s->values[j * s->count + k] = m->value[at];
        }
    }
}

/* Adds the rows of this process to those of the processes before it; in the end all have all. */
static void gather_rows(const sample *s, const gpr_ctx *together) {
    const int64_t bytes = s->columns * s->count * (int64_t)sizeof *s->values;
    gpri_turn_take(together, s->values, bytes);
    read_rows(s);
    gpri_turn_pass(together, s->values, bytes);
    gpri_turn_end(together, s->values, bytes);
}

static void measure_column(gpri_curves *out, const sample *s, int64_t j) {
    float *values = s->values + j * s->count;
    qsort(values, (size_t)s->count, sizeof *values, by_size);
    if (!is_skewed(values, s->count)) return;
    for (int part = 0; part <= PARTS; part++)
        put_knot(out, s->column[j], values, s->count, (s->count - 1) * part / PARTS);
}

gpr_status gpri_curves_measure(gpr_ctx *ctx, gpri_curves *out, const gpri_feature_matrix *matrix, const bool *wanted,
                               gpri_range rows, const gpr_ctx *together) {
    sample s = {.matrix = matrix, .rows = rows, .stride = (matrix->rows + SAMPLE - 1) / SAMPLE};
    int64_t all = 0;
    gpr_status status = GPR_OK;
    if (s.stride == 0) s.stride = 1;
    s.count = (matrix->rows + s.stride - 1) / s.stride;
    for (int64_t j = 0; j < matrix->cols; j++) all += wanted[j];
    *out = (gpri_curves){.cols = matrix->cols};
    status = gpri_alloc(ctx, &out->first, matrix->cols + 1, sizeof *out->first, "skewed columns");
    if (status == GPR_OK)
        status = gpri_alloc(ctx, &out->from, all * GPRI_MOST_KNOTS, sizeof *out->from, "skewed columns");
    if (status == GPR_OK) status = gpri_alloc(ctx, &out->to, all * GPRI_MOST_KNOTS, sizeof *out->to, "skewed columns");
    if (status == GPR_OK) status = gpri_alloc(ctx, &s.values, AT_ONCE * s.count, sizeof *s.values, "a sample of rows");
    TRY(gpri_all_well(together, status));
    out->first[0] = 0;
    for (int64_t j = 0, known = 0; j < matrix->cols; j++) {
        if (wanted[j]) s.column[s.columns++] = (int32_t)j;
        if (s.columns < AT_ONCE && j + 1 < matrix->cols) continue;
        gather_rows(&s, together);
        int64_t next = 0;
        for (; known <= j; known++) {
            out->first[known + 1] = out->first[known];
            if (next < s.columns && s.column[next] == known) measure_column(out, &s, next++);
        }
        s.columns = 0;
    }
    if (out->first[matrix->cols] == 0) gpri_curves_free(ctx, out);
done:
    gpri_free(ctx, s.values);
    if (status != GPR_OK) gpri_curves_free(ctx, out);
    return status;
}

/* ---- use ---- */

/* The straight lines between the points (from, to) of knots first to end; beyond the ends, that of the end. */
static float between(const float *from, const float *to, int64_t first, int64_t end, float value) {
    int64_t low = first, high = end - 1;
    if (!(value > from[low])) return to[low];
    if (!(value < from[high])) return to[high];
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (from[middle] <= value) low = middle;
        else high = middle;
    }
    const double width = (double)from[high] - (double)from[low], share = ((double)value - (double)from[low]) / width;
    return (float)((double)to[low] + share * ((double)to[high] - (double)to[low]));
}

float gpri_curve_value(const gpri_curves *curves, int64_t column, float value) {
    return between(curves->from, curves->to, curves->first[column], curves->first[column + 1], value);
}

float gpri_curve_origin(const gpri_curves *curves, int64_t column, float value) {
    return between(curves->to, curves->from, curves->first[column], curves->first[column + 1], value);
}

gpr_status gpri_curves_clone(gpr_ctx *ctx, gpri_curves *out, const gpri_curves *from) {
    gpr_status status = GPR_OK;
    *out = (gpri_curves){.cols = from->cols};
    if (!from->first) return GPR_OK;
    const int64_t knots = from->first[from->cols];
    TRY(gpri_copy(ctx, &out->first, from->first, from->cols + 1, sizeof *out->first, "skewed columns"));
    TRY(gpri_copy(ctx, &out->from, from->from, knots, sizeof *out->from, "skewed columns"));
    TRY(gpri_copy(ctx, &out->to, from->to, knots, sizeof *out->to, "skewed columns"));
done:
    if (status != GPR_OK) gpri_curves_free(ctx, out);
    return status;
}

bool gpri_curves_are_right(const gpri_curves *curves) {
    for (int64_t j = 0; j < curves->cols; j++) {
        const int64_t first = curves->first[j], end = curves->first[j + 1];
        if (end - first == 1 || end - first > GPRI_MOST_KNOTS) return false;
        for (int64_t k = first + 1; k < end; k++)
            if (!(curves->from[k] > curves->from[k - 1]) || !(curves->to[k] >= curves->to[k - 1])) return false;
    }
    return true;
}

void gpri_curves_free(gpr_ctx *ctx, gpri_curves *curves) {
    gpri_free_all(ctx, curves->first, curves->from, curves->to);
    *curves = (gpri_curves){0};
}
