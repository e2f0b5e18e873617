/* Ids of nodes, or names of classes, as they stand in a file, to the numbers 0, 1, 2, ... in the order of their first
 * appearance; and back.
 *
 *     gpri_ids ids = {.ctx = ctx};
 *     int64_t node;
 *     TRY(gpri_ids_add(&ids, &node, "alice", 5));        // 0; again: 0
 *     node = gpri_ids_find(&ids, "bob", 3);              // -1: not there
 *     gpri_ids_take_names(&ids, &data->node_ids);        // the texts, by number; ids is empty after it
 *     done: gpri_ids_free(&ids);
 *
 * A hash table with open addressing over the texts of a gpri_names. Not meant to withstand texts that are chosen to
 * collide: they only cost time. */
#ifndef GPRI_IDS_H
#define GPRI_IDS_H

#include "base/names.h"

typedef struct gpri_id_slot {
    uint32_t hash;
    int32_t number; /* + 1; 0: free */
    int64_t start;  /* of the text: the same as in names, but here it is at hand */
} gpri_id_slot;

/* Zero-initialise with .ctx set. */
typedef struct gpri_ids {
    gpr_ctx *ctx;
    gpri_names names; /* count: so far. As gpri_names, but for its capacities */
    int64_t start_capacity, byte_capacity;
    gpri_id_slot *slots; /* (mask + 1) */
    int64_t mask;
} gpri_ids;

/* text: (size) without NULs. *number: the one that it has, or the next. Fails beyond 2^31 - 2 of them. */
gpr_status gpri_ids_add(gpri_ids *ids, int64_t *number, const char *text, int64_t size) GPRI_MUST_CHECK;
/* -1 if it is not there. May be called from several threads while nothing is added. */
int64_t gpri_ids_find(const gpri_ids *ids, const char *text, int64_t size);
static inline int64_t gpri_ids_count(const gpri_ids *ids) { return ids->names.count; }
/* With its NUL; NULL where there is no such number. Valid until one is added. */
static inline const char *gpri_ids_text(const gpri_ids *ids, int64_t number) { return gpri_name(&ids->names, number); }
/* Moves the texts to *names, which must be empty or zeroed; *ids is empty after it. */
void gpri_ids_take_names(gpri_ids *ids, gpri_names *names);
/* They are "0", "1", ..., "n-1" in this order: numbers need no names. */
bool gpri_ids_are_numbers(const gpri_ids *ids);
void gpri_ids_free(gpri_ids *ids);

#endif
