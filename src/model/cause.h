/* Numbers that left the range of a float: where, and which input is the cause. */
#ifndef GPRI_CAUSE_H
#define GPRI_CAUSE_H

#include "model/model.h"

/* What may be the cause. All of it is the host's. */
typedef struct gpri_suspects {
    const gpr_dataset *data;
    const gpri_features *features; /* as the first layer gets them */
    const int32_t *order;          /* (rows of features) the node of each; NULL: as in data */
    const gpr_params *params;
    const double *gamma;     /* (K + 1) initial weights of the filter, or NULL */
    const gpr_model *model;  /* whose weights were used; NULL in a training */
    int64_t steps;           /* of the training that were done */
    const gpr_ctx *together; /* all its processes ask, and each has the rows that its features say; NULL: it has all */
} gpri_suspects;

enum { GPRI_CAUSES_SIZE = 1024 };
/* The inputs that stand out, the worst first, each with what to do about it; or that none does. */
void gpri_name_causes(char out[GPRI_CAUSES_SIZE], const gpri_suspects *suspects);

/* *node: the first one with a score that is not finite, in the evaluation stream of the last forward pass; -1: none. */
gpr_status gpri_find_not_finite(const gpri_net *net, int64_t *node) GPRI_MUST_CHECK;
/* " (first at node 17)", or "" for node -1. */
enum { GPRI_NODE_SIZE = 128 };
void gpri_name_node(char out[GPRI_NODE_SIZE], const gpr_dataset *data, int64_t node);
/* Fails if there is one; the message names it and the cause. The net has the nodes from `first` on; place: which they
   are; NULL: those. */
gpr_status gpri_check_scores(const gpri_net *net, const gpri_suspects *suspects, int64_t first,
                             const int32_t *place) GPRI_MUST_CHECK;

#endif
