/* The numbers other than the loss that may choose an epoch, from the scores of some nodes. Higher is better, 0 to 1; of
 * numbers, errors (gpri_is_error) are in their own unit, and lower is better.
 *
 * accuracy: the share of nodes whose largest score is that of their class. balanced_accuracy: the mean over classes of
 * the share of their nodes that is right. macro_f1: the mean F1 over the classes that occur, among the nodes or among
 * the predictions. roc_auc: the area under the ROC curve; average_precision: sum over thresholds of (recall_n -
 * recall_{n-1}) precision_n. Both are of plan->positive where there are two classes, else the mean over the
 * classes that occur, one against the rest. Ties count as one threshold. All are as in scikit-learn; classes without
 * nodes are left out. */
#ifndef GPRI_METRIC_H
#define GPRI_METRIC_H

#include <stdbool.h>
#include <stdint.h>

#include "task/measures.h"
#include "tensor/matrix.h"

/* Which nodes, and room to compute in: nothing here allocates. Pointers are the device's. */
typedef struct gpri_metric_plan {
    gpri_measure metric;
    const int64_t *nodes; /* (count) ascending */
    int64_t count;
    int64_t positive; /* of two classes, the one that is looked for */
    uint64_t *keys;   /* (2 x count) for roc_auc and average_precision; else NULL */
    int64_t *counts;  /* (3 x classes) */
    const gpri_real *numbers; /* (nodes) of targets that are numbers, in their unit; NULL: they are classes */
    double scale;             /* of that unit */
} gpri_metric_plan;

/* The numbers that plan->keys and plan->counts need. */
int64_t gpri_metric_keys(gpri_measure metric, int64_t count);

/* z: rows are nodes from `first` on; z.cols classes. labels: (nodes). NaN: a score is NaN, or the metric is not defined
   (no node; for the last two: all nodes are of one class). */
double gpri_metric_value(gpri_matrix z, const int32_t *labels, const gpri_metric_plan *plan, int64_t first);

#endif
