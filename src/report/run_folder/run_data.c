/* The data that a run folder was made from. The folder may be a stranger's: it chooses no file outside of it. */
#include <string.h>

#include "io/catalogue.h"
#include "model/model.h"

/* The dataset that the model names, if it is a public one that is here and the same. A model must not choose which
   files are opened, so no path and no other name is followed. Else *out stays NULL. */
gpr_status gpr_run_folder_data(gpr_ctx *ctx, gpr_dataset **out, const gpr_model *model, const char *data_dir) {
    if (out) *out = NULL;
    if (!ctx || !out || !model) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_run_folder_data: a NULL argument");
    const char *known[GPRI_CATALOGUE_SIZE], *name = model->dataset;
    char fingerprint[GPRI_FINGERPRINT_SIZE];
    bool is_known = false;
    gpri_catalogue_names(known);
    for (int i = 0; name && i < GPRI_CATALOGUE_SIZE; i++) is_known = is_known || strcmp(known[i], name) == 0;
    if (!is_known) {
        gpri_log(ctx, GPR_LOG_INFO, "the run was made on %s: name the data to see more", name ? name : "unnamed data");
        return gpri_finish(GPR_OK);
    }
    gpr_status status = gpr_dataset_open(ctx, out, name, data_dir);
    if (status == GPR_OK) status = gpri_dataset_ready(ctx, *out);
    if (status == GPR_ERROR_MEMORY) return status;
    if (status == GPR_OK) gpri_fingerprint(fingerprint, *out);
    if (status == GPR_OK && strcmp(fingerprint, model->fingerprint) == 0) return gpri_finish(GPR_OK);
    gpri_log(ctx, GPR_LOG_WARNING, "%s: the data of the run is not used: %s", name,
             status == GPR_OK ? "what is here is other data" : gpr_last_error());
    gpr_dataset_free(*out);
    *out = NULL;
    return gpri_finish(GPR_OK);
}
