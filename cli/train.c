/* gprgnn train: trains, prints a summary, writes a run folder and JSON. */
#include <string.h>

#include "columns.h"
#include "commands.h"
#include "common.h"
#include "data_flags.h"
#include "saving.h"
#include "signals.h"
#include "summary.h"

static const cli_flag flags[] = {
    {"out", 0, "DIR",
     "write a run folder: config.json, model.safetensors, history.csv, gamma.csv, gamma_history.csv, "
     "metrics.csv, class_metrics.csv, predictions.csv, split.npz, result.json, report.html, run.sha256"},
    {"resume", 0, "DIR",
     "go on with the training in the run folder DIR that was stopped or killed; alone it is enough"},
    {"save-every", 0, "SECONDS",
     "how often the run folder gets the state of the training; 0: after every epoch; 'never'; default 30"},
    {"overwrite", 0, NULL,
     "with --out: begin anew where the folder has a training that is not finished, instead of going on"},
    {"json", 0, "FILE", "write the results as JSON; - is standard output, instead of the summary"},
    {"config", 0, "FILE",
     "read options from lines 'word = value', or from the config.json of a run folder; both may name the data too, as "
     "the flags do: edges = e.csv; flags win over the file"},
    {"preset", 0, "NAME=paper|filters|FILE",
     "'paper': the settings for this model, dataset and split; 'filters': those of a filter in another basis, with a "
     "gamma for each class; or a file that 'gprgnn search' has written; flags and --config win over it"},
    {"baselines", 0, "WHEN=auto|yes|no",
     "compare with the majority class, the features alone and the neighbours' vote: yes, no; auto: unless the data "
     "is published (a graph of the paper, or of generate) or a .gpr file"},
    {"importance", 0, NULL,
     "measure which columns matter, on the test nodes, for report.html and the JSON: as explain --importance, five "
     "passes for each of up to 50 columns"},
    {"distribute", 0, "HOW=auto|runs|columns|rows|none",
     "what is distributed to the processes that mpirun has started: runs, the columns of the filter, or rows of the "
     "graph; none: each works for itself; default auto, by sizes"},
    {"cpu", 0, "NAME=auto|ref|base|avx2|avx512", "kernels: auto, ref, base, avx2, avx512; default auto"},
    {"quiet", 'q', NULL,
     "print no progress, only the results of the summary, and no warning that only says what an option has done"},
    {"verbose", 'v', NULL, "print more messages on standard error; with --json - also the summary"},
    {0},
};

enum { DONE = 100 };        /* beside exit codes: nothing is left to train */
enum { MOST_COLUMNS = 30 }; /* of a table, that are printed */

/* The state of one training. */
typedef struct train_job {
    cli_session session; /* first: the progress callback gets its address */
    gpr_dataset *data;
    gpr_dataset_info info;
    gpr_model *model;
    gpr_result *result;
    const char *json; /* where to write, or NULL */
    bool baselines;   /* compare with them */
    cli_saving saving;
    bool told;               /* what the columns of its tables are */
    double started, trained; /* the time when the command began; seconds of the training in this call */
} train_job;

static bool json_on_stdout(const train_job *job) { return job->json && is_stdout(job->json); }

/* Whether a summary is printed, and more than the results: only then is the data measured, which may take long. */
static bool shows_all(const train_job *job) {
    int64_t processes;
    (void)gpr_ctx_rank(job->session.ctx, &processes);
    if (processes > 1) return false; /* data for several processes may be too large for one */
    return !job->session.quiet && (!json_on_stdout(job) || job->session.verbose);
}

/* When the training really begins. */
static void tell_columns(train_job *job) {
    if (shows_all(job) && !job->told) print_columns(json_on_stdout(job) ? stderr : stdout, job->data, MOST_COLUMNS);
    job->told = true;
}

