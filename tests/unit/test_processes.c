/* Several processes, as threads: the bits of one; and one of them that runs out of memory, at any moment. All end with
 * an error, the message names the process, nobody waits for ever, and what has returned has freed all that it had. */
#include "search/study.h"
#include "thread_group.h"
#include "training.h"

enum { PROCESSES = 2 };

/* ---- memory of one process ---- */

typedef struct block {
    struct block *next, *before;
    max_align_t bytes[];
} block;

typedef struct {
    block *blocks;        /* all that it has */
    int64_t taken, until; /* allocations that succeed before one fails; negative: none fails */
    bool once, refused;
} own_memory;

static void *own_resize(void *user, void *at, size_t size) {
    own_memory *memory = user;
    const int64_t number = memory->taken++;
    if (memory->until >= 0 && (memory->once ? number == memory->until : number >= memory->until)) {
        memory->refused = true;
        return NULL;
    }
    block *old = at ? (block *)((char *)at - offsetof(block, bytes)) : NULL;
    block *made = realloc(old, sizeof *made + size);
    if (!made) return NULL;
    if (!old) *made = (block){.next = memory->blocks};
    if (made->before) made->before->next = made;
    else memory->blocks = made;
    if (made->next) made->next->before = made;
    return made->bytes;
}

static void own_release(void *user, void *at) {
    own_memory *memory = user;
    if (!at) return;
    block *old = (block *)((char *)at - offsetof(block, bytes));
    if (old->before) old->before->next = old->next;
    else memory->blocks = old->next;
    if (old->next) old->next->before = old->before;
    free(old);
}

/* ---- one process ---- */

typedef struct {
    gpri_spread spread;
    const char *const *options;
    bool searches, saves;
} scene;

typedef struct {
    member self; /* first */
    own_memory memory;
    const scene *scene;
    int64_t allowed; /* allocations of its work; negative: all */
    gpr_status status;
    int64_t first_failed;
    bool returned;
    char message[1024];
    uint64_t bits; /* a hash of the model or of the table of a search */
} actor;

static void say_nothing(void *user, gpr_log_level level, const char *line) { (void)user, (void)level, (void)line; }

static uint64_t hash_of(const void *bytes, size_t size) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

static int keep_nothing(void *user, const gpr_save_info *info) { return (void)user, (void)info, 0; }

static gpr_status train_it(actor *me, gpr_ctx *ctx, const gpr_dataset *data, const gpr_params *params) {
    gpr_model *model = NULL;
    gpr_result *result = NULL;
    void *bytes = NULL;
    size_t size = 0;
    /* with it, process 0 also keeps what a run folder needs */
    const gpr_train_options options = {
        .struct_size = sizeof options, .save = me->scene->saves ? keep_nothing : NULL, .save_every = 1e9};
    gpr_status status = gpr_train_with(ctx, &model, &result, data, params, &options);
    if (status == GPR_OK) status = gpr_model_to_bytes(ctx, &bytes, &size, model);
    if (status == GPR_OK) me->bits = hash_of(bytes, size);
    gpr_bytes_free(ctx, bytes);
    gpr_result_free(result);
    gpr_model_free(model);
    return status;
}

static gpr_status search_it(actor *me, gpr_ctx *ctx, const gpr_dataset *data, const gpr_params *params) {
    const gpr_search_options options = {.struct_size = sizeof options, .grid = "lr=0.01,0.05,0.1"};
    gpr_search *search = NULL;
    gpr_study *study = NULL;
    const char *json;
    gpr_status status = GPR_OK;
    TRY(gpr_search_new(ctx, &search, data, params, &options));
    TRY(gpr_study_open(ctx, &study, NULL));
    TRY(gpr_search_run(search, study, 1, NULL, NULL));
    TRY(gpr_search_json(search, &json));
    me->bits = hash_of(json, strlen(json));
done:
    gpr_study_close(study);
    gpr_search_free(search);
    return status;
}

/* The whole life of a process. What comes before its work does not fail. */
static void *act(void *arg) {
    actor *me = arg;
    gpr_ctx *ctx = NULL;
    gpr_dataset *data = NULL;
    gpr_ctx_options options = {.struct_size = sizeof options,
                               .threads = 1,
                               .cpu = "base",
                               .log = say_nothing,
                               .allocator = {own_resize, own_release, &me->memory}};
    assert_ok(gpr_ctx_new(&ctx, &options));
    ctx->large = 0; /* so that what is done for large graphs only is done here */
    assert_ok(gpr_dataset_open(ctx, &data, "csbm:n=600,f=4,phi=0.4,seed=3", NULL));
    gpr_params *params = new_params(ctx, me->scene->options);
    if (me->self.all) {
        ctx->job.group = &me->self.group;
        ctx->job.close_group = me->self.group.close;
    }
    me->memory.taken = 0;
    me->memory.until = me->allowed;
    me->status = me->scene->searches ? search_it(me, ctx, data, params) : train_it(me, ctx, data, params);
    if (me->status < 0) snprintf(me->message, sizeof me->message, "%s", gpr_last_error());
    me->allowed = me->memory.taken;
    me->memory.until = -1;
    me->first_failed = gpr_ctx_leave(ctx, me->status < 0);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    me->returned = true;
    return NULL;
}

