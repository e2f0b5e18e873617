/* Training: its results, progress, and that it learns. */
#include <math.h>
#include <sched.h>
#include <stdatomic.h>

#include "fixture.h"
#include "tensor/cpu/cpu.h"
#include "training.h"

/* ---- results ---- */

/* The evaluation stream of a training network gives the same bits as a network for prediction. */
static void evaluation_is_prediction(void **state) {
    (void)state;
    const gpri_ops *tables[MOST_TABLES];
    int count = gpri_ops_all(tables, MOST_TABLES);
    enum { N = 300, F = 30, C = 3 };
    static float x[N * F];
    int64_t src[3 * N], dst[3 * N];
    int32_t labels[N];
    uint8_t part[N];
    gpri_random stream = gpri_random_of(5, GPRI_RANDOM_TEST, 0, 0);
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
                gpri_recipe recipe = gpri_recipe_of(f.params, C, NULL);
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
    const gpri_ops *tables[MOST_TABLES];
    int count = gpri_ops_all(tables, MOST_TABLES);
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
    int64_t calls, stop_at; /* stop_at: the call that asks to stop; 0: none */
    bool stopped;
    gpr_progress last[8]; /* of each run */
} watcher;

static int watch(void *user, const gpr_progress *p) {
    watcher *w = user;
    if (atomic_fetch_add(&w->inside, 1) != 0) w->overlaps++;
    if (w->stopped) w->after_stop++;
    for (int i = 0; i < 50; i++) sched_yield(); /* time for another thread to interfere */
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(evaluation_is_prediction),
                                       cmocka_unit_test(accuracy_is_that_of_the_model),
                                       cmocka_unit_test(model_of_the_best_epoch),
                                       cmocka_unit_test(progress),
                                       cmocka_unit_test(stopping),
                                       cmocka_unit_test(learns),
                                       cmocka_unit_test(escapes_oversmoothing)};
    return cmocka_run_group_tests_name("train", tests, NULL, NULL);
}
