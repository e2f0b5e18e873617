/* The fast table. One source, compiled once for each kind of CPU (GPRI_SIMD_VARIANT: base, avx2, avx512), with vectors
 * as wide as that CPU's. The order of every sum depends on the sizes alone, never on the number of threads. Kernels
 * that exist for several widths of rows are in features.inc, linear.inc and propagate.inc; products.inc, attention.inc,
 * lstm.inc, elements.inc and loss.inc have the others. */
#include <math.h>
#include <string.h>

#include "tensor/cpu/exponential.h"
#include "tensor/cpu/vector.h"
#include "tensor/ops.h"

#include "gprgnn.h"

/* ---- input features: blocks of n vectors of W's columns; COLUMNS columns of X at a time, so that their part of W
   stays in the first cache ---- */

enum { COLUMNS = 64, ROWS = 4, NODES = 32, SPARSE_COLUMNS = 128, NEAR = 2048 };

/* Row i of dense X, columns [j0, j0 + count), at most 64, without the dropped entries. */
GPRI_INLINE void thin(float *out, const gpri_features *x, const uint64_t *keep, float scale, int64_t i, int64_t j0,
                      int64_t count) {
    const float *row = x->dense + i * x->ld + j0;
    uint64_t word = keep ? gpri_kept_64(keep, i * x->cols + j0) : ~(uint64_t)0;
    int64_t j = 0;
    for (; j + LANES <= count; j += LANES)
        vec_store(out + j, vec_keep(scale * vec_load(row + j), (uint32_t)(word >> j) & ALL_LANES));
    for (; j < count; j++) out[j] = (float)(word >> j & 1) * scale * row[j];
}

/* The first entry of a sparse column whose node is `node` or after it. */
GPRI_INLINE int64_t column_from(const gpri_features *x, int64_t j, int64_t node) {
    int64_t low = x->colptr[j], high = x->colptr[j + 1];
    if (node == 0) return low;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (x->row[middle] < node) low = middle + 1;
        else high = middle;
    }
    return low;
}

#define T vec
#define NAME wide
#include "tensor/cpu/features.inc"
#if LANES == 4
#define T vec4
#else
#define T vec8
#endif
#define NAME 8
#include "tensor/cpu/features.inc"
#define T vec4
#define NAME 4
#include "tensor/cpu/features.inc"

/* Takes the columns of W a block of vectors at a time, the rest as blocks of 4, 3, 2 or 1; of a row narrower than a
   vector 8 or 4. `block` is a constant: what is larger goes. Every block is a pass over X. */
#define FOR_BLOCKS(width, block, kernel)                                                   \
    for (int64_t c = 0, left, step; c < (width); c += step) {                              \
        left = (width)-c, step = LANES;                                                    \
        if (left >= (block)*LANES) kernel##_wide(ARGUMENTS, block), step = (block)*LANES;  \
        else if ((block) > 4 && left >= 4 * LANES) kernel##_wide(ARGUMENTS, 4), step *= 4; \
        else if ((block) > 3 && left >= 3 * LANES) kernel##_wide(ARGUMENTS, 3), step *= 3; \
        else if ((block) > 2 && left >= 2 * LANES) kernel##_wide(ARGUMENTS, 2), step *= 2; \
        else if (left >= LANES) kernel##_wide(ARGUMENTS, 1);                               \
        else if (left >= 8) kernel##_8(ARGUMENTS, 1), step = 8;                            \
        else kernel##_4(ARGUMENTS, 1), step = 4;                                           \
    }

static void features_forward(gpri_matrix train, gpri_matrix eval, const gpri_features *x, const uint64_t *keep,
                             float scale, const float *w, const float *b, int64_t first) {
    const gpri_matrix y = train.at ? train : eval;
    const int64_t width = y.width, end = first + y.rows;
    if (train.at && eval.at && train.ld != eval.ld) {
        gpri_ops_ref.features_forward(train, eval, x, keep, scale, w, b, first);
        return;
    }
#define AT(p) ((p) ? (p) + c : NULL)
#define ARGUMENTS AT(train.at), AT(eval.at), y.ld, x, keep, scale, w + c, AT(b), width, first, end
    if (x->dense) FOR_BLOCKS(width, BLOCK, dense_forward)
    else FOR_BLOCKS(width, BLOCK, sparse_forward)
#undef ARGUMENTS
#undef AT
}