/* ---- all of them ---- */

/* allowed: allocations of process `who`. */
static void play(actor *actors, const scene *of, int64_t who, int64_t allowed, bool once) {
    world all;
    pthread_t threads[PROCESSES];
    begin_world(&all, PROCESSES);
    for (int64_t p = 0; p < PROCESSES; p++) {
        actors[p] = (actor){.scene = of, .allowed = p == who ? allowed : -1, .memory = {.until = -1, .once = once}};
        join_world(&all, &actors[p].self, p, of->spread);
        assert_int_equal(pthread_create(&threads[p], NULL, act, &actors[p]), 0);
    }
    for (int64_t p = 0; p < PROCESSES; p++) assert_int_equal(pthread_join(threads[p], NULL), 0);
    if (all.astray) fail_msg("not all processes came to '%s' together", all.astray);
    for (int64_t p = 0; p < PROCESSES; p++) {
        if (actors[p].returned && actors[p].memory.blocks)
            fail_msg("process %lld leaks (%lld allocations of process %lld)", (long long)p, (long long)allowed,
                     (long long)who);
        while (actors[p].memory.blocks) own_release(&actors[p].memory, actors[p].memory.blocks->bytes);
    }
    end_world(&all);
}

/* The one that has failed says so; the others say so too, or were ended. */
static void check_failure(const actor *actors, int64_t who, int64_t allowed) {
    const actor *failed = &actors[who];
    if (!failed->returned || failed->status != GPR_ERROR_MEMORY)
        fail_msg("process %lld, %lld allocations: %s: %s", (long long)who, (long long)allowed,
                 failed->returned ? gpr_status_name(failed->status) : "it waits", failed->message);
    for (int64_t p = 0; p < PROCESSES; p++) {
        if (!actors[p].returned) continue;
        assert_int_equal(actors[p].first_failed < 0, 0);
        if (p == who || actors[p].status >= 0 || who == 0) continue;
        if (!strstr(actors[p].message, "process 1 of 2"))
            fail_msg("process %lld, %lld allocations: process %lld says '%s'", (long long)who, (long long)allowed,
                     (long long)p, actors[p].message);
    }
}

/* Every step-th allocation; all of them with EVERY=1 in the environment. */
static void fail_each(const scene *of, int64_t step) {
    actor actors[PROCESSES], alone = {.scene = of, .allowed = -1, .memory = {.until = -1}};
    if (getenv("EVERY")) step = 1;
    (void)act(&alone);
    assert_ok(alone.status);
    play(actors, of, 0, -1, false);
    for (int64_t p = 0; p < PROCESSES; p++) {
        assert_ok(actors[p].status);
        assert_true(actors[p].bits == alone.bits);
    }
    const int64_t counts[PROCESSES] = {actors[0].allowed, actors[1].allowed};
    for (int64_t who = 0; who < PROCESSES; who++) {
        for (int64_t allowed = who; allowed < counts[who]; allowed += step) {
            play(actors, of, who, allowed, allowed % 2);
            if (actors[who].status < 0) check_failure(actors, who, allowed);
            else assert_true(actors[who].bits == alone.bits); /* it could do without */
        }
    }
}

static const char *const small[] = {"epochs", "2", "hidden", "4", "K", "2", NULL};
static const char *const gcn[] = {"model", "gcn", "epochs", "2", "hidden", "4", "normalize", "column", NULL};
static const char *const several[] = {"epochs", "2", "hidden", "4", "K", "2", "runs", "3", NULL};

static void rows(void **state) {
    (void)state;
    fail_each(&(scene){GPRI_SPREAD_ROWS, small, false, true}, 3);
}

static void rows_of_gcn(void **state) {
    (void)state;
    fail_each(&(scene){GPRI_SPREAD_ROWS, gcn, false, true}, 7);
}

static void columns(void **state) {
    (void)state;
    fail_each(&(scene){GPRI_SPREAD_COLUMNS, small, false, true}, 5);
}

static void runs(void **state) {
    (void)state;
    fail_each(&(scene){GPRI_SPREAD_RUNS, several, false, false}, 7);
}

static void searches(void **state) {
    (void)state;
    fail_each(&(scene){GPRI_SPREAD_AUTO, several, true, false}, 37);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(rows_of_gcn), cmocka_unit_test(columns),
                                       cmocka_unit_test(runs), cmocka_unit_test(searches)};
    return cmocka_run_group_tests_name("processes", tests, NULL, NULL);
}
