/* Batches of training rows, for `order` filter-first: a small network of its own goes through them, with the weights of
 * the trainer's network. In every epoch the training rows are shuffled anew; a batch is the next `size` of them. */
#ifndef GPRI_BATCHES_H
#define GPRI_BATCHES_H

#include "layer/net.h"
#include "model/model.h"

typedef struct gpri_batches {
    gpr_ctx *ctx;
    gpri_net *net;       /* (size) rows */
    int64_t size, count; /* rows of a batch, the last may have fewer; batches of an epoch */
    int64_t total;       /* training rows */
    int64_t *order;      /* (total) of this epoch */
    uint64_t seed;
    const gpri_features *source; /* where rows come from */
    const int32_t *all_labels;
    const gpri_real *all_numbers; /* or NULL */
    const gpri_real *all_factor;  /* or NULL */
    gpri_features features;      /* (size x ld) the rows of the batch, and so on */
    gpri_graph graph;
    int32_t *labels;
    uint8_t *part;
    gpri_real *numbers, *factor;
    gpri_targets targets;
    double *losses; /* (chunks of the net) */
} gpri_batches;

typedef struct gpri_batches_source {
    const gpr_params *params;
    const gpri_recipe *recipe;
    const gpri_features *features; /* of all rows; these five must outlive the batches */
    const int32_t *labels;
    const gpri_real *numbers; /* or NULL: the target is a class */
    gpri_error_form error;
    const gpri_real *factor; /* or NULL */
    gpri_net *whole;         /* that has the weights */
    const uint8_t *part;
    int64_t rows; /* of all these */
} gpri_batches_source;

gpr_status gpri_batches_new(gpr_ctx *ctx, gpri_batches **out, const gpri_batches_source *from, int64_t size,
                            int threads, uint64_t seed) GPRI_MUST_CHECK;
void gpri_batches_free(gpri_batches *batches); /* NULL is fine */
/* The order of an epoch, which is a function of its number alone. */
void gpri_batches_shuffle(gpri_batches *batches, uint32_t epoch);
/* Copies the rows of a batch to where the net reads them. */
void gpri_batches_fill(gpri_batches *batches, int64_t batch);

#endif
