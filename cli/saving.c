/* The run folder of `gprgnn train`. DIR/state/command has the folder that the training was started in, and then its
 * arguments, one per line, so that `gprgnn train --resume DIR` needs no others. */
#include "saving.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "signals.h"

enum { LONGEST_PATH = 4096, LONGEST_COMMAND = 1 << 20 };

static const double usual_seconds = 30;

/* dir/name; false where it is too long. */
static bool path_in(char out[LONGEST_PATH], const char *dir, const char *name) {
    return snprintf(out, LONGEST_PATH, "%s/%s", dir, name) < LONGEST_PATH;
}

static bool is_there(const char *dir, const char *name) {
    char path[LONGEST_PATH];
    struct stat info;
    return path_in(path, dir, name) && stat(path, &info) == 0;
}

int read_saving(cli_saving *saving, const cli_arguments *args) {
    const char *out = flag_value(args, "out"), *resume = flag_value(args, "resume");
    const char *every = flag_value(args, "save-every"), *name = args->command->name;
    *saving = (cli_saving){.dir = resume ? resume : out, .resumes = resume != NULL, .every = usual_seconds};
    if (out && resume && strcmp(out, resume) != 0)
        return wrong_call(name, "--resume %s writes to that folder: leave --out %s away", resume, out);
    if (flag_given(args, "overwrite") && (resume || !out))
        return wrong_call(name, resume ? "--resume goes on, --overwrite begins anew: give one of them"
                                       : "--overwrite is about the folder of --out: give both");
    if (!every) return EXIT_OK;
    if (!saving->dir) return wrong_call(name, "--save-every needs a folder to save to: give --out DIR");
    if (strcmp(every, "never") == 0) {
        saving->every = INFINITY;
        return EXIT_OK;
    }
    char *end;
    saving->every = strtod(every, &end);
    if (end == every || *end || !(saving->every >= 0))
        return wrong_call(name, "save-every is '%s': it must be a number of seconds, 0 or more, or 'never'", every);
    return EXIT_OK;
}

/* ---- the command of the training ---- */

/* Flags of this call only. */
static bool is_kept(const char *flag) {
    static const char *const others[] = {"out", "resume", "overwrite", "distribute"};
    for (int i = 0; i < 4; i++)
        if (strcmp(flag, others[i]) == 0) return false;
    return true;
}

static void put_given(FILE *out, const cli_given *given, int count) {
    for (int i = 0; i < count; i++)
        if (is_kept(given[i].name))
            fprintf(out, "--%s%s%s\n", given[i].name, given[i].value ? "=" : "", given[i].value ? given[i].value : "");
}

static bool has_line_end(const cli_given *given, int count) {
    for (int i = 0; i < count; i++)
        if (given[i].value && strchr(given[i].value, '\n')) return true;
    return false;
}

/* A command that cannot be kept is no harm: the next --resume needs the data and the flags again. */
static void note_command(cli_saving *saving) {
    const cli_arguments *args = saving->args;
    char states[LONGEST_PATH], path[LONGEST_PATH], here[LONGEST_PATH], *text = NULL;
    size_t size = 0;
    saving->noted = true;
    const char *data = args->operand_count > 0 ? args->operands[0] : NULL;
    if (has_line_end(args->flags, args->flag_count) || has_line_end(args->params, args->param_count) ||
        (data && strchr(data, '\n')) || !path_in(states, saving->dir, "state") || !path_in(path, states, "command") ||
        !getcwd(here, sizeof here) || strchr(here, '\n'))
        return;
    FILE *out = open_memstream(&text, &size);
    if (!out) return;
    fprintf(out, "%s\n", here);
    put_given(out, args->flags, args->flag_count);
    put_given(out, args->params, args->param_count);
    if (data) fprintf(out, "--\n%s\n", data);
    if (fclose(out) == 0) {
        mkdir(states, 0777);
        (void)!gpr_write_file(path, text, size);
    }
    free(text);
}

