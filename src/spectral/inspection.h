/* What is found out about a trained model: its filter, the spectrum of a graph, how over-smoothed its scores are. */
#ifndef GPRI_INSPECTION_H
#define GPRI_INSPECTION_H

#include "base/thread.h"
#include "data/describe.h"
#include "data/split.h"
#include "model/predict/pass.h"
#include "model/trained/trained.h"
#include "model/trained/tree_names.h"
#include "spectral/density.h"
#include "spectral/spectrum.h"

enum { GPRI_INSPECT_POINTS = 201, GPRI_INSPECT_BINS = 80 };

/* One line of numbers, by its name in the JSON. */
typedef struct gpri_series {
    const char *name;
    double *values; /* (count), or NULL: not known */
    int64_t count;
} gpri_series;

typedef enum gpri_series_id {
    GPRI_SERIES_GAMMA,        /* (K + 1) of the model */
    GPRI_SERIES_GAMMA_MEAN,   /* (K + 1) over the runs */
    GPRI_SERIES_GAMMA_CI95,   /* (K + 1) half width of its 95 % confidence interval */
    GPRI_SERIES_LAMBDA,       /* (points) -1 .. 1 */
    GPRI_SERIES_RESPONSE,     /* (points) g(lambda) of gamma */
    GPRI_SERIES_EIGENVALUES,  /* (nodes) the largest first, where all are known */
    GPRI_SERIES_DENSITY,      /* (bins) */
    GPRI_SERIES_NORM,         /* (K + 1) |H^(k)|, Frobenius */
    GPRI_SERIES_DISTANCE,     /* (K + 1) |H^(k) - limit| */
    GPRI_SERIES_CONTRIBUTION, /* (K + 1) |gamma_k H^(k)| */
    GPRI_SERIES_GRADIENT,     /* (K + 1) dL/dgamma_k */
    GPRI_SERIES
} gpri_series_id;

/* What a relation has of the filter, or of that of a block, in one direction. */
typedef struct gpri_inspected_filter {
    gpr_inspected_filter info; /* its texts and numbers are the inspection's */
    char relation[GPRI_RELATION_NAME + 1];
    double *numbers; /* gamma; and what follows: */
    double *response, *contribution, *quartiles, *weights;
} gpri_inspected_filter;

/* A column that trees ask about, and its name. */
typedef struct gpri_inspected_column {
    gpr_inspected_column info;
    char name[GPRI_TREE_NAME];
} gpri_inspected_column;

struct gpr_inspection {
    gpr_ctx *ctx;
    gpr_inspection_info info; /* its texts are the two below */
    char *model, *dataset, *basis;
    gpri_trained filter;            /* of the model; its numbers may be freed before the inspection */
    bool plain;                     /* it is a polynomial in A~ of the whole graph, with one gamma */
    double *theta;                  /* (K + 1) of a single filter; or NULL */
    gpri_inspected_filter *filters; /* (info.filters) */
    gpri_inspected_column *columns; /* (info.asked_columns) the largest gain first */
    gpri_series series[GPRI_SERIES];
    gpri_lock lock; /* of json */
    char *json;     /* made on demand */
};

/* An inspection in which nothing is known but the model's name. On failure it is to be freed too. */
gpr_status gpri_inspection_start(gpr_ctx *ctx, gpr_inspection **out, const gpr_model *model) GPRI_MUST_CHECK;
/* Memory for a series; its values are undefined. *out: the same. */
gpr_status gpri_series_new(gpr_inspection *inspection, double **out, gpri_series_id id, int64_t count) GPRI_MUST_CHECK;

/* The paper's definition (Theorem on filters, formal version): low-pass if |g(lambda)| < |g(1)| for all `count` given
   lambda, high-pass if > for all of them. *damped: the share of them with <, each counted with its share, or alike if
   shares is NULL. */
gpr_filter_kind gpri_filter_kind_of(const gpri_curve *g, const double *lambda, const double *shares, int64_t count,
                                    double *damped);

/* The same on many points of the open interval (low, high), judged without a graph. */
gpr_filter_kind gpri_filter_kind_between(const gpri_curve *g, double low, double high, double *damped);

/* gamma and -gamma are the same filter: the network before it can change its sign. Before runs are averaged, turns
   those whose inner product with `like` (count) is negative. gammas: (runs x count), a run after the other; a run with
   NaN stays. Returns how many were turned. */
int64_t gpri_filters_turn(double *gammas, int64_t runs, int64_t count, const double *like);

/* The response of a single filter with the weights gamma, which are the model's or those of another run. theta: (K + 1)
   memory that it keeps. */
gpri_curve gpri_inspection_curve(const gpr_inspection *inspection, double *theta, const double *gamma);

/* Parts of gpr_inspection_new, in their order. */
gpr_status gpri_inspect_filters(gpr_inspection *out, const gpr_model *model) GPRI_MUST_CHECK;
gpr_status gpri_inspect_trees(gpr_inspection *out, const gpr_model *model) GPRI_MUST_CHECK;
gpr_status gpri_inspect_spectrum(gpr_inspection *out, const gpri_exact *walk,
                                 const gpri_components *components) GPRI_MUST_CHECK;
gpr_status gpri_inspect_scores(gpr_ctx *ctx, gpr_inspection *out, const gpr_model *model, const gpr_dataset *data,
                               const gpr_split *split, const gpri_exact *walk,
                               const gpri_components *components) GPRI_MUST_CHECK;

/* Of a filter that is not in powers of A~: what each relation and direction adds to h (nodes x classes). sides: as a
   pass has them. */
gpr_status gpri_inspect_parts(gpr_ctx *ctx, gpr_inspection *out, const gpr_model *model, const gpri_graph *graph,
                              const gpri_sides *sides, const double *h) GPRI_MUST_CHECK;

/* Of a model with blocks: how large the weights behind each part are; and on the nodes of a pass, which must have
   gradients, and has other values after it: what each part of a block gives. */
void gpri_inspect_weights(gpr_inspection *out, const gpr_model *model);
gpr_status gpri_inspect_blocks(gpr_inspection *out, gpri_pass *pass) GPRI_MUST_CHECK;

/* The weights of all runs of a training: gammas (runs x K + 1), those of a run after each other. Fills in gamma_mean,
   gamma_ci95 (ci95: half width of the interval of one weight) and how many runs are of which kind. */
gpr_status gpri_inspect_runs(gpr_inspection *out, const double *gammas, int64_t runs, const double *mean,
                             const double *ci95) GPRI_MUST_CHECK;

#endif
