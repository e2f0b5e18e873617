/* The homophily of a whole graph. */
#ifndef TEST_HOMOPHILY_H
#define TEST_HOMOPHILY_H

#include "graph/graph.h"

static inline gpri_alike alike_of(const gpri_graph *graph, const int32_t *labels) {
    gpri_alike all = {0};
    gpri_alike_add(&all, graph, labels, (gpri_range){0, graph->nodes});
    return all;
}

static inline double node_homophily(const gpri_graph *graph, const int32_t *labels) {
    const gpri_alike all = alike_of(graph, labels);
    return gpri_alike_nodes(&all);
}

static inline double edge_homophily(const gpri_graph *graph, const int32_t *labels) {
    const gpri_alike all = alike_of(graph, labels);
    return gpri_alike_edges(&all);
}

#endif
