/* The option `embedding`: an embedding that is computed, or a file with points or relations. */
#include "io/latent.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/params.h"
#include "base/print.h"
#include "file/head.h"
#include "io/text/latent_file.h"

bool gpri_latent_is_file(const char *embedding) { return gpri_value_of(GPRI_PARAM_EMBEDDING, embedding) == GPRI_OTHER; }

static void say_found(gpr_ctx *ctx, const gpri_neighbourhood *found, const char *embedding) {
    char radius[40] = "";
    if (!isnan(found->radius)) gpri_print(radius, sizeof radius, "rho %.4g, ", found->radius);
    gpri_log(ctx, GPR_LOG_INFO,
             "embedding %s: %.2f s, %s%.2f latent neighbours per node, %.2f in the graph, %lld pairs in both",
             embedding, found->seconds, radius, found->latent_mean, found->graph_mean, (long long)found->both);
}

/* Relations or points. */
static gpr_status read_file(gpr_ctx *ctx, gpri_relations *out, gpri_embedding *points, const gpri_graph *graph,
                            const char *path) {
    gpr_status status = GPR_OK;
    gpri_delimited *table = NULL;
    gpri_head head;
    const gpri_delimited_options options = {.ragged = true}; /* they have their own messages */
    gpri_head_init(&head, path);
    if (gpri_head_begins(&head, "\x93NUMPY", 6)) return gpri_read_points_npy(ctx, points, graph->nodes, path);
    TRY(gpri_delimited_open(ctx, &table, path, &options));
    if (gpri_holds_relations(table)) TRY(gpri_read_relations(ctx, out, graph, table));
    else TRY(gpri_read_points(ctx, points, graph->nodes, table));
done:
    gpri_delimited_close(table);
    return status;
}

static gpr_status open_file(gpr_ctx *ctx, gpri_relations *out, gpri_embedding *points, const gpri_graph *graph,
                            const char *path) {
    gpr_status status = read_file(ctx, out, points, graph, path);
    if (status == GPR_OK || status == GPR_ERROR_MEMORY) return status;
    if (status == GPR_ERROR_NOT_FOUND) {
        const char *near = strpbrk(path, "/.") ? NULL : gpri_value_near(GPRI_PARAM_EMBEDDING, path);
        return gpri_fail(GPR_ERROR_ARGUMENT, "embedding '%s': no such file, nor isomap, poincare or struc2vec%s%s%s",
                         path, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    return gpri_fail_prefix(status == GPR_ERROR_IO ? status : GPR_ERROR_ARGUMENT, "embedding");
}

gpr_status gpri_latent_open(gpr_ctx *ctx, gpri_relations *out, const gpri_graph *graph, const char *embedding) {
    gpr_status status = GPR_OK;
    gpri_embedding points = {0};
    double started = gpri_seconds_now();
    *out = (gpri_relations){0};
    const gpri_value method = gpri_value_of(GPRI_PARAM_EMBEDDING, embedding);
    if (method == GPRI_EMBEDDING_ISOMAP) TRY(gpri_embed_isomap(ctx, &points, graph));
    else if (method == GPRI_EMBEDDING_POINCARE) TRY(gpri_embed_poincare(ctx, &points, graph));
    else if (method == GPRI_EMBEDDING_STRUC2VEC) TRY(gpri_embed_struc2vec(ctx, &points, graph));
    else TRY(open_file(ctx, out, &points, graph, embedding));
    if (points.points) TRY(gpri_relations_embed(ctx, out, graph, &points));
    out->found.seconds = gpri_seconds_now() - started;
    say_found(ctx, &out->found, embedding);
done:
    gpri_embedding_free(ctx, &points);
    return status;
}
