/* GAT: Z = attend(drop(H) W_2) + b_2, H = elu(attend(drop(X) W_1) + b_1). The hidden layer concatenates its heads, the
   last layer takes their mean (Velickovic et al., ICLR 2018). */
#include "model/model.h"

gpri_act *gpri_build_gat(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    x = gpri_dropout(net, x, recipe->dropout);
    x = gpri_gat(net, x, recipe->heads, recipe->hidden, false, recipe->slope, recipe->dropout, "conv1");
    x = gpri_elu(net, x);
    x = gpri_dropout(net, x, recipe->dropout);
    return gpri_gat(net, x, recipe->output_heads, recipe->classes, true, recipe->slope, recipe->dropout, "conv2");
}
