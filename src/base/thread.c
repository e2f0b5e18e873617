#include "base/thread.h"

#include <unistd.h>

#ifdef GPRI_OPENMP
#include <omp.h>
#endif

int gpri_machine_threads(void) {
#ifdef GPRI_OPENMP
    int threads = omp_get_num_procs(); /* honours the process's affinity mask */
#else
    int threads = 1;
#endif
    return threads < 1 ? 1 : threads > GPRI_MAX_THREADS ? GPRI_MAX_THREADS : threads;
}

void gpri_parallel(int threads, int64_t chunks, gpri_chunk_fn fn, void *arg) {
    if (threads > chunks) threads = (int)chunks;
#ifdef GPRI_OPENMP
    if (threads > 1) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (int64_t chunk = 0; chunk < chunks; chunk++) fn(arg, chunk, omp_get_thread_num());
        return;
    }
#endif
    for (int64_t chunk = 0; chunk < chunks; chunk++) fn(arg, chunk, 0);
}
