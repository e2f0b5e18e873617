/* GCN: Z = A~ drop(relu(A~ X W_1 + b_1)) W_2 + b_2 (Kipf and Welling, ICLR 2017). */
#include "model/model.h"

gpri_act *gpri_build_gcn(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    x = gpri_gcn(net, x, recipe->hidden, "conv1");
    x = gpri_relu(net, x);
    x = gpri_dropout(net, x, recipe->dropout);
    return gpri_gcn(net, x, recipe->classes, "conv2");
}
