/* The operations of a device: one table of functions. Layers compute through it and through nothing else.
 *
 * Rules of all operations:
 *  - Matrices (tensor/matrix.h) and arrays of numbers are in the device's memory. A matrix's pointer is its first row;
 *    `first` is the node of that row. Outputs come first, then inputs.
 *  - What changes between epochs (the step, gamma, Adam's corrections) is read from memory when the operation runs, so
 *    that a recorded pass can be replayed. Structs of settings are the host's and must live as long as a recording.
 *  - Results go to memory. Nothing is returned, nothing allocates, nothing has state.
 *  - A NaN of an input becomes NaN in what depends on it: an overflow is seen at the end.
 *  - Padding of inputs is 0; padding of outputs becomes 0 or stays as it is.
 * `ref` (plain loops) is the meaning of each operation; every other table is tested against it. */
#ifndef GPRI_OPS_H
#define GPRI_OPS_H

#include "graph/graph.h"
#include "task/loss.h"
#include "tensor/dropout.h"
#include "tensor/features.h"
#include "tensor/matrix.h"
#include "tensor/record.h"

#define GPRI_NORM_LEAST ((gpri_real)1e-5) /* added to variances */

/* What a running mean takes of the numbers of a step. */
GPRI_INLINE gpri_real gpri_remembered_share(gpri_real least, uint32_t step) {
    const gpri_real even = 1 / (gpri_real)(step + 1);
    return even > least ? even : least;
}

/* A matrix of the graph: factor L (A + loop I) R, L and R diagonal. left, right: (nodes), or NULL for I. Its
   transpose has left and right in each other's place. */
typedef struct gpri_adjacency {
    const gpri_graph *graph; /* the struct is the host's, its arrays are the device's */
    const gpri_real *left, *right;
    gpri_real factor, loop;
} gpri_adjacency;

/* One step of a polynomial in M: out = a M in + b in - c before + theta S h. A basis of polynomials is its (a, b, c):
   monomials (1, 0, 0), Chebyshev (2, 0, 1) after the first step. */
typedef struct gpri_step {
    gpri_adjacency m;
    gpri_real a, b, c;
    const gpri_real *scale; /* (nodes) S, diagonal; NULL: I */
    bool far;               /* `in` is larger than a cache: a CPU fetches rows ahead of their use */
} gpri_step;

/* A filter sum_k theta_k M^k of `hops` hops, on scaled vectors: `inner` is a step between them, `last` the one of the
   forward pass that ends in plain numbers. */
typedef struct gpri_filter {
    gpri_step inner, last;
    const gpri_real *theta; /* (hops + 1) */
    int64_t hops;
} gpri_filter;

/* Attention over the neighbours j of a node i and itself, for `heads` heads of `out` columns each, head after head:
       e_ij = leaky(source_j + target_i),  a_ij = exp(e_ij) / sum_k exp(e_ik),  y_i = sum_j m_ij a_ij x_j
   for each head, m_ij being dropout. Weights of edges are not used. The k-th neighbour of node i and head h make
   element (rowptr[i] + i + k) heads + h of dropout; the node itself comes after its neighbours. */
typedef struct gpri_attention {
    const gpri_graph *graph;   /* as in gpri_adjacency */
    int64_t heads, out, width; /* width: the padded columns of all heads */
    gpri_real slope;           /* of the leaky relu below 0; 0 to 1 */
    gpri_real *source;         /* (nodes x heads) */
    gpri_real *target;         /* (nodes x 4 heads): target, largest e, 1 / sum_k exp(e_ik - largest), <dy_i, y_i> */
    const uint64_t *keep;      /* bits of keep_bits; NULL: all are kept */
    const int32_t *reverse;    /* gpri_graph_reverse; may be NULL where keep is */
    gpri_real scale;           /* of what is kept */
} gpri_attention;

