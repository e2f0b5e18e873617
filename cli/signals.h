/* Ctrl-C, SIGTERM and SIGHUP end long work cleanly, and let a file that is being written become complete; a second one
   ends the program at once. Before the first file there is nothing to keep, and the first signal ends the program.

   Work that has not come to its end 1.5 seconds after the signal ($GPRGNN_STOP_SECONDS) is ended where it is: files are
   then the old ones or the new ones, whole, and a message says what is kept. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

#include "common.h"

/* From here to the end of the program. Signals that are ignored stay ignored. */
void catch_interrupts(void);
bool interrupted(void);

/* What is kept if the program has to be ended. From one thread at a time. */
void say_if_ended(const char *format, ...) CLI_PRINTF(1, 2);
void say_nothing_if_ended(void); /* another process does */

#endif
