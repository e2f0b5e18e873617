/* One step of a training as operations of the device; the host decides nothing in it. */
#include "train/trainer.h"

#include <string.h>

#include "base/thread.h"
#include "layer/net.h"
#include "train/preparation/task.h"
#include "train/preparation/weigh.h"

gpri_stopping gpri_stopping_of(const gpr_params *params) {
    if (gpri_params_is(params, GPRI_STOPPING_PROGRAM)) return GPRI_STOP_PROGRAM;
    return gpri_params_is(params, GPRI_STOPPING_PAPER) ? GPRI_STOP_PAPER : GPRI_STOP_NEVER;
}

static gpr_status new_state(gpri_trainer *trainer) {
    gpri_net *net = trainer->net;
    gpri_state *state = &trainer->state;
    state->step = net->step;
    state->values = net->values;
    state->weights = net->weight_total;
    state->epochs = trainer->rule.epochs;
    NEED(gpri_net_alloc(net, &state->m, 2 * state->weights, sizeof(gpri_real), true, "moments"));
    state->v = state->m + state->weights;
    NEED(gpri_net_alloc(net, &state->best, state->weights, sizeof(gpri_real), true, "best weights"));
    NEED(gpri_net_alloc(net, &state->history, state->epochs + 1, sizeof *state->history, false, "history"));
    NEED(gpri_net_alloc(net, &state->record, 1, sizeof *state->record, false, "record"));
    const gpri_gamma_plan plan = trainer->plan;
    for (int i = 0; plan.count && i < net->weight_count; i++)
        if (strcmp(net->weights[i].name, GPRI_FILTER_WEIGHT) == 0) trainer->filter = &net->weights[i];
    if (trainer->filter)
        NEED(gpri_net_alloc(net, &state->gamma, gpri_gamma_rows(plan, state->epochs) * plan.count, sizeof *state->gamma,
                            false, "gamma"));
    gpri_record start = gpri_record_start(&trainer->rule);
    net->device->put(net->device, state->record, &start, sizeof start);
    return GPR_OK;
}

/* Where labels are used: those of the training nodes are known. */
static gpr_status know_labels(gpri_trainer *trainer, const gpr_split *split, const gpr_params *params,
                              gpri_recipe *recipe, int threads) {
    const int64_t nodes = split->nodes;
    gpri_knowledge *knowledge = &trainer->knowledge;
    const bool takes = recipe->labels.classes > 0;
    if (!takes && !gpri_model_counts_labels(params)) return GPR_OK;
    NEED(gpri_alloc(trainer->ctx, &knowledge->known, nodes, sizeof *knowledge->known, "known labels"));
    if (takes) NEED(gpri_alloc(trainer->ctx, &trainer->parts, 2 * nodes, sizeof *trainer->parts, "split"));
    for (int64_t i = 0; i < nodes; i++) {
        const bool known = split->part[i] == GPR_TRAIN;
        knowledge->known[i] = known ? trainer->data->target.labels[i] : -1;
        if (!takes) continue;
        trainer->parts[i] = known ? GPR_TRAIN : GPR_UNUSED;
        trainer->parts[nodes + i] = known ? GPR_UNUSED : split->part[i];
    }
    return gpri_know(trainer->ctx, recipe, knowledge, params, &trainer->data->graph,
                     gpri_known_share(knowledge->known, nodes), threads);
}

/* What the losses compare with, and how much each node counts. Where labels are an input, all training nodes show
   theirs in the evaluation stream, so their losses would mean nothing: they come from the training stream, of the
   nodes that do not show theirs. */