/* The whole text; NULL: there is none, or it is too long. *code: whether it may not be read, which is said. */
static char *read_command(const char *dir, int *code) {
    char path[LONGEST_PATH];
    errno = 0;
    FILE *in = path_in(path, dir, "state/command") ? fopen(path, "rb") : NULL;
    *code = !in && errno == EACCES ? failed("cannot read %s: %s", path, strerror(errno)) : EXIT_OK;
    char *text = in ? malloc(LONGEST_COMMAND + 1) : NULL;
    const size_t size = text ? fread(text, 1, LONGEST_COMMAND + 1, in) : 0;
    if (in) fclose(in);
    if (!text || size == 0 || size > LONGEST_COMMAND || text[size - 1] != '\n') {
        free(text);
        return NULL;
    }
    text[size - 1] = 0;
    return text;
}

/* Both lists, the second one last. NULL: out of memory. */
static cli_given *join_given(const cli_given *a, int a_count, const cli_given *b, int b_count) {
    cli_given *both = calloc((size_t)(a_count + b_count) + 1, sizeof *both);
    for (int i = 0; both && i < a_count; i++) both[i] = a[i];
    for (int i = 0; both && i < b_count; i++) both[a_count + i] = b[i];
    return both;
}

/* old: of the folder. */
static int join_arguments(cli_arguments *out, const cli_arguments *old, const cli_arguments *now) {
    const int room = old->command->operand_count + 1;
    *out = (cli_arguments){.command = now->command,
                           .operands = calloc((size_t)room, sizeof *out->operands),
                           .operand_count = old->operand_count,
                           .flags = join_given(old->flags, old->flag_count, now->flags, now->flag_count),
                           .params = join_given(old->params, old->param_count, now->params, now->param_count),
                           .flag_count = old->flag_count + now->flag_count,
                           .param_count = old->param_count + now->param_count};
    if (!out->operands || !out->flags || !out->params) return failed("out of memory");
    for (int i = 0; i < old->operand_count; i++) out->operands[i] = old->operands[i];
    return EXIT_OK;
}

/* Says so. */
static bool is_finished(const cli_saving *saving) {
    if (!is_there(saving->dir, "run.sha256") || is_there(saving->dir, "state/command")) return false;
    fprintf(stderr, "gprgnn: %s is finished: there is nothing to resume\n", saving->dir);
    return true;
}

int recall_arguments(cli_recalled *out, const cli_saving *saving, const cli_arguments *now) {
    char here[LONGEST_PATH];
    int count = 0;
    *out = (cli_recalled){.text = NULL};
    /* of several processes one repairs */
    const gpr_status status = gpr_launch_rank(NULL) > 0 ? GPR_OK : gpr_run_folder_repair(saving->dir);
    if (status < 0) return failed_with(now, status);
    int code;
    out->text = read_command(saving->dir, &code);
    if (code != EXIT_OK) return code;
    const bool has_states = is_there(saving->dir, "state");
    if (!out->text && !has_states && is_finished(saving)) return EXIT_OK;
    if (!out->text && has_states)
        return failed("%s does not say how the training in it was started: give its data and options, too",
                      saving->dir);
    if (!out->text)
        return failed("%s has no training to resume; to begin one give the data: gprgnn train DATA --resume %s",
                      saving->dir, saving->dir);
    out->words = calloc(strlen(out->text) + 1, sizeof *out->words);
    if (!out->words) return failed("out of memory");
    char *rest = out->text, *started = strsep(&rest, "\n");
    if (!getcwd(here, sizeof here) || strcmp(here, started) != 0) /* other files than then are found by their content */
        fprintf(stderr, "gprgnn: the training in %s was started in the folder %s\n", saving->dir, started);
    while (rest) out->words[count++] = strsep(&rest, "\n");
    cli_arguments old;
    if (parse_arguments(&old, now->command, count, out->words) != PARSE_GO)
        return failed("%s/state/command is damaged: give the data and the options of the training", saving->dir);
    code = join_arguments(&out->args, &old, now);
    free_arguments(&old);
    return code;
}

