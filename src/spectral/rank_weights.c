/* Weights of the steps of a generalised PageRank:
 *
 *   ppr:A      w_k = A (1 - A)^k                          personalised PageRank; with a last step w_K = (1 - A)^K
 *   heat:T     w_k = e^-T T^k / k!                        heat kernel
 *   ipr:T:M    w_k ~ T^k / (T^k + T^M)^2, sum 1           inverse PageRank: rises up to step M, then falls
 *   numbers, or a file with numbers
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "file/file.h"
#include "spectral/rank.h"

#define LEAST_ALPHA 1e-4 /* below it, and below 1 - this for ipr, a sum has hundreds of thousands of steps */
#define MOST_HEAT 500.0  /* e^-T is still a normal number */
#define MOST_STEPS 1000000
#define MOST_BYTES (1 << 24) /* of a file */

static gpr_status add(gpr_ctx *ctx, gpri_rank_weights *weights, int64_t *capacity, double value) {
    gpr_status status = gpri_grow(ctx, &weights->values, capacity, weights->count + 1, sizeof value, "weights");
    if (status == GPR_OK) weights->values[weights->count++] = value;
    return status;
}

/* Checks the values and adds up their rests. tail: the sum of those that are left out. */
static gpr_status finish(gpr_ctx *ctx, gpri_rank_weights *weights, double tail) {
    NEED(gpri_alloc(ctx, &weights->rest, weights->count + 1, sizeof *weights->rest, "weights"));
    weights->rest[weights->count] = tail;
    for (int64_t k = weights->count - 1; k >= 0; k--)
        weights->rest[k] = weights->rest[k + 1] + fabs(weights->values[k]);
    if (!isfinite(weights->rest[0]))
        return gpri_fail(GPR_ERROR_ARGUMENT, "weights: their sum is not finite: give smaller numbers");
    return GPR_OK;
}

static gpr_status ppr(gpr_ctx *ctx, gpri_rank_weights *weights, double alpha, int64_t last) {
    int64_t capacity = 0;
    double left = 1; /* (1 - alpha)^k */
    if (!(alpha >= LEAST_ALPHA && alpha <= 1))
        return gpri_fail(GPR_ERROR_ARGUMENT, "weights 'ppr:%g': the restart probability must be in [%g, 1]", alpha,
                         LEAST_ALPHA);
    for (int64_t k = 0; last ? k < last : left > GPRI_RANK_REST; k++, left *= 1 - alpha)
        NEED(add(ctx, weights, &capacity, alpha * left));
    if (last) NEED(add(ctx, weights, &capacity, left));
    else weights->alpha = alpha;
    return finish(ctx, weights, last ? 0 : left);
}

static gpr_status heat(gpr_ctx *ctx, gpri_rank_weights *weights, double time, int64_t last) {
    int64_t capacity = 0;
    if (!(time > 0 && time <= MOST_HEAT))
        return gpri_fail(GPR_ERROR_ARGUMENT, "weights 'heat:%g': the time must be in (0, %g]", time, MOST_HEAT);
    double weight = exp(-time), tail = 1;
    for (int64_t k = 0; last ? k <= last : tail > GPRI_RANK_REST; k++) {
        NEED(add(ctx, weights, &capacity, weight));
        weight *= time / (double)(k + 1);
        /* from here on each weight is at most `ratio` times the one before */
        const double ratio = time / (double)(k + 2);
        tail = ratio < 1 ? weight / (1 - ratio) : 1;
    }
    return finish(ctx, weights, last ? 0 : tail);
}

static gpr_status ipr(gpr_ctx *ctx, gpri_rank_weights *weights, double theta, double peak, int64_t last) {
    int64_t capacity = 0;
    double total = 0, tail = 1;
    if (!(theta > 0 && theta <= 1 - LEAST_ALPHA))
        return gpri_fail(GPR_ERROR_ARGUMENT, "weights 'ipr:%g': THETA must be in (0, %g]", theta, 1 - LEAST_ALPHA);
    if (!(peak >= 0 && peak <= 1000))
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "weights 'ipr:%g:%g': the step with the largest weight must be in [0, 1000]", theta, peak);
    for (int64_t k = 0; last ? k <= last : tail > GPRI_RANK_REST * total; k++) {
        /* divided by T^M: with x = T^(k - M) it is x / (1 + x)^2, where nothing overflows; and 1/x gives the same */
        const double x = pow(theta, fabs((double)k - peak)), weight = x / ((1 + x) * (1 + x));
        NEED(add(ctx, weights, &capacity, weight));
        total += weight;
        tail = (double)k < peak ? INFINITY : x * theta / (1 - theta); /* weights after the peak are below x */
    }
    if (!(total > 0)) return gpri_fail(GPR_ERROR_ARGUMENT, "weights 'ipr:%g:%g': all weights are 0", theta, peak);
    for (int64_t k = 0; k < weights->count; k++) weights->values[k] /= total;
    return finish(ctx, weights, last ? 0 : tail / total);
}

/* Numbers with commas or white space between them; text is changed. where: what they are, for messages. */
static gpr_status numbers(gpr_ctx *ctx, gpri_rank_weights *weights, char *text, const char *where) {
    int64_t capacity = 0;
    char *rest;
    for (char *word = strtok_r(text, ", \t\r\n", &rest); word; word = strtok_r(NULL, ", \t\r\n", &rest)) {
        double value;
        if (!gpri_parse_real(word, &value) || !isfinite(value))
            return gpri_fail(GPR_ERROR_FORMAT, "%s: weight %lld is '%s': it must be a finite number", where,
                             (long long)weights->count, word);
        if (weights->count == MOST_STEPS)
            return gpri_fail(GPR_ERROR_FORMAT, "%s has more than %d weights", where, MOST_STEPS);
        NEED(add(ctx, weights, &capacity, value));
    }
    if (weights->count == 0)
        return gpri_fail(GPR_ERROR_FORMAT, "%s has no weights: it must have one number per step, from step 0 on",
                         where);
    return finish(ctx, weights, 0);
}

