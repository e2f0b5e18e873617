/* Help texts, made from the tables of commands and options, and the table of docs/parameters.md. */
#include "help.h"

#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "data_flags.h"
#include "gprgnn.h"

static const cli_flag help_flag = {"help", 'h', NULL, "print this help"};

enum { WIDTH = 79, HELP_COLUMN = 26 };

/* How much of a word comes next: of one that no line has room for, as many of its alternatives, a|b|c, as a line has.
 */
static int piece_of(const char *word, int room) {
    const int length = (int)strcspn(word, " ");
    int cut = length > room ? room : length;
    while (length > room && cut > 0 && word[cut - 1] != '|') cut--;
    return cut > 0 ? cut : length;
}

/* Fills words into lines from `column` on; the cursor is at `at`. */
static void print_filled(FILE *out, const char *text, int at, int column) {
    if (at + 2 > column) {
        fputc('\n', out);
        at = 0;
    }
    fprintf(out, "%*s", column - at, "");
    at = column;
    for (bool joined = false; *text; joined = *text != ' ') {
        text += strspn(text, " ");
        int length = piece_of(text, WIDTH - column);
        if (at > column && at + 1 + length > WIDTH) {
            fprintf(out, "\n%*s", column, "");
            at = column;
        }
        if (at > column && !joined) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", length, text);
        at += length;
        text += length;
    }
    fputc('\n', out);
}

static void print_flag(FILE *out, const cli_flag *flag) {
    int at = flag->letter ? fprintf(out, "  -%c, ", flag->letter) : fprintf(out, "      ");
    at += fprintf(out, "--%s", flag->name);
    if (flag->value) at += fprintf(out, " %.*s", (int)strcspn(flag->value, "="), flag->value);
    char *help = program_words(flag->help);
    print_filled(out, help ? help : flag->help, at, HELP_COLUMN);
    free(help);
}

/* The default of option `index`, followed by those of models that have another: "64, cheby 32". */
static void tell_default(char *text, size_t size, int index, const gpr_param_info *info) {
    gpr_param_info models = {.struct_size = sizeof models};
    char word[64];
    int at = snprintf(text, size, "%s", info->fallback);
    if (gpr_param_describe(0, &models) != GPR_OK) return; /* the first option is `model`; its range lists all models */
    for (const char *next = models.range; *next; next += strspn(next, "|")) {
        int length = (int)strcspn(next, "|");
        snprintf(word, sizeof word, "%.*s", length, next);
        const char *own = gpr_param_default(index, word);
        if (strcmp(own, info->fallback) != 0 && at >= 0 && (size_t)at < size)
            at += snprintf(text + at, size - (size_t)at, ", %s %s", word, own);
        next += length;
    }
}

/* model: NULL for all. */
static void print_param(FILE *out, int index, const gpr_param_info *info, const char *model) {
    char text[1024], fallback[256];
    int at = fprintf(out, "      --%s %s", info->name, info->value);
    bool limited = !model && strcmp(info->models, "all") != 0;
    tell_default(fallback, sizeof fallback, index, info);
    snprintf(text, sizeof text, "%s; %s; default %s%s%s", info->help, info->range,
             model ? gpr_param_default(index, model) : fallback, limited ? "; for " : "", limited ? info->models : "");
    print_filled(out, text, at, HELP_COLUMN);
}

static void print_params(FILE *out, const cli_command *command, const char *model) {
    static const char *const groups[][2] = {{"model", "Options of the model"},
                                            {"training", "Options of the training"},
                                            {"data", "Options of the data"},
                                            {"run", "Options of the run"}};
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        bool first = true;
        for (int i = 0; i < gpr_param_count(); i++) {
            gpr_param_info info = {.struct_size = sizeof info};
            if (gpr_param_describe(i, &info) != GPR_OK || strcmp(info.group, groups[g][0]) != 0) continue;
            if (!command_takes_param(command, info.name) || command_has_flag(command, info.name) ||
                (model && !gpr_param_applies(i, model)))
                continue;
            if (first) fprintf(out, "\n%s:\n", groups[g][1]);
            first = false;
            print_param(out, i, &info, model);
        }
    }
}

void print_command_help(const cli_command *command, const char *model, FILE *out) {
    fprintf(out, "usage: gprgnn %s %s%s%s [options]\n\n%s\n\nOptions:\n", command->name, command->operands,
            model ? " --model " : "", model ? model : "", command->details);
    for (const cli_flag *own = command->flags; own->name; own++) print_flag(out, own);
    print_flag(out, &help_flag);
    cli_flag shared;
    if (command->takes_data) fprintf(out, "\nThe data:\n");
    for (int i = 0; command->takes_data && data_flag(i, &shared); i++)
        if (!command_has_flag(command, shared.name)) print_flag(out, &shared);
    print_params(out, command, model);
}

