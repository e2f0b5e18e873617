/* The seam for back ends: one table of operations. A back end fills it; layers know nothing else.
 *
 * Matrices are row-major with padded rows (tensor/real.h): `width` is the padded number of columns, `ld` the distance
 * of rows. Operations take a range of rows (or columns) so that callers can deal them out to threads; none allocates,
 * none has state. `ref` (plain loops) is the meaning of each; every other table is tested against it. */
#ifndef GPRI_OPS_H
#define GPRI_OPS_H

#include "base/context.h"
#include "base/random.h"
#include "graph/graph.h"
#include "tensor/features.h"
#include "tensor/real.h"

/* Dropout with a probability of n / 65536; a kept value is multiplied with `scale`. Elements are numbered row after row
   (in CSR: in the order of storage). Element e is dropped when the binary number of `digits` random bits is below
   `threshold`; they are bit e % 128 of the Philox blocks 16 (e / 128) + 0, 1, ..., the first the most significant. So a
   probability of 1/2 takes one random bit an element. */
typedef struct gpri_dropout_rate {
    int digits; /* 0: nothing is dropped */
    uint32_t threshold;
    gpri_real scale;
} gpri_dropout_rate;

gpri_dropout_rate gpri_dropout_rate_of(double probability);

/* Bit set: kept. For the elements of groups [g0, g1) of 128; two words each. */
void gpri_keep_bits(uint64_t *bits, int64_t g0, int64_t g1, gpri_stream stream, gpri_dropout_rate rate);
/* How many words the bits of `count` elements take, with one to spare for gpri_kept_64. */
static inline int64_t gpri_keep_words(int64_t count) { return (count + 127) / 128 * 2 + 1; }
/* 64 bits from bit `at` on. */
static inline uint64_t gpri_kept_64(const uint64_t *bits, int64_t at) {
    int shift = (int)(at & 63);
    uint64_t low = bits[at >> 6] >> shift;
    return shift ? low | bits[(at >> 6) + 1] << (64 - shift) : low;
}

/* By part (gpr_part) of the split. */
typedef struct gpri_scores {
    double loss[4];
    int64_t correct[4];
} gpri_scores;

typedef struct gpri_adam {
    gpri_real rate; /* lr / (1 - beta1^t) */
    gpri_real beta1, beta2, epsilon;
    gpri_real new1, new2;   /* 1 - beta1, 1 - beta2; 1 - .999f would be off by 1e-5 of itself */
    gpri_real second_scale; /* 1 / sqrt(1 - beta2^t) */
    gpri_real decay;        /* L2 weight, added to the gradient */
} gpri_adam;

/* A matrix of the graph: factor L (A + loop I) R, L and R diagonal. left, right: (nodes), or NULL for I. Its
   transpose has left and right in each other's place. */
typedef struct gpri_adjacency {
    const gpri_graph *graph;
    const gpri_real *left, *right;
    gpri_real factor, loop;
} gpri_adjacency;

/* Attention over the neighbours j of a node i and itself, for `heads` heads of `out` columns each, head after head:
       e_ij = leaky(source_j + target_i),  a_ij = exp(e_ij) / sum_k exp(e_ik),  y_i = sum_j m_ij a_ij x_j
   for each head, m_ij being dropout. Weights of the edges play no part. The k-th neighbour of node i and head h make
   element (rowptr[i] + i + k) heads + h of dropout; the node itself comes behind its neighbours. */
typedef struct gpri_attention {
    const gpri_graph *graph;
    int64_t heads, out, width; /* width: the padded columns of all heads */
    gpri_real slope;           /* of the leaky relu below 0; 0 to 1 */
    gpri_real *source;         /* (nodes x heads) */
    gpri_real *target;      /* (nodes x 4 heads): target, the largest e, 1 / sum_k exp(e_ik - largest), <dy_i, y_i> */
    const uint64_t *keep;   /* bits of gpri_keep_bits; NULL: all are kept */
    const int32_t *reverse; /* gpri_graph_reverse; may be NULL where keep is */
    gpri_real scale;        /* of what is kept */
} gpri_attention;

