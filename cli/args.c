/* The command line: finds options by name or letter, takes their values, and names the nearest known option. */
#include "args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "data_flags.h"
#include "gprgnn.h"
#include "help.h"

/* An option that a word of the command line names. */
typedef struct {
    const char *name; /* NULL: not known */
    bool takes_value, is_param;
    bool is_switch; /* yes, no, or auto: without a value it means yes */
} option;

bool command_has_flag(const cli_command *command, const char *name) {
    for (const cli_flag *own = command->flags; own->name; own++)
        if (strcmp(own->name, name) == 0) return true;
    return false;
}

bool command_takes_param(const cli_command *command, const char *word) {
    char spaced[64];
    if (!command->params) return false;
    snprintf(spaced, sizeof spaced, " %s ", word);
    return strcmp(command->params, "all") == 0 || strstr(command->params, spaced);
}

bool command_flag(const cli_command *command, int index, cli_flag *out) {
    const cli_flag *own = command->flags;
    while (own->name && index > 0) own++, index--;
    if (!own->name) return command->takes_data && data_flag(index, out);
    *out = *own;
    return true;
}

/* --weight_decay means --weight-decay, so that the word is the same as in Python and in C. */
static bool same_name(const char *typed, size_t length, const char *name) {
    if (strlen(name) != length) return false;
    for (size_t i = 0; i < length; i++)
        if (typed[i] != name[i] && !(typed[i] == '_' && name[i] == '-')) return false;
    return true;
}

static option find_long(const cli_command *command, const char *typed, size_t length) {
    cli_flag flag;
    for (int i = 0; command_flag(command, i, &flag); i++)
        if (same_name(typed, length, flag.name)) return (option){flag.name, flag.value != NULL, false, false};
    for (int i = 0; i < gpr_param_count(); i++) {
        gpr_param_info info = {.struct_size = sizeof info};
        if (gpr_param_describe(i, &info) == GPR_OK && command_takes_param(command, info.name) &&
            same_name(typed, length, info.name))
            return (option){info.name, true, true, strstr(info.range, "no|yes") != NULL};
    }
    if (same_name(typed, length, "help")) return (option){"help", false, false, false};
    return (option){0};
}

/* A flag of one letter, such as -o. */
static option find_letter(const cli_command *command, const char *word) {
    if (strlen(word) != 2) return (option){0};
    cli_flag flag;
    for (int i = 0; command_flag(command, i, &flag); i++)
        if (flag.letter && flag.letter == word[1]) return (option){flag.name, flag.value != NULL, false, false};
    if (word[1] == 'h') return (option){"help", false, false, false};
    return (option){0};
}

static int unknown_option(const cli_command *command, const char *word, size_t length) {
    enum { MOST = 128 };
    const char *known[MOST];
    int count = 0;
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)(length < 60 ? length : 60), word);
    cli_flag flag;
    for (int i = 0; command_flag(command, i, &flag) && count < MOST; i++) known[count++] = flag.name;
    for (int i = 0; i < gpr_param_count() && count < MOST; i++) {
        gpr_param_info info = {.struct_size = sizeof info};
        if (gpr_param_describe(i, &info) == GPR_OK && command_takes_param(command, info.name))
            known[count++] = info.name;
    }
    const char *bare = typed + strspn(typed, "-");
    const char *near =
        length > 2 ? gpr_nearest_word(bare, known, count) : NULL; /* a single letter is near to every word */
    if (near) return wrong_call(command->name, "unknown option '%s': did you mean '--%s'?", typed, near);
    return wrong_call(command->name, "unknown option '%s'", typed);
}

/* A value is missing if the next word is an option of this command. Any other word is the value, so that "--phi -0.5"
   works. */
static bool is_known_flag(const cli_command *command, const char *word) {
    if (strncmp(word, "--", 2) != 0) return false;
    return find_long(command, word + 2, strcspn(word + 2, "=")).name != NULL;
}

