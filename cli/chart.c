/* The bar chart of gamma, in Unicode or ASCII, and what its signs are. */
#include "chart.h"

#include <math.h>

enum { MOST_ROWS = 32, LABEL_WIDTH = 21 /* "  k 1234     -0.12345 " */, CI_WIDTH = 12 /* "+/- 0.12345 " */ };

static void repeat(FILE *out, const char *piece, int times) {
    for (int i = 0; i < times; i++) fputs(piece, out);
}

/* A bar to the right, in eighths of a cell (whole cells in ASCII). */
static void print_right(FILE *out, double cells, bool utf8) {
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (!utf8) {
        repeat(out, "#", (int)lround(cells));
        return;
    }
    int parts = (int)lround(cells * 8);
    repeat(out, "█", parts / 8);
    fputs(eighths[parts % 8], out);
}

/* A bar that ends at the zero line, `room` cells wide with its blanks. Unicode has only one block that fills a cell
   from the right, a half: so this one is in half cells. */
static void print_left(FILE *out, double cells, int room, bool utf8) {
    int halves = utf8 ? (int)lround(cells * 2) : 2 * (int)lround(cells);
    repeat(out, " ", room - (halves + 1) / 2);
    if (halves % 2) fputs("▐", out);
    repeat(out, utf8 ? "█" : "#", halves / 2);
}

void print_bar(FILE *out, double value, double low, double high, int room, bool utf8) {
    const double scale = high > low ? room / (high - low) : 0, cells = fabs(value) * scale;
    print_left(out, value < 0 ? cells : 0, (int)ceil(-low * scale), utf8);
    fputs(utf8 ? "│" : "|", out);
    if (value > 0) print_right(out, cells, utf8);
}

static void print_chart(FILE *out, const float *gamma, const double *ci95, int64_t count, const chart_part *part,
                        int width, bool utf8) {
    const double low = part->low, high = part->high;
    int room = width - LABEL_WIDTH - (ci95 ? CI_WIDTH : 0) - 2;
    if (room > 60) room = 60;
    if (room < 8) room = 8;
    double scale = high > low ? room / (high - low) : 0;
    int left = (int)ceil(-low * scale);
    for (int64_t k = part->first; k < count && k < MOST_ROWS; k++) {
        fprintf(out, "  %s %-4lld %11.5f ", utf8 ? "γ" : "k", (long long)k, (double)gamma[k]);
        if (ci95) fprintf(out, utf8 ? "± %.5f " : "+/- %.5f ", ci95[k]);
        double cells = fabs((double)gamma[k]) * scale;
        print_left(out, gamma[k] < 0 ? cells : 0, left, utf8);
        fputs(utf8 ? "│" : "|", out);
        if (gamma[k] > 0) print_right(out, cells, utf8);
        fputc('\n', out);
    }
    if (count > MOST_ROWS)
        fprintf(out, "  %s and %lld more: see gamma.csv or the JSON\n", utf8 ? "…" : "...",
                (long long)(count - MOST_ROWS));
}

void print_gamma_chart(FILE *out, const float *gamma, const double *ci95, int64_t count, int width, bool utf8) {
    chart_part whole = {0, 0, 0};
    for (int64_t k = 0; k < count; k++) {
        if (gamma[k] < whole.low) whole.low = gamma[k];
        if (gamma[k] > whole.high) whole.high = gamma[k];
    }
    print_chart(out, gamma, ci95, count, &whole, width, utf8);
}

void print_gamma_part(FILE *out, const float *gamma, int64_t count, const chart_part *part, int width, bool utf8) {
    print_chart(out, gamma, NULL, count, part, width, utf8);
}

const char *interpret_gamma(const float *gamma, int64_t count) {
    double largest = 0;
    bool plain_positive = false, plain_negative = false;             /* signs of gamma_k */
    bool alternating_positive = false, alternating_negative = false; /* signs of (-1)^k gamma_k */
    int64_t last = 0;
    for (int64_t k = 0; k < count; k++) largest = fmax(largest, fabs((double)gamma[k]));
    for (int64_t k = 0; k < count; k++) {
        if (fabs((double)gamma[k]) < 0.01 * largest || largest == 0) continue; /* too small to matter */
        bool positive = gamma[k] > 0, flipped = k % 2 ? !positive : positive;
        *(positive ? &plain_positive : &plain_negative) = true;
        *(flipped ? &alternating_positive : &alternating_negative) = true;
        last = k;
    }
    if (last == 0) return "all weights but the first are near 0: the graph is not used";
    if (!(plain_positive && plain_negative)) return "all weights have one sign";
    if (!(alternating_positive && alternating_negative)) return "the weights alternate in sign";
    return "the weights have mixed signs";
}
