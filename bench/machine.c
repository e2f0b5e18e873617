/* Measures the limits of this machine: what a virtual machine reports about its caches is not reliable. */
#include "machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/thread.h"

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define BENCH_X86 1
#define TARGET(isa) __attribute__((target(isa)))
#else
#define BENCH_X86 0
#endif

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, int count, double q) {
    double at = q * (count - 1);
    int low = (int)at;
    double share = at - low;
    return low + 1 < count ? sorted[low] * (1 - share) + sorted[low + 1] * share : sorted[low];
}

spread time_of(work_fn work, void *arg, int threads) {
    enum { LEAST = 5, MOST = 21 };
    double samples[MOST], start = now();
    work(arg, threads);
    double once = now() - start;
    start = now();
    work(arg, threads);
    once = fmin(once, now() - start) + 1e-9;
    int calls = once < 1e-3 ? (int)ceil(1e-3 / once) : 1;
    double wanted = 0.5 / (once * calls);
    int count = wanted < LEAST ? LEAST : wanted > MOST ? MOST : (int)wanted;
    for (int i = 0; i < count; i++) {
        start = now();
        for (int j = 0; j < calls; j++) work(arg, threads);
        samples[i] = (now() - start) / calls;
    }
    qsort(samples, (size_t)count, sizeof *samples, ascending);
    return (spread){quantile(samples, count, 0.5), quantile(samples, count, 0.25), quantile(samples, count, 0.75),
                    samples[0]};
}

static void *need(void *block) {
    if (block) return block;
    fputs("bench: out of memory\n", stderr);
    exit(1);
}

void *zeros(int64_t count, size_t size) {
    size_t bytes = ((size_t)count * size + 63) / 64 * 64 + 64;
    return memset(need(aligned_alloc(64, bytes)), 0, bytes);
}

/* Independent chains of multiply-adds, to hide the latency of the unit: 2 * CHAINS * lanes flops per repeat. */
enum { CHAINS = 12 };

/* STREAM's triad where b is given, else an update in place. */
typedef void (*move_fn)(float *restrict a, const float *restrict b, const float *restrict c, int64_t count,
                        int repeats);

#define MOVE                                                                \
    for (int r = 0; r < repeats; r++) {                                     \
        if (b)                                                              \
            for (int64_t i = 0; i < count; i++) a[i] = b[i] + 3 * c[i];     \
        else                                                                \
            for (int64_t i = 0; i < count; i++) a[i] = a[i] > 0 ? a[i] : 1; \
        a[0] += (float)r; /* else the compiler could remove the repeats */  \
    }                                                                       \
    (void)0

static void move_plain(float *restrict a, const float *restrict b, const float *restrict c, int64_t count,
                       int repeats) {
    MOVE;
}

static float flops_plain(int64_t repeats) {
    float sum[CHAINS] = {0};
    for (int64_t r = 0; r < repeats; r++)
        for (int i = 0; i < CHAINS; i++) sum[i] = sum[i] * 0.5f + 1.0f;
    for (int i = 1; i < CHAINS; i++) sum[0] += sum[i];
    return sum[0];
}

#if BENCH_X86
TARGET("avx2")
static void move_avx2(float *restrict a, const float *restrict b, const float *restrict c, int64_t count, int repeats) {
    MOVE;
}

TARGET("avx512f")
static void move_avx512(float *restrict a, const float *restrict b, const float *restrict c, int64_t count,
                        int repeats) {
    MOVE;
}

TARGET("avx2,fma") static float flops_avx2(int64_t repeats) {
    __m256 sum[CHAINS], half = _mm256_set1_ps(0.5f), one = _mm256_set1_ps(1.0f);
    for (int i = 0; i < CHAINS; i++) sum[i] = _mm256_set1_ps((float)i);
    for (int64_t r = 0; r < repeats; r++)
        for (int i = 0; i < CHAINS; i++) sum[i] = _mm256_fmadd_ps(sum[i], half, one);
    for (int i = 1; i < CHAINS; i++) sum[0] = _mm256_add_ps(sum[0], sum[i]);
    return _mm256_cvtss_f32(sum[0]);
}

