/* gprgnn verify: are files what they were when they were written? Prints one line per file. */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common.h"

static const cli_flag flags[] = {
    {"json", 0, "FILE", "write the verdicts as JSON; - is standard output, instead of the lines"},
    {"quiet", 'q', NULL, "print only what is not right"},
    {"verbose", 'v', NULL, "print more messages on standard error"},
    {0},
};

typedef struct verifying {
    cli_session session;
    cli_target target;
    bool lines;               /* whether lines are printed */
    int64_t files, counts[4]; /* all; of each verdict */
} verifying;

static const char *const words[] = {"ok", "DAMAGED", "missing", "unknown"};
static const char *const keys[] = {"ok", "damaged", "missing", "unknown"};

static void print_line(const gpr_verify_info *info) {
    char *detail = program_words(info->detail);
    printf("%-8s", words[info->verdict]);
    put_text(stdout, info->path);
    printf("   %s%s", strcmp(info->kind, "file") == 0 ? "" : info->kind, strcmp(info->kind, "file") == 0 ? "" : ": ");
    put_text(stdout, detail ? detail : info->detail);
    putchar('\n');
    fflush(stdout); /* the next file may take long */
    free(detail);
}

static int on_file(void *user, const gpr_verify_info *info) {
    verifying *v = user;
    FILE *json = v->target.stream;
    if (json) {
        fputs(v->files ? ",\n" : "\n", json);
        fputs("    {\"path\": ", json);
        put_json_text(json, info->path);
        fprintf(json, ", \"verdict\": \"%s\", \"kind\": \"%s\", \"detail\": ", keys[info->verdict], info->kind);
        put_json_text(json, info->detail);
        fputc('}', json);
    }
    v->files++;
    v->counts[info->verdict]++;
    if (v->lines && (!v->session.quiet || info->verdict != GPR_VERDICT_OK)) print_line(info);
    return 0;
}

/* What is damaged is said in the lines; here only what kept a path from being checked. */
static int verify_all(const cli_arguments *args, verifying *v) {
    int code = EXIT_OK;
    for (int i = 0; i < args->operand_count && code != EXIT_WRONG_CALL; i++) {
        gpr_status status = gpr_verify(v->session.ctx, args->operands[i], on_file, v);
        if (status == GPR_ERROR_FORMAT || status == GPR_ERROR_NOT_FOUND) code = EXIT_FAILED;
        else if (status < 0) code = failed_with(args, status);
    }
    return code;
}

static int run(const cli_arguments *args) {
    const char *json = flag_value(args, "json");
    verifying v = {.lines = !json || !is_stdout(json)};
    int code = json ? check_target(json) : EXIT_OK;
    if (code == EXIT_OK) code = open_session(&v.session, args, NULL);
    if (code != EXIT_OK) return code;
    if (json) code = open_target(&v.target, json);
    if (json && code == EXIT_OK) fputs("{\n  \"files\": [", v.target.stream);
    if (code == EXIT_OK) code = verify_all(args, &v);
    if (v.target.stream) {
        fprintf(v.target.stream, "\n  ],\n  \"right\": %s", code == EXIT_OK ? "true" : "false");
        for (int i = 0; i < 4; i++) fprintf(v.target.stream, ",\n  \"%s\": %lld", keys[i], (long long)v.counts[i]);
        fputs("\n}\n", v.target.stream);
        const int written = close_target(&v.target);
        if (code == EXIT_OK) code = written;
    }
    close_session(&v.session);
    return code;
}

const cli_command verify_command = {
    .name = "verify",
    .operands = "PATH...",
    .operand_count = 1,
    .more_operands = true,
    .about = "check files for damage: run folders, models, datasets",
    .details = "Reads files to their end, and compares them with the checksums that they or their folder\n"
               "have: a run folder, a model, the state of a training, a .gpr or .npz file, a folder with\n"
               "fetched datasets, any other dataset. Prints one line per file, and changes nothing.\n"
               "The exit status is 0 only if all is right.\n"
               "For example: gprgnn verify runs/csbm web.gpr ~/.cache/gprgnn",
    .flags = flags,
    .run = run,
};
