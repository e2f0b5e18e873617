/* printf into a buffer, with a point in numbers whatever the host's locale: 0.5, never 0,5. Everything that becomes a
 * name, a file or a message goes through it. */
#ifndef GPRI_PRINT_H
#define GPRI_PRINT_H

#include <stdarg.h>
#include <stddef.h>

#include "base/compiler.h"

/* As snprintf and vsnprintf. */
int gpri_print(char *out, size_t size, const char *format, ...) GPRI_PRINTF(3, 4);
int gpri_vprint(char *out, size_t size, const char *format, va_list args) GPRI_PRINTF(3, 0);

#endif
