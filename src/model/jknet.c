/* JKNet: Z = A~ jump(H_1, H_2) W + b, H_1 and H_2 those of a GCN and jump their sum, with weights for each node from an
   LSTM (Xu et al., ICML 2018). */
#include "model/model.h"

gpri_act *gpri_build_jknet(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    gpri_act *layers[2];
    x = gpri_relu(net, gpri_gcn(net, x, recipe->hidden, "conv1"));
    x = gpri_dropout(net, x, recipe->dropout);
    layers[0] = gpri_fork(net, x);
    x = gpri_relu(net, gpri_gcn(net, x, recipe->hidden, "conv2"));
    layers[1] = gpri_dropout(net, x, recipe->dropout);
    x = gpri_jump(net, layers, 2, recipe->jump_layers * recipe->hidden / 2, "JK");
    return gpri_linear(net, gpri_propagate(net, x, GPRI_MATRIX_GCN), recipe->classes, "lin1");
}