typedef struct gpri_ops {
    const char *name;

    /* ---- numbers ---- */
    void (*zero)(gpri_matrix y);
    void (*copy)(gpri_matrix y, gpri_matrix x);     /* y = x: rows and width of y */
    void (*add)(gpri_matrix y, gpri_matrix x);      /* y += x: rows and width of y */
    void (*scale)(gpri_matrix y, gpri_real factor); /* y *= factor */
    /* sum (size) = blocks[0] + blocks[1] + ..., `count` blocks with distance `stride`, in that order. */
    void (*sum_blocks)(gpri_real *sum, const gpri_real *blocks, int64_t count, int64_t stride, int64_t size);
    /* *sum = the sum of dots, in order. */
    void (*sum_dots)(gpri_real *sum, const double *dots, int64_t count);
    /* bits: of groups [g0, g1) of 128 elements; set: kept. */
    void (*keep_bits)(uint64_t *bits, const gpri_mask *mask, int64_t g0, int64_t g1);

    /* ---- the input features ---- */
    /* train = X~ w + b with dropped entries of X left out and kept ones scaled; eval = X w + b. Either may be absent.
       keep: all bits, or NULL: all are kept. w (cols x width); b (width) or NULL: 0. */
    void (*features_forward)(gpri_matrix train, gpri_matrix eval, const gpri_features *x, const uint64_t *keep,
                             gpri_real scale, const gpri_real *w, const gpri_real *b, int64_t first);
    /* Rows [j0, j1) of dw = X~' dy, over the nodes that dy has. dw (cols x width). */
    void (*features_backward)(gpri_real *dw, gpri_matrix dy, const gpri_features *x, const uint64_t *keep,
                              gpri_real scale, int64_t first, int64_t j0, int64_t j1);
    /* The same, added to what dw has, node by node: processes that have the nodes one after the other, and hand dw on,
       come to the bits of one. NULL: the rows of this device are not dealt out. */
    void (*features_add)(gpri_real *dw, gpri_matrix dy, const gpri_features *x, const uint64_t *keep, gpri_real scale,
                         int64_t first, int64_t j0, int64_t j1);

    /* ---- rows ---- */
    /* y = x w + b. w (width of x, width of y); b (width of y) or NULL: 0. */
    void (*linear_forward)(gpri_matrix y, gpri_matrix x, const gpri_real *w, const gpri_real *b);
    /* dx = dy w', dw += x' dy, db += column sums of dy. */
    void (*linear_backward)(gpri_matrix dx, gpri_real *dw, gpri_real *db, gpri_matrix dy, gpri_matrix x,
                            const gpri_real *w);
    /* y += b in every row; db += column sums of dy. */
    void (*bias_forward)(gpri_matrix y, const gpri_real *b);
    void (*bias_backward)(gpri_real *db, gpri_matrix dy);
    /* y_i += the row of e of node i's label; de of that row += dy_i. shown: (nodes) labels, -1: nothing to add. e, de:
       (classes x width of y). */
    void (*labels_forward)(gpri_matrix y, const gpri_real *e, const int32_t *shown, int64_t first);
    void (*labels_backward)(gpri_real *de, gpri_matrix dy, const int32_t *shown, int64_t first);
    /* shown = known where the node's bit of keep is set, else -1, for all nodes. *factor = nodes whose label is known /
       those of them that are not shown; 0 where all are shown. */
    void (*labels_show)(int32_t *shown, gpri_real *factor, const int32_t *known, const uint64_t *keep, int64_t nodes);
    /* y = max(y, 0), and NaN stays NaN; dy = 0 where y = 0. */
    void (*relu_forward)(gpri_matrix y);
    void (*relu_backward)(gpri_matrix dy, gpri_matrix y);
    /* y = x where x > 0, else exp(x) - 1; dx = dy times the derivative, from x. */
    void (*elu_forward)(gpri_matrix y, gpri_matrix x);
    void (*elu_backward)(gpri_matrix dx, gpri_matrix dy, gpri_matrix x);
    /* Kept times scale, or 0; its own derivative. */
    void (*dropout)(gpri_matrix x, const gpri_mask *mask, int64_t first);
    /* p = softmax of each row, in place; q_t becomes p_t (q_t - sum_k p_k q_k). */
    void (*softmax_forward)(gpri_matrix p);
    void (*softmax_backward)(gpri_matrix q, gpri_matrix p);

    /* ---- norms: columns over all rows, or rows, with mean 0 and deviation 1 ---- */
    /* sum += the column sums of (x - mean)^2. */
    void (*norm_squares)(gpri_real *sum, gpri_matrix x, const gpri_real *mean);
    /* rate = 1 / sqrt(factor squares + GPRI_NORM_LEAST). */
    void (*norm_rate)(gpri_real *rate, const gpri_real *squares, gpri_real factor, int64_t count);
    /* running += share (factor now - running), share = max(least, 1 / (1 + *step)): at first it is the plain mean. */
    void (*norm_remember)(gpri_real *running, const gpri_real *now, gpri_real factor, gpri_real least,
                          const uint32_t *step, int64_t count);
    /* y = (x - mean) rate, by columns; dx += rate (dy - s - y p), s and p the means of dy and dy y: sums (2 x width)
       times `share`. */
    void (*norm_columns)(gpri_matrix y, gpri_matrix x, const gpri_real *mean, const gpri_real *rate);
    void (*norm_columns_backward)(gpri_matrix dx, gpri_matrix dy, gpri_matrix y, const gpri_real *rate,
                                  const gpri_real *sums, gpri_real share);
    /* The same for each row by itself, over its real columns; rate: (rows). */
    void (*norm_rows)(gpri_matrix y, gpri_matrix x, gpri_real *rate);
    void (*norm_rows_backward)(gpri_matrix dx, gpri_matrix dy, gpri_matrix y, const gpri_real *rate);

    /* ---- columns in heads ---- */
    /* Columns in `heads` groups of `out`: s_ih = <x_ih, a_ih>, and y_ih += s_ih x_ih. A distance of 0: the same row for
       every i; of y: the sum over all rows. s: (rows x heads). */
    void (*head_dots)(gpri_matrix s, gpri_matrix x, gpri_matrix a, int64_t heads, int64_t out);
    void (*head_add)(gpri_matrix y, gpri_matrix s, gpri_matrix x, int64_t heads, int64_t out);
    /* z = the mean over heads of y; dy = dz / heads for every head. z.cols columns per head. */
    void (*head_mean_forward)(gpri_matrix z, gpri_matrix y, int64_t heads);
    void (*head_mean_backward)(gpri_matrix dy, gpri_matrix dz, int64_t heads);

    /* ---- steps over the graph; in, x of the forward pass and dy of the backward pass: all nodes ---- */
    /* out = a M in + b in - c before + theta S h. before, h may be absent; either may be out itself. theta: NULL: 1. */
    void (*propagate)(gpri_matrix out, gpri_matrix in, gpri_matrix before, gpri_matrix h, const gpri_step *step,
                      const gpri_real *theta, int64_t first);
    /* The same for the gradients of a filter, without h: out = a M in + b in - c before, sum += theta out, and *dot =
       <S^-1 h, out>, of these rows. */
    void (*propagate_dot)(gpri_matrix out, gpri_matrix sum, double *dot, gpri_matrix in, gpri_matrix before,
                          gpri_matrix h, const gpri_step *step, const gpri_real *theta, int64_t first);
    /* The ends of both: out = theta S h, theta NULL: 1; or, for the gradients, out = S dz, sum = theta out,
       *dot = <h, dz>. At the last y = S^-1 y. scale: (nodes) S, or NULL: I. */
    void (*filter_begin)(gpri_matrix out, gpri_matrix h, const gpri_real *scale, const gpri_real *theta, int64_t first);
    void (*filter_begin_dot)(gpri_matrix out, gpri_matrix sum, double *dot, gpri_matrix dz, gpri_matrix h,
                             const gpri_real *scale, const gpri_real *theta, int64_t first);
    void (*filter_end)(gpri_matrix y, const gpri_real *scale, int64_t first);
    /* All steps of a filter, for a device that takes all rows at once: every matrix has all nodes. z = the filter of h,
       by Horner's scheme. back: scratch like z. */
    void (*filter_forward)(gpri_matrix z, gpri_matrix h, gpri_matrix back, const gpri_filter *filter);
    /* dh = sum_k theta_k B_k and dtheta_k = <h, B_k> (hops + 1), B_k = M^k dz. front, back: scratch of the width of dz;
       back may be the memory of dz, front may not. */
    void (*filter_backward)(gpri_matrix dh, gpri_real *dtheta, gpri_matrix dz, gpri_matrix h, gpri_matrix front,
                            gpri_matrix back, const gpri_filter *filter);
    /* Attention. For a backward pass (else absent) bend becomes y+ - a+ y, where y+ and a+ are the sums over the
       neighbours with e > 0, of what y sums and of a; and the second and third column of target are filled. */
    void (*attention_forward)(gpri_matrix y, gpri_matrix bend, gpri_matrix x, const gpri_attention *a, int64_t first);
    /* dx = sum_i m_ij a_ij dy_i, and dsource (rows x heads), the gradient of source. All of target is read. x: these
       rows. */
    void (*attention_backward)(gpri_matrix dx, gpri_matrix dsource, gpri_matrix dy, gpri_matrix x,
                               const gpri_attention *a, int64_t first);

    /* ---- a step of an LSTM ---- */
    /* gates (rows x 4 units) hold what goes into i, f, g, o and become these; c = f before + i g, h = o tanh(c).
       before: c of the step before; absent: 0. c.cols is the number of units. */
    void (*lstm_forward)(gpri_matrix gates, gpri_matrix c, gpri_matrix h, gpri_matrix before);
    /* gates i, f, g, o become the gradients of what went into them; dc, the gradient of c from the step after, that of
       `before`. */
    void (*lstm_backward)(gpri_matrix gates, gpri_matrix dc, gpri_matrix c, gpri_matrix before, gpri_matrix dh);

    /* ---- training ---- */
    /* z becomes the gradient of scale * weight * sum of factor * -log softmax(z)[label] over training rows whose label
       is not shown (0 on all others); *loss = the sum of factor * -log softmax. z.cols classes. Of a number, in place
       of -log softmax: what its residual costs (task/number.h). */
    void (*nll_backward)(gpri_matrix z, double *loss, const gpri_targets *targets, int64_t first);
    /* *scores = -log softmax (of training rows: times factor) and hits of these rows, without those whose label is
       shown. */
    void (*score)(gpri_scores *scores, gpri_matrix z, const gpri_targets *targets, int64_t first);
    /* A step of Adam; decay: L2, added to the gradient. shrink: w loses this share before the step (AdamW). */
    void (*adam)(gpri_real *w, gpri_real *m, gpri_real *v, const gpri_real *gradient, const gpri_record *record,
                 gpri_real decay, gpri_real shrink, int64_t count);
    /* record->metric = plan's metric of plan's nodes, from the scores z of all rows; `first` is the node of its first.
     */
    void (*metric)(gpri_record *record, gpri_matrix z, const gpri_targets *targets, const gpri_metric_plan *plan,
                   int64_t first);
    /* history[*step] from the scores of `chunks` chunks; the best step; whether to stop. */
    void (*judge)(gpri_record *record, gpri_epoch *history, const gpri_scores *scores, int64_t chunks,
                  const uint32_t *step, const gpri_rule *rule);
    /* best = values, if the step judged last is the best so far. */
    void (*keep_best)(gpri_real *best, const gpri_real *values, int64_t count, const gpri_record *record);
    /* Row *step / rule->gamma_stride of rows (. x count) = gamma, if *step is the step judged last and a multiple of
       the stride. */
    void (*keep_gamma)(float *rows, const gpri_real *gamma, int64_t count, const uint32_t *step,
                       const gpri_record *record, const gpri_rule *rule);
    /* Counts the step, and makes Adam's numbers for the next one. */
    void (*advance)(gpri_record *record, uint32_t *step, const gpri_rule *rule);
} gpri_ops;

/* The names of all operations, in the order of the table. */
#define GPRI_OPS_NAMES                                                                                                 \
    zero, copy, add, scale, sum_blocks, sum_dots, keep_bits, features_forward, features_backward, features_add,        \
        linear_forward, linear_backward, bias_forward, bias_backward, labels_forward, labels_backward, labels_show,    \
        relu_forward, relu_backward, elu_forward, elu_backward, dropout, softmax_forward, softmax_backward,            \
        norm_squares, norm_rate, norm_remember, norm_columns, norm_columns_backward, norm_rows, norm_rows_backward,    \
        head_dots, head_add, head_mean_forward, head_mean_backward, propagate, propagate_dot, filter_begin,            \
        filter_begin_dot, filter_end, filter_forward, filter_backward, attention_forward, attention_backward,          \
        lstm_forward, lstm_backward, nll_backward, score, adam, metric, judge, keep_best, keep_gamma, advance

extern const gpri_ops gpri_ops_ref;

#endif
