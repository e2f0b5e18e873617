/* All steps of a filter in one kernel, for a small graph. A cluster of blocks has a panel of four columns and all rows;
 * panels do not need each other. A warp does the same few tasks in every step, so each thread keeps the places of its
 * entries in registers; states go through the L2, in the order of the plan's rows. After each step the blocks of the
 * cluster wait for each other. Without clusters one block may do it alone, if the graph is that small.
 *
 * Forward: to = z. Backward: to = dh, and dtheta, whose sums have an order of their own. */
#ifndef GPRI_CUDA_WHOLE_CUH
#define GPRI_CUDA_WHOLE_CUH

#include "tensor/cuda/graph/hop.cuh"

/* The half of a step that is the same for all steps of a kind. */
struct gpri_whole_step {
    const gpri_real *left, *scale;
    gpri_real a, loop;
};

/* A row of the block, in its shared memory. */
struct alignas(16) gpri_whole_row {
    float4 h, before, sum; /* before: its state; sum: of theta times the states, backward */
    float left, scale, last_left, last_scale;
};

/* TASKS: of a warp, at most. */
template <bool BACK, bool WEIGHTED, int TASKS> struct whole_filter {
    gpri_row_plan plan;
    gpri_matrix to, dz, h;
    gpri_whole_step inner, last;
    const gpri_real *theta;
    gpri_real *dtheta;
    float4 *states; /* scratch: (2 x panels x nodes) */
    double *dots;   /* scratch: (hops + 1 x panels x blocks) */
    unsigned *counter;
    gpri_share_room room;
    int hops;
    enum {
        THREADS = 512,
        BLOCKS = 1,
        WARPS = THREADS / GPRI_CUDA_WARP,
        ENTRIES = GPRI_SLOT_ENTRIES / 2, /* of a thread: two of them have a slot */
        AT_ONCE = TASKS > 3 ? 2 : TASKS  /* tasks whose entries are read at the same time */
    };

    static int64_t bytes(const gpri_share_room &room, bool weighted, int64_t hops) {
        return gpri_staged_bytes(room, 1, true, weighted) + (int64_t)sizeof(gpri_whole_row) * (room.rows + 1) +
               16 * ((hops + 4) / 4) + (BACK ? 8 * (hops + 1) * (int64_t)room.rows : 0);
    }

    /* The block's shared memory. */
    struct block {
        gpri_row_share of;
        gpri_staged staged;
        gpri_whole_row *rows;
        double *dots; /* (hops + 1 x rows) */
        float *theta; /* (hops + 1) */
    };

    /* What a thread does in a task. */
    struct work {
        int place[ENTRIES]; /* -1: none */
        float by[WEIGHTED ? ENTRIES : 1];
        int row;   /* whose sum this thread gets; -1: another one does, or nobody */
        int slot;  /* of a long row: where the sum of its part goes instead */
        int group; /* threads that share the row */
    };

    __device__ __forceinline__ static int first_share(int shares, unsigned block) {
        return (int)((int64_t)shares * block / gridDim.x);
    }
    __device__ __forceinline__ float4 *state(int which) const {
        return states + ((int64_t)which * gridDim.y + blockIdx.y) * plan.nodes;
    }

    __device__ __forceinline__ block begin() const {
        block b;
        b.of = gpri_join_shares(plan.shares, first_share(plan.share_count, blockIdx.x),
                                first_share(plan.share_count, blockIdx.x + 1));
        b.staged = gpri_stage<true>(plan, plan.places, b.of, room, 1);
        b.rows = (gpri_whole_row *)b.staged.end;
        b.dots = (double *)(b.rows + room.rows + 1);
        b.theta = (float *)(b.dots + (BACK ? (hops + 1) * room.rows : 0));
        return b;
    }

    /* The rows before the first step: theta S h, or S dz. */
    __device__ __forceinline__ void fill(const block &b) const {
        const int64_t column = (int64_t)blockIdx.y * 4;
        for (int k = (int)threadIdx.x; k <= hops; k += THREADS) b.theta[k] = __ldcg(&theta[k]);
        for (int i = (int)threadIdx.x; i < b.of.rows; i += THREADS) {
            const int node = b.staged.rows[i].node;
            gpri_whole_row row = {};
            row.left = inner.left ? inner.a * __ldg(&inner.left[node]) : inner.a;
            row.scale = inner.scale ? __ldg(&inner.scale[node]) : 1;
            row.last_left = last.left ? last.a * __ldg(&last.left[node]) : last.a;
            row.last_scale = last.scale ? __ldg(&last.scale[node]) : 1;
            row.h = *gpri_panel_of(h, column).of(node, 0);
            const float4 from = BACK ? *gpri_panel_of(dz, column).of(node, 0) : row.h;
            const float first = __ldcg(&theta[BACK ? 0 : hops]);
            row.before = (BACK ? row.scale : first * row.scale) * from;
            if (BACK) row.sum = first * row.before;
            if (BACK) b.dots[i] = gpri_four_dot(row.h, from);
            b.rows[i] = row;
            __stcg(&state(0)[b.of.row + i], row.before);
        }
    }

    __device__ __forceinline__ work work_of(const block &b, int t) const {
        const int lane = (int)threadIdx.x % GPRI_CUDA_WARP;
        work w;
        w.row = w.slot = -1, w.group = 1;
#pragma unroll
        for (int k = 0; k < ENTRIES; k++) w.place[k] = -1;
        if (t >= b.of.tasks) return w;
        const gpri_row_task task = b.staged.tasks[t];
        w.group = 2 * task.slots;
        const int r = lane / w.group, sub = lane % w.group;
        if (r >= task.rows) return w;
        const gpri_planned_row row = b.staged.rows[task.first + r];
        const int from = task.slot < 0 ? 0 : task.part * GPRI_PART_ENTRIES;
        const int end = task.slot < 0 ? row.count : min(row.count, from + (int)GPRI_PART_ENTRIES);
#pragma unroll
        for (int k = 0; k < ENTRIES; k++) {
            const int at = from + sub + k * w.group;
            if (at < end) w.place[k] = b.staged.column[row.begin + at];
            if (WEIGHTED) w.by[k] = at < end ? b.staged.weight[row.begin + at] : 0;
        }
        if (sub > 0) return w;
        w.row = task.first + r;
        w.slot = task.slot;
        return w;
    }

    /* The s-th step, from 1 on, of a row. */
    __device__ __forceinline__ void finish(const block &b, int i, float4 sum, int s) const {
        gpri_whole_row *row = &b.rows[i];
        const bool is_last = !BACK && s == hops;
        float4 value =
            gpri_hop_value(sum, is_last ? last.loop : inner.loop, row->before, is_last ? row->last_left : row->left);
        if (!BACK) add_to(&value, b.theta[hops - s] * (is_last ? row->last_scale : row->scale), row->h);
        if (s < hops) __stcg(&state(s % 2)[b.of.row + i], value);
        const gpri_panel out = gpri_panel_of(to, (int64_t)blockIdx.y * 4);
        if (is_last) __stcg(out.of(b.staged.rows[i].node, 0), value);
        row->before = value;
        if (!BACK) return;
        float4 total = row->sum;
        add_to(&total, b.theta[s], value);
        row->sum = total;
        if (s == hops) __stcg(out.of(b.staged.rows[i].node, 0), inner.scale ? (1 / row->scale) * total : total);
        b.dots[s * room.rows + i] =
            inner.scale ? gpri_hop_dot(row->h, value, row->scale) : gpri_four_dot(row->h, value);
    }

    __device__ __forceinline__ void step(const block &b, const work *tasks, int s) const {
        const float4 *in = state((s - 1) % 2);
#pragma unroll
        for (int first = 0; first < TASKS; first += AT_ONCE) {
            float4 x[AT_ONCE][ENTRIES];
#pragma unroll
            for (int m = 0; m < AT_ONCE; m++)
#pragma unroll
                for (int k = 0; k < ENTRIES; k++) {
                    const int place = tasks[first + m].place[k];
                    x[m][k] = four_zeros();
                    gpri_load_if<true>(&x[m][k], &in[place], place >= 0);
                }
#pragma unroll
            for (int m = 0; m < AT_ONCE; m++) {
                const work &w = tasks[first + m];
                float4 sum = four_zeros();
#pragma unroll
                for (int k = 0; k < ENTRIES; k++) {
                    if (WEIGHTED) add_to(&sum, w.by[k], x[m][k]);
                    else sum = sum + x[m][k];
                }
                sum = gpri_join_group<1>(sum, w.group);
                if (w.slot >= 0) b.staged.parts[w.slot] = sum;
                else if (w.row >= 0) finish(b, w.row, sum, s);
            }
        }
        if (b.of.longs == 0) return;
        __syncthreads();
        const int warp = (int)threadIdx.x / GPRI_CUDA_WARP, lane = (int)threadIdx.x % GPRI_CUDA_WARP;
        for (int l = warp; l < b.of.longs; l += WARPS) {
            const gpri_long_row row = b.staged.longs[l];
            float4 sum = lane < row.parts ? b.staged.parts[row.slot + lane] : four_zeros();
            sum = gpri_join_group<1>(sum, GPRI_CUDA_WARP);
            if (lane == 0) finish(b, row.row, sum, s);
        }
    }

    /* dtheta: the rows of the block, then of all blocks by the one that comes last. */
    __device__ __forceinline__ void add_dots(const block &b) const {
        const int warp = (int)threadIdx.x / GPRI_CUDA_WARP, lane = (int)threadIdx.x % GPRI_CUDA_WARP;
        const int64_t count = (int64_t)gridDim.x * gridDim.y;
        for (int k = warp; k <= hops; k += WARPS) {
            double sum = 0;
            for (int i = lane; i < b.of.rows; i += GPRI_CUDA_WARP) sum += b.dots[k * room.rows + i];
            sum = gpri_warp_sum(sum);
            if (lane == 0) dots[k * count + (int64_t)blockIdx.y * gridDim.x + blockIdx.x] = sum;
        }
        __threadfence();
        __syncthreads();
        volatile unsigned *is_last = (unsigned *)b.staged.rows; /* they are not needed any more */
        if (threadIdx.x == 0) {
            *is_last = atomicAdd(counter, 1u) == (unsigned)count - 1;
            if (*is_last) *counter = 0;
            __threadfence();
        }
        __syncthreads();
        if (!*is_last) return;
        for (int k = warp; k <= hops; k += WARPS) {
            const double sum = gpri_sum_numbers(dots + k * count, count);
            if (lane == 0) dtheta[k] = (gpri_real)sum;
        }
    }

    __device__ void run() const {
        const block b = begin();
        work tasks[TASKS];
        fill(b);
#pragma unroll
        for (int m = 0; m < TASKS; m++) tasks[m] = work_of(b, (int)threadIdx.x / GPRI_CUDA_WARP + m * WARPS);
        for (int s = 1; s <= hops; s++) {
            gpri_cluster_wait();
            step(b, tasks, s);
        }
        if (!BACK) return;
        __syncthreads();
        add_dots(b);
    }
};

