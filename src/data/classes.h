/* Labels as a file of their own gives them, and how a dataset takes them. */
#ifndef GPRI_CLASSES_H
#define GPRI_CLASSES_H

#include "data/dataset.h"

typedef struct gpri_classes {
    int32_t *labels; /* (nodes) 0 .. classes - 1, or -1; NULL: there are none */
    int64_t classes;
    gpri_names names; /* (classes), or none: numbers */
} gpri_classes;

void gpri_classes_free(gpr_ctx *ctx, gpri_classes *classes);

/* Puts the labels into the dataset, in place of those it has. *classes is moved: it is empty afterwards, also on
   failure. path: the file, for messages. */
gpr_status gpri_dataset_set_labels(gpr_dataset *data, gpri_classes *classes, const char *path) GPRI_MUST_CHECK;

#endif
