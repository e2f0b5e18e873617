/* Small datasets and whole trainings, for tests of the results of a training. */
#ifndef TEST_TRAINING_H
#define TEST_TRAINING_H

#include "support.h"

#include "base/random.h"
#include "model/model.h"
#include "train/result.h"

enum { MOST_TABLES = 8 }; /* of operations */

/* With this table of operations. */
static inline gpr_ctx *ctx_for(const gpri_ops *table, int threads) {
    gpr_ctx *ctx;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = threads, .cpu = table->name};
    assert_ok(gpr_ctx_new(&ctx, &options));
    assert_ptr_equal(ctx->job.device->ops, table);
    return ctx;
}

/* name, value, name, value, ... */
#define OPTIONS(...) ((const char *const[]){__VA_ARGS__, NULL})

enum { MOST_MODELS = 24 };

/* All models that are networks, by the range of the option `model`; returns their number. Trees need a library to be
   trained: test_trees.c, test_stack.c; and auto is none. */
static inline int model_words(char words[MOST_MODELS][16]) {
    gpr_param_info info = {.struct_size = sizeof info};
    int count = 0;
    assert_ok(gpr_param_describe(0, &info));
    assert_string_equal(info.name, "model");
    for (const char *at = info.range; *at; at += strspn(at, "|")) {
        assert_true(count < MOST_MODELS);
        snprintf(words[count], 16, "%.*s", (int)strcspn(at, "|"), at);
        count += strcmp(words[count], "trees") != 0 && strcmp(words[count], "stack") != 0 &&
                 strcmp(words[count], "auto") != 0;
        at += strcspn(at, "|");
    }
    return count;
}

/* model, then those of the options (name, value, ..., NULL) that it has. out: room for all of them. */
static inline const char *const *options_for(const char **out, const char *model, const char *const *options) {
    int at = 0;
    out[at++] = "model";
    out[at++] = model;
    for (; options[0]; options += 2)
        for (int i = 0; i < gpr_param_count(); i++) {
            gpr_param_info info = {.struct_size = sizeof info};
            assert_ok(gpr_param_describe(i, &info));
            if (strcmp(info.name, options[0]) != 0 || !gpr_param_applies(i, model)) continue;
            out[at++] = options[0];
            out[at++] = options[1];
        }
    out[at] = NULL;
    return out;
}

static inline gpr_params *new_params(gpr_ctx *ctx, const char *const *options) {
    gpr_params *params;
    assert_ok(gpr_params_new(ctx, &params));
    for (; options && options[0]; options += 2) assert_ok(gpr_params_set(params, options[0], options[1]));
    return params;
}

typedef struct {
    gpr_status status;
    gpr_model *model;
    gpr_result *result;
} training;

/* Success or not. */
static inline training try_training(gpr_ctx *ctx, const gpr_dataset *data, const char *const *options) {
    training t;
    gpr_params *params = new_params(ctx, options);
    t.status = gpr_train(ctx, &t.model, &t.result, data, params);
    gpr_params_free(params);
    if ((t.status >= 0) != (t.model != NULL) || (t.status >= 0) != (t.result != NULL))
        fail_msg("gpr_train: %s, model %p, result %p", gpr_status_name(t.status), (void *)t.model, (void *)t.result);
    return t;
}

static inline training train(gpr_ctx *ctx, const gpr_dataset *data, const char *const *options) {
    training t = try_training(ctx, data, options);
    assert_ok(t.status);
    return t;
}

static inline void training_free(training *t) {
    gpr_model_free(t->model);
    gpr_result_free(t->result);
    *t = (training){.status = GPR_OK};
}

static inline const gpri_tensor *tensor_of(const gpr_model *model, const char *name) {
    for (int i = 0; i < model->tensor_count; i++)
        if (strcmp(model->tensors[i].name, name) == 0) return &model->tensors[i];
    fail_msg("the model has no weight %s", name);
    return NULL;
}

/* Fails naming the first weight whose bits differ. */
static inline void assert_same_model(const char *what, const gpr_model *a, const gpr_model *b) {
    assert_int_equal(a->tensor_count, b->tensor_count);
    for (int i = 0; i < a->tensor_count; i++) {
        const gpri_tensor *x = &a->tensors[i], *y = &b->tensors[i];
        assert_string_equal(x->name, y->name);
        assert_true(x->rows == y->rows && x->cols == y->cols);
        for (int64_t k = 0; k < x->rows * x->cols; k++)
            if (memcmp(&x->values[k], &y->values[k], sizeof(float)) != 0)
                fail_msg("%s: %s[%lld]: %.9g and %.9g", what, x->name, (long long)k, (double)x->values[k],
                         (double)y->values[k]);
    }
}

