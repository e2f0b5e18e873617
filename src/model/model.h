/* Models: a name, the list of layers, and the trained weights. */
#ifndef GPRI_MODEL_H
#define GPRI_MODEL_H

#include "base/json.h"
#include "base/params.h"
#include "data/describe.h"
#include "data/scale/scaling.h"
#include "layer/forest/forest.h"
#include "model/filter.h"
#include "model/past/past.h"
#include "task/number.h"
#include "walk/spread.h"

/* What a model's list of layers needs to know. */
typedef struct gpri_recipe {
    int64_t classes, hidden, layers, hops, heads, output_heads, jump_layers;
    double dropout, dprate, slope;
    gpri_norm_kind norm;
    bool residual;
    gpri_forest_form trees;    /* for those (gpri_trees_form) */
    bool looks, all_gradients; /* as those of gpri_net */
    const gpri_device *device; /* that its net is for; NULL: the context's */
    /* Filled in by gpri_know (model/known.h): */
    gpri_label_input labels; /* classes 0: labels are no input */
    const gpri_real *counts; /* (nodes x padded columns) of labels (tensor/label_counts.h); NULL: the model has none */
    const double *gamma;     /* initial filter weights; not needed where weights are put in from a model */
    /* Filled in when the net is built: */
    gpri_filter_form filter;
} gpri_recipe;

/* One file per model: adds its layers to the net and returns the output, one column of scores per class. */
#define MODEL(ID, word, ...) gpri_act *gpri_build_##word(gpri_net *net, gpri_act *x, const gpri_recipe *recipe);
#define VARIANT(ID, value, word, ...) MODEL(ID, word, )
#include "base/models.def"

/* What models.def says of each; and the words of all that have a trait: "gprgnn, appnp and sgc". */
typedef enum gpri_model_trait {
    GPRI_MODEL_RELATES = 1,
    GPRI_MODEL_WEIGHS = 2,
    GPRI_MODEL_SHARED = 4,
    GPRI_MODEL_SUM = 8,
    GPRI_MODEL_BY_ROWS = 16,
    GPRI_MODEL_BLOCKS = 32,
    GPRI_MODEL_FOREST = 64
} gpri_model_trait;
enum { GPRI_MODEL_WORDS = 256 };
bool gpri_model_is(const gpr_params *params, gpri_model_trait trait);
/* Whether several processes may share the rows of one net: the model is SHARED, and its filter one matrix with one
   gamma. */
bool gpri_model_shares(const gpr_params *params);
const char *gpri_models_with(char out[GPRI_MODEL_WORDS], gpri_model_trait trait);

/* From the options; gamma, known labels and their counts are left NULL. model: that the net will get the weights of, or
   NULL. */
gpri_recipe gpri_recipe_of(const gpr_params *params, int64_t classes, const gpr_model *model);

/* The rule for the filter's initial weights, as text of the option init: that option for a model that learns them, a
   rule of its own for a model with fixed weights, NULL for a model without a filter. */
const char *gpri_model_filter(const gpr_params *params);
#define GPRI_FILTER_WEIGHT "prop1.temp"     /* the name of (gamma_0 .. gamma_K) among the weights */
#define GPRI_FILTERS_WEIGHT "prop1.filters" /* of gamma of several relations, directions or columns */
/* Whether it may make steps over the graph on the features, before its first layer. */
bool gpri_model_steps_first(const gpr_params *params);
/* Whether the model learns the weights of its filter. */
bool gpri_model_learns_filter(const gpr_params *params);
/* Whether known labels are an input beside the features; whether they are counted, and that is added to the scores. */
bool gpri_model_takes_labels(const gpr_params *params);
bool gpri_model_counts_labels(const gpr_params *params);
/* Initial weights by that rule and the options alpha, K, basis; the seed is for random ones. As many as the filter has
   (layer/filter_form.h): gamma_0 .. gamma_K where it is single. NULL for a model without a filter. *count may be NULL.
 */
gpr_status gpri_gamma_initial(gpr_ctx *ctx, double **out, int64_t *count, const gpr_params *params, int64_t classes,
                              uint64_t seed) GPRI_MUST_CHECK;

