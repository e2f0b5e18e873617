/* Names of classes and nodes, as a person gave them, in tables and files. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* How many columns of the terminal a name takes. */
int name_width(const char *name);
/* Filled up with blanks to `width` columns, on the left if it is negative; a longer one is cut, and ends with "…" or
   "~". */
void print_name(FILE *out, const char *name, int width, bool utf8);
/* In quotes where a comma, a quote or a line end in it asks for them (RFC 4180). before: comes first, within the
   quotes. */
void put_csv_name(FILE *out, const char *before, const char *name);

#endif
