/* How good predictions are: per class, and by kind of node. */
#include "report/metrics.h"

#include <math.h>
#include <string.h>

static bool counts(const gpri_judged *of, int64_t node) {
    return of->parts[node] == of->part && of->labels[node] >= 0 && of->labels[node] < of->classes &&
           of->predicted[node] >= 0 && of->predicted[node] < of->classes;
}

void gpri_confusion(int64_t *matrix, const gpri_judged *of) {
    memset(matrix, 0, (size_t)(of->classes * of->classes) * sizeof *matrix);
    for (int64_t i = 0; i < of->graph->nodes; i++)
        if (counts(of, i)) matrix[of->labels[i] * of->classes + of->predicted[i]]++;
}

static double share(int64_t part, int64_t whole) { return whole > 0 ? (double)part / (double)whole : NAN; }

double gpri_class_scores(gpri_class_score *scores, const gpri_judged *of) {
    double sum = 0;
    int64_t known = 0;
    memset(scores, 0, (size_t)of->classes * sizeof *scores);
    for (int64_t i = 0; i < of->graph->nodes; i++) {
        if (!counts(of, i)) continue;
        scores[of->labels[i]].nodes++;
        scores[of->predicted[i]].predicted++;
        if (of->labels[i] == of->predicted[i]) scores[of->labels[i]].right++;
    }
    for (int64_t c = 0; c < of->classes; c++) {
        gpri_class_score *score = &scores[c];
        score->precision = share(score->right, score->predicted);
        score->recall = share(score->right, score->nodes);
        score->f1 = share(2 * score->right, score->predicted + score->nodes);
        if (score->nodes == 0 && score->predicted == 0) continue;
        sum += score->f1;
        known++;
    }
    return known ? sum / (double)known : NAN;
}

void gpri_share_interval(const gpri_bin *bin, double *low, double *high) {
    const double z = 1.959963984540054, n = (double)bin->nodes, p = share(bin->right, bin->nodes);
    const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    *low = fmax(middle - half, 0);
    *high = fmin(middle + half, 1);
}

static void add_node(gpri_bin *bin, const gpri_judged *of, int64_t node) {
    bin->nodes++;
    bin->right += of->labels[node] == of->predicted[node];
}

void gpri_score_by_degree(gpri_bin bins[GPRI_DEGREE_BINS], const gpri_judged *of) {
    memset(bins, 0, GPRI_DEGREE_BINS * sizeof *bins);
    for (int64_t i = 0; i < of->graph->nodes; i++) {
        if (!counts(of, i)) continue;
        int bin = 0;
        for (int64_t degree = of->graph->rowptr[i + 1] - of->graph->rowptr[i]; degree > 0; degree /= 2) bin++;
        add_node(&bins[bin < GPRI_DEGREE_BINS ? bin : GPRI_DEGREE_BINS - 1], of, i);
    }
}

void gpri_score_by_homophily(gpri_bin bins[GPRI_HOMOPHILY_BINS], const gpri_judged *of) {
    const gpri_graph *graph = of->graph;
    const int fifths = GPRI_HOMOPHILY_BINS - 1;
    memset(bins, 0, GPRI_HOMOPHILY_BINS * sizeof *bins);
    for (int64_t i = 0; i < graph->nodes; i++) {
        if (!counts(of, i)) continue;
        int64_t same = 0, labelled = 0;
        for (int64_t e = graph->rowptr[i]; e < graph->rowptr[i + 1]; e++) {
            const int32_t label = of->labels[graph->column[e]];
            labelled += label >= 0;
            same += label == of->labels[i];
        }
        const int64_t fifth = labelled ? same * fifths / labelled : fifths;
        add_node(&bins[labelled && fifth == fifths ? fifths - 1 : fifth], of, i);
    }
}
