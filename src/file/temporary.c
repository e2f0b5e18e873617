/* Temporary files beside a file that is to be written, and bytes at places of a file. */
#include "file/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "file/file.h"

#define ENDING ".gprgnn-tmp"
#define DIGITS 8          /* random ones, in hexadecimal */
#define MOST_OF_NAME 200  /* bytes of NAME in .NAME.XXXXXXXX.gprgnn-tmp: file systems permit 255 in all */
#define MOST_ATTEMPTS 100 /* at a name that no file has */

gpr_status gpri_cannot(const char *action, const char *path) {
    const gpr_status status = gpri_fail_errno(action, path);
    return status == GPR_ERROR_NOT_FOUND ? GPR_ERROR_IO : status;
}

static const char *name_in(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The folder of a path: "." for a name alone. false, with errno: it is too long. */
static bool folder_of(char folder[GPRI_LONGEST_PATH], const char *path) {
    const size_t size = (size_t)(name_in(path) - path);
    if (size >= GPRI_LONGEST_PATH) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(folder, size ? path : ".", size ? size : 1);
    folder[size ? size : 1] = 0;
    return true;
}

static uint32_t random_number(void) {
    uint32_t number;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) == (ssize_t)sizeof number) return number;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint32_t)now.tv_nsec * 2654435761u + (uint32_t)getpid();
}

/* A new temporary name for `path`. false, with errno: it is too long. */
static bool make_name(char name[GPRI_LONGEST_PATH], const char *path) {
    const char *last = name_in(path);
    const int length = snprintf(name, GPRI_LONGEST_PATH, "%.*s.%.*s.%0*x" ENDING, (int)(last - path), path,
                                MOST_OF_NAME, last, DIGITS, random_number());
    if (length < GPRI_LONGEST_PATH) return true;
    name[0] = 0;
    errno = ENAMETOOLONG;
    return false;
}

/* Is `name`, a file in the folder of `path`, a temporary name for `path`? */
static bool is_name_for(const char *name, const char *path) {
    const char *last = name_in(path);
    size_t size = strlen(last);
    if (size > MOST_OF_NAME) size = MOST_OF_NAME;
    if (name[0] != '.' || strncmp(name + 1, last, size) != 0 || name[1 + size] != '.') return false;
    name += size + 2;
    return strspn(name, "0123456789abcdef") == DIGITS && strcmp(name + DIGITS, ENDING) == 0;
}

int gpri_temporary_create(char *name, const char *path, mode_t mode) {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        struct stat info;
        if (!make_name(name, path)) return -1;
        int fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd < 0 && errno != EEXIST) break;
        if (fd < 0) continue;
        /* Before the lock is there, another writer may take the file for a left one. Where there are no locks, nobody
           removes anything. */
        const bool swept = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (!swept && fstat(fd, &info) == 0 && info.st_nlink > 0) return fd;
        close(fd);
        errno = EAGAIN;
    }
    name[0] = 0;
    return -1;
}

/* The name under which the kernel gives a file without a name to linkat. */
static void own_name(char out[64], int fd) { snprintf(out, 64, "/proc/self/fd/%d", fd); }

int gpri_temporary_open(char *name, const char *path, mode_t mode) {
    char folder[GPRI_LONGEST_PATH];
    name[0] = 0;
    if (!folder_of(folder, path)) return -1;
#ifdef O_TMPFILE
    char own[64];
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    if (fd >= 0) {
        own_name(own, fd);
        if (access(own, F_OK) == 0) { /* without /proc it could not get a name later */
            (void)!flock(fd, LOCK_EX | LOCK_NB);
            return fd;
        }
        close(fd);
    }
#endif
    return gpri_temporary_create(name, path, mode); /* whatever went wrong: this says it, if it was more than that */
}

int gpri_temporary_link(int fd, const char *name) {
    char own[64];
    own_name(own, fd);
    return linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

int gpri_temporary_name(int fd, char *name, const char *path) {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        if (!make_name(name, path)) return -1;
        if (gpri_temporary_link(fd, name) == 0) return 0;
        if (errno != EEXIST) break;
    }
    name[0] = 0;
    return -1;
}

/* Removes `name` if nobody holds its lock. The writer's lock lasts until the file has its final name, so a file that
   can be locked and still has the temporary one is left over. */
