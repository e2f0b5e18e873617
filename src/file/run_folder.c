/* The mechanics of a run folder: lock, staged files, and what to do after a kill. */
#include "file/run_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "file/path.h"
#include "file/temporary.h"

const char *const gpri_run_files[] = {"config.json",
                                      "model.safetensors",
                                      "split.npz",
                                      "history.csv",
                                      "gamma.csv",
                                      GPRI_RUN_GAMMA_HISTORY,
                                      GPRI_RUN_METRICS,
                                      GPRI_RUN_CLASS_METRICS,
                                      "predictions.csv",
                                      "result.json",
                                      "report.html",
                                      GPRI_RUN_MANIFEST,
                                      NULL};

bool gpri_run_file_may_lack(const char *name) { /* a run that never began has no split */
    return strcmp(name, "split.npz") == 0 || strcmp(name, GPRI_RUN_GAMMA_HISTORY) == 0 ||
           strcmp(name, GPRI_RUN_METRICS) == 0 || strcmp(name, GPRI_RUN_CLASS_METRICS) == 0;
}

#define WRITING ".run-writing"
#define FINISHED ".run-finished"
#define STOPPED ".run-stopped"
#define MOVING ".run-moving"

gpr_status gpri_path_in(char *out, const char *dir, const char *name) {
    if (snprintf(out, GPRI_LONGEST_PATH, "%s/%s", dir, name) < GPRI_LONGEST_PATH) return GPR_OK;
    return gpri_fail(GPR_ERROR_IO, "the name of the folder %s is too long", dir);
}

