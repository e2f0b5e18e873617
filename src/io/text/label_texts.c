/* Texts of labels to the numbers of classes. */
#include "io/text/label_texts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/text/dates.h"
#include "io/text/number_texts.h"

gpr_status gpri_label_texts_add(gpri_label_texts *texts, const char *text, int64_t size, int64_t line) {
    int64_t number = -1;
    texts->ids.ctx = texts->ctx;
    if (size > 0) {
        const int64_t before = gpri_ids_count(&texts->ids);
        NEED(gpri_ids_add(&texts->ids, &number, text, size));
        NEED(gpri_grow(texts->ctx, &texts->line, &texts->line_capacity, number + 1, sizeof *texts->line, "labels"));
        if (number == before) texts->line[number] = line;
    }
    NEED(gpri_grow(texts->ctx, &texts->code, &texts->code_capacity, texts->count + 1, sizeof *texts->code, "labels"));
    texts->code[texts->count++] = (int32_t)number;
    return GPR_OK;
}

void gpri_label_texts_free(gpri_label_texts *texts) {
    texts->ids.ctx = texts->ctx;
    gpri_ids_free(&texts->ids);
    gpri_free_all(texts->ctx, texts->line, texts->code);
    *texts = (gpri_label_texts){.ctx = texts->ctx, .path = texts->path};
}

/* A different text: what it says, and later the class that it is. */
typedef struct entry {
    const char *text;
    int64_t number; /* in ids */
    int64_t value;  /* where all are numbers */
    bool missing;   /* it stands for no label */
} entry;

static int by_text(const void *a, const void *b) { return strcmp(((const entry *)a)->text, ((const entry *)b)->text); }

static int by_value(const void *a, const void *b) {
    const entry *left = a, *right = b;
    if (left->missing != right->missing) return left->missing - right->missing; /* the missing ones come last */
    return left->value < right->value ? -1 : left->value > right->value;
}

/* Fills in the values if all texts are numbers; false if one is a word. *odd: one that is a number, but not whole. */
static bool read_values(entry *entries, int64_t count, const entry **odd) {
    *odd = NULL;
    for (int64_t i = 0; i < count; i++) {
        entry *e = &entries[i];
        double value;
        const int64_t size = (int64_t)strlen(e->text);
        e->missing = gpri_is_missing(e->text, size);
        if (e->missing || gpri_span_int(e->text, size, &e->value)) continue;
        if (!gpri_span_real(e->text, size, &value)) return false;
        if (value == floor(value) && fabs(value) < 0x1.0p53) e->value = (int64_t)value;
        else if (!*odd) *odd = e; /* the first */
    }
    return true;
}

/* -1 stands for no label unless -1 and 1 are all there is. */
static void mark_minus_one(const gpri_label_texts *texts, entry *entries, int64_t count) {
    bool signs = true;
    int64_t nodes = 0;
    for (int64_t i = 0; i < count; i++)
        signs = signs && (entries[i].missing || entries[i].value == 1 || entries[i].value == -1);
    if (signs) return;
    for (int64_t i = 0; i < count; i++) {
        if (entries[i].missing || entries[i].value != -1) continue;
        entries[i].missing = true;
        for (int64_t k = 0; k < texts->count; k++) nodes += texts->code[k] == entries[i].number;
    }
    if (nodes > 0)
        gpri_log(texts->ctx, GPR_LOG_WARNING, "%s: the label -1 of %lld node%s is taken as none", texts->path,
                 (long long)nodes, nodes == 1 ? "" : "s");
}

/* entries: (count) in the order of the classes. class_of: (ids) filled in. */
static gpr_status number_classes(gpri_target *out, gpri_label_texts *texts, const entry *entries, int64_t count,
                                 bool numbers, int32_t *class_of) {
    gpr_status status = GPR_OK;
    gpri_ids names = {.ctx = texts->ctx};
    int64_t class_id = -1;
    char text[24];
    for (int64_t i = 0; i < count; i++) {
        class_of[entries[i].number] = -1;
        if (entries[i].missing) continue;
        const char *name = entries[i].text;
        if (numbers) snprintf(text, sizeof text, "%lld", (long long)entries[i].value);
        if (numbers) name = text; /* "1" and "1.0" are one */
        TRY(gpri_ids_add(&names, &class_id, name, (int64_t)strlen(name)));
        class_of[entries[i].number] = (int32_t)class_id;
    }
    out->classes = gpri_ids_count(&names);
    if (!numbers || !gpri_ids_are_numbers(&names)) gpri_ids_take_names(&names, &out->names);
done:
    gpri_ids_free(&names);
    return status;
}

