/* A table with one row per node: its id, its label, and features. */
#ifndef GPRI_NODE_TABLE_H
#define GPRI_NODE_TABLE_H

#include "data/raw_features.h"
#include "io/text/ids.h"
#include "task/target.h"

typedef struct gpri_node_table {
    gpri_ids ids;               /* the node of a row is the row's number */
    gpri_raw_features features; /* cols is 0 where there are none */
    gpri_target classes;        /* labels is NULL where there are none */
    gpri_own_split split;       /* part is NULL where there is none */
    float *weights;             /* (rows) of the nodes; NULL: there are none */
    gpri_plan *plan;            /* of the columns */
} gpri_node_table;

/* Of options: nodes, id, label, drop, categorical, numeric, date, max_values, fill, split_column and its bounds,
   sample_weight, plan, model_names, delimiter, header, encoding.
   io/nodes/column_roles.h says what is a feature, and io/nodes/feature_columns.h what becomes of it. On failure *out is
   empty. */
gpr_status gpri_read_node_table(gpr_ctx *ctx, gpri_node_table *out, const gpr_open_options *options) GPRI_MUST_CHECK;
void gpri_node_table_free(gpr_ctx *ctx, gpri_node_table *table);

#endif
