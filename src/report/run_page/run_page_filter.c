/* report.html: the weights gamma of the graph filter, and what it does to signals on the graph. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/run_page/run_page.h"
#include "spectral/density.h"
#include "spectral/inspection.h"

enum { RESPONSE_POINTS = 61, MOST_LINES = 20, MOST_FRAMES = 101, MOST_NUMBERS = 20000, SPECTRUM_BINS = 50 };

/* The weights of all runs, turned to the sign of the best run's. */
typedef struct {
    double *gammas; /* (runs x count) NaN: a run without */
    double *thetas; /* the same before the polynomials of the basis: where it is bernstein, others */
    gpri_trained filter;
    int64_t runs, count;
    const double *best; /* (count) */
    int64_t turned;
} all_runs;

typedef struct {
    const all_runs *runs;
    int64_t k;     /* of gamma_of */
    double lambda; /* of response_of */
} across_runs;

static bool has_gamma(const gpri_run *run, int64_t count) { return run->gamma && run->info.gamma_count == count; }

static double gamma_of(const void *arg, int64_t run) {
    const across_runs *at = arg;
    return at->runs->gammas[run * at->runs->count + at->k];
}

static gpri_curve curve_of(const all_runs *runs, int64_t run) {
    return (gpri_curve){&runs->filter.form.basis, runs->thetas + run * runs->count, runs->count};
}

static double response_of(const void *arg, int64_t run) {
    const across_runs *at = arg;
    const gpri_curve g = curve_of(at->runs, run);
    return gpri_response(&g, at->lambda);
}

static gpr_status gather(gpri_run_page *page, all_runs *out) {
    const gpr_result *result = page->result;
    const int64_t count = page->best->info.gamma_count;
    *out = (all_runs){.runs = result->count, .count = count};
    NEED(gpri_alloc(page->ctx, &out->gammas, result->count * count, sizeof *out->gammas, "gamma"));
    for (int64_t r = 0; r < result->count; r++)
        for (int64_t k = 0; k < count; k++)
            out->gammas[r * count + k] = has_gamma(&result->runs[r], count) ? (double)result->runs[r].gamma[k] : NAN;
    out->best = out->gammas + result->best * count; /* its product with itself is not negative: it stays */
    out->turned = gpri_filters_turn(out->gammas, out->runs, count, out->best);
    NEED(gpri_trained_of(&out->filter, page->best->model));
    NEED(gpri_copy(page->ctx, &out->thetas, out->gammas, result->count * count, sizeof *out->thetas, "gamma"));
    for (int64_t r = 0; r < result->count && out->filter.form.bernstein; r++)
        gpri_chebyshev_of_bernstein(out->thetas + r * count, out->gammas + r * count, count - 1);
    return GPR_OK;
}

static bool powers(const all_runs *runs) { return gpri_basis_is_monomial(&runs->filter.form.basis); }

static void add_interval(gpri_document *doc, json_t *series, gpri_mean mean) {
    gpri_document_add(doc, json_object_get(series, "lo"), gpri_json_rounded(mean.mean - mean.ci95, 5));
    gpri_document_add(doc, json_object_get(series, "hi"), gpri_json_rounded(mean.mean + mean.ci95, 5));
}

static void add_hops(gpri_document *doc, json_t *figure, int64_t count) {
    json_t *categories = gpri_document_list(doc, json_object_get(figure, "x"), "categories");
    for (int64_t k = 0; k < count; k++) gpri_document_add(doc, categories, gpri_json_format("%lld", (long long)k));
}

/* A caption, and how many runs were turned if some were. */
static void caption_runs(gpri_document *doc, json_t *figure, const char *caption, const all_runs *runs) {
    if (runs->turned > 0)
        gpri_document_put(doc, figure, "caption",
                          gpri_json_format("%s %lld of the %lld runs are shown with the other sign, to agree with the "
                                           "best run: γ and −γ are the same filter.",
                                           caption, (long long)runs->turned, (long long)runs->runs));
}

