/* Finding the halo of a process, and fetching its rows. */
#include "walk/halo.h"

#include <string.h>

enum { BITS = 64 };

/* ---- which nodes ---- */

/* A bit for every node of the graph, and how many bits are set before each word: memory of a plan alone. */
typedef struct {
    uint64_t *word;
    int64_t *before;
} node_set;

/* A mapped file may not have been checked yet: what is in it is not trusted. */
static gpr_status find_neighbours(gpr_ctx *ctx, node_set *set, const gpri_graph *graph, int64_t first, int64_t end) {
    const int64_t words = graph->nodes / BITS + 1;
    int64_t count = 0;
    NEED(gpri_calloc(ctx, &set->word, words, sizeof *set->word, "halo"));
    NEED(gpri_alloc(ctx, &set->before, words, sizeof *set->before, "halo"));
    if (graph->rowptr[first] < 0 || graph->rowptr[end] > graph->arcs)
        return gpri_fail(GPR_ERROR_FORMAT, "the graph is damaged: its row pointers are wrong; convert the data again");
    for (int64_t at = graph->rowptr[first]; at < graph->rowptr[end]; at++) {
        const int32_t node = graph->column[at];
        if (node < 0 || node >= graph->nodes)
            return gpri_fail(GPR_ERROR_FORMAT, "the graph is damaged: arc %lld goes to node %d; convert the data again",
                             (long long)at, node);
        if (node < first || node >= end) set->word[node / BITS] |= (uint64_t)1 << (node % BITS);
    }
    for (int64_t w = 0; w < words; w++) {
        set->before[w] = count;
        count += __builtin_popcountll(set->word[w]);
    }
    return GPR_OK;
}

/* How many nodes of the set are below `node`. */
static int64_t rank_of(const node_set *set, int64_t node) {
    const uint64_t lower = set->word[node / BITS] & (((uint64_t)1 << (node % BITS)) - 1);
    return set->before[node / BITS] + __builtin_popcountll(lower);
}

/* Own rows, in the process's own numbers. */
static gpr_status make_graph(gpri_halo *halo, const node_set *set, const gpri_graph *graph) {
    const int64_t nodes = gpri_halo_nodes(halo), end = halo->first + halo->count;
    const int64_t begin = graph->rowptr[halo->first], arcs = graph->rowptr[end] - begin;
    gpri_graph *own = &halo->graph;
    *own = (gpri_graph){.nodes = nodes, .arcs = arcs};
    NEED(gpri_alloc(halo->ctx, &own->rowptr, nodes + 1, sizeof *own->rowptr, "graph of a process"));
    NEED(gpri_alloc(halo->ctx, &own->column, arcs, sizeof *own->column, "graph of a process"));
    if (graph->weight) own->weight = graph->weight + begin;
    for (int64_t i = 0; i <= nodes; i++) {
        const int64_t row = i < halo->below ? 0 : i - halo->below < halo->count ? i - halo->below : halo->count;
        own->rowptr[i] = graph->rowptr[halo->first + row] - begin;
    }
    for (int64_t at = 0; at < arcs; at++) {
        const int32_t node = graph->column[begin + at];
        own->column[at] = (int32_t)(node < halo->first ? rank_of(set, node)
                                    : node < end       ? halo->below + node - halo->first
                                                       : halo->count + rank_of(set, node));
    }
    return GPR_OK;
}

/* ---- who needs what ---- */

static gpr_status make_lists(gpri_halo *halo, const node_set *set, const int64_t *cuts, int32_t *needed) {
    const int64_t size = halo->group->size;
    int64_t at = 0;
    NEED(gpri_calloc(halo->ctx, &halo->in_begin, size + 1, sizeof *halo->in_begin, "halo"));
    NEED(gpri_calloc(halo->ctx, &halo->out_begin, size + 1, sizeof *halo->out_begin, "halo"));
    NEED(gpri_calloc(halo->ctx, &halo->parcels, 2 * size, sizeof *halo->parcels, "halo"));
    for (int64_t p = 0; p <= size; p++) halo->in_begin[p] = rank_of(set, cuts[p]);
    for (int64_t w = 0; w <= cuts[size] / BITS; w++)
        for (uint64_t left = set->word[w]; left; left &= left - 1)
            needed[at++] = (int32_t)(w * BITS + __builtin_ctzll(left));
    return GPR_OK;
}

static int64_t fill_parcels(gpri_parcel *parcels, char *at, const int64_t *begin, int64_t each, int64_t size) {
    int64_t count = 0;
    for (int64_t p = 0; p < size; p++)
        if (begin[p + 1] > begin[p])
            parcels[count++] = (gpri_parcel){p, at + begin[p] * each, (begin[p + 1] - begin[p]) * each};
    return count;
}

/* Tells every process which of its nodes this one needs. counts: (size x size) of process p from process q. */
static gpr_status tell_needs(gpri_halo *halo, int64_t *counts, int64_t *begin, int32_t *needed) {
    gpri_group *group = halo->group;
    const int64_t size = group->size, each = sizeof(int32_t);
    for (int64_t p = 0; p <= size; p++) begin[p] = p * size * (int64_t)sizeof *counts;
    for (int64_t p = 0; p < size; p++) counts[group->rank * size + p] = halo->in_begin[p + 1] - halo->in_begin[p];
    group->gather(group, counts, begin);
    for (int64_t p = 0; p < size; p++) halo->out_begin[p + 1] = halo->out_begin[p] + counts[p * size + group->rank];
    gpr_status status = gpri_alloc(halo->ctx, &halo->out_rows, halo->out_begin[size], sizeof *halo->out_rows, "halo");
    NEED(gpri_all_well(halo->ctx, status));
    const int64_t outs = fill_parcels(halo->parcels, (char *)needed, halo->in_begin, each, size);
    const int64_t ins = fill_parcels(halo->parcels + size, (char *)halo->out_rows, halo->out_begin, each, size);
    group->exchange_begin(group, halo->parcels, outs, halo->parcels + size, ins);
    group->exchange_end(group);
    for (int64_t i = 0; i < halo->out_begin[size]; i++)
        halo->out_rows[i] = (int32_t)(halo->out_rows[i] - halo->first + halo->below);
    return GPR_OK;
}

