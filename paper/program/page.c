/* gprgnn paper: the page of the whole paper, as the JSON that docs/report.md describes. */
#include <math.h>
#include <string.h>

#include "cli/json_out.h"
#include "paper/program/gamma.h"

static void open_section(json_out *json, const char *id, const char *title, const char *text) {
    emit_open(json, NULL, '{');
    emit_text(json, "id", "%s", id);
    emit_text(json, "title", "%s", title);
    emit_text(json, "text", "%s", text);
    emit_open(json, "blocks", '[');
}

static void close_section(json_out *json) {
    emit_close(json, ']');
    emit_close(json, '}');
}

static void put_column(json_out *json, const char *name, const char *kind) {
    emit_open(json, NULL, '{');
    emit_text(json, "name", "%s", name);
    emit_text(json, "kind", "%s", kind);
    emit_close(json, '}');
}

/* ---- accuracies: models by datasets ---- */

/* The names of a part's datasets or models, each once, in the order of the paper. */
static int names_of(const paper *tables, paper_part part, bool models, const char *names[64]) {
    int count = 0;
    for (int i = 0; i < tables->cell_count; i++) {
        const paper_cell *cell = &tables->cells[i];
        const char *name = models ? cell->model : cell->dataset;
        bool known = cell->part != part;
        for (int j = 0; j < count && !known; j++) known = strcmp(names[j], name) == 0;
        if (!known && count < 64) names[count++] = name;
    }
    return count;
}

static const paper_cell *find_cell(const paper *tables, paper_part part, const char *model, const char *dataset) {
    for (int i = 0; i < tables->cell_count; i++) {
        const paper_cell *cell = &tables->cells[i];
        if (cell->part == part && strcmp(cell->model, model) == 0 && strcmp(cell->dataset, dataset) == 0) return cell;
    }
    return NULL;
}

static void put_accuracy(json_out *json, const paper_cell *cell) {
    static const char *const looks[] = {
        [VERDICT_NONE] = "none", [VERDICT_INSIDE] = "good", [VERDICT_ABOVE] = "near", [VERDICT_BELOW] = "bad"};
    if (!cell || isnan(cell->mean)) {
        emit_text(json, NULL, "%s", cell && cell->skipped[0] ? "skipped" : "");
        return;
    }
    emit_open(json, NULL, '{');
    static const char *const marks[] = {[VERDICT_INSIDE] = NULL, [VERDICT_ABOVE] = " ▲", [VERDICT_BELOW] = " ▼"};
    if (isnan(cell->ci95)) emit_text(json, "text", "%.2f", cell->mean);
    else
        emit_text(json, "text", "%.2f ± %.2f%s", cell->mean, cell->ci95,
                  marks[cell->verdict] ? marks[cell->verdict] : "");
    emit_text(json, "verdict", "%s", looks[cell->verdict]);
    if (!isnan(cell->published_ci)) emit_text(json, "note", "%.2f ± %.2f", cell->published, cell->published_ci);
    else if (!isnan(cell->published)) emit_text(json, "note", "%.2f", cell->published);
    emit_close(json, '}');
}

static void put_matrix(json_out *json, const paper *tables, paper_part part) {
    const char *models[64], *sets[64];
    const int rows = names_of(tables, part, true, models), columns = names_of(tables, part, false, sets);
    emit_open(json, NULL, '{');
    emit_text(json, "type", "table");
    emit_text(
        json, "caption",
        "Below each number is the paper's. Green: the difference is inside the two confidence intervals. Blue, ▲: "
        "above the paper's value by more than that. Red, ▼: below.");
    emit_open(json, "columns", '[');
    put_column(json, "model", "text");
    for (int c = 0; c < columns; c++) put_column(json, sets[c], "text");
    emit_close(json, ']');
    emit_open(json, "rows", '[');
    for (int r = 0; r < rows; r++) {
        emit_open(json, NULL, '[');
        emit_text(json, NULL, "%s", models[r]);
        for (int c = 0; c < columns; c++) put_accuracy(json, find_cell(tables, part, models[r], sets[c]));
        emit_close(json, ']');
    }
    emit_close(json, ']');
    emit_close(json, '}');
}

/* ---- figures ---- */

