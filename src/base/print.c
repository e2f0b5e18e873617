/* Numbers as text with a point, whatever the locale of the program is. */
#include "base/print.h"

#include <locale.h>
#include <stdio.h>

int gpri_vprint(char *out, size_t size, const char *format, va_list args) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* a constant in glibc: it costs nothing */
    locale_t before = plain ? uselocale(plain) : (locale_t)0;  /* of this thread alone */
    int needed = vsnprintf(out, size, format, args);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    return needed;
}

int gpri_print(char *out, size_t size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int needed = gpri_vprint(out, size, format, args);
    va_end(args);
    return needed;
}
