/* Which rows of a graph a net has, and how they are cut: by the number of nodes alone, never by threads or processes.
 *
 * Tiles of rows are dealt to blocks, at most 64; blocks are cut into chunks of at most 512 rows or so. Sums are made
 * over blocks (gradients of weights) or chunks (losses, gradients of gamma), and added in order. So several processes
 * that each have some of the blocks give the sums of one process. */
#ifndef GPRI_PARTITION_H
#define GPRI_PARTITION_H

#include <stdint.h>

typedef struct gpri_chunk {
    int64_t first, count; /* nodes [first, first + count) */
    int64_t chunk;        /* its number among those of the partition */
} gpri_chunk;

typedef struct gpri_partition {
    int64_t nodes;          /* of the graph */
    int64_t first, count;   /* the nodes that are this net's rows */
    int64_t tile;           /* rows of a tile */
    int64_t tiles;          /* of all nodes */
    int64_t blocks;         /* of all nodes */
    int64_t block0, block1; /* the net's own */
    int64_t pieces;         /* chunks of a block */
} gpri_partition;

/* All nodes. tile: rows of a tile; 0: all rows are one tile, one block and one chunk. */
gpri_partition gpri_partition_of(int64_t nodes, int64_t tile);
/* Blocks [first, end) alone. */
gpri_partition gpri_partition_blocks(gpri_partition whole, int64_t first, int64_t end);

/* The first tile of a block; that of block `blocks` is the number of tiles. */
static inline int64_t gpri_block_tile(const gpri_partition *p, int64_t block) { return block * p->tiles / p->blocks; }
/* The node that a tile begins with. */
static inline int64_t gpri_tile_node(const gpri_partition *p, int64_t tile) {
    return tile * p->tile < p->nodes ? tile * p->tile : p->nodes;
}
static inline int64_t gpri_own_blocks(const gpri_partition *p) { return p->block1 - p->block0; }
static inline int64_t gpri_own_chunks(const gpri_partition *p) { return gpri_own_blocks(p) * p->pieces; }
gpri_chunk gpri_chunk_rows(const gpri_partition *p, int64_t chunk);
/* The first node of process p of `size` that share all blocks. */
static inline int64_t gpri_process_node(const gpri_partition *whole, int64_t p, int64_t size) {
    return gpri_tile_node(whole, gpri_block_tile(whole, p * whole->blocks / size));
}

#endif
