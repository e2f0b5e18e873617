/* The loss: its gradient, and the scores by which an epoch is judged.
 *
 * A few threads share a row; of a large matrix they have several, one after the other. A block sums over its rows, and
 * the last block to finish adds the blocks' sums in their order: the outcome depends on the number of rows and classes
 * alone. */
#include "tensor/cuda/base/last_block.cuh"
#include "tensor/cuda/base/ops.cuh"
#include "tensor/cuda/fuse/fused.cuh"
#include "tensor/cuda/fuse/judging.cuh"

namespace {

enum { THREADS = 256 };

/* Of a row that LANES neighbouring threads share; this one has columns lane, lane + LANES, ... */
struct row_softmax {
    float most, sum;
};

/* The link (task/link.h), in float: the largest score and the sum of exp(score - largest). A NaN makes the sum NaN. */
template <int LANES> __device__ row_softmax softmax_of(const float *row, int classes, int lane) {
    row_softmax s = {-INFINITY, 0};
    for (int c = lane; c < classes; c += LANES)
        if (row[c] > s.most) s.most = row[c];
    for (int step = LANES / 2; step > 0; step /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, s.most, step);
        if (other > s.most) s.most = other;
    }
    for (int c = lane; c < classes; c += LANES) s.sum += expf(row[c] - s.most);
    s.sum = gpri_warp_sum(s.sum, LANES);
    return s;
}

/* All threads of a warp go through the same number of rows, so that they can exchange numbers. */
template <int LANES> struct nll_gradient {
    gpri_matrix z;
    gpri_targets targets;
    int64_t first;
    int times; /* rows of a thread */
    gpri_dot sum;
    enum { ROWS = THREADS / LANES };

    /* One row; its loss. */
    __device__ double one(int64_t i) const {
        const int lane = (int)threadIdx.x % LANES, classes = (int)z.cols;
        const int64_t node = first + i;
        const bool there = i < z.rows;
        const bool learns = there && gpri_learns_from(&targets, node);
        float *row = z.at + i * z.ld;
        const int label = learns ? targets.labels[node] : 0;
        const float score = learns ? row[label] : 0.0f; /* read before the other threads of the row change it */
        const row_softmax s = softmax_of<LANES>(row, learns ? classes : 0, lane);
        double own = 0;
        if (learns) {
            const float weight = gpri_loss_weight(&targets), factor = gpri_loss_factor(&targets, node);
            const double surprise = gpri_surprise(s.most, s.sum, score);
            const float slope = weight * factor * (float)gpri_loss_slope(&targets, surprise);
            if (lane == 0) own = (double)factor * gpri_loss_of(&targets, surprise);
            for (int c = lane; c < (int)z.width; c += LANES)
                row[c] = c < classes ? slope * (expf(row[c] - s.most) / s.sum - (c == label ? 1.0f : 0.0f)) : 0.0f;
        } else if (there) {
            for (int c = lane; c < (int)z.width; c += LANES) row[c] = 0;
        }
        return own;
    }

    __device__ void run() const {
        const int64_t begin = (int64_t)blockIdx.x * ROWS * times + threadIdx.x / LANES;
        double all = 0;
        for (int t = 0; t < times; t++) all += one(begin + t * ROWS);
        sum.add(all);
    }
};

