/* A step of Adam on one number, and going on to the next step. */
#ifndef GPRI_CUDA_ADAM_CUH
#define GPRI_CUDA_ADAM_CUH

#include "tensor/cuda/base/device.cuh"

extern "C" {
#include "tensor/judge.h"
}

__device__ __forceinline__ void adam_step(float &w, float &m, float &v, float gradient, const gpri_adam &a,
                                          float decay, float shrink) {
    const float g = gradient + decay * w;
    m = a.beta1 * m + a.new1 * g;
    v = a.beta2 * v + a.new2 * g * g;
    w = w - shrink * w - a.rate * m / (sqrtf(v) * a.second_scale + a.epsilon);
}

__device__ __forceinline__ void go_to_next_step(gpri_record *record, uint32_t *step, double lr) {
    const uint32_t next = *step + 1;
    *step = next;
    record->adam = gpri_adam_of(lr, (double)next + 1);
}

#endif
