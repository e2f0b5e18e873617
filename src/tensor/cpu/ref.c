/* The plain reference: what each operation means, in loops that can be read. Kept for ever; all else is measured by it.
 */
#include <math.h>
#include <string.h>

#include "tensor/ops.h"

static int kept(const uint64_t *keep, int64_t bit) { return !keep || (keep[bit >> 6] >> (bit & 63) & 1); }

static void features_forward(gpri_real *train, gpri_real *eval, int64_t ld, const gpri_features *x,
                             const uint64_t *keep, gpri_real scale, const gpri_real *w, const gpri_real *b,
                             int64_t width, int64_t r0, int64_t r1) {
    for (int64_t i = r0; i < r1; i++) {
        gpri_real *t = train ? train + (i - r0) * ld : NULL, *e = eval ? eval + (i - r0) * ld : NULL;
        for (int64_t h = 0; h < width; h++) {
            if (t) t[h] = b ? b[h] : 0;
            if (e) e[h] = b ? b[h] : 0;
        }
        int64_t first = x->dense ? 0 : x->rowptr[i], end = x->dense ? x->cols : x->rowptr[i + 1];
        int64_t bit0 = x->dense ? i * x->cols : 0;
        for (int64_t at = first; at < end; at++) {
            int64_t j = x->dense ? at : x->column[at];
            gpri_real value = x->dense ? x->dense[i * x->ld + at] : x->value[at];
            gpri_real thinned = kept(keep, bit0 + at) ? value * scale : 0;
            for (int64_t h = 0; h < width; h++) {
                if (t) t[h] += thinned * w[j * width + h];
                if (e) e[h] += value * w[j * width + h];
            }
        }
    }
}

static void features_backward(gpri_real *dw, const gpri_features *x, const uint64_t *keep, gpri_real scale,
                              const gpri_real *dy, int64_t lddy, int64_t width, int64_t j0, int64_t j1) {
    for (int64_t j = j0; j < j1; j++) {
        gpri_real *row = dw + j * width;
        memset(row, 0, (size_t)width * sizeof *row);
        int64_t first = x->dense ? 0 : x->colptr[j], end = x->dense ? x->rows : x->colptr[j + 1];
        for (int64_t at = first; at < end; at++) {
            int64_t i = x->dense ? at : x->row[at];
            int64_t place = x->dense ? i * x->ld + j : x->rowptr[i] + x->offset[at];
            int64_t bit = x->dense ? i * x->cols + j : place;
            if (!kept(keep, bit)) continue;
            gpri_real value = (x->dense ? x->dense[place] : x->column_value[at]) * scale;
            for (int64_t h = 0; h < width; h++) row[h] += value * dy[i * lddy + h];
        }
    }
}

static void linear_forward(gpri_real *y, int64_t ldy, const gpri_real *x, int64_t ldx, const gpri_real *w,
                           const gpri_real *b, int64_t rows, int64_t in, int64_t out) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < out; c++) {
            gpri_real sum = b ? b[c] : 0;
            for (int64_t h = 0; h < in; h++) sum += x[i * ldx + h] * w[h * out + c];
            y[i * ldy + c] = sum;
        }
}

static void linear_backward(gpri_real *dx, int64_t lddx, gpri_real *dw, gpri_real *db, const gpri_real *x, int64_t ldx,
                            const gpri_real *dy, int64_t lddy, const gpri_real *w, int64_t rows, int64_t in,
                            int64_t out) {
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t c = 0; c < out; c++) db[c] += dy[i * lddy + c];
        for (int64_t h = 0; h < in; h++) {
            gpri_real sum = 0;
            for (int64_t c = 0; c < out; c++) {
                dw[h * out + c] += x[i * ldx + h] * dy[i * lddy + c];
                sum += dy[i * lddy + c] * w[h * out + c];
            }
            dx[i * lddx + h] = sum;
        }
    }
}

static void bias_forward(gpri_real *y, int64_t ld, const gpri_real *b, int64_t width, int64_t rows) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < width; c++) y[i * ld + c] += b[c];
}

static void bias_backward(gpri_real *db, const gpri_real *dy, int64_t ld, int64_t width, int64_t rows) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < width; c++) db[c] += dy[i * ld + c];
}

static void relu_forward(gpri_real *y, int64_t count) {
    for (int64_t i = 0; i < count; i++) y[i] = y[i] > 0 ? y[i] : 0;
}

static void relu_backward(gpri_real *dy, const gpri_real *y, int64_t count) {
    for (int64_t i = 0; i < count; i++) dy[i] = y[i] > 0 ? dy[i] : 0;
}

