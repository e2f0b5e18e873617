/* All steps of a filter in one kernel, for a small graph. A cluster of blocks has a panel of columns and all rows;
 * panels do not need each other. A block keeps its rows' part of the plan in shared memory for all steps; states go
 * through the L2, and after each step the blocks of the cluster wait for each other. Without clusters one block may do
 * it alone, if the graph is that small.
 *
 * Forward: to = z. Backward: to = dh, and dtheta. */
#ifndef GPRI_CUDA_WHOLE_CUH
#define GPRI_CUDA_WHOLE_CUH

#include "tensor/cuda/graph/cluster.cuh"
#include "tensor/cuda/graph/hop.cuh"

/* What a block needs room for, at most. */
struct gpri_whole_room {
    int rows, entries, tasks, longs, slots;
};

/* The half of a step that is the same for all steps of a kind. */
struct gpri_whole_step {
    const gpri_real *left, *scale;
    gpri_real a, loop;
};

template <int LANES, bool BACK> struct whole_filter {
    gpri_row_plan plan;
    gpri_matrix to, dz, h;
    gpri_whole_step inner, last;
    const gpri_real *theta;
    gpri_real *dtheta;
    gpri_real *states; /* scratch: (2 x panels x nodes x 4 LANES) */
    double *dots;      /* scratch: (hops + 1 x panels x shares) */
    unsigned *counter;
    gpri_whole_room room;
    int hops;
    enum { THREADS = 512, BLOCKS = 1, WARPS = THREADS / GPRI_CUDA_WARP };

    static int64_t bytes(const gpri_whole_room &room, bool weighted, int64_t hops) {
        const int64_t items = BACK ? (hops + 1) * (room.tasks + room.longs) : 0;
        return 16 * ((int64_t)room.rows + room.tasks + room.longs + (int64_t)room.slots * LANES) + 8 * items +
               4 * (int64_t)room.entries * (weighted ? 2 : 1);
    }

    /* The block's shared memory. */
    struct block {
        gpri_planned_row *rows;
        gpri_row_task *tasks;
        gpri_long_row *longs;
        float4 *parts;
        double *items; /* (hops + 1 x tasks and long rows) dots */
        int32_t *column;
        float *weight;
        gpri_row_share begin, end;
    };

    __device__ __forceinline__ static int first_share(int shares, unsigned block) {
        return (int)((int64_t)shares * block / gridDim.x);
    }

    __device__ __forceinline__ block lay_out() const {
        block b;
        b.rows = (gpri_planned_row *)gpri_dynamic_shared();
        b.tasks = (gpri_row_task *)(b.rows + room.rows);
        b.longs = (gpri_long_row *)(b.tasks + room.tasks);
        b.parts = (float4 *)(b.longs + room.longs);
        b.items = (double *)(b.parts + room.slots * LANES);
        b.column = (int32_t *)(b.items + (BACK ? (hops + 1) * (room.tasks + room.longs) : 0));
        b.weight = plan.weight ? (float *)(b.column + room.entries) : NULL;
        b.begin = plan.shares[first_share(plan.share_count, blockIdx.x)];
        b.end = plan.shares[first_share(plan.share_count, blockIdx.x + 1)];
        return b;
    }

    /* Copies the block's part of the plan; rows and entries are counted from its first on. */
    __device__ __forceinline__ void fill(const block &b) const {
        const int thread = (int)threadIdx.x, rows = b.end.row - b.begin.row;
        if (rows > 0) {
            const gpri_planned_row last_row = plan.rows[b.end.row - 1];
            const int64_t from = plan.rows[b.begin.row].begin, entries = last_row.begin + last_row.count - from;
            for (int i = thread; i < rows; i += THREADS) {
                gpri_planned_row row = plan.rows[b.begin.row + i];
                row.begin -= from;
                b.rows[i] = row;
            }
            for (int i = thread; i < entries; i += THREADS) b.column[i] = plan.column[from + i];
            for (int i = thread; b.weight && i < entries; i += THREADS) b.weight[i] = plan.weight[from + i];
        }
        for (int i = thread; i < b.end.task - b.begin.task; i += THREADS) {
            gpri_row_task task = plan.tasks[b.begin.task + i];
            task.first -= b.begin.row;
            b.tasks[i] = task;
        }
        for (int i = thread; i < b.end.long_row - b.begin.long_row; i += THREADS) {
            gpri_long_row row = plan.longs[b.begin.long_row + i];
            row.row -= b.begin.row;
            b.longs[i] = row;
        }
        __syncthreads();
    }

    /* One step over the block's rows. items: of this step. */
    template <class Body> __device__ __forceinline__ void step(const Body &body, const block &b, double *items) const {
        const gpri_row_place place = {b.rows, b.column, b.weight, b.parts, NULL, 0};
        const int warp = (int)threadIdx.x / GPRI_CUDA_WARP, lane = (int)threadIdx.x % GPRI_CUDA_WARP;
        const int tasks = b.end.task - b.begin.task, longs = b.end.long_row - b.begin.long_row;
        for (int t = warp; t < tasks; t += WARPS) {
            double dot = gpri_do_task<LANES>(body, place, b.tasks[t], b.begin.slot);
            if (BACK) dot = gpri_warp_sum(dot);
            if (BACK && lane == 0) items[t] = dot;
        }
        if (longs) __syncthreads();
        for (int l = warp; l < longs; l += WARPS) {
            double dot = gpri_end_long_row<LANES>(body, place, b.longs[l], b.begin.slot);
            if (BACK) dot = gpri_warp_sum(dot);
            if (BACK && lane == 0) items[room.tasks + l] = dot;
        }
    }

    __device__ __forceinline__ gpri_panel state(int which) const {
        const int64_t panel = (int64_t)which * gridDim.y + blockIdx.y;
        return gpri_panel{states + panel * plan.nodes * 4 * LANES, 4 * LANES};
    }

    __device__ __forceinline__ void begin(const block &b) const {
        gpri_filter_start<BACK> start = {};
        const int64_t column = (int64_t)blockIdx.y * 4 * LANES;
        start.out = state(0);
        start.h = gpri_panel_of(h, column);
        if (BACK) {
            start.sum = gpri_panel_of(to, column);
            start.dz = gpri_panel_of(dz, column);
        }
        start.scale = inner.scale;
        start.theta = theta + (BACK ? 0 : hops);
        step(start, b, b.items);
    }

    /* The s-th step, from 1 on. */
    __device__ __forceinline__ void go_on(const block &b, int s) const {
        const int64_t column = (int64_t)blockIdx.y * 4 * LANES;
        const gpri_whole_step &of = !BACK && s == hops ? last : inner;
        gpri_hop<BACK, true, false> hop = {};
        hop.in = state((s - 1) % 2);
        hop.out = !BACK && s == hops ? gpri_panel_of(to, column) : state(s % 2);
        hop.h = gpri_panel_of(h, column);
        if (BACK) hop.sum = gpri_panel_of(to, column);
        hop.left = of.left;
        hop.scale = of.scale;
        hop.a = of.a;
        hop.loop = of.loop;
        hop.theta = theta + (BACK ? s : hops - s);
        hop.ends = s == hops;
        step(hop, b, b.items + s * (room.tasks + room.longs));
    }

    /* dtheta: the shares of the block, then of all blocks by the one that comes last. */
    __device__ __forceinline__ void add_dots(const block &b) const {
        const int warp = (int)threadIdx.x / GPRI_CUDA_WARP, lane = (int)threadIdx.x % GPRI_CUDA_WARP;
        const int share0 = first_share(plan.share_count, blockIdx.x);
        const int shares = first_share(plan.share_count, blockIdx.x + 1) - share0;
        const int64_t count = (int64_t)gridDim.y * plan.share_count;
        for (int i = warp; i < shares * (hops + 1); i += WARPS) {
            const int k = i / shares, share = share0 + i % shares;
            const gpri_row_share from = plan.shares[share], end = plan.shares[share + 1];
            const double *items = b.items + k * (room.tasks + room.longs);
            const double dot =
                gpri_sum_share(items + (from.task - b.begin.task), end.task - from.task,
                               items + room.tasks + (from.long_row - b.begin.long_row), end.long_row - from.long_row);
            if (lane == 0) dots[k * count + (int64_t)blockIdx.y * plan.share_count + share] = dot;
        }
        __threadfence();
        __syncthreads();
        volatile unsigned *is_last = (unsigned *)gpri_dynamic_shared(); /* the rows are not needed any more */
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
        const block b = lay_out();
        fill(b);
        begin(b);
        for (int s = 1; s <= hops; s++) {
            gpri_cluster_wait();
            go_on(b, s);
        }
        if (!BACK) return;
        __syncthreads();
        add_dots(b);
    }
};