/* The most that one of so many blocks needs. */
static inline gpri_share_room gpri_whole_room(const gpri_graph_plan *plan, unsigned blocks) {
    const int64_t shares = plan->rows.share_count;
    gpri_share_room most = {};
    for (unsigned b = 0; b < blocks; b++)
        gpri_make_room(&most,
                       gpri_join_shares(plan->shares, (int)(shares * b / blocks), (int)(shares * (b + 1) / blocks)));
    return most;
}

/* A filter that one kernel may do. */
struct gpri_whole_call {
    gpri_matrix to, dz, h;
    gpri_real *dtheta;
    const gpri_filter *filter;
    const gpri_graph_plan *plan;
    gpri_share_room room;
    unsigned blocks;
};

/* Whether it was launched: the card can run it. */
template <bool BACK, bool WEIGHTED, int TASKS> bool launch_whole_with(const gpri_whole_call &call) {
    typedef whole_filter<BACK, WEIGHTED, TASKS> kernel;
    enum { MOST_BYTES = 226 << 10 };
    const gpri_filter *filter = call.filter;
    const int64_t panels = call.to.width / 4, bytes = kernel::bytes(call.room, WEIGHTED, filter->hops);
    const dim3 grid(call.blocks, (unsigned)panels);
    if (bytes > MOST_BYTES || !launch_fits<kernel>(grid, kernel::THREADS, (unsigned)bytes, call.blocks)) return false;
    const size_t states = 2 * (size_t)(panels * call.plan->rows.nodes) * sizeof(float4);
    const size_t dots = BACK ? (size_t)((filter->hops + 1) * panels * call.blocks) * sizeof(double) : 0;
    const gpri_step *const steps[] = {&filter->inner, &filter->last};
    char *scratch = (char *)gpri_cuda_scratch(states + dots);
    kernel op = {};
    op.plan = call.plan->rows;
    op.to = call.to, op.dz = call.dz, op.h = call.h;
    for (int i = 0; i < 2; i++)
        (i ? op.last : op.inner) =
            gpri_whole_step{steps[i]->m.left, steps[i]->scale, steps[i]->a * steps[i]->m.factor, steps[i]->m.loop};
    op.theta = filter->theta, op.dtheta = call.dtheta;
    op.states = (float4 *)scratch, op.dots = (double *)(scratch + states);
    op.counter = BACK ? gpri_cuda_counters() : NULL;
    op.room = call.room;
    op.hops = (int)filter->hops;
    launch(op, grid, kernel::THREADS, (unsigned)bytes, call.blocks);
    return true;
}

