/* Files mapped into memory with mmap. */
#include "file/mapping.h"

#include <sys/mman.h>
#include <unistd.h>

#include "file/file.h"

gpr_status gpri_map(gpri_mapping *out, const char *path) {
    gpr_status status = GPR_OK;
    int64_t size;
    int fd;
    *out = (gpri_mapping){NULL, 0};
    TRY(gpri_open_regular(&fd, &size, path, "a file"));
    if (size > 0) {
        size_t length;
        if (!gpri_block_size(&length, size, 1, PTRDIFF_MAX)) { /* on a machine of 32 bits */
            status = gpri_fail(GPR_ERROR_MEMORY, "%s: %lld bytes do not fit the address space", path, (long long)size);
            goto done;
        }
        void *bytes = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes == MAP_FAILED) {
            status = gpri_fail_errno("map", path);
            goto done;
        }
        *out = (gpri_mapping){bytes, size};
    }
done:
    if (fd >= 0) close(fd); /* the mapping stays */
    return status;
}

void gpri_unmap(gpri_mapping *mapping) {
    if (mapping->bytes) munmap((void *)(uintptr_t)mapping->bytes, (size_t)mapping->size);
    *mapping = (gpri_mapping){NULL, 0};
}

void gpri_map_ahead(const gpri_mapping *mapping, int64_t offset, int64_t size) {
    const int64_t page = sysconf(_SC_PAGESIZE), begin = offset / page * page;
    (void)posix_madvise((void *)(uintptr_t)(mapping->bytes + begin), (size_t)(offset + size - begin),
                        POSIX_MADV_WILLNEED); /* only a hint */
}
