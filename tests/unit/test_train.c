/* gpr_train: the same bits whatever the threads, what comes back is what was trained, it learns, stops and fails as it
 * should, and takes no memory on the way. */
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "fixture.h"
#include "training.h"

enum { TABLES = 8 };

static gpr_ctx *ctx_for(const gpri_ops *table, int threads) {
    gpr_ctx *ctx;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = threads, .cpu = table->name};
    assert_ok(gpr_ctx_new(&ctx, &options));
    assert_ptr_equal(ctx->ops, table);
    return ctx;
}

/* Everything that a run leaves behind, bit for bit, but the time it took. */
static void assert_same_run(const char *what, const gpri_run *a, const gpri_run *b) {
    if (a->info.epochs != b->info.epochs || a->info.best_epoch != b->info.best_epoch || a->info.seed != b->info.seed)
        fail_msg("%s: %d epochs, best %d, and %d, best %d", what, (int)a->info.epochs, (int)a->info.best_epoch,
                 (int)b->info.epochs, (int)b->info.best_epoch);
    for (int64_t t = 0; t <= a->info.epochs; t++)
        if (memcmp(&a->history[t], &b->history[t], sizeof *a->history) != 0)
            fail_msg("%s: history of epoch %d: train loss %.17g and %.17g, validation loss %.17g and %.17g", what,
                     (int)t, a->history[t].train_loss, b->history[t].train_loss, a->history[t].val_loss,
                     b->history[t].val_loss);
    assert_int_equal(a->info.gamma_count, b->info.gamma_count);
    assert_memory_equal(a->gamma, b->gamma, (size_t)a->info.gamma_count * sizeof *a->gamma);
    assert_memory_equal(a->gamma_initial, b->gamma_initial, (size_t)a->info.gamma_count * sizeof *a->gamma);
    assert_int_equal(a->split->nodes, b->split->nodes);
    assert_memory_equal(a->split->part, b->split->part, (size_t)a->split->nodes);
    assert_true(a->info.test_accuracy == b->info.test_accuracy && a->info.val_loss == b->info.val_loss &&
                a->info.train_loss == b->info.train_loss && a->info.initial_accuracy == b->info.initial_accuracy);
}

static void assert_same_training(const char *what, const training *a, const training *b) {
    assert_int_equal(gpr_result_runs(a->result), gpr_result_runs(b->result));
    assert_int_equal(gpr_result_best_run(a->result), gpr_result_best_run(b->result));
    for (int64_t r = 0; r < gpr_result_runs(a->result); r++)
        assert_same_run(what, &a->result->runs[r], &b->result->runs[r]);
    assert_same_model(what, a->model, b->model);
    assert_true(a->model->split_hash == b->model->split_hash);
}

static float *proba_of(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data) {
    float *proba = malloc((size_t)(data->graph.nodes * model->classes) * sizeof *proba);
    assert_non_null(proba);
    assert_ok(gpr_predict(ctx, model, data, NULL, proba));
    return proba;
}

/* ---- bits ---- */

static void same_bits_for(const gpri_ops *table, bool sparse, const char *runs, int64_t nodes) {
    static const int threads[] = {1, 2, 7};
    const char *const *options =
        OPTIONS("epochs", "3", "K", "3", "hidden", "8", "runs", runs, "seed", "5", "lr", "0.05");
    gpr_ctx *ctx[3];
    gpr_dataset *data[3];
    training t[3];
    float *proba[3];
    for (int i = 0; i < 3; i++) {
        char what[80];
        ctx[i] = ctx_for(table, threads[i]);
        data[i] = sparse ? new_words(ctx[i], nodes, 400, 3) : new_csbm(ctx[i], nodes, 10, 0.5);
        assert_int_equal(data[i]->features.dense == NULL, sparse);
        t[i] = train(ctx[i], data[i], options);
        proba[i] = proba_of(ctx[i], t[i].model, data[i]);
        snprintf(what, sizeof what, "%s, %s, %s runs, 1 and %d threads", table->name, sparse ? "sparse" : "dense", runs,
                 threads[i]);
        assert_same_training(what, &t[0], &t[i]);
        if (memcmp(proba[0], proba[i], (size_t)(nodes * t[i].model->classes) * sizeof(float)) != 0)
            fail_msg("%s: predictions differ", what);
    }
    for (int i = 0; i < 3; i++) {
        free(proba[i]);
        training_free(&t[i]);
        gpr_dataset_free(data[i]);
        gpr_ctx_free(ctx[i]);
    }
}