/* Some models take steps over the graph before their first layer. If it is cheaper to do this once, here, than in every
   epoch, features becomes A~^steps X. Only sizes decide, so prediction does the same as training. For trees it becomes
   their columns; those of `model`, or where that is NULL, of this data. */
gpr_status gpri_model_prepare(gpr_ctx *ctx, gpri_features *features, const gpr_params *params, const gpri_graph *graph,
                              const gpr_model *model) GPRI_MUST_CHECK;

/* Whether that does nothing, and checks nothing, so that all such models may share their features. */
bool gpri_model_leaves_features(const gpr_params *params);

/* Part of it: the structural neighbourhoods by the option embedding, and the directed arcs of the graph, for a model
   that has them. Fails where the graph lacks relations of the filter. */
gpr_status gpri_model_relate(gpr_ctx *ctx, gpri_features *features, const gpr_params *params,
                             const gpri_graph *graph) GPRI_MUST_CHECK;

/* The net of the model that the options name, planned. features and graph must outlive it. */
gpr_status gpri_model_net(gpr_ctx *ctx, gpri_net **out, const gpr_params *params, const gpri_recipe *recipe,
                          const gpri_graph *graph, const gpri_features *features, int threads, uint64_t seed,
                          bool trains) GPRI_MUST_CHECK;

/* Before a training prepares anything: do its weights fit the budget of memory that the data was read with? at_once:
   runs that are trained at the same time, of `runs`. */
gpr_status gpri_model_fits(gpr_ctx *ctx, const gpr_params *params, const gpr_dataset *data, int64_t at_once,
                           int64_t runs) GPRI_MUST_CHECK;

typedef struct gpri_tensor {
    char name[32];
    int64_t rows, cols; /* rows 1: a vector */
    float *values;      /* (rows x cols) */
} gpri_tensor;

/* What known labels are worth: a measure of the validation nodes. */
typedef struct gpri_worth {
    char measure[32];     /* "": it was not measured */
    double with, without; /* the labels of the training nodes */
} gpri_worth;

/* ---- trees (model/trees.c), of a stack too ---- */

#define GPRI_TREES_SPLIT "trees.split" /* the names of three of their weights */
#define GPRI_TREES_GAIN "trees.gain"
#define GPRI_TREES_COLUMNS "trees.columns"

/* (*out) their columns of features. columns: the weight of a model, or NULL: which ones is found out. */
gpr_status gpri_trees_columns(gpr_ctx *ctx, gpri_features *out, const gpri_features *features, const gpr_params *params,
                              const gpri_graph *graph, const gpri_tensor *columns) GPRI_MUST_CHECK;
gpri_tree_plan gpri_trees_plan(const gpr_params *params, int64_t features);
/* Bytes that the columns of a training take, beside the data. */
double gpri_trees_memory(const gpr_params *params, const gpr_dataset *data, int64_t at_once);
/* Of a model from elsewhere whose weights have the right shapes: whether its trees may be walked. */
gpr_status gpri_trees_check(const gpr_model *model, const gpri_tensor *split, const gpri_tensor *kept) GPRI_MUST_CHECK;
/* The recipe's form: its plan is that of no features, and counts are left NULL. split: the weight of a model, as a
   refit has fewer rounds than the options say; or NULL. */
gpri_forest_form gpri_trees_form(const gpr_params *params, int64_t classes, const gpri_tensor *split);

/* ---- a stack: trees that also see the scores of a network, which is a model inside it (model/trees.c) ----
   Its weights are those of the trees and, as "network.NAME", those of the network. In a training the trees see scores
   that are out of fold (train/stack.h); in a prediction those of the network that learned from all training nodes. */

#define GPRI_STACK_PREFIX "network"

/* The options of the network: gprgnn with those of the stack that it has too, but with its own learning rate, penalty,
   patience and epochs: as many times its default as the stack has epochs times its. Free with gpr_params_free. */
gpr_status gpri_stack_params(gpr_ctx *ctx, gpr_params **out, const gpr_params *params) GPRI_MUST_CHECK;
/* Columns that its scores are: the logarithms of its probabilities; of two classes, how much the second has more. 0:
   the model is no stack. */
int64_t gpri_stack_columns(const gpr_params *params, int64_t classes);
/* Of scores z: (classes). to: (columns). */
void gpri_stack_score(gpri_real *to, const gpri_real *z, int64_t classes);
enum { GPRI_RATES_ROWS = 4 }; /* trained, weighted, behind, mean of model/predict/rates.h */