static gpr_status new_targets(gpri_trainer *trainer, const gpr_split *split, const gpr_params *params) {
    gpri_net *net = trainer->net;
    const gpr_dataset *data = trainer->data;
    gpri_targets *targets = &trainer->targets, *judged = &trainer->judged;
    const uint8_t *part = trainer->parts ? trainer->parts : split->part;
    const int64_t chunks = gpri_own_chunks(&net->walk.rows);
    NEED(gpri_net_share(net, &targets->labels, data->target.labels, data->graph.nodes, sizeof *data->target.labels,
                        "labels"));
    NEED(gpri_numbers_in_unit(trainer->ctx, &trainer->numbers, &trainer->unit, data, split));
    NEED(gpri_net_share(net, &targets->numbers, trainer->numbers, split->nodes, sizeof *trainer->numbers, "targets"));
    if (trainer->numbers) NEED(gpri_error_form_parse(&targets->error, gpri_params_text(params, GPRI_PARAM_LOSS)));
    NEED(gpri_net_share(net, &targets->part, part, split->nodes, sizeof *part, "split"));
    targets->weight = (gpri_real)(1.0 / (double)trainer->rule.part_count[GPR_TRAIN]);
    NEED(gpri_weigh_nodes(trainer->ctx, &trainer->factor, data, split, params));
    NEED(gpri_net_share(net, &targets->factor, trainer->factor, split->nodes, sizeof *trainer->factor, "weights"));
    *judged = *targets;
    if (trainer->parts) {
        NEED(gpri_net_share(net, &judged->part, part + split->nodes, split->nodes, sizeof *part, "split"));
        targets->shown = gpri_net_shown(net, &targets->scale);
        trainer->rule.train_factor = targets->scale;
    }
    NEED(gpri_net_alloc(net, &trainer->scores, targets->shown ? 2 * chunks : chunks, sizeof *trainer->scores, false,
                        "scores"));
    if (net->walk.share) {
        const int64_t every = net->walk.rows.blocks * net->walk.rows.pieces, items = targets->shown ? 2 : 1;
        NEED(gpri_net_alloc(net, &trainer->all_scores, items * every, sizeof *trainer->all_scores, false, "scores"));
        NEED(gpri_share_reserve_chunks(net->walk.share, items, sizeof *trainer->scores));
    }
    return gpri_net_alloc(net, &trainer->losses, chunks, sizeof *trainer->losses, false, "scores");
}

/* The metric of the validation nodes; nothing where the rule looks at the loss. */
static gpr_status new_metric(gpri_trainer *trainer, const gpr_split *split) {
    gpri_metric_plan *plan = &trainer->metric;
    gpri_net *net = trainer->net;
    const int64_t count = trainer->rule.part_count[GPR_VAL], classes = trainer->data->target.classes;
    if (gpri_is_loss(trainer->rule.metric) || count == 0) return GPR_OK;
    NEED(gpri_alloc(trainer->ctx, &trainer->val_nodes, count, sizeof *trainer->val_nodes, "validation nodes"));
    for (int64_t i = 0; i < split->nodes; i++)
        if (split->part[i] == GPR_VAL) trainer->val_nodes[plan->count++] = i;
    plan->metric = trainer->rule.metric;
    plan->numbers = trainer->targets.numbers;
    plan->scale = trainer->unit.scale;
    plan->positive = gpri_positive_class(trainer->data->target.labels, split->nodes, classes);
    NEED(gpri_net_share(net, &plan->nodes, trainer->val_nodes, count, sizeof *trainer->val_nodes, "validation nodes"));
    if (gpri_metric_keys(plan->metric, count))
        NEED(gpri_net_alloc(net, &plan->keys, gpri_metric_keys(plan->metric, count), sizeof *plan->keys, false,
                            "scores"));
    NEED(gpri_net_reserve_scores(net));
    return gpri_net_alloc(net, &plan->counts, 3 * classes, sizeof *plan->counts, false, "scores");
}

/* Where a step takes some of the training rows: what it takes them from. */
static gpr_status new_batches(gpri_trainer *trainer, const gpr_split *split, const gpr_params *params,
                              const gpri_recipe *recipe, int64_t size, int threads) {
    const gpri_batches_source from = {.params = params,
                                      .recipe = recipe,
                                      .features = trainer->features,
                                      .labels = trainer->data->target.labels,
                                      .numbers = trainer->numbers,
                                      .error = trainer->targets.error,
                                      .factor = trainer->factor,
                                      .whole = trainer->net,
                                      .part = split->part,
                                      .rows = split->nodes};
    return gpri_batches_new(trainer->ctx, &trainer->batches, &from, size, threads, trainer->net->seed);
}

static gpr_status new_boosting(gpri_trainer *trainer, const gpr_split *split, const gpr_params *params) {
    const gpri_boosting_source from = {.net = trainer->net,
                                       .labels = trainer->data->target.labels,
                                       .part = split->part,
                                       .factor = trainer->factor,
                                       .classes = trainer->data->target.classes};
    return gpri_boosting_new(trainer->ctx, &trainer->boosting, &from, params, trainer->net->seed);
}

/* Training rows of a step; 0: all. */
static int64_t batch_of(const gpri_trainer *trainer, const gpr_params *params) {
    const int64_t size = gpri_params_int(params, GPRI_PARAM_BATCH);
    return gpri_model_is(params, GPRI_MODEL_BY_ROWS) && size < trainer->rule.part_count[GPR_TRAIN] ? size : 0;
}

