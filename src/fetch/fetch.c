/* gpr_fetch: the files of a public dataset, downloaded, verified, and only then moved into place.
 *
 *     FOLDER/planetoid/ind.cora.tx.part    on its way, locked; stays if the fetch ends early, and is continued
 *     FOLDER/planetoid/ind.cora.tx         whole and right, as all the other files of the dataset are then
 */
#include "fetch/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "data/dataset.h"
#include "data/describe.h"
#include "fetch/download.h"
#include "fetch/sha256.h"
#include "file/file.h"
#include "io/readers.h"

/* A dataset on its way. */
typedef struct job {
    gpr_ctx *ctx;
    const gpri_catalogue_entry *set;
    const char *folder;
    const gpr_fetch_options *options;
    gpr_fetch_result *result;
} job;

/* One of its files. */
typedef struct arrival {
    const job *of;
    const gpri_catalogue_file *file;
    int number;
    gpri_text target, part; /* paths */
    int fd;                 /* of the part; -1: none */
    bool locked;            /* no other process has it */
} arrival;

/* ---- What is right --------------------------------------------------------------------------------- */

gpr_status gpri_fetch_check(bool *right, const char *path, const gpri_catalogue_file *file) {
    gpr_status status = GPR_OK;
    char hex[GPRI_SHA256_HEX];
    struct stat info;
    *right = false;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) return GPR_OK;
    if (fd < 0 || fstat(fd, &info) != 0) {
        status = gpri_fail_errno("read", path);
    } else if (S_ISREG(info.st_mode) && info.st_size > 0 && (!file->bytes || info.st_size == file->bytes)) {
        if (file->sha256) status = gpri_sha256_file(hex, fd, path);
        *right = status == GPR_OK && (!file->sha256 || strcmp(hex, file->sha256) == 0);
    }
    if (fd >= 0) close(fd);
    return status;
}

/* A file that no checksum is known of: it must be a dataset, and should be the one expected. */
static gpr_status check_dataset(const arrival *a, const char *url) {
    gpr_ctx *ctx = a->of->ctx;
    const gpri_catalogue_entry *set = a->of->set;
    char fingerprint[GPRI_FINGERPRINT_SIZE];
    gpr_dataset *data;
    gpr_status status = gpri_read_npz(ctx, &data, a->part.bytes);
    if (status == GPR_ERROR_MEMORY) return status;
    if (status < 0) return gpri_fail(GPR_ERROR_FORMAT, "the file from %s is not a dataset: %s", url, gpr_last_error());
    gpri_fingerprint(fingerprint, data);
    gpr_dataset_free(data);
    if (set->fingerprint && strcmp(fingerprint, set->fingerprint) != 0)
        gpri_log(ctx, GPR_LOG_WARNING,
                 "%s: the file from %s is a dataset, but not the expected one: its fingerprint is %s, not %s",
                 set->name, url, fingerprint, set->fingerprint);
    return GPR_OK;
}

/* GPR_ERROR_FORMAT: the part is whole, and wrong. */
static gpr_status check_content(const arrival *a, const char *url) {
    char hex[GPRI_SHA256_HEX];
    if (!a->file->sha256) return check_dataset(a, url);
    gpr_status status = gpri_sha256_file(hex, a->fd, a->part.bytes);
    if (status != GPR_OK || strcmp(hex, a->file->sha256) == 0) return status;
    return gpri_fail(GPR_ERROR_FORMAT, "the file from %s is not the expected one: its SHA-256 is %s, not %s", url, hex,
                     a->file->sha256);
}

/* ---- The part -------------------------------------------------------------------------------------- */

static gpr_status report(void *user, double bytes, double total) {
    arrival *a = user;
    const gpr_fetch_options *options = a->of->options;
    gpr_fetch_progress progress = {.struct_size = sizeof progress,
                                   .dataset = a->of->set->name,
                                   .path = a->file->path,
                                   .file = a->number,
                                   .files = a->of->set->file_count,
                                   .bytes = (int64_t)bytes,
                                   .total = (int64_t)total};
    const bool stop = options->progress && options->progress(options->user, &progress) != 0;
    return stop ? gpri_fail(GPR_ERROR_STOPPED, "stopped by the caller") : GPR_OK;
}

