/* APPNP: Z = sum_k gamma_k A~^k f(X), f the MLP and gamma the weights of personalised PageRank, fixed (Klicpera et al.,
   ICLR 2019): what Z <- (1 - alpha) A~ Z + alpha f(X), K times from Z = f(X), gives. */
#include "model/model.h"

gpri_act *gpri_build_appnp(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    x = gpri_build_mlp(net, x, recipe);
    return gpri_gpr(net, x, recipe->hops, recipe->gamma, true, "prop1");
}