static gpr_status from_file(gpr_ctx *ctx, gpri_rank_weights *weights, const char *path) {
    gpr_status status = GPR_OK;
    char *text = NULL;
    int64_t size;
    status = gpri_read_whole(ctx, &text, &size, path, MOST_BYTES);
    if (status == GPR_ERROR_NOT_FOUND)
        THROW(GPR_ERROR_NOT_FOUND, "weights '%s': not ppr:ALPHA, heat:T, ipr or numbers, and there is no such file",
              path);
    if (status < 0) goto done;
    if ((int64_t)strlen(text) != size) THROW(GPR_ERROR_FORMAT, "%s: not a text file (it holds a NUL byte)", path);
    TRY(numbers(ctx, weights, text, path));
done:
    gpri_free(ctx, text);
    return status;
}

/* "word" or "word:X" or "word:X:Y": true if the text is one with this word. given: how many numbers it has. */
static bool is_form(const char *text, const char *word, double *x, double *y, int *given) {
    char copy[64];
    const size_t length = strlen(word);
    if (strncmp(text, word, length) != 0 || (text[length] && text[length] != ':')) return false;
    *given = 0;
    if (!text[length]) return true;
    *given = -1; /* not numbers */
    if (strlen(text + length + 1) >= sizeof copy) return true;
    strcpy(copy, text + length + 1);
    char *colon = strchr(copy, ':');
    if (colon) *colon = 0;
    if (!gpri_parse_real(copy, x)) return true;
    if (colon && !gpri_parse_real(colon + 1, y)) return true;
    *given = colon ? 2 : 1;
    return true;
}

static gpr_status parse(gpr_ctx *ctx, gpri_rank_weights *weights, const char *text, int64_t last) {
    gpr_status status = GPR_OK;
    double x = 0, y = 10;
    int given;
    char *copy = NULL;
    if (is_form(text, "ppr", &x, &y, &given)) {
        if (given == 0) x = 0.1;
        if (given == 2 || given < 0) THROW(GPR_ERROR_ARGUMENT, "weights '%s': write ppr:ALPHA, such as ppr:0.1", text);
        return ppr(ctx, weights, x, last);
    }
    if (is_form(text, "heat", &x, &y, &given)) {
        if (given != 1) THROW(GPR_ERROR_ARGUMENT, "weights '%s': write heat:T, such as heat:5", text);
        return heat(ctx, weights, x, last);
    }
    if (is_form(text, "ipr", &x, &y, &given)) {
        if (given == 0) x = 0.9;
        if (given < 0)
            THROW(GPR_ERROR_ARGUMENT, "weights '%s': write ipr, ipr:THETA or ipr:THETA:STEP, such as ipr:0.9:10", text);
        return ipr(ctx, weights, x, y, last);
    }
    if (last)
        THROW(GPR_ERROR_ARGUMENT, "K is only for ppr, heat and ipr: weights '%s' has its own number of steps", text);
    if (!*text) THROW(GPR_ERROR_ARGUMENT, "weights is empty: write ppr:ALPHA, heat:T, ipr, numbers or a file");
    if (strspn(text, "0123456789+-.eE, \t\r\n") < strlen(text)) return from_file(ctx, weights, text);
    TRY(gpri_strdup(ctx, &copy, text));
    TRY(numbers(ctx, weights, copy, "weights"));
done:
    if (status == GPR_ERROR_FORMAT) status = GPR_ERROR_ARGUMENT; /* numbers of the call, not of a file */
    gpri_free(ctx, copy);
    return status;
}

gpr_status gpri_rank_weights_parse(gpr_ctx *ctx, gpri_rank_weights *weights, const char *text, int64_t last) {
    *weights = (gpri_rank_weights){0};
    gpr_status status = GPR_OK;
    if (last < 0 || last > MOST_STEPS)
        status = gpri_fail(GPR_ERROR_ARGUMENT,
                           "K is %lld: the last step must be in [1, %d]; without it the sum is "
                           "infinite",
                           (long long)last, MOST_STEPS);
    else status = parse(ctx, weights, text, last);
    if (status < 0) gpri_rank_weights_free(ctx, weights);
    return status;
}

gpr_status gpri_rank_weights_copy(gpr_ctx *ctx, gpri_rank_weights *weights, const double *values, int64_t count) {
    gpr_status status = GPR_OK;
    int64_t capacity = 0;
    *weights = (gpri_rank_weights){0};
    if (count < 1 || count > MOST_STEPS)
        THROW(GPR_ERROR_ARGUMENT, "%lld weights: there must be from 1 to %d", (long long)count, MOST_STEPS);
    for (int64_t k = 0; k < count; k++) {
        if (!isfinite(values[k])) THROW(GPR_ERROR_ARGUMENT, "weight %lld is not finite", (long long)k);
        TRY(add(ctx, weights, &capacity, values[k]));
    }
    TRY(finish(ctx, weights, 0));
done:
    if (status < 0) gpri_rank_weights_free(ctx, weights);
    return status;
}

void gpri_rank_weights_free(gpr_ctx *ctx, gpri_rank_weights *weights) {
    gpri_free_all(ctx, weights->values, weights->rest);
    *weights = (gpri_rank_weights){0};
}
