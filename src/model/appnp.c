/* APPNP: Z = sum_k gamma_k A~^k f(X), f the MLP and gamma the fixed weights of personalised PageRank (Klicpera et al.,
   ICLR 2019). This equals K times Z <- (1 - alpha) A~ Z + alpha f(X), from Z = f(X). */
#include "model/model.h"

gpri_act *gpri_build_appnp(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    x = gpri_build_mlp(net, x, recipe);
    return gpri_gpr(net, x, recipe->hops, recipe->gamma, true, "prop1");
}
