/* Figures as SVG, fit for print: title, axes with ticks, legend and marks around the data of svg_series.c. */
#include <math.h>
#include <string.h>

#include "base/print.h"
#include "report/page/figure.h"

enum { LETTER = 6, LINE = 17 }; /* about the width of a letter, and the height of a line of text */

#define FONT "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"12\""

/* Letters of UTF-8, not bytes. */
static int letters(const char *text, const char *end) {
    int count = 0;
    for (; *text && text < end; text++) count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

/* About the width of a text of 12 px: sans-serif letters are of three sizes. */
static double text_width(const char *text, int most) {
    double width = 0;
    for (int count = 0; *text && count < most; text++) {
        if (((unsigned char)*text & 0xc0) == 0x80) continue; /* inside a letter of UTF-8 */
        width += strchr("iljtfrI.,:;|()[]' ", *text)                     ? 4.4
                 : (*text >= 'A' && *text <= 'Z') || strchr("mw", *text) ? 9
                                                                         : 7.2;
        count++;
    }
    return width;
}

static void add_text(gpri_text *out, double x, double y, const char *anchor, const char *more, const char *text,
                     int most) {
    gpri_text_add(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, more);
    gpri_markup_text(out, text, most);
    gpri_text_add(out, "</text>\n");
}

/* A number at a tick: no more digits than the step has. */
static void add_number(gpri_text *out, double x, double y, const char *anchor, double value, double step) {
    const int digits = (int)fmin(fmax(-floor(log10(step) + 1e-9), 0), 9);
    const bool plain = fabs(value) < 1e6 && step >= 1e-6;
    if (fabs(value) < step * 1e-6) value = 0;
    gpri_text_add(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    if (plain) gpri_text_add(out, "%s%.*f", value < 0 ? "−" : "", digits, fabs(value));
    else gpri_text_add(out, "%.4g", value);
    gpri_text_add(out, "</text>\n");
}

/* ---- Axes ---- */

static int longest_category(const gpri_figure_axis *axis) {
    int most = 0;
    for (size_t i = 0; i < json_array_size(axis->categories); i++) {
        const char *text = json_string_value(json_array_get(axis->categories, i));
        const char *end = text ? strchr(text, '\n') : NULL;
        const int length = !text ? 0 : letters(text, end ? end : text + strlen(text));
        if (length > most) most = length;
    }
    return most;
}

/* Labels that do not fit into their slots are turned. */
static bool turns(const gpri_figure_axis *axis, double width) {
    return axis->categories && longest_category(axis) * LETTER > width / (double)json_array_size(axis->categories);
}

static void add_category(const gpri_plot *plot, const char *text, double x, double y, bool turned) {
    const char *second = strchr(text, '\n');
    gpri_text first = {.ctx = plot->out->ctx};
    char more[96] = "";
    gpri_text_add(&first, "%.*s", (int)(second ? second - text : (ptrdiff_t)strlen(text)), text);
    if (gpri_text_status(&first) != GPR_OK) plot->out->status = gpri_text_status(&first);
    else {
        if (turned) gpri_print(more, sizeof more, " transform=\"rotate(-38 %.1f %.1f)\"", x, y);
        add_text(plot->out, x, y, turned ? "end" : "middle", more, first.bytes, turned ? 16 : 40);
        if (second && !turned)
            add_text(plot->out, x, y + LINE - 2, "middle", " font-size=\"10\" fill=\"#555555\"", second + 1, 20);
    }
    gpri_text_free(&first);
}

static void add_x_axis(const gpri_plot *plot, bool turned) {
    const gpri_figure_axis *axis = &plot->x;
    const double bottom = plot->top + plot->height;
    const size_t categories = json_array_size(axis->categories);
    const size_t every = categories > 40 ? (categories + 39) / 40 : 1;
    for (size_t i = 0; i < categories; i += every) {
        const char *text = json_string_value(json_array_get(axis->categories, i));
        if (text) add_category(plot, text, gpri_plot_x(plot, (double)i), bottom + (turned ? 12 : LINE), turned);
    }
    for (int i = 0; !categories && i < 100; i++) {
        const double value = (ceil(axis->min / axis->step - 1e-9) + i) * axis->step;
        if (value > axis->max + axis->step * 1e-6) break;
        const double x = gpri_plot_x(plot, value);
        gpri_text_add(plot->out, "<path d=\"M%.1f %.1fv4\" stroke=\"#222222\"/>\n", x, bottom);
        add_number(plot->out, x, bottom + LINE, "middle", value, axis->step);
    }
    add_text(plot->out, plot->left + plot->width / 2, GPRI_SVG_HEIGHT - 10, "middle", "",
             gpri_figure_text(json_object_get(plot->figure, "x"), "label"), 100);
}

static void add_y_axis(const gpri_plot *plot) {
    const gpri_figure_axis *axis = &plot->y;
    char more[96];
    for (int i = 0; i < 100; i++) {
        const double value = (ceil(axis->min / axis->step - 1e-9) + i) * axis->step;
        if (value > axis->max + axis->step * 1e-6) break;
        const double y = gpri_plot_y(plot, value);
        gpri_text_add(plot->out, "<path d=\"M%.1f %.1fh%.1f\" stroke=\"#dddddd\"/>\n", plot->left, y, plot->width);
        add_number(plot->out, plot->left - 7, y + 4, "end", value, axis->step);
    }
    const double middle = plot->top + plot->height / 2;
    gpri_print(more, sizeof more, " transform=\"rotate(-90 16 %.1f)\"", middle);
    add_text(plot->out, 16, middle, "middle", more, gpri_figure_text(json_object_get(plot->figure, "y"), "label"), 60);
}

/* Vertical lines with a text, such as the best epoch. */
static void add_marks(const gpri_plot *plot) {
    const json_t *marks = json_object_get(plot->figure, "marks");
    for (size_t i = 0; i < json_array_size(marks) && i < 20; i++) {
        const json_t *mark = json_array_get(marks, i);
        const double value = gpri_figure_real(json_object_get(mark, "x"));
        if (!(value >= plot->x.min && value <= plot->x.max)) continue;
        const double x = gpri_plot_x(plot, value);
        const bool right = x > plot->left + plot->width * 0.7;
        gpri_text_add(plot->out, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#555555\" stroke-dasharray=\"3 3\"/>\n", x,
                      plot->top, plot->top + plot->height);
        add_text(plot->out, right ? x - 5 : x + 5, plot->top + 13, right ? "end" : "start",
                 " font-size=\"11\" fill=\"#555555\"", gpri_figure_text(mark, "label"), 40);
    }
}

/* ---- Legend ---- */

static bool has_legend(const json_t *series) {
    size_t named = 0;
    for (size_t s = 0; s < json_array_size(series); s++)
        named += *gpri_figure_text(json_array_get(series, s), "name") != 0;
    return named > 1;
}

/* Names in rows, from `top` on; returns the height. out NULL: only measures. */
static double add_legend(gpri_text *out, const json_t *figure, double left, double right, double top) {
    const json_t *list = json_object_get(figure, "series");
    const bool bars = strcmp(gpri_figure_text(figure, "type"), "bars") == 0;
    double x = left, y = top;
    size_t named = 0;
    if (!has_legend(list)) return 0;
    for (size_t s = 0; s < json_array_size(list); s++) {
        const json_t *series = json_array_get(list, s);
        const char *name = gpri_figure_text(series, "name");
        const size_t index = bars ? s : gpri_series_faint(series) ? 0 : named++;
        if (!*name) continue;
        const double width = 34 + text_width(name, 41) + 16;
        if (x > left && x + width > right) {
            x = left;
            y += LINE;
        }
        const char *color = gpri_series_color(series, index), *dashed = gpri_series_dashes(series, index);
        if (out && bars)
            gpri_text_add(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"14\" height=\"10\" fill=\"%s\"/>\n", x + 12, y - 9,
                          color);
        else if (out) {
            gpri_text_add(out, "<path d=\"M%.1f %.1fh28\" stroke=\"%s\" stroke-width=\"1.7\"", x, y - 4, color);
            if (*dashed) gpri_text_add(out, " stroke-dasharray=\"%s\"", dashed);
            gpri_text_add(out, "/>\n");
            if (gpri_series_size(series) <= 40 && !gpri_series_faint(series))
                gpri_plot_marker(out, index, x + 14, y - 4, color);
        }
        if (out) add_text(out, x + 34, y, "start", "", name, 40);
        x += width;
    }
    return y - top + LINE;
}

/* ---- The whole ---- */

static void add_plot(gpri_text *out, const json_t *figure) {
    gpri_plot plot = {.out = out, .figure = figure, .x = gpri_figure_x(figure), .y = gpri_figure_y(figure)};
    plot.left = 68;
    plot.width = GPRI_SVG_WIDTH - plot.left - 18;
    plot.top = 34;
    plot.top += add_legend(NULL, figure, plot.left, GPRI_SVG_WIDTH - 10, 0) + 8;
    const bool turned = turns(&plot.x, plot.width);
    const int labels = turned ? (longest_category(&plot.x) < 16 ? longest_category(&plot.x) : 17) * 4 + 22 : LINE + 4;
    const bool two_lines = !turned && json_array_size(plot.x.categories) &&
                           strchr(json_string_value(json_array_get(plot.x.categories, 0))
                                      ? json_string_value(json_array_get(plot.x.categories, 0))
                                      : "",
                                  '\n');
    plot.height = GPRI_SVG_HEIGHT - plot.top - 26 - labels - (two_lines ? LINE : 0);
    add_y_axis(&plot);
    add_x_axis(&plot, turned);
    gpri_text_add(out, "<path d=\"M%.1f %.1fV%.1fh%.1f\" stroke=\"#222222\" fill=\"none\"/>\n", plot.left, plot.top,
                  plot.top + plot.height, plot.width);
    add_legend(out, figure, plot.left, GPRI_SVG_WIDTH - 10, 46);
    if (strcmp(gpri_figure_text(figure, "type"), "bars") == 0) gpri_plot_bars(&plot);
    else gpri_plot_lines(&plot);
    add_marks(&plot);
}

gpr_status gpri_figure_svg(gpri_text *out, const json_t *figure) {
    NEED(gpri_figure_check(figure));
    if (strcmp(gpri_figure_text(figure, "type"), "heat") == 0) {
        gpri_svg_heat(out, figure);
        return gpri_text_status(out);
    }
    gpri_text_add(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" " FONT
                  " role=\"img\">\n<title>",
                  GPRI_SVG_WIDTH, GPRI_SVG_HEIGHT, GPRI_SVG_WIDTH, GPRI_SVG_HEIGHT);
    gpri_markup_text(out, gpri_figure_text(figure, "title"), 0);
    gpri_text_add(out, "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", GPRI_SVG_WIDTH,
                  GPRI_SVG_HEIGHT);
    add_text(out, GPRI_SVG_WIDTH / 2.0, 22, "middle", " font-size=\"14\" font-weight=\"bold\"",
             gpri_figure_text(figure, "title"), 80);
    add_plot(out, figure);
    gpri_text_add(out, "</svg>\n");
    return gpri_text_status(out);
}