static gpr_status open_part(arrival *a) {
    struct stat info;
    const char *path = a->part.bytes;
    a->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (a->fd < 0 || fstat(a->fd, &info) != 0) {
        gpri_fail_errno("write", path);
        return GPR_ERROR_IO;
    }
    if (!S_ISREG(info.st_mode)) return gpri_fail(GPR_ERROR_IO, "cannot write %s: it is not a regular file", path);
    return GPR_OK;
}

static void close_part(arrival *a) {
    if (a->fd >= 0) close(a->fd); /* and so unlocks it */
    a->fd = -1;
    a->locked = false;
}

/* Waits until no other process has the part. */
static gpr_status wait_for_lock(arrival *a) {
    const struct timespec slice = {.tv_nsec = 50 * 1000 * 1000};
    bool said = false;
    while (flock(a->fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EINTR) continue;
        if (errno != EWOULDBLOCK) break; /* a file system without locks */
        if (!said)
            gpri_log(a->of->ctx, GPR_LOG_WARNING, "another fetch is loading %s: waiting for it", a->target.bytes);
        said = true;
        if (report(a, 0, 0) != GPR_OK)
            return gpri_fail(GPR_ERROR_STOPPED, "stopped while another fetch was loading %s", a->target.bytes);
        nanosleep(&slice, NULL);
    }
    a->locked = true;
    return GPR_OK;
}

/* Opens and locks the part. The process that had it may have moved it into place or removed it: then the open file no
   longer has that name. *right: the file is in place by now. */
static gpr_status take_part(arrival *a, bool *right) {
    struct stat held, named;
    for (;;) {
        gpr_status status = open_part(a);
        if (status == GPR_OK) status = wait_for_lock(a);
        if (status == GPR_OK && !a->of->options->force) status = gpri_fetch_check(right, a->target.bytes, a->file);
        if (status != GPR_OK || *right) return status;
        if (fstat(a->fd, &held) != 0) return gpri_fail_errno("read", a->part.bytes);
        if (stat(a->part.bytes, &named) == 0 && held.st_dev == named.st_dev && held.st_ino == named.st_ino)
            return GPR_OK;
        close_part(a);
    }
}

/* An empty part is of no use to a later fetch. */
static void let_go(arrival *a) {
    struct stat info;
    if (a->locked && fstat(a->fd, &info) == 0 && info.st_size == 0) unlink(a->part.bytes);
    close_part(a);
    gpri_text_free(&a->part);
    gpri_text_free(&a->target);
}

static gpr_status empty_part(const arrival *a) {
    return ftruncate(a->fd, 0) == 0 ? GPR_OK : gpri_fail_errno("write", a->part.bytes);
}

/* ---- One file, and all of a dataset ----------------------------------------------------------------- */

/* Loads what the part lacks. *old: part of it was there before. */
static gpr_status load_rest(arrival *a, const char *url, int64_t size, bool *old) {
    const gpr_fetch_options *options = a->of->options;
    gpri_download download = {.url = url,
                              .fd = a->fd,
                              .path = a->part.bytes,
                              .bytes = a->file->bytes,
                              .retries = options->retries,
                              .timeout = options->timeout,
                              .pause = options->pause,
                              .tick = {report, a}};
    *old = size > 0;
    if (a->file->bytes && size == a->file->bytes) return GPR_OK;
    gpri_log(a->of->ctx, GPR_LOG_INFO, "%s: loading %s from byte %lld on", a->of->set->name, url, (long long)size);
    gpr_status status = gpri_download_file(a->of->ctx, &download);
    a->of->result->bytes += download.loaded;
    *old = download.resumed;
    if (status == GPR_ERROR_FORMAT && download.loaded > 0) (void)!ftruncate(a->fd, 0);
    return status;
}

/* Makes the part whole and right. What an earlier fetch left is not trusted: if the whole file is wrong, it is loaded
   again. */
