/* All steps of a filter (layer/gpr.c): in one kernel for a small graph (whole.cuh), else step by step. Both ways give
 * the same rows, bit by bit; their sums over all rows, dtheta, have orders of their own. */
#include "tensor/cuda/base/ops.cuh"
#include "tensor/cuda/graph/planned.cuh"
#include "tensor/cuda/graph/whole.cuh"

/* ---- without a plan ---- */

static void forward_by_steps(gpri_matrix z, gpri_matrix h, gpri_matrix back, const gpri_filter *filter) {
    const gpri_matrix buffers[2] = {z, back};
    gpri_matrix in = gpri_no_matrix;
    for (int64_t k = filter->hops; k >= 0; k--) {
        const gpri_step *step = k == 0 ? &filter->last : &filter->inner;
        const gpri_matrix out = buffers[k % 2];
        if (k == filter->hops) gpri_cuda_filter_begin(out, h, step->scale, &filter->theta[k], 0);
        else gpri_cuda_propagate(out, in, gpri_no_matrix, h, step, &filter->theta[k], 0);
        in = out;
    }
}

static void backward_by_steps(gpri_matrix dh, gpri_real *dtheta, gpri_matrix dz, gpri_matrix h, gpri_matrix front,
                              gpri_matrix back, const gpri_filter *filter) {
    const gpri_matrix buffers[2] = {front, back};
    const gpri_step *step = &filter->inner;
    const int64_t blocks = gpri_gather_blocks(dz.rows, dz.width) + dz.rows * dz.width; /* of either kernel, at most */
    double *dot = (double *)gpri_cuda_scratch((size_t)(blocks + 1) * sizeof(double)) + blocks;
    gpri_matrix in = dz;
    for (int64_t k = 0; k <= filter->hops; k++) {
        const gpri_matrix out = buffers[k % 2];
        if (k == 0) gpri_cuda_filter_begin_dot(out, dh, dot, in, h, step->scale, &filter->theta[k], 0);
        else gpri_cuda_propagate_dot(out, dh, dot, in, gpri_no_matrix, h, step, &filter->theta[k], 0);
        gpri_cuda_sum_dots(&dtheta[k], dot, 1);
        in = out;
    }
    gpri_cuda_filter_end(dh, step->scale, 0);
}

/* ---- by a plan, step by step ---- */

/* dtheta_k = the sum of row k of dots. */
struct filter_dots {
    gpri_real *dtheta;
    const double *dots;
    int64_t count; /* of a row */
    __device__ void run() const {
        const double *row = dots + blockIdx.x * count;
        double sum = 0;
        if (blockDim.x == GPRI_CUDA_WARP) sum = gpri_sum_numbers(row, count);
        else {
            for (int64_t i = threadIdx.x; i < count; i += blockDim.x) sum += row[i];
            sum = gpri_block_sum(sum);
        }
        if (threadIdx.x == 0) dtheta[blockIdx.x] = (gpri_real)sum;
    }
};

static void forward_planned(gpri_matrix z, gpri_matrix h, gpri_matrix back, const gpri_filter *filter,
                            const gpri_graph_plan *plan, int lanes) {
    const gpri_matrix buffers[2] = {z, back};
    float4 *huge = (float4 *)gpri_cuda_scratch(gpri_huge_bytes(plan, z.width));
    gpri_matrix in = gpri_no_matrix;
    for (int64_t k = filter->hops; k >= 0; k--) {
        const gpri_step *step = k == 0 ? &filter->last : &filter->inner;
        const gpri_matrix out = buffers[k % 2];
        if (k == filter->hops) gpri_cuda_filter_begin(out, h, step->scale, &filter->theta[k], 0);
        else {
            gpri_hop<false, false, false> hop = gpri_hop_of<false, false, false>(step);
            hop.theta = &filter->theta[k];
            hop.in = gpri_panel_of(in, 0), hop.out = gpri_panel_of(out, 0), hop.h = gpri_panel_of(h, 0);
            launch_planned(hop, plan, z.width, lanes, huge, NULL);
        }
        in = out;
    }
}

