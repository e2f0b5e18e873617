/* gpr_fetch: the files of a public dataset, downloaded, verified, and only then moved into place.
 *
 *     FOLDER/planetoid/ind.cora.tx.part    on its way, locked; stays if the fetch ends early, and is continued
 *     FOLDER/planetoid/ind.cora.tx         whole and right, as all the other files of the dataset are then
 */
#include "fetch/fetch.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "fetch/address.h"
#include "fetch/download.h"
#include "fetch/part.h"

/* A dataset on its way. */
typedef struct job {
    gpr_ctx *ctx;
    const gpri_catalogue_entry *set;
    const char *folder;
    const gpr_fetch_options *options;
    gpr_fetch_result *result;
    double deadline; /* of gpri_seconds_now */
} job;

/* One of its files. */
typedef struct arrival {
    const job *fetching;
    const gpri_catalogue_file *file;
    int number;
    gpri_part part;
    char url[GPRI_SHOWN_ADDRESS]; /* for messages */
} arrival;

/* Seconds for a dataset. A fetch that works takes much less; one that does not ends. */
static double time_for(const gpri_catalogue_entry *set, const gpr_fetch_options *options) {
    int64_t bytes = 0;
    for (int i = 0; i < set->file_count; i++) bytes += set->files[i].bytes ? set->files[i].bytes : GPRI_MOST_UNKNOWN;
    return options->max_time ? (double)options->max_time : 600 + (double)bytes / 10e3;
}

static gpr_status report(void *user, double bytes, double total) {
    arrival *a = user;
    const gpr_fetch_options *options = a->fetching->options;
    gpr_fetch_progress progress = {.struct_size = sizeof progress,
                                   .dataset = a->fetching->set->name,
                                   .path = a->file->path,
                                   .file = a->number,
                                   .files = a->fetching->set->file_count,
                                   .bytes = (int64_t)bytes,
                                   .total = (int64_t)total};
    const bool stop = options->progress && options->progress(options->user, &progress) != 0;
    return stop ? gpri_fail(GPR_ERROR_STOPPED, "stopped by the caller") : GPR_OK;
}

/* ---- What is right --------------------------------------------------------------------------------- */

/* *there: nothing is to be loaded. An unknown dataset in the file's place is the user's own; it is not overwritten.
   again: the second time, when nobody else has the part. */
static gpr_status look(arrival *a, bool *there, bool again) {
    const job *fetching = a->fetching;
    const char *path = a->part.target.bytes;
    char why[GPRI_WHY];
    gpr_fetch_state state;
    *there = false;
    if (fetching->options->force) return GPR_OK;
    NEED(gpri_fetched_file(fetching->ctx, &state, why, fetching->set, a->file, path));
    *there = state == GPR_FETCH_CORRECT || (state == GPR_FETCH_OTHER && fetching->options->accept);
    if (state == GPR_FETCH_OTHER && !*there)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s is a dataset, but not the expected one: %s; `force` replaces it, `accept` keeps it", path,
                         why);
    if (state == GPR_FETCH_OTHER)
        gpri_log(fetching->ctx, GPR_LOG_WARNING, "%s: accepted %s, which is not the expected one: %s",
                 fetching->set->name, path, why);
    if (state == GPR_FETCH_DAMAGED && !again)
        gpri_log(fetching->ctx, GPR_LOG_WARNING, "%s is damaged: %s; loading it again", path, why);
    return GPR_OK;
}

/* Looks at a part that is whole. GPR_ERROR_FORMAT: it is wrong. */
static gpr_status check_content(const arrival *a) {
    const job *fetching = a->fetching;
    char why[GPRI_WHY];
    gpr_fetch_state state;
    NEED(gpri_fetched_file(fetching->ctx, &state, why, fetching->set, a->file, a->part.path.bytes));
    if (state == GPR_FETCH_CORRECT) return GPR_OK;
    if (state != GPR_FETCH_OTHER)
        return gpri_fail(GPR_ERROR_FORMAT, "the file from %s is not the expected one: %s", a->url, why);
    if (!fetching->options->accept)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "the file from %s is a dataset, but not the expected one: %s; give `mirror` URL, or `accept` "
                         "to take it all the same",
                         a->url, why);
    gpri_log(fetching->ctx, GPR_LOG_WARNING, "%s: accepted the file from %s, which is not the expected one: %s",
             fetching->set->name, a->url, why);
    return GPR_OK;
}

/* ---- One file, and all of a dataset ----------------------------------------------------------------- */

