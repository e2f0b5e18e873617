/* Judging a step on the card: what an epoch came to, the best step, whether to stop; and the row of gamma. */
#ifndef GPRI_CUDA_JUDGING_CUH
#define GPRI_CUDA_JUDGING_CUH

#include "tensor/cuda/base/reduce.cuh"
#include "tensor/cuda/fuse/adam.cuh"

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
            if (!gpri_is_loss(rule.metric)) at.val_metric = record->metric;
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
        for (int64_t k = threadIdx.x; k < count; k += blockDim.x) row[k] = gamma[k];
    }
};

#endif