static void sweep(int folder, const char *name) {
    struct stat opened, named;
    int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return;
    if (fstat(fd, &opened) == 0 && S_ISREG(opened.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
        fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_dev == opened.st_dev &&
        named.st_ino == opened.st_ino)
        (void)!unlinkat(folder, name, 0);
    close(fd);
}

void gpri_temporary_sweep(const char *path) {
    char folder[GPRI_LONGEST_PATH];
    DIR *entries = folder_of(folder, path) ? opendir(folder) : NULL;
    if (!entries) return; /* a folder that cannot be read: what is left there stays */
    for (struct dirent *entry; (entry = readdir(entries));)
        if (is_name_for(entry->d_name, path)) sweep(dirfd(entries), entry->d_name);
    closedir(entries);
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

int64_t gpri_read_some(int fd, void *bytes, int64_t size, int64_t offset) {
    int64_t done = 0;
    while (done < size) {
        const int64_t left = size - done;
        const ssize_t got = pread(fd, (char *)bytes + done, left > 1 << 30 ? 1 << 30 : (size_t)left, offset + done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        done += got;
    }
    return done;
}

/* Reads from a temporary file beside path. */
gpr_status gpri_read_at(int fd, const char *path, void *bytes, int64_t size, int64_t offset) {
    const int64_t got = gpri_read_some(fd, bytes, size, offset);
    if (got == size) return GPR_OK;
    if (got < 0) return gpri_fail_errno("read a temporary file beside", path);
    return gpri_fail(GPR_ERROR_IO, "a temporary file beside %s was cut short", path);
}

gpr_status gpri_reserve(int fd, const char *path, int64_t bytes, const char *what, const char *where,
                        const char *remedy) {
    struct statvfs disk;
    char needed[GPRI_SIZE_TEXT], room[GPRI_SIZE_TEXT];
    const double left = fstatvfs(fd, &disk) == 0 ? (double)disk.f_bavail * (double)disk.f_frsize : -1;
    const int code = left >= 0 && left < (double)bytes ? ENOSPC : posix_fallocate(fd, 0, (off_t)bytes);
    if (code == 0) return GPR_OK;
    if (code == ENOSPC && left >= 0)
        return gpri_fail(GPR_ERROR_IO, "%s take %s %s %s, and its disk has room for %s: %s", what,
                         gpri_size_text(needed, (double)bytes), where, path, gpri_size_text(room, left), remedy);
    errno = code;
    return gpri_write_failed(path);
}

gpr_status gpri_sync_folder_of(const char *path) {
    char folder[GPRI_LONGEST_PATH];
    if (!folder_of(folder, path)) return gpri_write_failed(path);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && errno == EACCES) { /* one may write into the folder, but not read it */
        sync();
        return GPR_OK;
    }
    gpr_status status = gpri_sync_folder(fd, path);
    if (fd >= 0) close(fd);
    return status;
}

gpr_status gpri_sync_folder(int fd, const char *path) {
    const int code = fd < 0 || fsync(fd) != 0 ? errno : 0;
    /* Some file systems have nothing to sync for a folder, and say so with one of these. */
    if (code == 0 || code == EINVAL || code == EROFS || code == ENOTSUP || code == ENOSYS) return GPR_OK;
    gpr_status status = code == ENOMEM ? GPR_ERROR_MEMORY : GPR_ERROR_IO;
    return gpri_fail(status, "%s is written, but its folder could not be synced (%s): a power failure may undo it",
                     path, strerror(code));
}

/* ---- files without a name, for data that does not fit into memory ---- */

gpr_status gpri_scratch_open(gpri_scratch *out, const char *path) {
    char name[GPRI_LONGEST_PATH];
    gpri_temporary_sweep(path);
    *out = (gpri_scratch){.fd = gpri_temporary_open(name, path, 0600), .path = path};
    if (out->fd < 0) return gpri_write_failed(path);
    if (name[0]) unlink(name);
    return GPR_OK;
}

gpr_status gpri_scratch_reserve(gpri_scratch *scratch, int64_t bytes, const char *what) {
    return gpri_reserve(scratch->fd, scratch->path, bytes, what, "in a temporary file beside",
                        "choose a folder on another disk");
}

gpr_status gpri_scratch_write(gpri_scratch *scratch, const void *bytes, int64_t size, int64_t offset) {
    gpr_status status = gpri_write_at(scratch->fd, scratch->path, bytes, (size_t)size, offset);
    return status == GPR_OK ? GPR_OK : gpri_fail_prefix(status, "a temporary file beside the output");
}

gpr_status gpri_scratch_read(const gpri_scratch *scratch, void *bytes, int64_t size, int64_t offset) {
    return gpri_read_at(scratch->fd, scratch->path, bytes, size, offset);
}

void gpri_scratch_close(gpri_scratch *scratch) {
    if (scratch->fd >= 0) close(scratch->fd);
    scratch->fd = -1;
}
