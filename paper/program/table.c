/* gprgnn paper: the tables in the terminal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal.h"
#include "paper/program/paper.h"

static bool has_part(const paper *tables, paper_part part) {
    for (int i = 0; i < tables->cell_count; i++)
        if (tables->cells[i].part == part) return true;
    return false;
}

/* "79.66 ± 0.34", or "-". */
static const char *with_ci(char out[64], double mean, double ci, bool utf8) {
    if (isnan(mean)) snprintf(out, 64, "-");
    else if (isnan(ci)) snprintf(out, 64, "%.2f", mean);
    else snprintf(out, 64, "%.2f %s %.2f", mean, utf8 ? "±" : "+-", ci);
    return out;
}

/* Pads on the right; ± is one column. */
static void put_padded(FILE *out, const char *text, int width) {
    int columns = 0;
    for (const char *at = text; *at; at++) columns += (*at & 0xc0) != 0x80;
    fprintf(out, "%s%*s", text, width > columns ? width - columns : 1, "");
}

/* ---- terminal ---- */

static void print_cell(FILE *out, const paper_cell *cell, bool utf8) {
    char text[64];
    put_padded(out, "", 2);
    put_padded(out, cell->dataset, 16);
    put_padded(out, cell->model, 15);
    if (cell->skipped[0]) {
        fprintf(out, "skipped\n");
        return;
    }
    put_padded(out, with_ci(text, cell->mean, cell->ci95, utf8), 16);
    put_padded(out, with_ci(text, cell->published, cell->published_ci, utf8), 16);
    if (isnan(cell->mean) || isnan(cell->published)) snprintf(text, sizeof text, "-");
    else snprintf(text, sizeof text, "%+.2f", cell->mean - cell->published);
    put_padded(out, text, 9);
    put_padded(out, verdict_name(cell->verdict), 9);
    fprintf(out, "%lld", (long long)(cell->done - cell->failed));
    if (cell->failed > 0) fprintf(out, " (%lld failed)", (long long)cell->failed);
    fprintf(out, "\n");
}

static void count_verdicts(const paper *tables, paper_part part, int counts[4], int *missing) {
    memset(counts, 0, 4 * sizeof *counts);
    *missing = 0;
    for (int i = 0; i < tables->cell_count; i++) {
        const paper_cell *cell = &tables->cells[i];
        if (cell->part != part) continue;
        counts[cell->verdict]++;
        *missing += isnan(cell->mean);
    }
}

static void print_verdicts(FILE *out, const paper *tables, paper_part part) {
    int counts[4], missing;
    count_verdicts(tables, part, counts, &missing);
    const int judged = counts[VERDICT_INSIDE] + counts[VERDICT_ABOVE] + counts[VERDICT_BELOW];
    if (judged == 0) return;
    fprintf(out, "  %d inside, %d above, %d below", counts[VERDICT_INSIDE], counts[VERDICT_ABOVE],
            counts[VERDICT_BELOW]);
    if (missing > 0) fprintf(out, ", %d without a result", missing);
    fprintf(out, "\n");
}

static void print_cells(FILE *out, const paper *tables, paper_part part, bool utf8) {
    fprintf(out, "%s: %s\n", part_name(part), part_title(part));
    fprintf(out, "  %-15s %-14s %-15s %-15s %-8s %-8s runs\n", "dataset", "model", "here", "paper", "differs",
            "verdict");
    for (int i = 0; i < tables->cell_count; i++)
        if (tables->cells[i].part == part) print_cell(out, &tables->cells[i], utf8);
    print_verdicts(out, tables, part);
}

static void print_smoothing(FILE *out, const paper *tables) {
    fprintf(out, "  %-15s %-26s %-26s\n", "dataset", "before training, % (paper)", "one label, % of runs (paper)");
    for (int i = 0; i < tables->cell_count; i++) {
        const paper_cell *cell = &tables->cells[i];
        if (cell->part != PART_SMOOTHING || isnan(cell->mean)) continue;
        fprintf(out, "  %-15s %6.2f (%.2f)%12s %6.0f (%.0f)\n", cell->dataset, cell->initial_mean,
                cell->published_initial, "", cell->smoothed, cell->published_smoothed);
    }
}

static bool has_rival(const paper *tables) {
    for (int i = 0; i < tables->speed_count; i++)
        if (!isnan(tables->speeds[i].rival_ms)) return true;
    return false;
}

/* "12.3", or "-". */
static const char *number_text(char out[32], double value) {
    if (isnan(value)) snprintf(out, 32, "-");
    else snprintf(out, 32, "%.3g", value);
    return out;
}

static void print_speeds(FILE *out, const paper *tables) {
    const bool rival = has_rival(tables);
    fprintf(out, "%s: %s on this machine, %d threads, beside the paper's GPU\n", part_name(PART_SPEED),
            part_title(PART_SPEED), gpr_ctx_threads(tables->session.ctx));
    fprintf(out, "  %-15s %-14s %-10s %-10s %-14s%s\n", "dataset", "model", "here", "paper", "times as fast",
            rival ? " rival      times as fast" : "");
    for (int i = 0; i < tables->speed_count; i++) {
        const paper_speed *speed = &tables->speeds[i];
        const double ms = speed->measured ? speed->ms : NAN;
        char here[32], times[32], other[32], more[32];
        fprintf(out, "  %-15s %-14s %-10s %-10.4g %-14s", speed->dataset, speed->model, number_text(here, ms),
                speed->published_ms, number_text(times, speed->published_ms / ms));
        if (rival)
            fprintf(out, " %-10s %s", number_text(other, speed->rival_ms), number_text(more, speed->rival_ms / ms));
        fprintf(out, "\n");
    }
}

static bool same_homophily(const paper_data *data) {
    return fabs(data->found.node_homophily - data->published.node_homophily) < 0.0006;
}

static void print_datasets(FILE *out, const paper *tables) {
    fprintf(out, "%s: %s\n", part_name(PART_DATASETS), part_title(PART_DATASETS));
    fprintf(out, "  %-15s %8s %9s %7s %8s %10s %8s\n", "dataset", "classes", "features", "nodes", "edges", "homophily",
            "paper");
    for (int i = 0; i < tables->dataset_count; i++) {
        const paper_data *data = &tables->datasets[i];
        const gpr_dataset_info *found = &data->found, *theirs = &data->published;
        if (!data->opened) {
            fprintf(out, "  %-15s skipped\n", data->name);
            continue;
        }
        fprintf(out, "  %-15s %8lld %9lld %7lld %8lld %10.3f %8.3f  ", data->name, (long long)found->classes,
                (long long)found->features, (long long)found->nodes, (long long)found->edges, found->node_homophily,
                theirs->node_homophily);
        const bool sizes = found->classes == theirs->classes && found->features == theirs->features &&
                           found->nodes == theirs->nodes && (theirs->edges == 0 || found->edges == theirs->edges);
        fprintf(out, "%s\n", !sizes ? "other sizes" : same_homophily(data) ? "same" : "same sizes");
    }
}

void print_paper(FILE *out, const paper *tables) {
    const bool utf8 = terminal_is_utf8();
    if (tables->dataset_count > 0) print_datasets(out, tables);
    for (int part = 0; part < PARTS; part++)
        if (has_part(tables, (paper_part)part)) print_cells(out, tables, (paper_part)part, utf8);
    if (has_part(tables, PART_SMOOTHING)) print_smoothing(out, tables);
    if (tables->speed_count > 0 && !tables->show) print_speeds(out, tables);
}