static void open_figure(json_out *json, const char *id, const char *type, const char *title, const char *caption,
                        bool half) {
    emit_open(json, NULL, '{');
    emit_text(json, "type", "figure");
    if (half) emit_bool(json, "half", true);
    emit_open(json, "figure", '{');
    emit_text(json, "id", "%s", id);
    emit_text(json, "type", "%s", type);
    emit_text(json, "title", "%s", title);
    emit_text(json, "caption", "%s", caption);
}

static void close_figure(json_out *json) {
    emit_close(json, '}');
    emit_close(json, '}');
}

static void put_axis(json_out *json, const char *axis, const char *label) {
    emit_open(json, axis, '{');
    emit_text(json, "label", "%s", label);
    emit_close(json, '}');
}

static void put_list(json_out *json, const char *key, const double *values, const double *add, double factor,
                     int64_t count) {
    emit_open(json, key, '[');
    for (int64_t i = 0; i < count; i++) emit_real(json, NULL, values[i] + (add ? factor * add[i] : 0));
    emit_close(json, ']');
}

/* Accuracy over phi, one line per model: the paper's first figure of results. */
static void put_phi_figure(json_out *json, const paper *tables, paper_part part) {
    const char *models[64], *sets[64];
    const int rows = names_of(tables, part, true, models), columns = names_of(tables, part, false, sets);
    open_figure(json, part == PART_CSBM_SPARSE ? "csbm-sparse" : "csbm-dense", "lines",
                part == PART_CSBM_SPARSE ? "Accuracy over φ, sparse split" : "Accuracy over φ, dense split",
                "From a graph that links different classes (φ = −1) over features alone (φ = 0) to a graph that links "
                "equal classes (φ = 1). The bars are 95 % confidence intervals over the drawn graphs.",
                false);
    put_axis(json, "x", "φ");
    put_axis(json, "y", "test accuracy, %");
    emit_open(json, "series", '[');
    for (int r = 0; r < rows; r++) {
        double phi[64], mean[64], ci[64];
        int count = 0;
        for (int c = 0; c < columns; c++) {
            const paper_cell *cell = find_cell(tables, part, models[r], sets[c]);
            if (!cell || isnan(cell->mean) || sscanf(sets[c], "csbm:phi=%lf", &phi[count]) != 1) continue;
            mean[count] = cell->mean;
            ci[count++] = cell->ci95;
        }
        if (count == 0) continue;
        emit_open(json, NULL, '{');
        emit_text(json, "name", "%s", models[r]);
        emit_text(json, "style", "line");
        put_list(json, "x", phi, NULL, 0, count);
        put_list(json, "values", mean, NULL, 0, count);
        put_list(json, "lo", mean, ci, -1, count);
        put_list(json, "hi", mean, ci, 1, count);
        emit_close(json, '}');
    }
    emit_close(json, ']');
    close_figure(json);
}

static void put_hops(json_out *json, int64_t count) {
    emit_open(json, "x", '{');
    emit_text(json, "label", "hops k");
    emit_open(json, "categories", '[');
    for (int64_t k = 0; k < count; k++) emit_text(json, NULL, "%lld", (long long)k);
    emit_close(json, ']');
    emit_close(json, '}');
}

static void put_gamma_figure(json_out *json, const paper *tables, const paper_cell *cell, const char *kind) {
    gamma_means means;
    char id[128], title[128], caption[256];
    mean_gamma(&means, tables, cell);
    if (means.count == 0) return;
    const gamma_signs signs = signs_of(&means);
    snprintf(id, sizeof id, "%s-%s", kind, cell->dataset);
    for (char *at = id; *at; at++)
        if (*at == ':' || *at == '=') *at = '-';
    snprintf(title, sizeof title, "γ on %s", cell->dataset);
    snprintf(caption, sizeof caption, "%lld runs. Beyond their intervals, %d weights are positive and %d are negative.",
             (long long)means.runs, signs.positive, signs.negative);
    open_figure(json, id, "bars", title, caption, true);
    put_hops(json, means.count);
    put_axis(json, "y", "weight γₖ");
    emit_open(json, "series", '[');
    emit_open(json, NULL, '{');
    emit_text(json, "name", "mean");
    emit_text(json, "style", "line");
    put_list(json, "values", means.mean, NULL, 0, means.count);
    put_list(json, "lo", means.mean, means.ci95, -1, means.count);
    put_list(json, "hi", means.mean, means.ci95, 1, means.count);
    emit_close(json, '}');
    emit_close(json, ']');
    close_figure(json);
}

