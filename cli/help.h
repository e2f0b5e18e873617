/* Help texts, made from the tables of commands and options. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "args.h"

void print_overview(const cli_command *const *commands, FILE *out); /* commands ends with NULL */
/* model: show the options of this model only; NULL: of all. */
void print_command_help(const cli_command *command, const char *model, FILE *out);
/* The same, with the model of --model NAME among the words. Gives the exit status. */
int show_command_help(const cli_command *command, int count, char **words);
void print_parameter_table(FILE *out); /* Markdown: docs/parameters.md */

#endif
