/* Temporary files beside a file that is to be written, and bytes at places of a file. */
#include "file/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

gpr_status gpri_write_failed(const char *path) {
    gpr_status status = gpri_fail_errno("write", path);
    return status == GPR_ERROR_NOT_FOUND ? GPR_ERROR_IO : status;
}

/* Like mkstemp, but with the usual access rights: mkstemp's files are private, and a thread cannot ask for the umask
   without changing it for all threads. */
int gpri_temporary_create(char *name, size_t size, const char *path) {
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        unsigned number = (unsigned)now.tv_nsec * 2654435761u + (unsigned)getpid() + attempt;
        snprintf(name, size, "%s.tmp%06x", path, number & 0xffffff);
        int fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

gpr_status gpri_write_at(int fd, const char *path, const void *bytes, size_t size, int64_t offset) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t written = pwrite(fd, at, size > 1 << 30 ? 1 << 30 : size, offset);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return gpri_write_failed(path);
        at += written;
        offset += written;
        size -= (size_t)written;
    }
    return GPR_OK;
}

/* Reads from a temporary file beside path. */
gpr_status gpri_read_at(int fd, const char *path, void *bytes, int64_t size, int64_t offset) {
    char *at = bytes;
    while (size > 0) {
        ssize_t got = pread(fd, at, size > 1 << 30 ? 1 << 30 : (size_t)size, offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return gpri_fail_errno("read a temporary file beside", path);
        if (got == 0) return gpri_fail(GPR_ERROR_IO, "a temporary file beside %s was cut short", path);
        at += got;
        offset += got;
        size -= got;
    }
    return GPR_OK;
}
