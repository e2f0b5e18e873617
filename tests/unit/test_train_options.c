/* The options metric, class-weight, calibrate and refit: what they do in a training, in states and in model files. */
#include <math.h>
#include <unistd.h>

#include "mock_device.h"
#include "resuming.h"
#include "train/calibrate.h"
#include "train/preparation/weigh.h"

/* Words of three classes, of which the third has few nodes. */
static gpr_dataset *uneven(gpr_ctx *ctx) {
    gpr_dataset *data = new_words(ctx, 150, 40, 3);
    for (int64_t i = 0; i < 150; i++)
        if (data->target.labels[i] == 2 && i % 2) data->target.labels[i] = 0;
    return data;
}

#define SMALL "epochs", "40", "hidden", "8", "K", "2", "lr", "0.05"

/* ---- weights ---- */

static double weight_sum(const gpri_real *factor, const gpr_split *split) {
    double sum = 0;
    for (int64_t i = 0; i < split->nodes; i++) {
        sum += (double)factor[i];
        assert_true(split->part[i] == GPR_TRAIN || factor[i] == 0);
    }
    return sum;
}

/* n / (k * n_c), and a sum of n. */
static void balanced(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = uneven(ctx);
    gpr_params *params = new_params(ctx, OPTIONS("class-weight", "balanced"));
    gpr_split *split;
    gpri_real *factor;
    assert_ok(gpr_split_new(ctx, &split, data, "60/20/20", 3, 0));
    assert_ok(gpri_weigh_nodes(ctx, &factor, data, split, params));
    double nodes = 0, count[3];
    for (int c = 0; c < 3; c++) nodes += count[c] = (double)gpr_split_count(split, GPR_TRAIN, c);
    assert_true(count[2] < count[0]);
    for (int64_t i = 0; i < split->nodes; i++)
        if (split->part[i] == GPR_TRAIN)
            assert_true(fabs((double)factor[i] - nodes / (3 * count[data->target.labels[i]])) < 1e-6);
    assert_true(fabs(weight_sum(factor, split) - nodes) < 1e-3);
    gpri_free(ctx, factor);
    gpr_params_free(params);
    params = new_params(ctx, NULL);
    assert_ok(gpri_weigh_nodes(ctx, &factor, data, split, params));
    assert_null(factor); /* nothing to multiply with: the bits of a training are those of before */
    gpr_params_free(params);
    gpr_split_free(split);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

static gpr_status weigh_by(gpr_ctx *ctx, const gpr_dataset *data, const char *text, gpri_real **factor,
                           gpr_split **split) {
    char path[] = "/tmp/gprgnn_weights_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    gpr_params *params = new_params(ctx, OPTIONS("class-weight", path));
    assert_ok(gpr_split_new(ctx, split, data, "60/20/20", 3, 0));
    const gpr_status status = gpri_weigh_nodes(ctx, factor, data, *split, params);
    gpr_params_free(params);
    unlink(path);
    return status;
}

static void weight_file(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = uneven(ctx);
    gpr_split *split;
    gpri_real *factor, first[3] = {0};
    assert_ok(weigh_by(ctx, data, "class,weight\n2,8\n0,1\n1,0\n", &factor, &split));
    for (int64_t i = 0; i < split->nodes; i++)
        if (split->part[i] == GPR_TRAIN) first[data->target.labels[i]] = factor[i];
    assert_true(fabs((double)(first[2] / first[0]) - 8) < 1e-5 && first[1] == 0 && first[0] > 0);
    gpri_free(ctx, factor);
    gpr_split_free(split);
    static const char *const wrong[][2] = {
        {"0,1\n1,1\n7,1\n", ":3: words has no class '7'"},
        {"0,1\n1,-1\n2,1\n", ":2: the weight '-1' is not a number of 0 or more"},
        {"0,1\n1,nan\n2,1\n", ":2: the weight 'nan'"},
        {"0,1\n1\n2,1\n", ":2: 1 fields"},
        {"0,1\n1,1\n0,1\n", ":3: the class '0' has a weight already"},
        {"0,1\n1,1\n", "the class 2 has no weight"},
        {"0,0\n1,0\n2,0\n", "sum to 0"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_true(weigh_by(ctx, data, wrong[i][0], &factor, &split) < 0);
        if (!strstr(gpr_last_error(), wrong[i][1])) fail_msg("'%s' lacks '%s'", gpr_last_error(), wrong[i][1]);
        assert_null(factor);
        gpr_split_free(split);
    }
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* The training loss is the weighted mean: with balanced weights and equal scores it is that of a guess in each class,
   and the training differs. */
static void weighted_training(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = uneven(ctx);
    training plain = train(ctx, data, OPTIONS(SMALL)),
             weighted = train(ctx, data, OPTIONS(SMALL, "class-weight", "balanced"));
    const gpri_epoch *a = plain.result->runs[0].history, *b = weighted.result->runs[0].history;
    assert_true(a[0].train_loss != b[0].train_loss); /* the same initial weights */
    assert_true(a[0].val_loss == b[0].val_loss);     /* which is not weighted */
    assert_true(a[1].val_loss != b[1].val_loss);
    assert_string_equal(gpr_model_param(weighted.model, "class-weight"), "balanced");
    training_free(&plain);
    training_free(&weighted);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- metric ---- */

/* The best epoch has the highest metric; of equal ones, the lowest validation loss. The same for runs. */
static void best_by_metric(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = uneven(ctx);
    static const char *const metrics[] = {"accuracy", "balanced_accuracy", "macro_f1", "auc", "average_precision"};
    for (int m = 0; m < 5; m++) {
        training t = train(ctx, data, OPTIONS(SMALL, "metric", metrics[m], "runs", "3"));
        for (int64_t r = 0; r < 3; r++) {
            const gpri_run *run = &t.result->runs[r];
            const gpri_epoch *best = &run->history[run->info.best_epoch];
            const double *curve;
            int64_t count;
            for (int64_t e = 1; e <= run->info.epochs; e++) {
                const gpri_epoch *at = &run->history[e];
                assert_true(at->val_metric >= 0 && at->val_metric <= 1 && at->val_metric <= best->val_metric);
                if (at->val_metric == best->val_metric) assert_true(at->val_loss >= best->val_loss);
                if (m == 0) assert_true(fabs(100 * at->val_metric - at->val_accuracy) < 1e-9);
            }
            assert_true(run->info.val_metric == best->val_metric);
            assert_true(t.result->runs[t.result->best].info.val_metric >= run->info.val_metric);
            assert_ok(gpr_result_history(t.result, r, "val_metric", &curve, &count));
            assert_true(curve[run->info.best_epoch] == best->val_metric);
        }
        training_free(&t);
    }
    training t = train(ctx, data, OPTIONS(SMALL));
    assert_true(isnan(t.result->runs[0].info.val_metric) && isnan(t.result->runs[0].history[3].val_metric));
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* Stopped and gone on, also on a device whose memory the host cannot read, and with the second training of `refit`. */
static void in_pieces(void **state) {
    (void)state;
    for (int device = 0; device < 2; device++) {
        gpr_ctx *ctx = device ? mock_ctx() : new_ctx(1);
        gpr_dataset *data = uneven(ctx);
        const char *const *options =
            OPTIONS("epochs", "60", "hidden", "8", "K", "2", "lr", "0.1", "metric", "auc", "patience", "8",
                    "class-weight", "balanced", "calibrate", "yes", "refit", "yes", "runs", "2");
        training whole = train(ctx, data, options);
        assert_true(whole.result->refit_nodes == 150);
        const int64_t calls[] = {5, 12, 0};
        training pieces = train_in_pieces(ctx, data, options, calls);
        assert_same_training("metric, class-weight, calibrate, refit", ctx, &whole, &pieces);
        training_free(&whole);
        training_free(&pieces);
        gpr_dataset_free(data);
        gpr_ctx_free(ctx);
    }
}

static void one_class_in_validation(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = uneven(ctx);
    uint8_t parts[150];
    gpr_split *split;
    gpr_model *model;
    gpr_result *result;
    for (int64_t i = 0; i < 150; i++)
        parts[i] = (uint8_t)(data->target.labels[i] == 1 && i % 2 ? GPR_VAL : i % 5 ? GPR_TRAIN : GPR_TEST);
    assert_ok(gpr_split_from_parts(ctx, &split, data, parts, 150));
    gpr_params *params = new_params(ctx, OPTIONS(SMALL, "metric", "auc"));
    const gpr_split *const splits[] = {split};
    assert_int_equal(gpr_train_splits(ctx, &model, &result, data, params, splits, 1), GPR_ERROR_ARGUMENT);
    assert_non_null(strstr(gpr_last_error(), "of one class"));
    assert_ok(gpr_params_set(params, "metric", "loss"));
    assert_ok(gpr_params_set(params, "calibrate", "yes")); /* is not done, and says so */
    assert_ok(gpr_train_splits(ctx, &model, &result, data, params, splits, 1));
    assert_non_null(strstr(result->runs[0].uncalibrated, "of one class"));
    assert_true(isnan(result->runs[0].info.temperature) && model->temperature == 0);
    gpr_model_free(model);
    gpr_result_free(result);
    gpr_params_free(params);
    gpr_split_free(split);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- calibrate ---- */

/* The mean of the largest probability. z: (count x 3) */
static double confidence(const gpri_real *z, int64_t count, double by) {
    double sure = 0;
    for (int64_t i = 0; i < count; i++) {
        double most = 0, sum = 0;
        for (int c = 0; c < 3; c++) {
            const double share = exp((double)z[3 * i + c] / by);
            most = share > most ? share : most;
            sum += share;
        }
        sure += most / sum / (double)count;
    }
    return sure;
}

/* Scores that are three times too large have T = 3 times that of the right ones; the loss is lowest there. */
static void temperature(void **state) {
    (void)state;
    enum { COUNT = 400, CLASSES = 3 };
    gpri_real z[COUNT * CLASSES], large[COUNT * CLASSES];
    int32_t labels[COUNT];
    gpri_random stream = gpri_random_of(5, GPRI_RANDOM_TEST, 0, 0);
    for (int64_t i = 0; i < COUNT * CLASSES; i++) {
        z[i] = (gpri_real)(4 * gpri_uniform(stream, (uint64_t)i) - 2);
        large[i] = 3 * z[i];
    }
    for (int64_t i = 0; i < COUNT; i++) { /* drawn by softmax */
        double sum = 0, u = gpri_uniform(stream, (uint64_t)(i + 5000));
        for (int c = 0; c < CLASSES; c++) sum += exp((double)z[i * CLASSES + c]);
        for (labels[i] = 0; labels[i] < CLASSES - 1; labels[i]++) {
            u -= exp((double)z[i * CLASSES + labels[i]]) / sum;
            if (u < 0) break;
        }
    }
    gpri_calibration a, b;
    gpri_fit_temperature(&a, z, labels, COUNT, CLASSES);
    gpri_fit_temperature(&b, large, labels, COUNT, CLASSES);
    assert_true(a.temperature > 0.75 && a.temperature < 1.33);
    assert_true(fabs(b.temperature / a.temperature - 3) < 1e-5);
    assert_true(a.after <= a.before && b.after < b.before && fabs(a.after - b.after) < 1e-6);
    for (int32_t i = 0; i < COUNT; i++) { /* all right */
        labels[i] = 0;
        for (int c = 0; c < CLASSES; c++)
            if (z[i * CLASSES + c] > z[i * CLASSES + labels[i]]) labels[i] = c;
    }
    gpri_fit_temperature(&a, z, labels, COUNT, CLASSES);
    gpri_fit_temperature(&b, z, labels, 20, CLASSES);
    assert_true(a.temperature < b.temperature && b.temperature < 1); /* fewer nodes prove less */
    assert_true(a.after < a.before && b.after < b.before);
    assert_true(fabs(confidence(z, 20, b.temperature) - 21.0 / 22) < 1e-6);
    assert_true(fabs(a.temperature - 1.0 / 20) < 1e-6 && confidence(z, COUNT, 1.0 / 20) < (COUNT + 1.0) / (COUNT + 2));
    for (int64_t i = 0; i < COUNT * CLASSES; i++) large[i] = 100 * z[i]; /* more confident than that: they stay so */
    gpri_fit_temperature(&b, large, labels, 20, CLASSES);
    assert_true(b.temperature == 1);
}

/* The model file keeps it; probabilities are softmax(z / T); classes and accuracies stay. */
static void calibrated_model(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = uneven(ctx);
    training plain = train(ctx, data, OPTIONS(SMALL, "lr", "0.002")),
             t = train(ctx, data, OPTIONS(SMALL, "lr", "0.002", "calibrate", "yes"));
    const gpr_run_info *info = &t.result->runs[0].info;
    assert_true(info->temperature > 0 && t.model->temperature == info->temperature);
    assert_true(info->calibrated_loss < info->val_loss);
    assert_same_model("calibrate", plain.model, t.model);
    assert_true(info->test_accuracy == plain.result->runs[0].info.test_accuracy);
    void *bytes;
    size_t size;
    gpr_model *again;
    assert_ok(gpr_model_to_bytes(ctx, &bytes, &size, t.model));
    assert_ok(gpr_model_from_bytes(ctx, &again, bytes, size));
    gpr_bytes_free(ctx, bytes);
    assert_true(again->temperature == info->temperature);
    float proba[150 * 3], logits[150 * 3];
    int32_t classes[150], other[150];
    assert_ok(gpr_predict(ctx, plain.model, data, other, NULL));
    assert_ok(gpr_predict_with(ctx, again, data, classes, proba, logits, NULL));
    assert_memory_equal(classes, other, sizeof classes);
    for (int i = 0; i < 150; i++) {
        double sum = 0;
        for (int c = 0; c < 3; c++) sum += exp((double)logits[3 * i + c] / info->temperature);
        for (int c = 0; c < 3; c++)
            assert_true(fabs(exp((double)logits[3 * i + c] / info->temperature) / sum - (double)proba[3 * i + c]) <
                        1e-5);
    }
    gpr_model_free(again);
    training_free(&plain);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- refit ---- */

/* The model is that of a training on all labelled nodes with so many epochs; the figures are those without refit. */
static void refitted(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data = uneven(ctx);
    data->target.labels[7] = -1;
    training plain = train(ctx, data, OPTIONS(SMALL, "runs", "3")),
             t = train(ctx, data, OPTIONS(SMALL, "runs", "3", "refit", "yes"));
    assert_int_equal(t.result->best, plain.result->best);
    const gpr_run_info *best = &t.result->runs[t.result->best].info;
    assert_true(best->test_accuracy == plain.result->runs[plain.result->best].info.test_accuracy);
    assert_int_equal(gpr_result_refit_nodes(t.result), 149);
    assert_int_equal(gpr_result_refit_nodes(plain.result), 0);
    assert_int_equal(t.model->refit_epochs, best->best_epoch);
    assert_false(same_model(t.model, plain.model));
    assert_same_model("the run's own", t.result->runs[t.result->best].model, plain.model);
    char epochs[32], seed[32];
    uint8_t parts[150] = {0};
    gpr_split *split;
    gpr_model *model;
    gpr_result *result;
    for (int64_t i = 0; i < 150; i++) parts[i] = data->target.labels[i] >= 0 ? GPR_TRAIN : GPR_UNUSED;
    assert_ok(gpr_split_from_parts(ctx, &split, data, parts, 150));
    snprintf(epochs, sizeof epochs, "%d", (int)best->best_epoch);
    snprintf(seed, sizeof seed, "%d", (int)best->seed);
    gpr_params *params = new_params(ctx, OPTIONS(SMALL, "seed", seed));
    assert_ok(gpr_params_set(params, "epochs", epochs));
    const gpr_split *const splits[] = {split};
    assert_ok(gpr_train_splits(ctx, &model, &result, data, params, splits, 1));
    assert_same_model("by hand", model, t.model);
    assert_string_equal(gpr_model_param(t.model, "seed"), seed);
    gpr_model_free(model);
    gpr_result_free(result);
    gpr_params_free(params);
    gpr_split_free(split);
    training_free(&plain);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balanced),       cmocka_unit_test(weight_file),      cmocka_unit_test(weighted_training),
        cmocka_unit_test(best_by_metric), cmocka_unit_test(in_pieces),        cmocka_unit_test(one_class_in_validation),
        cmocka_unit_test(temperature),    cmocka_unit_test(calibrated_model), cmocka_unit_test(refitted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
