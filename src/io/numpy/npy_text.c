/* Arrays of text in the .npy format: every text has as many letters as the longest, padded with NULs; a letter is a
 * code point of 4 bytes ('U') or a byte ('S'). */
#include <stdio.h>

#include "base/utf8.h"
#include "io/numpy/npy.h"

void gpri_npy_texts(gpri_names *names, const gpri_npy *npy, int64_t first, int64_t count, const unsigned char *bytes) {
    const int letter = npy->kind == 'U' ? 4 : 1, letters = npy->itemsize / letter;
    for (int64_t k = first; k < first + count; k++, bytes += npy->itemsize) {
        char *to = names->bytes + names->start[k];
        for (int i = 0; i < letters; i++) {
            const unsigned char *at = bytes + i * letter;
            uint32_t point = 0;
            for (int b = 0; b < letter; b++) point |= (uint32_t)at[npy->big_endian ? letter - 1 - b : b] << 8 * b;
            if (point == 0) break;
            if (letter == 1) *to++ = (char)point;
            else to += gpri_put_letter(to, point);
        }
        *to++ = 0;
        names->start[k + 1] = to - names->bytes;
    }
}

void gpri_npy_write_text_header(char out[GPRI_NPY_WRITTEN], int64_t letters, int64_t count) {
    char descr[32];
    snprintf(descr, sizeof descr, "U%lld", (long long)letters);
    gpri_npy_write_header_of(out, descr, 1, &count);
}

gpr_status gpri_npy_pack_names(gpr_ctx *ctx, uint32_t **out, int64_t *letters, const gpri_names *names) {
    gpr_status status = GPR_OK;
    gpri_names clean = {0};
    int64_t cells;
    *out = NULL;
    *letters = 1;
    TRY(gpri_names_clone(ctx, &clean, names));
    gpri_names_make_utf8(&clean);
    for (int64_t i = 0; i < clean.count; i++) {
        int64_t size = 0;
        for (const char *at = gpri_name(&clean, i); *at; size++) gpri_take_letter(&at);
        if (size > *letters) *letters = size;
    }
    if (!gpri_mul_size(clean.count, *letters, &cells)) THROW(GPR_ERROR_MEMORY, "the names do not fit in memory");
    TRY(gpri_calloc(ctx, out, cells, sizeof **out, "names"));
    for (int64_t i = 0; i < clean.count; i++) {
        uint32_t *to = *out + i * *letters;
        for (const char *at = gpri_name(&clean, i); *at;) *to++ = gpri_take_letter(&at);
    }
done:
    gpri_names_free(ctx, &clean);
    return status;
}
