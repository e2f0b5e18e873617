/* Known labels as input, their counts, and both, against PyTorch (tests/golden/make_labels.py): initial weights, scores
 * of both streams, gradients, ten training steps with the nodes that show their labels drawn again in each. */
#include <math.h>

#include "../golden/labels_golden.h"
#include "fixture.h"
#include "tensor/cpu/cpu.h"
#include "tensor/label_counts.h"

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

enum { COUNT_COLUMNS = 4 * LABELS_CLASSES + 1 };

/* One way to use known labels; NULL where it has no such weight. */
typedef struct {
    const char *name, *input, *counts;
    const double *logits_eval, *logits_train, *step_loss, *history, *val_loss, *gradient_w1, *final_w1;
    const double *initial, *gradient, *final;     /* rows of the input */
    const double *gradient_counts, *final_counts; /* (columns x classes), at first 0 */
} golden;

static const golden cases[] = {{"label-input", "yes", "no", labels_logits_eval, labels_logits_train, labels_step_loss,
                                labels_history, labels_val_loss, labels_gradient_w1, labels_final_w1, labels_initial,
                                labels_gradient, labels_final, NULL, NULL},
                               {"label-counts", "no", "yes", counts_logits_eval, counts_logits_train, counts_step_loss,
                                counts_history, counts_val_loss, counts_gradient_w1, counts_final_w1, NULL, NULL, NULL,
                                counts_gradient_counts, counts_final_counts},
                               {"both", "yes", "yes", both_logits_eval, both_logits_train, both_step_loss, both_history,
                                both_val_loss, both_gradient_w1, both_final_w1, both_initial, both_gradient, both_final,
                                both_gradient_counts, both_final_counts}};

static void compare_step(fixture *f, const golden *want, int64_t step) {
    gpri_net *net = f->trainer->net;
    const gpri_act *z = net->output;
    gpri_epoch now;
    gpri_net_forward(net, GPRI_BOTH_STREAMS);
    if (step == 0) compare("scores", z->eval, z->ld, want->logits_eval, LABELS_NODES, LABELS_CLASSES);
    if (step == 0) compare("training scores", z->train, z->ld, want->logits_train, LABELS_NODES, LABELS_CLASSES);
    gpri_trainer_evaluate(f->trainer, &now);
    const gpri_real val = (gpri_real)now.val_loss, train = (gpri_real)now.train_loss;
    compare("validation loss", &val, 1, &want->val_loss[step], 1, 1);
    if (step == LABELS_STEPS) return;
    compare("training loss of the history", &train, 1, &want->history[step], 1, 1);
    const gpri_real loss = (gpri_real)fixture_loss(f->trainer);
    compare("loss of the step", &loss, 1, &want->step_loss[step], 1, 1);
    gpri_trainer_backward(f->trainer);
}

static void compare_training(fixture *f, const golden *want) {
    const gpri_weight *w1 = fixture_weight(f, "lin1.weight"),
                      *rows = want->initial ? fixture_weight(f, "labels.weight") : NULL,
                      *counts = want->final_counts ? fixture_weight(f, "counts.weight") : NULL;
    if (rows) compare("initial rows", rows->value, rows->width, want->initial, LABELS_CLASSES, LABELS_HIDDEN);
    for (int64_t i = 0; counts && i < COUNT_COLUMNS * counts->width; i++) assert_true(counts->value[i] == 0);
    for (int64_t step = 0; step <= LABELS_STEPS; step++) {
        compare_step(f, want, step);
        if (step == LABELS_STEPS) break;
        if (step == 0 && rows)
            compare("gradient", rows->gradient, rows->width, want->gradient, LABELS_CLASSES, LABELS_HIDDEN);
        if (step == 0 && counts)
            compare("gradient of the counts", counts->gradient, counts->width, want->gradient_counts, COUNT_COLUMNS,
                    LABELS_CLASSES);
        if (step == 0)
            compare("gradient of W", w1->gradient, w1->width, want->gradient_w1, LABELS_FEATURES, LABELS_HIDDEN);
        gpri_trainer_update(f->trainer);
    }
    if (rows) compare("rows after ten steps", rows->value, rows->width, want->final, LABELS_CLASSES, LABELS_HIDDEN);
    if (counts)
        compare("counts after ten steps", counts->value, counts->width, want->final_counts, COUNT_COLUMNS,
                LABELS_CLASSES);
    compare("W after ten steps", w1->value, w1->width, want->final_w1, LABELS_FEATURES, LABELS_HIDDEN);
}

static const gpr_dataset_desc desc = {.struct_size = sizeof desc,
                                      .nodes = LABELS_NODES,
                                      .edges = LABELS_EDGES,
                                      .src = labels_src,
                                      .dst = labels_dst,
                                      .features = LABELS_FEATURES,
                                      .dense = labels_dense,
                                      .labels = labels_labels,
                                      .classes = LABELS_CLASSES};

static void pytorch_agrees(void **state) {
    (void)state;
    char hidden[16], hops[16];
    snprintf(hidden, sizeof hidden, "%d", (int)LABELS_HIDDEN);
    snprintf(hops, sizeof hops, "%d", (int)LABELS_HOPS);
    const gpri_ops *tables[8];
    const int count = gpri_ops_all(tables, 8);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const char *options[] = {"hidden",
                                 hidden,
                                 "K",
                                 hops,
                                 "dropout",
                                 LABELS_DROPOUT,
                                 "dprate",
                                 LABELS_DPRATE,
                                 "lr",
                                 LABELS_LR,
                                 "weight-decay",
                                 LABELS_DECAY,
                                 "label-input",
                                 cases[k].input,
                                 "label-counts",
                                 cases[k].counts,
                                 "label-share",
                                 LABELS_SHARE,
                                 "alpha",
                                 LABELS_ALPHA,
                                 NULL};
        for (int t = 0; t < count; t++) {
            gpr_ctx *ctx = new_ctx(2);
            fixture f;
            printf("  %s, %s\n", cases[k].name, tables[t]->name);
            ctx->job.device = ctx->job.cpu = gpri_cpu_device_with(tables[t]);
            fixture_new(&f, ctx, &desc, labels_parts, LABELS_SEED, options);
            compare_training(&f, &cases[k]);
            fixture_free(&f);
            gpr_ctx_free(ctx);
        }
    }
}

/* The counts themselves. */
static void counts_agree(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    int32_t known[LABELS_NODES];
    gpr_dataset *data;
    gpri_real *counts;
    for (int i = 0; i < LABELS_NODES; i++) known[i] = labels_parts[i] == GPR_TRAIN ? labels_labels[i] : -1;
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    data->generated = true; /* nothing is chosen by the data: one plain training */
    assert_ok(gpri_label_counts(ctx, &counts, (const gpri_graph *[]){&data->graph}, 1, known, LABELS_CLASSES, 1, 1));
    compare("counts", counts, gpri_padded(COUNT_COLUMNS), counts_matrix, LABELS_NODES, COUNT_COLUMNS);
    gpri_free(ctx, counts);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pytorch_agrees), cmocka_unit_test(counts_agree)};
    return cmocka_run_group_tests_name("golden_labels", tests, NULL, NULL);
}
