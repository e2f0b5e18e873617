/* Finds the input that made numbers overflow. Each kind of input has a size that nobody needs; what is above it stands
 * out. The largest of all is no proof, but it is what a person would look at first. */
#include "model/cause.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/print.h"
#include "dist/all.h"

/* Above these, in the order of the kinds below. */
#define MOST_FEATURE 1e6
#define MOST_EDGE_WEIGHT 1e6
#define MOST_GAMMA 1e3
#define MOST_LR 1.0
#define MOST_WEIGHT 1e4
enum { KINDS = 5 };

typedef struct {
    double excess; /* how many times the limit */
    char text[320];
} cause;

typedef struct {
    cause found[KINDS];
    int count;
} cause_list;

/* Keeps them in order, the worst first. */
static void add(cause_list *causes, double value, double limit, const char *format, ...) GPRI_PRINTF(4, 5);
static void add(cause_list *causes, double value, double limit, const char *format, ...) {
    cause made = {.excess = isnan(value) ? INFINITY : value / limit};
    va_list args;
    if (!(made.excess > 1)) return;
    va_start(args, format);
    gpri_vprint(made.text, sizeof made.text, format, args);
    va_end(args);
    int at = causes->count++;
    for (; at > 0 && causes->found[at - 1].excess < made.excess; at--) causes->found[at] = causes->found[at - 1];
    causes->found[at] = made;
}

/* NaN counts as larger than all. */
static bool larger(double value, double than) { return value > than || (isnan(value) && !isnan(than)); }

/* The position of the largest absolute value of `count`; 0 if there is none. */
static int64_t largest_real(const gpri_real *values, int64_t count) {
    int64_t at = 0;
    for (int64_t k = 1; k < count; k++)
        if (larger(fabs((double)values[k]), fabs((double)values[at]))) at = k;
    return at;
}

static int64_t largest_float(const float *values, int64_t count) {
    int64_t at = 0;
    for (int64_t k = 1; k < count; k++)
        if (larger(fabs((double)values[k]), fabs((double)values[at]))) at = k;
    return at;
}

/* The column and the row of a stored value. */
static void find_place(int64_t at, const int64_t *rowptr, const int32_t *column, int64_t ld, int64_t *row,
                       int64_t *col) {
    *row = rowptr ? 0 : at / ld;
    while (rowptr && rowptr[*row + 1] <= at) ++*row;
    *col = rowptr ? column[at] : at % ld;
}

/* A value of a matrix, and where it is. */
typedef struct {
    double value;
    int64_t row, column; /* row -1: there is none */
} entry;

/* The largest of all processes, in all of them. */
static void join_largest(entry *found, const gpr_ctx *together) {
    int64_t size = 0; /* bits of a number above 0 have its order */
    const double absolute = isnan(found->value) ? INFINITY : fabs(found->value);
    if (found->row >= 0) memcpy(&size, &absolute, sizeof size);
    gpri_all_hear_largest(together, size, found, sizeof *found);
}

/* Steps before the first layer: a value belongs to many nodes, and those that were given are looked at. */
static entry largest_given(const gpri_feature_matrix *given, int64_t first, int64_t end) {
    const float *values = given->dense ? given->dense : given->value;
    const int64_t begin = given->dense ? first * given->cols : given->rowptr[first];
    const int64_t count = (given->dense ? end * given->cols : given->rowptr[end]) - begin;
    entry found = {.row = -1};
    if (count == 0) return found;
    const int64_t at = begin + largest_float(values + begin, count);
    find_place(at, given->dense ? NULL : given->rowptr, given->column, given->cols, &found.row, &found.column);
    found.value = (double)values[at];
    return found;
}

