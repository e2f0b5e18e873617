/* Breadth-first search: the distances of nodes in steps. */
#include "graph/graph.h"

int64_t gpri_graph_search(const gpri_graph *graph, int32_t start, int32_t most, int32_t *distance, int32_t *queue) {
    int64_t end = 0;
    queue[end++] = start;
    distance[start] = 0;
    for (int64_t next = 0; next < end; next++) {
        const int32_t node = queue[next], further = distance[node] + 1;
        if (further > most) break;
        for (int64_t k = graph->rowptr[node]; k < graph->rowptr[node + 1]; k++) {
            const int32_t neighbour = graph->column[k];
            if (distance[neighbour] >= 0) continue;
            distance[neighbour] = further;
            queue[end++] = neighbour;
        }
    }
    return end;
}
