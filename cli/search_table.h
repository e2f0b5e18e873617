/* The outcome of a search for people. */
#ifndef CLI_SEARCH_TABLE_H
#define CLI_SEARCH_TABLE_H

#include "common.h"

/* Prints what was tried, what was chosen, and how to train with it. name: of the data. out: the folder with the
 * presets, or NULL. */
void print_search(const cli_arguments *args, gpr_search *search, const char *name, const char *out,
                  const cli_session *session);

#endif
