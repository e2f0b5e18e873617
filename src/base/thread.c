/* A pool of threads that share the chunks of one job at a time. */
#include "base/thread.h"

#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/compiler.h"

enum { LOOKS = 1000 }; /* times to look at a flag, about 20 microseconds, before going to sleep */

/* A flag to wait for, with a place to sleep. */
typedef struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    atomic_int sleeping;
} gate;

typedef struct worker {
    struct gpri_pool *pool;
    pthread_t thread;
    int slot;
    atomic_uint posted; /* jobs given to it so far */
    gate gate;
} worker;

typedef struct gpri_pool {
    pid_t process;    /* a forked child has the memory but not the threads */
    int asked, count; /* threads besides the caller: asked for, and started */
    worker *workers;  /* (count), worker w has slot w + 1 */
    atomic_bool busy, quit;
    /* the present job; written while no worker is active */
    gpri_chunk_fn fn;
    void *arg;
    int64_t chunks;
    _Atomic int64_t next;
    atomic_int active;
    gate done;
} gpri_pool;

static void gate_init(gate *g) {
    pthread_mutex_init(&g->mutex, NULL);
    pthread_cond_init(&g->changed, NULL);
}

static void gate_free(gate *g) {
    pthread_mutex_destroy(&g->mutex);
    pthread_cond_destroy(&g->changed);
}

/* The thread that changed the flag calls this. `sleeping` and the flag are sequentially consistent, so no change is
   missed. */
static void gate_wake(gate *g) {
    if (!atomic_load(&g->sleeping)) return;
    pthread_mutex_lock(&g->mutex);
    pthread_cond_signal(&g->changed);
    pthread_mutex_unlock(&g->mutex);
}

/* Until ready(arg). */
static void gate_wait(gate *g, bool (*ready)(void *), void *arg) {
    for (int i = 0; i < LOOKS; i++) {
        if (ready(arg)) return;
        GPRI_PAUSE();
    }
    pthread_mutex_lock(&g->mutex);
    atomic_store(&g->sleeping, 1);
    while (!ready(arg)) pthread_cond_wait(&g->changed, &g->mutex);
    atomic_store(&g->sleeping, 0);
    pthread_mutex_unlock(&g->mutex);
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
        gate_wait(&l.self->gate, has_job, &l);
        if (atomic_load(&pool->quit)) return NULL;
        take_chunks(pool, l.self->slot);
        if (atomic_fetch_sub(&pool->active, 1) == 1) gate_wake(&pool->done);
    }
}

static void post(worker *w) {
    atomic_fetch_add(&w->posted, 1);
    gate_wake(&w->gate);
}

/* Starts as many as the system allows, perhaps none. */
static void start_workers(gpr_ctx *ctx, int threads) {
    gpri_pool *pool = NULL;
    if (gpri_calloc(ctx, &pool, 1, sizeof *pool, "threads") != GPR_OK) return;
    if (gpri_calloc(ctx, &pool->workers, threads - 1, sizeof *pool->workers, "threads") != GPR_OK) {
        gpri_free(ctx, pool);
        return;
    }
    pool->process = getpid();
    pool->asked = threads - 1;
    gate_init(&pool->done);
    for (; pool->count < threads - 1; pool->count++) {
        worker *w = &pool->workers[pool->count];
        w->pool = pool;
        w->slot = pool->count + 1;
        gate_init(&w->gate);
        if (pthread_create(&w->thread, NULL, work, w) != 0) {
            gate_free(&w->gate);
            break;
        }
    }
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
            gate_free(&pool->workers[i].gate);
        }
        gate_free(&pool->done);
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
    gate_wait(&pool->done, all_done, pool);
    atomic_store(&pool->busy, false);
}

int gpri_machine_threads(void) {
    cpu_set_t set;
    int threads = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    return threads < 1 ? 1 : threads > GPRI_MAX_THREADS ? GPRI_MAX_THREADS : threads;
}
