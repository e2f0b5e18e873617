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
     "models to search, separated by commas, or given several times; default: gprgnn, mlp, gcn and sage; with "
     "--grid: gprgnn"},
    {"grid", 0, "GRID=paper|FILE",
     "what to try: 'paper' (the grid of the paper), 'lr=0.01,0.05 init=ppr,random' or a file of lines 'word = a, b'; a "
     "model gets the options that it has; with --draws also ranges: 'lr=0.001..0.1'; default: a small grid"},
    {"draws", 0, "N", "draw N settings per model from the grid, instead of all; lr and weight-decay on a log scale"},
    {"runs", 0, "N", "runs of the settings of the last round; default 10"},
    {"no-halving", 0, NULL,
     "all settings get all runs; else all get a few, the better third of each model gets more, and so on"},
    {"metric", 0, "NAME=val_accuracy|val_loss|accuracy|balanced_accuracy|macro_f1|roc_auc|average_precision",
     "what to choose by, as a mean over runs: val_accuracy, val_loss, or accuracy, balanced_accuracy, macro_f1, "
     "roc_auc, "
     "average_precision, by which each training then chooses its epoch too; default val_accuracy"},
    {"jobs", 0, "N", "how many runs at a time; default: as many as there are threads"},
    {"out", 0, "DIR",
     "keep every finished run in DIR/runs.jsonl, so that the same command goes on after Ctrl-C or a kill; and write "
     "search.json, search.csv, preset.conf (for train --preset)"},
    {"json", 0, "FILE", "write all that was tried as JSON; - is standard output, instead of the table"},
    {"distribute", 0, "HOW=auto|runs|none",
     "the processes that mpirun has started deal out the runs; none: each searches for itself; default auto"},
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
    char *all = calloc(size, 1);
    for (int i = 0; all && i < args->flag_count; i++) {
        if (strcmp(args->flags[i].name, "model") != 0) continue;
        if (*all) strcat(all, ",");
        strcat(all, args->flags[i].value);
    }
    return all;
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
    status = gpr_study_open(job->session.ctx, &job->study, job->kept);
    return status < 0 ? failed_with(args, status) : EXIT_OK;
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
        const int room = terminal_width(STDERR_FILENO) - 50; /* beside the bar, the share and the time */
        snprintf(tail, sizeof tail, "%s %.*s", setting.model, room > 0 ? room : 0, setting.text);
        show_share(&job->session.bar, head, share, tail);
    }
    return interrupted();
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
                      "distribute is '%s': a search deals out its runs; it must be auto, runs or none", how);
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
               "validation nodes. Test nodes have no say: their accuracy is printed at the end, for\n"
               "what was chosen. All settings get a few runs, the better third gets more, until the\n"
               "last ones have --runs. An option given as a flag is the same for all settings.\n"
               "With --out DIR every finished run is kept: after Ctrl-C or a kill the same command\n"
               "goes on, and ends with the same choice. DIR/preset.conf is for 'train --preset'.\n"
               "For example: gprgnn search cora --grid paper --split sparse --out cora-search\n"
               "             gprgnn search web.gpr --model gprgnn,gcn,sage --out web-search\n"
               "             gprgnn search web.gpr --draws 30 --grid 'lr=0.001..0.1 dropout=0..0.8'",
    .params = "all",
    .flags = flags,
    .data_flags = data_flags,
    .joins = true,
    .trains = true,
    .run = run,
};
