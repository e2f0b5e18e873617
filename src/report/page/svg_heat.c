/* A heat map as SVG: rows of coloured cells with their numbers, such as a confusion matrix. */
#include <math.h>

#include "report/page/figure.h"

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
