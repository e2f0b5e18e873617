/* The fast table. One source, compiled once for each kind of CPU (GPRI_SIMD_VARIANT: base, avx2, avx512), with vectors
 * as wide as that CPU's. The order of every sum depends on the sizes alone, never on the number of threads. Kernels
 * that exist for several widths of rows are in features.inc, narrow.inc and propagate.inc; attention.inc and lstm.inc
 * have those of their layers. */
#include <math.h>
#include <string.h>

#include "tensor/cpu/exponential.h"
#include "tensor/cpu/vector.h"
#include "tensor/ops.h"

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

static void features_forward(float *train, float *eval, int64_t ld, const gpri_features *x, const uint64_t *keep,
                             float scale, const float *w, const float *b, int64_t width, int64_t r0, int64_t r1) {
#define AT(p) ((p) ? (p) + c : NULL)
#define ARGUMENTS AT(train), AT(eval), ld, x, keep, scale, w + c, AT(b), width, r0, r1
    if (x->dense) FOR_BLOCKS(width, BLOCK, dense_forward)
    else FOR_BLOCKS(width, BLOCK, sparse_forward)
#undef ARGUMENTS
#undef AT
}

static void features_backward(float *dw, const gpri_features *x, const uint64_t *keep, float scale, const float *dy,
                              int64_t lddy, int64_t width, int64_t j0, int64_t j1) {
    if (j0 % COLUMNS) {
        gpri_ops_ref.features_backward(dw, x, keep, scale, dy, lddy, width, j0, j1);
        return;
    }
#define ARGUMENTS dw + c, x, keep, scale, dy + c, lddy, width, j0, j1
    if (x->dense) FOR_BLOCKS(width, BLOCK, dense_backward)
    else FOR_BLOCKS(width, SPARSE_BLOCK, sparse_backward)
#undef ARGUMENTS
}

/* ---- rows as narrow as the classes ---- */

#define T vec4
#define N 1
#define NAME 4
#include "tensor/cpu/narrow.inc"
#if LANES == 4
#define T vec4
#define N 2
#else
#define T vec8
#define N 1
#endif
#define NAME 8
#include "tensor/cpu/narrow.inc"
#define T vec
#define N (16 / LANES)
#define NAME 16
#include "tensor/cpu/narrow.inc"
#define T vec
#define N (32 / LANES)
#define NAME 32
#include "tensor/cpu/narrow.inc"

/* Cuts [0, width) into the widths that there are, up to `most`; width is a multiple of 4. */
#define FOR_WIDTHS(width, most, call32, call16, call8, call4)                    \
    for (int64_t c = 0, left = (width); left > 0;) {                             \
        int64_t limit = left < (most) ? left : (most);                           \
        int64_t step = limit >= 32 ? 32 : limit >= 16 ? 16 : limit >= 8 ? 8 : 4; \
        if (step == 32) call32;                                                  \
        else if (step == 16) call16;                                             \
        else if (step == 8) call8;                                               \
        else call4;                                                              \
        c += step;                                                               \
        left -= step;                                                            \
    }

/* Products hold the sums of four rows at a time: two vectors of each are what the registers have room for. */
enum { ROW_WIDTH = 32, PRODUCT_WIDTH = 2 * LANES };

static void hop(float *out, const float *in, int64_t ld, const float *h, int64_t ldh, float gamma, int last,
                const gpri_graph *graph, const float *s, int64_t width, int64_t r0, int64_t r1) {
    FOR_WIDTHS(width, ROW_WIDTH, hop_32(out + c, in + c, ld, h + c, ldh, gamma, last, graph, s, r0, r1),
               hop_16(out + c, in + c, ld, h + c, ldh, gamma, last, graph, s, r0, r1),
               hop_8(out + c, in + c, ld, h + c, ldh, gamma, last, graph, s, r0, r1),
               hop_4(out + c, in + c, ld, h + c, ldh, gamma, last, graph, s, r0, r1))
}

static double hop_backward(float *out, const float *in, float *sum, const float *h, int64_t ldh, float gamma,
                           const gpri_graph *graph, const float *s, int64_t width, int64_t r0, int64_t r1) {
    double dot = 0;
    FOR_WIDTHS(width, ROW_WIDTH,
               dot += hop_backward_32(out + c, in + c, width, sum + c, h + c, ldh, gamma, graph, s, r0, r1),
               dot += hop_backward_16(out + c, in + c, width, sum + c, h + c, ldh, gamma, graph, s, r0, r1),
               dot += hop_backward_8(out + c, in + c, width, sum + c, h + c, ldh, gamma, graph, s, r0, r1),
               dot += hop_backward_4(out + c, in + c, width, sum + c, h + c, ldh, gamma, graph, s, r0, r1))
    return dot;
}

