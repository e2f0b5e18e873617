/* Nodes that a command is given by --node. */
#ifndef CLI_SEEDS_H
#define CLI_SEEDS_H

#include "common.h"

typedef struct cli_seeds {
    int64_t *nodes; /* (count) in the order given, each once */
    int64_t count;
} cli_seeds;

/* Finds the nodes of every --node of the call: one id, or several with commas. EXIT_OK, or the exit status after an
   error message. Free them, whatever happens. */
int read_seeds(cli_seeds *seeds, const cli_arguments *args, gpr_ctx *ctx, const gpr_dataset *data);
void free_seeds(cli_seeds *seeds);

#endif
