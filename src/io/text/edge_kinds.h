/* The kinds of edges, or relations, that tables of edges have: a table is called one, or a column has one per row. */
#ifndef GPRI_EDGE_KINDS_H
#define GPRI_EDGE_KINDS_H

#include "graph/graph.h"
#include "io/text/delimited.h"
#include "io/text/ids.h"

/* Zero-initialise with .ctx set; values.ctx and names.ctx too. */
typedef struct gpri_edge_kinds {
    gpr_ctx *ctx;
    bool told;                             /* a model knows the kinds: its user has seen what they are called */
    gpri_ids names;                        /* of the relations, by number */
    gpri_ids values;                       /* the different texts in columns */
    uint8_t of_value[GPRI_MOST_RELATIONS]; /* (values) the relation of each */
} gpri_edge_kinds;

/* The path of a table that a person names: FILE, or NAME=FILE where no file has the whole name. It is the end of
   `given`. *name: bytes of NAME at its beginning; 0: it has none. */
const char *gpri_edge_path(const char *given, int64_t *name);

/* *number: the relation of that name, the same or a new one. */
gpr_status gpri_edge_kinds_name(gpri_edge_kinds *kinds, uint8_t *number, const char *name,
                                int64_t size) GPRI_MUST_CHECK;
/* *number: of a cell of the present row. Letters that no name may have become '_'; two texts that become one name are
   an error, and so are too many texts, or an empty one. */
gpr_status gpri_edge_kinds_value(gpri_edge_kinds *kinds, uint8_t *number, const gpri_delimited *table,
                                 gpri_field cell) GPRI_MUST_CHECK;
/* The same of a text that was there before; -1: it was not. May be called from several threads while nothing is
   added. */
static inline int gpri_edge_kinds_find(const gpri_edge_kinds *kinds, const char *text, int64_t size) {
    const int64_t value = gpri_ids_find(&kinds->values, text, size);
    return value < 0 ? -1 : kinds->of_value[value];
}
/* The names become those of the edges, where they are two or more; what was changed in them is logged. */
gpr_status gpri_edge_kinds_settle(gpri_edge_kinds *kinds, gpri_edges *edges, const char *path) GPRI_MUST_CHECK;
void gpri_edge_kinds_free(gpri_edge_kinds *kinds);

#endif
