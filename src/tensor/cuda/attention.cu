/* Attention over the neighbours of a node and itself. A thread has one column of a node, and with it the coefficients
 * of its head; a warp has 32 columns. Of a node with more than LONG neighbours all warps of a block have a share, after
 * the others. If the graph has a plan, rows that are longer still are cut into pieces, one for each warp, which are
 * joined afterwards. The number of threads that share the sums of a node depends on its neighbours alone. */
#include "tensor/cuda/base/each.cuh"
#include "tensor/cuda/base/ops.cuh"
#include "tensor/cuda/base/reduce.cuh"
#include "tensor/cuda/features.cuh"
#include "tensor/cuda/graph/plan.cuh"

enum { THREADS = 256, WARPS = THREADS / GPRI_CUDA_WARP, LONG = 64 };

/* What both passes have in common: gpri_attention with the arrays of its graph. */
struct attention {
    const int64_t *rowptr;
    const int32_t *neighbour;
    int64_t heads, out, width;
    gpri_real slope, scale;
    const gpri_real *source;
    gpri_real *target;
    const uint64_t *keep;
    const int32_t *reverse;

    __device__ __forceinline__ gpri_real leaky(gpri_real e) const { return e > 0 ? e : slope * e; }
    /* The k-th that node i attends to: its neighbours, then itself. */
    __device__ __forceinline__ int64_t attended(int64_t i, int64_t begin, int64_t end, int64_t k) const {
        return begin + k < end ? __ldg(&neighbour[begin + k]) : i;
    }
    __device__ __forceinline__ int64_t head_of(int64_t column) const {
        const int64_t head = (int64_t)((uint32_t)column / (uint32_t)out);
        return head < heads ? head : heads - 1; /* padding: anything, it becomes 0 */
    }
};

static attention attention_of(const gpri_attention *a) {
    return attention{a->graph->rowptr, a->graph->column, a->heads,  a->out,  a->width,  a->slope,
                     a->scale,         a->source,        a->target, a->keep, a->reverse};
}

/* Runs a kernel's rows: short ones by a warp each, long ones by the block. Body::row(row, share, shares) does a
   warp's share of one. */
template <class Body> struct by_rows {
    Body body;
    int64_t rows, most; /* a row of more entries is left to others */

    __device__ void run() const {
        const int warp = (int)threadIdx.x / GPRI_CUDA_WARP;
        const int64_t row0 = (int64_t)blockIdx.x * WARPS, row = row0 + warp;
        const int64_t count = row < rows ? body.count(row) : 0;
        const bool is_long = count > LONG && count <= most;
        if (row < rows && count <= LONG) body.row(row, 0, 1);
        if (__syncthreads_or(is_long))
            for (int r = 0; r < WARPS && row0 + r < rows; r++) {
                const int64_t others = body.count(row0 + r);
                if (others > LONG && others <= most) body.row(row0 + r, warp, WARPS);
            }
    }
};

/* A warp has a piece of a row: Body::piece leaves Body::KEPT numbers per column. */
template <class Body> struct by_pieces {
    Body body;
    gpri_row_plan plan;
    gpri_real *kept; /* (pieces x KEPT x width) */

    __device__ void run() const {
        const int64_t p = (int64_t)blockIdx.x * WARPS + threadIdx.x / GPRI_CUDA_WARP;
        if (p >= plan.piece_count) return;
        const gpri_row_piece piece = plan.pieces[p];
        const int64_t from = (int64_t)piece.piece * GPRI_PIECE_ENTRIES, n = body.count(piece.node);
        body.piece(piece.node, from, from + GPRI_PIECE_ENTRIES < n ? from + GPRI_PIECE_ENTRIES : n,
                   kept + p * Body::KEPT * body.a.width);
    }
};

/* A block has a row whose pieces are there. */
template <class Body> struct by_pieced_rows {
    Body body;
    gpri_row_plan plan;
    const gpri_real *kept;

    __device__ void run() const {
        const gpri_long_row row = plan.pieced[blockIdx.x];
        body.join(row.row, kept + (int64_t)row.slot * Body::KEPT * body.a.width, row.parts);
    }
};

template <class Body> static size_t kept_bytes(const Body &body, const gpri_graph_plan *plan) {
    return plan ? (size_t)plan->rows.piece_count * Body::KEPT * (size_t)body.a.width * sizeof(gpri_real) : 0;
}

