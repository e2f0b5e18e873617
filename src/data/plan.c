/* Plans of columns: making, copying, and the features that a column gives. */
#include "data/plan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/struct.h"
#include "data/dataset.h"

const char *gpri_role_word(gpri_role role) {
    static const char *const words[GPRI_ROLES] = {"feature", "id", "label", "weight", "split", "dropped"};
    return words[role];
}

const char *gpri_kind_word(gpri_kind kind) {
    static const char *const words[GPRI_KINDS] = {"unknown", "number", "category", "date", "text", "empty", "words"};
    return words[kind];
}

const char *gpri_list_word(gpri_list_form form) {
    static const char *const words[GPRI_LISTS] = {"none", "brackets", "bars", "semicolons", "commas", "blanks"};
    return words[form];
}

/* ---- making ---- */

gpr_status gpri_plan_new(gpr_ctx *ctx, gpri_plan **out) {
    gpr_status status = gpri_calloc(ctx, out, 1, sizeof **out, "plan of the columns");
    if (status == GPR_OK) (*out)->ctx = ctx;
    return status;
}

void gpri_plan_free(gpri_plan *plan) {
    if (!plan) return;
    for (int64_t j = 0; j < plan->count; j++) {
        gpri_free(plan->ctx, plan->columns[j].name);
        gpri_free(plan->ctx, plan->columns[j].done);
        gpri_names_free(plan->ctx, &plan->columns[j].values);
    }
    gpri_free(plan->ctx, plan->columns);
    gpri_free(plan->ctx, plan->weight);
    gpri_names_free(plan->ctx, &plan->reading);
    gpri_free(plan->ctx, plan);
}

gpr_status gpri_plan_add(gpri_plan *plan, int64_t *number, const char *name, int64_t size) {
    NEED(gpri_grow(plan->ctx, &plan->columns, &plan->capacity, plan->count + 1, sizeof *plan->columns, "columns"));
    gpri_column *column = &plan->columns[plan->count];
    *column = (gpri_column){.distinct = -1, .missing = -1};
    NEED(gpri_alloc(plan->ctx, &column->name, size + 1, 1, "name of a column"));
    memcpy(column->name, name, (size_t)size);
    column->name[size] = 0;
    gpri_make_utf8(column->name);
    *number = plan->count++;
    return GPR_OK;
}

static gpr_status copy_column(gpri_plan *plan, const gpri_column *from) {
    int64_t number;
    NEED(gpri_plan_add(plan, &number, from->name, (int64_t)strlen(from->name)));
    gpri_column *to = &plan->columns[number];
    char *name = to->name;
    *to = *from;
    to->name = name;
    to->done = NULL;
    to->values = (gpri_names){0};
    if (from->done) NEED(gpri_strdup(plan->ctx, &to->done, from->done));
    return gpri_names_clone(plan->ctx, &to->values, &from->values);
}

gpr_status gpri_plan_clone(gpr_ctx *ctx, gpri_plan **out, const gpri_plan *from) {
    gpr_status status = GPR_OK;
    gpri_plan *plan = NULL;
    *out = NULL;
    if (!from) return GPR_OK;
    TRY(gpri_plan_new(ctx, &plan));
    plan->header = from->header;
    plan->weighted = from->weighted;
    plan->added = from->added;
    TRY(gpri_names_clone(ctx, &plan->reading, &from->reading));
    if (from->weight) TRY(gpri_strdup(ctx, &plan->weight, from->weight));
    for (int64_t j = 0; j < from->count; j++) TRY(copy_column(plan, &from->columns[j]));
    *out = plan;
    plan = NULL;
done:
    gpri_plan_free(plan);
    return status;
}

int64_t gpri_plan_find(const gpri_plan *plan, const char *name, int64_t size) {
    for (int64_t j = 0; j < plan->count; j++)
        if ((int64_t)strlen(plan->columns[j].name) == size &&
            strncasecmp(plan->columns[j].name, name, (size_t)size) == 0)
            return j;
    return -1;
}

const gpri_column *gpri_plan_of_role(const gpri_plan *plan, gpri_role role) {
    for (int64_t j = 0; plan && j < plan->count; j++)
        if (plan->columns[j].role == role) return &plan->columns[j];
    return NULL;
}

gpr_status gpri_column_say(gpri_plan *plan, gpri_column *column, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    gpri_make_utf8(text); /* it may be cut */
    gpri_free(plan->ctx, column->done);
    column->done = NULL;
    return gpri_strdup(plan->ctx, &column->done, text);
}

/* ---- features ---- */

int64_t gpri_column_features(const gpri_column *column) {
    if (column->role != GPRI_ROLE_FEATURE) return 0;
    if (column->kind == GPRI_KIND_NUMBER) return 1 + column->indicator;
    if (column->kind == GPRI_KIND_CATEGORY || column->kind == GPRI_KIND_WORDS)
        return column->values.count + column->other;
    return column->kind == GPRI_KIND_DATE ? 5 + 2 * column->times + column->indicator : 0;
}

int64_t gpri_plan_features(const gpri_plan *plan) {
    int64_t count = 0;
    for (int64_t j = 0; j < plan->count; j++) count += plan->columns[j].features;
    return count;
}

void gpri_column_feature_name(gpri_text *text, const gpri_column *column, int64_t number) {
    static const char *const cycles[] = {"",           " (year sin)", " (year cos)", " (week sin)", " (week cos)",
                                         " (day sin)", " (day cos)"};
    gpri_text_add(text, "%s", column->name);
    if (column->kind == GPRI_KIND_CATEGORY || column->kind == GPRI_KIND_WORDS) {
        const char *value = gpri_name(&column->values, number);
        if (value) gpri_text_add(text, "%c%s", column->kind == GPRI_KIND_WORDS ? ':' : '=', value);
        else gpri_text_add(text, " (other)");
    } else if (column->indicator && number == column->features - 1) gpri_text_add(text, " (missing)");
    else gpri_text_add(text, "%s", cycles[number]);
}

/* ---- for callers ---- */

int64_t gpr_dataset_column_count(const gpr_dataset *data) { return data && data->plan ? data->plan->count : 0; }

gpr_status gpr_dataset_column(const gpr_dataset *data, int64_t number, gpr_column_info *info) {
    if (!data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_column: data is NULL");
    NEED(GPRI_STRUCT_CHECK(info, gpr_column_info, "gpr_dataset_column", "info"));
    if (number < 0 || number >= gpr_dataset_column_count(data))
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_column: number is %lld: there are %lld columns",
                         (long long)number, (long long)gpr_dataset_column_count(data));
    const gpri_column *column = &data->plan->columns[number];
    const gpr_column_info out = {.struct_size = sizeof out,
                                 .name = column->name,
                                 .role = gpri_role_word(column->role),
                                 .kind = gpri_kind_word(column->kind),
                                 .done = column->done ? column->done : "",
                                 .distinct = column->distinct,
                                 .missing = column->missing,
                                 .odd = column->odd,
                                 .features = column->features};
    gpri_struct_out(info, &out, sizeof out);
    return gpri_finish(GPR_OK);
}