static gpr_status complete_part(arrival *a, const char *url) {
    gpr_status status = GPR_OK;
    struct stat info;
    for (bool anew = a->of->options->force != 0;; anew = true) {
        bool old = false;
        if (fstat(a->fd, &info) != 0) return gpri_fail_errno("read", a->part.bytes);
        if (anew || (a->file->bytes && info.st_size > a->file->bytes)) {
            TRY(empty_part(a));
            info.st_size = 0;
        }
        status = load_rest(a, url, info.st_size, &old);
        if (status != GPR_OK) return status;
        status = check_content(a, url);
        if (status != GPR_ERROR_FORMAT) return status;
        if (!old || anew) break;
        gpri_log(a->of->ctx, GPR_LOG_WARNING, "%s: the part of an earlier fetch does not fit; loading it again",
                 a->part.bytes);
    }
    (void)!ftruncate(a->fd, 0); /* let_go removes it; the message of what is wrong stays */
done:
    return status;
}

static gpr_status make_folder_of(const char *path) {
    char folder[4096];
    const size_t size = (size_t)(strrchr(path, '/') - path);
    if (size >= sizeof folder) return gpri_fail(GPR_ERROR_ARGUMENT, "the name %s is too long", path);
    memcpy(folder, path, size);
    folder[size] = 0;
    return gpr_check_output_dir(folder);
}

/* Afterwards the file is in place, or its part is whole, right and locked. */
static gpr_status fetch_file(arrival *a) {
    const job *of = a->of;
    gpr_status status = GPR_OK;
    bool right = false;
    gpri_text url = {.ctx = of->ctx};
    gpri_text_add(&a->target, "%s/%s", of->folder, a->file->path);
    TRY(gpri_text_status(&a->target));
    gpri_text_add(&a->part, "%s.part", a->target.bytes);
    TRY(gpri_text_status(&a->part));
    const char *mirror = of->options->mirror;
    int size = mirror ? (int)strlen(mirror) : 0;
    while (size > 0 && mirror[size - 1] == '/') size--;
    if (mirror) gpri_text_add(&url, "%.*s/%s", size, mirror, a->file->path);
    else gpri_text_add(&url, "%s", a->file->url);
    TRY(gpri_text_status(&url));
    if (!of->options->force) TRY(gpri_fetch_check(&right, a->target.bytes, a->file));
    if (right) goto done;
    TRY(make_folder_of(a->target.bytes));
    status = take_part(a, &right);
    if (status == GPR_OK && !right) status = complete_part(a, url.bytes);
    if (right) let_go(a);
    else if (status == GPR_OK) of->result->loaded++;
done:
    gpri_text_free(&url);
    return status;
}

static gpr_status move_into_place(arrival *a) {
    const char *to = a->target.bytes;
    if (a->fd < 0) return GPR_OK; /* it is there */
    if ((fsync(a->fd) != 0 && errno != EINVAL && errno != EROFS) || rename(a->part.bytes, to) != 0) {
        gpri_fail_errno("write", to);
        return GPR_ERROR_IO;
    }
    close_part(a);
    return gpri_sync_folder_of(to);
}

/* Says which dataset, and what a person can do. */
static gpr_status explain(gpr_status status, const job *of) {
    const char *name = of->set->name;
    if (status != GPR_ERROR_NETWORK && status != GPR_ERROR_NOT_FOUND) return gpri_fail_prefix(status, "%s", name);
    return gpri_fail(status, "%s: %s; %sput its files into %s by hand", name, gpr_last_error(),
                     gpri_can_download() ? "give `mirror` URL, or " : "", of->folder);
}

gpr_status gpri_fetch_load(gpr_ctx *ctx, gpr_fetch_result *result, const gpri_catalogue_entry *set, const char *folder,
                           const gpr_fetch_options *options) {
    const int count = set->file_count;
    const job of = {ctx, set, folder, options, result};
    arrival *files;
    *result = (gpr_fetch_result){.struct_size = sizeof *result, .files = count};
    gpr_status status = gpri_calloc(ctx, &files, count, sizeof *files, "files to fetch");
    if (status != GPR_OK) return status;
    for (int i = 0; i < count; i++)
        files[i] = (arrival){
            .of = &of, .file = &set->files[i], .number = i, .target = {.ctx = ctx}, .part = {.ctx = ctx}, .fd = -1};
    for (int i = 0; status == GPR_OK && i < count; i++) status = fetch_file(&files[i]);
    for (int i = 0; status == GPR_OK && i < count; i++) status = move_into_place(&files[i]);
    if (status < 0) status = explain(status, &of);
    for (int i = 0; i < count; i++) let_go(&files[i]);
    gpri_free(ctx, files);
    return status;
}
