/* Columns that are ids, columns with one name, columns that tell the label, and columns of times. */
#include "io/nodes/column_checks.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/text/columns.h"

/* ---- ids ---- */

enum { FIRST_CHECK = 1024, LEAST_ROWS = 10 };

static bool all_differ(gpri_feature_column *c) {
    qsort(c->hashes, (size_t)c->hashed, sizeof *c->hashes, gpri_by_size);
    for (int64_t i = 1; i < c->hashed; i++)
        if (c->hashes[i] == c->hashes[i - 1]) return false;
    return true;
}

static void forget(const gpri_feature_columns *set, gpri_feature_column *c) {
    gpri_free(set->ctx, c->hashes);
    c->hashes = NULL;
}

/* The texts are hashed: as float, large numbers would be equal. A column that repeats itself is given up early. */
gpr_status gpri_feature_column_hash(const gpri_feature_columns *set, gpri_feature_column *c, gpri_field field) {
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (int64_t i = 0; i < field.size; i++) hash = (hash ^ (unsigned char)field.text[i]) * 1099511628211u;
    NEED(gpri_grow(set->ctx, &c->hashes, &c->hash_capacity, c->hashed + 1, sizeof *c->hashes, "ids"));
    c->hashes[c->hashed++] = hash;
    const bool check = c->hashed >= FIRST_CHECK && (c->hashed & (c->hashed - 1)) == 0;
    if (field.size == 0 || (check && !all_differ(c))) forget(set, c); /* an empty cell is no id */
    return GPR_OK;
}

bool gpri_feature_column_is_id(const gpri_feature_columns *set, gpri_feature_column *c) {
    const bool is = c->hashes && c->hashed == set->rows && set->rows >= LEAST_ROWS && all_differ(c);
    forget(set, c);
    return is;
}

/* ---- twins ---- */

typedef struct named {
    gpri_field name;
    int64_t column;
} named;

