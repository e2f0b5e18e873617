/* One .npy array without the archive around it (whose checksums a fuzzer does not get past): header and numbers. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/numpy/npy.h"
#include "npy.h"

static void convert(const gpri_npy *npy, const unsigned char *bytes, size_t size) {
    int64_t there = (int64_t)size / npy->itemsize, count = npy->count < there ? npy->count : there;
    if (npy->count > 1 << 16) return;
    for (int type = GPRI_AS_BOOL; type <= GPRI_AS_DOUBLE; type++) {
        void *to = malloc((size_t)npy->count * gpri_number_size((gpri_number)type) + 1);
        if (!to) abort();
        if (gpri_npy_convert(to, (gpri_number)type, npy, 0, count, bytes) == GPR_OK && count > 1 &&
            gpri_npy_convert(to, (gpri_number)type, npy, count / 2, count - count / 2, bytes) > 0)
            abort();
        free(to);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    int64_t at, length;
    gpri_npy npy;
    if (size < GPRI_NPY_PREAMBLE || gpri_npy_preamble(bytes, &at, &length) != GPR_OK) return 0;
    if (length < 0 || length > GPRI_NPY_MOST_HEADER || (uint64_t)(at + length) > size) return 0;
    char *text = malloc((size_t)length + 1);
    if (!text) abort();
    memcpy(text, bytes + at, (size_t)length);
    text[length] = 0;
    if (gpri_npy_parse(&npy, text) == GPR_OK) {
        if (npy.dims < 0 || npy.dims > 2 || npy.itemsize < 1 || npy.count < 0) abort();
        convert(&npy, bytes + at + length, size - (size_t)(at + length));
    }
    free(text);
    return 0;
}

FUZZ_MUTATOR(mutate_npy, NULL)
