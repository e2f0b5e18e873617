/* The .gpr format: a dataset as one file that is mapped into memory, not read. docs/files.md specifies it to the byte.
 *
 * A header of 1024 bytes with all counts and the table of sections, then the sections one after the other, each padded
 * with zeros to a multiple of 64 bytes. Checksums cover every byte. Opening checks only the header and the name, for a
 * file of any size; gpri_dataset_ready checks the rest once, before its first use. */
#ifndef GPRI_MAPPED_H
#define GPRI_MAPPED_H

#include <stdatomic.h>

#include "base/context.h"
#include "base/thread.h"
#include "data/dataset.h"
#include "file/file.h"
#include "file/mapping.h"
#include "graph/spill.h"

#define GPRI_MAPPED_MAGIC "\x89GPR\r\n\x1a\n" /* 8 bytes; a transfer as text damages it */
#define GPRI_MAPPED_ORDER 0x0a0b0c0du         /* reads differently on a machine of the other byte order */
#define GPRI_MAPPED_VERSION 3u                /* of numbers to tell; 2 of relations or directions; else 1 is written */
#define GPRI_MAPPED_ALIGNMENT 64
#define GPRI_MAPPED_SLOTS 18
#define GPRI_MAPPED_MOST_NAME (1 << 20) /* bytes of the dataset's name, which is checked at opening */

/* ---- As in the file ---- */

typedef struct gpri_mapped_section {
    char name[16]; /* the rest is NUL */
    char type[8];  /* "int64", "int32", "float32" or "bytes"; the rest is NUL */
    int64_t offset, bytes;
    uint32_t checksum; /* of the bytes and the zeros after them */
    uint32_t unused;
} gpri_mapped_section;

typedef struct gpri_mapped_header {
    char magic[8];
    uint32_t order, version;
    uint32_t checksum; /* of this header, with 0 in this place */
    uint32_t sections; /* slots that are used */
    int64_t bytes;     /* of the whole file */
    int64_t nodes, arcs;
    int64_t features, feature_nnz;
    int64_t classes;
    int64_t self_loops, duplicates, isolated;
    double phi;              /* NaN: no cSBM */
    uint64_t fingerprint[2]; /* 0 and 0: not stated */
    int64_t mixed_columns;   /* 0 or 1: features are columns of a table, each of its own size */
    int64_t from_table;      /* 0 or 1: made from a table of edges */
    int64_t generated;       /* 0 or 1: drawn by `generate powerlaw` */
    int64_t mutual; /* edges that a directed input has in both directions; 0: it is not directed, or not known */
    char unused[8];
    gpri_mapped_section section[GPRI_MAPPED_SLOTS];
} gpri_mapped_header;

/* Of data with relations: their arrays follow each other in the sections of the graph, after those of the whole. */
typedef struct gpri_mapped_graph {
    char name[32]; /* of the relation, padded with NULs; of the whole graph empty */
    int64_t arcs, self_loops, duplicates, isolated, mutual;
    int64_t arrays; /* GPRI_HAS_... */
    char unused[16];
} gpri_mapped_graph;
enum { GPRI_HAS_WEIGHT = 1, GPRI_HAS_SIDES = 2, GPRI_HAS_ALONG = 4 };

_Static_assert(sizeof(gpri_mapped_section) == 48 && sizeof(gpri_mapped_header) == 1024 &&
                   sizeof(gpri_mapped_graph) == 96,
               "as docs/files.md says");

/* bytes, rounded up to the alignment. bytes: below 2^62 */
static inline int64_t gpri_mapped_padded(int64_t bytes) {
    return (bytes + GPRI_MAPPED_ALIGNMENT - 1) / GPRI_MAPPED_ALIGNMENT * GPRI_MAPPED_ALIGNMENT;
}

/* Of the header, with 0 in the place of its checksum. */
uint32_t gpri_mapped_header_checksum(const gpri_mapped_header *header);

