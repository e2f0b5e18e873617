/* All steps of a filter in one kernel, for a small graph. A cluster of blocks has a panel of four columns and all rows;
 * panels do not need each other. A block keeps its rows' part of the plan and the whole state of its panel in shared
 * memory: it gathers there, and copies the rows that it has made into the memory of all blocks of the cluster. Then
 * they wait for each other. Without clusters one block may do it alone, if the graph is that small.
 *
 * Forward: to = z. Backward: to = dh, and dtheta; the rows of all steps are kept, and added up at the end. */
#ifndef GPRI_CUDA_WHOLE_CUH
#define GPRI_CUDA_WHOLE_CUH

#include "tensor/cuda/graph/hop.cuh"

/* The half of a step that is the same for all steps of a kind. */
struct gpri_whole_step {
    const gpri_real *left, *scale;
    gpri_real a, loop;
};

/* What does not change from step to step, of a row of the block. */
struct alignas(16) gpri_whole_factors {
    float left, scale, last_left, last_scale;
};

/* A row of four columns: out = a L (A + loop I) in + theta S h, in shared memory; the last one goes to z. States have
   the order of the plan's rows, so that those of a block lie together. */
template <bool BACK> struct whole_hop {
    const float4 *in, *own_in; /* own: of the block's rows, as all others */
    float4 *own_out;
    gpri_panel z; /* at NULL: it is not the last step of a forward pass */
    const float4 *h;
    const gpri_whole_factors *factors;
    float4 *kept; /* with BACK: where the row stays */
    float theta, loop;
    enum { GATHERS = 1, DOTS = 0, FACTORS = 0 };

    struct own {};
    __device__ __forceinline__ own read(int, int, int) const { return own{}; }
    __device__ __forceinline__ float factor(int) const { return 1; }
    __device__ __forceinline__ float4 source(int place, int, bool wanted) const {
        const float4 x = in[wanted ? place : 0];
        return wanted ? x : four_zeros();
    }

    __device__ __forceinline__ double finish(int row, int node, int, float4 sum, own) const {
        const gpri_whole_factors f = factors[row];
        float4 value = gpri_hop_value(sum, loop, own_in[row], z.at ? f.last_left : f.left);
        if (!BACK) add_to(&value, theta * (z.at ? f.last_scale : f.scale), h[row]);
        if (z.at) __stcg(z.of(node, 0), value);
        else own_out[row] = value;
        if (BACK) kept[row] = value;
        return 0;
    }
};

