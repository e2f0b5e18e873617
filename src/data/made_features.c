/* identity, degree and spectral features. */
#include "data/made_features.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "data/describe.h"
#include "data/raw_features.h"
#include "embed/leading.h"

enum {
    BUCKETS = 16,         /* of degrees; the last has all from 2^14 on */
    MOST_IDENTITY = 50000 /* nodes that get a column each without being asked */
};
#define USUAL "spectral:64" /* for more */

static bool is_spectral(const char *kind) { return strncmp(kind, "spectral", 8) == 0 && (!kind[8] || kind[8] == ':'); }

bool gpri_makes_features(const char *kind) {
    return kind && (strcmp(kind, "identity") == 0 || strcmp(kind, "degree") == 0 || strcmp(kind, "auto") == 0 ||
                    is_spectral(kind));
}

bool gpri_made_for_one_graph(const char *kind) { return strcmp(kind, "degree") != 0; }

static gpr_status make_identity(gpr_ctx *ctx, gpri_raw_features *out, const gpri_graph *graph) {
    const int64_t n = graph->nodes;
    *out = (gpri_raw_features){.rows = n, .cols = n};
    NEED(gpri_alloc(ctx, &out->indptr, n + 1, sizeof *out->indptr, "features"));
    NEED(gpri_alloc(ctx, &out->indices, n, sizeof *out->indices, "features"));
    for (int64_t i = 0; i <= n; i++) out->indptr[i] = i;
    for (int64_t i = 0; i < n; i++) out->indices[i] = (int32_t)i;
    return GPR_OK;
}

static int64_t bucket_of(int64_t degree) {
    int64_t bucket = 0;
    for (; degree > 0 && bucket < BUCKETS - 1; degree /= 2) bucket++;
    return bucket;
}

static gpr_status name_degrees(gpr_ctx *ctx, gpri_names *out) {
    char texts[1 + BUCKETS][32] = {"degree (log)", "degree=0", "degree=1"};
    const char *names[1 + BUCKETS];
    for (int64_t k = 2; k < BUCKETS - 1; k++)
        snprintf(texts[1 + k], sizeof texts[1 + k], "degree=%lld-%lld", 1LL << (k - 1), (1LL << k) - 1);
    snprintf(texts[BUCKETS], sizeof texts[BUCKETS], "degree=%lld-", 1LL << (BUCKETS - 2));
    for (int k = 0; k <= BUCKETS; k++) names[k] = texts[k];
    return gpri_names_copy(ctx, out, names, 1 + BUCKETS);
}

static gpr_status make_degrees(gpr_ctx *ctx, gpri_raw_features *out, const gpri_graph *graph) {
    *out = (gpri_raw_features){.rows = graph->nodes, .cols = 1 + BUCKETS, .mixed = true};
    NEED(gpri_calloc(ctx, &out->dense, out->rows * out->cols, sizeof *out->dense, "features"));
    NEED(name_degrees(ctx, &out->names));
    for (int64_t i = 0; i < graph->nodes; i++) {
        const int64_t degree = graph->rowptr[i + 1] - graph->rowptr[i];
        out->dense[i * out->cols] = logf(1 + (float)degree);
        out->dense[i * out->cols + 1 + bucket_of(degree)] = 1;
    }
    return GPR_OK;
}

static gpr_status make_spectral(gpr_ctx *ctx, gpri_raw_features *out, const gpri_graph *graph, int64_t count) {
    const float factor = sqrtf((float)graph->nodes);
    *out = (gpri_raw_features){.rows = graph->nodes, .cols = count, .mixed = true};
    if (graph->arcs == 0)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`features` spectral: the graph has no edge, and so no eigenvectors to tell nodes apart");
    NEED(gpri_alloc(ctx, &out->dense, graph->nodes * count, sizeof *out->dense, "features"));
    NEED(gpri_leading_vectors(ctx, out->dense, graph, count));
    for (int64_t k = 0; k < graph->nodes * count; k++) out->dense[k] *= factor;
    return GPR_OK;
}

/* "spectral:N". */
static gpr_status read_count(int64_t *count, const char *kind, int64_t nodes) {
    const int64_t most = nodes < GPRI_LEADING_MOST ? nodes : GPRI_LEADING_MOST;
    if (!kind[8] || !gpri_parse_int(kind + 9, count) || *count < 1 || *count > most)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`features` is '%s': give spectral:N with a number N of eigenvectors from 1 to %lld (a file "
                         "of that name needs ./ before it)",
                         kind, (long long)most);
    return GPR_OK;
}

gpr_status gpri_make_features(gpr_dataset *data, const char *kind, bool beside) {
    gpr_status status = GPR_OK;
    gpri_raw_features made = {0};
    char usual[sizeof data->made];
    int64_t count = 0;
    TRY(gpri_dataset_ready(data->ctx, data));
    const gpri_graph *graph = &data->graph;
    if (strcmp(kind, "auto") == 0) {
        const bool small = graph->nodes <= MOST_IDENTITY;
        snprintf(usual, sizeof usual, "%s", graph->arcs == 0 ? "degree" : small ? "identity" : USUAL);
        kind = usual;
        gpri_log(data->ctx, GPR_LOG_WARNING,
                 "%s has no features: `features` %s are made from the graph (others: identity, degree, spectral:N)",
                 data->name, kind);
    }
    if (is_spectral(kind)) TRY(read_count(&count, kind, graph->nodes));
    if (strcmp(kind, "identity") == 0) TRY(make_identity(data->ctx, &made, graph));
    else if (count > 0) TRY(make_spectral(data->ctx, &made, graph, count));
    else TRY(make_degrees(data->ctx, &made, graph));
    TRY(beside ? gpri_dataset_add_features(data, &made, data->name)
               : gpri_dataset_set_features(data, &made, data->name));
    snprintf(data->made, sizeof data->made, "%s", kind);
    gpri_graph_fingerprint(data->made_from, graph);
done:
    gpri_raw_features_free(data->ctx, &made);
    return status;
}
