/* Eigenvalues of A~: all of them component by component with LAPACK, or the outermost with ARPACK. */
#include "spectral/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "embed/eigen.h"
#include "spectral/lapack.h"

/* LAPACK takes about 1 s for a matrix of this size with its own BLAS, on one core; a tuned one is much faster. */
enum { LARGEST = 1500 };

bool gpri_spectrum_is_small(const gpri_components *components) {
    const double most = (double)LARGEST * LARGEST * LARGEST;
    double work = 0;
    for (int64_t c = 0; c < components->count && work <= most; c++) {
        const double size = (double)(components->start[c + 1] - components->start[c]);
        work += size * size * size;
    }
    return work <= most;
}

/* matrix: (count x count) A~ between the nodes of one component. place: (nodes) where a node is in its component. */
static void fill(double *matrix, const gpri_exact *walk, const int32_t *nodes, int64_t count, const int32_t *place) {
    const gpri_graph *graph = walk->graph;
    memset(matrix, 0, (size_t)(count * count) * sizeof *matrix);
    for (int64_t r = 0; r < count; r++) {
        const int32_t i = nodes[r];
        matrix[r * count + r] = walk->squared[i];
        for (int64_t at = graph->rowptr[i]; at < graph->rowptr[i + 1]; at++) {
            const int32_t j = graph->column[at];
            matrix[r * count + place[j]] =
                (graph->weight ? (double)graph->weight[at] : 1) * (walk->scale[i] * walk->scale[j]);
        }
    }
}

static int descending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

gpr_status gpri_spectrum_all(gpr_ctx *ctx, double *values, const gpri_exact *walk, const gpri_components *components,
                             bool *found) {
    gpr_status status = GPR_OK;
    const int64_t nodes = walk->graph->nodes;
    int64_t largest = 0;
    double *matrix = NULL;
    int32_t *place = NULL;
    *found = true;
    TRY(gpri_alloc(ctx, &place, nodes, sizeof *place, "eigenvalues"));
    for (int64_t c = 0; c < components->count; c++) {
        const int64_t first = components->start[c], count = components->start[c + 1] - first;
        if (count > largest) largest = count;
        for (int64_t k = 0; k < count; k++) place[components->order[first + k]] = (int32_t)k;
    }
    if (largest > LARGEST) THROW(GPR_ERROR_ARGUMENT, "%lld nodes: too many for all eigenvalues", (long long)largest);
    TRY(gpri_alloc(ctx, &matrix, largest * largest, sizeof *matrix, "eigenvalues"));
    for (int64_t c = 0; c < components->count && *found; c++) {
        const int64_t first = components->start[c], count = components->start[c + 1] - first;
        if (count > 1) {
            fill(matrix, walk, components->order + first, count, place);
            TRY(gpri_symmetric_eigenvalues(ctx, values + first, matrix, (int)count, found));
        }
        values[first + count - 1] = 1; /* LAPACK's are ascending */
    }
    if (*found) qsort(values, (size_t)nodes, sizeof *values, descending);
done:
    gpri_free_all(ctx, matrix, place);
    return status;
}

/* ---- the outermost ---- */

#define TOLERANCE 1e-6

/* A restart makes about 30 products, and combines 32 vectors as often. A few seconds are allowed, by the size alone. */
static int affordable_restarts(const gpri_graph *graph) {
    const double cost = 31 * (double)graph->arcs + 2000 * (double)graph->nodes;
    return (int)fmin(5e9 / cost, 3000);
}

typedef struct {
    const gpri_exact *walk;
    const gpri_components *components;
    double *limit; /* (nodes) */
} ends;

/* y = (I + A~ - 2 P) x, P the projection onto the vectors pi: their eigenvalue becomes 0, and that of any other vector
   1 + lambda > 0. */
static void without_limit(void *arg, double *y, const double *x) {
    const ends *e = arg;
    gpri_exact_step(e->walk, y, x, 1);
    gpri_exact_limit(e->walk, e->components, e->limit, x, 1);
    for (int64_t i = 0; i < e->walk->graph->nodes; i++) y[i] += x[i] - 2 * e->limit[i];
}

/* y = (I - A~) x: 0 for the vectors pi, 1 - lambda > 0 for any other. */
static void turned(void *arg, double *y, const double *x) {
    const ends *e = arg;
    gpri_exact_step(e->walk, y, x, 1);
    for (int64_t i = 0; i < e->walk->graph->nodes; i++) y[i] = x[i] - y[i];
}

gpr_status gpri_spectrum_ends(gpr_ctx *ctx, double *second, double *smallest, const gpri_exact *walk,
                              const gpri_components *components) {
    gpr_status status = GPR_OK;
    const int64_t nodes = walk->graph->nodes;
    double *vector = NULL, shifted;
    ends e = {walk, components, NULL};
    *second = *smallest = NAN;
    if (components->count == nodes) return GPR_OK;
    const int restarts = affordable_restarts(walk->graph);
    if (restarts < 3)
        return gpri_fail(GPR_ERROR_NUMERIC, "%lld nodes are too many to look for single eigenvalues", (long long)nodes);
    TRY(gpri_alloc(ctx, &e.limit, nodes, sizeof *e.limit, "eigenvalues"));
    TRY(gpri_alloc(ctx, &vector, nodes, sizeof *vector, "eigenvalues"));
    TRY(gpri_eigen_near(ctx, &shifted, vector, nodes, 1, turned, &e, TOLERANCE, restarts));
    *smallest = 1 - shifted;
    TRY(gpri_eigen_near(ctx, &shifted, vector, nodes, 1, without_limit, &e, TOLERANCE, restarts));
    *second = shifted - 1;
done:
    gpri_free_all(ctx, e.limit, vector);
    return status;
}
