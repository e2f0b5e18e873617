/* gpr_model_split: the split that a model was trained on, where the data is that of its training. */
#include <string.h>

#include "data/describe.h"
#include "file/file.h"
#include "file/path.h"
#include "file/run_folder.h"
#include "io/split.h"
#include "model/model.h"
#include "report/report.h"

/* From the run folder. *out stays NULL where it has none. */
static gpr_status read_split(gpr_ctx *ctx, gpr_split **out, const gpr_dataset *data, const char *dir) {
    char path[GPRI_LONGEST_PATH];
    gpr_status status = gpri_path_in(path, dir, "split.npz");
    if (status != GPR_OK || !gpri_is_file(path)) return status;
    return gpri_split_make(ctx, out, data, path, 0, 0, 0);
}

/* By the options of the model. A model must not choose which files are opened: only rules and columns are followed. */
static gpr_status draw_split(gpr_ctx *ctx, gpr_split **out, const gpr_model *model, const gpr_dataset *data) {
    const char *spec = gpri_params_text(model->params, GPRI_PARAM_SPLIT);
    if (!gpri_split_names_rule(spec) || (strcmp(spec, "column") == 0 && !data->own_split.part) ||
        (gpri_split_is_by_time(spec) && !data->own_split.time))
        return GPR_OK;
    const uint64_t seed = (uint64_t)gpri_params_int(model->params, GPRI_PARAM_SEED);
    const gpr_status status = gpri_split_make(ctx, out, data, spec, seed, 0, 0);
    return status == GPR_ERROR_ARGUMENT && model->foreign
               ? gpri_fail(GPR_ERROR_FORMAT, "the model is damaged: %s", gpr_last_error())
               : status; /* nobody gave that option now */
}

gpr_status gpr_model_split(gpr_ctx *ctx, gpr_split **out, const gpr_model *model, const gpr_dataset *data,
                           const char *dir) {
    gpr_status status = GPR_OK;
    gpr_split *split = NULL;
    char fingerprint[GPRI_FINGERPRINT_SIZE];
    if (out) *out = NULL;
    if (!ctx || !out || !model || !data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_model_split: a NULL argument");
    TRY(gpri_dataset_ready(ctx, data));
    gpri_fingerprint(fingerprint, data);
    if (strcmp(fingerprint, model->fingerprint) != 0) goto done;
    if (dir) TRY(read_split(ctx, &split, data, dir));
    if (!split) TRY(draw_split(ctx, &split, model, data));
    if (split && gpri_split_hash(split) == model->split_hash) { /* else it is another one: a column that has changed */
        *out = split;
        split = NULL;
    }
done:
    gpr_split_free(split);
    return gpri_finish(status);
}
