/* Base rates: how frequent the classes are in the data that a model predicts, against its training. Where they differ,
 * and the nodes of a class look as they did, the probabilities are wrong by a factor for each class. Saerens, Latinne
 * and Decaestecker (2002), "Adjusting the outputs of a classifier to new a priori probabilities", find the new rates by
 * EM from the probabilities alone; labels are not looked at. */
#ifndef GPRI_RATES_H
#define GPRI_RATES_H

#include "model/model.h"
#include "task/outcome.h"

typedef struct gpri_rates {
    gpr_ctx *ctx;
    int64_t classes, nodes; /* nodes that the estimate is from */
    double *trained;        /* (classes) shares of the training nodes */
    double *weighted;       /* (classes) the same by the weights of nodes and classes */
    double *behind;         /* (classes) the mean of the probabilities of nodes with those shares */
    double *mean;           /* (classes) and of nodes with the shares of the training */
    double *found;          /* (classes) of the new data */
    double *factor;         /* (classes) of the probabilities */
} gpri_rates;

enum { GPRI_RATES_FEWEST = 30, GPRI_RATES_MOST = 100000 }; /* nodes for an estimate; of more, some evenly spaced */

/* Those of the training; found are the same. GPR_ERROR_ARGUMENT: the model's file is too old to tell them. Free it in
   any case. */
gpr_status gpri_rates_new(gpr_ctx *ctx, gpri_rates *out, const gpr_model *model) GPRI_MUST_CHECK;
void gpri_rates_free(gpri_rates *rates);

/* Which nodes count: those whose label the model is not told, as long as these are GPRI_RATES_FEWEST; else all. known:
   (nodes) labels that it is told, below 0: not; or NULL. *out: (nodes) 1: it counts; or NULL: all do. Free it with
   gpri_free. data is ready. */
gpr_status gpri_rates_nodes(gpr_ctx *ctx, uint8_t **out, const gpr_model *model, const gpr_dataset *data,
                            const int32_t *known) GPRI_MUST_CHECK;

/* Of `nodes` nodes of which `count` count (counted: as above), the place of a node in the sample; -1: it is not in it.
   Ask for all nodes in their order. */
typedef struct gpri_rates_sample {
    const uint8_t *counted;
    int64_t nodes, count, at, taken;
} gpri_rates_sample;
gpri_rates_sample gpri_rates_sample_of(const uint8_t *counted, int64_t nodes);
int64_t gpri_rates_sample_size(const gpri_rates_sample *sample);
int64_t gpri_rates_take(gpri_rates_sample *sample, int64_t node);

/* The rates of nodes with these probabilities: (nodes x classes), and the log says them. Fewer than GPRI_RATES_FEWEST
   are a warning, and the rates stay as they are. */
void gpri_rates_find(gpri_rates *rates, const float *proba, int64_t nodes, const gpr_model *model,
                     const gpr_dataset *data);

/* Corrects rows of an outcome with probabilities: these, classes, and the scores. */
void gpri_rates_adapt(const gpri_rates *rates, const gpr_model *model, const gpri_outcome *rows, int64_t count);

#endif