static void put_gamma_figures(json_out *json, const paper *tables, paper_part part, const char *model,
                              const char *kind) {
    for (int i = 0; i < tables->cell_count; i++) {
        const paper_cell *cell = &tables->cells[i];
        if (cell->part == part && (!model || strcmp(cell->model, model) == 0))
            put_gamma_figure(json, tables, cell, kind);
    }
}

/* gamma over the epochs, with a slider: the paper's figure of the dynamics. */
static void put_dynamics(json_out *json, const paper *tables, const paper_cell *cell) {
    static gamma_frames frames; /* large */
    char id[128], title[128];
    mean_frames(&frames, tables, cell);
    if (frames.frames < 2) return;
    snprintf(id, sizeof id, "dynamics-%s", cell->dataset);
    for (char *at = id; *at; at++)
        if (*at == ':' || *at == '=') *at = '-';
    snprintf(title, sizeof title, "How γ moves on %s", cell->dataset);
    open_figure(json, id, "bars", title, "Mean over the runs; a run that has ended keeps its last weights.", true);
    put_hops(json, frames.count);
    put_axis(json, "y", "weight γₖ");
    emit_open(json, "series", '[');
    emit_open(json, NULL, '{');
    emit_text(json, "name", "mean");
    emit_text(json, "style", "line");
    put_list(json, "values", frames.mean[frames.frames - 1], NULL, 0, frames.count);
    emit_close(json, '}');
    emit_close(json, ']');
    emit_open(json, "frames", '{');
    emit_text(json, "label", "epoch");
    emit_open(json, "at", '[');
    for (int64_t f = 0; f < frames.frames; f++) emit_integer(json, NULL, (long long)frames.at[f]);
    emit_close(json, ']');
    emit_open(json, "values", '[');
    for (int64_t f = 0; f < frames.frames; f++) put_list(json, NULL, frames.mean[f], NULL, 0, frames.count);
    emit_close(json, ']');
    emit_close(json, '}');
    close_figure(json);
}

/* ---- other tables ---- */

static void put_smoothing(json_out *json, const paper *tables) {
    static const char *const names[] = {
        "dataset", "before training, %", "paper", "after training, %", "paper", "runs that begin with one label, %",
        "paper"};
    emit_open(json, NULL, '{');
    emit_text(json, "type", "table");
    emit_open(json, "columns", '[');
    for (int i = 0; i < 7; i++) put_column(json, names[i], i == 0 ? "text" : "number");
    emit_close(json, ']');
    emit_open(json, "rows", '[');
    for (int i = 0; i < tables->cell_count; i++) {
        const paper_cell *cell = &tables->cells[i];
        if (cell->part != PART_SMOOTHING || isnan(cell->mean)) continue;
        emit_open(json, NULL, '[');
        emit_text(json, NULL, "%s", cell->dataset);
        emit_text(json, NULL, "%.2f", cell->initial_mean);
        emit_text(json, NULL, "%.2f", cell->published_initial);
        if (isnan(cell->ci95)) emit_text(json, NULL, "%.2f", cell->mean);
        else emit_text(json, NULL, "%.2f ± %.2f", cell->mean, cell->ci95);
        emit_text(json, NULL, "%.2f", cell->published);
        if (isnan(cell->smoothed)) emit_text(json, NULL, "%s", ""); /* no run tells it yet */
        else emit_text(json, NULL, "%.0f", cell->smoothed);
        emit_text(json, NULL, "%.0f", cell->published_smoothed);
        emit_close(json, ']');
    }
    emit_close(json, ']');
    emit_close(json, '}');
}

/* A text, empty for NaN. */
static void put_unless_nan(json_out *json, bool short_form, double value) {
    char text[32] = "";
    if (!isnan(value)) snprintf(text, sizeof text, short_form ? "%.3g" : "%.1f", value);
    emit_text(json, NULL, "%s", text);
}