struct gpr_model {
    gpr_ctx *ctx;
    gpr_params *params; /* as trained */
    bool foreign;       /* params come from a file: a prediction opens nothing that they name */
    int64_t features, classes;
    bool normalize;                          /* rows of the features are divided by their sums */
    char *dataset;                           /* what it was trained on */
    char fingerprint[GPRI_FINGERPRINT_SIZE]; /* of that data; "" if the file is too old to have it */
    uint64_t split_hash;
    char *known_nodes;        /* the training nodes (model/known.h), where predictions use their labels; else NULL */
    gpri_past *past;          /* with it: what it remembers of that data; NULL: the file is too old to have it */
    gpri_worth worth;         /* with it, too */
    gpri_unit unit;           /* of a target that is a number; scale 0: it is a class */
    float *class_nodes;       /* (classes) nodes of that data with each label; NULL: an old file */
    float *rates;             /* (GPRI_RATES_ROWS x classes) shares of the classes in the training, and what its
                                 probabilities say of them (model/predict/rates.h); NULL: an old file */
    gpri_names class_names;   /* (classes), or none: numbers */
    gpri_names feature_names; /* (features), or none: numbers */
    char made[32]; /* the kind of the features if they were made from the graph (data/made_features.h); or "" */
    char made_from[GPRI_FINGERPRINT_SIZE]; /* with it: the fingerprint of that graph */
    gpri_scaling scaling;                  /* of the columns of the features; none: they stay as they are */
    gpri_plan *plan;    /* of the columns of the table that it was trained on; NULL: none, or an old file */
    double temperature; /* that scores are divided by before they become probabilities; 0: none */
    int64_t refit_epochs, refit_nodes; /* it was trained once more, so long and on so many nodes; 0: it was not */
    gpri_smoothing smoothing;          /* of its outcome over the graph; zeroed: none */
    int tensor_count;
    int64_t tensor_room;
    gpri_tensor *tensors; /* (tensor_count) */
};

/* That its scores are multiplied by before they become probabilities (task/link.h). */
static inline double gpri_model_scale(const gpr_model *model) {
    return model->temperature > 0 ? 1 / model->temperature : 1;
}

/* Whether it tells a number, not a class. */
static inline bool gpri_model_tells_number(const gpr_model *model) { return model->unit.scale > 0; }

/* Fails where it does, as the caller of that function wants classes. */
gpr_status gpri_tells_classes(const gpr_model *model, const char *call) GPRI_MUST_CHECK;

/* Whether an option belongs to the model: the model has it, and it is not about how the model was computed. */
bool gpri_model_has_param(const gpr_model *model, gpri_param id);
/* Room for one more tensor of that shape, whose values are the caller's to set. */
gpr_status gpri_model_add_tensor(gpri_tensor **out, gpr_model *model, const char *name, int64_t rows,
                                 int64_t cols) GPRI_MUST_CHECK;
/* NULL: it has none of that name. */
const gpri_tensor *gpri_model_tensor(const gpr_model *model, const char *name);
/* 2: a matrix, even with one row; 1: a vector. */
int gpri_tensor_axes(const gpri_tensor *tensor);

/* A model with the weights of the net: `values` is laid out as net->values, in the device's
   memory. */
gpr_status gpri_model_take(gpr_ctx *ctx, gpr_model **out, const gpri_net *net, const gpri_real *values,
                           const gpr_params *params, int64_t features, int64_t classes) GPRI_MUST_CHECK;
/* A complete copy. */
gpr_status gpri_model_clone(gpr_ctx *ctx, gpr_model **out, const gpr_model *from) GPRI_MUST_CHECK;
/* Of its weights. */
uint32_t gpri_model_checksum(const gpr_model *model);
/* Checks that the weights are those that the options ask for: number, names and shapes. */
gpr_status gpri_model_check(const gpr_model *model) GPRI_MUST_CHECK;
/* Copies the model's weights into a net; the error names the first weight that differs in name or shape. */
gpr_status gpri_model_put(const gpr_model *model, gpri_net *net) GPRI_MUST_CHECK;

#endif
