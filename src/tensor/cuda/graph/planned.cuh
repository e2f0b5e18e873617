/* One step over all rows by their plan (plan.cuh): a block has a share of the rows and a panel of the columns. The rows
 * that are huge end in a second kernel. */
#ifndef GPRI_CUDA_PLANNED_CUH
#define GPRI_CUDA_PLANNED_CUH

#include "tensor/cuda/graph/tasks.cuh"

/* Body has `Body at(int64_t column) const` too: the same for the panel that begins at that column. */
template <class Body, int LANES> struct planned_rows {
    Body body;
    gpri_row_plan plan;
    gpri_share_room room;
    float4 *huge;  /* scratch: (huge_parts x width / 4) */
    double *dots;  /* with DOTS: (panels x shares, then panels x huge rows), one number each */
    int64_t width;
    enum { THREADS = 256, BLOCKS = 4, WARPS = THREADS / GPRI_CUDA_WARP };

    __device__ void run() const {
        __shared__ double items[Body::DOTS ? GPRI_SHARE_ITEMS : 1];
        const int64_t panel = blockIdx.y, column = panel * LANES * 4;
        const Body own = body.at(column);
        const gpri_row_share share = plan.shares[blockIdx.x];
        const gpri_row_place place = {gpri_stage<Body::GATHERS>(plan, plan.column, share, room, LANES),
                                      huge + panel * LANES, width / 4, (int)(width - column)};
        const int warp = (int)threadIdx.x / GPRI_CUDA_WARP;
        for (int t = warp; t < share.tasks; t += WARPS) {
            double dot = gpri_do_task<LANES>(own, place, place.staged.tasks[t]);
            if (Body::DOTS) dot = gpri_warp_sum(dot);
            if (Body::DOTS && threadIdx.x % GPRI_CUDA_WARP == 0) items[t] = dot;
        }
        if (share.longs) __syncthreads();
        for (int l = warp; l < share.longs; l += WARPS) {
            double dot = gpri_end_long_row<LANES>(own, place, place.staged.longs[l]);
            if (Body::DOTS) dot = gpri_warp_sum(dot);
            if (Body::DOTS && threadIdx.x % GPRI_CUDA_WARP == 0) items[share.tasks + l] = dot;
        }
        if (!Body::DOTS) return;
        __syncthreads();
        if (warp > 0) return;
        const double dot = gpri_sum_share(items, share.tasks, items + share.tasks, share.longs);
        if (threadIdx.x == 0) dots[panel * plan.share_count + blockIdx.x] = dot;
    }
};

/* A block has a huge row and a panel. */
template <class Body, int LANES> struct huge_rows {
    Body body;
    gpri_row_plan plan;
    const float4 *huge;
    double *dots;
    int64_t width;
    enum { THREADS = 256, WARPS = THREADS / GPRI_CUDA_WARP };

    __device__ void run() const {
        __shared__ float4 of_warp[WARPS * LANES];
        const int64_t panel = blockIdx.y;
        const Body own = body.at(panel * LANES * 4);
        const gpri_long_row row = plan.huge[blockIdx.x];
        const int node = plan.rows[row.row].node, thread = (int)threadIdx.x, warp = thread / GPRI_CUDA_WARP;
        const bool inside = panel * LANES + thread % LANES < width / 4;
        float4 sum = four_zeros();
        for (int64_t p = thread / LANES; Body::GATHERS && inside && p < row.parts; p += THREADS / LANES)
            sum = sum + huge[(row.slot + p) * (width / 4) + panel * LANES + thread % LANES];
        sum = gpri_join_group<LANES>(sum, GPRI_CUDA_WARP);
        if (thread % GPRI_CUDA_WARP < LANES) of_warp[warp * LANES + thread % LANES] = sum;
        __syncthreads();
        if (warp > 0) return;
        double dot = 0;
        if (thread < LANES && inside) {
            for (int w = 1; w < WARPS; w++) sum = sum + of_warp[w * LANES + thread];
            dot = own.finish(0, node, 4 * thread, sum, own.read(0, node, 4 * thread));
        }
        if (Body::DOTS) dot = gpri_warp_sum(dot);
        if (Body::DOTS && thread == 0)
            dots[gridDim.y * (int64_t)plan.share_count + panel * plan.huge_count + blockIdx.x] = dot;
    }
};

/* Threads that hold a row of a matrix of so many groups of four columns: panels of 128 bytes at most, so that they stay
   in the L2. Where they would not, rows as wide as can be: the card's memory is the faster the more lies together. */
static inline int gpri_panel_lanes(const gpri_graph_plan *plan, int64_t lanes) {
    if (lanes > 16) return plan->wide ? 32 : 8;
    if (lanes > 8) return lanes == 16 && !plan->wide ? 8 : 16;
    return lanes > 4 ? 8 : lanes > 2 ? 4 : (int)lanes;
}
static inline int64_t gpri_panels(int64_t width, int lanes) { return (width / 4 + lanes - 1) / lanes; }

/* The scratch that the sums of huge rows need. */
static inline size_t gpri_huge_bytes(const gpri_graph_plan *plan, int64_t width) {
    return (size_t)plan->rows.huge_parts * (size_t)width * sizeof(gpri_real);
}
/* Numbers of `dots` that one step writes. */
static inline int64_t gpri_plan_dots(const gpri_graph_plan *plan, int64_t width, int lanes) {
    return gpri_panels(width, lanes) * ((int64_t)plan->rows.share_count + plan->rows.huge_count);
}

template <int LANES, class Body>
void launch_planned_with(const Body &body, const gpri_graph_plan *plan, int64_t width, float4 *huge, double *dots) {
    typedef planned_rows<Body, LANES> kernel;
    typedef huge_rows<Body, LANES> second;
    const unsigned panels = (unsigned)gpri_panels(width, LANES);
    const int64_t bytes = gpri_staged_bytes(plan->room, LANES, Body::GATHERS, plan->rows.weight != NULL);
    launch(kernel{body, plan->rows, plan->room, huge, dots, width}, dim3((unsigned)plan->rows.share_count, panels),
           kernel::THREADS, (unsigned)bytes);
    launch(second{body, plan->rows, huge, dots, width}, dim3((unsigned)plan->rows.huge_count, panels), second::THREADS);
}

/* huge: scratch of gpri_huge_bytes. dots: NULL where the body has none. */
template <class Body>
void launch_planned(const Body &body, const gpri_graph_plan *plan, int64_t width, int lanes, float4 *huge,
                    double *dots) {
    if (lanes == 32) launch_planned_with<32>(body, plan, width, huge, dots);
    else if (lanes == 16) launch_planned_with<16>(body, plan, width, huge, dots);
    else if (lanes == 8) launch_planned_with<8>(body, plan, width, huge, dots);
    else if (lanes == 4) launch_planned_with<4>(body, plan, width, huge, dots);
    else if (lanes == 2) launch_planned_with<2>(body, plan, width, huge, dots);
    else launch_planned_with<1>(body, plan, width, huge, dots);
}

#endif
