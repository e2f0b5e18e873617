/* Numbers that are not finite never pass as a result: of an operation, a prediction, a training. Messages name the node
 * and the input that is the cause. */
#include <math.h>

#include "last_warning.h"
#include "model/cause.h"
#include "model_files.h"
#include "tensor/cpu/cpu.h"
#include "tensor/device.h"

/* ---- operations ---- */

/* What comes of a row with a NaN in its second column. */
static void check_operations(const gpri_ops *ops) {
    enum { WIDTH = 16, COLS = 12 };
    gpri_real x[WIDTH], y[WIDTH], w[WIDTH * WIDTH], more[4 * WIDTH], c[WIDTH], h[WIDTH];
    const gpri_matrix in = {x, 1, COLS, WIDTH, WIDTH}, out = {y, 1, COLS, WIDTH, WIDTH};
    for (int i = 0; i < WIDTH * WIDTH; i++) w[i] = i % WIDTH < COLS ? (gpri_real)0.25 : 0;
    for (int i = 0; i < WIDTH; i++) x[i] = y[i] = i < COLS ? (gpri_real)(i - 4) : 0;
    x[1] = y[1] = NAN;
    ops->relu_forward(out);
    if (!isnan(y[1])) fail_msg("%s: relu makes %g of NaN", ops->name, (double)y[1]);
    assert_true(y[0] == 0 && y[COLS - 1] == COLS - 5);
    ops->elu_forward(out, in);
    if (!isnan(y[1])) fail_msg("%s: elu makes %g of NaN", ops->name, (double)y[1]);
    ops->linear_forward(out, in, w, w);
    if (!isnan(y[0])) fail_msg("%s: a product makes %g of NaN", ops->name, (double)y[0]);
    memcpy(y, x, sizeof y);
    ops->softmax_forward(out);
    if (!isnan(y[0])) fail_msg("%s: softmax makes %g of NaN", ops->name, (double)y[0]);
    for (int gate = 0; gate < 4; gate++) { /* a unit's gates are `units` numbers apart */
        for (int i = 0; i < 4 * WIDTH; i++) more[i] = 1;
        more[gate * 4 + 1] = NAN;
        ops->lstm_forward((gpri_matrix){more, 1, WIDTH, WIDTH, WIDTH}, (gpri_matrix){c, 1, 4, 4, WIDTH},
                          (gpri_matrix){h, 1, 4, 4, WIDTH}, (gpri_matrix){x + 4, 1, 4, 4, WIDTH});
        if (!isnan(h[1]) || isnan(h[0])) fail_msg("%s: an LSTM with NaN in gate %d", ops->name, gate);
    }
    const int32_t label = 3;
    const uint8_t part = GPR_TRAIN;
    const gpri_targets targets = {.labels = &label, .part = &part, .weight = 1};
    gpri_scores scores;
    ops->score(&scores, in, &targets, 0);
    if (!isnan(scores.loss[GPR_TRAIN])) fail_msg("%s: the loss is %g", ops->name, scores.loss[GPR_TRAIN]);
}

static void operations(void **state) {
    (void)state;
    const gpri_ops *tables[MOST_TABLES];
    const int count = gpri_ops_all(tables, MOST_TABLES);
    for (int i = 0; i < count; i++) check_operations(tables[i]);
}

/* ---- data ---- */

enum { MANY = 30, SOME = 64, ODD = 7 };

typedef struct {
    double odd, all, edge; /* size of the features of node 7, and of all others; weight of the edge from 3 to 4 */
    bool alone;            /* node 7 has neither edges nor a label */
} shape;

static gpr_dataset *ring(gpr_ctx *ctx, shape how) {
    static char texts[MANY][16];
    const char *ids[MANY];
    int64_t src[MANY], dst[MANY], edges = 0;
    int32_t labels[MANY];
    static float x[MANY * SOME], weights[MANY];
    const gpri_random stream = gpri_random_of(8, GPRI_RANDOM_TEST, 0, 0);
    for (int i = 0; i < MANY; i++) {
        snprintf(texts[i], sizeof texts[i], "n%d", i);
        ids[i] = texts[i];
        labels[i] = how.alone && i == ODD ? -1 : i % 2;
        for (int j = 0; j < SOME; j++)
            x[i * SOME + j] =
                (float)((i == ODD ? how.odd : how.all) * (2 * gpri_uniform(stream, (uint64_t)(i * SOME + j)) - 1));
        if (how.alone && (i == ODD || i + 1 == ODD)) continue;
        src[edges] = i;
        dst[edges] = (i + 1) % MANY;
        weights[edges++] = i == 3 ? (float)how.edge : 1;
    }
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "ring",
                             .nodes = MANY,
                             .edges = edges,
                             .src = src,
                             .dst = dst,
                             .weights = weights,
                             .features = SOME,
                             .dense = x,
                             .labels = labels,
                             .classes = 2,
                             .node_ids = ids};
    gpr_dataset *data;
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    return data;
}

