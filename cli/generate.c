/* gprgnn generate csbm: writes a contextual stochastic block model graph. */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common.h"
#include "signals.h"

static const cli_flag flags[] = {
    {"phi", 0, "X",
     "-1: only the graph tells the classes, neighbours differ; 0: only the features tell them; 1: only the graph tells "
     "them, neighbours agree; required"},
    {"n", 0, "N", "nodes; default 5000"},
    {"f", 0, "N", "features; default 2000"},
    {"d", 0, "X", "average degree; default 5"},
    {"eps", 0, "X", "distance from the threshold below which nothing can be learned; default 3.25"},
    {"seed", 0, "N", "seed; default 1"},
    {"output", 'o', "FILE", "the .npz or .gpr file to write; required"},
    {"quiet", 'q', NULL, "print only warnings and errors"},
    {"verbose", 'v', NULL, "print more messages on standard error"},
    {0},
};

/* The library checks the bounds. */
static int read_real(const cli_arguments *args, const char *name, double *out) {
    const char *text = flag_value(args, name);
    if (!text) return EXIT_OK;
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || value != value)
        return wrong_call(args->command->name, "%s is '%s': it must be a number", name, text);
    *out = value;
    return EXIT_OK;
}

static int read_options(const cli_arguments *args, gpr_csbm_options *options) {
    int code;
    gpr_csbm_options_init(options, sizeof *options);
    int64_t seed = (int64_t)options->seed;
    if ((code = read_real(args, "phi", &options->phi)) != EXIT_OK) return code;
    if ((code = read_integer(args, "n", &options->nodes)) != EXIT_OK) return code;
    if ((code = read_integer(args, "f", &options->features)) != EXIT_OK) return code;
    if ((code = read_real(args, "d", &options->degree)) != EXIT_OK) return code;
    if ((code = read_real(args, "eps", &options->epsilon)) != EXIT_OK) return code;
    if ((code = read_integer(args, "seed", &seed)) != EXIT_OK) return code;
    if (seed < 0) return wrong_call(args->command->name, "seed is %lld: it must be 0 or more", (long long)seed);
    options->seed = (uint64_t)seed;
    return EXIT_OK;
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static int check_call(const cli_arguments *args) {
    static const char *const known[] = {"csbm"};
    const char *kind = args->operands[0], *path = flag_value(args, "output");
    if (strcmp(kind, "csbm") != 0) {
        const char *near = gpr_nearest_word(kind, known, 1);
        return wrong_call("generate", "no graph generator '%s': %s", kind,
                          near ? "did you mean 'csbm'?" : "the only one is 'csbm'");
    }
    if (!flag_value(args, "phi")) return wrong_call("generate", "--phi is missing: a number in [-1, 1]");
    if (!path) return wrong_call("generate", "-o is missing: the .npz or .gpr file to write");
    if (!ends_with(path, ".npz") && !ends_with(path, ".gpr"))
        return wrong_call("generate", "-o is '%s': its name must end with .npz or .gpr", path);
    return EXIT_OK;
}

static int run(const cli_arguments *args) {
    gpr_csbm_options options;
    gpr_dataset_info info = {.struct_size = sizeof info};
    const char *path = flag_value(args, "output");
    int code = check_call(args);
    if (code == EXIT_OK) code = read_options(args, &options);
    if (code == EXIT_OK) code = check_target(path);
    if (code != EXIT_OK) return code;
    cli_session session;
    if ((code = open_session(&session, args, NULL)) != EXIT_OK) return code;
    gpr_dataset *data = NULL;
    gpr_status status = gpr_dataset_csbm(session.ctx, &data, &options);
    if (status >= 0) status = gpr_dataset_describe(session.ctx, data, &info);
    catch_interrupts(); /* until the file is complete */
    if (status >= 0) status = gpr_dataset_save(session.ctx, data, path);
    if (status < 0) code = failed_with(args, status);
    else if (!session.quiet) {
        put_text(stdout, path);
        printf(": cSBM with phi %g, %lld nodes, %lld edges, %lld features, %lld classes; node homophily %.3f, edge "
               "homophily %.3f\n",
               options.phi, (long long)info.nodes, (long long)info.edges, (long long)info.features,
               (long long)info.classes, info.node_homophily, info.edge_homophily);
    }
    gpr_dataset_free(data);
    close_session(&session);
    return code;
}

const cli_command generate_command = {
    .name = "generate",
    .operands = "csbm",
    .operand_count = 1,
    .about = "write a contextual stochastic block model graph",
    .details = "Writes a random graph of two classes as one file: the contextual stochastic block\n"
               "model. --phi sets how much the graph and the features tell about the classes.\n"
               "For example: gprgnn generate csbm --phi -0.5 -o graph.npz",
    .flags = flags,
    .run = run,
};
