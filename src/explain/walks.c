/* What each relation, direction and hop gave to the score of a node.
 *
 * With r_k row i of P_k(S) of a term of the filter,  z_ic = sum_k theta_kc sum_j r_kj h_jc,  over all terms. Summed
 * over j alone this is what each hop gave; summed over k alone, what each node gave: a_jc h_jc with a_jc = sum_k
 * theta_kc r_kj. theta is gamma, but of Bernstein's polynomials, whose sums are made of Chebyshev's. */
#include "explain/explanation.h"
#include "walk/exact.h"

/* The walks of one term. */
typedef struct {
    gpri_explained_walk *walk;
    const gpri_pass *pass;
    gpri_walk_row row;
    int64_t class_of[2]; /* the class and the rival, -1: there is none */
} walking;

/* Row k at one node. */
static void visit(walking *w, int64_t k, int64_t node) {
    gpri_explained_walk *walk = w->walk;
    const double value = w->row.at[node], *h = walk->h + node * w->pass->model->classes;
    if (value == 0) return;
    if (walk->distance[node] < 0 || k < walk->distance[node]) walk->distance[node] = (int32_t)k;
    for (int which = 0; which < 2 && w->class_of[which] >= 0; which++) {
        walk->weight[which][node] += walk->theta[which][k] * value;
        walk->sums[which][k] += value * h[w->class_of[which]];
    }
}

static void go(walking *w, int64_t hops, int64_t node) {
    const int64_t nodes = w->row.steps.graph->nodes;
    gpri_walk_row_begin(&w->row, node);
    for (int64_t k = 0; k <= hops; k++) {
        for (int which = 0; which < 2; which++) w->walk->sums[which][k] = 0;
        if (k > 0) gpri_walk_row_step(&w->row);
        for (int64_t i = 0; w->row.dense && i < nodes; i++) visit(w, k, i);
        for (int64_t i = 0; !w->row.dense && i < w->row.count; i++) visit(w, k, w->row.list[i]);
    }
}

/* Numbers of a filter: 0 gamma, 1 hops, 2 hops_lead. */
static double *numbers_of(const gpri_explained *out, const gpri_explained_walk *walk, int term, int which) {
    return out->numbers + (term * 3 + which) * (walk->filter.form.hops + 1);
}

static void keep(gpri_explained *out, const walking *w, int term) {
    const gpri_explained_walk *walk = w->walk;
    const gpri_trained *filter = &walk->filter;
    const int64_t first = filter->form.bernstein ? 0 : 1; /* P_0 = 1 is no walk over edges */
    double *gamma = numbers_of(out, walk, term, 0), *hops = numbers_of(out, walk, term, 1), *lead = hops;
    gpr_explained_filter *found = &out->filters[term];
    lead = numbers_of(out, walk, term, 2);
    gpri_trained_parts(filter, hops, walk->sums[0], term, filter->columns > 1 ? w->class_of[0] : 0);
    for (int64_t k = 0; k <= filter->form.hops; k++) lead[k] = 0;
    if (w->class_of[1] >= 0)
        gpri_trained_parts(filter, lead, walk->sums[1], term, filter->columns > 1 ? w->class_of[1] : 0);
    for (int64_t k = 0; k <= filter->form.hops; k++) {
        gamma[k] = gpri_trained_gamma(filter, term, k, filter->columns > 1 ? w->class_of[0] : 0);
        lead[k] = hops[k] - lead[k];
        out->series[GPRI_EXPLAINED_HOPS][k] += hops[k];
        out->series[GPRI_EXPLAINED_HOPS_LEAD][k] += lead[k];
        if (k < first) hops[k] = lead[k] = 0;
        found->score += hops[k];
        found->lead += lead[k];
    }
    found->gamma = gamma;
    found->hops = hops;
    found->hops_lead = lead;
}

static gpr_status make_row(walking *w, const gpri_filter_term *term, bool loops, const gpri_basis *basis) {
    gpri_exact steps;
    NEED(gpri_exact_of(w->pass->ctx, &steps, term->forward, term->backward, loops));
    return gpri_walk_row_new(&w->row, &steps, basis);
}

gpr_status gpri_explain_walk(gpri_explained *out, gpr_explanation *from, gpri_explained_walk *walk,
                             const gpri_pass *pass) {
    const int64_t nodes = pass->data->graph.nodes;
    gpri_filter_form *form = &walk->filter.form;
    gpr_status status = GPR_OK;
    walking w = {.walk = walk, .pass = pass, .class_of = {out->info.class_id, out->info.rival}};
    TRY(gpri_calloc(from->ctx, &out->numbers, form->count * 3 * (form->hops + 1), sizeof *out->numbers, "explanation"));
    TRY(gpri_calloc(from->ctx, &out->filters, form->count, sizeof *out->filters, "explanation"));
    out->info.filters = form->count;
    for (int64_t i = 0; i < nodes; i++) walk->distance[i] = -1, walk->weight[0][i] = walk->weight[1][i] = 0;
    TRY(gpri_filter_find(form, pass->model->params, &pass->data->graph, pass->features.sides));
    for (int t = 0; t < form->count; t++) {
        out->filters[t] = (gpr_explained_filter){.struct_size = sizeof out->filters[t],
                                                 .relation = from->relations[t],
                                                 .direction = gpri_trained_direction(&walk->filter, t)};
        for (int which = 0; which < 2 && w.class_of[which] >= 0; which++)
            gpri_trained_theta(&walk->filter, walk->theta[which], t, walk->filter.columns > 1 ? w.class_of[which] : 0);
        TRY(make_row(&w, &form->terms[t], form->loops, &form->basis));
        go(&w, form->hops, out->info.node);
        keep(out, &w, t);
        gpri_walk_row_free(&w.row);
    }
done:
    gpri_walk_row_free(&w.row);
    return status;
}