#define ORDINARY                                                                                                   \
    OPTIONS("epochs", "1", "lr", "1", "normalize", "none", "hidden", "8", "embedding", "poincare", "dropout", "0", \
            "dprate", "0")

/* ---- predictions ---- */

static void predictions(void **state) {
    (void)state;
    char kinds[MOST_MODELS][16];
    const char *words[32];
    const int models = model_words(kinds);
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *plain = ring(ctx, (shape){1, 1, 1, false}), *huge = ring(ctx, (shape){3e38, 1, 1, false});
    for (int k = 0; k < models; k++) {
        training t = train(ctx, plain, options_for(words, kinds[k], ORDINARY));
        gpri_tensor *first = &t.model->tensors[0];
        int32_t classes[MANY] = {[5] = 77};
        float proba[2 * MANY] = {[5] = 77};
        assert_ok(gpr_predict(ctx, t.model, plain, NULL, NULL));
        for (int64_t i = 0; i < first->rows * first->cols; i++) first->values[i] *= 1000; /* so that all overflow */
        write_bytes(in_folder("out.csv"), "old", 3);
        assert_fails(gpr_predict(ctx, t.model, huge, classes, proba), GPR_ERROR_NUMERIC,
                     "ring: scores are infinite or NaN (first at node n");
        assert_non_null(strstr(gpr_last_error(), " of node n7 is "));
        assert_non_null(strstr(gpr_last_error(), "bring the features to the scale of those of the training"));
        assert_true(classes[5] == 77 && proba[5] == 77 && classes[0] == 0);
        assert_fails(gpr_predictions_save(ctx, t.model, huge, in_folder("out.csv"), 1), GPR_ERROR_NUMERIC, "node n");
        blob file = read_blob(in_folder("out.csv"));
        assert_int_equal(files_in_folder(), 1);
        assert_true(file.size == 3 && memcmp(file.bytes, "old", 3) == 0);
        free(file.bytes);
        for (int w = 0; w < t.model->tensor_count; w++)
            for (int64_t i = 0; i < t.model->tensors[w].rows * t.model->tensors[w].cols; i++)
                t.model->tensors[w].values[i] = 3e38f;
        assert_fails(gpr_predict(ctx, t.model, plain, classes, NULL), GPR_ERROR_NUMERIC,
                     "the model has a number of size 3e+38 in its weight ");
        training_free(&t);
    }
    gpr_dataset_free(plain);
    gpr_dataset_free(huge);
    gpr_ctx_free(ctx);
}

/* ---- trainings ---- */

static bool scores_finite(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data) {
    float z[2 * MANY];
    if (gpr_predict_logits(ctx, model, data, z) != GPR_OK) return false;
    for (int i = 0; i < 2 * MANY; i++)
        if (!isfinite(z[i])) return false;
    return true;
}

/* Sizes from small to the largest: a model whose scores are finite, or an error that names the cause. */
static void trainings(void **state) {
    (void)state;
    static const char *const parts[] = {"feature ", "the edge between nodes n3 and n4 has the weight ",
                                        "`init` gives a filter weight of size "};
    char kinds[MOST_MODELS][16];
    const char *words[32];
    const int models = model_words(kinds);
    gpr_ctx *ctx = new_ctx(1);
    for (int k = 0; k < models; k++) {
        int refused[3] = {0};
        for (int cause = 0; cause < 3; cause++)
            for (double size = 1e8; size < 1e39; size *= size < 1e35 ? 1e6 : 6) {
                const double most = size < 3e38 ? size : 3e38;
                gpr_dataset *data =
                    ring(ctx, (shape){cause ? 1 : most, cause ? 1 : most, cause == 1 ? most : 1, false});
                char init[64];
                snprintf(init, sizeof init, "%g,%g,%g", size, -size, size);
                training t = try_training(
                    ctx, data,
                    options_for(words, kinds[k],
                                OPTIONS("epochs", "20", "lr", "0.5", "normalize", "none", "hidden", "8", "embedding",
                                        "poincare", "K", "2", "split", "50/25/25", "init", cause == 2 ? init : "ppr")));
                if (t.status == GPR_OK && !scores_finite(ctx, t.model, data))
                    fail_msg("%s, cause %d of size %g: %s", kinds[k], cause, size, gpr_last_error());
                if (t.status != GPR_OK) {
                    assert_fails(t.status, GPR_ERROR_NUMERIC, parts[cause]);
                    refused[cause]++;
                }
                training_free(&t);
                gpr_dataset_free(data);
            }
        if (refused[0] == 0) fail_msg("%s: features up to 3e38 never overflow", kinds[k]);
        if (strcmp(kinds[k], "gprgnn") == 0) assert_true(refused[2] > 0);
        if (strcmp(kinds[k], "sage") == 0) assert_true(refused[1] > 0);
    }
    gpr_ctx_free(ctx);
}

/* A node that no loss sees. With some models it makes the weights NaN at once, and so the losses; with others all
   losses are finite, and its scores alone are not. */
