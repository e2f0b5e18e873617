/* The Chernoff-Hellinger divergence of the classes' neighbourhoods: can the graph alone tell all classes apart?
 *
 * Homophily cannot say: two graphs without one edge inside a class have H(G) = 0, though the neighbours in one of them
 * may determine every label. The paper's appendix proposes this measure of the empirical edge probabilities B instead.
 *
 * With n labelled nodes, n_k of them in class k, and m_ik ends of edges at class i that lead to class k, the profile of
 * class i is how many neighbours of each class its nodes have on average:
 *
 *     theta_ik = m_ik / n_i = n p_k B_ik,   p_k = n_k / n,   B_ik = m_ik / (n_i n_k)
 *     D(i, j)  = 1 / log n  max over t in [0, 1] of  sum_k  t theta_ik + (1 - t) theta_jk - theta_ik^t theta_jk^(1 - t)
 *
 * which is D+ of Abbe (2017, arXiv:1703.10146) for a stochastic block model with edge probabilities B = Q log(n) / n.
 * There all labels can be recovered from a large graph if and only if the least D(i, j) of any two classes is at least
 * 1. That least D(i, j) is reported. Where theta is 0, so is its power, at t = 0 and t = 1 too: the supremum over 0 < t
 * < 1.
 *
 * Time: nodes + edges + classes^3. */
#include <math.h>

#include "graph/graph.h"

typedef struct profiles {
    int64_t count; /* classes that have nodes */
    int64_t *id;   /* (count) which class each is */
    double *mean;  /* (count x count) theta */
    double *root;  /* (count x count) its square roots */
} profiles;

/* First and second derivative (slope and bend) at t of the function to maximise. It is concave: the slope falls. */
static double slope_at(const double *a, const double *b, int64_t count, double t, double *bend) {
    double slope = 0;
    *bend = 0;
    for (int64_t k = 0; k < count; k++) {
        slope += a[k] - b[k];
        if (a[k] <= 0 || b[k] <= 0) continue;
        const double ratio = log(a[k] / b[k]), product = b[k] * exp(t * ratio);
        slope -= product * ratio;
        *bend -= product * ratio * ratio;
    }
    return slope;
}

static double value_at(const double *a, const double *b, int64_t count, double t) {
    double sum = 0;
    for (int64_t k = 0; k < count; k++) {
        const double product = a[k] > 0 && b[k] > 0 ? b[k] * exp(t * log(a[k] / b[k])) : 0;
        sum += t * a[k] + (1 - t) * b[k] - product;
    }
    return sum;
}

/* max over t, by Newton's method on the slope, with bisection where a step would leave the interval. */
static double greatest_value(const double *a, const double *b, int64_t count) {
    enum { MOST_STEPS = 100 };
    double low = 0, high = 1, t = 0.5;
    for (int step = 0; step < MOST_STEPS; step++) {
        double bend, slope = slope_at(a, b, count, t, &bend);
        if (slope == 0) break;
        *(slope > 0 ? &low : &high) = t;
        double next = bend < 0 ? t - slope / bend : -1;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        const double moved = fabs(next - t);
        t = next;
        if (moved < 1e-12) break;
    }
    const double ends = fmax(value_at(a, b, count, 0), value_at(a, b, count, 1));
    return fmax(0, fmax(ends, value_at(a, b, count, t)));
}

