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

#ifndef GPRI_CUDA_EMULATED
/* Reads four numbers, or leaves them. As the compiler writes a condition, each read would wait for the one before it.
   FRESH: past the cache of this processor. */
template <bool FRESH> __device__ __forceinline__ void gpri_load_if(float4 *x, const float4 *at, bool wanted) {
    if (FRESH)
        asm volatile(
            "{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %5, 0;\n\t@p ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];\n\t}"
            : "+f"(x->x), "+f"(x->y), "+f"(x->z), "+f"(x->w)
            : "l"(at), "r"((int)wanted));
    else
        asm volatile(
            "{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %5, 0;\n\t@p ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];\n\t}"
            : "+f"(x->x), "+f"(x->y), "+f"(x->z), "+f"(x->w)
            : "l"(at), "r"((int)wanted));
}
#else
template <bool FRESH> inline void gpri_load_if(float4 *x, const float4 *at, bool wanted) {
    if (wanted) *x = *at;
}
#endif

/* h.value in double. */
__device__ __forceinline__ double gpri_four_dot(float4 h, float4 value) {
    return (double)h.x * (double)value.x + (double)h.y * (double)value.y + (double)h.z * (double)value.z +
           (double)h.w * (double)value.w;
}

/* L (A + loop I) in, from the sum over the row's neighbours: the same operations wherever it is made. */
__device__ __forceinline__ float4 gpri_hop_value(float4 sum, float loop, float4 in, float left) {
    if (loop != 0) add_to(&sum, loop, in);
    return left * sum;
}
/* <S^-1 h, value> */
__device__ __forceinline__ double gpri_hop_dot(float4 h, float4 value, float scale) {
    return gpri_four_dot(h, value) * (double)(1 / scale);
}

/* out = a L (A + loop I) in + theta S h; with DOT instead sum += theta out, and the dot <S^-1 h, out>; at the end of a
   filter sum becomes S^-1 sum. GENERAL, and RIGHT if it has an R: all that a gpri_step has,
   out = a L (A + loop I) R in + b in - c before + theta S h. */
template <bool DOT, bool GENERAL, bool RIGHT> struct gpri_hop {
    gpri_panel out, in, h, sum, before; /* sum: with DOT; before: with GENERAL */
    const gpri_real *left, *right, *scale, *theta;
    gpri_real a, loop, b, c;
    bool ends;
    enum { GATHERS = 1, DOTS = DOT, FACTORS = RIGHT };

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
    __device__ __forceinline__ float4 source(int node, int column, bool wanted) const {
        float4 x = four_zeros();
        gpri_load_if<false>(&x, in.of(node, column), wanted);
        return x;
    }
    __device__ __forceinline__ float factor(int node) const { return __ldg(&right[node]); }

    __device__ __forceinline__ own read(int, int node, int column) const {
        own o = {};
        if (loop != 0 || (GENERAL && b != 0)) o.in = __ldg(in.of(node, column));
        if (h.at) o.h = *h.of(node, column);
        if (DOT) o.sum = *sum.of(node, column);
        o.left = left ? a * __ldg(&left[node]) : a;
        o.scale = scale ? __ldg(&scale[node]) : 1;
        o.theta = theta ? __ldcg(theta) : 1;
        return o;
    }

    __device__ __forceinline__ double finish(int, int node, int column, float4 sum_of, const own &o) const {
        float4 value = gpri_hop_value(sum_of, RIGHT ? loop * __ldg(&right[node]) : loop, o.in, o.left);
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
        return scale ? gpri_hop_dot(o.h, value, o.scale) : gpri_four_dot(o.h, value);
    }
};

/* The step's part of it; matrices and theta are set by the caller. */
template <bool DOT, bool GENERAL, bool RIGHT> static gpri_hop<DOT, GENERAL, RIGHT> gpri_hop_of(const gpri_step *step) {
    gpri_hop<DOT, GENERAL, RIGHT> hop = {};
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
    enum { GATHERS = 0, DOTS = DOT, FACTORS = 0 };

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
    __device__ __forceinline__ float4 source(int, int, bool) const { return four_zeros(); }
    __device__ __forceinline__ float factor(int) const { return 1; }

    __device__ __forceinline__ own read(int, int node, int column) const {
        own o = {};
        o.h = *h.of(node, column);
        if (DOT) o.dz = *dz.of(node, column);
        o.scale = scale ? __ldg(&scale[node]) : 1;
        o.theta = __ldcg(theta);
        return o;
    }

    __device__ __forceinline__ double finish(int, int node, int column, float4, const own &o) const {
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
