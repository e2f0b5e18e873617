/* gprgnn generate: writes a random graph, a contextual stochastic block model or one with power-law degrees. */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common.h"
#include "signals.h"

/* The help of a flag begins with the kind of graph that it is for. */
static const cli_flag flags[] = {
    {"phi", 0, "X",
     "csbm: -1: only the graph tells the classes, neighbours differ; 0: only the features tell them; 1: only the graph "
     "tells them, neighbours agree; required"},
    {"n", 0, "N", "csbm: nodes; default 5000"},
    {"f", 0, "N", "csbm: features; default 2000"},
    {"d", 0, "X", "csbm: average degree; default 5"},
    {"eps", 0, "X", "csbm: distance from the threshold below which nothing can be learned; default 3.25"},
    {"nodes", 0, "N", "powerlaw: nodes, such as 100000000; default 100000"},
    {"edges", 0, "N", "powerlaw: edges that are drawn; equal ones are merged; default 1000000"},
    {"features", 0, "N", "powerlaw: features; default 16"},
    {"classes", 0, "N", "powerlaw: classes; default 10"},
    {"communities", 0, "N", "powerlaw: communities of equal size, one or more per class; default 100"},
    {"exponent", 0, "X", "powerlaw: exponent of the degrees, above 2; default 2.5"},
    {"inside", 0, "X", "powerlaw: share of the edges that lie within communities; default 0.6"},
    {"signal", 0, "X", "powerlaw: how far the features of classes lie apart; default 0.5"},
    {"labelled", 0, "X", "powerlaw: share of the nodes that have a label; default 1"},
    {"seed", 0, "N", "seed; default 1"},
    {"output", 'o', "FILE", "the .npz or .gpr file to write, for powerlaw .gpr; required"},
    {"quiet", 'q', NULL, "print only warnings and errors"},
    {"verbose", 'v', NULL, "print more messages on standard error"},
    {0},
};

static const char *const kinds[] = {"csbm", "powerlaw"};
enum { CSBM, POWERLAW, KINDS };

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

static int read_seed(const cli_arguments *args, uint64_t *out) {
    int64_t seed = (int64_t)*out;
    const int code = read_integer(args, "seed", &seed);
    if (code != EXIT_OK) return code;
    if (seed < 0) return wrong_call(args->command->name, "seed is %lld: it must be 0 or more", (long long)seed);
    *out = (uint64_t)seed;
    return EXIT_OK;
}

static int read_options(const cli_arguments *args, gpr_csbm_options *options) {
    int code;
    gpr_csbm_options_init(options, sizeof *options);
    if ((code = read_real(args, "phi", &options->phi)) != EXIT_OK) return code;
    if ((code = read_integer(args, "n", &options->nodes)) != EXIT_OK) return code;
    if ((code = read_integer(args, "f", &options->features)) != EXIT_OK) return code;
    if ((code = read_real(args, "d", &options->degree)) != EXIT_OK) return code;
    if ((code = read_real(args, "eps", &options->epsilon)) != EXIT_OK) return code;
    return read_seed(args, &options->seed);
}

