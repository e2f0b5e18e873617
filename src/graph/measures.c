/* How alike neighbours are: the measures that say whether a low-pass or a high-pass filter is called for.
 *
 * Both count arcs of the simple graph (weights play no part) whose two ends are labelled. Time proportional to
 * nodes + edges. */
#include <math.h>

#include "graph/graph.h"

/* Labelled neighbours of the labelled node i, and how many of them are of its class. */
static int64_t labelled_neighbours(const gpri_graph *graph, const int32_t *labels, int64_t i, int64_t *same) {
    int64_t labelled = 0;
    *same = 0;
    for (int64_t k = graph->rowptr[i]; k < graph->rowptr[i + 1]; k++) {
        int32_t label = labels[graph->column[k]];
        labelled += label >= 0;
        *same += label == labels[i];
    }
    return labelled;
}

/* H(G) of the paper: the mean over nodes of the share of neighbours of the node's class. Nodes without neighbours are
   left out, as in the paper's figures. */
double gpri_node_homophily(const gpri_graph *graph, const int32_t *labels) {
    double sum = 0;
    int64_t counted = 0;
    for (int64_t i = 0; i < graph->nodes; i++) {
        if (labels[i] < 0) continue;
        int64_t same, labelled = labelled_neighbours(graph, labels, i, &same);
        if (labelled == 0) continue;
        sum += (double)same / (double)labelled;
        counted++;
    }
    return counted > 0 ? sum / (double)counted : NAN;
}

/* The share of edges within a class. */
double gpri_edge_homophily(const gpri_graph *graph, const int32_t *labels) {
    int64_t within = 0, counted = 0;
    for (int64_t i = 0; i < graph->nodes; i++) {
        if (labels[i] < 0) continue;
        int64_t same;
        counted += labelled_neighbours(graph, labels, i, &same);
        within += same;
    }
    return counted > 0 ? (double)within / (double)counted : NAN; /* each edge counts twice in both */
}
