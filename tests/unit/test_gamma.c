/* model/gamma.c: the initial filter weights, by the formulas of the paper and of the authors' program, and the message
 * for every wrong value. */
#include <math.h>
#include <unistd.h>

#include "training.h"

enum { MOST = 1001 };

/* Into gamma (K + 1). */
static gpr_status initial(gpr_ctx *ctx, double *gamma, const char *K, const char *init, const char *alpha,
                          uint64_t seed) {
    double *made;
    gpr_params *params = new_params(ctx, OPTIONS("K", K, "init", init, "alpha", alpha));
    gpr_status status = gpri_gamma_initial(ctx, &made, NULL, params, 1, seed);
    assert_int_equal(status == GPR_OK, made != NULL);
    if (made) memcpy(gamma, made, (size_t)(gpri_params_int(params, GPRI_PARAM_K) + 1) * sizeof *gamma);
    gpri_free(ctx, made);
    gpr_params_free(params);
    return status;
}

static void expect(const char *what, const double *got, const double *want, int64_t count) {
    for (int64_t k = 0; k < count; k++)
        if (!(fabs(got[k] - want[k]) <= 1e-15 + 1e-13 * fabs(want[k])))
            fail_msg("%s: gamma_%d is %.17g, not %.17g", what, (int)k, got[k], want[k]);
}

/* gamma_k = alpha (1 - alpha)^k, gamma_K = (1 - alpha)^K; they add up to 1. */
static void ppr(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    static const char *const alphas[] = {"0", "0.1", "0.2", "0.5", "0.9", "1"}, *const hops[] = {"0", "1", "2", "10",
                                                                                                 "1000"};
    double gamma[MOST], want[MOST];
    for (int a = 0; a < 6; a++)
        for (int h = 0; h < 5; h++) {
            double alpha = strtod(alphas[a], NULL), left = 1, sum = 0;
            int64_t K = strtol(hops[h], NULL, 10);
            for (int64_t k = 0; k < K; k++) {
                want[k] = alpha * left;
                left *= 1 - alpha;
            }
            want[K] = left;
            assert_ok(initial(ctx, gamma, hops[h], "ppr", alphas[a], 1));
            for (int64_t k = 0; k <= K; k++) sum += gamma[k];
            expect("ppr", gamma, want, K + 1);
            assert_true(fabs(sum - 1) < 1e-12);
        }
    /* the preset's ends: PPR 1.0 is delta_0, PPR 0.0 is delta_K */
    assert_ok(initial(ctx, gamma, "10", "ppr", "1", 1));
    assert_ok(initial(ctx, want, "10", "delta:0", "0.1", 1));
    expect("ppr 1", gamma, want, 11);
    assert_ok(initial(ctx, gamma, "10", "ppr", "0", 1));
    assert_ok(initial(ctx, want, "10", "delta:10", "0.1", 1));
    expect("ppr 0", gamma, want, 11);
    assert_ok(initial(ctx, want, "10", "delta:K", "0.1", 1));
    expect("ppr 0", gamma, want, 11);
    assert_fails(initial(ctx, gamma, "10", "ppr", "-0.1", 1), GPR_ERROR_ARGUMENT, "init 'ppr' needs it in [0, 1]");
    gpr_ctx_free(ctx);
}

/* gamma_k = alpha^k / sum |.|, alpha may be negative. */
static void nppr(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    static const char *const alphas[] = {"-1", "-0.5", "0", "0.3", "0.9", "1"};
    double gamma[MOST], want[MOST];
    for (int a = 0; a < 6; a++) {
        double alpha = strtod(alphas[a], NULL), power = 1, total = 0;
        for (int64_t k = 0; k <= 10; k++) {
            want[k] = power;
            total += fabs(power);
            power *= alpha;
        }
        for (int64_t k = 0; k <= 10; k++) want[k] /= total;
        assert_ok(initial(ctx, gamma, "10", "nppr", alphas[a], 1));
        expect(alphas[a], gamma, want, 11);
    }
    assert_ok(initial(ctx, gamma, "0", "nppr", "-0.5", 1));
    assert_true(gamma[0] == 1);
    gpr_ctx_free(ctx);
}

