/* Labels of tables that are numbers to tell, such as prices: as they stand in cells, 12.5 or "$1,234", to a target. */
#ifndef GPRI_NUMBER_TEXTS_H
#define GPRI_NUMBER_TEXTS_H

#include "io/text/label_texts.h"

/* Of different texts (gpri_ids) in the style of the column (amounts.h): the number of each, NaN where it stands for
   none, infinite where it is no finite one. values: (ids). *wrong: a text that is no number; -1: there is none. */
gpr_status gpri_number_texts_read(gpri_label_texts *texts, double *values, int64_t *wrong) GPRI_MUST_CHECK;

/* Whether they are a quantity: one is not whole, or there are many different ones. */
bool gpri_number_texts_are_many(const gpri_label_texts *texts, const double *values);

/* Whether they are 0, 1, 2, ... without a gap, and fewer than there are rows: then an array of them may be the numbers
   of classes. */
bool gpri_number_texts_number_classes(const gpri_label_texts *texts, const double *values);

/* The target. A text that is no number is an error, and so are numbers that none is known of. */
gpr_status gpri_number_texts_finish(gpri_label_texts *texts, gpri_target *out) GPRI_MUST_CHECK;

#endif
