/* gprgnn report: the figures of a page as SVG files, and its data as JSON. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "common.h"

static const cli_flag flags[] = {
    {"svg", 0, "DIR", "write every figure as an SVG file into DIR"},
    {"json", 0, "FILE", "write the data of the page as JSON; - is standard output"},
    {"quiet", 'q', NULL, "print nothing"},
    {"verbose", 'v', NULL, "print more messages on standard error"},
    {0},
};

enum { LONGEST_PATH = 4096 };

/* A run folder stands for the page in it. */
static int find_page(char out[LONGEST_PATH], const char *given) {
    struct stat info;
    const bool folder = stat(given, &info) == 0 && S_ISDIR(info.st_mode);
    if (folder) {
        const gpr_status status = gpr_run_folder_repair(given);
        if (status < 0) return failed("%s", gpr_last_error());
    }
    const int length = snprintf(out, LONGEST_PATH, folder ? "%s/report.html" : "%s", given);
    if (length >= LONGEST_PATH) return failed("the name %s is too long", given);
    if (folder && stat(out, &info) != 0)
        return failed("%s has no report.html: it is no run folder, or of an older version; train again with --out %s",
                      given, given);
    return EXIT_OK;
}

static int write_json(const char *path, const char *json) {
    cli_target target;
    const int code = open_target(&target, path);
    if (code != EXIT_OK) return code;
    fprintf(target.stream, "%s\n", json);
    return close_target(&target);
}

static int write_all(const cli_arguments *args, gpr_ctx *ctx, const char *page, bool quiet) {
    const char *svg = flag_value(args, "svg"), *to = flag_value(args, "json");
    char *json = NULL;
    int64_t count = 0;
    int code = EXIT_OK;
    gpr_status status = gpr_page_load(ctx, &json, page);
    if (status >= 0 && svg) status = gpr_page_figures_save(ctx, svg, json, &count);
    if (status < 0) code = failed_with(args, status);
    else if (to) code = write_json(to, json);
    if (code == EXIT_OK && !quiet && !(to && is_stdout(to))) {
        put_text(stdout, page);
        if (svg) {
            printf(": %lld figures in ", (long long)count);
            put_text(stdout, svg);
        }
        putchar('\n');
    }
    gpr_bytes_free(ctx, json);
    return code;
}

static int run(const cli_arguments *args) {
    char page[LONGEST_PATH];
    const char *json = flag_value(args, "json");
    cli_session session;
    int code = json ? check_target(json) : EXIT_OK;
    if (code == EXIT_OK) code = open_session(&session, args, NULL);
    if (code != EXIT_OK) return code;
    code = find_page(page, args->operands[0]);
    if (code == EXIT_OK) code = write_all(args, session.ctx, page, session.quiet);
    close_session(&session);
    return code;
}

const cli_command report_command = {
    .name = "report",
    .operands = "RUN",
    .operand_count = 1,
    .about = "figures of a run's report.html as SVG files, its data as JSON",
    .details = "Reads the page report.html of a run folder (or any page that gprgnn wrote), and writes its\n"
               "figures as SVG files, fit for print, or its data as JSON. Prints where the page is; open it\n"
               "in a browser to look at the results.\n"
               "For example: gprgnn report runs/cora --svg figures",
    .flags = flags,
    .run = run,
};
