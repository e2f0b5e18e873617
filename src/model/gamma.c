/* Initial weights of the graph filter:
 *
 *   ppr      gamma_k = alpha (1 - alpha)^k, gamma_K = (1 - alpha)^K       personalised PageRank
 *   nppr     gamma_k = alpha^k / sum |.|, alpha may be negative
 *   delta:k  1 at k, 0 elsewhere; delta:K: at the last
 *   random   uniform +-sqrt(3 / (K + 1)), then divided by sum |.|
 *   a list of K + 1 numbers, or file:PATH with such a list
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

/* Numbers with commas or blanks between them. `text` is changed. */
static gpr_status list(double *gamma, int64_t K, char *text, const char *where) {
    int64_t count = 0;
    char *rest;
    for (char *word = strtok_r(text, ", \t\r\n", &rest); word; word = strtok_r(NULL, ", \t\r\n", &rest)) {
        double value;
        if (!gpri_parse_real(word, &value) || !isfinite(value))
            return gpri_fail(
                GPR_ERROR_ARGUMENT,
                "%s: '%s' is not known: it must be ppr, nppr, delta:k, random, file:PATH or a list of K+1 numbers",
                where, word);
        if (count <= K) gamma[count] = value;
        count++;
    }
    if (count != K + 1)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s has %lld numbers: K = %lld needs %lld, gamma_0 to gamma_K", where,
                         (long long)count, (long long)K, (long long)(K + 1));
    return GPR_OK;
}

static gpr_status fill(gpr_ctx *ctx, double *gamma, const gpr_params *params, const char *init, uint64_t seed) {
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
        TRY(list(gamma, K, text, init + 5));
    } else {
        TRY(gpri_strdup(ctx, &text, init));
        TRY(list(gamma, K, text, "init"));
    }
done:
    gpri_free(ctx, text);
    return status;
}

gpr_status gpri_gamma_initial(gpr_ctx *ctx, double **out, const gpr_params *params, uint64_t seed) {
    const char *init = gpri_model_filter(params);
    *out = NULL;
    if (!init) return GPR_OK;
    gpr_status status = gpri_alloc(ctx, out, gpri_params_int(params, GPRI_PARAM_K) + 1, sizeof **out, "gamma");
    if (status == GPR_OK) status = fill(ctx, *out, params, init, seed);
    if (status != GPR_OK) {
        gpri_free(ctx, *out);
        *out = NULL;
    }
    return status;
}
