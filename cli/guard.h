/* A .gpr file that changes while it is mapped may end the program with a signal. This says why it ended. */
#ifndef CLI_GUARD_H
#define CLI_GUARD_H

#include "gprgnn.h"

/* Handles SIGBUS and SIGSEGV until end_guard. If a file that ctx has mapped was changed, the handler says so and ends
   the program with EXIT_FAILED; else the signal has its usual effect. */
void begin_guard(gpr_ctx *ctx);
void end_guard(void); /* also without begin_guard */

#endif
