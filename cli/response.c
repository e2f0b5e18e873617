/* The response g(lambda) as a curve of characters; the density of the eigenvalues as columns behind it. */
#include "response.h"

#include <math.h>

#include "names.h"

enum { ROWS = 12, COLUMNS = 40, LABEL_WIDTH = 12 /* "  -1.234e+10 " */ };

/* What is drawn: for each column the rows of the curve, and the height of the density. Row 0 is the lowest. */
typedef struct drawing {
    int columns;
    double low, high;                       /* g at the lowest and the highest row */
    int from[2 * COLUMNS], to[2 * COLUMNS]; /* rows of the curve in a column, both included */
    double height[2 * COLUMNS];             /* of the density, in rows */
} drawing;

static double value_at(const double *response, int64_t points, double place) {
    const double at = place * (double)(points - 1);
    const int64_t before = at >= (double)(points - 1) ? points - 2 : (int64_t)at;
    return response[before] + (at - (double)before) * (response[before + 1] - response[before]);
}

static int row_of(const drawing *d, double value) {
    return (int)lround((value - d->low) / (d->high - d->low) * (ROWS - 1));
}

static void plan_curve(drawing *d, const double *response, int64_t points) {
    d->low = d->high = 0; /* the zero line is always seen */
    for (int64_t i = 0; i < points; i++) {
        d->low = fmin(d->low, response[i]);
        d->high = fmax(d->high, response[i]);
    }
    if (!(d->high > d->low)) d->high = d->low + 1;
    for (int c = 0; c < d->columns; c++) {
        const int left = row_of(d, value_at(response, points, (double)c / d->columns));
        const int right = row_of(d, value_at(response, points, (double)(c + 1) / d->columns));
        d->from[c] = left < right ? left : right;
        d->to[c] = left < right ? right : left;
        if (d->to[c] > d->from[c]) right > left ? d->from[c]++ : d->to[c]--; /* one of the two is the neighbour's */
    }
}

static void plan_density(drawing *d, const double *density, int64_t bins) {
    double most = 0;
    for (int c = 0; c < d->columns; c++) d->height[c] = 0;
    for (int64_t b = 0; density && b < bins; b++) d->height[b * d->columns / bins] += density[b];
    for (int c = 0; c < d->columns; c++) most = fmax(most, d->height[c]);
    for (int c = 0; c < d->columns && most > 0; c++) d->height[c] = ROWS * sqrt(d->height[c] / most);
}

static void print_cell(FILE *out, const drawing *d, int row, int column, int zero, bool utf8) {
    if (row >= d->from[column] && row <= d->to[column]) fputs(utf8 ? "●" : "*", out);
    else if (d->height[column] > row + 0.5) fputs(utf8 ? "░" : ":", out);
    else if (d->height[column] > 0.2 && row == 0) fputs(utf8 ? "▁" : ".", out); /* few eigenvalues, but some */
    else if (row == zero) fputs(utf8 ? "─" : "-", out);
    else fputc(' ', out);
}

void print_response(FILE *out, const double *response, int64_t points, const double *density, int64_t bins, int width,
                    bool utf8) {
    drawing d = {.columns = width - LABEL_WIDTH - 2 >= 2 * COLUMNS ? 2 * COLUMNS : COLUMNS};
    plan_curve(&d, response, points);
    plan_density(&d, density, bins);
    const int zero = row_of(&d, 0);
    for (int row = ROWS - 1; row >= 0; row--) {
        if (row == ROWS - 1) fprintf(out, "  %9.4g ", d.high);
        else if (row == zero) fprintf(out, "  %9d ", 0);
        else if (row == 0) fprintf(out, "  %9.4g ", d.low);
        else fprintf(out, "  %9s ", "");
        fputs(utf8 ? "│" : "|", out);
        for (int c = 0; c < d.columns; c++) print_cell(out, &d, row, c, zero, utf8);
        fputc('\n', out);
    }
    fputs("  ", out);
    print_name(out, utf8 ? "λ" : "lambda", 9, utf8);
    fprintf(out, "  -1%*s%*s\n", d.columns / 2 - 2, "0", d.columns - d.columns / 2, "1");
}
