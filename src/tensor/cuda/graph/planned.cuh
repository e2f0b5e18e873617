/* One step over all rows by their plan (plan.cuh): a block has a share of the rows and a panel of the columns. The rows
 * that are huge end in a second kernel. */
#ifndef GPRI_CUDA_PLANNED_CUH
#define GPRI_CUDA_PLANNED_CUH

#include "tensor/cuda/graph/tasks.cuh"

/* Body has `Body at(int64_t column) const` too: the same for the panel that begins at that column. */
template <class Body, int LANES> struct planned_rows {
    Body body;
    gpri_row_plan plan;
    float4 *huge;  /* scratch: (huge_parts x width / 4) */
    double *dots;  /* with DOTS: (panels x shares, then panels x huge rows), one number each */
    int64_t lanes; /* width / 4 */
    enum { THREADS = 256, BLOCKS = 3, WARPS = THREADS / GPRI_CUDA_WARP };

    __device__ void run() const {
        __shared__ float4 parts[GPRI_LONG_PARTS * LANES];
        __shared__ double items[Body::DOTS ? GPRI_SHARE_ITEMS : 1];
        const int64_t panel = blockIdx.y;
        const Body own = body.at(panel * LANES * 4);
        const gpri_row_share begin = plan.shares[blockIdx.x], end = plan.shares[blockIdx.x + 1];
        const gpri_row_place place = {plan.rows, plan.column, plan.weight, parts, huge + panel * LANES, lanes};
        const int warp = (int)threadIdx.x / GPRI_CUDA_WARP, tasks = end.task - begin.task;
        const int longs = end.long_row - begin.long_row;
        for (int t = warp; t < tasks; t += WARPS) {
            double dot = gpri_do_task<LANES>(own, place, plan.tasks[begin.task + t], begin.slot);
            if (Body::DOTS) dot = gpri_warp_sum(dot);
            if (Body::DOTS && threadIdx.x % GPRI_CUDA_WARP == 0) items[t] = dot;
        }
        if (longs) __syncthreads();
        for (int l = warp; l < longs; l += WARPS) {
            double dot = gpri_end_long_row<LANES>(own, place, plan.longs[begin.long_row + l], begin.slot);
            if (Body::DOTS) dot = gpri_warp_sum(dot);
            if (Body::DOTS && threadIdx.x % GPRI_CUDA_WARP == 0) items[tasks + l] = dot;
        }
        if (!Body::DOTS) return;
        __syncthreads();
        if (warp > 0) return;
        const double dot = gpri_sum_share(items, tasks, items + tasks, longs);
        if (threadIdx.x == 0) dots[panel * plan.share_count + blockIdx.x] = dot;
    }
};

/* A block has a huge row and a panel. */
template <class Body, int LANES> struct huge_rows {
    Body body;
    gpri_row_plan plan;
    const float4 *huge;
    double *dots;
    int64_t lanes;
    enum { THREADS = 256, WARPS = THREADS / GPRI_CUDA_WARP };

    __device__ void run() const {
        __shared__ float4 of_warp[WARPS * LANES];
        const int64_t panel = blockIdx.y;
        const Body own = body.at(panel * LANES * 4);
        const gpri_long_row row = plan.huge[blockIdx.x];
        const int node = plan.rows[row.row].node, thread = (int)threadIdx.x, warp = thread / GPRI_CUDA_WARP;
        float4 sum = four_zeros();
        for (int64_t p = thread / LANES; Body::GATHERS && p < row.parts; p += THREADS / LANES)
            sum = sum + huge[(row.slot + p) * lanes + panel * LANES + thread % LANES];
        sum = gpri_join_group<LANES>(sum, GPRI_CUDA_WARP);
        if (thread % GPRI_CUDA_WARP < LANES) of_warp[warp * LANES + thread % LANES] = sum;
        __syncthreads();
        if (warp > 0) return;
        double dot = 0;
        if (thread < LANES) {
            for (int w = 1; w < WARPS; w++) sum = sum + of_warp[w * LANES + thread];
            dot = own.finish(node, 4 * thread, sum, own.read(node, 4 * thread));
        }
        if (Body::DOTS) dot = gpri_warp_sum(dot);
        if (Body::DOTS && thread == 0)
            dots[gridDim.y * (int64_t)plan.share_count + panel * plan.huge_count + blockIdx.x] = dot;
    }
};

/* Threads that hold a row of a matrix of so many groups of four columns: 128 bytes at a time at most, so that a panel
   of a wide state stays in the L2. */
static inline int gpri_panel_lanes(int64_t lanes) {
    return lanes % 8 == 0 ? 8 : lanes % 4 == 0 ? 4 : lanes % 2 ? 1 : 2;
}

/* The scratch that the sums of huge rows need. */
static inline size_t gpri_huge_bytes(const gpri_graph_plan *plan, int64_t width) {
    return (size_t)plan->rows.huge_parts * (size_t)width * sizeof(gpri_real);
}
/* Numbers of `dots` that one step writes. */
static inline int64_t gpri_plan_dots(const gpri_graph_plan *plan, int64_t width, int lanes) {
    return width / (4 * lanes) * ((int64_t)plan->rows.share_count + plan->rows.huge_count);
}

template <int LANES, class Body>
void launch_planned_with(const Body &body, const gpri_graph_plan *plan, int64_t width, float4 *huge, double *dots) {
    typedef planned_rows<Body, LANES> kernel;
    typedef huge_rows<Body, LANES> second;
    const unsigned panels = (unsigned)(width / (4 * LANES));
    launch(kernel{body, plan->rows, huge, dots, width / 4}, dim3((unsigned)plan->rows.share_count, panels),
           kernel::THREADS);
    launch(second{body, plan->rows, huge, dots, width / 4}, dim3((unsigned)plan->rows.huge_count, panels),
           second::THREADS);
}

/* huge: scratch of gpri_huge_bytes. dots: NULL where the body has none. */
template <class Body>
void launch_planned(const Body &body, const gpri_graph_plan *plan, int64_t width, int lanes, float4 *huge,
                    double *dots) {
    if (lanes == 8) launch_planned_with<8>(body, plan, width, huge, dots);
    else if (lanes == 4) launch_planned_with<4>(body, plan, width, huge, dots);
    else if (lanes == 2) launch_planned_with<2>(body, plan, width, huge, dots);
    else launch_planned_with<1>(body, plan, width, huge, dots);
}

#endif
