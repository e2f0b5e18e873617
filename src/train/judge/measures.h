/* How good predictions are: measures of probabilities against labels, as scikit-learn defines them (docs/metrics.md).
 * Shares are 0 to 1. What is not defined is NaN. */
#ifndef GPRI_MEASURES_H
#define GPRI_MEASURES_H

#include "base/context.h"
#include "tensor/metric.h"

/* The measures of all nodes together, in the order of files and tables. */
typedef enum gpri_measure {
    GPRI_ACCURACY,
    GPRI_BALANCED_ACCURACY,
    GPRI_MACRO_F1,
    GPRI_WEIGHTED_F1,
    GPRI_ROC_AUC,
    GPRI_AVERAGE_PRECISION,
    GPRI_LOG_LOSS,
    GPRI_CALIBRATION_ERROR,
    GPRI_MEASURES
} gpri_measure;

/* By the word of the measure, such as "roc_auc" (also "roc-auc"); GPRI_MEASURES: there is none. */
gpri_measure gpri_measure_find(const char *word);
const char *gpri_measure_word(gpri_measure which);
/* The error that names the nearest one. */
gpr_status gpri_measure_unknown(const char *word);

/* Predictions to judge. Nodes with a negative label never count. */
typedef struct gpri_scored {
    int64_t rows, classes;
    const float *proba;       /* (rows x classes) */
    const int32_t *predicted; /* (rows); NULL: the first class with the largest probability */
    const int32_t *labels;    /* (rows) below `classes` */
    const uint8_t *parts;     /* (rows) gpr_part; NULL: all nodes count */
    uint8_t part;             /* those of this part count */
    int64_t positive;         /* with two classes: whose ranking counts; see gpri_positive_class */
} gpri_scored;

/* Of two classes the one with fewer labels, class 1 if they are equal. -1: there are not two classes. */
int64_t gpri_positive_class(const int32_t *labels, int64_t rows, int64_t classes);

/* Less than a fifth of the nodes: then the accuracy says little about the positive one of two classes. */
bool gpri_is_rare(int64_t positive_nodes, int64_t nodes);

typedef struct gpri_class_measures {
    int64_t nodes, predicted, right;
    double precision, recall, f1, roc_auc, average_precision;
} gpri_class_measures;

/* More classes have no confusion matrix. */
#define GPRI_MOST_CONFUSED 256

struct gpr_metrics {
    gpr_ctx *ctx;
    int64_t nodes, classes;
    int64_t positive;                        /* with two classes; else -1 */
    int64_t predicted_classes, true_classes; /* how many occur */
    double values[GPRI_MEASURES];
    gpri_class_measures *of_class; /* (classes) */
    int64_t *confusion;            /* (classes x classes) row: the true class; NULL: too many classes */
};

/* All of them. Free with gpr_metrics_free. */
gpr_status gpri_metrics_new(gpr_ctx *ctx, struct gpr_metrics **out, const gpri_scored *of) GPRI_MUST_CHECK;

#endif
