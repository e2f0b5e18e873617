/* gprgnn paper: trains the cells, dataset by dataset, and gathers what came out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/signals.h"
#include "paper/program/paper.h"

enum { SPEC_SIZE = 128 };

/* A cSBM is drawn with the seed draw + 1. */
static void spec_of(char out[SPEC_SIZE], const char *dataset, int draw) {
    const bool drawn = strncmp(dataset, "csbm", 4) == 0;
    snprintf(out, SPEC_SIZE, drawn ? "%s,seed=%d" : "%s", dataset, draw + 1);
}

/* Runs of one draw: all of them, dealt out. */
static int64_t runs_of(const paper_cell *cell, int draw) {
    return cell->runs / cell->draws + (draw < cell->runs % cell->draws);
}

/* ---- options ---- */

/* Geom-GCN's authors published their neighbourhoods; without them the latent space is computed here. They are looked
   for where datasets are. */
static gpr_status use_published_neighbourhoods(const paper *tables, gpr_params *params, const char *dataset) {
    char cache[4096] = "", path[8192];
    struct stat info;
    const char *name = strcmp(dataset, "actor") == 0 ? "film" : dataset;
    if (gpr_fetch_folder(tables->session.ctx, cache, sizeof cache, NULL) < 0) cache[0] = 0;
    const char *const roots[] = {tables->data_dir, getenv("GPRGNN_DATA"), cache};
    for (int i = 0; i < 3; i++) {
        if (!roots[i] || !*roots[i]) continue;
        snprintf(path, sizeof path, "%s/geom-gcn/structural_neighborhood/outf_nodes_space_relation_%s_poincare.txt.gz",
                 roots[i], name);
        if (stat(path, &info) == 0) return gpr_params_set(params, "embedding", path);
    }
    const char *published = published_neighbourhoods(dataset);
    if (tables->show && published) return gpr_params_set(params, "embedding", published);
    if (tables->session.verbose)
        failed("geomgcn on %s: the neighbourhoods of its authors are not there; its latent space is computed", dataset);
    return GPR_OK;
}

static gpr_status set_number(gpr_params *params, const char *word, int64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    return gpr_params_set(params, word, text);
}

gpr_status paper_options(const paper *tables, gpr_params **out, const char *model, const char *dataset,
                         const char *split, const gpr_dataset *data) {
    const bool random = strcmp(model, "gprgnn-random") == 0;
    gpr_status status = gpr_params_new(tables->session.ctx, out);
    if (status >= 0) status = gpr_params_set(*out, "model", random ? "gprgnn" : model);
    if (status >= 0) status = gpr_params_set(*out, "split", split);
    if (status >= 0 && random) status = gpr_params_set(*out, "init", "random");
    if (status >= 0 && strcmp(model, "geomgcn") == 0) status = use_published_neighbourhoods(tables, *out, dataset);
    if (status < 0) return status;
    return data ? gpr_params_preset(*out, "paper", data) : gpr_params_preset_named(*out, "paper", dataset);
}

/* A training of one step that is too short to change a weight: the model is the initial one. */
static gpr_status make_initial(gpr_params *params) {
    gpr_status status = gpr_params_set(params, "lr", "1e-30");
    if (status >= 0) status = gpr_params_set(params, "epochs", "1");
    return status >= 0 ? gpr_params_set(params, "stopping", "none") : status;
}

/* data: NULL: it is not at hand, and only shown. */
static gpr_status add_to_study(paper *tables, const char *name, const gpr_dataset *data, const gpr_params *params,
                               int measures, int64_t *cell) {
    if (data) return gpr_study_add(tables->study, data, params, measures, cell);
    return gpr_study_add_named(tables->study, name, published_fingerprint(name), params, measures, cell);
}

