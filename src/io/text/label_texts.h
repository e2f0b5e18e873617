/* Labels as they stand in a table, one text per row, to classes.
 *
 *     gpri_label_texts texts = {.ctx = ctx, .path = path};
 *     TRY(gpri_label_texts_add(&texts, "Theory", 6, line));   // row after row; a size of 0: no label
 *     TRY(gpri_label_texts_finish(&texts, &classes));
 *     done: gpri_label_texts_free(&texts);
 *
 * Classes are in the order of their numbers where all texts are whole numbers ("2.0", as programs write a column of
 * whole numbers with gaps, is 2), else in the order of their bytes. Among numbers, "nan" and its like stand for no
 * label, and so does -1, unless -1 and 1 are all there is. Numbers 0, 1, 2, ... without a gap need no names.
 *
 * A column that measures something (a price, an age) is not classes: it would be thousands of them. Numbers are told as
 * such (number_texts.h) where one is not whole, or where there are more than 50 different ones and more than 5 % of the
 * labelled rows; or as the option `task` says. */
#ifndef GPRI_LABEL_TEXTS_H
#define GPRI_LABEL_TEXTS_H

#include "base/params.h"
#include "io/text/ids.h"
#include "task/target.h"

typedef struct gpri_label_texts {
    gpr_ctx *ctx;
    const char *path; /* the file, for messages */
    char column[64];  /* its column, for messages; "": it has but one */
    gpri_data_value task; /* what they are */
    bool known;       /* a model that has its classes already will predict: as many numbers as there are */
    bool numbered;    /* an array: numbers 0, 1, 2, ... without a gap are those of classes, however many */
    gpri_ids ids;     /* the different texts */
    int64_t *line;    /* (ids) where each was first seen */
    int32_t *code;    /* (count) of ids, or -1: none */
    int64_t count, line_capacity, code_capacity;
} gpri_label_texts;

gpr_status gpri_label_texts_add(gpri_label_texts *texts, const char *text, int64_t size, int64_t line) GPRI_MUST_CHECK;
/* Labels that are all missing are an error, and so are numbers with a fraction where they shall be classes. */
gpr_status gpri_label_texts_finish(gpri_label_texts *texts, gpri_target *out) GPRI_MUST_CHECK;
void gpri_label_texts_free(gpri_label_texts *texts);

/* Of numbers that are no classes, and shall be: what to do. */
#define GPRI_NUMBERS_REMEDY                                                                                      \
    "for classes make a column with a few of them, such as low, middle and high (in pandas: pd.qcut(column, 3, " \
    "labels=['low', 'middle', 'high']); a number is learned with `task` number"

#endif
