/* report.html: a filter that has weights for several relations, directions or classes: those of each, and what each
 * does to signals on its graph; and the filters of blocks. They are those of the best run. */
#include <stdio.h>

#include "report/run_page/run_page.h"
#include "spectral/inspection.h"

enum { POINTS = 61, MOST_CLASSES = 8, MOST_HOPS = 8 };

/* One part of the filter in the page. */
typedef struct {
    gpri_run_page *page;
    gpri_trained filter, initial;
    int term;
    char title[96];
} drawing;

static void name_part(drawing *d) {
    char name[GPRI_RELATION_NAME + 1];
    const char *direction = gpri_trained_direction(&d->filter, d->term);
    const bool directed = d->filter.form.terms[d->term].side != 0;
    gpri_trained_relation(name, d->page->result->params, &d->filter, d->term);
    snprintf(d->title, sizeof d->title, "%s%s%s", *name ? name : "all edges", directed ? ", " : "",
             directed ? direction : "");
}

static json_t *begin_figure(drawing *d, const char *what, const char *type, const char *title, const char *caption) {
    char id[48], text[160];
    snprintf(id, sizeof id, "%s-%d", what, d->term + 1);
    snprintf(text, sizeof text, "%s: %s", title, d->title);
    json_t *figure = gpri_document_figure(&d->page->doc, id, type, text, caption);
    gpri_document_half(&d->page->doc);
    return figure;
}

/* A line or bars for a class; of one gamma for all classes the only one. */
static json_t *begin_series(drawing *d, json_t *figure, int64_t column, const char *alone) {
    gpri_document *doc = &d->page->doc;
    json_t *series = gpri_document_series(doc, figure, alone, "line");
    if (d->filter.columns > 1) gpri_document_put(doc, series, "name", gpri_class_label(d->page->data, column));
    return series;
}

static int64_t shown_columns(const drawing *d) {
    return d->filter.columns < MOST_CLASSES ? d->filter.columns : MOST_CLASSES;
}

static void add_weights(drawing *d) {
    gpri_document *doc = &d->page->doc;
    const gpri_trained *filter = &d->filter;
    const int64_t first = d->term > 0 && !filter->form.bernstein; /* gamma_0 is that of all: in the first */
    json_t *figure = begin_figure(d, "filter", "bars", "Weights",
                                  filter->columns > MOST_CLASSES ? "Of the model that was kept; the first classes only."
                                  : filter->columns > 1          ? "Of the model that was kept, for each class."
                                                                 : "Of the model that was kept.");
    gpri_document_axis(doc, figure, "x", filter->form.bernstein ? "polynomial k" : "hops k");
    gpri_document_axis(doc, figure, "y", "weight γₖ");
    json_t *categories = gpri_document_list(doc, json_object_get(figure, "x"), "categories");
    for (int64_t k = first; k <= filter->form.hops; k++)
        gpri_document_add(doc, categories, gpri_json_format("%lld", (long long)k));
    for (int64_t c = 0; c < shown_columns(d); c++) {
        json_t *values = json_object_get(begin_series(d, figure, c, "learned"), "values");
        for (int64_t k = first; k <= filter->form.hops; k++)
            gpri_document_add(doc, values, gpri_json_rounded(gpri_trained_gamma(filter, d->term, k, c), 5));
    }
    if (filter->columns > 1) return;
    json_t *values = json_object_get(gpri_document_series(doc, figure, "before training", "faint"), "values");
    for (int64_t k = first; k <= filter->form.hops; k++)
        gpri_document_add(doc, values, gpri_json_rounded(gpri_trained_gamma(&d->initial, d->term, k, 0), 5));
}

static gpr_status add_response(drawing *d) {
    gpri_document *doc = &d->page->doc;
    const gpri_trained *filter = &d->filter;
    double *theta = NULL;
    if (filter->form.terms[d->term].side != 0) return GPR_OK; /* its eigenvalues are complex */
    NEED(gpri_alloc(d->page->ctx, &theta, filter->form.hops + 1, sizeof *theta, "gamma"));
    json_t *figure = begin_figure(d, "filter-response", "lines", "Response",
                                  "How it scales signals, from λ = −1 (they change sign between neighbours) to λ = 1 "
                                  "(they are equal for neighbours).");
    gpri_document_axis(doc, figure, "x", "eigenvalue λ");
    gpri_document_axis(doc, figure, "y", "g(λ)");
    for (int64_t c = 0; c < shown_columns(d); c++) {
        json_t *series = begin_series(d, figure, c, "g(λ)");
        json_t *x = gpri_document_list(doc, series, "x"), *values = json_object_get(series, "values");
        gpri_trained_theta(filter, theta, d->term, c);
        const gpri_curve g = {&filter->form.basis, theta, filter->form.hops + 1};
        for (int i = 0; i < POINTS; i++) {
            const double lambda = -1 + 2.0 * i / (POINTS - 1);
            gpri_document_add(doc, x, gpri_json_rounded(lambda, 5));
            gpri_document_add(doc, values, gpri_json_rounded(gpri_response(&g, lambda), 5));
        }
    }
    gpri_free(d->page->ctx, theta);
    return GPR_OK;
}