static gpr_status add_draw(paper *tables, paper_cell *cell, int draw, const gpr_dataset *data) {
    gpr_params *params = NULL;
    /* The figures have the authors' settings of the graph, which are those of its own split in table-real. */
    const char *settings = cell->part == PART_FIGURES ? split_of(cell->dataset) : cell->split;
    gpr_status status = paper_options(tables, &params, cell->model, cell->dataset, settings, data);
    const int measures = cell->part == PART_SMOOTHING || cell->part == PART_FIGURES ? GPR_MEASURE_GAMMA_HISTORY : 0;
    if (status >= 0) status = gpr_params_set(params, "split", cell->split);
    if (status >= 0 && cell->part == PART_SMOOTHING) status = gpr_params_set(params, "init", "delta:10");
    if (status >= 0) status = set_number(params, "runs", runs_of(cell, draw));
    if (status >= 0) status = set_number(params, "epochs", tables->epochs);
    if (status >= 0) status = add_to_study(tables, cell->dataset, data, params, measures, &cell->at[draw]);
    if (status >= 0 && cell->part == PART_SMOOTHING) {
        status = make_initial(params);
        if (status >= 0)
            status = add_to_study(tables, cell->dataset, data, params, GPR_MEASURE_TOP_SHARE, &cell->initial[draw]);
    }
    gpr_params_free(params);
    return status;
}

/* ---- training ---- */

int show_paper_progress(void *user, const gpr_study_progress *report) {
    paper *tables = user;
    char head[64], tail[128];
    const double planned = (double)(tables->planned > 0 ? tables->planned : 1);
    const int64_t done = tables->before + report->done;
    snprintf(head, sizeof head, "%lld/%lld runs ", (long long)done, (long long)tables->planned);
    snprintf(tail, sizeof tail, "%s on %s", report->model, report->dataset);
    show_share(&tables->session.bar, head, (double)done / planned, tail);
    return interrupted();
}

gpr_status open_paper_data(paper *tables, gpr_dataset **out, const char *spec) {
    const gpr_open_options options = {.struct_size = sizeof options, .data = spec, .data_dir = tables->data_dir};
    const gpr_status status = gpr_dataset_open_with(tables->session.ctx, out, &options);
    wipe_progress(&tables->session.bar);
    return status;
}

/* Another graph of the same name would give other numbers. */
static void check_sizes(const gpr_dataset *data, const char *name) {
    const gpr_dataset_info *theirs = published_sizes(name);
    if (!theirs || (gpr_dataset_nodes(data) == theirs->nodes && gpr_dataset_features(data) == theirs->features &&
                    gpr_dataset_edges(data) == theirs->edges))
        return;
    failed(
        "warning: this %s has %lld nodes, %lld edges and %lld features, and the paper's has %lld, %lld and %lld: the "
        "results are of another graph",
        name, (long long)gpr_dataset_nodes(data), (long long)gpr_dataset_edges(data),
        (long long)gpr_dataset_features(data), (long long)theirs->nodes, (long long)theirs->edges,
        (long long)theirs->features);
}

static void skip(paper *tables, paper_cell *cell, const char *why) {
    if (cell->skipped[0]) return;
    snprintf(cell->skipped, sizeof cell->skipped, "%s", why);
    tables->skipped++;
}

/* Graphs that are open at the same time, so that all jobs have work also where a graph has few runs. */
enum { MOST_OPEN = 32, RUNS_PER_JOB = 8 };

typedef struct {
    gpr_dataset *open[MOST_OPEN];
    int count;
    int64_t missing; /* runs */
} batch;

static int64_t missing_of(const paper *tables, int64_t cell) {
    gpr_cell_info info = {.struct_size = sizeof info};
    return cell >= 0 && gpr_study_cell(tables->study, cell, &info) >= 0 ? info.runs - info.done : 0;
}

static void close_batch(batch *now) {
    for (int i = 0; i < now->count; i++) gpr_dataset_free(now->open[i]);
    *now = (batch){.count = 0};
}

static int train_batch(paper *tables, batch *now) {
    gpr_status status = tables->show ? GPR_OK : gpr_study_run(tables->study, tables->jobs, show_paper_progress, tables);
    wipe_progress(&tables->session.bar);
    close_batch(now);
    if (status == GPR_ERROR_STOPPED && is_helper(&tables->session)) return EXIT_FAILED; /* process 0 tells */
    if (status == GPR_ERROR_STOPPED)
        return failed(tables->out ? "interrupted: finished runs are kept in %s; the same command goes on"
                                  : "interrupted: nothing is kept%s; use --out DIR to keep finished runs",
                      tables->out ? tables->out : "");
    return status < 0 ? failed_with(tables->args, status) : EXIT_OK;
}

