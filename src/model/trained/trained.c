/* Reading the filter of a trained model. */
#include "model/trained/trained.h"

#include <string.h>

#include "base/struct.h"

gpr_status gpri_trained_with(gpri_trained *out, const gpr_params *params, const float *gamma, int64_t count) {
    gpr_status status = gpri_filter_form_of(&out->form, params);
    out->basis =
        gpri_params_applies(params, GPRI_PARAM_BASIS) ? gpri_params_text(params, GPRI_PARAM_BASIS) : "monomial";
    out->gamma = gamma;
    out->columns = 1;
    if (status == GPR_OK && out->form.columns) out->columns = count / gpri_form_rows(&out->form);
    return status;
}

gpr_status gpri_trained_of(gpri_trained *out, const gpr_model *model) {
    *out = (gpri_trained){.columns = 1};
    for (int i = 0; i < model->tensor_count; i++) {
        const gpri_tensor *tensor = &model->tensors[i];
        if (strcmp(tensor->name, GPRI_FILTER_WEIGHT) == 0 || strcmp(tensor->name, GPRI_FILTERS_WEIGHT) == 0)
            return gpri_trained_with(out, model->params, tensor->values, tensor->rows * tensor->cols);
    }
    return GPR_OK;
}

double gpri_trained_gamma(const gpri_trained *filter, int term, int64_t k, int64_t column) {
    if (k == 0 && term > 0 && !filter->form.bernstein) return 0;
    return (double)filter->gamma[gpri_form_row(&filter->form, term, k) * filter->columns + column];
}

void gpri_trained_theta(const gpri_trained *filter, double *theta, int term, int64_t column) {
    double gamma[GPRI_MOST_BERNSTEIN + 1];
    double *to = filter->form.bernstein ? gamma : theta;
    for (int64_t k = 0; k <= filter->form.hops; k++) to[k] = gpri_trained_gamma(filter, term, k, column);
    if (filter->form.bernstein) gpri_chebyshev_of_bernstein(theta, gamma, filter->form.hops);
}

void gpri_trained_parts(const gpri_trained *filter, double *parts, const double *sums, int term, int64_t column) {
    const int64_t K = filter->form.hops;
    double turn[(GPRI_MOST_BERNSTEIN + 1) * (GPRI_MOST_BERNSTEIN + 1)];
    if (filter->form.bernstein) gpri_bernstein_in_chebyshev(turn, K);
    for (int64_t k = 0; k <= K; k++) {
        double sum = filter->form.bernstein ? 0 : sums[k];
        for (int64_t j = 0; filter->form.bernstein && j <= K; j++) sum += turn[k * (K + 1) + j] * sums[j];
        parts[k] = gpri_trained_gamma(filter, term, k, column) * sum;
    }
}

const char *gpri_trained_relation(char name[GPRI_RELATION_NAME + 1], const gpr_params *params,
                                  const gpri_trained *filter, int term) {
    name[0] = 0;
    if (!gpri_params_applies(params, GPRI_PARAM_RELATIONS)) return name;
    return gpri_filter_relation(name, params, filter->form.terms[term].relation);
}

const char *gpri_trained_direction(const gpri_trained *filter, int term) {
    const int side = filter->form.terms[term].side;
    return side == 0 ? "undirected" : gpri_side_name(side);
}

bool gpri_trained_is_plain(const gpri_trained *filter, const gpr_params *params) {
    char name[GPRI_RELATION_NAME + 1];
    return filter->form.count > 0 && gpri_form_is_single(&filter->form) && filter->form.loops &&
           !*gpri_trained_relation(name, params, filter, 0);
}

/* ---- the public functions ---- */

int64_t gpr_model_filter_count(const gpr_model *model) {
    gpri_trained filter = {.columns = 1};
    if (!model || gpri_trained_of(&filter, model) != GPR_OK) return 0;
    return filter.form.count;
}

static gpr_status find_filter(gpri_trained *out, const gpr_model *model, int64_t index, const char *call) {
    if (!model) return gpri_fail(GPR_ERROR_ARGUMENT, "%s: model is NULL", call);
    gpr_status status = gpri_trained_of(out, model);
    if (status != GPR_OK || (index >= 0 && index < out->form.count)) return status;
    return gpri_fail(GPR_ERROR_ARGUMENT, "%s: index %lld is not in [0, %d)", call, (long long)index, out->form.count);
}

gpr_status gpr_model_filter(const gpr_model *model, int64_t index, gpr_filter_info *out) {
    gpri_trained filter;
    char name[GPRI_RELATION_NAME + 1];
    gpr_status status = GPRI_STRUCT_CHECK(out, gpr_filter_info, "gpr_model_filter", "out");
    if (status == GPR_OK) status = find_filter(&filter, model, index, "gpr_model_filter");
    if (status != GPR_OK) return gpri_finish(status);
    gpr_filter_info info = {.struct_size = sizeof info,
                            .direction = gpri_trained_direction(&filter, (int)index),
                            .basis = filter.basis,
                            .loops = filter.form.terms[index].side == 0 && filter.form.loops,
                            .hops = filter.form.hops,
                            .columns = filter.columns};
    gpri_trained_relation(name, model->params, &filter, (int)index);
    memcpy(info.relation, name, sizeof name);
    gpri_struct_out(out, &info, sizeof info);
    return gpri_finish(GPR_OK);
}

gpr_status gpr_model_filter_gamma(const gpr_model *model, int64_t index, float *gamma) {
    gpri_trained filter;
    gpr_status status = gamma ? find_filter(&filter, model, index, "gpr_model_filter_gamma")
                              : gpri_fail(GPR_ERROR_ARGUMENT, "gpr_model_filter_gamma: gamma is NULL");
    for (int64_t k = 0; status == GPR_OK && k <= filter.form.hops; k++)
        for (int64_t c = 0; c < filter.columns; c++)
            gamma[k * filter.columns + c] = (float)gpri_trained_gamma(&filter, (int)index, k, c);
    return gpri_finish(status);
}
