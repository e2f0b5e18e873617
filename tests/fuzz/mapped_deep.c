/* .gpr files whose checksums are corrected first, so that the checks after them are reached. */
#include <string.h>

#include "../unit/mapped_seal.h"
#include "mapped.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    gpri_mapped_header header;
    uint8_t *copy = malloc(size + 1);
    if (!copy) abort();
    if (size) memcpy(copy, bytes, size);
    if (size >= sizeof header) {
        memcpy(&header, copy, sizeof header);
        memcpy(header.magic, GPRI_MAPPED_MAGIC, sizeof header.magic);
        header.order = GPRI_MAPPED_ORDER;
        header.version = GPRI_MAPPED_VERSION;
        header.bytes = (int64_t)size;
        memcpy(copy, &header, sizeof header);
        mapped_seal(copy, (int64_t)size);
    }
    try_mapped(copy, size, true);
    free(copy);
    return 0;
}
