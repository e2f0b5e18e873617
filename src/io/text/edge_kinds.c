/* Names of relations: from what a person calls a table, and from the cells of a column. */
#include "io/text/edge_kinds.h"

#include <string.h>
#include <sys/stat.h>

#include "base/names.h"
#include "base/text.h"

const char *gpri_edge_path(const char *given, int64_t *name) {
    struct stat info;
    const char *equals = strchr(given, '=');
    *name = 0;
    if (!equals || !gpri_is_relation_name(given, equals - given) || stat(given, &info) == 0) return given;
    *name = equals - given;
    return equals + 1;
}

gpr_status gpri_edge_kinds_name(gpri_edge_kinds *kinds, uint8_t *number, const char *name, int64_t size) {
    int64_t at = gpri_ids_find(&kinds->names, name, size);
    if (at < 0 && gpri_ids_count(&kinds->names) == GPRI_MOST_RELATIONS)
        return gpri_fail(GPR_ERROR_ARGUMENT, "'%.*s' would be one kind of edges more than %d, which is the most",
                         (int)size, name, GPRI_MOST_RELATIONS);
    if (at < 0) NEED(gpri_ids_add(&kinds->names, &at, name, size));
    *number = (uint8_t)at;
    return GPR_OK;
}

/* What the text becomes as a name; its size. A letter of several bytes becomes one '_'. */
static int64_t clean(char name[GPRI_RELATION_NAME], gpri_field text) {
    int64_t size = 0;
    for (int64_t k = 0; k < text.size && size < GPRI_RELATION_NAME; k++) {
        if (((unsigned char)text.text[k] & 0xC0) == 0x80) continue; /* the rest of a letter */
        name[size++] = gpri_is_relation_name(&text.text[k], 1) ? text.text[k] : '_';
    }
    return size;
}

/* The text that had this relation before; NULL: none, it is the name of a table. */
static const char *value_of(const gpri_edge_kinds *kinds, uint8_t relation) {
    for (int64_t v = 0; v < gpri_ids_count(&kinds->values); v++)
        if (kinds->of_value[v] == relation) return gpri_ids_text(&kinds->values, v);
    return NULL;
}

gpr_status gpri_edge_kinds_value(gpri_edge_kinds *kinds, uint8_t *number, const gpri_delimited *table,
                                 gpri_field cell) {
    const int known = gpri_edge_kinds_find(kinds, cell.text, cell.size);
    char name[GPRI_RELATION_NAME];
    int64_t value;
    *number = (uint8_t)known;
    if (known >= 0) return GPR_OK;
    if (cell.size == 0)
        return gpri_delimited_fail(table, "the cell of `relation` is empty: give every edge its kind, such as 'other'");
    const int64_t size = clean(name, cell);
    if (gpri_ids_count(&kinds->names) == GPRI_MOST_RELATIONS && gpri_ids_find(&kinds->names, name, size) < 0)
        return gpri_delimited_fail(table,
                                   "'%.*s' is one kind of edges more than %d, which is the most: give `relation` a "
                                   "column with fewer values",
                                   GPRI_FIELD(cell), GPRI_MOST_RELATIONS);
    NEED(gpri_edge_kinds_name(kinds, number, name, size));
    const char *other = value_of(kinds, *number);
    if (other)
        return gpri_delimited_fail(table, "the kinds of edges '%s' and '%.*s' would both be called '%.*s': rename one",
                                   other, GPRI_FIELD(cell), (int)size, name);
    NEED(gpri_ids_add(&kinds->values, &value, cell.text, cell.size));
    kinds->of_value[value] = *number;
    return GPR_OK;
}

/* What values are called, where that is another text. */
static gpr_status say_names(const gpri_edge_kinds *kinds, const char *path) {
    gpri_text text = {.ctx = kinds->ctx};
    for (int64_t v = 0; v < gpri_ids_count(&kinds->values); v++) {
        const char *value = gpri_ids_text(&kinds->values, v), *name = gpri_ids_text(&kinds->names, kinds->of_value[v]);
        if (strcmp(value, name) != 0) gpri_text_add(&text, "%s '%s' is %s", text.size ? "," : "", value, name);
    }
    gpr_status status = gpri_text_status(&text);
    if (status == GPR_OK && text.size > 0)
        gpri_log(kinds->ctx, kinds->told ? GPR_LOG_INFO : GPR_LOG_NOTICE,
                 "%s: names of relations have letters, digits, '_', '-' and '.':%s", path, text.bytes);
    gpri_text_free(&text);
    return status;
}

gpr_status gpri_edge_kinds_settle(gpri_edge_kinds *kinds, gpri_edges *edges, const char *path) {
    const int64_t count = gpri_ids_count(&kinds->names);
    NEED(say_names(kinds, path));
    if (count < 2) {
        gpri_free(kinds->ctx, edges->relation);
        edges->relation = NULL;
        if (count == 1)
            gpri_log(kinds->ctx, GPR_LOG_NOTICE, "%s: all edges are of the kind '%s': one kind needs no name", path,
                     gpri_ids_text(&kinds->names, 0));
        return GPR_OK;
    }
    NEED(gpri_calloc(kinds->ctx, &edges->relations, count, sizeof *edges->relations, "relations"));
    edges->relation_count = count;
    for (int64_t r = 0; r < count; r++)
        NEED(gpri_strdup(kinds->ctx, &edges->relations[r].name, gpri_ids_text(&kinds->names, r)));
    return GPR_OK;
}

void gpri_edge_kinds_free(gpri_edge_kinds *kinds) {
    gpri_ids_free(&kinds->names);
    gpri_ids_free(&kinds->values);
}
