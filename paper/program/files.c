/* gprgnn paper: its files: cells.csv, results.json, results.md, report.html. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json_out.h"
#include "paper/program/gamma.h"

#define MADE_BY "gprgnn paper" /* the mark of results.json */

/* ---- CSV ---- */

static void put_number(FILE *out, double value) {
    if (isnan(value)) fputc(',', out);
    else fprintf(out, ",%.10g", value);
}

static void put_csv(FILE *out, const paper *tables) {
    fprintf(out, "part,dataset,model,split,mean,ci95,sd,runs,failed,draws,published,published_ci95,difference,verdict,"
                 "seconds\n");
    for (int i = 0; i < tables->cell_count; i++) {
        const paper_cell *cell = &tables->cells[i];
        fprintf(out, "%s,%s,%s,%s", part_name(cell->part), cell->dataset, cell->model, cell->split);
        put_number(out, cell->mean);
        put_number(out, cell->ci95);
        put_number(out, isnan(cell->mean) ? NAN : cell->sd);
        fprintf(out, ",%lld,%lld,%d", (long long)(cell->done - cell->failed), (long long)cell->failed, cell->draws);
        put_number(out, cell->published);
        put_number(out, cell->published_ci);
        put_number(out, cell->mean - cell->published);
        fprintf(out, ",%s,%.1f\n", verdict_name(cell->verdict), cell->seconds);
    }
}

/* ---- JSON ---- */

static void put_settings(json_out *json, const paper *tables, const paper_cell *cell) {
    static const char *const words[] = {"lr", "weight-decay", "init", "alpha", "dprate", "hidden", "split"};
    if (cell->at[0] < 0) return;
    const char *model = gpr_study_param(tables->study, cell->at[0], "model");
    emit_open(json, "settings", '{');
    for (int w = 0; w < 7; w++)
        for (int i = 0; i < gpr_param_count(); i++) {
            gpr_param_info info = {.struct_size = sizeof info};
            if (gpr_param_describe(i, &info) < 0 || strcmp(info.name, words[w]) != 0) continue;
            const char *value = gpr_study_param(tables->study, cell->at[0], words[w]);
            if (value && model && gpr_param_applies(i, model)) emit_text(json, words[w], "%s", value);
        }
    emit_close(json, '}');
}

static void put_gamma(json_out *json, const paper *tables, const paper_cell *cell) {
    gamma_means means;
    mean_gamma(&means, tables, cell);
    if (means.count == 0) return;
    emit_open(json, "gamma", '[');
    for (int64_t k = 0; k < means.count; k++) emit_real(json, NULL, means.mean[k]);
    emit_close(json, ']');
    emit_open(json, "gamma_ci95", '[');
    for (int64_t k = 0; k < means.count; k++) emit_real(json, NULL, means.ci95[k]);
    emit_close(json, ']');
}

static void put_cell(json_out *json, const paper *tables, const paper_cell *cell) {
    emit_open(json, NULL, '{');
    emit_text(json, "part", "%s", part_name(cell->part));
    emit_text(json, "dataset", "%s", cell->dataset);
    emit_text(json, "model", "%s", cell->model);
    if (cell->skipped[0]) emit_text(json, "skipped", "%s", cell->skipped);
    emit_real(json, "test_accuracy", cell->mean);
    emit_real(json, "ci95", isnan(cell->mean) ? NAN : cell->ci95);
    emit_integer(json, "runs", (long long)(cell->done - cell->failed));
    emit_integer(json, "failed", (long long)cell->failed);
    emit_integer(json, "draws", cell->draws);
    emit_real(json, "published", cell->published);
    emit_real(json, "published_ci95", cell->published_ci);
    emit_real(json, "difference", cell->mean - cell->published);
    emit_text(json, "verdict", "%s", verdict_name(cell->verdict));
    if (cell->part == PART_SMOOTHING) {
        emit_real(json, "initial_accuracy", cell->initial_mean);
        emit_real(json, "published_initial_accuracy", cell->published_initial);
        emit_real(json, "oversmoothed_percent", cell->smoothed);
        emit_real(json, "published_oversmoothed_percent", cell->published_smoothed);
    }
    put_settings(json, tables, cell);
    put_gamma(json, tables, cell);
    emit_close(json, '}');
    fputc('\n', json->out);
}

