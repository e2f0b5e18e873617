/* A training's record on the card: steps of Adam, judging, the best weights, gamma, going on to the next step. */
#include "tensor/cuda/base/launch.cuh"
#include "tensor/cuda/base/ops.cuh"
#include "tensor/cuda/base/reduce.cuh"
#include "tensor/cuda/fuse/judging.cuh"

namespace {

enum { THREADS = 256 };

/* ---- Adam ---- */

/* V: float4, or float where the numbers are not aligned or their count is no multiple of 4. */
template <class V> struct adam_steps {
    V *w, *m, *v;
    const V *gradient;
    const gpri_record *record;
    float decay, shrink;
    int64_t count; /* of V */
    __device__ void run() const {
        const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
        if (i >= count) return;
        const gpri_adam a = record->adam;
        V w_i = w[i], m_i = m[i], v_i = v[i], g_i = gradient[i];
        for (int k = 0; k < (int)(sizeof(V) / sizeof(float)); k++)
            adam_step(((float *)&w_i)[k], ((float *)&m_i)[k], ((float *)&v_i)[k], ((const float *)&g_i)[k], a, decay,
                      shrink);
        w[i] = w_i;
        m[i] = m_i;
        v[i] = v_i;
    }
};

bool aligned(const void *at) { return (uintptr_t)at % sizeof(float4) == 0; }

/* ---- judging ---- */

struct best_weights {
    float *best;
    const float *values;
    int64_t count;
    const gpri_record *record;
    __device__ void run() const {
        const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
        if (i < count && record->improved) best[i] = values[i];
    }
};

struct next_step {
    gpri_record *record;
    uint32_t *step;
    double lr;
    __device__ void run() const { go_to_next_step(record, step, lr); }
};

} // namespace

void gpri_cuda_adam(gpri_real *w, gpri_real *m, gpri_real *v, const gpri_real *gradient, const gpri_record *record,
                    gpri_real decay, gpri_real shrink, int64_t count) {
    if (count % 4 == 0 && aligned(w) && aligned(m) && aligned(v) && aligned(gradient)) {
        const adam_steps<float4> op = {(float4 *)w, (float4 *)m, (float4 *)v, (const float4 *)gradient,
                                       record,      decay,       shrink,      count / 4};
        launch(op, dim3(gpri_cuda_blocks(op.count, THREADS)), THREADS);
    } else {
        const adam_steps<float> op = {w, m, v, gradient, record, decay, shrink, count};
        launch(op, dim3(gpri_cuda_blocks(count, THREADS)), THREADS);
    }
}

void gpri_cuda_judge(gpri_record *record, gpri_epoch *history, const gpri_scores *scores, int64_t chunks,
                     const uint32_t *step, const gpri_rule *rule) {
    launch(judge_step{record, history, scores, chunks, step, *rule}, dim3(1), GPRI_CUDA_WARP);
}

void gpri_cuda_keep_best(gpri_real *best, const gpri_real *values, int64_t count, const gpri_record *record) {
    launch(best_weights{best, values, count, record}, dim3(gpri_cuda_blocks(count, THREADS)), THREADS);
}

void gpri_cuda_keep_gamma(float *rows, const gpri_real *gamma, int64_t count, const uint32_t *step,
                          const gpri_record *record, const gpri_rule *rule) {
    launch(row_of_gamma{rows, gamma, count, step, record, rule->gamma_stride}, dim3(1), THREADS);
}

void gpri_cuda_advance(gpri_record *record, uint32_t *step, const gpri_rule *rule) {
    launch(next_step{record, step, rule->lr}, dim3(1), 1);
}
