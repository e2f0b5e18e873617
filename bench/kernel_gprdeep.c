/* The products of GPR blocks: h and one p_t side by side, by the weights of a block of 128, 256 or 512 columns. */
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "machine.h"

enum { SIZES_OF_BLOCKS = 3, LEAST_HIDDEN = 128 };

typedef struct gprdeep_data {
    product blocks[SIZES_OF_BLOCKS];
} gprdeep_data;

void make_gprdeep(setting *t) {
    t->gprdeep = zeros(1, sizeof *t->gprdeep);
    for (int i = 0; i < SIZES_OF_BLOCKS; i++) {
        const int64_t hidden = LEAST_HIDDEN << i;
        t->gprdeep->blocks[i] = make_product(t->shape->nodes, 2 * hidden, hidden, 80 + 4 * (uint64_t)i);
    }
}

void restore_gprdeep(setting *t) {
    for (int i = 0; i < SIZES_OF_BLOCKS; i++) restore_product(&t->gprdeep->blocks[i]);
}

void free_gprdeep(setting *t) {
    for (int i = 0; i < SIZES_OF_BLOCKS; i++) free_product(&t->gprdeep->blocks[i]);
    free(t->gprdeep);
}

static void forward_128(setting *t, int64_t r0, int64_t r1) { product_forward(&t->gprdeep->blocks[0], t->ops, r0, r1); }
static void forward_256(setting *t, int64_t r0, int64_t r1) { product_forward(&t->gprdeep->blocks[1], t->ops, r0, r1); }
static void forward_512(setting *t, int64_t r0, int64_t r1) { product_forward(&t->gprdeep->blocks[2], t->ops, r0, r1); }
static void back_128(setting *t, int64_t r0, int64_t r1) { product_backward(&t->gprdeep->blocks[0], t->ops, r0, r1); }
static void back_256(setting *t, int64_t r0, int64_t r1) { product_backward(&t->gprdeep->blocks[1], t->ops, r0, r1); }
static void back_512(setting *t, int64_t r0, int64_t r1) { product_backward(&t->gprdeep->blocks[2], t->ops, r0, r1); }

int list_gprdeep(const setting *t, operation *out) {
    const product *blocks = t->gprdeep->blocks;
    const operation list[] = {forward_operation("linear_forward, block of 128", forward_128, &blocks[0]),
                              backward_operation("linear_backward, block of 128", back_128, &blocks[0]),
                              forward_operation("linear_forward, block of 256", forward_256, &blocks[1]),
                              backward_operation("linear_backward, block of 256", back_256, &blocks[1]),
                              forward_operation("linear_forward, block of 512", forward_512, &blocks[2]),
                              backward_operation("linear_backward, block of 512", back_512, &blocks[2])};
    memcpy(out, list, sizeof list);
    return sizeof list / sizeof *list;
}
