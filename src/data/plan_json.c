/* Plans of columns as JSON: in model files, to read another table by them, and in results, for people. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "data/plan.h"

enum { MOST_COLUMNS = 1000000, LONGEST_PLAN = 1 << 28 };

/* ---- writing ---- */

static bool has_values(const gpri_column *column) {
    return column->role == GPRI_ROLE_FEATURE && (column->kind == GPRI_KIND_CATEGORY || column->kind == GPRI_KIND_WORDS);
}

static json_t *column_json(const gpri_column *column, bool whole) {
    gpri_object tree = gpri_object_new();
    gpri_put_text(&tree, "name", column->name);
    gpri_put_text(&tree, "role", gpri_role_word(column->role));
    gpri_put_text(&tree, "kind", gpri_kind_word(column->kind));
    gpri_put_name(&tree, "distinct", NULL, column->distinct);
    gpri_put_name(&tree, "missing", NULL, column->missing);
    gpri_put_whole(&tree, "odd", column->odd);
    gpri_put_whole(&tree, "features", column->features);
    if (column->kind == GPRI_KIND_NUMBER || column->kind == GPRI_KIND_DATE)
        gpri_put(&tree, "fill", json_real(column->fill));
    if (!whole) gpri_put_text(&tree, "done", column->done ? column->done : "");
    if (whole && column->indicator) gpri_put(&tree, "indicator", json_true());
    if (whole && column->other) gpri_put(&tree, "other", json_true());
    if (whole && column->times) gpri_put(&tree, "times", json_true());
    if (whole && column->no_comma) gpri_put(&tree, "no_comma", json_true());
    if (whole && column->order) gpri_put_whole(&tree, "order", column->order);
    if (whole && !gpri_is_plain(&column->style)) {
        const char marks[] = {column->style.decimal, column->style.thousands, 0};
        gpri_put_text(&tree, "marks", marks);
        gpri_put_text(&tree, "unit", column->style.unit);
    }
    if (whole && column->form) gpri_put_text(&tree, "form", gpri_list_word(column->form));
    if (whole && has_values(column)) gpri_put(&tree, "values", gpri_names_json(&column->values));
    return gpri_object_done(&tree);
}

json_t *gpri_plan_json(const gpri_plan *plan, bool whole) {
    json_t *list = json_array();
    for (int64_t j = 0; list && j < plan->count; j++) list = gpri_append(list, column_json(&plan->columns[j], whole));
    if (!whole) return list;
    gpri_object tree = gpri_object_new();
    gpri_put(&tree, "header", json_boolean(plan->header));
    gpri_put(&tree, "weighted", json_boolean(plan->weighted));
    if (plan->added > 0) gpri_put_whole(&tree, "added", plan->added);
    if (plan->weight) gpri_put_text(&tree, "weight", plan->weight);
    if (plan->reading.count > 0) gpri_put(&tree, "reading", gpri_pairs_json(&plan->reading));
    gpri_put(&tree, "columns", list);
    return gpri_object_done(&tree);
}

/* ---- reading ---- */

static gpr_status wrong(const char *path, int64_t column, const char *what) {
    return gpri_fail(GPR_ERROR_FORMAT, "%s: metadata 'columns': column %lld: %s", path, (long long)column + 1, what);
}

/* The number of the word among `count` words; -1: none. */
static int find_word(const json_t *text, const char *(*word_of)(int), int count) {
    const char *given = json_string_value(text);
    for (int i = 0; given && i < count; i++)
        if (strcmp(given, word_of(i)) == 0) return i;
    return -1;
}

static const char *role_word(int role) { return gpri_role_word((gpri_role)role); }
static const char *kind_word(int kind) { return gpri_kind_word((gpri_kind)kind); }
static const char *form_word(int form) { return gpri_list_word((gpri_list_form)form); }

/* A count, or null: -1. false: it is neither. */
static bool read_count(const json_t *number, int64_t *out) {
    *out = json_is_integer(number) ? (int64_t)json_integer_value(number) : -1;
    return json_is_null(number) || *out >= 0;
}

static gpr_status read_values(gpri_plan *plan, gpri_column *column, const json_t *list, const char *path) {
    gpr_status status = GPR_OK;
    const char **texts = NULL; /* (count) */
    const int64_t count = (int64_t)json_array_size(list), at = column - plan->columns;
    if (!json_is_array(list)) return wrong(path, at, "there is no list of its values");
    TRY(gpri_alloc(plan->ctx, &texts, count, sizeof *texts, "values"));
    for (int64_t i = 0; i < count; i++) {
        texts[i] = json_string_value(json_array_get(list, (size_t)i));
        if (!texts[i]) TRY(wrong(path, at, "a value is not a text"));
    }
    TRY(gpri_names_copy(plan->ctx, &column->values, texts, count));
done:
    gpri_free(plan->ctx, texts);
    return status;
}

/* false: they are no style. Without both it is the plain one. */
static bool read_style(gpri_number_style *style, const json_t *marks, const json_t *unit) {
    const char *given = json_string_value(marks), *name = json_string_value(unit);
    if (!marks && !unit) return true;
    if (!given || !name || strlen(name) >= sizeof style->unit) return false;
    if (!*given || !strchr(".,", *given) || (given[1] && (!strchr(".,' ", given[1]) || given[1] == *given || given[2])))
        return false;
    style->decimal = given[0];
    style->thousands = given[1];
    strcpy(style->unit, name);
    return true;
}

