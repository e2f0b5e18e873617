/* Columns of a table as a person names them: by the header's word, or by their number from 1. */
#ifndef GPRI_COLUMNS_H
#define GPRI_COLUMNS_H

#include "io/text/delimited.h"

/* *out: from 0. Fails with the words that the header has, and where two columns have the name. what: "label", for the
   message. */
gpr_status gpri_find_column(gpr_ctx *ctx, int64_t *out, const gpri_delimited *table, const char *given,
                            const char *what) GPRI_MUST_CHECK;
/* What a column is called: its header's word, or its number from 1, written to `text`. */
const char *gpri_column_name(const gpri_delimited *table, int64_t column, char text[64]);

/* Whether the column is an index that a program wrote beside the data: its word in the header is missing, or "Unnamed:
   0" as pandas reads it back, and its first cell is a whole number. Only before the first row is asked for. */
bool gpri_is_index_column(const gpri_delimited *table, int64_t column);
/* Whether the name is one that ids have: "id", "node", "key", ..., or it ends in "_id", " id", "-id", "Id" or "ID". */
bool gpri_is_called_id(gpri_field name);
/* Another column with the same name in the header; -1: none. */
int64_t gpri_column_twin(const gpri_delimited *table, int64_t column);
/* Columns "city,3", separated by commas: each(user, column) for each of them. what: as above. */
gpr_status gpri_each_column(gpr_ctx *ctx, const gpri_delimited *table, const char *list, const char *what,
                            gpr_status (*each)(void *user, int64_t column), void *user) GPRI_MUST_CHECK;

/* What the options `delimiter`, `header` and `encoding` stand for. columns: (count) columns, or several separated by
   commas, or NULL; where the header is to be guessed, one that is given by a word means that there is one. */
gpr_status gpri_table_options(gpri_delimited_options *out, const gpr_open_options *options, const char *const *columns,
                              int count) GPRI_MUST_CHECK;

#endif
