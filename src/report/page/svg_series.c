/* The data of a figure as SVG: lines with markers, bands and error bars; bars with error bars; heat maps. */
#include <math.h>
#include <string.h>

#include "report/page/figure.h"

/* Okabe and Ito's colours, which people with any kind of colour vision can tell apart, ordered so that neighbours also
   differ in grey. */
static const char *const colors[] = {"#0072b2", "#e69f00", "#009e73", "#d55e00", "#7a5195",
                                     "#56b4e9", "#b5893c", "#cc79a7", "#000000", "#6a8f2f"};
static const char *const dashes[] = {"", "7 3", "2 3", "9 3 2 3", "4 2"};
enum { COLORS = sizeof colors / sizeof *colors, DASHES = sizeof dashes / sizeof *dashes, MOST_MARKERS = 40 };

double gpri_plot_x(const gpri_plot *plot, double x) {
    return plot->left + (x - plot->x.min) / (plot->x.max - plot->x.min) * plot->width;
}

double gpri_plot_y(const gpri_plot *plot, double y) {
    return plot->top + (1 - (y - plot->y.min) / (plot->y.max - plot->y.min)) * plot->height;
}

const char *gpri_series_color(const json_t *series, size_t index) {
    return gpri_series_faint(series) ? "#9aa3ad" : colors[index % COLORS];
}

const char *gpri_series_dashes(const json_t *series, size_t index) {
    if (gpri_series_faint(series)) return "";
    return strcmp(gpri_figure_text(series, "style"), "dashed") == 0 ? "7 3" : dashes[(index + index / COLORS) % DASHES];
}

/* Circle, square, triangle, diamond, in turn. */
void gpri_plot_marker(gpri_text *out, size_t index, double x, double y, const char *color) {
    if (index % 4 == 0) gpri_text_add(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\"", x, y);
    else if (index % 4 == 1)
        gpri_text_add(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"5.6\" height=\"5.6\"", x - 2.8, y - 2.8);
    else if (index % 4 == 2) gpri_text_add(out, "<path d=\"M%.1f %.1fl3.6 6.2h-7.2z\"", x, y - 4);
    else gpri_text_add(out, "<path d=\"M%.1f %.1fl4 4l-4 4l-4 -4z\"", x, y - 4);
    gpri_text_add(out, " fill=\"%s\"/>\n", color);
}

static void add_error_bar(const gpri_plot *plot, double x, double lo, double hi, const char *color) {
    if (isnan(lo) || isnan(hi)) return;
    const double top = gpri_plot_y(plot, hi), bottom = gpri_plot_y(plot, lo);
    gpri_text_add(plot->out, "<path d=\"M%.1f %.1fV%.1fM%.1f %.1fh6M%.1f %.1fh6\" stroke=\"%s\" fill=\"none\"/>\n", x,
                  top, bottom, x - 3, top, x - 3, bottom, color);
}

/* Along the upper ends and back along the lower ones, over the points that have both. */
static void add_band(const gpri_plot *plot, const json_t *series, const char *color) {
    const size_t size = gpri_series_size(series);
    bool any = false;
    for (size_t step = 0; step < 2 * size; step++) {
        const gpri_plot_point at = gpri_series_point(series, step < size ? step : 2 * size - 1 - step);
        if (isnan(at.x) || isnan(at.lo) || isnan(at.hi)) continue;
        if (!any) gpri_text_add(plot->out, "<path d=\"M");
        else gpri_text_add(plot->out, "L");
        gpri_text_add(plot->out, "%.1f %.1f", gpri_plot_x(plot, at.x), gpri_plot_y(plot, step < size ? at.hi : at.lo));
        any = true;
    }
    if (any) gpri_text_add(plot->out, "z\" fill=\"%s\" fill-opacity=\"0.18\"/>\n", color);
}

