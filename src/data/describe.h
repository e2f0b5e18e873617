/* What gprgnn info, training and model files say about a dataset. */
#ifndef GPRI_DESCRIBE_H
#define GPRI_DESCRIBE_H

#include "data/dataset.h"

enum { GPRI_FINGERPRINT_SIZE = 33 }; /* 32 hex digits and the NUL */

/* Equal for equal graphs, weights, features, labels and kinds of edges, whatever file, order or storage they came in.
   The first call computes it, later ones do not. The dataset is ready. */
void gpri_fingerprint(char text[GPRI_FINGERPRINT_SIZE], const gpr_dataset *data);
/* The same of graph, weights, features and kinds alone, without directions: what a prediction finds the data of a
   training by. */
void gpri_unlabelled_fingerprint(char text[GPRI_FINGERPRINT_SIZE], const gpr_dataset *data);
/* Of a graph alone, with its weights. */
void gpri_graph_fingerprint(char text[GPRI_FINGERPRINT_SIZE], const gpri_graph *graph);
void gpri_fingerprint_halves(uint64_t out[2], const gpr_dataset *data); /* the same as two numbers */
/* The same as numbers, from the arrays themselves: a mapped file has it in its header. */
void gpri_fingerprint_arrays(uint64_t out[2], const gpr_dataset *data);

void gpri_fingerprint_text(char text[GPRI_FINGERPRINT_SIZE], const uint64_t halves[2]);
/* The same step by step, for a graph that is never whole in memory: begin; the arcs of every row, all at once or in
   pieces, row after row; end. */
typedef struct gpri_hash {
    uint64_t first, second;
    uint64_t bytes;
} gpri_hash;
void gpri_fingerprint_begin(gpri_hash *h, int64_t nodes, int64_t features, int64_t arcs);
void gpri_fingerprint_arcs(gpri_hash *h, int64_t row, const int32_t *column, const float *weight, int64_t count);
void gpri_fingerprint_end(uint64_t out[2], gpri_hash *h, const gpri_feature_matrix *features, const gpri_target *target,
                          const gpri_graph *graph);
/* Of the directions of the edges, which the fingerprint of data with one kind of them does not hold; 0: it has none. */
uint64_t gpri_directions_hash(const gpri_graph *graph);

/* gpr_dataset_describe of data of which this process has some rows, and the others of its group the rest: *out in
   process 0. Not for as many classes as it says no to. */
bool gpri_describes_together(const gpr_dataset *data);
gpr_status gpri_describe_together(gpr_ctx *ctx, gpr_dataset_info *out, const gpr_dataset *data,
                                  gpri_range rows) GPRI_MUST_CHECK;

/* Warnings about the data, except those that a split gives itself. listener: NULL: the log of the context. */
gpr_status gpri_dataset_warn(gpr_ctx *ctx, const gpri_listener *listener, const gpr_dataset *data) GPRI_MUST_CHECK;
/* Notices that edges are directed, and go both ways all the same. option: the model has one that changes this. */
void gpri_dataset_say_directions(gpr_ctx *ctx, const gpr_dataset *data, bool option);
/* An error if no node of the data, which is ready, has a label. */
gpr_status gpri_dataset_needs_labels(const gpr_dataset *data) GPRI_MUST_CHECK;

#endif