static void add_bars(gpri_run_page *page, bool learned, const all_runs *runs) {
    gpri_document *doc = &page->doc;
    const int64_t count = runs->count;
    const bool several = runs->runs > 1 && learned;
    const char *means = "Mean over the runs; the thin bars are 95 % confidence intervals of the mean (Student's t).";
    json_t *figure = gpri_document_figure(
        doc, "gamma", "bars", "Weights of the filter",
        several ? means
                : "How much the network takes from the nodes themselves (k = 0), from their neighbours (k = 1), from "
                  "neighbours of neighbours (k = 2), and so on.");
    if (several) caption_runs(doc, figure, means, runs);
    if (learned) gpri_document_half(doc);
    gpri_document_axis(doc, figure, "x", "hops k");
    gpri_document_axis(doc, figure, "y", "weight γₖ");
    add_hops(doc, figure, count);
    json_t *series = gpri_document_series(doc, figure, learned ? "learned" : "fixed", "line");
    if (several) gpri_document_list(doc, series, "lo"), gpri_document_list(doc, series, "hi");
    for (int64_t k = 0; k < count; k++) {
        const gpri_mean mean = gpri_mean_by(gamma_of, &(across_runs){.runs = runs, .k = k}, runs->runs);
        gpri_document_add(doc, json_object_get(series, "values"),
                          gpri_json_rounded(several ? mean.mean : runs->best[k], 5));
        if (several) add_interval(doc, series, mean);
    }
    if (!learned || !page->best->gamma_initial) return;
    const bool drawn = several && gpri_params_is(page->result->params, GPRI_INIT_RANDOM);
    series = gpri_document_series(doc, figure, drawn ? "best run before training" : "before training", "faint");
    for (int64_t k = 0; k < count; k++)
        gpri_document_add(doc, json_object_get(series, "values"),
                          gpri_json_rounded((double)page->best->gamma_initial[k], 5));
}

static void add_response(gpri_run_page *page, bool learned, const all_runs *runs) {
    gpri_document *doc = &page->doc;
    const bool several = runs->runs > 1 && learned;
    char means[320];
    snprintf(means, sizeof means,
             "g(λ) = Σ γₖ %s: how the filter scales signals, from λ = −1 (they change sign between "
             "neighbours) to λ = 1 (they are equal for neighbours).%s",
             powers(runs) ? "λᵏ" : "Pₖ(λ)",
             several ? " Dashed, with a band: mean and 95 % confidence interval over the runs." : "");
    json_t *figure = gpri_document_figure(doc, "response", "lines", "Response of the filter", means);
    if (several) caption_runs(doc, figure, means, runs);
    gpri_document_half(doc);
    gpri_document_axis(doc, figure, "x", "eigenvalue λ");
    gpri_document_axis(doc, figure, "y", "g(λ)");
    json_t *best = gpri_document_series(doc, figure, several ? "best run" : "g(λ)", "line");
    json_t *mean_line = several ? gpri_document_series(doc, figure, "mean of the runs", "dashed") : NULL;
    json_t *x = gpri_document_list(doc, best, "x"), *mean_x = NULL;
    if (several) {
        mean_x = gpri_document_list(doc, mean_line, "x");
        gpri_document_list(doc, mean_line, "lo"), gpri_document_list(doc, mean_line, "hi");
        gpri_document_put(doc, mean_line, "errors", json_string("band"));
    }
    for (int i = 0; i < RESPONSE_POINTS; i++) {
        const across_runs at = {.runs = runs, .lambda = -1 + 2.0 * i / (RESPONSE_POINTS - 1)};
        gpri_document_add(doc, x, gpri_json_rounded(at.lambda, 5));
        gpri_document_add(doc, json_object_get(best, "values"),
                          gpri_json_rounded(response_of(&at, page->result->best), 5));
        if (!several) continue;
        const gpri_mean mean = gpri_mean_by(response_of, &at, runs->runs);
        gpri_document_add(doc, mean_x, gpri_json_rounded(at.lambda, 5));
        gpri_document_add(doc, json_object_get(mean_line, "values"), gpri_json_rounded(mean.mean, 5));
        add_interval(doc, mean_line, mean);
    }
}

/* Where the eigenvalues of the graph lie: there the response matters. The estimate reads the edges some hundred times,
   which takes up to two seconds for MOST_ARCS; larger graphs go without, and those with few eigenvalues. */
static gpr_status add_spectrum(gpri_run_page *page) {
    gpri_document *doc = &page->doc;
    gpri_graph graph = page->data->graph; /* borrows */
    double density[SPECTRUM_BINS];
    if (graph.nodes < SPECTRUM_BINS || graph.nodes + graph.arcs > GPRI_SPECTRUM_MOST) return GPR_OK;
    if (page->gathered && page->gathered->column) {
        graph.column = page->gathered->column;
        graph.weight = page->gathered->weight;
    }
    NEED(gpri_density_estimate(page->ctx, &graph, density, SPECTRUM_BINS));
    json_t *figure = gpri_document_figure(doc, "spectrum", "lines", "Spectrum of the graph",
                                          "How the eigenvalues λ of the normalised adjacency matrix are distributed "
                                          "(an estimate): the response matters where there are many.");
    gpri_document_half(doc);
    gpri_document_axis(doc, figure, "x", "eigenvalue λ");
    gpri_document_axis(doc, figure, "y", "eigenvalues in %");
    gpri_document_put(doc, json_object_get(figure, "x"), "min", json_integer(-1));
    gpri_document_put(doc, json_object_get(figure, "x"), "max", json_integer(1));
    gpri_document_put(doc, json_object_get(figure, "y"), "min", json_integer(0));
    json_t *series = gpri_document_series(doc, figure, "eigenvalues", "line");
    json_t *x = gpri_document_list(doc, series, "x"), *values = json_object_get(series, "values");
    gpri_document_put(doc, series, "errors", json_string("area"));
    for (int i = 0; i < SPECTRUM_BINS; i++) {
        gpri_document_add(doc, x, gpri_json_rounded(-1 + (2 * i + 1.0) / SPECTRUM_BINS, 4));
        gpri_document_add(doc, values, gpri_json_rounded(100 * density[i], 4));
    }
    return GPR_OK;
}

