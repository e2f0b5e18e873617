/* Edges as text: one line per edge with the ids of its two nodes and, perhaps, a weight (io/text/delimited.h says what
 * such a table may look like; plain or gzip).
 *
 *     gpri_edge_list list;
 *     TRY(gpri_edge_list_read(ctx, &list, path, NULL));
 *     TRY(gpri_graph_take(ctx, &graph, &list.edges));
 *     done: gpri_edge_list_free(ctx, &list);
 *
 * Which columns: with a header, those named src, source or from; dst, target or to; weight or w, whatever the case;
 * without these names, the first two, and no weight. Without a header the first two, and the third as weight if it is a
 * number in the first row. The index that pandas writes as first column is not among them. Other columns are skipped.
 * Weights that are all 1 are none.
 *
 * What an id is, where no nodes are given: if both ids of the first row are numbers, all must be whole numbers from 0,
 * and node i is i; there are as many nodes as the largest id + 1. But where that is above 8 for every edge (or above
 * 2^31 - 2), the ids are names: nodes are numbered by their first appearance. So they are too if the ids of the first
 * row are no numbers. */
#ifndef GPRI_EDGE_LIST_H
#define GPRI_EDGE_LIST_H

#include "graph/spill.h"
#include "io/text/edge_kinds.h"

/* Zeroed: everything is found out. */
typedef struct gpri_edge_options {
    const gpri_ids *known; /* the nodes' ids, which are their numbers in it; any other id is an error. A first row of
                              which neither id is known is a header */
    const char *known_in;  /* the file that they are from, for messages; or NULL */
    bool skip_unknown;     /* edges with other ids are left out, with a warning, and not an error */
    const char *source, *target; /* the columns of the two ids, as a person names them; both or none */
    const char *weight;    /* the column of weights, as a person names it (io/text/columns.h); "none"; NULL: as above */
    const char *relation;  /* the column of kinds, for files that are not of one kind; NULL: there is none */
    gpri_edge_kinds *kinds; /* NULL: all edges are of one kind */
    int64_t nodes;         /* if not 0, and nothing is known: ids are numbers below this */
    gpri_edge_sink *sink;  /* NULL: the edges stay in memory */
    gpri_delimited_options table;
} gpri_edge_options;

typedef struct gpri_edge_list {
    gpri_edges edges; /* edges.nodes is set; there is no edge in it if they went to a sink */
    int64_t count;    /* edges that were read */
    gpri_names names; /* (nodes) their ids; none where node i is i, or where they were known */
} gpri_edge_list;

/* options: NULL: zeroed. On failure *out is zeroed. */
gpr_status gpri_edge_list_read(gpr_ctx *ctx, gpri_edge_list *out, const char *path,
                               const gpri_edge_options *options) GPRI_MUST_CHECK;

/* A file among several; its columns are found for itself. */
typedef struct gpri_edge_file {
    const char *path;
    double factor; /* of its weights, or the weight of its edges where it has no column of weights; 0: 1 */
    bool by_column; /* with kinds: the column of the options has those of its edges; else all are of `kind` */
    uint8_t kind;
} gpri_edge_file;

/* The edges of all files in one list, whose ids mean the same nodes. files: (count). */
gpr_status gpri_edge_files_read(gpr_ctx *ctx, gpri_edge_list *out, const gpri_edge_file *files, int64_t count,
                                const gpri_edge_options *options) GPRI_MUST_CHECK;
/* The `piece` for a text whose edges go to the sink: it counts as memory that the sink allows. */
int64_t gpri_edge_sink_piece(const gpri_edge_sink *sink);
/* Does the header name both ends of edges? */
bool gpri_edge_list_names_ends(const gpri_delimited *table);
void gpri_edge_list_free(gpr_ctx *ctx, gpri_edge_list *list);

/* ---- Parts of it, for other texts that hold edges in their rows ---- */

typedef struct gpri_edge_rows {
    int64_t source, target, weight; /* columns; weight: -1 for none */
    int64_t columns;                /* of every row */
    int64_t first_id;               /* what node 0 is called, if ids are numbers: 0 or 1 */
    int64_t nodes;                  /* if not 0: ids are numbers from first_id to below first_id + nodes */
    const gpri_ids *known;          /* or NULL */
    const char *known_in;           /* or NULL */
    bool skip_unknown;              /* edges with other ids are left out, and counted; else they are an error */
    bool comments;                  /* as in gpri_delimited_options */
    bool symmetric;                 /* every edge goes both ways: its direction says nothing */
    double factor;                  /* of the weights, or the weight of each edge where there is no column; 0: 1 */
    int64_t piece;                  /* as in gpri_delimited_options */
    gpri_edge_sink *sink;           /* or NULL; not with kinds */
    gpri_edge_kinds *kinds;         /* or NULL: edges are of one kind */
    int64_t relation;               /* with kinds: the column that has them; -1: all are of `kind` */
    uint8_t kind;
} gpri_edge_rows;

/* What is left of the table. On failure *out is zeroed. */
gpr_status gpri_edge_rows_read(gpr_ctx *ctx, gpri_edge_list *out, gpri_delimited *table,
                               const gpri_edge_rows *rows) GPRI_MUST_CHECK;

typedef struct gpri_edge_piece {
    bool plain; /* all lines could be read, and their edges were added, in their order; else nothing was */
    int64_t comments, unknown; /* lines that were left out, if it is plain */
} gpri_edge_piece;

/* The fast part (io/text/edge_piece.c): lines without quotes, on all threads. edges: with room for one more per line;
   edges->nodes grows with the ids. While they are read, `ahead` reads its next piece. */
gpr_status gpri_edge_piece_read(gpr_ctx *ctx, gpri_edges *edges, gpri_edge_piece *out, const gpri_lines *lines,
                                const gpri_edge_rows *rows, char delimiter, gpri_source *ahead) GPRI_MUST_CHECK;

#endif
