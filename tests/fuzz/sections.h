/* Mutations of .gpr files: fields of the header, sections and the numbers in them, with right offsets and checksums. */
#ifndef FUZZ_SECTIONS_H
#define FUZZ_SECTIONS_H

#include "../unit/mapped_seal.h"
#include "mutate.h"

/* A file's header says what file it is; this makes the checks after it be reached. */
static inline void mapped_correct(uint8_t *bytes, size_t size) {
    gpri_mapped_header header;
    if (size < sizeof header) return;
    memcpy(&header, bytes, sizeof header);
    memcpy(header.magic, GPRI_MAPPED_MAGIC, sizeof header.magic);
    header.order = GPRI_MAPPED_ORDER;
    header.version = GPRI_MAPPED_VERSION;
    header.bytes = (int64_t)size;
    memcpy(bytes, &header, sizeof header);
    mapped_seal(bytes, (int64_t)size);
}

/* The section's bytes become others; all sections behind it move. */
static inline void section_resize(blob *b, gpri_mapped_header *h, uint32_t which, int64_t bytes) {
    gpri_mapped_section *section = &h->section[which];
    const int64_t old = gpri_mapped_padded(section->bytes), new = gpri_mapped_padded(bytes);
    blob_replace(b, (size_t)(section->offset + (new < old ? new : old)), (size_t)(new < old ? old - new : 0), NULL,
                 (size_t)(new > old ? new - old : 0));
    section->bytes = bytes;
    memset(b->bytes + section->offset + bytes, 0, (size_t)(new - bytes));
    for (uint32_t i = 0; i < h->sections; i++)
        if (h->section[i].offset > section->offset) h->section[i].offset += new - old;
}

static inline void section_number(blob *b, const gpri_mapped_section *section, chance *c) {
    const size_t each = strcmp(section->type, "int64") == 0 ? 8 : strcmp(section->type, "bytes") == 0 ? 1 : 4;
    const size_t count = (size_t)section->bytes / each;
    const int64_t number = draw_integer(c);
    const float real = (float)draw_real(c);
    if (count == 0) return;
    uint8_t *at = b->bytes + section->offset + below(c, count) * each;
    if (one_in(c, 3)) memcpy(at, b->bytes + section->offset + below(c, count) * each, each); /* one that is there */
    else if (strcmp(section->type, "float32") == 0) memcpy(at, &real, each);
    else memcpy(at, &number, each);
}

static inline void header_field(gpri_mapped_header *h, chance *c) {
    int64_t *const counts[] = {&h->nodes,         &h->arcs,      &h->features,   &h->feature_nnz,
                               &h->classes,       &h->isolated,  &h->self_loops, &h->duplicates,
                               &h->mixed_columns, &h->generated, &h->mutual};
    int64_t *count = counts[below(c, sizeof counts / sizeof *counts)];
    switch (below(c, 6)) {
    case 0: h->phi = draw_real(c); break;
    case 1: h->sections = (uint32_t)below(c, GPRI_MAPPED_SLOTS + 3); break;
    case 2: h->fingerprint[below(c, 2)] ^= draw(c); break;
    case 3: *count = draw_integer(c); break;
    default: *count = (int64_t)((uint64_t)*count + below(c, 5) - 2);
    }
}

/* Sections lie where the header says, one behind the other, within the file. */
static inline bool sections_are_sound(const blob *b, const gpri_mapped_header *h) {
    if (h->sections > GPRI_MAPPED_SLOTS) return false;
    for (uint32_t i = 0; i < h->sections; i++) {
        const gpri_mapped_section *s = &h->section[i];
        if (s->offset < (int64_t)sizeof *h || s->bytes < 0 || s->offset > (int64_t)b->size ||
            s->bytes > (int64_t)b->size || s->offset + gpri_mapped_padded(s->bytes) > (int64_t)b->size)
            return false;
        if (!memchr(s->type, 0, sizeof s->type)) return false;
    }
    return true;
}

static inline void mutate_mapped(blob *b, chance *c, const void *how) {
    gpri_mapped_header h;
    (void)how;
    if (b->size < sizeof h) {
        mutate_bytes(b, c);
        return;
    }
    memcpy(&h, b->bytes, sizeof h);
    const bool sound = sections_are_sound(b, &h) && h.sections > 0;
    const uint32_t one = sound ? (uint32_t)below(c, h.sections) : 0;
    if (!one_in(c, 8)) h.fingerprint[0] = h.fingerprint[1] = 0; /* not stated */
    switch (below(c, 12)) {
    case 0:
    case 1: header_field(&h, c); break;
    case 2:
        if (sound) section_resize(b, &h, one, (int64_t)below(c, (size_t)h.section[one].bytes + 16));
        break;
    case 3: /* another name or type for a section */
        if (!sound) break;
        const gpri_mapped_form *form = &gpri_mapped_forms[below(c, GPRI_MAPPED_KINDS)];
        memset(h.section[one].name, 0, sizeof h.section[one].name);
        memcpy(h.section[one].name, form->name, strlen(form->name));
        if (one_in(c, 4)) break;
        memset(h.section[one].type, 0, sizeof h.section[one].type);
        memcpy(h.section[one].type, form->type, strlen(form->type));
        break;
    case 4: /* the last section is none */
        if (!sound) break;
        section_resize(b, &h, h.sections - 1, 0);
        h.sections--;
        memset(&h.section[h.sections], 0, sizeof *h.section);
        break;
    case 5: h.section[one].offset = (int64_t)((uint64_t)h.section[one].offset + draw(c) % 4096); break;
    default:
        for (size_t times = 1 + below(c, 3); sound && times > 0; times--) section_number(b, &h.section[one], c);
    }
    memcpy(b->bytes, &h, sizeof h);
    mapped_correct(b->bytes, b->size);
}

#endif
