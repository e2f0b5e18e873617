/* The command line: what a command takes, and what was given. */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <stdbool.h>

/* A flag of a command that is not an option of the library. */
typedef struct cli_flag {
    const char *name;  /* without its dashes; NULL ends a list */
    char letter;       /* the short form, or 0 */
    const char *value; /* name of its value in the help; NULL: it takes none. After '=' what it can be, for completion,
                          such as "NAME=auto|yes|no" or "NAME=paper|FILE" (completion.h) */
    const char *help;
} cli_flag;

struct cli_arguments;

typedef struct cli_command {
    const char *name;
    const char *operands; /* as the usage line shows them */
    int operand_count;
    int optional_operands; /* so many of the last ones may be missing */
    const char *about;     /* one line for the list of commands */
    const char *details;   /* several lines for its own help */
    const char *params;    /* the library's options it takes: "all", or words between spaces; NULL: none */
    const cli_flag *flags;
    bool takes_data;                              /* with the flags of the data (data_flags.h) */
    int (*run)(const struct cli_arguments *args); /* gives the exit status */
    bool more_operands;                           /* it takes operand_count operands or more */
    const char *(*operand_word)(int index);       /* words that an operand can be, for completion; NULL ends them */
    bool joins;                                   /* processes that mpirun has started do it together */
    bool trains;                                  /* data without features gets some that are made from the graph */
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

/* Reads the words after the command's name. PARSE_GO: args is filled and must be given to free_arguments. Else the exit
   status: help (0) or an error message (2) was printed. `words` are borrowed and must outlive args. */
#define PARSE_GO (-1)
int parse_arguments(cli_arguments *args, const cli_command *command, int count, char **words);
void free_arguments(cli_arguments *args);

/* The value of the flag, the last one if it is given several times; NULL: not given. */
const char *flag_value(const cli_arguments *args, const char *name);
bool flag_given(const cli_arguments *args, const char *name);

/* The flag at `index`, from 0: its own, then those of the data. false: there are no more. */
bool command_flag(const cli_command *command, int index, cli_flag *out);
/* A flag of its own, not one of the data. */
bool command_has_flag(const cli_command *command, const char *name);
bool command_takes_param(const cli_command *command, const char *word);

#endif
