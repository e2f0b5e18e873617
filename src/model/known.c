/* Which labels a prediction uses: those of the data and, for nodes of the training, those that the model remembers. Of
 * the latter the training nodes alone show their labels to nodes that have one, as in the model's evaluation. */
#include <string.h>

#include "base/print.h"
#include "model/known.h"
#include "model/match.h"
#include "tensor/label_counts.h"

/* One hexadecimal digit for four nodes, the first of them lowest. */
enum { NODES_PER_DIGIT = 4 };

static int64_t digits_of(int64_t nodes) { return (nodes + NODES_PER_DIGIT - 1) / NODES_PER_DIGIT; }

static int digit_value(char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; }

gpr_status gpri_known_nodes_text(gpr_ctx *ctx, char **out, const uint8_t *part, int64_t nodes) {
    NEED(gpri_calloc(ctx, out, digits_of(nodes) + 1, 1, "known labels"));
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
    if (recipe->labels.classes) recipe->labels.known = knowledge->known;
    if (!gpri_model_counts_labels(params)) return GPR_OK;
    const double share = gpri_known_share(knowledge->known, graph->nodes);
    gpri_free(ctx, knowledge->counts);
    const gpri_graph *graphs[GPRI_MOST_RELATIONS];
    const int count = gpri_filter_graphs(graphs, params, graph);
    NEED(gpri_label_counts(ctx, &knowledge->counts, graphs, count, knowledge->known, recipe->classes,
                           share > 0 ? usual / share : 1, threads));
    recipe->counts = knowledge->counts;
    return GPR_OK;
}

void gpri_knowledge_free(gpr_ctx *ctx, gpri_knowledge *knowledge) {
    gpri_free_all(ctx, knowledge->known, knowledge->counts);
    *knowledge = (gpri_knowledge){NULL, NULL};
}

bool gpri_is_data_of(const gpr_model *model, const gpr_dataset *data) {
    char fingerprint[GPRI_FINGERPRINT_SIZE];
    gpri_fingerprint(fingerprint, data);
    if (strcmp(fingerprint, model->fingerprint) == 0) return true;
    if (!model->past || model->past->nodes != data->graph.nodes) return false;
    gpri_unlabelled_fingerprint(fingerprint, data);
    return strcmp(fingerprint, model->past->data) == 0;
}

/* place: (nodes) the node of the training that each is, or -1. *found: whether there are any. Never by the numbers of
   rows alone: other data may have as many. */
static gpr_status find_places(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int64_t *place,
                              bool *found, bool *by_ids) {
    const int64_t nodes = data->graph.nodes;
    const gpri_past *past = model->past;
    const bool same = model->known_nodes && gpri_is_data_of(model, data);
    if (same && ((int64_t)strlen(model->known_nodes) != digits_of(nodes) || (past && past->nodes != nodes)))
        return gpri_fail(GPR_ERROR_MISMATCH, "the model's list of training nodes is not of %lld nodes: it is damaged",
                         (long long)nodes);
    const bool has_ids = past && (past->ids.count > 0 || (model->plan && gpri_plan_of_role(model->plan, GPRI_ROLE_ID)));
    for (int64_t i = 0; i < nodes; i++) place[i] = same ? i : -1;
    *found = same;
    *by_ids = !same;
    if (same || !has_ids || !gpri_ids_tell(data)) return GPR_OK;
    gpr_status status = gpri_match_ids(ctx, model, data, place);
    for (int64_t i = 0; i < nodes && status == GPR_OK; i++) *found = *found || place[i] >= 0;
    return status;
}

/* Adds what the model remembers, and hides labels that a node of the training is judged by. */
static void remember(gpri_labels *out, const gpr_model *model, const gpr_dataset *data, const int64_t *place) {
    const gpri_past *past = model->past;
    for (int64_t i = 0; i < data->graph.nodes; i++) {
        if (place[i] < 0) continue;
        const int32_t before = past ? past->labels[place[i]] : out->labels[i];
        if (before < 0) continue;
        if (out->labels[i] == -1) {
            out->labels[i] = before;
            out->remembered++;
        }
        out->others += out->labels[i] != before;
        out->hidden[i] = out->labels[i] >= 0 && !is_known(model->known_nodes, place[i]);
        out->hides = out->hides || out->hidden[i];
    }
}

gpr_status gpri_labels_of(gpr_ctx *ctx, gpri_labels *out, const gpr_model *model, const gpr_dataset *data) {
    const int64_t nodes = data->graph.nodes;
    int64_t *place = NULL; /* (nodes) */
    gpr_status status = GPR_OK;
    bool found;
    *out = (gpri_labels){.nodes = nodes};
    TRY(gpri_alloc(ctx, &out->labels, nodes, sizeof *out->labels, "known labels"));
    TRY(gpri_calloc(ctx, &out->hidden, nodes, sizeof *out->hidden, "known labels"));
    TRY(gpri_alloc(ctx, &place, nodes, sizeof *place, "known labels"));
    TRY(gpri_match_labels(ctx, model, data, out->labels, false));
    TRY(find_places(ctx, model, data, place, &found, &out->by_ids));
    if (found) remember(out, model, data, place);
done:
    gpri_free(ctx, place);
    return status;
}