void free_recalled(cli_recalled *recalled) {
    free_arguments(&recalled->args);
    free(recalled->words);
    free(recalled->text);
    *recalled = (cli_recalled){.text = NULL};
}

/* ---- the folder ---- */

static void say_kept(const cli_saving *saving) {
    say_if_ended("the state that was saved last is in %s; to go on: gprgnn train --resume %s", saving->dir,
                 saving->dir);
}

int open_folder(cli_saving *saving, gpr_ctx *ctx, const cli_arguments *args, bool *done) {
    *done = false;
    gpr_status status = gpr_run_folder_open(ctx, &saving->folder, saving->dir);
    saving->replaces = flag_given(args, "overwrite");
    if (status >= 0 && !saving->replaces) {
        status = gpr_run_folder_states(saving->folder, &saving->states, &saving->count);
        saving->fresh = status >= 0 && saving->count == 0;
    }
    if (status < 0) return failed_with(args, status);
    *done = saving->resumes && saving->count == 0 && is_finished(saving);
    if (*done) return EXIT_OK;
    saving->args = args;
    if (saving->fresh) note_command(saving); /* else when the first state of this training comes */
    if (saving->count > 0) say_kept(saving);
    return EXIT_OK;
}

void tell_going_on(cli_saving *saving) {
    if (saving->count > 0 && !saving->resumes && !saving->told)
        fprintf(stderr, "gprgnn: %s has this training, not finished: it goes on\n", saving->dir);
    saving->told = true;
}

void close_folder(cli_saving *saving) {
    if (saving->folder && saving->fresh && !saving->saved) forget_states(saving); /* only the arguments are there */
    gpr_run_folder_close(saving->folder);
    saving->folder = NULL;
}

void forget_states(cli_saving *saving) {
    if (saving->folder) (void)!gpr_run_folder_discard(saving->folder);
    saving->saved = false;
}

int write_finished(const cli_saving *saving, const cli_arguments *args) {
    const char *json = flag_value(args, "json");
    char path[LONGEST_PATH], block[1 << 14];
    cli_target target;
    if (!json) return EXIT_OK;
    FILE *in = path_in(path, saving->dir, "result.json") ? fopen(path, "rb") : NULL;
    if (!in) return failed("cannot read the results in %s", saving->dir);
    int code = open_target(&target, json);
    for (size_t got; code == EXIT_OK && (got = fread(block, 1, sizeof block, in)) > 0;)
        fwrite(block, 1, got, target.stream);
    if (code == EXIT_OK && ferror(in)) {
        drop_target(&target);
        code = failed("cannot read the results in %s", saving->dir);
    } else if (code == EXIT_OK) {
        code = close_target(&target);
    }
    fclose(in);
    return code;
}

int save_state(void *user, const gpr_save_info *info) {
    cli_saving *saving = user;
    if (saving->replaces) forget_states(saving);
    saving->replaces = false;
    const int code = gpr_run_folder_keep(saving->folder, info);
    if (code != 0) return code;
    if (!saving->noted) note_command(saving);
    if (!saving->saved) say_kept(saving);
    saving->saved = true;
    return 0;
}

int failed_to_resume(const cli_saving *saving, gpr_status status) {
    char state[LONGEST_PATH]; /* how the message begins; other files, such as the data, may be damaged too */
    if (status == GPR_ERROR_FORMAT && path_in(state, saving->dir, "state/run-") &&
        strncmp(gpr_last_error(), state, strlen(state)) == 0)
        return failed("%s; remove that file, and its run is trained again from the beginning", gpr_last_error());
    if (saving->count == 0 || saving->resumes || status == GPR_ERROR_FORMAT) return failed("%s", gpr_last_error());
    return failed(
        "%s has a training that is not finished, and this is another one (%s): continue that one with --resume "
        "%s, or begin anew with --overwrite",
        saving->dir, gpr_last_error(), saving->dir);
}