static entry largest_prepared(const gpri_features *x) {
    const int64_t first = x->first, end = gpri_features_end(x);
    const gpri_real *values = x->dense ? x->dense : x->value;
    const int64_t begin = x->dense ? first * x->ld : x->rowptr[first];
    const int64_t count = (x->dense ? end * x->ld : x->rowptr[end]) - begin;
    entry found = {.row = -1};
    if (count == 0) return found;
    const int64_t at = begin + largest_real(values + begin, count);
    find_place(at, x->dense ? NULL : x->rowptr, x->column, x->ld, &found.row, &found.column);
    found.value = (double)values[at];
    return found;
}

static void look_at_features(cause_list *causes, const gpri_suspects *s) {
    const gpri_features *x = s->features;
    const bool smooth = x->hops > 0 || x->powers > 0 || x->given > 0; /* made of those of the data */
    const gpri_names *names =
        !smooth && s->model && s->model->feature_names.count ? &s->model->feature_names : &s->data->feature_names;
    const int64_t first = s->together ? x->first : 0, end = s->together ? gpri_features_end(x) : s->data->features.rows;
    entry found = smooth ? largest_given(&s->data->features, first, end) : largest_prepared(x);
    join_largest(&found, s->together);
    if (found.row < 0) return;
    if (!smooth && s->order) found.row = s->order[found.row];
    char node[24], feature[24];
    const char *normalize = gpri_params_text(s->params, GPRI_PARAM_NORMALIZE);
    const char *remedy = s->model ? "bring the features to the scale of those of the training"
                         : gpri_params_is(s->params, GPRI_NORMALIZE_COLUMN)
                             ? "correct this value, or scale the features"
                             : "scale the features, for example with `normalize` column";
    add(causes, fabs(found.value), MOST_FEATURE, "feature %s of node %s is %.3g%s (normalize is %s): %s",
        gpri_name_or_number(names, found.column, feature), gpri_name_or_number(&s->data->node_ids, found.row, node),
        found.value, smooth ? "" : " as the first layer gets it", normalize, remedy);
}

static void look_at_edges(cause_list *causes, const gpri_suspects *s) {
    const gpri_graph *graph = &s->data->graph;
    if (!graph->weight || graph->arcs == 0 || !gpri_model_is(s->params, GPRI_MODEL_WEIGHS)) return;
    const int64_t begin = s->together ? graph->rowptr[s->features->first] : 0;
    const int64_t end = s->together ? graph->rowptr[gpri_features_end(s->features)] : graph->arcs;
    entry found = {.row = -1};
    if (end > begin) {
        const int64_t at = begin + largest_float(graph->weight + begin, end - begin);
        find_place(at, graph->rowptr, graph->column, 0, &found.row, &found.column);
        found.value = (double)graph->weight[at];
    }
    join_largest(&found, s->together);
    if (found.row < 0) return;
    char from[24], to[24];
    add(causes, found.value, MOST_EDGE_WEIGHT,
        "the edge between nodes %s and %s has the weight %.3g: give smaller weights, or none (`weight` none)",
        gpri_name_or_number(&s->data->node_ids, found.row, from),
        gpri_name_or_number(&s->data->node_ids, found.column, to), found.value);
}

static void look_at_weights(cause_list *causes, const gpri_suspects *s) {
    const int64_t K = gpri_params_int(s->params, GPRI_PARAM_K);
    double worst = 0;
    const char *name = NULL;
    for (int64_t k = 0; s->gamma && k <= K; k++) /* the first are as large as any */
        if (larger(fabs(s->gamma[k]), worst)) worst = fabs(s->gamma[k]);
    add(causes, worst, MOST_GAMMA, "`init` gives a filter weight of size %.3g: give smaller ones", worst);
    worst = 0;
    for (int i = 0; s->model && i < s->model->tensor_count; i++) {
        const gpri_tensor *tensor = &s->model->tensors[i];
        const double value = fabs((double)tensor->values[largest_float(tensor->values, tensor->rows * tensor->cols)]);
        if (!name || larger(value, worst)) worst = value, name = tensor->name;
    }
    if (name)
        add(causes, worst, MOST_WEIGHT, "the model has a number of size %.3g in its weight %s: train it again", worst,
            name);
}