static void put_speeds(json_out *json, const paper *tables) {
    static const char *const names[] = {"dataset",       "model",          "here, ms",     "paper's GPU, ms",
                                        "times as fast", "rival here, ms", "times as fast"};
    emit_open(json, NULL, '{');
    emit_text(json, "type", "table");
    emit_bool(json, "sortable", true);
    emit_open(json, "columns", '[');
    for (int i = 0; i < 7; i++) put_column(json, names[i], i < 2 ? "text" : "number");
    emit_close(json, ']');
    emit_open(json, "rows", '[');
    for (int i = 0; i < tables->speed_count; i++) {
        const paper_speed *speed = &tables->speeds[i];
        if (!speed->measured) continue;
        emit_open(json, NULL, '[');
        emit_text(json, NULL, "%s", speed->dataset);
        emit_text(json, NULL, "%s", speed->model);
        emit_text(json, NULL, "%.3g", speed->ms);
        emit_text(json, NULL, "%.2f", speed->published_ms);
        emit_text(json, NULL, "%.1f", speed->published_ms / speed->ms);
        put_unless_nan(json, true, speed->rival_ms);
        put_unless_nan(json, false, speed->rival_ms / speed->ms);
        emit_close(json, ']');
    }
    emit_close(json, ']');
    emit_close(json, '}');
}

static void put_datasets(json_out *json, const paper *tables) {
    static const char *const names[] = {"dataset", "classes", "features", "nodes", "edges", "homophily", "paper"};
    emit_open(json, NULL, '{');
    emit_text(json, "type", "table");
    emit_open(json, "columns", '[');
    for (int i = 0; i < 7; i++) put_column(json, names[i], i == 0 ? "text" : "number");
    emit_close(json, ']');
    emit_open(json, "rows", '[');
    for (int i = 0; i < tables->dataset_count; i++) {
        const paper_data *data = &tables->datasets[i];
        if (!data->opened) continue;
        emit_open(json, NULL, '[');
        emit_text(json, NULL, "%s", data->name);
        emit_integer(json, NULL, (long long)data->found.classes);
        emit_integer(json, NULL, (long long)data->found.features);
        emit_integer(json, NULL, (long long)data->found.nodes);
        emit_integer(json, NULL, (long long)data->found.edges);
        emit_text(json, NULL, "%.3f", data->found.node_homophily);
        emit_text(json, NULL, "%.3f", data->published.node_homophily);
        emit_close(json, ']');
    }
    emit_close(json, ']');
    emit_close(json, '}');
}

static void put_signs(json_out *json, const paper *tables) {
    static const char *const names[] = {"dataset", "weights above 0", "weights below 0", "runs", "as the paper states"};
    emit_open(json, NULL, '{');
    emit_text(json, "type", "table");
    emit_text(json, "caption",
              "Weights whose 95 %% confidence interval does not contain 0. A filter and its negative are "
              "the same filter: runs are turned to point the same way.");
    emit_open(json, "columns", '[');
    for (int i = 0; i < 5; i++) put_column(json, names[i], i == 0 || i == 4 ? "text" : "number");
    emit_close(json, ']');
    emit_open(json, "rows", '[');
    for (int i = 0; i < tables->cell_count; i++) {
        const paper_cell *cell = &tables->cells[i];
        gamma_means means;
        if (cell->part != PART_FIGURES) continue;
        mean_gamma(&means, tables, cell);
        if (means.count == 0) continue;
        const gamma_signs signs = signs_of(&means);
        emit_open(json, NULL, '[');
        emit_text(json, NULL, "%s", cell->dataset);
        emit_integer(json, NULL, signs.positive);
        emit_integer(json, NULL, signs.negative);
        emit_integer(json, NULL, (long long)means.runs);
        emit_text(json, NULL, "%s", signs_as_stated(cell->dataset, signs));
        emit_close(json, ']');
    }
    emit_close(json, ']');
    emit_close(json, '}');
}

/* ---- the page ---- */

static void put_summary(json_out *json, const paper *tables) {
    int counts[4] = {0, 0, 0, 0}, judged = 0;
    for (int i = 0; i < tables->cell_count; i++) counts[tables->cells[i].verdict]++;
    for (int v = VERDICT_INSIDE; v <= VERDICT_BELOW; v++) judged += counts[v];
    if (judged == 0) return;
    open_section(json, "summary", "Does it hold?",
                 "Every number of the paper's tables, computed anew. A difference is inside if it is not larger than "
                 "the two 95 % confidence intervals together.");
    emit_open(json, NULL, '{');
    emit_text(json, "type", "headline");
    emit_text(json, "label", "inside or above");
    emit_text(json, "value", "%.0f %%", 100.0 * (judged - counts[VERDICT_BELOW]) / judged);
    emit_text(json, "text", "Of %d numbers, %d are inside, %d above and %d below.", judged, counts[VERDICT_INSIDE],
              counts[VERDICT_ABOVE], counts[VERDICT_BELOW]);
    emit_close(json, '}');
    close_section(json);
}

