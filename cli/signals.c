#include "signals.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t arrived = 0;

static void note(int number) {
    (void)number;
    arrived = 1;
}

void catch_interrupts(void) {
    struct sigaction action = {.sa_handler = note};
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND; /* reset: the second one has its usual effect */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupted(void) { return arrived != 0; }