static void delta(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    double gamma[MOST];
    for (int place = 0; place <= 10; place++) {
        char init[32];
        snprintf(init, sizeof init, "delta:%d", place);
        assert_ok(initial(ctx, gamma, "10", init, "0.1", 1));
        for (int k = 0; k <= 10; k++) assert_true(gamma[k] == (k == place));
    }
    static const char *const wrong[] = {
        "delta:11", "delta:-1", "delta:", "delta:x", "delta:1.5", "delta:3 4", "delta:99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(initial(ctx, gamma, "10", wrong[i], "0.1", 1), GPR_ERROR_ARGUMENT, "[0, K], and K is 10");
    gpr_ctx_free(ctx);
}

/* Uniform in +-b, then divided by the sum of |.| (so that b does not show): different for each seed, of both signs,
   and distributed as uniform numbers: for large K gamma_k (K + 1) / 2 is uniform in +-1, with mean 0 and mean square
   1/3. */
static void random_weights(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    double gamma[MOST], again[MOST], sum = 0, squares = 0, largest = 0;
    enum { SEEDS = 50, K = 400 };
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        double total = 0;
        assert_ok(initial(ctx, gamma, "400", "random", "0.1", seed));
        assert_ok(initial(ctx, again, "400", "random", "0.9", seed));
        assert_memory_equal(gamma, again, (K + 1) * sizeof *gamma);
        assert_ok(initial(ctx, again, "400", "random", "0.1", seed + 1));
        assert_memory_not_equal(gamma, again, (K + 1) * sizeof *gamma);
        for (int k = 0; k <= K; k++) {
            double u = gamma[k] * (K + 1) / 2;
            total += fabs(gamma[k]);
            sum += u;
            squares += u * u;
            largest = fmax(largest, fabs(u));
        }
        assert_true(fabs(total - 1) < 1e-12);
    }
    /* 20050 draws: the mean's deviation is .004, the mean square's .002 */
    if (!(fabs(sum / (SEEDS * (K + 1))) < 0.02) || !(fabs(squares / (SEEDS * (K + 1)) - 1.0 / 3) < 0.012) ||
        !(largest < 1.15))
        fail_msg("mean %g, mean square %g, largest %g", sum / (SEEDS * (K + 1)), squares / (SEEDS * (K + 1)), largest);
    assert_ok(initial(ctx, gamma, "0", "random", "0.1", 3));
    assert_true(fabs(gamma[0]) == 1);
    gpr_ctx_free(ctx);
}

static void given(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const double want[] = {1, -0.5, 2.5e-3, 0};
    double gamma[MOST];
    static const char *const lists[] = {"1,-0.5,2.5e-3,0", "1, -.5, 0.0025, -0", "1 -0.5 2.5e-3 0",
                                        "1.0,,-0.5,0.0025,0,"};
    for (int i = 0; i < 4; i++) {
        assert_ok(initial(ctx, gamma, "3", lists[i], "0.1", 1));
        expect(lists[i], gamma, want, 4); /* as given: not divided by anything */
    }
    assert_ok(initial(ctx, gamma, "0", "-7", "0.1", 1));
    assert_true(gamma[0] == -7);
    assert_fails(initial(ctx, gamma, "3", "1,2,3", "0.1", 1), GPR_ERROR_ARGUMENT, "init has 3 numbers: K = 3 needs 4");
    assert_fails(initial(ctx, gamma, "3", "1,2,3,4,5", "0.1", 1), GPR_ERROR_ARGUMENT,
                 "init has 5 numbers: K = 3 needs 4");
    assert_fails(initial(ctx, gamma, "3", ",", "0.1", 1), GPR_ERROR_ARGUMENT, "init has 0 numbers");
    static const char *const wrong[] = {"1,2,x,4", "1,2,nan,4", "1,2,inf,4", "1,2,-infinity,4", "1,2,1e999,4", "pprr",
                                        "PPR",     "ppr:0.1",   "Random",    "1;2;3;4",         "0x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(initial(ctx, gamma, "3", wrong[i], "0.1", 1), GPR_ERROR_ARGUMENT,
                     "is not known: it must be ppr, nppr, delta:k");
    gpr_params *params = new_params(ctx, NULL);
    assert_fails(gpr_params_set(params, "init", ""), GPR_ERROR_ARGUMENT, "init is empty");
    gpr_params_free(params);
    gpr_ctx_free(ctx);
}

