/* Rendering of results: shared by the files of report/. */
#ifndef GPRI_REPORT_H
#define GPRI_REPORT_H

#include "base/text.h"
#include "file/file.h"
#include "report/statistics.h"
#include "train/result.h"

/* The numbers that every run has. */
typedef enum gpri_run_field {
    GPRI_FIELD_SEED,
    GPRI_FIELD_EPOCHS,
    GPRI_FIELD_BEST_EPOCH,
    GPRI_FIELD_TRAIN,
    GPRI_FIELD_VAL,
    GPRI_FIELD_TEST,
    GPRI_FIELD_INITIAL,
    GPRI_FIELD_TRAIN_LOSS,
    GPRI_FIELD_VAL_LOSS,
    GPRI_FIELD_VAL_METRIC, /* NaN where it is the loss */
    GPRI_FIELD_MS_PER_EPOCH,
    GPRI_FIELD_SECONDS,
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
/* A comma, then the number with 9 digits: a float reads back as the same bits. "nan" for NaN. */
void gpri_csv_real(gpri_csv *csv, double value);
/* A name, as gpr_text_csv writes it. */
void gpri_csv_name(gpri_csv *csv, const char *name);
gpr_status gpri_csv_close(gpri_csv *csv) GPRI_MUST_CHECK;

/* Means over the runs: of a measure on a part, or of a baseline on the test nodes. */
gpri_mean gpri_measure_mean(const gpr_result *result, gpr_part part, gpri_measure which);
gpri_mean gpri_baseline_mean(const gpr_result *result, int index, gpri_measure which);
/* What to compare a model with others by: the average precision where one of two classes is rare, else the accuracy. */
gpri_measure gpri_deciding_measure(const gpr_metrics *test);
/* Fills in result->cautions; whoever calls it holds the lock. */
gpr_status gpri_result_find_cautions(gpr_result *result) GPRI_MUST_CHECK;
/* metrics.csv: one row per run and part. class_metrics.csv: one row per run, part and class. */
gpr_status gpri_metrics_csv(gpr_ctx *ctx, const char *path, const gpr_result *result) GPRI_MUST_CHECK;
gpr_status gpri_class_metrics_csv(gpr_ctx *ctx, const char *path, const gpr_result *result) GPRI_MUST_CHECK;

/* The SHA-256 of a file, in hex: 64 digits and the NUL. */
gpr_status gpri_hash_of(char *hex, const char *path) GPRI_MUST_CHECK;

/* The decimal number with the fewest digits (6 to 9) that reads back as the same float: 0.1f gives 0.1, where a plain
   conversion to double gives 0.10000000149. */
double gpri_shortest_decimal(float value);

/* The resolved options as a JSON object, one member per option, and how the data was opened. Free with gpri_text_free.
 */
gpr_status gpri_config_json(gpri_text *out, const gpr_params *params, const gpr_dataset *data) GPRI_MUST_CHECK;

/* The classes of all nodes, and unless proba is NULL their probabilities: (nodes), (nodes x classes). The caller frees
   them with gpri_free, also on failure. */
gpr_status gpri_predict_all(gpr_ctx *ctx, int32_t **classes, float **proba, const gpr_model *model,
                            const gpr_dataset *data) GPRI_MUST_CHECK;
/* The predictions of a model as CSV. classes: (nodes); proba: (nodes x classes of the model), or NULL; split: of data,
   or NULL. */
gpr_status gpri_predictions_write(gpr_ctx *ctx, const char *path, const gpr_model *model, const gpr_dataset *data,
                                  const int32_t *classes, const float *proba, const gpr_split *split) GPRI_MUST_CHECK;

/* The same of a model whose filter comes first, made and written some rows at a time. judged: NULL, or the model whose
   predictions nodes with a label get. classes: (nodes) to fill in, or NULL. */
gpr_status gpri_predictions_stream(gpr_ctx *ctx, const char *path, const gpr_model *model, const gpr_model *judged,
                                   const gpr_dataset *data, bool with_proba, const gpr_split *split,
                                   int32_t *classes) GPRI_MUST_CHECK;

/* report.html. predicted: (nodes) classes, by the best run's model, or NULL. about: what is known of all rows of the
   data, some of which may be out of reach; NULL: they can be read. */
gpr_status gpri_run_page_save(gpr_ctx *ctx, const char *path, const gpr_result *result, const gpr_dataset *data,
                              const int32_t *predicted, const gpri_about *about) GPRI_MUST_CHECK;

#endif