static int64_t done_of(const paper *tables, int64_t cell) {
    gpr_cell_info info = {.struct_size = sizeof info};
    return cell >= 0 && gpr_study_cell(tables->study, cell, &info) >= 0 ? info.done : 0;
}

/* Kept runs are shown without their data too: those of the published graph. */
static gpr_status add_found(paper *tables, paper_cell *cell, int draw, const gpr_dataset *data) {
    gpr_status status = data ? add_draw(tables, cell, draw, data) : GPR_OK;
    if (status >= 0 && tables->show && done_of(tables, cell->at[draw]) == 0 && published_fingerprint(cell->dataset))
        status = add_draw(tables, cell, draw, NULL);
    return status;
}

/* Opens a graph, and adds all its cells to the study. */
static int add_graph(paper *tables, batch *now, const char *spec) {
    gpr_dataset *data = NULL;
    char own[SPEC_SIZE], why[512];
    gpr_status status = open_paper_data(tables, &data, spec);
    if (status < 0 && tables->show && published_fingerprint(spec)) status = GPR_OK;
    if (status < 0) {
        snprintf(why, sizeof why, "%s", gpr_last_error());
        failed("%s is skipped: %s", spec, why);
        for (int i = 0; i < tables->cell_count; i++)
            if (strcmp(tables->cells[i].dataset, spec) == 0) skip(tables, &tables->cells[i], why);
        return EXIT_OK;
    }
    if (data) now->open[now->count++] = data;
    if (!tables->show) check_sizes(data, spec);
    for (int i = 0; status >= 0 && i < tables->cell_count; i++)
        for (int draw = 0; status >= 0 && draw < tables->cells[i].draws; draw++) {
            paper_cell *cell = &tables->cells[i];
            spec_of(own, cell->dataset, draw);
            if (strcmp(own, spec) != 0 || runs_of(cell, draw) == 0) continue;
            status = add_found(tables, cell, draw, data);
            now->missing += missing_of(tables, cell->at[draw]) + missing_of(tables, cell->initial[draw]);
        }
    return status < 0 ? failed_with(tables->args, status) : EXIT_OK;
}

static bool is_done(const char (*done)[SPEC_SIZE], int count, const char *spec) {
    for (int i = 0; i < count; i++)
        if (strcmp(done[i], spec) == 0) return true;
    return false;
}

int work_paper(paper *tables) {
    enum { MOST_SPECS = 256 };
    static char done[MOST_SPECS][SPEC_SIZE];
    int count = 0, code = EXIT_OK;
    batch now = {.count = 0};
    int64_t processes;
    (void)gpr_ctx_rank(tables->session.ctx, &processes);
    const int64_t jobs =
        processes *
        gpr_ctx_agree(tables->session.ctx, tables->jobs > 0 ? tables->jobs : gpr_ctx_threads(tables->session.ctx));
    start_share(&tables->session.bar, 0);
    for (int i = 0; code == EXIT_OK && i < tables->cell_count; i++)
        for (int draw = 0; code == EXIT_OK && draw < tables->cells[i].draws && count < MOST_SPECS; draw++) {
            char spec[SPEC_SIZE];
            spec_of(spec, tables->cells[i].dataset, draw);
            if (is_done((const char(*)[SPEC_SIZE])done, count, spec)) continue;
            snprintf(done[count++], SPEC_SIZE, "%s", spec);
            code = add_graph(tables, &now, spec);
            if (code == EXIT_OK && (now.missing >= RUNS_PER_JOB * jobs || now.count == MOST_OPEN))
                code = train_batch(tables, &now);
        }
    if (code == EXIT_OK) code = train_batch(tables, &now);
    close_batch(&now);
    return code;
}

/* ---- what came out ---- */

