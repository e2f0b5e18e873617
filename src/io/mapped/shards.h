/* A .gpr file cut into shards: a head and some files with the rows of the graph and of the features.
 *
 * Head and shards hold pieces of one .gpr file, each from a multiple of GPRI_SHARD_UNIT on and as long as whole units,
 * so that they can be mapped to where they are in it. A process reserves the addresses of the whole file, and maps the
 * head and the shards of its own rows; all arrays are where they would be, and nobody else knows of shards. Addresses
 * of rows that were not asked for cannot be read. docs/files.md has the layout. */
#ifndef GPRI_SHARDS_H
#define GPRI_SHARDS_H

#include "io/mapped/mapped.h"

#define GPRI_SHARD_MAGIC "\x89GPS\r\n\x1a\n" /* 8 bytes */
#define GPRI_SHARD_VERSION 1u
#define GPRI_SHARD_UNIT 65536 /* bytes: a multiple of the pages of all machines */
#define GPRI_MOST_SHARDS 1024

/* As in the file: of the head and of every shard. */
typedef struct gpri_shard_head {
    char magic[8];
    uint32_t order, version;
    uint32_t checksum; /* of this, with 0 in this place, and of the tables behind it */
    uint32_t number;   /* 0: the head; else of the shard, from 1 on */
    int64_t shards;    /* how many there are beside the head */
    int64_t nodes;
    int64_t bytes;        /* of the .gpr file that they are pieces of */
    int64_t extents;      /* in the table behind it; in a shard 0 */
    uint64_t identity[2]; /* the same in all files of one conversion */
    char unused[56];
} gpri_shard_head;
/* In the head, behind it: int64 cuts[shards + 1], the first row of each shard and the number of nodes; then */
typedef struct gpri_shard_extent {
    int64_t place, bytes; /* in the .gpr file */
    int64_t offset;       /* in its own file */
    uint32_t file;        /* 0: the head */
    uint32_t checksum;    /* of the bytes */
} gpri_shard_extent;
_Static_assert(sizeof(gpri_shard_head) == 128 && sizeof(gpri_shard_extent) == 32, "as docs/files.md says");

/* In memory. */
struct gpri_shards {
    gpri_shard_head head;
    int64_t *cuts;              /* (shards + 1) */
    gpri_shard_extent *extents; /* (head.extents) */
    unsigned char *base;        /* addresses of the whole file */
    int64_t reserved;           /* bytes of them */
    gpri_mapping *files;        /* (shards) those that are open have a path */
    int64_t open;               /* how many */
};

/* The rows of a shard begin where a training in as many processes cuts: at blocks of tiles (walk/partition.h). */
int64_t gpri_shard_row(int64_t shard, int64_t shards, int64_t nodes);

/* Writes the .gpr file that lies in `whole`, complete with its header, as `shards` files and the head at `path`, which
   comes last. tick: called repeatedly. */
gpr_status gpri_shards_write(gpr_ctx *ctx, const gpri_output *whole, const gpri_mapped_header *header, const char *path,
                             int64_t shards, gpri_tick *tick) GPRI_MUST_CHECK;

/* file->mapping is the head: checks it, and maps what is in it. Messages name the files. */
gpr_status gpri_shards_open(gpr_ctx *ctx, gpri_mapped *file) GPRI_MUST_CHECK;
/* With the header read: that head and shards have all of the sections, the head what is not cut by rows. So no address
   of rows that are open can be without memory. */
gpr_status gpri_shards_fit(const gpri_mapped *file) GPRI_MUST_CHECK;
/* Opens the shards that have the rows [first, end). */
gpr_status gpri_shards_rows(gpr_ctx *ctx, gpri_mapped *file, int64_t first, int64_t end) GPRI_MUST_CHECK;
void gpri_shards_close(gpr_ctx *ctx, gpri_shards *shards); /* NULL is fine */

static inline bool gpri_shards_whole(const gpri_shards *shards) { return shards->open == shards->head.shards; }
bool gpri_shard_cuts(gpri_mapped_kind kind); /* whether a section is cut by rows */
/* The same; *first, *end: then the bytes of it that the shard has. */
bool gpri_shard_part(const gpri_mapped *file, gpri_mapped_kind kind, int64_t shard, int64_t *first, int64_t *end);

#endif
