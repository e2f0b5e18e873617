/* How many kernels an epoch has on a card. That joined kernels compute the same as single ones is tested elsewhere
 * (test_cuda_models.c: recorded or not); that calls are joined at all would not be missed there. */
#include "support.h"

#include "tensor/device.h"
#include "training.h"

gpr_ctx *card_open(void);
extern int64_t emulated_kernels;

static void has_kernels(const char *model, bool sparse, int64_t most) {
    gpr_ctx *card = card_open();
    gpr_dataset *data = sparse ? new_words(card, 40, 40, 3) : new_csbm(card, 40, 12, 0.4);
    const char *words[48];
    const char *const *options = options_for(
        words, model, OPTIONS("epochs", "2", "stopping", "none", "hidden", "12", "K", "3", "label-input", "no"));
    training t = train(card, data, options);
    if (emulated_kernels > most)
        fail_msg("%s, %s features: an epoch has %d kernels, expected are %d or fewer", model,
                 sparse ? "sparse" : "dense", (int)emulated_kernels, (int)most);
    training_free(&t);
    gpr_dataset_free(data);
    gpr_ctx_free(card);
}

static void gprgnn(void **state) {
    (void)state;
    for (int sparse = 0; sparse < 2; sparse++) has_kernels("gprgnn", sparse, 10);
}

static void others(void **state) {
    (void)state;
    for (int sparse = 0; sparse < 2; sparse++) {
        has_kernels("mlp", sparse, 8);
        has_kernels("appnp", sparse, 10);
        has_kernels("sgc", sparse, 10);
        has_kernels("gcn", sparse, 16);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(gprgnn), cmocka_unit_test(others)};
    return cmocka_run_group_tests_name("emulated_joins", tests, NULL, NULL);
}
