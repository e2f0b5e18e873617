/* A forest as a layer: its trees are weights, added round by round. */
#ifndef GPRI_LAYER_FOREST_H
#define GPRI_LAYER_FOREST_H

#include "layer/net.h"
#include "trees/columns.h"
#include "trees/forest.h"

/* What a forest is made of. */
typedef struct gpri_forest_form {
    int64_t rounds, groups, depth; /* rounds of one tree for each group */
    gpri_tree_plan plan;           /* of the columns, which the features become */
    int64_t most_columns;          /* of the data, in it */
    int64_t count_columns;         /* behind them, of known labels; 0: none */
    int64_t scores;                /* the last of these columns are what the sums begin with; 0: with 0 */
    const gpri_real *counts;       /* (nodes x gpri_padded(count_columns)) the host's, must outlive the net */
} gpri_forest_form;
/* Scores of a forest, one column per class, of features that are its columns (trees/columns.h). The weights are
   "trees.split" and so on (layer/forest/forest.c). */
gpri_act *gpri_forest_scores(gpri_net *net, gpri_act *x, int64_t classes, const gpri_forest_form *form);
/* The net's forest; NULL: it has none. forest may be NULL. */
const gpri_forest_form *gpri_net_forest(const gpri_net *net, gpri_forest *forest);
/* A row of a weight of the forest: (nodes of a tree) numbers. */
typedef enum gpri_forest_weight {
    GPRI_FOREST_SPLIT,
    GPRI_FOREST_VALUE,
    GPRI_FOREST_COVER,
    GPRI_FOREST_GAIN,
    GPRI_FOREST_WEIGHTS
} gpri_forest_weight;
gpri_real *gpri_forest_tree(const gpri_net *net, gpri_forest_weight weight, int64_t tree);
/* z: (classes) zeroed; becomes the scores before the first tree. */
void gpri_forest_begin(const gpri_forest_form *form, const gpri_forest_row *row, gpri_real *z);
gpri_forest_row gpri_forest_row_of(const gpri_net *net, int64_t node);
/* Of values that come from elsewhere, laid out as net->values: whether the forest may be walked. */
gpr_status gpri_forest_check(const gpri_net *net, const gpri_real *values) GPRI_MUST_CHECK;
/* Adds the trees of a round to the scores of the last evaluation, which has all before it. */
void gpri_forest_grow(gpri_net *net, int64_t round);

#endif
