/* CSV files; numbers have a decimal point in every locale. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/print.h"
#include "report/report.h"

#define FLUSH_SIZE (1 << 16)

void gpri_csv_open(gpri_csv *csv, gpr_ctx *ctx, const char *path) {
    *csv = (gpri_csv){.ctx = ctx, .text = {.ctx = ctx}};
    csv->status = gpri_output_open(&csv->out, path);
}

static void flush(gpri_csv *csv) {
    if (csv->status == GPR_OK) csv->status = gpri_text_status(&csv->text);
    if (csv->status == GPR_OK && csv->text.size > 0)
        csv->status = gpri_output_write(&csv->out, csv->text.bytes, (size_t)csv->text.size);
    csv->text.size = 0;
}

void gpri_csv_add(gpri_csv *csv, const char *format, ...) {
    char piece[256];
    if (csv->status != GPR_OK) return;
    va_list args;
    va_start(args, format);
    gpri_vprint(piece, sizeof piece, format, args);
    va_end(args);
    gpri_text_add(&csv->text, "%s", piece);
    csv->status = gpri_text_status(&csv->text); /* now, as long as its message is there */
    if (csv->status == GPR_OK && csv->text.size >= FLUSH_SIZE) flush(csv);
}

void gpri_csv_real(gpri_csv *csv, double value) {
    char number[64];
    gpri_print(number, sizeof number, "%.9g", value);
    if (isnan(value)) number[0] = 0; /* there is no such number: an empty cell */
    gpri_csv_add(csv, ",%s", number);
}

void gpri_csv_name(gpri_csv *csv, const char *name) {
    char small[256], *large = NULL;
    const size_t size = gpr_text_csv(small, sizeof small, name) + 1;
    if (csv->status != GPR_OK) return;
    if (size > sizeof small) csv->status = gpri_alloc(csv->ctx, &large, (int64_t)size, 1, "name");
    if (large) gpr_text_csv(large, size, name);
    if (csv->status == GPR_OK) gpri_text_add(&csv->text, "%s", large ? large : small);
    gpri_free(csv->ctx, large);
    if (csv->text.size >= FLUSH_SIZE) flush(csv);
}

void gpri_csv_called(gpri_csv *csv, const char *name, int64_t number) {
    if (name) gpri_csv_name(csv, name);
    else gpri_csv_add(csv, "%lld", (long long)number);
}

gpr_status gpri_csv_close(gpri_csv *csv) {
    flush(csv);
    if (csv->status == GPR_OK) csv->status = gpri_output_commit(&csv->out);
    else gpri_output_abandon(&csv->out);
    gpri_text_free(&csv->text);
    return csv->status;
}

/* ---- metrics.csv and class_metrics.csv of the run folder ---- */

gpr_status gpri_metrics_csv(gpr_ctx *ctx, const char *path, const gpr_result *result) {
    gpri_csv csv;
    gpri_csv_open(&csv, ctx, path);
    gpri_csv_add(&csv, "run,part,nodes");
    const bool number = gpri_params_tell_number(result->params);
    for (int m = 0; m < GPRI_MEASURES; m++)
        if (gpri_measure_suits((gpri_measure)m, number)) gpri_csv_add(&csv, ",%s", gpri_measure_word((gpri_measure)m));
    gpri_csv_add(&csv, "\n");
    for (int64_t r = 0; r < result->count; r++)
        for (int part = GPR_TRAIN; part <= GPR_TEST; part++) {
            const gpr_metrics *scores = result->runs[r].metrics[part];
            if (!scores) continue;
            gpri_csv_add(&csv, "%lld,%s,%lld", (long long)result->runs[r].number, gpri_part_word(part),
                         (long long)scores->nodes);
            for (int m = 0; m < GPRI_MEASURES; m++)
                if (gpri_measure_suits((gpri_measure)m, number)) gpri_csv_real(&csv, scores->values[m]);
            gpri_csv_add(&csv, "\n");
        }
    return gpri_csv_close(&csv);
}

static void add_class(gpri_csv *csv, const gpr_result *result, const gpr_metrics *scores, int64_t c) {
    const gpri_class_measures *measures = &scores->of_class[c];
    gpri_csv_called(csv, gpri_name(&result->class_names, c), c);
    gpri_csv_add(csv, ",%lld,%lld", (long long)measures->nodes, (long long)measures->predicted);
    gpri_csv_real(csv, measures->precision);
    gpri_csv_real(csv, measures->recall);
    gpri_csv_real(csv, measures->f1);
    gpri_csv_real(csv, measures->roc_auc);
    gpri_csv_real(csv, measures->average_precision);
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
