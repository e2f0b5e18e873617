/* Ctrl-C, SIGTERM and SIGHUP end long work cleanly, and let a file that is being written become complete; a second one
   ends the program at once. Before the first file there is nothing to keep, and the first signal ends the program. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

/* From here to the end of the program. Signals that are ignored stay ignored. */
void catch_interrupts(void);
bool interrupted(void);

#endif
