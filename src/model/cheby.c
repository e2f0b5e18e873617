/* GCN-Cheby: two layers H <- H W_0 + L^ H W_1 + b, with relu and dropout between; L^ is the scaled Laplacian without
   self loops (Defferrard et al., NeurIPS 2016, with two Chebyshev terms). */
#include "model/model.h"

gpri_act *gpri_build_cheby(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    x = gpri_cheby(net, x, recipe->hidden, "conv1");
    x = gpri_relu(net, x);
    x = gpri_dropout(net, x, recipe->dropout);
    return gpri_cheby(net, x, recipe->classes, "conv2");
}
