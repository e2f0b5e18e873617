/* How many predictions are right, by kind of node. */
#include "report/by_kind.h"

#include <math.h>
#include <string.h>

static bool counts(const gpri_judged *judged, int64_t node) {
    return judged->parts[node] == judged->part && judged->labels[node] >= 0 && judged->labels[node] < judged->classes &&
           judged->predicted[node] >= 0 && judged->predicted[node] < judged->classes;
}

void gpri_share_interval(const gpri_bin *bin, double *low, double *high) {
    const double z = 1.959963984540054, n = (double)bin->nodes, p = (double)bin->right / n;
    const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    *low = fmax(middle - half, 0);
    *high = fmin(middle + half, 1);
}

static void add_node(gpri_bin *bin, const gpri_judged *judged, int64_t node) {
    bin->nodes++;
    bin->right += judged->labels[node] == judged->predicted[node];
}

void gpri_score_by_degree(gpri_bin bins[GPRI_DEGREE_BINS], const gpri_judged *judged) {
    memset(bins, 0, GPRI_DEGREE_BINS * sizeof *bins);
    for (int64_t i = 0; i < judged->graph->nodes; i++) {
        if (!counts(judged, i)) continue;
        int bin = 0;
        for (int64_t degree = judged->graph->rowptr[i + 1] - judged->graph->rowptr[i]; degree > 0; degree /= 2) bin++;
        add_node(&bins[bin < GPRI_DEGREE_BINS ? bin : GPRI_DEGREE_BINS - 1], judged, i);
    }
}

void gpri_score_by_homophily(gpri_bin bins[GPRI_HOMOPHILY_BINS], const gpri_judged *judged) {
    memset(bins, 0, GPRI_HOMOPHILY_BINS * sizeof *bins);
    for (int64_t i = 0; i < judged->graph->nodes; i++)
        if (counts(judged, i)) add_node(&bins[judged->kinds[i]], judged, i);
}
