/* Completion in shells: what can follow on a command line, from the tables of commands and options.
 *
 * What a value can be is written as alternatives between bars: a word in lower case stands for itself, FILE and RUN for
 * a file, DIR for a folder, MODELS and DATASETS for their names; anything else cannot be completed. The `value` of a
 * cli_flag has them after its name, the range of an option of the library has them too. */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include <stdio.h>

#include "args.h"

enum { MOST_OPTIONS = 128 };

/* What a value, or an operand, can be. */
typedef struct cli_choices {
    char words[1024]; /* with blanks between them */
    bool files, folders;
    bool list; /* several words with commas */
} cli_choices;

/* An option of a command, of any kind. */
typedef struct cli_option {
    const char *name, *help;
    char letter;    /* or 0 */
    char value[32]; /* the name of its value; "": it takes none */
    cli_choices value_choices;
} cli_option;

/* All options of a command, --help too. Returns how many. */
int list_options(cli_option out[MOST_OPTIONS], const cli_command *command);
/* The operand at `index`, from 0; name: as the usage line has it, or NULL. false: there is no such operand. *more: all
   that follow are like it. */
bool describe_operand(cli_choices *out, char name[32], bool *more, const cli_command *command, int index);

/* Each writes the script of a shell. */
void print_bash_completion(FILE *out);
void print_zsh_completion(FILE *out);

#endif
