/* Parts of an inspection: what each relation and direction of a filter does, and in other bases than the monomials what
 * its polynomials do. A filter in powers of A~ alone is in inspect_scores.c. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "spectral/inspection.h"

gpri_curve gpri_inspection_curve(const gpr_inspection *inspection, double *theta, const double *gamma) {
    const gpri_filter_form *form = &inspection->filter.form;
    if (form->bernstein) gpri_chebyshev_of_bernstein(theta, gamma, form->hops);
    else memcpy(theta, gamma, (size_t)(form->hops + 1) * sizeof *theta);
    return (gpri_curve){&form->basis, theta, form->hops + 1};
}

/* The response of one column; directed ones have none. */
static void fill_response(const gpri_trained *filter, double *response, double *theta, int term, int64_t column) {
    const int64_t columns = filter->columns;
    double lambda[GPRI_INSPECT_POINTS], values[GPRI_INSPECT_POINTS];
    gpri_trained_theta(filter, theta, term, column);
    const gpri_curve g = {&filter->form.basis, theta, filter->form.hops + 1};
    gpri_response_grid(lambda, values, GPRI_INSPECT_POINTS, &g);
    for (int i = 0; i < GPRI_INSPECT_POINTS; i++) response[i * columns + column] = values[i];
}

/* The share of columns whose gamma_1 .. gamma_K have both signs. */
static double mixed_share(const gpri_trained *filter, int term) {
    int64_t mixed = 0;
    for (int64_t c = 0; c < filter->columns; c++) {
        bool above = false, below = false;
        for (int64_t k = 1; k <= filter->form.hops; k++) {
            const double gamma = gpri_trained_gamma(filter, term, k, c);
            above |= gamma > 0;
            below |= gamma < 0;
        }
        mixed += above && below;
    }
    return filter->form.hops < 2 ? NAN : (double)mixed / (double)filter->columns;
}

/* Room for the numbers of a part; the response is NULL where it has none. */
static gpr_status make_room(gpr_ctx *ctx, gpri_inspected_filter *made, const gpri_trained *filter, bool responds) {
    const int64_t hops = filter->form.hops + 1, points = responds ? GPRI_INSPECT_POINTS * filter->columns : 0;
    const int64_t gammas = hops * filter->columns;
    NEED(gpri_calloc(ctx, &made->numbers, gammas + points + 5 * hops, sizeof *made->numbers, "inspection"));
    made->response = responds ? made->numbers + gammas : NULL;
    made->contribution = made->numbers + gammas + points;
    made->quartiles = made->contribution + hops;
    made->weights = made->quartiles + 3 * hops;
    return GPR_OK;
}

/* memory: (K + 1) or (columns) numbers. */
static gpr_status inspect_part(gpr_inspection *out, gpri_inspected_filter *made, const gpr_model *model,
                               const gpri_trained *filter, int term, double *memory) {
    const int64_t hops = filter->form.hops + 1, columns = filter->columns;
    const bool directed = filter->form.terms[term].side != 0;
    NEED(make_room(out->ctx, made, filter, !directed && filter->block == 0));
    double *gamma = made->numbers;
    gpri_trained_relation(made->relation, model->params, filter, term);
    for (int64_t k = 0; k < hops; k++) {
        for (int64_t c = 0; c < columns; c++) gamma[k * columns + c] = gpri_trained_gamma(filter, term, k, c);
        gpri_trained_quartiles(filter, made->quartiles + 3 * k, memory, term, k);
    }
    for (int64_t c = 0; c < columns && made->response; c++) fill_response(filter, made->response, memory, term, c);
    made->info = (gpr_inspected_filter){.struct_size = sizeof made->info,
                                        .relation = made->relation,
                                        .direction = gpri_trained_direction(filter, term),
                                        .basis = out->basis,
                                        .loops = !directed && filter->form.loops,
                                        .hops = filter->form.hops,
                                        .columns = columns,
                                        .gamma = gamma,
                                        .response = made->response,
                                        .part = NAN,
                                        .block = filter->block,
                                        .quartiles = made->quartiles,
                                        .weights = filter->block > 0 ? made->weights : NULL,
                                        .mixed = mixed_share(filter, term)};
    return GPR_OK;
}

