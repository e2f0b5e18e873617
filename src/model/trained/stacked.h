/* The network inside a stack as a model of its own, and its weights among those of the stack. */
#ifndef GPRI_STACKED_H
#define GPRI_STACKED_H

#include "model/model.h"

/* The network of a stack; it smooths nothing and has no temperature. */
gpr_status gpri_stack_network(gpr_ctx *ctx, gpr_model **out, const gpr_model *stack) GPRI_MUST_CHECK;
/* The other way: the network's weights into those of the stack's net. */
gpr_status gpri_stack_put(gpri_net *net, const gpr_model *network) GPRI_MUST_CHECK;

#endif
