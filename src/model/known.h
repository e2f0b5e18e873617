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
/* The same for a trained model, from its options and the labels that it may use (gpri_model_known). Does nothing for a
   model that uses none. */
gpr_status gpri_know_of_model(gpr_ctx *ctx, gpri_recipe *recipe, gpri_knowledge *knowledge, const gpr_model *model,
                              const gpr_dataset *data, bool every) GPRI_MUST_CHECK;
void gpri_knowledge_free(gpr_ctx *ctx, gpri_knowledge *knowledge);
/* Of known: (nodes); and of the training of a model. */
double gpri_known_share(const int32_t *known, int64_t nodes);
double gpri_model_known_share(const gpr_model *model);

/* known: (nodes) the labels that the prediction of a node may use, as classes of the model; else -1. On the data of the
   training, nodes with a label are judged by it, so these are the labels of the training nodes alone; with `every`, for
   the nodes without a label, and on any other data they are all labels. *all: whether they are. data is ready. */
gpr_status gpri_model_known(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, bool every, int32_t *known,
                            bool *all) GPRI_MUST_CHECK;

#endif