static void warn(const gpri_label_texts *texts, const gpri_target *classes, int64_t labelled) {
    enum { MANY = 20 };
    for (int64_t c = 0; c < classes->names.count; c++)
        if (gpri_is_missing(gpri_name(&classes->names, c), (int64_t)strlen(gpri_name(&classes->names, c))))
            gpri_log(texts->ctx, GPR_LOG_WARNING,
                     "%s: a class is called '%s': where a node has no label, leave its cell empty", texts->path,
                     gpri_name(&classes->names, c));
    if (classes->classes > MANY && classes->classes > labelled / 2)
        gpri_log(texts->ctx, GPR_LOG_WARNING, "%s: %lld different labels for %lld nodes: is it the right column?",
                 texts->path, (long long)classes->classes, (long long)labelled);
}

/* Of the first number that is not whole. */
static gpr_status not_whole(const gpri_label_texts *texts, const entry *odd, int64_t values) {
    return gpri_fail(
        GPR_ERROR_FORMAT,
        "%s:%lld: the label '%.60s' is not a whole number%s%s%s (%lld different values): " GPRI_NUMBERS_REMEDY ")",
        texts->path, (long long)texts->line[odd->number], odd->text, *texts->column ? ", column '" : "", texts->column,
        *texts->column ? "'" : "", (long long)values);
}

/* By the option, or by what they are: classes, or a quantity? */
static gpr_status are_numbers(gpri_label_texts *texts, bool *out) {
    gpr_status status = GPR_OK;
    double *values = NULL; /* (ids) */
    int64_t wrong;
    *out = texts->task == GPRI_TASK_NUMBER;
    if (texts->task != GPRI_TASK_AUTO || texts->known) return GPR_OK;
    TRY(gpri_alloc(texts->ctx, &values, gpri_ids_count(&texts->ids), sizeof *values, "labels"));
    TRY(gpri_number_texts_read(texts, values, &wrong));
    *out = wrong < 0 && gpri_number_texts_are_many(texts, values) &&
           !(texts->numbered && gpri_number_texts_number_classes(texts, values));
done:
    gpri_free(texts->ctx, values);
    return status;
}

gpr_status gpri_label_texts_finish(gpri_label_texts *texts, gpri_target *out) {
    gpr_status status = GPR_OK;
    const int64_t count = gpri_ids_count(&texts->ids);
    entry *entries = NULL;    /* (count) */
    int32_t *class_of = NULL; /* (count) */
    const entry *odd;
    int64_t labelled = 0;
    bool quantity;
    *out = (gpri_target){0};
    NEED(are_numbers(texts, &quantity));
    if (quantity) return gpri_number_texts_finish(texts, out);
    TRY(gpri_alloc(texts->ctx, &entries, count, sizeof *entries, "labels"));
    TRY(gpri_alloc(texts->ctx, &class_of, count, sizeof *class_of, "labels"));
    for (int64_t i = 0; i < count; i++) entries[i] = (entry){.text = gpri_ids_text(&texts->ids, i), .number = i};
    const bool numbers = read_values(entries, count, &odd);
    if (numbers && odd) LEAVE(not_whole(texts, odd, count));
    for (int64_t i = 0; i < count && !numbers; i++) entries[i].missing = false;
    if (numbers) mark_minus_one(texts, entries, count);
    qsort(entries, (size_t)count, sizeof *entries, numbers ? by_value : by_text);
    TRY(number_classes(out, texts, entries, count, numbers, class_of));
    TRY(gpri_alloc(texts->ctx, &out->labels, texts->count, sizeof *out->labels, "labels"));
    for (int64_t k = 0; k < texts->count; k++) {
        out->labels[k] = texts->code[k] < 0 ? -1 : class_of[texts->code[k]];
        labelled += out->labels[k] >= 0;
    }
    if (labelled == 0)
        THROW(GPR_ERROR_FORMAT, "%s: no label in %lld rows: expected a class in some of them", texts->path,
              (long long)texts->count);
    warn(texts, out, labelled);
done:
    gpri_free_all(texts->ctx, entries, class_of);
    if (status != GPR_OK) gpri_target_free(texts->ctx, out);
    return status;
}
