/* Filters of several relations, directions, bases and columns for tests: options, and a dataset that has all of it. */
#ifndef TEST_FILTERS_H
#define TEST_FILTERS_H

#include <math.h>

#include "training.h"

typedef struct {
    const char *name;
    bool kinds, weighted;
    const char *options[12]; /* name, value, ..., NULL */
} filter_set;

static const filter_set filter_sets[] = {
    {"chebyshev", false, true, {"basis", "chebyshev", NULL}},
    {"legendre, columns, one layer", false, false, {"basis", "legendre", "gamma", "columns", "layers", "1", NULL}},
    {"jacobi, no loops", false, true, {"basis", "jacobi:1,-0.5", "loops", "no", "init", "random", NULL}},
    {"bernstein", false, false, {"basis", "bernstein", NULL}},
    {"bernstein, columns, three relations",
     true,
     true,
     {"basis", "bernstein", "gamma", "columns", "loops", "no", "init", "delta:1", NULL}},
    {"along", false, true, {"direction", "along", "layers", "3", NULL}},
    {"against, columns", false, false, {"direction", "against", "gamma", "columns", NULL}},
    {"both", false, true, {"direction", "both", "init", "nppr", "alpha", "-0.4", NULL}},
    {"three relations", true, true, {"loops", "no", "init", "random", NULL}},
    {"three relations, both ways, columns", true, false, {"direction", "both", "gamma", "columns", NULL}},
    {"a direction for each relation", true, true, {"direction", "pay=both,device=against", "gamma", "columns", NULL}},
    {"two relations, legendre", true, false, {"relations", "pay,device", "basis", "legendre", "layers", "3", NULL}},
    {"one of three relations", true, true, {"relations", "device", NULL}},
    {"columns", false, true, {"gamma", "columns", NULL}},
    {"no hops", true, false, {"K", "0", "gamma", "columns", NULL}},
};
enum { FILTER_SETS = sizeof filter_sets / sizeof *filter_sets };

/* Options of a set after those given. */
static inline const char *const *filter_options(const char *out[64], const filter_set *set, const char *const *given) {
    int at = 0;
    for (; given[at]; at++) out[at] = given[at];
    for (int i = 0; set->options[i]; i++) out[at++] = set->options[i];
    out[at] = NULL;
    return out;
}

typedef struct {
    gpr_dataset_desc desc;
    int64_t src[4000], dst[4000];
    float weights[4000], *dense;
    int32_t relation[4000], labels[1000];
    const char *names[3];
} kinds_data;

/* `nodes` up to 1000; the last one is alone, and no arc leaves node 1. Some arcs have one back, with another weight. */
static inline void kinds_fill(kinds_data *d, int64_t nodes, int64_t classes, bool kinds, bool weighted) {
    enum { FEATURES = 9 };
    const gpri_random stream = gpri_random_of(29, GPRI_RANDOM_TEST, 0, 0);
    int64_t edges = 0;
    uint64_t draw = 0;
    d->dense = malloc((size_t)(nodes * FEATURES) * sizeof *d->dense);
    d->names[0] = "pay", d->names[1] = "device", d->names[2] = "address";
    for (int64_t e = 0; e < 3 * nodes; e++) {
        const int64_t from = (int64_t)gpri_uniform_below(stream, draw++, (uint64_t)nodes - 1);
        const int64_t to = (int64_t)gpri_uniform_below(stream, draw++, (uint64_t)nodes - 1);
        for (int back = 0; back <= (e % 4 == 0); back++) {
            d->src[edges] = back ? to : from;
            d->dst[edges] = back ? from : to;
            d->weights[edges] = (float)(0.5 + gpri_uniform(stream, draw++));
            d->relation[edges] = (int32_t)(e % 3);
            edges += d->src[edges] != 1;
        }
    }
    for (int64_t i = 0; i < nodes; i++) {
        d->labels[i] = (int32_t)(i % classes);
        for (int64_t f = 0; f < FEATURES; f++)
            d->dense[i * FEATURES + f] = (float)(gpri_uniform(stream, draw++) - 0.5 + (f % classes == i % classes));
    }
    d->desc = (gpr_dataset_desc){.struct_size = sizeof d->desc,
                                 .nodes = nodes,
                                 .edges = edges,
                                 .src = d->src,
                                 .dst = d->dst,
                                 .weights = weighted ? d->weights : NULL,
                                 .features = FEATURES,
                                 .dense = d->dense,
                                 .labels = d->labels,
                                 .classes = classes};
    if (!kinds) return;
    d->desc.relation_count = 3;
    d->desc.relation_names = d->names;
    d->desc.edge_relation = d->relation;
}

/* S of a part (nodes x nodes), from the arrays that the dataset was made of. */
static inline void kinds_matrix(double *s, int64_t nodes, const kinds_data *d, const gpr_filter_info *part) {
    double out[1000] = {0}, in[1000] = {0};
    const bool undirected = strcmp(part->direction, "undirected") == 0;
    memset(s, 0, (size_t)(nodes * nodes) * sizeof *s);
    for (int64_t e = 0; e < d->desc.edges; e++) {
        const int64_t i = d->src[e], j = d->dst[e];
        const double weight = d->desc.weights ? (double)d->weights[e] : 1;
        if (i == j || (*part->relation && strcmp(part->relation, d->names[d->relation[e]]) != 0)) continue;
        s[i * nodes + j] = fmax(s[i * nodes + j], weight);
        if (undirected) s[j * nodes + i] = fmax(s[j * nodes + i], weight);
    }
    for (int64_t i = 0; undirected && i < nodes; i++) { /* both directions: the larger weight */
        for (int64_t j = 0; j < nodes; j++)
            s[i * nodes + j] = s[j * nodes + i] = fmax(s[i * nodes + j], s[j * nodes + i]);
        if (part->loops) s[i * nodes + i] = 1;
    }
    for (int64_t i = 0; i < nodes; i++)
        for (int64_t j = 0; j < nodes; j++) out[i] += s[i * nodes + j], in[j] += s[i * nodes + j];
    for (int64_t i = 0; i < nodes; i++)
        for (int64_t j = 0; j < nodes; j++)
            if (s[i * nodes + j] != 0) s[i * nodes + j] /= sqrt(out[i] * in[j]);
    for (int64_t i = 0; strcmp(part->direction, "against") == 0 && i < nodes; i++)
        for (int64_t j = 0; j < i; j++) {
            const double kept = s[i * nodes + j];
            s[i * nodes + j] = s[j * nodes + i];
            s[j * nodes + i] = kept;
        }
}

static inline gpr_dataset *new_kinds(gpr_ctx *ctx, int64_t nodes, int64_t classes, const filter_set *set) {
    kinds_data *d = malloc(sizeof *d);
    gpr_dataset *data;
    assert_true(d && nodes <= 1000);
    kinds_fill(d, nodes, classes, set->kinds, set->weighted);
    assert_ok(gpr_dataset_new(ctx, &data, &d->desc));
    free(d->dense);
    free(d);
    return data;
}

#endif
