/* Initial weights of the graph filter:
 *
 *   ppr      gamma_k = alpha (1 - alpha)^k, gamma_K = (1 - alpha)^K       personalised PageRank
 *   nppr     gamma_k = alpha^k / sum |.|, alpha may be negative
 *   delta:k  1 at k, 0 elsewhere; delta:K: at the last
 *   random   uniform +-sqrt(3 / (K + 1)), then divided by sum |.|
 *   a list of K + 1 numbers, or file:PATH with such a list
 *
 * A rule says a polynomial in powers of the graph's matrix; in another basis its numbers are those that make the same
 * polynomial. Several relations and directions begin with the mean of their polynomials. The numbers of a list are
 * those before the basis: of each relation and direction, or, as many as the filter has, of all.
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "file/file.h"
#include "model/model.h"

static void divide_by_total(double *gamma, int64_t count) {
    double total = 0;
    for (int64_t k = 0; k < count; k++) total += fabs(gamma[k]);
    for (int64_t k = 0; total > 0 && k < count; k++) gamma[k] /= total;
}

static gpr_status ppr(double *gamma, int64_t K, const gpr_params *params) {
    double alpha = gpri_params_real(params, GPRI_PARAM_ALPHA);
    if (alpha < 0 && !gpri_params_applies(params, GPRI_PARAM_INIT))
        return gpri_fail(GPR_ERROR_ARGUMENT, "alpha is %g: the model %s needs it in [0, 1]", alpha,
                         gpri_params_text(params, GPRI_PARAM_MODEL));
    if (alpha < 0)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "alpha is %g: init 'ppr' needs it in [0, 1]; init 'nppr' takes negative ones", alpha);
    for (int64_t k = 0; k < K; k++) gamma[k] = alpha * pow(1 - alpha, (double)k);
    gamma[K] = pow(1 - alpha, (double)K);
    return GPR_OK;
}

static gpr_status delta(double *gamma, int64_t K, const char *place) {
    int64_t k = K;
    if ((strcmp(place, "K") != 0 && !gpri_parse_int(place, &k)) || k < 0 || k > K)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "init 'delta:%s': the place must be a whole number in [0, K], and K is %lld", place,
                         (long long)K);
    for (int64_t i = 0; i <= K; i++) gamma[i] = i == k;
    return GPR_OK;
}

/* K + 1 numbers, or `all`, with commas or blanks between them. *count: how many. `text` is changed. */
static gpr_status list(double *gamma, int64_t K, int64_t all, int64_t *count, char *text, const char *where) {
    char *rest;
    *count = 0;
    for (char *word = strtok_r(text, ", \t\r\n", &rest); word; word = strtok_r(NULL, ", \t\r\n", &rest)) {
        double value;
        if (!gpri_parse_real(word, &value) || !isfinite(value))
            return gpri_fail(
                GPR_ERROR_ARGUMENT,
                "%s: '%s' is not known: it must be ppr, nppr, delta:k, random, file:PATH or a list of K+1 numbers",
                where, word);
        if (*count <= K || *count < all) gamma[*count] = value;
        ++*count;
    }
    if (*count != K + 1 && *count != all && all != K + 1)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "%s has %lld numbers: K = %lld needs %lld, the same for each relation and direction, or %lld "
                         "for all of them",
                         where, (long long)*count, (long long)K, (long long)(K + 1), (long long)all);
    if (*count != K + 1 && *count != all)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s has %lld numbers: K = %lld needs %lld, gamma_0 to gamma_K", where,
                         (long long)*count, (long long)K, (long long)(K + 1));
    return GPR_OK;
}

