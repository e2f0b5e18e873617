/* The list of models; building their networks; putting weights into a network; how large they are. */
#include "model/model.h"

#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "io/latent.h"
#include "layer/net.h"
#include "tensor/prepare.h"
#include "walk/smooth.h"

enum { HOPS = -1 };
enum {
    RELATES = GPRI_MODEL_RELATES,
    WEIGHS = GPRI_MODEL_WEIGHS,
    SHARED = GPRI_MODEL_SHARED,
    SUM = GPRI_MODEL_SUM,
    BY_ROWS = GPRI_MODEL_BY_ROWS,
    BLOCKS = GPRI_MODEL_BLOCKS,
    FOREST = GPRI_MODEL_FOREST
};

static const struct model_row {
    const char *word;
    gpri_act *(*build)(gpri_net *, gpri_act *, const gpri_recipe *);
    const char *filter;
    int steps;
    unsigned traits;
} models[] = {
#define MODEL(ID, word, filter, steps, traits) {#word, gpri_build_##word, filter, steps, traits},
#include "base/models.def"
};

static const struct {
    gpri_value model, value;
    struct model_row row;
} variants[] = {
#define MODEL(...)
#define VARIANT(MODEL, value, word, filter, steps, traits) \
    {GPRI_MODEL_##MODEL, GPRI_##value, {#word, gpri_build_##word, filter, steps, traits}},
#include "base/models.def"
};

/* Of auto, before there is a choice: gprgnn. */
static const struct model_row *model_of(const gpr_params *params) {
    const gpri_value asked = gpri_params_value(params, GPRI_PARAM_MODEL),
                     model = asked == GPRI_MODEL_AUTO ? GPRI_MODEL_GPRGNN : asked;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (variants[i].model == model && gpri_params_is(params, variants[i].value)) return &variants[i].row;
    return &models[model];
}

bool gpri_model_is(const gpr_params *params, gpri_model_trait trait) { return model_of(params)->traits & trait; }

bool gpri_model_shares(const gpr_params *params) {
    return gpri_model_is(params, GPRI_MODEL_SHARED) && gpri_filter_is_whole(params);
}

const char *gpri_models_with(char out[GPRI_MODEL_WORDS], gpri_model_trait trait) {
    int count = 0, done = 0, at = 0;
    for (int m = 0; m < GPRI_MODEL_COUNT; m++) count += (models[m].traits & trait) != 0;
    for (int m = 0; m < GPRI_MODEL_COUNT; m++)
        if (models[m].traits & trait) {
            const char *before = done == 0 ? "" : done == count - 1 ? " and " : ", ";
            at += snprintf(out + at, (size_t)(GPRI_MODEL_WORDS - at), "%s%s", before, models[m].word);
            done++;
        }
    return out;
}

bool gpri_model_takes_labels(const gpr_params *params) {
    return gpri_params_applies(params, GPRI_PARAM_LABEL_INPUT) && gpri_params_is(params, GPRI_LABEL_INPUT_YES);
}

bool gpri_model_counts_labels(const gpr_params *params) { return gpri_params_is(params, GPRI_LABEL_COUNTS_YES); }

const char *gpri_model_filter(const gpr_params *params) {
    const char *filter = model_of(params)->filter;
    return filter && !*filter ? gpri_params_text(params, GPRI_PARAM_INIT) : filter;
}

bool gpri_model_steps_first(const gpr_params *params) { return model_of(params)->steps != 0; }

bool gpri_model_learns_filter(const gpr_params *params) {
    const char *filter = model_of(params)->filter;
    return filter && !*filter;
}

/* An epoch multiplies every stored feature, and goes over the graph in every step. If the steps are made beforehand, it
   multiplies a dense table instead. Costs are for one column of the product; the unit is one number of a dense table. A
   table that saves less than an eighth is not worth its memory. */
static bool worth_smoothing(const gpri_features *x, const gpri_graph *graph, int64_t steps) {
    enum { SPARSE_NUMBER = 2, ARC = 5 }; /* measured, forward and backward, 64 columns */
    double table = (double)x->rows * (double)x->cols;
    double product = x->dense ? table : SPARSE_NUMBER * (double)gpri_features_count(x);
    double walk = ARC * (double)steps * (double)(graph->arcs + graph->nodes);
    return steps > 0 && 8 * table <= 7 * (product + walk);
}

bool gpri_model_leaves_features(const gpr_params *params) {
    const bool relates =
        gpri_params_applies(params, GPRI_PARAM_RELATIONS) &&
        (!gpri_params_is(params, GPRI_RELATIONS_ALL) ||
         (gpri_params_applies(params, GPRI_PARAM_DIRECTION) && !gpri_params_is(params, GPRI_DIRECTION_UNDIRECTED)));
    return !relates && model_of(params)->steps == 0 && !gpri_model_is(params, GPRI_MODEL_RELATES) &&
           !gpri_model_is(params, GPRI_MODEL_FOREST) && !gpri_model_is(params, GPRI_MODEL_BY_ROWS);
}

gpr_status gpri_model_relate(gpr_ctx *ctx, gpri_features *features, const gpr_params *params, const gpri_graph *graph) {
    NEED(gpri_filter_sides(ctx, &features->sides, params, graph));
    if (!gpri_model_is(params, GPRI_MODEL_RELATES)) return GPR_OK;
    if (graph->moved && gpri_latent_is_file(gpri_params_text(params, GPRI_PARAM_EMBEDDING)))
        return gpri_fail(
            GPR_ERROR_ARGUMENT,
            "the file of `embedding` goes by the first order of the nodes, and the data has another one (`reorder`): "
            "convert it back with `reorder` none");
    NEED(gpri_calloc(ctx, &features->relations, 1, sizeof *features->relations, "relations"));
    return gpri_latent_open(ctx, features->relations, graph, gpri_params_text(params, GPRI_PARAM_EMBEDDING));
}

gpr_status gpri_model_prepare(gpr_ctx *ctx, gpri_features *features, const gpr_params *params, const gpri_graph *graph,
                              const gpr_model *model) {
    int64_t steps = model_of(params)->steps == HOPS ? gpri_params_int(params, GPRI_PARAM_K) : model_of(params)->steps;
    gpr_status status = gpri_model_relate(ctx, features, params, graph);
    if (status == GPR_OK && gpri_model_is(params, GPRI_MODEL_FOREST)) {
        gpri_features columns;
        NEED(gpri_trees_columns(ctx, &columns, features, params, graph,
                                model ? gpri_model_tensor(model, GPRI_TREES_COLUMNS) : NULL));
        gpri_features_free(ctx, features);
        *features = columns;
        return GPR_OK;
    }
    if (gpri_model_takes_labels(params)) steps = 0; /* labels have to go the same steps, and change */
    if (status != GPR_OK || !worth_smoothing(features, graph, steps)) return status;
    return gpri_features_smooth(ctx, features, graph, steps);
}

gpri_recipe gpri_recipe_of(const gpr_params *params, int64_t classes, const gpr_model *model) {
    const bool takes = gpri_model_takes_labels(params) && !gpri_params_is(params, GPRI_MODEL_STACK); /* its network */
    const gpri_label_input labels = {.classes = takes ? classes : 0,
                                     .share = gpri_params_real(params, GPRI_PARAM_LABEL_SHARE)};
    return (gpri_recipe){
        .classes = classes,
        .labels = labels,
        .trees = gpri_trees_form(params, classes, model ? gpri_model_tensor(model, GPRI_TREES_SPLIT) : NULL),
        .hidden = gpri_params_int(params, GPRI_PARAM_HIDDEN),
        .layers = gpri_params_int(params, GPRI_PARAM_LAYERS),
        .hops = gpri_params_int(params, GPRI_PARAM_K),
        .heads = gpri_params_int(params, GPRI_PARAM_HEADS),
        .output_heads = gpri_params_int(params, GPRI_PARAM_OUTPUT_HEADS),
        .jump_layers = gpri_params_int(params, GPRI_PARAM_JK_LAYERS),
        .slope = gpri_params_real(params, GPRI_PARAM_SLOPE),
        .norm = gpri_params_is(params, GPRI_NORM_BATCH)   ? GPRI_BATCH_NORM
                : gpri_params_is(params, GPRI_NORM_LAYER) ? GPRI_LAYER_NORM
                                                          : GPRI_NO_NORM,
        .residual = gpri_params_is(params, GPRI_RESIDUAL_YES),
        .dropout = gpri_params_real(params, GPRI_PARAM_DROPOUT),
        .dprate = gpri_params_real(params, GPRI_PARAM_DPRATE)};
}

static gpr_status add_network(gpri_net *net, const gpr_params *params, int64_t features, int64_t classes);

static gpri_act *build(gpri_net *net, const gpr_params *params, const gpri_features *features,
                       const gpri_recipe *recipe) {
    gpri_recipe own = *recipe;
    net->status = gpri_filter_form_of(&own.filter, params);
    if (net->status == GPR_OK && net->walk.graph->nodes > 0 && gpri_params_applies(params, GPRI_PARAM_RELATIONS))
        net->status = gpri_filter_find(&own.filter, params, net->walk.graph, features->sides);
    gpri_act *z = model_of(params)->build(net, gpri_input_with_labels(net, features, &recipe->labels), &own);
    if (net->status == GPR_OK && gpri_params_is(params, GPRI_MODEL_STACK))
        net->status = add_network(net, params, features->given ? features->given : features->cols, recipe->classes);
    return gpri_model_counts_labels(params) && !gpri_model_is(params, GPRI_MODEL_FOREST)
               ? gpri_add_label_counts(net, z, recipe->counts, gpri_filter_relations(params))
               : z;
}

/* A net that knows the shapes of its weights. It is not planned: nothing large is allocated. model: whose options these
   are, or NULL. */
static gpr_status shape(gpr_ctx *ctx, gpri_net **out, const gpr_params *params, int64_t features, int64_t classes,
                        const gpr_model *model) {
    gpri_graph graph = {.nodes = 0};
    gpri_features input = {.cols = features};
    gpri_recipe recipe = gpri_recipe_of(params, classes, model);
    NEED(gpri_net_new(ctx, out, ctx->job.device, &graph, 1, 0));
    build(*out, params, &input, &recipe);
    return (*out)->status;
}

/* The weights of a stack's network, which the net itself only keeps. */
static gpr_status add_network(gpri_net *net, const gpr_params *params, int64_t features, int64_t classes) {
    gpr_params *own = NULL;
    gpri_net *network = NULL;
    gpr_status status = GPR_OK;
    TRY(gpri_stack_params(net->ctx, &own, params));
    TRY(shape(net->ctx, &network, own, features, classes, NULL));
    for (int i = 0; i < network->weight_count && status == GPR_OK; i++) {
        const gpri_weight *weight = &network->weights[i];
        if (!gpri_net_weight(net, GPRI_STACK_PREFIX, weight->name, weight->rows, weight->rows, weight->cols))
            status = net->status;
    }
done:
    gpri_net_free(network);
    gpr_params_free(own);
    return status;
}

gpr_status gpri_model_net(gpr_ctx *ctx, gpri_net **out, const gpr_params *params, const gpri_recipe *recipe,
                          const gpri_graph *graph, const gpri_features *features, int threads, uint64_t seed,
                          bool trains) {
    gpr_status status = gpri_net_new(ctx, out, recipe->device ? recipe->device : ctx->job.device, graph, threads, seed);
    if (status != GPR_OK) return status;
    gpri_net *net = *out;
    net->looks = recipe->looks;
    net->all_gradients = recipe->all_gradients;
    if (trains) status = gpri_walker_spread(&net->walk);
    if (status == GPR_OK) status = gpri_net_plan(net, build(net, params, features, recipe), trains);
    if (status != GPR_OK) {
        gpri_net_free(net);
        *out = NULL;
    }
    return status;
}

gpr_status gpri_model_add_tensor(gpri_tensor **out, gpr_model *model, const char *name, int64_t rows, int64_t cols) {
    NEED(gpri_grow(model->ctx, &model->tensors, &model->tensor_room, model->tensor_count + 1, sizeof *model->tensors,
                   "weights"));
    gpri_tensor *tensor = *out = &model->tensors[model->tensor_count];
    NEED(gpri_alloc(model->ctx, &tensor->values, rows * cols, sizeof(float), "weights"));
    snprintf(tensor->name, sizeof tensor->name, "%s", name);
    tensor->rows = rows;
    tensor->cols = cols;
    model->tensor_count++;
    return GPR_OK;
}

gpr_status gpri_model_take(gpr_ctx *ctx, gpr_model **out, const gpri_net *net, const gpri_real *values,
                           const gpr_params *params, int64_t features, int64_t classes) {
    gpr_status status = GPR_OK;
    gpri_real *host = NULL;
    TRY(gpri_calloc(ctx, out, 1, sizeof **out, "model"));
    gpr_model *model = *out;
    model->ctx = ctx;
    model->features = features;
    model->classes = classes;
    TRY(gpri_params_copy(ctx, &model->params, params));
    TRY(gpri_alloc(ctx, &host, net->weight_total, sizeof *host, "weights"));
    net->device->get(net->device, host, values, net->weight_total * (int64_t)sizeof *host);
    for (int i = 0; i < net->weight_count; i++) {
        const gpri_weight *weight = &net->weights[i];
        gpri_tensor *tensor;
        TRY(gpri_model_add_tensor(&tensor, model, weight->name, weight->rows, weight->cols));
        for (int64_t r = 0; r < weight->rows; r++)
            for (int64_t c = 0; c < weight->cols; c++)
                tensor->values[r * weight->cols + c] = (float)host[weight->offset + r * weight->width + c];
    }
done:
    gpri_free(ctx, host);
    if (status != GPR_OK) {
        gpr_model_free(*out);
        *out = NULL;
    }
    return status;
}

const gpri_tensor *gpri_model_tensor(const gpr_model *model, const char *name) {
    const gpri_tensor *found = NULL;
    for (int t = 0; t < model->tensor_count; t++)
        if (strcmp(model->tensors[t].name, name) == 0) found = &model->tensors[t];
    return found;
}

/* The model's tensor for a weight; fails if it has none, or one of another shape. */
static gpr_status find_tensor(const gpri_tensor **out, const gpr_model *model, const gpri_weight *weight) {
    const gpri_tensor *tensor = gpri_model_tensor(model, weight->name);
    if (!tensor) return gpri_fail(GPR_ERROR_FORMAT, "the model lacks the weight %s", weight->name);
    if (tensor->rows != weight->rows || tensor->cols != weight->cols)
        return gpri_fail(GPR_ERROR_MISMATCH, "weight %s is %lld x %lld: its options ask for %lld x %lld", weight->name,
                         (long long)tensor->rows, (long long)tensor->cols, (long long)weight->rows,
                         (long long)weight->cols);
    *out = tensor;
    return GPR_OK;
}

/* How many numbers the weights are, with their padding, for that many features and classes. */
static gpr_status count_weights(gpr_ctx *ctx, int64_t *out, const gpr_params *params, int64_t features,
                                int64_t classes) {
    gpri_net *net = NULL;
    gpr_status status = shape(ctx, &net, params, features, classes, NULL);
    *out = status == GPR_OK ? net->weight_total : 0;
    gpri_net_free(net);
    return status;
}

/* Features may have billions of columns, and every column costs a row of weights. */

/* Of the weights, while a run is trained: values, gradients, two moments, best values. */
enum { COPIES = 5 };

gpr_status gpri_model_fits(gpr_ctx *ctx, const gpr_params *params, const gpr_dataset *data, int64_t at_once,
                           int64_t runs) {
    int64_t weights;
    char size[GPRI_SIZE_TEXT], most[GPRI_SIZE_TEXT];
    NEED(count_weights(ctx, &weights, params, data->features.cols, gpri_target_scores(&data->target)));
    const double run = COPIES * (double)weights * (double)sizeof(gpri_real); /* as doubles: no product overflows */
    const bool trees = gpri_model_is(params, GPRI_MODEL_FOREST);
    const double needed = (double)at_once * run + (double)runs * (double)weights * sizeof(float) +
                          (trees ? gpri_trees_memory(params, data, at_once) : 0);
    const double allowed = (double)gpri_budget_of(data->memory);
    if (allowed > 0 && needed > allowed)
        return gpri_fail(
            GPR_ERROR_MEMORY,
            "the model has %lld weights for %lld features and %lld classes: training would take %s or more, and "
            "may take %s; use fewer features, a smaller `%s` or fewer `runs`, or give `memory` if the machine has more",
            (long long)weights, (long long)data->features.cols, (long long)data->target.classes,
            gpri_size_text(size, needed), gpri_size_text(most, allowed),
            gpri_param_word(trees ? GPRI_PARAM_MOST_COLUMNS : GPRI_PARAM_HIDDEN));
    return GPR_OK;
}

gpr_status gpri_model_check(const gpr_model *model) {
    const gpri_tensor *tensor = NULL;
    gpri_net *net = NULL; /* not planned: the options may ask for far more than what the model has */
    gpr_status status = shape(model->ctx, &net, model->params, model->features, model->classes, model);
    for (int i = 0; status == GPR_OK && i < net->weight_count; i++) {
        const gpri_weight *weight = &net->weights[i];
        status = find_tensor(&tensor, model, weight);
        for (int64_t c = 0; status == GPR_OK && weight->variances && c < tensor->cols; c++)
            if (tensor->values[(tensor->rows - 1) * tensor->cols + c] < 0)
                status = gpri_fail(GPR_ERROR_FORMAT, "weight %s: the variance of column %lld, counted from 0, is %g",
                                   weight->name, (long long)c,
                                   (double)tensor->values[(tensor->rows - 1) * tensor->cols + c]);
    }
    if (status == GPR_OK && net->weight_count != model->tensor_count)
        status = gpri_fail(GPR_ERROR_MISMATCH, "it has %d weights: its options ask for %d", model->tensor_count,
                           net->weight_count);
    gpri_net_free(net);
    if (status == GPR_OK && gpri_model_is(model->params, GPRI_MODEL_FOREST))
        status = gpri_trees_check(model, gpri_model_tensor(model, GPRI_TREES_SPLIT),
                                  gpri_model_tensor(model, GPRI_TREES_COLUMNS));
    return status;
}

gpr_status gpri_model_put(const gpr_model *model, gpri_net *net) {
    for (int i = 0; i < net->weight_count; i++) {
        gpri_weight *weight = &net->weights[i];
        const gpri_tensor *tensor = NULL;
        gpr_status status = find_tensor(&tensor, model, weight);
        if (status != GPR_OK) return status;
        gpri_weight_put(net, weight, tensor->values);
    }
    return GPR_OK;
}

void gpr_model_free(gpr_model *model) {
    if (!model) return;
    for (int i = 0; i < model->tensor_count; i++) gpri_free(model->ctx, model->tensors[i].values);
    gpri_free(model->ctx, model->tensors);
    gpr_params_free(model->params);
    gpri_free_all(model->ctx, model->dataset, model->known_nodes);
    gpri_past_free(model->past);
    gpri_free_all(model->ctx, model->class_nodes, model->rates);
    gpri_names_free(model->ctx, &model->class_names);
    gpri_names_free(model->ctx, &model->feature_names);
    gpri_plan_free(model->plan);
    gpri_scaling_free(model->ctx, &model->scaling);
    gpri_free(model->ctx, model);
}

const char *gpr_model_name(const gpr_model *model) {
    return model ? gpri_params_text(model->params, GPRI_PARAM_MODEL) : NULL;
}
const gpr_plan *gpr_model_plan(const gpr_model *model) { return model ? model->plan : NULL; }
int64_t gpr_model_features(const gpr_model *model) { return model ? model->features : 0; }
const char *gpr_model_task(const gpr_model *model) {
    return model ? gpri_model_tells_number(model) ? "number" : "classes" : NULL;
}

gpr_status gpri_tells_classes(const gpr_model *model, const char *call) {
    if (!gpri_model_tells_number(model)) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT,
                     "%s: the model tells a number, not classes: leave classes NULL, the numbers are where "
                     "probabilities would be",
                     call);
}

