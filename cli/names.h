/* Prints names of classes and nodes, as the user gave them, in tables and files. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A text of any origin, safe for a terminal: control characters are spelled out. For a line of its own; names in tables
   use print_name, which does the same. */
void put_text(FILE *out, const char *text);
void put_json_text(FILE *out, const char *text); /* quoted */
/* How many columns of the terminal a name takes: Chinese letters take two, combining marks none. */
int name_width(const char *name);
/* Pads with blanks to |width| columns: on the left if width is positive, else on the right. A longer name is cut and
   ends with "…" or "~". */
void print_name(FILE *out, const char *name, int width, bool utf8);
/* A text as lines of at most `width` columns, broken at blanks. The first begins at column `indent`, where the cursor
   is; the others are indented so. Ends with a new line. */
void put_paragraph(FILE *out, const char *text, int indent, int width);
void put_csv_name(FILE *out, const char *name);

#endif