template <bool BACK, bool WEIGHTED> bool launch_whole_by_tasks(const gpri_whole_call &call) {
    const int warps = whole_filter<BACK, WEIGHTED, 1>::WARPS, tasks = (call.room.tasks + warps - 1) / warps;
    return tasks <= 1   ? launch_whole_with<BACK, WEIGHTED, 1>(call)
           : tasks <= 3 ? launch_whole_with<BACK, WEIGHTED, 3>(call)
           : tasks <= 6 ? launch_whole_with<BACK, WEIGHTED, 6>(call)
                        : false;
}

/* Whether it was launched: the graph is small, and the card can run it. */
template <bool BACK>
bool launch_whole(gpri_matrix to, gpri_real *dtheta, gpri_matrix dz, gpri_matrix h, const gpri_filter *filter,
                  const gpri_graph_plan *plan) {
    const int64_t shares = plan->rows.share_count;
    if (!plan->small || filter->hops > 1000) return false;
    for (unsigned blocks = shares >= 16  ? 16
                           : shares >= 8 ? 8
                           : shares >= 4 ? 4
                           : shares >= 2 ? 2
                                         : 1;
         blocks > 0; blocks /= 2) {
        const gpri_whole_call call = {to, dz, h, dtheta, filter, plan, gpri_whole_room(plan, blocks), blocks};
        if (plan->rows.weight ? launch_whole_by_tasks<BACK, true>(call) : launch_whole_by_tasks<BACK, false>(call))
            return true;
    }
    return false;
}

#endif
