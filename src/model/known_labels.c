/* Labels that a prediction may use: which nodes were for training, kept in the model file as hexadecimal digits of four
 * nodes each, the first node highest. */
#include <string.h>

#include "model/match.h"
#include "model/metadata.h"
#include "model/model.h"

static const char digits[] = "0123456789abcdef";

static int64_t whole_digits(int64_t nodes) { return (nodes + 3) / 4 * 4; }

gpr_status gpri_model_set_smoothing(gpr_model *model, const gpri_smoothing *how, const uint8_t *part, int64_t nodes) {
    model->smoothing = *how;
    if (!gpri_smooths(how)) return GPR_OK;
    const int64_t count = whole_digits(nodes);
    gpri_free(model->ctx, model->known);
    gpr_status status = gpri_calloc(model->ctx, &model->known, count, sizeof *model->known, "known nodes");
    for (int64_t i = 0; status == GPR_OK && i < nodes; i++) model->known[i] = part[i] == GPR_TRAIN;
    model->known_nodes = status == GPR_OK ? count : 0;
    return status;
}

gpr_status gpri_known_labels(gpr_ctx *ctx, int32_t **out, const gpr_model *model, const gpr_dataset *data, bool every,
                             bool *all) {
    gpr_status status = GPR_OK;
    char fingerprint[GPRI_FINGERPRINT_SIZE];
    *out = NULL;
    TRY(gpri_alloc(ctx, out, data->graph.nodes, sizeof **out, "known labels"));
    TRY(gpri_model_labels(ctx, model, data, *out, false));
    gpri_fingerprint(fingerprint, data);
    *all = every || !model->known || model->known_nodes != whole_digits(data->graph.nodes) ||
           strcmp(fingerprint, model->fingerprint) != 0;
    for (int64_t i = 0; !*all && i < data->graph.nodes; i++)
        if (!model->known[i]) (*out)[i] = -1;
done:
    return status;
}

int gpri_meta_set_smoothing(json_t *object, gpr_ctx *ctx, const gpr_model *model) {
    const gpri_smoothing *how = &model->smoothing;
    const float list[] = {how->correct, how->scale, how->smooth};
    const int64_t length = model->known_nodes / 4;
    char *text;
    if (!gpri_smooths(how)) return 0;
    if (gpri_calloc(ctx, &text, length + 1, 1, "known nodes") != GPR_OK) return 1;
    for (int64_t d = 0; d < length; d++) {
        int value = 0;
        for (int64_t i = 4 * d; i < 4 * d + 4; i++) value = 2 * value + model->known[i];
        text[d] = digits[value];
    }
    const int bad =
        gpri_meta_set_reals(object, ctx, "smoothing", list, 3) | gpri_meta_set_text(object, "smoothing_nodes", text);
    gpri_free(ctx, text);
    return bad;
}

gpr_status gpri_meta_smoothing(gpr_model *model, const json_t *meta, const char *path) {
    gpr_status status = GPR_OK;
    float *list = NULL;
    const char *text = json_string_value(json_object_get(meta, "smoothing_nodes"));
    TRY(gpri_meta_reals(model->ctx, meta, "smoothing", &list, 3, path));
    if (!list) goto done;
    model->smoothing = (gpri_smoothing){list[0], list[1], list[2]};
    if (!(list[0] >= 0 && list[0] <= 1 && list[1] >= 0 && list[2] >= 0 && list[2] <= 1))
        THROW(GPR_ERROR_FORMAT, "%s: metadata 'smoothing' is out of bounds", path);
    if (!text || strspn(text, digits) != strlen(text))
        THROW(GPR_ERROR_FORMAT, "%s: metadata 'smoothing_nodes' is missing, or has other letters than 0-9 and a-f",
              path);
    model->known_nodes = 4 * (int64_t)strlen(text);
    TRY(gpri_alloc(model->ctx, &model->known, model->known_nodes, sizeof *model->known, "known nodes"));
    for (int64_t i = 0; i < model->known_nodes; i++)
        model->known[i] = (strchr(digits, text[i / 4]) - digits) >> (3 - i % 4) & 1;
done:
    gpri_free(model->ctx, list);
    return status;
}
