/* Figures: the steps of axes, what is refused, and the SVG of each type. */
#include <math.h>
#include <string.h>

#include "report/page/figure.h"
#include "support.h"

/* The SVG of a figure; free it with gpri_text_free. */
static gpri_text svg_of(gpr_ctx *ctx, const char *json, gpr_status expected) {
    gpri_text svg = {.ctx = ctx};
    json_t *figure = json_loads(json, 0, NULL);
    assert_non_null(figure);
    assert_int_equal(gpri_figure_svg(&svg, figure), expected);
    json_decref(figure);
    return svg;
}

static int times(const char *text, const char *piece) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, piece)); at++) count++;
    return count;
}

static void test_steps(void **state) {
    (void)state;
    static const struct {
        double range;
        int count;
        double step;
    } known[] = {{1, 5, 0.2},      {10, 5, 2},    {7, 5, 2}, {100, 6, 20},
                 {0.03, 6, 0.005}, {4e7, 8, 5e6}, {0, 5, 1}, {NAN, 5, 1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(fabs(gpri_nice_step(known[i].range, known[i].count) - known[i].step) < known[i].step * 1e-9);
}

static void test_axes(void **state) {
    (void)state;
    json_t *figure = json_loads("{\"type\": \"lines\", \"series\": [{\"x\": [0, 206], \"values\": [0.07, 0.93],"
                                " \"hi\": [0.08, 1.13]}], \"y\": {\"min\": -3}}",
                                0, NULL);
    const gpri_figure_axis x = gpri_figure_x(figure), y = gpri_figure_y(figure);
    assert_true(x.min == 0 && x.max == 206); /* the data ends where the axis ends */
    assert_true(y.min == -3 && y.max >= 1.13 && y.max <= 2);
    json_decref(figure);
    figure = json_loads(
        "{\"type\": \"bars\", \"x\": {\"categories\": [\"a\", \"b\"]}, \"series\": [{\"values\": [2, 3]}]}", 0, NULL);
    assert_true(gpri_figure_y(figure).min == 0); /* bars begin at 0 */
    assert_true(gpri_figure_x(figure).min == -0.5 && gpri_figure_x(figure).max == 1.5);
    json_decref(figure);
}

static void test_lines(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_text svg = svg_of(ctx,
                           "{\"type\": \"lines\", \"title\": \"T\", \"x\": {\"label\": \"epoch\"}, \"series\": ["
                           "{\"name\": \"a\", \"x\": [0, 1, 2, 3], \"values\": [1, null, 3, 4], \"lo\": [0, 1, 2, 3],"
                           " \"hi\": [2, 3, 4, 5], \"errors\": \"band\"},"
                           "{\"name\": \"b\", \"values\": [1, 2], \"lo\": [0.5, 1], \"hi\": [2, 3]},"
                           "{\"style\": \"faint\", \"values\": [1, 2]}], \"marks\": [{\"x\": 2, \"label\": \"best\"}]}",
                           GPR_OK);
    assert_int_equal(times(svg.bytes, "<svg"), 1);
    assert_int_equal(times(svg.bytes, "</svg>"), 1);
    assert_int_equal(times(svg.bytes, "fill-opacity=\"0.18\""), 1);   /* one band */
    assert_int_equal(times(svg.bytes, "stroke-opacity=\"0.55\""), 1); /* one faint line */
    assert_int_equal(times(svg.bytes, "<circle"), 3 + 1);             /* three known points, and the legend */
    assert_non_null(strstr(svg.bytes, ">best<"));
    assert_non_null(strstr(svg.bytes, ">epoch<"));
    assert_null(strstr(svg.bytes, "nan"));
    gpri_text_free(&svg);
    gpr_ctx_free(ctx);
}

/* Bars below 0 go down from the line at 0. */
static void test_bars(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_text svg = svg_of(ctx,
                           "{\"type\": \"bars\", \"x\": {\"categories\": [\"0\", \"1\\nfew\"]}, \"series\": ["
                           "{\"values\": [1, -1], \"lo\": [0.5, -1.5], \"hi\": [1.5, -0.5]}]}",
                           GPR_OK);
    double y[2], height[2];
    const char *at = svg.bytes;
    for (int i = 0; i < 2; i++) {
        at = strstr(at, "<rect x=");
        assert_non_null(at);
        assert_int_equal(
            sscanf(at, "<rect x=\"%*[^\"]\" y=\"%lf\" width=\"%*[^\"]\" height=\"%lf\"", &y[i], &height[i]), 2);
        at++;
    }
    assert_true(fabs(height[0] - height[1]) < 0.2 && height[0] > 20);
    assert_true(fabs(y[0] + height[0] - y[1]) < 0.2); /* the first ends where the second begins: at 0 */
    assert_int_equal(times(svg.bytes, "h6M"), 2);     /* two error bars */
    assert_non_null(strstr(svg.bytes, ">few<"));
    gpri_text_free(&svg);
    gpr_ctx_free(ctx);
}

static void test_heat(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_text svg = svg_of(ctx,
                           "{\"type\": \"heat\", \"rows\": [\"a\", \"b\"], \"columns\": [\"a\", \"b\"], \"values\": "
                           "[[5, 0], [12345, 0]]}",
                           GPR_OK);
    assert_int_equal(times(svg.bytes, "#084594"), 2); /* all of a row: the darkest */
    assert_int_equal(times(svg.bytes, ">12345<"), 1);
    gpri_text_free(&svg);
    gpr_ctx_free(ctx);
}

/* Names come from strangers' files. */
static void test_hostile_texts(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpri_text svg = svg_of(ctx,
                           "{\"type\": \"lines\", \"title\": \"<script>alert(1)</script>\", \"x\": {\"label\": \"\\\" "
                           "onload='x'\"}, \"series\": [{\"name\": \"]]></svg>\", \"values\": [1]}, {\"name\": "
                           "\"a\\u0001&b\", \"values\": [1e300]}]}",
                           GPR_OK);
    assert_null(strstr(svg.bytes, "<script"));
    assert_null(strstr(svg.bytes, "]]>"));
    assert_null(strstr(svg.bytes, "'x'"));
    assert_null(strchr(svg.bytes, 1));
    assert_non_null(strstr(svg.bytes, "a &amp;b"));
    gpri_text_free(&svg);
    gpr_ctx_free(ctx);
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *json, *message;
    } bad[] = {
        {"{\"id\": \"f\", \"type\": \"pie\"}", "'pie'"},
        {"{\"type\": \"lines\"}", "`series`"},
        {"{\"type\": \"lines\", \"series\": []}", "`series`"},
        {"{\"type\": \"lines\", \"series\": 7}", "`series`"},
        {"{\"type\": \"lines\", \"series\": [7]}", "`values`"},
        {"{\"type\": \"bars\", \"series\": [{\"values\": [1, 2], \"lo\": [1]}]}", "`lo`"},
        {"{\"type\": \"heat\", \"rows\": [\"a\"], \"columns\": [\"a\"]}", "values"},
        {"{\"type\": \"heat\", \"rows\": [\"a\"], \"columns\": [\"a\"], \"values\": [[1, 2]]}", "row 0"},
        {"[]", "type"},
    };
    gpr_ctx *ctx = new_ctx(1);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        gpri_text svg = svg_of(ctx, bad[i].json, GPR_ERROR_ARGUMENT);
        if (!strstr(gpr_last_error(), bad[i].message)) fail_msg("%s: %s", bad[i].json, gpr_last_error());
        gpri_text_free(&svg);
    }
    gpr_ctx_free(ctx);
}

