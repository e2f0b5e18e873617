/* Weights of classes and of nodes become one factor per training node. */
#include "train/preparation/weigh.h"

#include <math.h>
#include <string.h>

#include "io/text/delimited.h"

/* ---- the file of class weights ---- */

/* The class that a field names: by its name, or by its number where classes have none. -1: none. */
static int64_t class_of(const gpr_dataset *data, gpri_field field) {
    int64_t number;
    if (data->target.names.count == 0)
        return gpri_span_int(field.text, field.size, &number) && number >= 0 && number < data->target.classes ? number
                                                                                                              : -1;
    for (int64_t c = 0; c < data->target.classes; c++)
        if (gpri_field_is(field, gpri_name(&data->target.names, c))) return c;
    return -1;
}

static gpr_status read_line(double *weights, const gpr_dataset *data, const gpri_delimited *table,
                            const gpri_field *fields, int64_t count) {
    double weight;
    if (count != 2) return gpri_delimited_fail(table, "%lld fields: expected two, class,weight", (long long)count);
    const int64_t class_id = class_of(data, fields[0]);
    if (class_id < 0) return gpri_delimited_fail(table, "%s has no class '%.*s'", data->name, GPRI_FIELD(fields[0]));
    if (!gpri_span_real(fields[1].text, fields[1].size, &weight) || !isfinite(weight) || weight < 0)
        return gpri_delimited_fail(table, "the weight '%.*s' is not a number of 0 or more", GPRI_FIELD(fields[1]));
    if (!isnan(weights[class_id]))
        return gpri_delimited_fail(table, "the class '%.*s' has a weight already", GPRI_FIELD(fields[0]));
    weights[class_id] = weight;
    return GPR_OK;
}

static gpr_status read_file(gpr_ctx *ctx, double *weights, const gpr_dataset *data, const char *path) {
    const gpri_delimited_options form = {.header = GPRI_HEADER_NO, .ragged = true};
    gpr_status status = GPR_OK;
    gpri_delimited *table = NULL;
    const gpri_field *fields;
    int64_t count;
    TRY(gpri_delimited_open(ctx, &table, path, &form));
    for (bool first = true;; first = false) {
        TRY(gpri_delimited_next(table, &fields, &count));
        if (count == 0) break;
        if (first && count == 2 && gpri_field_is_word(fields[0], "class") && gpri_field_is_word(fields[1], "weight"))
            continue;
        TRY(read_line(weights, data, table, fields, count));
    }
    for (int64_t c = 0; c < data->target.classes; c++) {
        if (!isnan(weights[c])) continue;
        const char *name = gpri_name(&data->target.names, c);
        if (name) THROW(GPR_ERROR_FORMAT, "%s: the class '%s' has no weight", path, name);
        THROW(GPR_ERROR_FORMAT, "%s: the class %lld has no weight", path, (long long)c);
    }
done:
    gpri_delimited_close(table);
    return status;
}

gpr_status gpri_class_weight_file(gpr_ctx *ctx, double **out, const gpr_dataset *data, const gpr_params *params) {
    gpr_status status = GPR_OK;
    *out = NULL;
    if (gpri_params_is(params, GPRI_CLASS_WEIGHT_NONE) || gpri_params_is(params, GPRI_CLASS_WEIGHT_BALANCED))
        return GPR_OK;
    TRY(gpri_alloc(ctx, out, data->target.classes, sizeof **out, "weights of classes"));
    for (int64_t c = 0; c < data->target.classes; c++) (*out)[c] = NAN;
    status = read_file(ctx, *out, data, gpri_params_text(params, GPRI_PARAM_CLASS_WEIGHT));
    if (status != GPR_OK) gpri_fail_prefix(status, "`class-weight`");
done:
    if (status != GPR_OK) {
        gpri_free(ctx, *out);
        *out = NULL;
    }
    return status;
}

/* ---- factors ---- */

/* As scikit-learn: n / (k * n_c), with the k classes that occur. */
static void balance(double *weights, const gpr_dataset *data, const gpr_split *split) {
    double present = 0, nodes = 0;
    memset(weights, 0, (size_t)data->target.classes * sizeof *weights);
    for (int64_t i = 0; i < split->nodes; i++)
        if (split->part[i] == GPR_TRAIN) weights[data->target.labels[i]]++;
    for (int64_t c = 0; c < data->target.classes; c++) {
        present += weights[c] > 0;
        nodes += weights[c];
    }
    for (int64_t c = 0; c < data->target.classes; c++)
        if (weights[c] > 0) weights[c] = nodes / (present * weights[c]);
}

gpr_status gpri_weigh_nodes(gpr_ctx *ctx, gpri_real **out, const gpr_dataset *data, const gpr_split *split,
                            const gpr_params *params) {
    gpr_status status = GPR_OK;
    const bool by_class = !gpri_params_is(params, GPRI_CLASS_WEIGHT_NONE);
    const float *own = gpri_params_is(params, GPRI_SAMPLE_WEIGHT_NONE) ? NULL : data->node_weights;
    double *weights = NULL, sum = 0;
    int64_t count = 0;
    *out = NULL;
    if (!gpri_params_is(params, GPRI_SAMPLE_WEIGHT_NONE) && !own)
        THROW(GPR_ERROR_ARGUMENT,
              "`sample-weight` is %s, and %s has no weights of nodes: they come from a column of the table `nodes`, or "
              "from an array (node_weights)",
              gpri_params_text(params, GPRI_PARAM_SAMPLE_WEIGHT), data->name);
    if (!by_class && !own) return GPR_OK;
    TRY(gpri_class_weight_file(ctx, &weights, data, params));
    if (!weights) {
        TRY(gpri_alloc(ctx, &weights, data->target.classes, sizeof *weights, "weights of classes"));
        for (int64_t c = 0; c < data->target.classes; c++) weights[c] = 1;
    }
    if (gpri_params_is(params, GPRI_CLASS_WEIGHT_BALANCED)) balance(weights, data, split);
    for (int64_t i = 0; i < split->nodes; i++) {
        if (split->part[i] != GPR_TRAIN) continue;
        sum += weights[data->target.labels[i]] * (own ? (double)own[i] : 1);
        count++;
    }
    if (!(sum > 0) || !isfinite(sum))
        THROW(GPR_ERROR_ARGUMENT, "the weights of the training nodes sum to %g: there is nothing to learn from", sum);
    TRY(gpri_calloc(ctx, out, split->nodes, sizeof **out, "weights of nodes"));
    for (int64_t i = 0; i < split->nodes; i++)
        if (split->part[i] == GPR_TRAIN)
            (*out)[i] = (gpri_real)(weights[data->target.labels[i]] * (own ? (double)own[i] : 1) * (double)count / sum);
done:
    gpri_free(ctx, weights);
    return status;
}