/* Again the same, and with another seed another. */
static void seeds(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    for (int sparse = 0; sparse < 2; sparse++) {
        gpr_dataset *data = sparse ? new_words(ctx, 150, 400, 3) : new_csbm(ctx, 150, 10, 0.5);
        training one = train(ctx, data, OPTIONS("epochs", "3", "hidden", "8", "seed", "5"));
        training again = train(ctx, data, OPTIONS("epochs", "3", "hidden", "8", "seed", "5"));
        training other = train(ctx, data, OPTIONS("epochs", "3", "hidden", "8", "seed", "6"));
        assert_same_training("again", &one, &again);
        assert_false(same_model(one.model, other.model));
        assert_true(tensor_of(one.model, "lin1.weight")->values[0] != tensor_of(other.model, "lin1.weight")->values[0]);
        assert_memory_not_equal(one.result->runs[0].split->part, other.result->runs[0].split->part, 150);
        assert_true(one.result->runs[0].history[0].train_loss != other.result->runs[0].history[0].train_loss);
        training_free(&one);
        training_free(&again);
        training_free(&other);
        gpr_dataset_free(data);
    }
    gpr_ctx_free(ctx);
}

/* 4000 nodes: enough for seven threads to get work in every part of an epoch. */
static void same_bits(void **state) {
    (void)state;
    const gpri_ops *tables[TABLES];
    int count = gpri_ops_all(tables, TABLES);
    for (int i = 0; i < count; i++)
        for (int sparse = 0; sparse < 2; sparse++) same_bits_for(tables[i], sparse, "1", 4000);
}

static void same_bits_of_several_runs(void **state) {
    (void)state;
    const gpri_ops *tables[TABLES];
    int count = gpri_ops_all(tables, TABLES);
    for (int i = 0; i < count; i++)
        for (int sparse = 0; sparse < 2; sparse++) same_bits_for(tables[i], sparse, "5", 150);
}

/* Run r of several is what a single one with seed + r is, and the model is that of the best. */
static void runs_are_single_runs(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    for (int sparse = 0; sparse < 2; sparse++) {
        gpr_dataset *data = sparse ? new_words(ctx, 1000, 60, 3) : new_csbm(ctx, 1000, 10, -0.5);
        training many = train(
            ctx, data, OPTIONS("epochs", "10", "hidden", "8", "K", "4", "init", "random", "seed", "40", "runs", "4"));
        const gpri_run *best = &many.result->runs[gpr_result_best_run(many.result)];
        assert_int_equal(gpr_result_runs(many.result), 4);
        for (int r = 0; r < 4; r++) {
            char seed[16], what[32];
            snprintf(seed, sizeof seed, "%d", 40 + r);
            snprintf(what, sizeof what, "run %d", r);
            training one =
                train(ctx, data, OPTIONS("epochs", "10", "hidden", "8", "K", "4", "init", "random", "seed", seed));
            assert_int_equal(many.result->runs[r].info.seed, 40 + r);
            assert_same_run(what, &many.result->runs[r], &one.result->runs[0]);
            if (&many.result->runs[r] == best) assert_same_model(what, many.model, one.model);
            assert_true(best->info.val_loss <= one.result->runs[0].info.val_loss);
            training_free(&one);
        }
        training_free(&many);
        gpr_dataset_free(data);
    }
    gpr_ctx_free(ctx);
}

/* ---- what comes back ---- */

