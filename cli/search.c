/* gprgnn search: tries settings of models, and finds the best by the validation nodes. search_table.c prints. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "common.h"
#include "data_flags.h"
#include "search_table.h"
#include "signals.h"
#include "terminal.h"

static const cli_flag flags[] = {
    {"model", 0, "NAMES=MODELS",
     "models to search, separated by commas, or given several times; auto: all that train would try, and settings near "
     "them; default: gprgnn, mlp, gcn and sage; with --grid: gprgnn"},
    {"grid", 0, "GRID=paper|auto|FILE",
     "what to try: 'paper' (the grid of the paper), 'auto' (that of --model auto), 'lr=0.01,0.05 init=ppr,random' or a "
     "file of lines 'word = a, b'; a "
     "model gets the options that it has; with --draws also ranges: 'lr=0.001..0.1'; default: a small grid"},
    {"draws", 0, "N", "draw N settings per model from the grid, instead of all; lr and weight-decay on a log scale"},
    {"runs", 0, "N", "runs of the settings of the last round; default 10"},
    {"no-halving", 0, NULL,
     "all settings get all runs; else all get a few, the better third of each model gets more, and so on"},
    {"metric", 0, "NAME=val_accuracy|val_loss|accuracy|balanced_accuracy|macro_f1|roc_auc|average_precision",
     "what to choose by, as a mean over runs: val_accuracy, val_loss, or accuracy, balanced_accuracy, macro_f1, "
     "roc_auc, average_precision, by which each training then chooses its epoch too; default val_accuracy, but where "
     "one class has four fifths of the nodes, average_precision or macro_f1"},
    {"jobs", 0, "N", "how many runs at a time; default: as many as there are threads"},
    {"out", 0, "DIR",
     "keep every finished run in DIR/runs.jsonl, so that the same command goes on after Ctrl-C or a kill; and write "
     "search.json, search.csv, preset.conf (for train --preset)"},
    {"json", 0, "FILE", "write all that was tried as JSON; - is standard output, instead of the table"},
    {"distribute", 0, "HOW=auto|runs|none",
     "the processes that mpirun has started share the runs; none: each searches for itself; default auto"},
    {"cpu", 0, "NAME=auto|ref|base|avx2|avx512", "kernels: auto, ref, base, avx2, avx512; default auto"},
    {"quiet", 'q', NULL, "print no progress, and of the table only the best"},
    {"verbose", 'v', NULL, "print more messages on standard error, and the whole table"},
    {0},
};

typedef struct search_job {
    cli_session session; /* first: the log gets its address */
    gpr_dataset *data;
    gpr_search *search;
    gpr_study *study;
    char *models, *kept; /* what was given, with commas; the path of runs.jsonl */
    const char *out, *json;
    int64_t jobs;
    bool started; /* the clock of the bar */
    long long done, runs;
} search_job;

/* All values of --model, with commas. NULL: none. */
static char *join_models(const cli_arguments *args) {
    size_t size = 1;
    for (int i = 0; i < args->flag_count; i++) size += args->flags[i].value ? strlen(args->flags[i].value) + 1 : 0;
    if (!flag_given(args, "model")) return NULL;
    char *words = calloc(size, 1);
    for (int i = 0; words && i < args->flag_count; i++) {
        if (strcmp(args->flags[i].name, "model") != 0) continue;
        if (*words) strcat(words, ",");
        strcat(words, args->flags[i].value);
    }
    return words;
}

static int read_flags(const cli_arguments *args, search_job *job, gpr_search_options *options) {
    *options = (gpr_search_options){.struct_size = sizeof *options,
                                    .models = job->models,
                                    .grid = flag_value(args, "grid"),
                                    .metric = flag_value(args, "metric"),
                                    .no_halving = flag_given(args, "no-halving")};
    int code = read_integer(args, "draws", &options->draws);
    if (code == EXIT_OK) code = read_integer(args, "jobs", &job->jobs);
    if (code != EXIT_OK) return code;
    if (flag_given(args, "draws") && options->draws < 1)
        return wrong_call("search", "draws is %s: it must be 1 or more", flag_value(args, "draws"));
    if (flag_given(args, "jobs") && (job->jobs < 1 || job->jobs > 1024))
        return wrong_call("search", "jobs is %s: it must be in [1, 1024]", flag_value(args, "jobs"));
    if (!flag_given(args, "runs")) return EXIT_OK;
    const gpr_status status = gpr_params_set(job->session.params, "runs", flag_value(args, "runs"));
    return status < 0 ? failed_with(args, status) : EXIT_OK;
}

