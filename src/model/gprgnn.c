/* GPR-GNN: Z = sum_k gamma_k A~^k f(X), f the MLP and gamma learned (Chien et al., ICLR 2021, eq. 1). With the option
   order filter-first: Z = f(sum_k gamma_k A~^k X), where the A~^k X are computed once. */
#include "model/model.h"

static gpri_act *filter_first(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    x = gpri_powers(net, x, recipe->hops, recipe->gamma, "prop1");
    x = gpri_dropout(net, x, recipe->dprate);
    x = gpri_linear(net, x, recipe->hidden, "lin1");
    x = gpri_relu(net, x);
    x = gpri_dropout(net, x, recipe->dropout);
    return gpri_linear(net, x, recipe->classes, "lin2");
}

gpri_act *gpri_build_gprgnn(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    if (recipe->filter_first) return filter_first(net, x, recipe);
    x = gpri_build_mlp(net, x, recipe);
    x = gpri_dropout(net, x, recipe->dprate);
    return gpri_gpr(net, x, recipe->hops, recipe->gamma, false, "prop1");
}