/* The most that one of so many blocks needs. */
static inline gpri_whole_room gpri_whole_room_of(const gpri_graph_plan *plan, unsigned blocks) {
    gpri_whole_room most = {1, 0, 0, 0, 0}; /* a row at least: its place is used for the last sum */
    for (unsigned b = 0; b < blocks; b++) {
        const gpri_row_share *begin = &plan->shares[(int64_t)plan->rows.share_count * b / blocks];
        const gpri_row_share *end = &plan->shares[(int64_t)plan->rows.share_count * (b + 1) / blocks];
        if (end->row == begin->row) continue;
        const gpri_planned_row *last = &plan->begins[end->row - 1];
        const gpri_whole_room of = {end->row - begin->row,
                                    (int)(last->begin + last->count - plan->begins[begin->row].begin),
                                    end->task - begin->task, end->long_row - begin->long_row, end->slot - begin->slot};
        if (of.rows > most.rows) most.rows = of.rows;
        if (of.entries > most.entries) most.entries = of.entries;
        if (of.tasks > most.tasks) most.tasks = of.tasks;
        if (of.longs > most.longs) most.longs = of.longs;
        if (of.slots > most.slots) most.slots = of.slots;
    }
    return most;
}

/* Whether it was launched: the graph is small, and the card can run it. */
template <int LANES, bool BACK>
bool launch_whole(gpri_matrix to, gpri_real *dtheta, gpri_matrix dz, gpri_matrix h, const gpri_filter *filter,
                  const gpri_graph_plan *plan) {
    typedef whole_filter<LANES, BACK> kernel;
    enum { MOST_SHARES = 32, MOST_BYTES = 220 << 10 }; /* of a block */
    if (!plan->small || filter->hops > 1000) return false;
    const int64_t panels = to.width / (4 * LANES), shares = plan->rows.share_count;
    const size_t states = 2 * (size_t)(plan->rows.nodes * to.width) * sizeof(gpri_real);
    const size_t dots = BACK ? (size_t)((filter->hops + 1) * panels * shares) * sizeof(double) : 0;
    const gpri_step *const steps[] = {&filter->inner, &filter->last};
    gpri_whole_step of[2];
    for (int i = 0; i < 2; i++)
        of[i] = gpri_whole_step{steps[i]->m.left, steps[i]->scale, steps[i]->a * steps[i]->m.factor, steps[i]->m.loop};
    for (unsigned blocks = shares >= 24   ? 16
                           : shares >= 12 ? 8
                           : shares >= 6  ? 4
                           : shares >= 3  ? 2
                                          : 1;
         blocks > 0 && shares <= (int64_t)blocks * MOST_SHARES; blocks /= 2) {
        const gpri_whole_room room = gpri_whole_room_of(plan, blocks);
        const int64_t bytes = kernel::bytes(room, plan->rows.weight != NULL, filter->hops);
        if (bytes > MOST_BYTES) return false;
        const dim3 grid(blocks, (unsigned)panels);
        if (!launch_fits<kernel>(grid, kernel::THREADS, (unsigned)bytes, blocks)) continue;
        char *scratch = (char *)gpri_cuda_scratch(states + dots);
        const kernel op = {plan->rows,
                           to,
                           dz,
                           h,
                           of[0],
                           of[1],
                           filter->theta,
                           dtheta,
                           (gpri_real *)scratch,
                           (double *)(scratch + states),
                           BACK ? gpri_cuda_counters() : NULL,
                           room,
                           (int)filter->hops};
        launch(op, grid, kernel::THREADS, (unsigned)bytes, blocks);
        return true;
    }
    return false;
}

#endif