/* Of several processes the first has the files. */
static int check_outputs(const cli_arguments *args, search_job *job) {
    if (is_helper(&job->session)) return EXIT_OK;
    int code = job->json ? check_target(job->json) : EXIT_OK;
    if (code != EXIT_OK || !job->out) return code;
    job->kept = malloc(strlen(job->out) + sizeof "/runs.jsonl");
    if (!job->kept) return failed("out of memory");
    sprintf(job->kept, "%s/runs.jsonl", job->out);
    const gpr_status status = gpr_search_check_dir(job->search, job->out);
    return status < 0 ? failed_with(args, status) : EXIT_OK;
}

/* Checks all that can be wrong before the long work. */
static int prepare(const cli_arguments *args, search_job *job) {
    gpr_search_options options;
    gpr_status status = GPR_OK;
    job->out = flag_value(args, "out");
    job->json = flag_value(args, "json");
    job->models = join_models(args);
    if (flag_given(args, "model") && !job->models) return failed("out of memory");
    int code = read_flags(args, job, &options);
    if (code == EXIT_OK) code = open_data(&job->data, &job->session, args, args->operands[0], NULL);
    if (code != EXIT_OK) return code;
    status = gpr_search_new(job->session.ctx, &job->search, job->data, job->session.params, &options);
    if (status < 0) return failed_with(args, status);
    code = agree(&job->session, check_outputs(args, job));
    if (code != EXIT_OK) return code;
    catch_interrupts(); /* from here on there are runs to keep */
    if (is_helper(&job->session)) say_nothing_if_ended();
    else if (!job->kept) say_if_ended("the finished runs are lost: use --out DIR to keep them");
    else say_if_ended("the finished runs are kept in %s: the same command goes on", job->kept);
    status = gpr_study_open(job->session.ctx, &job->study, job->kept);
    return status < 0 ? failed_with(args, status) : EXIT_OK;
}

/* How many bytes of the settings fit, without a word that is cut. */
static int fitting(const char *text, int room) {
    if ((int)strlen(text) <= room) return (int)strlen(text);
    while (room > 0 && text[room] != ' ') room--;
    return room > 0 ? room : 0;
}

static int on_progress(void *user, const gpr_study_progress *report) {
    search_job *job = user;
    char head[64], tail[160];
    gpr_setting_info setting = {.struct_size = sizeof setting};
    const double share = report->runs > 0 ? (double)report->done / (double)report->runs : 1;
    if (!job->started) start_share(&job->session.bar, report->finished ? share - 1 / (double)report->runs : share);
    job->started = true;
    job->done = report->done;
    job->runs = report->runs;
    if (gpr_search_setting(job->search, report->cell, &setting) == GPR_OK) {
        snprintf(head, sizeof head, "run %lld/%lld ", job->done, job->runs);
        const int room = job->session.bar.on_terminal
                             ? terminal_width(STDERR_FILENO) - 50 /* beside the bar, the share and the time */
                             : (int)(sizeof tail - strlen(setting.model) - 2);
        snprintf(tail, sizeof tail, "%s %.*s", setting.model, fitting(setting.text, room), setting.text);
        show_share(&job->session.bar, head, share, tail);
    }
    return interrupted();
}

/* ---- before it begins ---- */

static int while_timing(void *user, const gpr_study_progress *report) {
    (void)user, (void)report;
    return interrupted();
}

static void put_time(FILE *out, double seconds) {
    if (seconds < 1) fputs("1 s", out);
    else if (seconds < 90) fprintf(out, "%.0f s", seconds);
    else if (seconds < 5400) fprintf(out, "%.0f min", seconds / 60);
    else if (seconds < 172800) fprintf(out, "%.1f hours", seconds / 3600);
    else fprintf(out, "%.1f days", seconds / 86400);
}

/* How many runs, how long, and how to take less. An error is told by the search itself. */
static void tell_forecast(const search_job *job) {
    static const double long_work = 60;
    gpr_forecast_info found = {.struct_size = sizeof found};
    if (job->session.quiet || is_helper(&job->session)) return;
    if (gpr_search_forecast(job->search, job->study, (int)job->jobs, while_timing, NULL, &found) != GPR_OK) return;
    fprintf(stderr, "gprgnn: search: %lld setting%s of %lld model%s, %lld runs", (long long)found.settings,
            found.settings > 1 ? "s" : "", (long long)found.models, found.models > 1 ? "s" : "", (long long)found.runs);
    if (found.kept > 0) fprintf(stderr, ", %lld of them are kept", (long long)found.kept);
    if (found.kept < found.runs && found.most_seconds == found.most_seconds) {
        fprintf(stderr, ", %lld at a time: ", (long long)found.at_once);
        if (found.least_seconds < 0.95 * found.most_seconds) {
            fputs("about ", stderr), put_time(stderr, found.least_seconds);
            fputs(" if they stop early, at most ", stderr), put_time(stderr, found.most_seconds);
        } else {
            fputs("about ", stderr), put_time(stderr, found.most_seconds);
        }
    }
    fputc('\n', stderr);
    if (found.most_seconds > long_work)
        fputs("gprgnn: search: to take less time: fewer --model, a smaller --grid, --draws N, --runs N, --epochs N; or "
              "--budget 10m\n",
              stderr);
}

