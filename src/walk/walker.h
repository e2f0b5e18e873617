/* Who walks over a graph: everything that a step needs to know, whoever wants it. Which graph, which of its rows this
 * process has, on which device, with how many threads, and with which other processes.
 *
 * Rows are dealt out in chunks (walk/partition.h), by the number of nodes alone. So sums over chunks have the same bits
 * for any number of threads and processes. */
#ifndef GPRI_WALKER_H
#define GPRI_WALKER_H

#include "tensor/held.h"
#include "walk/share.h"

typedef struct gpri_walker {
    gpr_ctx *ctx;
    const gpri_device *device;
    int threads;             /* that may be used at a time */
    gpri_partition rows;     /* which rows of the graph are worked on */
    const gpri_graph *graph; /* the host's; all of it */
    gpri_share *share;       /* with other processes, which have the other rows; NULL: all are here */
    int64_t origin, local;   /* rows of a matrix that steps read: of the nodes [origin, origin + local) and, in several
                                processes, of those that stand in their place (walk/halo.h) */
    const gpri_graph *near;  /* what steps go by: graph, or that of the halo */
    gpri_graph view;         /* the same with its arrays in the device's memory; on the CPU, near itself */
    gpri_held held;          /* memory of the device that goes with the walker */
    gpri_real *scales[2][GPRI_SCALES]; /* walk/operator.c; NULL: not needed so far */
} gpri_walker;

/* Over all rows of a graph, which must outlive it; free it in any case. */
gpri_walker gpri_walker_of(gpr_ctx *ctx, const gpri_device *device, const gpri_graph *graph, int threads);
/* Over the rows that are this process's where rows or columns are dealt out; else nothing changes. */
gpr_status gpri_walker_spread(gpri_walker *walker) GPRI_MUST_CHECK;
void gpri_walker_free(gpri_walker *walker);

/* (near nodes) the diagonal matrix as rounded; the squares of its rounded numbers. Made once for all who ask. */
gpr_status gpri_walker_scale(gpri_walker *walker, const gpri_real **out, gpri_scale which) GPRI_MUST_CHECK;
gpr_status gpri_walker_squared_scale(gpri_walker *walker, const gpri_real **out, gpri_scale which) GPRI_MUST_CHECK;

/* Who makes the sums over all rows: the processes of this context; NULL: this one, which has all rows. */
static inline const gpr_ctx *gpri_walker_together(const gpri_walker *walker) {
    return walker->share ? walker->ctx : NULL;
}

/* Where a node's row is in a matrix that steps read. */
static inline int64_t gpri_walker_place(const gpri_walker *walker, int64_t node) { return node - walker->origin; }

/* Threads worth using for so many elementary operations. */
int gpri_walker_threads(const gpri_walker *walker, int64_t work);
/* Deals the walker's rows out in its chunks; or all nodes, in the chunks of one process. A device that takes all rows
   at once gets them at once. */
typedef void (*gpri_chunk_rows_fn)(void *arg, gpri_chunk rows);
void gpri_walker_rows(const gpri_walker *walker, int64_t work_per_row, gpri_chunk_rows_fn fn, void *arg);
void gpri_walker_all_rows(const gpri_walker *walker, int64_t work_per_row, gpri_chunk_rows_fn fn, void *arg);
/* Deals the walker's rows out for a step over the graph that reads `in`; in several processes its halo is fetched
   meanwhile. */
void gpri_walker_step(const gpri_walker *walker, gpri_matrix in, int64_t work_per_row, gpri_chunk_rows_fn fn,
                      void *arg);
/* Where chunk `chunk` of all rows is the first of some: the rows some chunks further on, which a disk may read
   meanwhile; else none. */
gpri_range gpri_walker_ahead(const gpri_walker *walker, int64_t chunk);
/* Calls fn(arg, i, slot) for `count` chunks or blocks of a step that reads `reads`: first for those whose `outer` is 0,
   while the halo is on its way. */
void gpri_walker_overlap(const gpri_walker *walker, const gpri_matrix *reads, int reads_count, const char *outer,
                         int threads, int64_t count, gpri_chunk_fn fn, void *arg);

#endif
