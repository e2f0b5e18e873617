/* Rendering of results: shared by the files of report/. */
#ifndef GPRI_REPORT_H
#define GPRI_REPORT_H

#include "base/text.h"
#include "file/file.h"
#include "model/predict/predictor.h"
#include "statistics/statistics.h"
#include "train/result.h"

/* The numbers that every run has. */
typedef enum gpri_run_field {
#define FIELD(ID, name) GPRI_FIELD_##ID,
#include "report/run_fields.def"
    GPRI_FIELDS
} gpri_run_field;

const char *gpri_run_field_word(gpri_run_field field); /* as in JSON: "test_accuracy" */
double gpri_run_number(const gpr_run_info *info, gpri_run_field field);
gpri_mean gpri_result_mean(const gpr_result *result, gpri_run_field field);
/* The values of all runs that are not NaN, as an array: (*count), free with gpri_free. */
gpr_status gpri_result_values(gpr_ctx *ctx, double **out, int64_t *count, const gpr_result *result,
                              gpri_run_field field) GPRI_MUST_CHECK;

/* A CSV file that appears whole or not at all, written as it grows. After an error all later calls do nothing, and
   gpri_csv_close returns it. */
typedef struct gpri_csv {
    gpr_ctx *ctx;
    gpri_output out;
    gpri_text text; /* what is not yet in the file */
    gpr_status status;
} gpri_csv;

void gpri_csv_open(gpri_csv *csv, gpr_ctx *ctx, const char *path);
void gpri_csv_add(gpri_csv *csv, const char *format, ...) GPRI_PRINTF(2, 3); /* text and whole numbers */
/* A comma, then the number with 9 digits: a float reads back as the same bits. Nothing more for NaN. */
void gpri_csv_real(gpri_csv *csv, double value);
/* A name, as gpr_text_csv writes it. */
void gpri_csv_name(gpri_csv *csv, const char *name);
/* The same of what has a name, or else a number. */
void gpri_csv_called(gpri_csv *csv, const char *name, int64_t number);
gpr_status gpri_csv_close(gpri_csv *csv) GPRI_MUST_CHECK;

/* The mean over the runs of a measure on a part. */
gpri_mean gpri_measure_mean(const gpr_result *result, gpr_part part, gpri_measure which);
/* What to judge a model by, and to compare it with others: the metric that fits the data (gpri_fitting_metric). The
   accuracy where the test nodes do not have it. */
gpri_measure gpri_headline_measure(const gpr_result *result);
/* The share of test nodes in their largest class, 0 to 1: the accuracy of always saying its name. NaN without them. */
double gpri_largest_class(const gpr_result *result);
/* Fills in result->cautions; whoever calls it holds the lock. */
gpr_status gpri_result_find_cautions(gpr_result *result) GPRI_MUST_CHECK;
/* metrics.csv: one row per run and part. class_metrics.csv: one row per run, part and class. */
gpr_status gpri_metrics_csv(gpr_ctx *ctx, const char *path, const gpr_result *result) GPRI_MUST_CHECK;
gpr_status gpri_class_metrics_csv(gpr_ctx *ctx, const char *path, const gpr_result *result) GPRI_MUST_CHECK;

/* The resolved options as a JSON object, one member per option, and how the data was opened. Free with gpri_text_free.
 */
gpr_status gpri_config_json(gpri_text *out, const gpr_params *params, const gpr_dataset *data) GPRI_MUST_CHECK;

/* The predictions of a model as CSV, made and written some rows at a time where the model can. */
typedef struct gpri_predictions {
    const gpr_model *model;
    const gpr_model *judged; /* whose predictions nodes with a label get; NULL: the same */
    const gpr_dataset *data;
    const gpri_outcome *made; /* of all nodes; NULL: they are made */
    const gpr_split *split;   /* of data, or NULL */
    bool with_proba;
    int32_t *classes; /* (nodes) to fill in, or NULL */
    float *numbers;   /* (nodes) the same where a number is told */
} gpri_predictions;
gpr_status gpri_predictions_write(gpr_ctx *ctx, const char *path, const gpri_predictions *what) GPRI_MUST_CHECK;

#endif
