/* A list of what a device holds for somebody. */
#include "tensor/held.h"

#include <string.h>

struct gpri_held_block {
    void *block, *kept; /* of the device, of the host */
    const void *shared;
    const void *plan; /* of a graph */
    struct gpri_held_block *next;
};

static gpr_status new_entry(gpri_held *held, struct gpri_held_block **out, const char *what) {
    NEED(gpri_calloc(held->ctx, out, 1, sizeof **out, what));
    (*out)->next = held->blocks;
    held->blocks = *out;
    return GPR_OK;
}

gpr_status gpri_held_alloc(gpri_held *held, void *out, int64_t count, size_t size, bool zeroed, const char *what) {
    gpr_status status = GPR_OK;
    struct gpri_held_block *entry;
    void *block = NULL;
    TRY(new_entry(held, &entry, what));
    TRY(held->device->alloc(held->device, held->ctx, &entry->block, count, size, zeroed, what));
    block = entry->block;
done:
    memcpy(out, &block, sizeof block);
    return status;
}

gpr_status gpri_held_keep(gpri_held *held, void *out, int64_t count, size_t size, const char *what) {
    gpr_status status = GPR_OK;
    struct gpri_held_block *entry;
    void *kept = NULL;
    TRY(new_entry(held, &entry, what));
    TRY(gpri_calloc(held->ctx, &entry->kept, count, size, what));
    kept = entry->kept;
done:
    memcpy(out, &kept, sizeof kept);
    return status;
}

gpr_status gpri_held_share(gpri_held *held, void *out, const void *host, int64_t count, size_t size, const char *what) {
    gpr_status status = GPR_OK;
    struct gpri_held_block *entry;
    const void *shared = NULL;
    if (!host) goto done;
    TRY(new_entry(held, &entry, what));
    TRY(held->device->share(held->device, held->ctx, &entry->shared, host, count * (int64_t)size, what));
    shared = entry->shared;
done:
    memcpy(out, &shared, sizeof shared);
    return status;
}

gpr_status gpri_held_share_graph(gpri_held *held, gpri_graph *view, const gpri_graph *graph) {
    struct gpri_held_block *entry;
    *view = *graph;
    NEED(gpri_held_share(held, &view->rowptr, graph->rowptr, graph->nodes + 1, sizeof *graph->rowptr, "graph"));
    NEED(gpri_held_share(held, &view->column, graph->column, graph->arcs, sizeof *graph->column, "graph"));
    NEED(gpri_held_share(held, &view->weight, graph->weight, graph->arcs, sizeof *graph->weight, "graph"));
    if (!held->device->plan_graph) return GPR_OK;
    NEED(new_entry(held, &entry, "graph"));
    NEED(held->device->plan_graph(held->device, held->ctx, view, graph));
    entry->plan = view->plan;
    return GPR_OK;
}

void gpri_held_give_back(gpri_held *held, const void *block) {
    for (struct gpri_held_block *at = held->blocks; block && at; at = at->next) {
        if (at->block != block) continue;
        held->device->free(held->device, held->ctx, at->block);
        at->block = NULL;
    }
}

void gpri_held_free(gpri_held *held) {
    for (struct gpri_held_block *at = held->blocks, *next; at; at = next) {
        next = at->next;
        if (at->plan) held->device->unplan_graph(held->device, held->ctx, at->plan);
        held->device->free(held->device, held->ctx, at->block);
        gpri_free(held->ctx, at->kept);
        if (at->shared) held->device->unshare(held->device, held->ctx, at->shared);
        gpri_free(held->ctx, at);
    }
    held->blocks = NULL;
}