/* The value at t = 1/2, sum_k (sqrt theta_ik - sqrt theta_jk)^2 / 2: never above the maximum, and quick. */
static double value_at_half(const double *a, const double *b, int64_t count) {
    double sum = 0;
    for (int64_t k = 0; k < count; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return 0.5 * sum;
}

/* Leaves out->value NaN if there are fewer than two classes, or too many. */
static void least_of_pairs(gpri_divergence *out, const profiles *found, int64_t labelled) {
    const int64_t C = found->count;
    double least = INFINITY;
    for (int64_t i = 0; i < C; i++)
        for (int64_t j = i + 1; j < C; j++) {
            if (value_at_half(found->root + i * C, found->root + j * C, C) >= least) continue;
            const double value = greatest_value(found->mean + i * C, found->mean + j * C, C);
            if (value >= least) continue;
            least = value;
            out->first = found->id[i];
            out->second = found->id[j];
        }
    if (least < INFINITY) out->value = least / log((double)labelled);
}

/* From counts to means. */
static void make_profiles(profiles *found, const int64_t *sizes) {
    const int64_t C = found->count;
    for (int64_t i = 0; i < C; i++)
        for (int64_t k = 0; k < C; k++) {
            found->mean[i * C + k] /= (double)sizes[found->id[i]];
            found->root[i * C + k] = sqrt(found->mean[i * C + k]);
        }
}

/* dense: (classes) the place of a class among those that have nodes. */
static void count_profiles(profiles *found, const int64_t *dense, const gpri_graph *graph, const int32_t *labels) {
    const int64_t C = found->count;
    for (int64_t i = 0; i < graph->nodes; i++) {
        if (labels[i] < 0) continue;
        double *row = found->mean + dense[labels[i]] * C; /* whole numbers below 2^53: sums are exact */
        for (int64_t k = graph->rowptr[i]; k < graph->rowptr[i + 1]; k++) {
            const int32_t label = labels[graph->column[k]];
            if (label >= 0) row[dense[label]]++;
        }
    }
}

static void copy_profiles(profiles *found, const int64_t *matrix, int64_t classes) {
    for (int64_t i = 0; i < found->count; i++)
        for (int64_t k = 0; k < found->count; k++)
            found->mean[i * found->count + k] = (double)matrix[found->id[i] * classes + found->id[k]];
}

/* From the graph, or, unless it is NULL, from the matrix. */
static gpr_status find(gpr_ctx *ctx, gpri_divergence *out, const int64_t *sizes, int64_t classes, const int64_t *matrix,
                       const gpri_graph *graph, const int32_t *labels) {
    gpr_status status = GPR_OK;
    int64_t *dense = NULL; /* (classes) */
    int64_t labelled = 0;
    profiles found = {0};
    *out = (gpri_divergence){NAN, -1, -1};
    TRY(gpri_alloc(ctx, &dense, classes, sizeof *dense, "classes"));
    TRY(gpri_alloc(ctx, &found.id, classes, sizeof *found.id, "classes"));
    for (int64_t c = 0; c < classes; c++) {
        labelled += sizes[c];
        dense[c] = found.count;
        if (sizes[c] > 0) found.id[found.count++] = c;
    }
    if (found.count < 2 || found.count > GPRI_DIVERGENCE_CLASSES) goto done;
    TRY(gpri_calloc(ctx, &found.mean, found.count * found.count, sizeof *found.mean, "edges between classes"));
    TRY(gpri_alloc(ctx, &found.root, found.count * found.count, sizeof *found.root, "edges between classes"));
    if (matrix) copy_profiles(&found, matrix, classes);
    else count_profiles(&found, dense, graph, labels);
    make_profiles(&found, sizes);
    least_of_pairs(out, &found, labelled);
done:
    gpri_free_all(ctx, dense, found.id, found.mean, found.root);
    return status;
}

gpr_status gpri_divergence_of_edges(gpr_ctx *ctx, gpri_divergence *out, const int64_t *matrix, const int64_t *sizes,
                                    int64_t classes) {
    return find(ctx, out, sizes, classes, matrix, NULL, NULL);
}

gpr_status gpri_class_divergence(gpr_ctx *ctx, gpri_divergence *out, const gpri_graph *graph, const int32_t *labels,
                                 int64_t classes) {
    int64_t *sizes = NULL; /* (classes) */
    *out = (gpri_divergence){NAN, -1, -1};
    NEED(gpri_alloc(ctx, &sizes, classes, sizeof *sizes, "classes"));
    gpri_class_sizes(sizes, labels, graph->nodes, classes);
    const gpr_status status = find(ctx, out, sizes, classes, NULL, graph, labels);
    gpri_free(ctx, sizes);
    return status;
}
