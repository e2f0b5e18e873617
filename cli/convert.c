/* gprgnn convert: data of any kind as one file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common.h"
#include "data_flags.h"
#include "signals.h"

static const cli_flag flags[] = {
    {"to", 0, "NAME", "format of OUT: gpr or npz; default as its name ends"},
    {"memory", 0, "SIZE",
     "of a table of edges that becomes gpr: how much to hold at once, such as 512M or 4G, beside some bytes per node; "
     "default 1G"},
    {"quiet", 'q', NULL, "print nothing but warnings and errors"},
    {"verbose", 'v', NULL, "say more on standard error"},
    {0},
};

/* "512M": bytes; K, M, G and T are powers of 1024, a B or iB behind them changes nothing. */
static bool parse_size(const char *text, int64_t *out) {
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || errno == ERANGE || value < 0) return false;
    const char *unit = *end ? strchr(units, *end >= 'a' ? *end - 32 : *end) : NULL;
    for (int i = 0; unit && i <= unit - units; i++) {
        if (value > INT64_MAX / 1024) return false;
        value *= 1024;
    }
    if (unit) end++;
    if (unit && *end == 'i') end++;
    if (*end == 'B' || (unit && *end == 'b')) end++;
    *out = value;
    return !*end;
}

typedef struct converting {
    cli_session session;
    const char *stage; /* that the bar shows */
} converting;

/* While data is read nothing is left behind by an end of the program; later on it has to clean up. */
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
    if (progress->share >= 0) show_share(&c->session.bar, head, progress->share, "");
    return interrupted();
}

static int read_call(const cli_arguments *args, gpr_open_options *in, gpr_convert_options *options, const char **out) {
    const bool edges_only = !args->operands[1] && flag_given(args, "edges");
    const char *memory = flag_value(args, "memory");
    *out = args->operands[edges_only ? 0 : 1];
    options->to = flag_value(args, "to");
    if (!*out)
        return wrong_call("convert", "too few arguments: usage is gprgnn convert IN OUT, or --edges FILE and OUT");
    if (memory && !parse_size(memory, &options->memory))
        return wrong_call("convert", "memory is '%s': it must be a size such as 512M or 4G", memory);
    if (memory && options->memory == 0) options->memory = 1; /* 0 is the library's default: too little, it says */
    return read_data_flags(in, args, edges_only ? NULL : args->operands[0]);
}

static void print_summary(const char *path, const gpr_convert_result *result) {
    printf("%s: %lld nodes, %lld edges, %lld features, %lld classes; %.1f MB, fingerprint %s\n", path,
           (long long)result->nodes, (long long)result->edges, (long long)result->features, (long long)result->classes,
           (double)result->bytes / 1e6, result->fingerprint);
}

static int run(const cli_arguments *args) {
    converting c = {.stage = NULL};
    gpr_open_options in;
    gpr_convert_options options = {.struct_size = sizeof options, .progress = on_progress, .user = &c};
    gpr_convert_result result = {.struct_size = sizeof result};
    const char *out;
    int code = read_call(args, &in, &options, &out);
    if (code == EXIT_OK) code = check_target(out);
    if (code == EXIT_OK) code = open_session(&c.session, args, NULL);
    if (code != EXIT_OK) return code;
    gpr_status status = gpr_convert(c.session.ctx, &result, &in, out, &options);
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
    .about = "write data in another format: gpr, which opens at once at any size, or npz",
    .details = "Writes IN, any DATA, as one file: .gpr, the program's own format, which is mapped into\n"
               "memory and not read; or .npz, for other programs. A table of edges may be far larger\n"
               "than the memory. For example: gprgnn convert web.txt.gz web.gpr",
    .params = " threads ",
    .flags = flags,
    .data_flags = data_flags,
    .run = run,
};
