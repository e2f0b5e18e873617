/* The graph filter: Z = sum_{k=0}^{K} gamma_k A~^k H  (eq. 1 of the paper), H (rows x C), A~ = S (A + I) S, S = D^-1/2.
 *
 * Forward, by Horner's scheme on scaled vectors U = S Y:   U = gamma_K S H;  U <- S^2 (A + I) U + gamma_k S H for k =
 * K-1 .. 1; and last  Z = S (A + I) U + gamma_0 H.  Both streams lie side by side in a row and go along together.
 *
 * Backward: A~ is symmetric. With B_k = A~^k dZ,  dH = sum_k gamma_k B_k  and  dgamma_k = <H, B_k>.  So no hop of the
 * forward pass is stored: three buffers (front, back, sum) whatever K. */
#include <string.h>

#include "base/thread.h"
#include "layer/net.h"

enum { CHUNK = 512 }; /* rows a thread takes at a time; the sums of dgamma are made over them */

typedef struct {
    gpri_layer base;
    gpri_weight *gamma;    /* (1 x K + 1) */
    const double *initial; /* (K + 1) */
    int64_t hops;
    gpri_real *front, *back; /* (rows x ld of H) */
    gpri_real *sum;          /* (rows x width): dH */
    double *dots;            /* a share of dgamma_k for each chunk */
} gpr_layer;

static int64_t chunks_of(const gpri_net *net) { return (net->rows + CHUNK - 1) / CHUNK; }

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    gpr_layer *layer = (gpr_layer *)base;
    gpr_status status = GPR_OK;
    int64_t width = base->in->width, ld = net->trains ? 2 * width : width;
    TRY(gpri_alloc(net->ctx, &layer->front, net->rows * ld, sizeof(gpri_real), "graph filter"));
    TRY(gpri_alloc(net->ctx, &layer->back, net->rows * ld, sizeof(gpri_real), "graph filter"));
    base->out->eval = layer->front + ld - width;
    if (!net->trains) return GPR_OK;
    base->out->train = layer->front;
    TRY(gpri_alloc(net->ctx, &layer->sum, net->rows * width, sizeof(gpri_real), "graph filter"));
    TRY(gpri_alloc(net->ctx, &layer->dots, chunks_of(net), sizeof(double), "graph filter"));
    base->in->gradient = layer->sum;
    base->in->gradient_ld = width;
done:
    return status;
}

static void release(gpri_layer *base, gpri_net *net) {
    gpr_layer *layer = (gpr_layer *)base;
    gpri_free(net->ctx, layer->front);
    gpri_free(net->ctx, layer->back);
    gpri_free(net->ctx, layer->sum);
    gpri_free(net->ctx, layer->dots);
}

static void reset(gpri_layer *base, gpri_net *net) {
    (void)net;
    gpr_layer *layer = (gpr_layer *)base;
    for (int64_t k = 0; k <= layer->hops; k++) layer->gamma->value[k] = (gpri_real)layer->initial[k];
}

/* One step over all rows, dealt out in chunks. */
typedef struct {
    const gpr_layer *layer;
    const gpri_net *net;
    const gpri_real *in, *h; /* at the first column that takes part */
    gpri_real *out;
    int64_t ld, ld_in, width; /* ld_in: of the first step of the backward pass */
    gpri_real gamma;
    int last;
} filter_step;

static int64_t step_rows(const filter_step *step, int64_t chunk, int64_t *r0) {
    *r0 = chunk * CHUNK;
    return *r0 + CHUNK < step->net->rows ? *r0 + CHUNK : step->net->rows;
}

static void run(const filter_step *step, gpri_chunk_fn fn, int64_t work_per_row) {
    const gpri_net *net = step->net;
    gpri_parallel(net->ctx, gpri_net_threads(net, net->rows * work_per_row), chunks_of(net), fn, (void *)step);
}

/* out = gamma h, scaled by S unless it is the last step as well (K = 0). */
static void first_rows(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const filter_step *step = arg;
    int64_t r0, r1 = step_rows(step, chunk, &r0);
    for (int64_t i = r0; i < r1; i++) {
        gpri_real factor = step->last ? step->gamma : step->gamma * step->net->scale[i];
        for (int64_t c = 0; c < step->width; c++) step->out[i * step->ld + c] = factor * step->h[i * step->ld + c];
    }
}

static void hop_rows(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const filter_step *step = arg;
    const gpri_net *net = step->net;
    int64_t r0, r1 = step_rows(step, chunk, &r0);
    net->ops->hop(step->out, step->in, step->ld, step->h, step->ld, step->gamma, step->last, net->graph, net->scale,
                  step->width, r0, r1);
}