static int on_progress(void *user, const gpr_progress *report) {
    train_job *job = user;
    cli_session *session = &job->session;
    if (strcmp(report->stage, "training") == 0) {
        tell_columns(job);
        tell_going_on(&job->saving);
    }
    if (!show_stage(&session->bar, report)) show_progress(&session->bar, report);
    return interrupted();
}

/* Reads options and data, in the order of their dependencies. */
static int read_input(const cli_arguments *args, train_job *job) {
    cli_session *session = &job->session;
    const char *config = flag_value(args, "config"), *preset = flag_value(args, "preset");
    const bool is_file = preset && strcmp(preset, "paper") != 0 && strcmp(preset, "filters") != 0;
    gpr_status status = config ? gpr_params_load(session->params, config) : GPR_OK;
    if (status >= 0 && is_file) status = gpr_params_load_preset(session->params, preset);
    if (status >= 0) status = gpr_params_check(session->params); /* before reading the data, which may take long */
    if (status < 0) return failed_with(args, status);
    const int code = open_data(&job->data, session, args, args->operands[0], NULL);
    if (code != EXIT_OK) return code;
    if (shows_all(job)) status = gpr_dataset_describe(session->ctx, job->data, &job->info);
    if (status >= 0 && preset && !is_file) status = gpr_params_preset(session->params, preset, job->data);
    if (status >= 0) status = use_hardware(session);
    return status < 0 ? failed_with(args, status) : EXIT_OK;
}

/* Reports an output that cannot be written before the training, not after hours. *done: nothing is left to train. */
static int check_outputs(const cli_arguments *args, train_job *job, bool *done) {
    const bool helps = is_helper(&job->session); /* process 0 writes */
    int code = job->json && !helps ? check_target(job->json) : EXIT_OK;
    catch_interrupts(); /* from here on there are files to keep or to remove */
    if (helps) say_nothing_if_ended();
    else say_if_ended("nothing is kept%s", job->saving.dir ? "" : ": use --out DIR to keep the best model");
    if (helps) return code;
    if (code != EXIT_OK || !job->saving.dir) return code;
    return open_folder(&job->saving, job->session.ctx, args, done);
}

static void say_report(FILE *out, const char *dir) {
    fputs("report    ", out);
    put_text(out, dir);
    fputs("/report.html  (open it in a browser)\n", out);
}

static bool is_word(const char *text, const char *word) { return text && strcmp(text, word) == 0; }

/* EXIT_OK, or the exit status after an error message: before the data is read, which may take long. */
static int check_baselines(const cli_arguments *args) {
    const char *when = flag_value(args, "baselines");
    if (!when || is_word(when, "auto") || is_word(when, "yes") || is_word(when, "no")) return EXIT_OK;
    return wrong_call(args->command->name, "--baselines is '%s': it must be auto, yes or no", when);
}

static bool is_mapped(const char *path) {
    const size_t size = path ? strlen(path) : 0;
    return size > 4 && strcmp(path + size - 4, ".gpr") == 0;
}

/* Whether to compare with the baselines. auto: not where the data is published, nor where it may be too large: a .gpr
   file, or an order that is for graphs beyond the memory. */
static int look_at_data(const cli_arguments *args, train_job *job) {
    const char *when = flag_value(args, "baselines");
    int published = 0;
    const gpr_status status = gpr_dataset_published(job->session.ctx, job->data, &published);
    const bool table = flag_given(args, "edges") || gpr_dataset_column_count(job->data) > 0,
               first = is_word(gpr_params_get(job->session.params, "order"), "filter-first");
    const bool large = !table && (first || is_mapped(args->operand_count > 0 ? args->operands[0] : NULL));
    if (flag_given(args, "importance") && gpr_dataset_targets(job->data, NULL))
        return wrong_call(args->command->name, "--importance is of classes so far, and the target is a number: leave "
                                               "it out");
    job->baselines = is_word(when, "yes") || (!published && !large && !is_word(when, "no"));
    return status < 0 ? failed_with(args, status) : EXIT_OK;
}