/* The evaluation stream of a training net gives the bits of a net for prediction. */
static void evaluation_is_prediction(void **state) {
    (void)state;
    const gpri_ops *tables[TABLES];
    int count = gpri_ops_all(tables, TABLES);
    enum { N = 300, F = 30, C = 3 };
    static float x[N * F];
    int64_t src[3 * N], dst[3 * N];
    int32_t labels[N];
    uint8_t part[N];
    gpri_stream stream = gpri_stream_of(5, GPRI_RANDOM_TEST, 0, 0);
    for (int sparse = 0; sparse < 2; sparse++)
        for (int i = 0; i < count; i++) {
            gpr_ctx *ctx = ctx_for(tables[i], 2);
            fixture f;
            for (uint64_t k = 0; k < N * F; k++)
                x[k] = !sparse || k % 7 == 0 ? (float)(gpri_uniform(stream, k) - 0.5) : 0;
            for (uint64_t e = 0; e < 3 * N; e++) {
                src[e] = (int64_t)(e % N);
                dst[e] = (int64_t)gpri_uniform_below(stream, e, N);
            }
            for (int k = 0; k < N; k++) {
                labels[k] = k % C;
                part[k] = (uint8_t)(k % 4);
            }
            gpr_dataset_desc desc = {.struct_size = sizeof desc,
                                     .nodes = N,
                                     .edges = 3 * N,
                                     .src = src,
                                     .dst = dst,
                                     .features = F,
                                     .dense = x,
                                     .labels = labels,
                                     .classes = C};
            fixture_new(&f, ctx, &desc, part, 3, OPTIONS("hidden", "20", "K", "5", "init", "random"));
            for (int step = 0; step < 3; step++) {
                gpr_model *model;
                gpri_net *net;
                gpri_recipe recipe = gpri_recipe_of(f.params, C);
                const gpri_act *z = f.trainer->net->output;
                gpri_net_forward(f.trainer->net, step == 2 ? GPRI_EVAL_STREAM : GPRI_BOTH_STREAMS);
                assert_ok(gpri_model_take(ctx, &model, f.trainer->net, f.trainer->net->values, f.params, F, C));
                assert_ok(gpri_model_net(ctx, &net, f.params, &recipe, &f.data->graph, &f.features, 1, 0, false));
                assert_ok(gpri_model_put(model, net));
                gpri_net_forward(net, GPRI_EVAL_STREAM);
                for (int64_t k = 0; k < N; k++)
                    if (memcmp(z->eval + k * z->ld, net->output->eval + k * net->output->ld, C * sizeof(gpri_real)) !=
                        0)
                        fail_msg("%s, %s: scores of node %d: %.9g in training, %.9g in prediction", tables[i]->name,
                                 sparse ? "sparse" : "dense", (int)k, (double)z->eval[k * z->ld],
                                 (double)net->output->eval[k * net->output->ld]);
                gpri_net_free(net);
                gpr_model_free(model);
                if (step == 2) break;
                gpri_trainer_loss(f.trainer);
                gpri_trainer_backward(f.trainer);
                gpri_trainer_update(f.trainer);
            }
            fixture_free(&f);
            gpr_ctx_free(ctx);
        }
}

/* The accuracies of the result are those of gpr_predict with the returned model, to the last bit. */
static void accuracy_is_that_of_the_model(void **state) {
    (void)state;
    const gpri_ops *tables[TABLES];
    int count = gpri_ops_all(tables, TABLES);
    for (int i = 0; i < count; i++)
        for (int sparse = 0; sparse < 2; sparse++) {
            enum { N = 400 };
            gpr_ctx *ctx = ctx_for(tables[i], 2);
            gpr_dataset *data = sparse ? new_words(ctx, N, 80, 3) : new_csbm(ctx, N, 20, 0.4);
            training t = train(ctx, data, OPTIONS("epochs", "25", "hidden", "8", "K", "4", "lr", "0.05", "runs", "2"));
            const gpri_run *run = &t.result->runs[t.result->best];
            const uint8_t *part = gpr_split_parts(gpr_result_split(t.result), NULL);
            const int32_t *labels = gpr_dataset_labels(data, NULL);
            int32_t classes[N];
            float proba[3 * N];
            double right[4] = {0}, nodes[4] = {0}, loss[4] = {0};
            assert_ok(gpr_predict(ctx, t.model, data, classes, proba));
            for (int k = 0; k < N; k++) {
                nodes[part[k]]++;
                right[part[k]] += classes[k] == labels[k];
                loss[part[k]] -= log((double)proba[k * t.model->classes + labels[k]]);
            }
            const double told[4] = {0, run->info.train_accuracy, run->info.val_accuracy, run->info.test_accuracy};
            const double told_loss[4] = {0, run->info.train_loss, run->info.val_loss,
                                         run->history[run->info.best_epoch].test_loss};
            for (int p = GPR_TRAIN; p <= GPR_TEST; p++) {
                if (told[p] != 100.0 * right[p] / nodes[p])
                    fail_msg("%s, part %d: accuracy %.17g, but predict gives %.17g", tables[i]->name, p, told[p],
                             100.0 * right[p] / nodes[p]);
                if (!(fabs(told_loss[p] - loss[p] / nodes[p]) < 1e-5 * (1 + told_loss[p])))
                    fail_msg("%s, part %d: loss %.9g, but predict gives %.9g", tables[i]->name, p, told_loss[p],
                             loss[p] / nodes[p]);
            }
            assert_true(run->info.test_accuracy != run->info.initial_accuracy); /* else this shows nothing */
            training_free(&t);
            gpr_dataset_free(data);
            gpr_ctx_free(ctx);
        }
}

