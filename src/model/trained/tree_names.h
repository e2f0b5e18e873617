/* What the columns of a model of trees are called, for people. */
#ifndef GPRI_TREE_NAMES_H
#define GPRI_TREE_NAMES_H

#include "model/model.h"

enum { GPRI_TREE_NAME = 256 };

/* How many there are, counts of known labels among them. */
int64_t gpri_trees_column_count(const gpr_model *model);
/* "age", "mean of age", "maximum of age over pay", "share of neighbours with yes", ...; cut to its room. *feature: the
   column of the data that it is or is made of, or -1. */
const char *gpri_trees_column_name(char out[GPRI_TREE_NAME], int64_t *feature, const gpr_model *model, int64_t column);
/* gains, questions: (columns) zeroed; become what the questions about each gained, over all trees, and how many there
   are. questions may be NULL. */
void gpri_trees_gains(double *gains, int64_t *questions, const gpr_model *model);

#endif
