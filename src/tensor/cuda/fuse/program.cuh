/* What happens to an element after it was computed, or before it is used: a few steps that need that element alone
 * (bias, relu, dropout, ...), in order. Kernels that make a matrix take such a program along, so that the steps cost no
 * kernels of their own. The numbers are those of the single operations (rows.cu, elements.cu). */
#ifndef GPRI_CUDA_PROGRAM_CUH
#define GPRI_CUDA_PROGRAM_CUH

#include "tensor/cuda/base/each.cuh"

enum element_kind {
    STEP_RELU,
    STEP_BIAS,          /* + at[column] */
    STEP_SCALE,         /* times factor */
    STEP_DROPOUT,       /* by the mask */
    STEP_RELU_BACKWARD, /* 0 where at[row][column] is not above 0 */
    STEP_ELU_BACKWARD,  /* times the derivative at at[row][column] */
    STEP_STORE          /* also to at[row][column] */
};

struct element_step {
    element_kind kind;
    gpri_real factor;
    gpri_real *at;
    int64_t ld;
    int64_t first, cols; /* of the matrix that is dropped from */
    gpri_mask mask;
};

struct element_program {
    enum { MOST = 4 };
    int count;
    element_step steps[MOST];
};

/* Bit k: element e + k is kept, for V elements. As gpri_keep_group. */
template <int V> __device__ __forceinline__ unsigned kept_bits(const gpri_mask &mask, int64_t e) {
    const gpri_random random = gpri_mask_random(&mask);
    unsigned kept = 0;
    for (int64_t g = e >> 7; g <= (e + V - 1) >> 7; g++) {
        uint32_t below[4] = {0, 0, 0, 0}, equal[4] = {~0u, ~0u, ~0u, ~0u};
        for (int digit = 0; digit < mask.rate.digits; digit++) {
            const philox4x32_ctr_t block =
                gpri_random_block(random, (uint64_t)g * GPRI_DROPOUT_DIGITS + (uint64_t)digit);
            const uint32_t want = mask.rate.threshold >> (mask.rate.digits - 1 - digit) & 1 ? ~0u : 0;
#pragma unroll
            for (int word = 0; word < 4; word++) {
                below[word] |= equal[word] & ~block.v[word] & want;
                equal[word] &= ~(block.v[word] ^ want);
            }
        }
#pragma unroll
        for (int k = 0; k < V; k++) {
            const int bit = (int)((e + k) & 127), word = bit >> 5;
            const uint32_t of = word == 0 ? below[0] : word == 1 ? below[1] : word == 2 ? below[2] : below[3];
            if ((e + k) >> 7 == g) kept |= (~of >> (bit & 31) & 1u) << k;
        }
    }
    return kept;
}

/* The steps on V elements of a row. */
template <int V>
__device__ __forceinline__ void run_program(const element_program &program, int64_t row, int64_t column, pack<V> *e) {
    for (int s = 0; s < program.count; s++) {
        const element_step &step = program.steps[s];
        switch (step.kind) {
        case STEP_RELU:
            for (int k = 0; k < V; k++) e->v[k] = e->v[k] < 0 ? 0 : e->v[k];
            break;
        case STEP_BIAS: {
            const pack<V> by = load<V>(step.at + column);
            for (int k = 0; k < V; k++) e->v[k] += by.v[k];
            break;
        }
        case STEP_SCALE:
            for (int k = 0; k < V; k++) e->v[k] *= step.factor;
            break;
        case STEP_DROPOUT: {
            const unsigned kept = kept_bits<V>(step.mask, (step.first + row) * step.cols + column);
            for (int k = 0; k < V; k++)
                if (column + k < step.cols) e->v[k] = kept >> k & 1 ? e->v[k] * step.mask.rate.scale : 0;
            break;
        }
        case STEP_RELU_BACKWARD: {
            const pack<V> y = load<V>(step.at + row * step.ld + column);
            for (int k = 0; k < V; k++)
                if (!(y.v[k] > 0)) e->v[k] = 0;
            break;
        }
        case STEP_ELU_BACKWARD: {
            const pack<V> x = load<V>(step.at + row * step.ld + column);
            for (int k = 0; k < V; k++)
                if (!(x.v[k] > 0)) e->v[k] *= expf(x.v[k]);
            break;
        }
        case STEP_STORE: store(step.at + row * step.ld + column, *e); break;
        }
    }
}

/* Two matrices of the same shape, such as both streams of an activation, and what is done with each; the second may be
   absent. */
struct element_chain {
    gpri_matrix y[2];
    element_program program[2];
};
void gpri_cuda_chain(const element_chain *chain);

#endif
