/* Roles of columns. First those that were asked for, then what the model says, then what the table shows. */
#include "io/nodes/column_roles.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "io/text/columns.h"

enum { SHOWN = 6 }; /* names in a message */

void gpri_column_roles_free(gpri_column_roles *roles) {
    gpri_free_all(roles->ctx, roles->role, roles->kind, roles->place, roles->known, roles->of_column);
    gpri_plan_free(roles->plan);
    *roles = (gpri_column_roles){.ctx = roles->ctx};
}

/* The header's whole word, or the column's number in `number`. */
static gpri_field whole_name(const gpri_delimited *table, int64_t column, char number[24]) {
    const gpri_field *header = gpri_delimited_header(table);
    if (header && header[column].size > 0) return header[column];
    return (gpri_field){number, snprintf(number, 24, "%lld", (long long)column + 1)};
}

/* ---- what the options say ---- */

typedef struct asking {
    gpri_column_roles *roles;
    const gpri_delimited *table;
    gpri_kind kind;      /* UNKNOWN: drop */
    bool label_is_asked; /* not only the model's */
} asking;

static const char *article(gpri_kind kind) { return kind == GPRI_KIND_WORDS ? "" : "a "; }

static gpr_status ask_kind(void *user, int64_t column) {
    const asking *ask = user;
    gpri_column_roles *roles = ask->roles;
    char name[64];
    gpri_column_name(ask->table, column, name);
    if (ask->kind == GPRI_KIND_UNKNOWN) {
        if (column == roles->id)
            return gpri_fail(GPR_ERROR_ARGUMENT, "%s: column '%s' has the ids: `drop` cannot leave it out",
                             gpri_delimited_path(ask->table), name);
        if ((column == roles->label && ask->label_is_asked) || column == roles->split || column == roles->weight)
            return GPR_OK;
        if (column == roles->label) roles->label = -1;
        roles->role[column] = GPRI_ROLE_DROPPED;
        return GPR_OK;
    }
    if (roles->role[column] != GPRI_ROLE_FEATURE)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s: column '%s' is said to be %s%s, but its role is %s",
                         gpri_delimited_path(ask->table), name, article(ask->kind), gpri_kind_word(ask->kind),
                         gpri_role_word(roles->role[column]));
    if (roles->kind[column] != GPRI_KIND_UNKNOWN && roles->kind[column] != ask->kind)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s: column '%s' is said to be %s%s and %s%s",
                         gpri_delimited_path(ask->table), name, article(roles->kind[column]),
                         gpri_kind_word(roles->kind[column]), article(ask->kind), gpri_kind_word(ask->kind));
    roles->kind[column] = ask->kind;
    return GPR_OK;
}

static gpr_status ask_kinds(gpri_column_roles *roles, const gpri_delimited *table, const gpr_open_options *o) {
    asking ask = {roles, table, GPRI_KIND_CATEGORY, false};
    NEED(gpri_each_column(roles->ctx, table, o->categorical, "categorical", ask_kind, &ask));
    ask.kind = GPRI_KIND_NUMBER;
    NEED(gpri_each_column(roles->ctx, table, o->numeric, "numeric", ask_kind, &ask));
    ask.kind = GPRI_KIND_WORDS;
    NEED(gpri_each_column(roles->ctx, table, o->words, "words", ask_kind, &ask));
    ask.kind = GPRI_KIND_DATE;
    return gpri_each_column(roles->ctx, table, o->date, "date", ask_kind, &ask);
}

/* ---- what the table shows ---- */

/* The first column, unless that is an index and another one is called an id. */
static int64_t usual_id(const gpri_delimited *table, int64_t label) {
    const gpri_field *header = gpri_delimited_header(table);
    if (!gpri_is_index_column(table, 0)) return 0;
    for (int64_t j = 1; j < gpri_delimited_columns(table); j++)
        if (j != label && gpri_is_called_id(header[j])) return j;
    return 0;
}

/* An index beside the ids is no feature, unless it is asked for. */
static void leave_index(gpri_column_roles *roles, const gpri_delimited *table) {
    if (roles->role[0] != GPRI_ROLE_FEATURE || roles->kind[0] != GPRI_KIND_UNKNOWN || !gpri_is_index_column(table, 0))
        return;
    roles->role[0] = GPRI_ROLE_DROPPED;
    roles->kind[0] = GPRI_KIND_TEXT; /* tells say_role why */
}

/* ---- id, label, split and weight ---- */