/* kept: scratch of kept_bytes. plan: NULL, or that of a graph all of whose rows are wanted. */
template <class Body>
static void launch_rows(const Body &body, int64_t rows, const gpri_graph_plan *plan, gpri_real *kept) {
    const unsigned columns = gpri_cuda_blocks(body.a.width, GPRI_CUDA_WARP);
    if (plan) { /* the longest work first */
        launch(by_pieces<Body>{body, plan->rows, kept}, dim3(gpri_cuda_blocks(plan->rows.piece_count, WARPS), columns),
               THREADS);
        launch(by_pieced_rows<Body>{body, plan->rows, kept}, dim3((unsigned)plan->rows.pieced_count, columns), THREADS);
    }
    launch(by_rows<Body>{body, rows, plan ? GPRI_PART_ENTRIES + 1 : INT64_MAX},
           dim3(gpri_cuda_blocks(rows, WARPS), columns), THREADS);
}

static const gpri_graph_plan *plan_for(const gpri_attention *a, int64_t rows) {
    const gpri_graph_plan *plan = gpri_plan_of(a->graph);
    return plan && rows == a->graph->nodes && plan->rows.piece_count > 0 ? plan : NULL;
}

/* The sums of all warps, in their order; all threads of the block must call it. The first warp gets them. */
template <int COUNT> __device__ __forceinline__ void join_warps(gpri_real *sums) {
    __shared__ gpri_real of_warp[COUNT][WARPS][GPRI_CUDA_WARP];
    const int warp = (int)threadIdx.x / GPRI_CUDA_WARP, lane = (int)threadIdx.x % GPRI_CUDA_WARP;
    __syncthreads();
    for (int s = 0; s < COUNT; s++) of_warp[s][warp][lane] = sums[s];
    __syncthreads();
    for (int k = 1; warp == 0 && k < WARPS; k++)
        for (int s = 0; s < COUNT; s++) sums[s] += of_warp[s][k][lane];
}

__device__ __forceinline__ gpri_real largest_of_warps(gpri_real most) {
    __shared__ gpri_real of_warp[WARPS][GPRI_CUDA_WARP];
    const int warp = (int)threadIdx.x / GPRI_CUDA_WARP, lane = (int)threadIdx.x % GPRI_CUDA_WARP;
    __syncthreads();
    of_warp[warp][lane] = most;
    __syncthreads();
    for (int k = 0; k < WARPS; k++) most = of_warp[k][lane] > most ? of_warp[k][lane] : most;
    return most;
}

/* ---- forward ---- */