/* The known sections. Others in a file are skipped. */
typedef enum gpri_mapped_kind {
    GPRI_ROWPTR,
    GPRI_COLUMN,
    GPRI_WEIGHT,     /* where the graph has weights */
    GPRI_EDGE_SIDES, /* where it has directions */
    GPRI_EDGE_ALONG,
    GPRI_GRAPH_ARRAYS, /* arrays of graphs come before */
    GPRI_GRAPHS =
        GPRI_GRAPH_ARRAYS, /* where it has relations: of the whole graph and of each relation, gpri_mapped_graph */
    GPRI_DENSE,            /* features: this one, or the next three, which are empty if there are no features */
    GPRI_FEATURE_ROWPTR,
    GPRI_FEATURE_COLUMN,
    GPRI_FEATURE_VALUE,
    GPRI_LABELS,
    GPRI_TARGETS,      /* where they are numbers: these, and labels are 0 or -1 */
    GPRI_CLASS_STARTS, /* names of classes: these two, or none */
    GPRI_CLASS_NAMES,
    GPRI_NODE_STARTS, /* ids of nodes: these two, or none */
    GPRI_NODE_IDS,
    GPRI_FEATURE_STARTS, /* names of features: these two, or none */
    GPRI_FEATURE_NAMES,
    GPRI_NODE_ORDER, /* the user's number of each node, where they have another order */
    GPRI_NAME,
    GPRI_MAPPED_KINDS
} gpri_mapped_kind;

typedef struct gpri_mapped_form {
    const char *name, *type;
    int size;         /* bytes of an element */
    uint32_t version; /* of the format that brought it */
} gpri_mapped_form;
extern const gpri_mapped_form gpri_mapped_forms[GPRI_MAPPED_KINDS];

/* Checks that this is the header of a valid file of that size. Every section must lie within the file and have as many
   bytes as the counts say. slots: (GPRI_MAPPED_KINDS) the slot of each kind, -1 where the file has none. The contents
   are not checked. Messages do not name the file. */
gpr_status gpri_mapped_check_header(int *slots, const gpri_mapped_header *header, int64_t file_size) GPRI_MUST_CHECK;

/* The graph's own array in one of its sections, and its bytes; NULL, and 0: it has none. */
const void *gpri_mapped_array_of(const gpri_graph *graph, gpri_mapped_kind kind, int64_t *bytes);
/* Whether a section has arrays of graphs, one after the other. */
static inline bool gpri_mapped_is_graphs(gpri_mapped_kind kind) { return kind < GPRI_GRAPH_ARRAYS; }

/* ---- In memory ---- */

typedef struct gpri_shards gpri_shards; /* io/mapped/shards.h */

/* The file of a dataset. */
typedef struct gpri_mapped {
    char *path;
    gpri_mapping mapping;
    const unsigned char *bytes; /* of the file: where it is mapped */
    gpri_shards *shards;        /* where it is cut into several, mapping being their head; else NULL */
    gpri_mapped_header header;
    int64_t relation_count;
    int64_t whole_arrays;         /* with relations: GPRI_HAS_... of the whole graph */
    gpri_relation *relations;     /* (relation_count) their names are its own, their arrays are in the file */
    int slots[GPRI_MAPPED_KINDS]; /* where in header.section each kind is; -1: nowhere */
    gpri_lock lock;               /* one thread checks, the others wait for it */
    atomic_int state;             /* GPRI_UNSEEN at first; changes once */
    uint64_t fingerprint[2];      /* found by the check */
    gpr_status status;            /* what was wrong, if anything, and its message */
    char message[1024];
} gpri_mapped;
enum { GPRI_UNSEEN = 0, GPRI_SOUND = 1, GPRI_DAMAGED = 2, GPRI_PARTLY_SOUND = 3 }; /* the last: of some shards */

/* Where a section lies in memory; NULL where the file has none. */
void *gpri_mapped_section_of(const gpri_mapped *file, gpri_mapped_kind kind);
/* Reads and checks the list of relations, if the file has one; after gpri_mapped_check_header. */
gpr_status gpri_mapped_find_relations(gpr_ctx *ctx, gpri_mapped *file) GPRI_MUST_CHECK;
/* Sets all of a dataset that lies in the file: graph, features, labels, names, phi. */
void gpri_mapped_arrays(gpr_dataset *data, const gpri_mapped *file);

/* Checks every byte: the checksums, and all that later code relies on (rows ascend, columns exist, labels are classes,
   numbers are finite, the graph is undirected). Sets the fingerprint. Messages name the file. together: its processes
   check it together; NULL: this one does. */
