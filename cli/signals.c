/* Notes Ctrl-C, SIGTERM and SIGHUP in a flag that the progress callbacks look at. */
#include "signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int arrived = 0; /* written by the handler, read by any thread */

static void note(int number) {
    (void)number;
    atomic_store(&arrived, 1);
}

void catch_interrupts(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    static bool done = false; /* a second call would also catch the second signal */
    struct sigaction action = {.sa_handler = note}, before;
    if (done) return;
    done = true;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND; /* reset: a second signal has its usual effect */
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        /* Who started the program may have it ignore them: nohup, or a script with '&'. */
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        sigaction(signals[i], &action, NULL);
    }
}

bool interrupted(void) { return atomic_load(&arrived) != 0; }
