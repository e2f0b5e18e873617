/* The graph filter: Z = sum_{k=0}^{K} gamma_k A~^k H  (eq. 1 of the paper), H (rows x C), A~ = S (A + I) S, S = D^-1/2.
 *
 * Forward, by Horner's scheme on scaled vectors U = S Y:   U = gamma_K S H;  U <- S^2 (A + I) U + gamma_k S H for k =
 * K-1 .. 1; and last  Z = S (A + I) U + gamma_0 H.  Both streams lie side by side in a row and go along together.
 *
 * Backward: A~ is symmetric. With B_k = A~^k dZ,  dH = sum_k gamma_k B_k  and  dgamma_k = <H, B_k>.  So no hop of the
 * forward pass is stored: three buffers (front, back, sum) whatever K. Where gamma is fixed, dH is the filter itself,
 * applied to dZ.
 *
 * H may be a product of features that hold the first hops already (gpri_features_smooth): the filter then begins at
 * gamma_hops, and those before it are 0. */
#include <string.h>

#include "base/thread.h"
#include "layer/net.h"

enum { CHUNK = 512 }; /* rows a thread takes at a time; the sums of dgamma are made over them */

typedef struct {
    gpri_layer base;
    gpri_weight *gamma;     /* (1 x all + 1) */
    const double *initial;  /* (all + 1) */
    int64_t all, hops;      /* K; and without those that H already holds */
    const gpri_real *scale; /* (rows) S */
    gpri_real *front;       /* (rows x ld of Z): Z itself */
    gpri_real *back;        /* (rows x ld of Z) */
    gpri_real *sum;         /* (rows x width): dH itself */
    double *dots;           /* a share of dgamma_k for each chunk */
} gpr_layer;

static int64_t chunks_of(const gpri_net *net) { return (net->rows + CHUNK - 1) / CHUNK; }

/* gamma_0 of what is left to do. */
static const gpri_real *gamma_of(const gpr_layer *layer) { return layer->gamma->value + layer->all - layer->hops; }

static gpr_status plan(gpri_layer *base, gpri_net *net) {
    gpr_layer *layer = (gpr_layer *)base;
    gpr_status status = GPR_OK;
    TRY(gpri_net_scale(net, &layer->scale, GPRI_SCALE_LOOPED));
    TRY(gpri_alloc(net->ctx, &layer->back, net->rows * base->out->ld, sizeof(gpri_real), "graph filter"));
    layer->front = base->out->block;
    if (!net->trains) return GPR_OK;
    layer->sum = base->in->gradient;
    TRY(gpri_alloc(net->ctx, &layer->dots, chunks_of(net), sizeof(double), "graph filter"));
done:
    return status;
}

static void release(gpri_layer *base, gpri_net *net) {
    gpr_layer *layer = (gpr_layer *)base;
    gpri_free(net->ctx, layer->back);
    gpri_free(net->ctx, layer->dots);
}

static void reset(gpri_layer *base, gpri_net *net) {
    (void)net;
    gpr_layer *layer = (gpr_layer *)base;
    for (int64_t k = 0; k <= layer->all; k++) layer->gamma->value[k] = (gpri_real)layer->initial[k];
}

/* One step over all rows, dealt out in chunks. */
typedef struct {
    const gpr_layer *layer;
    const gpri_net *net;
    const gpri_real *in, *h; /* at the first column that takes part */
    gpri_real *out;
    int64_t ld, ld_h, ld_in, width; /* ld: of in and out; ld_in: of the first step of the backward pass */
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
        gpri_real factor = step->last ? step->gamma : step->gamma * step->layer->scale[i];
        for (int64_t c = 0; c < step->width; c++) step->out[i * step->ld + c] = factor * step->h[i * step->ld_h + c];
    }
}

static void hop_rows(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const filter_step *step = arg;
    const gpri_net *net = step->net;
    int64_t r0, r1 = step_rows(step, chunk, &r0);
    net->ops->hop(step->out, step->in, step->ld, step->h, step->ld_h, step->gamma, step->last, net->graph,
                  step->layer->scale, step->width, r0, r1);
}

static int64_t hop_work(const gpri_net *net, int64_t width) {
    return (1 + net->graph->arcs / (net->rows ? net->rows : 1)) * (width / 4 + 1);
}

