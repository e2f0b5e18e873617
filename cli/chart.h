/* A bar chart of the filter's weights for the terminal. */
#ifndef CLI_CHART_H
#define CLI_CHART_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* One row per hop; bars go to both sides of a zero line if there are negative weights. ci95: (count) half widths of
   confidence intervals, printed beside the numbers; NULL: none. */
void print_gamma_chart(FILE *out, const float *gamma, const double *ci95, int64_t count, int width, bool utf8);
/* The same of one of several charts: from hop `first` on, and on the scale of all, low <= 0 <= high. */
typedef struct chart_part {
    int64_t first;
    double low, high;
} chart_part;
void print_gamma_part(FILE *out, const float *gamma, int64_t count, const chart_part *part, int width, bool utf8);

/* A bar of one value, to either side of a zero line; low <= 0 <= high are the ends of the `room` cells. */
void print_bar(FILE *out, double value, double low, double high, int room, bool utf8);

/* The signs of the weights, in one line. Whether the filter is low-pass or high-pass is for gpr_inspection to say: the
   signs alone do not tell. */
const char *interpret_gamma(const float *gamma, int64_t count);

#endif
