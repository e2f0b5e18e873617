/* What a net shares with the same net in other processes (dist/group.h). Each has some of the blocks of rows
 * (layer/partition.h). What one process sums over blocks or chunks, in their order, several gather first; then each
 * makes the same sums, and all come to the bits of one process.
 *
 * Layers that need other rows get them in one of two ways. Rows: the process has its own rows and their halo
 * (layer/processes/halo.h) of every matrix that a step over the graph reads; the halo is fetched before the step.
 * Columns: it has its own rows alone, and the graph filter, which treats columns alike, is given the columns of all
 * nodes (layer/processes/filter_columns.c). */
#ifndef GPRI_SHARE_H
#define GPRI_SHARE_H

#include "layer/net.h"
#include "layer/processes/halo.h"

typedef struct gpri_share {
    gpri_group *group;
    gpri_halo *halo;     /* NULL: the columns of the filter are dealt out */
    int64_t *cuts;       /* (size + 1) the first node of each process */
    int64_t *block_cuts; /* (size + 1) the first block */
    int64_t *begin;      /* (size + 1) of a gather */
    char *outer_chunks;  /* (own chunks) not 0: some of its rows have neighbours in the halo */
    char *outer_blocks;  /* (own blocks) the same */
    char *gathered;      /* what chunks of all processes have summed, one process after the other */
    int64_t gathered_room;
    gpri_real *scores; /* (nodes x width of the output) of gpri_net_all_scores; made when it is asked for */
} gpri_share;

/* Gives the net, which has no layers yet, its share of the rows; nothing where rows are not dealt out. */
gpr_status gpri_net_spread(gpri_net *net) GPRI_MUST_CHECK;
void gpri_share_free(gpri_net *net);
/* After the layers are known: whether all of them can be dealt out, and room for what they exchange. */
gpr_status gpri_share_plan(gpri_net *net) GPRI_MUST_CHECK;

/* Logs what was exchanged so far. */
void gpri_share_tell(const gpri_net *net);

/* All processes' partial sums of a layer, in the order of blocks. */
void gpri_share_blocks(gpri_net *net, const gpri_layer *layer);
/* out: (items x all chunks) from own: (items x own chunks), `size` bytes for each chunk. Room for it is made when
   planning, by the same sizes. */
gpr_status gpri_share_reserve_chunks(gpri_net *net, int64_t items, int64_t size) GPRI_MUST_CHECK;
void gpri_share_chunks(gpri_net *net, void *out, const void *own, int64_t items, int64_t size);
/* The sum over all rows of a weight on the features: hands it on from process to process. */
typedef void (*gpri_hand_on_fn)(void *arg, int64_t first, int64_t end);
void gpri_share_chain(gpri_net *net, gpri_weight *weight, gpri_hand_on_fn fn, void *arg);

/* Deals all nodes out, in the chunks of one process. */
void gpri_net_deal_all_rows(gpri_net *net, int64_t work_per_row, gpri_chunk_rows_fn fn, void *arg);
/* Deals the net's rows out for a step over the graph that reads `in`; in several processes its halo is fetched
   meanwhile. */
void gpri_net_deal_step(gpri_net *net, gpri_matrix in, int64_t work_per_row, gpri_chunk_rows_fn fn, void *arg);

#endif