template <bool BEND> struct attention_forward {
    attention a;
    gpri_matrix y, bend, x; /* bend: with BEND alone */
    int64_t first;

    __device__ __forceinline__ int64_t count(int64_t row) const {
        return __ldg(&a.rowptr[first + row + 1]) - __ldg(&a.rowptr[first + row]) + 1;
    }

    enum { KEPT = 5 };

    /* Of a thread: a column of node i. */
    struct place {
        int64_t i, begin, end, column, h;
        bool inside;
        gpri_real own, *target;
    };

    __device__ __forceinline__ place place_of(int64_t i) const {
        place p;
        p.i = i;
        p.begin = __ldg(&a.rowptr[i]);
        p.end = __ldg(&a.rowptr[i + 1]);
        p.column = (int64_t)blockIdx.y * GPRI_CUDA_WARP + threadIdx.x % GPRI_CUDA_WARP;
        p.h = a.head_of(p.column);
        p.inside = p.column < a.heads * a.out;
        p.target = a.target + i * 4 * a.heads + p.h;
        p.own = p.target[0];
        return p;
    }

    /* The largest source of every apart-th of [k, end) that the node attends to; at least `most`. */
    __device__ __forceinline__ gpri_real largest(const place &p, int64_t k, int64_t end, int apart,
                                                 gpri_real most) const {
#pragma unroll 4
        for (; k < end; k += apart) {
            const gpri_real source = __ldg(&a.source[a.attended(p.i, p.begin, p.end, k) * a.heads + p.h]);
            most = source > most ? source : most;
        }
        return most;
    }

    /* sums: of exp, of those with e > 0; y, and its share of those with e > 0. */
    __device__ __forceinline__ void add(gpri_real *sums, const place &p, int64_t k, int64_t end, int apart,
                                        gpri_real most) const {
#pragma unroll 4
        for (; k < end; k += apart) {
            const int64_t j = a.attended(p.i, p.begin, p.end, k);
            const gpri_real e = __ldg(&a.source[j * a.heads + p.h]) + p.own, weight = expf(a.leaky(e) - most);
            /* read in any case: then the reads of several entries are on their way together */
            const gpri_real value = weight * __ldg(&x.at[j * x.ld + (p.inside ? p.column : 0)]);
            const bool kept = p.inside && gpri_cuda_kept(a.keep, (p.begin + p.i + k) * a.heads + p.h);
            sums[0] += weight;
            if (e > 0) sums[1] += weight;
            if (kept) sums[2] += value;
            if (kept && e > 0) sums[3] += value;
        }
    }

    __device__ __forceinline__ void finish(int64_t row, const place &p, const gpri_real *sums, gpri_real most) const {
        if (p.column >= a.width) return;
        const gpri_real by = a.scale / sums[0], value = p.inside ? sums[2] * by : 0;
        *element(y, row, p.column) = value;
        if (!BEND) return;
        *element(bend, row, p.column) = p.inside ? sums[3] * by - sums[1] / sums[0] * value : 0;
        if (!p.inside || p.column != p.h * a.out) return;
        p.target[a.heads] = most;
        p.target[2 * a.heads] = 1 / sums[0];
    }

    /* Every shares-th of those that the node attends to, from `share` on. */
    __device__ void row(int64_t row, int share, int shares) const {
        const place p = place_of(first + row);
        const int64_t n = p.end - p.begin + 1;
        gpri_real sums[4] = {0, 0, 0, 0};
        gpri_real most = largest(p, share, n, shares, __ldg(&a.source[p.i * a.heads + p.h]));
        if (shares > 1) most = largest_of_warps(most);
        most = a.leaky(most + p.own); /* leaky is monotonic */
        add(sums, p, share, n, shares, most);
        if (shares > 1) join_warps<4>(sums);
        if (share == 0) finish(row, p, sums, most);
    }

    /* A piece has its own largest e: kept with the sums. */
    __device__ void piece(int64_t i, int64_t from, int64_t end, gpri_real *kept) const {
        const place p = place_of(i);
        gpri_real sums[4] = {0, 0, 0, 0};
        gpri_real most = __ldg(&a.source[a.attended(i, p.begin, p.end, from) * a.heads + p.h]);
        most = a.leaky(largest(p, from, end, 1, most) + p.own);
        add(sums, p, from, end, 1, most);
        if (p.column >= a.width) return;
        for (int s = 0; s < 4; s++) kept[s * a.width + p.column] = sums[s];
        kept[4 * a.width + p.column] = most;
    }

    __device__ void join(int64_t i, const gpri_real *kept, int pieces) const {
        const place p = place_of(i);
        const int warp = (int)threadIdx.x / GPRI_CUDA_WARP;
        const gpri_real *own = kept + (p.column < a.width ? p.column : 0);
        gpri_real sums[4] = {0, 0, 0, 0}, most = own[4 * a.width];
        for (int k = warp; k < pieces; k += WARPS) {
            const gpri_real other = own[((int64_t)k * KEPT + 4) * a.width];
            most = other > most ? other : most;
        }
        most = largest_of_warps(most);
        for (int k = warp; k < pieces; k += WARPS) {
            const gpri_real *of = own + (int64_t)k * KEPT * a.width, by = expf(of[4 * a.width] - most);
            for (int s = 0; s < 4; s++) sums[s] = fmaf(by, of[s * a.width], sums[s]);
        }
        join_warps<4>(sums);
        if (warp == 0) finish(i, p, sums, most);
    }
};

template <bool BEND>
static void forward(gpri_matrix y, gpri_matrix bend, gpri_matrix x, const gpri_attention *a, int64_t first) {
    const attention_forward<BEND> body = {attention_of(a), y, bend, x, first};
    const gpri_graph_plan *plan = plan_for(a, y.rows);
    launch_rows(body, y.rows, plan, (gpri_real *)gpri_cuda_scratch(kept_bytes(body, plan)));
}

void gpri_cuda_attention_forward(gpri_matrix y, gpri_matrix bend, gpri_matrix x, const gpri_attention *a,
                                 int64_t first) {
    if (bend.at) forward<true>(y, bend, x, a, first);
    else forward<false>(y, bend, x, a, first);
}

/* ---- backward ---- */

/* dx of a column, and its share of dsource: x times the sum of what has passed the slopes. */
struct attention_backward {
    attention a;
    gpri_matrix dx, dy, x, shares_of; /* (rows x width) scratch, to be added over the columns of each head */
    int64_t first;

    __device__ __forceinline__ int64_t count(int64_t row) const {
        return __ldg(&a.rowptr[first + row + 1]) - __ldg(&a.rowptr[first + row]) + 1;
    }

    enum { KEPT = 3 };

