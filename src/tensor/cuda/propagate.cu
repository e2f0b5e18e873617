/* Steps over the graph, and the ends of a filter. A step is a sum over the neighbours of each node (gather.cuh). */
#include "tensor/cuda/base/each.cuh"
#include "tensor/cuda/base/gather.cuh"
#include "tensor/cuda/base/ops.cuh"
#include "tensor/cuda/graph/hop.cuh"
#include "tensor/cuda/graph/planned.cuh"

/* The dot of no rows. */
struct no_dot {
    double *dot;
    __device__ void run() const { *dot = 0; }
};

/* ---- one step ---- */

/* out = a M in + b in - c before, then + theta S h; or, with DOT, sum += theta out and the dot <S^-1 h, out>. */
template <bool DOT> struct hop {
    gpri_matrix out, sum, in, before, h; /* sum: with DOT alone */
    const int64_t *rowptr;
    const int32_t *neighbour;
    const float *weight;
    const gpri_real *left, *right, *scale, *theta;
    gpri_real a, loop, b, c; /* a: times the factor of M */
    int64_t first;
    gpri_dot dot;
    enum { SUMS = 1, DOTS = DOT };

    __device__ __forceinline__ entries range(int64_t row) const {
        return entries{__ldg(&rowptr[first + row]), __ldg(&rowptr[first + row + 1])};
    }

    __device__ __forceinline__ gathered<1> entry(int64_t row, int64_t at) const {
        (void)row;
        const int32_t j = __ldg(&neighbour[at]);
        gathered<1> e = {in.at + j * in.ld, {1}};
        if (weight) e.by[0] = __ldg(&weight[at]);
        if (right) e.by[0] *= __ldg(&right[j]);
        return e;
    }

    __device__ __forceinline__ double finish(int64_t row, int column, const float4 *sums) const {
        const int64_t i = first + row;
        float4 value = sums[0];
        const float4 own = loop != 0 || b != 0 ? four(in.at + i * in.ld + column) : four_zeros();
        if (loop != 0) add_to(&value, right ? loop * __ldg(&right[i]) : loop, own);
        value = (left ? a * __ldg(&left[i]) : a) * value;
        if (b != 0) add_to(&value, b, own);
        if (c != 0) add_to(&value, -c, *(const float4 *)element(before, row, column));
        if (!DOT) {
            if (h.at) {
                const gpri_real by = (theta ? *theta : 1) * (scale ? __ldg(&scale[i]) : 1);
                add_to(&value, by, *(const float4 *)element(h, row, column));
            }
            *(float4 *)element(out, row, column) = value;
            return 0;
        }
        float4 *total = (float4 *)element(sum, row, column);
        const float4 x = *(const float4 *)element(h, row, column);
        *(float4 *)element(out, row, column) = value;
        float4 new_total = *total;
        add_to(&new_total, *theta, value);
        *total = new_total;
        const double product = (double)x.x * (double)value.x + (double)x.y * (double)value.y +
                               (double)x.z * (double)value.z + (double)x.w * (double)value.w;
        return scale ? product / (double)__ldg(&scale[i]) : product;
    }
};

template <bool DOT>
static hop<DOT> hop_of(gpri_matrix out, gpri_matrix in, gpri_matrix before, gpri_matrix h, const gpri_step *step,
                       const gpri_real *theta, int64_t first) {
    const gpri_graph *graph = step->m.graph;
    hop<DOT> body = {};
    body.out = out;
    body.in = in;
    body.before = before;
    body.h = h;
    body.rowptr = graph->rowptr;
    body.neighbour = graph->column;
    body.weight = graph->weight;
    body.left = step->m.left;
    body.right = step->m.right;
    body.scale = step->scale;
    body.theta = theta;
    body.a = step->a * step->m.factor;
    body.loop = step->m.loop;
    body.b = step->b;
    body.c = step->c;
    body.first = first;
    return body;
}

static int64_t mean_degree(const gpri_graph *graph) { return 1 + graph->arcs / (graph->nodes > 0 ? graph->nodes : 1); }

/* By the plan of the graph's rows. */
template <bool RIGHT>
static void propagate_planned(gpri_matrix out, gpri_matrix in, gpri_matrix before, gpri_matrix h, const gpri_step *step,
                              const gpri_real *theta, const gpri_graph_plan *plan) {
    gpri_hop<false, true, RIGHT> hop = gpri_hop_of<false, true, RIGHT>(step);
    hop.out = gpri_panel_of(out, 0), hop.in = gpri_panel_of(in, 0);
    hop.before = gpri_panel_of(before, 0), hop.h = gpri_panel_of(h, 0);
    hop.theta = theta;
    float4 *huge = (float4 *)gpri_cuda_scratch(gpri_huge_bytes(plan, out.width));
    launch_planned(hop, plan, out.width, gpri_panel_lanes(plan, out.width / 4), huge, NULL);
}