static void put_json(FILE *out, const paper *tables) {
    json_out json = {.out = out};
    emit_open(&json, NULL, '{');
    emit_text(&json, "made_by", MADE_BY);
    emit_text(&json, "version", "%s", gpr_version());
    emit_open(&json, "cells", '[');
    for (int i = 0; i < tables->cell_count; i++) put_cell(&json, tables, &tables->cells[i]);
    emit_close(&json, ']');
    emit_open(&json, "efficiency", '[');
    for (int i = 0; i < tables->speed_count; i++) {
        const paper_speed *speed = &tables->speeds[i];
        emit_open(&json, NULL, '{');
        emit_text(&json, "dataset", "%s", speed->dataset);
        emit_text(&json, "model", "%s", speed->model);
        emit_real(&json, "ms_per_epoch", speed->measured ? speed->ms : NAN);
        emit_real(&json, "published_ms_per_epoch", speed->published_ms);
        emit_real(&json, "rival_ms_per_epoch", speed->rival_ms);
        emit_close(&json, '}');
    }
    emit_close(&json, ']');
    emit_open(&json, "datasets", '[');
    for (int i = 0; i < tables->dataset_count; i++) {
        const paper_data *data = &tables->datasets[i];
        emit_open(&json, NULL, '{');
        emit_text(&json, "dataset", "%s", data->name);
        emit_real(&json, "nodes", data->opened ? (double)data->found.nodes : NAN);
        emit_real(&json, "edges", data->opened ? (double)data->found.edges : NAN);
        emit_real(&json, "features", data->opened ? (double)data->found.features : NAN);
        emit_real(&json, "classes", data->opened ? (double)data->found.classes : NAN);
        emit_real(&json, "node_homophily", data->opened ? data->found.node_homophily : NAN);
        emit_real(&json, "published_node_homophily", data->published.node_homophily);
        emit_close(&json, '}');
    }
    emit_close(&json, ']');
    emit_close(&json, '}');
    fputc('\n', out);
}

/* ---- Markdown ---- */

static void put_markdown_cells(FILE *out, const paper *tables, paper_part part) {
    int counts[4] = {0, 0, 0, 0};
    bool any = false;
    for (int i = 0; i < tables->cell_count; i++) any |= tables->cells[i].part == part && !isnan(tables->cells[i].mean);
    if (!any) return;
    fprintf(out, "\n## %s\n\n%c%s.\n\n", part_name(part), toupper(part_title(part)[0]), part_title(part) + 1);
    fprintf(out, "| dataset | model | here | paper | difference | verdict | runs |\n|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < tables->cell_count; i++) {
        const paper_cell *cell = &tables->cells[i];
        if (cell->part != part || isnan(cell->mean)) continue;
        counts[cell->verdict]++;
        fprintf(out, "| %s | %s | %.2f", cell->dataset, cell->model, cell->mean);
        if (!isnan(cell->ci95)) fprintf(out, " ± %.2f", cell->ci95);
        fprintf(out, " | ");
        if (isnan(cell->published)) fprintf(out, "| | ");
        else if (isnan(cell->published_ci))
            fprintf(out, "%.2f | %+.2f | ", cell->published, cell->mean - cell->published);
        else fprintf(out, "%.2f ± %.2f | %+.2f | ", cell->published, cell->published_ci, cell->mean - cell->published);
        fprintf(out, "%s | %lld |\n", verdict_name(cell->verdict), (long long)(cell->done - cell->failed));
    }
    if (counts[VERDICT_INSIDE] + counts[VERDICT_ABOVE] + counts[VERDICT_BELOW] > 0)
        fprintf(out, "\n%d inside, %d above, %d below.\n", counts[VERDICT_INSIDE], counts[VERDICT_ABOVE],
                counts[VERDICT_BELOW]);
}

/* A cell of a table; empty while there is no run that tells the number. */
static void put_rounded(FILE *out, int digits, double value) {
    if (isnan(value)) fputs(" |", out);
    else fprintf(out, " %.*f |", digits, value);
}

static void put_markdown_smoothing(FILE *out, const paper *tables) {
    bool first = true;
    for (int i = 0; i < tables->cell_count; i++) {
        const paper_cell *cell = &tables->cells[i];
        if (cell->part != PART_SMOOTHING || isnan(cell->mean)) continue;
        if (first)
            fprintf(out, "\n| dataset | before training, %% | paper | runs that begin with one label, %% | paper |\n"
                         "|---|---|---|---|---|\n");
        first = false;
        fprintf(out, "| %s |", cell->dataset);
        put_rounded(out, 2, cell->initial_mean), put_rounded(out, 2, cell->published_initial);
        put_rounded(out, 0, cell->smoothed), put_rounded(out, 0, cell->published_smoothed);
        fputc('\n', out);
    }
}

static void put_markdown_signs(FILE *out, const paper *tables) {
    bool first = true;
    for (int i = 0; i < tables->cell_count; i++) {
        const paper_cell *cell = &tables->cells[i];
        gamma_means means;
        if (cell->part != PART_FIGURES) continue;
        mean_gamma(&means, tables, cell);
        if (means.count == 0) continue;
        const gamma_signs signs = signs_of(&means);
        if (first)
            fprintf(out, "\nWeights whose interval does not contain 0; runs are turned to point the same "
                         "way.\n\n| dataset | weights above 0 | weights below 0 | runs | as the paper states |\n"
                         "|---|---|---|---|---|\n");
        first = false;
        fprintf(out, "| %s | %d | %d | %lld | %s |\n", cell->dataset, signs.positive, signs.negative,
                (long long)means.runs, signs_as_stated(cell->dataset, signs));
    }
}

