/* GPR-GNN: Z = sum_k gamma_k A~^k f(X), f the MLP and gamma learned (Chien et al., ICLR 2021, eq. 1). */
#include "model/model.h"

gpri_act *gpri_build_gprgnn(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    x = gpri_build_mlp(net, x, recipe);
    x = gpri_dropout(net, x, recipe->dprate);
    return gpri_gpr(net, x, recipe->hops, recipe->gamma, false, "prop1");
}