gpr_status gpri_halo_new(gpr_ctx *ctx, gpri_halo **out, const gpri_graph *graph, const int64_t *cuts) {
    gpri_group *group = ctx->job.group;
    node_set set = {NULL, NULL};
    int32_t *needed = NULL;
    int64_t *counts = NULL;
    gpri_halo *halo = NULL;
    gpr_status status = gpri_calloc(ctx, out, 1, sizeof **out, "halo");
    if (status == GPR_OK) {
        halo = *out;
        halo->ctx = ctx;
        halo->group = group;
        halo->first = cuts[group->rank];
        halo->count = cuts[group->rank + 1] - halo->first;
        status = find_neighbours(ctx, &set, graph, halo->first, halo->first + halo->count);
    }
    if (status == GPR_OK) {
        halo->below = rank_of(&set, halo->first);
        halo->above = rank_of(&set, graph->nodes) - halo->below;
        status = make_graph(halo, &set, graph);
    }
    if (status == GPR_OK) status = gpri_alloc(ctx, &needed, halo->below + halo->above, sizeof *needed, "halo");
    if (status == GPR_OK)
        status = gpri_alloc(ctx, &counts, group->size * group->size + group->size + 1, sizeof *counts, "halo");
    if (status == GPR_OK) status = make_lists(halo, &set, cuts, needed);
    status = gpri_all_well(ctx, status);
    if (status == GPR_OK) status = tell_needs(halo, counts, counts + group->size * group->size, needed);
    gpri_free_all(ctx, set.word, set.before, needed, counts);
    if (status != GPR_OK) {
        gpri_halo_free(*out);
        *out = NULL;
    }
    return status;
}

gpr_status gpri_halo_count(gpr_ctx *ctx, int64_t *out, const gpri_graph *graph, int64_t first, int64_t end) {
    node_set set = {NULL, NULL};
    gpr_status status = find_neighbours(ctx, &set, graph, first, end);
    *out = status == GPR_OK ? rank_of(&set, graph->nodes) : 0;
    gpri_free_all(ctx, set.word, set.before);
    return status;
}

void gpri_halo_free(gpri_halo *halo) {
    if (!halo) return;
    gpr_ctx *ctx = halo->ctx;
    gpri_free_all(ctx, halo->graph.rowptr, halo->graph.column, halo->in_begin, halo->out_begin, halo->out_rows,
                  halo->parcels, halo->out, halo->in, halo);
}

gpr_status gpri_halo_reserve(gpri_halo *halo, int64_t columns) {
    if (columns <= halo->most) return GPR_OK;
    gpri_free_all(halo->ctx, halo->out, halo->in);
    halo->out = halo->in = NULL;
    halo->most = 0;
    NEED(gpri_alloc(halo->ctx, &halo->out, halo->out_begin[halo->group->size] * columns, sizeof(gpri_real), "halo"));
    NEED(gpri_alloc(halo->ctx, &halo->in, (halo->below + halo->above) * columns, sizeof(gpri_real), "halo"));
    halo->most = columns;
    return GPR_OK;
}

/* ---- fetching ---- */

void gpri_halo_begin(gpri_halo *halo, const gpri_matrix *parts, int count) {
    gpri_group *group = halo->group;
    const int64_t size = group->size;
    int64_t columns = 0;
    for (int i = 0; i < count; i++) {
        halo->parts[i] = parts[i];
        columns += parts[i].width;
    }
    halo->part_count = count;
    gpri_real *to = (gpri_real *)halo->out;
    for (int64_t k = 0; k < halo->out_begin[size]; k++)
        for (int i = 0; i < count; i++) {
            memcpy(to, parts[i].at + halo->out_rows[k] * parts[i].ld, (size_t)parts[i].width * sizeof *to);
            to += parts[i].width;
        }
    const int64_t each = columns * (int64_t)sizeof(gpri_real);
    const int64_t outs = fill_parcels(halo->parcels, halo->out, halo->out_begin, each, size);
    const int64_t ins = fill_parcels(halo->parcels + size, halo->in, halo->in_begin, each, size);
    const int64_t before = group->sent;
    group->exchange_begin(group, halo->parcels, outs, halo->parcels + size, ins);
    halo->exchanges++;
    halo->sent += halo->out_begin[size] * each;
    halo->counted += group->sent - before;
}

void gpri_halo_end(gpri_halo *halo) {
    const gpri_real *from = (const gpri_real *)halo->in;
    halo->group->exchange_end(halo->group);
    for (int64_t k = 0; k < halo->below + halo->above; k++) {
        const int64_t row = k < halo->below ? k : halo->count + k;
        for (int i = 0; i < halo->part_count; i++) {
            const gpri_matrix *part = &halo->parts[i];
            memcpy(part->at + row * part->ld, from, (size_t)part->width * sizeof *from);
            from += part->width;
        }
    }
}
