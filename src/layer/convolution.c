/* Convolutions of the baselines. Each multiplies with its weights before it goes over the graph, as M (X W) = (M X) W
 * and X W is mostly the narrower; sparse features stay sparse so. Where M X of the features is cheaper it comes
 * computed beforehand (gpri_features_smooth), and the step is left out. */
#include <math.h>
#include <stdio.h>

#include "layer/net.h"

/* A~ X W + b: Kipf and Welling, 2017. */
gpri_act *gpri_gcn(gpri_net *net, gpri_act *x, int64_t cols, const char *name) {
    static const char *const weight[] = {"lin.weight"};
    x = gpri_multiply(net, x, cols, GPRI_INIT_GLOROT, name, weight, 1);
    if (x->hops == 0) x = gpri_propagate(net, x, GPRI_MATRIX_GCN);
    else gpri_net_skip(net);
    return gpri_bias(net, x, 0, name);
}

/* D^-1 A X W_l + X W_r + b, the mean over neighbours beside the node itself: Hamilton et al., 2017. */
gpri_act *gpri_sage(gpri_net *net, gpri_act *x, int64_t cols, const char *name) {
    static const char *const weights[] = {"lin_l.weight", "lin_r.weight"};
    double bound = 1 / sqrt((double)x->cols);
    char bias[32];
    snprintf(bias, sizeof bias, "%s.lin_l", name);
    x = gpri_multiply(net, x, cols, GPRI_INIT_UNIFORM, name, weights, 2);
    return gpri_bias(net, gpri_propagate(net, x, GPRI_MATRIX_MEAN), bound, bias);
}

/* X W_0 + L^ X W_1 + b, two Chebyshev terms on the scaled Laplacian L^ without self loops: Defferrard et al., 2016. */
gpri_act *gpri_cheby(gpri_net *net, gpri_act *x, int64_t cols, const char *name) {
    static const char *const weights[] = {"lins.1.weight",
                                          "lins.0.weight"}; /* the slice that goes over the graph first */
    x = gpri_multiply(net, x, cols, GPRI_INIT_GLOROT, name, weights, 2);
    return gpri_bias(net, gpri_propagate(net, x, GPRI_MATRIX_CHEBY), 0, name);
}

/* Attention over the neighbours and the node itself, H = X W in heads: Velickovic et al., 2018. */
gpri_act *gpri_gat(gpri_net *net, gpri_act *x, int64_t heads, int64_t cols, bool mean, double slope, double dropout,
                   const char *name) {
    static const char *const weight[] = {"lin.weight"};
    x = gpri_multiply(net, x, heads * cols, GPRI_INIT_GLOROT, name, weight, 1);
    return gpri_bias(net, gpri_attend(net, x, heads, mean, slope, dropout, name), 0, name);
}