static void elu_forward(gpri_real *y, const gpri_real *x, int64_t count) {
    for (int64_t i = 0; i < count; i++) y[i] = x[i] > 0 ? x[i] : (gpri_real)expm1((double)x[i]);
}

static void elu_backward(gpri_real *dx, const gpri_real *dy, const gpri_real *x, int64_t count) {
    for (int64_t i = 0; i < count; i++) dx[i] = x[i] > 0 ? dy[i] : dy[i] * (gpri_real)exp((double)x[i]);
}

static void dropout(gpri_real *x, int64_t ld, int64_t cols, gpri_stream stream, gpri_dropout_rate rate, int64_t r0,
                    int64_t r1) {
    uint64_t bits[2];
    int64_t group = -1;
    for (int64_t i = r0; i < r1; i++)
        for (int64_t c = 0; c < cols; c++) {
            int64_t e = i * cols + c;
            if (e / 128 != group) {
                group = e / 128;
                gpri_keep_bits(bits, group, group + 1, stream, rate);
            }
            gpri_real *element = &x[(i - r0) * ld + c];
            *element = kept(bits, e % 128) ? *element * rate.scale : 0;
        }
}

static void propagate(gpri_real *out, int64_t ldo, const gpri_real *in, int64_t ldi, const gpri_real *own,
                      int64_t ld_own, const gpri_adjacency *m, int64_t width, int64_t r0, int64_t r1) {
    const gpri_graph *graph = m->graph;
    for (int64_t i = r0; i < r1; i++)
        for (int64_t c = 0; c < width; c++) {
            gpri_real sum = m->loop * (m->right ? m->right[i] : 1) * in[i * ldi + c];
            for (int64_t at = graph->rowptr[i]; at < graph->rowptr[i + 1]; at++) {
                int64_t j = graph->column[at];
                gpri_real weight = (graph->weight ? (gpri_real)graph->weight[at] : 1) * (m->right ? m->right[j] : 1);
                sum += weight * in[j * ldi + c];
            }
            out[(i - r0) * ldo + c] =
                m->factor * (m->left ? m->left[i] : 1) * sum + (own ? own[(i - r0) * ld_own + c] : 0);
        }
}

static void head_dots(gpri_real *s, int64_t lds, const gpri_real *x, int64_t ldx, const gpri_real *a, int64_t lda,
                      int64_t heads, int64_t out, int64_t rows) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t h = 0; h < heads; h++) {
            gpri_real sum = 0;
            for (int64_t c = h * out; c < (h + 1) * out; c++) sum += x[i * ldx + c] * a[i * lda + c];
            s[i * lds + h] = sum;
        }
}

static void head_add(gpri_real *y, int64_t ldy, const gpri_real *s, int64_t lds, const gpri_real *x, int64_t ldx,
                     int64_t heads, int64_t out, int64_t rows) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t h = 0; h < heads; h++)
            for (int64_t c = h * out; c < (h + 1) * out; c++) y[i * ldy + c] += s[i * lds + h] * x[i * ldx + c];
}

static gpri_real leaky(const gpri_attention *a, gpri_real e) { return e > 0 ? e : a->slope * e; }

/* The k-th that node i attends to: its neighbours, then itself. */
static int64_t attended(const gpri_graph *graph, int64_t i, int64_t k) {
    return graph->rowptr[i] + k < graph->rowptr[i + 1] ? graph->column[graph->rowptr[i] + k] : i;
}

