/* tensor/record.c: both rules against a literal transcription of their source, on random loss curves and in training.
 */
#include <math.h>

#include "train/trainer.h"
#include "training.h"

enum { MOST = 400 };

/* The authors' program (train_model.py): epochs are counted from 0, and
 *
 *     val_loss_history.append(val_loss)
 *     if early_stopping > 0 and epoch > early_stopping:
 *         tmp = tensor(val_loss_history[-(early_stopping + 1):-1])
 *         if val_loss > tmp.mean().item(): break
 *
 * Returns the number of steps done. */
static int64_t program(const double *val_loss, int64_t epochs, int64_t early_stopping) {
    double history[MOST];
    int64_t length = 0;
    for (int64_t epoch = 0; epoch < epochs; epoch++) {
        history[length++] = val_loss[epoch];
        if (early_stopping > 0 && epoch > early_stopping) {
            int64_t from = length - (early_stopping + 1), to = length - 1;
            double sum = 0;
            if (from < 0) from = 0;
            for (int64_t i = from; i < to; i++) sum += history[i];
            if (val_loss[epoch] > sum / (double)(to - from)) return epoch + 1;
        }
    }
    return epochs;
}

/* The paper, appendix: "when the epoch is greater than half of the maximum epoch, we check if the current validation
 * loss is lower than the average over the past 200 epochs. If it is not lower, we stop". Epochs from 1 on. */
static int64_t paper(const double *val_loss, int64_t epochs, int64_t past) {
    for (int64_t epoch = 1; epoch <= epochs; epoch++) {
        if (2 * epoch <= epochs) continue;
        double sum = 0;
        int64_t count = 0;
        for (int64_t other = epoch - past; other < epoch; other++)
            if (other >= 1) {
                sum += val_loss[other - 1];
                count++;
            }
        if (count > 0 && !(val_loss[epoch - 1] < sum / (double)count)) return epoch;
    }
    return epochs;
}

static int64_t ours(gpri_stopping rule, const double *val_loss, int64_t epochs, int64_t patience) {
    gpri_epoch history[MOST + 1];
    const gpri_rule how = {.stopping = rule, .metric = GPRI_LOG_LOSS, .patience = patience, .epochs = epochs};
    history[0] = (gpri_epoch){.val_loss = -1e9}; /* of the initial weights: no rule may look at it */
    for (int64_t step = 1; step <= epochs; step++) {
        history[step] = (gpri_epoch){.val_loss = val_loss[step - 1]};
        if (gpri_should_stop(&how, history, step)) return step;
    }
    return epochs;
}

/* The same curve as a metric, of which higher is better; the loss says nothing. */
static int64_t by_metric(gpri_stopping rule, const double *val_loss, int64_t epochs, int64_t patience) {
    gpri_epoch history[MOST + 1];
    const gpri_rule how = {.stopping = rule, .metric = GPRI_ROC_AUC, .patience = patience, .epochs = epochs};
    history[0] = (gpri_epoch){.val_metric = 1e9};
    for (int64_t step = 1; step <= epochs; step++) {
        history[step] = (gpri_epoch){.val_metric = -val_loss[step - 1]};
        if (gpri_should_stop(&how, history, step)) return step;
    }
    return epochs;
}

/* Kinds: falling with noise, a random walk, falling then rising, whole numbers (many equal ones), constant. */
static void draw_curve(double *loss, int64_t curve) {
    gpri_random stream = gpri_random_of((uint64_t)curve, GPRI_RANDOM_TEST, 0, 0);
    double at = 2, noise = 0.3 * gpri_uniform(stream, 0);
    for (int64_t i = 0; i < MOST; i++) {
        double u = gpri_uniform(stream, (uint64_t)i + 1), t = (double)i / MOST;
        at += 0.1 * (u - 0.51);
        switch (curve % 5) {
        case 0: loss[i] = exp(-3 * t) + noise * u; break;
        case 1: loss[i] = at; break;
        case 2: loss[i] = (t - 0.4) * (t - 0.4) + 0.01 * noise * u; break;
        case 3: loss[i] = floor(8 * (1 - t) + 2 * u); break;
        default: loss[i] = 0.75;
        }
    }
}

static void random_curves(void **state) {
    (void)state;
    const int64_t patiences[] = {1, 2, 3, 10, 50, 199, 200, 399, 400, 1000},
                  lengths[] = {1, 2, 3, 4, 5, 50, 201, 202, MOST};
    int64_t early[2] = {0}, last[2] = {0};
    for (int64_t curve = 0; curve < 200; curve++) {
        double loss[MOST];
        draw_curve(loss, curve);
        for (size_t p = 0; p < sizeof patiences / sizeof *patiences; p++)
            for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
                for (int rule = GPRI_STOP_PROGRAM; rule <= GPRI_STOP_PAPER; rule++) {
                    int64_t most = lengths[l], patience = patiences[p],
                            got = ours((gpri_stopping)rule, loss, most, patience);
                    assert_int_equal(by_metric((gpri_stopping)rule, loss, most, patience), got);
                    int64_t want =
                        rule == GPRI_STOP_PROGRAM ? program(loss, most, patience) : paper(loss, most, patience);
                    if (got != want)
                        fail_msg("%s rule, curve %lld, patience %lld, at most %lld: stopped after %lld, not %lld",
                                 rule == GPRI_STOP_PROGRAM ? "program's" : "paper's", (long long)curve,
                                 (long long)patience, (long long)most, (long long)got, (long long)want);
                    *(got < most ? &early[rule] : &last[rule]) += 1;
                }
        assert_int_equal(ours(GPRI_STOP_NEVER, loss, MOST, 1), MOST);
    }
    for (int rule = 0; rule < 2; rule++)
        assert_true(early[rule] > 100 && last[rule] > 100); /* both outcomes occurred */
}

