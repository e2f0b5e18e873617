/* Skip-gram with negative sampling (Mikolov et al., 2013) in two dimensions. For a node u of a walk, a node v at most
 * WINDOW steps from u in that walk, and some nodes w drawn from all walks, by frequency:
 *
 *     L = -log s(u . v') - sum_w log s(-u . w'),   s(x) = 1 / (1 + exp -x)
 *
 * with u the place of a node and v' the context vector of a node. Steps run one after another on one thread: each needs
 * the points that the step before has moved. */
#include <math.h>

#include "embed/struc2vec.h"

enum {
    WINDOW = 5,
    OTHERS = 4 /* the words of a block of random numbers */
};

/* One step for a context that was seen (1) or not seen (0) near `at`: moves the context, adds the move of `at` to
   `move`. */
static void take_step(gpri_point *context, gpri_point at, gpri_point *move, double seen, double rate) {
    double off = rate * (seen - 1 / (1 + exp(-(at.x * context->x + at.y * context->y))));
    move->x += off * context->x;
    move->y += off * context->y;
    context->x += off * at.x;
    context->y += off * at.y;
}

void gpri_skipgram_round(gpri_skipgram *model, const int32_t *walks, int64_t count, int64_t length, uint32_t round,
                         double first, double last) {
    gpri_random random = gpri_random_of(0, GPRI_RANDOM_EMBEDDING, round, GPRI_STRUC2VEC_DRAW);
    /* range of a 32-bit random number: walks are in random order, so the first of them are enough */
    const uint64_t all = count * length < UINT32_MAX ? (uint64_t)(count * length) : UINT32_MAX;
    uint64_t pair = 0;
    for (int64_t i = 0; i < count; i++) {
        const int32_t *walk = walks + i * length;
        double rate = first + (last - first) * (double)i / (double)count;
        for (int64_t s = 0; s < length; s++) {
            int64_t begin = s > WINDOW ? s - WINDOW : 0, end = s + WINDOW < length ? s + WINDOW + 1 : length;
            for (int64_t t = begin; t < end; t++) {
                if (t == s) continue;
                philox4x32_ctr_t block = gpri_random_block(random, pair++);
                gpri_point at = model->own[walk[s]], move = {0, 0};
                take_step(&model->context[walk[t]], at, &move, 1, rate);
                for (int o = 0; o < OTHERS; o++) {
                    int32_t other = walks[(uint64_t)block.v[o] * all >> 32];
                    if (other != walk[t]) take_step(&model->context[other], at, &move, 0, rate);
                }
                model->own[walk[s]] = (gpri_point){at.x + move.x, at.y + move.y};
            }
        }
    }
}
