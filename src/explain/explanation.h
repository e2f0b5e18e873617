/* What is found out about the scores of some nodes. */
#ifndef GPRI_EXPLANATION_H
#define GPRI_EXPLANATION_H

#include "base/thread.h"
#include "model/predict/pass.h"
#include "model/trained/trained.h"

/* Before a look into a model: fails where its filter comes first, and says if its outcome is smoothed. */
gpr_status gpri_look_begin(gpr_ctx *ctx, const gpr_model *model) GPRI_MUST_CHECK;
/* The first largest score of a node, as a prediction takes it. besides: a class that does not count, or -1. */
int64_t gpri_look_best(const gpri_pass *pass, int64_t node, int64_t besides);
/* Of softmax, in double. */
double gpri_look_log_probability(const gpri_pass *pass, int64_t node, int64_t class_id);

typedef enum gpri_explained_series {
    GPRI_EXPLAINED_HOPS, /* (K + 1) each */
    GPRI_EXPLAINED_HOPS_LEAD,
    GPRI_EXPLAINED_RINGS,
    GPRI_EXPLAINED_RINGS_LEAD,
    GPRI_EXPLAINED_RING_NODES,
    GPRI_EXPLAINED_SERIES
} gpri_explained_series;

/* One node that is explained. The texts of its parts are its own. */
typedef struct gpri_explained {
    gpr_explanation_info info;
    char *id;
    double *series[GPRI_EXPLAINED_SERIES];
    double *numbers;               /* (filters x 3 x K + 1) gamma, hops, hops_lead of each filter */
    gpr_explained_filter *filters; /* (info.filters) */
    gpr_explained_node *nodes;     /* (info.listed) */
    gpr_explained_column *columns; /* (info.listed_columns) */
} gpri_explained;

struct gpr_explanation {
    gpr_ctx *ctx;
    char *model, *dataset;
    gpri_names class_names;
    int64_t hops;                              /* K */
    double *gamma;                             /* (K + 1), or NULL */
    char (*relations)[GPRI_RELATION_NAME + 1]; /* of the filters */
    int64_t count;
    gpri_explained *explained; /* (count) zeroed until made */
    gpri_lock lock;            /* of json */
    char *json;                /* made on demand */
};

/* Part of gpr_explanation_new: what each relation, direction and hop gave to a node. */
typedef struct gpri_explained_walk {
    gpri_trained filter;
    const double *h;   /* (nodes x classes) what the filter gets */
    int32_t *distance; /* (nodes) of the node that is explained; -1: not reached */
    double *weight[2]; /* (nodes) what the score of the class has of H of each node; and that of the rival */
    double *theta[2];  /* (K + 1) of both, and sums by k */
    double *sums[2];
} gpri_explained_walk;
gpr_status gpri_explain_walk(gpri_explained *out, gpr_explanation *from, gpri_explained_walk *walk,
                             const gpri_pass *pass) GPRI_MUST_CHECK;
/* The columns of one node, and where it has blocks its hops (gpri_explain_blocks). The pass has run; afterwards it must
   run again. */
gpr_status gpri_explain_columns(gpr_ctx *ctx, gpri_explained *out, gpri_pass *pass, int64_t top) GPRI_MUST_CHECK;
/* The same of trees; the pass stays as it is. */
gpr_status gpri_explain_trees(gpr_ctx *ctx, gpri_explained *out, const gpri_pass *pass, int64_t top) GPRI_MUST_CHECK;
/* The same of a model with blocks: room for what each relation, direction and hop of a block gives; and these numbers,
   after a backward pass from the score of the class, and then from that of the rival. */
gpr_status gpri_explain_blocks_new(gpri_explained *out, gpr_explanation *from, const gpr_model *model) GPRI_MUST_CHECK;
gpr_status gpri_explain_blocks(gpri_explained *out, const gpri_pass *pass, bool rival) GPRI_MUST_CHECK;
/* Gradient times input of all nodes, after a backward pass: calls fn(arg, node, feature, gradient x input) for every
   feature that is not 0, of the nodes [first, end). */
typedef void (*gpri_input_fn)(void *arg, int64_t node, int64_t feature, double input, double gradient);
gpr_status gpri_each_input(gpr_ctx *ctx, const gpri_pass *pass, int64_t first, int64_t end, gpri_input_fn fn,
                           void *arg) GPRI_MUST_CHECK;

#endif
