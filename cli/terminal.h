/* What the terminal can show. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>

int terminal_width(int fd);  /* columns; 80 if it is not a terminal */
bool terminal_is_utf8(void); /* by the locale; call setlocale(LC_CTYPE, "") first */

#endif
