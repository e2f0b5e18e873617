/* A forest as plain arrays: trees of one depth, each complete and in heap order: node i has the children 2 i + 1 and
 * 2 i + 2, so no index is stored that could lead astray. Of a node i of a tree
 *
 *     split[i]   0: it is a leaf; else the column that it asks about, counted from 1; less than 0: a row without that
 *                number goes right, not left
 *     value[i]   of a leaf, what it adds to the score; else the number below which a row goes left
 *
 * What lies below a leaf is zero. Tree t adds to the score of class t % groups; of two classes there is one group,
 * whose score is that of the second. Numbers are compared as floats, as XGBoost does. */
#ifndef GPRI_FOREST_H
#define GPRI_FOREST_H

#include <math.h>

#include "base/context.h"
#include "base/real.h"

typedef struct gpri_forest {
    int64_t trees, groups, depth;
    int64_t stride; /* numbers from one tree to the next */
    const gpri_real *split, *value;
} gpri_forest;

/* The columns of a node: some in one table, the rest in another. */
typedef struct gpri_forest_row {
    const gpri_real *first, *rest;
    int64_t count; /* of the first */
} gpri_forest_row;

enum { GPRI_MOST_DEPTH = 12 };

static inline int64_t gpri_tree_nodes(int64_t depth) { return ((int64_t)2 << depth) - 1; }
static inline int64_t gpri_forest_groups(int64_t classes) { return classes == 2 ? 1 : classes; }

/* Which way a row goes at a node with that split and value: true: left. */
static inline bool gpri_forest_left(double split, double value, const gpri_forest_row *row) {
    const int64_t column = (int64_t)fabs(split) - 1;
    const float x = (float)(column < row->count ? row->first[column] : row->rest[column - row->count]);
    return isnan(x) ? split > 0 : x < (float)value;
}

/* Adds the values of the leaves of trees [first, end) to the scores z: (groups), or (2) of two classes. */
void gpri_forest_add(const gpri_forest *forest, int64_t first, int64_t end, const gpri_forest_row *row, gpri_real *z);

/* Of a tree from elsewhere, split: (nodes): that every node has a place for its children, and asks about one of
   `columns`. */
gpr_status gpri_tree_check(const float *split, int64_t depth, int64_t columns, int64_t tree) GPRI_MUST_CHECK;

#endif
