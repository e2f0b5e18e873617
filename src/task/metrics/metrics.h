/* How good predictions are: all measures of probabilities against labels, or of numbers against numbers, and which of
 * them fits the data. */
#ifndef GPRI_METRICS_H
#define GPRI_METRICS_H

#include "base/context.h"
#include "base/params.h"
#include "data/split.h"
#include "task/measures.h"
#include "task/outcome.h"

/* Predictions to judge. Nodes with a negative label never count. */
typedef struct gpri_scored {
    int64_t rows, classes;
    const float *proba;       /* (rows x classes) */
    const int32_t *predicted; /* (rows); NULL: the first class with the largest probability */
    const int32_t *labels;    /* (rows) below `classes` */
    const uint8_t *parts;     /* (rows) gpr_part; NULL: all nodes count */
    uint8_t part;             /* those of this part count */
    int64_t positive;         /* with two classes: whose ranking counts; see gpri_positive_class */
    const float
        *numbers; /* (rows) targets that are numbers, and proba has what was predicted; NULL: they are classes */
} gpri_scored;

typedef struct gpri_class_measures {
    int64_t nodes, predicted, right;
    double precision, recall, f1, roc_auc, average_precision;
} gpri_class_measures;

/* More classes have no confusion matrix. */
#define GPRI_MOST_CONFUSED 256

struct gpr_metrics {
    gpr_ctx *ctx;
    int64_t nodes, classes;                  /* classes 0: of numbers */
    int64_t positive;                        /* with two classes; else -1 */
    int64_t predicted_classes, true_classes; /* how many occur */
    double values[GPRI_MEASURES];
    gpri_class_measures *of_class; /* (classes) */
    int64_t *confusion;            /* (classes x classes) row: the true class; NULL: too many classes */
};

/* All of them. Free with gpr_metrics_free. */
gpr_status gpri_metrics_new(gpr_ctx *ctx, struct gpr_metrics **out, const gpri_scored *scored) GPRI_MUST_CHECK;

/* The same where targets are numbers (errors.c). */
gpr_status gpri_metrics_of_numbers(gpr_ctx *ctx, struct gpr_metrics **out, const gpri_scored *scored) GPRI_MUST_CHECK;

/* The same for the nodes of a part. made: with probabilities. *out: NULL, or what was there before. */
gpr_status gpri_metrics_of_part(gpr_ctx *ctx, struct gpr_metrics **out, const gpr_dataset *data, const gpr_split *split,
                                gpr_part part, const gpri_outcome *made) GPRI_MUST_CHECK;

/* Whether the settled options of a training, or of a model, are those of numbers: `loss` is then no more auto. */
bool gpri_params_tell_number(const gpr_params *params);

/* The option `metric`. */
gpri_measure gpri_params_metric(const gpr_params *params);
/* The metric that fits the data: by it the program chooses among its own methods, and it is the headline of the
   results. The option `metric`, if it is not the loss. Else, where one class has more than four fifths of the training
   nodes, of two classes the average precision and of more the macro F1: a model that never finds the others may have
   the lower loss and the higher accuracy. Else the accuracy. judged: the part that it is measured on; where that has
   one of two classes only, there is no average precision. */
gpri_measure gpri_fitting_metric(const gpr_params *params, const gpr_split *split, gpr_part judged);

#endif