/* The model is that after `best_epoch` steps: a training that ends there returns the same bits. */
static void model_of_the_best_epoch(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    int64_t inside = 0;
    for (int s = 0; s < 4; s++) {
        char seed[16], epochs[16];
        snprintf(seed, sizeof seed, "%d", s);
        gpr_dataset *data = new_csbm(ctx, 150, 30, 0.2);
        training t =
            train(ctx, data,
                  OPTIONS("epochs", "80", "hidden", "16", "K", "3", "lr", "0.05", "stopping", "none", "seed", seed));
        const gpri_run *run = &t.result->runs[0];
        int64_t lowest = 1;
        for (int64_t e = 2; e <= 80; e++)
            if (run->history[e].val_loss < run->history[lowest].val_loss) lowest = e;
        if (run->info.epochs != 80 || run->info.best_epoch != lowest)
            fail_msg("%d epochs, the best %d; the lowest validation loss was at %d", (int)run->info.epochs,
                     (int)run->info.best_epoch, (int)lowest);
        assert_true(run->info.val_loss == run->history[lowest].val_loss);
        assert_true(run->info.test_accuracy == run->history[lowest].test_accuracy);
        assert_true(run->info.train_accuracy == run->history[lowest].train_accuracy);
        assert_true(run->info.initial_accuracy == run->history[0].test_accuracy);
        snprintf(epochs, sizeof epochs, "%d", (int)lowest);
        training there =
            train(ctx, data,
                  OPTIONS("epochs", epochs, "hidden", "16", "K", "3", "lr", "0.05", "stopping", "none", "seed", seed));
        assert_same_model("the best epoch", t.model, there.model);
        inside += lowest < 80;
        training_free(&there);
        training_free(&t);
        gpr_dataset_free(data);
    }
    assert_true(inside > 0); /* the lowest was not always the last */
    gpr_ctx_free(ctx);
}

/* ---- progress ---- */

typedef struct {
    atomic_int inside, overlaps, after_stop, wrong;
    int64_t calls, stop_at; /* stop_at: the call that says stop; 0: none */
    bool stopped;
    gpr_progress last[8]; /* of each run */
} watcher;

static int watch(void *user, const gpr_progress *p) {
    watcher *w = user;
    if (atomic_fetch_add(&w->inside, 1) != 0) w->overlaps++;
    if (w->stopped) w->after_stop++;
    for (int i = 0; i < 50; i++) sched_yield(); /* time for another thread to come in */
    if (p->struct_size != sizeof *p || p->epoch != w->last[p->run].epoch + 1 || p->best_epoch < 1 ||
        p->best_epoch > p->epoch)
        w->wrong++;
    w->last[p->run] = *p;
    w->calls++;
    if (w->calls == w->stop_at) w->stopped = true;
    atomic_fetch_sub(&w->inside, 1);
    return w->stopped;
}

static void check_watcher(const watcher *w) {
    if (w->overlaps) fail_msg("%d calls while another was not done", w->overlaps);
    if (w->after_stop) fail_msg("%d calls after one said stop", w->after_stop);
    if (w->wrong) fail_msg("%d calls with wrong numbers of epochs", w->wrong);
}

static training watched(gpr_ctx **ctx, gpr_dataset **data, watcher *w, int threads, const char *runs) {
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = threads, .progress = watch, .user = w};
    assert_ok(gpr_ctx_new(ctx, &options));
    *data = new_csbm(*ctx, 100, 10, 0.5);
    return try_training(*ctx, *data,
                        OPTIONS("epochs", "30", "hidden", "4", "K", "2", "stopping", "none", "runs", runs));
}

