/* Known labels as input against PyTorch (tests/golden/make_labels.py): initial rows, scores of both streams, gradients,
 * ten training steps with the nodes that show their labels drawn again in each. */
#include <math.h>

#include "../golden/labels_golden.h"
#include "fixture.h"

#define TOLERANCE 2e-5 /* of the largest value */

static void compare(const char *what, const gpri_real *got, int64_t ld, const double *want, int64_t rows,
                    int64_t cols) {
    double most = 0, apart = 0;
    for (int64_t i = 0; i < rows * cols; i++) most = fmax(most, fabs(want[i]));
    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < cols; c++) {
            const double difference = fabs((double)got[i * ld + c] - want[i * cols + c]);
            if (!(difference <= apart)) apart = difference; /* NaN too */
        }
    if (!(apart <= TOLERANCE * most)) fail_msg("%s: apart by %.3g of %.3g", what, apart, most);
}

static void pytorch_agrees(void **state) {
    (void)state;
    char hidden[16], hops[16];
    snprintf(hidden, sizeof hidden, "%d", (int)LABELS_HIDDEN);
    snprintf(hops, sizeof hops, "%d", (int)LABELS_HOPS);
    const char *options[] = {"hidden",       hidden,       "K",           hops,  "dropout",
                             LABELS_DROPOUT, "dprate",     LABELS_DPRATE, "lr",  LABELS_LR,
                             "weight-decay", LABELS_DECAY, "label-input", "yes", "label-share",
                             LABELS_SHARE,   "alpha",      LABELS_ALPHA,  NULL};
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .nodes = LABELS_NODES,
                             .edges = LABELS_EDGES,
                             .src = labels_src,
                             .dst = labels_dst,
                             .features = LABELS_FEATURES,
                             .dense = labels_dense,
                             .labels = labels_labels,
                             .classes = LABELS_CLASSES};
    const gpri_ops *tables[8];
    const int count = gpri_ops_all(tables, 8);
    for (int t = 0; t < count; t++) {
        gpr_ctx *ctx = new_ctx(2);
        fixture f;
        ctx->device = ctx->cpu = gpri_cpu_device_with(tables[t]);
        fixture_new(&f, ctx, &desc, labels_parts, LABELS_SEED, options);
        gpri_net *net = f.trainer->net;
        const gpri_weight *rows = fixture_weight(&f, "labels.weight"), *w1 = fixture_weight(&f, "lin1.weight");
        compare("initial rows", rows->value, rows->width, labels_initial, LABELS_CLASSES, LABELS_HIDDEN);
        for (int64_t step = 0; step <= LABELS_STEPS; step++) {
            gpri_epoch now;
            gpri_net_forward(net, GPRI_BOTH_STREAMS);
            const gpri_act *z = net->output;
            if (step == 0) compare("scores", z->eval, z->ld, labels_logits_eval, LABELS_NODES, LABELS_CLASSES);
            if (step == 0)
                compare("training scores", z->train, z->ld, labels_logits_train, LABELS_NODES, LABELS_CLASSES);
            gpri_trainer_evaluate(f.trainer, &now);
            const gpri_real val = (gpri_real)now.val_loss, train = (gpri_real)now.train_loss;
            compare("validation loss", &val, 1, &labels_val_loss[step], 1, 1);
            if (step == LABELS_STEPS) break;
            compare("training loss of the history", &train, 1, &labels_step_loss[step], 1, 1);
            const gpri_real loss = (gpri_real)fixture_loss(f.trainer);
            compare("loss of the step", &loss, 1, &labels_step_loss[step], 1, 1);
            gpri_trainer_backward(f.trainer);
            if (step == 0) {
                compare("gradient", rows->gradient, rows->width, labels_gradient, LABELS_CLASSES, LABELS_HIDDEN);
                compare("gradient of W", w1->gradient, w1->width, labels_gradient_w1, LABELS_FEATURES, LABELS_HIDDEN);
            }
            gpri_trainer_update(f.trainer);
        }
        compare("rows after ten steps", rows->value, rows->width, labels_final, LABELS_CLASSES, LABELS_HIDDEN);
        compare("W after ten steps", w1->value, w1->width, labels_final_w1, LABELS_FEATURES, LABELS_HIDDEN);
        fixture_free(&f);
        gpr_ctx_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pytorch_agrees)};
    return cmocka_run_group_tests_name("golden_labels", tests, NULL, NULL);
}
