#include "base/thread.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/compiler.h"

enum { LOOKS = 1000 }; /* at a flag, some 20 microseconds, before going to sleep */

/* A flag to wait for, with a place to sleep. */
typedef struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    atomic_int sleeping;
} bed;

typedef struct worker {
    struct gpri_pool *pool;
    pthread_t thread;
    int slot;
    atomic_uint posted; /* jobs given to it so far */
    bed bed;
} worker;

typedef struct gpri_pool {
    pid_t process;    /* a forked child has the memory but not the threads */
    int asked, count; /* threads asked for besides the caller, and had */
    worker *workers;  /* (count), worker w has slot w + 1 */
    atomic_bool busy, quit;
    /* the present job; written while no worker is active */
    gpri_chunk_fn fn;
    void *arg;
    int64_t chunks;
    _Atomic int64_t next;
    atomic_int active;
    bed done;
} gpri_pool;

static void bed_make(bed *b) {
    pthread_mutex_init(&b->mutex, NULL);
    pthread_cond_init(&b->changed, NULL);
}

static void bed_free(bed *b) {
    pthread_mutex_destroy(&b->mutex);
    pthread_cond_destroy(&b->changed);
}

/* The one who changed the flag before calls this; sleeping and flag are sequentially consistent, so no change is
 * missed. */
static void bed_wake(bed *b) {
    if (!atomic_load(&b->sleeping)) return;
    pthread_mutex_lock(&b->mutex);
    pthread_cond_signal(&b->changed);
    pthread_mutex_unlock(&b->mutex);
}

/* Until ready(arg). */
static void bed_wait(bed *b, bool (*ready)(void *), void *arg) {
    for (int i = 0; i < LOOKS; i++) {
        if (ready(arg)) return;
        GPRI_PAUSE();
    }
    pthread_mutex_lock(&b->mutex);
    atomic_store(&b->sleeping, 1);
    while (!ready(arg)) pthread_cond_wait(&b->changed, &b->mutex);
    atomic_store(&b->sleeping, 0);
    pthread_mutex_unlock(&b->mutex);
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
        bed_wait(&l.self->bed, has_job, &l);
        if (atomic_load(&pool->quit)) return NULL;
        take_chunks(pool, l.self->slot);
        if (atomic_fetch_sub(&pool->active, 1) == 1) bed_wake(&pool->done);
    }
}

static void post(worker *w) {
    atomic_fetch_add(&w->posted, 1);
    bed_wake(&w->bed);
}

/* All but those that a thread causes itself by a fault: no other thread can get them, and a host may have a handler
   that reports the fault. */
static void block_signals(sigset_t *before) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_SETMASK, &all, before);
}

/* As many as can be had, perhaps none. */
static void start_workers(gpr_ctx *ctx, int threads) {
    gpri_pool *pool = NULL;
    if (gpri_calloc(ctx, &pool, 1, sizeof *pool, "threads") != GPR_OK) return;
    if (gpri_calloc(ctx, &pool->workers, threads - 1, sizeof *pool->workers, "threads") != GPR_OK) {
        gpri_free(ctx, pool);
        return;
    }
    pool->process = getpid();
    pool->asked = threads - 1;
    bed_make(&pool->done);
    sigset_t before;
    block_signals(&before); /* a thread begins with the mask of its maker */
    for (; pool->count < threads - 1; pool->count++) {
        worker *w = &pool->workers[pool->count];
        w->pool = pool;
        w->slot = pool->count + 1;
        bed_make(&w->bed);
        if (pthread_create(&w->thread, NULL, work, w) != 0) {
            bed_free(&w->bed);
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
            bed_free(&pool->workers[i].bed);
        }
        bed_free(&pool->done);
    }
    gpri_free(ctx, pool->workers);
    gpri_free(ctx, pool);
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
    bed_wait(&pool->done, all_done, pool);
    atomic_store(&pool->busy, false);
}

int gpri_machine_threads(void) {
    cpu_set_t set;
    int threads = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    return threads < 1 ? 1 : threads > GPRI_MAX_THREADS ? GPRI_MAX_THREADS : threads;
}
