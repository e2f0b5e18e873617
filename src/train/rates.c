/* The base rates that a model remembers. A model is seldom calibrated, and weights of classes ask for other
 * probabilities than the true ones: the mean of its probabilities over nodes like those of the training is not quite
 * the shares of the classes there. So these means are measured, on validation nodes, which trained no weight, each
 * counting so much that the classes have the shares of the training. */
#include "train/rates.h"

#include "dist/all.h"

enum { FEWEST = 20 }; /* validation nodes */

enum { TRAINED, WEIGHTED, BEHIND, MEAN }; /* rows */

static void put_shares(float *row, const double *sums, int64_t count) {
    double whole = 0;
    for (int64_t c = 0; c < count; c++) whole += sums[c];
    for (int64_t c = 0; whole > 0 && c < count; c++) row[c] = (float)(sums[c] / whole);
}

gpr_status gpri_rates_of_run(const gpri_running *running, gpr_model *model) {
    const gpri_trainer *trainer = running->trainer;
    const gpr_split *split = running->split;
    gpr_ctx *ctx = running->experiment->ctx;
    const int64_t C = model->classes;
    gpr_status status = GPR_OK;
    double *sums = NULL; /* (2 x classes) */
    if (gpri_target_is_number(&trainer->data->target)) return GPR_OK;
    TRY(gpri_calloc(ctx, &sums, 2 * C, sizeof *sums, "classes"));
    TRY(gpri_calloc(ctx, &model->rates, GPRI_RATES_ROWS * C, sizeof *model->rates, "classes"));
    for (int64_t i = 0; i < split->nodes; i++) {
        if (split->part[i] != GPR_TRAIN) continue;
        const int32_t label = trainer->data->target.labels[i];
        sums[label]++;
        sums[C + label] += trainer->factor ? (double)trainer->factor[i] : 1;
    }
    for (int row = TRAINED; row <= MEAN; row++)
        put_shares(model->rates + row * C, row == TRAINED || row == MEAN ? sums : sums + C, C);
done:
    gpri_free(ctx, sums);
    return status;
}

static gpr_status judge(const gpri_running *running, gpr_model *model, const gpri_outcome *made) {
    const gpr_split *split = running->split;
    const int32_t *labels = running->trainer->data->target.labels;
    gpr_ctx *ctx = running->experiment->ctx;
    const int64_t C = model->classes;
    double count = 0, *sizes; /* (classes) of the validation nodes; then the sums of BEHIND and MEAN */
    if (!model->rates) return GPR_OK; /* it tells a number */
    NEED(gpri_calloc(ctx, &sizes, 3 * C, sizeof *sizes, "classes"));
    for (int64_t i = 0; i < split->nodes; i++)
        if (split->part[i] == GPR_VAL) sizes[labels[i]]++, count++;
    for (int64_t i = 0; count >= FEWEST && i < split->nodes; i++) {
        if (split->part[i] != GPR_VAL) continue;
        for (int64_t c = 0; c < C; c++) {
            const double each = (double)made->proba[i * C + c] / sizes[labels[i]];
            sizes[C + c] += each * (double)model->rates[WEIGHTED * C + labels[i]];
            sizes[2 * C + c] += each * (double)model->rates[TRAINED * C + labels[i]];
        }
    }
    for (int row = BEHIND; row <= MEAN; row++) put_shares(model->rates + row * C, sizes + (row - BEHIND + 1) * C, C);
    gpri_free(ctx, sizes);
    return GPR_OK;
}

gpr_status gpri_rates_judge(const gpri_running *running, gpr_model *model, const gpri_outcome *made) {
    const gpr_ctx *all = gpri_spreads_rows(running->experiment->ctx) ? running->experiment->ctx : NULL;
    NEED(gpri_all_well(all, made->proba ? judge(running, model, made) : GPR_OK));
    gpri_all_hear(all, model->rates, GPRI_RATES_ROWS * model->classes * (int64_t)sizeof *model->rates, 0);
    return GPR_OK;
}

void gpri_rates_keep(gpr_model *model, const gpr_model *before) {
    const int64_t C = model->classes;
    const float *was = before ? before->rates : NULL;
    for (int row = BEHIND; was && row <= MEAN; row++) {
        const int labels = row == MEAN ? TRAINED : WEIGHTED;
        float *now = model->rates + row * C;
        double sum = 0;
        for (int64_t c = 0; c < C; c++) {
            if (was[labels * C + c] > 0) now[c] = model->rates[labels * C + c] * was[row * C + c] / was[labels * C + c];
            sum += (double)now[c];
        }
        for (int64_t c = 0; sum > 0 && c < C; c++) now[c] = (float)((double)now[c] / sum);
    }
}