static void progress(void **state) {
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2)
        for (int several = 0; several < 2; several++) {
            watcher w = {.calls = 0};
            gpr_ctx *ctx;
            gpr_dataset *data;
            training t = watched(&ctx, &data, &w, threads, several ? "5" : "1");
            assert_ok(t.status);
            check_watcher(&w);
            assert_int_equal(w.calls, several ? 150 : 30);
            for (int64_t r = 0; r < gpr_result_runs(t.result); r++) {
                const gpri_run *run = &t.result->runs[r];
                const gpr_progress *p = &w.last[r];
                assert_true(p->epoch == 30 && p->epochs == 30 && p->runs == (several ? 5 : 1));
                assert_true(p->val_loss == run->history[30].val_loss && p->train_loss == run->history[30].train_loss);
                assert_true(p->val_accuracy == run->history[30].val_accuracy &&
                            p->test_accuracy == run->history[30].test_accuracy);
                assert_int_equal(p->best_epoch, run->info.best_epoch);
            }
            training_free(&t);
            gpr_dataset_free(data);
            gpr_ctx_free(ctx);
        }
}

static void stopping(void **state) {
    (void)state;
    static const int64_t when[] = {1, 2, 7, 29, 30, 31, 75, 150};
    for (int threads = 1; threads <= 3; threads += 2)
        for (int several = 0; several < 2; several++)
            for (int i = 0; i < (several ? 8 : 5); i++) {
                watcher w = {.stop_at = when[i]};
                gpr_ctx *ctx;
                gpr_dataset *data;
                training t = watched(&ctx, &data, &w, threads, several ? "5" : "1");
                int32_t classes[100];
                int64_t told = 0;
                if (t.status != GPR_STOPPED)
                    fail_msg("stopped at call %d: %s", (int)when[i], gpr_status_name(t.status));
                assert_true(gpr_last_error()[0] != 0);
                check_watcher(&w);
                if (w.calls != when[i]) fail_msg("%d calls, not %d", (int)w.calls, (int)when[i]);
                int64_t kept = gpr_result_runs(t.result), best = gpr_result_best_run(t.result);
                assert_true(kept >= 1 && kept <= (several ? 5 : 1) && best >= 0 && best < kept);
                for (int64_t r = 0; r < kept; r++) {
                    gpr_run_info info = {.struct_size = sizeof info};
                    const gpri_run *run = &t.result->runs[r];
                    assert_ok(gpr_result_run(t.result, r, &info));
                    assert_true(info.epochs >= 1 && info.epochs <= 30 && info.best_epoch >= 1 &&
                                info.best_epoch <= info.epochs);
                    assert_true(info.val_loss == run->history[info.best_epoch].val_loss);
                    assert_true(info.val_loss >= t.result->runs[best].info.val_loss);
                    told += w.last[info.seed - 1].epoch; /* the seeds are 1, 2, ... */
                }
                assert_int_equal(told, w.calls);
                if (!several) assert_int_equal(t.result->runs[0].info.epochs, when[i]);
                assert_ok(gpr_predict(ctx, t.model, data, classes, NULL));
                assert_non_null(gpr_result_split(t.result));
                training_free(&t);
                gpr_dataset_free(data);
                gpr_ctx_free(ctx);
            }
}

/* ---- learning ---- */

static void learns(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    for (int sign = -1; sign <= 1; sign += 2) {
        gpr_dataset *data = new_csbm(ctx, 600, 100, 0.75 * sign);
        training t = train(ctx, data, OPTIONS("epochs", "60", "hidden", "16", "lr", "0.05"));
        const gpri_run *run = &t.result->runs[0];
        if (!(run->info.test_accuracy > 85)) fail_msg("phi %g: test accuracy %g", 0.75 * sign, run->info.test_accuracy);
        /* far hops count: all for the same class on a homophilic graph, in turn for one and the other on a heterophilic
         * one */
        for (int k = 3; k <= 10; k++) {
            double want = sign > 0 || k % 2 == 0 ? 1 : -1;
            if (!(want * (double)run->gamma[k] > 0))
                fail_msg("phi %g: gamma_%d is %g", 0.75 * sign, k, (double)run->gamma[k]);
        }
        training_free(&t);
        gpr_dataset_free(data);
    }
    gpr_ctx_free(ctx);
}

