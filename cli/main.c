/* gprgnn COMMAND ...: finds the command and hands it the rest. */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "common.h"
#include "help.h"
#include "signals.h"

const cli_command *const commands[] = {
    &train_command,   &predict_command, &search_command,     &paper_command, &generate_command, &info_command,
    &inspect_command, &explain_command, &compare_command,    &rank_command,  &report_command,   &convert_command,
    &fetch_command,   &verify_command,  &completion_command, NULL,
};

static const cli_command *find_command(const char *name) {
    for (const cli_command *const *known = commands; *known; known++)
        if (strcmp((*known)->name, name) == 0) return *known;
    return NULL;
}

static int unknown_command(const char *name) {
    const char *names[32];
    int count = 0;
    for (const cli_command *const *known = commands; *known; known++) names[count++] = (*known)->name;
    names[count++] = "help";
    const char *near = gpr_nearest_word(name, names, count);
    if (near) return wrong_call(NULL, "unknown command '%s': did you mean '%s'?", name, near);
    return wrong_call(NULL, "unknown command '%s'", name);
}

/* words: what follows the topic */
static int print_help(const char *topic, int count, char **words) {
    const cli_command *found = topic ? find_command(topic) : NULL;
    if (!topic) print_overview(commands, stdout);
    else if (found) return show_command_help(found, count, words);
    else if (strcmp(topic, "parameters") == 0) print_parameter_table(stdout);
    else return unknown_command(topic);
    return EXIT_OK;
}

/* The next file opened would take the place of a missing standard stream. So it gets /dev/null: reading and writing
   fail there. */
static void fill_missing_streams(void) {
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0) (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

static int dispatch(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : NULL;
    if (!name) {
        print_overview(commands, stderr);
        return EXIT_WRONG_CALL;
    }
    if (strcmp(name, "--version") == 0) {
        printf("gprgnn %s\n", gpr_version());
        return EXIT_OK;
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return print_help(argc > 2 ? argv[2] : NULL, argc > 3 ? argc - 3 : 0, argv + 3);
    if (name[0] == '-') return wrong_call(NULL, "'%s' is not a command: options come after the command", name);
    const cli_command *command = find_command(name);
    if (!command) return unknown_command(name);
    cli_arguments args;
    if (command->joins && gpr_launch_rank(NULL) > 0) hold_messages();
    int code = parse_arguments(&args, command, argc - 2, argv + 2);
    if (code != PARSE_GO) return code;
    code = command->run(&args);
    free_arguments(&args);
    return code;
}

/* A process that fails before it has joined the others cannot know whether they fail too. If they do, process 0 has
   told it, and the launcher ends all meanwhile. */
static int let_others_tell(int code) {
    const struct timespec some = {1, 0};
    if (code == EXIT_OK || !holds_messages()) return code;
    nanosleep(&some, NULL);
    tell_held();
    return code;
}

/* A command that a signal stops fails. Here the signal came too late for that. */
static int finish_interrupted(int code) {
    return code == EXIT_OK && interrupted() ? failed("interrupted, but the results were complete") : code;
}

int main(int argc, char **argv) {
    fill_missing_streams();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe or a full disk gives an error message, not a signal */
    signal(SIGXFSZ, SIG_IGN);
    setlocale(LC_CTYPE, ""); /* to know whether the terminal shows UTF-8; numbers stay as in C */
    return let_others_tell(finish_interrupted(finish_stdout(dispatch(argc, argv))));
}
