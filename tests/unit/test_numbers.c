/* Targets that are numbers: the losses of all tables of operations, the measures, the unit, and a training from arrays
 * to predictions. */
#include "task/number.h"

#include "support.h"
#include "tables.h"
#include "task/metrics/metrics.h"
#include "tensor/cpu/cpu.h"
#include "tensor/ops.h"
#include "training.h"

/* Costs and slopes at r = -2, -0.5, 0, 0.5, 2: as MSELoss, L1Loss and HuberLoss of PyTorch define them. */
static void losses(void **state) {
    (void)state;
    static const double r[] = {-2, -0.5, 0, 0.5, 2};
    static const struct {
        const char *word;
        double cost[5], slope[5];
    } cases[] = {{"squared", {4, 0.25, 0, 0.25, 4}, {-4, -1, 0, 1, 4}},
                 {"auto", {4, 0.25, 0, 0.25, 4}, {-4, -1, 0, 1, 4}},
                 {"absolute", {2, 0.5, 0, 0.5, 2}, {-1, -1, 0, 1, 1}},
                 {"huber", {1.5, 0.125, 0, 0.125, 1.5}, {-1, -0.5, 0, 0.5, 1}},
                 {"huber:0.25", {0.46875, 0.09375, 0, 0.09375, 0.46875}, {-0.25, -0.25, 0, 0.25, 0.25}}};
    gpri_error_form how;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(gpri_error_form_parse(&how, cases[i].word));
        for (int k = 0; k < 5; k++) {
            assert_true(fabs(gpri_error_cost(&how, r[k]) - cases[i].cost[k]) < 1e-15);
            assert_true(fabs(gpri_error_slope(&how, r[k]) - cases[i].slope[k]) < 1e-15);
        }
        assert_true(isnan(gpri_error_cost(&how, NAN)) && isnan(gpri_error_slope(&how, NAN)));
    }
    assert_fails(gpri_error_form_parse(&how, "cubed"), GPR_ERROR_ARGUMENT, "`loss` is 'cubed'");
    assert_fails(gpri_error_form_parse(&how, "huber:0"), GPR_ERROR_ARGUMENT, "must be a number above 0");
    assert_fails(gpri_error_form_parse(&how, "huber:x"), GPR_ERROR_ARGUMENT, "must be a number above 0");
}

/* Nodes that do not train have no gradient, and hidden ones no loss; every table as ref, bit for bit. */
static void operations(void **state) {
    (void)state;
    enum { ROWS = 9 };
    const int32_t labels[ROWS] = {0};
    const uint8_t part[ROWS] = {GPR_TRAIN, GPR_VAL, GPR_TEST, GPR_UNUSED, GPR_TRAIN, GPR_TRAIN, GPR_VAL, GPR_TRAIN, 1};
    const float numbers[ROWS] = {0, 1, -1, 0, 2, -0.25f, 0.5f, 3, 0}, factor[ROWS] = {2, 9, 9, 9, 1, 1, 9, 0, 1};
    EACH_TABLE(ops) {
        gpri_targets targets = {
            .labels = labels, .part = part, .weight = 0.25f, .factor = factor, .numbers = numbers, .error.bend = 1};
        for (int loss = GPRI_SQUARED; loss <= GPRI_HUBER; loss++) {
            float z[ROWS * 8], want[ROWS * 8];
            double sum, wanted;
            gpri_scores got, expected;
            targets.error.loss = (gpri_number_loss)loss;
            for (int i = 0; i < ROWS * 8; i++) z[i] = want[i] = (float)(i % 7) - 2;
            ops->score(&got, (gpri_matrix){z, ROWS, 1, 8, 8}, &targets, 0);
            gpri_ops_ref.score(&expected, (gpri_matrix){z, ROWS, 1, 8, 8}, &targets, 0);
            assert_memory_equal(&got, &expected, sizeof got);
            assert_int_equal(got.correct[GPR_TRAIN], 0);
            ops->nll_backward((gpri_matrix){z, ROWS, 1, 8, 8}, &sum, &targets, 0);
            gpri_ops_ref.nll_backward((gpri_matrix){want, ROWS, 1, 8, 8}, &wanted, &targets, 0);
            assert_true(sum == wanted && sum == got.loss[GPR_TRAIN]);
            assert_memory_equal(z, want, sizeof z);
            for (int i = 0; i < ROWS; i++) {
                const double r = (double)(i * 8 % 7) - 2 - (double)numbers[i];
                const double slope =
                    part[i] == GPR_TRAIN ? 0.25 * (double)factor[i] * gpri_error_slope(&targets.error, r) : 0;
                assert_true(fabs((double)z[i * 8] - slope) < 1e-6 && z[i * 8 + 1] == 0);
            }
        }
    }
}

/* By sklearn.metrics 1.9.1: r2_score, root_mean_squared_error, mean_absolute_error, median_absolute_error. */
static void measures(void **state) {
    (void)state;
    const float told[] = {2.5f, 0.0f, 2.0f, 8.0f, 5.0f, 1.0f}, truth[] = {3.0f, -0.5f, 2.0f, 7.0f, NAN, 3.0f};
    static const struct {
        const char *word;
        double value;
    } wanted[] = {{"r2", 0.8116438356164384}, {"rmse", 1.0488088481701516}, {"mae", 0.8}, {"median_error", 0.5}};
    gpr_ctx *ctx = new_ctx(1);
    gpr_metrics *metrics;
    gpr_metrics_info info = {.struct_size = sizeof info};
    double value;
    assert_ok(gpr_metrics_of_numbers(ctx, &metrics, told, truth, 6));
    assert_ok(gpr_metrics_describe(metrics, &info));
    assert_true(info.nodes == 5 && info.classes == 0);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(gpr_metrics_word(metrics, i), wanted[i].word);
        assert_ok(gpr_metrics_value(metrics, wanted[i].word, &value));
        if (!(fabs(value - wanted[i].value) < 1e-12))
            fail_msg("%s is %.17g, not %.17g", wanted[i].word, value, wanted[i].value);
    }
    assert_null(gpr_metrics_word(metrics, 4));
    assert_ok(gpr_metrics_value(metrics, "accuracy", &value));
    assert_true(isnan(value));
    gpr_metrics_free(metrics);
    assert_fails(gpr_metrics_of_numbers(ctx, &metrics, (const float[]){NAN}, truth, 1), GPR_ERROR_ARGUMENT, "row 0");
    gpr_ctx_free(ctx);
}

