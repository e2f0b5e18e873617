/* A trainer on a dataset and split given as arrays: for tests that look inside a training. */
#ifndef TEST_FIXTURE_H
#define TEST_FIXTURE_H

#include "support.h"

#include "tensor/prepare.h"
#include "train/trainer.h"
#include "walk/smooth.h"

typedef struct {
    gpr_ctx *ctx;
    gpr_dataset *data;
    gpr_params *params;
    gpr_split split;
    gpri_features features;
    gpri_trainer *trainer;
} fixture;

/* options: name, value, name, value, ..., NULL. part: (nodes). Features are used as they are, or multiplied by
   A~^hops. */
static inline void fixture_new_smooth(fixture *f, gpr_ctx *ctx, const gpr_dataset_desc *desc, const uint8_t *part,
                                      uint64_t seed, const char *const *options, int64_t hops) {
    *f = (fixture){.ctx = ctx};
    assert_ok(gpr_dataset_new(ctx, &f->data, desc));
    assert_ok(gpr_params_new(ctx, &f->params));
    for (; options && options[0]; options += 2) assert_ok(gpr_params_set(f->params, options[0], options[1]));
    assert_ok(gpri_filter_settle(f->params, &f->data->graph));
    f->split = (gpr_split){
        .ctx = ctx, .nodes = desc->nodes, .classes = f->data->target.classes, .part = (uint8_t *)(uintptr_t)part};
    assert_ok(gpri_features_prepare(ctx, &f->features, &f->data->features, false, true));
    assert_ok(gpri_features_smooth(ctx, &f->features, &f->data->graph, hops));
    assert_ok(gpri_model_relate(ctx, &f->features, f->params, &f->data->graph));
    assert_ok(gpri_trainer_new(ctx, &f->trainer, f->data, &f->features, &f->split, f->params, ctx->threads, seed));
}

static inline void fixture_new(fixture *f, gpr_ctx *ctx, const gpr_dataset_desc *desc, const uint8_t *part,
                               uint64_t seed, const char *const *options) {
    fixture_new_smooth(f, ctx, desc, part, seed, options, 0);
}

static inline void fixture_free(fixture *f) {
    gpri_trainer_free(f->trainer);
    gpri_features_free(f->ctx, &f->features);
    gpr_params_free(f->params);
    gpr_dataset_free(f->data);
}

/* The mean loss of the present pass, whose output becomes its gradient. */
static inline double fixture_loss(gpri_trainer *trainer) {
    const gpri_device *device = trainer->net->device;
    double sum = 0, loss;
    gpri_real scale = 1;
    gpri_trainer_loss(trainer);
    if (trainer->targets.scale) device->get(device, &scale, trainer->targets.scale, sizeof scale);
    for (int64_t chunk = 0; chunk < gpri_own_chunks(&trainer->net->walk.rows); chunk++) {
        device->get(device, &loss, trainer->losses + chunk, sizeof loss);
        sum += loss;
    }
    return sum * (double)scale / (double)trainer->rule.part_count[GPR_TRAIN];
}

static inline gpri_weight *fixture_weight(fixture *f, const char *name) {
    gpri_net *net = f->trainer->net;
    for (int i = 0; i < net->weight_count; i++)
        if (strcmp(net->weights[i].name, name) == 0) return &net->weights[i];
    fail_msg("no weight %s", name);
    return NULL;
}

#endif
