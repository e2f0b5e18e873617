/* Adam for all weights of a net in one kernel. Gradients that are still in parts are added here. What is drawn for the
 * next step needs no weights, and is done beside it. */
#include "tensor/cuda/base/last_block.cuh"
#include "tensor/cuda/fuse/adam.cuh"
#include "tensor/cuda/fuse/gradient.cuh"

struct update_weights {
    update_all all;
    unsigned *counter;
    enum { THREADS = 256 };

    /* The threads that share four numbers. */
    static __host__ __device__ int shares_of(const update_job &job) {
        return job.from.kind == GRADIENT_PLAIN ? 1 : (int)PART_SHARES;
    }

    __device__ __forceinline__ void step(const update_job &job, int64_t i, pack<4> gradient, bool to_memory) const {
        const gpri_adam a = all.record->adam;
        pack<4> w = load<4>(job.w + i), m = load<4>(job.m + i), v = load<4>(job.v + i);
        for (int k = 0; k < 4; k++) adam_step(w.v[k], m.v[k], v.v[k], gradient.v[k], a, job.decay, job.shrink);
        store(job.w + i, w);
        store(job.m + i, m);
        store(job.v + i, v);
        if (to_memory) store(job.gradient + i, gradient);
    }

    /* All threads of a warp come here: eight of them add the parts of four numbers. */
    __device__ __forceinline__ void run_job(const update_job &job, int64_t thread) const {
        const gradient_source &from = job.from;
        const int64_t i = thread / shares_of(job) * 4;
        const bool inside = i < job.count;
        if (from.kind == GRADIENT_PLAIN) {
            if (inside) step(job, i, load<4>(job.gradient + i), false);
            return;
        }
        part_sum<4> sum;
        bool whole = false;
        if (from.kind == GRADIENT_PARTS) {
            sum = add_parts(from.parts + i, from.stride, from.count, inside);
        } else {
            int64_t column, c;
            divide(inside ? i : 0, from.width, &column, &c);
            const column_pieces in = pieces_of(from, column);
            sum = add_pieces(from, in, c, inside);
            whole = in.whole;
        }
        if (!inside || threadIdx.x % PART_SHARES != 0) return;
        pack<4> gradient = {{sum.v[0], sum.v[1], sum.v[2], sum.v[3]}};
        if (whole) gradient = load<4>(job.gradient + i);
        step(job, i, gradient, !whole);
    }

    /* The step is still that before. */
    __device__ __forceinline__ void draw_bits() const {
        const int64_t g = all.g0 + (int64_t)(blockIdx.x - all.bits_block) * THREADS + threadIdx.x;
        if (g >= all.g1) return;
        const gpri_purpose purpose = all.mask.purpose ? all.mask.purpose : GPRI_RANDOM_DROPOUT;
        uint64_t words[2];
        gpri_keep_group(words, g, gpri_random_of(all.mask.seed, purpose, *all.step + 1, all.mask.layer), all.mask.rate);
        all.bits[2 * (g - all.g0)] = words[0];
        all.bits[2 * (g - all.g0) + 1] = words[1];
    }

    __device__ void run_weights() const {
        int j = all.jobs - 1;
        while (j > 0 && blockIdx.x < all.job[j].first_block) j--;
        run_job(all.job[j], (int64_t)(blockIdx.x - all.job[j].first_block) * THREADS + threadIdx.x);
    }

    __device__ void run() const {
        if (all.bits && blockIdx.x >= all.bits_block) draw_bits();
        else run_weights();
        if (!all.step || !gpri_last_block(counter, gridDim.x) || threadIdx.x != 0) return;
        go_to_next_step(all.record, all.step, all.lr);
    }
};

void gpri_cuda_update(update_all *all) {
    unsigned blocks = 0;
    for (int j = 0; j < all->jobs; j++) {
        update_job *job = &all->job[j];
        job->first_block = blocks;
        blocks += gpri_cuda_blocks(job->count / 4 * update_weights::shares_of(*job), update_weights::THREADS);
    }
    all->bits_block = blocks;
    if (all->bits) blocks += gpri_cuda_blocks(all->g1 - all->g0, update_weights::THREADS);
    const update_weights op = {*all, gpri_cuda_counters()};
    launch(op, dim3(blocks), op.THREADS);
}
