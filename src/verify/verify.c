/* gpr_verify: is a file what it was when it was written? Finds out what is at the path. */
#include "verify/verify.h"

#include <sys/stat.h>

#include "file/path.h"
#include "file/run_folder.h"

/* *unknown: nothing could be said about the path itself. */
static gpr_status verify_path(gpri_verifier *v, const char *path, bool *unknown) {
    struct stat info;
    gpri_finding found;
    NEED(gpri_may_look(path));
    const bool there = stat(path, &info) == 0;
    if (there && S_ISDIR(info.st_mode) && gpri_is_run_folder(path)) return gpri_verify_run(v, path);
    if (there && S_ISDIR(info.st_mode) && gpri_is_data_folder(path)) return gpri_verify_data_folder(v, path);
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
    gpr_status status = GPR_OK;
    gpri_verifier v = {.ctx = ctx, .report = report, .user = user};
    bool unknown = false;
    TRY(verify_path(&v, path, &unknown));
    if (v.bad > 0)
        THROW(GPR_ERROR_FORMAT, "%s: %lld of %lld files %s damaged or missing", path, (long long)v.bad,
              (long long)v.checked, v.bad == 1 ? "is" : "are");
    if (unknown) THROW(GPR_ERROR_FORMAT, "%s: nothing says what it should be", path);
done:
    return gpri_finish(status);
}
