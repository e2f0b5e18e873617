/* Threads: no other file creates any.
 *
 * Work is cut into chunks. Their number depends on the problem alone, and each chunk writes only its own results, so
 * the bits do not depend on the number of threads.
 *
 * A context has a small pool of its own, which starts when it is first needed. A waiting thread spins for some
 * microseconds, the time between two steps of a training, and then sleeps: on a busy machine a thread that spins takes
 * the CPU from the one that it waits for. The threads block signals, so a host's handlers run in its own threads. */
#ifndef GPRI_THREAD_H
#define GPRI_THREAD_H

#include <pthread.h>
#include <stdint.h>

#include "base/context.h"

#define GPRI_MAX_THREADS 1024

int gpri_machine_threads(void); /* CPUs that this process may use */

/* chunk in [0, chunks), slot in [0, threads): which thread runs it, for scratch memory. */
typedef void (*gpri_chunk_fn)(void *arg, int64_t chunk, int slot);

/* Calls fn for every chunk on up to `threads` threads, including this one; returns when all are done. With one thread
   or chunk, within another parallel call, or if no thread can be started, this thread runs all chunks. */
void gpri_parallel(gpr_ctx *ctx, int threads, int64_t chunks, gpri_chunk_fn fn, void *arg);

/* Work on `total` items in chunks of `size`: how many chunks there are, and which items are in one of them. size is 1
   or more. The last chunk may be smaller; a chunk past the last is empty. */
typedef struct gpri_range {
    int64_t first, end; /* items [first, end) */
} gpri_range;
static inline int64_t gpri_chunk_count(int64_t total, int64_t size) { return total / size + (total % size != 0); }
static inline gpri_range gpri_chunk_of(int64_t chunk, int64_t size, int64_t total) {
    const int64_t first = chunk < gpri_chunk_count(total, size) ? chunk * size : total;
    return (gpri_range){first, total - first < size ? total : first + size};
}

/* Ends the context's threads. */
void gpri_pool_free(gpr_ctx *ctx);
/* The same, unless they are at work: for a call that may come from a callback. */
void gpri_pool_rest(gpr_ctx *ctx);

/* A lock for what must not be called from two threads at once. */
typedef pthread_mutex_t gpri_lock;
#define GPRI_LOCK_READY PTHREAD_MUTEX_INITIALIZER
static inline void gpri_acquire(gpri_lock *lock) { pthread_mutex_lock(lock); }
static inline void gpri_release(gpri_lock *lock) { pthread_mutex_unlock(lock); }

#endif