static void node_without_a_label(void **state) {
    (void)state;
    char kinds[MOST_MODELS][16];
    const char *words[32];
    const int models = model_words(kinds);
    int alone = 0;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = ring(ctx, (shape){3e38, 1, 1, true});
    for (int k = 0; k < models; k++) {
        training t = try_training(ctx, data, options_for(words, kinds[k], ORDINARY));
        assert_fails(t.status, GPR_ERROR_NUMERIC, " of node n7 is ");
        alone +=
            strncmp(gpr_last_error(), "scores are infinite or NaN at epoch 1 (first at node n7): feature ", 66) == 0;
        training_free(&t);
    }
    assert_true(alone >= 4);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* NaN that stands for "there are none" is no error. */
static void no_validation_nodes(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = ring(ctx, (shape){1, 1, 1, false});
    gpr_run_info info = {.struct_size = sizeof info};
    training t = train(ctx, data, OPTIONS("epochs", "3", "split", "100/0/0"));
    assert_ok(gpr_result_run(t.result, 0, &info));
    assert_true(isnan(info.val_loss) && isnan(info.test_accuracy) && isfinite(info.train_loss));
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

/* ---- finite, but absurd ---- */

static void large_losses(void **state) {
    (void)state;
    gpr_ctx *ctx = warning_ctx();
    gpr_dataset *plain = ring(ctx, (shape){1, 1, 1, false}), *large = ring(ctx, (shape){1e20, 1e20, 1, false});
    training t = train(ctx, plain, OPTIONS("epochs", "30", "normalize", "none"));
    assert_string_equal(warning, "");
    training_free(&t);
    t = train(ctx, large, OPTIONS("epochs", "3", "normalize", "none"));
    assert_non_null(strstr(warning, "run 0: the training loss of the model is "));
    assert_non_null(strstr(warning, "e+1"));
    assert_non_null(strstr(warning, ", and that of a guess is 0.693: feature "));
    assert_non_null(strstr(warning, "scale the features, for example with `normalize` column"));
    training_free(&t);
    t = train(ctx, large, OPTIONS("epochs", "3", "normalize", "none", "runs", "3")); /* in the order of the runs */
    assert_non_null(strstr(warning, "run 2: the training loss of the model is "));
    training_free(&t);
    warning[0] = 0;
    t = train(ctx, plain, OPTIONS("epochs", "2", "normalize", "none", "lr", "1000"));
    assert_non_null(strstr(warning, "run 0: the training loss "));
    assert_non_null(strstr(warning, "lower `lr` (it is 1000)"));
    training_free(&t);
    gpr_dataset_free(plain);
    gpr_dataset_free(large);
    gpr_ctx_free(ctx);
}

/* ---- causes ---- */

static void causes_in_order(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *plain = ring(ctx, (shape){1, 1, 1, false}), *both = ring(ctx, (shape){1e10, 1, 1e20, false});
    gpr_params *params = new_params(ctx, OPTIONS("lr", "2", "K", "1"));
    const double gamma[] = {1, -1e5};
    char why[GPRI_CAUSES_SIZE];
    gpri_features x = {.rows = MANY, .cols = SOME, .ld = SOME, .dense = plain->features.dense};
    gpri_suspects s = {.data = plain, .features = &x, .params = params};
    gpri_name_causes(why, &s);
    assert_string_equal(why, "no input stands out: scale the features, or give fewer hops");
    s.steps = 1;
    gpri_name_causes(why, &s);
    assert_string_equal(why, "lower `lr` (it is 2)");
    assert_ok(gpr_params_set(params, "lr", "0.5"));
    gpri_name_causes(why, &s);
    assert_string_equal(why, "the training diverged, and no input stands out: lower `lr` (it is 0.5)");
    assert_ok(gpr_params_set(params, "lr", "1.5"));
    x.dense = both->features.dense;
    s.data = both;
    s.gamma = gamma;
    gpri_name_causes(why, &s);
    const char *edge = strstr(why, "the edge between nodes n3 and n4 has the weight 1e+20"),
               *feature = strstr(why, " of node n7 is "),
               *init = strstr(why, "`init` gives a filter weight of size 1e+05"),
               *lr = strstr(why, "lower `lr` (it is 1.5)");
    if (!edge || !feature || !init || !lr || edge > feature || feature > init || init > lr) fail_msg("%s", why);
    assert_ok(gpr_params_set(params, "model", "gat")); /* which does not use the weights of edges */
    gpri_name_causes(why, &s);
    assert_null(strstr(why, "edge"));
    gpr_params_free(params);
    gpr_dataset_free(plain);
    gpr_dataset_free(both);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations),          cmocka_unit_test_teardown(predictions, empty_folder),
        cmocka_unit_test(trainings),           cmocka_unit_test(node_without_a_label),
        cmocka_unit_test(no_validation_nodes), cmocka_unit_test(large_losses),
        cmocka_unit_test(causes_in_order)};
    scratch_folder(folder);
    int failed = cmocka_run_group_tests_name("not_finite", tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