static void attention_forward(gpri_real *y, int64_t ldy, gpri_real *bend, const gpri_real *x, int64_t ldx,
                              const gpri_attention *a, int64_t r0, int64_t r1) {
    int64_t heads = a->heads, out = a->out;
    for (int64_t i = r0; i < r1; i++) {
        gpri_real *y_row = y + (i - r0) * ldy, *bend_row = bend ? bend + (i - r0) * a->width : NULL;
        int64_t first = a->graph->rowptr[i] + i, count = a->graph->rowptr[i + 1] - a->graph->rowptr[i] + 1;
        memset(y_row, 0, (size_t)a->width * sizeof *y_row);
        if (bend) memset(bend_row, 0, (size_t)a->width * sizeof *bend_row);
        for (int64_t h = 0; h < heads; h++) {
            gpri_real *target = a->target + i * 4 * heads + h, largest = a->source[i * heads + h], sum = 0, above = 0;
            for (int64_t k = 0; k < count; k++) {
                gpri_real source = a->source[attended(a->graph, i, k) * heads + h];
                if (source > largest) largest = source;
            }
            largest = leaky(a, largest + target[0]); /* it never falls */
            for (int64_t k = 0; k < count; k++) {
                int64_t j = attended(a->graph, i, k);
                gpri_real e = a->source[j * heads + h] + target[0];
                gpri_real weight = (gpri_real)exp((double)(leaky(a, e) - largest));
                sum += weight;
                if (e > 0) above += weight;
                if (!kept(a->keep, (first + k) * heads + h)) continue;
                for (int64_t c = h * out; c < (h + 1) * out; c++) {
                    y_row[c] += weight * x[j * ldx + c];
                    if (bend && e > 0) bend_row[c] += weight * x[j * ldx + c];
                }
            }
            for (int64_t c = h * out; c < (h + 1) * out; c++) {
                y_row[c] *= a->scale / sum;
                if (bend) bend_row[c] = bend_row[c] * (a->scale / sum) - above / sum * y_row[c];
            }
            if (bend) target[heads] = largest, target[2 * heads] = 1 / sum;
        }
    }
}

static void attention_backward(gpri_real *dx, int64_t lddx, gpri_real *dsource, const gpri_real *x, int64_t ldx,
                               const gpri_real *dy, int64_t lddy, const gpri_attention *a, int64_t r0, int64_t r1) {
    const int64_t *rowptr = a->graph->rowptr;
    int64_t heads = a->heads, out = a->out;
    for (int64_t j = r0; j < r1; j++) {
        gpri_real *row = dx + (j - r0) * lddx;
        memset(row, 0, (size_t)a->width * sizeof *row);
        for (int64_t h = 0; h < heads; h++) {
            gpri_real sum = 0;
            for (int64_t at = rowptr[j]; at <= rowptr[j + 1]; at++) { /* node i attends to j; last j itself */
                int64_t i = attended(a->graph, j, at - rowptr[j]);
                int64_t place = at == rowptr[j + 1] ? at + j : a->keep ? rowptr[i] + i + a->reverse[at] : 0;
                const gpri_real *target = a->target + i * 4 * heads + h;
                gpri_real e = a->source[j * heads + h] + target[0], slope = e > 0 ? 1 : a->slope;
                gpri_real share = (gpri_real)exp((double)(leaky(a, e) - target[heads])) * target[2 * heads];
                gpri_real thinned = kept(a->keep, place * heads + h) ? share * a->scale : 0, dot = 0;
                for (int64_t c = h * out; c < (h + 1) * out; c++) {
                    row[c] += thinned * dy[i * lddy + c];
                    dot += dy[i * lddy + c] * x[j * ldx + c];
                }
                sum += slope * (thinned * dot - share * target[3 * heads]);
            }
            dsource[(j - r0) * heads + h] = sum;
        }
    }
}

static gpri_real sigmoid(gpri_real x) { return (gpri_real)(1 / (1 + exp(-(double)x))); }

static void lstm_forward(gpri_real *gates, int64_t ldg, gpri_real *c, int64_t ldc, gpri_real *h, int64_t ldh,
                         const gpri_real *before, int64_t units, int64_t rows) {
    for (int64_t r = 0; r < rows; r++)
        for (int64_t u = 0; u < units; u++) {
            gpri_real *i = &gates[r * ldg + u], *f = i + units, *g = f + units, *o = g + units;
            *i = sigmoid(*i);
            *f = sigmoid(*f);
            *g = (gpri_real)tanh((double)*g);
            *o = sigmoid(*o);
            c[r * ldc + u] = (before ? *f * before[r * ldc + u] : 0) + *i * *g;
            h[r * ldh + u] = *o * (gpri_real)tanh((double)c[r * ldc + u]);
        }
}

static void lstm_backward(gpri_real *gates, int64_t ldg, gpri_real *dc, const gpri_real *c, int64_t ldc,
                          const gpri_real *before, const gpri_real *dh, int64_t ldh, int64_t units, int64_t rows) {
    for (int64_t r = 0; r < rows; r++)
        for (int64_t u = 0; u < units; u++) {
            gpri_real *at = &gates[r * ldg + u], *dc_at = &dc[r * ldc + u], d_h = dh[r * ldh + u];
            gpri_real i = at[0], f = at[units], g = at[2 * units], o = at[3 * units];
            gpri_real t = (gpri_real)tanh((double)c[r * ldc + u]), d_c = *dc_at + d_h * o * (1 - t * t);
            at[0] = d_c * g * i * (1 - i);
            at[units] = before ? d_c * before[r * ldc + u] * f * (1 - f) : 0;
            at[2 * units] = d_c * i * (1 - g * g);
            at[3 * units] = d_h * t * o * (1 - o);
            *dc_at = d_c * f;
        }
}

