/* Nodes by their ids. An id may hold commas: a text that is an id as a whole is one node. */
#include "seeds.h"

#include <stdlib.h>
#include <string.h>

static int add(cli_seeds *seeds, int64_t node) {
    for (int64_t i = 0; i < seeds->count; i++)
        if (seeds->nodes[i] == node) return EXIT_OK;
    int64_t *grown = realloc(seeds->nodes, ((size_t)seeds->count + 1) * sizeof *grown);
    if (!grown) return failed("out of memory");
    grown[seeds->count++] = node;
    seeds->nodes = grown;
    return EXIT_OK;
}

static bool is_whole_id(const gpr_dataset *data, const char *text) {
    const int64_t nodes = gpr_dataset_nodes(data);
    for (int64_t i = 0; gpr_dataset_node_id(data, 0) && i < nodes; i++)
        if (strcmp(gpr_dataset_node_id(data, i), text) == 0) return true;
    return false;
}

/* text is changed. */
static int add_all(cli_seeds *seeds, const cli_arguments *args, gpr_ctx *ctx, const gpr_dataset *data, char *text) {
    const bool several = strchr(text, ',') && !is_whole_id(data, text);
    int code = EXIT_OK;
    for (char *next; code == EXIT_OK && text; text = next) {
        int64_t node;
        next = several ? strchr(text, ',') : NULL;
        if (next) *next++ = 0;
        if (!*text) return wrong_call(args->command->name, "node: there is an empty id in the list");
        const gpr_status status = gpr_dataset_find_node(ctx, &node, data, text);
        code = status < 0 ? failed_with(args, status) : add(seeds, node);
    }
    return code;
}

int read_seeds(cli_seeds *seeds, const cli_arguments *args, gpr_ctx *ctx, const gpr_dataset *data) {
    int code = EXIT_OK;
    *seeds = (cli_seeds){0};
    for (int i = 0; code == EXIT_OK && i < args->flag_count; i++) {
        if (strcmp(args->flags[i].name, "node") != 0) continue;
        char *text = strdup(args->flags[i].value);
        code = text ? add_all(seeds, args, ctx, data, text) : failed("out of memory");
        free(text);
    }
    return code;
}

void free_seeds(cli_seeds *seeds) {
    free(seeds->nodes);
    *seeds = (cli_seeds){0};
}
