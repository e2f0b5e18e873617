/* .gpr files as they are. */
#include "mapped.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    try_mapped(bytes, size, false);
    return 0;
}

FUZZ_MUTATOR(mutate_mapped, NULL)
