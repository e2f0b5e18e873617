/* Where predictions come from, some nodes at a time: they are made as they are asked for, or all are there. */
#ifndef GPRI_PREDICTOR_H
#define GPRI_PREDICTOR_H

#include "model/filter_first/predict_rows.h"
#include "model/predict/rates.h"
#include "task/outcome.h"

struct gpr_predictor {
    gpr_ctx *ctx;
    const gpr_model *model;
    const gpr_dataset *data;
    int64_t nodes;
    gpri_rates rates; /* of the data, where they were asked for */
    /* of order filter-first: */
    gpri_first *first; /* or NULL */
    char *scratch;     /* or NULL */
    double *sums;      /* (2 x classes) of model/shares.h */
    int64_t counted;   /* nodes, in their order */
    /* of all other models: */
    gpri_outcome outcome;
    const gpri_outcome *made; /* in its place, the caller's; or NULL */
};

/* gpr_predict_with. rates: zeroed; with options->adapt_prior becomes those of the data; to be freed in any case. */
gpr_status gpri_predict(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, const gpri_outcome *out,
                        const gpr_predict_options *options, gpri_rates *rates) GPRI_MUST_CHECK;

/* gpr_predictor_new, whose probabilities nobody may ask for. */
gpr_status gpri_predictor_new(gpr_ctx *ctx, gpr_predictor **out, const gpr_model *model, const gpr_dataset *data,
                              const gpr_predict_options *options, bool with_proba) GPRI_MUST_CHECK;
/* The nodes [first, first + count); or with place, (nodes), the nodes place[first] and so on. Either array of out may
   be NULL. */
gpr_status gpri_predictor_rows(const gpr_predictor *predictor, int64_t first, int64_t count, const int32_t *place,
                               const gpri_outcome *out) GPRI_MUST_CHECK;
/* How many to ask for at a time. */
int64_t gpri_predictor_block(const gpr_predictor *predictor);

#endif
