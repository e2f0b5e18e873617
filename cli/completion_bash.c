/* The completion for bash: one function with the table of all commands, and one that completes. It needs no other
 * package, and works from bash 3.2 on. */
#include <string.h>

#include "commands.h"
#include "completion.h"

static const char head[] =
    "# Completion of gprgnn in bash. 'gprgnn completion bash' writes this file: do not edit it.\n"
    "\n"
    "# _gprgnn_table COMMAND WORD: sets `options`, those of the command. WORD is one of them, or the number of an "
    "operand:\n"
    "# sets `takes`, whether the option takes a value; and what can stand there: `words`, `files` (f: files, d: "
    "folders),\n"
    "# `list` (several words with commas).\n"
    "_gprgnn_table() {\n"
    "    options= takes= words= files= list=\n"
    "    case $1 in\n";

static const char tail_of_table[] = "    esac\n"
                                    "}\n"
                                    "\n";

static const char rest[] =
    "\n"
    "# _gprgnn_reply TYPED: what can stand there and begins so.\n"
    "_gprgnn_reply() {\n"
    "    local before= typed=$1 line\n"
    "    typed=${typed//\\\\/} # as the name of a file is\n"
    "    typed=${typed#[\\\"\\']}\n"
    "    if [[ $list && $typed == *,* ]]; then\n"
    "        before=${typed%,*},\n"
    "        typed=${typed##*,}\n"
    "    fi\n"
    "    while IFS= read -r line; do COMPREPLY+=(\"$before$line\"); done < <(compgen -W \"$words\" -- \"$typed\")\n"
    "    [[ $files ]] || return 0\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    while IFS= read -r line; do COMPREPLY+=(\"$line\"); done < <(compgen -\"$files\" -- \"$typed\")\n"
    "}\n"
    "\n"
    "_gprgnn() {\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options takes words files list\n"
    "    local -i at value operand=0\n"
    "    COMPREPLY=()\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        words=\"$_gprgnn_commands help --help --version\"\n"
    "        _gprgnn_reply \"$current\"\n"
    "        return\n"
    "    fi\n"
    "    if [[ $command == help ]]; then\n"
    "        words=\"$_gprgnn_commands parameters\"\n"
    "        if ((COMP_CWORD == 2)); then _gprgnn_reply \"$current\"; fi\n"
    "        return\n"
    "    fi\n"
    "    for ((at = 2; at < COMP_CWORD; at++)); do\n"
    "        case ${COMP_WORDS[at]} in\n"
    "        : | =) at+=1 ;; # bash cuts 'csbm:n=5' into words\n"
    "        -?*)\n"
    "            _gprgnn_table \"$command\" \"${COMP_WORDS[at]}\"\n"
    "            [[ $takes ]] || continue\n"
    "            value=at+1\n"
    "            if [[ ${COMP_WORDS[value]} == = ]]; then # --name=value is cut, too\n"
    "                if ((value == COMP_CWORD)); then current=; else value+=1; fi\n"
    "            fi\n"
    "            if ((value == COMP_CWORD)); then\n"
    "                _gprgnn_reply \"$current\"\n"
    "                return\n"
    "            fi\n"
    "            at=value\n"
    "            ;;\n"
    "        *) operand+=1 ;;\n"
    "        esac\n"
    "    done\n"
    "    _gprgnn_table \"$command\" \"$operand\"\n"
    "    if [[ $current == -* ]]; then\n"
    "        words=$options files=\n"
    "    fi\n"
    "    _gprgnn_reply \"$current\"\n"
    "}\n"
    "\n"
    "complete -F _gprgnn gprgnn\n";

static bool same_choices(const cli_choices *a, const cli_choices *b) {
    return strcmp(a->words, b->words) == 0 && a->files == b->files && a->folders == b->folders && a->list == b->list;
}

static void print_choices(FILE *out, const cli_choices *choices) {
    if (*choices->words) fprintf(out, " words='%s'", choices->words);
    if (choices->files || choices->folders) fprintf(out, " files=%c", choices->files ? 'f' : 'd');
    if (choices->list) fputs(" list=1", out);
}

static void print_pattern(FILE *out, const cli_option *option, bool first) {
    fprintf(out, "%s--%s", first ? "        " : " | ", option->name);
    if (option->letter) fprintf(out, " | -%c", option->letter);
}

/* Options with the same choices share a line. */
static void print_values(FILE *out, const cli_option *options, int count) {
    bool done[MOST_OPTIONS] = {false};
    for (int i = 0; i < count; i++) {
        if (done[i] || !*options[i].value) continue;
        for (int k = i; k < count; k++) {
            if (!*options[k].value || !same_choices(&options[k].value_choices, &options[i].value_choices)) continue;
            done[k] = true;
            print_pattern(out, &options[k], k == i);
        }
        fputs(") takes=1", out);
        print_choices(out, &options[i].value_choices);
        fputs(" ;;\n", out);
    }
}

static void print_operands(FILE *out, const cli_command *command) {
    cli_choices choices;
    char name[32];
    bool more = false;
    for (int i = 0; !more && describe_operand(&choices, name, &more, command, i); i++) {
        if (more) fputs("        [0-9]*)", out);
        else fprintf(out, "        %d)", i);
        print_choices(out, &choices);
        fputs(" ;;\n", out);
    }
}

static void print_command(FILE *out, const cli_command *command) {
    cli_option options[MOST_OPTIONS];
    const int count = list_options(options, command);
    fprintf(out, "    %s)\n        options='", command->name);
    for (int i = 0; i < count; i++) fprintf(out, "%s--%s", i ? " " : "", options[i].name);
    fputs("'\n        case $2 in\n", out);
    print_values(out, options, count);
    print_operands(out, command);
    fputs("        esac\n        ;;\n", out);
}

void print_bash_completion(FILE *out) {
    fputs(head, out);
    for (const cli_command *const *at = commands; *at; at++) print_command(out, *at);
    fputs(tail_of_table, out);
    fputs("_gprgnn_commands='", out);
    for (const cli_command *const *at = commands; *at; at++)
        fprintf(out, "%s%s", at == commands ? "" : " ", (*at)->name);
    fputs("'\n", out);
    fputs(rest, out);
}