gpr_status gpri_trainer_plan(gpr_ctx *ctx, gpri_trainer **out, const gpri_device *device, const gpr_dataset *data,
                             const gpri_features *features, const gpr_split *split, const gpr_params *params,
                             int threads, uint64_t seed) {
    gpr_status status = GPR_OK;
    TRY(gpri_calloc(ctx, out, 1, sizeof **out, "trainer"));
    gpri_trainer *trainer = *out;
    trainer->ctx = ctx;
    trainer->data = data;
    trainer->features = features;
    trainer->plan = gpri_gamma_plan_of(params);
    trainer->rule = (gpri_rule){.stopping = gpri_stopping_of(params),
                                .metric = gpri_params_metric(params),
                                .patience = gpri_params_int(params, GPRI_PARAM_PATIENCE),
                                .epochs = gpri_params_int(params, GPRI_PARAM_EPOCHS),
                                .numbers = gpri_target_is_number(&data->target),
                                .gamma_stride = trainer->plan.stride,
                                .lr = gpri_params_real(params, GPRI_PARAM_LR)};
    for (int64_t i = 0; i < split->nodes; i++) trainer->rule.part_count[split->part[i]]++;
    const double decay = gpri_params_real(params, GPRI_PARAM_WEIGHT_DECAY);
    const bool apart = gpri_params_is(params, GPRI_OPTIMIZER_ADAMW);
    trainer->decay = apart ? 0 : (gpri_real)decay;
    trainer->shrink = apart ? (gpri_real)(trainer->rule.lr * decay) : 0;
    gpri_recipe recipe = gpri_recipe_of(params, gpri_target_scores(&data->target), NULL);
    TRY(gpri_gamma_initial(ctx, &trainer->gamma, NULL, params, gpri_target_scores(&data->target), seed));
    recipe.gamma = trainer->gamma;
    recipe.device = device;
    TRY(know_labels(trainer, split, params, &recipe, threads));
    if (gpri_params_is(params, GPRI_MODEL_STACK))
        TRY(gpri_stack_join(ctx, &recipe, &trainer->knowledge, features->scores, split->nodes));
    const int64_t batch = batch_of(trainer, params);
    const bool trees = gpri_model_is(params, GPRI_MODEL_FOREST);
    TRY(gpri_model_net(ctx, &trainer->net, params, &recipe, &data->graph, features, threads, seed,
                       batch == 0 && !trees));
    TRY(new_targets(trainer, split, params));
    if (trees) TRY(new_boosting(trainer, split, params));
    if (batch > 0) TRY(new_batches(trainer, split, params, &recipe, batch, threads));
    TRY(new_metric(trainer, split));
    TRY(new_state(trainer));
done:
    if (status != GPR_OK) {
        gpri_trainer_free(*out);
        *out = NULL;
    }
    return status;
}

gpr_status gpri_trainer_new(gpr_ctx *ctx, gpri_trainer **out, const gpr_dataset *data, const gpri_features *features,
                            const gpr_split *split, const gpr_params *params, int threads, uint64_t seed) {
    gpr_status status = gpri_trainer_plan(ctx, out, ctx->job.device, data, features, split, params, threads, seed);
    if (status == GPR_OK) gpri_net_reset((*out)->net);
    return status;
}

void gpri_trainer_free(gpri_trainer *trainer) {
    if (!trainer) return;
    gpri_device_forget(trainer->ctx, trainer->epoch);
    gpri_batches_free(trainer->batches);
    gpri_boosting_free(trainer->boosting);
    gpri_net_free(trainer->net);
    gpri_knowledge_free(trainer->ctx, &trainer->knowledge);
    gpri_free_all(trainer->ctx, trainer->parts, trainer->gamma, trainer->factor, trainer->numbers, trainer->val_nodes,
                  trainer);
}

/* ---- the parts of a step ---- */

/* The rows of a chunk in the output, of which the net's first row is the first. */
static gpri_matrix chunk_of(const gpri_trainer *trainer, gpri_matrix z, gpri_chunk rows) {
    return gpri_rows_of(z, rows.first - trainer->net->walk.rows.first, rows.count);
}

static void score_rows(void *arg, gpri_chunk rows) {
    gpri_trainer *trainer = arg;
    gpri_matrix z = gpri_net_output(trainer->net, GPRI_EVAL_STREAM);
    trainer->net->ops->score(&trainer->scores[rows.chunk], chunk_of(trainer, z, rows), &trainer->judged, rows.first);
}

