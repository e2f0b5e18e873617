/* Width and character set of the terminal. */
#include "terminal.h"

#include <langinfo.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int terminal_width(int fd) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col < 20 ? 20 : size.ws_col > 200 ? 200 : size.ws_col;
}

bool terminal_is_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }
