/* Graphs for tests of known labels: the features say nothing, the neighbours' labels all or nothing. */
#ifndef TEST_LABEL_DATA_H
#define TEST_LABEL_DATA_H

#include "training.h"

enum { CLASSES = 3, FEATURES = 6 };

/* Edges between random nodes, or with a chance of `same` between nodes of the same class of `by`. labels: -1: none. */
static inline gpr_dataset *make_labelled(gpr_ctx *ctx, int64_t nodes, double same, const int32_t *by,
                                         const int32_t *labels) {
    const gpri_random stream = gpri_random_of(23, GPRI_RANDOM_TEST, 0, 1);
    const int64_t edges = 4 * nodes;
    int64_t *src = malloc((size_t)edges * sizeof *src), *dst = malloc((size_t)edges * sizeof *dst);
    float *table = malloc((size_t)(nodes * FEATURES) * sizeof *table);
    gpr_dataset *data;
    for (int64_t e = 0; e < edges; e++) {
        uint64_t draw = (uint64_t)e * 64;
        src[e] = e % nodes;
        const bool alike = gpri_uniform(stream, draw++) < same;
        do dst[e] = (int64_t)gpri_uniform_below(stream, draw++, (uint64_t)nodes);
        while (alike && by[dst[e]] != by[src[e]] && draw < (uint64_t)e * 64 + 63);
    }
    for (int64_t i = 0; i < nodes * FEATURES; i++)
        table[i] = (float)(2 * gpri_uniform(stream, (1u << 30) + (uint64_t)i) - 1);
    gpr_dataset_desc desc = {.struct_size = sizeof desc,
                             .name = "random",
                             .nodes = nodes,
                             .edges = edges,
                             .src = src,
                             .dst = dst,
                             .features = FEATURES,
                             .dense = table,
                             .labels = labels,
                             .classes = CLASSES};
    assert_ok(gpr_dataset_new(ctx, &data, &desc));
    data->generated = true; /* nothing is chosen by the data: one plain training */
    free(src), free(dst), free(table);
    return data;
}

static inline gpr_dataset *make_data(gpr_ctx *ctx, int64_t nodes, double same, const int32_t *labels) {
    return make_labelled(ctx, nodes, same, labels, labels);
}

static inline void draw_labels(int32_t *labels, int64_t nodes, uint32_t key) {
    const gpri_random stream = gpri_random_of(29, GPRI_RANDOM_TEST, 0, key);
    for (int64_t i = 0; i < nodes; i++) labels[i] = (int32_t)gpri_uniform_below(stream, (uint64_t)i, CLASSES);
}

#endif
