/* Operations with more work in the same kernel: what fuse.cu calls in place of several calls. Each is defined beside
 * its operation, which is the same without the additions. */
#ifndef GPRI_CUDA_JOINED_CUH
#define GPRI_CUDA_JOINED_CUH

#include "tensor/cuda/fuse/program.cuh"

/* ---- copies ---- */

/* y = x; x absent: 0. */
struct element_move {
    gpri_matrix y, x;
    bool by_four; /* set by gpri_cuda_move, and so is: */
    unsigned first_block;
};
struct element_moves {
    enum { MOST = 16 };
    int count;
    element_move of[MOST];
};
void gpri_cuda_move(element_moves *moves);

/* ---- products ---- */

struct features_then {
    element_program train, eval; /* on what the streams become */
};
void gpri_cuda_features_forward_then(gpri_matrix train, gpri_matrix eval, const gpri_features *x, const uint64_t *keep,
                                     gpri_real scale, const gpri_real *w, const gpri_real *b, int64_t first,
                                     const features_then *then);

/* y = x w + b of both streams; the second may be absent. */
struct linear_streams {
    gpri_matrix y[2], x[2];
    element_program then[2];
};
void gpri_cuda_linear_forward_streams(const linear_streams *streams, const gpri_real *w, const gpri_real *b);

/* linear_backward with steps on dy before, steps on dx after, and the column sums of dx after them. */
struct linear_more {
    element_program before, after;
    bool sums; /* of dx */
};
/* Whether the whole of it fits one kernel. */
bool gpri_cuda_linear_is_narrow(gpri_matrix dx, gpri_matrix dy, gpri_matrix x);

/* ---- gradients that Adam adds up ---- */

enum gradient_kind {
    GRADIENT_PLAIN, /* in its place */
    GRADIENT_PARTS, /* parts to be added */
    GRADIENT_PIECES /* of sparse features: in its place, or in pieces where a column is long */
};
struct gradient_source {
    gradient_kind kind;
    const gpri_real *parts; /* (count x stride); of pieces: (2 pieces x width) */
    int64_t stride, count;
    const int64_t *colptr;
    int64_t piece, width;
};

/* The gradient stays in `*out`, whose memory the recording keeps. False: there was no memory, and nothing
   was launched. The sums of linear_backward are those of dw, db, and, where asked for,
   dx: (width of x + 1) x width of dy numbers, and then the width of x. */
bool gpri_cuda_linear_backward_parts(gradient_source *out, gpri_matrix dx, gpri_matrix dy, gpri_matrix x,
                                     const gpri_real *w, const linear_more *more);
/* Whether its sums can stay in parts. */
bool gpri_cuda_bias_has_parts(gpri_matrix dy);
bool gpri_cuda_bias_backward_parts(gradient_source *out, gpri_matrix dy);
bool gpri_cuda_features_backward_pieces(gradient_source *out, gpri_real *dw, gpri_matrix dy, const gpri_features *x,
                                        const uint64_t *keep, gpri_real scale, int64_t first);

struct update_job {
    gpri_real *w, *m, *v, *gradient;
    gradient_source from;
    int64_t count;
    gpri_real decay, shrink;
    unsigned first_block; /* set by gpri_cuda_update */
};
struct update_all {
    enum { MOST = 16 };
    int jobs;
    update_job job[MOST];
    gpri_record *record;
    uint32_t *step; /* NULL: it is not advanced */
    double lr;
    uint64_t *bits; /* of dropout, for the next step: groups [g0, g1); NULL: none */
    gpri_mask mask;
    int64_t g0, g1;
    unsigned bits_block; /* set by gpri_cuda_update */
};
/* jobs > 0; bits: only where the step is advanced. */
void gpri_cuda_update(update_all *all);

/* ---- judging ---- */

struct judge_more {
    gpri_record *record; /* NULL: scores alone */
    gpri_epoch *history;
    const uint32_t *step;
    gpri_rule rule;
    float *gamma_rows; /* NULL: none are kept */
    const gpri_real *gamma;
    int64_t gamma_count;
};
void gpri_cuda_score_and_judge(gpri_scores *scores, gpri_matrix z, const gpri_targets *targets, int64_t first,
                               const judge_more *more);

#endif
