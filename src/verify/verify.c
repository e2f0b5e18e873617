/* gpr_verify: is a file what it was when it was written? Finds out what is at the path. */
#include "verify/verify.h"

#include <sys/stat.h>

#include "fetch/fetch.h"
#include "file/path.h"
#include "file/run_folder.h"

/* ---- a folder with fetched datasets: every file against the catalogue ---- */

static bool is_there(const char *dir, const gpri_catalogue_file *file) {
    char path[GPRI_LONGEST_PATH];
    return gpri_path_in(path, dir, file->path) == GPR_OK && gpri_is_file(path);
}

static bool has_any(const char *dir, const gpri_catalogue_entry *set) {
    for (int i = 0; i < set->file_count; i++)
        if (is_there(dir, &set->files[i])) return true;
    return false;
}

/* Does the folder have a file of the catalogue of public datasets? */
static bool is_data_folder(const char *dir) {
    for (int i = 0; i < GPRI_CATALOGUE_SIZE; i++)
        if (has_any(dir, &gpri_catalogue[i])) return true;
    return false;
}

static gpr_status check_one(gpri_verifier *v, const char *dir, const gpri_catalogue_entry *set,
                            const gpri_catalogue_file *file) {
    gpr_fetch_state state;
    char path[GPRI_LONGEST_PATH], why[GPRI_WHY];
    NEED(gpri_path_in(path, dir, file->path));
    const gpr_status status = gpri_fetched_file(v->ctx, &state, why, set, file, path);
    if (status == GPR_ERROR_MEMORY) return status;
    if (status != GPR_OK) return gpri_verify_say(v, GPR_VERDICT_DAMAGED, path, "dataset", "%s", gpr_last_error());
    if (state == GPR_FETCH_MISSING)
        return gpri_verify_say(v, GPR_VERDICT_MISSING, path, "dataset", "a file of %s: `fetch %s` loads it", set->name,
                               set->name);
    if (state == GPR_FETCH_CORRECT)
        return gpri_verify_say(v, GPR_VERDICT_OK, path, "dataset", "%s: its %s is that of the catalogue", set->name,
                               file->sha256 ? "SHA-256" : "fingerprint");
    return gpri_verify_say(v, GPR_VERDICT_DAMAGED, path, "dataset", "%s: %s; `fetch %s` loads it again", set->name, why,
                           set->name);
}

static gpr_status verify_data_folder(gpri_verifier *v, const char *dir) {
    for (int i = 0; i < GPRI_CATALOGUE_SIZE; i++) {
        const gpri_catalogue_entry *set = &gpri_catalogue[i];
        for (int k = 0; has_any(dir, set) && k < set->file_count; k++) NEED(check_one(v, dir, set, &set->files[k]));
    }
    return GPR_OK;
}

/* ---- what is at a path ---- */

/* *unknown: nothing could be said about the path itself. */
static gpr_status verify_path(gpri_verifier *v, const char *path, bool *unknown) {
    struct stat info;
    gpri_finding found;
    NEED(gpri_may_look(path));
    const bool there = stat(path, &info) == 0;
    if (there && S_ISDIR(info.st_mode) && gpri_is_run_folder(path)) return gpri_verify_run(v, path);
    if (there && S_ISDIR(info.st_mode) && is_data_folder(path)) return verify_data_folder(v, path);
    if (there && !S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode)) {
        *unknown = true;
        return gpri_verify_say(v, GPR_VERDICT_UNKNOWN, path, "file", "it is not a regular file");
    }
    NEED(gpri_verify_open(v, &found, path)); /* also what several files have in common: raw/ind.cora */
    *unknown = found.verdict == GPR_VERDICT_UNKNOWN;
    if (!there && *unknown) {
        NEED(gpri_verify_say(v, GPR_VERDICT_MISSING, path, "file", "there is no such file or folder"));
        return gpri_fail(GPR_ERROR_NOT_FOUND, "there is no %s", path);
    }
    return gpri_verify_say(v, found.verdict, path, found.kind, "%s", found.detail);
}

gpr_status gpr_verify(gpr_ctx *ctx, const char *path, gpr_verify_fn report, void *user) {
    if (!ctx || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_verify: a NULL argument");
    gpri_verifier v = {.ctx = ctx, .report = report, .user = user};
    bool unknown = false;
    NEED(verify_path(&v, path, &unknown));
    if (v.bad > 0)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: %lld of %lld files %s damaged or missing", path, (long long)v.bad,
                         (long long)v.checked, v.bad == 1 ? "is" : "are");
    if (unknown) return gpri_fail(GPR_ERROR_FORMAT, "%s: nothing says what it should be", path);
    return gpri_finish(GPR_OK);
}