TARGET("avx512f") static float flops_avx512(int64_t repeats) {
    __m512 sum[CHAINS], half = _mm512_set1_ps(0.5f), one = _mm512_set1_ps(1.0f);
    for (int i = 0; i < CHAINS; i++) sum[i] = _mm512_set1_ps((float)i);
    for (int64_t r = 0; r < repeats; r++)
        for (int i = 0; i < CHAINS; i++) sum[i] = _mm512_fmadd_ps(sum[i], half, one);
    for (int i = 1; i < CHAINS; i++) sum[0] = _mm512_add_ps(sum[0], sum[i]);
    return _mm512_cvtss_f32(sum[0]);
}
#endif

typedef struct {
    gpr_ctx *ctx;
    move_fn move;
    float (*flops)(int64_t repeats);
    int lanes;
    float *a, *b, *c;
    int64_t count; /* a thread's share of each array */
    int repeats;
    float *sink; /* 16 per thread */
} probe;

static void triad_chunk(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const probe *p = arg;
    int64_t at = chunk * p->count;
    p->move(p->a + at, p->b + at, p->c + at, p->count, p->repeats);
}

static void update_chunk(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const probe *p = arg;
    p->move(p->a + chunk * 3 * p->count, NULL, NULL, 3 * p->count, p->repeats);
}

static void triad_work(void *arg, int threads) {
    gpri_parallel(((probe *)arg)->ctx, threads, threads, triad_chunk, arg);
}
static void update_work(void *arg, int threads) {
    gpri_parallel(((probe *)arg)->ctx, threads, threads, update_chunk, arg);
}

static void flops_chunk(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const probe *p = arg;
    p->sink[16 * chunk] = p->flops(p->repeats);
}

static void flops_work(void *arg, int threads) {
    gpri_parallel(((probe *)arg)->ctx, threads, threads, flops_chunk, arg);
}

machine measure_machine(gpr_ctx *ctx, int threads) {
    machine m = {.threads = threads};
    probe p = {.ctx = ctx, .move = move_plain, .flops = flops_plain, .lanes = 1};
#if BENCH_X86
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        p.move = move_avx2, p.flops = flops_avx2, p.lanes = 8;
    if (__builtin_cpu_supports("avx512f")) p.move = move_avx512, p.flops = flops_avx512, p.lanes = 16;
#endif
    int64_t most = ((int64_t)1 << (LEAST_SIZE + SIZES - 1)) / 12 + 16 * threads;
    p.sink = zeros(16 * threads, sizeof(float));
    p.a = zeros(3 * most, sizeof(float));
    for (int many = 0; many < 2; many++) {
        int n = many ? threads : 1;
        for (int size = 0; size < SIZES; size++) {
            int64_t bytes = (int64_t)1 << (LEAST_SIZE + size);
            p.count = (bytes / 12 / n + 15) / 16 * 16;
            p.repeats = (int)((((int64_t)1 << 23) + bytes - 1) / bytes);
            p.b = p.a + n * p.count, p.c = p.b + n * p.count;
            double moved = (double)p.count * n * p.repeats;
            m.bandwidth[many][size] =
                fmax(12 * moved / time_of(triad_work, &p, n).least, 24 * moved / time_of(update_work, &p, n).least);
        }
        p.repeats = 1000000;
        m.flops[many] = 2.0 * CHAINS * p.lanes * p.repeats * n / time_of(flops_work, &p, n).least;
    }
    free(p.a), free(p.sink);
    return m;
}

double limit_seconds(const machine *m, int many, double data, double bytes, double flops) {
    long size = lrint(log2(fmax(data, 1))) - LEAST_SIZE;
    size = size < 0 ? 0 : size >= SIZES ? SIZES - 1 : size;
    return fmax(bytes / m->bandwidth[many][size], flops / m->flops[many]);
}
