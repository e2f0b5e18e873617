/* What the terminal can show. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>

int terminal_width(int fd);  /* columns; 80 where there is no terminal */
bool terminal_is_utf8(void); /* by the locale; setlocale(LC_CTYPE, "") comes first */

#endif