static int say_interrupted(const search_job *job) {
    if (!job->out)
        return failed("interrupted after %lld of %lld runs, which are lost: use --out DIR to keep them", job->done,
                      job->runs);
    return failed("interrupted; %lld of %lld runs are kept in %s: the same command goes on", job->done, job->runs,
                  job->kept);
}

static int deliver(const cli_arguments *args, search_job *job) {
    const bool on_stdout = job->json && is_stdout(job->json);
    const char *json = NULL;
    gpr_cell_info cell = {.struct_size = sizeof cell};
    int code = EXIT_OK;
    gpr_status status = job->out ? gpr_search_save(job->search, job->out) : GPR_OK;
    if (status < 0) code = failed_with(args, status);
    if (!on_stdout && gpr_study_cell(job->study, 0, &cell) == GPR_OK)
        print_search(args, job->search, cell.dataset, job->out, &job->session);
    if (!job->json) return code;
    cli_target target;
    status = gpr_search_json(job->search, &json);
    const int opened = status < 0 ? failed_with(args, status) : open_target(&target, job->json);
    if (opened != EXIT_OK) return opened;
    fputs(json, target.stream);
    const int written = close_target(&target);
    return code == EXIT_OK ? written : code;
}

static int search(const cli_arguments *args, search_job *job) {
    tell_forecast(job);
    const gpr_status status = gpr_search_run(job->search, job->study, (int)job->jobs, on_progress, job);
    wipe_progress(&job->session.bar);
    if (is_helper(&job->session) && (status >= 0 || status == GPR_ERROR_STOPPED))
        return status >= 0 ? EXIT_OK : EXIT_FAILED; /* process 0 tells */
    if (status == GPR_ERROR_STOPPED) return say_interrupted(job);
    return status < 0 ? failed_with(args, status) : deliver(args, job);
}

/* A training is too short a piece of a search to be dealt out itself. */
static int check_distribute(const cli_arguments *args) {
    const char *how = flag_value(args, "distribute");
    if (!how || (strcmp(how, "rows") != 0 && strcmp(how, "columns") != 0)) return EXIT_OK;
    return wrong_call(args->command->name,
                      "distribute is '%s': a search distributes its runs; it must be auto, runs or none", how);
}

static int run(const cli_arguments *args) {
    search_job job = {.jobs = 0};
    int code = check_distribute(args);
    if (code == EXIT_OK) code = open_session(&job.session, args, NULL);
    if (code != EXIT_OK) return code;
    code = prepare(args, &job);
    if (code == EXIT_OK) code = search(args, &job);
    code = leave_processes(&job.session, code);
    gpr_study_close(job.study);
    gpr_search_free(job.search);
    gpr_dataset_free(job.data);
    free(job.models);
    free(job.kept);
    close_session(&job.session);
    return code;
}

const cli_command search_command = {
    .name = "search",
    .operands = "[DATA]",
    .operand_count = 1,
    .optional_operands = 1,
    .about = "find good settings: tries a grid, chooses by validation nodes; --out DIR keeps all runs",
    .details = "Trains models with many settings, and chooses the one with the best mean on the\n"
               "validation nodes. Test nodes are not used for the choice: their accuracy is printed\n"
               "at the end, for what was chosen. All settings get a few runs, the better third gets\n"
               "more, until the last ones have --runs. An option given as a flag is the same for all\n"
               "settings.\n"
               "With --out DIR every finished run is kept: after Ctrl-C or a kill the same command\n"
               "goes on, and ends with the same choice. DIR/preset.conf is for 'train --preset'.\n"
               "For example: gprgnn search cora --grid paper --split sparse --out cora-search\n"
               "             gprgnn search web.gpr --model gprgnn,gcn,sage --out web-search\n"
               "             gprgnn search web.gpr --draws 30 --grid 'lr=0.001..0.1 dropout=0..0.8'",
    .params = "all",
    .flags = flags,
    .takes_data = true,
    .joins = true,
    .trains = true,
    .run = run,
};
