/* GPR blocks: a deep network whose every block looks over the graph through a filter of its own.
 *
 *     x = relu(dropout(X) W_0 + b_0)
 *     block:  h = norm(x),  p_t = sum_{k=1}^{K} Gamma_{t,k} * S_t^k h  for each relation and direction t
 *             x = x + dropout(relu([h, p_1, p_2, ...] W + b))
 *     Z = norm(x) W + b
 *
 * Gamma_{t,k} has a number for each column of h, or one for all. Known labels, where they are an input, add a row to
 * X W_0. */
#include <stdio.h>

#include "model/model.h"

gpri_act *gpri_build_gprdeep(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    const int64_t slices = 1 + recipe->filter.count;
    char name[16];
    x = gpri_linear(net, gpri_dropout(net, x, recipe->dprate), recipe->hidden, "in");
    x = gpri_begin(net, gpri_relu(net, x));
    for (int64_t block = 1; block <= recipe->layers; block++) {
        snprintf(name, sizeof name, "block%d", (int)block);
        gpri_act *h = gpri_norm(net, x, recipe->norm, false, slices, name);
        h = gpri_hops(net, h, &recipe->filter, name);
        h = gpri_linear(net, h, recipe->hidden, name);
        h = gpri_dropout(net, gpri_relu(net, h), recipe->dropout);
        x = gpri_residual(net, x, h);
    }
    return gpri_linear(net, gpri_norm(net, x, recipe->norm, true, 1, "out"), recipe->classes, "out");
}
