/* gprgnn convert: writes a dataset as one file, .gpr or .npz. */
#include <string.h>

#include "commands.h"
#include "common.h"
#include "data_flags.h"
#include "guard.h"
#include "signals.h"

static const cli_flag flags[] = {
    {"to", 0, "NAME=gpr|npz", "format of OUT: gpr or npz; default: by the end of its name"},
    {"reorder", 0, "METHOD=auto|none|rcm|metis|communities",
     "to gpr: give neighbours near numbers, with auto, rcm, metis, metis:PARTS or communities; ids of nodes stay; "
     "none: the first order again"},
    {"shards", 0, "N",
     "to gpr: cut it into N files OUT.1 to OUT.N beside OUT, so that each of several processes opens those of its own "
     "rows"},
    {"memory", 0, "SIZE",
     "memory for the edges when a table of edges becomes gpr, such as 512M or 4G; the rest of the data comes on top; "
     "default 1G"},
    {"quiet", 'q', NULL, "print only warnings and errors"},
    {"verbose", 'v', NULL, "print more messages on standard error"},
    {0},
};

typedef struct converting {
    cli_session session;
    const char *stage; /* that the bar shows */
} converting;

/* While data is read, the program may simply end: it has written no file. Later it must clean up. */
static int on_progress(void *user, const gpr_convert_progress *progress) {
    converting *c = user;
    if (!c->stage || strcmp(c->stage, progress->stage) != 0) {
        wipe_progress(&c->session.bar);
        start_share(&c->session.bar, 0);
        if (strcmp(progress->stage, "reading") != 0) catch_interrupts();
        c->stage = progress->stage;
    }
    char head[32];
    snprintf(head, sizeof head, "%s ", progress->stage);
    if (progress->share >= 0 && strcmp(progress->stage, "reading") != 0) /* reading is shown by its own reports */
        show_share(&c->session.bar, head, progress->share, "");
    return interrupted();
}

static int read_call(const cli_arguments *args, gpr_open_options *in, gpr_convert_options *options, const char **out) {
    const bool edges_only = !args->operands[1] && flag_given(args, "edges");
    *out = args->operands[edges_only ? 0 : 1];
    options->to = flag_value(args, "to");
    options->reorder = flag_value(args, "reorder");
    if (!*out) return wrong_call("convert", "too few arguments; usage: gprgnn convert IN OUT, or --edges FILE OUT");
    int code = read_integer(args, "shards", &options->shards);
    if (code != EXIT_OK) return code;
    if (flag_given(args, "shards") && options->shards < 1)
        return wrong_call("convert", "--shards is %lld: it must be 1 or more", (long long)options->shards);
    code = read_data_flags(in, args, edges_only ? NULL : args->operands[0], NULL);
    options->memory = in->memory; /* for the edges; the rest comes on top */
    in->memory = 0;
    return code;
}

static void print_summary(const char *path, const gpr_convert_result *result) {
    put_text(stdout, path);
    printf(": %lld nodes, %lld edges, %lld features, %lld classes; %.1f MB, fingerprint %s\n", (long long)result->nodes,
           (long long)result->edges, (long long)result->features, (long long)result->classes,
           (double)result->bytes / 1e6, result->fingerprint);
}

static int run(const cli_arguments *args) {
    converting c = {.stage = NULL};
    gpr_open_options in = {.struct_size = sizeof in};
    gpr_convert_options options = {.struct_size = sizeof options, .progress = on_progress, .user = &c};
    gpr_convert_result result = {.struct_size = sizeof result};
    const char *out;
    int code = read_call(args, &in, &options, &out);
    if (code == EXIT_OK) code = check_target(out);
    if (code == EXIT_OK) code = open_session(&c.session, args, NULL);
    if (code != EXIT_OK) {
        free_data_flags(&in);
        return code;
    }
    begin_guard(c.session.ctx);
    gpr_status status = gpr_convert(c.session.ctx, &result, &in, out, &options);
    end_guard();
    free_data_flags(&in);
    wipe_progress(&c.session.bar);
    if (status == GPR_ERROR_STOPPED) code = failed("interrupted: nothing was written");
    else if (status < 0) code = failed_with(args, status);
    else if (!c.session.quiet) print_summary(out, &result);
    close_session(&c.session);
    return code;
}

const cli_command convert_command = {
    .name = "convert",
    .operands = "[IN] OUT",
    .operand_count = 2,
    .optional_operands = 1,
    .about = "write data in another format: gpr, which opens in a moment at any size, or npz",
    .details = "Writes IN, which is any DATA, as one file: .gpr, gprgnn's own format, which is mapped\n"
               "into memory, not read; or .npz, for other programs. A table of edges may be far larger\n"
               "than the memory. For example: gprgnn convert web.txt.gz web.gpr",
    .params = " threads ",
    .flags = flags,
    .takes_data = true,
    .run = run,
};