void gpri_cuda_propagate(gpri_matrix out, gpri_matrix in, gpri_matrix before, gpri_matrix h, const gpri_step *step,
                         const gpri_real *theta, int64_t first) {
    const gpri_graph_plan *plan = gpri_plan_of(step->m.graph);
    if (plan && out.rows == step->m.graph->nodes)
        return step->m.right ? propagate_planned<true>(out, in, before, h, step, theta, plan)
                             : propagate_planned<false>(out, in, before, h, step, theta, plan);
    launch_gather(hop_of<false>(out, in, before, h, step, theta, first), out.rows, out.width,
                  mean_degree(step->m.graph));
}

void gpri_cuda_propagate_dot(gpri_matrix out, gpri_matrix sum, double *dot, gpri_matrix in, gpri_matrix before,
                             gpri_matrix h, const gpri_step *step, const gpri_real *theta, int64_t first) {
    if (out.rows == 0) return launch(no_dot{dot}, dim3(1), 1);
    hop<true> body = hop_of<true>(out, in, before, h, step, theta, first);
    body.sum = sum;
    body.dot = gpri_dot_of(dot, gpri_gather_blocks(out.rows, out.width));
    launch_gather(body, out.rows, out.width, mean_degree(step->m.graph));
}

/* ---- the ends of a filter ---- */

template <int V> struct filter_begin {
    gpri_matrix out, h;
    const gpri_real *scale, *theta;
    int64_t first;
    __device__ void at(int64_t row, int64_t column) const {
        const gpri_real now = theta ? *theta : 1, by = scale ? now * __ldg(&scale[first + row]) : now;
        pack<V> e = load<V>(element(h, row, column));
        for (int k = 0; k < V; k++) e.v[k] *= by;
        store(element(out, row, column), e);
    }
};

void gpri_cuda_filter_begin(gpri_matrix out, gpri_matrix h, const gpri_real *scale, const gpri_real *theta,
                            int64_t first) {
    if (gpri_by_four(out) && gpri_by_four(h))
        launch_each<4>(filter_begin<4>{out, h, scale, theta, first}, out.rows, out.width);
    else launch_each<1>(filter_begin<1>{out, h, scale, theta, first}, out.rows, out.width);
}

template <int V> struct filter_end {
    gpri_matrix y;
    const gpri_real *scale;
    int64_t first;
    __device__ void at(int64_t row, int64_t column) const {
        const gpri_real by = 1 / __ldg(&scale[first + row]);
        gpri_real *to = element(y, row, column);
        pack<V> e = load<V>(to);
        for (int k = 0; k < V; k++) e.v[k] *= by;
        store(to, e);
    }
};

void gpri_cuda_filter_end(gpri_matrix y, const gpri_real *scale, int64_t first) {
    if (!scale) return;
    if (gpri_by_four(y)) launch_each<4>(filter_end<4>{y, scale, first}, y.rows, y.width);
    else launch_each<1>(filter_end<1>{y, scale, first}, y.rows, y.width);
}

/* A block has THREADS * EACH elements. */
struct filter_begin_dot {
    gpri_matrix out, sum, dz, h;
    const gpri_real *scale, *theta;
    int64_t first, count;
    gpri_dot dot;
    enum { THREADS = 256, EACH = 4 };

    __device__ void run() const {
        double all = 0;
        for (int k = 0; k < EACH; k++) {
            const int64_t place = ((int64_t)blockIdx.x * EACH + k) * THREADS + threadIdx.x;
            if (place >= count) break;
            int64_t row, column;
            divide(place, out.width, &row, &column);
            const gpri_real value = *element(dz, row, column);
            const gpri_real scaled = scale ? __ldg(&scale[first + row]) * value : value;
            *element(out, row, column) = scaled;
            *element(sum, row, column) = *theta * scaled;
            all += (double)*element(h, row, column) * (double)value;
        }
        dot.add(all);
    }
};

void gpri_cuda_filter_begin_dot(gpri_matrix out, gpri_matrix sum, double *dot, gpri_matrix dz, gpri_matrix h,
                                const gpri_real *scale, const gpri_real *theta, int64_t first) {
    if (out.rows == 0) return launch(no_dot{dot}, dim3(1), 1);
    filter_begin_dot op = {out, sum, dz, h, scale, theta, first, out.rows * out.width, {}};
    const unsigned blocks = gpri_cuda_blocks(op.count, op.THREADS * op.EACH);
    op.dot = gpri_dot_of(dot, blocks);
    launch(op, dim3(blocks), op.THREADS);
}
