/* base/thread.c: every chunk runs once, several at a time; fork, sleep, several pools. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/context.h"
#include "base/thread.h"
#include "support.h"

enum { MOST = 1000 };

static gpr_ctx *ctx; /* of the tests; main makes it */

typedef struct {
    atomic_int visits[MOST];
    atomic_int wrong_slot, other_thread;
    int threads;
    pthread_t caller;
} tally;

static void count(void *arg, int64_t chunk, int slot) {
    tally *t = arg;
    t->visits[chunk]++;
    if (slot < 0 || slot >= t->threads) t->wrong_slot++;
    if (!pthread_equal(pthread_self(), t->caller)) t->other_thread++;
}

static void every_chunk_once(void **state) {
    (void)state;
    const int threads[] = {1, 2, 3, 7, 64};
    const int64_t chunks[] = {0, 1, 2, 5, MOST};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            tally t = {.threads = threads[i], .caller = pthread_self()};
            gpri_parallel(ctx, threads[i], chunks[j], count, &t);
            for (int64_t c = 0; c < MOST; c++) assert_int_equal(t.visits[c], c < chunks[j] ? 1 : 0);
            assert_int_equal(t.wrong_slot, 0);
        }
}

/* One thread, or one chunk: the caller does all work itself. */
static void alone_means_alone(void **state) {
    (void)state;
    tally one_thread = {.threads = 1, .caller = pthread_self()};
    gpri_parallel(ctx, 1, MOST, count, &one_thread);
    assert_int_equal(one_thread.other_thread, 0);
    tally one_chunk = {.threads = 1, .caller = pthread_self()}; /* so slot must be 0 */
    gpri_parallel(ctx, 8, 1, count, &one_chunk);
    assert_int_equal(one_chunk.other_thread, 0);
    assert_int_equal(one_chunk.wrong_slot, 0);
}

static void ask_for_one(void *arg, int64_t chunk, int slot) {
    count(arg, chunk, slot);
    if (slot == 0) assert_ok(gpr_ctx_set_threads(ctx, 1)); /* as a callback may: the job goes on */
}

/* Threads that are not wanted any more end, but never within a job. */
static void fewer_threads_rest(void **state) {
    (void)state;
    tally t = {.threads = 4, .caller = pthread_self()};
    const int before = gpr_ctx_threads(ctx);
    assert_ok(gpr_ctx_set_threads(ctx, 4));
    gpri_parallel(ctx, 4, MOST, count, &t);
    assert_non_null(ctx->pool);
    assert_ok(gpr_ctx_set_threads(ctx, 5));
    assert_non_null(ctx->pool);
    assert_ok(gpr_ctx_set_threads(ctx, 1));
    assert_null(ctx->pool);
    assert_ok(gpr_ctx_set_threads(ctx, 4));
    t = (tally){.threads = 4, .caller = pthread_self()};
    gpri_parallel(ctx, 4, MOST, ask_for_one, &t);
    for (int64_t c = 0; c < MOST; c++) assert_int_equal(t.visits[c], 1);
    assert_ok(gpr_ctx_set_threads(ctx, before));
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

typedef struct {
    atomic_int arrived, met;
    atomic_int slots[2];
} meeting;

/* Chunk 0 and chunk 1 wait for each other: both must run at the same time. */
static void meet(void *arg, int64_t chunk, int slot) {
    meeting *m = arg;
    double end = seconds() + 20;
    m->slots[chunk] = slot;
    m->arrived++;
    while (m->arrived < 2 && seconds() < end) usleep(100);
    m->met += m->arrived == 2;
}

static void two_threads_are_two(void **state) {
    (void)state;
    meeting m = {0};
    gpri_parallel(ctx, 2, 2, meet, &m);
    assert_int_equal(m.met, 2);
    assert_int_not_equal(m.slots[0], m.slots[1]);
}

static void square(void *arg, int64_t chunk, int slot) {
    double *results = arg;
    (void)slot;
    results[chunk] = 1.0 / (double)(chunk * chunk + 1);
}

static void result_ignores_threads(void **state) {
    (void)state;
    static double one[MOST], many[MOST];
    gpri_parallel(ctx, 1, MOST, square, one);
    for (int threads = 2; threads < 8; threads++) {
        memset(many, 0, sizeof many);
        gpri_parallel(ctx, threads, MOST, square, many);
        assert_memory_equal(one, many, sizeof one);
    }
}

/* A process forked after threads have run still works, with one thread and with several. */
static void works_after_fork(void **state) {
    (void)state;
    static double results[MOST];
    gpri_parallel(ctx, 4, MOST, square, results);
    memset(results, 0, sizeof results);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(20);
        gpri_parallel(ctx, 1, MOST / 2, square, results);
        gpri_parallel(ctx, 4, MOST, square, results); /* starts new threads */
        _exit(results[1] == 0.5 && results[MOST - 1] > 0 ? 0 : 1);
    }
    int result = -1;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    assert_int_equal(WEXITSTATUS(result), 0);
}