/* A missing value is a gap. */
static void add_line(const gpri_plot *plot, const json_t *series, const char *color, const char *dashed) {
    const size_t size = gpri_series_size(series);
    const bool faint = gpri_series_faint(series);
    bool any = false, gap = true;
    for (size_t i = 0; i < size; i++) {
        const gpri_plot_point at = gpri_series_point(series, i);
        if (isnan(at.x) || isnan(at.y)) {
            gap = true;
            continue;
        }
        if (!any) gpri_text_add(plot->out, "<path d=\"");
        gpri_text_add(plot->out, "%s%.1f %.1f", gap ? "M" : "L", gpri_plot_x(plot, at.x), gpri_plot_y(plot, at.y));
        any = true;
        gap = false;
    }
    if (!any) return;
    gpri_text_add(plot->out, "\" stroke=\"%s\" stroke-width=\"%s\" fill=\"none\" stroke-linejoin=\"round\"", color,
                  faint ? "0.7" : "1.7");
    if (faint) gpri_text_add(plot->out, " stroke-opacity=\"0.55\"");
    if (*dashed) gpri_text_add(plot->out, " stroke-dasharray=\"%s\"", dashed);
    gpri_text_add(plot->out, "/>\n");
}

void gpri_plot_lines(const gpri_plot *plot) {
    const json_t *list = json_object_get(plot->figure, "series");
    size_t named = 0; /* the look goes by the position among those that are not faint */
    for (int faint = 1; faint >= 0; faint--)
        for (size_t s = 0; s < json_array_size(list); s++) {
            const json_t *series = json_array_get(list, s);
            if (gpri_series_faint(series) != faint) continue;
            const size_t index = faint ? 0 : named++;
            const char *color = gpri_series_color(series, index);
            if (gpri_series_banded(series)) add_band(plot, series, color);
            add_line(plot, series, color, gpri_series_dashes(series, index));
            for (size_t i = 0; !faint && i < gpri_series_size(series); i++) {
                const gpri_plot_point at = gpri_series_point(series, i);
                if (isnan(at.x) || isnan(at.y)) continue;
                if (!gpri_series_banded(series)) add_error_bar(plot, gpri_plot_x(plot, at.x), at.lo, at.hi, color);
                if (gpri_series_size(series) <= MOST_MARKERS)
                    gpri_plot_marker(plot->out, index, gpri_plot_x(plot, at.x), gpri_plot_y(plot, at.y), color);
            }
        }
}

void gpri_plot_bars(const gpri_plot *plot) {
    const json_t *list = json_object_get(plot->figure, "series");
    const size_t count = json_array_size(list);
    const double slot = plot->width / (plot->x.max - plot->x.min), each = slot * 0.76 / (double)count;
    const double zero = gpri_plot_y(plot, fmin(fmax(0, plot->y.min), plot->y.max));
    for (size_t s = 0; s < count; s++) {
        const json_t *series = json_array_get(list, s);
        const char *color = gpri_series_color(series, s);
        for (size_t i = 0; i < gpri_series_size(series); i++) {
            const gpri_plot_point at = gpri_series_point(series, i);
            if (isnan(at.x) || isnan(at.y)) continue;
            const double x = gpri_plot_x(plot, at.x) - slot * 0.38 + each * (double)s, y = gpri_plot_y(plot, at.y);
            gpri_text_add(plot->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                          x + each * 0.04, fmin(y, zero), each * 0.92, fabs(y - zero), color);
            add_error_bar(plot, x + each / 2, at.lo, at.hi, "#222222");
        }
    }
    gpri_text_add(plot->out, "<path d=\"M%.1f %.1fh%.1f\" stroke=\"#222222\" fill=\"none\"/>\n", plot->left, zero,
                  plot->width);
}

/* ---- a heat map: rows of coloured cells with their numbers, such as a confusion matrix ---- */

enum { CELL = 44, SMALL_CELL = 26, HEAD = 44, FOOT = 40, LONGEST_LABEL = 18 };

/* From white to a dark blue, so that grey prints keep the order. */
static void color_of(double share, int rgb[3]) {
    static const int low[3] = {247, 251, 255}, high[3] = {8, 69, 148};
    for (int i = 0; i < 3; i++) rgb[i] = (int)lround(low[i] + (high[i] - low[i]) * share);
}

static void add_label(gpri_text *out, const json_t *label, double x, double y, double angle) {
    const char *text = json_string_value(label);
    gpri_text_add(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"", x, y, angle == 0 ? "end" : "start");
    if (angle != 0) gpri_text_add(out, " transform=\"rotate(%.0f %.1f %.1f)\"", angle, x, y);
    gpri_text_add(out, ">");
    gpri_markup_text(out, text ? text : "", LONGEST_LABEL);
    gpri_text_add(out, "</text>\n");
}

