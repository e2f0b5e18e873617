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

const gpri_ops gpri_ops_ref = {"ref",
                               features_forward,
                               features_backward,
                               linear_forward,
                               linear_backward,
                               bias_forward,
                               bias_backward,
                               relu_forward,
                               relu_backward,
                               dropout,
                               propagate,
                               hop,
                               hop_backward,
                               nll_backward,
                               score,
                               adam};