static bool exists_at(int fd, const char *name) { return faccessat(fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0; }

gpr_status gpri_make_folder(const char *path) {
    if (mkdir(path, 0777) == 0) return gpri_sync_folder_of(path);
    return errno == EEXIST ? GPR_OK : gpri_cannot("make the folder", path);
}

/* ---- folders inside ---- */

bool gpri_is_state_name(const char *name, int64_t *run) {
    char again[64];
    long long number = -1;
    if (sscanf(name, "run-%lld", &number) != 1 || number < 0) return false;
    snprintf(again, sizeof again, GPRI_RUN_STATE, number);
    *run = number;
    return strcmp(again, name) == 0;
}

/* One of ours, or the temporary file of one (temporary.h). */
static bool is_state(const char *name) {
    char own[64];
    int64_t run;
    const char *dot = strstr(name, ".gprgnn-tmp");
    if (name[0] == '.' && dot && !dot[strlen(".gprgnn-tmp")]) {
        const char *end = dot;
        while (end > name && *--end != '.') continue; /* before the random letters */
        if (end - name - 1 <= 0 || end - name >= (ptrdiff_t)sizeof own) return false;
        snprintf(own, sizeof own, "%.*s", (int)(end - name - 1), name + 1);
        return is_state(own);
    }
    return strcmp(name, GPRI_RUN_COMMAND) == 0 || gpri_is_state_name(name, &run);
}

static bool is_any(const char *name) { return strcmp(name, ".") != 0 && strcmp(name, "..") != 0; }

/* Removes the files that are ours from a subfolder, and then the subfolder itself if it is empty. One that is missing
   is fine. */
static gpr_status remove_folder(const gpri_locked_folder *folder, const char *name, bool (*ours)(const char *)) {
    int fd = openat(folder->fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return errno == ENOENT ? GPR_OK : gpri_cannot("read a folder in", folder->path);
    DIR *entries = fdopendir(fd);
    if (!entries) {
        close(fd);
        return gpri_cannot("read a folder in", folder->path);
    }
    int failure = 0;
    for (const struct dirent *entry; (entry = readdir(entries));) {
        if (!ours(entry->d_name) || unlinkat(fd, entry->d_name, 0) == 0) continue;
        if (errno != ENOENT && errno != EISDIR) failure = errno; /* a folder is not ours */
    }
    closedir(entries);
    errno = failure;
    if (failure) return gpri_cannot("remove a file in", folder->path);
    if (unlinkat(folder->fd, name, AT_REMOVEDIR) != 0 && errno != ENOTEMPTY && errno != EEXIST && errno != ENOENT)
        return gpri_cannot("remove a folder in", folder->path);
    return gpri_sync_folder(folder->fd, folder->path);
}

static bool is_link(char *out, const char *dir, const char *name) {
    struct stat info;
    return snprintf(out, GPRI_LONGEST_PATH, "%s/%s", dir, name) < GPRI_LONGEST_PATH && lstat(out, &info) == 0 &&
           S_ISLNK(info.st_mode);
}

bool gpri_run_finds_link(char *out, const char *dir, bool results) {
    char states[GPRI_LONGEST_PATH];
    bool found = is_link(out, dir, GPRI_RUN_STATES) || is_link(out, dir, WRITING) || is_link(out, dir, FINISHED) ||
                 is_link(out, dir, STOPPED) || is_link(out, dir, MOVING);
    for (const char *const *name = gpri_run_files; results && !found && *name; name++) found = is_link(out, dir, *name);
    if (found || gpri_path_in(states, dir, GPRI_RUN_STATES) != GPR_OK) return found;
    DIR *entries = opendir(states);
    for (const struct dirent *entry; entries && !found && (entry = readdir(entries));)
        found = is_state(entry->d_name) && is_link(out, states, entry->d_name);
    if (entries) closedir(entries);
    return found;
}

static gpr_status check_links(const char *dir, bool results) {
    char path[GPRI_LONGEST_PATH];
    if (!gpri_run_finds_link(path, dir, results)) return GPR_OK;
    return gpri_fail(GPR_ERROR_FORMAT, "%s: " GPRI_RUN_LINK_TEXT, path);
}

gpr_status gpri_run_forget(const gpri_locked_folder *folder) {
    return remove_folder(folder, GPRI_RUN_STATES, is_state);
}

static gpr_status rename_in(const gpri_locked_folder *folder, const char *from, const char *to) {
    if (renameat(folder->fd, from, folder->fd, to) != 0) return gpri_cannot("rename a folder in", folder->path);
    return gpri_sync_folder(folder->fd, folder->path);
}

/* ---- replacing the results ---- */

/* The manifest goes first and comes last, each time synced on its own: where it is, all files are. */
static bool is_manifest(const char *name) { return strcmp(name, GPRI_RUN_MANIFEST) == 0; }

static gpr_status remove_old(const gpri_locked_folder *folder) {
    for (int manifest = 1; manifest >= 0; manifest--) {
        for (const char *const *name = gpri_run_files; *name; name++)
            if (is_manifest(*name) == manifest && unlinkat(folder->fd, *name, 0) != 0 && errno != ENOENT)
                return gpri_cannot("replace the files of", folder->path);
        NEED(gpri_sync_folder(folder->fd, folder->path));
    }
    return GPR_OK;
}

/* Those that were moved before a kill are not there any more. */
static gpr_status move_new(const gpri_locked_folder *folder) {
    gpr_status status = GPR_OK;
    int fd = openat(folder->fd, MOVING, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return gpri_cannot("read the folder", folder->path);
    for (int manifest = 0; manifest <= 1; manifest++) {
        for (const char *const *name = gpri_run_files; *name; name++)
            if (is_manifest(*name) == manifest && renameat(fd, *name, folder->fd, *name) != 0 && errno != ENOENT)
                LEAVE(gpri_cannot("replace the files of", folder->path));
        TRY(gpri_sync_folder(folder->fd, folder->path));
        TRY(gpri_sync_folder(fd, folder->path));
    }
done:
    close(fd);
    return status;
}

/* From where it stands. */
static gpr_status complete(const gpri_locked_folder *folder) {
    const char *decided = exists_at(folder->fd, FINISHED) ? FINISHED : exists_at(folder->fd, STOPPED) ? STOPPED : NULL;
    if (decided) {
        NEED(remove_old(folder));
        if (strcmp(decided, FINISHED) == 0) NEED(gpri_run_forget(folder));
        NEED(rename_in(folder, decided, MOVING));
    }
    if (exists_at(folder->fd, MOVING)) {
        NEED(move_new(folder));
        NEED(remove_folder(folder, MOVING, is_any));
    }
    return GPR_OK;
}

static gpr_status repair(const gpri_locked_folder *folder) {
    NEED(remove_folder(folder, WRITING, is_any));
    NEED(complete(folder));
    (void)unlinkat(folder->fd, GPRI_RUN_STATES, AT_REMOVEDIR); /* if it is empty */
    return GPR_OK;
}

/* Whether the folder at `path` is still the one that is open: another process may have removed it meanwhile. */
static bool still_there(int fd, const char *path) {
    struct stat open_one, named;
    return fstat(fd, &open_one) == 0 && stat(path, &named) == 0 && open_one.st_ino == named.st_ino &&
           open_one.st_dev == named.st_dev;
}

gpr_status gpri_locked_folder_check(const gpri_locked_folder *folder) {
    if (still_there(folder->fd, folder->path)) return GPR_OK;
    return gpri_fail(GPR_ERROR_IO, "the folder %s was moved, removed or replaced meanwhile: nothing is written there",
                     folder->path);
}

gpr_status gpri_run_stage(const gpri_locked_folder *folder, char *staged) {
    NEED(gpri_locked_folder_check(folder));
    NEED(gpri_path_in(staged, folder->path, WRITING));
    NEED(remove_folder(folder, WRITING, is_any));
    if (mkdirat(folder->fd, WRITING, 0700) != 0) return gpri_cannot("make a folder in", folder->path);
    return GPR_OK;
}

/* A new file has the rights of the one that it replaces. fd: of the folder with the new ones. */
static gpr_status keep_rights(const gpri_locked_folder *folder, int fd) {
    char old[GPRI_LONGEST_PATH];
    for (const char *const *name = gpri_run_files; *name; name++) {
        NEED(gpri_path_in(old, folder->path, *name));
        int file = openat(fd, *name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        if (file < 0) continue;
        gpri_keep_rights(file, old);
        close(file);
    }
    return GPR_OK;
}

gpr_status gpri_run_commit(const gpri_locked_folder *folder, bool finished) {
    gpr_status status = GPR_OK;
    int fd = openat(folder->fd, WRITING, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return gpri_cannot("read the folder", folder->path);
    TRY(gpri_locked_folder_check(folder));
    TRY(keep_rights(folder, fd));
    TRY(gpri_sync_folder(fd, folder->path));
    TRY(gpri_sync_folder(folder->fd, folder->path));
    TRY(rename_in(folder, WRITING, finished ? FINISHED : STOPPED));
    TRY(complete(folder));
done:
    close(fd);
    return status;
}

/* By name first: this works even where no file can be opened any more. */
void gpri_run_abandon(const gpri_locked_folder *folder) {
    char path[64];
    for (const char *const *name = gpri_run_files; *name; name++) {
        snprintf(path, sizeof path, WRITING "/%s", *name);
        (void)unlinkat(folder->fd, path, 0);
    }
    if (unlinkat(folder->fd, WRITING, AT_REMOVEDIR) != 0) (void)!remove_folder(folder, WRITING, is_any);
}

/* ---- the lock ---- */

/* The process that holds the lock, as the kernel's list of locks says; 0: not known. */
static long holder_of(int fd) {
    struct stat info;
    char line[256];
    long pid = 0, found = 0;
    unsigned high, low;
    unsigned long long inode;
    FILE *locks = fstat(fd, &info) == 0 ? fopen("/proc/locks", "r") : NULL;
    while (locks && !found && fgets(line, sizeof line, locks))
        if (sscanf(line, "%*d: FLOCK %*s %*s %ld %x:%x:%llu", &pid, &high, &low, &inode) == 4 && inode == info.st_ino &&
            high == major(info.st_dev) && low == minor(info.st_dev) && pid > 0)
            found = pid;
    if (locks) fclose(locks);
    return found;
}

/* *status: GPR_OK, or why not. False: try again. */
static bool lock(gpri_locked_folder *folder, gpr_status *status) {
    *status = GPR_OK;
    folder->fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->fd < 0) {
        const bool gone = errno == ENOENT;
        *status = gpri_cannot("open the output folder", folder->path);
        return !gone;
    }
    if (flock(folder->fd, LOCK_EX | LOCK_NB) == 0) {
        if (still_there(folder->fd, folder->path)) return true;
    } else if (errno == EWOULDBLOCK) {
        const long pid = holder_of(folder->fd);
        char who[64] = "another process";
        if (pid) snprintf(who, sizeof who, "process %ld", pid);
        *status = gpri_fail(GPR_ERROR_IO, "%s is in use: %s writes there; wait for it, or take another folder",
                            folder->path, who);
    } else {
        return true; /* a file system without locks */
    }
    close(folder->fd);
    folder->fd = -1;
    return *status != GPR_OK;
}

gpr_status gpri_locked_folder_open(gpri_locked_folder *out, const char *dir) {
    gpr_status status = GPR_OK;
    out->fd = -1;
    if (!*dir) return gpri_fail(GPR_ERROR_ARGUMENT, "the output folder has no name");
    if (strlen(dir) + 64 > sizeof out->path)
        return gpri_fail(GPR_ERROR_ARGUMENT, "the output folder's name is too long");
    strcpy(out->path, dir);
    for (int attempt = 0; attempt < 100; attempt++) {
        TRY(gpri_make_folders(dir, &out->made));
        if (lock(out, &status)) break;
    }
    if (status != GPR_OK) goto done;
    if (out->fd < 0) THROW(GPR_ERROR_IO, "cannot open the output folder %s: it is removed again and again", dir);
    if (faccessat(out->fd, ".", W_OK | X_OK, 0) != 0) LEAVE(gpri_cannot("write into the output folder", dir));
    TRY(check_links(dir, false));
    TRY(repair(out));
done:
    if (status != GPR_OK) gpri_locked_folder_close(out);
    return status;
}

void gpri_locked_folder_close(gpri_locked_folder *folder) {
    if (folder->fd < 0) return;
    if (folder->made && still_there(folder->fd, folder->path))
        (void)rmdir(folder->path); /* while it is locked; fails where it is not empty */
    close(folder->fd);
    folder->fd = -1;
}

/* ---- readers ---- */

const char *const gpri_run_marks[] = {FINISHED, STOPPED, MOVING, NULL};

bool gpri_run_unfinished(const char *dir) {
    char path[GPRI_LONGEST_PATH];
    struct stat info;
    for (const char *const *mark = gpri_run_marks; *mark; mark++)
        if (snprintf(path, sizeof path, "%s/%s", dir, *mark) < GPRI_LONGEST_PATH && lstat(path, &info) == 0)
            return true;
    return false;
}

enum { MOST_WAITS = 100 }; /* two seconds in all */

static void wait_a_moment(void) { nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); }

void gpri_run_settle(const char *dir) {
    for (int attempt = 0; attempt < MOST_WAITS && gpri_run_unfinished(dir); attempt++) {
        int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        const bool in_use = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (fd >= 0) close(fd);
        if (!in_use) return; /* a killed program left it so */
        wait_a_moment();
    }
}

gpr_status gpri_run_repair(const char *dir) {
    gpri_locked_folder folder;
    NEED(gpri_may_look(dir));
    NEED(check_links(dir, true));
    for (int attempt = 0; attempt < MOST_WAITS && gpri_run_unfinished(dir); attempt++) {
        const gpr_status status = gpri_locked_folder_open(&folder, dir);
        if (status == GPR_OK) gpri_locked_folder_close(&folder);
        else if (status != GPR_ERROR_IO) break;
        else wait_a_moment();
    }
    return gpri_run_unfinished(dir)
               ? gpri_fail(GPR_ERROR_IO,
                           "%s: a program was killed while it wrote its results there; they are complete "
                           "in a hidden subfolder, but the folder cannot be changed now",
                           dir)
               : GPR_OK;
}

bool gpri_run_has(const char *dir, const char *name) {
    char path[GPRI_LONGEST_PATH];
    return gpri_path_in(path, dir, name) == GPR_OK && (gpri_is_file(path) || gpri_is_folder(path));
}

bool gpri_is_run_folder(const char *dir) {
    if (gpri_run_unfinished(dir)) return true;
    return gpri_run_has(dir, GPRI_RUN_MANIFEST) || gpri_run_has(dir, GPRI_RUN_STATES "/" GPRI_RUN_COMMAND) ||
           gpri_run_has(dir, GPRI_RUN_STATES "/run-0.safetensors") ||
           (gpri_run_has(dir, "model.safetensors") &&
            (gpri_run_has(dir, "result.json") || gpri_run_has(dir, "config.json")));
}
