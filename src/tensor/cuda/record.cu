/* A training's record on the card: steps of Adam, judging, the best weights, gamma, going on to the next step. */
#include "tensor/cuda/launch.cuh"
#include "tensor/cuda/ops.cuh"
#include "tensor/cuda/reduce.cuh"

extern "C" {
#include "tensor/judge.h"
}

namespace {

enum { THREADS = 256 };

/* ---- Adam ---- */

__device__ void adam_step(float &w, float &m, float &v, float gradient, const gpri_adam &a, float decay) {
    const float g = gradient + decay * w;
    m = a.beta1 * m + a.new1 * g;
    v = a.beta2 * v + a.new2 * g * g;
    w -= a.rate * m / (sqrtf(v) * a.second_scale + a.epsilon);
}

/* V: float4, or float where the numbers are not aligned or their count is no multiple of 4. */
template <class V> struct adam_steps {
    V *w, *m, *v;
    const V *gradient;
    const gpri_record *record;
    float decay;
    int64_t count; /* of V */
    __device__ void run() const {
        const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
        if (i >= count) return;
        const gpri_adam a = record->adam;
        V w_i = w[i], m_i = m[i], v_i = v[i], g_i = gradient[i];
        for (int k = 0; k < (int)(sizeof(V) / sizeof(float)); k++)
            adam_step(((float *)&w_i)[k], ((float *)&m_i)[k], ((float *)&v_i)[k], ((const float *)&g_i)[k], a, decay);
        w[i] = w_i;
        m[i] = m_i;
        v[i] = v_i;
    }
};

bool aligned(const void *at) { return (uintptr_t)at % sizeof(float4) == 0; }

/* ---- judging ---- */

/* One warp: the costs of the last steps are summed by 32 threads. */
struct judge_step {
    gpri_record *record;
    gpri_epoch *history;
    const gpri_scores *scores;
    int64_t chunks;
    const uint32_t *step;
    gpri_rule rule;

    __device__ double mean_cost(int64_t first, int64_t end) const {
        double sum = 0;
        for (int64_t t = first + threadIdx.x; t < end; t += GPRI_CUDA_WARP)
            sum += gpri_cost_of(&history[t], rule.metric);
        return gpri_warp_sum(sum) / (double)(end - first);
    }

    /* All threads of the warp make the same decisions from the same numbers; the first one writes. */
    __device__ void run() const {
        const int64_t now = *step;
        const bool writes = threadIdx.x == 0;
        const bool over = record->stopped || now > rule.epochs;
        __syncwarp();
        if (writes) record->improved = 0;
        if (over) return;
        if (writes) {
            gpri_scores sums = {};
            for (int64_t chunk = 0; chunk < chunks; chunk++)
                for (int part = 0; part < 4; part++) {
                    sums.loss[part] += scores[chunk].loss[part];
                    sums.correct[part] += scores[chunk].correct[part];
                }
            gpri_epoch at = gpri_epoch_of(&sums, &rule);
            if (rule.metric != GPRI_GOAL_LOSS) at.val_metric = record->metric;
            history[now] = at;
            record->judged = now;
            if (now > 0 && gpri_is_best(record, history, now, &rule)) {
                record->best_step = now;
                record->improved = 1;
            }
        }
        __syncwarp();
        int64_t first;
        if (now == 0 || rule.part_count[GPR_VAL] == 0 || !gpri_stop_window(&rule, now, &first)) return;
        const double mean = mean_cost(first, now);
        if (writes) record->stopped = gpri_stop_by(&rule, gpri_cost_of(&history[now], rule.metric), mean);
    }
};

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

struct row_of_gamma {
    float *rows;
    const float *gamma;
    int64_t count;
    const uint32_t *step;
    const gpri_record *record;
    int64_t stride;
    __device__ void run() const {
        const int64_t now = *step;
        if (record->judged != now || now % stride != 0) return; /* after a stop nothing is judged */
        float *row = rows + now / stride * count;
        for (int64_t k = threadIdx.x; k < count; k += THREADS) row[k] = gamma[k];
    }
};

struct next_step {
    gpri_record *record;
    uint32_t *step;
    double lr;
    __device__ void run() const {
        const uint32_t next = *step + 1;
        *step = next;
        record->adam = gpri_adam_of(lr, (double)next + 1);
    }
};

} // namespace

void gpri_cuda_adam(gpri_real *w, gpri_real *m, gpri_real *v, const gpri_real *gradient, const gpri_record *record,
                    gpri_real decay, int64_t count) {
    if (count % 4 == 0 && aligned(w) && aligned(m) && aligned(v) && aligned(gradient)) {
        const adam_steps<float4> op = {(float4 *)w, (float4 *)m, (float4 *)v, (const float4 *)gradient,
                                       record,      decay,       count / 4};
        launch(op, dim3(gpri_cuda_blocks(op.count, THREADS)), THREADS);
    } else {
        const adam_steps<float> op = {w, m, v, gradient, record, decay, count};
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
