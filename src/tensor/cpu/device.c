/* The CPU as a device: the host's own memory, and the best table of operations that this CPU can run. The choice is
 * made at run time: what is shipped is built for no CPU in particular. */
#include "tensor/cpu/cpu.h"

#include <stddef.h>
#include <string.h>

#ifndef GPRI_DOUBLE
extern const gpri_ops gpri_ops_base;
#ifdef GPRI_HAVE_AVX2
extern const gpri_ops gpri_ops_avx2;
#endif
#ifdef GPRI_HAVE_AVX512
extern const gpri_ops gpri_ops_avx512;
#endif
#endif

int gpri_ops_all(const gpri_ops **out, int most) {
    int count = 0;
    if (count < most) out[count++] = &gpri_ops_ref;
#ifndef GPRI_DOUBLE
    if (count < most) out[count++] = &gpri_ops_base;
#ifdef GPRI_HAVE_AVX2
    if (count < most && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) out[count++] = &gpri_ops_avx2;
#endif
#ifdef GPRI_HAVE_AVX512
    if (count < most && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        out[count++] = &gpri_ops_avx512;
#endif
#endif
    return count;
}

/* ---- the device: its memory is the host's ---- */

static gpr_status cpu_alloc(const gpri_device *device, gpr_ctx *ctx, void *out, int64_t count, size_t size, bool zeroed,
                            const char *what) {
    enum { WIDE = 8 << 20 }; /* bytes: what is smaller has few pages */
    const int64_t bytes = count * (int64_t)size;
    (void)device;
    NEED(gpri_alloc(ctx, out, count, size, what));
    void *block;
    memcpy(&block, out, sizeof block);
    if (bytes >= WIDE) gpri_wide_pages(block, bytes); /* rows of neighbours are anywhere */
    if (zeroed) memset(block, 0, (size_t)bytes);
    return GPR_OK;
}

static void cpu_free(const gpri_device *device, gpr_ctx *ctx, void *block) {
    (void)device;
    gpri_free(ctx, block);
}

static void cpu_copy(const gpri_device *device, void *to, const void *from, int64_t bytes) {
    (void)device;
    if (bytes > 0) memcpy(to, from, (size_t)bytes);
}

static gpr_status cpu_share(const gpri_device *device, gpr_ctx *ctx, const void **out, const void *host, int64_t bytes,
                            const char *what) {
    (void)device, (void)ctx, (void)bytes, (void)what;
    *out = host;
    return GPR_OK;
}

static void cpu_unshare(const gpri_device *device, gpr_ctx *ctx, const void *shared) {
    (void)device, (void)ctx, (void)shared;
}

enum { TILE = 64 }; /* rows: what lies between the layers of a tile stays in the cache */

#define CPU(table)                                                                                                    \
    {                                                                                                                 \
        .name = "cpu", .ops = (table), .tile = TILE, .lag = 1, .alloc = cpu_alloc, .free = cpu_free, .put = cpu_copy, \
        .get = cpu_copy, .share = cpu_share, .unshare = cpu_unshare                                                   \
    }

static const gpri_device devices[] = {
    CPU(&gpri_ops_ref),
#ifndef GPRI_DOUBLE
    CPU(&gpri_ops_base),
#ifdef GPRI_HAVE_AVX2
    CPU(&gpri_ops_avx2),
#endif
#ifdef GPRI_HAVE_AVX512
    CPU(&gpri_ops_avx512),
#endif
#endif
};

const gpri_device *gpri_cpu_device_with(const gpri_ops *ops) {
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (devices[i].ops == ops) return &devices[i];
    return NULL;
}

gpr_status gpri_cpu_device(const gpri_device **out, const char *cpu) {
    const gpri_ops *tables[8];
    const char *names[8];
    int count = gpri_ops_all(tables, 8);
    *out = gpri_cpu_device_with(tables[count - 1]);
    if (!cpu || strcmp(cpu, "auto") == 0) return GPR_OK;
    for (int i = 0; i < count; i++) {
        names[i] = tables[i]->name;
        if (strcmp(cpu, names[i]) == 0) {
            *out = gpri_cpu_device_with(tables[i]);
            return GPR_OK;
        }
    }
    const char *near = gpr_nearest_word(cpu, names, count);
    return gpri_fail(
        GPR_ERROR_ARGUMENT,
        "cpu '%s' is not known, or this machine cannot run it: '%s' would be the nearest, 'auto' is the best", cpu,
        near ? near : names[count - 1]);
}
