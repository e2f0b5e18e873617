/* .gpr files whose checksums are corrected first, so that the checks after them are reached. */
#include "mapped.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    blob copy = blob_copy(bytes, size);
    mapped_correct(copy.bytes, copy.size);
    correct_fingerprint(copy.bytes, copy.size);
    try_mapped(copy.bytes, copy.size, true);
    blob_free(&copy);
    return 0;
}

FUZZ_MUTATOR(mutate_mapped, NULL)