/* Where the table has the model's column; -1: nowhere. free: (columns) those that no other column of the plan has. */
static int64_t find_known(const gpri_delimited *table, const gpri_plan *plan, const char *name, const bool *taken) {
    const gpri_field *header = gpri_delimited_header(table);
    const int64_t count = gpri_delimited_columns(table);
    char number[24];
    for (int exact = 1; exact >= 0; exact--)
        for (int64_t j = 0; j < count; j++) {
            const gpri_field field = whole_name(table, j, number);
            if (header && plan->header && header[j].size == 0 && !strchr("0123456789", *name)) continue;
            if (!(taken && taken[j]) && (exact ? gpri_field_is(field, name) : gpri_field_is_word(field, name)))
                return j;
        }
    return -1;
}

/* The model's id or label. Of columns with one name it is the one at the same place among them. */
static int64_t find_role(const gpri_delimited *table, const gpri_plan *plan, const gpri_column *column) {
    const gpri_field *header = gpri_delimited_header(table);
    int64_t before = 0, passed = 0;
    for (const gpri_column *c = plan->columns; c < column; c++) before += strcmp(c->name, column->name) == 0;
    for (int64_t j = 0; header && before > 0 && j < gpri_delimited_columns(table); j++)
        if (gpri_field_is(header[j], column->name) && passed++ == before) return j;
    return find_known(table, plan, column->name, NULL);
}

static gpr_status choose_named(gpri_column_roles *roles, const gpri_delimited *table, const gpr_open_options *o) {
    const gpri_column *id = gpri_plan_of_role(o->plan, GPRI_ROLE_ID),
                      *label = gpri_plan_of_role(o->plan, GPRI_ROLE_LABEL);
    roles->label = roles->split = roles->weight = -1;
    if (o->label && !o->labels) NEED(gpri_find_column(roles->ctx, &roles->label, table, o->label, "label"));
    else if (label && !o->labels) roles->label = find_role(table, o->plan, label);
    if (o->id) NEED(gpri_find_column(roles->ctx, &roles->id, table, o->id, "id"));
    else if (id) roles->id = find_role(table, o->plan, id);
    else roles->id = usual_id(table, roles->label);
    if (roles->id < 0)
        return gpri_fail(GPR_ERROR_MISMATCH,
                         "%s lacks the column '%s' with the ids of the nodes, as the model's table had it: `id` names "
                         "another one",
                         gpri_delimited_path(table), id->name);
    if (roles->label == roles->id)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s: column %lld is both the id and the label", gpri_delimited_path(table),
                         (long long)roles->id + 1);
    const char *split = o->time ? o->time : o->split_column;
    if (split) NEED(gpri_find_column(roles->ctx, &roles->split, table, split, o->time ? "time" : "split"));
    if (roles->split >= 0 && (roles->split == roles->id || roles->split == roles->label))
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s: column '%s' is both the %s and the split", gpri_delimited_path(table),
                         split, roles->split == roles->id ? "id" : "label");
    if (o->sample_weight) NEED(gpri_find_column(roles->ctx, &roles->weight, table, o->sample_weight, "sample-weight"));
    if (roles->weight >= 0 &&
        (roles->weight == roles->id || roles->weight == roles->label || roles->weight == roles->split))
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s: column '%s' is both the %s and the sample-weight",
                         gpri_delimited_path(table), o->sample_weight,
                         roles->weight == roles->id      ? "id"
                         : roles->weight == roles->label ? "label"
                                                         : "split");
    roles->role[roles->id] = GPRI_ROLE_ID;
    if (roles->split >= 0) roles->role[roles->split] = GPRI_ROLE_SPLIT;
    if (roles->weight >= 0) roles->role[roles->weight] = GPRI_ROLE_WEIGHT;
    if (roles->label >= 0) roles->role[roles->label] = GPRI_ROLE_LABEL;
    return GPR_OK;
}

/* ---- the plan ---- */

static gpr_status add_to_plan(gpri_column_roles *roles, const gpri_delimited *table, int64_t column) {
    char number[24];
    const gpri_field name = whole_name(table, column, number);
    NEED(gpri_plan_add(roles->plan, &roles->place[column], name.text, name.size));
    roles->of_column[roles->place[column]] = column;
    return GPR_OK;
}

/* What the plan says of columns that are no features. */
static gpr_status say_role(gpri_column_roles *roles, int64_t column) {
    gpri_column *planned = &roles->plan->columns[roles->place[column]];
    planned->role = roles->role[column];
    if (planned->role == GPRI_ROLE_DROPPED && roles->kind[column] == GPRI_KIND_TEXT)
        return gpri_column_say(roles->plan, planned, "left out: an index without a name");
    if (planned->role == GPRI_ROLE_DROPPED) return gpri_column_say(roles->plan, planned, "left out");
    return GPR_OK;
}

static gpr_status plan_table(gpri_column_roles *roles, const gpri_delimited *table) {
    NEED(gpri_plan_new(roles->ctx, &roles->plan));
    NEED(gpri_alloc(roles->ctx, &roles->of_column, roles->count, sizeof *roles->of_column, "columns"));
    for (int64_t j = 0; j < roles->count; j++) {
        NEED(add_to_plan(roles, table, j));
        NEED(say_role(roles, j));
    }
    return GPR_OK;
}

