/* Parts of equal size with few edges between them, by METIS (Karypis and Kumar, SIAM J. Sci. Comput. 20, 1998). */
#include <dlfcn.h>
#include <string.h>

#include "base/thread.h"
#include "file/library.h"
#include "graph/order/order.h"

/* As metis.h 5 declares them, so that no header is needed to build. */
enum { OPTIONS = 40, METIS_OK = 1, METIS_ERROR_MEMORY = -3 };
typedef int defaults_function(int32_t *options);
typedef int part_function(int32_t *nvtxs, int32_t *ncon, int32_t *xadj, int32_t *adjncy, int32_t *vwgt, int32_t *vsize,
                          int32_t *adjwgt, int32_t *nparts, float *tpwgts, float *ubvec, int32_t *options,
                          int32_t *objval, int32_t *part);

enum {
    BLOCKS = 64,      /* that a training cuts its rows into, at most: a part shall be within a block */
    PART_NODES = 8192 /* of a part, about, where the caller does not say how many there are */
};

typedef struct metis {
    defaults_function *defaults;
    part_function *cut;
} metis;

static gpri_lock one_at_a_time = GPRI_LOCK_READY; /* METIS sets handlers of signals, and draws from rand() */

/* The numbers of METIS have 32 bits or 64, as it was built: the defaults that it writes show which. */
static gpr_status load(metis *m) {
    int32_t probe[2 * OPTIONS];
    void *library = dlopen("libmetis.so.5", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library || !gpri_library_find(&m->defaults, library, "METIS_SetDefaultOptions") ||
        !gpri_library_find(&m->cut, library, "METIS_PartGraphRecursive"))
        return gpri_fail(GPR_ERROR_IO,
                         "METIS cannot be loaded: install libmetis.so.5 (Debian: libmetis5), or take `reorder` "
                         "communities, which needs nothing");
    memset(probe, 0, sizeof probe);
    m->defaults(probe);
    if (probe[OPTIONS] != 0)
        return gpri_fail(GPR_ERROR_IO, "libmetis.so.5 has numbers of 64 bits: one with 32 bits is needed, as Debian's "
                                       "libmetis5; or take `reorder` communities, which needs nothing");
    return GPR_OK;
}

/* As many as one asked for; else such that a multiple of them is a block of rows. */
static int64_t parts_of(const gpri_graph *graph, int64_t asked) {
    if (asked > 0) return asked < graph->nodes ? asked : graph->nodes;
    return graph->nodes <= (int64_t)PART_NODES ? 1 : (graph->nodes / PART_NODES / BLOCKS + 1) * BLOCKS;
}

/* part: (nodes). */
static gpr_status cut(const metis *m, int32_t *part, const gpri_graph *graph, int32_t *rowptr, int64_t parts) {
    int32_t nodes = (int32_t)graph->nodes, constraints = 1, count = (int32_t)parts, edges;
    float balance = 1.001f; /* parts are of nearly equal size, so that they are blocks of rows */
    const int found = m->cut(&nodes, &constraints, rowptr, graph->column, NULL, NULL, NULL, &count, NULL, &balance,
                             NULL, &edges, part);
    if (found == METIS_ERROR_MEMORY)
        return gpri_fail(GPR_ERROR_MEMORY, "METIS has too little memory: take `reorder` communities, which needs less");
    if (found != METIS_OK) return gpri_fail(GPR_ERROR_IO, "METIS failed (%d): take `reorder` communities", found);
    return GPR_OK;
}

/* Within a part nodes keep the order that they have in `by`. start: (parts + 1) zeros. */
static void gather(int32_t *order, const int32_t *by, const int32_t *part, int64_t nodes, int64_t *start,
                   int64_t parts) {
    for (int64_t i = 0; i < nodes; i++) start[part[i] + 1]++;
    for (int64_t p = 0; p < parts; p++) start[p + 1] += start[p];
    for (int64_t i = 0; i < nodes; i++) order[start[part[by[i]]]++] = by[i];
}

gpr_status gpri_order_metis(gpr_ctx *ctx, int32_t *order, const gpri_graph *graph, int64_t asked) {
    gpr_status status = GPR_OK;
    const int64_t nodes = graph->nodes, parts = parts_of(graph, asked);
    int32_t *rowptr = NULL, *part = NULL, *by = NULL;
    int64_t *start = NULL;
    metis m;
    TRY(load(&m));
    if (graph->arcs > INT32_MAX)
        THROW(GPR_ERROR_ARGUMENT, "METIS takes at most %d edges, the graph has %lld: take `reorder` communities",
              INT32_MAX / 2, (long long)graph->arcs / 2);
    TRY(gpri_alloc(ctx, &by, nodes, sizeof *by, "order of nodes"));
    TRY(gpri_order_communities(ctx, by, graph));
    TRY(gpri_calloc(ctx, &part, nodes, sizeof *part, "parts of the graph"));
    TRY(gpri_calloc(ctx, &start, parts + 1, sizeof *start, "parts of the graph"));
    TRY(gpri_alloc(ctx, &rowptr, nodes + 1, sizeof *rowptr, "parts of the graph"));
    for (int64_t i = 0; i <= nodes; i++) rowptr[i] = (int32_t)graph->rowptr[i];
    if (parts > 1 && graph->arcs > 0) {
        gpri_acquire(&one_at_a_time);
        status = cut(&m, part, graph, rowptr, parts);
        gpri_release(&one_at_a_time);
    }
    if (status == GPR_OK) gather(order, by, part, nodes, start, parts);
done:
    gpri_free_all(ctx, rowptr, part, by, start);
    return status;
}
