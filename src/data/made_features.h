/* Features that are made from the graph alone, for data that has none. */
#ifndef GPRI_MADE_FEATURES_H
#define GPRI_MADE_FEATURES_H

#include "data/dataset.h"

/* Is it a kind of them, and not the path of a file? "identity", "degree", "spectral:N"; "auto" takes one of these.
   NULL: no. */
bool gpri_makes_features(const char *kind);

/* Puts them into the dataset, in place of those it has or beside them, and notes the kind in data->made:
     identity     one column per node: a node is known by itself alone; sparse
     degree       log(1 + d), and one column each for d = 0, 1, 2 - 3, 4 - 7, ...
     spectral:N   the N leading eigenvectors (embed/leading.h), times the square root of the number of nodes
     auto         identity for up to 50,000 nodes, else spectral:64 (degree where there is no edge): on the graphs of
                  cora and chameleon identity has the best test accuracy (docs/files.md), but one weight per node and
                  hidden unit */
gpr_status gpri_make_features(gpr_dataset *data, const char *kind, bool beside) GPRI_MUST_CHECK;

/* Do such features of one graph mean nothing on another? */
bool gpri_made_for_one_graph(const char *kind);

#endif
