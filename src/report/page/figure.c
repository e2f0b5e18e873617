/* The JSON of a figure: reading it, checking it, and the ranges of its axes. */
#include "report/page/figure.h"

#include <math.h>
#include <string.h>

enum { MOST_SERIES = 2000, MOST_POINTS = 1000000, MOST_CELLS = 1 << 16 };

const char *gpri_figure_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Numbers that float cannot hold are none: nothing can be drawn with them. */
double gpri_figure_real(const json_t *number) {
    const double value = json_is_number(number) ? json_number_value(number) : NAN;
    return fabs(value) < 1e30 ? value : NAN;
}

size_t gpri_series_size(const json_t *series) { return json_array_size(json_object_get(series, "values")); }

gpri_plot_point gpri_series_point(const json_t *series, size_t i) {
    const json_t *x = json_object_get(series, "x");
    if (strcmp(gpri_figure_text(series, "errors"), "area") == 0) {
        const double y = gpri_figure_real(json_array_get(json_object_get(series, "values"), i));
        return (gpri_plot_point){x ? gpri_figure_real(json_array_get(x, i)) : (double)i, y, isnan(y) ? NAN : 0, y};
    }
    return (gpri_plot_point){x ? gpri_figure_real(json_array_get(x, i)) : (double)i,
                             gpri_figure_real(json_array_get(json_object_get(series, "values"), i)),
                             gpri_figure_real(json_array_get(json_object_get(series, "lo"), i)),
                             gpri_figure_real(json_array_get(json_object_get(series, "hi"), i))};
}

bool gpri_series_faint(const json_t *series) { return strcmp(gpri_figure_text(series, "style"), "faint") == 0; }
bool gpri_series_banded(const json_t *series) {
    const char *errors = gpri_figure_text(series, "errors");
    return strcmp(errors, "band") == 0 || strcmp(errors, "area") == 0;
}

/* ---- Checks ---- */

static gpr_status check_heat(const json_t *figure, const char *id) {
    const json_t *rows = json_object_get(figure, "rows"), *columns = json_object_get(figure, "columns");
    const json_t *values = json_object_get(figure, "values");
    const size_t height = json_array_size(rows), width = json_array_size(columns);
    if (height == 0 || width == 0 || json_array_size(values) != height)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the figure '%s' needs rows, columns, and one list of values per row", id);
    if (height * width > MOST_CELLS) return gpri_fail(GPR_ERROR_ARGUMENT, "the figure '%s' has too many cells", id);
    for (size_t i = 0; i < height; i++)
        if (json_array_size(json_array_get(values, i)) != width)
            return gpri_fail(GPR_ERROR_ARGUMENT, "row %zu of the figure '%s' has not %zu values", i, id, width);
    return GPR_OK;
}

static gpr_status check_series(const json_t *series, const char *id, size_t index, size_t *points) {
    static const char *const lists[] = {"x", "lo", "hi"};
    const size_t size = gpri_series_size(series);
    *points += size;
    if (!json_is_array(json_object_get(series, "values")))
        return gpri_fail(GPR_ERROR_ARGUMENT, "series %zu of the figure '%s' has no list `values`", index, id);
    for (int i = 0; i < 3; i++) {
        const json_t *list = json_object_get(series, lists[i]);
        if (list && json_array_size(list) != size)
            return gpri_fail(GPR_ERROR_ARGUMENT, "series %zu of the figure '%s': `%s` and `values` differ in length",
                             index, id, lists[i]);
    }
    return GPR_OK;
}

gpr_status gpri_figure_check(const json_t *figure) {
    const char *type = gpri_figure_text(figure, "type"), *id = gpri_figure_text(figure, "id");
    const json_t *series = json_object_get(figure, "series");
    size_t points = 0;
    if (strcmp(type, "heat") == 0) return check_heat(figure, id);
    if (strcmp(type, "lines") != 0 && strcmp(type, "bars") != 0)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the figure '%s' has the type '%s': it must be lines, bars or heat", id,
                         type);
    if (json_array_size(series) == 0 || json_array_size(series) > MOST_SERIES)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the figure '%s' has no `series`, or more than %d", id, MOST_SERIES);
    for (size_t i = 0; i < json_array_size(series); i++) {
        const gpr_status status = check_series(json_array_get(series, i), id, i, &points);
        if (status != GPR_OK) return status;
    }
    if (points > MOST_POINTS) return gpri_fail(GPR_ERROR_ARGUMENT, "the figure '%s' has too many points", id);
    return GPR_OK;
}

/* ---- Axes ---- */

double gpri_nice_step(double range, int count) {
    if (!(range > 0) || count < 1) return 1;
    const double rough = range / count, power = pow(10, floor(log10(rough)));
    const double digit = rough / power;
    return (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10) * power;
}

static void include(gpri_figure_axis *axis, double value) {
    if (isnan(value)) return;
    if (!(value >= axis->min)) axis->min = value; /* also where it is still NaN */
    if (!(value <= axis->max)) axis->max = value;
}

/* Up to whole steps, unless the figure says where the axis begins and ends. */
static void round_out(gpri_figure_axis *axis, const json_t *said, int ticks, bool whole_steps) {
    const double min = gpri_figure_real(json_object_get(said, "min"));
    const double max = gpri_figure_real(json_object_get(said, "max"));
    if (isnan(axis->min)) axis->min = axis->max = 0;
    if (!isnan(min)) axis->min = min;
    if (!isnan(max)) axis->max = max;
    if (!(axis->max > axis->min)) {
        const double room = axis->min == 0 ? 1 : fabs(axis->min) / 2;
        axis->min -= room;
        axis->max += room;
    }
    axis->step = gpri_nice_step(axis->max - axis->min, ticks);
    if (!whole_steps) return;
    if (isnan(min)) axis->min = floor(axis->min / axis->step + 1e-9) * axis->step;
    if (isnan(max)) axis->max = ceil(axis->max / axis->step - 1e-9) * axis->step;
}

gpri_figure_axis gpri_figure_x(const json_t *figure) {
    const json_t *said = json_object_get(figure, "x"), *series = json_object_get(figure, "series");
    gpri_figure_axis axis = {.min = NAN, .max = NAN, .categories = json_object_get(said, "categories")};
    if (json_array_size(axis.categories) > 0) {
        axis.min = -0.5;
        axis.max = (double)json_array_size(axis.categories) - 0.5;
        axis.step = 1;
        return axis;
    }
    axis.categories = NULL;
    for (size_t s = 0; s < json_array_size(series); s++)
        for (size_t i = 0; i < gpri_series_size(json_array_get(series, s)); i++)
            include(&axis, gpri_series_point(json_array_get(series, s), i).x);
    if (strcmp(gpri_figure_text(figure, "type"), "bars") == 0) {
        axis.min -= 0.5;
        axis.max += 0.5;
    }
    round_out(&axis, said, 8, false);
    return axis;
}

gpri_figure_axis gpri_figure_y(const json_t *figure) {
    const json_t *said = json_object_get(figure, "y"), *series = json_object_get(figure, "series");
    gpri_figure_axis axis = {.min = NAN, .max = NAN};
    if (strcmp(gpri_figure_text(figure, "type"), "bars") == 0) axis.min = axis.max = 0;
    for (size_t s = 0; s < json_array_size(series); s++)
        for (size_t i = 0; i < gpri_series_size(json_array_get(series, s)); i++) {
            const gpri_plot_point point = gpri_series_point(json_array_get(series, s), i);
            include(&axis, point.y);
            include(&axis, point.lo);
            include(&axis, point.hi);
        }
    round_out(&axis, said, 6, true);
    return axis;
}
