/* The measures of predictions (task/measures.def), and how they come from counts and from the order of scores: as
 * scikit-learn defines them (docs/metrics.md). Shares are 0 to 1. What is not defined is NaN. */
#ifndef GPRI_MEASURES_H
#define GPRI_MEASURES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/status.h"

typedef enum gpri_measure {
#define MEASURE(ID, ...) GPRI_##ID,
#include "task/measures.def"
    GPRI_MEASURES
} gpri_measure;

enum { GPRI_PERCENT = 1, GPRI_LOWER = 2, GPRI_RANKS = 4, GPRI_OF_100 = 8, GPRI_OF_NUMBERS = 16, GPRI_IN_UNIT = 32 };

/* Whether it is the loss of the training, which every step has: on all devices. */
GPRI_INLINE bool gpri_is_loss(gpri_measure which) { return which == GPRI_LOG_LOSS; }

/* Whether it is an error that a training may go by beside its loss: lower is better. On all devices. */
GPRI_INLINE bool gpri_is_error(gpri_measure which) { return which == GPRI_RMSE || which == GPRI_MAE; }
/* Whether predictions of numbers, or of classes, have it. */
bool gpri_measure_suits(gpri_measure which, bool numbers);

/* By the word of the measure, such as "roc_auc" (also "roc-auc"); GPRI_MEASURES: there is none. */
gpri_measure gpri_measure_find(const char *word);
const char *gpri_measure_word(gpri_measure which);
/* By the word of the option `metric`, where `auc` is roc_auc, too; and that word, or NULL. */
gpri_measure gpri_measure_chosen(const char *choice);
const char *gpri_measure_choice(gpri_measure which);
bool gpri_measure_is(gpri_measure which, int trait);
/* Whether a training can go by it, and is not the loss: tensor/metric.c and the devices compute it in every step. */
bool gpri_measure_each_step(gpri_measure which);
const char *gpri_measure_heading(gpri_measure which); /* or NULL */
/* For people: "average precision"; and its value, as "88.69 %" where it is an accuracy, else as "0.887"; "-" for NaN.
 */
const char *gpri_measure_name(gpri_measure which);
enum { GPRI_VALUE_SIZE = 32 };
void gpri_measure_print(char out[GPRI_VALUE_SIZE], gpri_measure which, double value);
/* The error that names the nearest one. */
gpr_status gpri_measure_unknown(const char *word);

/* From counts: (3 x classes) the nodes of each class, those that are predicted so, and those of them that are right.
   accuracy, balanced_accuracy and macro_f1 alone; NaN: there are no nodes. */
double gpri_measure_of_counts(gpri_measure which, const int64_t *counts, int64_t classes);

/* One class against the rest, from keys: one per node, the score of the class and whether the node has it. */
typedef struct gpri_ranking {
    double roc_auc, average_precision; /* NaN: the nodes are all of the class, or none is; the latter: none is */
} gpri_ranking;
uint64_t gpri_ranking_key(float score, bool positive);
/* keys: (2 x count), of which the second half is room to sort. */
gpri_ranking gpri_ranking_of(uint64_t *keys, int64_t count);

/* Of two classes the one with fewer labels, class 1 if they are equal. -1: there are not two classes. */
int64_t gpri_positive_class(const int32_t *labels, int64_t rows, int64_t classes);

/* Less than a fifth of the nodes: then the accuracy says little about the positive one of two classes. */
bool gpri_is_rare(int64_t positive_nodes, int64_t nodes);

#endif
