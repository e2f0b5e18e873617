/* The numbers other than the loss that may choose an epoch, from the scores of some nodes. Higher is better, 0 to 1.
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

#include "tensor/matrix.h"

typedef enum gpri_goal {
    GPRI_GOAL_LOSS, /* the validation loss: lower is better; never computed here */
    GPRI_GOAL_ACCURACY,
    GPRI_GOAL_BALANCED_ACCURACY,
    GPRI_GOAL_MACRO_F1,
    GPRI_GOAL_ROC_AUC,
    GPRI_GOAL_AVERAGE_PRECISION
} gpri_goal;

/* The words of the option `metric`, in the order of gpri_goal; `auc` is another word for roc_auc. -1: none of them. */
int gpri_metric_of(const char *word);
const char *gpri_metric_word(gpri_goal metric);

/* Which nodes, and room to compute in: nothing here allocates. Pointers are the device's. */
typedef struct gpri_metric_plan {
    gpri_goal metric;
    const int64_t *nodes; /* (count) ascending */
    int64_t count;
    int64_t positive; /* of two classes, the one that is looked for */
    uint64_t *keys;   /* (2 x count) for roc_auc and average_precision; else NULL */
    int64_t *counts;  /* (3 x classes) */
} gpri_metric_plan;

/* The numbers that plan->keys and plan->counts need. */
int64_t gpri_metric_keys(gpri_goal metric, int64_t count);

/* From counts: (3 x classes) the nodes of each class, those that are predicted so, and those of them that are right.
   accuracy, balanced_accuracy and macro_f1 alone; NaN: there are no nodes. */
double gpri_metric_of_counts(gpri_goal metric, const int64_t *counts, int64_t classes);

/* One class against the rest, from keys: one per node, the score of the class and whether the node has it. */
typedef struct gpri_ranking {
    double roc_auc, average_precision; /* NaN: the nodes are all of the class, or none is; the latter: none is */
} gpri_ranking;
uint64_t gpri_ranking_key(float score, bool positive);
/* keys: (2 x count), of which the second half is room to sort. */
gpri_ranking gpri_ranking_of(uint64_t *keys, int64_t count);

/* z: rows are nodes from `first` on; z.cols classes. labels: (nodes). NaN: a score is NaN, or the metric is not defined
   (no node; for the last two: all nodes are of one class). */
double gpri_metric_value(gpri_matrix z, const int32_t *labels, const gpri_metric_plan *plan, int64_t first);

#endif
