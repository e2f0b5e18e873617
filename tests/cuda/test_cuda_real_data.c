/* Cora and Texas, where their files are found: the card against the CPU, and runs side by side against runs one after
 * the other. Real data has what small cases do not: words in a thousand documents and words in one, hubs and loose
 * nodes, sizes that fill no block. */
#include <math.h>

#include "support.h"

#include "tensor/device.h"
#include "training.h"

/* card.c, or the one of the emulated card, which is slow. */
gpr_ctx *card_open(void);
extern const bool card_is_slow;

static gpr_dataset *open_data(gpr_ctx *ctx, const char *name) {
    const char *folder = getenv("GPRGNN_DATA") ? getenv("GPRGNN_DATA") : TEST_SOURCE_DIR "/../shared/data";
    gpr_dataset *data = NULL;
    const gpr_status status = gpr_dataset_open(ctx, &data, name, folder);
    if (status == GPR_ERROR_NOT_FOUND) {
        skip_because("no data (%s is neither in $GPRGNN_DATA nor in %s)", name, folder);
    }
    assert_ok(status);
    return data;
}

static void same_bits(const char *name, const gpr_result *a, const gpr_result *b) {
    assert_int_equal(a->count, b->count);
    for (int64_t r = 0; r < a->count; r++)
        if (memcmp(a->runs[r].history, b->runs[r].history,
                   (size_t)(a->runs[r].info.epochs + 1) * sizeof *a->runs[r].history) != 0)
            fail_msg("%s, run %d: alone and beside others it has different losses", name, (int)r);
}

static void near(const char *name, int64_t run, int64_t epoch, double got, double want) {
    if (!(fabs(got - want) <= 1e-5 * fabs(want)))
        fail_msg("%s, run %d, epoch %d: the loss is %.9g, on the CPU %.9g", name, (int)run, (int)epoch, got, want);
}

static void check(gpr_ctx *card, const char *name, const char *epochs) {
    const gpri_device *device = card->job.device;
    gpr_ctx *cpu = new_ctx(1);
    gpr_dataset *data = open_data(cpu, name), *again = open_data(card, name);
    const char *const *options = OPTIONS("epochs", card_is_slow ? epochs : "10", "stopping", "none", "runs", "3", "K",
                                         card_is_slow ? "3" : "10");
    gpri_device one_lane = *device;
    one_lane.lanes = 1;
    training a = train(cpu, data, options), b = train(card, again, options);
    card->job.device = &one_lane;
    training c = train(card, again, options);
    card->job.device = device;
    same_bits(name, b.result, c.result);
    assert_same_model(name, b.model, c.model);
    for (int64_t r = 0; r < a.result->count; r++)
        for (int64_t e = 0; e <= a.result->runs[r].info.epochs; e++) {
            const gpri_epoch *x = &a.result->runs[r].history[e], *y = &b.result->runs[r].history[e];
            near(name, r, e, y->train_loss, x->train_loss);
            near(name, r, e, y->val_loss, x->val_loss);
            near(name, r, e, y->test_loss, x->test_loss);
        }
    training_free(&a), training_free(&b), training_free(&c);
    gpr_dataset_free(data), gpr_dataset_free(again);
    gpr_ctx_free(cpu);
}

static void texas(void **state) { check(*state, "texas", "4"); }

static void cora(void **state) {
    if (getenv("GPRGNN_SMALL")) skip_because("too long for tools that look at every access (GPRGNN_SMALL)");
    check(*state, "cora", "2");
}

static int open_card(void **state) {
    *state = card_open();
    return 0;
}

static int close_card(void **state) {
    gpr_ctx_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(texas), cmocka_unit_test(cora)};
    return cmocka_run_group_tests_name("cuda_real_data", tests, open_card, close_card);
}
