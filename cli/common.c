/* What all commands share: error messages, the library's context and its log, pieces of JSON. */
#include "common.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guard.h"

/* `word` is --word, and `fetch cora` is 'gprgnn fetch cora'. Anything else between such quotes stays as it is. */
char *program_words(const char *message) {
    const size_t size = strlen(message);
    char *text = malloc(3 * size + 1), *to = text; /* "`a b`", 5 bytes, becomes 'gprgnn a b', 12 bytes */
    if (!text) return NULL;
    for (const char *at = message; *at;) {
        const size_t word = *at == '`' ? strspn(at + 1, "abcdefghijklmnopqrstuvwxyz-K") : 0;
        const char *end = word > 0 ? strchr(at + 1 + word, '`') : NULL;
        if (end == at + 1 + word && end) {
            to += sprintf(to, "--%.*s", (int)word, at + 1);
            at = end + 1;
        } else if (end && at[1 + word] == ' ') {
            to += sprintf(to, "'gprgnn %.*s'", (int)(end - at - 1), at + 1);
            at = end + 1;
        } else {
            *to++ = *at++;
        }
    }
    *to = 0;
    return text;
}

/* The one place where messages are printed. They may quote arguments and files. */
static void put_message(FILE *out, const char *message) {
    char *text = program_words(message);
    put_text(out, text ? text : message);
    free(text);
}

/* Of this process. */
static struct {
    bool holds;      /* its messages */
    bool settled;    /* whose message is told */
    int count;       /* messages so far */
    char line[4096]; /* the first that it holds */
    char after[128];
} told;

static void print_complaint(const char *before, const char *line, const char *after) {
    if (*after && *line && line[strlen(line) - 1] == '?') after++; /* no semicolon after a question mark */
    fprintf(stderr, "gprgnn: %s", before);
    put_message(stderr, line);
    fprintf(stderr, "%s\n", after);
}

static void complain(const char *format, va_list args, const char *after) CLI_PRINTF(1, 0);

static void complain(const char *format, va_list args, const char *after) {
    char line[4096];
    vsnprintf(line, sizeof line, format, args);
    if (!told.holds) print_complaint("", line, after);
    else if (told.count == 0) {
        memcpy(told.line, line, sizeof told.line);
        snprintf(told.after, sizeof told.after, "%s", after);
    }
    told.count++;
}

void hold_messages(void) { told.holds = true; }

void release_messages(void) {
    if (told.holds && told.count > 0) print_complaint("", told.line, told.after);
    told.holds = false;
}

void tell_held(void) {
    int64_t size;
    char before[64];
    const int64_t rank = gpr_launch_rank(&size);
    if (size > 0) snprintf(before, sizeof before, "process %lld of %lld: ", (long long)rank, (long long)size);
    else snprintf(before, sizeof before, "process %lld: ", (long long)rank);
    if (told.count > 0) print_complaint(before, told.line, told.after);
}

bool holds_messages(void) { return told.holds && !told.settled; }

bool is_helper(const cli_session *session) { return gpr_ctx_rank(session->ctx, NULL) > 0; }

int agree(const cli_session *session, int code) { return (int)gpr_ctx_agree(session->ctx, code); }

int leave_processes(cli_session *session, int code) {
    int64_t size;
    const int64_t rank = gpr_ctx_rank(session->ctx, &size);
    if (!session->joined) return code;
    const int64_t first = gpr_ctx_leave(session->ctx, code != EXIT_OK && told.count > 0);
    told.settled = true;
    if (first == rank && told.holds) {
        char before[64];
        snprintf(before, sizeof before, "process %lld of %lld: ", (long long)rank, (long long)size);
        print_complaint(before, told.line, told.after);
        fflush(stderr);
    }
    return first >= 0 && code == EXIT_OK ? EXIT_FAILED : code;
}

int failed(const char *format, ...) {
    va_list args;
    va_start(args, format);
    complain(format, args, "");
    va_end(args);
    return EXIT_FAILED;
}

