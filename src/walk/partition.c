/* Cutting the rows of a graph into tiles, blocks and chunks. */
#include "walk/partition.h"

enum { MOST_BLOCKS = 64, CHUNK = 512 };

gpri_partition gpri_partition_of(int64_t nodes, int64_t tile) {
    gpri_partition p = {.nodes = nodes, .count = nodes, .tile = tile};
    if (tile == 0) p.tile = nodes > 0 ? nodes : 1;
    p.tiles = (nodes + p.tile - 1) / p.tile;
    p.blocks = p.tiles < 8 ? 1 : p.tiles > 4 * MOST_BLOCKS ? MOST_BLOCKS : p.tiles / 4;
    p.block1 = p.blocks;
    int64_t most = (p.tiles + p.blocks - 1) / p.blocks; /* tiles of a block */
    p.pieces = tile == 0 ? 1 : (most * p.tile + CHUNK - 1) / CHUNK;
    if (p.pieces < 1) p.pieces = 1;
    return p;
}

gpri_partition gpri_partition_blocks(gpri_partition whole, int64_t first, int64_t end) {
    whole.block0 = first;
    whole.block1 = end;
    whole.first = gpri_tile_node(&whole, gpri_block_tile(&whole, first));
    whole.count = gpri_tile_node(&whole, gpri_block_tile(&whole, end)) - whole.first;
    return whole;
}

gpri_chunk gpri_chunk_rows(const gpri_partition *p, int64_t chunk) {
    int64_t block = p->block0 + chunk / p->pieces, piece = chunk % p->pieces;
    int64_t tile0 = gpri_block_tile(p, block), tiles = gpri_block_tile(p, block + 1) - tile0;
    int64_t first = gpri_tile_node(p, tile0 + piece * tiles / p->pieces);
    int64_t end = gpri_tile_node(p, tile0 + (piece + 1) * tiles / p->pieces);
    return (gpri_chunk){first, end - first, chunk};
}
