/* A cSBM as a person writes it: csbm:phi=-0.5,n=5000,f=2000,d=5,eps=3.25,seed=1. */
#include <string.h>

#include "base/text.h"
#include "data/dataset.h"
#include "data/generate/csbm.h"

static gpr_status set_whole(const char *key, const char *text, int64_t *out) {
    double real;
    if (gpri_parse_int(text, out)) return GPR_OK;
    if (gpri_parse_real(text, &real) && real > -9e15 && real < 9e15 && real == (double)(int64_t)real) { /* 1e6 */
        *out = (int64_t)real;
        return GPR_OK;
    }
    return gpri_fail(GPR_ERROR_ARGUMENT, "csbm: %s is '%s': it must be a whole number", key, text);
}

static gpr_status set_real(const char *key, const char *text, double *out) {
    if (gpri_parse_real(text, out)) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT, "csbm: %s is '%s': it must be a number", key, text);
}

static gpr_status set_option(gpr_csbm_options *options, const char *key, const char *value, unsigned *seen) {
    static const char *const keys[] = {"phi", "n", "f", "d", "eps", "seed"};
    enum { KEYS = sizeof keys / sizeof *keys };
    int which = 0;
    int64_t seed = 0;
    while (which < KEYS && strcmp(keys[which], key) != 0) which++;
    if (which == KEYS) {
        const char *near = gpr_nearest_word(key, keys, KEYS);
        return gpri_fail(GPR_ERROR_ARGUMENT, "csbm: unknown key '%s': %s%s%sthe keys are phi, n, f, d, eps, seed", key,
                         near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
    }
    if (*seen & 1u << which) return gpri_fail(GPR_ERROR_ARGUMENT, "csbm: %s is given twice", key);
    *seen |= 1u << which;
    switch (which) {
    case 0: return set_real(key, value, &options->phi);
    case 1: return set_whole(key, value, &options->nodes);
    case 2: return set_whole(key, value, &options->features);
    case 3: return set_real(key, value, &options->degree);
    case 4: return set_real(key, value, &options->epsilon);
    default: break;
    }
    NEED(set_whole(key, value, &seed));
    if (seed < 0) return gpri_fail(GPR_ERROR_ARGUMENT, "csbm: seed is %lld: it must be 0 or more", (long long)seed);
    options->seed = (uint64_t)seed;
    return GPR_OK;
}

gpr_status gpri_csbm_from_text(gpr_ctx *ctx, gpr_dataset **out, const char *text) {
    gpr_status status = GPR_OK;
    gpr_csbm_options options;
    char *copy = NULL;
    unsigned seen = 0;
    gpr_csbm_options_init(&options, sizeof options);
    if (*text == ':') {
        TRY(gpri_strdup(ctx, &copy, text + 1));
        for (char *entry = copy, *next; entry; entry = next) {
            next = strchr(entry, ',');
            if (next) *next++ = 0;
            char *equals = strchr(entry, '=');
            if (!equals)
                THROW(GPR_ERROR_ARGUMENT,
                      "csbm: '%s' is not a setting: write csbm:key=value,key=value, such as csbm:phi=-0.5,n=5000",
                      entry);
            *equals = 0;
            TRY(set_option(&options, entry, equals + 1, &seen));
        }
    }
    TRY(gpr_dataset_csbm(ctx, out, &options));
done:
    gpri_free(ctx, copy);
    return status;
}
