/* A hash table from texts to the numbers 0, 1, 2, ... */
#include "io/text/ids.h"

#include <stdio.h>
#include <string.h>

/* Eight bytes at a time, mixed by multiplication. The size goes in first, so that texts that differ only by padding
   zeros have different hashes. */
static uint32_t hash_of(const char *text, int64_t size) {
    uint64_t h = 0x9e3779b97f4a7c15u ^ (uint64_t)size;
    while (size > 0) {
        uint64_t word = 0;
        memcpy(&word, text, (size_t)(size < 8 ? size : 8));
        h = (h ^ word) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
        text += 8;
        size -= 8;
    }
    h *= 0xc4ceb9fe1a85ec53u;
    return (uint32_t)(h >> 32);
}

/* Texts contain no NUL, so a NUL after as many bytes is the end. */
static bool is_text(const gpri_ids *ids, int64_t start, const char *text, int64_t size) {
    return start + size < ids->names.start[ids->names.count] &&
           memcmp(ids->names.bytes + start, text, (size_t)size) == 0 && ids->names.bytes[start + size] == 0;
}

/* The slot that holds the text, or the free one where it would go. */
static int64_t slot_of(const gpri_ids *ids, uint32_t hash, const char *text, int64_t size) {
    int64_t at = (int64_t)hash & ids->mask;
    for (; ids->slots[at].number > 0; at = (at + 1) & ids->mask)
        if (ids->slots[at].hash == hash && is_text(ids, ids->slots[at].start, text, size)) break;
    return at;
}

int64_t gpri_ids_find(const gpri_ids *ids, const char *text, int64_t size) {
    if (!ids->slots) return -1;
    return (int64_t)ids->slots[slot_of(ids, hash_of(text, size), text, size)].number - 1;
}

/* At most three quarters of the slots are taken. */
static gpr_status grow_slots(gpri_ids *ids) {
    const int64_t size = ids->slots ? ids->mask + 1 : 0;
    if ((ids->names.count + 1) * 4 <= size * 3) return GPR_OK;
    gpri_id_slot *fresh;
    const int64_t larger = size ? size * 2 : 64;
    NEED(gpri_calloc(ids->ctx, &fresh, larger, sizeof *fresh, "ids"));
    for (int64_t k = 0; k < size; k++) {
        if (ids->slots[k].number == 0) continue;
        int64_t at = (int64_t)ids->slots[k].hash & (larger - 1);
        while (fresh[at].number > 0) at = (at + 1) & (larger - 1);
        fresh[at] = ids->slots[k];
    }
    gpri_free(ids->ctx, ids->slots);
    ids->slots = fresh;
    ids->mask = larger - 1;
    return GPR_OK;
}

gpr_status gpri_ids_add(gpri_ids *ids, int64_t *number, const char *text, int64_t size) {
    gpri_names *names = &ids->names;
    NEED(grow_slots(ids));
    const uint32_t hash = hash_of(text, size);
    gpri_id_slot *slot = &ids->slots[slot_of(ids, hash, text, size)];
    if (slot->number > 0) {
        *number = slot->number - 1;
        return GPR_OK;
    }
    if (names->count >= INT32_MAX - 1) return gpri_fail(GPR_ERROR_FORMAT, "more than %d different ids", INT32_MAX - 1);
    NEED(gpri_grow(ids->ctx, &names->start, &ids->start_capacity, names->count + 2, sizeof *names->start, "ids"));
    if (names->count == 0) names->start[0] = 0;
    const int64_t at = names->start[names->count];
    NEED(gpri_grow(ids->ctx, &names->bytes, &ids->byte_capacity, at + size + 1, 1, "ids"));
    memcpy(names->bytes + at, text, (size_t)size);
    names->bytes[at + size] = 0;
    names->start[names->count + 1] = at + size + 1;
    *number = names->count++;
    *slot = (gpri_id_slot){hash, (int32_t)names->count, at};
    return GPR_OK;
}

bool gpri_ids_are_numbers(const gpri_ids *ids) {
    char text[24];
    for (int64_t i = 0; i < ids->names.count; i++) {
        int size = snprintf(text, sizeof text, "%lld", (long long)i);
        if (!is_text(ids, ids->names.start[i], text, size)) return false;
    }
    return true;
}

void gpri_ids_take_names(gpri_ids *ids, gpri_names *names) {
    *names = ids->names;
    ids->names = (gpri_names){0};
    gpri_ids_free(ids);
}

void gpri_ids_free(gpri_ids *ids) {
    gpri_names_free(ids->ctx, &ids->names);
    gpri_free(ids->ctx, ids->slots);
    *ids = (gpri_ids){.ctx = ids->ctx};
}