/* The paper's escape from over-smoothing: started at the tenth power alone, where all nodes look the same, it learns a
 * filter. */
static void escapes_oversmoothing(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 1500, 60, -1);
    training t = train(ctx, data,
                       OPTIONS("epochs", "80", "hidden", "16", "lr", "0.05", "weight-decay", "0", "init", "delta:10",
                               "split", "dense"));
    const gpr_run_info *info = &t.result->runs[0].info;
    if (!(fabs(info->initial_accuracy - 50) < 8)) fail_msg("accuracy %g before the first step", info->initial_accuracy);
    if (!(info->test_accuracy >= 90)) fail_msg("accuracy %g after %d steps", info->test_accuracy, (int)info->epochs);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- what cannot be trained ---- */

enum { FEW = 40, FEW_FEATURES = 6 };

/* A ring; features uniform in +-scale. */
static gpr_dataset *ring(gpr_ctx *ctx, const int32_t *labels, int64_t classes, double scale) {
    gpr_dataset *data;
    int64_t src[FEW], dst[FEW];
    float x[FEW * FEW_FEATURES];
    gpri_stream stream = gpri_stream_of(8, GPRI_RANDOM_TEST, 0, 0);
    for (int i = 0; i < FEW; i++) {
        src[i] = i;
        dst[i] = (i + 1) % FEW;
    }
    for (uint64_t k = 0; k < FEW * FEW_FEATURES; k++) x[k] = (float)(scale * (2 * gpri_uniform(stream, k) - 1));
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "ring",
                             .nodes = FEW,
                             .edges = FEW,
                             .src = src,
                             .dst = dst,
                             .features = FEW_FEATURES,
                             .dense = x,
                             .labels = labels,
                             .classes = classes};
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    return data;
}

static void refuses(gpr_ctx *ctx, gpr_dataset *data, const char *const *options, gpr_status status,
                    const char *message) {
    training t = try_training(ctx, data, options);
    assert_fails(t.status, status, message);
    gpr_dataset_free(data);
}

