/* The plan of the columns of a table of nodes: what each is, and what was done with it. */
#ifndef CLI_COLUMNS_H
#define CLI_COLUMNS_H

#include <stdio.h>

#include "gprgnn.h"

/* One row per column, at most `most` of them; nothing for data that is not from a table. */
void print_columns(FILE *out, const gpr_dataset *data, int64_t most);
/* A list of objects; null for data that is not from a table. */
void put_json_columns(FILE *out, const gpr_dataset *data);

#endif
