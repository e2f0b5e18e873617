/* Trainings that are stopped and go on, in as many pieces as a test wants. */
#ifndef TEST_RESUMING_H
#define TEST_RESUMING_H

#include "training.h"

/* Stops after so many epochs of all runs together; 0: never. */
typedef struct {
    int64_t left;
    int64_t first_epoch; /* of the first call; 0: there was none */
} stopper;

static inline int stop_at(void *user, const gpr_progress *p) {
    stopper *stop = user;
    if (strcmp(p->stage, "training") != 0) return 0;
    if (!stop->first_epoch) stop->first_epoch = p->epoch;
    return stop->left > 0 && --stop->left == 0;
}

typedef struct {
    void *bytes;
    size_t size;
} saved_state;

static inline saved_state state_of(gpr_ctx *ctx, const training *t) {
    saved_state state;
    assert_int_equal(t->status, GPR_STOPPED);
    assert_ok(gpr_result_state(ctx, t->result, &state.bytes, &state.size));
    return state;
}

/* Success or not, or a note. */
static inline training try_resume(gpr_ctx *ctx, const gpr_dataset *data, const char *const *options, const void *bytes,
                                  size_t size) {
    training t;
    gpr_params *params = new_params(ctx, options);
    t.status = gpr_train_resume(ctx, &t.model, &t.result, data, params, bytes, size);
    gpr_params_free(params);
    if ((t.status >= 0) != (t.model != NULL) || (t.status >= 0) != (t.result != NULL))
        fail_msg("gpr_train_resume: %s, model %p, result %p", gpr_status_name(t.status), (void *)t.model,
                 (void *)t.result);
    return t;
}

/* Goes on with *t, which is freed, until it is stopped again after so many calls of the callback (0: never). */
static inline void go_on(training *t, gpr_ctx *ctx, const gpr_dataset *data, const char *const *options,
                         int64_t calls) {
    stopper stop = {.left = calls};
    saved_state state = state_of(ctx, t);
    double before = gpr_result_seconds(t->result);
    training_free(t);
    ctx->job.progress = stop_at, ctx->job.user = &stop;
    *t = try_resume(ctx, data, options, state.bytes, state.size);
    ctx->job.progress = NULL, ctx->job.user = NULL;
    gpr_bytes_free(ctx, state.bytes);
    if (t->status < 0) fail_msg("gpr_train_resume: %s: %s", gpr_status_name(t->status), gpr_last_error());
    assert_true(gpr_result_seconds(t->result) > before);
}

/* calls: of the callback before each stop, 0 at the end. */
static inline training train_in_pieces(gpr_ctx *ctx, const gpr_dataset *data, const char *const *options,
                                       const int64_t *calls) {
    stopper stop = {.left = *calls};
    ctx->job.progress = stop_at, ctx->job.user = &stop;
    training t = try_training(ctx, data, options);
    ctx->job.progress = NULL, ctx->job.user = NULL;
    while (*calls) go_on(&t, ctx, data, options, *++calls);
    assert_ok(t.status);
    return t;
}

static inline void assert_same_bytes(const char *what, gpr_ctx *ctx, const gpr_model *a, const gpr_model *b) {
    saved_state x, y;
    assert_ok(gpr_model_to_bytes(ctx, &x.bytes, &x.size, a));
    assert_ok(gpr_model_to_bytes(ctx, &y.bytes, &y.size, b));
    assert_same_model(what, a, b);
    if (x.size != y.size || memcmp(x.bytes, y.bytes, x.size) != 0) fail_msg("%s: the models' bytes differ", what);
    gpr_bytes_free(ctx, x.bytes);
    gpr_bytes_free(ctx, y.bytes);
}

/* All but the times: models, histories, best epochs, filters, splits, of all runs. */
static inline void assert_same_training(const char *what, gpr_ctx *ctx, const training *a, const training *b) {
    assert_same_bytes(what, ctx, a->model, b->model);
    assert_int_equal(a->result->count, b->result->count);
    assert_int_equal(a->result->best, b->result->best);
    assert_int_equal(a->result->stopped, b->result->stopped);
    for (int64_t r = 0; r < a->result->count; r++) {
        const gpri_run *x = &a->result->runs[r], *y = &b->result->runs[r];
        gpr_run_info i = x->info, j = y->info;
        if (i.epochs != j.epochs || i.best_epoch != j.best_epoch)
            fail_msg("%s, run %d: %d epochs, best %d, and %d, best %d", what, (int)r, (int)i.epochs, (int)i.best_epoch,
                     (int)j.epochs, (int)j.best_epoch);
        if (memcmp(x->history, y->history, (size_t)(i.epochs + 1) * sizeof *x->history) != 0)
            fail_msg("%s, run %d: the histories differ", what, (int)r);
        assert_memory_equal(x->curves, y->curves, (size_t)(7 * (i.epochs + 1)) * sizeof *x->curves);
        assert_int_equal(i.gamma_count, j.gamma_count);
        if (i.gamma) {
            assert_memory_equal(x->gamma, y->gamma, (size_t)i.gamma_count * sizeof *i.gamma);
            assert_memory_equal(x->gamma_initial, y->gamma_initial, (size_t)i.gamma_count * sizeof *i.gamma);
        }
        assert_same_gamma_history(what, a->result, b->result, r);
        i.seconds = j.seconds = i.ms_per_epoch = j.ms_per_epoch = 0;
        i.gamma = j.gamma = NULL;
        assert_memory_equal(&i, &j, sizeof i);
        assert_memory_equal(x->split->part, y->split->part, (size_t)x->split->nodes);
        assert_same_bytes(what, ctx, x->model, y->model);
    }
}

static inline void assert_same_choice(const char *what, const training *a, const training *b) {
    const gpri_choice *x = &a->result->choice, *y = &b->result->choice;
    assert_int_equal(x->count, y->count);
    assert_int_equal(x->taken, y->taken);
    assert_memory_equal(x->scores, y->scores, (size_t)x->count * sizeof *x->scores);
    if (x->count) assert_string_equal(x->text, y->text);
    assert_int_equal(a->result->refit_nodes, b->result->refit_nodes);
    assert_int_equal(a->result->refit_epochs, b->result->refit_epochs);
    (void)what;
}

/* Stops after so many calls, of any stage. */
static inline int stop_anywhere(void *user, const gpr_progress *p) {
    int64_t *left = user;
    (void)p;
    return *left > 0 && --*left == 0;
}

static inline training stop_after(gpr_ctx *ctx, const gpr_dataset *data, const char *const *options, int64_t calls) {
    ctx->job.progress = stop_anywhere, ctx->job.user = &calls;
    training t = try_training(ctx, data, options);
    ctx->job.progress = NULL, ctx->job.user = NULL;
    return t;
}

#endif