static void nothing_to_train(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    int32_t labels[FEW];
    for (int i = 0; i < FEW; i++) labels[i] = -1;
    refuses(ctx, ring(ctx, labels, 2, 1), NULL, GPR_ERROR_ARGUMENT, "ring has no labelled node");
    refuses(ctx, ring(ctx, labels, 0, 1), NULL, GPR_ERROR_ARGUMENT, "ring has no labelled node");
    for (int i = 0; i < FEW; i++) labels[i] = 0;
    refuses(ctx, ring(ctx, labels, 0, 1), NULL, GPR_ERROR_ARGUMENT, "ring has one class only");
    for (int i = 0; i < FEW; i++) labels[i] = i < 4 ? i % 2 : -1;
    refuses(ctx, ring(ctx, labels, 2, 1), OPTIONS("split", "sparse"), GPR_ERROR_MISMATCH, "that is none; give shares");
    refuses(ctx, ring(ctx, labels, 2, 1), OPTIONS("split", "planetoid:20/1/1"), GPR_ERROR_MISMATCH,
            "class 0 has 2 labelled nodes");
    refuses(ctx, ring(ctx, labels, 2, 1), OPTIONS("split", "0/50/50"), GPR_ERROR_ARGUMENT,
            "leaves no node for training");
    refuses(ctx, ring(ctx, labels, 2, 1), OPTIONS("split", "/nonexistent/split.npz"), GPR_ERROR_NOT_FOUND,
            "/nonexistent/split.npz");

    /* a class without any node, and few labelled ones, are no hindrance */
    gpr_dataset *data = ring(ctx, labels, 5, 1);
    training t = train(ctx, data, OPTIONS("epochs", "3", "split", "50/25/25"));
    assert_int_equal(gpr_model_classes(t.model), 5);
    training_free(&t);
    gpr_model *model = (gpr_model *)ctx;
    gpr_result *result = (gpr_result *)ctx;
    assert_fails(gpr_train(ctx, &model, &result, NULL, NULL), GPR_ERROR_ARGUMENT, "NULL");
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static bool all_finite(const gpr_model *model) {
    for (int i = 0; i < model->tensor_count; i++)
        for (int64_t k = 0; k < model->tensors[i].rows * model->tensors[i].cols; k++)
            if (!isfinite(model->tensors[i].values[k])) return false;
    return true;
}

/* Features up to the largest float: an error that says so, or a model of finite numbers. Never a model that is not. */
static void leaves_the_finite_numbers(void **state) {
    (void)state;
    const gpri_ops *tables[TABLES];
    int count = gpri_ops_all(tables, TABLES);
    int32_t labels[FEW];
    for (int i = 0; i < FEW; i++) labels[i] = i % 2;
    for (int i = 0; i < count; i++) {
        gpr_ctx *ctx = ctx_for(tables[i], 1);
        refuses(ctx, ring(ctx, labels, 2, 3e38), OPTIONS("normalize", "none", "epochs", "5"), GPR_ERROR_NUMERIC,
                "training loss");
        refuses(ctx, ring(ctx, labels, 2, 3e38), OPTIONS("normalize", "none", "epochs", "5", "runs", "3"),
                GPR_ERROR_NUMERIC, "run ");
        refuses(ctx, ring(ctx, labels, 2, 3e38), OPTIONS("normalize", "none", "epochs", "5", "split", "50/0/50"),
                GPR_ERROR_NUMERIC, "training loss"); /* nothing to validate on */
        refuses(ctx, ring(ctx, labels, 2, 1e37), OPTIONS("normalize", "none", "epochs", "20", "lr", "1000"),
                GPR_ERROR_NUMERIC, "try a smaller lr (it is 1000)");
        int trained = 0;
        for (double scale = 1e6; scale < 3e38; scale *= 100) {
            gpr_dataset *data = ring(ctx, labels, 2, scale);
            for (int dropout = 0; dropout < 2; dropout++) {
                training t = try_training(ctx, data,
                                          OPTIONS("normalize", "none", "epochs", "20", "lr", "1", "hidden", "8", "K",
                                                  "2", "dropout", dropout ? "0.5" : "0"));
                if (t.status == GPR_OK && !all_finite(t.model))
                    fail_msg("%s, features of %g: a model with a weight that is not finite", tables[i]->name, scale);
                if (t.status != GPR_OK) assert_int_equal(t.status, GPR_ERROR_NUMERIC);
                trained += t.status == GPR_OK;
                training_free(&t);
            }
            gpr_dataset_free(data);
        }
        assert_true(trained > 0);
        gpr_ctx_free(ctx);
    }
}

/* Two rings. The first trains, with features of a common size; the scores of the second, which validates, overflow. No
   epoch has the lowest validation loss then, and the model of any would be a model of none. */
static void validation_leaves_the_finite_numbers(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    int64_t src[FEW], dst[FEW];
    int32_t labels[FEW];
    float x[FEW * FEW_FEATURES];
    char folder[64], path[96];
    for (int i = 0; i < FEW; i++) {
        src[i] = i;
        dst[i] = i / 20 * 20 + (i + 1) % 20;
        labels[i] = i % 2;
        for (int j = 0; j < FEW_FEATURES; j++)
            x[i * FEW_FEATURES + j] = (i < 20 ? 1.0f : 1e37f) * (float)((i + j) % 3 - 1);
    }
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .nodes = FEW,
                             .edges = FEW,
                             .src = src,
                             .dst = dst,
                             .features = FEW_FEATURES,
                             .dense = x,
                             .labels = labels,
                             .classes = 2};
    gpr_dataset *data;
    gpr_split *split;
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    assert_ok(gpr_split_new(ctx, &split, data, "50/25/25", 1, 0));
    for (int i = 0; i < FEW; i++) split->part[i] = i < 20 ? GPR_TRAIN : GPR_VAL;
    scratch_folder(folder);
    snprintf(path, sizeof path, "%s/split.npz", folder);
    assert_ok(gpr_split_save(ctx, split, path));
    refuses(
        ctx, data, OPTIONS("normalize", "none", "epochs", "5", "split", path, "K", "0", "init", "1000", "dropout", "0"),
        GPR_ERROR_NUMERIC,
        "validation loss is no finite number before the first step: the features are too large (normalize is none)");
    unlink(path);
    rmdir(folder);
    gpr_split_free(split);
    gpr_ctx_free(ctx);
}

/* ---- memory ---- */

typedef struct {
    atomic_llong count, bytes, live;
} tally;

static void *tally_resize(void *user, void *block, size_t size) {
    tally *t = user;
    t->count++;
    t->bytes += (long long)size;
    if (!block) t->live++;
    return realloc(block, size);
}