static void score_hidden_rows(void *arg, gpri_chunk rows) {
    gpri_trainer *trainer = arg;
    gpri_scores *scores = trainer->scores + gpri_own_chunks(&trainer->net->walk.rows);
    gpri_matrix z = gpri_net_output(trainer->net, GPRI_TRAIN_STREAM);
    trainer->net->ops->score(&scores[rows.chunk], chunk_of(trainer, z, rows), &trainer->targets, rows.first);
}

static void judge(gpri_trainer *trainer) {
    gpri_net *net = trainer->net;
    gpri_state *state = &trainer->state;
    const bool hides = trainer->targets.shown != NULL;
    gpri_walker_rows(&net->walk, 16, score_rows, trainer);
    if (hides) gpri_walker_rows(&net->walk, 16, score_hidden_rows, trainer);
    const gpri_scores *scores = trainer->scores;
    int64_t chunks = gpri_own_chunks(&net->walk.rows);
    gpri_matrix z;
    if (trainer->metric.count && gpri_net_all_scores(net, &z) == GPR_OK) /* there is memory for it */
        net->ops->metric(state->record, z, &trainer->targets, &trainer->metric,
                         net->walk.share ? 0 : net->walk.rows.first);
    if (net->walk.share) {
        gpri_share_chunks(net->walk.share, trainer->all_scores, scores, hides ? 2 : 1, sizeof *scores);
        scores = trainer->all_scores;
        chunks = net->walk.rows.blocks * net->walk.rows.pieces;
    }
    net->ops->judge(state->record, state->history, scores, (hides ? 2 : 1) * chunks, state->step, &trainer->rule);
    net->ops->keep_best(state->best, state->values, state->weights, state->record);
    if (trainer->filter)
        net->ops->keep_gamma(state->gamma, trainer->filter->value, trainer->plan.count, state->step, state->record,
                             &trainer->rule);
}

static void loss_rows(void *arg, gpri_chunk rows) {
    gpri_trainer *trainer = arg;
    gpri_matrix z = gpri_net_output(trainer->net, GPRI_TRAIN_STREAM); /* it becomes its own gradient */
    trainer->net->ops->nll_backward(chunk_of(trainer, z, rows), &trainer->losses[rows.chunk], &trainer->targets,
                                    rows.first);
}

void gpri_trainer_loss(gpri_trainer *trainer) { gpri_walker_rows(&trainer->net->walk, 16, loss_rows, trainer); }

void gpri_trainer_backward(gpri_trainer *trainer) { gpri_net_backward(trainer->net); }

typedef struct {
    gpri_trainer *trainer;
    const gpri_net *net; /* that has the gradients */
    const gpri_weight *weight;
} adam_work;

static void adam_numbers(void *arg, int64_t first, int64_t end) {
    const adam_work *work = arg;
    const gpri_trainer *trainer = work->trainer;
    const gpri_state *state = &trainer->state;
    int64_t at = work->weight->offset + first;
    trainer->net->ops->adam(state->values + at, state->m + at, state->v + at, work->net->gradients + at, state->record,
                            work->weight->decay ? trainer->decay : 0, work->weight->decay ? trainer->shrink : 0,
                            end - first);
}

/* L2 is inside the gradient, as in the authors' program; or it shrinks the weights by itself (AdamW). */
static void update(gpri_trainer *trainer, gpri_net *net, uint32_t *step) {
    enum { NUMBERS = 1 << 14 };
    for (int i = 0; i < net->weight_count; i++) {
        const gpri_weight *weight = &net->weights[i];
        adam_work work = {trainer, net, weight};
        if (!weight->fixed && weight->size)
            gpri_net_deal(net, weight->size, NUMBERS, weight->size, adam_numbers, &work);
    }
    net->ops->advance(trainer->state.record, step, &trainer->rule);
}

void gpri_trainer_update(gpri_trainer *trainer) { update(trainer, trainer->net, trainer->state.step); }

/* ---- a pass over batches; on a device whose memory the host can use ---- */

static void batch_loss_rows(void *arg, gpri_chunk rows) {
    gpri_batches *b = arg;
    gpri_matrix z = gpri_net_output(b->net, GPRI_TRAIN_STREAM);
    b->net->ops->nll_backward(gpri_rows_of(z, rows.first, rows.count), &b->losses[rows.chunk], &b->targets, rows.first);
}

