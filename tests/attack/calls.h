/* The system calls that change files, and where each has its paths and its file. */
#ifndef ATTACK_CALLS_H
#define ATTACK_CALLS_H

#include <stddef.h>
#include <sys/syscall.h>

/* Numbers of arguments; -1: none. */
typedef struct changing_call {
    long number;
    const char *name;
    int fd;             /* the open file */
    int folder, path;   /* a path, and the open folder that it is relative to */
    int folder2, path2; /* the second path, of rename and link */
    int flags;          /* of an open */
    int count;          /* bytes to write */
} changing_call;

#define ON_FD(call) \
    { SYS_##call, #call, 0, -1, -1, -1, -1, -1, -1 }
#define WRITE(call) \
    { SYS_##call, #call, 0, -1, -1, -1, -1, -1, 2 }
#define ON_PATH(call) \
    { SYS_##call, #call, -1, -1, 0, -1, -1, -1, -1 }
#define AT_PATH(call) \
    { SYS_##call, #call, -1, 0, 1, -1, -1, -1, -1 }

static const changing_call changing_calls[] = {
    {SYS_openat, "openat", -1, 0, 1, -1, -1, 2, -1},
    WRITE(write),
    WRITE(pwrite64),
    ON_FD(writev),
    ON_FD(pwritev),
    ON_FD(pwritev2),
    ON_FD(fallocate),
    ON_FD(ftruncate),
    ON_FD(fsync),
    ON_FD(fdatasync),
    ON_FD(sync_file_range),
    ON_FD(syncfs),
    {SYS_sync, "sync", -1, -1, -1, -1, -1, -1, -1},
    ON_FD(fchmod),
    ON_FD(fchown),
    ON_FD(flock),
    ON_FD(close),
    {SYS_copy_file_range, "copy_file_range", 2, -1, -1, -1, -1, -1, -1},
    {SYS_sendfile, "sendfile", 0, -1, -1, -1, -1, -1, -1},
    {SYS_splice, "splice", 2, -1, -1, -1, -1, -1, -1},
    {SYS_mmap, "mmap", 4, -1, -1, -1, -1, -1, -1},
    {SYS_renameat2, "renameat2", -1, 0, 1, 2, 3, -1, -1},
    {SYS_linkat, "linkat", -1, 0, 1, 2, 3, -1, -1},
    {SYS_symlinkat, "symlinkat", -1, 1, 2, -1, -1, -1, -1},
    AT_PATH(unlinkat),
    AT_PATH(mkdirat),
    AT_PATH(mknodat),
    AT_PATH(fchmodat),
    AT_PATH(fchownat),
    AT_PATH(utimensat),
    ON_PATH(truncate),
#ifdef SYS_renameat
    {SYS_renameat, "renameat", -1, 0, 1, 2, 3, -1, -1},
#endif
#ifdef SYS_open /* an older architecture has these too */
    {SYS_open, "open", -1, -1, 0, -1, -1, 1, -1},
    ON_PATH(creat),
    {SYS_rename, "rename", -1, -1, 0, -1, 1, -1, -1},
    {SYS_link, "link", -1, -1, 0, -1, 1, -1, -1},
    {SYS_symlink, "symlink", -1, -1, 1, -1, -1, -1, -1},
    ON_PATH(unlink),
    ON_PATH(rmdir),
    ON_PATH(mkdir),
    ON_PATH(mknod),
    ON_PATH(chmod),
    ON_PATH(chown),
#endif
};

enum { CHANGING_CALLS = sizeof changing_calls / sizeof *changing_calls };

static inline const changing_call *changing_call_of(long number) {
    for (int i = 0; i < CHANGING_CALLS; i++)
        if (changing_calls[i].number == number) return &changing_calls[i];
    return NULL;
}

#endif
