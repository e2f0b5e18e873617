/* Prints names of classes and nodes, as the user gave them, in tables and files. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* How many columns of the terminal a name takes. */
int name_width(const char *name);
/* Pads with blanks to |width| columns: on the left if width is positive, else on the right. A longer name is cut and
   ends with "…" or "~". */
void print_name(FILE *out, const char *name, int width, bool utf8);
/* In quotes if it has a comma, a quote or a line end (RFC 4180). before: a prefix, inside the quotes. */
void put_csv_name(FILE *out, const char *before, const char *name);

#endif
