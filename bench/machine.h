/* The limits of this machine, and how long a call takes. For bench/kernels.c. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "gprgnn.h"

typedef struct {
    double median, q1, q3, least; /* seconds */
} spread;

typedef void (*work_fn)(void *arg, int threads);

/* A sample is as many calls as take a millisecond; half a second of samples, at least 5 and at most 21. */
spread time_of(work_fn work, void *arg, int threads);

/* Zeroed and 64-byte aligned, for free(); ends the program if memory runs out. */
void *zeros(int64_t count, size_t size);

enum { LEAST_SIZE = 14, SIZES = 15 }; /* bandwidth with 2^14 .. 2^28 bytes of data */

/* [0]: with one thread; [1]: with `threads`. */
typedef struct {
    int threads;
    /* bytes per second on that much data: STREAM's triad or an update in place, the faster */
    double bandwidth[2][SIZES];
    double flops[2]; /* float32 per second, in fused multiply-adds */
} machine;

machine measure_machine(gpr_ctx *ctx, int threads);

/* The shortest time to move `bytes`, of data of `data` bytes, and for `flops`. */
double limit_seconds(const machine *m, int many, double data, double bytes, double flops);

#endif