typedef struct gpri_ops {
    const char *name;

    /* Rows [r0, r1): train = X~ w + b with dropped entries of X left out and kept ones scaled; eval = X w + b. Either
       may be NULL. keep: all bits of gpri_keep_bits, or NULL: all kept. train, eval: row r0. w (cols x width), b
       (width) or NULL: 0. */
    void (*features_forward)(gpri_real *train, gpri_real *eval, int64_t ld, const gpri_features *x,
                             const uint64_t *keep, gpri_real scale, const gpri_real *w, const gpri_real *b,
                             int64_t width, int64_t r0, int64_t r1);
    /* Rows [j0, j1) of dw = X~' dy. dw (cols x width), dy (rows x width) with distance lddy. */
    void (*features_backward)(gpri_real *dw, const gpri_features *x, const uint64_t *keep, gpri_real scale,
                              const gpri_real *dy, int64_t lddy, int64_t width, int64_t j0, int64_t j1);

    /* y = x w + b. x (rows x in), w (in x out), b (out) or NULL: 0, y (rows x out). in, out: padded. */
    void (*linear_forward)(gpri_real *y, int64_t ldy, const gpri_real *x, int64_t ldx, const gpri_real *w,
                           const gpri_real *b, int64_t rows, int64_t in, int64_t out);
    /* dx = dy w', dw += x' dy, db += column sums of dy. */
    void (*linear_backward)(gpri_real *dx, int64_t lddx, gpri_real *dw, gpri_real *db, const gpri_real *x, int64_t ldx,
                            const gpri_real *dy, int64_t lddy, const gpri_real *w, int64_t rows, int64_t in,
                            int64_t out);

    /* y += b in every row; db += column sums of dy. */
    void (*bias_forward)(gpri_real *y, int64_t ld, const gpri_real *b, int64_t width, int64_t rows);
    void (*bias_backward)(gpri_real *db, const gpri_real *dy, int64_t ld, int64_t width, int64_t rows);

    void (*relu_forward)(gpri_real *y, int64_t count);
    /* dy = 0 where y = 0. */
    void (*relu_backward)(gpri_real *dy, const gpri_real *y, int64_t count);

    /* y = x where x > 0, else exp(x) - 1; dx = dy times the derivative, from x. */
    void (*elu_forward)(gpri_real *y, const gpri_real *x, int64_t count);
    void (*elu_backward)(gpri_real *dx, const gpri_real *dy, const gpri_real *x, int64_t count);

    /* Rows [r0, r1) of an activation of `cols` columns: kept times scale, or 0; its own derivative. x: row r0. */
    void (*dropout)(gpri_real *x, int64_t ld, int64_t cols, gpri_stream stream, gpri_dropout_rate rate, int64_t r0,
                    int64_t r1);

    /* Rows [r0, r1) of out = M in + own. in: (nodes x width), all rows. out, own: row r0; own may be NULL: 0, or be
       out itself. */
    void (*propagate)(gpri_real *out, int64_t ldo, const gpri_real *in, int64_t ldi, const gpri_real *own,
                      int64_t ld_own, const gpri_adjacency *m, int64_t width, int64_t r0, int64_t r1);

    /* Columns in `heads` groups of `out`: s_ih = <x_ih, a_ih>, and y_ih += s_ih x_ih. A distance of 0: the same row for
       every i; of y: the sum over all rows. s: (rows x heads). */
    void (*head_dots)(gpri_real *s, int64_t lds, const gpri_real *x, int64_t ldx, const gpri_real *a, int64_t lda,
                      int64_t heads, int64_t out, int64_t rows);
    void (*head_add)(gpri_real *y, int64_t ldy, const gpri_real *s, int64_t lds, const gpri_real *x, int64_t ldx,
                     int64_t heads, int64_t out, int64_t rows);

    /* Rows [r0, r1) of attention; y: row r0. For a backward pass (else NULL) row r0 of bend becomes y+ - a+ y, where y+
       and a+ are the sums over the neighbours with e > 0, of what y sums and of a; and the second and third part of
       target are filled. */
    void (*attention_forward)(gpri_real *y, int64_t ldy, gpri_real *bend, const gpri_real *x, int64_t ldx,
                              const gpri_attention *a, int64_t r0, int64_t r1);
    /* Rows [r0, r1) of dx = sum_i m_ij a_ij dy_i and dsource, the gradient of source; dx, dsource (distance heads): row
       r0. x, dy: (nodes x width). All of target is read. */
    void (*attention_backward)(gpri_real *dx, int64_t lddx, gpri_real *dsource, const gpri_real *x, int64_t ldx,
                               const gpri_real *dy, int64_t lddy, const gpri_attention *a, int64_t r0, int64_t r1);

    /* One step of an LSTM. gates (rows x 4 units) hold what goes into i, f, g, o and become these; c = f before + i g,
       h = o tanh(c). before: c of the step before, or NULL: 0. */
    void (*lstm_forward)(gpri_real *gates, int64_t ldg, gpri_real *c, int64_t ldc, gpri_real *h, int64_t ldh,
                         const gpri_real *before, int64_t units, int64_t rows);
    /* gates i, f, g, o become the gradients of what went into them; dc, the gradient of c from the step after, that of
       `before`. c, before, dc: with distance ldc. */
    void (*lstm_backward)(gpri_real *gates, int64_t ldg, gpri_real *dc, const gpri_real *c, int64_t ldc,
                          const gpri_real *before, const gpri_real *dh, int64_t ldh, int64_t units, int64_t rows);

    /* One step of Horner's scheme for sum_k gamma_k A~^k H, on vectors scaled by s = D^-1/2:
           inner: out = s^2 (A + I) in + gamma s H          last: out = s (A + I) in + gamma H
       Rows [r0, r1). in, out: (nodes x width) with distance ld; h: with distance ldh. */
    void (*hop)(gpri_real *out, const gpri_real *in, int64_t ld, const gpri_real *h, int64_t ldh, gpri_real gamma,
                int last, const gpri_graph *graph, const gpri_real *s, int64_t width, int64_t r0, int64_t r1);
    /* One hop of the backward pass, B_k = A~^k dZ scaled by s: out = s^2 (A + I) in, sum += gamma out; returns the
       rows' share of <H, B_k>. in, out, sum: packed (nodes x width); h: with distance ldh. */
    double (*hop_backward)(gpri_real *out, const gpri_real *in, gpri_real *sum, const gpri_real *h, int64_t ldh,
                           gpri_real gamma, const gpri_graph *graph, const gpri_real *s, int64_t width, int64_t r0,
                           int64_t r1);

    /* Rows [r0, r1): z becomes the gradient of weight * sum of -log softmax(z)[label] over training rows (0 on all
       others); returns the sum of -log softmax. part, labels: (nodes). z: row r0. */
    double (*nll_backward)(gpri_real *z, int64_t ld, int64_t classes, int64_t width, const int32_t *labels,
                           const uint8_t *part, gpri_real weight, int64_t r0, int64_t r1);
    /* Adds the rows' -log softmax and hits to scores. */
    void (*score)(gpri_scores *scores, const gpri_real *z, int64_t ld, int64_t classes, const int32_t *labels,
                  const uint8_t *part, int64_t r0, int64_t r1);

    void (*adam)(gpri_real *w, const gpri_real *gradient, gpri_real *first, gpri_real *second, gpri_adam settings,
                 int64_t count);
} gpri_ops;

/* The table of a file that has all operations under their names. */
#define GPRI_OPS_TABLE(text)                                                                                     \
    {                                                                                                            \
        text, features_forward, features_backward, linear_forward, linear_backward, bias_forward, bias_backward, \
            relu_forward, relu_backward, elu_forward, elu_backward, dropout, propagate, head_dots, head_add,     \
            attention_forward, attention_backward, lstm_forward, lstm_backward, hop, hop_backward, nll_backward, \
            score, adam                                                                                          \
    }

extern const gpri_ops gpri_ops_ref;

/* The table of that name, or for NULL or "auto" the best that this CPU has. */
gpr_status gpri_ops_select(const gpri_ops **out, const char *cpu) GPRI_MUST_CHECK;
/* All tables that this CPU can run, ref first; returns how many. For tests and benchmarks. */
int gpri_ops_all(const gpri_ops **out, int most);

#endif