/* The filter of step->h by Horner's scheme, into `result`; `other` is scratch, both with distance step->ld. */
static void apply(filter_step *step, gpri_real *result, gpri_real *other) {
    const gpri_real *gamma = gamma_of(step->layer);
    gpri_real *const buffers[2] = {result, other};
    int64_t K = step->layer->hops;
    step->out = buffers[K % 2]; /* so that the last step writes the result */
    step->gamma = gamma[K];
    step->last = K == 0;
    run(step, first_rows, 4);
    for (int64_t k = K - 1; k >= 0; k--) {
        step->in = step->out;
        step->out = buffers[k % 2];
        step->gamma = gamma[k];
        step->last = k == 0;
        run(step, hop_rows, hop_work(step->net, step->width));
    }
}

static void forward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot) {
    (void)r0, (void)r1, (void)slot;
    gpr_layer *layer = (gpr_layer *)base;
    const gpri_act *h = base->in;
    /* columns that take part: [train | eval], or one of them */
    bool train = gpri_runs_train(net, base), eval = gpri_runs_eval(net, base);
    int64_t start = train || !net->trains ? 0 : h->width;
    filter_step step = {.layer = layer,
                        .net = net,
                        .h = h->block + start,
                        .ld_h = h->ld,
                        .ld = base->out->ld,
                        .width = train && eval ? 2 * h->width : h->width};
    apply(&step, layer->front + start, layer->back + start);
}

/* B_0: out = S dZ, sum = gamma_0 out, and the dot of dgamma_0. out and sum are packed, dZ is not. */
static void backward_first_rows(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const filter_step *step = arg;
    int64_t r0, r1 = step_rows(step, chunk, &r0), width = step->width;
    double dot = 0;
    for (int64_t i = r0; i < r1; i++)
        for (int64_t c = 0; c < width; c++) {
            gpri_real dz = step->in[i * step->ld_in + c], scaled = step->layer->scale[i] * dz;
            step->out[i * width + c] = scaled;
            step->layer->sum[i * width + c] = step->gamma * scaled;
            dot += (double)step->h[i * step->ld_h + c] * dz;
        }
    step->layer->dots[chunk] = dot;
}

static void backward_hop_rows(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const filter_step *step = arg;
    const gpri_net *net = step->net;
    int64_t r0, r1 = step_rows(step, chunk, &r0);
    step->layer->dots[chunk] = net->ops->hop_backward(step->out, step->in, step->layer->sum, step->h, step->ld_h,
                                                      step->gamma, net->graph, step->layer->scale, step->width, r0, r1);
}

/* dH = S^-1 sum. */
static void unscale_rows(void *arg, int64_t chunk, int slot) {
    (void)slot;
    const filter_step *step = arg;
    int64_t r0, r1 = step_rows(step, chunk, &r0), width = step->width;
    for (int64_t i = r0; i < r1; i++) {
        gpri_real factor = 1 / step->layer->scale[i];
        for (int64_t c = 0; c < width; c++) step->layer->sum[i * width + c] *= factor;
    }
}

static void learned_backward(gpr_layer *layer, gpri_net *net) {
    const gpri_act *h = layer->base.in, *z = layer->base.out;
    const gpri_real *gamma = layer->gamma->value;
    filter_step step = {.layer = layer, .net = net, .h = h->train, .ld_h = h->ld, .width = h->width};
    step.in = z->gradient;
    step.ld_in = z->gradient_ld;
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

static void backward(gpri_layer *base, gpri_net *net, int64_t r0, int64_t r1, int slot, int64_t block) {
    (void)r0, (void)r1, (void)slot, (void)block;
    gpr_layer *layer = (gpr_layer *)base;
    const gpri_act *z = base->out;
    if (!layer->gamma->fixed) {
        learned_backward(layer, net);
        return;
    }
    filter_step step = {
        .layer = layer, .net = net, .h = z->gradient, .ld_h = z->gradient_ld, .ld = z->width, .width = z->width};
    apply(&step, layer->sum, layer->back);
}

static const gpri_layer_type type = {.name = "graph filter",
                                     .size = sizeof(gpr_layer),
                                     .whole = true,
                                     .plan = plan,
                                     .forward = forward,
                                     .backward = backward,
                                     .reset = reset,
                                     .release = release};

gpri_act *gpri_gpr(gpri_net *net, gpri_act *x, int64_t hops, const double *gamma, bool fixed, const char *name) {
    gpr_layer *layer = gpri_net_add(net, &type, x, NULL, x->cols);
    if (!layer) return x;
    gpri_act *z = layer->base.out;
    x->whole = x->whole_gradient = z->whole = z->whole_gradient = true;
    layer->all = hops;
    layer->hops = hops - x->hops;
    layer->initial = gamma;
    layer->gamma = gpri_net_weight(net, name, "temp", 1, 1, hops + 1);
    if (!layer->gamma) return z;
    layer->gamma->decay = false;
    layer->gamma->fixed = fixed;
    return z;
}
