/* Which order of the nodes to take, and what it gains. */
#include "graph/order/order.h"

#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/thread.h"
#include "graph/arcs.h"

enum {
    SAMPLED = 1 << 21, /* arcs that the share of near neighbours is taken from, about */
    ROWS = 4096        /* of a chunk */
};

/* ---- auto ---- */

#define PAST_CACHE ((int64_t)32 << 20) /* bytes of a panel that no cache holds */
#define PANEL_BYTES 64                 /* of a row */
#define NEAR_ENOUGH 0.5                /* share of near neighbours that leaves little to gain */
#define WORTH 0.15                     /* what must be gained of it */

gpr_status gpri_order_parse(gpri_order_wish *out, const char *text) {
    static const char *const words[] = {"none", "auto", "rcm", "metis", "communities"}; /* as gpri_order_method */
    int64_t parts;
    *out = (gpri_order_wish){.method = GPRI_ORDER_NONE};
    if (!text) return GPR_OK;
    for (int i = 0; i < 5; i++)
        if (strcmp(text, words[i]) == 0) {
            out->method = (gpri_order_method)i;
            return GPR_OK;
        }
    if (strncmp(text, "metis:", 6) == 0 && gpri_parse_int(text + 6, &parts) && parts >= 1 && parts <= 1000000) {
        *out = (gpri_order_wish){.method = GPRI_ORDER_METIS, .parts = parts};
        return GPR_OK;
    }
    if (strncmp(text, "metis:", 6) == 0)
        return gpri_fail(GPR_ERROR_ARGUMENT, "`reorder` is '%s': the number of parts must be from 1 to 1000000", text);
    const char *near = gpr_nearest_word(text, words, 5);
    return gpri_fail(GPR_ERROR_ARGUMENT, "`reorder` is '%s': %s%s%sexpected " GPRI_ORDER_FORM, text,
                     near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
}

double gpri_order_near(const gpri_graph *graph, const int32_t *place) {
    const int64_t step = graph->arcs / SAMPLED + 1;
    int64_t near = 0, all = 0;
    for (int64_t i = 0; i < graph->nodes; i += step) {
        const int64_t own = place ? place[i] : i;
        for (int64_t k = graph->rowptr[i]; k < graph->rowptr[i + 1]; k++, all++) {
            const int64_t other = place ? place[graph->column[k]] : graph->column[k];
            near += own - other < GPRI_NEAR && other - own < GPRI_NEAR;
        }
    }
    return all ? (double)near / (double)all : 1;
}

void gpri_order_invert(int32_t *place, const int32_t *order, int64_t nodes) {
    for (int64_t i = 0; i < nodes; i++) place[order[i]] = (int32_t)i;
}

/* Whether `auto` looks for an order at all. */
static bool may_pay(gpr_ctx *ctx, const gpri_graph *graph) {
    if (graph->nodes * PANEL_BYTES <= PAST_CACHE) {
        gpri_log(ctx, GPR_LOG_INFO, "order of nodes: as it is, %lld nodes fit the cache", (long long)graph->nodes);
        return false;
    }
    const double near = gpri_order_near(graph, NULL);
    if (near < NEAR_ENOUGH) return true;
    gpri_log(ctx, GPR_LOG_INFO, "order of nodes: as it is, %.0f %% of the neighbours are near", 100 * near);
    return false;
}

static gpr_status compute(gpr_ctx *ctx, int32_t *order, const gpri_graph *graph, gpri_order_wish wish) {
    switch (wish.method) {
    case GPRI_ORDER_RCM: return gpri_order_rcm(ctx, order, graph);
    case GPRI_ORDER_METIS: return gpri_order_metis(ctx, order, graph, wish.parts);
    default: return gpri_order_communities(ctx, order, graph);
    }
}

gpr_status gpri_order_find(gpr_ctx *ctx, int32_t **order, const gpri_graph *graph, gpri_order_wish wish) {
    static const char *const names[] = {"", "communities", "reverse Cuthill-McKee", "METIS", "communities"};
    gpr_status status = GPR_OK;
    int32_t *found = NULL, *place = NULL; /* (nodes) */
    const double begun = gpri_seconds_now();
    *order = NULL;
    if (wish.method == GPRI_ORDER_NONE || (wish.method == GPRI_ORDER_AUTO && !may_pay(ctx, graph))) return GPR_OK;
    TRY(gpri_alloc(ctx, &found, graph->nodes, sizeof *found, "order of nodes"));
    TRY(compute(ctx, found, graph, wish));
    TRY(gpri_alloc(ctx, &place, graph->nodes, sizeof *place, "order of nodes"));
    gpri_order_invert(place, found, graph->nodes);
    const double before = gpri_order_near(graph, NULL), after = gpri_order_near(graph, place);
    const bool kept = wish.method != GPRI_ORDER_AUTO || after - before >= WORTH;
    gpri_log(ctx, GPR_LOG_INFO,
             "order of nodes: %s%s; of the neighbours %.1f %% were within %d rows, now %.1f %%; %.1f s",
             names[wish.method], kept ? "" : " would not pay", 100 * before, GPRI_NEAR, 100 * after,
             gpri_seconds_now() - begun);
    if (kept) {
        *order = found;
        found = NULL;
    }
done:
    gpri_free_all(ctx, found, place);
    return status;
}

/* ---- the graph ---- */

typedef struct moving {
    const gpri_graph *from;
    const int32_t *order, *place;
    gpri_graph *to;
} moving;

static void move_rows(void *arg, int64_t chunk, GPRI_UNUSED int slot) {
    const moving *m = arg;
    const gpri_range range = gpri_chunk_of(chunk, ROWS, m->to->nodes);
    for (int64_t i = range.first; i < range.end; i++) {
        const int64_t begin = m->from->rowptr[m->order[i]], at = m->to->rowptr[i], count = m->to->rowptr[i + 1] - at;
        for (int64_t k = 0; k < count; k++) m->to->column[at + k] = m->place[m->from->column[begin + k]];
        if (m->to->weight && count > 0)
            memcpy(m->to->weight + at, m->from->weight + begin, (size_t)count * sizeof *m->to->weight);
        gpri_arcs_sort((uint32_t *)m->to->column + at, m->to->weight ? m->to->weight + at : NULL, count, m->to->nodes);
    }
}

/* What is kept of the directions. The rows of the new order ascend, so an arc back from the next of them is the next of
   its own row. */
static gpr_status move_sides(gpr_ctx *ctx, const moving *m) {
    gpr_status status = GPR_OK;
    const gpri_graph *from = m->from;
    gpri_graph *to = m->to;
    int64_t *next = NULL; /* (nodes) */
    int32_t *back = NULL; /* (arcs) */
    if (!from->sides) return GPR_OK;
    TRY(gpri_alloc(ctx, &to->sides, from->arcs, sizeof *to->sides, "directions of edges"));
    if (from->along) TRY(gpri_alloc(ctx, &to->along, from->arcs, sizeof *to->along, "edge weights"));
    TRY(gpri_copy(ctx, &next, to->rowptr, to->nodes, sizeof *next, "order of nodes"));
    TRY(gpri_graph_reverse(ctx, &back, from));
    for (int64_t i = 0; i < to->nodes; i++)
        for (int64_t k = from->rowptr[m->order[i]]; k < from->rowptr[m->order[i] + 1]; k++) {
            const int64_t other = from->rowptr[from->column[k]] + back[k], at = next[m->place[from->column[k]]]++;
            to->sides[at] = from->sides[other];
            if (to->along) to->along[at] = from->along[other];
        }
done:
    gpri_free_all(ctx, next, back);
    return status;
}

static gpr_status order_relations(gpr_ctx *ctx, gpri_graph *out, const gpri_graph *graph, const int32_t *order) {
    NEED(gpri_graph_relations_new(ctx, out, graph->relation_count));
    for (int64_t r = 0; r < graph->relation_count; r++) {
        NEED(gpri_strdup(ctx, &out->relations[r].name, graph->relations[r].name));
        NEED(gpri_order_graph(ctx, &out->relations[r].graph, &graph->relations[r].graph, order));
    }
    return GPR_OK;
}

gpr_status gpri_order_graph(gpr_ctx *ctx, gpri_graph *out, const gpri_graph *graph, const int32_t *order) {
    gpr_status status = GPR_OK;
    const int64_t nodes = graph->nodes;
    int32_t *place = NULL; /* (nodes) */
    *out = (gpri_graph){.nodes = nodes,
                        .arcs = graph->arcs,
                        .self_loops = graph->self_loops,
                        .duplicates = graph->duplicates,
                        .isolated = graph->isolated,
                        .mutual = graph->mutual};
    TRY(gpri_alloc(ctx, &place, nodes, sizeof *place, "order of nodes"));
    TRY(gpri_alloc(ctx, &out->rowptr, nodes + 1, sizeof *out->rowptr, "graph rows"));
    TRY(gpri_alloc(ctx, &out->column, graph->arcs, sizeof *out->column, "graph edges"));
    if (graph->weight) TRY(gpri_alloc(ctx, &out->weight, graph->arcs, sizeof *out->weight, "edge weights"));
    gpri_order_invert(place, order, nodes);
    out->rowptr[0] = 0;
    for (int64_t i = 0; i < nodes; i++)
        out->rowptr[i + 1] = out->rowptr[i] + graph->rowptr[order[i] + 1] - graph->rowptr[order[i]];
    moving m = {graph, order, place, out};
    gpri_parallel(ctx, ctx->threads, gpri_chunk_count(nodes, ROWS), move_rows, &m);
    TRY(move_sides(ctx, &m));
    TRY(order_relations(ctx, out, graph, order));
done:
    gpri_free(ctx, place);
    if (status != GPR_OK) gpri_graph_free(ctx, out);
    return status;
}
