/* Which labels a prediction uses. The model remembers the training nodes: on the data of the training they alone show
 * their labels to the nodes that have one, as in its evaluation. On other data every labelled node does. */
#include <string.h>

#include "model/known.h"
#include "model/match.h"
#include "tensor/label_counts.h"

/* One hexadecimal digit for four nodes, the first of them lowest. */
enum { NODES_PER_DIGIT = 4 };

static int64_t digits_of(int64_t nodes) { return (nodes + NODES_PER_DIGIT - 1) / NODES_PER_DIGIT; }

static int digit_value(char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; }

gpr_status gpri_known_nodes_text(gpr_ctx *ctx, char **out, const uint8_t *part, int64_t nodes) {
    gpr_status status = gpri_calloc(ctx, out, digits_of(nodes) + 1, 1, "known labels");
    if (status != GPR_OK) return status;
    for (int64_t d = 0; d < digits_of(nodes); d++) {
        int value = 0;
        for (int64_t i = d * NODES_PER_DIGIT; i < nodes && i < (d + 1) * NODES_PER_DIGIT; i++)
            if (part[i] == GPR_TRAIN) value |= 1 << i % NODES_PER_DIGIT;
        (*out)[d] = "0123456789abcdef"[value];
    }
    return GPR_OK;
}

bool gpri_known_nodes_valid(const char *text) { return text[strspn(text, "0123456789abcdef")] == 0; }

static bool is_known(const char *text, int64_t node) {
    return digit_value(text[node / NODES_PER_DIGIT]) >> node % NODES_PER_DIGIT & 1;
}

bool gpri_model_uses_labels(const gpr_model *model) {
    return gpri_model_takes_labels(model->params) || gpri_model_counts_labels(model->params) ||
           gpri_smooths(&model->smoothing);
}

/* Both shares are of whole digits of nodes: a model does not know the number of nodes otherwise. */
double gpri_known_share(const int32_t *known, int64_t nodes) {
    int64_t count = 0;
    for (int64_t i = 0; i < nodes; i++) count += known[i] >= 0;
    return (double)count / (double)(digits_of(nodes) * NODES_PER_DIGIT);
}

double gpri_model_known_share(const gpr_model *model) {
    const int64_t digits = model->known_nodes ? (int64_t)strlen(model->known_nodes) : 0;
    int64_t count = 0;
    for (int64_t i = 0; i < digits * NODES_PER_DIGIT; i++) count += is_known(model->known_nodes, i);
    return digits ? (double)count / (double)(digits * NODES_PER_DIGIT) : 0;
}

gpr_status gpri_know(gpr_ctx *ctx, gpri_recipe *recipe, gpri_knowledge *knowledge, const gpr_params *params,
                     const gpri_graph *graph, double usual, int threads) {
    gpr_status status = GPR_OK;
    if (recipe->labels.classes) recipe->labels.known = knowledge->known;
    if (!gpri_model_counts_labels(params)) return GPR_OK;
    const double share = gpri_known_share(knowledge->known, graph->nodes);
    gpri_free(ctx, knowledge->counts);
    TRY(gpri_label_counts(ctx, &knowledge->counts, graph, knowledge->known, recipe->classes,
                          share > 0 ? usual / share : 1, threads));
    recipe->counts = knowledge->counts;
done:
    return status;
}

void gpri_knowledge_free(gpr_ctx *ctx, gpri_knowledge *knowledge) {
    gpri_free(ctx, knowledge->known);
    gpri_free(ctx, knowledge->counts);
    *knowledge = (gpri_knowledge){NULL, NULL};
}

gpr_status gpri_model_known(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, bool every, int32_t *known,
                            bool *all) {
    const int64_t nodes = data->graph.nodes;
    char fingerprint[GPRI_FINGERPRINT_SIZE];
    gpr_status status = gpri_match_labels(ctx, model, data, known, false);
    if (status != GPR_OK) return status;
    gpri_fingerprint(fingerprint, data);
    const bool trained = !every && model->known_nodes && strcmp(fingerprint, model->fingerprint) == 0;
    if (trained && (int64_t)strlen(model->known_nodes) != digits_of(nodes))
        return gpri_fail(GPR_ERROR_MISMATCH, "the model's list of training nodes is not of %lld nodes: it is damaged",
                         (long long)nodes);
    *all = true;
    for (int64_t i = 0; i < nodes; i++) {
        const bool hidden = known[i] >= 0 && trained && !is_known(model->known_nodes, i);
        if (hidden) *all = false;
        if (hidden || known[i] < 0) known[i] = -1;
    }
    return GPR_OK;
}

gpr_status gpri_know_of_model(gpr_ctx *ctx, gpri_recipe *recipe, gpri_knowledge *knowledge, const gpr_model *model,
                              const gpr_dataset *data, bool every) {
    gpr_status status = GPR_OK;
    bool all;
    if (!gpri_model_uses_labels(model)) return GPR_OK;
    TRY(gpri_alloc(ctx, &knowledge->known, data->graph.nodes, sizeof *knowledge->known, "known labels"));
    TRY(gpri_model_known(ctx, model, data, every, knowledge->known, &all));
    TRY(gpri_know(ctx, recipe, knowledge, model->params, &data->graph, gpri_model_known_share(model), ctx->threads));
done:
    return status;
}

gpr_status gpr_model_known_labels(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *labels) {
    bool all;
    if (!ctx || !model || !data || !labels)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_model_known_labels: a NULL argument");
    gpr_status status = gpri_dataset_ready(ctx, data);
    if (status == GPR_OK && gpri_model_takes_labels(model->params))
        status = gpri_model_known(ctx, model, data, false, labels, &all);
    else
        for (int64_t i = 0; status == GPR_OK && i < data->graph.nodes; i++) labels[i] = -1;
    return gpri_finish(status);
}
