/* A product with weights, of the sizes of a model. */
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "machine.h"

product make_product(int64_t rows, int64_t in, int64_t out, uint64_t key) {
    return (product){.rows = rows,
                     .in = in,
                     .out = out,
                     .x = drawn(rows * in, key),
                     .w = drawn(in * out, key + 1),
                     .b = drawn(out, key + 2),
                     .y = zeros(rows * out, sizeof(gpri_real)),
                     .dy = drawn(rows * out, key + 3),
                     .dx = zeros(rows * in + in * out + out, sizeof(gpri_real))};
}

void restore_product(product *p) {
    memset(p->dx + p->rows * p->in, 0, (size_t)(p->in * p->out + p->out) * sizeof *p->dx);
}

void free_product(product *p) { free(p->x), free(p->w), free(p->b), free(p->y), free(p->dy), free(p->dx); }

void product_forward(const product *p, const gpri_ops *ops, int64_t r0, int64_t r1) {
    ops->linear_forward(rows_of(p->y, p->out, p->out, r0, r1), rows_of(p->x, p->in, p->in, r0, r1), p->w, p->b);
}

void product_backward(const product *p, const gpri_ops *ops, int64_t r0, int64_t r1) {
    gpri_real *dw = p->dx + p->rows * p->in;
    ops->linear_backward(rows_of(p->dx, p->in, p->in, r0, r1), dw, dw + p->in * p->out,
                         rows_of(p->dy, p->out, p->out, r0, r1), rows_of(p->x, p->in, p->in, r0, r1), p->w);
}

operation forward_operation(const char *name, void (*run)(setting *, int64_t, int64_t), const product *p) {
    double n = (double)p->rows, in = (double)p->in, out = (double)p->out, bytes = 4 * (n * (in + out) + in * out);
    return (operation){name, run, p->rows, TILE, 2 * n * in * out, bytes, bytes, p->y, p->rows * p->out, TIMED_ALL};
}

operation backward_operation(const char *name, void (*run)(setting *, int64_t, int64_t), const product *p) {
    double n = (double)p->rows, in = (double)p->in, out = (double)p->out;
    double data = 4 * (n * (2 * in + out) + 2 * in * out); /* x, dx, dy, w, dw */
    return (operation){name,
                       run,
                       p->rows,
                       TILE,
                       4 * n * in * out,
                       data + 4 * in * out,
                       data,
                       p->dx,
                       p->rows * p->in + p->in * p->out + p->out,
                       TIMED_ALONE};
}
