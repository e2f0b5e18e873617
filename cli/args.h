/* The command line: what a command takes, and what was given. */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <stdbool.h>

/* A flag that a command has beside the library's options. */
typedef struct cli_flag {
    const char *name;  /* without its dashes; NULL ends a list */
    char letter;       /* the short form, or 0 */
    const char *value; /* what its value is called in the help; NULL: it takes none */
    const char *help;
} cli_flag;

struct cli_arguments;

typedef struct cli_command {
    const char *name;
    const char *operands; /* as the usage line shows them */
    int operand_count;
    int optional_operands; /* of them, the last so many may be missing */
    const char *about;     /* a line in the list of commands */
    const char *details;   /* for its own help */
    const char *params;    /* the library's options it takes: "all", or words with a space on both sides; NULL: none */
    const cli_flag *flags;
    const cli_flag *data_flags;                   /* those of data_flags.h, or NULL: it takes no data */
    int (*run)(const struct cli_arguments *args); /* gives the exit status */
    bool more_operands;                           /* operand_count is the least that it takes */
} cli_command;

typedef struct cli_given {
    const char *name, *value; /* value is NULL for a flag that takes none */
} cli_given;

typedef struct cli_arguments {
    const cli_command *command;
    const char **operands; /* (operand_count, at least command->operand_count); NULL: not given */
    int operand_count;
    cli_given *flags;  /* the command's own, in the order given */
    cli_given *params; /* options of the library */
    int flag_count, param_count;
} cli_arguments;

/* Reads what follows the command's name. PARSE_GO: args is filled and must be given to free_arguments. Else the exit
   status: help was printed (0), or a complaint (2). `words` are borrowed and must outlive args. */
#define PARSE_GO (-1)
int parse_arguments(cli_arguments *args, const cli_command *command, int count, char **words);
void free_arguments(cli_arguments *args);

/* The last value given; NULL if there is none. */
const char *flag_value(const cli_arguments *args, const char *name);
bool flag_given(const cli_arguments *args, const char *name);

bool command_takes_param(const cli_command *command, const char *word);

#endif
