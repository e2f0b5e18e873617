/* Figures: one JSON description of each (docs/report.md) gives the chart of a page and an SVG file. */
#ifndef GPRI_FIGURE_H
#define GPRI_FIGURE_H

#include "base/json.h"

/* ---- The JSON of a figure. It may come from a stranger's file: every member may be missing or of another type. ----
 */

const char *gpri_figure_text(const json_t *object, const char *key); /* "" if there is none; belongs to object */
double gpri_figure_real(const json_t *number);                       /* NaN if it is none */
/* Fails, with the reason, where the figure cannot be drawn; so the functions below need not check. */
gpr_status gpri_figure_check(const json_t *figure) GPRI_MUST_CHECK;
/* The numbers of a series at `i`, NaN where there is none. y: its value; lo and hi: its interval. */
typedef struct gpri_plot_point {
    double x, y, lo, hi;
} gpri_plot_point;
gpri_plot_point gpri_series_point(const json_t *series, size_t i);
size_t gpri_series_size(const json_t *series);
/* Thin lines without a name of their own, such as the other runs. */
bool gpri_series_faint(const json_t *series);
/* Its intervals are a shaded band, not bars. */
bool gpri_series_banded(const json_t *series);

/* ---- Axes ---- */

typedef struct gpri_figure_axis {
    double min, max;
    double step;              /* between two ticks */
    const json_t *categories; /* texts, each in a slot of its own at 0, 1, ...; NULL: numbers */
} gpri_figure_axis;

gpri_figure_axis gpri_figure_x(const json_t *figure);
gpri_figure_axis gpri_figure_y(const json_t *figure);
/* 1, 2 or 5 times a power of ten, so that about `count` steps fill the range. */
double gpri_nice_step(double range, int count);

/* ---- SVG ---- */

/* Appends the figure as an <svg> element. */
gpr_status gpri_figure_svg(gpri_text *out, const json_t *figure) GPRI_MUST_CHECK;
/* Text for SVG and HTML: & < > " ' become entities, and control characters blanks. At most `most` letters; 0: all. */
void gpri_markup_text(gpri_text *out, const char *text, int most);

/* ---- What the files of the drawing share ---- */

typedef struct gpri_plot {
    gpri_text *out;
    const json_t *figure;
    gpri_figure_axis x, y;
    double left, top, width, height; /* of the area within the axes */
} gpri_plot;

double gpri_plot_x(const gpri_plot *plot, double x);
double gpri_plot_y(const gpri_plot *plot, double y);
/* The look of a series by its position: they differ in colour, grey, dashes and markers. */
const char *gpri_series_color(const json_t *series, size_t index);
const char *gpri_series_dashes(const json_t *series, size_t index); /* "": a full line */
void gpri_plot_marker(gpri_text *out, size_t index, double x, double y, const char *color);
void gpri_plot_lines(const gpri_plot *plot);
void gpri_plot_bars(const gpri_plot *plot);
/* A table of counts or shares as coloured cells: a figure of its own, with its width and height. */
void gpri_svg_heat(gpri_text *out, const json_t *figure);

enum { GPRI_SVG_WIDTH = 640, GPRI_SVG_HEIGHT = 400 };

#endif
