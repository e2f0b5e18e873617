/* Chooses the table of operations at run time: what is shipped is built for no CPU in particular. */
#include <string.h>

#include "tensor/ops.h"

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

gpr_status gpri_ops_select(const gpri_ops **out, const char *cpu) {
    const gpri_ops *tables[8];
    const char *names[8];
    int count = gpri_ops_all(tables, 8);
    *out = tables[count - 1];
    if (!cpu || strcmp(cpu, "auto") == 0) return GPR_OK;
    for (int i = 0; i < count; i++) {
        names[i] = tables[i]->name;
        if (strcmp(cpu, names[i]) == 0) {
            *out = tables[i];
            return GPR_OK;
        }
    }
    const char *near = gpr_nearest_word(cpu, names, count);
    return gpri_fail(
        GPR_ERROR_ARGUMENT,
        "cpu '%s' is not known, or this machine cannot run it: '%s' would be the nearest, 'auto' is the best", cpu,
        near ? near : names[count - 1]);
}
