/* Ctrl-C and SIGTERM end a training cleanly; a second one ends the program at once. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

void catch_interrupts(void); /* until the program ends, also while results are written */
bool interrupted(void);

#endif
