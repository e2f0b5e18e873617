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

double gpri_shortest_decimal(float value) {
    char number[32];
    if (!isfinite(value)) return (double)value;
    for (int digits = 6; digits < 9; digits++) {
        double decimal;
        gpri_print(number, sizeof number, "%.*g", digits, (double)value);
        if (gpri_parse_real(number, &decimal) && (float)decimal == value) return decimal;
    }
    double decimal = (double)value;
    gpri_print(number, sizeof number, "%.9g", (double)value);
    (void)gpri_parse_real(number, &decimal);
    return decimal;
}

gpr_status gpri_csv_close(gpri_csv *csv) {
    flush(csv);
    if (csv->status == GPR_OK) csv->status = gpri_output_commit(&csv->out);
    else gpri_output_abandon(&csv->out);
    gpri_text_free(&csv->text);
    return csv->status;
}
