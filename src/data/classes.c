/* Labels from a file of their own, put into a dataset. */
#include "data/classes.h"

void gpri_classes_free(gpr_ctx *ctx, gpri_classes *classes) {
    gpri_free(ctx, classes->labels);
    gpri_names_free(ctx, &classes->names);
    *classes = (gpri_classes){0};
}

gpr_status gpri_dataset_set_labels(gpr_dataset *data, gpri_classes *classes, const char *path) {
    gpr_status status = GPR_OK;
    if (classes->classes > GPRI_MOST_CLASSES)
        THROW(GPR_ERROR_FORMAT, "%s: %lld classes: there may be %d", path, (long long)classes->classes,
              GPRI_MOST_CLASSES);
    gpri_dataset_drop_labels(data);
    data->labels = classes->labels;
    data->classes = classes->classes;
    data->class_names = classes->names;
    *classes = (gpri_classes){0};
    gpri_names_make_utf8(&data->class_names);
done:
    gpri_classes_free(data->ctx, classes);
    return status;
}
