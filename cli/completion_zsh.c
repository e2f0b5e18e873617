/* The completion for zsh: _arguments with the options of each command. */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common.h"
#include "completion.h"

static const char head[] = "#compdef gprgnn\n"
                           "# Completion of gprgnn in zsh. 'gprgnn completion zsh' writes this file: do not edit it.\n"
                           "\n"
                           "# Words, or files.\n"
                           "_gprgnn_or_files() {\n"
                           "    compadd -- \"$@\"\n"
                           "    _files\n"
                           "}\n"
                           "\n"
                           "# Several words with commas.\n"
                           "_gprgnn_list() {\n"
                           "    compset -P '*,'\n"
                           "    compadd -qS , -- \"$@\"\n"
                           "}\n"
                           "\n";

/* In single quotes; brackets and colons have a meaning. */
static void print_escaped(FILE *out, const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\'') fputs("'\\''", out);
        else if (strchr("[]:\\", text[i])) fprintf(out, "\\%c", text[i]);
        else fputc(text[i], out);
    }
}

/* The first part of a help says enough. */
static void print_help(FILE *out, const char *help) {
    char *text = program_words(help);
    if (text) print_escaped(out, text, strcspn(text, ";"));
    free(text);
}

/* ":NAME:ACTION"; an action that begins with a blank is called as it is. */
static void print_action(FILE *out, const char *name, const cli_choices *choices) {
    fprintf(out, ":%s:", name);
    if (choices->list) fprintf(out, " _gprgnn_list %s", choices->words);
    else if (*choices->words && choices->files) fprintf(out, " _gprgnn_or_files %s", choices->words);
    else if (*choices->words) fprintf(out, "(%s)", choices->words);
    else if (choices->files) fputs("_files", out);
    else if (choices->folders) fputs("_files -/", out);
    else fputc(' ', out); /* nothing, and its name as a message */
}

static void print_option(FILE *out, const cli_option *option) {
    const bool takes = *option->value;
    for (int letter = 0; letter < (option->letter ? 2 : 1); letter++) {
        fprintf(out, " \\\n            '%s", takes ? "*" : "");
        if (letter) fprintf(out, "-%c%s[", option->letter, takes ? "+" : "");
        else fprintf(out, "--%s%s[", option->name, takes ? "=" : "");
        print_help(out, option->help);
        fputc(']', out);
        if (takes) print_action(out, option->value, &option->value_choices);
        fputc('\'', out);
    }
}

static void print_command(FILE *out, const cli_command *command) {
    cli_option options[MOST_OPTIONS];
    const int count = list_options(options, command);
    cli_choices choices;
    char name[32];
    bool more = false;
    fprintf(out, "        %s)\n            _arguments", command->name);
    for (int i = 0; i < count; i++) print_option(out, &options[i]);
    for (int i = 0; !more && describe_operand(&choices, name, &more, command, i); i++) {
        if (more) fputs(" \\\n            '*", out);
        else fprintf(out, " \\\n            '%d", i + 1);
        print_action(out, name, &choices);
        fputc('\'', out);
    }
    fputs("\n            ;;\n", out);
}

void print_zsh_completion(FILE *out) {
    fputs(head, out);
    fputs("_gprgnn() {\n    local context state state_descr line curcontext=$curcontext\n    typeset -A opt_args\n"
          "    local -a commands=(\n",
          out);
    for (const cli_command *const *at = commands; *at; at++) {
        fprintf(out, "        '%s:", (*at)->name);
        print_help(out, (*at)->about);
        fputs("'\n", out);
    }
    fputs("        'help:the help of a command'\n    )\n"
          "    _arguments -C '(- *)'{-h,--help}'[print the help]' '(- *)--version[print the version]' \\\n"
          "        '1: :->command' '*:: :->rest'\n"
          "    case $state in\n"
          "    command) _describe -t commands command commands ;;\n"
          "    rest)\n"
          "        curcontext=${curcontext%:*}-$words[1]:\n"
          "        case $words[1] in\n",
          out);
    for (const cli_command *const *at = commands; *at; at++) print_command(out, *at);
    fputs("        help) _arguments '1:topic:(", out);
    for (const cli_command *const *at = commands; *at; at++) fprintf(out, "%s ", (*at)->name);
    fputs("parameters)' ;;\n        esac\n        ;;\n    esac\n}\n\n_gprgnn \"$@\"\n", out);
}
