/* gprgnn paper: reproduces the tables and figures of the paper, beside the published values. */
#include "paper/program/paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/signals.h"

static const cli_flag flags[] = {
    {"models", 0, "LIST=MODELS|gprgnn-random",
     "only these models, separated by commas: gprgnn, gprgnn-random, appnp, mlp, sgc, ..."},
    {"datasets", 0, "LIST=DATASETS|csbm", "only these datasets, separated by commas: cora, ..., csbm, csbm:phi=-0.5"},
    {"runs", 0, "N", "runs of each cell; default 100, as in the paper"},
    {"draws", 0, "N",
     "graphs that are drawn for each cell of a cSBM, 1 to 10; its runs are divided among them; default 5"},
    {"epochs", 0, "N", "at most so many epochs, for a quick try; default 1000, as in the paper"},
    {"jobs", 0, "N", "runs at a time; default: one per CPU"},
    {"out", 0, "DIR",
     "keep finished runs there (runs.jsonl), and write all tables: report.html, SVG, CSV, Markdown, JSON"},
    {"kept", 0, "FILE", "also take the runs of this file, which is only read; it may be packed with gzip"},
    {"show", 0, NULL, "train nothing: make the tables from the runs that are kept"},
    {"rival", 0, "FILE",
     "for table-efficiency: times of another program on this machine, as CSV: model,dataset,ms_per_epoch"},
    {"data-dir", 0, "DIR", "where to look for datasets by name"},
    {"json", 0, "FILE", "write the results as JSON; - is standard output, instead of the tables"},
    {"cpu", 0, "NAME=auto|ref|base|avx2|avx512", "kernels: auto, ref, base, avx2, avx512; default auto"},
    {"device", 0, "NAME=cpu|cuda[:N]|auto", "where to compute: cpu, cuda or cuda:N, auto; default cpu"},
    {"quiet", 'q', NULL, "print no progress and no tables"},
    {"verbose", 'v', NULL, "print more messages on standard error"},
    {0},
};

/* Words of the command line; "all" is every part. */
static int read_parts(paper *tables) {
    const cli_arguments *args = tables->args;
    for (int i = 0; i < args->operand_count; i++) {
        const char *word = args->operands[i], *words[PARTS + 1] = {[PARTS] = "all"};
        bool known = strcmp(word, "all") == 0;
        for (int p = 0; p < PARTS; p++) {
            words[p] = part_name((paper_part)p);
            const bool same = strcmp(word, words[p]) == 0;
            if (same || strcmp(word, "all") == 0) tables->parts[p] = true;
            known |= same;
        }
        if (known) continue;
        const char *near = gpr_nearest_word(word, words, PARTS + 1);
        if (near) return wrong_call("paper", "the paper has no part '%s': did you mean '%s'?", word, near);
        return wrong_call("paper",
                          "the paper has no part '%s': it must be table-real, table-csbm-sparse, "
                          "table-csbm-dense, table-dense-homophilic, table-efficiency, table-oversmoothing, "
                          "table-datasets, figures or all",
                          word);
    }
    return EXIT_OK;
}

static int read_flags(paper *tables) {
    const cli_arguments *args = tables->args;
    int64_t draws = 5, jobs = 0;
    tables->runs = 100;
    tables->epochs = 1000;
    int code = read_integer(args, "runs", &tables->runs);
    if (code == EXIT_OK) code = read_integer(args, "draws", &draws);
    if (code == EXIT_OK) code = read_integer(args, "jobs", &jobs);
    if (code == EXIT_OK) code = read_integer(args, "epochs", &tables->epochs);
    if (code != EXIT_OK) return code;
    if (tables->runs < 1 || tables->runs > 1000000)
        return wrong_call("paper", "runs is %lld: it must be in [1, 1000000]", (long long)tables->runs);
    if (draws < 1 || draws > MOST_DRAWS)
        return wrong_call("paper", "draws is %lld: it must be in [1, %d]", (long long)draws, MOST_DRAWS);
    if (jobs < 0 || jobs > 1024) return wrong_call("paper", "jobs is %lld: it must be in [0, 1024]", (long long)jobs);
    if (tables->epochs < 1 || tables->epochs > 1000000)
        return wrong_call("paper", "epochs is %lld: it must be in [1, 1000000]", (long long)tables->epochs);
    tables->draws = (int)draws;
    tables->jobs = (int)jobs;
    tables->out = flag_value(args, "out");
    tables->data_dir = flag_value(args, "data-dir");
    tables->show = flag_given(args, "show");
    if (tables->show && !tables->out && !flag_given(args, "kept"))
        return wrong_call("paper", "--show makes tables from kept runs: give --out DIR or --kept FILE");
    return read_parts(tables);
}

/* To show, runs.jsonl is only read: another process may be adding to it. */
static gpr_status open_to_show(paper *tables, const char *path, const char *kept) {
    gpr_status status = gpr_study_open(tables->session.ctx, &tables->study, NULL);
    if (status >= 0 && tables->out) status = gpr_study_include(tables->study, path);
    return status == GPR_ERROR_NOT_FOUND && kept ? GPR_OK : status;
}

