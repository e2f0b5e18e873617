/* The metrics of a run: its predictions, judged on each part of its split. */
#include "train/judge/judge.h"

#include "dist/group.h"
#include "model/input.h"

static gpr_status judge_parts(gpr_ctx *ctx, gpri_run *out, const gpr_dataset *data, const gpr_split *split,
                              const int32_t *classes, const float *proba) {
    gpr_status status = GPR_OK;
    gpri_scored of = {.rows = data->graph.nodes,
                      .classes = data->classes,
                      .proba = proba,
                      .predicted = classes,
                      .labels = data->labels,
                      .parts = split->part,
                      .positive = gpri_positive_class(data->labels, data->graph.nodes, data->classes)};
    int64_t count[4] = {0};
    for (int64_t i = 0; i < split->nodes; i++) count[split->part[i]]++;
    for (int part = GPR_TRAIN; part <= GPR_TEST; part++) {
        of.part = (uint8_t)part;
        gpr_metrics_free(out->metrics[part]);
        out->metrics[part] = NULL;
        if (count[part]) TRY(gpri_metrics_new(ctx, &out->metrics[part], &of));
    }
done:
    return status;
}

gpr_status gpri_run_judge(gpri_run *out, const gpri_trainer *trainer, const gpr_split *split,
                          const gpri_real *smoothed) {
    gpr_ctx *ctx = trainer->ctx;
    const gpr_dataset *data = trainer->data;
    gpr_status status = GPR_OK;
    int32_t *classes = NULL;
    float *proba = NULL;
    int64_t cells;
    if (trainer->net->share && ctx->group->rank > 0) { /* process 0 judges */
        gpri_matrix none;
        return smoothed ? GPR_OK : gpri_net_root_scores(trainer->net, &none);
    }
    if (!gpri_mul_size(data->graph.nodes, data->classes, &cells))
        THROW(GPR_ERROR_MEMORY, "the probabilities do not fit in memory");
    TRY(gpri_alloc(ctx, &classes, data->graph.nodes, sizeof *classes, "predicted classes"));
    TRY(gpri_alloc(ctx, &proba, cells, sizeof *proba, "probabilities"));
    if (!smoothed) TRY(gpri_read_scores(trainer->net, out->model, classes, proba, NULL));
    for (int64_t i = 0; smoothed && i < data->graph.nodes; i++)
        gpri_read_outcome(smoothed, gpri_padded(data->classes), out->model, i, classes, proba, NULL);
    TRY(judge_parts(ctx, out, data, split, classes, proba));
    if (trainer->parts) { /* each has seen its own label */
        gpr_metrics_free(out->metrics[GPR_TRAIN]);
        out->metrics[GPR_TRAIN] = NULL;
    }
done:
    gpri_free(ctx, classes);
    gpri_free(ctx, proba);
    return status;
}