/* Of two relations and two classes: what stands before the basis, of each or of all; a rule's polynomial is shared. */
static void of_relations(void **state) {
    (void)state;
    static const struct {
        const char *init, *basis;
        int64_t rows;
        double want[6];
    } cases[] = {
        {"1,2,3", "monomial", 5, {1, 2, 3, 2, 3}},
        {"1,2,3,4,5", "monomial", 5, {1, 2, 3, 4, 5}},
        {"1,2,3", "legendre", 5, {1, 2, 3, 2, 3}},
        {"1,2,3", "bernstein", 6, {1, 2, 3, 1, 2, 3}},
        {"1,2,3,4,5,6", "bernstein", 6, {1, 2, 3, 4, 5, 6}},
        {"delta:2", "monomial", 5, {0, 0, 0.5, 0, 0.5}},
        {"delta:2", "chebyshev", 5, {0.5, 0, 0.25, 0, 0.25}}, /* x^2 = (T_0 + T_2) / 2 */
        {"delta:1", "bernstein", 6, {0.5, 0, -0.5, 0.5, 0, -0.5}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int file = 0; file < 2; file++) {
            gpr_ctx *ctx = new_ctx(1);
            char path[] = "/tmp/gamma-XXXXXX", init[64];
            double *made;
            int64_t count;
            const int fd = mkstemp(path);
            const bool listed = strchr(cases[i].init, ',') != NULL;
            assert_true(fd >= 0 && write(fd, cases[i].init, strlen(cases[i].init)) > 0);
            close(fd);
            snprintf(init, sizeof init, "%s%s", file && listed ? "file:" : "", file && listed ? path : cases[i].init);
            gpr_params *params = new_params(ctx, OPTIONS("K", "2", "init", init, "relations", "pay,device", "basis",
                                                         cases[i].basis, "gamma", "columns"));
            assert_ok(gpri_gamma_initial(ctx, &made, &count, params, 2, 7));
            assert_int_equal(count, 2 * cases[i].rows);
            for (int64_t k = 0; k < cases[i].rows; k++)
                for (int c = 0; c < 2; c++)
                    if (!(fabs(made[2 * k + c] - cases[i].want[k]) < 1e-12))
                        fail_msg("%s, %s: row %d is %g", init, cases[i].basis, (int)k, made[2 * k + c]);
            gpri_free(ctx, made);
            assert_ok(gpr_params_set(params, "init", "1,2,3,4"));
            assert_fails(gpri_gamma_initial(ctx, &made, NULL, params, 2, 7), GPR_ERROR_ARGUMENT,
                         "K = 2 needs 3, the same for each relation and direction, or ");
            gpr_params_free(params);
            gpr_ctx_free(ctx);
            unlink(path);
        }
}

static void write_bytes(const char *path, const char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void from_file(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    const double want[] = {1, -0.5, 2.5e-3, 0};
    double gamma[MOST];
    char folder[64], path[96], init[128];
    scratch_folder(folder);
    snprintf(path, sizeof path, "%s/gamma", folder);
    snprintf(init, sizeof init, "file:%s", path);
    static const char *const texts[] = {"1\n-0.5\n2.5e-3\n0\n", "1,-0.5,2.5e-3,0", "1 -0.5\r\n2.5e-3\t0\r\n\r\n"};
    for (int i = 0; i < 3; i++) {
        write_bytes(path, texts[i], strlen(texts[i]));
        assert_ok(initial(ctx, gamma, "3", init, "0.1", 1));
        expect(texts[i], gamma, want, 4);
    }
    /* the file is named, and what is wrong with it */
    assert_fails(initial(ctx, gamma, "4", init, "0.1", 1), GPR_ERROR_ARGUMENT, "gamma has 4 numbers: K = 4 needs 5");
    write_bytes(path, "1 2 three 4", 11);
    assert_fails(initial(ctx, gamma, "3", init, "0.1", 1), GPR_ERROR_ARGUMENT, "gamma: 'three'");
    write_bytes(path, "", 0);
    assert_fails(initial(ctx, gamma, "3", init, "0.1", 1), GPR_ERROR_ARGUMENT, "gamma has 0 numbers");
    write_bytes(path, "1 2 3 4\0 5 6", 12); /* what follows the zero byte must not be ignored silently */
    assert_fails(initial(ctx, gamma, "3", init, "0.1", 1), GPR_ERROR_FORMAT, "not a text file");
    unlink(path);
    assert_fails(initial(ctx, gamma, "3", init, "0.1", 1), GPR_ERROR_NOT_FOUND, path);
    snprintf(init, sizeof init, "file:%s", folder);
    assert_fails(initial(ctx, gamma, "3", init, "0.1", 1), GPR_ERROR_FORMAT, "is a folder");
    assert_true(initial(ctx, gamma, "3", "file:", "0.1", 1) < 0);
    rmdir(folder);
    gpr_ctx_free(ctx);
}

/* A training starts with these weights. */
static void in_training(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_dataset *data = new_csbm(ctx, 40, 5, 0.5);
    static const char *const inits[] = {"ppr", "nppr", "delta:2", "random", "1,-0.5,2.5e-3,0"};
    double gamma[MOST];
    for (int i = 0; i < 5; i++) {
        training t = train(
            ctx, data, OPTIONS("K", "3", "init", inits[i], "alpha", "0.2", "epochs", "1", "hidden", "4", "seed", "9"));
        assert_ok(initial(ctx, gamma, "3", inits[i], "0.2", 9));
        for (int k = 0; k <= 3; k++)
            if (t.result->runs[0].gamma_initial[k] != (float)gamma[k]) fail_msg("%s: gamma_%d", inits[i], k);
        training_free(&t);
    }
    training t = try_training(ctx, data, OPTIONS("K", "3", "init", "delta:4", "runs", "2"));
    assert_fails(t.status, GPR_ERROR_ARGUMENT, "delta:4");
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ppr),         cmocka_unit_test(nppr),
                                       cmocka_unit_test(delta),       cmocka_unit_test(random_weights),
                                       cmocka_unit_test(given),       cmocka_unit_test(from_file),
                                       cmocka_unit_test(in_training), cmocka_unit_test(of_relations)};
    return cmocka_run_group_tests_name("gamma", tests, NULL, NULL);
}
