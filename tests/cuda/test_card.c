/* The card as a device: memory, copies that nets share, recordings, failures, and several threads at once. */

#include <math.h>

#include "support.h"

#include "tensor/device.h"
#include "training.h"

gpr_ctx *card_open(void);

static gpr_ctx *card;

static void *take(int64_t bytes, bool zeroed) {
    void *block;
    assert_ok(card->job.device->alloc(card->job.device, card, &block, bytes, 1, zeroed, "test"));
    assert_int_equal((uintptr_t)block % 64, 0);
    return block;
}

static void give(void *block) { card->job.device->free(card->job.device, card, block); }

static void memory(void **state) {
    (void)state;
    enum { SIZE = 100003 };
    const gpri_device *device = card->job.device;
    char *host = malloc(SIZE), *back = malloc(SIZE);
    char *block = take(SIZE, true);
    memset(back, 1, SIZE);
    device->get(device, back, block, SIZE);
    for (int i = 0; i < SIZE; i++) assert_int_equal(back[i], 0);
    for (int i = 0; i < SIZE; i++) host[i] = (char)(i * 7);
    device->put(device, block, host, SIZE);
    device->get(device, back, block + 3, SIZE - 3);
    assert_memory_equal(back, host + 3, SIZE - 3);
    device->put(device, block, host, 0);
    give(block);
    give(NULL);
    void *none[2] = {take(0, false), take(0, true)};
    assert_ptr_not_equal(none[0], none[1]);
    give(none[0]);
    give(none[1]);
    free(host);
    free(back);
    assert_ok(gpri_device_check(card));
}

/* More than any card has: the message has both figures, and the card can still be used. */
static void too_much(void **state) {
    (void)state;
    const gpri_device *device = card->job.device;
    void *block = &card;
    assert_fails(device->alloc(device, card, &block, (int64_t)1 << 50, 1, false, "the matrix of everything"),
                 GPR_ERROR_MEMORY, "the matrix of everything: needs 1125899.9 GB");
    assert_non_null(strstr(gpr_last_error(), " free"));
    assert_null(block);
    assert_fails(device->alloc(device, card, &block, INT64_MAX, 8, false, "more"), GPR_ERROR_MEMORY, "too many");
    assert_ok(gpri_device_check(card));
    memory(state);
}

static void wrong_card(void **state) {
    (void)state;
    const gpri_device *before = card->job.device;
    assert_fails(gpr_ctx_set_device(card, "cuda:31"), GPR_ERROR_IO, "there is no card 31");
    assert_ptr_equal(card->job.device, before);
    assert_ok(gpr_ctx_set_device(card, "cuda:0"));
    assert_ptr_equal(card->job.device, before);
}

/* One copy for all who share it, until the last has given it back. */
static void shared(void **state) {
    (void)state;
    const gpri_device *device = card->job.device;
    int numbers[1000], back[1000];
    const void *copy[3];
    for (int i = 0; i < 1000; i++) numbers[i] = i;
    for (int i = 0; i < 2; i++) assert_ok(device->share(device, card, &copy[i], numbers, sizeof numbers, "numbers"));
    assert_ptr_equal(copy[0], copy[1]);
    assert_ok(device->share(device, card, &copy[2], numbers, 400, "fewer numbers"));
    assert_ptr_not_equal(copy[0], copy[2]);
    device->unshare(device, card, copy[0]);
    device->get(device, back, copy[1], sizeof back);
    assert_memory_equal(back, numbers, sizeof numbers);
    device->unshare(device, card, copy[1]);
    device->unshare(device, card, copy[2]);
    numbers[0] = 77; /* the memory has been given back: what is there now is copied anew */
    assert_ok(device->share(device, card, &copy[0], numbers, sizeof numbers, "numbers"));
    device->get(device, back, copy[0], sizeof back);
    assert_memory_equal(back, numbers, sizeof numbers);
    device->unshare(device, card, copy[0]);
    assert_ok(gpri_device_check(card));
}

/* A pass whose operations need more and more room to compute in; and one without operations. */
static void recordings(void **state) {
    (void)state;
    enum { ROWS = 300000, CLASSES = 4 };
    const gpri_device *device = card->job.device;
    static const int64_t rows[] = {10, 1000, ROWS, 10};
    gpri_recording *recording = NULL, *empty = NULL;
    float *z = take(ROWS * CLASSES * (int64_t)sizeof *z, true);
    int32_t *labels = take(ROWS * (int64_t)sizeof *labels, true);
    uint8_t *part = take(ROWS, false), *all = malloc(ROWS);
    gpri_scores *scores = take(4 * (int64_t)sizeof *scores, true), got[4];
    memset(all, GPR_TRAIN, ROWS);
    device->put(device, part, all, ROWS);
    free(all);
    const gpri_targets targets = {.labels = labels, .part = part, .weight = 1};
    assert_ok(device->begin(device, card));
    for (int i = 0; i < 4; i++) device->ops->score(&scores[i], gpri_packed(z, rows[i], CLASSES), &targets, 0);
    assert_ok(device->end(device, card, &recording));
    for (int times = 0; times < 3; times++) {
        const gpri_scores none[4] = {{.loss = {0}}};
        device->put(device, scores, none, sizeof none);
        assert_ok(device->replay(device, &recording, 1));
        device->get(device, got, scores, sizeof got);
        assert_ok(gpri_device_check(card));
        for (int i = 0; i < 4; i++) {
            assert_int_equal(got[i].correct[GPR_TRAIN], rows[i]);
            assert_true(fabs(got[i].loss[GPR_TRAIN] / ((double)rows[i] * log(CLASSES)) - 1) < 1e-6);
        }
    }
    assert_ok(device->begin(device, card));
    assert_ok(device->end(device, card, &empty));
    assert_ok(device->replay(device, &empty, 1));
    assert_ok(gpri_device_check(card));
    device->forget(device, card, empty);
    device->forget(device, card, recording);
    give(z);
    give(labels);
    give(part);
    give(scores);
}

/* Runs of several threads have the bits that they have alone; and so again, on the queues of threads that have ended.
 */
static void queues(void **state) {
    (void)state;
    const bool few = getenv("GPRGNN_SMALL") != NULL; /* for tools that look at every access */
    const char *const *options = OPTIONS("epochs", few ? "5" : "40", "runs", "8", "hidden", "16");
    gpr_dataset *data = new_csbm(card, 400, 20, 0.5);
    training alone = train(card, data, options);
    for (int round = 0; round < (few ? 1 : 3); round++) {
        gpr_ctx *many;
        const gpr_ctx_options with = {.struct_size = sizeof with, .threads = 4, .device = "cuda"};
        assert_ok(gpr_ctx_new(&many, &with));
        training t = train(many, data, options);
        assert_int_equal(t.result->count, 8);
        for (int r = 0; r < 8; r++) {
            const gpri_run *a = &alone.result->runs[r], *b = &t.result->runs[r];
            assert_int_equal(a->info.epochs, b->info.epochs);
            assert_memory_equal(a->history, b->history, (size_t)(a->info.epochs + 1) * sizeof *a->history);
        }
        assert_same_model("four threads", alone.model, t.model);
        training_free(&t);
        gpr_ctx_free(many);
    }
    training_free(&alone);
    gpr_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory), cmocka_unit_test(too_much),   cmocka_unit_test(wrong_card),
        cmocka_unit_test(shared), cmocka_unit_test(recordings), cmocka_unit_test(queues),
    };
    card = card_open();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gpr_ctx_free(card);
    return failed;
}
