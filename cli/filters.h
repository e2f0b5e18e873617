/* The parts of a filter for the terminal: kinds of edges and directions, and weights of each class. */
#ifndef CLI_FILTERS_H
#define CLI_FILTERS_H

#include <stdbool.h>
#include <stdio.h>

#include "gprgnn.h"

/* The weights of all parts; found: an inspection, which says what each part adds; or NULL. */
void print_filters(FILE *out, const gpr_model *model, const gpr_inspection *found, int width, bool utf8);
/* The same of a model with blocks; found is not NULL. */
void print_blocks(FILE *out, const gpr_inspection *found, int width, bool utf8);
/* The responses of those that have one. */
void print_filter_responses(FILE *out, const gpr_inspection *found, int width, bool utf8);

/* "pay, along"; "all edges". room: bytes of text, at least 48. */
const char *filter_title(char *text, size_t room, const char *relation, const char *direction);

#endif
