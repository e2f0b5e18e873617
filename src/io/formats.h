/* The formats of files that a dataset is read from and written to: one line of a table each. */
#ifndef GPRI_FORMATS_H
#define GPRI_FORMATS_H

#include "base/params.h"
#include "data/dataset.h"
#include "file/head.h"
#include "graph/spill.h"

typedef struct gpri_format {
    gpri_data_value id; /* of the option `format` */
    const char *what; /* "an .npz file", for messages */
    /* One of the two: does what lies at this path look like it? By names and first bytes; or also by the first lines,
       which fails only if there is no memory. */
    bool (*fits)(gpri_head *head);
    gpr_status (*reads_like)(gpr_ctx *ctx, bool *fits, gpri_head *head);
    /* One of the two. The second is for formats with a text of edges, which can go to a sink; NULL: they stay in
       memory. */
    gpr_status (*read)(gpr_ctx *ctx, gpr_dataset **out, const char *path);
    gpr_status (*read_edges)(gpr_ctx *ctx, gpr_dataset **out, const char *path, gpri_edge_sink *sink);
    /* In place of `read`, if the file must not be mapped; NULL: it never is. */
    gpr_status (*read_copy)(gpr_ctx *ctx, gpr_dataset **out, const char *path);
} gpri_format;

const gpri_format *gpri_format_at(gpri_data_value id); /* NULL for GPRI_FORMAT_AUTO */
/* *out: by the word of the option. Fails for an unknown one. */
gpr_status gpri_format_named(const gpri_format **out, const char *word) GPRI_MUST_CHECK;
/* *out: the first of the table that fits, or NULL. */
gpr_status gpri_format_of(gpr_ctx *ctx, const gpri_format **out, const char *path) GPRI_MUST_CHECK;
/* Reads a path as the format says; NULL: as the path looks. no_map: nothing is mapped. sink: NULL, or where a text of
   edges goes. */
gpr_status gpri_read_path(gpr_ctx *ctx, gpr_dataset **out, const char *path, const gpri_format *format, bool no_map,
                          gpri_edge_sink *sink) GPRI_MUST_CHECK;

typedef struct gpri_writer {
    const char *word, *ending;                                                    /* "npz", ".npz" */
    gpr_status (*write)(gpr_ctx *ctx, const gpr_dataset *data, const char *path); /* of a dataset that is ready */
} gpri_writer;

/* By the word, or where that is NULL or "auto" by the ending of path. */
gpr_status gpri_writer_of(const gpri_writer **out, const char *path, const char *word) GPRI_MUST_CHECK;
/* After writing: no format keeps the column that divides the nodes, or their times. */
void gpri_warn_of_lost_split(gpr_ctx *ctx, const gpr_dataset *data, const char *path);

#endif