void gpri_name_causes(char out[GPRI_CAUSES_SIZE], const gpri_suspects *s) {
    cause_list causes = {.count = 0};
    const char *lr = gpri_params_text(s->params, GPRI_PARAM_LR);
    look_at_features(&causes, s);
    look_at_edges(&causes, s);
    look_at_weights(&causes, s);
    if (!s->model && s->steps > 0)
        add(&causes, gpri_params_real(s->params, GPRI_PARAM_LR), MOST_LR, "lower `lr` (it is %s)", lr);
    out[0] = 0;
    for (int i = 0; i < causes.count; i++) {
        const size_t used = strlen(out);
        gpri_print(out + used, GPRI_CAUSES_SIZE - used, "%s%s", i ? "; " : "", causes.found[i].text);
    }
    if (causes.count > 0) return;
    if (s->model)
        gpri_print(
            out, GPRI_CAUSES_SIZE,
            "no feature, edge weight or weight of the model stands out: compare the data with those of the training");
    else if (s->steps > 0)
        gpri_print(out, GPRI_CAUSES_SIZE, "the training diverged, and no input stands out: lower `lr` (it is %s)", lr);
    else gpri_print(out, GPRI_CAUSES_SIZE, "no input stands out: scale the features, or give fewer hops");
}

gpr_status gpri_find_not_finite(const gpri_net *net, int64_t *node) {
    enum { NUMBERS = 1 << 16 }; /* that are copied from the device at a time */
    const gpri_matrix z = gpri_net_output(net, GPRI_EVAL_STREAM);
    const int64_t most = z.ld < NUMBERS ? NUMBERS / z.ld : 1; /* rows */
    gpri_real *some = NULL;
    *node = -1;
    gpr_status status = gpri_alloc(net->ctx, &some, most * z.ld, sizeof *some, "scores");
    for (int64_t first = 0; status == GPR_OK && *node < 0 && first < z.rows; first += most) {
        const int64_t rows = z.rows - first < most ? z.rows - first : most;
        /* the last row may end with its own columns: what follows need not be the matrix's */
        net->device->get(net->device, some, z.at + first * z.ld, ((rows - 1) * z.ld + z.cols) * (int64_t)sizeof *some);
        for (int64_t i = 0; i < rows && *node < 0; i++)
            for (int64_t c = 0; c < z.cols && *node < 0; c++)
                if (!isfinite(some[i * z.ld + c])) *node = net->walk.rows.first + first + i;
    }
    gpri_free(net->ctx, some);
    const gpr_ctx *together = gpri_walker_together(&net->walk);
    const int64_t nodes = net->walk.rows.nodes;
    status = gpri_all_well(together, status);
    if (status == GPR_OK) *node = nodes - gpri_all_most(together, *node < 0 ? 0 : nodes - *node); /* the first of all */
    if (*node == nodes) *node = -1;
    return status == GPR_OK ? gpri_device_check(net->ctx) : status;
}

void gpri_name_node(char out[GPRI_NODE_SIZE], const gpr_dataset *data, int64_t node) {
    char number[24];
    out[0] = 0;
    if (node >= 0)
        gpri_print(out, GPRI_NODE_SIZE, " (first at node %s)", gpri_name_or_number(&data->node_ids, node, number));
}

gpr_status gpri_check_scores(const gpri_net *net, const gpri_suspects *suspects, int64_t first, const int32_t *place) {
    char where[GPRI_NODE_SIZE], why[GPRI_CAUSES_SIZE];
    int64_t node;
    gpr_status status = gpri_find_not_finite(net, &node);
    if (status != GPR_OK || node < 0) return status;
    gpri_name_node(where, suspects->data, place ? place[first + node] : first + node);
    gpri_name_causes(why, suspects);
    return gpri_fail(GPR_ERROR_NUMERIC, "%s: scores are infinite or NaN%s: %s", suspects->data->name, where, why);
}
