/* A table with one row per node: its id, its label, and features. */
#ifndef GPRI_NODE_TABLE_H
#define GPRI_NODE_TABLE_H

#include "data/classes.h"
#include "data/raw_features.h"
#include "io/text/ids.h"

typedef struct gpri_node_table {
    gpri_ids ids;               /* the node of a row is the row's number */
    gpri_raw_features features; /* cols is 0 where there are none */
    gpri_classes classes;       /* labels is NULL where there are none */
    float *weights;             /* (rows) of the nodes; NULL: there are none */
} gpri_node_table;

/* Of options: nodes, id, label, sample_weight, drop, fill, delimiter, header; with features no column of the table is
   one. Every other column is a feature: as it is if it holds numbers; one of 0 and 1 for each of its values if it is
   text of at most 100 of them; else it is left out. The log tells. On failure *out is empty. */
gpr_status gpri_read_node_table(gpr_ctx *ctx, gpri_node_table *out, const gpr_open_options *options) GPRI_MUST_CHECK;
void gpri_node_table_free(gpr_ctx *ctx, gpri_node_table *table);

#endif