/* ---- by a model ---- */

/* " 'a', 'b'": begins or continues a list. */
static void list_name(gpri_text *text, int64_t *count, const char *name) {
    if ((*count)++ < SHOWN) gpri_text_add(text, "%s '%s'", text->size ? "," : "", name);
    else if (*count == SHOWN + 1) gpri_text_add(text, ", ...");
}

static gpr_status leave_unknown(gpri_column_roles *roles, const gpri_delimited *table, int64_t j, gpri_text *names,
                                int64_t *count) {
    char name[64];
    gpri_column *column = &roles->plan->columns[roles->place[j]];
    roles->role[j] = column->role = GPRI_ROLE_DROPPED;
    list_name(names, count, gpri_column_name(table, j, name));
    return gpri_column_say(roles->plan, column, "left out: the model does not know it");
}

static void warn_unknown(gpr_ctx *ctx, const gpri_delimited *table, const gpri_text *names, int64_t count) {
    if (count > 0)
        gpri_log(ctx, GPR_LOG_WARNING, "%s: %s that the model does not know %s left out:%s", gpri_delimited_path(table),
                 count == 1 ? "a column" : "columns", count == 1 ? "is" : "are", names->bytes);
}

static void warn_ignored(gpr_ctx *ctx, const gpr_open_options *o) {
    const struct {
        const char *value, *name;
    } given[] = {{o->categorical, "categorical"},
                 {o->numeric, "numeric"},
                 {o->date, "date"},
                 {o->words, "words"},
                 {o->fill, "fill"}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].value)
            gpri_log(ctx, GPR_LOG_INFO, "`%s` is not used: columns are read as in the training of the model",
                     given[i].name);
}

/* Gives each column of the model's plan its column of the table. */
static gpr_status place_known(gpri_column_roles *roles, const gpri_delimited *table, bool *taken, gpri_text *missing,
                              int64_t *missing_count) {
    gpri_plan *plan = roles->plan;
    for (int64_t i = 0; i < plan->count; i++) {
        gpri_column *column = &plan->columns[i];
        const bool needed = column->features > 0;
        int64_t j = -1;
        if (column->role == GPRI_ROLE_ID) j = roles->id;
        else if (column->role == GPRI_ROLE_LABEL && roles->label >= 0) j = roles->label;
        else j = find_known(table, plan, column->name, taken);
        if (j >= 0 && needed && roles->role[j] != GPRI_ROLE_FEATURE) j = -1;
        if (j >= 0 && column->role == GPRI_ROLE_FEATURE && taken[j]) j = -1;
        if (j >= 0 && j == roles->split) column->role = GPRI_ROLE_SPLIT;
        else if (j >= 0 && j == roles->weight) column->role = GPRI_ROLE_WEIGHT;
        else if (column->role == GPRI_ROLE_SPLIT && roles->split >= 0) column->role = GPRI_ROLE_DROPPED;
        else if (column->role == GPRI_ROLE_WEIGHT && roles->weight >= 0) column->role = GPRI_ROLE_DROPPED;
        roles->of_column[i] = j;
        column->missing = -1;
        column->odd = 0;
        if (j < 0 && needed) list_name(missing, missing_count, column->name);
        if (j < 0) NEED(gpri_column_say(plan, column, "not in this table"));
        if (j < 0) continue;
        taken[j] = true;
        roles->place[j] = i;
        if (!needed && column->role == GPRI_ROLE_FEATURE) column->role = GPRI_ROLE_DROPPED;
        const bool unused_label = column->role == GPRI_ROLE_LABEL && roles->label < 0; /* left out, or in a file */
        if (unused_label) column->role = GPRI_ROLE_DROPPED;
        if (column->role == GPRI_ROLE_DROPPED)
            NEED(gpri_column_say(plan, column, unused_label ? "left out" : "left out, as in the training"));
        roles->role[j] = column->role;
        roles->known[j] = needed;
    }
    return GPR_OK;
}