/* ---- gamma over the epochs, of the best run ---- */

typedef struct {
    const float *values; /* (rows x count) after 0, stride, 2 stride, ... steps */
    int64_t rows, count, stride;
    int64_t shown; /* rows in the page: the first, the last, and some between them */
} gamma_rows;

static int64_t shown_row(const gamma_rows *history, int64_t i) {
    return i * (history->rows - 1) / (history->shown - 1);
}

/* The frame that shows the weights that were kept: the one nearest to their epoch. */
static int64_t kept_frame(const gpri_run_page *page, const gamma_rows *rows) {
    int64_t nearest = 0, least = INT64_MAX;
    for (int64_t i = 0; i < rows->shown; i++) {
        const int64_t apart = llabs(shown_row(rows, i) * rows->stride - page->best->info.best_epoch);
        if (apart < least) nearest = i;
        if (apart < least) least = apart;
    }
    return nearest;
}

/* Bars, and a slider for the epoch. */
static void add_frames(gpri_run_page *page, const gamma_rows *rows) {
    gpri_document *doc = &page->doc;
    json_t *figure =
        gpri_document_figure(doc, "gamma-history", "bars", "Weights at each epoch",
                             "The run whose model was kept. Here are the weights that were kept; the slider "
                             "goes from the initial ones to those of the last epoch.");
    gpri_document_half(doc);
    gpri_document_axis(doc, figure, "x", "hops k");
    gpri_document_axis(doc, figure, "y", "weight γₖ");
    add_hops(doc, figure, rows->count);
    json_t *shown = json_object_get(gpri_document_series(doc, figure, "weights", "line"), "values");
    for (int64_t k = 0; k < rows->count; k++)
        gpri_document_add(doc, shown, gpri_json_rounded((double)page->best->gamma[k], 4));
    gpri_document_put(doc, figure, "frames", json_object());
    json_t *frames = json_object_get(figure, "frames");
    gpri_document_put(doc, frames, "label", json_string("epoch"));
    const int64_t kept = kept_frame(page, rows);
    gpri_document_put(doc, frames, "start", json_integer((json_int_t)kept));
    json_t *epochs = gpri_document_list(doc, frames, "at"), *values = gpri_document_list(doc, frames, "values");
    for (int64_t i = 0; i < rows->shown; i++) {
        const float *gamma = i == kept ? page->best->gamma : rows->values + shown_row(rows, i) * rows->count;
        const int64_t epoch = i == kept ? page->best->info.best_epoch : shown_row(rows, i) * rows->stride;
        gpri_document_add(doc, epochs, json_integer((json_int_t)epoch));
        gpri_document_add(doc, values, json_array());
        json_t *bars = json_array_get(values, (size_t)i);
        for (int64_t k = 0; k < rows->count; k++) gpri_document_add(doc, bars, gpri_json_rounded((double)gamma[k], 4));
    }
}

static void add_dynamics(gpri_run_page *page, const gamma_rows *rows) {
    gpri_document *doc = &page->doc;
    json_t *figure =
        gpri_document_figure(doc, "gamma-dynamics", "lines", "Weights over the epochs",
                             rows->count > MOST_LINES ? "One line per hop; only the first ones are drawn."
                                                      : "One line per hop, of the run whose model was kept.");
    gpri_document_axis(doc, figure, "x", "epoch");
    gpri_document_axis(doc, figure, "y", "weight γₖ");
    for (int64_t k = 0; k < rows->count && k < MOST_LINES; k++) {
        char name[32];
        snprintf(name, sizeof name, "k = %lld", (long long)k);
        json_t *series = gpri_document_series(doc, figure, name, "line");
        json_t *x = gpri_document_list(doc, series, "x");
        for (int64_t i = 0; i < rows->shown; i++) {
            const int64_t row = shown_row(rows, i);
            gpri_document_add(doc, x, json_integer((json_int_t)(row * rows->stride)));
            gpri_document_add(doc, json_object_get(series, "values"),
                              gpri_json_rounded((double)rows->values[row * rows->count + k], 4));
        }
    }
    json_t *mark = gpri_document_object(doc, gpri_document_list(doc, figure, "marks"));
    gpri_document_put(doc, mark, "x", json_integer((json_int_t)page->best->info.best_epoch));
    gpri_document_put(doc, mark, "label", gpri_json_format("best epoch: %lld", (long long)page->best->info.best_epoch));
}

