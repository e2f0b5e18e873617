/* Weights of a net: their first values, and their gradients from partial sums. */
#include "layer/net.h"

enum { SOME = 16384 }; /* numbers that are made and put at a time: a copy takes long to begin */

/* Element (i, j) = number(arg, i * cols + j). A weight that has its rows alone goes in pieces of several rows, with
   zeros as padding; of one that shares them, the padding stays as it is. */
void gpri_weight_fill(gpri_net *net, gpri_weight *weight, gpri_number_fn number, void *arg) {
    gpri_real some[SOME];
    int64_t width = weight->width, step = width <= SOME ? SOME / width : 1;
    bool alone = width == gpri_padded(weight->cols) && width <= SOME;
    for (int64_t i = 0; alone && i < weight->rows; i += step) {
        int64_t rows = weight->rows - i < step ? weight->rows - i : step;
        for (int64_t k = 0; k < rows * width; k++)
            some[k] = k % width < weight->cols ? (gpri_real)number(arg, (i + k / width) * weight->cols + k % width) : 0;
        net->device->put(net->device, weight->value + i * width, some, rows * width * (int64_t)sizeof(gpri_real));
    }
    for (int64_t i = 0; !alone && i < weight->rows; i++)
        for (int64_t j = 0; j < weight->cols; j += SOME) {
            int64_t count = weight->cols - j < SOME ? weight->cols - j : SOME;
            for (int64_t k = 0; k < count; k++) some[k] = (gpri_real)number(arg, i * weight->cols + j + k);
            net->device->put(net->device, weight->value + i * weight->width + j, some,
                             count * (int64_t)sizeof(gpri_real));
        }
}

typedef struct {
    gpri_random random;
    int64_t first;
    double bound;
    int64_t last; /* the block that was made last, -1: none; it has two numbers */
    philox4x32_ctr_t block;
} uniform;

static double uniform_number(void *arg, int64_t index) {
    uniform *numbers = arg;
    const int64_t at = numbers->first + index;
    if (at / 2 != numbers->last) {
        numbers->last = at / 2;
        numbers->block = gpri_random_block(numbers->random, (uint64_t)numbers->last);
    }
    return (2 * gpri_block_uniform(numbers->block, (int)(at % 2)) - 1) * numbers->bound;
}

void gpri_weight_uniform(gpri_net *net, gpri_weight *weight, uint32_t layer, int64_t first, double bound) {
    uniform numbers = {
        .random = gpri_random_of(net->seed, GPRI_RANDOM_WEIGHTS, 0, layer), .first = first, .bound = bound, .last = -1};
    gpri_weight_fill(net, weight, uniform_number, &numbers);
}

static double double_number(void *arg, int64_t index) { return (*(const double **)arg)[index]; }
static double float_number(void *arg, int64_t index) { return (double)(*(const float **)arg)[index]; }

void gpri_weight_put_doubles(gpri_net *net, gpri_weight *weight, const double *values) {
    gpri_weight_fill(net, weight, double_number, &values);
}

void gpri_weight_put(gpri_net *net, gpri_weight *weight, const float *values) {
    gpri_weight_fill(net, weight, float_number, &values);
}

void gpri_weight_reduce(gpri_net *net, gpri_weight *weight, const gpri_layer *layer, int64_t first) {
    const bool others = net->walk.share != NULL; /* which have made the sums of the other blocks */
    const gpri_real *partial = layer->partial - (others ? net->walk.rows.block0 * layer->partial_size : 0);
    net->ops->sum_blocks(weight->gradient, partial + first,
                         others ? net->walk.rows.blocks : gpri_own_blocks(&net->walk.rows), layer->partial_size,
                         weight->size);
}
