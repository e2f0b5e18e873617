/* For tests that compare every table of operations with ref: random numbers followed by sentinels, a graph, the
 * comparison. */
#ifndef TEST_TABLES_H
#define TEST_TABLES_H

#include <math.h>

#include "support.h"

#include "tensor/device.h"

enum { SENTINEL_COUNT = 16 };
static const float sentinel = 12345.75f;

static gpri_random stream;
static uint64_t drawn;

static inline float draw(void) { return (float)(2 * gpri_uniform(stream, drawn++) - 1); }

/* Random numbers followed by sentinels. */
static inline float *numbers(int64_t count) {
    float *block = malloc((size_t)(count + SENTINEL_COUNT) * sizeof *block);
    assert_non_null(block);
    for (int64_t i = 0; i < count; i++) block[i] = draw();
    for (int64_t i = count; i < count + SENTINEL_COUNT; i++) block[i] = sentinel;
    return block;
}

static inline float *copy_of(const float *from, int64_t count) {
    float *block = malloc((size_t)(count + SENTINEL_COUNT) * sizeof *block);
    assert_non_null(block);
    memcpy(block, from, (size_t)(count + SENTINEL_COUNT) * sizeof *block);
    return block;
}

/* Agree to 2e-5 of the largest, or of `most` if that is larger, and nothing is written after the end. Frees both. */
static inline void same_of(const char *what, const char *table, float *got, float *want, int64_t count, double most) {
    for (int64_t i = 0; i < count; i++) most = fmax(most, fabs((double)want[i]));
    for (int64_t i = 0; i < count; i++)
        if (!(fabs((double)got[i] - (double)want[i]) <= 2e-5 * most))
            fail_msg("%s, %s, element %d of %d: %.8g, ref %.8g", table, what, (int)i, (int)count, (double)got[i],
                     (double)want[i]);
    for (int64_t i = count; i < count + SENTINEL_COUNT; i++)
        if (got[i] != sentinel) fail_msg("%s, %s: writes behind the end", table, what);
    free(got);
    free(want);
}

static inline void same(const char *what, const char *table, float *got, float *want, int64_t count) {
    same_of(what, table, got, want, count, 1e-30);
}

static inline void same_number(const char *what, const char *table, double got, double want) {
    if (!(fabs(got - want) <= 2e-5 * fmax(1, fabs(want)))) fail_msg("%s, %s: %.9g, ref %.9g", table, what, got, want);
}

/* A graph with an empty row, a hub and random edges. */
static inline gpri_graph random_graph(gpr_ctx *ctx, int64_t nodes, bool weighted) {
    int64_t edges = 3 * nodes, *src = malloc((size_t)edges * sizeof *src), *dst = malloc((size_t)edges * sizeof *dst);
    float *weights = malloc((size_t)edges * sizeof *weights);
    for (int64_t e = 0; e < edges; e++) {
        src[e] = e % 4 == 0 ? 0 : (int64_t)gpri_uniform_below(stream, drawn++, (uint64_t)nodes); /* node 0 is the hub */
        dst[e] = (int64_t)gpri_uniform_below(stream, drawn++, (uint64_t)nodes);
        weights[e] = 1.5f + draw();
        if (nodes > 2 && (src[e] == nodes - 1 || dst[e] == nodes - 1)) src[e] = dst[e] = 0; /* the last node is alone */
    }
    gpri_graph graph;
    assert_ok(gpri_graph_build(ctx, &graph, nodes, edges, src, dst, weighted ? weights : NULL));
    free(src);
    free(dst);
    free(weights);
    return graph;
}

/* (rows x width) with distance ld, all columns real. */
static inline gpri_matrix matrix_of(const float *at, int64_t rows, int64_t width, int64_t ld) {
    return (gpri_matrix){(gpri_real *)(uintptr_t)at, rows, width, width, ld};
}
static inline gpri_matrix packed(const float *at, int64_t rows, int64_t width) {
    return matrix_of(at, rows, width, width);
}

static const gpri_ops *tables[8] GPRI_UNUSED;
static int table_count GPRI_UNUSED;

/* For every table but ref itself. */
#define EACH_TABLE(ops)                               \
    for (int table = 1; table < table_count; table++) \
        for (const gpri_ops *ops = tables[table]; ops; ops = NULL)

#endif
