/* The few functions of libxgboost that a training needs, declared here, so that no header is needed to build; and what
 * they return, turned into our arrays. One thread: so the bits repeat. Its own randomness is drawn anew in each round
 * from seed and round. */
#include "trees/booster.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/print.h"
#include "file/library.h"
#include "trees/forest.h"

#define XGBOOST_LIBRARY "libxgboost.so.0"
#define XGBOOST_VARIABLE "GPRGNN_XGBOOST"

typedef void *handle;

typedef struct {
    int (*matrix)(const float *, uint64_t, uint64_t, float, handle *, int);
    int (*matrix_numbers)(handle, const char *, const float *, uint64_t);
    int (*matrix_free)(handle);
    int (*create)(const handle *, uint64_t, handle *);
    int (*free)(handle);
    int (*set)(handle, const char *, const char *);
    int (*update)(handle, int, handle);
    int (*slice)(handle, int, int, int, handle *);
    int (*dump)(handle, const char *, int, const char *, uint64_t *, const char ***);
    int (*predict)(handle, handle, int, unsigned, int, uint64_t *, const float **);
    const char *(*error)(void);
} xgboost;

struct gpri_booster {
    gpr_ctx *ctx;
    xgboost x;
    handle matrix, booster;
    handle asked; /* the matrix of the last call of gpri_booster_scores */
    int64_t groups, depth, columns;
};

static gpr_status load(xgboost *x) {
    char why[GPRI_LIBRARY_WHY];
    void *library = gpri_library_open(XGBOOST_LIBRARY, XGBOOST_VARIABLE, false, why);
    const struct {
        void *to;
        const char *name;
    } wanted[] = {{&x->matrix, "XGDMatrixCreateFromMat_omp"},
                  {&x->matrix_numbers, "XGDMatrixSetFloatInfo"},
                  {&x->matrix_free, "XGDMatrixFree"},
                  {&x->create, "XGBoosterCreate"},
                  {&x->free, "XGBoosterFree"},
                  {&x->set, "XGBoosterSetParam"},
                  {&x->update, "XGBoosterUpdateOneIter"},
                  {&x->slice, "XGBoosterSlice"},
                  {&x->dump, "XGBoosterDumpModelEx"},
                  {&x->predict, "XGBoosterPredict"},
                  {&x->error, "XGBGetLastError"}};
    if (!library)
        return gpri_fail(GPR_ERROR_IO,
                         "trees are trained by XGBoost, which cannot be loaded: install " XGBOOST_LIBRARY
                         " (Debian: libxgboost0), or name the file in " XGBOOST_VARIABLE "%s%s",
                         *why ? ": " : "", why);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!gpri_library_find(wanted[i].to, library, wanted[i].name))
            return gpri_fail(GPR_ERROR_IO,
                             "the XGBoost that was found lacks the function %s: version 1.7 or later is needed "
                             "(Debian: libxgboost0)",
                             wanted[i].name);
    return GPR_OK;
}

gpr_status gpri_booster_there(void) {
    xgboost x;
    return load(&x);
}

static gpr_status said(const gpri_booster *b, int failed) {
    if (!failed) return GPR_OK;
    const char *why = b->x.error();
    return gpri_fail(GPR_ERROR_MEMORY, "XGBoost failed: %.400s", why ? why : "it does not say why");
}

static gpr_status set(const gpri_booster *b, const char *name, const char *value) {
    return said(b, b->x.set(b->booster, name, value));
}

static gpr_status set_real(const gpri_booster *b, const char *name, double value) {
    char text[32];
    gpri_print(text, sizeof text, "%.17g", value);
    return set(b, name, text);
}

static gpr_status set_whole(const gpri_booster *b, const char *name, int64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    return set(b, name, text);
}

static gpr_status set_options(const gpri_booster *b, const gpri_booster_data *data, const gpri_booster_options *o) {
    NEED(set(b, "verbosity", "0"));
    NEED(set(b, "nthread", "1"));
    NEED(set(b, "booster", "gbtree"));
    NEED(set(b, "tree_method", "hist"));
    NEED(set(b, "objective", b->groups == 1 ? "binary:logistic" : "multi:softprob"));
    if (b->groups > 1) NEED(set_whole(b, "num_class", data->classes));
    NEED(set(b, "base_score", "0.5")); /* of two classes it is a score of 0; of more it is added to all scores */
    NEED(set(b, "disable_default_eval_metric", "1"));
    NEED(set_whole(b, "max_depth", o->depth));
    NEED(set_real(b, "eta", o->rate));
    NEED(set_real(b, "subsample", o->rows));
    NEED(set_real(b, "colsample_bytree", o->columns));
    NEED(set_real(b, "min_child_weight", o->least));
    NEED(set_real(b, "lambda", o->penalty));
    NEED(set(b, "seed_per_iteration", "1"));
    return set_whole(b, "seed", (int64_t)(o->seed & INT32_MAX));
}

static gpr_status new_matrix(const gpri_booster *b, handle *out, const gpri_booster_data *data) {
    return said(b, b->x.matrix(data->table, (uint64_t)data->rows, (uint64_t)data->columns, NAN, out, 1));
}

