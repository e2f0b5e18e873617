/* Reading the filter of a trained model. */
#include "model/trained/trained.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/struct.h"

/* gamma: the numbers in their order; params: those of the training. */
static gpr_status trained_with(gpri_trained *out, const gpr_params *params, const float *gamma, int64_t count) {
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
            return trained_with(out, model->params, tensor->values, tensor->rows * tensor->cols);
    }
    return GPR_OK;
}

/* ---- blocks ---- */

int64_t gpri_trained_blocks(const gpr_model *model) {
    return gpri_model_is(model->params, GPRI_MODEL_BLOCKS) ? gpri_params_int(model->params, GPRI_PARAM_LAYERS) : 0;
}

static const gpri_tensor *find_weight(const gpr_model *model, int64_t block, const char *name) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, "block%d.%s", (int)block, name);
    for (int i = 0; i < model->tensor_count; i++)
        if (strcmp(model->tensors[i].name, wanted) == 0) return &model->tensors[i];
    return NULL;
}

const float *gpri_trained_weight(const gpr_model *model, int64_t block, const char *name) {
    const gpri_tensor *found = find_weight(model, block, name);
    return found ? found->values : NULL;
}

static gpr_status find_block(gpri_trained *out, const gpr_model *model, int64_t block) {
    const gpri_tensor *gamma = find_weight(model, block, "gamma");
    if (!gamma) return gpri_fail(GPR_ERROR_FORMAT, "the model has no weight block%lld.gamma", (long long)block);
    gpr_status status = trained_with(out, model->params, gamma->values, gamma->rows * gamma->cols);
    out->columns = out->form.columns ? gamma->cols : 1;
    out->block = block;
    return status;
}

gpr_status gpri_trained_part(gpri_trained *out, int *term, const gpr_model *model, int64_t index) {
    *term = (int)index;
    if (gpri_trained_blocks(model) == 0) return gpri_trained_of(out, model);
    NEED(find_block(out, model, 1));
    const int64_t count = out->form.count;
    *term = (int)(index % count);
    NEED(find_block(out, model, 1 + index / count));
    return GPR_OK;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void gpri_trained_quartiles(const gpri_trained *filter, double out[3], double *numbers, int term, int64_t k) {
    for (int64_t c = 0; c < filter->columns; c++) numbers[c] = gpri_trained_gamma(filter, term, k, c);
    qsort(numbers, (size_t)filter->columns, sizeof *numbers, compare);
    for (int q = 0; q < 3; q++) {
        const double at = (double)(filter->columns - 1) * (q + 1) / 4;
        const int64_t low = (int64_t)at, high = low + 1 < filter->columns ? low + 1 : low;
        out[q] = numbers[low] + (at - (double)low) * (numbers[high] - numbers[low]);
    }
}

/* ---- numbers ---- */

double gpri_trained_gamma(const gpri_trained *filter, int term, int64_t k, int64_t column) {
    if (filter->block > 0)
        return k == 0 ? 0 : (double)filter->gamma[(term * filter->form.hops + k - 1) * filter->columns + column];
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
    int term = 0;
    if (!model || gpri_trained_part(&filter, &term, model, 0) != GPR_OK) return 0;
    return filter.form.count * (filter.block > 0 ? gpri_trained_blocks(model) : 1);
}

static gpr_status find_filter(gpri_trained *out, int *term, const gpr_model *model, int64_t index, const char *call) {
    if (!model) return gpri_fail(GPR_ERROR_ARGUMENT, "%s: model is NULL", call);
    const int64_t count = gpr_model_filter_count(model);
    NEED(gpri_check_index(call, "index", index, count));
    return gpri_trained_part(out, term, model, index);
}

gpr_status gpr_model_filter(const gpr_model *model, int64_t index, gpr_filter_info *out) {
    gpri_trained filter;
    char name[GPRI_RELATION_NAME + 1];
    int term = 0;
    gpr_status status = GPRI_STRUCT_CHECK(out, gpr_filter_info, "gpr_model_filter", "out");
    if (status == GPR_OK) status = find_filter(&filter, &term, model, index, "gpr_model_filter");
    if (status != GPR_OK) return gpri_finish(status);
    gpr_filter_info info = {.struct_size = sizeof info,
                            .direction = gpri_trained_direction(&filter, term),
                            .basis = filter.basis,
                            .loops = filter.form.terms[term].side == 0 && filter.form.loops,
                            .hops = filter.form.hops,
                            .columns = filter.columns,
                            .block = filter.block};
    gpri_trained_relation(name, model->params, &filter, term);
    memcpy(info.relation, name, sizeof name);
    gpri_struct_out(out, &info, sizeof info);
    return gpri_finish(GPR_OK);
}

gpr_status gpr_model_filter_gamma(const gpr_model *model, int64_t index, float *gamma) {
    gpri_trained filter;
    int term = 0;
    gpr_status status = gamma ? find_filter(&filter, &term, model, index, "gpr_model_filter_gamma")
                              : gpri_fail(GPR_ERROR_ARGUMENT, "gpr_model_filter_gamma: gamma is NULL");
    for (int64_t k = 0; status == GPR_OK && k <= filter.form.hops; k++)
        for (int64_t c = 0; c < filter.columns; c++)
            gamma[k * filter.columns + c] = (float)gpri_trained_gamma(&filter, term, k, c);
    return gpri_finish(status);
}