/* Many jobs, some after a pause that sends the threads to sleep. */
static void many_jobs(void **state) {
    (void)state;
    static double results[8];
    for (int job = 0; job < 5000; job++) {
        memset(results, 0, sizeof results);
        if (job % 1000 == 0) usleep(5000);
        gpri_parallel(ctx, 2 + job % 3, 8, square, results);
        for (int i = 0; i < 8; i++) assert_true(results[i] > 0);
    }
}

static void inner(void *arg, int64_t chunk, int slot) {
    atomic_int *total = arg;
    (void)chunk, (void)slot;
    (*total)++;
}

static void outer(void *arg, int64_t chunk, int slot) {
    (void)chunk, (void)slot;
    gpri_parallel(ctx, 2, 10, inner, arg);
}

static void nests(void **state) {
    (void)state;
    atomic_int total = 0;
    gpri_parallel(ctx, 3, 10, outer, &total);
    assert_int_equal(total, 100);
}

static void *host_thread(void *arg) {
    gpr_ctx *own = NULL;
    if (gpr_ctx_new(&own, NULL) == GPR_OK)
        for (int i = 0; i < 50; i++) gpri_parallel(own, 2, 2, inner, arg);
    gpr_ctx_free(own);
    return NULL;
}

/* Two threads of the host at once, each with its context. */
static void works_from_any_thread(void **state) {
    (void)state;
    atomic_int total = 0;
    pthread_t hosts[2];
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&hosts[i], NULL, host_thread, &total), 0);
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_join(hosts[i], NULL), 0);
    assert_int_equal(total, 200);
}

static void chunks_cover_all_once(void **state) {
    (void)state;
    for (int64_t total = 0; total < 20; total++)
        for (int64_t size = 1; size < 8; size++) {
            const int64_t chunks = gpri_chunk_count(total, size);
            int64_t next = 0;
            for (int64_t c = 0; c < chunks; c++) {
                const gpri_range range = gpri_chunk_of(c, size, total);
                assert_int_equal(range.first, next);
                assert_true(range.end > range.first && range.end - range.first <= size);
                next = range.end;
            }
            assert_int_equal(next, total);
            const gpri_range beyond = gpri_chunk_of(chunks, size, total);
            assert_int_equal(beyond.first, total);
            assert_int_equal(beyond.end, total);
        }
    assert_int_equal(gpri_chunk_count(INT64_MAX, 2), INT64_MAX / 2 + 1); /* no overflow at the end of the range */
    assert_int_equal(gpri_chunk_of(INT64_MAX / 2, 2, INT64_MAX).end, INT64_MAX);
}

static void look_at_mask(void *arg, int64_t chunk, int slot) {
    sigset_t *masks = arg;
    (void)chunk;
    pthread_sigmask(SIG_SETMASK, NULL, &masks[slot]);
    usleep(2000); /* so that every thread gets a chunk */
}

/* A signal to the process goes to a thread of the host, never to one of the pool. */
static void takes_no_signals(void **state) {
    (void)state;
    const int blocked[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGALRM, SIGCHLD, SIGPIPE, SIGQUIT, SIGPROF, SIGRTMAX};
    sigset_t masks[3], before, after;
    gpr_ctx *own = new_ctx(3);
    for (int i = 0; i < 3; i++) sigfillset(&masks[i]);
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    gpri_parallel(own, 3, 60, look_at_mask, masks);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (size_t i = 0; i < sizeof blocked / sizeof *blocked; i++) {
        assert_int_equal(sigismember(&after, blocked[i]), sigismember(&before, blocked[i]));
        assert_int_equal(sigismember(&masks[0], blocked[i]), sigismember(&before, blocked[i]));
        for (int slot = 1; slot < 3; slot++) assert_int_equal(sigismember(&masks[slot], blocked[i]), 1);
    }
    for (int slot = 1; slot < 3; slot++) assert_int_equal(sigismember(&masks[slot], SIGSEGV), 0); /* both took part */
    gpr_ctx_free(own);
}

static void machine_has_threads(void **state) {
    (void)state;
    assert_in_range(gpri_machine_threads(), 1, GPRI_MAX_THREADS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_chunk_once),
        cmocka_unit_test(alone_means_alone),
        cmocka_unit_test(fewer_threads_rest),
        cmocka_unit_test(two_threads_are_two),
        cmocka_unit_test(result_ignores_threads),
        cmocka_unit_test(works_after_fork),
        cmocka_unit_test(nests),
        cmocka_unit_test(many_jobs),
        cmocka_unit_test(works_from_any_thread),
        cmocka_unit_test(machine_has_threads),
        cmocka_unit_test(chunks_cover_all_once),
        cmocka_unit_test(takes_no_signals),
    };
    ctx = new_ctx(2);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gpr_ctx_free(ctx);
    return failed;
}