static gpr_status plan_known(gpri_column_roles *roles, const gpri_delimited *table, const gpr_open_options *o) {
    gpr_status status = GPR_OK;
    gpri_text missing = {.ctx = roles->ctx}, unknown = {.ctx = roles->ctx};
    int64_t missing_count = 0, unknown_count = 0;
    bool *taken = NULL; /* (columns) */
    warn_ignored(roles->ctx, o);
    TRY(gpri_calloc(roles->ctx, &taken, roles->count, sizeof *taken, "columns"));
    taken[roles->id] = true;
    if (roles->label >= 0) taken[roles->label] = true;
    TRY(gpri_plan_clone(roles->ctx, &roles->plan, o->plan));
    TRY(gpri_alloc(roles->ctx, &roles->of_column, roles->plan->count + roles->count, sizeof *roles->of_column,
                   "columns"));
    TRY(place_known(roles, table, taken, &missing, &missing_count));
    TRY(gpri_text_status(&missing));
    if (missing_count > 0)
        THROW(GPR_ERROR_MISMATCH, "%s lacks %s that the model was trained on:%s%s", gpri_delimited_path(table),
              missing_count == 1 ? "a column" : "columns", missing.bytes,
              gpri_delimited_header(table) || !roles->plan->header
                  ? ""
                  : " (no header was found: `header` yes says that there is one)");
    for (int64_t j = 0; j < roles->count; j++) {
        if (roles->place[j] >= 0) continue;
        TRY(add_to_plan(roles, table, j));
        if (roles->role[j] != GPRI_ROLE_FEATURE) {
            TRY(say_role(roles, j));
            continue;
        }
        TRY(leave_unknown(roles, table, j, &unknown, &unknown_count));
    }
    TRY(gpri_text_status(&unknown));
    warn_unknown(roles->ctx, table, &unknown, unknown_count);
done:
    gpri_text_free(&missing);
    gpri_text_free(&unknown);
    gpri_free(roles->ctx, taken);
    return status;
}

/* ---- by the names of a model's features, where it has no plan ---- */

/* "city=Rome" makes city a category with that value, "age" makes age a number. false: no feature is of the column. */
static gpr_status plan_by_names(gpri_column_roles *roles, int64_t j, const gpr_open_options *o, bool *known) {
    gpr_status status = GPR_OK;
    gpri_column *column = &roles->plan->columns[roles->place[j]];
    const size_t size = strlen(column->name);
    const char **texts = NULL; /* (model_features) */
    int64_t count = 0;
    *known = false;
    TRY(gpri_alloc(roles->ctx, &texts, o->model_features, sizeof *texts, "values"));
    for (int64_t i = 0; i < o->model_features; i++) {
        const char *feature = o->model_names[i], *rest = feature + size;
        if (strncmp(feature, column->name, size) != 0 || (*rest && *rest != '=')) continue;
        *known = true;
        if (*rest) texts[count++] = rest + 1;
    }
    column->kind = count > 0 ? GPRI_KIND_CATEGORY : GPRI_KIND_NUMBER;
    if (count > 0) TRY(gpri_names_copy(roles->ctx, &column->values, texts, count));
done:
    gpri_free(roles->ctx, texts);
    return status;
}

static gpr_status know_names(gpri_column_roles *roles, const gpri_delimited *table, const gpr_open_options *o) {
    gpr_status status = GPR_OK;
    gpri_text unknown = {.ctx = roles->ctx};
    int64_t unknown_count = 0;
    for (int64_t j = 0; j < roles->count; j++) {
        if (roles->role[j] != GPRI_ROLE_FEATURE) continue;
        TRY(plan_by_names(roles, j, o, &roles->known[j]));
        if (roles->known[j]) continue;
        roles->plan->columns[roles->place[j]].kind = GPRI_KIND_UNKNOWN;
        TRY(leave_unknown(roles, table, j, &unknown, &unknown_count));
    }
    TRY(gpri_text_status(&unknown));
    warn_unknown(roles->ctx, table, &unknown, unknown_count);
done:
    gpri_text_free(&unknown);
    return status;
}

gpr_status gpri_column_roles_choose(gpr_ctx *ctx, gpri_column_roles *out, const gpri_delimited *table,
                                    const gpr_open_options *o) {
    const int64_t count = gpri_delimited_columns(table);
    *out = (gpri_column_roles){.ctx = ctx, .count = count};
    NEED(gpri_calloc(ctx, &out->role, count, sizeof *out->role, "columns"));
    NEED(gpri_calloc(ctx, &out->kind, count, sizeof *out->kind, "columns"));
    NEED(gpri_calloc(ctx, &out->place, count, sizeof *out->place, "columns"));
    NEED(gpri_calloc(ctx, &out->known, count, sizeof *out->known, "columns"));
    for (int64_t j = 0; j < count; j++) out->place[j] = -1;
    NEED(choose_named(out, table, o));
    asking drop = {out, table, GPRI_KIND_UNKNOWN, o->label != NULL};
    NEED(gpri_each_column(ctx, table, o->drop, "to drop", ask_kind, &drop));
    if (!o->plan) NEED(ask_kinds(out, table, o));
    leave_index(out, table);
    NEED(o->plan ? plan_known(out, table, o) : plan_table(out, table));
    if (!o->plan && o->model_names) NEED(know_names(out, table, o));
    out->plan->header = gpri_delimited_header(table) != NULL;
    return GPR_OK;
}
