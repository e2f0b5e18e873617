/* Mutations of a file whose first bytes say what it is: .gpr, .npz, .npy; anything else is text. */
#ifndef FUZZ_ANY_FILE_H
#define FUZZ_ANY_FILE_H

#include "npz_names.h"
#include "sections.h"
#include "text.h"

/* how: the words of a text. */
static inline void mutate_any_file(blob *b, chance *c, const void *how) {
    if (b->size > 8 && memcmp(b->bytes, GPRI_MAPPED_MAGIC, 8) == 0) mutate_mapped(b, c, NULL);
    else if (b->size > 4 && memcmp(b->bytes, "PK\3\4", 4) == 0) mutate_npz(b, c, &npz_names);
    else if (b->size > 6 && memcmp(b->bytes, "\x93NUMPY", 6) == 0) mutate_npy(b, c, NULL);
    else mutate_text(b, c, how);
}

#endif