static void keep(cli_arguments *args, option found, const char *value) {
    cli_given entry = {found.name, value};
    if (found.is_param) args->params[args->param_count++] = entry;
    else args->flags[args->flag_count++] = entry;
}

/* Parses the option at words[*at] and its value; moves *at to the last word used. Gives PARSE_GO or an exit status. */
static int parse_option(cli_arguments *args, int count, char **words, int *at) {
    const cli_command *command = args->command;
    const char *word = words[*at];
    const bool is_long = word[1] == '-';
    const size_t length = is_long ? strcspn(word, "=") : strlen(word);
    const char *value = word[length] ? word + length + 1 : NULL; /* of --name=value */
    option found = is_long ? find_long(command, word + 2, length - 2) : find_letter(command, word);
    if (!found.name) return unknown_option(command, word, length);
    if (value && !found.takes_value)
        return wrong_call(command->name, "option '%.*s' takes no value", (int)length, word);
    if (strcmp(found.name, "help") == 0) return show_command_help(command, count, words);
    const char *next = *at + 1 < count ? words[*at + 1] : "";
    if (!value && found.is_switch && strcmp(next, "yes") != 0 && strcmp(next, "no") != 0 && strcmp(next, "auto") != 0)
        value = "yes";
    if (!value && found.takes_value) {
        if (*at + 1 >= count || is_known_flag(command, words[*at + 1]))
            return wrong_call(command->name, "option '%s' needs a value", word);
        value = words[++*at];
    }
    keep(args, found, value);
    return PARSE_GO;
}

static int parse_words(cli_arguments *args, int count, char **words) {
    const cli_command *command = args->command;
    int operands = 0;
    bool options_ended = false;
    for (int at = 0; at < count; at++) {
        const char *word = words[at];
        if (!options_ended && strcmp(word, "--") == 0) {
            options_ended = true;
        } else if (!options_ended && word[0] == '-' && word[1]) {
            int code = parse_option(args, count, words, &at);
            if (code != PARSE_GO) return code;
        } else if (operands == command->operand_count && !command->more_operands) {
            return wrong_call(command->name, "too many arguments: '%s'; usage: gprgnn %s %s", word, command->name,
                              command->operands);
        } else {
            args->operands[operands++] = word;
        }
    }
    if (operands < command->operand_count - command->optional_operands)
        return wrong_call(command->name, "too few arguments; usage: gprgnn %s %s", command->name, command->operands);
    args->operand_count = operands;
    return PARSE_GO;
}

int parse_arguments(cli_arguments *args, const cli_command *command, int count, char **words) {
    size_t room = (size_t)count + (size_t)command->operand_count + 1;
    *args = (cli_arguments){.command = command};
    args->operands = calloc(room, sizeof *args->operands);
    args->flags = calloc(room, sizeof *args->flags);
    args->params = calloc(room, sizeof *args->params);
    int code = PARSE_GO;
    if (!args->operands || !args->flags || !args->params) code = failed("out of memory");
    else code = parse_words(args, count, words);
    if (code != PARSE_GO) free_arguments(args);
    return code;
}

void free_arguments(cli_arguments *args) {
    free(args->operands);
    free(args->flags);
    free(args->params);
    *args = (cli_arguments){0};
}

static const cli_given *find_given(const cli_arguments *args, const char *name) {
    for (int i = args->flag_count - 1; i >= 0; i--)
        if (strcmp(args->flags[i].name, name) == 0) return &args->flags[i];
    for (int i = args->param_count - 1; i >= 0; i--)
        if (strcmp(args->params[i].name, name) == 0) return &args->params[i];
    return NULL;
}

const char *flag_value(const cli_arguments *args, const char *name) {
    const cli_given *found = find_given(args, name);
    return found ? found->value : NULL;
}

bool flag_given(const cli_arguments *args, const char *name) { return find_given(args, name) != NULL; }
