/* GraphSAGE with the mean of all neighbours: two layers H <- D^-1 A H W_l + H W_r + b, with relu and dropout between
   (Hamilton et al., NeurIPS 2017). */
#include "model/model.h"

gpri_act *gpri_build_sage(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    x = gpri_sage(net, x, recipe->hidden, "conv1");
    x = gpri_relu(net, x);
    x = gpri_dropout(net, x, recipe->dropout);
    return gpri_sage(net, x, recipe->classes, "conv2");
}
