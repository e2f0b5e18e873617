/* Public datasets: those of the paper, and known faults. */
#ifndef GPRI_PUBLISHED_H
#define GPRI_PUBLISHED_H

#include "data/dataset.h"

/* What a dataset is recognised by, and what there is to say about it. */
typedef struct gpri_published {
    int64_t nodes, edges;
    uint64_t hash;  /* gpri_published_hash */
    bool by_labels; /* the hash covers the labels too */
    bool warning;   /* results suffer from it; else it is worth knowing */
    const char *text;
} gpri_published;

/* A hash of the links and, by_labels, of the labels. It does not depend on the order of nodes, on the numbers of the
   classes, on weights, features and names. The dataset is ready. Three passes over the links. */
gpr_status gpri_published_hash(gpr_ctx *ctx, uint64_t *out, const gpr_dataset *data, bool by_labels) GPRI_MUST_CHECK;

/* Whether the graph is one of the paper's ten, with whatever labels and features. The first says by the sizes alone
   whether it can be; then the dataset must be ready for the second. */
bool gpri_published_perhaps(const gpr_dataset *data);
gpr_status gpri_published_is(gpr_ctx *ctx, bool *out, const gpr_dataset *data) GPRI_MUST_CHECK;

/* The entry number `index`, from 0, of those that fit the data; *out is NULL if there are no more. A dataset of other
   sizes than those of the table costs nothing. table: NULL: the library's; else (count). */
gpr_status gpri_published_find(gpr_ctx *ctx, const gpri_published **out, const gpr_dataset *data, int64_t index,
                               const gpri_published *table, int64_t count) GPRI_MUST_CHECK;

/* Logs the entries that are warnings. */
gpr_status gpri_published_warn(gpr_ctx *ctx, const gpri_listener *listener, const gpr_dataset *data) GPRI_MUST_CHECK;

#endif
