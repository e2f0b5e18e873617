/* Geom-GCN (Pei et al., ICLR 2020), as in its authors' program: one weight for each of the nine divisions of the
 * neighbourhood. Their results are concatenated in the hidden layer, and averaged in the last. No biases. */
#include "model/model.h"

static const char *const weights[GPRI_DIVISIONS] = {"0.weight", "1.weight", "2.weight", "3.weight", "4.weight",
                                                    "5.weight", "6.weight", "7.weight", "8.weight"};

gpri_act *gpri_build_geomgcn(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    const gpri_relations *relations = x->features->relations;
    x = gpri_dropout(net, x, recipe->dropout);
    x = gpri_multiply(net, x, recipe->hidden, GPRI_INIT_GLOROT, "geomgcn1", weights, GPRI_DIVISIONS);
    x = gpri_relu(net, gpri_aggregate(net, x, relations, false));
    x = gpri_dropout(net, x, recipe->dropout);
    x = gpri_multiply(net, x, recipe->classes, GPRI_INIT_GLOROT, "geomgcn2", weights, GPRI_DIVISIONS);
    return gpri_aggregate(net, x, relations, true);
}