static gpr_status read_column(gpri_plan *plan, const json_t *tree, const char *path) {
    const char *name = json_string_value(json_object_get(tree, "name"));
    const int64_t at = plan->count;
    int64_t number, features;
    if (!name) return wrong(path, at, "it has no name");
    const int role = find_word(json_object_get(tree, "role"), role_word, GPRI_ROLES);
    const int kind = find_word(json_object_get(tree, "kind"), kind_word, GPRI_KINDS);
    if (role < 0 || kind < 0) return wrong(path, at, role < 0 ? "its role is not known" : "its kind is not known");
    NEED(gpri_plan_add(plan, &number, name, (int64_t)strlen(name)));
    gpri_column *column = &plan->columns[number];
    column->role = (gpri_role)role;
    column->kind = (gpri_kind)kind;
    column->indicator = json_is_true(json_object_get(tree, "indicator"));
    column->other = json_is_true(json_object_get(tree, "other"));
    column->times = json_is_true(json_object_get(tree, "times"));
    column->no_comma = json_is_true(json_object_get(tree, "no_comma"));
    const json_int_t order = json_integer_value(json_object_get(tree, "order"));
    column->order = (int)order;
    if (!read_style(&column->style, json_object_get(tree, "marks"), json_object_get(tree, "unit")))
        return wrong(path, at, "its marks or its unit are wrong");
    const int form = find_word(json_object_get(tree, "form"), form_word, GPRI_LISTS);
    column->form = form < 0 ? GPRI_LIST_NONE : (gpri_list_form)form;
    if (kind == GPRI_KIND_WORDS && role == GPRI_ROLE_FEATURE && column->form == GPRI_LIST_NONE)
        return wrong(path, at, "the form of its lists is not known");
    const json_t *fill = json_object_get(tree, "fill");
    column->fill = json_number_value(fill);
    if (order < 0 || order > 2 || !isfinite((float)column->fill) || (fill && !json_is_number(fill)))
        return wrong(path, at, "its order of dates or its fill is wrong");
    if (!read_count(json_object_get(tree, "distinct"), &column->distinct) ||
        !read_count(json_object_get(tree, "missing"), &column->missing) ||
        !read_count(json_object_get(tree, "odd"), &column->odd) || column->odd < 0)
        return wrong(path, at, "a count is wrong");
    if (has_values(column)) NEED(read_values(plan, column, json_object_get(tree, "values"), path));
    column->features = gpri_column_features(column);
    if (!read_count(json_object_get(tree, "features"), &features) || features != column->features)
        return wrong(path, at, "its number of features does not fit its kind");
    return GPR_OK;
}

/* Words that this program does not know are kept, and not used. */
static gpr_status read_reading(gpri_plan *plan, json_t *tree, const char *path) {
    gpr_status status = GPR_OK;
    const char **texts = NULL; /* (2 x entries) */
    const char *word;
    json_t *value;
    int64_t count = 0;
    if (!tree) return GPR_OK;
    TRY(gpri_alloc(plan->ctx, &texts, 2 * (int64_t)json_object_size(tree), sizeof *texts, "options"));
    json_object_foreach(tree, word, value) {
        texts[count++] = word;
        texts[count++] = json_string_value(value);
        if (!texts[count - 1]) THROW(GPR_ERROR_FORMAT, "%s: metadata 'columns': '%s' is not a text", path, word);
    }
    if (!json_is_object(tree)) THROW(GPR_ERROR_FORMAT, "%s: metadata 'columns': 'reading' is not an object", path);
    if (count > 0) TRY(gpri_names_copy(plan->ctx, &plan->reading, texts, count));
done:
    gpri_free(plan->ctx, texts);
    return status;
}

gpr_status gpri_plan_read(gpr_ctx *ctx, gpri_plan **out, const char *text, const char *path) {
    gpr_status status = GPR_OK;
    gpri_plan *plan = NULL;
    json_error_t error;
    json_t *tree = NULL;
    *out = NULL;
    if (strlen(text) > LONGEST_PLAN) THROW(GPR_ERROR_FORMAT, "%s: metadata 'columns' is too long", path);
    tree = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!tree && gpri_json_no_memory(&error, strlen(text)))
        THROW(GPR_ERROR_MEMORY, "out of memory: the header of %s", path);
    const json_t *list = json_object_get(tree, "columns");
    if (!json_is_array(list) || json_array_size(list) > MOST_COLUMNS)
        THROW(GPR_ERROR_FORMAT, "%s: metadata 'columns' is not a plan of columns", path);
    TRY(gpri_plan_new(ctx, &plan));
    plan->header = json_is_true(json_object_get(tree, "header"));
    plan->weighted = json_is_true(json_object_get(tree, "weighted"));
    const json_t *added = json_object_get(tree, "added");
    if (added && (!read_count(added, &plan->added) || plan->added < 1 || plan->added > INT32_MAX))
        THROW(GPR_ERROR_FORMAT, "%s: metadata 'columns': 'added' is no number of features", path);
    const char *weight = json_string_value(json_object_get(tree, "weight"));
    if (weight) TRY(gpri_strdup(ctx, &plan->weight, weight));
    TRY(read_reading(plan, json_object_get(tree, "reading"), path));
    for (size_t j = 0; j < json_array_size(list); j++) TRY(read_column(plan, json_array_get(list, j), path));
    *out = plan;
    plan = NULL;
done:
    gpri_plan_free(plan);
    json_decref(tree);
    return status;
}
