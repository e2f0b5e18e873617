/* PageRank by steps over all nodes; core numbers by taking the nodes away in the order of what is left of their degrees
 * (Batagelj and Zaversnik 2003), in time proportional to the edges. */
#include "trees/structure.h"

#include <string.h>

#include "base/thread.h"

enum { ROWS = 512, STEPS = 30 };

static const double damping = 0.85;

typedef struct {
    const gpri_graph *graph;
    const double *from; /* (nodes) what each hands on to each neighbour */
    double *to;
    double rest; /* that every node gets */
} ranking;

static void rank_rows(void *arg, int64_t chunk, int slot) {
    const ranking *work = arg;
    const gpri_range range = gpri_chunk_of(chunk, ROWS, work->graph->nodes);
    (void)slot;
    for (int64_t i = range.first; i < range.end; i++) {
        double sum = 0;
        for (int64_t arc = work->graph->rowptr[i]; arc < work->graph->rowptr[i + 1]; arc++)
            sum += work->from[work->graph->column[arc]];
        work->to[i] = work->rest + damping * sum;
    }
}

gpr_status gpri_page_rank(gpr_ctx *ctx, double *rank, const gpri_graph *graph, int threads) {
    const int64_t nodes = graph->nodes;
    double *each;
    NEED(gpri_alloc(ctx, &each, nodes, sizeof *each, "PageRank"));
    for (int64_t i = 0; i < nodes; i++) rank[i] = 1;
    for (int step = 0; step < STEPS; step++) {
        double lost = 0; /* of nodes without neighbours: all get it */
        for (int64_t i = 0; i < nodes; i++) {
            const int64_t degree = gpri_degree(graph, i);
            each[i] = degree > 0 ? rank[i] / (double)degree : 0;
            lost += degree > 0 ? 0 : rank[i];
        }
        ranking work = {graph, each, rank, 1 - damping + damping * lost / (double)nodes};
        gpri_parallel(ctx, threads, gpri_chunk_count(nodes, ROWS), rank_rows, &work);
    }
    gpri_free(ctx, each);
    return GPR_OK;
}

gpr_status gpri_core_numbers(gpr_ctx *ctx, int32_t *core, const gpri_graph *graph) {
    const int64_t nodes = graph->nodes;
    int32_t *order = NULL; /* (nodes) by what is left of their degrees, ascending */
    int64_t *place = NULL; /* (nodes) in it */
    int64_t *first = NULL; /* (most + 2) where nodes of a degree begin */
    int64_t most = 0;
    gpr_status status = GPR_OK;
    for (int64_t i = 0; i < nodes; i++) {
        core[i] = (int32_t)gpri_degree(graph, i);
        most = core[i] > most ? core[i] : most;
    }
    TRY(gpri_alloc(ctx, &order, nodes, sizeof *order, "core numbers"));
    TRY(gpri_alloc(ctx, &place, nodes, sizeof *place, "core numbers"));
    TRY(gpri_calloc(ctx, &first, most + 2, sizeof *first, "core numbers"));
    for (int64_t i = 0; i < nodes; i++) first[core[i] + 1]++;
    for (int64_t d = 0; d <= most; d++) first[d + 1] += first[d];
    for (int64_t i = 0; i < nodes; i++) {
        place[i] = first[core[i]]++;
        order[place[i]] = (int32_t)i;
    }
    memmove(first + 1, first, (size_t)(most + 1) * sizeof *first);
    first[0] = 0;
    for (int64_t k = 0; k < nodes; k++) {
        const int32_t node = order[k];
        for (int64_t arc = graph->rowptr[node]; arc < graph->rowptr[node + 1]; arc++) {
            const int32_t other = graph->column[arc];
            if (core[other] <= core[node]) continue;
            /* it changes places with the first of its degree, and then belongs to those of one less */
            const int64_t at = first[core[other]]++;
            const int32_t moved = order[at];
            order[place[other]] = moved;
            place[moved] = place[other];
            order[at] = other;
            place[other] = at;
            core[other]--;
        }
    }
done:
    gpri_free_all(ctx, order, place, first);
    return status;
}
