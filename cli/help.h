/* Help texts, made from the tables of commands and options. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "args.h"

void print_overview(const cli_command *const *commands, FILE *out); /* commands ends with NULL */
void print_command_help(const cli_command *command, FILE *out);
void print_parameter_table(FILE *out); /* Markdown: docs/parameters.md */

#endif
