/* The handler of SIGBUS and SIGSEGV while a file is mapped. It calls what is safe in a handler only. */
#include "guard.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "common.h"

static gpr_ctx *guarded; /* NULL: no handler is installed */
static bool terminal;    /* standard error may show a progress bar */
static struct sigaction before_bus, before_segv;

static void say(const char *text) { (void)!write(STDERR_FILENO, text, strlen(text)); }

/* Without a changed file the old action is restored: the instruction runs again, and the signal has its usual effect.
 */
static void explain(int number, siginfo_t *info, void *context) {
    const char *path = gpr_ctx_mapped_file(guarded, 1);
    (void)context;
    if (!path) {
        sigaction(number, number == SIGBUS ? &before_bus : &before_segv, NULL);
        if (info->si_code <= 0) raise(number); /* another process sent it: no instruction will */
        return;
    }
    say(terminal ? "\ngprgnn: " : "gprgnn: ");
    say(path);
    say(" changed while it was in use: nothing is reported; leave the file alone, or use --no-map to read it into "
        "memory\n");
    _exit(EXIT_FAILED);
}

void begin_guard(gpr_ctx *ctx) {
    struct sigaction action = {.sa_sigaction = explain, .sa_flags = SA_SIGINFO};
    if (guarded) return;
    guarded = ctx;
    terminal = isatty(STDERR_FILENO);
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &before_bus);
    sigaction(SIGSEGV, &action, &before_segv);
}

void end_guard(void) {
    if (!guarded) return;
    sigaction(SIGBUS, &before_bus, NULL);
    sigaction(SIGSEGV, &before_segv, NULL);
    guarded = NULL;
}
