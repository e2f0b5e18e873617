/* GPR blocks: a deep network whose every block looks over the graph through a filter of its own.
 *
 *     x = relu(dropout(X) W_0 + b_0)
 *     block:  h = norm(x),  p_t = sum_{k=1}^{K} Gamma_{t,k} * S_t^k h  for each relation and direction t
 *             x = x + dropout(relu([h, p_1, p_2, ...] W + b))
 *     Z = norm(x) W + b
 *
 * Gamma_{t,k} has a number for each column of h, or one for all. Known labels, where they are an input, add a row to
 * X W_0. Without residuals nothing passes a block but what the block makes of it, and dropout reaches all of it. The
 * norm comes before the dropout, and the bias after the norm, which takes away what is the same for all nodes:
 *
 *     x = dropout(relu(dropout(X) W_0 + b_0))
 *     block:  p_t of x,  x = dropout(relu(norm([x, p_1, p_2, ...] W) + b)) */
#include <math.h>
#include <stdio.h>

#include "model/model.h"

static gpri_act *with_residual(gpri_net *net, gpri_act *x, const gpri_recipe *recipe, const char *name) {
    gpri_act *h = gpri_norm(net, x, recipe->norm, false, 1 + recipe->filter.count, name);
    h = gpri_hops(net, h, &recipe->filter, name);
    h = gpri_linear(net, h, recipe->hidden, name);
    h = gpri_dropout(net, gpri_relu(net, h), recipe->dropout);
    return gpri_residual(net, x, h);
}

/* ReLU works in place, and a norm needs what it gave: there is a copy between them. */
static gpri_act *without_residual(gpri_net *net, gpri_act *x, const gpri_recipe *recipe, const char *name) {
    const int64_t slices = 1 + recipe->filter.count;
    gpri_act *h = gpri_hops(net, gpri_norm(net, x, GPRI_NO_NORM, true, slices, name), &recipe->filter, name);
    h = gpri_multiply(net, h, recipe->hidden, GPRI_INIT_UNIFORM, name, NULL, 1);
    h = gpri_begin(net, gpri_norm(net, h, recipe->norm, true, 1, name));
    h = gpri_bias(net, h, 1 / sqrt((double)(slices * recipe->hidden)), name);
    return gpri_dropout(net, gpri_relu(net, h), recipe->dropout);
}

gpri_act *gpri_build_gprdeep(gpri_net *net, gpri_act *x, const gpri_recipe *recipe) {
    char name[16];
    x = gpri_relu(net, gpri_linear(net, gpri_dropout(net, x, recipe->dprate), recipe->hidden, "in"));
    if (!recipe->residual) x = gpri_dropout(net, x, recipe->dropout);
    x = gpri_begin(net, x);
    for (int64_t block = 1; block <= recipe->layers; block++) {
        snprintf(name, sizeof name, "block%d", (int)block);
        x = recipe->residual ? with_residual(net, x, recipe, name) : without_residual(net, x, recipe, name);
    }
    return gpri_linear(net, gpri_norm(net, x, recipe->norm, true, 1, "out"), recipe->classes, "out");
}