/* The numbers of the protocol: patience 200 stops from epoch 201 (from 0) on, so after 202 steps at the earliest; the
   paper's rule after 501 of 1000. On equal losses the program goes on, the paper stops. */
static void first_chances(void **state) {
    (void)state;
    double rising[MOST], constant[MOST];
    for (int64_t i = 0; i < MOST; i++) {
        rising[i] = (double)i;
        constant[i] = 0.5;
    }
    assert_int_equal(ours(GPRI_STOP_PROGRAM, rising, MOST, 200), 202);
    assert_int_equal(ours(GPRI_STOP_PROGRAM, rising, 202, 200), 202);
    assert_int_equal(ours(GPRI_STOP_PAPER, rising, MOST, 200), MOST / 2 + 1);
    assert_int_equal(ours(GPRI_STOP_PAPER, rising, 5, 200), 3);
    assert_int_equal(ours(GPRI_STOP_PROGRAM, constant, MOST, 10), MOST);
    assert_int_equal(ours(GPRI_STOP_PAPER, constant, MOST, 10), MOST / 2 + 1);
}

/* A training stops where the rule says, by the losses that the same training without stopping has. */
static void in_training(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 120, 10, 0.3);
    const char *const *base = OPTIONS("epochs", "300", "hidden", "8", "K", "2", "stopping", "none", "lr", "0.05");
    training all = train(ctx, data, base);
    const gpri_run *whole = &all.result->runs[0];
    double loss[MOST];
    int64_t early = 0;
    assert_int_equal(whole->info.epochs, 300);
    for (int64_t i = 0; i < 300; i++) loss[i] = whole->history[i + 1].val_loss;
    for (int rule = GPRI_STOP_PROGRAM; rule <= GPRI_STOP_PAPER; rule++)
        for (int64_t patience = 3; patience < 100; patience *= 3) {
            char number[32];
            snprintf(number, sizeof number, "%lld", (long long)patience);
            training t = train(ctx, data,
                               OPTIONS("epochs", "300", "hidden", "8", "K", "2", "lr", "0.05", "patience", number,
                                       "stopping", rule == GPRI_STOP_PROGRAM ? "program" : "paper"));
            const gpri_run *run = &t.result->runs[0];
            int64_t want = rule == GPRI_STOP_PROGRAM ? program(loss, 300, patience) : paper(loss, 300, patience);
            if (run->info.epochs != want)
                fail_msg("rule %d, patience %lld: %lld epochs, not %lld", rule, (long long)patience,
                         (long long)run->info.epochs, (long long)want);
            assert_memory_equal(run->history, whole->history, (size_t)(want + 1) * sizeof *run->history);
            early += want < 300;
            training_free(&t);
        }
    assert_true(early > 0);
    training_free(&all);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Nothing to validate on: every epoch is trained, and the model is the last one's. */
static void empty_validation(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 100, 10, 0.5);
    for (int rule = GPRI_STOP_PROGRAM; rule <= GPRI_STOP_NEVER; rule++) {
        static const char *const names[] = {"program", "paper", "none"};
        training t = train(ctx, data,
                           OPTIONS("epochs", "60", "patience", "3", "hidden", "8", "K", "2", "split", "50/0/50",
                                   "stopping", names[rule]));
        const gpri_run *run = &t.result->runs[0];
        const int32_t *labels = gpr_dataset_labels(data, NULL);
        int32_t classes[100];
        int64_t right = 0, tested = 0;
        if (run->info.epochs != 60 || run->info.best_epoch != 60)
            fail_msg("%s: %lld epochs, the best was %lld", names[rule], (long long)run->info.epochs,
                     (long long)run->info.best_epoch);
        assert_true(isnan(run->info.val_loss) && isnan(run->info.val_accuracy));
        assert_true(run->info.train_loss == run->history[60].train_loss);
        assert_true(run->history[60].train_loss != run->history[59].train_loss);
        assert_ok(gpr_predict(ctx, t.model, data, classes, NULL));
        for (int64_t i = 0; i < 100; i++)
            if (run->split->part[i] == GPR_TEST) {
                tested++;
                right += classes[i] == labels[i];
            }
        assert_int_equal(tested, 50);
        assert_true(100.0 * (double)right / (double)tested == run->history[60].test_accuracy);

        /* the weights are those after 60 steps: one step less gives others */
        training less = train(ctx, data, OPTIONS("epochs", "59", "hidden", "8", "K", "2", "split", "50/0/50"));
        assert_false(same_model(t.model, less.model));
        training_free(&less);
        training_free(&t);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static void words(void **state) {
    (void)state;
    const struct {
        const char *word;
        gpri_stopping rule;
    } rules[] = {{"program", GPRI_STOP_PROGRAM}, {"paper", GPRI_STOP_PAPER}, {"none", GPRI_STOP_NEVER}};
    gpr_ctx *ctx = new_ctx(1);
    gpr_params *params;
    gpr_param_info info = {.struct_size = sizeof info};
    assert_ok(gpr_param_describe(GPRI_PARAM_STOPPING, &info));
    assert_int_equal(strlen(info.range), strlen("program|paper|none")); /* no further choice */
    assert_ok(gpr_params_new(ctx, &params));
    for (int i = 0; i < 3; i++) {
        assert_ok(gpr_params_set(params, "stopping", rules[i].word));
        assert_int_equal(gpri_stopping_of(params), rules[i].rule);
    }
    gpr_params_free(params);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(words), cmocka_unit_test(random_curves),
                                       cmocka_unit_test(first_chances), cmocka_unit_test(in_training),
                                       cmocka_unit_test(empty_validation)};
    return cmocka_run_group_tests_name("stopping", tests, NULL, NULL);
}
