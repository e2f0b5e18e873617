/* Shares of the columns in a score of a forest: SHAP values of trees (Lundberg, Erion and Lee 2018), which depend on
 * the ways through the trees and on the weight of the training nodes that went them. The shares of all columns and the
 * expected score add up to the score, exactly. */
#ifndef GPRI_SHAP_H
#define GPRI_SHAP_H

#include "trees/forest.h"

/* Adds those of a group to shares: (columns + 1), the expected score last. cover: as forest->split, the weights of the
   nodes. Time: for each tree its leaves times the square of its depth. */
void gpri_forest_shares(const gpri_forest *forest, const gpri_real *cover, int64_t group, const gpri_forest_row *row,
                        int64_t columns, double *shares);

#endif
