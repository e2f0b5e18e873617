/* What the parts of gpr_verify share. */
#ifndef GPRI_VERIFY_H
#define GPRI_VERIFY_H

#include "base/context.h"

typedef struct gpri_verifier {
    gpr_ctx *ctx;
    gpr_verify_fn report;
    void *user;
    int64_t checked, bad; /* files; those that are damaged or missing */
} gpri_verifier;

/* Reports one file. GPR_ERROR_STOPPED if the callback says so. */
gpr_status gpri_verify_say(gpri_verifier *v, gpr_verdict verdict, const char *path, const char *kind,
                           const char *format, ...) GPRI_PRINTF(5, 6) GPRI_MUST_CHECK;

/* What was found out about one file. */
typedef struct gpri_finding {
    gpr_verdict verdict;
    const char *kind; /* a literal */
    char detail[2048];
} gpri_finding;

/* Opens a regular file as what it is, and reads all of it. Only a lack of memory is an error. */
gpr_status gpri_verify_open(gpri_verifier *v, gpri_finding *out, const char *path) GPRI_MUST_CHECK;
/* The same, and reports it. */
gpr_status gpri_verify_file(gpri_verifier *v, const char *path) GPRI_MUST_CHECK;

gpr_status gpri_verify_run(gpri_verifier *v, const char *dir) GPRI_MUST_CHECK;

#endif