    /* sums: dx, the same times the slopes, what the mean takes away; of every apart-th of [k, to) that attend to j. */
    __device__ __forceinline__ void add(gpri_real *sums, int64_t j, int64_t column, int64_t k, int64_t to,
                                        int apart) const {
        const int64_t begin = __ldg(&a.rowptr[j]), end = __ldg(&a.rowptr[j + 1]), n = end - begin + 1;
        const int64_t h = a.head_of(column);
        const bool inside = column < a.heads * a.out;
        const gpri_real own = __ldg(&a.source[j * a.heads + h]);
#pragma unroll 2
        for (; k < to; k += apart) {
            const int64_t i = a.attended(j, begin, end, k); /* node i attends to j; last j itself */
            const gpri_real *target = a.target + i * 4 * a.heads + h;
            const gpri_real e = own + __ldg(target), slope = e > 0 ? 1 : a.slope;
            const gpri_real part = expf(a.leaky(e) - __ldg(target + a.heads)) * __ldg(target + 2 * a.heads);
            bool kept = true;
            if (a.keep) {
                const int64_t place = k == n - 1 ? end + j : __ldg(&a.rowptr[i]) + i + __ldg(&a.reverse[begin + k]);
                kept = gpri_cuda_kept(a.keep, place * a.heads + h);
            }
            sums[2] = fmaf(slope * part, __ldg(target + 3 * a.heads), sums[2]);
            const gpri_real value = part * a.scale * __ldg(&dy.at[i * dy.ld + (inside ? column : 0)]);
            if (!inside || !kept) continue;
            sums[0] += value;
            sums[1] = fmaf(slope, value, sums[1]);
        }
    }

    __device__ __forceinline__ void finish(int64_t row, int64_t column, const gpri_real *sums) const {
        const bool inside = column < a.heads * a.out;
        if (column >= a.width) return;
        *element(dx, row, column) = inside ? sums[0] : 0;
        if (!inside) return;
        const gpri_real value = *element(x, row, column) * sums[1];
        *element(shares_of, row, column) = column == a.head_of(column) * a.out ? value - sums[2] : value;
    }

    __device__ __forceinline__ static int64_t own_column() {
        return (int64_t)blockIdx.y * GPRI_CUDA_WARP + threadIdx.x % GPRI_CUDA_WARP;
    }

    __device__ void row(int64_t row, int share, int shares) const {
        gpri_real sums[3] = {0, 0, 0};
        add(sums, first + row, own_column(), share, count(row), shares);
        if (shares > 1) join_warps<3>(sums);
        if (share == 0) finish(row, own_column(), sums);
    }

    __device__ void piece(int64_t j, int64_t from, int64_t end, gpri_real *kept) const {
        const int64_t column = own_column();
        gpri_real sums[3] = {0, 0, 0};
        add(sums, j, column, from, end, 1);
        for (int s = 0; column < a.width && s < 3; s++) kept[s * a.width + column] = sums[s];
    }

    __device__ void join(int64_t j, const gpri_real *kept, int pieces) const {
        const int64_t column = own_column();
        const int warp = (int)threadIdx.x / GPRI_CUDA_WARP;
        gpri_real sums[3] = {0, 0, 0};
        for (int k = warp; column < a.width && k < pieces; k += WARPS)
            for (int s = 0; s < 3; s++) sums[s] += kept[((int64_t)k * KEPT + s) * a.width + column];
        join_warps<3>(sums);
        if (warp == 0) finish(j, column, sums);
    }
};

/* s = the sums over the columns of each head. */
struct head_sums {
    gpri_matrix s, x;
    int64_t heads, out;
    int lanes;

    __device__ void run() const {
        const int lane = (int)threadIdx.x % lanes;
        const int64_t place = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / lanes;
        const bool inside = place < s.rows * heads; /* all threads of a warp take part in its sums */
        int64_t row, head;
        divide(place, heads, &row, &head);
        gpri_real sum = 0;
        for (int64_t c = lane; inside && c < out; c += lanes) sum += __ldg(element(x, row, head * out + c));
        sum = gpri_warp_sum(sum, lanes);
        if (inside && lane == 0) *element(s, row, head) = sum;
    }
};

void gpri_cuda_attention_backward(gpri_matrix dx, gpri_matrix dsource, gpri_matrix dy, gpri_matrix x,
                                  const gpri_attention *a, int64_t first) {
    attention_backward body = {attention_of(a), dx, dy, x, {}, first};
    const gpri_graph_plan *plan = plan_for(a, dx.rows);
    const size_t of_shares = (size_t)(dx.rows * a->width) * sizeof(gpri_real);
    gpri_real *room = (gpri_real *)gpri_cuda_scratch(of_shares + kept_bytes(body, plan));
    const gpri_matrix shares = body.shares_of = gpri_packed(room, dx.rows, a->width);
    launch_rows(body, dx.rows, plan, room + dx.rows * a->width);
    dsource.rows = dx.rows;
    head_sums sums = {dsource, shares, a->heads, a->out, 1};
    while (sums.lanes < GPRI_CUDA_WARP && 2 * sums.lanes <= a->out) sums.lanes *= 2;
    launch(sums, dim3(gpri_cuda_blocks(dx.rows * a->heads * sums.lanes, THREADS)), THREADS);
}
