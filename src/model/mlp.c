/* MLP: Z = f(X), a network of two layers that sees each node alone; the graph is not used. It is GPR-GNN without hops,
   and what GPR-GNN and APPNP filter. The names of the weights are those of the authors' program. */
#include "model/model.h"

gpri_act *gpri_build_mlp(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    x = gpri_dropout(net, x, recipe->dropout);
    x = gpri_linear(net, x, recipe->hidden, "lin1");
    x = gpri_relu(net, x);
    x = gpri_dropout(net, x, recipe->dropout);
    return gpri_linear(net, x, recipe->classes, "lin2");
}
