/* Gradient times weight of the filters of blocks. A score of a deep network is no sum over hops. But
 *
 *     sum_c Gamma_{t,k,c} dz / dGamma_{t,k,c}
 *
 * is the derivative of the score z by a factor before that hop of that relation in that block: if it counted 1 % more,
 * z would change by 1 % of this. The backward pass leaves dz / dGamma. */
#include "explain/explanation.h"

gpr_status gpri_explain_blocks_new(gpri_explained *out, gpr_explanation *from, const gpr_model *model) {
    const int64_t count = gpr_model_filter_count(model), hops = from->hops + 1;
    gpri_trained filter;
    int term;
    NEED(gpri_calloc(from->ctx, &out->numbers, count * 3 * hops, sizeof *out->numbers, "explanation"));
    NEED(gpri_calloc(from->ctx, &out->filters, count, sizeof *out->filters, "explanation"));
    out->info.filters = count;
    for (int64_t i = 0; i < count; i++) {
        double *gamma = out->numbers + i * 3 * hops;
        NEED(gpri_trained_part(&filter, &term, model, i));
        for (int64_t k = 0; k < hops; k++)
            for (int64_t c = 0; c < filter.columns; c++)
                gamma[k] += gpri_trained_gamma(&filter, term, k, c) / (double)filter.columns;
        out->filters[i] = (gpr_explained_filter){.struct_size = sizeof out->filters[i],
                                                 .relation = from->relations[term],
                                                 .direction = gpri_trained_direction(&filter, term),
                                                 .gamma = gamma,
                                                 .hops = gamma + hops,
                                                 .hops_lead = gamma + 2 * hops,
                                                 .block = filter.block};
    }
    return GPR_OK;
}

/* <Gamma, dGamma> of the hop k of a term; read: (width) memory. */
static double product_of(const gpri_pass *pass, const gpri_trained *filter, const gpri_weight *gamma, gpri_real *read,
                         int term, int64_t k) {
    const gpri_device *device = pass->net->device;
    const int64_t place = term * filter->form.hops + k - 1;
    const int64_t at = filter->form.columns ? place * gamma->width : place;
    double sum = 0;
    device->get(device, read, gamma->gradient + at, filter->columns * (int64_t)sizeof *read);
    for (int64_t c = 0; c < filter->columns; c++) sum += gpri_trained_gamma(filter, term, k, c) * (double)read[c];
    return sum;
}

gpr_status gpri_explain_blocks(gpri_explained *out, const gpri_pass *pass, bool rival) {
    gpr_ctx *ctx = pass->ctx;
    gpri_trained filter;
    gpri_weight *gamma;
    gpri_real *read = NULL;
    int term;
    gpr_status status = GPR_OK;
    for (int64_t i = 0; i < out->info.filters; i++) {
        gpr_explained_filter *found = &out->filters[i];
        TRY(gpri_trained_part(&filter, &term, pass->model, i));
        if (!read) TRY(gpri_alloc(ctx, &read, filter.columns, sizeof *read, "gradient"));
        (void)gpri_hops_of(pass->net, filter.block - 1, &gamma);
        double *hops = out->numbers + (i * 3 + 1) * (filter.form.hops + 1), *lead = hops + filter.form.hops + 1;
        for (int64_t k = 1; k <= filter.form.hops; k++) {
            const double product = product_of(pass, &filter, gamma, read, term, k);
            const double score = rival ? 0 : product, difference = rival ? -product : product;
            hops[k] += score;
            lead[k] += difference;
            found->score += score;
            found->lead += difference;
            out->series[GPRI_EXPLAINED_HOPS][k] += score;
            out->series[GPRI_EXPLAINED_HOPS_LEAD][k] += difference;
        }
    }
done:
    gpri_free(ctx, read);
    return status;
}
