/* The message of the last error, one per thread, and the names of the statuses. */
#include "base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/print.h"
#include "base/utf8.h"

static GPRI_THREAD_LOCAL char message[2048];

const char *gpr_last_error(void) { return message; }

gpr_status gpri_fail(gpr_status status, const char *format, ...) {
    char text[sizeof message]; /* an argument may be the old message */
    va_list args;
    va_start(args, format);
    gpri_vprint(text, sizeof text, format, args);
    va_end(args);
    gpr_text_printable(message, sizeof message, text); /* it may quote anything that is in a file */
    return status;
}

gpr_status gpri_fail_prefix(gpr_status status, const char *format, ...) {
    char text[sizeof message];
    va_list args;
    va_start(args, format);
    int used = gpri_vprint(text, sizeof text, format, args);
    va_end(args);
    if (used >= 0 && (size_t)used < sizeof text &&
        snprintf(text + used, sizeof text - (size_t)used, ": %s", message) < 0)
        text[used] = 0;
    gpr_text_printable(message, sizeof message, text); /* it may quote anything that is in a file */
    return status;
}

gpr_status gpri_fail_errno(const char *action, const char *path) {
    int code = errno;
    gpr_status status = code == ENOMEM ? GPR_ERROR_MEMORY : code == ENOENT ? GPR_ERROR_NOT_FOUND : GPR_ERROR_IO;
    const char *more = code == EFBIG ? " (more than the process or the file system permits: see ulimit -f)" : "";
    return gpri_fail(status, "cannot %s %s: %s%s", action, path, strerror(code), more);
}

gpr_status gpri_finish(gpr_status status) {
    if (status == GPR_OK) message[0] = 0;
    return status;
}

const char *gpr_status_name(gpr_status status) {
    switch (status) {
    case GPR_OK: return "GPR_OK";
    case GPR_STOPPED: return "GPR_STOPPED";
    case GPR_PARTIAL: return "GPR_PARTIAL";
    case GPR_ERROR_ARGUMENT: return "GPR_ERROR_ARGUMENT";
    case GPR_ERROR_MEMORY: return "GPR_ERROR_MEMORY";
    case GPR_ERROR_IO: return "GPR_ERROR_IO";
    case GPR_ERROR_FORMAT: return "GPR_ERROR_FORMAT";
    case GPR_ERROR_MISMATCH: return "GPR_ERROR_MISMATCH";
    case GPR_ERROR_NOT_FOUND: return "GPR_ERROR_NOT_FOUND";
    case GPR_ERROR_NUMERIC: return "GPR_ERROR_NUMERIC";
    case GPR_ERROR_NETWORK: return "GPR_ERROR_NETWORK";
    case GPR_ERROR_STOPPED: return "GPR_ERROR_STOPPED";
    }
    return "unknown status";
}
