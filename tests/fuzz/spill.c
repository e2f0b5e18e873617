/* Texts of edges through files: the same status, nodes and graph as in memory. The first byte says how little
 * memory there is. */
#include <string.h>

#include "context.h"
#include "graph/spill.h"
#include "input.h"
#include "io/text/edge_list.h"
#include "text.h"

/* Compares the arcs with those of `graph` as they come. */
typedef struct comparing {
    const gpri_graph *graph;
    int64_t place;
} comparing;

static void same(const void *a, const void *b, int64_t place, int64_t count, size_t size) {
    if (a && b && memcmp(a, (const char *)b + (size_t)place * size, (size_t)count * size) != 0) abort();
}

static gpr_status compare(void *user, const gpri_arcs *arcs, int64_t count) {
    comparing *c = user;
    const gpri_graph *graph = c->graph;
    if (count > graph->arcs - c->place || (count > 0 && !arcs->weight != !graph->weight)) abort();
    if (count > 0 && ((graph->sides && !arcs->sides) || (graph->along && !arcs->along))) abort();
    same(arcs->column, graph->column, c->place, count, sizeof *graph->column);
    same(arcs->weight, graph->weight, c->place, count, sizeof *graph->weight);
    same(arcs->sides, graph->sides, c->place, count, sizeof *graph->sides);
    same(arcs->along, graph->along, c->place, count, sizeof *graph->along);
    c->place += count;
    return GPR_OK;
}

static void build_both(gpr_ctx *ctx, gpri_edge_list *within, gpri_edge_list *list, gpri_spill *spill) {
    gpri_graph graph, spilled;
    if (within->edges.nodes != list->edges.nodes || within->count != list->count) abort();
    if (within->names.count != list->names.count || list->edges.count != 0) abort();
    if (gpri_graph_take(ctx, &graph, &within->edges) != GPR_OK) return; /* too large for a fuzzer */
    comparing c = {&graph, 0};
    gpr_status status = gpri_spill_build(spill, &spilled, list->edges.nodes, compare, &c);
    if (status == GPR_OK) {
        if (c.place != graph.arcs || spilled.arcs != graph.arcs || spilled.duplicates != graph.duplicates ||
            spilled.self_loops != graph.self_loops || gpri_spill_directed(spill) != (graph.sides != NULL) ||
            spilled.isolated != graph.isolated ||
            memcmp(spilled.rowptr, graph.rowptr, (size_t)(graph.nodes + 1) * sizeof *graph.rowptr) != 0)
            abort();
    } else if (status != GPR_ERROR_MEMORY) {
        abort();
    }
    gpri_graph_free(ctx, &graph);
    gpri_graph_free(ctx, &spilled);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size < 1) return 0;
    gpr_ctx *ctx = fuzz_context();
    gpri_edge_list within, spilled;
    const char *path = input_path(bytes + 1, size - 1);
    const gpr_status status = gpri_edge_list_read(ctx, &within, path, NULL);
    gpri_edge_sink sink = {.options = {.path = "/dev/shm/gprgnn_fuzz_spill", .memory = 16 * (bytes[0] + 1)}};
    const gpr_status again = gpri_edge_list_read(ctx, &spilled, path, &(gpri_edge_options){.sink = &sink});
    if (again != status && again != GPR_ERROR_MEMORY && status != GPR_ERROR_MEMORY) abort();
    if (status == GPR_OK && again == GPR_OK) build_both(ctx, &within, &spilled, sink.spill);
    gpri_edge_list_free(ctx, &within);
    gpri_edge_list_free(ctx, &spilled);
    gpri_spill_free(sink.spill);
    fuzz_context_free(ctx);
    return 0;
}

static const dictionary words =
    DICTIONARY("src", "dst", "source", "target", "from", "to", "weight", "w", "id", "label", "a", "\"b\"", "#", "%");

FUZZ_MUTATOR(mutate_skipping_one, &words)
