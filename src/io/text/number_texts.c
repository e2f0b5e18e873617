/* Texts of labels to numbers. */
#include "io/text/number_texts.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "io/text/amounts.h"
#include "io/text/dates.h"

/* Of how many rows each text is. */
static gpr_status count_texts(gpri_label_texts *texts, int64_t **counts) {
    NEED(gpri_calloc(texts->ctx, counts, gpri_ids_count(&texts->ids), sizeof **counts, "labels"));
    for (int64_t k = 0; k < texts->count; k++)
        if (texts->code[k] >= 0) (*counts)[texts->code[k]]++;
    return GPR_OK;
}

static bool is_infinite(const char *text) {
    if (*text == '-' || *text == '+') text++;
    return strcasecmp(text, "inf") == 0 || strcasecmp(text, "infinity") == 0;
}

gpr_status gpri_number_texts_read(gpri_label_texts *texts, double *values, int64_t *wrong) {
    int64_t *counts = NULL; /* (ids) */
    *wrong = -1;
    NEED(count_texts(texts, &counts));
    const gpri_number_style style = gpri_find_style(&texts->ids, counts);
    gpri_free(texts->ctx, counts);
    for (int64_t i = gpri_ids_count(&texts->ids) - 1; i >= 0; i--) {
        const char *text = gpri_ids_text(&texts->ids, i);
        const gpri_field field = {text, (int64_t)strlen(text)};
        values[i] = NAN;
        if (gpri_is_missing(text, field.size)) continue;
        const bool read = gpri_is_plain(&style)
                              ? gpri_span_real(text, field.size, &values[i]) || gpri_comma_real(field, &values[i])
                              : gpri_styled_real(style, field, &values[i]);
        if (read && isfinite((float)values[i])) continue;
        values[i] = read || is_infinite(text) ? INFINITY : NAN;
        if (values[i] != INFINITY) *wrong = i;
    }
    return GPR_OK;
}

bool gpri_number_texts_are_many(const gpri_label_texts *texts, const double *values) {
    enum { FEW = 50, PER_CLASS = 20 }; /* 5 % */
    int64_t labelled = 0, different = 0;
    for (int64_t i = 0; i < gpri_ids_count(&texts->ids); i++) {
        if (isnan(values[i])) continue;
        if (isinf(values[i]) || values[i] != floor(values[i])) return true;
        different++;
    }
    for (int64_t k = 0; k < texts->count; k++) labelled += texts->code[k] >= 0 && !isnan(values[texts->code[k]]);
    return different > FEW && different * PER_CLASS > labelled;
}

bool gpri_number_texts_number_classes(const gpri_label_texts *texts, const double *values) {
    double most = -1, least = 0;
    int64_t different = 0, labelled = 0;
    for (int64_t i = 0; i < gpri_ids_count(&texts->ids); i++) {
        if (isnan(values[i])) continue;
        if (values[i] != floor(values[i])) return false;
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
        different++;
    }
    for (int64_t k = 0; k < texts->count; k++) labelled += texts->code[k] >= 0 && !isnan(values[texts->code[k]]);
    return least >= 0 && most + 1 == (double)different && different < labelled;
}

/* Whole numbers, each once and none left out, are those of the rows. */
static gpr_status check_ids(const gpri_label_texts *texts, const double *values, int64_t labelled) {
    enum { FEW = 50 };
    double least = INFINITY, most = -INFINITY;
    const int64_t count = gpri_ids_count(&texts->ids);
    for (int64_t i = 0; i < count; i++) {
        if (isnan(values[i])) continue;
        if (values[i] != floor(values[i])) return GPR_OK;
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    if (texts->task == GPRI_TASK_NUMBER || labelled <= FEW || most - least + 1 != (double)labelled) return GPR_OK;
    for (int64_t k = 0, before = -1; k < texts->count; k++) {
        if (texts->code[k] < 0 || isnan(values[texts->code[k]])) continue;
        if (texts->code[k] <= before) return GPR_OK; /* a text that was there: some number occurs twice */
        before = texts->code[k];
    }
    return gpri_fail(GPR_ERROR_FORMAT,
                     "%s%s%s%s: the labels are the numbers from %.0f to %.0f, each once: they look like ids of the "
                     "nodes; name another column with `label`, or give `task` number if they are a quantity",
                     texts->path, *texts->column ? ", column '" : "", texts->column, *texts->column ? "'" : "", least,
                     most);
}

static void say(const gpri_label_texts *texts, int64_t labelled) {
    if (texts->task == GPRI_TASK_NUMBER || texts->known) return;
    gpri_log(texts->ctx, GPR_LOG_NOTICE,
             "%s%s%s%s: the labels are numbers, %lld different ones of %lld nodes: a number is learned, not classes "
             "(`task` auto); `task` classes makes each a class",
             texts->path, *texts->column ? ", column '" : "", texts->column, *texts->column ? "'" : "",
             (long long)gpri_ids_count(&texts->ids), (long long)labelled);
}

gpr_status gpri_number_texts_finish(gpri_label_texts *texts, gpri_target *out) {
    gpr_status status = GPR_OK;
    double *values = NULL; /* (ids) */
    float *numbers = NULL; /* (count) */
    int64_t wrong, labelled = 0;
    *out = (gpri_target){0};
    TRY(gpri_alloc(texts->ctx, &values, gpri_ids_count(&texts->ids), sizeof *values, "labels"));
    TRY(gpri_number_texts_read(texts, values, &wrong));
    for (int64_t i = gpri_ids_count(&texts->ids) - 1; i >= 0; i--)
        if (isinf(values[i])) wrong = i;
    if (wrong >= 0)
        THROW(GPR_ERROR_FORMAT,
              "%s:%lld: the label '%.60s'%s%s%s is not a finite number: correct the cell, or leave it empty where the "
              "number is not known; for classes give `task` classes",
              texts->path, (long long)texts->line[wrong], gpri_ids_text(&texts->ids, wrong),
              *texts->column ? ", column '" : "", texts->column, *texts->column ? "'," : "");
    TRY(gpri_alloc(texts->ctx, &numbers, texts->count, sizeof *numbers, "labels"));
    for (int64_t k = 0; k < texts->count; k++) {
        numbers[k] = texts->code[k] < 0 ? (float)NAN : (float)values[texts->code[k]];
        labelled += !isnan(numbers[k]);
    }
    if (labelled == 0)
        THROW(GPR_ERROR_FORMAT, "%s: no label in %lld rows: expected a number in some of them", texts->path,
              (long long)texts->count);
    TRY(check_ids(texts, values, labelled));
    TRY(gpri_target_of_numbers(texts->ctx, out, numbers, texts->count));
    say(texts, labelled);
done:
    gpri_free_all(texts->ctx, values, numbers);
    if (status != GPR_OK) gpri_target_free(texts->ctx, out);
    return status;
}