gpr_status gpri_mapped_check(gpr_ctx *ctx, int threads, const gpr_ctx *together, gpri_mapped *file) GPRI_MUST_CHECK;

/* gpri_backing.unchanged: compares the size and times of the file, and, if deep is set, reads all of it on all threads
   and compares the checksums. */
gpr_status gpri_mapped_unchanged(gpr_ctx *ctx, void *file, bool deep) GPRI_MUST_CHECK;

/* ---- Reading ---- */

gpr_status gpri_read_mapped(gpr_ctx *ctx, gpr_dataset **out, const char *path) GPRI_MUST_CHECK;
/* The same with the file in memory: what happens to it later does not matter. */
gpr_status gpri_read_mapped_copy(gpr_ctx *ctx, gpr_dataset **out, const char *path) GPRI_MUST_CHECK;

/* ---- Writing ---- */

/* Sections are written one after the other: begin, append as often as wanted, end. */
typedef struct gpri_mapped_writer {
    gpr_ctx *ctx;
    gpri_output output;
    gpri_mapped_header header; /* the caller sets what gpri_mapped_commit does not know */
    int64_t position;          /* of the next byte in the file */
    gpri_tick tick;            /* called repeatedly during writing; zeroed: never */
    int64_t shards;            /* to cut it into; 0: it is one file */
} gpri_mapped_writer;

/* The file appears under `path` whole with gpri_mapped_commit, or not at all. */
gpr_status gpri_mapped_create(gpr_ctx *ctx, gpri_mapped_writer *writer, const char *path) GPRI_MUST_CHECK;
void gpri_mapped_begin(gpri_mapped_writer *writer, gpri_mapped_kind kind);
gpr_status gpri_mapped_append(gpri_mapped_writer *writer, const void *bytes, int64_t size) GPRI_MUST_CHECK;
gpr_status gpri_mapped_end(gpri_mapped_writer *writer) GPRI_MUST_CHECK;
/* All three. */
gpr_status gpri_mapped_put(gpri_mapped_writer *writer, gpri_mapped_kind kind, const void *bytes,
                           int64_t size) GPRI_MUST_CHECK;
/* Reserves space for a section whose bytes come later, all at once, with gpri_mapped_fill. */
void gpri_mapped_reserve(gpri_mapped_writer *writer, gpri_mapped_kind kind, int64_t size);
gpr_status gpri_mapped_fill(gpri_mapped_writer *writer, gpri_mapped_kind kind, const void *bytes) GPRI_MUST_CHECK;
/* Sets the header's fields about the graph. */
void gpri_mapped_set_graph(gpri_mapped_writer *writer, const gpri_graph *graph);
/* All but the graph: features, labels, names, and the header's fields about them. */
gpr_status gpri_mapped_put_nodes(gpri_mapped_writer *writer, const gpr_dataset *data) GPRI_MUST_CHECK;
/* Writes the header, whose counts and fingerprint the caller has set, syncs and renames. Always frees what the writer
   holds. */
gpr_status gpri_mapped_commit(gpri_mapped_writer *writer) GPRI_MUST_CHECK;
void gpri_mapped_discard(gpri_mapped_writer *writer); /* leaves no file; safe after commit */

/* The dataset must be ready. The same data gives the same bytes. */
gpr_status gpri_write_mapped(gpr_ctx *ctx, const gpr_dataset *data, const char *path) GPRI_MUST_CHECK;
/* The same with a tick. shards: 0: one file. */
gpr_status gpri_write_mapped_ticking(gpr_ctx *ctx, const gpr_dataset *data, const char *path, int64_t shards,
                                     gpri_tick tick) GPRI_MUST_CHECK;
/* Writes a whole file, the graph from the spill and all else from data. The graph of data becomes that of the spill,
   without columns and weights. nodes: as many as data has rows. *header: what was written. */
gpr_status gpri_write_spilled(gpr_ctx *ctx, gpri_mapped_header *header, gpr_dataset *data, gpri_spill *spill,
                              int64_t nodes, const char *path, int64_t shards, gpri_tick tick) GPRI_MUST_CHECK;

#endif
