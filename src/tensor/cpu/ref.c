/* The plain reference: what each operation means, in loops that can be read. Kept for ever; every other table is tested
 * against it. */
#include <math.h>
#include <string.h>

#include "tensor/ops.h"

#include "gprgnn.h"

/* ---- numbers ---- */

static void zero(gpri_matrix y) {
    y = gpri_as_row(y);
    for (int64_t i = 0; i < y.rows; i++) memset(y.at + i * y.ld, 0, (size_t)y.width * sizeof *y.at);
}

static void copy(gpri_matrix y, gpri_matrix x) {
    for (int64_t i = 0; i < y.rows; i++) memcpy(y.at + i * y.ld, x.at + i * x.ld, (size_t)y.width * sizeof *y.at);
}

static void add(gpri_matrix y, gpri_matrix x) {
    for (int64_t i = 0; i < y.rows; i++)
        for (int64_t c = 0; c < y.width; c++) y.at[i * y.ld + c] += x.at[i * x.ld + c];
}

static void scale(gpri_matrix y, gpri_real factor) {
    for (int64_t i = 0; i < y.rows; i++)
        for (int64_t c = 0; c < y.width; c++) y.at[i * y.ld + c] *= factor;
}

static void sum_blocks(gpri_real *sum, const gpri_real *blocks, int64_t count, int64_t stride, int64_t size) {
    memcpy(sum, blocks, (size_t)size * sizeof *sum);
    for (int64_t block = 1; block < count; block++)
        for (int64_t i = 0; i < size; i++) sum[i] += blocks[block * stride + i];
}

static void sum_dots(gpri_real *sum, const double *dots, int64_t count) {
    double all = 0;
    for (int64_t i = 0; i < count; i++) all += dots[i];
    *sum = (gpri_real)all;
}

static void keep_bits(uint64_t *bits, const gpri_mask *mask, int64_t g0, int64_t g1) {
    gpri_keep_bits(bits, g0, g1, gpri_mask_random(mask), mask->rate);
}

static int kept(const uint64_t *keep, int64_t bit) { return !keep || gpri_kept(keep, bit); }

/* ---- the input features ---- */

