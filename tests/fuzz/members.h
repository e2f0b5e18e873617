/* Several files in one input, as a folder has them: all but the last with their length, two bytes, before them. A
 * mutation changes one of them, or exchanges two. */
#ifndef FUZZ_MEMBERS_H
#define FUZZ_MEMBERS_H

#include "folder.h"
#include "mutate.h"

typedef struct {
    const uint8_t *bytes;
    size_t size;
} member;

/* Any bytes have `count` members; those beyond the end are empty. */
static inline void members_of(member *out, int count, const uint8_t *bytes, size_t size) {
    for (int i = 0; i < count; i++) {
        size_t length = size;
        if (i + 1 < count) {
            length = size < 2 ? 0 : (size_t)bytes[0] | (size_t)bytes[1] << 8;
            bytes += size < 2 ? size : 2;
            size -= size < 2 ? size : 2;
            if (length > size) length = size;
        }
        out[i] = (member){bytes, length};
        bytes += length;
        size -= length;
    }
}

/* As files of the folder (folder.h). */
static inline void members_write(const char *const *names, int count, const uint8_t *bytes, size_t size) {
    member all[MOST_PARTS];
    folder_open(names, count);
    members_of(all, count, bytes, size);
    for (int i = 0; i < count; i++) folder_write(i, all[i].bytes, all[i].size);
}

/* What the members of a format are; the `skipped` bytes before them choose options. */
typedef struct {
    int count;
    size_t skipped;
    struct {
        mutation change;
        const void *how;
    } member[MOST_PARTS];
} members_form;

/* b has at least the skipped bytes. */
static inline void split_members(blob *out, const members_form *form, const blob *b) {
    member all[MOST_PARTS];
    members_of(all, form->count, b->bytes + form->skipped, b->size - form->skipped);
    for (int i = 0; i < form->count; i++) out[i] = blob_copy(all[i].bytes, all[i].size);
}

/* Behind the skipped bytes of b; frees the members. */
static inline void join_members(blob *b, const members_form *form, blob *members) {
    b->size = form->skipped;
    for (int i = 0; i < form->count; i++) {
        if (members[i].size > UINT16_MAX) members[i].size = UINT16_MAX;
        if (i + 1 < form->count) blob_number(b, members[i].size, 2);
        blob_put(b, members[i].bytes, members[i].size);
        blob_free(&members[i]);
    }
}

static inline void mutate_members(blob *b, chance *c, const void *how) {
    const members_form *form = how;
    blob changed[MOST_PARTS] = {{0}};
    if (b->size < form->skipped) blob_put(b, NULL, form->skipped - b->size);
    if (form->skipped > 0 && one_in(c, 12)) b->bytes[below(c, form->skipped)] = (uint8_t)draw(c);
    split_members(changed, form, b);
    const size_t one = below(c, (size_t)form->count), other = below(c, (size_t)form->count);
    if (one_in(c, 24)) {
        const blob kept = changed[one];
        changed[one] = changed[other];
        changed[other] = kept;
    } else {
        form->member[one].change(&changed[one], c, form->member[one].how);
    }
    join_members(b, form, changed);
}

/* One member of the other folder; then perhaps a mutation. */
static inline void cross_members(blob *b, const blob *other, chance *c, const void *how) {
    const members_form *form = how;
    const size_t one = below(c, (size_t)form->count);
    blob changed[MOST_PARTS] = {{0}};
    if (b->size < form->skipped || other->size < form->skipped) return;
    split_members(changed, form, other);
    blob taken = blob_copy(changed[one].bytes, changed[one].size);
    for (int i = 0; i < form->count; i++) blob_free(&changed[i]);
    split_members(changed, form, b);
    blob_move(&changed[one], &taken);
    join_members(b, form, changed);
    if (one_in(c, 2)) mutate_members(b, c, how);
}

#endif