static void linear_forward(float *y, int64_t ldy, const float *x, int64_t ldx, const float *w, const float *b,
                           int64_t rows, int64_t in, int64_t out) {
    FOR_WIDTHS(out, PRODUCT_WIDTH, linear_32(y + c, ldy, x, ldx, w + c, b ? b + c : NULL, rows, in, out),
               linear_16(y + c, ldy, x, ldx, w + c, b ? b + c : NULL, rows, in, out),
               linear_8(y + c, ldy, x, ldx, w + c, b ? b + c : NULL, rows, in, out),
               linear_4(y + c, ldy, x, ldx, w + c, b ? b + c : NULL, rows, in, out))
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

static void linear_backward(float *dx, int64_t lddx, float *dw, float *db, const float *x, int64_t ldx, const float *dy,
                            int64_t ldy, const float *w, int64_t rows, int64_t in, int64_t out) {
    if (in % LANES) {
        gpri_ops_ref.linear_backward(dx, lddx, dw, db, x, ldx, dy, ldy, w, rows, in, out);
        return;
    }
    FOR_WIDTHS(out, PRODUCT_WIDTH, linear_weights_32(dw + c, db + c, x, ldx, dy + c, ldy, rows, in, out),
               linear_weights_16(dw + c, db + c, x, ldx, dy + c, ldy, rows, in, out),
               linear_weights_8(dw + c, db + c, x, ldx, dy + c, ldy, rows, in, out),
               linear_weights_4(dw + c, db + c, x, ldx, dy + c, ldy, rows, in, out))
    linear_inputs(dx, lddx, dy, ldy, w, rows, in, out);
}

/* ---- one step over the graph ---- */

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
#define T vec
#define N (16 / LANES)
#define NAME 16
#include "tensor/cpu/propagate.inc"
#define T vec
#define N (32 / LANES)
#define NAME 32
#include "tensor/cpu/propagate.inc"
#define T vec
#define N (48 / LANES)
#define NAME 48
#include "tensor/cpu/propagate.inc"
#define T vec
#define N (64 / LANES)
#define NAME 64
#include "tensor/cpu/propagate.inc"

static void propagate(float *out, int64_t ldo, const float *in, int64_t ldi, const float *own, int64_t ld_own,
                      const gpri_adjacency *m, int64_t width, int64_t r0, int64_t r1) {
    for (; width >= 64; width -= 64) {
        propagate_64(out, ldo, in, ldi, own, ld_own, m, r0, r1);
        out += 64;
        in += 64;
        if (own) own += 64;
    }
    if (width >= 48) {
        propagate_48(out, ldo, in, ldi, own, ld_own, m, r0, r1);
        out += 48;
        in += 48;
        if (own) own += 48;
        width -= 48;
    }
    FOR_WIDTHS(width, ROW_WIDTH, propagate_32(out + c, ldo, in + c, ldi, own ? own + c : NULL, ld_own, m, r0, r1),
               propagate_16(out + c, ldo, in + c, ldi, own ? own + c : NULL, ld_own, m, r0, r1),
               propagate_8(out + c, ldo, in + c, ldi, own ? own + c : NULL, ld_own, m, r0, r1),
               propagate_4(out + c, ldo, in + c, ldi, own ? own + c : NULL, ld_own, m, r0, r1))
}

#include "tensor/cpu/attention.inc"
#include "tensor/cpu/lstm.inc"

/* ---- element by element ---- */

static void bias_forward(float *restrict y, int64_t ld, const float *restrict b, int64_t width, int64_t rows) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < width; c++) y[i * ld + c] += b[c];
}

static void bias_backward(float *restrict db, const float *restrict dy, int64_t ld, int64_t width, int64_t rows) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < width; c++) db[c] += dy[i * ld + c];
}

static void relu_forward(float *y, int64_t count) {
    for (int64_t i = 0; i < count; i++) y[i] = y[i] > 0 ? y[i] : 0;
}

static void relu_backward(float *restrict dy, const float *restrict y, int64_t count) {
    for (int64_t i = 0; i < count; i++) dy[i] = y[i] > 0 ? dy[i] : 0;
}

static void elu_forward(float *restrict y, const float *restrict x, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        float below = expm1_negative(x[i] > 0 ? 0.0f : x[i]);
        y[i] = x[i] > 0 ? x[i] : below;
    }
}

static void elu_backward(float *restrict dx, const float *restrict dy, const float *restrict x, int64_t count) {
    for (int64_t i = 0; i < count; i++) dx[i] = dy[i] * exp_negative(x[i] > 0 ? 0.0f : x[i]);
}

