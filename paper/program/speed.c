/* gprgnn paper: milliseconds per epoch on this machine, beside the paper's GPU and another program. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "paper/program/paper.h"

int read_rival(paper *tables, const char *path) {
    char line[256], model[32], dataset[64];
    double ms;
    int number = 0;
    for (int i = 0; i < tables->speed_count; i++) tables->speeds[i].rival_ms = NAN;
    if (!path) return EXIT_OK;
    FILE *in = fopen(path, "r");
    if (!in) return failed("cannot read %s: %s", path, strerror(errno));
    int code = EXIT_OK;
    while (code == EXIT_OK && fgets(line, sizeof line, in)) {
        number++;
        if (number == 1 && strncmp(line, "model,", 6) == 0) continue;
        if (sscanf(line, "%31[^,],%63[^,],%lf", model, dataset, &ms) != 3 || !(ms > 0))
            code = failed("%s:%d: this is not model,dataset,ms_per_epoch", path, number);
        for (int i = 0; code == EXIT_OK && i < tables->speed_count; i++)
            if (strcmp(tables->speeds[i].model, model) == 0 && strcmp(tables->speeds[i].dataset, dataset) == 0)
                tables->speeds[i].rival_ms = ms;
    }
    fclose(in);
    return code;
}

enum { RUNS = 3 }; /* of each model; the median counts */

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Not kept: it is about this machine, now. One training at a time, on all threads. */
static gpr_status measure_speed(paper *tables, paper_speed *speed, const gpr_dataset *data) {
    gpr_study *study = NULL;
    gpr_params *params = NULL;
    int64_t cell;
    double values[RUNS];
    const bool homophilic = strcmp(speed->dataset, "cora") == 0 || strcmp(speed->dataset, "pubmed") == 0 ||
                            strcmp(speed->dataset, "computers") == 0;
    gpr_status status = gpr_study_open(tables->session.ctx, &study, NULL);
    if (status >= 0)
        status = paper_options(tables, &params, speed->model, speed->dataset, homophilic ? "sparse" : "dense", data);
    if (status >= 0) status = gpr_params_set(params, "epochs", "200");
    if (status >= 0) status = gpr_params_set(params, "stopping", "none");
    if (status >= 0) status = gpr_params_set(params, "runs", "3"); /* RUNS */
    if (status >= 0) status = gpr_study_add(study, data, params, 0, &cell);
    if (status >= 0) status = gpr_study_run(study, 1, show_paper_progress, tables);
    if (status >= 0) status = gpr_study_values(study, cell, "ms_per_epoch", values);
    if (status >= 0) {
        qsort(values, RUNS, sizeof *values, by_value);
        speed->ms = values[RUNS / 2];
        speed->measured = true;
        tables->before += RUNS;
    }
    gpr_params_free(params);
    gpr_study_close(study);
    return status;
}

static void skip_dataset(paper *tables, const char *name) {
    for (int i = 0; i < tables->speed_count; i++)
        if (strcmp(tables->speeds[i].dataset, name) == 0) {
            tables->speeds[i].skipped = true;
            tables->skipped++;
        }
}

int measure_speeds(paper *tables) {
    int code = EXIT_OK;
    tables->planned = RUNS * (int64_t)tables->speed_count;
    tables->before = 0;
    start_share(&tables->session.bar, 0);
    for (int i = 0; code == EXIT_OK && i < tables->speed_count; i++) {
        gpr_dataset *data = NULL;
        if (tables->speeds[i].measured || tables->speeds[i].skipped) continue;
        gpr_status status = open_paper_data(tables, &data, tables->speeds[i].dataset);
        if (status < 0) {
            failed("%s is skipped: %s", tables->speeds[i].dataset, gpr_last_error());
            skip_dataset(tables, tables->speeds[i].dataset);
            continue;
        }
        for (int j = i; status >= 0 && j < tables->speed_count; j++)
            if (strcmp(tables->speeds[j].dataset, tables->speeds[i].dataset) == 0)
                status = measure_speed(tables, &tables->speeds[j], data);
        wipe_progress(&tables->session.bar);
        gpr_dataset_free(data);
        if (status == GPR_ERROR_STOPPED) code = failed("interrupted");
        else if (status < 0) code = failed_with(tables->args, status);
    }
    return code;
}