#define ARGUMENTS dw + c, x, keep, scale, dy.at + c, dy.ld, width, j0, j1, first, first + dy.rows, more
/* more: added to what dw has. */
static void features_gradient(float *dw, gpri_matrix dy, const gpri_features *x, const uint64_t *keep, float scale,
                              int64_t first, int64_t j0, int64_t j1, int more) {
    const int64_t width = dy.width;
    if (x->dense) FOR_BLOCKS(width, BLOCK, dense_backward)
    else FOR_BLOCKS(width, SPARSE_BLOCK, sparse_backward)
}
#undef ARGUMENTS

static void features_backward(float *dw, gpri_matrix dy, const gpri_features *x, const uint64_t *keep, float scale,
                              int64_t first, int64_t j0, int64_t j1) {
    features_gradient(dw, dy, x, keep, scale, first, j0, j1, 0);
}

static void features_add(float *dw, gpri_matrix dy, const gpri_features *x, const uint64_t *keep, float scale,
                         int64_t first, int64_t j0, int64_t j1) {
    features_gradient(dw, dy, x, keep, scale, first, j0, j1, 1);
}

/* ---- rows as narrow as the classes ---- */

#define T vec4
#define N 1
#define NAME 4
#include "tensor/cpu/linear.inc"
#if LANES == 4
#define T vec4
#define N 2
#else
#define T vec8
#define N 1
#endif
#define NAME 8
#include "tensor/cpu/linear.inc"
#define T vec
#define N (16 / LANES)
#define NAME 16
#include "tensor/cpu/linear.inc"
#define T vec
#define N (32 / LANES)
#define NAME 32
#include "tensor/cpu/linear.inc"

/* Cuts [first, width) into the widths that there are, up to `most`; both are multiples of 4. */
#define FOR_WIDTHS(first, width, most, kernel)                                   \
    for (int64_t c = (first), left = (width)-c; left > 0;) {                     \
        int64_t limit = left < (most) ? left : (most);                           \
        int64_t step = limit >= 32 ? 32 : limit >= 16 ? 16 : limit >= 8 ? 8 : 4; \
        if (step == 32) kernel##_32(ARGUMENTS);                                  \
        else if (step == 16) kernel##_16(ARGUMENTS);                             \
        else if (step == 8) kernel##_8(ARGUMENTS);                               \
        else kernel##_4(ARGUMENTS);                                              \
        c += step;                                                               \
        left -= step;                                                            \
    }

/* Products hold the sums of four rows at a time: two vectors of each are what the registers have room for. */
enum { ROW_WIDTH = 32, PRODUCT_WIDTH = 2 * LANES };

#include "tensor/cpu/products.inc"

/* The first columns, those that products.inc computes: with few of them on either side copies cost more than they gain.
 */
static int64_t wide_columns(int64_t width, int64_t in, int64_t rows) {
    return width >= LEAST_WIDTH && in >= LEAST_WIDTH && rows >= LEAST_ROWS ? width - width % PAIR : 0;
}

static void linear_forward(gpri_matrix y, gpri_matrix x, const float *w, const float *b) {
    const int64_t wide = wide_columns(y.width, x.width, y.rows);
#define ARGUMENTS y.at + c, y.ld, x.at, x.ld, w + c, b ? b + c : NULL, y.rows, x.width, y.width
    for (int64_t c = 0; c < wide; c += PAIR) wide_forward(ARGUMENTS);
    FOR_WIDTHS(wide, y.width, PRODUCT_WIDTH, linear)
#undef ARGUMENTS
}