static int64_t hop_work(const gpri_net *net, int64_t width) {
    return (1 + net->graph->arcs / (net->rows ? net->rows : 1)) * (width / 4 + 1);
}

static void forward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    (void)r0, (void)r1, (void)slot;
    gpr_layer *layer = (gpr_layer *)base;
    const gpri_act *h = base->in;
    /* columns that take part: [train | eval] or eval alone */
    bool both = net->streams == GPRI_BOTH_STREAMS;
    int64_t start = net->streams & GPRI_TRAIN_STREAM || !net->trains ? 0 : h->width;
    const gpri_real *gamma = layer->gamma->value;
    filter_step step = {.layer = layer,
                        .net = net,
                        .h = (net->trains ? h->train : h->eval) + start,
                        .ld = h->ld,
                        .width = both ? 2 * h->width : h->width};
    gpri_real *buffers[2] = {layer->front + start, layer->back + start};
    int64_t K = layer->hops;
    step.out = buffers[K % 2]; /* so that the last step writes front */
    step.gamma = gamma[K];
    step.last = K == 0;
    run(&step, first_rows, 4);
    for (int64_t k = K - 1; k >= 0; k--) {
        step.in = step.out;
        step.out = buffers[k % 2];
        step.gamma = gamma[k];
        step.last = k == 0;
        run(&step, hop_rows, hop_work(net, step.width));
    }
}

/* B_0: out = S dZ, sum = gamma_0 out, and the dot of dgamma_0. out and sum are packed, dZ is not. */
static void backward_first_rows(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const filter_step *step = arg;
    int64_t r0, r1 = step_rows(step, chunk, &r0), width = step->width;
    double dot = 0;
    for (int64_t i = r0; i < r1; i++)
        for (int64_t c = 0; c < width; c++) {
            gpri_real dz = step->in[i * step->ld_in + c], scaled = step->net->scale[i] * dz;
            step->out[i * width + c] = scaled;
            step->layer->sum[i * width + c] = step->gamma * scaled;
            dot += (double)step->h[i * step->ld + c] * dz;
        }
    step->layer->dots[chunk] = dot;
}

static void backward_hop_rows(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const filter_step *step = arg;
    const gpri_net *net = step->net;
    int64_t r0, r1 = step_rows(step, chunk, &r0);
    step->layer->dots[chunk] = net->ops->hop_backward(step->out, step->in, step->layer->sum, step->h, step->ld,
                                                      step->gamma, net->graph, net->scale, step->width, r0, r1);
}

/* dH = S^-1 sum. */
static void unscale_rows(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const filter_step *step = arg;
    int64_t r0, r1 = step_rows(step, chunk, &r0), width = step->width;
    for (int64_t i = r0; i < r1; i++) {
        gpri_real factor = 1 / step->net->scale[i];
        for (int64_t c = 0; c < width; c++) step->layer->sum[i * width + c] *= factor;
    }
}

static void backward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    (void)r0, (void)r1, (void)slot, (void)block;
    gpr_layer *layer = (gpr_layer *)base;
    const gpri_act *h = base->in;
    const gpri_real *gamma = layer->gamma->value;
    filter_step step = {.layer = layer, .net = net, .h = h->train, .ld = h->ld, .width = h->width};
    step.in = base->out->gradient;
    step.ld_in = base->out->gradient_ld;
    step.out = layer->back;
    for (int64_t k = 0; k <= layer->hops; k++) {
        step.gamma = gamma[k];
        if (k == 0) run(&step, backward_first_rows, 8);
        else run(&step, backward_hop_rows, hop_work(net, step.width));
        double dot = 0;
        for (int64_t chunk = 0; chunk < chunks_of(net); chunk++) dot += layer->dots[chunk];
        layer->gamma->gradient[k] = (gpri_real)dot;
        step.in = step.out;
        step.out = step.out == layer->back ? layer->front : layer->back;
    }
    run(&step, unscale_rows, 4);
}

static const gpri_layer_type type = {.name = "graph filter",
                                     .size = sizeof(gpr_layer),
                                     .whole = true,
                                     .plan = plan,
                                     .forward = forward,
                                     .backward = backward,
                                     .reset = reset,
                                     .release = release};

gpri_act *gpri_gpr(gpri_net *net, gpri_act *x, int64_t hops, const double *gamma, const char *name) {
    gpr_layer *layer = gpri_net_add(net, &type, x, NULL, x->cols);
    if (!layer) return x;
    x->whole = layer->base.out->whole = true;
    layer->hops = hops;
    layer->initial = gamma;
    layer->gamma = gpri_net_weight(net, name, "temp", 1, 1, hops + 1, false);
    return layer->base.out;
}