static bool has(const paper *tables, paper_part part) {
    for (int i = 0; i < tables->cell_count; i++)
        if (tables->cells[i].part == part && !isnan(tables->cells[i].mean)) return true;
    return false;
}

static void put_csbm(json_out *json, const paper *tables, paper_part part) {
    if (!has(tables, part)) return;
    open_section(json, part_name(part),
                 part == PART_CSBM_SPARSE ? "Synthetic graphs, sparse split" : "Synthetic graphs, dense split",
                 "The paper has one drawn graph per column; here each number is the mean over several.");
    put_phi_figure(json, tables, part);
    put_matrix(json, tables, part);
    if (part == PART_CSBM_DENSE) put_gamma_figures(json, tables, part, "gprgnn-random", "gamma");
    close_section(json);
}

static void put_table(json_out *json, const paper *tables, paper_part part, const char *title, const char *text) {
    if (!has(tables, part)) return;
    open_section(json, part_name(part), title, text);
    put_matrix(json, tables, part);
    close_section(json);
}

void put_paper_page(FILE *out, const paper *tables) {
    json_out json = {.out = out};
    emit_open(&json, NULL, '{');
    emit_text(&json, "title", "Adaptive Universal Generalized PageRank Graph Neural Network");
    emit_text(&json, "subtitle", "The paper's tables and figures, computed anew");
    emit_text(&json, "version", "%s", gpr_version());
    emit_open(&json, "sections", '[');
    put_summary(&json, tables);
    put_table(&json, tables, PART_REAL, "Real graphs",
              "Homophilic graphs (cora to photo) with a sparse split of 2.5 / 2.5 / 95 %, heterophilic ones (chameleon "
              "to cornell) with a dense split of 60 / 20 / 20 %. Each run has a split of its own.");
    put_csbm(&json, tables, PART_CSBM_SPARSE);
    put_csbm(&json, tables, PART_CSBM_DENSE);
    put_table(&json, tables, PART_HOMOPHILIC, "Homophilic graphs, dense split", "With 60 % of the nodes for training.");
    if (has(tables, PART_SMOOTHING)) {
        open_section(&json, "oversmoothing", "Out of over-smoothing",
                     "Training begins with γ = δ_K: only the last hop counts, and all nodes look alike. It ends with "
                     "other weights.");
        put_smoothing(&json, tables);
        put_gamma_figures(&json, tables, PART_SMOOTHING, NULL, "delta");
        for (int i = 0; i < tables->cell_count; i++)
            if (tables->cells[i].part == PART_SMOOTHING) put_dynamics(&json, tables, &tables->cells[i]);
        close_section(&json);
    }
    if (has(tables, PART_FIGURES)) {
        open_section(&json, "gamma", "What the filters learn",
                     "From random weights, on the dense split. The paper states that all weights are positive on "
                     "homophilic graphs, and at least one is negative on heterophilic ones.");
        put_signs(&json, tables);
        put_gamma_figures(&json, tables, PART_FIGURES, NULL, "gamma");
        close_section(&json);
    }
    if (tables->speed_count > 0 && !tables->show) {
        open_section(&json, "efficiency", "Milliseconds per epoch", "On this machine, beside the paper's GPU.");
        put_speeds(&json, tables);
        close_section(&json);
    }
    if (tables->dataset_count > 0) {
        open_section(&json, "datasets", "Datasets", "Sizes, and how often neighbours share a class.");
        put_datasets(&json, tables);
        close_section(&json);
    }
    open_section(&json, "repeat", "To repeat it", "Runs that are kept are not trained again.");
    emit_open(&json, NULL, '{');
    emit_text(&json, "type", "code");
    emit_text(&json, "text", "gprgnn paper all --runs %lld --out DIR", (long long)tables->runs);
    emit_close(&json, '}');
    close_section(&json);
    emit_close(&json, ']');
    emit_close(&json, '}');
    fputc('\n', out);
}
