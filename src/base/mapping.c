#include "base/mapping.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

gpr_status gpri_map(gpri_mapping *out, const char *path) {
    gpr_status status = GPR_OK;
    struct stat info;
    *out = (gpri_mapping){NULL, 0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* never waits for the writer of a pipe */
    if (fd < 0 || fstat(fd, &info) != 0) {
        status = gpri_fail_errno("read", path);
        goto done;
    }
    if (S_ISDIR(info.st_mode)) THROW(GPR_ERROR_FORMAT, "%s is a folder: a file was expected", path);
    if (!S_ISREG(info.st_mode)) THROW(GPR_ERROR_FORMAT, "%s is not a regular file", path);
    if (info.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes == MAP_FAILED) {
            status = gpri_fail_errno("map", path);
            goto done;
        }
        *out = (gpri_mapping){bytes, info.st_size};
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
