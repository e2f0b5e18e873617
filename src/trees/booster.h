/* Gradient boosting by libxgboost, which is opened when it is first needed, and not linked: it trains, and the trees
 * become our own arrays (trees/forest.h), so that predictions need no XGBoost. */
#ifndef GPRI_BOOSTER_H
#define GPRI_BOOSTER_H

#include "base/context.h"
#include "base/real.h"

/* What it learns from. Nothing is kept after gpri_booster_new. */
typedef struct gpri_booster_data {
    const float *table; /* (rows x columns); NaN: missing */
    int64_t rows, columns;
    const float *labels;  /* (rows) numbers of classes */
    const float *weights; /* (rows), or NULL: all 1 */
    int64_t classes;
    const float *begin; /* (rows x groups) scores before the first tree, or NULL: 0 */
} gpri_booster_data;

typedef struct gpri_booster_options {
    int64_t depth;
    double rate;    /* that values of leaves are multiplied by */
    double rows;    /* share of the rows that a tree sees */
    double columns; /* share of the columns that a tree may ask about */
    double least;   /* sum of second derivatives in a leaf */
    double penalty; /* L2, on the values of leaves */
    uint64_t seed;
} gpri_booster_options;

typedef struct gpri_booster gpri_booster;

/* Whether there is a libxgboost: else GPR_ERROR_IO, and the message says how to get it. */
gpr_status gpri_booster_there(void) GPRI_MUST_CHECK;
gpr_status gpri_booster_new(gpr_ctx *ctx, gpri_booster **out, const gpri_booster_data *data,
                            const gpri_booster_options *options) GPRI_MUST_CHECK;
void gpri_booster_free(gpri_booster *booster);

/* Where the trees of a round are written to: for each group of scores the arrays of a tree, all zero before. cover: the
   sum of second derivatives that came to a node; gain: of its question. */
typedef struct gpri_tree_arrays {
    gpri_real *split, *value, *cover, *gain;
} gpri_tree_arrays;
/* The round number `round`, counted from 0; all before it were made. trees: (groups), or NULL: they are not wanted.
   Depends on data, options and the number of the round alone. */
gpr_status gpri_booster_round(gpri_booster *booster, int64_t round, const gpri_tree_arrays *trees) GPRI_MUST_CHECK;
/* Scores before the link, of the rows of `data` by all rounds so far, as XGBoost computes them: for tests. (*out)
   (rows x groups), the booster's until the next call. */
gpr_status gpri_booster_scores(gpri_booster *booster, const gpri_booster_data *data, const float **out) GPRI_MUST_CHECK;
/* The same for its shares of columns and, behind them, of no column: (rows x groups x (columns + 1)). */
gpr_status gpri_booster_shares(gpri_booster *booster, const gpri_booster_data *data, const float **out) GPRI_MUST_CHECK;

#endif