static int open_study(paper *tables) {
    char path[4096];
    const char *kept = flag_value(tables->args, "kept");
    const char *json = flag_value(tables->args, "json");
    const bool checks = !is_helper(&tables->session); /* process 0 has the files */
    snprintf(path, sizeof path, "%s/runs.jsonl", tables->out ? tables->out : "");
    gpr_status status = GPR_OK;
    int code = json && checks ? check_target(json) : EXIT_OK;
    if (code == EXIT_OK && tables->out && checks) code = check_paper_folder(tables->out);
    if (code == EXIT_OK && tables->out && checks && !tables->show) status = gpr_check_output_dir(tables->out);
    if (status < 0) code = failed_with(tables->args, status);
    code = agree(&tables->session, code);
    if (code != EXIT_OK) return code;
    if (tables->show) status = open_to_show(tables, path, kept);
    if (status >= 0 && tables->out && checks && tables->show) status = gpr_check_output_dir(tables->out);
    if (status >= 0 && !tables->show)
        status = gpr_study_open(tables->session.ctx, &tables->study, tables->out ? path : NULL);
    if (status >= 0 && kept) status = gpr_study_include(tables->study, kept);
    return status < 0 ? failed_with(tables->args, status) : EXIT_OK;
}

/* Of several processes, which would disturb each other. */
static int check_speeds(const paper *tables) {
    int64_t processes;
    (void)gpr_ctx_rank(tables->session.ctx, &processes);
    if (processes == 1 || tables->speed_count == 0 || tables->show) return EXIT_OK;
    return wrong_call("paper",
                      "table-efficiency measures the times of one process, and %lld were started: make it without "
                      "mpirun, and the other parts with",
                      (long long)processes);
}

static int make(paper *tables) {
    const char *json = flag_value(tables->args, "json");
    int code = check_speeds(tables);
    if (code == EXIT_OK) code = open_study(tables);
    if (code != EXIT_OK) return code;
    catch_interrupts();
    if (is_helper(&tables->session)) say_nothing_if_ended();
    else if (!tables->out || tables->show) say_if_ended("nothing is kept");
    else say_if_ended("the finished runs are kept in %s: the same command goes on", tables->out);
    if (tables->dataset_count > 0) code = describe_datasets(tables);
    if (code == EXIT_OK && tables->cell_count > 0) code = work_paper(tables);
    if (is_helper(&tables->session)) return code; /* process 0 prints and writes */
    if (code == EXIT_OK && tables->speed_count > 0 && !tables->show) code = measure_speeds(tables);
    measure_cells(tables);
    if (!tables->session.quiet && !(json && is_stdout(json))) print_paper(stdout, tables);
    const int written = code == EXIT_OK ? write_paper(tables) : EXIT_OK;
    if (code == EXIT_OK && tables->skipped > 0)
        code = failed("%d cells were skipped: their datasets are missing", tables->skipped);
    return code == EXIT_OK ? written : code;
}

static int run(const cli_arguments *args) {
    paper *tables = calloc(1, sizeof *tables);
    if (!tables) return failed("out of memory");
    tables->args = args;
    int code = read_flags(tables);
    if (code == EXIT_OK) code = plan_paper(tables, flag_value(args, "models"), flag_value(args, "datasets"));
    if (code == EXIT_OK) code = read_rival(tables, flag_value(args, "rival"));
    if (code == EXIT_OK) code = open_session(&tables->session, args, NULL);
    if (code == EXIT_OK) {
        code = leave_processes(&tables->session, make(tables));
        gpr_study_close(tables->study);
        close_session(&tables->session);
    }
    free(tables);
    return code;
}

static const char *part_word(int index) {
    return index < PARTS ? part_name((paper_part)index) : index == PARTS ? "all" : NULL;
}

const cli_command paper_command = {
    .name = "paper",
    .operands = "PART...",
    .operand_count = 1,
    .more_operands = true,
    .operand_word = part_word,
    .about = "reproduce the paper: its tables and figures, beside the published values",
    .details = "Makes the tables of the paper anew: every cell as the mean of many runs with its 95 %\n"
               "confidence interval, the paper's value, the difference, and a verdict: 'inside' if\n"
               "the difference is not larger than the two intervals together, else 'above' or\n"
               "'below'. PART is table-real, table-csbm-sparse, table-csbm-dense,\n"
               "table-dense-homophilic, table-efficiency, table-oversmoothing, table-datasets,\n"
               "figures, or all. With --out DIR every finished run is kept: stop at any time, and the\n"
               "same command goes on; nothing is trained twice.\n"
               "For example: gprgnn paper table-real --datasets cora,texas --runs 20 --out paper\n"
               "             gprgnn paper all --out paper",
    .flags = flags,
    .joins = true,
    .run = run,
};