/* What the reader must know about these results. */
static void say_cautions(const train_job *job) {
    const char *text;
    fflush(stdout); /* the summary comes first */
    for (int64_t i = 0; (text = gpr_result_caution(job->result, i)); i++) {
        fputs("gprgnn: warning: ", stderr);
        put_text(stderr, text);
        fputc('\n', stderr);
    }
}

/* If one output fails, the others are still written. The folder comes last: until then it has the states, so that after
   a kill all outputs can be written again. */
static int deliver(const cli_arguments *args, train_job *job) {
    const cli_session *session = &job->session;
    const gpr_dataset_info *info = shows_all(job) ? &job->info : NULL;
    const char *json = NULL;
    double beside; /* seconds of reading, of the baselines and of the importance */
    int code = EXIT_OK;
    tell_columns(job);                                      /* if nothing was left to train */
    const bool compares = job->baselines && !interrupted(); /* who interrupts is in a hurry */
    gpr_status status = compares ? gpr_result_add_baselines(session->ctx, job->result, job->data) : GPR_OK;
    if (status < 0) code = failed_with(args, status);
    if (flag_given(args, "importance") && !interrupted()) {
        status = gpr_result_add_importance(session->ctx, job->result, job->model, job->data, NULL);
        if (status < 0) code = failed_with(args, status);
    }
    beside = seconds_now() - job->started - job->trained;
    if (!json_on_stdout(job))
        print_summary(stdout, session->ctx, job->data, info, session->params, job->model, job->result, true, beside);
    else if (session->verbose)
        print_summary(stderr, session->ctx, job->data, info, session->params, job->model, job->result, true, beside);
    say_cautions(job);
    status = job->json ? gpr_result_json(session->ctx, job->result, &json) : GPR_OK;
    if (status < 0) code = failed_with(args, status);
    else if (job->json) code = write_target(job->json, json);
    if (!job->saving.folder) return code;
    status = gpr_run_folder_save(job->saving.folder, job->result, job->model, job->data);
    if (status >= 0) {
        if (info) say_report(json_on_stdout(job) ? stderr : stdout, job->saving.dir);
        return code;
    }
    code = failed_with(args, status);
    if (job->saving.saved)
        failed("the training itself is kept: when this is repaired, 'gprgnn train --resume %s' writes the results",
               job->saving.dir);
    return code;
}

/* An interrupted training fails, but its results are kept. */
static int say_interrupted(const train_job *job, int code) {
    long long epochs = 0;
    for (int64_t r = 0; r < gpr_result_runs(job->result); r++) {
        gpr_run_info run = {.struct_size = sizeof run};
        if (gpr_result_run(job->result, r, &run) == GPR_OK) epochs += run.epochs;
    }
    const char *dir = job->saving.dir;
    if (!dir) return failed("interrupted after %lld epochs; the model is lost: use --out DIR to keep it", epochs);
    if (code != EXIT_OK) return failed("interrupted after %lld epochs", epochs);
    return failed("interrupted after %lld epochs; the best model so far is in %s; to go on: gprgnn train --resume %s",
                  epochs, dir, dir);
}

static int say_partial(const train_job *job) {
    const long long failures = gpr_result_failures(job->result), others = gpr_result_runs(job->result);
    return failed("%lld of %lld runs failed; the results are those of the others", failures, failures + others);
}

