/* What simple methods reach on the split of each run: the majority of the training nodes, the features without the
 * graph, and the labels of the neighbours without the features. Of numbers: means in place of majority and vote. */
#include <math.h>
#include <string.h>

#include "baseline/baselines.h"
#include "baseline/logistic.h"
#include "model/input.h"

static const char *const words[GPRI_BASELINES] = {
    [GPRI_MAJORITY] = "majority", [GPRI_FEATURES_ONLY] = "features", [GPRI_NEIGHBOURS] = "neighbours"};

const char *gpr_baseline_word(int index) { return index >= 0 && index < GPRI_BASELINES ? words[index] : NULL; }

/* The shares of the classes among the training nodes. */
static void find_prior(float *prior, const gpr_split *split) {
    int64_t all = 0;
    for (int64_t c = 0; c < split->classes; c++) all += gpr_split_count(split, GPR_TRAIN, c);
    for (int64_t c = 0; c < split->classes; c++)
        prior[c] = (float)((double)gpr_split_count(split, GPR_TRAIN, c) / (double)all);
}

/* Each training neighbour votes with the weight of its edge; a node without one gets the prior. row: (classes) */
static void vote(float *proba, const float *prior, const gpr_dataset *data, const gpr_split *split, double *row) {
    const gpri_graph *graph = &data->graph;
    const int64_t C = split->classes;
    for (int64_t i = 0; i < graph->nodes; i++) {
        double all = 0;
        for (int64_t c = 0; c < C; c++) row[c] = 0;
        for (int64_t e = graph->rowptr[i]; e < graph->rowptr[i + 1]; e++) {
            const int64_t j = graph->column[e];
            if (split->part[j] != GPR_TRAIN) continue;
            const double weight = graph->weight ? (double)graph->weight[e] : 1;
            row[data->target.labels[j]] += weight;
            all += weight;
        }
        for (int64_t c = 0; c < C; c++) proba[i * C + c] = all > 0 ? (float)(row[c] / all) : prior[c];
    }
}

/* The mean of a node's training neighbours by the weights of the edges; a node without one gets `mean`. */
static void average(float *out, float mean, const gpr_dataset *data, const gpr_split *split) {
    const gpri_graph *graph = &data->graph;
    for (int64_t i = 0; i < graph->nodes; i++) {
        double sum = 0, all = 0;
        for (int64_t e = graph->rowptr[i]; e < graph->rowptr[i + 1]; e++) {
            const int64_t j = graph->column[e];
            if (split->part[j] != GPR_TRAIN) continue;
            const double weight = graph->weight ? (double)graph->weight[e] : 1;
            sum += weight * (double)data->target.numbers[j];
            all += weight;
        }
        out[i] = all > 0 ? (float)(sum / all) : mean;
    }
}

typedef struct maker {
    gpr_ctx *ctx;
    const gpr_dataset *data;
    gpri_model_input input; /* the features as the models take them; rows 0: there are none */
    float *proba, *prior;   /* (nodes x classes), (classes) */
    double *row;            /* (classes) */
} maker;

static gpr_status judge(maker *make, gpr_metrics **out, const gpr_split *split) {
    return gpri_metrics_of_part(make->ctx, out, make->data, split, GPR_TEST, &(gpri_outcome){.proba = make->proba});
}

static gpr_status make_for_run(maker *make, gpri_run *run) {
    const gpr_split *split = run->split;
    const int64_t N = make->data->graph.nodes, C = split->classes;
    const float *numbers = make->data->target.numbers;
    if (numbers) make->prior[0] = (float)gpri_unit_of(numbers, split->part, GPR_TRAIN, N).mean;
    else find_prior(make->prior, split);
    for (int64_t i = 0; i < N * C; i++) make->proba[i] = make->prior[i % C];
    NEED(judge(make, &run->baselines[GPRI_MAJORITY], split));
    if (numbers) average(make->proba, make->prior[0], make->data, split);
    else vote(make->proba, make->prior, make->data, split, make->row);
    NEED(judge(make, &run->baselines[GPRI_NEIGHBOURS], split));
    if (make->input.features.rows == 0) return GPR_OK;
    NEED(gpri_logistic(make->ctx, make->proba, &make->input.features, &make->data->target, split));
    return judge(make, &run->baselines[GPRI_FEATURES_ONLY], split);
}

gpr_status gpr_result_add_baselines(gpr_ctx *ctx, gpr_result *result, const gpr_dataset *data) {
    gpr_status status = GPR_OK;
    maker make = {.ctx = ctx, .data = data};
    char fingerprint[GPRI_FINGERPRINT_SIZE];
    int64_t cells;
    if (!ctx || !result || !data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_result_add_baselines: a NULL argument");
    TRY(gpri_dataset_ready(ctx, data));
    gpri_fingerprint(fingerprint, data);
    if (strcmp(fingerprint, result->fingerprint) != 0)
        THROW(GPR_ERROR_MISMATCH, "%s is not the data of this training", data->name);
    make.ctx = result->ctx; /* what stays belongs to the result */
    if (!gpri_mul_size(data->graph.nodes, data->target.classes, &cells))
        THROW(GPR_ERROR_MEMORY, "the probabilities do not fit in memory");
    TRY(gpri_alloc(make.ctx, &make.proba, cells, sizeof *make.proba, "probabilities"));
    TRY(gpri_alloc(make.ctx, &make.prior, data->target.classes, sizeof *make.prior, "shares of classes"));
    TRY(gpri_alloc(make.ctx, &make.row, data->target.classes, sizeof *make.row, "votes"));
    if (data->features.cols > 0 && result->count > 0)
        TRY(gpri_model_input_new(make.ctx, &make.input, result->runs[result->best].model, data, false));
    for (int64_t r = 0; r < result->count; r++) TRY(make_for_run(&make, &result->runs[r]));
    TRY(gpri_dataset_unchanged(ctx, data, true));
    gpri_result_forget_texts(result);
done:
    gpri_model_input_free(make.ctx, &make.input);
    gpri_free_all(make.ctx, make.proba, make.prior, make.row);
    return gpri_finish(status);
}

const gpr_metrics *gpr_result_baseline(const gpr_result *result, int64_t run, int index) {
    if (!result || run < 0 || run >= result->count || index < 0 || index >= GPRI_BASELINES) return NULL;
    return result->runs[run].baselines[index];
}

typedef struct {
    const gpr_result *result;
    int index;
    gpri_measure which;
} of_runs;

static double of_run(const void *arg, int64_t run) {
    const of_runs *wanted = arg;
    const gpr_metrics *metrics = wanted->result->runs[run].baselines[wanted->index];
    return metrics ? metrics->values[wanted->which] : NAN;
}

gpri_mean gpri_baseline_mean(const gpr_result *result, int index, gpri_measure which) {
    const of_runs wanted = {result, index, which};
    return gpri_mean_by(of_run, &wanted, result->count);
}

gpr_status gpr_result_baseline_mean(const gpr_result *result, int index, const char *word, double *mean, double *ci95) {
    if (!result || !word || !mean || index < 0 || index >= GPRI_BASELINES)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_result_baseline_mean: a NULL argument, or no baseline %d", index);
    const gpri_measure which = gpri_measure_find(word);
    if (which == GPRI_MEASURES) return gpri_finish(gpri_measure_unknown(word));
    const gpri_mean found = gpri_baseline_mean(result, index, which);
    *mean = found.mean;
    if (ci95) *ci95 = found.ci95;
    return gpri_finish(GPR_OK);
}