gpr_status gpri_run_page_filters(gpri_run_page *page) {
    drawing d = {.page = page};
    NEED(gpri_trained_of(&d.filter, page->best->model));
    d.initial = d.filter;
    d.initial.gamma = page->best->initial;
    const gpri_filter_form *form = &d.filter.form;
    const bool powers = gpri_basis_is_monomial(&form->basis);
    char text[500];
    snprintf(text, sizeof text,
             "The network classifies each node by its features, then mixes these results over the graph: Z = %s "
             "H, one matrix S for each kind of edges and direction%s%s. The weights γ are learned%s.%s",
             form->bernstein ? "Σₛ Σₖ γₛₖ Pₖ(S)"
             : powers        ? "(γ₀ + Σₛ Σₖ γₛₖ Sᵏ)"
                             : "(γ₀ + Σₛ Σₖ γₛₖ Pₖ(S))",
             powers ? "" : ", Pₖ the polynomials of the basis ", powers ? "" : d.filter.basis,
             d.filter.columns > 1 ? ", for each class its own" : "",
             form->count > 1 && !form->bernstein ? " γ₀, of the nodes themselves, is shown with the first." : "");
    gpri_document_section(&page->doc, "filter", "The graph filter", text);
    for (d.term = 0; d.term < form->count; d.term++) {
        name_part(&d);
        add_weights(&d);
        NEED(add_response(&d));
    }
    return GPR_OK;
}

/* ---- blocks ---- */

/* The weights of a hop in every block: the middle of the columns, and where half of them lie. */
static gpr_status add_hop(drawing *d, json_t *figure, double *numbers, int64_t k) {
    gpri_document *doc = &d->page->doc;
    const gpr_model *model = d->page->best->model;
    char name[32];
    double quartiles[3];
    gpri_trained filter;
    int term = 0;
    snprintf(name, sizeof name, "hop %lld", (long long)k);
    json_t *series = gpri_document_series(doc, figure, name, "line");
    if (d->filter.columns > 1) gpri_document_list(doc, series, "lo"), gpri_document_list(doc, series, "hi");
    for (int64_t block = 0; block < gpri_trained_blocks(model); block++) {
        NEED(gpri_trained_part(&filter, &term, model, block * d->filter.form.count + d->term));
        gpri_trained_quartiles(&filter, quartiles, numbers, term, k);
        gpri_document_add(doc, json_object_get(series, "values"), gpri_json_rounded(quartiles[1], 5));
        if (filter.columns == 1) continue;
        gpri_document_add(doc, json_object_get(series, "lo"), gpri_json_rounded(quartiles[0], 5));
        gpri_document_add(doc, json_object_get(series, "hi"), gpri_json_rounded(quartiles[2], 5));
    }
    return GPR_OK;
}

static gpr_status add_blocks(drawing *d, double *numbers) {
    gpri_document *doc = &d->page->doc;
    const int64_t hops = d->filter.form.hops;
    json_t *figure = begin_figure(
        d, "blocks", "bars", "Weights by block",
        d->filter.columns == 1 ? "Of the best run."
        : hops > MOST_HOPS ? "Of the best run, the first hops only: the middle of the weights of all columns; half of "
                             "them lie within the thin bars."
                           : "Of the best run: the middle of the weights of all columns; half of them lie within "
                             "the thin bars.");
    gpri_document_axis(doc, figure, "x", "block");
    gpri_document_axis(doc, figure, "y", "weight γₖ");
    json_t *categories = gpri_document_list(doc, json_object_get(figure, "x"), "categories");
    for (int64_t block = 1; block <= gpri_trained_blocks(d->page->best->model); block++)
        gpri_document_add(doc, categories, gpri_json_format("%lld", (long long)block));
    for (int64_t k = 1; k <= hops && k <= MOST_HOPS; k++) NEED(add_hop(d, figure, numbers, k));
    return GPR_OK;
}

gpr_status gpri_run_page_blocks(gpri_run_page *page) {
    drawing d = {.page = page};
    const gpr_model *model = page->best->model;
    double *numbers = NULL;
    char text[600];
    gpr_status status = GPR_OK;
    TRY(gpri_trained_part(&d.filter, &d.term, model, 0));
    TRY(gpri_alloc(page->ctx, &numbers, d.filter.columns, sizeof *numbers, "gamma"));
    const int count = d.filter.form.count;
    if (d.filter.form.hops == 0) goto done; /* no block looks over the graph */
    const bool powers = gpri_basis_is_monomial(&d.filter.form.basis);
    snprintf(
        text, sizeof text,
        "Each of the %lld blocks looks over the graph through a filter of its own: it takes p = Σₖ γₖ %s h over the "
        "hops k ≥ 1%s, beside what a node has of itself%s%s. The weights γ are learned%s. The layers together are no "
        "polynomial of the graph's matrix, so there is no response g(λ).",
        (long long)gpri_trained_blocks(model), powers ? "Sᵏ" : "Pₖ(S)",
        count > 1 ? ", one p for each kind of edges and direction" : "",
        powers ? "" : "; Pₖ are the polynomials of the basis ", powers ? "" : d.filter.basis,
        d.filter.columns > 1 ? ", one for each column" : "");
    gpri_document_section(&page->doc, "filter", "The graph filters of the blocks", text);
    for (d.term = 0; d.term < count; d.term++) {
        name_part(&d);
        TRY(add_blocks(&d, numbers));
    }
done:
    gpri_free(page->ctx, numbers);
    return status;
}
