/* What a training makes of the data before its first run: an order, scaled features, splits. It is made once, and lent
 * to every training that needs the same: the candidates of a choice, all runs with the chosen one, the refit. What a
 * model adds to the features (directed edges, columns of trees) is made for that model. */
#ifndef GPRI_PREPARATION_H
#define GPRI_PREPARATION_H

#include "base/params.h"
#include "base/thread.h"
#include "data/feature_matrix.h"
#include "data/order/reorder.h"
#include "dist/all.h"
#include "model/past/past.h"
#include "tensor/features.h"
#include "train/filter_first/labelled.h"

/* What a process has of the data in a training of several. */
typedef struct gpri_dealt {
    gpri_spread spread;
    gpri_range rows; /* of the features, that it needs */
    bool part;       /* others have the others */
} gpri_dealt;

typedef struct gpri_preparation {
    gpr_ctx *ctx;
    const gpr_dataset *data; /* borrowed */
    gpr_params *params;      /* that the rest is of; NULL: nothing is made */
    gpri_dealt dealt;        /* the same */
    gpr_split **splits;      /* (runs) by their numbers; NULL: it is not made yet */
    int64_t runs;
    bool made;            /* what follows but `past`, and what is for one model: */
    bool features_made;   /* features, or rows, and inputs_hash */
    bool plain;           /* the features are for any model that adds nothing to them */
    gpri_past *past;      /* what models that use labels remember, made for the first */
    int32_t *order;       /* (nodes) that it is trained in, by the option `reorder`; NULL: that of the data */
    gpr_dataset *ordered; /* the data in that order, or NULL. Splits, results and models keep the order of the data */
    gpri_features features;
    const char *scale;          /* what was done to them, in words: a constant */
    bool normalize;             /* rows */
    gpri_scaling scaling;       /* columns */
    gpri_feature_matrix scaled; /* the scaled features */
    gpri_labelled *rows;  /* what is trained on with `order` filter-first, in place of data and features; or NULL */
    uint64_t inputs_hash; /* of what files of options may give */
    struct gpri_preparation *network; /* of a stack: what its network is trained on; else NULL */
} gpri_preparation;

/* What is trained on: the data, in the order of the training. */
static inline const gpr_dataset *gpri_prepared_data(const gpri_preparation *from) {
    return from->ordered ? from->ordered : from->data;
}

/* Keeps what suits a training with these options and so many runs, and forgets the rest. params: after `split` is
   settled. */
gpr_status gpri_preparation_suit(gpri_preparation *from, const gpr_params *params, int64_t runs,
                                 gpri_dealt dealt) GPRI_MUST_CHECK;
/* Makes it, if it is not there. All splits are. */
gpr_status gpri_preparation_make(gpri_preparation *from) GPRI_MUST_CHECK;
/* Frees what it has; it can be made anew. */
void gpri_preparation_forget(gpri_preparation *from);

#endif
