/* Rounds of boosting for a net of trees. */
#include "train/trees/boosting.h"

#include "dist/all.h"
#include "model/model.h"
#include "trees/booster.h"

struct gpri_boosting {
    gpr_ctx *ctx;
    gpri_boosting_source from;
    gpri_booster_options options;
    gpri_booster *booster;   /* made with the first round: a run that is finished needs none */
    gpri_tree_arrays *trees; /* (groups) */
    int64_t done;            /* rounds that the booster has */
};

gpr_status gpri_boosting_check(gpr_ctx *ctx, const gpr_params *params) {
    if (!gpri_model_is(params, GPRI_MODEL_FOREST)) return GPR_OK;
    if (ctx->job.device != ctx->job.cpu)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the model %s is computed on the CPU: give `device` cpu",
                         gpri_params_text(params, GPRI_PARAM_MODEL));
    return gpri_booster_there();
}

gpr_status gpri_boosting_new(gpr_ctx *ctx, gpri_boosting **out, const gpri_boosting_source *from,
                             const gpr_params *params, uint64_t seed) {
    NEED(gpri_calloc(ctx, out, 1, sizeof **out, "booster"));
    gpri_boosting *b = *out;
    b->ctx = ctx;
    b->from = *from;
    b->options = (gpri_booster_options){.depth = gpri_params_int(params, GPRI_PARAM_DEPTH),
                                        .rate = gpri_params_real(params, GPRI_PARAM_LR),
                                        .rows = gpri_params_real(params, GPRI_PARAM_ROW_SHARE),
                                        .columns = gpri_params_real(params, GPRI_PARAM_COLUMN_SHARE),
                                        .least = gpri_params_real(params, GPRI_PARAM_LEAF_WEIGHT),
                                        .penalty = gpri_params_real(params, GPRI_PARAM_WEIGHT_DECAY),
                                        .seed = seed};
    return gpri_alloc(ctx, &b->trees, gpri_forest_groups(from->classes), sizeof *b->trees, "booster");
}

void gpri_boosting_free(gpri_boosting *b) {
    if (!b) return;
    gpri_booster_free(b->booster);
    gpri_free(b->ctx, b->trees);
    gpri_free(b->ctx, b);
}

/* The rows of the training nodes. */
static gpr_status new_booster(gpri_boosting *b) {
    const gpri_net *net = b->from.net;
    const gpri_forest_form *form = gpri_net_forest(net, NULL);
    const int64_t nodes = net->walk.rows.nodes, first = net->features_view.cols;
    gpri_booster_data data = {.columns = first + form->count_columns, .classes = b->from.classes};
    float *table = NULL, *labels = NULL, *weights = NULL, *begin = NULL;
    int64_t at = 0, cells;
    gpr_status status = GPR_OK;
    for (int64_t i = 0; i < nodes; i++) data.rows += b->from.part[i] == GPR_TRAIN;
    if (!gpri_mul_size(data.rows, data.columns, &cells)) THROW(GPR_ERROR_MEMORY, "the columns of trees do not fit");
    TRY(gpri_alloc(b->ctx, &table, cells, sizeof *table, "columns of trees"));
    TRY(gpri_alloc(b->ctx, &labels, data.rows, sizeof *labels, "labels"));
    TRY(gpri_alloc(b->ctx, &begin, data.rows * form->groups, sizeof *begin, "scores"));
    TRY(gpri_alloc(b->ctx, &weights, data.rows, sizeof *weights, "weights of nodes"));
    for (int64_t i = 0; i < nodes; i++) {
        if (b->from.part[i] != GPR_TRAIN) continue;
        const gpri_forest_row row = gpri_forest_row_of(net, i);
        float *to = table + at * data.columns;
        for (int64_t c = 0; c < data.columns; c++)
            to[c] = (float)(c < first ? row.first[c] : row.rest ? row.rest[c - first] : 0);
        for (int64_t g = 0; g < form->scores; g++)
            begin[at * form->groups + g] = (float)row.rest[form->count_columns - form->scores + g];
        labels[at] = (float)b->from.labels[i];
        weights[at++] = b->from.factor ? (float)b->from.factor[i] : 1;
    }
    data.table = table;
    data.labels = labels;
    data.begin = form->scores ? begin : NULL;
    data.weights = b->from.factor ? weights : NULL;
    status = gpri_booster_new(b->ctx, &b->booster, &data, &b->options);
done:
    gpri_free_all(b->ctx, table, labels, weights, begin);
    return status;
}

gpr_status gpri_boosting_round(gpri_boosting *b, int64_t round) {
    const int64_t groups = gpri_forest_groups(b->from.classes);
    if (!b->booster) NEED(new_booster(b));
    for (; b->done < round; b->done++) NEED(gpri_booster_round(b->booster, b->done, NULL));
    for (int64_t g = 0; g < groups; g++)
        b->trees[g] = (gpri_tree_arrays){.split = gpri_forest_tree(b->from.net, GPRI_FOREST_SPLIT, round * groups + g),
                                         .value = gpri_forest_tree(b->from.net, GPRI_FOREST_VALUE, round * groups + g),
                                         .cover = gpri_forest_tree(b->from.net, GPRI_FOREST_COVER, round * groups + g),
                                         .gain = gpri_forest_tree(b->from.net, GPRI_FOREST_GAIN, round * groups + g)};
    NEED(gpri_booster_round(b->booster, round, b->trees));
    b->done++;
    gpri_forest_grow(b->from.net, round);
    return GPR_OK;
}
