/* A document for a page, built as a jansson tree. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/print.h"
#include "report/page/page.h"

void gpri_document_put(gpri_document *doc, json_t *object, const char *key, json_t *value) {
    if (json_object_set_new(object, key, value) != 0) doc->good = false;
}

void gpri_document_add(gpri_document *doc, json_t *list, json_t *value) {
    if (json_array_append_new(list, value) != 0) doc->good = false;
}

json_t *gpri_document_list(gpri_document *doc, json_t *object, const char *key) {
    gpri_document_put(doc, object, key, json_array());
    return json_object_get(object, key);
}

json_t *gpri_document_object(gpri_document *doc, json_t *list) {
    const size_t before = json_array_size(list);
    gpri_document_add(doc, list, json_object());
    return json_array_get(list, before);
}

json_t *gpri_json_format(const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    gpri_vprint(text, sizeof text, format, args);
    va_end(args);
    return gpri_json_string(text);
}

json_t *gpri_json_rounded(double value, int digits) {
    if (!isfinite(value)) return json_null();
    if (value == 0) return json_integer(0);
    const double power = pow(10, digits - 1 - floor(log10(fabs(value))));
    const double rounded = isfinite(power) && power > 0 ? round(value * power) / power : value;
    if (rounded == round(rounded) && fabs(rounded) < 1e9) return json_integer((json_int_t)rounded); /* 5, not 5.0 */
    return json_real(rounded);
}

json_t *gpri_json_count(int64_t count) {
    char plain[32], text[48];
    const int length = snprintf(plain, sizeof plain, "%lld", (long long)count);
    int to = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && plain[i - 1] != '-' && (length - i) % 3 == 0) text[to++] = ',';
        text[to++] = plain[i];
    }
    text[to] = 0;
    return json_string(text);
}

void gpri_document_begin(gpri_document *doc, const char *title, const char *subtitle) {
    *doc = (gpri_document){.tree = json_object(), .good = true};
    gpri_document_put(doc, doc->tree, "title", gpri_json_string(title));
    gpri_document_put(doc, doc->tree, "subtitle", gpri_json_string(subtitle));
    gpri_document_put(doc, doc->tree, "version", json_string(gpr_version()));
    doc->sections = gpri_document_list(doc, doc->tree, "sections");
}

void gpri_document_section(gpri_document *doc, const char *id, const char *title, const char *text) {
    json_t *section = gpri_document_object(doc, doc->sections);
    gpri_document_put(doc, section, "id", gpri_json_string(id));
    gpri_document_put(doc, section, "title", gpri_json_string(title));
    gpri_document_put(doc, section, "text", gpri_json_string(text));
    doc->blocks = gpri_document_list(doc, section, "blocks");
}

void gpri_document_short(gpri_document *doc, const char *name) {
    const size_t count = json_array_size(doc->sections);
    gpri_document_put(doc, count ? json_array_get(doc->sections, count - 1) : NULL, "short", gpri_json_string(name));
}

json_t *gpri_document_block(gpri_document *doc, const char *type) {
    json_t *block = gpri_document_object(doc, doc->blocks);
    gpri_document_put(doc, block, "type", gpri_json_string(type));
    return block;
}

json_t *gpri_document_figure(gpri_document *doc, const char *id, const char *type, const char *title,
                             const char *caption) {
    json_t *block = gpri_document_block(doc, "figure");
    gpri_document_put(doc, block, "figure", json_object());
    json_t *figure = json_object_get(block, "figure");
    gpri_document_put(doc, figure, "id", gpri_json_string(id));
    gpri_document_put(doc, figure, "type", gpri_json_string(type));
    gpri_document_put(doc, figure, "title", gpri_json_string(title));
    gpri_document_put(doc, figure, "caption", gpri_json_string(caption));
    return figure;
}

void gpri_document_half(gpri_document *doc) {
    const size_t count = json_array_size(doc->blocks);
    gpri_document_put(doc, count ? json_array_get(doc->blocks, count - 1) : NULL, "half", json_true());
}

void gpri_document_axis(gpri_document *doc, json_t *figure, const char *axis, const char *label) {
    gpri_document_put(doc, figure, axis, json_object());
    gpri_document_put(doc, json_object_get(figure, axis), "label", gpri_json_string(label));
}

json_t *gpri_document_series(gpri_document *doc, json_t *figure, const char *name, const char *style) {
    json_t *list = json_object_get(figure, "series");
    if (!list) list = gpri_document_list(doc, figure, "series");
    json_t *series = gpri_document_object(doc, list);
    gpri_document_put(doc, series, "name", gpri_json_string(name));
    gpri_document_put(doc, series, "style", gpri_json_string(style));
    gpri_document_list(doc, series, "values");
    return series;
}

void gpri_document_fact(gpri_document *doc, json_t *facts, const char *label, json_t *value, const char *note) {
    json_t *items = json_object_get(facts, "items");
    if (!items) items = gpri_document_list(doc, facts, "items");
    json_t *fact = gpri_document_object(doc, items);
    gpri_document_put(doc, fact, "label", gpri_json_string(label));
    gpri_document_put(doc, fact, "value", value);
    if (note) gpri_document_put(doc, fact, "note", gpri_json_string(note));
}

void gpri_document_column(gpri_document *doc, json_t *table, const char *name, const char *kind) {
    json_t *columns = json_object_get(table, "columns");
    if (!columns) columns = gpri_document_list(doc, table, "columns");
    json_t *column = gpri_document_object(doc, columns);
    gpri_document_put(doc, column, "name", gpri_json_string(name));
    gpri_document_put(doc, column, "kind", gpri_json_string(kind));
}