static inline bool same_model(const gpr_model *a, const gpr_model *b) {
    for (int i = 0; i < a->tensor_count; i++)
        if (memcmp(a->tensors[i].values, b->tensors[i].values,
                   (size_t)(a->tensors[i].rows * a->tensors[i].cols) * sizeof(float)) != 0)
            return false;
    return true;
}

static inline gpr_dataset *new_csbm(gpr_ctx *ctx, int64_t nodes, int64_t features, double phi) {
    gpr_dataset *data;
    gpr_csbm_options options;
    gpr_csbm_options_init(&options, sizeof options);
    options.nodes = nodes;
    options.features = features;
    options.phi = phi;
    assert_ok(gpr_dataset_csbm(ctx, &data, &options));
    return data;
}

/* Bags of words: a node has four words, two of them of its class; neighbours are mostly of the same class. CSR. */
static inline gpr_dataset *new_words(gpr_ctx *ctx, int64_t nodes, int64_t words, int64_t classes) {
    enum { EACH = 4, DEGREE = 3 };
    gpri_random words_of = gpri_random_of(17, GPRI_RANDOM_TEST, 0, 0);
    int64_t *src = malloc((size_t)(nodes * DEGREE) * sizeof *src),
            *dst = malloc((size_t)(nodes * DEGREE) * sizeof *dst);
    int64_t *indptr = malloc((size_t)(nodes + 1) * sizeof *indptr), end = 0;
    int32_t *indices = malloc((size_t)(nodes * EACH) * sizeof *indices);
    int32_t *labels = malloc((size_t)nodes * sizeof *labels);
    uint64_t draw = 0;
    gpr_dataset *data;
    for (int64_t i = 0; i < nodes; i++) {
        labels[i] = (int32_t)(i % classes);
        for (int64_t e = 0; e < DEGREE; e++) {
            int64_t other = (int64_t)gpri_uniform_below(words_of, draw++, (uint64_t)nodes);
            src[i * DEGREE + e] = i;
            dst[i * DEGREE + e] = e == 0 ? other : other / classes * classes + i % classes;
            if (dst[i * DEGREE + e] >= nodes) dst[i * DEGREE + e] = other;
        }
        indptr[i] = end;
        for (int64_t w = 0; w < EACH; w++) { /* ascending: one of each quarter of the words */
            int64_t quarter = words / EACH, own = (int64_t)gpri_uniform_below(words_of, draw++, (uint64_t)quarter);
            if (w < 2) own = own / classes * classes + i % classes;
            indices[end++] = (int32_t)(w * quarter + (own < quarter ? own : 0));
        }
    }
    indptr[nodes] = end;
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "words",
                             .nodes = nodes,
                             .edges = nodes * DEGREE,
                             .src = src,
                             .dst = dst,
                             .features = words,
                             .indptr = indptr,
                             .indices = indices,
                             .labels = labels,
                             .classes = classes};
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    data->generated = true; /* nothing is chosen by the data: one plain training */
    free(src);
    free(dst);
    free(indptr);
    free(indices);
    free(labels);
    return data;
}

/* Fails unless run r of both results has the same history of gamma, or both have none. */
static inline void assert_same_gamma_history(const char *what, const gpr_result *a, const gpr_result *b, int64_t r) {
    const float *x, *y;
    int64_t rows, count, stride, other_rows, other_count, other_stride;
    assert_ok(gpr_result_gamma_history(a, r, &x, &rows, &count, &stride));
    assert_ok(gpr_result_gamma_history(b, r, &y, &other_rows, &other_count, &other_stride));
    if (rows != other_rows || count != other_count || stride != other_stride || !x != !y)
        fail_msg("%s, run %d: the histories of gamma are (%d x %d) and (%d x %d)", what, (int)r, (int)rows, (int)count,
                 (int)other_rows, (int)other_count);
    if (x && memcmp(x, y, (size_t)(rows * count) * sizeof *x) != 0)
        fail_msg("%s, run %d: the histories of gamma differ", what, (int)r);
}

/* A folder for many files: in memory if possible. */
static inline void scratch_folder(char folder[64]) {
    const char *shm = "/dev/shm/gprgnn_test_XXXXXX";
    strcpy(folder, shm);
    if (mkdtemp(folder)) return;
    strcpy(folder, "/tmp/gprgnn_test_XXXXXX");
    assert_non_null(mkdtemp(folder));
}

#endif