static void tally_release(void *user, void *block) {
    if (block) ((tally *)user)->live--;
    free(block);
}

/* What a training allocates in all. */
static void measure(long long *count, long long *bytes, int64_t nodes, int threads, bool sparse,
                    const char *const *options) {
    tally all = {0};
    gpr_ctx *ctx;
    gpr_ctx_options settings = {
        .struct_size = sizeof settings, .threads = threads, .allocator = {tally_resize, tally_release, &all}};
    assert_ok(gpr_ctx_new(&ctx, &settings));
    gpr_dataset_free(new_csbm(ctx, 1000, 1, 0)); /* starts the threads, which the context keeps */
    gpr_dataset *data = sparse ? new_words(ctx, nodes, 80, 3) : new_csbm(ctx, nodes, 10, 0.5);
    gpr_params *params = new_params(ctx, options);
    long long count_before = all.count, bytes_before = all.bytes, live_before = all.live;
    gpr_model *model;
    gpr_result *result;
    assert_ok(gpr_train(ctx, &model, &result, data, params));
    *count = all.count - count_before;
    *bytes = all.bytes - bytes_before;
    gpr_model_free(model);
    gpr_result_free(result);
    assert_int_equal(all.live, live_before);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    assert_int_equal(all.live, 0);
}

/* Ten times the epochs take not one allocation more. */
static void no_allocation_in_an_epoch(void **state) {
    (void)state;
    for (int threads = 1; threads <= 2; threads++)
        for (int sparse = 0; sparse < 2; sparse++)
            for (int several = 0; several < 2; several++) {
                long long few, many, bytes_few, bytes_many;
                int64_t nodes = threads > 1 && !several ? 1000 : 300; /* so many that threads are worth it, or runs */
                const char *runs = several ? "3" : "1";
                measure(&few, &bytes_few, nodes, threads, sparse,
                        OPTIONS("epochs", "05", "hidden", "8", "K", "2", "stopping", "none", "runs", runs));
                measure(&many, &bytes_many, nodes, threads, sparse,
                        OPTIONS("epochs", "50", "hidden", "8", "K", "2", "stopping", "none", "runs", runs));
                if (few != many)
                    fail_msg("%d threads, %s features, %s runs: %lld allocations for 5 epochs, %lld for 50", threads,
                             sparse ? "sparse" : "dense", runs, few, many);
                /* but for the history */
                assert_int_equal(bytes_many - bytes_few, 45 * (long long)sizeof(gpri_epoch) * (several ? 3 : 1));
            }
}

/* Hops are not stored: K = 100 takes gamma's own few bytes more than K = 10, not one row of a node. */
static void memory_without_hops(void **state) {
    (void)state;
    for (int sparse = 0; sparse < 2; sparse++) {
        long long count10, count100, bytes10, bytes100;
        measure(&count10, &bytes10, 400, 1, sparse, OPTIONS("epochs", "2", "hidden", "8", "K", "10"));
        measure(&count100, &bytes100, 400, 1, sparse, OPTIONS("epochs", "2", "hidden", "8", "K", "100"));
        assert_int_equal(count10, count100);
        if (!(bytes100 - bytes10 < 90 * 64)) fail_msg("K = 10: %lld bytes, K = 100: %lld", bytes10, bytes100);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits),
                                       cmocka_unit_test(same_bits_of_several_runs),
                                       cmocka_unit_test(seeds),
                                       cmocka_unit_test(runs_are_single_runs),
                                       cmocka_unit_test(evaluation_is_prediction),
                                       cmocka_unit_test(accuracy_is_that_of_the_model),
                                       cmocka_unit_test(model_of_the_best_epoch),
                                       cmocka_unit_test(progress),
                                       cmocka_unit_test(stopping),
                                       cmocka_unit_test(learns),
                                       cmocka_unit_test(escapes_oversmoothing),
                                       cmocka_unit_test(nothing_to_train),
                                       cmocka_unit_test(leaves_the_finite_numbers),
                                       cmocka_unit_test(validation_leaves_the_finite_numbers),
                                       cmocka_unit_test(no_allocation_in_an_epoch),
                                       cmocka_unit_test(memory_without_hops)};
    return cmocka_run_group_tests_name("train", tests, NULL, NULL);
}