gpr_status gpr_model_unit(const gpr_model *model, double *mean, double *sd) {
    if (!model || !mean || !sd) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_model_unit: a NULL argument");
    if (!gpri_model_tells_number(model))
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_model_unit: the model tells classes, not a number");
    *mean = model->unit.mean;
    *sd = model->unit.scale;
    return gpri_finish(GPR_OK);
}

int64_t gpr_model_classes(const gpr_model *model) { return model ? model->classes : 0; }

const char *gpr_model_class_name(const gpr_model *model, int64_t class_id) {
    return model ? gpri_name(&model->class_names, class_id) : NULL;
}

const char *gpr_model_made_features(const gpr_model *model) { return model && model->made[0] ? model->made : NULL; }

const char *gpr_model_feature_name(const gpr_model *model, int64_t feature) {
    return model ? gpri_name(&model->feature_names, feature) : NULL;
}

const char *gpr_model_fingerprint(const gpr_model *model) {
    return model && model->fingerprint[0] ? model->fingerprint : NULL;
}

gpr_status gpr_model_set_embedding(gpr_model *model, const char *embedding) {
    if (!model || !embedding) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_model_set_embedding: a NULL argument");
    if (!gpri_params_applies(model->params, GPRI_PARAM_EMBEDDING))
        return gpri_fail(GPR_ERROR_ARGUMENT, "the model %s has no option 'embedding'", gpr_model_name(model));
    gpr_status status = gpri_params_set_from(model->params, GPRI_FROM_FLAG, "embedding", embedding);
    if (status == GPR_OK) model->foreign = false; /* the caller has named it */
    return gpri_finish(status);
}

const float *gpr_model_gamma(const gpr_model *model, int64_t *count) {
    if (count) *count = 0;
    for (int i = 0; model && i < model->tensor_count; i++)
        if (strcmp(model->tensors[i].name, GPRI_FILTER_WEIGHT) == 0) {
            if (count) *count = model->tensors[i].cols;
            return model->tensors[i].values;
        }
    return NULL;
}