/* The values of a number in one draw, without those that are missing; the caller frees them. */
static double *values_of(const paper *tables, int64_t cell, const char *what, int64_t *count) {
    gpr_cell_info info = {.struct_size = sizeof info};
    *count = 0;
    if (cell < 0 || gpr_study_cell(tables->study, cell, &info) < 0) return NULL;
    double *values = calloc((size_t)info.runs + 1, sizeof *values);
    if (!values || gpr_study_values(tables->study, cell, what, values) < 0) return values;
    for (int64_t i = 0; i < info.runs; i++)
        if (values[i] == values[i]) values[(*count)++] = values[i];
    return values;
}

static double mean_of(const paper *tables, int64_t cell, const char *what) {
    int64_t count;
    gpr_statistics_info found = {.struct_size = sizeof found};
    double *values = values_of(tables, cell, what, &count);
    const double mean = values && gpr_statistics(values, count, &found) >= 0 ? found.mean : NAN;
    free(values);
    return mean;
}

static void judge(paper_cell *cell) {
    const double room = cell->ci95 + (isnan(cell->published_ci) ? 0 : cell->published_ci);
    const double difference = cell->mean - cell->published;
    if (isnan(difference) || isnan(cell->ci95)) cell->verdict = VERDICT_NONE; /* one run has no interval */
    else if (fabs(difference) <= room) cell->verdict = VERDICT_INSIDE;
    else cell->verdict = difference > 0 ? VERDICT_ABOVE : VERDICT_BELOW;
}

/* Percent of the runs whose initial weights give all nodes one label. */
static double smoothed_share(const paper *tables, int64_t cell) {
    int64_t count, alike = 0;
    double *values = values_of(tables, cell, "top_share", &count);
    for (int64_t i = 0; values && i < count; i++) alike += values[i] == 100;
    free(values);
    return count > 0 ? 100.0 * (double)alike / (double)count : NAN;
}

/* One graph: over its runs. Several: over their means, as one draw can decide. */
static void measure_cell(const paper *tables, paper_cell *cell) {
    gpr_statistics_info found = {.struct_size = sizeof found};
    double means[MOST_DRAWS];
    int drawn = 0;
    for (int draw = 0; draw < cell->draws; draw++) {
        int64_t count;
        gpr_cell_info info = {.struct_size = sizeof info};
        double *values = values_of(tables, cell->at[draw], "test_accuracy", &count);
        if (values && count > 0 && gpr_statistics(values, count, &found) >= 0) means[drawn++] = found.mean;
        free(values);
        if (cell->at[draw] < 0 || gpr_study_cell(tables->study, cell->at[draw], &info) < 0) continue;
        cell->done += info.done;
        cell->failed += info.failed;
        values = values_of(tables, cell->at[draw], "seconds", &count);
        for (int64_t i = 0; values && i < count; i++) cell->seconds += values[i];
        free(values);
    }
    if (drawn == 0) return;
    if (drawn > 1 && gpr_statistics(means, drawn, &found) < 0) return;
    cell->mean = found.mean;
    cell->sd = found.sd;
    cell->ci95 = found.count > 1 ? found.ci95 : NAN;
    cell->initial_mean = mean_of(tables, cell->at[0], "initial_accuracy");
    cell->smoothed = cell->initial[0] >= 0 ? smoothed_share(tables, cell->initial[0]) : NAN;
    judge(cell);
}

void measure_cells(paper *tables) {
    for (int i = 0; i < tables->cell_count; i++) measure_cell(tables, &tables->cells[i]);
}

/* ---- datasets ---- */

int describe_datasets(paper *tables) {
    for (int i = 0; i < tables->dataset_count; i++) {
        paper_data *to = &tables->datasets[i];
        gpr_dataset *data = NULL;
        to->found.struct_size = sizeof to->found;
        gpr_status status = open_paper_data(tables, &data, to->name);
        if (status >= 0) status = gpr_dataset_describe(tables->session.ctx, data, &to->found);
        if (status < 0) failed("%s is skipped: %s", to->name, gpr_last_error());
        if (status < 0) tables->skipped += !tables->show; /* what is kept was shown */
        else to->opened = true;
        to->found.name = NULL; /* it belongs to the data */
        gpr_dataset_free(data);
    }
    return EXIT_OK;
}