/* dx = dy w', with a block of w turned so that vectors run along dx. */
static void linear_inputs(float *dx, int64_t lddx, const float *dy, int64_t ldy, const float *w, int64_t rows,
                          int64_t in, int64_t out) {
    enum { OUT = 16 };
    float turned[OUT * LANES];
    for (int64_t k = 0; k < in; k += LANES)
        for (int64_t c0 = 0; c0 < out; c0 += OUT) {
            int64_t cols = out - c0 < OUT ? out - c0 : OUT;
            for (int64_t c = 0; c < cols; c++)
                for (int64_t lane = 0; lane < LANES; lane++) turned[c * LANES + lane] = w[(k + lane) * out + c0 + c];
            for (int64_t i = 0; i < rows; i++) {
                vec acc = c0 ? vec_load(dx + i * lddx + k) : (vec){0};
                for (int64_t c = 0; c < cols; c++) acc += dy[i * ldy + c0 + c] * vec_load(turned + c * LANES);
                vec_store(dx + i * lddx + k, acc);
            }
        }
}

static void linear_backward(gpri_matrix dx, float *dw, float *db, gpri_matrix dy, gpri_matrix x, const float *w) {
    if (x.width % LANES) {
        gpri_ops_ref.linear_backward(dx, dw, db, dy, x, w);
        return;
    }
    const int64_t wide = wide_columns(dy.width, x.width, dy.rows), rows = wide ? dy.rows - dy.rows % PAIR : 0;
#define ARGUMENTS dw + c, db + c, x.at, x.ld, dy.at + c, dy.ld, dy.rows, x.width, dy.width
    if (wide) wide_weights(dw, db, x.at, x.ld, dy.at, dy.ld, wide, dy.rows, x.width, dy.width);
    FOR_WIDTHS(wide, dy.width, PRODUCT_WIDTH, linear_weights)
#undef ARGUMENTS
    for (int64_t i = 0; i < rows; i += PAIR)
        wide_inputs(dx.at + i * dx.ld, dx.ld, dy.at + i * dy.ld, dy.ld, w, x.width, dy.width);
    linear_inputs(dx.at + rows * dx.ld, dx.ld, dy.at + rows * dy.ld, dy.ld, w, dy.rows - rows, x.width, dy.width);
}

/* ---- one step over the graph ---- */

/* L (A + I) without weights, in a basis without a recurrence: a hop of the filter. */
GPRI_INLINE int plain_step(const gpri_step *step) {
    return step->m.loop == 1 && !step->m.right && !step->m.graph->weight && step->b == 0 && step->c == 0;
}

/* Two numbers in a vector of four. */
typedef double pair __attribute__((vector_size(16)));

GPRI_INLINE vec4 load_pair(const float *from) {
    double both;
    memcpy(&both, from, sizeof both);
    return (vec4)(pair){both, 0};
}

GPRI_INLINE void store_pair(float *to, vec4 value) {
    const double both = ((pair)value)[0];
    memcpy(to, &both, sizeof both);
}

#define LINE 16  /* floats of a cache line */
#define AHEAD 32 /* arcs between the fetching of a row and its use */
#define DOT
#define T vec4
#define N 1
#define NAME 2
#define PART 2
#include "tensor/cpu/propagate.inc"
#define T vec4
#define N 1
#define NAME 4
#include "tensor/cpu/propagate.inc"
#if LANES == 4
#define T vec4
#define N 2
#else
#define T vec8
#define N 1
#endif
#define NAME 8
#include "tensor/cpu/propagate.inc"
#undef AHEAD
#define AHEAD 16 /* longer rows take longer */
#define T vec
#define N (16 / LANES)
#define NAME 16
#include "tensor/cpu/propagate.inc"
#define T vec
#define N (32 / LANES)
#define NAME 32
#include "tensor/cpu/propagate.inc"
#undef DOT
#define T vec
#define N (48 / LANES)
#define NAME 48
#include "tensor/cpu/propagate.inc"
#define T vec
#define N (64 / LANES)
#define NAME 64
#include "tensor/cpu/propagate.inc"

