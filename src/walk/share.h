/* The share of a graph's rows that one of several processes has (dist/group.h): some of the blocks (walk/partition.h).
 * What one process sums over blocks or chunks, in their order, several gather first; then each makes the same sums, and
 * all come to the bits of one process.
 *
 * Steps over the graph need other rows, and get them in one of two ways. Rows: the process has its own rows and their
 * halo (walk/halo.h) of every matrix that a step reads; the halo is fetched before the step. Columns: it has its own
 * rows alone, and is given some columns of all nodes (walk/columns.h). */
#ifndef GPRI_SHARE_H
#define GPRI_SHARE_H

#include "walk/halo.h"
#include "walk/partition.h"

typedef struct gpri_share {
    gpr_ctx *ctx;
    gpri_group *group;
    gpri_partition rows; /* of this process */
    gpri_halo *halo;     /* NULL: columns are dealt out */
    int64_t *cuts;       /* (size + 1) the first node of each process */
    int64_t *block_cuts; /* (size + 1) the first block */
    int64_t *begin;      /* (size + 1) of a gather */
    char *outer_chunks;  /* (own chunks) not 0: some of its rows have neighbours in the halo */
    char *outer_blocks;  /* (own blocks) the same */
    char *gathered;      /* what chunks of all processes have summed, one process after the other */
    int64_t gathered_room;
    gpri_real *all_rows; /* (nodes x width of a result); made when it is asked for */
} gpri_share;

/* The context says whether rows or columns are dealt out. All processes must call it; all fail if one does. */
gpr_status gpri_share_new(gpr_ctx *ctx, gpri_share **out, const gpri_graph *graph,
                          gpri_partition whole) GPRI_MUST_CHECK;
/* Sums of blocks, `each` numbers of one, in the order of all blocks; own: those of this process, which has room for all
   around them. Then it has those of all. */
void gpri_share_blocks(gpri_share *share, gpri_real *own, int64_t each);
void gpri_share_free(gpri_share *share);
/* Logs what was exchanged so far. NULL: nothing. */
void gpri_share_tell(const gpri_share *share);

/* out: (items x all chunks) from own: (items x own chunks), `size` bytes for each chunk. Room for it is made when
   planning, by the same sizes. */
gpr_status gpri_share_reserve_chunks(gpri_share *share, int64_t items, int64_t size) GPRI_MUST_CHECK;
void gpri_share_chunks(gpri_share *share, void *out, const void *own, int64_t items, int64_t size);

/* The rows of all processes, from those of each: (nodes x width), without gaps. In all processes; or in process 0
   alone, and *out is no matrix in the others. reserve: makes the room for it before, always of the same width. */
gpr_status gpri_share_reserve_rows(gpri_share *share, int64_t width) GPRI_MUST_CHECK;
void gpri_share_all_rows(gpri_share *share, gpri_matrix *out, gpri_matrix own, int64_t width);
void gpri_share_first_rows(gpri_share *share, gpri_matrix *out, gpri_matrix own, int64_t width);

#endif