template <bool BACK> struct whole_filter {
    gpri_row_plan plan;
    gpri_matrix to, dz, h;
    gpri_whole_step inner, last;
    const gpri_real *theta;
    gpri_real *dtheta;
    double *dots; /* scratch: (hops + 1 x panels x shares) */
    unsigned *counter;
    gpri_share_room room;
    int hops;
    enum { THREADS = 512, BLOCKS = 1, WARPS = THREADS / GPRI_CUDA_WARP };

    static int64_t bytes(const gpri_share_room &room, int64_t nodes, bool weighted, int64_t hops) {
        const int64_t rows = room.rows > 0 ? room.rows : 1;
        return gpri_staged_bytes(room, 1, true, weighted) + 16 * 2 * nodes + (16 + sizeof(gpri_whole_factors)) * rows +
               16 * ((hops + 4) / 4) + (BACK ? 16 * (hops + 1) * rows + 8 * (hops + 1) * (room.tasks + room.longs) : 0);
    }

    /* The block's shared memory. */
    struct block {
        gpri_row_share of;
        gpri_staged staged;
        float4 *state; /* (2 x nodes) */
        float4 *h;     /* (rows) */
        gpri_whole_factors *factors;
        float *theta;  /* (hops + 1) */
        float4 *kept;  /* (hops + 1 x rows) */
        double *items; /* (hops + 1 x tasks and long rows) dots */
    };

    __device__ __forceinline__ static int first_share(int shares, unsigned block) {
        return (int)((int64_t)shares * block / gridDim.x);
    }

    __device__ __forceinline__ block begin() const {
        block b;
        b.of = gpri_join_shares(plan.shares, first_share(plan.share_count, blockIdx.x),
                                first_share(plan.share_count, blockIdx.x + 1));
        b.staged = gpri_stage<true>(plan, plan.places, b.of, room, 1);
        b.state = (float4 *)b.staged.end;
        b.h = b.state + 2 * plan.nodes;
        b.factors = (gpri_whole_factors *)(b.h + room.rows);
        b.kept = (float4 *)(b.factors + room.rows);
        b.items = (double *)(b.kept + (BACK ? (hops + 1) * room.rows : 0));
        b.theta = (float *)(b.items + (BACK ? (hops + 1) * (room.tasks + room.longs) : 0));
        return b;
    }

    /* The state before the first step, theta S h or S dz, and what the steps need of the block's rows. */
    __device__ __forceinline__ void fill(const block &b) const {
        const int64_t column = (int64_t)blockIdx.y * 4;
        for (int k = (int)threadIdx.x; k <= hops; k += THREADS) b.theta[k] = __ldcg(&theta[k]);
        for (int i = (int)threadIdx.x; i < b.of.rows; i += THREADS) {
            const int node = b.staged.rows[i].node;
            const float left = inner.left ? __ldg(&inner.left[node]) : 1,
                        scale = inner.scale ? __ldg(&inner.scale[node]) : 1;
            const float last_left = last.left ? __ldg(&last.left[node]) : 1;
            const float last_scale = last.scale ? __ldg(&last.scale[node]) : 1;
            const float4 own = *gpri_panel_of(h, column).of(node, 0);
            const float4 from = BACK ? *gpri_panel_of(dz, column).of(node, 0) : own;
            b.factors[i] = gpri_whole_factors{inner.left ? inner.a * left : inner.a, scale,
                                              last.left ? last.a * last_left : last.a, last_scale};
            b.h[i] = own;
            if (BACK) b.kept[i] = from;
            const float by = BACK ? scale : __ldcg(&theta[hops]) * scale;
            b.state[b.of.row + i] = by * from;
        }
        give(b, 0);
    }

    /* A copy of the block's rows of a state for all others of the cluster; a warp has one of them at a time. */
    __device__ __forceinline__ void give(const block &b, int which) const {
        float4 *own = b.state + which * plan.nodes + b.of.row;
        __syncthreads();
        for (unsigned w = threadIdx.x / GPRI_CUDA_WARP + 1; w < gridDim.x; w += WARPS) {
            const unsigned to_block = (blockIdx.x + w) % gridDim.x; /* not all begin with the same one */
            for (int i = (int)threadIdx.x % GPRI_CUDA_WARP; i < b.of.rows; i += GPRI_CUDA_WARP)
                gpri_cluster_put(&own[i], own[i], to_block);
        }
        gpri_cluster_wait();
    }

    /* The s-th step, from 1 on. */
    __device__ __forceinline__ void step(const block &b, int s) const {
        const int warp = (int)threadIdx.x / GPRI_CUDA_WARP;
        const bool ends = s == hops;
        whole_hop<BACK> hop = {};
        hop.in = b.state + (s - 1) % 2 * plan.nodes;
        hop.own_in = hop.in + b.of.row;
        hop.own_out = b.state + s % 2 * plan.nodes + b.of.row;
        if (!BACK && ends) hop.z = gpri_panel_of(to, (int64_t)blockIdx.y * 4);
        hop.h = b.h;
        hop.factors = b.factors;
        hop.kept = BACK ? b.kept + s * room.rows : NULL;
        hop.theta = BACK ? 0 : b.theta[hops - s];
        hop.loop = !BACK && ends ? last.loop : inner.loop;
        const gpri_row_place place = {b.staged, NULL, 0, 4};
        for (int t = warp; t < b.of.tasks; t += WARPS) gpri_do_task<1>(hop, place, b.staged.tasks[t]);
        if (b.of.longs > 0) __syncthreads();
        for (int l = warp; l < b.of.longs; l += WARPS) gpri_end_long_row<1>(hop, place, b.staged.longs[l]);
        if (!ends) give(b, s % 2);
    }

    /* dh = S^-1 sum of theta_k row_k */
    __device__ __forceinline__ void add_rows(const block &b) const {
        for (int i = (int)threadIdx.x; i < b.of.rows; i += THREADS) {
            const float scale = b.factors[i].scale;
            float4 sum = b.theta[0] * (scale * b.kept[i]);
            for (int s = 1; s <= hops; s++) add_to(&sum, b.theta[s], b.kept[s * room.rows + i]);
            if (inner.scale) sum = (1 / scale) * sum;
            __stcg(gpri_panel_of(to, (int64_t)blockIdx.y * 4).of(b.staged.rows[i].node, 0), sum);
        }
    }

    __device__ __forceinline__ double dot_of(const block &b, int k, int row) const {
        const float4 value = b.kept[k * room.rows + row];
        return k > 0 && inner.scale ? gpri_hop_dot(b.h[row], value, b.factors[row].scale)
                                    : gpri_four_dot(b.h[row], value);
    }

    /* The dots of tasks and long rows, in the order that steps one by one have. */
    __device__ __forceinline__ void make_dots(const block &b) const {
        const int warp = (int)threadIdx.x / GPRI_CUDA_WARP, lane = (int)threadIdx.x % GPRI_CUDA_WARP;
        const int both = b.of.tasks + b.of.longs, apart = room.tasks + room.longs;
        for (int i = warp; i < (hops + 1) * both; i += WARPS) {
            const int k = i / both, t = i % both;
            double dot = 0;
            if (t < b.of.tasks) {
                const gpri_row_task task = b.staged.tasks[t];
                const int group = 2 * task.slots;
                if (task.slot < 0 && lane % group == 0 && lane / group < task.rows)
                    dot = dot_of(b, k, task.first + lane / group);
            } else if (lane == 0) dot = dot_of(b, k, b.staged.longs[t - b.of.tasks].row);
            dot = gpri_warp_sum(dot);
            if (lane == 0) b.items[k * apart + (t < b.of.tasks ? t : room.tasks + t - b.of.tasks)] = dot;
        }
    }

    /* dtheta: the shares of the block, then of all blocks by the one that comes last. */
    __device__ __forceinline__ void add_dots(const block &b) const {
        const int warp = (int)threadIdx.x / GPRI_CUDA_WARP, lane = (int)threadIdx.x % GPRI_CUDA_WARP;
        const int share0 = first_share(plan.share_count, blockIdx.x);
        const int shares = first_share(plan.share_count, blockIdx.x + 1) - share0;
        const int64_t count = (int64_t)gridDim.y * plan.share_count;
        for (int i = warp; i < shares * (hops + 1); i += WARPS) {
            const int k = i / shares, share = share0 + i % shares;
            const gpri_row_share of = plan.shares[share];
            const double *items = b.items + k * (room.tasks + room.longs);
            const double dot = gpri_sum_share(items + (of.task - b.of.task), of.tasks,
                                              items + room.tasks + (of.long_row - b.of.long_row), of.longs);
            if (lane == 0) dots[k * count + (int64_t)blockIdx.y * plan.share_count + share] = dot;
        }
        __threadfence();
        __syncthreads();
        volatile unsigned *is_last = (unsigned *)b.state; /* the states are not needed any more */
        if (threadIdx.x == 0) {
            const unsigned blocks = gridDim.x * gridDim.y;
            *is_last = atomicAdd(counter, 1u) == blocks - 1;
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
        gpri_cluster_wait(); /* all blocks are there */
        fill(b);
        for (int s = 1; s <= hops; s++) step(b, s);
        if (!BACK) return;
        __syncthreads();
        add_rows(b);
        make_dots(b);
        __syncthreads();
        add_dots(b);
    }
};

/* The most that one of so many blocks needs. */
static inline gpri_share_room gpri_whole_room(const gpri_graph_plan *plan, unsigned blocks) {
    gpri_share_room most = {};
    for (unsigned b = 0; b < blocks; b++) {
        const int64_t shares = plan->rows.share_count;
        const gpri_row_share of =
            gpri_join_shares(plan->shares, (int)(shares * b / blocks), (int)(shares * (b + 1) / blocks));
        if (of.entries > most.entries) most.entries = of.entries;
        if (of.rows > most.rows) most.rows = of.rows;
        if (of.tasks > most.tasks) most.tasks = of.tasks;
        if (of.slots > most.slots) most.slots = of.slots;
        if (of.longs > most.longs) most.longs = of.longs;
    }
    return most;
}

/* Whether it was launched: the graph is small, and the card can run it. */
template <bool BACK>
bool launch_whole(gpri_matrix to, gpri_real *dtheta, gpri_matrix dz, gpri_matrix h, const gpri_filter *filter,
                  const gpri_graph_plan *plan) {
    typedef whole_filter<BACK> kernel;
    enum { MOST_BYTES = 226 << 10, MOST_SHARES = 32 }; /* of a block */
    if (!plan->small || filter->hops > 1000) return false;
    const int64_t panels = to.width / 4, shares = plan->rows.share_count;
    const gpri_step *const steps[] = {&filter->inner, &filter->last};
    gpri_whole_step of[2];
    for (int i = 0; i < 2; i++)
        of[i] = gpri_whole_step{steps[i]->m.left, steps[i]->scale, steps[i]->a * steps[i]->m.factor, steps[i]->m.loop};
    for (unsigned blocks = shares >= 16  ? 16
                           : shares >= 8 ? 8
                           : shares >= 4 ? 4
                           : shares >= 2 ? 2
                                         : 1;
         blocks > 0 && shares <= (int64_t)blocks * MOST_SHARES; blocks /= 2) {
        const gpri_share_room room = gpri_whole_room(plan, blocks);
        const int64_t bytes = kernel::bytes(room, plan->rows.nodes, plan->rows.weight != NULL, filter->hops);
        if (bytes > MOST_BYTES) return false;
        const dim3 grid(blocks, (unsigned)panels);
        if (!launch_fits<kernel>(grid, kernel::THREADS, (unsigned)bytes, blocks)) continue;
        const size_t dots = BACK ? (size_t)((filter->hops + 1) * panels * shares) * sizeof(double) : 0;
        const kernel op = {plan->rows,
                           to,
                           dz,
                           h,
                           of[0],
                           of[1],
                           filter->theta,
                           dtheta,
                           BACK ? (double *)gpri_cuda_scratch(dots) : NULL,
                           BACK ? gpri_cuda_counters() : NULL,
                           room,
                           (int)filter->hops};
        launch(op, grid, kernel::THREADS, (unsigned)bytes, blocks);
        return true;
    }
    return false;
}

#endif