void gpri_labels_free(gpr_ctx *ctx, gpri_labels *labels) {
    gpri_free_all(ctx, labels->labels, labels->hidden);
    *labels = (gpri_labels){.nodes = 0};
}

void gpri_labels_known(int32_t *known, const gpri_labels *labels, bool every) {
    for (int64_t i = 0; i < labels->nodes; i++)
        known[i] = labels->labels[i] < 0 || (labels->hidden[i] && !every) ? -1 : labels->labels[i];
}

bool gpri_labels_lack(const gpri_labels *labels) {
    for (int64_t i = 0; i < labels->nodes; i++)
        if (labels->labels[i] == -1) return true;
    return false;
}

/* Warns where there is no label at all; else logs what is not plain to see. */
static void tell(gpr_ctx *ctx, const gpri_labels *labels, const gpr_model *model, const gpr_dataset *data) {
    static const double harmless = 0.02; /* a measure that is lower by less without labels */
    char told[160] = "";
    int64_t nodes = 0;
    if (labels->remembered > 0)
        gpri_log(ctx, labels->by_ids ? GPR_LOG_NOTICE : GPR_LOG_INFO,
                 "%s: the labels of %lld nodes are those of the training, as the model keeps them%s", data->name,
                 (long long)labels->remembered, labels->by_ids ? " (by their ids)" : "");
    if (labels->others > 0)
        gpri_log(ctx, GPR_LOG_INFO,
                 "%s: %lld nodes have another label than in the training: the one of the data counts", data->name,
                 (long long)labels->others);
    for (int64_t i = 0; i < labels->nodes; i++)
        if (labels->labels[i] >= 0) return;
    const gpri_worth *worth = &model->worth;
    for (const char *digit = model->known_nodes; digit && *digit; digit++)
        for (int value = digit_value(*digit); value; value &= value - 1) nodes++;
    if (worth->measure[0])
        gpri_print(told, sizeof told, "; on its validation nodes %s was %.3g with them, and %.3g without any",
                   worth->measure, worth->with, worth->without);
    const bool costs = !worth->measure[0] || worth->without < worth->with - harmless;
    gpri_log(
        ctx, GPR_LOG_WARNING,
        "%s: the model uses known labels, and gets none here%s. It was trained with the labels of %lld nodes (%.3g %% "
        "of all)%s. Give `label` or `labels`, or known_labels",
        data->name, costs ? ": its predictions may be as bad as guesses" : "", (long long)nodes,
        100 * gpri_model_known_share(model), told);
}

gpr_status gpri_know_of_model(gpr_ctx *ctx, gpri_knowledge *knowledge, gpri_labels *labels, const gpr_model *model,
                              const gpr_dataset *data, bool every) {
    *labels = (gpri_labels){.nodes = 0};
    if (!gpri_model_uses_labels(model)) return GPR_OK;
    NEED(gpri_alloc(ctx, &knowledge->known, data->graph.nodes, sizeof *knowledge->known, "known labels"));
    NEED(gpri_labels_of(ctx, labels, model, data));
    tell(ctx, labels, model, data);
    gpri_labels_known(knowledge->known, labels, every);
    return GPR_OK;
}

gpr_status gpr_model_learned_nodes(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, uint8_t *learned) {
    int64_t *place = NULL; /* (nodes) */
    bool found, by_ids;
    gpr_status status = GPR_OK;
    if (!ctx || !model || !data || !learned)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_model_learned_nodes: a NULL argument");
    TRY(gpri_dataset_ready(ctx, data));
    memset(learned, 0, (size_t)data->graph.nodes);
    if (!model->known_nodes) goto done;
    TRY(gpri_alloc(ctx, &place, data->graph.nodes, sizeof *place, "nodes of the training"));
    TRY(find_places(ctx, model, data, place, &found, &by_ids));
    for (int64_t i = 0; i < data->graph.nodes; i++)
        learned[i] = place[i] >= 0 && is_known(model->known_nodes, place[i]);
done:
    gpri_free(ctx, place);
    return gpri_finish(status);
}

gpr_status gpr_model_known_labels(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *labels) {
    gpri_labels kept = {.nodes = 0};
    if (!ctx || !model || !data || !labels)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_model_known_labels: a NULL argument");
    gpr_status status = gpri_dataset_ready(ctx, data);
    if (status == GPR_OK && gpri_model_takes_labels(model->params)) {
        status = gpri_labels_of(ctx, &kept, model, data);
        if (status == GPR_OK) gpri_labels_known(labels, &kept, false);
    } else {
        for (int64_t i = 0; status == GPR_OK && i < data->graph.nodes; i++) labels[i] = -1;
    }
    gpri_labels_free(ctx, &kept);
    return gpri_finish(status);
}
