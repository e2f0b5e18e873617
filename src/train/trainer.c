#include "train/trainer.h"

#include <math.h>
#include <string.h>

#include "base/thread.h"

enum { CHUNK = 512, ADAM_CHUNK = 1 << 14 };

static int64_t chunks_of(const gpri_trainer *trainer) { return (trainer->net->rows + CHUNK - 1) / CHUNK; }

static int64_t chunk_rows(const gpri_trainer *trainer, int64_t chunk, int64_t *r0) {
    *r0 = chunk * CHUNK;
    return *r0 + CHUNK < trainer->net->rows ? *r0 + CHUNK : trainer->net->rows;
}

gpr_status gpri_trainer_new(gpr_ctx *ctx, gpri_trainer **out, const gpr_dataset *data, const gpri_features *features,
                            const gpr_split *split, const gpr_params *params, int threads, uint64_t seed) {
    gpr_status status = GPR_OK;
    TRY(gpri_calloc(ctx, out, 1, sizeof **out, "trainer"));
    gpri_trainer *trainer = *out;
    trainer->ctx = ctx;
    trainer->labels = data->labels;
    trainer->part = split->part;
    trainer->classes = data->classes;
    for (int64_t i = 0; i < split->nodes; i++) trainer->part_count[split->part[i]]++;
    trainer->lr = gpri_params_real(params, GPRI_PARAM_LR);
    trainer->decay = gpri_params_real(params, GPRI_PARAM_WEIGHT_DECAY);
    gpri_recipe recipe = gpri_recipe_of(params, data->classes);
    TRY(gpri_gamma_initial(ctx, &trainer->gamma, params, seed));
    recipe.gamma = trainer->gamma;
    TRY(gpri_model_net(ctx, &trainer->net, params, &recipe, &data->graph, features, threads, seed, true));
    TRY(gpri_alloc(ctx, &trainer->scores, chunks_of(trainer), sizeof *trainer->scores, "scores"));
    TRY(gpri_alloc(ctx, &trainer->losses, chunks_of(trainer), sizeof *trainer->losses, "scores"));
    TRY(gpri_alloc(ctx, &trainer->best, trainer->net->weight_total, sizeof *trainer->best, "best weights"));
    gpri_net_reset(trainer->net);
done:
    if (status != GPR_OK) {
        gpri_trainer_free(*out);
        *out = NULL;
    }
    return status;
}

void gpri_trainer_free(gpri_trainer *trainer) {
    if (!trainer) return;
    gpri_net_free(trainer->net);
    gpri_free(trainer->ctx, trainer->gamma);
    gpri_free(trainer->ctx, trainer->best);
    gpri_free(trainer->ctx, trainer->scores);
    gpri_free(trainer->ctx, trainer->losses);
    gpri_free(trainer->ctx, trainer);
}

static void score_rows(void *arg, int64_t chunk, int slot) {
    (void)slot;
    gpri_trainer *trainer = arg;
    const gpri_act *z = trainer->net->output;
    int64_t r0, r1 = chunk_rows(trainer, chunk, &r0);
    trainer->scores[chunk] = (gpri_scores){.loss = {0}};
    trainer->net->ops->score(&trainer->scores[chunk], z->eval + r0 * z->ld, z->ld, trainer->classes, trainer->labels,
                             trainer->part, r0, r1);
}

void gpri_trainer_evaluate(gpri_trainer *trainer, gpri_epoch *out) {
    gpri_scores all = {.loss = {0}};
    double loss[4], accuracy[4];
    gpri_parallel(trainer->ctx, gpri_net_threads(trainer->net, trainer->net->rows * 16), chunks_of(trainer), score_rows,
                  trainer);
    for (int64_t chunk = 0; chunk < chunks_of(trainer); chunk++)
        for (int part = 0; part < 4; part++) {
            all.loss[part] += trainer->scores[chunk].loss[part];
            all.correct[part] += trainer->scores[chunk].correct[part];
        }
    for (int part = 0; part < 4; part++) {
        double count = (double)trainer->part_count[part];
        loss[part] = count > 0 ? all.loss[part] / count : NAN;
        accuracy[part] = count > 0 ? 100.0 * (double)all.correct[part] / count : NAN;
    }
    *out = (gpri_epoch){loss[GPR_TRAIN],     loss[GPR_VAL],     loss[GPR_TEST],
                        accuracy[GPR_TRAIN], accuracy[GPR_VAL], accuracy[GPR_TEST]};
}

static void loss_rows(void *arg, int64_t chunk, int slot) {
    (void)slot;
    gpri_trainer *trainer = arg;
    const gpri_act *z = trainer->net->output;
    int64_t r0, r1 = chunk_rows(trainer, chunk, &r0);
    gpri_real weight = (gpri_real)(1.0 / (double)trainer->part_count[GPR_TRAIN]);
    trainer->losses[chunk] =
        trainer->net->ops->nll_backward(z->gradient + r0 * z->gradient_ld, z->gradient_ld, trainer->classes, z->width,
                                        trainer->labels, trainer->part, weight, r0, r1);
}

double gpri_trainer_loss(gpri_trainer *trainer) {
    double loss = 0;
    gpri_parallel(trainer->ctx, gpri_net_threads(trainer->net, trainer->net->rows * 16), chunks_of(trainer), loss_rows,
                  trainer);
    for (int64_t chunk = 0; chunk < chunks_of(trainer); chunk++) loss += trainer->losses[chunk];
    return loss / (double)trainer->part_count[GPR_TRAIN];
}

void gpri_trainer_backward(gpri_trainer *trainer) { gpri_net_backward(trainer->net); }

typedef struct {
    gpri_net *net;
    gpri_weight *weight;
    gpri_adam settings;
} adam_work;

static void adam_chunk(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const adam_work *work = arg;
    const gpri_net *net = work->net;
    int64_t size = work->weight->size, first = chunk * ADAM_CHUNK;
    int64_t count = size - first < ADAM_CHUNK ? size - first : ADAM_CHUNK, at = work->weight->offset + first;
    net->ops->adam(net->values + at, net->gradients + at, net->first + at, net->second + at, work->settings, count);
}

/* Adam (beta .9, .999, epsilon 1e-8), L2 inside the gradient as in the authors' program. */
void gpri_trainer_update(gpri_trainer *trainer) {
    gpri_net *net = trainer->net;
    double t = (double)net->epoch + 1;
    gpri_adam settings = {.rate = (gpri_real)(trainer->lr / (1 - pow(0.9, t))),
                          .beta1 = (gpri_real)0.9,
                          .beta2 = (gpri_real)0.999,
                          .new1 = (gpri_real)0.1,
                          .new2 = (gpri_real)0.001,
                          .epsilon = (gpri_real)1e-8,
                          .second_scale = (gpri_real)(1 / sqrt(1 - pow(0.999, t)))};
    for (int i = 0; i < net->weight_count; i++) {
        adam_work work = {net, &net->weights[i], settings};
        int64_t size = work.weight->size;
        if (work.weight->fixed || size == 0) continue;
        work.settings.decay = work.weight->decay ? (gpri_real)trainer->decay : 0;
        gpri_parallel(net->ctx, gpri_net_threads(net, size), (size + ADAM_CHUNK - 1) / ADAM_CHUNK, adam_chunk, &work);
    }
    net->epoch++;
}
