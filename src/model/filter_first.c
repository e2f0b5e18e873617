/* GPR-GNN with the option order filter-first: Z = f(sum_k gamma_k A~^k X), where the A~^k X are computed once. */
#include "model/model.h"

gpri_act *gpri_build_filter_first(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    x = gpri_powers(net, x, recipe->hops, recipe->gamma, "prop1");
    x = gpri_dropout(net, x, recipe->dprate);
    x = gpri_linear(net, x, recipe->hidden, "lin1");
    x = gpri_relu(net, x);
    x = gpri_dropout(net, x, recipe->dropout);
    return gpri_linear(net, x, recipe->classes, "lin2");
}
