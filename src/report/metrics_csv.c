/* metrics.csv and class_metrics.csv of the run folder. A number that is not defined is an empty field. */
#include <math.h>

#include "report/report.h"

static void add_real(gpri_csv *csv, double value) {
    if (isnan(value)) gpri_csv_add(csv, ",");
    else gpri_csv_real(csv, value);
}

gpr_status gpri_metrics_csv(gpr_ctx *ctx, const char *path, const gpr_result *result) {
    gpri_csv csv;
    gpri_csv_open(&csv, ctx, path);
    gpri_csv_add(&csv, "run,part,nodes");
    for (int m = 0; m < GPRI_MEASURES; m++) gpri_csv_add(&csv, ",%s", gpri_measure_word((gpri_measure)m));
    gpri_csv_add(&csv, "\n");
    for (int64_t r = 0; r < result->count; r++)
        for (int part = GPR_TRAIN; part <= GPR_TEST; part++) {
            const gpr_metrics *scores = result->runs[r].metrics[part];
            if (!scores) continue;
            gpri_csv_add(&csv, "%lld,%s,%lld", (long long)result->runs[r].number, gpri_part_word(part),
                         (long long)scores->nodes);
            for (int m = 0; m < GPRI_MEASURES; m++) add_real(&csv, scores->values[m]);
            gpri_csv_add(&csv, "\n");
        }
    return gpri_csv_close(&csv);
}

static void add_class(gpri_csv *csv, const gpr_result *result, const gpr_metrics *scores, int64_t c) {
    const gpri_class_measures *measures = &scores->of_class[c];
    if (result->class_names.count) gpri_csv_name(csv, gpri_name(&result->class_names, c));
    else gpri_csv_add(csv, "%lld", (long long)c);
    gpri_csv_add(csv, ",%lld,%lld", (long long)measures->nodes, (long long)measures->predicted);
    add_real(csv, measures->precision);
    add_real(csv, measures->recall);
    add_real(csv, measures->f1);
    add_real(csv, measures->roc_auc);
    add_real(csv, measures->average_precision);
    gpri_csv_add(csv, "\n");
}

gpr_status gpri_class_metrics_csv(gpr_ctx *ctx, const char *path, const gpr_result *result) {
    gpri_csv csv;
    gpri_csv_open(&csv, ctx, path);
    gpri_csv_add(&csv, "run,part,class,nodes,predicted,precision,recall,f1,roc_auc,average_precision\n");
    for (int64_t r = 0; r < result->count; r++)
        for (int part = GPR_TRAIN; part <= GPR_TEST; part++) {
            const gpr_metrics *scores = result->runs[r].metrics[part];
            for (int64_t c = 0; scores && c < scores->classes; c++) {
                gpri_csv_add(&csv, "%lld,%s,", (long long)result->runs[r].number, gpri_part_word(part));
                add_class(&csv, result, scores, c);
            }
        }
    return gpri_csv_close(&csv);
}