static int by_name(const void *a, const void *b) {
    const named *x = a, *y = b;
    const int64_t size = x->name.size < y->name.size ? x->name.size : y->name.size;
    const int order = size > 0 ? memcmp(x->name.text, y->name.text, (size_t)size) : 0;
    if (order != 0) return order;
    if (x->name.size != y->name.size) return x->name.size < y->name.size ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

static void warn_twin(const gpri_column_roles *roles, const gpri_delimited *table, int64_t first, int64_t second) {
    char name[64];
    const bool label = first == roles->label || second == roles->label;
    gpri_log(roles->ctx, GPR_LOG_WARNING, "%s: columns %lld and %lld are both named '%s'%s", gpri_delimited_path(table),
             (long long)first + 1, (long long)second + 1, gpri_column_name(table, first, name),
             label ? ": one is the label, and the other may tell it; leave it out with `drop` and its number" : "");
}

gpr_status gpri_warn_twins(const gpri_column_roles *roles, const gpri_delimited *table) {
    enum { MOST_WARNINGS = 5 };
    gpr_status status = GPR_OK;
    const gpri_field *header = gpri_delimited_header(table);
    named *names = NULL; /* (columns) */
    int warnings = 0;
    if (!header) return GPR_OK;
    TRY(gpri_alloc(roles->ctx, &names, roles->count, sizeof *names, "columns"));
    for (int64_t j = 0; j < roles->count; j++) names[j] = (named){header[j], j};
    qsort(names, (size_t)roles->count, sizeof *names, by_name);
    for (int64_t j = 1; j < roles->count && warnings < MOST_WARNINGS; j++) {
        const named *before = &names[j - 1], *now = &names[j];
        if (now->name.size == 0 || now->name.size != before->name.size ||
            memcmp(now->name.text, before->name.text, (size_t)now->name.size) != 0 ||
            roles->role[now->column] == GPRI_ROLE_DROPPED || roles->role[before->column] == GPRI_ROLE_DROPPED)
            continue;
        warn_twin(roles, table, before->column, now->column);
        warnings++;
    }
done:
    gpri_free(roles->ctx, names);
    return status;
}

/* ---- leaks ---- */

enum { LEAST_LABELLED = 20, LEAST_OF_CLASS = 5, ROWS_PER_VALUE = 10 };

/* The class that a value of a column goes with. */
typedef struct told {
    int32_t code; /* the bits of the cell */
    int32_t class_id;
    bool used;
} told;

/* Different values of the column, if each goes with one class and there are at most `most` of them; else 0. */
static int64_t values_that_tell(const gpri_feature_columns *set, const gpri_feature_column *c, const int32_t *labels,
                                told *slots, int64_t size, int64_t most) {
    int64_t values = 0;
    memset(slots, 0, (size_t)size * sizeof *slots);
    for (int64_t i = 0; i < set->rows; i++) {
        if (labels[i] < 0) continue;
        const int32_t code = gpri_cell_of(set, c, i)->code; /* what is missing is a value, too */
        int64_t at = (int64_t)(((uint32_t)code * 2654435761u) % (uint64_t)size);
        while (slots[at].used && slots[at].code != code) at = (at + 1) % size;
        if (slots[at].used && slots[at].class_id != labels[i]) return 0;
        if (slots[at].used) continue;
        if (values++ == most) return 0;
        slots[at] = (told){code, labels[i], true};
    }
    return values;
}

/* Whether enough rows of each class are labelled; *most: of values that a column may have. */
static gpr_status worth_looking(const gpri_feature_columns *set, const gpri_target *classes, bool *worth,
                                int64_t *most) {
    gpr_status status = GPR_OK;
    int64_t *counts = NULL, labelled = 0; /* (classes) */
    *worth = false;
    TRY(gpri_calloc(set->ctx, &counts, classes->classes + 1, sizeof *counts, "classes"));
    for (int64_t i = 0; i < set->rows; i++)
        if (classes->labels[i] >= 0) counts[classes->labels[i]]++, labelled++;
    *worth = labelled >= LEAST_LABELLED && classes->classes > 1;
    for (int64_t k = 0; k < classes->classes; k++) *worth = *worth && counts[k] >= LEAST_OF_CLASS;
    *most = labelled / ROWS_PER_VALUE;
done:
    gpri_free(set->ctx, counts);
    return status;
}

gpr_status gpri_warn_leaks(const gpri_feature_columns *set, const gpri_target *classes) {
    enum { MOST_VALUES = 1000 };
    gpr_status status = GPR_OK;
    told *slots = NULL; /* (2 most + 2) */
    bool worth;
    int64_t most;
    if (!classes->labels || set->count == 0) return GPR_OK;
    TRY(worth_looking(set, classes, &worth, &most));
    if (!worth) goto done;
    if (most > MOST_VALUES) most = MOST_VALUES;
    TRY(gpri_alloc(set->ctx, &slots, 2 * most + 2, sizeof *slots, "values"));
    for (int64_t k = 0; k < set->count; k++) {
        const gpri_feature_column *c = &set->columns[k];
        const char *name = set->plan->columns[c->place].name;
        if (c->kind != GPRI_KIND_CATEGORY && c->kind != GPRI_KIND_NUMBER) continue;
        const int64_t values = values_that_tell(set, c, classes->labels, slots, 2 * most + 2, most);
        if (values < classes->classes) continue;
        gpri_log(set->ctx, GPR_LOG_WARNING,
                 "%s: column '%s' tells the label exactly: each of its %lld values goes with one class. If it is not "
                 "known before the label, leave it out: `drop` %s",
                 gpri_delimited_path(set->table), name, (long long)values, name);
    }
done:
    gpri_free(set->ctx, slots);
    return status;
}

/* ---- times ---- */

/* "created_at", "Order date", "timestamp". */
static bool is_called_time(const char *name) {
    static const char *const words[] = {"time", "date", "datetime", "timestamp", "ts", "at"};
    const size_t size = strlen(name);
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const size_t length = strlen(words[w]);
        if (size < length || strcasecmp(name + size - length, words[w]) != 0) continue;
        if (size == length ? w < 5 : strchr("_- .", name[size - length - 1]) != NULL)
            return !strstr(name, "irth"); /* a date of birth is no event */
    }
    return false;
}

void gpri_advise_time(gpr_ctx *ctx, const gpri_plan *plan, const gpri_delimited *table) {
    enum { MANY_VALUES = 100 };
    for (int64_t j = 0; j < plan->count; j++) {
        const gpri_column *c = &plan->columns[j];
        const bool many = c->distinct < 0 || c->distinct > MANY_VALUES;
        if (c->role != GPRI_ROLE_FEATURE || !is_called_time(c->name) ||
            !(c->kind == GPRI_KIND_DATE || (c->kind == GPRI_KIND_NUMBER && many)))
            continue;
        gpri_log(
            ctx, GPR_LOG_NOTICE,
            "%s: column '%s' looks like a time: if the model is for later nodes than those of the training, `time` "
            "%s trains on the oldest and tests on the newest",
            gpri_delimited_path(table), c->name, c->name);
        return;
    }
}
