/* SGC: Z = A~^K X W + b (Wu et al., ICML 2019): the filter with a single weight at K, fixed, and no network. */
#include <math.h>

#include "model/model.h"

gpri_act *gpri_build_sgc(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    static const char *const weight[] = {"lin.weight"};
    double bound = 1 / sqrt((double)x->cols);
    x = gpri_multiply(net, x, recipe->classes, GPRI_INIT_UNIFORM, "conv1", weight, 1);
    x = gpri_gpr(net, x, recipe->hops, recipe->gamma, true, "prop1");
    return gpri_bias(net, x, bound, "conv1.lin");
}