int wrong_call(const char *command, const char *format, ...) {
    char hint[128];
    snprintf(hint, sizeof hint, "; see 'gprgnn %s%s--help'", command ? command : "", command ? " " : "");
    va_list args;
    va_start(args, format);
    complain(format, args, hint);
    va_end(args);
    return EXIT_WRONG_CALL;
}

int failed_with(const cli_arguments *args, gpr_status status) {
    if (status == GPR_ERROR_ARGUMENT) return wrong_call(args->command->name, "%s", gpr_last_error());
    failed("%s", gpr_last_error());
    return status == GPR_ERROR_NOT_FOUND ? EXIT_WRONG_CALL : EXIT_FAILED;
}

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

int open_model(const cli_arguments *args, const cli_session *session, gpr_model **model, bool *is_run) {
    static const char name[] = "/model.safetensors";
    const char *named = args->operands[0];
    gpr_status status = GPR_OK;
    *is_run = is_folder(named);
    char *path = malloc(strlen(named) + sizeof name);
    if (!path) return failed("out of memory");
    snprintf(path, strlen(named) + sizeof name, "%s%s", named, *is_run ? name : "");
    if (*is_run) status = gpr_run_folder_repair(named);
    if (status >= 0) status = gpr_model_load(session->ctx, model, path);
    free(path);
    if (status >= 0) return EXIT_OK;
    if (status != GPR_ERROR_NOT_FOUND || !is_folder(named)) return failed_with(args, status);
    failed("%s is not a run folder: it has no model.safetensors; a training with --out writes such folders", named);
    return EXIT_WRONG_CALL;
}

int read_integer(const cli_arguments *args, const char *name, int64_t *out) {
    const char *text = flag_value(args, name);
    if (!text) return EXIT_OK;
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno == ERANGE)
        return wrong_call(args->command->name, "%s is '%s': it must be a whole number", name, text);
    *out = value;
    return EXIT_OK;
}

static void log_line(void *user, gpr_log_level level, const char *line) {
    cli_session *session = user;
    if (session->ctx && is_helper(session)) return;
    if (level == GPR_LOG_NOTICE ? session->quiet : level > GPR_LOG_WARNING && !session->verbose) return;
    wipe_progress(&session->bar);
    fprintf(stderr, "gprgnn: %s", level == GPR_LOG_WARNING ? "warning: " : "");
    put_message(stderr, line);
    fputc('\n', stderr);
}

/* Of commands that do not train, or whose trainings have a callback of their own. */
static int on_progress(void *user, const gpr_progress *report) {
    cli_session *session = user;
    (void)show_stage(&session->bar, report);
    return 0;
}

gpr_status use_hardware(cli_session *session) {
    const char *device = gpr_params_get(session->params, "device");
    gpr_status status = gpr_ctx_set_threads(session->ctx, atoi(gpr_params_get(session->params, "threads")));
    if (status < 0 || strcmp(session->device, device) == 0) return status; /* auto: says only once what it has chosen */
    status = gpr_ctx_set_device(session->ctx, device);
    snprintf(session->device, sizeof session->device, "%s", device);
    return status;
}

/* Seconds of waiting for the others until it is said, and until the wait is given up. */
enum { WAIT_TOLD = 5, WAIT_ENDS = 300 };

static volatile sig_atomic_t wait_told; /* or another process tells it */

/* On SIGALRM. A process that was started otherwise never comes, and the MPI library waits for it without end. */
static void still_waiting(int number) {
    static const char text[] = "gprgnn: warning: still waiting for the other processes: all must be started with the "
                               "same options; one with --distribute none does not join the others\n";
    static volatile sig_atomic_t calls;
    (void)number;
    if (calls++ > 0) _exit(EXIT_FAILED);
    if (!wait_told) (void)!write(STDERR_FILENO, text, sizeof text - 1);
    alarm(WAIT_ENDS - WAIT_TOLD);
}

