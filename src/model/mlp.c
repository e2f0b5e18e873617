/* MLP: Z = f(X), a network of two layers, or of as many as `layers` says, that sees each node alone; the graph is not
   used. It is GPR-GNN without hops, and what GPR-GNN and APPNP filter. The names of the weights are those of the
   authors' program. */
#include <stdio.h>

#include "model/model.h"

gpri_act *gpri_build_mlp(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    char name[16];
    for (int64_t layer = 1;; layer++) {
        snprintf(name, sizeof name, "lin%d", (int)layer);
        x = gpri_dropout(net, x, recipe->dropout);
        if (layer == recipe->layers) return gpri_linear(net, x, recipe->classes, name);
        x = gpri_linear(net, x, recipe->hidden, name);
        x = gpri_relu(net, x);
    }
}
