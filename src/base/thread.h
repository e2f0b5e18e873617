/* Threads: the only file that knows OpenMP.
 *
 * Work is cut into chunks whose number depends on the problem alone, and each chunk writes only its own
 * results; so the bits do not depend on the number of threads. */
#ifndef GPRI_THREAD_H
#define GPRI_THREAD_H

#include <pthread.h>
#include <stdint.h>

#define GPRI_MAX_THREADS 1024

int gpri_machine_threads(void);

/* chunk in [0, chunks), slot in [0, threads): which worker runs it, for scratch memory. */
typedef void (*gpri_chunk_fn)(void *arg, int64_t chunk, int slot);

/* Calls fn for every chunk on up to `threads` workers; returns when all are done. With one thread (or chunk) no
   parallel region is entered. */
void gpri_parallel(int threads, int64_t chunks, gpri_chunk_fn fn, void *arg);

/* A lock for what must not be called from two threads at once. */
typedef pthread_mutex_t gpri_lock;
#define GPRI_LOCK_READY PTHREAD_MUTEX_INITIALIZER
static inline void gpri_acquire(gpri_lock *lock) { pthread_mutex_lock(lock); }
static inline void gpri_release(gpri_lock *lock) { pthread_mutex_unlock(lock); }

#endif
