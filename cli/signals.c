/* Notes Ctrl-C and SIGTERM in a flag that the progress callbacks look at. */
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
    struct sigaction action = {.sa_handler = note};
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND; /* reset: a second signal has its usual effect */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupted(void) { return atomic_load(&arrived) != 0; }
