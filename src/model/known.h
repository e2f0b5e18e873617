/* Labels that predictions use, as an input (`label-input`) or after the model (`smooth`), and the training nodes as a
 * model remembers them. */
#ifndef GPRI_KNOWN_H
#define GPRI_KNOWN_H

#include "model/model.h"

/* The training nodes of a split as text for the model and its file. part: (nodes). Free with gpri_free. */
gpr_status gpri_known_nodes_text(gpr_ctx *ctx, char **out, const uint8_t *part, int64_t nodes) GPRI_MUST_CHECK;
bool gpri_known_nodes_valid(const char *text);

bool gpri_model_uses_labels(const gpr_model *model);

/* What a net needs to be told about known labels; the recipe borrows from it. Free in any case. */
typedef struct gpri_knowledge {
    int32_t *known;    /* (nodes) labels; -1: not known. NULL: no label is used */
    gpri_real *counts; /* (nodes x padded columns); NULL: they are not counted */
} gpri_knowledge;
/* knowledge->known is there: fills in the recipe by the options, and counts labels where it asks for them. usual: the
   share of nodes that were known in the training (gpri_known_share). */
gpr_status gpri_know(gpr_ctx *ctx, gpri_recipe *recipe, gpri_knowledge *knowledge, const gpr_params *params,
                     const gpri_graph *graph, double usual, int threads) GPRI_MUST_CHECK;
void gpri_knowledge_free(gpr_ctx *ctx, gpri_knowledge *knowledge);
/* Of a stack, after it: knowledge->counts gets the columns of its network behind its own, and the recipe knows. scores:
   (nodes x gpri_stack_columns); NULL: zeros. */
gpr_status gpri_stack_join(gpr_ctx *ctx, gpri_recipe *recipe, gpri_knowledge *knowledge, const gpri_real *scores,
                           int64_t nodes) GPRI_MUST_CHECK;
/* Later: other scores in the same place. all: the columns of the counts with those of the scores. */
void gpri_stack_show(const gpri_knowledge *knowledge, int64_t all, int64_t classes, const gpri_real *scores,
                     int64_t nodes);
/* Of known: (nodes); and of the training of a model. */
double gpri_known_share(const int32_t *known, int64_t nodes);
double gpri_model_known_share(const gpr_model *model);

/* Whether the model was trained on this data: graph and features are equal. Where it remembers nothing, labels must be,
   too. data is ready. */
bool gpri_is_data_of(const gpr_model *model, const gpr_dataset *data);

/* The labels of a prediction. */
typedef struct gpri_labels {
    int32_t *labels; /* (nodes) classes of the model: the data's, or else the model's own of that node in its training;
                        -1: it has none; GPR_UNKNOWN_CLASS: one that the model does not know, and cannot use */
    uint8_t *hidden; /* (nodes) 1: a node of the training that is judged by its label: only nodes without a label see
                        it */
    int64_t nodes;
    bool hides;         /* there are such */
    int64_t remembered; /* nodes whose label is the model's */
    bool by_ids;        /* by the ids of nodes: graph or features are others */
    int64_t others;     /* that have another one in the data */
} gpri_labels;
/* Which nodes of the data are nodes of the training: all, if graph and features are equal; else those with the id of
   one, if both have ids (gpri_ids_tell). data is ready. Free it in any case. */
gpr_status gpri_labels_of(gpr_ctx *ctx, gpri_labels *out, const gpr_model *model,
                          const gpr_dataset *data) GPRI_MUST_CHECK;
/* For a trained model, before gpri_know: knowledge->known is what it may use of them. Does nothing for a model that
   uses none. Free both in any case. */
gpr_status gpri_know_of_model(gpr_ctx *ctx, gpri_knowledge *knowledge, gpri_labels *labels, const gpr_model *model,
                              const gpr_dataset *data, bool every) GPRI_MUST_CHECK;
void gpri_labels_free(gpr_ctx *ctx, gpri_labels *labels);
/* known: (nodes) what the prediction of a node with a label may use; with `every`, that of a node without. -1: not
   known. */
void gpri_labels_known(int32_t *known, const gpri_labels *labels, bool every);
bool gpri_labels_lack(const gpri_labels *labels); /* whether there is a node without a label */

#endif
