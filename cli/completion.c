/* gprgnn completion: writes the completion of a shell. What can be completed comes from the tables of options. */
#include "completion.h"

#include <ctype.h>
#include <string.h>

#include "commands.h"
#include "common.h"

/* ---- what a value can be ---- */

static void add_word(cli_choices *to, const char *word, size_t size) {
    const size_t used = strlen(to->words);
    if (used + size + 2 > sizeof to->words) return;
    snprintf(to->words + used, sizeof to->words - used, "%s%.*s", used ? " " : "", (int)size, word);
}

static void add_datasets(cli_choices *to) {
    gpr_fetch_info info = {.struct_size = sizeof info};
    for (int i = 0; i < gpr_fetch_count() && gpr_fetch_describe(i, &info) == GPR_OK; i++)
        add_word(to, info.name, strlen(info.name));
}

static bool is_plain(const char *word, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (!islower((unsigned char)word[i]) && !isdigit((unsigned char)word[i]) && word[i] != '-' && word[i] != '_')
            return false;
    return size > 0;
}

static bool is_word(const char *text, size_t size, const char *word) {
    return strlen(word) == size && strncmp(text, word, size) == 0;
}

static void add_choices(cli_choices *to, const char *range);

/* Those that a list may name: all but auto, the last one. */
static void add_models(cli_choices *to) {
    gpr_param_info info = {.struct_size = sizeof info};
    char range[256];
    if (gpr_param_describe(0, &info) != GPR_OK) return; /* the first option is `model` */
    snprintf(range, sizeof range, "%.*s", (int)(strlen(info.range) - strlen("|auto")), info.range);
    add_choices(to, range);
}

/* The alternatives of a range. Of "planetoid[:N]" the part in brackets may be missing. */
static void add_choices(cli_choices *to, const char *range) {
    for (const char *at = range; *at; at += strspn(at, "|")) {
        const size_t whole = strcspn(at, "|"), size = strcspn(at, "|[");
        if (is_word(at, whole, "FILE") || is_word(at, whole, "RUN")) to->files = true;
        else if (is_word(at, whole, "DIR") || is_word(at, whole, "DIR/")) to->folders = true;
        else if (is_word(at, whole, "MODELS")) add_models(to);
        else if (is_word(at, whole, "DATASETS")) add_datasets(to);
        else if (is_plain(at, size)) add_word(to, at, size);
        at += whole;
    }
}

static cli_option option_of_flag(const cli_flag *flag) {
    cli_option made = {.name = flag->name, .help = flag->help, .letter = flag->letter};
    if (!flag->value) return made;
    const size_t size = strcspn(flag->value, "=");
    snprintf(made.value, sizeof made.value, "%.*s", (int)size, flag->value);
    add_choices(&made.value_choices, flag->value[size] ? flag->value + size + 1 : made.value);
    made.value_choices.list = strcmp(made.value, "NAMES") == 0 || strcmp(made.value, "LIST") == 0;
    return made;
}

static cli_option option_of_param(const gpr_param_info *info) {
    cli_option made = {.name = info->name, .help = info->help};
    const bool number = strcmp(info->type, "int") == 0 || strcmp(info->type, "real") == 0;
    snprintf(made.value, sizeof made.value, "%s", number ? "NUMBER" : "VALUE");
    if (!number) add_choices(&made.value_choices, info->range);
    return made;
}

static cli_option option_of_data(const gpr_param_info *info) {
    cli_option made = {.name = info->name, .help = info->help};
    if (!info->value) return made;
    snprintf(made.value, sizeof made.value, "%s", info->value);
    add_choices(&made.value_choices, *info->range ? info->range : info->value);
    return made;
}

/* ---- options and operands of a command ---- */

int list_options(cli_option out[MOST_OPTIONS], const cli_command *command) {
    static const cli_flag help = {"help", 'h', NULL, "print the help of the command"};
    int count = 0;
    gpr_param_info info = {.struct_size = sizeof info};
    for (const cli_flag *own = command->flags; own->name && count < MOST_OPTIONS; own++)
        out[count++] = option_of_flag(own);
    for (int i = 0; command->takes_data && i < gpr_data_option_count() && count < MOST_OPTIONS; i++)
        if (gpr_data_option_describe(i, &info) == GPR_OK && !command_has_flag(command, info.name))
            out[count++] = option_of_data(&info);
    for (int i = 0; i < gpr_param_count() && count < MOST_OPTIONS; i++) {
        if (gpr_param_describe(i, &info) == GPR_OK && command_takes_param(command, info.name) &&
            !command_has_flag(command, info.name))
            out[count++] = option_of_param(&info);
    }
    if (count < MOST_OPTIONS) out[count++] = option_of_flag(&help);
    return count;
}

/* Where DATA is expected, names of datasets come beside files. */
static void add_operand(cli_choices *to, const char *name, const cli_command *command) {
    for (int i = 0; command->operand_word && command->operand_word(i); i++)
        add_word(to, command->operand_word(i), strlen(command->operand_word(i)));
    if (command->operand_word) return;
    if (is_plain(name, strlen(name))) {
        add_word(to, name, strlen(name));
        return;
    }
    to->files = true;
    if (strcmp(name, "DATA") != 0 && strcmp(name, "IN") != 0) return;
    add_datasets(to);
    add_word(to, "csbm", 4);
}

bool describe_operand(cli_choices *out, char name[32], bool *more, const cli_command *command, int index) {
    const char *at = command->operands;
    *out = (cli_choices){.files = false};
    for (int i = 0; i < index && *at; i++) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    if (!*at) return false;
    at += *at == '[';
    const size_t size = strcspn(at, " ].");
    *more = at[size] == '.';
    snprintf(name, 32, "%.*s", (int)size, at);
    add_operand(out, name, command);
    return true;
}

/* ---- the command ---- */

static const cli_flag flags[] = {{0}};

static const struct {
    const char *name;
    void (*print)(FILE *out);
} shells[] = {{"bash", print_bash_completion}, {"zsh", print_zsh_completion}};

enum { SHELLS = sizeof shells / sizeof *shells };

static const char *shell_word(int index) { return index < SHELLS ? shells[index].name : NULL; }

static int run(const cli_arguments *args) {
    for (int i = 0; i < SHELLS; i++) {
        if (strcmp(args->operands[0], shells[i].name) != 0) continue;
        shells[i].print(stdout);
        return EXIT_OK;
    }
    return wrong_call(args->command->name, "there is no completion for '%s': it must be bash or zsh",
                      args->operands[0]);
}

const cli_command completion_command = {
    .name = "completion",
    .operands = "SHELL",
    .operand_count = 1,
    .about = "print the script for completion in bash or zsh",
    .details = "Prints a script that completes commands, options, and values of options where they are\n"
               "known, in bash or zsh. An installed gprgnn has both scripts already, where shells look\n"
               "for them. Else, for the shell at hand:\n"
               "    source <(gprgnn completion bash)",
    .flags = flags,
    .operand_word = shell_word,
    .run = run,
};