static int read_powerlaw(const cli_arguments *args, gpr_powerlaw_options *options) {
    int code;
    gpr_powerlaw_options_init(options, sizeof *options);
    if ((code = read_integer(args, "nodes", &options->nodes)) != EXIT_OK) return code;
    if ((code = read_integer(args, "edges", &options->edges)) != EXIT_OK) return code;
    if ((code = read_integer(args, "features", &options->features)) != EXIT_OK) return code;
    if ((code = read_integer(args, "classes", &options->classes)) != EXIT_OK) return code;
    if ((code = read_integer(args, "communities", &options->communities)) != EXIT_OK) return code;
    if ((code = read_real(args, "exponent", &options->exponent)) != EXIT_OK) return code;
    if ((code = read_real(args, "inside", &options->inside)) != EXIT_OK) return code;
    if ((code = read_real(args, "signal", &options->signal)) != EXIT_OK) return code;
    if ((code = read_real(args, "labelled", &options->labelled)) != EXIT_OK) return code;
    return read_seed(args, &options->seed);
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* A flag of the other kind is a mistake. */
static int check_flags(const cli_arguments *args, int kind) {
    for (const cli_flag *flag = flags; flag->name; flag++)
        for (int other = 0; other < KINDS; other++) {
            const size_t length = strlen(kinds[other]);
            if (other == kind || strncmp(flag->help, kinds[other], length) != 0 || flag->help[length] != ':') continue;
            if (flag_given(args, flag->name))
                return wrong_call("generate", "--%s is for %s, not for %s", flag->name, kinds[other], kinds[kind]);
        }
    return EXIT_OK;
}

static int check_call(const cli_arguments *args, int *kind) {
    const char *word = args->operands[0], *path = flag_value(args, "output");
    for (*kind = 0; *kind < KINDS && strcmp(word, kinds[*kind]) != 0;) ++*kind;
    if (*kind == KINDS) {
        const char *near = gpr_nearest_word(word, kinds, KINDS);
        return wrong_call("generate", "no graph generator '%s': %s%s%s", word, near ? "did you mean '" : "",
                          near ? near : "there are csbm and powerlaw", near ? "'?" : "");
    }
    const int code = check_flags(args, *kind);
    if (code != EXIT_OK) return code;
    if (*kind == CSBM && !flag_value(args, "phi"))
        return wrong_call("generate", "--phi is missing: a number in [-1, 1]");
    if (!path)
        return wrong_call("generate", "-o is missing: the %s file to write", *kind == CSBM ? ".npz or .gpr" : ".gpr");
    if (*kind == POWERLAW && !ends_with(path, ".gpr"))
        return wrong_call("generate", "-o is '%s': its name must end with .gpr", path);
    if (!ends_with(path, ".npz") && !ends_with(path, ".gpr"))
        return wrong_call("generate", "-o is '%s': its name must end with .npz or .gpr", path);
    return EXIT_OK;
}

static gpr_status make_csbm(cli_session *session, const char *path, const gpr_csbm_options *options) {
    gpr_dataset_info info = {.struct_size = sizeof info};
    gpr_dataset *data = NULL;
    gpr_status status = gpr_dataset_csbm(session->ctx, &data, options);
    if (status >= 0) status = gpr_dataset_describe(session->ctx, data, &info);
    catch_interrupts(); /* until the file is complete */
    if (status >= 0) status = gpr_dataset_save(session->ctx, data, path);
    if (status >= 0 && !session->quiet) {
        put_text(stdout, path);
        printf(": cSBM with phi %g, %lld nodes, %lld edges, %lld features, %lld classes", options->phi,
               (long long)info.nodes, (long long)info.edges, (long long)info.features, (long long)info.classes);
        if (info.edges > 0)
            printf("; node homophily %.3f, edge homophily %.3f", info.node_homophily, info.edge_homophily);
        putchar('\n');
    }
    gpr_dataset_free(data);
    return status;
}

static int on_progress(void *user, const gpr_convert_progress *progress) {
    cli_session *session = user;
    char head[32];
    snprintf(head, sizeof head, "%s ", progress->stage);
    if (progress->share >= 0) show_share(&session->bar, head, progress->share, "");
    return interrupted();
}

static gpr_status make_powerlaw(cli_session *session, const char *path, gpr_powerlaw_options *options) {
    gpr_convert_result result = {.struct_size = sizeof result};
    options->progress = on_progress;
    options->user = session;
    catch_interrupts();
    start_share(&session->bar, 0);
    const gpr_status status = gpr_powerlaw_save(session->ctx, &result, path, options);
    wipe_progress(&session->bar);
    if (status >= 0 && !session->quiet) {
        put_text(stdout, path);
        printf(": power law with exponent %g, %lld nodes, %lld edges, %lld features, %lld classes; %.1f MB\n",
               options->exponent, (long long)result.nodes, (long long)result.edges, (long long)result.features,
               (long long)result.classes, (double)result.bytes / 1e6);
    }
    return status;
}

static int run(const cli_arguments *args) {
    gpr_csbm_options csbm;
    gpr_powerlaw_options powerlaw;
    const char *path = flag_value(args, "output");
    int kind, code = check_call(args, &kind);
    if (code == EXIT_OK) code = kind == CSBM ? read_options(args, &csbm) : read_powerlaw(args, &powerlaw);
    if (code == EXIT_OK) code = check_target(path);
    if (code != EXIT_OK) return code;
    cli_session session;
    if ((code = open_session(&session, args, NULL)) != EXIT_OK) return code;
    const gpr_status status =
        kind == CSBM ? make_csbm(&session, path, &csbm) : make_powerlaw(&session, path, &powerlaw);
    if (status == GPR_ERROR_STOPPED) code = failed("interrupted: nothing was written");
    else if (status < 0) code = failed_with(args, status);
    close_session(&session);
    return code;
}

static const char *kind_word(int index) { return index < KINDS ? kinds[index] : NULL; }

const cli_command generate_command = {
    .name = "generate",
    .operands = "csbm|powerlaw",
    .operand_count = 1,
    .operand_word = kind_word,
    .about = "write a random graph: a contextual stochastic block model, or power-law degrees at any size",
    .details = "csbm: a random graph of two classes, the contextual stochastic block model. --phi sets\n"
               "how much the graph and the features tell about the classes.\n"
               "powerlaw: a graph with power-law degrees, communities and features, of up to 2 * 10^9\n"
               "nodes; it is never whole in memory. For example:\n"
               "gprgnn generate csbm --phi -0.5 -o graph.npz\n"
               "gprgnn generate powerlaw --nodes 1000000 --edges 16000000 -o graph.gpr",
    .params = " threads ",
    .flags = flags,
    .run = run,
};
