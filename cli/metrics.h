/* Metrics of predictions in the terminal and as JSON: a line, a table of classes, the confusion matrix, baselines. */
#ifndef CLI_METRICS_H
#define CLI_METRICS_H

#include <stdbool.h>
#include <stdio.h>

#include "gprgnn.h"

/* The name of a class, or NULL if it is a number; `owner` is a dataset or a model. */
typedef struct class_names {
    const char *(*name)(const void *owner, int64_t class_id);
    const void *owner;
} class_names;

class_names names_of_data(const gpr_dataset *data);
class_names names_of_model(const gpr_model *model);

/* One line: the few that matter. Of one set of predictions, or with a result the
   means of its test nodes over the runs, with confidence intervals if there are several. but: the word of one that is
   left out, or NULL. */
void print_metrics_line(FILE *out, const gpr_metrics *metrics, const gpr_result *result, const char *but,
                        class_names names, bool utf8);
/* The name of a class, or its number, in at most 20 columns. */
void put_class_name(FILE *out, class_names names, int64_t class_id, bool utf8);
/* Precision, recall and F1 of each class, and the confusion matrix beside them; for up to a dozen classes. */
void print_class_metrics(FILE *out, const gpr_metrics *metrics, class_names names, bool utf8);
/* What simple methods reach, above the model; nothing if it was not computed. */
void print_baselines(FILE *out, const gpr_result *result);
/* An object with all measures, those of the classes, and the confusion matrix. */
void put_json_metrics(FILE *out, const gpr_metrics *metrics);

#endif
