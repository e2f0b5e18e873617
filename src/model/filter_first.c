/* GPR-GNN with the option order filter-first: Z = f(sum_k gamma_k A~^k X), where the A~^k X are computed once. */
#include <stdio.h>

#include "model/model.h"

gpri_act *gpri_build_filter_first(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    char name[16];
    x = gpri_powers(net, x, recipe->hops, recipe->gamma, "prop1");
    x = gpri_dropout(net, x, recipe->dprate);
    for (int64_t layer = 1;; layer++) {
        snprintf(name, sizeof name, "lin%d", (int)layer);
        if (layer == recipe->layers) return gpri_linear(net, x, recipe->classes, name);
        x = gpri_linear(net, x, recipe->hidden, name);
        x = gpri_relu(net, x);
        x = gpri_dropout(net, x, recipe->dropout);
    }
}