/* (A + I) in, one row, one column. */
static gpri_real neighbours(const gpri_graph *graph, const gpri_real *in, int64_t ld, int64_t i, int64_t c) {
    gpri_real sum = in[i * ld + c];
    for (int64_t at = graph->rowptr[i]; at < graph->rowptr[i + 1]; at++) {
        gpri_real weight = graph->weight ? (gpri_real)graph->weight[at] : 1;
        sum += weight * in[graph->column[at] * ld + c];
    }
    return sum;
}

static void hop(gpri_real *out, const gpri_real *in, int64_t ld, const gpri_real *h, int64_t ldh, gpri_real gamma,
                int last, const gpri_graph *graph, const gpri_real *s, int64_t width, int64_t r0, int64_t r1) {
    for (int64_t i = r0; i < r1; i++)
        for (int64_t c = 0; c < width; c++) {
            gpri_real sum = neighbours(graph, in, ld, i, c);
            out[i * ld + c] =
                last ? s[i] * sum + gamma * h[i * ldh + c] : s[i] * s[i] * sum + gamma * s[i] * h[i * ldh + c];
        }
}

static double hop_backward(gpri_real *out, const gpri_real *in, gpri_real *sum, const gpri_real *h, int64_t ldh,
                           gpri_real gamma, const gpri_graph *graph, const gpri_real *s, int64_t width, int64_t r0,
                           int64_t r1) {
    double dot = 0;
    for (int64_t i = r0; i < r1; i++)
        for (int64_t c = 0; c < width; c++) {
            gpri_real value = s[i] * s[i] * neighbours(graph, in, width, i, c);
            out[i * width + c] = value;
            sum[i * width + c] += gamma * value;
            dot += (double)h[i * ldh + c] * value / s[i];
        }
    return dot;
}

/* -log softmax(z)[label]; the normaliser max + log sum exp is left in *normaliser. */
static double nll(const gpri_real *z, int64_t classes, int32_t label, double *normaliser) {
    double most = z[0], sum = 0;
    for (int64_t c = 1; c < classes; c++)
        if (z[c] > most) most = z[c];
    for (int64_t c = 0; c < classes; c++) sum += exp(z[c] - most);
    *normaliser = most + log(sum);
    return *normaliser - z[label];
}

static double nll_backward(gpri_real *z, int64_t ld, int64_t classes, int64_t width, const int32_t *labels,
                           const uint8_t *part, gpri_real weight, int64_t r0, int64_t r1) {
    double loss = 0;
    for (int64_t i = r0; i < r1; i++) {
        gpri_real *row = z + (i - r0) * ld;
        if (part[i] != GPR_TRAIN) {
            memset(row, 0, (size_t)width * sizeof *row);
            continue;
        }
        double normaliser;
        loss += nll(row, classes, labels[i], &normaliser);
        for (int64_t c = 0; c < classes; c++)
            row[c] = weight * (gpri_real)(exp(row[c] - normaliser) - (c == labels[i]));
        for (int64_t c = classes; c < width; c++) row[c] = 0;
    }
    return loss;
}

static void score(gpri_scores *scores, const gpri_real *z, int64_t ld, int64_t classes, const int32_t *labels,
                  const uint8_t *part, int64_t r0, int64_t r1) {
    for (int64_t i = r0; i < r1; i++) {
        if (part[i] == GPR_UNUSED) continue;
        const gpri_real *row = z + (i - r0) * ld;
        double normaliser;
        scores->loss[part[i]] += nll(row, classes, labels[i], &normaliser);
        int64_t best = 0;
        for (int64_t c = 1; c < classes; c++)
            if (row[c] > row[best]) best = c;
        scores->correct[part[i]] += best == labels[i];
    }
}

static void adam(gpri_real *w, const gpri_real *gradient, gpri_real *first, gpri_real *second, gpri_adam a,
                 int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        gpri_real g = gradient[i] + a.decay * w[i];
        first[i] = a.beta1 * first[i] + a.new1 * g;
        second[i] = a.beta2 * second[i] + a.new2 * g * g;
        w[i] -= a.rate * first[i] / ((gpri_real)sqrt((double)second[i]) * a.second_scale + a.epsilon);
    }
}

const gpri_ops gpri_ops_ref = GPRI_OPS_TABLE("ref");