/* Whatever has the right lists is drawn, also without a single number. */
static void test_odd_but_drawn(void **state) {
    (void)state;
    static const char *const odd[] = {
        "{\"type\": \"lines\", \"series\": [{\"values\": []}]}",
        "{\"type\": \"lines\", \"series\": [{\"values\": [null, \"a\", {}]}], \"x\": 3, \"y\": [], \"marks\": {}}",
        "{\"type\": \"bars\", \"series\": [{\"values\": [0]}], \"x\": {\"categories\": [null, 4]}}",
        "{\"type\": \"bars\", \"series\": [{\"values\": [1e29, -1e29]}]}",
        "{\"type\": \"lines\", \"series\": [{\"values\": [1, 2]}], \"y\": {\"min\": 5, \"max\": 1}}",
        "{\"type\": \"heat\", \"rows\": [1], \"columns\": [null], \"values\": [[\"x\"]]}",
    };
    gpr_ctx *ctx = new_ctx(1);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        gpri_text svg = svg_of(ctx, odd[i], GPR_OK);
        assert_int_equal(times(svg.bytes, "</svg>"), 1);
        assert_null(strstr(svg.bytes, "nan"));
        assert_null(strstr(svg.bytes, "inf"));
        gpri_text_free(&svg);
    }
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),   cmocka_unit_test(test_axes),          cmocka_unit_test(test_lines),
        cmocka_unit_test(test_bars),    cmocka_unit_test(test_heat),          cmocka_unit_test(test_hostile_texts),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_odd_but_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