gpr_status gpri_booster_new(gpr_ctx *ctx, gpri_booster **out, const gpri_booster_data *data,
                            const gpri_booster_options *options) {
    gpr_status status = GPR_OK;
    gpri_booster *b = NULL;
    *out = NULL;
    TRY(gpri_calloc(ctx, &b, 1, sizeof *b, "booster"));
    b->ctx = ctx;
    b->groups = gpri_forest_groups(data->classes);
    b->depth = options->depth;
    b->columns = data->columns;
    TRY(load(&b->x));
    TRY(new_matrix(b, &b->matrix, data));
    TRY(said(b, b->x.matrix_numbers(b->matrix, "label", data->labels, (uint64_t)data->rows)));
    if (data->weights) TRY(said(b, b->x.matrix_numbers(b->matrix, "weight", data->weights, (uint64_t)data->rows)));
    if (data->begin)
        TRY(said(b, b->x.matrix_numbers(b->matrix, "base_margin", data->begin, (uint64_t)(data->rows * b->groups))));
    TRY(said(b, b->x.create(&b->matrix, 1, &b->booster)));
    TRY(set_options(b, data, options));
    *out = b;
    b = NULL;
done:
    gpri_booster_free(b);
    return status;
}

void gpri_booster_free(gpri_booster *b) {
    if (!b) return;
    if (b->booster) b->x.free(b->booster);
    if (b->matrix) b->x.matrix_free(b->matrix);
    if (b->asked) b->x.matrix_free(b->asked);
    gpri_free(b->ctx, b);
}

/* ---- trees as XGBoost tells them, in JSON ---- */

static gpr_status strange(void) {
    return gpri_fail(GPR_ERROR_IO, "XGBoost told a tree that this program does not understand: version 1.7 or later of "
                                   "libxgboost is needed");
}

static double number_of(const json_t *node, const char *key) { return json_number_value(json_object_get(node, key)); }

/* The node at a place of the arrays, and all below it: as deep as the tree may be. */
static gpr_status read_node(const gpri_booster *b, const json_t *node, int64_t at, const gpri_tree_arrays *to) {
    const json_t *children = json_object_get(node, "children");
    if (!json_is_object(node) || at >= gpri_tree_nodes(b->depth)) return strange();
    to->cover[at] = (gpri_real)(float)number_of(node, "cover");
    if (!children) {
        if (!json_is_number(json_object_get(node, "leaf"))) return strange();
        to->value[at] = (gpri_real)(float)number_of(node, "leaf");
        return GPR_OK;
    }
    const char *name = json_string_value(json_object_get(node, "split"));
    long long column = -1;
    if (!name || sscanf(name, "f%lld", &column) != 1 || column < 0 || column >= b->columns ||
        json_array_size(children) != 2 || !json_is_number(json_object_get(node, "split_condition")))
        return strange();
    const json_int_t yes = json_integer_value(json_object_get(node, "yes")),
                     missing = json_integer_value(json_object_get(node, "missing"));
    to->split[at] = (gpri_real)(missing == yes ? column + 1 : -(column + 1));
    to->value[at] = (gpri_real)(float)number_of(node, "split_condition");
    to->gain[at] = (gpri_real)(float)number_of(node, "gain");
    for (size_t i = 0; i < 2; i++) {
        const json_t *child = json_array_get(children, i);
        const bool left = json_integer_value(json_object_get(child, "nodeid")) == yes;
        NEED(read_node(b, child, 2 * at + (left ? 1 : 2), to));
    }
    return GPR_OK;
}

static gpr_status read_tree(const gpri_booster *b, const char *text, const gpri_tree_arrays *to) {
    json_error_t error;
    json_t *tree = json_loads(text, 0, &error);
    if (!tree && gpri_json_no_memory(&error, strlen(text)))
        return gpri_fail(GPR_ERROR_MEMORY, "out of memory: a tree of XGBoost");
    gpr_status status = tree ? read_node(b, tree, 0, to) : strange();
    json_decref(tree);
    return status;
}

gpr_status gpri_booster_round(gpri_booster *b, int64_t round, const gpri_tree_arrays *trees) {
    gpr_status status = GPR_OK;
    handle last = NULL;
    uint64_t count = 0;
    const char **texts = NULL;
    TRY(said(b, b->x.update(b->booster, (int)round, b->matrix)));
    if (!trees) goto done;
    TRY(said(b, b->x.slice(b->booster, (int)round, (int)round + 1, 1, &last)));
    TRY(said(b, b->x.dump(last, "", 1, "json", &count, &texts)));
    if ((int64_t)count != b->groups) LEAVE(strange());
    for (int64_t g = 0; g < b->groups; g++) TRY(read_tree(b, texts[g], &trees[g]));
done:
    if (last) b->x.free(last);
    return status;
}

/* ---- for tests ---- */

static gpr_status ask(gpri_booster *b, const gpri_booster_data *data, int what, const float **out) {
    enum { ALL_ROUNDS = 0 };
    uint64_t count;
    if (b->asked) b->x.matrix_free(b->asked);
    b->asked = NULL;
    NEED(new_matrix(b, &b->asked, data));
    return said(b, b->x.predict(b->booster, b->asked, what, ALL_ROUNDS, 0, &count, out));
}

gpr_status gpri_booster_scores(gpri_booster *booster, const gpri_booster_data *data, const float **out) {
    enum { MARGINS = 1 };
    return ask(booster, data, MARGINS, out);
}

gpr_status gpri_booster_shares(gpri_booster *booster, const gpri_booster_data *data, const float **out) {
    enum { CONTRIBUTIONS = 4 };
    return ask(booster, data, CONTRIBUTIONS, out);
}