/* The columns of a step from c on. */
GPRI_INLINE gpri_matrix from_column(gpri_matrix x, int64_t c) {
    if (x.at) x.at += c;
    return x;
}

#define ARGUMENTS \
    from_column(out, c), from_column(in, c), from_column(before, c), from_column(h, c), step_of, theta, first
static void propagate(gpri_matrix out, gpri_matrix in, gpri_matrix before, gpri_matrix h, const gpri_step *step_of,
                      const float *theta, int64_t first) {
    int64_t done = 0;
    if (out.width == 2) {
        propagate_2(out, in, before, h, step_of, theta, first);
        return;
    }
    for (; out.width - done >= 64; done += 64) {
        const int64_t c = done;
        propagate_64(ARGUMENTS);
    }
    if (out.width - done >= 48) {
        const int64_t c = done;
        propagate_48(ARGUMENTS);
        done += 48;
    }
    out.at += done, in.at += done, out.width -= done;
    before = from_column(before, done), h = from_column(h, done);
    FOR_WIDTHS(0, out.width, ROW_WIDTH, propagate)
}
#undef ARGUMENTS

static void propagate_dot(gpri_matrix out, gpri_matrix sum, double *dot, gpri_matrix in, gpri_matrix before,
                          gpri_matrix h, const gpri_step *step_of, const float *theta, int64_t first) {
    double all = 0;
#define ARGUMENTS                                                                                                  \
    from_column(out, c), from_column(sum, c), &all, from_column(in, c), from_column(before, c), from_column(h, c), \
        step_of, theta, first
    if (out.width == 2) propagate_dot_2(out, sum, &all, in, before, h, step_of, theta, first);
    else FOR_WIDTHS(0, out.width, ROW_WIDTH, propagate_dot)
#undef ARGUMENTS
    *dot = all;
}

static void filter_begin(gpri_matrix out, gpri_matrix h, const float *scale, const float *theta, int64_t first) {
    for (int64_t i = 0; i < out.rows; i++) {
        float *restrict to = out.at + i * out.ld;
        const float *restrict from = h.at + i * h.ld;
        const float now = theta ? *theta : 1, factor = scale ? now * scale[first + i] : now;
        for (int64_t c = 0; c < out.width; c++) to[c] = factor * from[c];
    }
}

static void filter_end(gpri_matrix y, const float *scale, int64_t first) { gpri_ops_ref.filter_end(y, scale, first); }

/* Products of two floats are exact in double, so that fusing them with the sum changes nothing. */
static void filter_begin_dot(gpri_matrix out, gpri_matrix sum, double *dot, gpri_matrix dz, gpri_matrix h,
                             const float *scale, const float *theta, int64_t first) {
    gpri_ops_ref.filter_begin_dot(out, sum, dot, dz, h, scale, theta, first);
}

/* The CPU takes rows in tiles, and its layers deal out the steps of a filter (layer/gpr.c). */
static void filter_forward(gpri_matrix z, gpri_matrix h, gpri_matrix back, const gpri_filter *filter) {
    gpri_ops_ref.filter_forward(z, h, back, filter);
}
static void filter_backward(gpri_matrix dh, gpri_real *dtheta, gpri_matrix dz, gpri_matrix h, gpri_matrix front,
                            gpri_matrix back, const gpri_filter *filter) {
    gpri_ops_ref.filter_backward(dh, dtheta, dz, h, front, back, filter);
}

#include "tensor/cpu/attention.inc"
#include "tensor/cpu/lstm.inc"

#include "tensor/cpu/elements.inc"
#include "tensor/cpu/loss.inc"

#define TABLE_NAME_(variant) gpri_ops_##variant
#define TABLE_NAME(variant) TABLE_NAME_(variant)
#define TEXT_(variant) #variant
#define TEXT(variant) TEXT_(variant)

extern const gpri_ops TABLE_NAME(GPRI_SIMD_VARIANT);
const gpri_ops TABLE_NAME(GPRI_SIMD_VARIANT) = {TEXT(GPRI_SIMD_VARIANT), GPRI_OPS_NAMES};
