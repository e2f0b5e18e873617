/* A card and its queues, as the files of this library see them.
 *
 * A queue is what one host thread computes with: a stream, the recording that it makes, and memory to compute in.
 * Operations have no argument for the device, so each thread has a current queue: that of the device whose function it
 * called last. Threads that train side by side have a queue each, and their work on the card overlaps. */
#ifndef GPRI_CUDA_DEVICE_CUH
#define GPRI_CUDA_DEVICE_CUH

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Random123 without exceptions. It has templates, so it comes before the headers in C. */
#define R123_USE_SSE 0
#define R123_THROW(x) ((void)0)
#include <Random123/philox.h>
#include <cuda_runtime.h>

extern "C" {
#include "tensor/cuda/base/plugin.h"
}

/* One call of a kernel. Its only argument is a struct that is copied: every number and pointer it needs is in there. */
typedef struct gpri_cuda_launch {
    const void *kernel;
    const void *kernel_of_many; /* the same, for the arguments of several nets: blockIdx.z says which */
    unsigned most;              /* nets that it takes at most */
    dim3 grid;                  /* x and y */
    unsigned threads;
    unsigned shared;  /* bytes of dynamic shared memory */
    unsigned cluster; /* blocks of a cluster, along x; 1: none */
    const void *arguments;
    size_t size;      /* of the arguments */
    const char *name; /* of the function that launches: it holds the type of the operation */
} gpri_cuda_launch;

/* A mistake in this library, as a failure of the current queue. */
void gpri_cuda_misuse(const char *what);

/* Runs it, or appends it to the recording that the current queue makes. */
void gpri_cuda_submit(const gpri_cuda_launch *launch);
/* Whether the card has the shared memory that it needs, and clusters of that size. */
bool gpri_cuda_fits(const gpri_cuda_launch *launch);

/* Memory of the current queue for one operation: 256-byte aligned, contents undefined. The next operation may use the
   same. May be called several times by an operation only if the first call asks for the most: it returns the same
   address each time. On failure: an address that can be used in a launch; the failure is remembered, and nothing runs
   any more until it was asked for (check). */
void *gpri_cuda_scratch(size_t bytes);

/* Memory that the recording in the making keeps as long as it lives, for what one of its kernels leaves for a later
   one. 256-byte aligned, contents undefined; NULL on failure, which is remembered. */
void *gpri_cuda_keep(size_t bytes);

/* GPRI_CUDA_COUNTERS counters of the current queue for kernels whose last block finishes the work. They are 0 before
   and after every kernel: the kernel itself puts them back. Never part of the scratch memory. */
#define GPRI_CUDA_COUNTERS 4096
unsigned *gpri_cuda_counters(void);

#endif
