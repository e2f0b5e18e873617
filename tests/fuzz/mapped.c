/* .gpr files as they are. */
#include <string.h>

#include "mapped.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    try_mapped(bytes, size, false);
    return 0;
}