static void backward_planned(gpri_matrix dh, gpri_real *dtheta, gpri_matrix dz, gpri_matrix h, gpri_matrix front,
                             gpri_matrix back, const gpri_filter *filter, const gpri_graph_plan *plan, int lanes) {
    const gpri_matrix buffers[2] = {front, back};
    const gpri_step *step = &filter->inner;
    const int64_t count = gpri_plan_dots(plan, dz.width, lanes), hops = filter->hops;
    const size_t of_huge = gpri_huge_bytes(plan, dz.width);
    char *scratch = (char *)gpri_cuda_scratch(of_huge + (size_t)(count * (hops + 1)) * sizeof(double));
    float4 *huge = (float4 *)scratch;
    double *dots = (double *)(scratch + of_huge);
    for (int64_t k = 0; k <= hops; k++) {
        const gpri_matrix out = buffers[k % 2];
        if (k == 0) {
            gpri_filter_start<true> start = {};
            start.out = gpri_panel_of(out, 0), start.h = gpri_panel_of(h, 0), start.sum = gpri_panel_of(dh, 0);
            start.dz = gpri_panel_of(dz, 0);
            start.scale = step->scale;
            start.theta = filter->theta;
            launch_planned(start, plan, dz.width, lanes, huge, dots);
        } else {
            gpri_hop<true, false, false> hop = gpri_hop_of<true, false, false>(step);
            hop.theta = &filter->theta[k];
            hop.in = gpri_panel_of(buffers[(k - 1) % 2], 0), hop.out = gpri_panel_of(out, 0);
            hop.h = gpri_panel_of(h, 0), hop.sum = gpri_panel_of(dh, 0);
            hop.ends = k == hops;
            launch_planned(hop, plan, dz.width, lanes, huge, dots + k * count);
        }
    }
    launch(filter_dots{dtheta, dots, count}, dim3((unsigned)hops + 1), plan->small ? GPRI_CUDA_WARP : 512);
}

/* ---- the operations ---- */

/* What planned steps can do: all that a filter has so far. Else they are done one by one. */
static const gpri_graph_plan *plan_for(const gpri_filter *filter, gpri_matrix x) {
    const gpri_step *const steps[] = {&filter->inner, &filter->last};
    for (int i = 0; i < 2; i++)
        if (steps[i]->m.right || steps[i]->b != 0 || steps[i]->c != 0) return NULL;
    const gpri_graph *graph = filter->inner.m.graph;
    return filter->hops > 0 && x.rows == graph->nodes && x.rows > 0 ? gpri_plan_of(graph) : NULL;
}

/* A small graph's rows have the panels that one kernel for all steps has, whether or not there is such a kernel. */
static int lanes_for(const gpri_graph_plan *plan, int64_t width) {
    return plan->small ? 1 : gpri_panel_lanes(plan, width / 4);
}

void gpri_cuda_filter_forward(gpri_matrix z, gpri_matrix h, gpri_matrix back, const gpri_filter *filter) {
    const gpri_graph_plan *plan = plan_for(filter, z);
    if (!plan) return forward_by_steps(z, h, back, filter);
    const int lanes = lanes_for(plan, z.width);
    if (!launch_whole<false>(z, NULL, gpri_no_matrix, h, filter, plan))
        forward_planned(z, h, back, filter, plan, lanes);
}

void gpri_cuda_filter_backward(gpri_matrix dh, gpri_real *dtheta, gpri_matrix dz, gpri_matrix h, gpri_matrix front,
                               gpri_matrix back, const gpri_filter *filter) {
    const gpri_graph_plan *plan = plan_for(filter, dz);
    if (!plan) return backward_by_steps(dh, dtheta, dz, h, front, back, filter);
    const int lanes = lanes_for(plan, dz.width);
    if (!launch_whole<true>(dh, dtheta, dz, h, filter, plan))
        backward_planned(dh, dtheta, dz, h, front, back, filter, plan, lanes);
}