static void put_markdown_speeds(FILE *out, const paper *tables) {
    bool any = false;
    for (int i = 0; i < tables->speed_count; i++) any |= tables->speeds[i].measured;
    if (!any) return;
    fprintf(out, "\n## %s\n\n%s, %d threads.\n\n", part_name(PART_SPEED), part_title(PART_SPEED),
            gpr_ctx_threads(tables->session.ctx));
    fprintf(out, "| dataset | model | here | paper's GPU | times as fast | rival here | times as fast |\n"
                 "|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < tables->speed_count; i++) {
        const paper_speed *speed = &tables->speeds[i];
        if (!speed->measured) continue;
        fprintf(out, "| %s | %s | %.3g | %.2f | %.1f | ", speed->dataset, speed->model, speed->ms, speed->published_ms,
                speed->published_ms / speed->ms);
        if (isnan(speed->rival_ms)) fprintf(out, "| |\n");
        else fprintf(out, "%.3g | %.1f |\n", speed->rival_ms, speed->rival_ms / speed->ms);
    }
}

static void put_markdown(FILE *out, const paper *tables) {
    fprintf(out,
            "# The paper's tables\n\nMade by `gprgnn paper`, version %s. Each number is a mean over runs with its "
            "95 %% confidence interval; for the\ncSBM, over drawn graphs.\n",
            gpr_version());
    for (int part = 0; part < PARTS; part++) {
        put_markdown_cells(out, tables, (paper_part)part);
        if (part == PART_SMOOTHING) put_markdown_smoothing(out, tables);
        if (part == PART_FIGURES) put_markdown_signs(out, tables);
    }
    put_markdown_speeds(out, tables);
}

/* ---- all of them ---- */

static int write_to(const paper *tables, const char *path, void (*put)(FILE *, const paper *)) {
    cli_target target;
    const int code = open_target(&target, path);
    if (code != EXIT_OK) return code;
    put(target.stream, tables);
    return close_target(&target);
}

static int write_file(const paper *tables, const char *name, void (*put)(FILE *, const paper *)) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", tables->out, name);
    return write_to(tables, path, put);
}

static bool is_there(const char *dir, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

/* Has results.json the mark? */
static bool is_marked(const char *dir) {
    char path[4096], head[64] = "";
    snprintf(path, sizeof path, "%s/results.json", dir);
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    const size_t size = fread(head, 1, sizeof head - 1, file);
    fclose(file);
    head[size] = 0;
    return strncmp(head, "{\"made_by\":\"" MADE_BY "\"", strlen("{\"made_by\":\"" MADE_BY "\"")) == 0;
}

int check_paper_folder(const char *dir) {
    static const char *const names[] = {"report.html", "results.json", "cells.csv", "results.md"};
    if (is_marked(dir)) return EXIT_OK;
    for (int i = 0; i < 4; i++)
        if (is_there(dir, names[i]))
            return failed("%s has a %s that is not of 'gprgnn paper', which would replace it: take another folder", dir,
                          names[i]);
    return EXIT_OK;
}

/* report.html, and its figures as figures/NAME.svg. */
static int write_page(const paper *tables) {
    char path[4096], *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return failed("out of memory");
    put_paper_page(out, tables);
    if (fclose(out) != 0) {
        free(text);
        return failed("out of memory");
    }
    snprintf(path, sizeof path, "%s/report.html", tables->out);
    gpr_status status = gpr_page_save(tables->session.ctx, path, "paper", text);
    snprintf(path, sizeof path, "%s/figures", tables->out);
    if (status >= 0) status = gpr_page_figures_save(tables->session.ctx, path, text, NULL);
    free(text);
    return status < 0 ? failed_with(tables->args, status) : EXIT_OK;
}

int write_paper(const paper *tables) {
    const char *json = flag_value(tables->args, "json");
    int code = json ? write_to(tables, json, put_json) : EXIT_OK;
    if (!tables->out) return code;
    if (code == EXIT_OK) code = write_file(tables, "results.json", put_json); /* first: it marks the folder as ours */
    if (code == EXIT_OK) code = write_file(tables, "cells.csv", put_csv);
    if (code == EXIT_OK) code = write_file(tables, "results.md", put_markdown);
    if (code == EXIT_OK) code = write_page(tables);
    if (code == EXIT_OK && !tables->session.quiet && !(json && is_stdout(json)))
        printf("report    %s/report.html\n", tables->out);
    return code;
}