static gpr_status add_history(gpri_run_page *page) {
    gamma_rows history = {.values = NULL};
    NEED(gpr_result_gamma_history(page->result, page->result->best, &history.values, &history.rows, &history.count,
                                  &history.stride));
    if (!history.values || history.rows < 2) return GPR_OK; /* the filter is not learned */
    history.shown = MOST_NUMBERS / history.count < MOST_FRAMES ? MOST_NUMBERS / history.count : MOST_FRAMES;
    if (history.shown > history.rows) history.shown = history.rows;
    if (history.shown < 2) history.shown = 2;
    add_frames(page, &history);
    add_dynamics(page, &history);
    return GPR_OK;
}

/* The signs in words; NULL if the graph is not used. Weights below 1 % of the largest do not count. */
static const char *signs_of(const double *gamma, int64_t count) {
    double largest = 0;
    bool plain[2] = {false}, flipped[2] = {false}; /* signs of gamma_k, and of (-1)^k gamma_k */
    int64_t last = 0;
    for (int64_t k = 0; k < count; k++) largest = fmax(largest, fabs(gamma[k]));
    for (int64_t k = 0; k < count; k++) {
        if (fabs(gamma[k]) < 0.01 * largest || largest == 0) continue;
        const bool positive = gamma[k] > 0;
        plain[positive] = flipped[positive == (k % 2 == 0)] = true;
        last = k;
    }
    if (last == 0) return NULL;
    return !(plain[0] && plain[1])       ? "All weights have one sign."
           : !(flipped[0] && flipped[1]) ? "The weights alternate in sign."
                                         : "The weights have mixed signs.";
}

/* What the filter is. The signs do not tell its kind: the response does, by the definition that gpr_inspection has. */
static json_t *interpretation(const all_runs *runs, int64_t best) {
    double damped;
    const gpri_curve g = curve_of(runs, best);
    const char *signs = powers(runs) ? signs_of(runs->best, runs->count) : "";
    if (!signs) return json_string("All weights but the first are near 0: the graph is not used.");
    switch (gpri_filter_kind_between(&g, -1, 1, &damped)) {
    case GPR_FILTER_LOW_PASS:
        return gpri_json_format("%s A low-pass filter: |g(λ)| < |g(1)| for all λ in (−1, 1). It smooths over "
                                "neighbours, which suits graphs whose neighbours mostly share a class.",
                                signs);
    case GPR_FILTER_HIGH_PASS:
        return gpri_json_format("%s A high-pass filter: |g(λ)| > |g(1)| for all λ in (−1, 1). It sharpens differences "
                                "between neighbours, which suits graphs whose neighbours mostly have different "
                                "classes.",
                                signs);
    default:
        return gpri_json_format(
            "%s Judged on the whole interval (−1, 1), the filter is neither low-pass nor "
            "high-pass: |g(λ)| < |g(1)| for %.1f %% of it. The command gprgnn inspect judges it on the "
            "eigenvalues of the graph.",
            signs, 100 * damped);
    }
}

gpr_status gpri_run_page_filter(gpri_run_page *page) {
    gpr_status status = GPR_OK;
    const gpri_run *best = page->best;
    all_runs runs = {.gammas = NULL};
    if (best && best->initial) return gpri_run_page_filters(page);
    if (best && best->model && gpri_trained_blocks(best->model) > 0) return gpri_run_page_blocks(page);
    if (!best || !has_gamma(best, best->info.gamma_count) || best->info.gamma_count < 1) return GPR_OK;
    const bool learned = gpri_params_applies(page->result->params, GPRI_PARAM_INIT);
    TRY(gather(page, &runs));
    char text[400];
    snprintf(text, sizeof text, "%s: Z = Σ γₖ %s H%s%s.%s",
             learned ? "The network classifies each node by its features, then mixes these results over the graph"
                     : "The network mixes over the graph with fixed weights",
             powers(&runs) ? "Ãᵏ" : "Pₖ(Ã)", powers(&runs) ? "" : ", Pₖ the polynomials of the basis ",
             powers(&runs) ? "" : runs.filter.basis, learned ? " The weights γₖ are learned." : "");
    gpri_document_section(&page->doc, "filter", "The graph filter", text);
    json_t *said = gpri_document_block(&page->doc, "text");
    gpri_document_put(&page->doc, said, "text", interpretation(&runs, page->result->best));
    add_bars(page, learned, &runs);
    TRY(add_history(page));
    add_response(page, learned, &runs);
    if (gpri_trained_is_plain(&runs.filter, page->result->params)) TRY(add_spectrum(page));
done:
    gpri_free_all(page->ctx, runs.gammas, runs.thetas);
    return status;
}