enum { NODES = 60 };

static gpr_status open_ring(gpr_ctx *ctx, gpr_dataset **out, const float *targets) {
    static int64_t src[NODES], dst[NODES];
    static float x[NODES * 2];
    for (int i = 0; i < NODES; i++) {
        src[i] = i, dst[i] = (i + 1) % NODES;
        x[2 * i] = (float)sin(0.7 * i), x[2 * i + 1] = (float)cos(1.3 * i);
    }
    const gpr_dataset_desc desc = {.struct_size = sizeof desc,
                                   .nodes = NODES,
                                   .edges = NODES,
                                   .src = src,
                                   .dst = dst,
                                   .features = 2,
                                   .dense = x,
                                   .targets = targets};
    return gpr_dataset_new(ctx, out, &desc);
}

/* A number that is a line of the features, in an own unit: told well, saved, loaded, and told the same. */
static void train_numbers(void **state) {
    (void)state;
    float targets[NODES], told[NODES], again[NODES];
    double mean, sd, r2, rmse;
    size_t size;
    void *bytes;
    gpr_ctx *ctx = new_ctx(2);
    gpr_dataset *data;
    gpr_model *model, *loaded;
    gpr_result *result;
    for (int i = 0; i < NODES; i++) targets[i] = i % 10 == 9 ? NAN : (float)(5000 + 300 * sin(0.7 * i));
    assert_ok(open_ring(ctx, &data, targets));
    assert_int_equal(gpr_dataset_classes(data), 0);
    gpr_params *params =
        new_params(ctx, OPTIONS("epochs", "300", "dropout", "0", "weight-decay", "0", "refit", "no", "metric", "rmse"));
    assert_ok(gpr_train(ctx, &model, &result, data, params));
    assert_ok(gpr_result_mean(result, "test_r2", &r2, NULL, NULL));
    assert_ok(gpr_result_mean(result, "test_rmse", &rmse, NULL, NULL));
    if (!(r2 > 0.9 && rmse < 100)) fail_msg("R2 %.4f, RMSE %.4f", r2, rmse);
    assert_string_equal(gpr_model_task(model), "number");
    assert_ok(gpr_model_unit(model, &mean, &sd));
    assert_true(mean > 4900 && mean < 5100 && sd > 150 && sd < 260);
    assert_ok(gpr_predict(ctx, model, data, NULL, told));
    int32_t classes[NODES];
    assert_fails(gpr_predict(ctx, model, data, classes, NULL), GPR_ERROR_ARGUMENT, "tells a number, not classes");
    assert_ok(gpr_model_to_bytes(ctx, &bytes, &size, model));
    assert_ok(gpr_model_from_bytes(ctx, &loaded, bytes, size));
    assert_ok(gpr_predict(ctx, loaded, data, NULL, again));
    assert_memory_equal(told, again, sizeof told);
    gpr_bytes_free(ctx, bytes);
    gpr_model_free(loaded);
    gpr_model_free(model);
    gpr_result_free(result);
    /* what a number has not is refused by name */
    static const char *const refused[][3] = {{"metric", "accuracy", "`metric` is accuracy"},
                                             {"label-input", "yes", "`label-input` is yes"},
                                             {"label-counts", "yes", "`label-counts` is yes"},
                                             {"smooth", "yes", "`smooth` is yes"},
                                             {"calibrate", "yes", "`calibrate` is yes"},
                                             {"class-weight", "balanced", "`class-weight` is balanced"},
                                             {"model", "trees", "`model` is trees"},
                                             {"model", "auto", "`model` is auto"},
                                             {"loss", "cubed", "`loss` is"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        gpr_params *own = new_params(ctx, OPTIONS("epochs", "2"));
        gpr_status status = gpr_params_set(own, refused[i][0], refused[i][1]);
        if (status == GPR_OK) status = gpr_train(ctx, &model, &result, data, own);
        assert_int_equal(status, GPR_ERROR_ARGUMENT);
        if (!strstr(gpr_last_error(), refused[i][2])) fail_msg("%s: %s", refused[i][2], gpr_last_error());
        gpr_params_free(own);
    }
    gpr_dataset_free(data);
    for (int i = 0; i < NODES; i++) targets[i] = 7;
    assert_ok(open_ring(ctx, &data, targets));
    assert_fails(gpr_train(ctx, &model, &result, data, params), GPR_ERROR_ARGUMENT, "7 for all labelled nodes");
    gpr_dataset_free(data);
    targets[3] = INFINITY;
    assert_fails(open_ring(ctx, &data, targets), GPR_ERROR_ARGUMENT, "the target of node 3 is infinite");
    gpr_params_free(params);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(losses), cmocka_unit_test(operations),
                                       cmocka_unit_test(measures), cmocka_unit_test(train_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