/* Joins the other processes, where mpirun has started several and the command is one that they do together. */
static gpr_status join_processes(cli_session *session, const cli_arguments *args) {
    const char *how = flag_value(args, "distribute");
    const int64_t rank = gpr_launch_rank(NULL);
    const bool for_itself = how && strcmp(how, "none") == 0;
    session->joined = false;
    if (for_itself) release_messages();
    if (!args->command->joins || for_itself) return GPR_OK;
    if (rank >= 0) {
        wait_told = rank > 1;
        signal(SIGALRM, still_waiting);
        alarm(WAIT_TOLD);
    }
    const gpr_status status = gpr_ctx_join(session->ctx, how);
    if (rank >= 0) alarm(0);
    session->joined = status >= 0 && rank >= 0;
    if (is_helper(session)) {
        session->quiet = true;
        init_progress(&session->bar, false);
    }
    return status;
}

/* Whether all processes were started for the same: a command, and those of its flags that say what they do together. */
static bool same_work(char own[64], const cli_session *session, const cli_arguments *args) {
    uint64_t hash = 0;
    snprintf(own, 64, "%s%s%s", args->command->name, flag_given(args, "show") ? " --show" : "",
             flag_given(args, "kept") ? " --kept" : "");
    for (const char *at = own; *at; at++) hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
    const int64_t number = (int64_t)(hash >> 1), most = gpr_ctx_agree(session->ctx, number);
    return -gpr_ctx_agree(session->ctx, -number) == most;
}

static gpr_status set_options(cli_session *session, const cli_arguments *args) {
    const char *device = flag_value(args, "device"); /* of commands that have no other option of a training */
    gpr_status status = gpr_params_new(session->ctx, &session->params);
    for (int i = 0; status >= 0 && i < args->param_count; i++)
        status = gpr_params_set(session->params, args->params[i].name, args->params[i].value);
    if (status >= 0 && device) status = gpr_params_set(session->params, "device", device);
    return status >= 0 ? use_hardware(session) : status;
}

int open_session(cli_session *session, const cli_arguments *args, gpr_progress_fn progress) {
    session->quiet = flag_given(args, "quiet");
    session->verbose = flag_given(args, "verbose");
    session->ctx = NULL;
    session->params = NULL;
    session->device[0] = 0;
    char own[64];
    init_progress(&session->bar, !session->quiet);
    gpr_ctx_options options = {.struct_size = sizeof options,
                               .cpu = flag_value(args, "cpu"),
                               .log = log_line,
                               .progress = progress ? progress : on_progress,
                               .user = session,
                               .quiet = session->quiet};
    gpr_status status = gpr_ctx_new(&session->ctx, &options);
    if (status >= 0) status = join_processes(session, args);
    if (status >= 0 && !same_work(own, session, args)) {
        leave_processes(session, failed("another process does not do 'gprgnn %s': give the same command to all", own));
        close_session(session);
        return EXIT_FAILED;
    }
    if (status >= 0) status = set_options(session, args);
    if (status >= 0) return EXIT_OK;
    int code = leave_processes(session, failed_with(args, status));
    close_session(session);
    return code;
}

void close_session(cli_session *session) {
    wipe_progress(&session->bar);
    end_guard();
    gpr_params_free(session->params);
    gpr_ctx_free(session->ctx);
    session->params = NULL;
    session->ctx = NULL;
}

int finish_stdout(int code) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    if (!errno) { /* the reason of an earlier failure is lost: one more letter fails for the same */
        clearerr(stdout);
        fputc('\n', stdout);
        fflush(stdout);
    }
    const char *why = errno ? strerror(errno) : "an earlier write failed";
    int own = failed("cannot write standard output: %s", why);
    return code == EXIT_OK ? own : code;
}

void put_json_real(FILE *out, double value) {
    if (isfinite(value)) fprintf(out, "%.15g", value);
    else fputs("null", out);
}

void put_json_names(FILE *out, const gpr_dataset *data, const char *(*name_of)(const gpr_dataset *, int64_t),
                    int64_t count) {
    if (count == 0 || !name_of(data, 0)) {
        fputs("null", out);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        fputs(i ? ", " : "[", out);
        put_json_text(out, name_of(data, i));
    }
    fputc(']', out);
}