static void features_forward(gpri_matrix train, gpri_matrix eval, const gpri_features *x, const uint64_t *keep,
                             gpri_real scale, const gpri_real *w, const gpri_real *b, int64_t first) {
    int64_t rows = train.at ? train.rows : eval.rows, width = train.at ? train.width : eval.width;
    for (int64_t i = first; i < first + rows; i++) {
        gpri_real *t = train.at ? train.at + (i - first) * train.ld : NULL;
        gpri_real *e = eval.at ? eval.at + (i - first) * eval.ld : NULL;
        for (int64_t h = 0; h < width; h++) {
            if (t) t[h] = b ? b[h] : 0;
            if (e) e[h] = b ? b[h] : 0;
        }
        int64_t begin = x->dense ? 0 : x->rowptr[i], end = x->dense ? x->cols : x->rowptr[i + 1];
        int64_t bit0 = x->dense ? i * x->cols : 0;
        for (int64_t at = begin; at < end; at++) {
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

static void features_add(gpri_real *dw, gpri_matrix dy, const gpri_features *x, const uint64_t *keep, gpri_real scale,
                         int64_t first, int64_t j0, int64_t j1) {
    for (int64_t j = j0; j < j1; j++) {
        gpri_real *row = dw + j * dy.width;
        int64_t begin = x->dense ? 0 : x->colptr[j], end = x->dense ? x->rows : x->colptr[j + 1];
        for (int64_t at = begin; at < end; at++) {
            int64_t i = x->dense ? at : x->row[at];
            int64_t place = x->dense ? i * x->ld + j : x->rowptr[i] + x->offset[at];
            int64_t bit = x->dense ? i * x->cols + j : place;
            if (i < first || i >= first + dy.rows || !kept(keep, bit)) continue;
            gpri_real value = (x->dense ? x->dense[place] : x->column_value[at]) * scale;
            for (int64_t h = 0; h < dy.width; h++) row[h] += value * dy.at[(i - first) * dy.ld + h];
        }
    }
}

static void features_backward(gpri_real *dw, gpri_matrix dy, const gpri_features *x, const uint64_t *keep,
                              gpri_real scale, int64_t first, int64_t j0, int64_t j1) {
    memset(dw + j0 * dy.width, 0, (size_t)((j1 - j0) * dy.width) * sizeof *dw);
    features_add(dw, dy, x, keep, scale, first, j0, j1);
}

/* ---- rows ---- */

static void linear_forward(gpri_matrix y, gpri_matrix x, const gpri_real *w, const gpri_real *b) {
    for (int64_t i = 0; i < y.rows; i++)
        for (int64_t c = 0; c < y.width; c++) {
            gpri_real sum = b ? b[c] : 0;
            for (int64_t h = 0; h < x.width; h++) sum += x.at[i * x.ld + h] * w[h * y.width + c];
            y.at[i * y.ld + c] = sum;
        }
}

static void linear_backward(gpri_matrix dx, gpri_real *dw, gpri_real *db, gpri_matrix dy, gpri_matrix x,
                            const gpri_real *w) {
    int64_t out = dy.width;
    for (int64_t i = 0; i < dy.rows; i++) {
        for (int64_t c = 0; c < out; c++) db[c] += dy.at[i * dy.ld + c];
        for (int64_t h = 0; h < x.width; h++) {
            gpri_real sum = 0;
            for (int64_t c = 0; c < out; c++) {
                dw[h * out + c] += x.at[i * x.ld + h] * dy.at[i * dy.ld + c];
                sum += dy.at[i * dy.ld + c] * w[h * out + c];
            }
            dx.at[i * dx.ld + h] = sum;
        }
    }
}

static void bias_forward(gpri_matrix y, const gpri_real *b) {
    for (int64_t i = 0; i < y.rows; i++)
        for (int64_t c = 0; c < y.width; c++) y.at[i * y.ld + c] += b[c];
}

static void bias_backward(gpri_real *db, gpri_matrix dy) {
    for (int64_t i = 0; i < dy.rows; i++)
        for (int64_t c = 0; c < dy.width; c++) db[c] += dy.at[i * dy.ld + c];
}

static void labels_forward(gpri_matrix y, const gpri_real *e, const int32_t *shown, int64_t first) {
    for (int64_t i = 0; i < y.rows; i++) {
        if (shown[first + i] < 0) continue;
        const gpri_real *row = e + shown[first + i] * y.width;
        for (int64_t c = 0; c < y.width; c++) y.at[i * y.ld + c] += row[c];
    }
}

static void labels_backward(gpri_real *de, gpri_matrix dy, const int32_t *shown, int64_t first) {
    for (int64_t i = 0; i < dy.rows; i++) {
        if (shown[first + i] < 0) continue;
        gpri_real *row = de + shown[first + i] * dy.width;
        for (int64_t c = 0; c < dy.width; c++) row[c] += dy.at[i * dy.ld + c];
    }
}

static void labels_show(int32_t *shown, gpri_real *factor, const int32_t *known, const uint64_t *keep, int64_t nodes) {
    int64_t all = 0, hidden = 0;
    for (int64_t i = 0; i < nodes; i++) {
        const bool show = known[i] >= 0 && gpri_kept(keep, i);
        shown[i] = show ? known[i] : -1;
        all += known[i] >= 0;
        hidden += known[i] >= 0 && !show;
    }
    *factor = hidden ? (gpri_real)((double)all / (double)hidden) : 0;
}

static void relu_forward(gpri_matrix y) {
    for (int64_t i = 0; i < y.rows; i++)
        for (gpri_real *e = y.at + i * y.ld; e < y.at + i * y.ld + y.width; e++) *e = *e < 0 ? 0 : *e;
}

static void relu_backward(gpri_matrix dy, gpri_matrix y) {
    for (int64_t i = 0; i < dy.rows; i++)
        for (int64_t c = 0; c < dy.width; c++)
            if (!(y.at[i * y.ld + c] > 0)) dy.at[i * dy.ld + c] = 0;
}

static void elu_forward(gpri_matrix y, gpri_matrix x) {
    for (int64_t i = 0; i < y.rows; i++)
        for (int64_t c = 0; c < y.width; c++) {
            gpri_real e = x.at[i * x.ld + c];
            y.at[i * y.ld + c] = e > 0 ? e : (gpri_real)expm1((double)e);
        }
}

static void elu_backward(gpri_matrix dx, gpri_matrix dy, gpri_matrix x) {
    for (int64_t i = 0; i < dx.rows; i++)
        for (int64_t c = 0; c < dx.width; c++) {
            gpri_real e = x.at[i * x.ld + c], d = dy.at[i * dy.ld + c];
            dx.at[i * dx.ld + c] = e > 0 ? d : d * (gpri_real)exp((double)e);
        }
}

static void dropout(gpri_matrix x, const gpri_mask *mask, int64_t first) {
    gpri_random random = gpri_mask_random(mask);
    uint64_t bits[2];
    int64_t group = -1;
    for (int64_t i = first; i < first + x.rows; i++)
        for (int64_t c = 0; c < x.cols; c++) {
            int64_t e = i * x.cols + c;
            if (e / 128 != group) {
                group = e / 128;
                gpri_keep_bits(bits, group, group + 1, random, mask->rate);
            }
            gpri_real *element = &x.at[(i - first) * x.ld + c];
            *element = kept(bits, e % 128) ? *element * mask->rate.scale : 0;
        }
}

static void softmax_forward(gpri_matrix p) {
    for (int64_t i = 0; i < p.rows; i++) {
        gpri_real *row = p.at + i * p.ld;
        double most = row[0], sum = 0;
        for (int64_t t = 1; t < p.cols; t++)
            if (row[t] > most) most = row[t];
        for (int64_t t = 0; t < p.cols; t++) sum += exp(row[t] - most);
        for (int64_t t = 0; t < p.cols; t++) row[t] = (gpri_real)(exp(row[t] - most) / sum);
    }
}

static void softmax_backward(gpri_matrix q, gpri_matrix p) {
    for (int64_t i = 0; i < p.rows; i++) {
        gpri_real *q_row = q.at + i * q.ld, *p_row = p.at + i * p.ld, mean = 0;
        for (int64_t t = 0; t < p.cols; t++) mean += p_row[t] * q_row[t];
        for (int64_t t = 0; t < p.cols; t++) q_row[t] = p_row[t] * (q_row[t] - mean);
    }
}

/* ---- norms ---- */

static void norm_squares(gpri_real *sum, gpri_matrix x, const gpri_real *mean) {
    for (int64_t i = 0; i < x.rows; i++)
        for (int64_t c = 0; c < x.width; c++) {
            const gpri_real apart = x.at[i * x.ld + c] - mean[c];
            sum[c] += apart * apart;
        }
}

static void norm_rate(gpri_real *rate, const gpri_real *squares, gpri_real factor, int64_t count) {
    for (int64_t c = 0; c < count; c++) rate[c] = 1 / (gpri_real)sqrt((double)(factor * squares[c] + GPRI_NORM_LEAST));
}

static void norm_remember(gpri_real *running, const gpri_real *now, gpri_real factor, gpri_real least,
                          const uint32_t *step, int64_t count) {
    const gpri_real share = gpri_remembered_share(least, *step);
    for (int64_t c = 0; c < count; c++) running[c] += share * (factor * now[c] - running[c]);
}

static void norm_columns(gpri_matrix y, gpri_matrix x, const gpri_real *mean, const gpri_real *rate) {
    for (int64_t i = 0; i < y.rows; i++)
        for (int64_t c = 0; c < y.width; c++) y.at[i * y.ld + c] = (x.at[i * x.ld + c] - mean[c]) * rate[c];
}

static void norm_columns_backward(gpri_matrix dx, gpri_matrix dy, gpri_matrix y, const gpri_real *rate,
                                  const gpri_real *sums, gpri_real share) {
    for (int64_t i = 0; i < dx.rows; i++)
        for (int64_t c = 0; c < dx.width; c++) {
            const gpri_real mean = share * sums[c], product = share * sums[dx.width + c];
            dx.at[i * dx.ld + c] += rate[c] * (dy.at[i * dy.ld + c] - mean - y.at[i * y.ld + c] * product);
        }
}

static void norm_rows(gpri_matrix y, gpri_matrix x, gpri_real *rate) {
    for (int64_t i = 0; i < y.rows; i++) {
        const gpri_real *from = x.at + i * x.ld;
        double mean = 0, squares = 0;
        for (int64_t c = 0; c < x.cols; c++) mean += from[c];
        mean /= (double)x.cols;
        for (int64_t c = 0; c < x.cols; c++) squares += (from[c] - mean) * (from[c] - mean);
        rate[i] = 1 / (gpri_real)sqrt(squares / (double)x.cols + (double)GPRI_NORM_LEAST);
        for (int64_t c = 0; c < y.width; c++)
            y.at[i * y.ld + c] = c < x.cols ? (from[c] - (gpri_real)mean) * rate[i] : 0;
    }
}

static void norm_rows_backward(gpri_matrix dx, gpri_matrix dy, gpri_matrix y, const gpri_real *rate) {
    for (int64_t i = 0; i < dx.rows; i++) {
        const gpri_real *d = dy.at + i * dy.ld, *to = y.at + i * y.ld;
        double mean = 0, product = 0;
        for (int64_t c = 0; c < dx.cols; c++) mean += d[c], product += (double)d[c] * to[c];
        mean /= (double)dx.cols, product /= (double)dx.cols;
        for (int64_t c = 0; c < dx.cols; c++)
            dx.at[i * dx.ld + c] += rate[i] * (d[c] - (gpri_real)mean - to[c] * (gpri_real)product);
    }
}

/* ---- steps over the graph ---- */

/* Row i, column c of a M in + b in - c before. */
static gpri_real step_row(const gpri_step *step, gpri_matrix in, gpri_matrix before, int64_t i, int64_t c,
                          int64_t first) {
    const gpri_adjacency *m = &step->m;
    const gpri_graph *graph = m->graph;
    gpri_real sum = m->loop * (m->right ? m->right[i] : 1) * in.at[i * in.ld + c];
    for (int64_t at = graph->rowptr[i]; at < graph->rowptr[i + 1]; at++) {
        int64_t j = graph->column[at];
        gpri_real weight = (graph->weight ? (gpri_real)graph->weight[at] : 1) * (m->right ? m->right[j] : 1);
        sum += weight * in.at[j * in.ld + c];
    }
    gpri_real value = step->a * m->factor * (m->left ? m->left[i] : 1) * sum;
    if (step->b != 0) value += step->b * in.at[i * in.ld + c];
    if (step->c != 0) value -= step->c * before.at[(i - first) * before.ld + c];
    return value;
}

static void propagate(gpri_matrix out, gpri_matrix in, gpri_matrix before, gpri_matrix h, const gpri_step *step,
                      const gpri_real *theta, int64_t first) {
    for (int64_t i = first; i < first + out.rows; i++) {
        gpri_real factor = (theta ? *theta : 1) * (step->scale ? step->scale[i] : 1);
        for (int64_t c = 0; c < out.width; c++)
            out.at[(i - first) * out.ld + c] =
                step_row(step, in, before, i, c, first) + (h.at ? factor * h.at[(i - first) * h.ld + c] : 0);
    }
}

static void propagate_dot(gpri_matrix out, gpri_matrix sum, double *dot, gpri_matrix in, gpri_matrix before,
                          gpri_matrix h, const gpri_step *step, const gpri_real *theta, int64_t first) {
    *dot = 0;
    for (int64_t i = 0; i < out.rows; i++)
        for (int64_t c = 0; c < out.width; c++) {
            gpri_real value = step_row(step, in, before, first + i, c, first);
            out.at[i * out.ld + c] = value;
            sum.at[i * sum.ld + c] += *theta * value;
            *dot += (double)h.at[i * h.ld + c] * value / (step->scale ? step->scale[first + i] : 1);
        }
}

static void filter_begin(gpri_matrix out, gpri_matrix h, const gpri_real *scale, const gpri_real *theta,
                         int64_t first) {
    for (int64_t i = 0; i < out.rows; i++) {
        const gpri_real now = theta ? *theta : 1, factor = scale ? now * scale[first + i] : now;
        for (int64_t c = 0; c < out.width; c++) out.at[i * out.ld + c] = factor * h.at[i * h.ld + c];
    }
}

static void filter_begin_dot(gpri_matrix out, gpri_matrix sum, double *dot, gpri_matrix dz, gpri_matrix h,
                             const gpri_real *scale, const gpri_real *theta, int64_t first) {
    double all = 0;
    for (int64_t i = 0; i < out.rows; i++)
        for (int64_t c = 0; c < out.width; c++) {
            gpri_real value = dz.at[i * dz.ld + c], scaled = (scale ? scale[first + i] : 1) * value;
            out.at[i * out.ld + c] = scaled;
            sum.at[i * sum.ld + c] = *theta * scaled;
            all += (double)h.at[i * h.ld + c] * value;
        }
    *dot = all;
}

static void filter_end(gpri_matrix y, const gpri_real *scale, int64_t first) {
    for (int64_t i = 0; scale && i < y.rows; i++) {
        gpri_real factor = 1 / scale[first + i];
        for (int64_t c = 0; c < y.width; c++) y.at[i * y.ld + c] *= factor;
    }
}

static void filter_forward(gpri_matrix z, gpri_matrix h, gpri_matrix back, const gpri_filter *filter) {
    const gpri_matrix buffers[2] = {z, back};
    gpri_matrix in = gpri_no_matrix;
    for (int64_t k = filter->hops; k >= 0; k--) {
        const gpri_step *step = k == 0 ? &filter->last : &filter->inner;
        const gpri_matrix out = buffers[k % 2]; /* so that the last step writes z */
        if (k == filter->hops) filter_begin(out, h, step->scale, &filter->theta[k], 0);
        else propagate(out, in, gpri_no_matrix, h, step, &filter->theta[k], 0);
        in = out;
    }
}

static void filter_backward(gpri_matrix dh, gpri_real *dtheta, gpri_matrix dz, gpri_matrix h, gpri_matrix front,
                            gpri_matrix back, const gpri_filter *filter) {
    const gpri_matrix buffers[2] = {front, back};
    const gpri_step *step = &filter->inner;
    gpri_matrix in = dz;
    for (int64_t k = 0; k <= filter->hops; k++) {
        const gpri_matrix out = buffers[k % 2];
        double dot;
        if (k == 0) filter_begin_dot(out, dh, &dot, in, h, step->scale, &filter->theta[k], 0);
        else propagate_dot(out, dh, &dot, in, gpri_no_matrix, h, step, &filter->theta[k], 0);
        sum_dots(&dtheta[k], &dot, 1);
        in = out;
    }
    filter_end(dh, step->scale, 0);
}

#include "tensor/cpu/ref_attention.inc"

/* ---- a step of an LSTM ---- */

static gpri_real sigmoid(gpri_real x) { return (gpri_real)(1 / (1 + exp(-(double)x))); }

static void lstm_forward(gpri_matrix gates, gpri_matrix c, gpri_matrix h, gpri_matrix before) {
    int64_t units = c.cols;
    for (int64_t r = 0; r < gates.rows; r++)
        for (int64_t u = 0; u < units; u++) {
            gpri_real *i = &gates.at[r * gates.ld + u], *f = i + units, *g = f + units, *o = g + units;
            *i = sigmoid(*i);
            *f = sigmoid(*f);
            *g = (gpri_real)tanh((double)*g);
            *o = sigmoid(*o);
            c.at[r * c.ld + u] = (before.at ? *f * before.at[r * before.ld + u] : 0) + *i * *g;
            h.at[r * h.ld + u] = *o * (gpri_real)tanh((double)c.at[r * c.ld + u]);
        }
}

static void lstm_backward(gpri_matrix gates, gpri_matrix dc, gpri_matrix c, gpri_matrix before, gpri_matrix dh) {
    int64_t units = c.cols;
    for (int64_t r = 0; r < gates.rows; r++)
        for (int64_t u = 0; u < units; u++) {
            gpri_real *at = &gates.at[r * gates.ld + u], *dc_at = &dc.at[r * dc.ld + u], d_h = dh.at[r * dh.ld + u];
            gpri_real i = at[0], f = at[units], g = at[2 * units], o = at[3 * units];
            gpri_real t = (gpri_real)tanh((double)c.at[r * c.ld + u]), d_c = *dc_at + d_h * o * (1 - t * t);
            at[0] = d_c * g * i * (1 - i);
            at[units] = before.at ? d_c * before.at[r * before.ld + u] * f * (1 - f) : 0;
            at[2 * units] = d_c * i * (1 - g * g);
            at[3 * units] = d_h * t * o * (1 - o);
            *dc_at = d_c * f;
        }
}

/* ---- training ---- */

/* Of numbers: one score per row. */
static void residual_backward(gpri_matrix z, double *loss, const gpri_targets *targets, int64_t first) {
    const double weight = (double)gpri_loss_weight(targets);
    *loss = 0;
    for (int64_t i = 0; i < z.rows; i++) {
        gpri_real *row = z.at + i * z.ld;
        const double r = (double)row[0] - (double)targets->numbers[first + i];
        memset(row, 0, (size_t)z.width * sizeof *row);
        if (!gpri_learns_from(targets, first + i)) continue;
        const double factor = (double)gpri_loss_factor(targets, first + i);
        *loss += factor * gpri_error_cost(&targets->error, r);
        row[0] = (gpri_real)(weight * factor * gpri_error_slope(&targets->error, r));
    }
}

static void residual_score(gpri_scores *scores, gpri_matrix z, const gpri_targets *targets, int64_t first) {
    *scores = (gpri_scores){.loss = {0}};
    for (int64_t i = 0; i < z.rows; i++) {
        if (!gpri_has_loss(targets, first + i)) continue;
        const double r = (double)z.at[i * z.ld] - (double)targets->numbers[first + i];
        scores->loss[targets->part[first + i]] +=
            (double)gpri_loss_factor(targets, first + i) * gpri_error_cost(&targets->error, r);
    }
}

static void nll_backward(gpri_matrix z, double *loss, const gpri_targets *targets, int64_t first) {
    const gpri_real weight = gpri_loss_weight(targets);
    if (targets->numbers) {
        residual_backward(z, loss, targets, first);
        return;
    }
    *loss = 0;
    for (int64_t i = 0; i < z.rows; i++) {
        gpri_real *row = z.at + i * z.ld;
        if (!gpri_learns_from(targets, first + i)) {
            memset(row, 0, (size_t)z.width * sizeof *row);
            continue;
        }
        const int32_t label = targets->labels[first + i];
        const gpri_real factor = gpri_loss_factor(targets, first + i);
        const gpri_link link = gpri_link_of(row, z.cols, 1);
        const double normaliser = link.most + log(link.sum);
        const double surprise = gpri_surprise(link.most, link.sum, (double)row[label]);
        const gpri_real slope = weight * factor * (gpri_real)gpri_loss_slope(targets, surprise);
        *loss += (double)factor * gpri_loss_of(targets, surprise);
        for (int64_t c = 0; c < z.cols; c++) row[c] = slope * (gpri_real)(exp(row[c] - normaliser) - (c == label));
        for (int64_t c = z.cols; c < z.width; c++) row[c] = 0;
    }
}

static void score(gpri_scores *scores, gpri_matrix z, const gpri_targets *targets, int64_t first) {
    if (targets->numbers) {
        residual_score(scores, z, targets, first);
        return;
    }
    *scores = (gpri_scores){.loss = {0}};
    for (int64_t i = 0; i < z.rows; i++) {
        if (!gpri_has_loss(targets, first + i)) continue;
        const gpri_real *row = z.at + i * z.ld;
        const uint8_t part = targets->part[first + i];
        const int32_t label = targets->labels[first + i];
        const gpri_link link = gpri_link_of(row, z.cols, 1);
        scores->loss[part] += (double)gpri_loss_factor(targets, first + i) *
                              gpri_loss_of(targets, gpri_surprise(link.most, link.sum, (double)row[label]));
        scores->correct[part] += link.best == label;
    }
}

static void adam(gpri_real *w, gpri_real *m, gpri_real *v, const gpri_real *gradient, const gpri_record *record,
                 gpri_real decay, gpri_real shrink, int64_t count) {
    const gpri_adam *a = &record->adam;
    for (int64_t i = 0; i < count; i++) {
        gpri_real g = gradient[i] + decay * w[i];
        w[i] -= shrink * w[i];
        m[i] = a->beta1 * m[i] + a->new1 * g;
        v[i] = a->beta2 * v[i] + a->new2 * g * g;
        w[i] -= a->rate * m[i] / ((gpri_real)sqrt((double)v[i]) * a->second_scale + a->epsilon);
    }
}

static void metric(gpri_record *record, gpri_matrix z, const gpri_targets *targets, const gpri_metric_plan *plan,
                   int64_t first) {
    record->metric = gpri_metric_value(z, targets->labels, plan, first);
}

static void judge(gpri_record *record, gpri_epoch *history, const gpri_scores *scores, int64_t chunks,
                  const uint32_t *step, const gpri_rule *rule) {
    gpri_judge(record, history, scores, chunks, step, rule);
}

static void keep_best(gpri_real *best, const gpri_real *values, int64_t count, const gpri_record *record) {
    if (record->improved) memcpy(best, values, (size_t)count * sizeof *best);
}

static void keep_gamma(float *rows, const gpri_real *gamma, int64_t count, const uint32_t *step,
                       const gpri_record *record, const gpri_rule *rule) {
    gpri_keep_gamma(rows, gamma, count, step, record, rule);
}

static void advance(gpri_record *record, uint32_t *step, const gpri_rule *rule) { gpri_advance(record, step, rule); }

const gpri_ops gpri_ops_ref = {"ref", GPRI_OPS_NAMES};
