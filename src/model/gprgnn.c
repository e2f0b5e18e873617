/* GPR-GNN: Z = sum_k gamma_k A~^k f(X), f the MLP and gamma learned (Chien et al., ICLR 2021, eq. 1). Beyond the paper
   the filter may be one over several relations and directions, in another basis, with gamma for each class. */
#include "model/model.h"

gpri_act *gpri_build_gprgnn(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    x = gpri_build_mlp(net, x, recipe);
    x = gpri_dropout(net, x, recipe->dprate);
    return gpri_filters(net, x, &recipe->filter, recipe->gamma, false, "prop1");
}