/* Loads what the part lacks. *pieced: its bytes come from more than one answer. */
static gpr_status load_rest(arrival *a, const char *url, int64_t size, bool *pieced) {
    const gpr_fetch_options *options = a->fetching->options;
    gpri_download download = {.url = url,
                              .fd = a->part.fd,
                              .path = a->part.path.bytes,
                              .bytes = a->file->bytes,
                              .retries = options->retries,
                              .timeout = options->timeout,
                              .pause = options->pause,
                              .deadline = a->fetching->deadline,
                              .tick = {report, a}};
    *pieced = size > 0;
    if (a->file->bytes && size == a->file->bytes) return GPR_OK;
    gpri_log(a->fetching->ctx, GPR_LOG_INFO, "%s: loading %s from byte %lld on", a->fetching->set->name, a->url,
             (long long)size);
    gpr_status status = gpri_download_file(a->fetching->ctx, &download);
    a->fetching->result->bytes += download.loaded;
    *pieced = download.pieced;
    if (status == GPR_ERROR_FORMAT && download.loaded > 0) (void)!ftruncate(a->part.fd, 0);
    return status;
}

/* Makes the part whole and right. What was put together from pieces is not trusted: if the whole file is wrong, it is
   loaded again. */
static gpr_status complete_part(arrival *a, const char *url) {
    gpr_status status;
    struct stat info;
    for (int pass = 0;; pass++) {
        const bool anew = pass > 0 || a->fetching->options->force;
        bool pieced = false;
        if (fstat(a->part.fd, &info) != 0) return gpri_fail_errno("read", a->part.path.bytes);
        if (anew || (a->file->bytes && info.st_size > a->file->bytes)) {
            NEED(gpri_part_empty(&a->part));
            info.st_size = 0;
        }
        NEED(load_rest(a, url, info.st_size, &pieced));
        status = check_content(a);
        if (status != GPR_ERROR_FORMAT) return status;
        if (!pieced || pass > 0) break;
        gpri_log(a->fetching->ctx, GPR_LOG_WARNING, "%s: its parts do not fit together; loading it again",
                 a->part.path.bytes);
    }
    (void)!ftruncate(a->part.fd, 0); /* closing removes it; the message of what is wrong stays */
    return status;
}

/* Afterwards the file is in place, or its part is whole, right and locked. */
static gpr_status fetch_file(arrival *a, const char *url) {
    const gpri_tick tick = {report, a};
    bool there;
    NEED(look(a, &there, false));
    if (there) gpri_part_sweep(&a->part);
    if (there) return GPR_OK;
    NEED(gpri_part_take(&a->part, &tick, a->fetching->deadline));
    NEED(look(a, &there, true)); /* another process may have loaded it meanwhile */
    if (there) gpri_part_close(&a->part);
    else NEED(complete_part(a, url));
    a->fetching->result->loaded += !there;
    return GPR_OK;
}

static gpr_status fetch_one(arrival *a) {
    const char *mirror = a->fetching->options->mirror;
    int size = mirror ? (int)strlen(mirror) : 0;
    gpri_text url = {.ctx = a->fetching->ctx};
    while (size > 0 && mirror[size - 1] == '/') size--;
    if (mirror) gpri_text_add(&url, "%.*s/%s", size, mirror, a->file->path);
    else gpri_text_add(&url, "%s", a->file->url);
    gpr_status status = GPR_OK;
    TRY(gpri_text_status(&url));
    gpri_address_show(a->url, url.bytes);
    TRY(fetch_file(a, url.bytes));
done:
    gpri_text_free(&url);
    return status;
}

/* Says which dataset, and what a person can do. */
static gpr_status explain(gpr_status status, const job *fetching) {
    const char *name = fetching->set->name;
    if (status != GPR_ERROR_NETWORK && status != GPR_ERROR_NOT_FOUND) return gpri_fail_prefix(status, "%s", name);
    return gpri_fail(status, "%s: %s; %sput its files into %s by hand", name, gpr_last_error(),
                     gpri_can_download() ? "give `mirror` URL, or " : "", fetching->folder);
}

gpr_status gpri_fetch_load(gpr_ctx *ctx, gpr_fetch_result *result, const gpri_catalogue_entry *set, const char *folder,
                           const gpr_fetch_options *options) {
    const int count = set->file_count;
    const job fetching = {ctx, set, folder, options, result, gpri_seconds_now() + time_for(set, options)};
    arrival *files;
    *result = (gpr_fetch_result){.struct_size = sizeof *result, .files = count};
    gpr_status status = GPR_OK;
    NEED(gpri_calloc(ctx, &files, count, sizeof *files, "files to fetch"));
    for (int i = 0; i < count; i++)
        files[i] = (arrival){.fetching = &fetching, .file = &set->files[i], .number = i, .part.fd = -1};
    for (int i = 0; i < count; i++) {
        TRY(gpri_part_init(&files[i].part, ctx, folder, files[i].file->path));
        TRY(fetch_one(&files[i]));
    }
    for (int i = 0; i < count; i++)
        if (files[i].part.fd >= 0) TRY(gpri_part_commit(&files[i].part));
done:
    if (status < 0) status = explain(status, &fetching);
    for (int i = 0; i < count; i++) gpri_part_free(&files[i].part);
    gpri_free(ctx, files);
    return status;
}
