/* Zip archives of arrays (.npz): their members are taken out, changed and put back with the right sizes and checksums,
 * stored or compressed. */
#ifndef FUZZ_ZIP_H
#define FUZZ_ZIP_H

#include "gzip.h"
#include "npy.h"
#include "text.h"

enum { ZIP_MEMBERS = 24 };

typedef struct {
    blob name, content;
    bool packed;
} zip_member;

typedef struct {
    zip_member member[ZIP_MEMBERS];
    size_t count;
} zip_archive;

static inline void zip_free(zip_archive *zip) {
    for (size_t i = 0; i < zip->count; i++) {
        blob_free(&zip->member[i].name);
        blob_free(&zip->member[i].content);
    }
    zip->count = 0;
}

/* The members one after the other from the beginning, as far as they can be read. */
static inline void zip_read(zip_archive *out, const blob *b) {
    *out = (zip_archive){.count = 0};
    for (size_t at = 0; out->count < ZIP_MEMBERS && b->size - at >= 30;) {
        const uint8_t *head = b->bytes + at;
        if (read_number(head, 4) != 0x04034b50) break;
        const size_t name = (size_t)read_number(head + 26, 2), extra = (size_t)read_number(head + 28, 2),
                     size = (size_t)read_number(head + 18, 4);
        if (name + extra > b->size - at - 30 || size > b->size - at - 30 - name - extra) break;
        zip_member *m = &out->member[out->count];
        const uint8_t *content = head + 30 + name + extra;
        m->packed = read_number(head + 8, 2) == 8;
        if (m->packed ? !gzip_unpack(&m->content, content, size, GZIP_RAW)
                      : (m->content = blob_copy(content, size), false)) {
            blob_free(&m->content);
            break;
        }
        m->name = blob_copy(head + 30, name);
        out->count++;
        at += 30 + name + extra + size;
    }
}

/* The fields that the header of a member and the directory share. */
static inline void zip_fields(blob *out, const zip_member *m, const blob *stored) {
    blob_number(out, 20, 2); /* version */
    blob_number(out, 0, 2);  /* flags */
    blob_number(out, m->packed ? 8 : 0, 2);
    blob_number(out, 33u << 16, 4); /* time and day */
    blob_number(out, crc32(0, m->content.bytes, (uInt)m->content.size), 4);
    blob_number(out, stored->size, 4);
    blob_number(out, m->content.size, 4);
    blob_number(out, m->name.size, 2);
    blob_number(out, 0, 2);
}

static inline void zip_write(blob *out, const zip_archive *zip) {
    blob directory = {0};
    for (size_t i = 0; i < zip->count; i++) {
        const zip_member *m = &zip->member[i];
        const size_t at = out->size;
        blob stored = {0};
        if (m->packed) gzip_pack(&stored, m->content.bytes, m->content.size, GZIP_RAW_PACK, 6);
        else blob_put(&stored, m->content.bytes, m->content.size);
        blob_number(out, 0x04034b50, 4);
        zip_fields(out, m, &stored);
        blob_put(out, m->name.bytes, m->name.size);
        blob_put(out, stored.bytes, stored.size);
        blob_number(&directory, 0x02014b50, 4);
        blob_number(&directory, 20, 2);
        zip_fields(&directory, m, &stored);
        blob_number(&directory, 0, 6);
        blob_number(&directory, 0, 4);
        blob_number(&directory, at, 4);
        blob_put(&directory, m->name.bytes, m->name.size);
        blob_free(&stored);
    }
    const size_t start = out->size;
    blob_put(out, directory.bytes, directory.size);
    blob_number(out, 0x06054b50, 4);
    blob_number(out, 0, 4);
    blob_number(out, zip->count, 2);
    blob_number(out, zip->count, 2);
    blob_number(out, directory.size, 4);
    blob_number(out, start, 4);
    blob_number(out, 0, 2);
    blob_free(&directory);
}

/* how: a dictionary with the names of members, without ".npy". */
static inline void zip_rename(zip_member *m, chance *c, const dictionary *names) {
    if (!names || names->count == 0 || one_in(c, 8)) {
        mutate_bytes(&m->name, c);
        return;
    }
    blob name = {0};
    blob_text(&name, names->words[below(c, names->count)]);
    blob_text(&name, ".npy");
    blob_move(&m->name, &name);
}

static inline void zip_copy_member(zip_archive *zip, chance *c, const dictionary *names) {
    if (zip->count == 0 || zip->count == ZIP_MEMBERS) return;
    const zip_member *from = &zip->member[below(c, zip->count)];
    zip_member *to = &zip->member[zip->count++];
    *to = (zip_member){blob_copy(from->name.bytes, from->name.size), blob_copy(from->content.bytes, from->content.size),
                       from->packed};
    zip_rename(to, c, names);
}

static inline void mutate_npz(blob *b, chance *c, const void *how) {
    zip_archive zip;
    blob made = {0};
    zip_read(&zip, b);
    zip_member *one = &zip.member[below(c, zip.count)], *other = &zip.member[below(c, zip.count)];
    if (zip.count == 0) {
        mutate_bytes(b, c);
        return;
    }
    switch (below(c, 16)) {
    case 0: zip_rename(one, c, how); break;
    case 1: zip_copy_member(&zip, c, how); break;
    case 2: { /* the last one goes to its place */
        zip_member *last = &zip.member[--zip.count];
        const zip_member gone = *one;
        *one = *last;
        *last = gone;
        blob_free(&last->name);
        blob_free(&last->content);
        break;
    }
    case 3: { /* exchanged contents */
        const blob kept = one->content;
        one->content = other->content;
        other->content = kept;
        break;
    }
    case 4: one->packed = !one->packed; break;
    default: mutate_npy(&one->content, c, NULL);
    }
    zip_write(&made, &zip);
    zip_free(&zip);
    blob_move(b, &made);
}

/* A member of the other archive: in place of that of the same name, or in addition; then perhaps a mutation. */
static inline void cross_npz(blob *b, const blob *other, chance *c, const void *how) {
    zip_archive zip, from;
    blob made = {0};
    zip_read(&zip, b);
    zip_read(&from, other);
    if (from.count > 0 && zip.count > 0 && zip.count < ZIP_MEMBERS) {
        const zip_member *taken = &from.member[below(c, from.count)];
        size_t at = 0;
        while (at < zip.count && (zip.member[at].name.size != taken->name.size ||
                                  memcmp(zip.member[at].name.bytes, taken->name.bytes, taken->name.size) != 0))
            at++;
        if (at == zip.count) zip.member[zip.count++] = (zip_member){.packed = taken->packed};
        zip_member *to = &zip.member[at];
        blob name = blob_copy(taken->name.bytes, taken->name.size);
        blob content = blob_copy(taken->content.bytes, taken->content.size);
        blob_move(&to->name, &name);
        blob_move(&to->content, &content);
        zip_write(&made, &zip);
        blob_move(b, &made);
    }
    zip_free(&zip);
    zip_free(&from);
    if (one_in(c, 2)) mutate_npz(b, c, how);
}

#endif
