/* GPR-GNN: Z = sum_k gamma_k A~^k f(X), f a network of two layers (Chien et al., ICLR 2021, eq. 1). The names of the
   weights are those of the authors' program. */
#include "model/model.h"

gpri_act *gpri_build_gprgnn(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    x = gpri_dropout(net, x, recipe->dropout);
    x = gpri_linear(net, x, recipe->hidden, "lin1");
    x = gpri_relu(net, x);
    x = gpri_dropout(net, x, recipe->dropout);
    x = gpri_linear(net, x, recipe->classes, "lin2");
    x = gpri_dropout(net, x, recipe->dprate);
    return gpri_gpr(net, x, recipe->hops, recipe->gamma, false, "prop1");
}