/* The last --model of the words, or NULL. */
static const char *model_asked_for(int count, char **words) {
    const char *model = NULL;
    for (int i = 0; i < count; i++) {
        if (strncmp(words[i], "--model=", 8) == 0) model = words[i] + 8;
        else if (strcmp(words[i], "--model") == 0 && i + 1 < count) model = words[i + 1];
    }
    return model;
}

int show_command_help(const cli_command *command, int count, char **words) {
    const char *model = command_takes_param(command, "model") && !command_has_flag(command, "model")
                            ? model_asked_for(count, words)
                            : NULL;
    gpr_ctx *ctx = NULL;
    gpr_params *params = NULL;
    gpr_status status = GPR_OK;
    if (model) status = gpr_ctx_new(&ctx, NULL); /* the error names the nearest known model */
    if (model && status >= 0) status = gpr_params_new(ctx, &params);
    if (model && status >= 0) status = gpr_params_set(params, "model", model);
    int code = status < 0 ? wrong_call(command->name, "%s", gpr_last_error()) : EXIT_OK;
    if (code == EXIT_OK) print_command_help(command, model, stdout);
    gpr_params_free(params);
    gpr_ctx_free(ctx);
    return code;
}

void print_overview(const cli_command *const *commands, FILE *out) {
    static const cli_flag version = {"version", 0, NULL, "print the version"};
    fprintf(
        out,
        "usage: gprgnn COMMAND ...\n\nNode classification on graphs with GPR-GNN and its baselines.\n\nCommands:\n");
    for (; *commands; commands++) {
        int at = fprintf(out, "  %s %s", (*commands)->name, (*commands)->operands);
        print_filled(out, (*commands)->about, at, HELP_COLUMN);
    }
    int at = fprintf(out, "  help [COMMAND]");
    print_filled(out, "this text, or the help of a command; 'help parameters' prints a table of all options", at,
                 HELP_COLUMN);
    fprintf(out, "\nOptions:\n");
    print_flag(out, &help_flag);
    print_flag(out, &version);
    fprintf(out, "\n"
                 "DATA is 'csbm' or 'csbm:phi=-0.5,n=5000,f=2000,d=5,eps=3.25,seed=1' (a random\n"
                 "graph), the path of a dataset, or the name of one in --data-dir, $GPRGNN_DATA or\n"
                 "the user's cache folder.\n"
                 "\n"
                 "Exit status: 0 for success, 1 if the command failed, 2 for a wrong call.\n");
}

/* Escapes bars, which would end the cell. */
static void print_cell(FILE *out, const char *text) {
    fprintf(out, " ");
    for (; *text; text++) fprintf(out, *text == '|' ? "\\%c" : "%c", *text);
    fprintf(out, " |");
}

void print_parameter_table(FILE *out) {
    fprintf(out,
            "# Parameters\n\n"
            "Every option has the same word everywhere: `--word` on the command line, `word = value` in\n"
            "a config file, `gpr_params_set(params, \"word\", \"value\")` in C. A flag wins over the file, the file "
            "over a\n"
            "preset, a preset over the default. `gprgnn help parameters` prints this page.\n\n"
            "| word | type | default | allowed | models | group | meaning |\n"
            "|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < gpr_param_count(); i++) {
        gpr_param_info info = {.struct_size = sizeof info};
        if (gpr_param_describe(i, &info) != GPR_OK) continue;
        char fallback[256];
        tell_default(fallback, sizeof fallback, i, &info);
        const char *cells[] = {info.name, info.type, fallback, info.range, info.models, info.group, info.help};
        fprintf(out, "|");
        for (size_t c = 0; c < sizeof cells / sizeof *cells; c++) print_cell(out, cells[c]);
        fprintf(out, "\n");
    }
    fprintf(out,
            "\n## Options of the data\n\n"
            "How data is opened. They are flags of every command that takes data, lines `word = value` of a config "
            "file\n"
            "(but `memory` and `no-map`), fields of `gpr_open_options` in C (`gpr_open_options_set`) and arguments "
            "of\n"
            "`read_tables` in Python. [files.md](files.md) has the details.\n\n"
            "| word | value | meaning |\n"
            "|---|---|---|\n");
    for (int i = 0; i < gpr_data_option_count(); i++) {
        gpr_param_info info = {.struct_size = sizeof info};
        if (gpr_data_option_describe(i, &info) != GPR_OK) continue;
        const char *cells[] = {info.name, *info.range ? info.range : info.value ? info.value : "", info.help};
        fprintf(out, "|");
        for (size_t c = 0; c < sizeof cells / sizeof *cells; c++) print_cell(out, cells[c]);
        fprintf(out, "\n");
    }
}