static void dropout(float *x, int64_t ld, int64_t cols, gpri_stream stream, gpri_dropout_rate rate, int64_t r0,
                    int64_t r1) {
    enum { MOST_COLS = 65536 };
    if (cols > MOST_COLS) {
        gpri_ops_ref.dropout(x, ld, cols, stream, rate, r0, r1);
        return;
    }
    uint64_t bits[MOST_COLS / 64 + 8];
    int64_t step = cols < MOST_COLS ? MOST_COLS / cols : 1; /* rows whose bits fit */
    for (int64_t first = r0; first < r1; first += step) {
        int64_t end = first + step < r1 ? first + step : r1, g0 = first * cols / 128;
        gpri_keep_bits(bits, g0, (end * cols + 127) / 128, stream, rate);
        for (int64_t i = first; i < end; i++) {
            float *row = x + (i - r0) * ld;
            int64_t at = i * cols - g0 * 128, c = 0; /* the row's first bit */
            for (; c + LANES <= cols; c += LANES)
                vec_store(row + c,
                          vec_keep(rate.scale * vec_load(row + c), (uint32_t)gpri_kept_64(bits, at + c) & ALL_LANES));
            for (; c < cols; c++) row[c] *= (float)(bits[(at + c) >> 6] >> ((at + c) & 63) & 1) * rate.scale;
        }
    }
}

static void adam(float *restrict w, const float *restrict gradient, float *restrict first, float *restrict second,
                 gpri_adam a, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        float g = gradient[i] + a.decay * w[i];
        first[i] = a.beta1 * first[i] + a.new1 * g;
        second[i] = a.beta2 * second[i] + a.new2 * g * g;
        w[i] -= a.rate * first[i] / (sqrtf(second[i]) * a.second_scale + a.epsilon);
    }
}

/* ---- softmax ---- */

enum { SCORES = 1024 }; /* rows are taken together as long as so many scores fit */

/* Largest score and sum of exp(z - largest) of each of `rows` rows; exps (rows x classes). */
static void exponentials(float *exps, float *most, float *sum, const float *z, int64_t ld, int64_t classes,
                         int64_t rows) {
    for (int64_t i = 0; i < rows; i++) {
        const float *row = z + i * ld;
        float largest = row[0];
        for (int64_t c = 1; c < classes; c++) largest = row[c] > largest ? row[c] : largest;
        most[i] = largest;
        for (int64_t c = 0; c < classes; c++) exps[i * classes + c] = row[c] - largest;
    }
    for (int64_t i = 0; i < rows * classes; i++) exps[i] = exp_negative(exps[i]);
    for (int64_t i = 0; i < rows; i++) {
        float total = 0;
        for (int64_t c = 0; c < classes; c++) total += exps[i * classes + c];
        sum[i] = total;
    }
}

static double nll_backward(float *z, int64_t ld, int64_t classes, int64_t width, const int32_t *labels,
                           const uint8_t *part, float weight, int64_t r0, int64_t r1) {
    float exps[SCORES], most[SCORES], sum[SCORES];
    if (classes > SCORES) return gpri_ops_ref.nll_backward(z, ld, classes, width, labels, part, weight, r0, r1);
    double loss = 0;
    int64_t step = SCORES / classes;
    for (int64_t first = r0; first < r1; first += step) {
        int64_t rows = r1 - first < step ? r1 - first : step;
        exponentials(exps, most, sum, z + (first - r0) * ld, ld, classes, rows);
        for (int64_t i = 0; i < rows; i++) {
            float *row = z + (first - r0 + i) * ld;
            int32_t label = labels[first + i];
            if (part[first + i] != GPR_TRAIN) {
                memset(row, 0, (size_t)width * sizeof *row);
                continue;
            }
            loss += (double)(most[i] + logf(sum[i]) - row[label]);
            float factor = weight / sum[i];
            for (int64_t c = 0; c < classes; c++) row[c] = exps[i * classes + c] * factor;
            row[label] -= weight;
            for (int64_t c = classes; c < width; c++) row[c] = 0;
        }
    }
    return loss;
}

static void score(gpri_scores *scores, const float *z, int64_t ld, int64_t classes, const int32_t *labels,
                  const uint8_t *part, int64_t r0, int64_t r1) {
    float exps[SCORES], most[SCORES], sum[SCORES];
    if (classes > SCORES) {
        gpri_ops_ref.score(scores, z, ld, classes, labels, part, r0, r1);
        return;
    }
    int64_t step = SCORES / classes;
    for (int64_t first = r0; first < r1; first += step) {
        int64_t rows = r1 - first < step ? r1 - first : step;
        exponentials(exps, most, sum, z + (first - r0) * ld, ld, classes, rows);
        for (int64_t i = 0; i < rows; i++) {
            const float *row = z + (first - r0 + i) * ld;
            int64_t at = first + i, best = 0;
            if (part[at] == GPR_UNUSED) continue;
            while (row[best] < most[i]) best++; /* the first largest; NaN ends it too */
            scores->loss[part[at]] += (double)(most[i] + logf(sum[i]) - row[labels[at]]);
            scores->correct[part[at]] += best == labels[at];
        }
    }
}

#define TABLE_NAME_(variant) gpri_ops_##variant
#define TABLE_NAME(variant) TABLE_NAME_(variant)
#define TEXT_(variant) #variant
#define TEXT(variant) TEXT_(variant)

extern const gpri_ops TABLE_NAME(GPRI_SIMD_VARIANT);
const gpri_ops TABLE_NAME(GPRI_SIMD_VARIANT) = GPRI_OPS_TABLE(TEXT(GPRI_SIMD_VARIANT));