template <int LANES> struct scores_of {
    gpri_scores *scores;
    gpri_matrix z;
    gpri_targets targets;
    int64_t first;
    int times;            /* rows of a thread */
    gpri_scores *partial; /* (blocks) */
    unsigned *counter;
    judge_more more;
    enum { ROWS = THREADS / LANES };

    /* Sums over the block by part: first of the warps, all parts at once; then four threads write them. */
    __device__ static void write(gpri_scores *to, const double *loss, const long long *correct) {
        enum { WARPS = THREADS / GPRI_CUDA_WARP };
        __shared__ double loss_of[WARPS][4];
        __shared__ long long correct_of[WARPS][4];
        const int warp = (int)threadIdx.x / GPRI_CUDA_WARP, part = (int)threadIdx.x;
        double sum[4];
        long long hits[4];
        for (int p = 0; p < 4; p++) {
            sum[p] = gpri_warp_sum(loss[p]);
            hits[p] = gpri_warp_sum(correct[p]);
        }
        __syncthreads(); /* it may have been called before */
        for (int p = 0; p < 4; p++)
            if ((int)threadIdx.x % GPRI_CUDA_WARP == p) {
                loss_of[warp][p] = sum[p];
                correct_of[warp][p] = hits[p];
            }
        __syncthreads();
        if (part >= 4) return;
        for (int w = 1; w < WARPS; w++) {
            loss_of[0][part] += loss_of[w][part];
            correct_of[0][part] += correct_of[w][part];
        }
        to->loss[part] = loss_of[0][part];
        to->correct[part] = correct_of[0][part];
    }

    /* One row: its loss and whether it is right, by part. */
    __device__ void one(int64_t i, double *loss, long long *correct) const {
        const int lane = (int)threadIdx.x % LANES;
        const int64_t node = first + i;
        const bool there = i < z.rows;
        const int part = there ? (int)targets.part[node] : (int)GPR_UNUSED;
        const bool counts = there && gpri_has_loss(&targets, node);
        const float *row = z.at + i * z.ld;
        const int classes = counts ? (int)z.cols : 0;
        const row_softmax s = softmax_of<LANES>(row, classes, lane);
        /* the first of the largest; as in ref, a NaN is never larger, and nothing is larger than a NaN in front */
        int best = classes;
        for (int c = lane; c < classes; c += LANES)
            if (row[c] == s.most) {
                best = c;
                break;
            }
        for (int step = LANES / 2; step > 0; step /= 2) best = min(best, __shfl_xor_sync(0xffffffffu, best, step));
        if (lane > 0 || !counts) return;
        if (best == classes || row[0] != row[0]) best = 0;
        const int label = targets.labels[node];
        const double surprise = gpri_surprise(s.most, s.sum, row[label]);
        const double own = (double)gpri_loss_factor(&targets, node) * gpri_loss_of(&targets, surprise);
        for (int p = 0; p < 4; p++) { /* no index that depends on the row: the arrays stay in registers */
            loss[p] += p == part ? own : 0.0;
            correct[p] += p == part && best == label;
        }
    }

    __device__ void run() const {
        const int64_t begin = (int64_t)blockIdx.x * ROWS * times + threadIdx.x / LANES;
        double loss[4] = {0, 0, 0, 0};
        long long correct[4] = {0, 0, 0, 0};
        for (int t = 0; t < times; t++) one(begin + t * ROWS, loss, correct);
        if (gridDim.x == 1) {
            write(scores, loss, correct);
        } else {
            write(&partial[blockIdx.x], loss, correct);
            if (!gpri_last_block(counter, gridDim.x)) return;
            add_blocks();
        }
        judge();
    }

    __device__ void add_blocks() const {
        double sum[4] = {0, 0, 0, 0};
        long long hits[4] = {0, 0, 0, 0};
        for (unsigned block = threadIdx.x; block < gridDim.x; block += THREADS)
            for (int p = 0; p < 4; p++) {
                sum[p] += __ldcg(&partial[block].loss[p]);
                hits[p] += __ldcg((const long long *)&partial[block].correct[p]);
            }
        write(scores, sum, hits);
    }

    /* By the block that has the sums. */
    __device__ void judge() const {
        if (!more.record) return;
        __syncthreads();
        if (threadIdx.x < GPRI_CUDA_WARP) judge_step{more.record, more.history, scores, 1, more.step, more.rule}.run();
        __syncthreads();
        if (more.gamma_rows)
            row_of_gamma{more.gamma_rows, more.gamma, more.gamma_count, more.step, more.record, more.rule.gamma_stride}
                .run();
    }
};

/* Threads that share a row of that many classes. */
int lanes_for(int64_t classes) { return classes <= 4 ? 4 : classes <= 8 ? 8 : classes <= 16 ? 16 : 32; }

/* The rows of a thread. */
int times_for(int64_t rows) { return rows > 50000 ? 16 : 1; }

template <int LANES> void start_nll(gpri_matrix z, double *loss, const gpri_targets *targets, int64_t first) {
    const int times = times_for(z.rows);
    const unsigned blocks = z.rows > 0 ? gpri_cuda_blocks(z.rows, times * nll_gradient<LANES>::ROWS) : 1;
    launch(nll_gradient<LANES>{z, *targets, first, times, gpri_dot_of(loss, blocks)}, dim3(blocks), THREADS);
}

template <int LANES>
void start_score(gpri_scores *scores, gpri_matrix z, const gpri_targets *targets, int64_t first,
                 const judge_more *more) {
    const int times = times_for(z.rows);
    const unsigned blocks = z.rows > 0 ? gpri_cuda_blocks(z.rows, times * scores_of<LANES>::ROWS) : 1;
    gpri_scores *partial = (gpri_scores *)gpri_cuda_scratch(blocks * sizeof *partial);
    launch(scores_of<LANES>{scores, z, *targets, first, times, partial, gpri_cuda_counters(), *more}, dim3(blocks),
           THREADS);
}

} // namespace

void gpri_cuda_nll_backward(gpri_matrix z, double *loss, const gpri_targets *targets, int64_t first) {
    switch (lanes_for(z.cols)) {
    case 4: start_nll<4>(z, loss, targets, first); break;
    case 8: start_nll<8>(z, loss, targets, first); break;
    case 16: start_nll<16>(z, loss, targets, first); break;
    default: start_nll<32>(z, loss, targets, first);
    }
}

void gpri_cuda_score_and_judge(gpri_scores *scores, gpri_matrix z, const gpri_targets *targets, int64_t first,
                               const judge_more *more) {
    switch (lanes_for(z.cols)) {
    case 4: start_score<4>(scores, z, targets, first, more); break;
    case 8: start_score<8>(scores, z, targets, first, more); break;
    case 16: start_score<16>(scores, z, targets, first, more); break;
    default: start_score<32>(scores, z, targets, first, more);
    }
}

void gpri_cuda_score(gpri_scores *scores, gpri_matrix z, const gpri_targets *targets, int64_t first) {
    const judge_more nothing = {};
    gpri_cuda_score_and_judge(scores, z, targets, first, &nothing);
}
