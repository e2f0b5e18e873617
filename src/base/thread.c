/* A pool of threads that share the chunks of one job at a time. */
#include "base/thread.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/compiler.h"

enum { SPINS = 1000 }; /* reads of a flag before a thread sleeps: about 20 microseconds */

/* A thread that waits for a flag: it spins for a moment, then it sleeps. */
typedef struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    atomic_int sleeping;
} waiter;

typedef struct worker {
    struct gpri_pool *pool;
    pthread_t thread;
    int slot;
    atomic_uint posted; /* jobs given to it so far */
    waiter waiter;
} worker;

typedef struct gpri_pool {
    pid_t process;    /* a forked child has a copy of the memory, but no threads */
    int asked, count; /* threads in addition to the caller: requested, and running */
    worker *workers;  /* (count), worker w has slot w + 1 */
    atomic_bool busy, quit;
    /* the current job; written only while no worker is active */
    gpri_chunk_fn fn;
    void *arg;
    int64_t chunks;
    _Atomic int64_t next;
    atomic_int active;
    waiter done;
} gpri_pool;

static void waiter_init(waiter *w) {
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->changed, NULL);
}

static void waiter_destroy(waiter *w) {
    pthread_mutex_destroy(&w->mutex);
    pthread_cond_destroy(&w->changed);
}

/* Called after the flag was changed. The flag and `sleeping` are sequentially consistent, so no change is missed. */
static void waiter_wake(waiter *w) {
    if (!atomic_load(&w->sleeping)) return;
    pthread_mutex_lock(&w->mutex);
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->mutex);
}

/* Returns when ready(arg). */
static void waiter_wait(waiter *w, bool (*ready)(void *), void *arg) {
    for (int i = 0; i < SPINS; i++) {
        if (ready(arg)) return;
        GPRI_PAUSE();
    }
    pthread_mutex_lock(&w->mutex);
    atomic_store(&w->sleeping, 1);
    while (!ready(arg)) pthread_cond_wait(&w->changed, &w->mutex);
    atomic_store(&w->sleeping, 0);
    pthread_mutex_unlock(&w->mutex);
}

static void take_chunks(gpri_pool *pool, int slot) {
    for (int64_t chunk; (chunk = atomic_fetch_add(&pool->next, 1)) < pool->chunks;) pool->fn(pool->arg, chunk, slot);
}

typedef struct {
    worker *self;
    unsigned seen;
} look;

static bool has_job(void *arg) {
    const look *l = arg;
    return atomic_load(&l->self->posted) != l->seen;
}

static bool all_done(void *arg) { return atomic_load(&((gpri_pool *)arg)->active) == 0; }

static void *work(void *arg) {
    look l = {arg, 0};
    gpri_pool *pool = l.self->pool;
    for (;; l.seen++) {
        waiter_wait(&l.self->waiter, has_job, &l);
        if (atomic_load(&pool->quit)) return NULL;
        take_chunks(pool, l.self->slot);
        if (atomic_fetch_sub(&pool->active, 1) == 1) waiter_wake(&pool->done);
    }
}

static void post(worker *w) {
    atomic_fetch_add(&w->posted, 1);
    waiter_wake(&w->waiter);
}

/* Blocks all signals except those of a fault of the thread itself: no other thread can get these, and a host may have a
   handler that reports the fault. */
static void block_signals(sigset_t *before) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_SETMASK, &all, before);
}

/* Starts as many threads as the system allows, possibly none. */
static void start_workers(gpr_ctx *ctx, int threads) {
    gpri_pool *pool = NULL;
    if (gpri_calloc(ctx, &pool, 1, sizeof *pool, "threads") != GPR_OK) return;
    if (gpri_calloc(ctx, &pool->workers, threads - 1, sizeof *pool->workers, "threads") != GPR_OK) {
        gpri_free(ctx, pool);
        return;
    }
    pool->process = getpid();
    pool->asked = threads - 1;
    waiter_init(&pool->done);
    sigset_t before;
    block_signals(&before); /* a new thread inherits the signal mask */
    for (; pool->count < threads - 1; pool->count++) {
        worker *w = &pool->workers[pool->count];
        w->pool = pool;
        w->slot = pool->count + 1;
        waiter_init(&w->waiter);
        if (pthread_create(&w->thread, NULL, work, w) != 0) {
            waiter_destroy(&w->waiter);
            break;
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    ctx->pool = pool;
}

void gpri_pool_free(gpr_ctx *ctx) {
    gpri_pool *pool = ctx->pool;
    ctx->pool = NULL;
    if (!pool) return;
    if (pool->process == getpid()) {
        atomic_store(&pool->quit, true);
        for (int i = 0; i < pool->count; i++) post(&pool->workers[i]);
        for (int i = 0; i < pool->count; i++) {
            pthread_join(pool->workers[i].thread, NULL);
            waiter_destroy(&pool->workers[i].waiter);
        }
        waiter_destroy(&pool->done);
    }
    gpri_free_all(ctx, pool->workers, pool);
}

void gpri_pool_rest(gpr_ctx *ctx) {
    if (ctx->pool && !atomic_load(&ctx->pool->busy)) gpri_pool_free(ctx);
}

void gpri_parallel(gpr_ctx *ctx, int threads, int64_t chunks, gpri_chunk_fn fn, void *arg) {
    if (threads > chunks) threads = (int)chunks;
    if (threads > 1) {
        gpri_pool *old = ctx->pool;
        bool nested = old && atomic_load(&old->busy);
        if (!nested && (!old || old->asked < threads - 1 || old->process != getpid())) {
            gpri_pool_free(ctx);
            start_workers(ctx, threads > ctx->threads ? threads : ctx->threads);
        }
        if (nested || !ctx->pool || ctx->pool->count == 0) threads = 1;
    }
    if (threads <= 1) {
        for (int64_t chunk = 0; chunk < chunks; chunk++) fn(arg, chunk, 0);
        return;
    }
    gpri_pool *pool = ctx->pool;
    int helpers = threads - 1 < pool->count ? threads - 1 : pool->count;
    pool->fn = fn;
    pool->arg = arg;
    pool->chunks = chunks;
    atomic_store(&pool->next, 0);
    atomic_store(&pool->active, helpers);
    atomic_store(&pool->busy, true);
    for (int i = 0; i < helpers; i++) post(&pool->workers[i]);
    take_chunks(pool, 0);
    waiter_wait(&pool->done, all_done, pool);
    atomic_store(&pool->busy, false);
}

int gpri_machine_threads(void) {
    cpu_set_t set;
    int threads = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    return threads < 1 ? 1 : threads > GPRI_MAX_THREADS ? GPRI_MAX_THREADS : threads;
}
