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

void gpri_outcome_free(gpr_ctx *ctx, gpri_outcome *outcome) {
    gpri_free(ctx, outcome->classes);
    gpri_free(ctx, outcome->proba);
    *outcome = (gpri_outcome){NULL, NULL};
}

static gpr_status make_room(gpr_ctx *ctx, gpri_outcome *out, const gpr_dataset *data) {
    int64_t cells;
    gpr_status status = GPR_OK;
    *out = (gpri_outcome){NULL, NULL};
    if (!gpri_mul_size(data->graph.nodes, data->classes, &cells))
        THROW(GPR_ERROR_MEMORY, "the probabilities do not fit in memory");
    TRY(gpri_alloc(ctx, &out->classes, data->graph.nodes, sizeof *out->classes, "predicted classes"));
    TRY(gpri_alloc(ctx, &out->proba, cells, sizeof *out->proba, "probabilities"));
done:
    return status;
}

gpr_status gpri_outcome_read(gpri_outcome *out, const gpri_trainer *trainer, const gpr_model *model) {
    gpr_status status = GPR_OK;
    *out = (gpri_outcome){NULL, NULL};
    if (trainer->net->share && trainer->ctx->group->rank > 0) { /* process 0 reads */
        gpri_matrix none;
        return gpri_net_root_scores(trainer->net, &none);
    }
    TRY(make_room(trainer->ctx, out, trainer->data));
    TRY(gpri_read_scores(trainer->net, model, out->classes, out->proba, NULL));
done:
    if (status != GPR_OK) gpri_outcome_free(trainer->ctx, out);
    return status;
}

gpr_status gpri_run_judge(gpri_run *out, const gpri_trainer *trainer, const gpr_split *split, const gpri_real *smoothed,
                          gpri_outcome *kept) {
    gpr_ctx *ctx = trainer->ctx;
    const gpr_dataset *data = trainer->data;
    gpr_status status = GPR_OK;
    gpri_outcome made = {NULL, NULL};
    if (!smoothed) TRY(gpri_outcome_read(&made, trainer, out->model));
    if (trainer->net->share && ctx->group->rank > 0) return GPR_OK; /* process 0 judges */
    if (smoothed) TRY(make_room(ctx, &made, data));
    for (int64_t i = 0; smoothed && i < data->graph.nodes; i++)
        gpri_read_outcome(smoothed, gpri_padded(data->classes), out->model, i, made.classes, made.proba, NULL);
    TRY(judge_parts(ctx, out, data, split, made.classes, made.proba));
    if (trainer->parts) { /* each has seen its own label */
        gpr_metrics_free(out->metrics[GPR_TRAIN]);
        out->metrics[GPR_TRAIN] = NULL;
    }
    if (kept) {
        *kept = made;
        made = (gpri_outcome){NULL, NULL};
    }
done:
    gpri_outcome_free(ctx, &made);
    return status;
}