gpr_status gpri_inspect_filters(gpr_inspection *out, const gpr_model *model) {
    const int64_t count = gpr_model_filter_count(model);
    double *memory = NULL;
    gpri_trained filter;
    int term;
    gpr_status status = GPR_OK;
    TRY(gpri_calloc(out->ctx, &out->filters, count, sizeof *out->filters, "inspection"));
    out->info.filters = count;
    for (int64_t i = 0; i < count; i++) {
        TRY(gpri_trained_part(&filter, &term, model, i));
        if (i == 0) TRY(gpri_alloc(out->ctx, &memory, filter.form.hops + 1 + filter.columns, sizeof *memory, "gamma"));
        if (i == 0 && !out->basis) TRY(gpri_strdup(out->ctx, &out->basis, filter.basis));
        TRY(inspect_part(out, &out->filters[i], model, &filter, term, memory));
    }
done:
    gpri_free(out->ctx, memory);
    return status;
}

/* ---- what it adds to a graph's scores ---- */

typedef struct {
    const gpri_trained *filter;
    gpri_exact steps;
    int64_t nodes, classes;
    const double *h;
    double *at, *next, *sum; /* (nodes x classes) P_k(S) H; memory for the next; what the relation adds */
    int term;
} following;

static void swap(following *f) {
    double *next = f->next;
    f->next = f->at;
    f->at = next;
}

/* (1 -+ S) / 2 times what is there. */
static void halve(following *f, double sign) {
    gpri_exact_next(&f->steps, f->next, f->at, f->classes, (gpri_recurrence){(gpri_real)(sign / 2), 0.5, 0});
    swap(f);
}

/* From the k-1-st polynomial to the k-th; Bernstein's, which have no recurrence, from H. */
static void follow(following *f, int64_t k) {
    const gpri_filter_form *form = &f->filter->form;
    const int64_t count = f->nodes * f->classes;
    double choose = 1;
    if (k > 0 && !form->bernstein) {
        gpri_exact_next(&f->steps, f->next, f->at, f->classes, gpri_recurrence_of(&form->basis, k - 1));
        swap(f);
        return;
    }
    memcpy(f->at, f->h, (size_t)count * sizeof *f->at);
    if (k == 0) memset(f->next, 0, (size_t)count * sizeof *f->next);
    if (!form->bernstein) return;
    for (int64_t i = 0; i < k; i++) choose = choose * (double)(form->hops - i) / (double)(i + 1);
    for (int64_t i = 0; i < form->hops; i++) halve(f, i < k ? -1 : 1);
    for (int64_t i = 0; i < count; i++) f->at[i] *= choose;
}

/* |gamma_k P_k(S) H|; and it is added to the sum, but what no edge was gone for. */
static double add(following *f, int64_t k) {
    const bool walked = k > 0 || f->filter->form.bernstein;
    double squares = 0;
    for (int64_t i = 0; i < f->nodes; i++)
        for (int64_t c = 0; c < f->classes; c++) {
            const double gamma = gpri_trained_gamma(f->filter, f->term, k, f->filter->columns > 1 ? c : 0);
            const double value = gamma * f->at[i * f->classes + c];
            squares += value * value;
            if (walked) f->sum[i * f->classes + c] += value;
        }
    return sqrt(squares);
}

gpr_status gpri_inspect_parts(gpr_ctx *ctx, gpr_inspection *out, const gpr_model *model, const gpri_graph *graph,
                              const gpri_sides *sides, const double *h) {
    gpri_filter_form *form = &out->filter.form;
    const int64_t count = graph->nodes * model->classes;
    following f = {.filter = &out->filter, .nodes = graph->nodes, .classes = model->classes, .h = h};
    gpr_status status = GPR_OK;
    TRY(gpri_filter_find(form, model->params, graph, sides));
    TRY(gpri_alloc(ctx, &f.at, count, sizeof *f.at, "scores"));
    TRY(gpri_alloc(ctx, &f.next, count, sizeof *f.next, "scores"));
    TRY(gpri_alloc(ctx, &f.sum, count, sizeof *f.sum, "scores"));
    for (f.term = 0; f.term < form->count; f.term++) {
        gpr_inspected_filter *info = &out->filters[f.term].info;
        double *contribution = out->filters[f.term].contribution;
        TRY(gpri_exact_of(ctx, &f.steps, form->terms[f.term].forward, form->terms[f.term].backward, form->loops));
        memset(f.sum, 0, (size_t)count * sizeof *f.sum);
        for (int64_t k = 0; k <= form->hops; k++) {
            follow(&f, k);
            contribution[k] = add(&f, k);
        }
        info->contribution = contribution;
        info->part = sqrt(gpri_sum_of_squares(f.sum, count));
        gpri_exact_free(&f.steps);
    }
done:
    gpri_exact_free(&f.steps);
    gpri_free_all(ctx, f.at, f.next, f.sum);
    return status;
}
