/* Columns of a table as a person names them: by the header's word, or by their number from 1. */
#ifndef GPRI_COLUMNS_H
#define GPRI_COLUMNS_H

#include "io/text/delimited.h"

/* *out: from 0. Fails with the words that the header has. what: "label", for the message. */
gpr_status gpri_find_column(gpr_ctx *ctx, int64_t *out, const gpri_delimited *table, const char *given,
                            const char *what) GPRI_MUST_CHECK;
/* What a column is called: its header's word, or its number from 1, written to `text`. */
const char *gpri_column_name(const gpri_delimited *table, int64_t column, char text[64]);

/* Is it the index that pandas writes as the first column: no name in the header, and numbers from 0 on? Only the first
   of the numbers is looked at. Before any row was asked for. */
bool gpri_is_index_column(const gpri_delimited *table, int64_t column);

/* What the options `delimiter` and `header` stand for; NULL: guessed. A column that is given by a word (and is not
   NULL) means that there is a header. */
gpr_status gpri_table_options(gpri_delimited_options *out, const char *delimiter, const char *header,
                              const char *const *columns, int count) GPRI_MUST_CHECK;

#endif
