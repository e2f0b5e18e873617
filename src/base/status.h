/* Errors: a status for the program, a thread-local message for the person.
 *
 *     gpr_status f(...) {
 *         gpr_status status = GPR_OK;
 *         TRY(g(...));                        // on failure: status = its status, jump to done
 *         if (n < 0) THROW(GPR_ERROR_ARGUMENT, "n is %d: it must be 0 or more", n);
 *     done:
 *         free what is local; return status;
 *     }
 *
 * A function with nothing to free has no label: NEED(g(...)) returns the failure of g at once, and so does
 * `return gpri_fail(...)`. */
#ifndef GPRI_STATUS_H
#define GPRI_STATUS_H

#include "base/compiler.h"
#define GPR_NO_DEPRECATION_WARNINGS /* the library makes what it deprecates */
#include "gprgnn.h"

/* Sets this thread's message and returns `status`. Arguments may hold anything: the message is made printable
   (gpr_text_printable). */
gpr_status gpri_fail(gpr_status status, const char *format, ...) GPRI_PRINTF(2, 3);
/* "before: " + the present message; keeps the status. For callers that know the file or the run. */
gpr_status gpri_fail_prefix(gpr_status status, const char *format, ...) GPRI_PRINTF(2, 3);
/* path + what the operating system said (errno). */
gpr_status gpri_fail_errno(const char *action, const char *path);

/* What a public function returns at its end. After success there is no message, even if something was tried on the way
   and failed; errors and notes keep theirs. */
gpr_status gpri_finish(gpr_status status);

#define TRY(call)                  \
    do {                           \
        status = (call);           \
        if (status < 0) goto done; \
    } while (0)

/* To the end with the status of the call, whatever it is; and with an error. */
#define LEAVE(call)      \
    do {                 \
        status = (call); \
        goto done;       \
    } while (0)
#define THROW(...) LEAVE(gpri_fail(__VA_ARGS__))

#define NEED(call)                         \
    do {                                   \
        const gpr_status needed_ = (call); \
        if (needed_ < 0) return needed_;   \
    } while (0)

#endif