/* About the width of the longest label. */
static double label_width(const json_t *labels) {
    int most = 1;
    for (size_t i = 0; i < json_array_size(labels); i++) {
        const char *text = json_string_value(json_array_get(labels, i));
        int letters = 0;
        for (; text && *text; text++) letters += ((unsigned char)*text & 0xc0) != 0x80; /* of UTF-8 */
        if (letters > most) most = letters;
    }
    return 7.0 * (most < LONGEST_LABEL ? most : LONGEST_LABEL + 1);
}

/* A cell's colour is its share of the row's sum. */
static void add_row(gpri_text *out, const json_t *row, double left, double y, int cell) {
    double sum = 0;
    int rgb[3];
    for (size_t j = 0; j < json_array_size(row); j++) {
        const double value = gpri_figure_real(json_array_get(row, j));
        if (value > 0) sum += value;
    }
    for (size_t j = 0; j < json_array_size(row); j++) {
        const double value = gpri_figure_real(json_array_get(row, j)), x = left + (double)j * cell;
        const double share = value > 0 && sum > 0 ? value / sum : 0;
        color_of(share, rgb);
        gpri_text_add(out,
                      "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" fill=\"#%02x%02x%02x\" "
                      "stroke=\"#ffffff\"/>\n",
                      x, y, cell, cell, (unsigned)rgb[0], (unsigned)rgb[1], (unsigned)rgb[2]);
        if (!isnan(value))
            gpri_text_add(out,
                          "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"%d\" fill=\"%s\">%.6g"
                          "</text>\n",
                          x + cell / 2.0, y + cell / 2.0 + 4, cell == CELL ? 12 : 9,
                          share > 0.5 ? "#ffffff" : "#222222", value);
    }
}

void gpri_svg_heat(gpri_text *out, const json_t *figure) {
    const json_t *rows = json_object_get(figure, "rows"), *columns = json_object_get(figure, "columns");
    const json_t *values = json_object_get(figure, "values");
    const size_t height = json_array_size(rows), width = json_array_size(columns);
    const int cell = height <= 12 && width <= 12 ? CELL : SMALL_CELL;
    const double left = label_width(rows) + 44, top = HEAD + 10 + 0.8 * label_width(columns);
    const double all_width = fmax(left + (double)width * cell + 20 + 0.65 * label_width(columns), 320);
    const double all_height = top + (double)height * cell + FOOT;
    gpri_text_add(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
                  "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"12\" role=\"img\">\n<title>",
                  all_width, all_height, all_width, all_height);
    gpri_markup_text(out, gpri_figure_text(figure, "title"), 0);
    gpri_text_add(out, "</title>\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#ffffff\"/>\n", all_width, all_height);
    gpri_text_add(out, "<text x=\"%.1f\" y=\"22\" text-anchor=\"middle\" font-size=\"14\" font-weight=\"bold\">",
                  all_width / 2);
    gpri_markup_text(out, gpri_figure_text(figure, "title"), 80);
    gpri_text_add(out, "</text>\n");
    for (size_t j = 0; j < width; j++)
        add_label(out, json_array_get(columns, j), left + ((double)j + 0.6) * cell, top - 8, -50);
    for (size_t i = 0; i < height; i++) {
        add_label(out, json_array_get(rows, i), left - 8, top + ((double)i + 0.5) * cell + 4, 0);
        add_row(out, json_array_get(values, i), left, top + (double)i * cell, cell);
    }
    gpri_text_add(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", left + (double)width * cell / 2,
                  top + (double)height * cell + 24);
    gpri_markup_text(out, gpri_figure_text(json_object_get(figure, "x"), "label"), 80);
    gpri_text_add(out, "</text>\n<text x=\"16\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 16 %.1f)\">",
                  top + (double)height * cell / 2, top + (double)height * cell / 2);
    gpri_markup_text(out, gpri_figure_text(json_object_get(figure, "y"), "label"), 60);
    gpri_text_add(out, "</text>\n</svg>\n");
}
