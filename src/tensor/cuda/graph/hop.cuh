/* One step over the graph, and the ends of a filter, as bodies of tasks (tasks.cuh). Matrices begin at the panel. */
#ifndef GPRI_CUDA_HOP_CUH
#define GPRI_CUDA_HOP_CUH

#include "tensor/cuda/graph/tasks.cuh"

static __host__ __device__ inline gpri_panel gpri_panel_of(gpri_matrix x, int64_t column) {
    return gpri_panel{x.at ? x.at + column : NULL, x.ld};
}
static __host__ __device__ inline gpri_panel gpri_panel_at(gpri_panel x, int64_t column) {
    return gpri_panel{x.at ? x.at + column : NULL, x.ld};
}

/* h.value in double, over the row's diagonal element. */
__device__ __forceinline__ double gpri_four_dot(float4 h, float4 value) {
    return (double)h.x * (double)value.x + (double)h.y * (double)value.y + (double)h.z * (double)value.z +
           (double)h.w * (double)value.w;
}

/* out = a L (A + loop I) in + theta S h; with DOT instead sum += theta out, and the dot <S^-1 h, out>; at the end of a
   filter sum becomes S^-1 sum. FRESH: for one kernel that does all steps: other
   blocks have written `in` in it. GENERAL: all that a gpri_step has,
   out = a L (A + loop I) R in + b in - c before + theta S h. */
template <bool DOT, bool FRESH, bool GENERAL> struct gpri_hop {
    gpri_panel out, in, h, sum, before; /* sum: with DOT; before: with GENERAL */
    const gpri_real *left, *right, *scale, *theta;
    gpri_real a, loop, b, c;
    bool ends;
    enum { GATHERS = 1, DOTS = DOT, FACTORS = GENERAL, STAGED = FRESH };

    struct own {
        float4 in, h, sum;
        float left, scale, theta;
    };

    __device__ __forceinline__ gpri_hop at(int64_t column) const {
        gpri_hop moved = *this;
        moved.out = gpri_panel_at(out, column);
        moved.in = gpri_panel_at(in, column);
        moved.h = gpri_panel_at(h, column);
        moved.sum = gpri_panel_at(sum, column);
        moved.before = gpri_panel_at(before, column);
        return moved;
    }
    __device__ __forceinline__ float4 source(int node, int column) const {
        return FRESH ? __ldcg(in.of(node, column)) : __ldg(in.of(node, column));
    }
    __device__ __forceinline__ float factor(int node) const { return right ? __ldg(&right[node]) : 1; }

    __device__ __forceinline__ own read(int node, int column) const {
        own o = {};
        if (loop != 0 || (GENERAL && b != 0)) o.in = source(node, column);
        if (h.at) o.h = *h.of(node, column);
        if (DOT) o.sum = *sum.of(node, column);
        o.left = left ? a * __ldg(&left[node]) : a;
        o.scale = scale ? __ldg(&scale[node]) : 1;
        o.theta = theta ? __ldcg(theta) : 1;
        return o;
    }

    __device__ __forceinline__ double finish(int node, int column, float4 value, const own &o) const {
        if (loop != 0) add_to(&value, GENERAL && right ? loop * __ldg(&right[node]) : loop, o.in);
        value = o.left * value;
        if (GENERAL && b != 0) add_to(&value, b, o.in);
        if (GENERAL && c != 0) add_to(&value, -c, *before.of(node, column));
        if (!DOT) {
            if (h.at) add_to(&value, o.theta * o.scale, o.h);
            __stcg(out.of(node, column), value);
            return 0;
        }
        float4 total = o.sum;
        add_to(&total, o.theta, value);
        if (ends && scale) total = (1 / o.scale) * total;
        __stcg(out.of(node, column), value);
        __stcg(sum.of(node, column), total);
        const double product = gpri_four_dot(o.h, value);
        return scale ? product / (double)o.scale : product;
    }
};

/* The step's part of it; matrices and theta are set by the caller. */
template <bool DOT, bool FRESH, bool GENERAL> static gpri_hop<DOT, FRESH, GENERAL> gpri_hop_of(const gpri_step *step) {
    gpri_hop<DOT, FRESH, GENERAL> hop = {};
    hop.left = step->m.left;
    hop.right = step->m.right;
    hop.scale = step->scale;
    hop.a = step->a * step->m.factor;
    hop.loop = step->m.loop;
    hop.b = step->b;
    hop.c = step->c;
    return hop;
}

/* How a filter begins: out = theta S h; or, with DOT, out = S dz, sum = theta out, and the dot <h, dz>. */
template <bool DOT> struct gpri_filter_start {
    gpri_panel out, in, h, sum, dz; /* in: not used; sum and dz: with DOT */
    const gpri_real *scale, *theta;
    enum { GATHERS = 0, DOTS = DOT, FACTORS = 0, STAGED = 0 };

    struct own {
        float4 h, dz;
        float scale, theta;
    };

    __device__ __forceinline__ gpri_filter_start at(int64_t column) const {
        gpri_filter_start moved = *this;
        moved.out = gpri_panel_at(out, column);
        moved.h = gpri_panel_at(h, column);
        moved.sum = gpri_panel_at(sum, column);
        moved.dz = gpri_panel_at(dz, column);
        return moved;
    }
    __device__ __forceinline__ float factor(int) const { return 1; }

    __device__ __forceinline__ own read(int node, int column) const {
        own o = {};
        o.h = *h.of(node, column);
        if (DOT) o.dz = *dz.of(node, column);
        o.scale = scale ? __ldg(&scale[node]) : 1;
        o.theta = __ldcg(theta);
        return o;
    }

    __device__ __forceinline__ double finish(int node, int column, float4, const own &o) const {
        if (!DOT) {
            __stcg(out.of(node, column), (o.theta * o.scale) * o.h);
            return 0;
        }
        const float4 scaled = o.scale * o.dz;
        __stcg(out.of(node, column), scaled);
        __stcg(sum.of(node, column), o.theta * scaled);
        return gpri_four_dot(o.h, o.dz);
    }
};

#endif