/* The net of the batches counts its own steps: they are the key of its dropout, and of Adam's corrections. */
static void learn_batches(gpri_trainer *trainer) {
    gpri_batches *b = trainer->batches;
    gpri_batches_shuffle(b, *trainer->state.step);
    for (int64_t batch = 0; batch < b->count; batch++) {
        gpri_batches_fill(b, batch);
        gpri_net_forward(b->net, GPRI_TRAIN_STREAM);
        gpri_walker_rows(&b->net->walk, 16, batch_loss_rows, b);
        gpri_net_backward(b->net);
        update(trainer, b->net, b->net->step);
    }
    ++*trainer->state.step;
}

/* ---- whole passes ---- */

/* After the last step only the evaluation stream is needed. A recorded pass is the same for all steps, and so is one of
   a device that goes ahead of the host. */
void gpri_trainer_look(gpri_trainer *trainer) {
    const gpri_device *device = trainer->net->device;
    const bool last = trainer->steps == trainer->rule.epochs && !device->begin && device->lag == 1;
    const bool eval_only = !trainer->net->trains || (last && !trainer->targets.shown);
    gpri_net_forward(trainer->net, eval_only ? GPRI_EVAL_STREAM : GPRI_BOTH_STREAMS);
    judge(trainer);
}

void gpri_trainer_learn(gpri_trainer *trainer) {
    if (trainer->batches) {
        learn_batches(trainer);
    } else {
        gpri_trainer_loss(trainer);
        gpri_trainer_backward(trainer);
        gpri_trainer_update(trainer);
    }
    trainer->steps++;
}

/* The scores of the look before have all rounds but the new one: it is added to them. */
static gpr_status round_of_trees(gpri_trainer *trainer) {
    NEED(gpri_boosting_round(trainer->boosting, trainer->steps));
    trainer->net->ops->advance(trainer->state.record, trainer->state.step, &trainer->rule);
    trainer->steps++;
    judge(trainer);
    return GPR_OK;
}

static void epoch(void *arg) {
    gpri_trainer *trainer = arg;
    gpri_trainer_learn(trainer);
    gpri_trainer_look(trainer);
}

gpr_status gpri_trainers_epoch(gpri_trainer *const *trainers, int64_t count) {
    gpri_recording *recordings[GPRI_MOST_LANES];
    const gpri_device *device = trainers[0]->net->device;
    if (!device->begin) {
        for (int64_t i = 0; i < count; i++) {
            if (trainers[i]->boosting) NEED(round_of_trees(trainers[i]));
            else epoch(trainers[i]);
        }
        return GPR_OK;
    }
    for (int64_t i = 0; i < count; i++) {
        gpri_trainer *trainer = trainers[i];
        const int64_t steps = trainer->steps;
        if (!trainer->epoch) {
            gpr_status status = gpri_device_record(trainer->ctx, &trainer->epoch, epoch, trainer);
            if (status != GPR_OK) return status;
        }
        trainer->steps = steps + 1;
        recordings[i] = trainer->epoch;
    }
    return device->replay(device, recordings, count);
}

/* ---- what the host sees ---- */

gpri_record gpri_trainer_record(const gpri_trainer *trainer) {
    const gpri_device *device = trainer->net->device;
    gpri_record record;
    device->get(device, &record, trainer->state.record, sizeof record);
    return record;
}

void gpri_trainer_fetch(const gpri_trainer *trainer, gpri_record *record, gpri_epoch *out, int64_t first,
                        int64_t count) {
    const gpri_device *device = trainer->net->device;
    void (*fetch)(const gpri_device *, void *, const void *, int64_t) = device->fetch ? device->fetch : device->get;
    fetch(device, record, trainer->state.record, sizeof *record);
    fetch(device, out, trainer->state.history + first, count * (int64_t)sizeof *out);
}

gpr_status gpri_trainer_gamma(const gpri_trainer *trainer, float **out) {
    const gpri_device *device = trainer->net->device;
    if (!trainer->filter) return GPR_OK;
    const int64_t count = gpri_gamma_rows(trainer->plan, gpri_trainer_record(trainer).judged) * trainer->plan.count;
    NEED(gpri_alloc(trainer->ctx, out, count, sizeof **out, "gamma"));
    device->get(device, *out, trainer->state.gamma, count * (int64_t)sizeof **out);
    return GPR_OK;
}

void gpri_trainer_evaluate(gpri_trainer *trainer, gpri_epoch *out) {
    const gpri_device *device = trainer->net->device;
    judge(trainer);
    device->get(device, out, trainer->state.history + gpri_trainer_record(trainer).judged, sizeof *out);
}
