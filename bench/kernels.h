/* What bench/kernels.c times: the data of a training step on some graph, and the operations on it. */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include "tensor/ops.h"

/* HIDDEN: of gprgnn; TILE .. MASK_GROUPS: how much the program passes at a time. */
enum { HIDDEN = 64, TILE = 64, HOP_ROWS = 512, WEIGHT_ROWS = 128, MASK_GROUPS = 1024, MOST_OPERATIONS = 64 };

typedef struct {
    const char *name, *title;
    int64_t nodes, edges, cols, nnz, classes; /* nnz 0: dense features */
} graph_shape;

typedef struct {
    const graph_shape *shape;
    const gpri_ops *ops;
    gpri_graph graph;
    gpri_features x;
    int64_t width; /* padded classes */
    uint32_t drop_step;     /* 0 */
    gpri_mask mask, mask7;  /* of dropout 1/2 and 0.7 */
    gpri_dropout_rate rate; /* 1/2 */
    gpri_random stream;
    uint64_t *keep;
    gpri_real *w1, *b1, *dw1, *first, *second; /* (cols x HIDDEN), b1 (HIDDEN) */
    gpri_real *hidden;                         /* (2 x nodes x HIDDEN): train, then eval */
    gpri_real *dy, *dx;                        /* (nodes x HIDDEN); dw2 and db2 follow dx */
    gpri_real *w2, *b2, *dw2;                  /* (HIDDEN x width), b2 (width) */
    gpri_real *z, *in, *out;                   /* (nodes x 2 width) */
    gpri_real *packed_in, *packed_out, *sum;   /* (nodes x width) */
    gpri_real *s, *squared;                    /* (nodes) D^-1/2, D^-1 */
    int32_t *labels;
    uint8_t *part;
    double sink;
    struct gat_data *gat;
    struct jknet_data *jknet;
    struct geomgcn_data *geomgcn;
    struct gprdeep_data *gprdeep;
} setting;

/* Rows [r0, r1) of a block of numbers: `width` columns with distance ld. */
static inline gpri_matrix rows_of(const gpri_real *block, int64_t ld, int64_t width, int64_t r0, int64_t r1) {
    return (gpri_matrix){(gpri_real *)(uintptr_t)block + r0 * ld, r1 - r0, width, width, ld};
}

typedef enum {
    TIMED_ALL = 0,
    TIMED_ALONE,      /* adds up over the rows: one thread */
    TIMED_ONE_FOR_ALL /* one for all tables */
} timed;

typedef struct {
    const char *name;
    void (*run)(setting *t, int64_t from, int64_t to);
    int64_t extent, step;      /* rows, columns or groups; how many the program passes at a time */
    double flops, bytes, data; /* bytes: read and written; data: held */
    const gpri_real *output;   /* checked against ref */
    int64_t count;
    timed how;
} operation;

/* ---- kernel_setting.c. Data is random; the same key gives the same numbers. Failures end the program. ---- */

gpri_real *filled(gpri_real *block, int64_t count, uint64_t key);
gpri_real *drawn(int64_t count, uint64_t key);
int64_t drawn_below(int64_t limit, uint64_t key, int64_t index);
void must(gpr_status status);
void make_random_graph(gpr_ctx *ctx, gpri_graph *graph, const graph_shape *shape, uint64_t key);
void make_setting(gpr_ctx *ctx, setting *t, const graph_shape *shape);
/* Restores what operations write. */
void restore(setting *t);
void free_setting(gpr_ctx *ctx, setting *t);

/* ---- The operations of a model, each in its file; they return how many they wrote to `out`. ---- */

int list_gprgnn(const setting *t, operation *out);

void make_gat(gpr_ctx *ctx, setting *t);
void restore_gat(setting *t);
void free_gat(gpr_ctx *ctx, setting *t);
int list_gat(const setting *t, operation *out);

void make_jknet(setting *t);
void restore_jknet(setting *t);
void free_jknet(setting *t);
int list_jknet(const setting *t, operation *out);

void make_geomgcn(gpr_ctx *ctx, setting *t);
void restore_geomgcn(setting *t);
void free_geomgcn(gpr_ctx *ctx, setting *t);
int list_geomgcn(const setting *t, operation *out);

void make_gprdeep(setting *t);
void restore_gprdeep(setting *t);
void free_gprdeep(setting *t);
int list_gprdeep(const setting *t, operation *out);

/* ---- kernel_products.c: a product with weights, of the sizes of a model. ---- */

typedef struct {
    int64_t rows, in, out;
    gpri_real *x, *w, *b, *y, *dy; /* (rows x in), (in x out), (out), (rows x out) */
    gpri_real *dx;                 /* (rows x in), then dw and db */
} product;

product make_product(int64_t rows, int64_t in, int64_t out, uint64_t key);
void restore_product(product *p);
void free_product(product *p);
void product_forward(const product *p, const gpri_ops *ops, int64_t r0, int64_t r1);
void product_backward(const product *p, const gpri_ops *ops, int64_t r0, int64_t r1);
operation forward_operation(const char *name, void (*run)(setting *, int64_t, int64_t), const product *p);
operation backward_operation(const char *name, void (*run)(setting *, int64_t, int64_t), const product *p);

#endif
