/* FILE.part: opened without following links, locked, and at last renamed.
 *
 * The folder may be one that others can write to. So nothing is written through a link, symbolic or hard, to a file
 * that is not the part's own. */
#include "fetch/part.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "file/file.h"
#include "file/temporary.h"

#define MOST_TRIES 1000 /* to get the part: many processes may load the same file, one after the other */

gpr_status gpri_part_init(gpri_part *part, gpr_ctx *ctx, const char *folder, const char *name) {
    *part = (gpri_part){.ctx = ctx, .path = {.ctx = ctx}, .target = {.ctx = ctx}, .fd = -1};
    gpri_text_add(&part->target, "%s/%s", folder, name);
    NEED(gpri_text_status(&part->target));
    gpri_text_add(&part->path, "%s.part", part->target.bytes);
    return gpri_text_status(&part->path);
}

static gpr_status make_folder_of(const char *path) {
    char folder[GPRI_LONGEST_PATH];
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path) return GPR_OK;
    if (snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path) >= (int)sizeof folder)
        return gpri_fail(GPR_ERROR_IO, "the name of the file %s is too long", path);
    return gpri_make_folders(folder, NULL);
}

static gpr_status open_part(gpri_part *part) {
    struct stat info;
    const char *path = part->path.bytes;
    part->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (part->fd < 0 && errno == ELOOP)
        return gpri_fail(GPR_ERROR_IO, "cannot write %s: it is a symbolic link; remove it", path);
    if (part->fd < 0 || fstat(part->fd, &info) != 0) return gpri_write_failed(path);
    if (!S_ISREG(info.st_mode))
        return gpri_fail(GPR_ERROR_IO, "cannot write %s: it is not a regular file; remove it", path);
    return GPR_OK;
}

static void let_go(gpri_part *part) {
    if (part->fd >= 0) close(part->fd); /* and so unlocks it */
    part->fd = -1;
    part->locked = false;
}

/* Waits until no other process has it. */
static gpr_status wait_for_lock(gpri_part *part, const gpri_tick *tick, double deadline) {
    const struct timespec slice = {.tv_nsec = 50 * 1000 * 1000};
    const char *target = part->target.bytes;
    bool said = false;
    while (flock(part->fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EINTR) continue;
        if (errno != EWOULDBLOCK) break; /* a file system without locks */
        if (!said) gpri_log(part->ctx, GPR_LOG_WARNING, "another fetch is loading %s: waiting for it", target);
        said = true;
        if (gpri_tick_now(tick, 0, 0) != GPR_OK)
            return gpri_fail(GPR_ERROR_STOPPED, "stopped while another fetch was loading %s", target);
        if (gpri_seconds_now() >= deadline)
            return gpri_fail(GPR_ERROR_IO, "another fetch is still loading %s: the time is over (`max-time`)", target);
        nanosleep(&slice, NULL);
    }
    part->locked = true;
    return GPR_OK;
}

/* Is the open file the one with that name? The process that had it may have moved it into place or removed it. */
static bool has_its_name(int fd, const char *path, struct stat *held) {
    struct stat named;
    return fstat(fd, held) == 0 && lstat(path, &named) == 0 && held->st_dev == named.st_dev &&
           held->st_ino == named.st_ino;
}

gpr_status gpri_part_take(gpri_part *part, const gpri_tick *tick, double deadline) {
    const char *path = part->path.bytes;
    struct stat held;
    gpr_status status = make_folder_of(part->path.bytes);
    for (int tries = 0; status == GPR_OK && tries < MOST_TRIES; tries++) {
        status = open_part(part);
        if (status == GPR_OK) status = wait_for_lock(part, tick, deadline);
        if (status == GPR_OK && has_its_name(part->fd, path, &held)) {
            if (held.st_nlink == 1 && held.st_uid == geteuid()) return GPR_OK;
            gpri_log(part->ctx, GPR_LOG_WARNING, "%s %s: it is replaced", path,
                     held.st_nlink == 1 ? "belongs to another user" : "has a second name (a hard link)");
            if (unlink(path) != 0) status = gpri_write_failed(path);
        }
        let_go(part);
    }
    return status == GPR_OK ? gpri_fail(GPR_ERROR_IO, "cannot write %s: others replace it all the time", path) : status;
}

gpr_status gpri_part_empty(const gpri_part *part) {
    return ftruncate(part->fd, 0) == 0 ? GPR_OK : gpri_write_failed(part->path.bytes);
}

gpr_status gpri_part_commit(gpri_part *part) {
    const char *from = part->path.bytes, *to = part->target.bytes;
    struct stat held;
    if (!has_its_name(part->fd, from, &held))
        return gpri_fail(GPR_ERROR_IO, "cannot write %s: somebody replaced %s", to, from);
    if ((fsync(part->fd) != 0 && errno != EINVAL && errno != EROFS) || rename(from, to) != 0)
        return gpri_write_failed(to);
    let_go(part);
    return gpri_sync_folder_of(to);
}

void gpri_part_close(gpri_part *part) {
    struct stat held;
    if (part->locked && has_its_name(part->fd, part->path.bytes, &held) && held.st_size == 0) unlink(part->path.bytes);
    let_go(part);
}

void gpri_part_sweep(const gpri_part *part) {
    struct stat held;
    const char *path = part->path.bytes;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) return;
    if (has_its_name(fd, path, &held) && S_ISREG(held.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
        has_its_name(fd, path, &held))
        unlink(path);
    close(fd);
}

void gpri_part_free(gpri_part *part) {
    gpri_part_close(part);
    gpri_text_free(&part->path);
    gpri_text_free(&part->target);
}
