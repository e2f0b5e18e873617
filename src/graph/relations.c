/* Several kinds of edges over the same nodes, and the graph that unites them. */
#include <stdlib.h>
#include <string.h>

#include "graph/rows.h"

bool gpri_is_relation_name(const char *name, int64_t size) {
    for (int64_t k = 0; k < size; k++) {
        const char c = name[k], low = (char)(c | 32);
        if (!((low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.')) return false;
    }
    return size > 0 && size <= GPRI_RELATION_NAME;
}

gpr_status gpri_graph_relations_new(gpr_ctx *ctx, gpri_graph *graph, int64_t count) {
    if (count == 0) return GPR_OK;
    NEED(gpri_calloc(ctx, &graph->relations, count, sizeof *graph->relations, "relations"));
    graph->relation_count = count;
    return GPR_OK;
}

const gpri_graph *gpri_graph_relation(const gpri_graph *graph, const char *name) {
    if (*name == 0) return graph;
    for (int64_t r = 0; r < graph->relation_count; r++)
        if (strcmp(graph->relations[r].name, name) == 0) return &graph->relations[r].graph;
    return NULL;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const gpri_relation *)a)->name, ((const gpri_relation *)b)->name);
}

/* The arcs of all relations, row by row: the rows are sorted and merged as those of any input. */
static gpr_status gather(gpr_ctx *ctx, gpri_rows *rows, const gpri_relation *relations, int64_t count) {
    bool weighted = false;
    int64_t arcs = 0;
    for (int64_t r = 0; r < count; r++) {
        weighted = weighted || relations[r].graph.weight;
        arcs += relations[r].graph.arcs;
    }
    NEED(gpri_alloc(ctx, &rows->rowptr, rows->rows + 1, sizeof *rows->rowptr, "graph rows"));
    NEED(gpri_arcs_alloc(ctx, &rows->at, arcs, weighted));
    int64_t end = 0;
    rows->rowptr[0] = 0;
    for (int64_t i = 0; i < rows->rows; i++) {
        for (int64_t r = 0; r < count; r++) {
            const gpri_graph *from = &relations[r].graph;
            for (int64_t k = from->rowptr[i]; k < from->rowptr[i + 1]; k++) {
                if (weighted) rows->at.weight[end] = from->weight ? from->weight[k] : 1;
                rows->at.column[end++] = (uint32_t)from->column[k] * 2;
            }
        }
        rows->rowptr[i + 1] = end;
    }
    return GPR_OK;
}

gpr_status gpri_graph_unite(gpr_ctx *ctx, gpri_graph *graph, gpri_relation *relations, int64_t count) {
    gpr_status status = GPR_OK;
    gpri_rows rows = {.rows = relations[0].graph.nodes, .nodes = relations[0].graph.nodes};
    *graph = (gpri_graph){0};
    if (count == 1) {
        *graph = relations[0].graph;
        relations[0].graph = (gpri_graph){0};
        goto done;
    }
    qsort(relations, (size_t)count, sizeof *relations, by_name);
    for (int64_t r = 1; r < count; r++)
        if (by_name(&relations[r - 1], &relations[r]) == 0)
            THROW(GPR_ERROR_ARGUMENT, "two relations are named '%s': give each its own name", relations[r].name);
    TRY(gather(ctx, &rows, relations, count));
    TRY(gpri_rows_merge(ctx, ctx->threads, &rows));
    if (rows.at.weight && gpri_all_ones(rows.at.weight, rows.arcs)) {
        gpri_free(ctx, rows.at.weight);
        rows.at.weight = NULL;
    }
    *graph = (gpri_graph){.nodes = rows.nodes,
                          .arcs = rows.arcs,
                          .rowptr = rows.rowptr,
                          .column = (int32_t *)rows.at.column, /* the two types differ in sign only */
                          .weight = rows.at.weight,
                          .isolated = rows.isolated,
                          .relation_count = count,
                          .relations = relations};
    for (int64_t r = 0; r < count; r++) {
        graph->self_loops += relations[r].graph.self_loops;
        graph->duplicates += relations[r].graph.duplicates;
    }
    rows = (gpri_rows){0};
    relations = NULL;
done:
    gpri_graph_relations_free(ctx, relations, count);
    gpri_arcs_free(ctx, &rows.at);
    gpri_free(ctx, rows.rowptr);
    return status;
}