static int train(const cli_arguments *args, train_job *job) {
    cli_session *session = &job->session;
    cli_saving *saving = &job->saving;
    const gpr_train_options options = {.struct_size = sizeof options,
                                       .states = saving->states,
                                       .state_count = saving->count,
                                       .save = saving->folder ? save_state : NULL,
                                       .user = saving,
                                       .save_every = saving->every};
    start_progress(&session->bar, gpr_ctx_threads(session->ctx));
    job->trained = seconds_now();
    gpr_status status = gpr_train_with(session->ctx, &job->model, &job->result, job->data, session->params, &options);
    job->trained = seconds_now() - job->trained;
    wipe_progress(&session->bar);
    if (is_helper(session)) return status >= 0 ? EXIT_OK : failed_with(args, status);
    if (status == GPR_ERROR_STOPPED)
        return failed(saving->count > 0
                          ? "interrupted before the first epoch: the states in the folder stay as they are"
                          : "interrupted before the first epoch: nothing is kept");
    if (status == GPR_ERROR_MISMATCH || status == GPR_ERROR_FORMAT) return failed_to_resume(saving, status);
    int code = status < 0 ? failed_with(args, status) : deliver(args, job);
    if (status == GPR_ERROR_NUMERIC && !saving->replaces)
        forget_states(saving); /* all runs diverged, and would again */
    if (status == GPR_STOPPED) return say_interrupted(job, code);
    return status == GPR_PARTIAL && code == EXIT_OK ? say_partial(job) : code;
}

static int run_job(const cli_arguments *args, train_job *job) {
    bool done = false;
    job->json = flag_value(args, "json");
    int code = check_baselines(args);
    if (code == EXIT_OK) code = open_session(&job->session, args, on_progress);
    if (code != EXIT_OK) return code;
    code = read_input(args, job);
    if (code == EXIT_OK) code = look_at_data(args, job);
    if (code == EXIT_OK) code = check_outputs(args, job, &done);
    const int others = agree(&job->session, code != EXIT_OK ? code : done ? DONE : EXIT_OK);
    if (code == EXIT_OK && others == EXIT_OK) code = train(args, job);
    else if (code == EXIT_OK && done) code = write_finished(&job->saving, args);
    else if (code == EXIT_OK && others != DONE) code = others;
    code = leave_processes(&job->session, code);
    close_folder(&job->saving);
    gpr_result_free(job->result);
    gpr_model_free(job->model);
    gpr_dataset_free(job->data);
    close_session(&job->session);
    return code;
}

static int run(const cli_arguments *args) {
    train_job job = {.info = {.struct_size = sizeof job.info}, .started = seconds_now()};
    cli_recalled recalled = {.text = NULL};
    int code = read_saving(&job.saving, args);
    if (code != EXIT_OK) return code;
    if (!job.saving.resumes || args->operand_count > 0 || flag_given(args, "edges")) return run_job(args, &job);
    code = recall_arguments(&recalled, &job.saving, args);
    if (code == EXIT_OK && recalled.text) {
        code = read_saving(&job.saving, &recalled.args);
        if (code == EXIT_OK) code = run_job(&recalled.args, &job);
    } else if (code == EXIT_OK) {
        code = write_finished(&job.saving, args);
    }
    free_recalled(&recalled);
    return code;
}

const cli_command train_command = {
    .name = "train",
    .operands = "[DATA]",
    .operand_count = 1,
    .optional_operands = 1,
    .about = "train a model; --out DIR saves it, --runs N gives mean and 95 % CI",
    .details = "Trains a model that predicts the class of each node, and prints a summary. With\n"
               "--runs N it trains N models, each with its own split and initial weights, and prints\n"
               "the mean test accuracy and its 95 % confidence interval. Ctrl-C ends the training\n"
               "early and keeps the best model so far. With --out DIR the state is saved meanwhile:\n"
               "after Ctrl-C, a kill or a power cut 'gprgnn train --resume DIR' goes on, and ends\n"
               "with the same bits as a training that was never disturbed.\n"
               "For example: gprgnn train csbm:phi=-0.5 --runs 10 --out runs/csbm\n"
               "             gprgnn train --edges e.csv --nodes n.csv --label subject --out run",
    .params = "all",
    .flags = flags,
    .takes_data = true,
    .joins = true,
    .trains = true,
    .run = run,
};