/* *listed: the numbers of a list; 0: they are K + 1 by a rule. all: how many the filter has. */
static gpr_status fill(gpr_ctx *ctx, double *gamma, int64_t all, int64_t *listed, const gpr_params *params,
                       const char *init, uint64_t seed) {
    gpr_status status = GPR_OK;
    double alpha = gpri_params_real(params, GPRI_PARAM_ALPHA);
    int64_t K = gpri_params_int(params, GPRI_PARAM_K), size;
    char *text = NULL;
    const gpri_value rule = gpri_value_of(GPRI_PARAM_INIT, init);
    if (rule == GPRI_INIT_PPR) return ppr(gamma, K, params);
    if (strncmp(init, "delta:", 6) == 0) return delta(gamma, K, init + 6);
    if (rule == GPRI_INIT_NPPR) {
        for (int64_t k = 0; k <= K; k++) gamma[k] = pow(alpha, (double)k);
        divide_by_total(gamma, K + 1);
        return GPR_OK;
    }
    if (rule == GPRI_INIT_RANDOM) {
        gpri_random random = gpri_random_of(seed, GPRI_RANDOM_GAMMA, 0, 0);
        double bound = sqrt(3.0 / (double)(K + 1));
        for (int64_t k = 0; k <= K; k++) gamma[k] = (2 * gpri_uniform(random, (uint64_t)k) - 1) * bound;
        divide_by_total(gamma, K + 1);
        return GPR_OK;
    }
    if (strncmp(init, "file:", 5) == 0) {
        TRY(gpri_read_whole(ctx, &text, &size, init + 5, 1 << 24));
        if ((int64_t)strlen(text) != size)
            THROW(GPR_ERROR_FORMAT, "%s: not a text file (it holds a NUL byte)", init + 5);
        TRY(list(gamma, K, all, listed, text, init + 5));
    } else {
        TRY(gpri_strdup(ctx, &text, init));
        TRY(list(gamma, K, all, listed, text, "init"));
    }
done:
    gpri_free(ctx, text);
    return status;
}

/* The polynomial of the rule in the basis, as gamma_0 .. gamma_K of every term. */
static gpr_status into_basis(gpr_ctx *ctx, double *gamma, const gpri_filter_form *form) {
    const int64_t K = form->hops;
    double *powers = NULL;
    if (gpri_basis_is_monomial(&form->basis)) return GPR_OK;
    NEED(gpri_alloc(ctx, &powers, 3 * (K + 1), sizeof *powers, "gamma"));
    memcpy(powers, gamma, (size_t)(K + 1) * sizeof *powers);
    if (!form->bernstein) gpri_basis_from_powers(&form->basis, gamma, powers, K, powers + K + 1);
    for (int64_t k = 0; form->bernstein && k <= K; k++) /* the value at lambda = 2 k / K */
        gamma[k] = gpri_basis_value(&gpri_monomials, powers, K, K == 0 ? 0 : 1 - 2 * (double)k / (double)K);
    gpri_free(ctx, powers);
    return GPR_OK;
}

gpr_status gpri_gamma_initial(gpr_ctx *ctx, double **out, int64_t *count, const gpr_params *params, int64_t classes,
                              uint64_t seed) {
    const char *init = gpri_model_filter(params);
    gpri_filter_form form;
    double *base = NULL;
    int64_t listed = 0;
    gpr_status status = GPR_OK;
    *out = NULL;
    if (count) *count = 0;
    if (!init) return GPR_OK;
    TRY(gpri_filter_form_of(&form, params));
    const int64_t K = form.hops, rows = gpri_form_rows(&form), columns = form.columns ? classes : 1;
    TRY(gpri_alloc(ctx, &base, rows > K + 1 ? rows : K + 1, sizeof *base, "gamma"));
    TRY(fill(ctx, base, rows, &listed, params, init, seed));
    if (listed == 0) TRY(into_basis(ctx, base, &form));
    if (count) *count = rows * columns;
    if (form.count == 1 && columns == 1) {
        *out = base;
        return GPR_OK;
    }
    TRY(gpri_alloc(ctx, out, rows * columns, sizeof **out, "gamma"));
    const bool whole = listed == rows; /* gamma_0 is shared but for Bernstein's polynomials: it is not divided */
    for (int64_t c = 0; c < columns; c++) {
        for (int64_t row = 0; whole && row < rows; row++) (*out)[row * columns + c] = base[row];
        for (int t = 0; !whole && t < form.count; t++)
            for (int64_t k = 0; k <= K; k++)
                (*out)[gpri_form_row(&form, t, k) * columns + c] =
                    listed || (k == 0 && !form.bernstein) ? base[k] : base[k] / form.count;
    }
done:
    gpri_free(ctx, base);
    if (status != GPR_OK) {
        gpri_free(ctx, *out);
        *out = NULL;
    }
    return status;
}
